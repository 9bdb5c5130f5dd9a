"""The atlas of cells: its law, its tree, and the file that is written in parts."""

import anndata
import h5py
import numpy as np
import pytest
from scipy import sparse

from noneuclid.errors import InputError
from noneuclid_compare.data.generators import cell_atlas

SMALL = {"n_cells": 300, "n_genes": 80, "n_classes": 9}


def drawn(atlas, seed=0, dropout=0.0, dispersion=0.5):
    found = [rows for _, rows in cell_atlas.counts_of(atlas, seed, dropout, dispersion)]
    return sparse.vstack(found, format="csr")


def test_counts_depend_on_the_seed_alone(monkeypatch):
    atlas = cell_atlas.draw(3, **SMALL)
    whole = drawn(atlas, 3)
    monkeypatch.setattr(cell_atlas, "PART", 37)
    in_parts = drawn(atlas, 3)
    assert (whole != in_parts).nnz == 0
    assert (whole != drawn(atlas, 4)).nnz > 0
    fewer = cell_atlas.draw(3, **(SMALL | {"n_cells": 120}))
    assert (whole[:120] != drawn(fewer, 3)).nnz == 0
    assert whole.has_sorted_indices
    assert whole.data.min() >= 1


@pytest.mark.parametrize("dropout", [0.0, 0.4])
def test_counts_have_the_negative_binomial_mean_and_variance(dropout):
    n, mean = 40_000, np.array([0.05, 0.5, 3.0, 20.0])
    rates = np.tile(mean / mean.sum(), (2, 1))
    ones = np.ones(n)
    atlas = cell_atlas.Atlas(
        rates, np.array([-1, 0]), ["root", "1"], np.array([1]), np.zeros(n, int), ones,
        mean.sum() * ones, np.zeros(n, int), np.ones((1, 4)),
    )  # fmt: skip
    counts = drawn(atlas, 1, dropout, 0.5).toarray()
    kept = 1 - dropout * np.exp(-mean)
    variance = mean + 0.5 * mean**2
    expected = kept * mean
    of_counts = kept * (variance + mean**2) - expected**2
    assert np.abs(counts.mean(axis=0) - expected).max() < 5 * np.sqrt(of_counts.max() / n)
    np.testing.assert_allclose(counts.var(axis=0), of_counts, rtol=0.08)
    # A count of zero: (1 + dispersion m)^(-1 / dispersion), and those that dropped out.
    zero = (1 + 0.5 * mean) ** -2
    np.testing.assert_allclose((counts == 0).mean(axis=0), 1 - kept * (1 - zero), atol=0.012)


@pytest.mark.parametrize("classes", [2, 5, 40, 61])
def test_the_tree_has_three_levels(classes):
    parents, names, levels = cell_atlas.tree(classes)
    assert (levels == 3).sum() == classes
    assert len(set(names)) == len(names)
    assert (levels[parents[1:]] == levels[1:] - 1).all()
    assert all(names[p] in ("root", name.rpartition(".")[0]) for p, name in zip(parents[1:], names[1:], strict=True))  # noqa: E501  # fmt: skip
    # No inner node without a child.
    assert set(parents[1:]) == set(np.flatnonzero(levels < 3))


def test_a_data_set_of_components_with_its_tree():
    data = cell_atlas.load({}, 0, **SMALL, n_top_genes=40, n_comps=6)
    assert data.features.shape == (300, 6)
    assert len(data.class_names) == 9
    assert set(data.class_names) < set(data.about["class_tree"])
    assert np.bincount(data.labels).min() >= 1
    assert "40 of 80 genes; pca: 6 components" in data.about["oddities"][-1]
    assert data.preparation["genes"][79] == "gene 80"


def test_the_file_holds_the_same_cells(tmp_path, monkeypatch):
    monkeypatch.setattr(cell_atlas, "PART", 64)
    path = tmp_path / "atlas.h5ad"
    cell_atlas.write(path, 0, **SMALL)
    cells = anndata.read_h5ad(path)
    atlas = cell_atlas.draw(0, **SMALL)
    assert (sparse.csr_array(cells.X) != drawn(atlas, 0, 0.3)).nnz == 0
    assert cells.obs["subtype"].tolist() == [atlas.names[atlas.nodes[k]] for k in atlas.codes]
    lineages = cells.obs["subtype"].astype(str).str.split(".").str[0]
    assert cells.obs["lineage"].tolist() == lineages.tolist()
    assert 10 < cells.obs["test"].sum() < 60
    assert sorted(cells.obs["batch"].unique()) == [f"batch {k}" for k in range(1, 5)]
    with h5py.File(path) as file:
        assert file["X/indices"].dtype == np.int32
        assert file["X/data"].dtype == np.float32


def test_imbalance_and_batches():
    sizes = [
        np.bincount(cell_atlas.draw(0, n_cells=5000, imbalance=spread).codes, minlength=40)
        for spread in (0.0, 1.5)
    ]
    assert sizes[0].max() < 2 * sizes[0].min()
    assert sizes[1].max() > 50 * sizes[1].min()
    effects = cell_atlas.draw(0, n_batches=2, batch_effect=0.5).effects
    assert effects.shape == (2, 2000)
    assert abs(np.log(effects).std() - 0.5) < 0.03


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_cells": 5}, "n_cells = 5; give an integer >= 10"),
        ({"n_classes": 1}, "n_classes = 1"),
        ({"dropout": 1.5}, "dropout = 1.5"),
        ({"dispersion": 0.0}, "dispersion = 0.0"),
    ],
)
def test_settings_out_of_range_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        cell_atlas.load({}, 0, **(SMALL | settings))
