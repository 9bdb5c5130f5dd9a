"""Raw counts to components: as scanpy, whatever the file, and new cells as training cells."""

import re

import anndata
import h5py
import numpy as np
import pandas
import pytest
from cases import each_of
from own_files import loaded, refused
from paper_mirror import MIRROR, needs_mirror
from scipy import sparse

from noneuclid_compare.data.generators import cell_atlas
from noneuclid_compare.data.own import anndata_file
from noneuclid_compare.data.prepare import of_file, parts, preparation

N, GENES = 240, 120
ATLAS = cell_atlas.draw(
    0, n_cells=N, n_genes=GENES, n_classes=6, n_batches=3, counts_per_cell=900.0
)
COUNTS = sparse.csr_array(
    sparse.vstack([rows for _, rows in cell_atlas.counts_of(ATLAS, 0, 0.3, 0.5)], format="csr")
)
TYPES = np.array(cell_atlas.class_names(ATLAS))[ATLAS.codes]
TEST = np.arange(N) % 5 == 0
BATCHES = np.array(["x", "y", "z"])[ATLAS.batches]
NAMES = [f"g{k}" for k in range(GENES)]


def saved(path, values=COUNTS, names=NAMES, rows=slice(None), **layers):
    """An h5ad of the cells."""
    obs = {"type": TYPES[rows], "test": TEST[rows], "batch": BATCHES[rows]}
    obs = pandas.DataFrame(obs, index=[f"c{k}" for k in np.arange(N)[rows]])
    values = values if isinstance(values, np.ndarray) else sparse.csr_matrix(values)
    var = pandas.DataFrame(index=list(names))
    anndata.AnnData(values, obs=obs, var=var, layers=layers).write_h5ad(path)
    return path


@pytest.fixture
def file(tmp_path):
    return saved(tmp_path / "cells.h5ad")


def fit(values=COUNTS, used=None, batches=None, **settings):
    """Preparation and components of a matrix in memory."""
    used = np.full(values.shape[0], True) if used is None else used
    found = preparation.fit(parts.of_matrix(values), used, lambda *_: None, batches, **settings)
    return found[:2]


def by_scanpy(values=COUNTS, **given):
    """Chosen genes and components of scanpy; settings by the function that takes them."""
    scanpy = pytest.importorskip("scanpy")
    # Dense, for which nothing has to be compiled.
    cells = anndata.AnnData(values.toarray().astype(np.float64))
    cells.obs["batch"] = pandas.Categorical(BATCHES)
    scanpy.pp.normalize_total(cells, **given.get("normalize_total", {}))
    scanpy.pp.log1p(cells, base=given.get("base"))
    scanpy.pp.highly_variable_genes(cells, **given.get("genes", {}))
    scanpy.pp.pca(cells, dtype="float64", **given.get("pca", {}))
    return np.flatnonzero(cells.var["highly_variable"]), cells.obsm["X_pca"]


def same_up_to_signs(found, expected, atol):
    signs = np.sign((found * expected).sum(axis=0))
    np.testing.assert_allclose(found, expected * signs, rtol=0, atol=atol)


CASES = {
    "defaults": ({}, {}),
    "numbers": (
        {"target_sum": 1e4, "n_top_genes": 40, "n_comps": 7},
        {
            "normalize_total": {"target_sum": 1e4},
            "genes": {"n_top_genes": 40},
            "pca": {"n_comps": 7},
        },
    ),
    "highly expressed": (
        {"exclude_highly_expressed": True, "max_fraction": 0.1, "n_top_genes": 30},
        {
            "normalize_total": {"exclude_highly_expressed": True, "max_fraction": 0.1},
            "genes": {"n_top_genes": 30},
        },
    ),
    "cell ranger": (
        {"flavor": "cell_ranger", "n_top_genes": 50},
        {"genes": {"flavor": "cell_ranger", "n_top_genes": 50}},
    ),
    "base": ({"base": 2.0, "n_bins": 10}, {"base": 2.0, "genes": {"n_bins": 10}}),
    "cut-offs": (
        {"min_disp": 0.1, "max_disp": 2.0, "min_mean": 0.5, "max_mean": 4.0},
        {"genes": {"min_disp": 0.1, "max_disp": 2.0, "min_mean": 0.5, "max_mean": 4.0}},
    ),
    "batches": ({"batches": ATLAS.batches}, {"genes": {"batch_key": "batch"}}),
    "batches, number": (
        {"batches": ATLAS.batches, "n_top_genes": 40},
        {"genes": {"batch_key": "batch", "n_top_genes": 40}},
    ),
}


@pytest.mark.filterwarnings("ignore")
@each_of(("ours", "theirs"), CASES.values(), ids=CASES)
def test_components_are_those_of_scanpy(ours, theirs):
    genes, expected = by_scanpy(**theirs)
    fitted, found = fit(**ours)
    assert fitted.variable.tolist() == genes.tolist()
    assert found.shape == expected.shape
    same_up_to_signs(found, expected, 1e-8)


def test_sparse_dense_int64_and_parts_of_any_size_agree(file, tmp_path, monkeypatch):
    settings = {"label": "type", "n_top_genes": 60}
    expected = loaded(anndata_file, file, **settings).features
    monkeypatch.setattr(parts, "VALUES", 1000)
    monkeypatch.setattr(preparation, "BLOCK", 700)
    np.testing.assert_allclose(loaded(anndata_file, file, **settings).features, expected, atol=1e-9)
    wide, dense, columns = (tmp_path / f"{name}.h5ad" for name in ("wide", "dense", "columns"))
    saved(wide)
    with h5py.File(wide, "r+") as content:
        for name in ("indices", "indptr"):
            values = content["X"][name][()]
            del content["X"][name]
            content["X"][name] = values.astype(np.int64 if name == "indices" else np.int32)
    saved(dense, COUNTS.toarray())
    saved(columns)
    with h5py.File(columns, "r+") as content:
        by_column = COUNTS.tocsc()
        for name in ("data", "indices", "indptr"):
            del content["X"][name]
            content["X"][name] = getattr(by_column, name)
        content["X"].attrs["encoding-type"] = "csc_matrix"
    for path in (wide, dense, columns):
        found = loaded(anndata_file, path, **settings).features
        np.testing.assert_allclose(found, expected, atol=1e-9, err_msg=path.name)


def test_the_order_of_cells_does_not_matter():
    order = np.random.default_rng(0).permutation(N)
    np.testing.assert_allclose(fit(COUNTS[order])[1], fit()[1][order], atol=1e-9)


def test_test_cells_are_placed_but_not_fitted(file, tmp_path):
    data = loaded(anndata_file, file, label="type", test="test")
    assert data.fixed_fold.tolist() == TEST.astype(int).tolist()
    alone = fit(COUNTS[~TEST])
    np.testing.assert_allclose(data.features[~TEST], alone[1], atol=1e-9)
    np.testing.assert_allclose(data.features[TEST], alone[0].place(COUNTS[TEST]), atol=1e-9)
    assert f"Prepared as in scanpy on {np.sum(~TEST)} of {N} cells" in data.about["oddities"][-1]
    refused("obs column 'type' must be true for test cells", anndata_file, file, label="type",
            test="type")  # fmt: skip


def test_cells_without_label_are_not_fitted(file):
    with h5py.File(file, "r+") as content:
        codes = content["obs/type/codes"]
        codes[:40] = -1
    data = loaded(anndata_file, file, label="type", unlabeled="drop")
    np.testing.assert_allclose(data.features, fit(COUNTS[40:])[1], atol=1e-9)


def test_counts_are_found_by_looking_and_said(file):
    data = loaded(anndata_file, file, label="type")
    read, first, second = data.about["oddities"]
    assert read == "Matrices of genes: X (raw counts, read)."
    assert first == "X holds raw counts (counts: false takes them unchanged)."
    assert second.startswith(f"Prepared as in scanpy on all {N} cells, without labels: normalize_")
    assert "log1p; highly_variable_genes (seurat): " in second
    raw = loaded(anndata_file, file, label="type", counts=False)
    assert raw.preparation is None
    assert raw.features.tolist() == COUNTS.toarray().tolist()


def test_a_large_matrix_that_is_not_counts_becomes_components(tmp_path):
    values = COUNTS.astype(np.float64)
    values.data = np.log1p(values.data)
    path = saved(tmp_path / "logged.h5ad", values)
    assert loaded(anndata_file, path, label="type").features.shape == (N, GENES)
    settings = {"label": "type", "max_gb": 1e-6, "highly_variable_genes": False, "n_comps": 5}
    data = loaded(anndata_file, path, **settings)
    dense = values.toarray()
    left, sizes, _ = np.linalg.svd(dense - dense.mean(axis=0), full_matrices=False)
    same_up_to_signs(data.features, left[:, :5] * sizes[:5], 1e-9)
    assert "takes 0.0 GB if it is dense, more than max_gb" in data.about["oddities"][1]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (-0.5, r"X: cell 8 counted from 1, gene 'g3' is -0.5, not a count; give the matrix of raw"),
        (-1.0, r"gene 'g3' is -1, not a count"),
        (np.nan, r"gene 'g3' is nan, not a count"),
    ],
)
def test_values_that_are_not_counts_are_refused(tmp_path, monkeypatch, value, message):
    monkeypatch.setattr(parts, "VALUES", 300)
    values = COUNTS.tolil()
    values[7, 3] = value
    path = saved(tmp_path / "cells.h5ad", values.tocsr())
    refused(message, anndata_file, path, label="type", counts=True)


def test_expected_counts_are_reported(tmp_path):
    values = COUNTS.tolil()
    values[7, 3] = 0.5
    path = saved(tmp_path / "cells.h5ad", values.tocsr())
    data = loaded(anndata_file, path, label="type", counts=True, n_top_genes=50)
    assert re.match(
        r"1 of \d+ counts are not whole numbers; if X holds", data.about["oddities"][-1]
    )
    record = {key: value for key, value in data.preparation.items() if key != "genes"}
    assert not record["whole"]
    assert len(of_file.place_new(path, None, "X", NAMES, record).features) == N
    with pytest.raises(ValueError, match=r"cell 8 counted from 1, gene 'g3' is 0.5, not a count"):
        of_file.place_new(path, None, "X", NAMES, record | {"whole": True})


@each_of(
    ("settings", "message"),
    [
        ({"n_comps": 500}, "n_comps = 500, but 240 training cells and 30 genes give at most 29"),
        ({"flavor": "seurat_v3"}, "flavor = 'seurat_v3'; choose one of seurat, cell_ranger"),
        ({"n_bins": 1}, "n_bins = 1; give an integer >= 2"),
        ({"target_sum": 0}, "target_sum = 0"),
        ({"batch_key": "donor"}, "no obs column 'donor'"),
        ({"log1p": False, "target_sum": 1e6}, "too large for logarithms, which flavor: seurat"),
        ({"n_top_genes": None, "min_mean": 90, "max_mean": 99}, "0 of 120 genes are highly var"),
    ],
)
def test_settings_are_checked(file, settings, message):
    settings = {"counts": True, "n_top_genes": 30} | settings
    refused(message, anndata_file, file, label="type", **settings)


def test_an_index_out_of_range_names_the_row_of_the_file(file, monkeypatch):
    monkeypatch.setattr(parts, "VALUES", 300)
    with h5py.File(file, "r+") as content:
        content["X/indices"][int(content["X/indptr"][101]) - 1] = GENES
    refused(f"row 100 holds column index {GENES}", anndata_file, file, label="type", counts=True)


@pytest.fixture
def trained(file):
    """Record of the preparation, without its genes, and the components of the cells."""
    data = loaded(anndata_file, file, label="type", n_top_genes=50)
    record = dict(data.preparation)
    return record.pop("genes"), record, data.features


def test_new_cells_are_placed_as_training_cells(trained, tmp_path):
    genes, record, expected = trained
    assert genes == NAMES
    order = np.random.default_rng(1).permutation(GENES)
    more = sparse.hstack([COUNTS[:, order], np.full((N, 2), 9.0)], format="csr")[30:50]
    names = [*(NAMES[k] for k in order), "new1", "new2"]
    path = saved(tmp_path / "new.h5ad", more, names, rows=slice(30, 50))
    rows = of_file.place_new(path, None, "X", genes, record)
    np.testing.assert_array_equal(rows.features, expected[30:50])
    assert rows.names == [f"c{k}" for k in range(30, 50)]
    assert rows.oddities == ["2 genes were not in training and not used: new1, new2."]


@pytest.mark.parametrize("settings", [{}, {"pca": False}, {"zero_center": False}])
def test_missing_genes_are_an_error_or_have_their_means(tmp_path, file, settings):
    data = loaded(anndata_file, file, label="type", n_top_genes=60, **settings)
    record = dict(data.preparation)
    genes = record.pop("genes")
    fitted = preparation.Preparation(**record)
    gone = [int(fitted.variable[0]), int(fitted.variable[7])]
    kept = np.setdiff1d(np.arange(GENES), gone)
    path = saved(tmp_path / "new.h5ad", COUNTS[:, kept], [NAMES[k] for k in kept])
    message = f"2 of the 120 genes of training are missing .g{gone[0]}, g{gone[1]}.; 2 of the 60 v"
    with pytest.raises(ValueError, match=message + ".*expression; .* by missing='mean'"):
        of_file.place_new(path, None, "X", genes, record)
    rows = of_file.place_new(path, None, "X", genes, record, "mean")
    whole, without = COUNTS.toarray(), COUNTS.toarray()
    without[:, gone] = 0
    whole, without = (
        np.log1p(counts * (fitted.target_sum / counts.sum(axis=1, keepdims=True)))
        for counts in (whole, without)
    )
    means = whole.mean(axis=0)
    without[:, gone] = means[gone]
    expected = without[:, fitted.variable]
    if fitted.loadings is not None:
        centre = 0.0 if settings else means[fitted.variable]
        expected = (expected - centre) @ fitted.loadings
    np.testing.assert_allclose(rows.features, expected, atol=1e-5)
    share = means[gone].sum() / means[fitted.variable].sum()
    assert f"{share:.1%} of their expression: they have their means" in rows.oddities[0]


def test_too_many_missing_genes_and_other_names_are_refused(trained, tmp_path):
    genes, record, _ = trained
    path = saved(tmp_path / "half.h5ad", COUNTS[:, ::2], NAMES[::2])
    with pytest.raises(ValueError, match="more than 20%; train a model on the genes in common"):
        of_file.place_new(path, None, "X", genes, record, "mean")
    other = saved(tmp_path / "other.h5ad", COUNTS, [f"ENSG{k}" for k in range(GENES)])
    with pytest.raises(ValueError, match="none of the genes of training: it has ENSG0, ENSG1 and"):
        of_file.place_new(other, None, "X", genes, record, "mean")
    twice = saved(tmp_path / "twice.h5ad", COUNTS, ["g1", *NAMES[1:]])
    with pytest.raises(ValueError, match="two genes have the name 'g1'"):
        of_file.place_new(twice, None, "X", genes, record, "mean")


def test_counts_of_new_cells_are_found(trained, tmp_path):
    genes, record, expected = trained
    logged = COUNTS.astype(float)
    logged.data = np.log1p(logged.data)
    path = saved(tmp_path / "new.h5ad", logged, counts=sparse.csr_matrix(COUNTS))
    rows = of_file.place_new(path, None, "X", genes, record)
    np.testing.assert_array_equal(rows.features, expected)
    assert rows.oddities == ["layers/counts is read, which holds raw counts."]
    with pytest.raises(ValueError, match=r"X: cell 1 .* not a count; give the matrix of raw"):
        of_file.place_new(path, "X", "X", genes, record)


@pytest.mark.slow  # scanpy compiles for a minute
def test_neighbours_make_a_graph_as_in_scanpy(file):
    scanpy = pytest.importorskip("scanpy")
    settings = {"label": "type", "n_top_genes": 50, "n_comps": 10}
    rows = loaded(anndata_file, file, **settings)
    data = loaded(anndata_file, file, **settings, neighbors=True, n_neighbors=6)
    assert (data.kind, data.features, data.preparation) == ("graph", None, None)
    assert data.labels.tolist() == rows.labels.tolist()
    cells = anndata.AnnData(rows.features)
    scanpy.pp.neighbors(cells, n_neighbors=6, use_rep="X")
    joined = sparse.coo_array(sparse.triu(cells.obsp["connectivities"], 1))
    assert {*map(tuple, data.edges.tolist())} == {
        *zip(*map(np.ndarray.tolist, joined.coords), strict=True)
    }
    assert f"neighbors: {joined.nnz} edges" in data.about["oddities"][-1]
    refused("n_neighbors = 1", anndata_file, file, **settings, neighbors=True, n_neighbors=1)


@needs_mirror
@pytest.mark.parametrize(
    ("name", "label"),
    [("Olsson", "labels"), ("Moignard2015", "labels"), ("ToggleSwitch", "labels")],
)
def test_the_expression_data_of_the_papers_are_no_counts(tmp_path, name, label):
    table = pandas.read_csv(MIRROR / f"PoincareMaps/datasets/{name}.csv")
    obs = pandas.DataFrame({"type": table.pop(label).astype(str).to_numpy()})
    obs.index = [f"c{k}" for k in range(len(obs))]
    path = tmp_path / "cells.h5ad"
    anndata.AnnData(
        table.to_numpy(), obs=obs, var=pandas.DataFrame(index=table.columns)
    ).write_h5ad(path)
    refused(r"cell \d+ counted from 1, gene '.+' is -\d+\S*, not a count", anndata_file, path,
            label="type", counts=True)  # fmt: skip
    # Without the setting they are read as before.
    assert loaded(anndata_file, path, label="type").features.shape == table.shape
