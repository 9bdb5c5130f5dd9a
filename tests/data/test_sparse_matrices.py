"""Sparse matrices with damaged index arrays: refused before compiled code reads them."""

import anndata
import h5py
import numpy as np
import pandas
import pytest
from cases import each_of
from own_files import loaded, refused
from scipy import sparse

from noneuclid import from_anndata
from noneuclid.errors import InputError
from noneuclid.interfaces.sparse_matrices import checked, dense
from noneuclid_compare.data.own import anndata_file

DENSE = np.array([[0.0, 2, 0, 5], [1, 0, 0, 0], [0, 0, 3, 4], [0, 6, 0, 0]])
# Of the same arrays.
KINDS = {"csr": sparse.csr_matrix(DENSE), "csc": sparse.csc_matrix(DENSE.T)}
# What is changed in the arrays of the matrix above, and the refusal of csr. Compiled code read
# outside its memory, or moved values to other cells, or left them out.
DAMAGE = {
    "index too large": ({"indices": (4, 10**6)}, "column index 1000000, but there are 4 columns"),
    "index just too large": ({"indices": (0, 4)}, "row 0 holds column index 4, but there are 4"),
    "index below zero": ({"indices": (2, -3)}, "row 1 holds column index -3, but there are 4"),
    "indptr too large": ({"indptr": (4, 10**7)}, "indptr runs from 0 to 10000000, but there are 6"),
    "indptr ends early": ({"indptr": (4, 5)}, "indptr runs from 0 to 5, but there are 6 values"),
    "indptr starts late": ({"indptr": (0, 1)}, "indptr runs from 1 to 6, but there are 6 values"),
    "indptr falls": ({"indptr": (2, 9)}, "indptr falls at row 2"),
    "indptr below zero": ({"indptr": (1, -2)}, "indptr falls at row 0"),
    "repeated": ({"indices": (1, 1)}, "row 0 holds column 1 twice; .* sum_duplicates"),
}


def arrays(kind="csr"):
    return {name: getattr(KINDS[kind], name).copy() for name in ("indptr", "indices", "data")}


def damaged(changes, kind="csr"):
    found = arrays(kind)
    for name, (position, value) in changes.items():
        found[name][position] = value
    return found


def saved(path, kind="csr", shape=(4, 4), **parts):
    """An h5ad of four cells whose X consists of the given arrays."""
    obs = pandas.DataFrame({"type": list("abab")}, index=list("wxyz"))
    anndata.AnnData(KINDS[kind].copy(), obs=obs).write_h5ad(path)
    with h5py.File(path, "r+") as file:
        for name, values in parts.items():
            del file["X"][name]
            file["X"][name] = values
        file["X"].attrs["shape"] = shape
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_a_sound_matrix_is_read_as_scipy_reads_it(tmp_path, kind):
    expected = KINDS[kind].toarray().tolist()
    assert checked(kind, (4, 4), **arrays(kind), where="X").toarray().tolist() == expected
    data = loaded(anndata_file, saved(tmp_path / "c.h5ad", kind), label="type")
    assert data.features.tolist() == expected


def test_unsorted_indices_and_unsigned_types_are_legal():
    found = arrays()
    found["indices"][:2], found["data"][:2] = [3, 1], [5, 2]
    found["indptr"] = found["indptr"].astype(np.uint64)
    assert checked("csr", (4, 4), **found, where="X").toarray().tolist() == DENSE.tolist()


@each_of(("changes", "message"), DAMAGE.values(), ids=DAMAGE)
def test_damaged_arrays_of_a_file_are_refused(tmp_path, changes, message):
    path = saved(tmp_path / "c.h5ad", **damaged(changes))
    assert refused(message, anndata_file, path, label="type").startswith(f"{path}: X")


@each_of("changes", [pair[0] for pair in DAMAGE.values()], ids=DAMAGE)
def test_damaged_arrays_by_column_are_refused(tmp_path, changes):
    refused("c.h5ad: X", anndata_file, saved(tmp_path / "c.h5ad", "csc", **damaged(changes, "csc")),
            label="type")  # fmt: skip


@each_of(
    ("shape", "parts", "message"),
    [
        ((4, 3), {}, "row 0 holds column index 3, but there are 3 columns"),
        ((4, 5), {}, r"X has shape \(4, 5\), but there are 4 cells and 4 features"),
        ((3, 4), {}, r"X has shape \[3, 4\] but indptr has 5 entries, not 4"),
        ((4, -4), {}, r"X has shape \[4, -4\]; save"),
        ((4,), {}, r"X has shape \[4\]; save"),
        ((4, 4), {"data": np.ones(5)}, "5 values and 6 indices"),
        ((4, 4), {"data": np.ones(17), "indices": np.zeros(17, int)}, "has 17 values"),
        ((4, 4), {"indices": np.zeros(6)}, "indices is float64"),
        ((4, 4), {"data": np.ones(6, complex)}, "data is complex128"),
        ((4, 4), {"indptr": np.zeros((5, 1), int)}, r"indptr is int64 of shape \(5, 1\)"),
    ],
)
def test_shapes_lengths_and_types_that_do_not_fit_are_refused(tmp_path, shape, parts, message):
    path = saved(tmp_path / "c.h5ad", shape=shape, **parts)
    refused(message, anndata_file, path, label="type")


def test_values_that_are_not_finite_are_refused(tmp_path):
    path = saved(tmp_path / "c.h5ad", **damaged({"data": (3, np.inf)}))
    refused(
        r"row 3 counted from 1 \(sample 'y'\), column '2' is inf", anndata_file, path, label="type"
    )


def test_a_missing_array_is_refused(tmp_path):
    path = saved(tmp_path / "c.h5ad")
    with h5py.File(path, "r+") as file:
        del file["X"]["indices"]
    refused("X has no array indices", anndata_file, path, label="type")


@each_of("view", [False, True])
@each_of("part", ["X", "layers/raw", "obsm/X_pca"])
@each_of("changes", [pair[0] for pair in DAMAGE.values()], ids=DAMAGE)
def test_damaged_matrices_in_memory_are_refused(changes, part, view):
    obs = pandas.DataFrame({"type": list("abab")}, index=list("wxyz"))
    cells = anndata.AnnData(KINDS["csr"].copy(), obs=obs, layers={"raw": KINDS["csr"].copy()},
                            obsm={"X_pca": KINDS["csr"].copy()})  # fmt: skip
    group, _, name = part.partition("/")
    matrix = getattr(cells, group)[name] if name else cells.X
    for key, (position, value) in changes.items():
        getattr(matrix, key)[position] = value
    with pytest.raises(InputError, match=f"^{part} of the AnnData object: ") as caught:
        from_anndata(cells[1:] if view else cells, "type", part)
    assert "\n" not in str(caught.value)


def test_other_parts_of_an_object_in_memory():
    with pytest.raises(InputError, match=r"X is a sparse matrix of format coo; call tocsr\(\)"):
        dense(sparse.coo_matrix(DENSE), "X")
    obs = pandas.DataFrame({"type": list("abab")}, index=list("wxyz"))
    values = DENSE.copy()
    values[2, 1] = np.nan
    with pytest.raises(InputError, match="cell 'y', column 1 is nan"):
        from_anndata(anndata.AnnData(values, obs=obs), "type")
    with pytest.raises(InputError, match="holds complex128, not numbers"):
        from_anndata(anndata.AnnData(DENSE, obs=obs, obsm={"z": DENSE * 1j}), "type", "obsm/z")


def test_a_file_that_stays_on_the_disk_is_checked_too(tmp_path):
    path = saved(tmp_path / "c.h5ad")
    assert from_anndata(anndata.read_h5ad(path, backed="r"), "type")[0].tolist() == DENSE.tolist()
    saved(path, **damaged({"indices": (4, 10**6)}))
    with pytest.raises(InputError, match="column index 1000000"):
        from_anndata(anndata.read_h5ad(path, backed="r"), "type")
