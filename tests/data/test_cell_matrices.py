"""Which matrix of an h5ad file is read, what is said of it, and files that are refused."""

import gzip
import shutil

import anndata
import h5py
import numpy as np
import pandas
import pytest
from own_files import loaded, refused
from scipy import sparse

from noneuclid.interfaces.expression import appearance
from noneuclid_compare.data.files import cell_matrices
from noneuclid_compare.data.own import anndata_file
from noneuclid_compare.jobs import file_sizes

RNG = np.random.default_rng(0)
COUNTS = RNG.poisson(2.0, (40, 70)).astype(np.float32)
LOGGED = np.log1p(COUNTS * (100 / COUNTS.sum(axis=1, keepdims=True)))
SCALED = ((LOGGED - LOGGED.mean(axis=0)) / LOGGED.std(axis=0))[:, :30]
OBS = pandas.DataFrame({"type": ["T", "B"] * 20}, index=[f"c{k}" for k in range(40)])
GENES = [f"g{k}" for k in range(70)]


def saved(path, X, raw=None, **layers):
    """A file as scanpy leaves it: `raw` has all genes, X and the layers the first of them."""
    cells = anndata.AnnData(X, OBS, pandas.DataFrame(index=GENES[: X.shape[1]]), layers=layers)
    if raw is not None:
        cells.raw = anndata.AnnData(raw, OBS, pandas.DataFrame(index=GENES[: raw.shape[1]]))
    cells.write_h5ad(path)
    return path


@pytest.fixture
def file(tmp_path):
    return saved(tmp_path / "cells.h5ad", SCALED, sparse.csr_matrix(COUNTS))


def test_scaled_values_give_way_to_the_counts_in_raw(file, tmp_path):
    data = loaded(anndata_file, file, label="type", highly_variable_genes=False, counts=None)
    counts = saved(tmp_path / "counts.h5ad", COUNTS)
    expected = loaded(anndata_file, counts, label="type", highly_variable_genes=False)
    np.testing.assert_allclose(data.features, expected.features, atol=1e-9)
    assert data.preparation["genes"] == GENES
    assert data.about["features"] == "raw"
    assert data.about["oddities"][0] == "Matrices of genes: X (scaled), raw (raw counts, read)."
    same = loaded(anndata_file, file, label="type", features="raw", highly_variable_genes=False)
    np.testing.assert_array_equal(same.features, data.features)
    assert file_sizes.acquire_mb([file], {}) == file_sizes.DEFAULT_MB


def test_a_named_matrix_is_read_as_it_is(file):
    data = loaded(anndata_file, file, label="type", features="X")
    np.testing.assert_array_equal(data.features, SCALED.astype(float))
    assert data.about["oddities"] == ["Matrices of genes: X (scaled, read), raw (raw counts)."]
    raw = loaded(anndata_file, file, label="type", features="raw", counts=False)
    np.testing.assert_array_equal(raw.features, COUNTS)
    assert raw.about["columns"] == GENES


@pytest.mark.parametrize(
    ("parts", "chosen"),
    [
        ({"X": LOGGED, "raw": COUNTS}, "X"),
        ({"X": SCALED, "raw": LOGGED, "counts": COUNTS[:, :30]}, "raw"),
        ({"X": SCALED, "counts": COUNTS[:, :30]}, "layers/counts"),
        ({"X": SCALED, "raw": SCALED}, "X"),
        ({"X": SCALED, "raw": COUNTS[:, :0]}, "X"),
    ],
)
def test_the_first_matrix_that_is_not_scaled_is_read(tmp_path, parts, chosen):
    path = saved(tmp_path / "cells.h5ad", **parts)
    assert loaded(anndata_file, path, label="type").about["features"] == chosen


def test_a_zipped_file_is_read(file):
    zipped = file.with_name("cells.h5ad.gz")
    with open(file, "rb") as source, gzip.open(zipped, "wb") as target:
        shutil.copyfileobj(source, target)
    expected = loaded(anndata_file, file, label="type", n_top_genes=40)
    found = loaded(anndata_file, zipped, label="type", n_top_genes=40)
    np.testing.assert_array_equal(found.features, expected.features)
    assert file_sizes.acquire_mb([zipped], {}) == file_sizes.DEFAULT_MB
    zipped.write_bytes(zipped.read_bytes()[:900])
    refused("cannot be read as h5ad", anndata_file, zipped, label="type")


def test_without_components_features_are_logarithms_of_genes(file):
    settings = {"label": "type", "target_sum": 1e4, "pca": False}
    data = loaded(anndata_file, file, highly_variable_genes=False, **settings)
    expected = np.log1p(COUNTS * (1e4 / COUNTS.sum(axis=1, dtype=float, keepdims=True)))
    np.testing.assert_allclose(data.features, expected, rtol=1e-12)
    assert data.about["columns"] == GENES
    few = loaded(anndata_file, file, n_top_genes=10, **settings)
    chosen = [GENES.index(name) for name in few.about["columns"]]
    np.testing.assert_allclose(few.features, expected[:, chosen], rtol=1e-12)
    refused("70 genes take 0.0 GB without components, more than max_gb = 1e-06; choose fewer",
            anndata_file, file, highly_variable_genes=False, max_gb=1e-6, counts=True,
            **settings)  # fmt: skip


def test_damaged_raw_values_are_named(file, tmp_path):
    empty = saved(tmp_path / "empty.h5ad", SCALED, COUNTS[:, :0])
    refused(r"raw is empty, shape \(40, 0\)", anndata_file, empty, label="type", features="raw")
    spoilt = COUNTS.copy()
    spoilt[3, 5] = np.nan
    path = saved(tmp_path / "nan.h5ad", SCALED, spoilt)
    refused("raw: cell 4 counted from 1, gene 'g5' is nan, not a count", anndata_file, path,
            label="type", counts=True)  # fmt: skip
    with h5py.File(file, "r+") as content:
        del content["raw/var"]
    refused("cannot be read as h5ad .*var", anndata_file, file, label="type")
    with h5py.File(file, "r+") as content:
        del content["raw/X"]
    message = "has no raw; give as features one of: X"
    refused(message, anndata_file, file, label="type", features="raw")
    assert cell_matrices.choose(cell_matrices.matrices(file)) == "X"


def test_looks_do_not_depend_on_the_format():
    for form in (np.asarray, sparse.csr_matrix, sparse.csc_array):
        assert appearance(form(COUNTS)) == "raw counts"
        assert appearance(form(LOGGED)) == "log-normalised"
        assert appearance(form(SCALED)) == "scaled"
        assert appearance(form(np.expm1(LOGGED * 3))) == "normalised, no logarithm"
    spoilt = np.where(COUNTS > 3, np.nan, COUNTS)
    assert appearance(spoilt) == "raw counts"


class Rows:
    """A dense matrix of a file that counts what is read of it."""

    dtype = np.dtype(np.float32)

    def __init__(self, n, p):
        self.shape, self.rows = (n, p), []

    def __len__(self):
        return self.shape[0]

    def __getitem__(self, chosen):
        rows = range(self.shape[0])[chosen]
        self.rows += rows
        return np.full((len(rows), self.shape[1]), 0.5, dtype=np.float32)


def test_what_is_looked_at_is_spread_over_the_rows(tmp_path):
    wide = RNG.poisson(0.2, (300, 3000)).astype(np.float32)
    wide[200:] *= 0.7
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file["dense"], part = wide, sparse.csr_matrix(wide)
        for name in ("data", "indices", "indptr"):
            file[f"sparse/{name}"] = getattr(part, name)
        for matrix in (wide, part, file["dense"], file["sparse"]):
            assert appearance(matrix) == "log-normalised"
    for n, p, most in ((10**6, 30, 10**5), (10**6, 40_000, 4e6), (9, 5000, 45_000)):
        matrix = Rows(n, p)
        assert appearance(matrix) == "log-normalised"
        assert (matrix.rows[0], matrix.rows[-1]) == (0, n - 1)
        assert len(matrix.rows) == len({*matrix.rows})
        assert len(matrix.rows) * p <= most
