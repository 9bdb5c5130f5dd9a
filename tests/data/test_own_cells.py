"""Your own h5ad files: as scanpy leaves them, and every way in which they can be wrong."""

from pathlib import Path

import anndata
import h5py
import numpy as np
import pandas
import pytest
from cases import each_of
from own_files import CODES, NAMES, TYPES, X, cut, loaded, refused, written
from scipy import sparse

from noneuclid import LiftedPCA
from noneuclid.errors import InputError
from noneuclid_compare.data.own import anndata_file
from noneuclid_compare.embed.of_dataset import embed


@pytest.fixture
def cells(tmp_path):
    """An h5ad as scanpy leaves it: sparse counts, categories, a layer, two embeddings."""
    counts = sparse.csr_matrix(np.array([[0, 2, 0], [1, 0, 0], [0, 0, 3]] * 2, dtype=np.float32))
    data = anndata.AnnData(
        counts,
        obs=pandas.DataFrame(
            {
                "type": pandas.Categorical(TYPES, categories=["T", "NK", "B", "unused"]),
                "cluster": [0, 0, 1, 1, 0, 1],
                "some": pandas.Categorical(["T", None, "B", "T", "B", None]),
                "depth": np.linspace(0.1, 0.7, 6),
                "same": ["a"] * 6,
            },
            index=[f"cell{k}" for k in range(6)],
        ),
        var=pandas.DataFrame(index=["g0", "g1", "g2"]),
        layers={"scaled": X.copy()},
        obsm={"X_pca": X[:, :2], "X_ball": 0.1 * X[:, :2]},
    )
    data.obsm["X_frame"] = pandas.DataFrame(X, index=data.obs_names, columns=list("abc"))

    def save(change=None):
        path = tmp_path / "cells.h5ad"
        if change:
            change(data)
        data.write_h5ad(path)
        return path

    return save


def test_h5ad_sparse_counts_and_categories(cells):
    data = loaded(anndata_file, cells(), label="type")
    assert (data.kind, data.class_names) == ("expression", NAMES)
    assert data.labels.tolist() == CODES
    assert data.features.dtype == np.float64
    assert data.features.tolist() == [[0, 2, 0], [1, 0, 0], [0, 0, 3]] * 2
    assert data.about["columns"] == ["g0", "g1", "g2"]
    said = "Matrices of genes: X (raw counts, read), layers/scaled (scaled)."
    assert data.about["oddities"] == [said]


@pytest.mark.parametrize(
    ("features", "expected"),
    [("layers/scaled", X), ("obsm/X_pca", X[:, :2]), ("obsm/X_frame", X)],
)
def test_h5ad_layer_and_embedding(cells, features, expected):
    data = loaded(anndata_file, cells(), label="cluster", features=features)
    np.testing.assert_array_equal(data.features, expected)
    assert data.class_names == ("0", "1")


def test_h5ad_embedding_as_points(cells):
    data = loaded(anndata_file, cells(), label="type", features="obsm/X_ball", chart="poincare")
    assert (data.kind, data.chart, data.curvature) == ("points", "poincare", 1.0)


def test_h5ad_unlabelled_cells(cells):
    path = cells()
    refused(r"row 1 \(sample 'cell1'\) has no label \(nan\), and 1 more", anndata_file, path,
            label="some")  # fmt: skip
    data = loaded(anndata_file, path, label="some", unlabeled="drop", features="layers/scaled")
    np.testing.assert_array_equal(data.features, X[[0, 2, 3, 4]])
    assert data.labels.tolist() == [1, 0, 1, 0]
    assert data.about["oddities"][1:] == ["2 rows without label were left out."]


def test_h5ad_duplicate_names_are_reported(cells):
    path = cells(lambda data: setattr(data, "obs_names", ["x", "x", "c", "d", "e", "f"]))
    found = loaded(anndata_file, path, label="type").about["oddities"]
    assert found[1:] == ["1 sample name occurs more than once: 'x'."]
    path = cells(lambda data: setattr(data, "var_names", ["g0", "g1", "g1"]))
    found = loaded(anndata_file, path, label="type").about["oddities"][2:]
    assert found == ["1 feature name occurs more than once: 'g1'."]


@each_of(
    ("settings", "message"),
    [
        ({"label": None}, "set label to a column of obs"),
        ({"label": "celltype"}, "no obs column 'celltype'; it has: type, cluster, some, depth, s"),
        ({"label": "type", "features": "layers/log"}, "no layers 'log'; it has: scaled"),
        ({"label": "type", "features": "obsm/X_umap"}, "no obsm 'X_umap'; it has: .*X_ball"),
        ({"label": "type", "features": "counts"}, "give X, raw, layers/NAME or obsm/NAME"),
        ({"label": "type", "features": "raw"}, "no raw; give as features one of: X, layers/scaled"),
        (
            {"label": "type", "max_gb": 1e-9, "features": "obsm/X_pca"},
            r"\(6, 2\) takes 0.0 GB, more",
        ),
        ({"label": "type", "n_comps": 2}, "n_comps is for counts; set counts: true"),
        (
            {"label": "type", "counts": True, "features": "obsm/X_pca"},
            "counts: true is for X, raw or",
        ),
        ({"label": "type", "counts": "yes"}, "counts = 'yes'; choose one of None, False, True"),
        ({"label": "type", "test": "depth"}, "obs column 'depth' must be true for test cells"),
        ({"label": "depth"}, "label of row 0 is 0.1, a continuous value"),
        ({"label": "same"}, r"one class only \('a'\)"),
        ({"label": "type", "chart": "disk"}, "chart 'disk'"),
        ({"label": "type", "kind": "points"}, "do not fit"),
        ({"label": "type", "normalize": True}, "need kind: composition"),
        ({"label": "type", "unlabeled": "keep"}, "unlabeled = 'keep'; choose one of error, drop"),
    ],
)
def test_h5ad_refuses(cells, settings, message):
    refused(message, anndata_file, cells(), **settings)


def test_h5ad_without_x(cells):
    path = cells(lambda data: setattr(data, "X", None))
    assert loaded(anndata_file, path, label="type").features.tolist() == X.tolist()
    message = "cells.h5ad has no X; give as features one of: layers/scaled, obsm/X_ball, .*X_pca"
    refused(message, anndata_file, path, label="type", features="X")
    path = cells(lambda data: data.layers.pop("scaled"))
    refused("has no X; give as features one of: obsm", anndata_file, path, label="type")
    path = cells(lambda data: data.layers.update(counts=X))
    refused("no layers 'log'; it has: counts", anndata_file, path, label="type",
            features="layers/log")  # fmt: skip


def test_h5ad_without_genes_or_without_cells_table(tmp_path):
    path = tmp_path / "cells.h5ad"
    obs = pandas.DataFrame({"type": TYPES}, index=list("abcdef"))
    anndata.AnnData(np.zeros((6, 0)), obs=obs).write_h5ad(path)
    refused(r"X is empty, shape \(6, 0\)", anndata_file, path, label="type")
    with h5py.File(path, "w") as file:
        file["X"] = X
    refused("cannot be read as h5ad .*obs", anndata_file, path, label="type")


def test_h5ad_nan_names_cell_and_gene(cells):
    def spoil(data):
        data.layers["scaled"][4, 1] = np.nan

    message = r"cells.h5ad: row 5 counted from 1 \(sample 'cell4'\), column 'g1' is empty or nan"
    refused(message, anndata_file, cells(spoil), label="type", features="layers/scaled")


def test_h5ad_broken(cells, tmp_path):
    refused("cannot be read as h5ad .*truncated", anndata_file, cut(cells(), 0.7), label="type")
    refused("is empty", anndata_file, written(tmp_path / "no.h5ad", ""), label="type")
    refused("does not exist", anndata_file, tmp_path / "none.h5ad", label="type")


def test_files_are_named_by_role():
    with pytest.raises(InputError, match="no file given"):
        anndata_file.load({}, 0, label="x")
    with pytest.raises(InputError, match="unknown file 'cells'; legal: data"):
        anndata_file.load({"cells": Path("x")}, 0, label="x")


def test_an_h5ad_reaches_the_embedding(cells):
    data = loaded(anndata_file, cells(), label="type", features="layers/scaled")
    assert embed(LiftedPCA, data, 0).points.shape == (6, 2)


def test_compositions_of_cells_get_the_replacement_of_their_units(cells):
    asked = {"label": "type", "kind": "composition", "normalize": True}

    def some_more(data):
        data.X = data.X.toarray() + np.array([2, 1, 0])

    with pytest.raises(InputError, match=r"boundary of the simplex; set pseudocount: 0\.5"):
        loaded(anndata_file, cells(some_more), **asked)

    def shares(data):
        data.X = data.X / data.X.sum(axis=1, keepdims=True)

    with pytest.raises(InputError, match="simplex; set multiplicative_replacement: true"):
        loaded(anndata_file, cells(shares), **asked)
    data = loaded(anndata_file, cells(), multiplicative_replacement=True, **asked)
    assert data.features.min() == pytest.approx(0.65 / 6)
    assert data.about["closed"]["units"] == ["proportions"]
