"""Rules that place new rows of features in an embedding before they are labelled."""

import json
from dataclasses import asdict, replace

import anndata
import numpy as np
import pandas
import pytest
from predicted_points import LABELS, NEW, POINTS, kept_model, refused
from scipy import sparse
from sklearn.decomposition import PCA

from noneuclid import (
    Hydra,
    LiftedPCA,
    LogRatio,
    PoincareMap,
    PoincareSVC,
    RefinedHydra,
)
from noneuclid.embeddings import maps
from noneuclid.errors import InputError
from noneuclid.geometry import charts
from noneuclid_compare import io
from noneuclid_compare.data.composition import close_composition
from noneuclid_compare.embed.of_dataset import embed
from noneuclid_compare.models.kept_model import load_model
from noneuclid_compare.records import Dataset

RNG = np.random.default_rng(1)


def features_and_labels(n=60, p=7):
    """Features with a mean, unequal scales and a constant column."""
    scale = np.array([5.0, 3, 2, 1, 1, 0.5, 0])
    return 4 + RNG.normal(size=(n, p)) * scale, np.arange(n) % 2


def embedded_by_pca(**settings):
    features, labels = features_and_labels()
    about = {"columns": [f"g{k}" for k in range(7)]}
    data = Dataset("d", "expression", labels, ("left", "right"), features=features, about=about)
    return data, embed(LiftedPCA, data, 0, **({"n_components": 3} | settings))


@pytest.mark.parametrize("standardize", [False, True])
def test_linear_map_agrees_with_the_embedding_and_with_pca(standardize):
    data, embedded = embedded_by_pca(standardize=standardize)
    fitted = maps.linear(data.features, embedded.points, standardize)
    np.testing.assert_allclose(fitted.place(data.features), embedded.points, atol=1e-12)
    deviation = np.where(data.features.std(axis=0) > 0, data.features.std(axis=0), 1)
    if not standardize:
        deviation = 1.0
    new, _ = features_and_labels(5)
    pca = PCA(3, svd_solver="full").fit(data.features / deviation)
    scores = pca.transform(new / deviation)
    found = fitted.place(new)
    scale = np.abs(embedded.points[0] / pca.transform(data.features[:1] / deviation)[0])
    np.testing.assert_allclose(np.abs(found), np.abs(scores) * scale, rtol=1e-9)


def test_linear_map_of_a_component_without_variance_is_zero():
    features = np.outer(np.arange(6.0), [1.0, 2.0])
    points = np.column_stack([np.arange(6) - 2.5, np.zeros(6)])
    fitted = maps.linear(features, points)
    np.testing.assert_allclose(fitted.place(features), points, atol=1e-12)


def with_columns(data, embedded):
    """The rule of an embedding, as the stage embed keeps it."""
    return replace(embedded.rule, columns=data.about["columns"])


def test_a_rule_is_kept_as_a_record(tmp_path):
    data, embedded = embedded_by_pca()
    fitted = with_columns(data, embedded)
    io.write_record(tmp_path / "map.npz", fitted)
    again = io.read_record(tmp_path / "map.npz", maps.restore)
    assert (type(again), again.columns) == (maps.Linear, fitted.columns)
    np.testing.assert_array_equal(again.axes, fitted.axes)
    io.write_record(tmp_path / "map.npz", maps.Map(why="no"))
    assert io.read_record(tmp_path / "map.npz", maps.restore) == maps.Map(why="no")
    json.dumps(asdict(maps.Map()))
    assert maps.restore() == maps.Map(why=maps.EARLIER)


def test_maps_of_earlier_versions_are_read():
    old = {"chart": "tangent", "curvature": 1.0, "columns": None, "mean": None, "axes": None}
    assert maps.restore(kind="none", **old).why == maps.EARLIER
    assert maps.restore(kind="given", **old) == maps.Given(chart="tangent")
    old |= {"mean": np.zeros(2), "axes": np.eye(2)}
    np.testing.assert_array_equal(maps.restore(kind="linear", **old).place(NEW), NEW)
    with pytest.raises(InputError, match="unknown kind of map 'spline'; known: none, given"):
        maps.restore(kind="spline")


@pytest.fixture(params=["hydra", "refined_hydra", "poincare_maps"])
def row_model(request, tmp_path):
    """A model on an embedding of 60 rows of a table, the rule with it."""
    cls = {"hydra": Hydra, "refined_hydra": RefinedHydra, "poincare_maps": PoincareMap}
    X = np.random.default_rng(2).normal(size=(60, 4)) * [1, 10, 1, 1]
    X[:30, 0] += 8
    about = {"columns": list("wxyz")}
    data = Dataset("d", "features", LABELS == "right", ("left", "right"), X, about=about)
    embedded = embed(cls[request.param], data, 0, n_neighbors=5)
    more = {"map": asdict(with_columns(data, embedded)), "names": ["d", request.param, "svm"]}
    estimator = PoincareSVC(chart="hyperboloid", random_state=0)
    path = kept_model(
        tmp_path / "m.skops", embedded.points, "hyperboloid", estimator=estimator, **more
    )
    return path, X, embedded


def test_features_of_a_table_are_labelled_on_embeddings_with_a_rule(predict, row_model, tmp_path):
    path, X, embedded = row_model
    fitted = io.read_model(path)["estimator"].predict(embedded.points)
    table = pandas.DataFrame(X, columns=list("wxyz"))[list("zyxw")]
    table.to_csv(tmp_path / "new.csv", index=False)
    found, said = predict(data=tmp_path / "new.csv", model=path)
    assert np.mean(found["predicted"] == fitted) > 0.9
    if embedded.about["embedding"]["name"] == "hydra":
        assert found["predicted"].tolist() == fitted.tolist()
        np.testing.assert_allclose(found["distance"], 0, atol=1e-6)
        assert said.startswith("predicted: ")
    # Order and company of the rows change nothing.
    table[::-3].to_csv(tmp_path / "some.csv", index=False)
    some, _ = predict(data=tmp_path / "some.csv", model=path)
    expected = found[::-3].drop(columns="sample").reset_index(drop=True)
    pandas.testing.assert_frame_equal(some.drop(columns="sample"), expected, rtol=1e-9)
    table.drop(columns="w").to_csv(tmp_path / "less.csv", index=False)
    refused("no column 'w'", predict, data=tmp_path / "less.csv", model=path)


@pytest.mark.parametrize("row_model", ["hydra"], indirect=True)
def test_a_row_that_cannot_be_placed_leaves_the_others(predict, row_model, tmp_path):
    path, X, _ = row_model
    new = X[[0, 1, 40]] + [[0], [1e6], [0]]
    pandas.DataFrame(new, columns=list("wxyz")).to_csv(tmp_path / "far.csv", index=False)
    found, said = predict(data=tmp_path / "far.csv", model=path)
    near = tmp_path / "near.csv"
    pandas.DataFrame(new[::2], columns=list("wxyz")).to_csv(near, index=False)
    expected, _ = predict(data=near, model=path)
    assert found["sample"].tolist() == [0, 2]
    assert found["predicted"].tolist() == expected["predicted"].tolist()
    assert "No prediction for 1 sample too far from the training data to be placed: 1." in said
    pandas.DataFrame(new[1:2], columns=list("wxyz")).to_csv(near, index=False)
    refused("row 0 lies .* hyperbolic units from every row", predict, data=near, model=path)


def test_a_model_without_a_rule_says_why(predict, tmp_path):
    features = np.ones((3, 4))
    earlier = r"4 columns, but points .* \(the model keeps no rule .* run it again\)"
    refused(earlier, predict, data=features)
    (tmp_path / "g.edges").write_text("a b\n")
    refused(
        "g.edges is a network, but .* was not trained on one", predict, data=tmp_path / "g.edges"
    )


def test_parts_are_closed_as_in_training(predict, tmp_path):
    counts = np.random.default_rng(0).poisson(3, size=(60, 3)).astype(float)
    counts[:30, 0] += 9
    parts, _, rule = close_composition(counts, True, 0.5)
    data = Dataset("d", "composition", LABELS == "right", ("left", "right"), parts)
    embedded = embed(LogRatio, data, 0)
    more = {"map": asdict(embedded.rule), "closed": rule}
    path = kept_model(tmp_path / "m.skops", embedded.points, "tangent", **more)
    found, said = predict(data=counts, model=path)
    np.testing.assert_allclose(found["distance"], 0, atol=1e-9)
    assert "note: 0.5 was added to every part" in said
    message = "the rows are proportions, and those of training were counts; give parts of the same"
    refused(message, predict, data=counts / counts.sum(axis=1, keepdims=True), model=path)
    wrong = np.array([[1.0, -1.0, 2.0]])
    refused("row 0, column 1: -1 is negative; give parts of", predict, data=wrong, model=path)


@pytest.fixture(scope="module")
def pca_model(tmp_path_factory):
    data, embedded = embedded_by_pca()
    path = tmp_path_factory.mktemp("pca") / "model.skops"
    estimator = PoincareSVC(chart="tangent", random_state=0)
    more = {"map": asdict(with_columns(data, embedded)), "names": ["d", "lifted_pca", "svm"]}
    kept_model(path, embedded.points, "tangent", estimator=estimator, **more)
    X = charts.convert(embedded.points, "tangent", "poincare")
    return path, data, estimator.predict(charts.convert(X, "poincare", "tangent"))


def test_raw_features_go_through_the_map(predict, pca_model):
    path, data, expected = pca_model
    table, said = predict(data=data.features, model=path)
    assert table["predicted"].tolist() == expected.tolist()
    assert not table["far"].any()
    np.testing.assert_allclose(table["distance"], 0, atol=1e-9)
    assert said.startswith("predicted: ")
    refused("6 features, but the embedding was made from 7", predict, data=data.features[:, 1:],
            model=path)  # fmt: skip
    endless = np.where(np.arange(7) == 2, np.inf, data.features)
    refused("row 1 counted from 1, column 'g2' is inf", predict, data=endless, model=path)
    table, _ = predict("--chart", "tangent", data=np.zeros((2, 3)), model=path)
    assert len(table) == 2


def test_named_features_are_found_by_name(predict, pca_model, tmp_path):
    path, data, expected = pca_model
    order = [3, 0, 6, 5, 1, 2, 4]
    table = pandas.DataFrame(data.features, columns=data.about["columns"]).iloc[:, order]
    table.assign(type="unknown").to_csv(tmp_path / "new.csv")
    found, said = predict(data=tmp_path / "new.csv", model=path)
    assert found["predicted"].tolist() == expected.tolist()
    assert "note: The first column has no name" in said
    table.drop(columns="g5").to_csv(tmp_path / "new.csv")
    refused("no column 'g5'; it has: g3", predict, data=tmp_path / "new.csv", model=path)

    cells = anndata.AnnData(
        sparse.csr_matrix(table.to_numpy()), var=pandas.DataFrame(index=table.columns)
    )
    cells.obs_names = [f"cell{k}" for k in range(60)]
    cells.write_h5ad(tmp_path / "new.h5ad")
    found, _ = predict(data=tmp_path / "new.h5ad", model=path)
    assert found["predicted"].tolist() == expected.tolist()
    assert found["sample"][59] == "cell59"
    cells[:, :6].copy().write_h5ad(tmp_path / "new.h5ad")
    refused("no feature 'g4'", predict, data=tmp_path / "new.h5ad", model=path)


def test_the_layer_that_the_model_was_trained_on_is_read(predict, pca_model, tmp_path):
    path, data, expected = pca_model
    new, layered = tmp_path / "new.h5ad", tmp_path / "layered.skops"
    io.write_model(layered, io.read_model(path) | {"features": "layers/log1p"})
    columns = pandas.DataFrame(index=data.about["columns"])
    cells = anndata.AnnData(np.zeros_like(data.features), var=columns)
    cells.layers["log1p"] = data.features
    cells.write_h5ad(new)
    found, _ = predict(data=new, model=layered)
    assert found["predicted"].tolist() == expected.tolist()
    zeros, _ = predict("--features", "X", data=new, model=layered)
    assert zeros["predicted"].nunique() == 1
    del cells.layers["log1p"]
    cells.write_h5ad(new)
    refused("new.h5ad has no layers 'log1p'", predict, data=new, model=layered)
    # Points of the embedding are no layer.
    table, _ = predict("--chart", "tangent", data=np.zeros((2, 3)), model=layered)
    assert len(table) == 2


@pytest.mark.filterwarnings("ignore:Variable names are not unique")
def test_features_of_one_name(predict, pca_model, tmp_path):
    path, data, expected = pca_model
    names, new = list(data.about["columns"]), tmp_path / "new.h5ad"

    def save(features, names):
        anndata.AnnData(features, var=pandas.DataFrame(index=names)).write_h5ad(new)

    save(np.column_stack([data.features, data.features[:, 0]]), [*names, "g0"])
    message = "new.h5ad: 2 features are named 'g0'; give each its own name"
    refused(message, predict, data=new, model=path)

    model = io.read_model(path)
    names[1] = model["map"]["columns"][1] = "g0"
    io.write_model(tmp_path / "twice.skops", model)
    save(data.features, names)
    found, _ = predict(data=new, model=tmp_path / "twice.skops")  # the same columns in order
    assert found["predicted"].tolist() == expected.tolist()
    save(data.features, data.about["columns"])
    message = "twice.skops: 2 features are named 'g0'"
    refused(message, predict, data=new, model=tmp_path / "twice.skops")
    pandas.DataFrame(data.features, columns=data.about["columns"]).to_csv(tmp_path / "new.csv")
    refused(message, predict, data=tmp_path / "new.csv", model=tmp_path / "twice.skops")


def test_given_points_come_in_the_chart_of_their_file(predict, tmp_path):
    X = charts.convert(POINTS, "poincare", "hyperboloid")
    fitted = maps.Given(chart="poincare", columns=["x", "y"])
    estimator = PoincareSVC(chart="hyperboloid", random_state=0)
    path = kept_model(
        tmp_path / "m.skops", X, "hyperboloid", estimator=estimator, map=asdict(fitted)
    )
    found, _ = predict(model=path)
    lifted, _ = predict("--chart", "hyperboloid", model=path,
                        data=charts.convert(NEW, "poincare", "hyperboloid"))  # fmt: skip
    pandas.testing.assert_frame_equal(found, lifted)


def test_new_points_at_the_rim_are_brought_inside_as_in_training(predict, tmp_path):
    estimator = PoincareSVC(chart="poincare", random_state=0)
    rim = NEW.copy()
    rim[1] *= (1 + 2e-7) / np.linalg.norm(rim[1])
    for asked in (False, True):
        fitted = maps.Given(chart="poincare", project_to_ball=asked)
        path = kept_model(
            tmp_path / "m.skops", POINTS, "poincare", estimator=estimator, map=asdict(fitted)
        )
        if not asked:
            refused("row 1 lies outside .*project_to_ball", predict, data=rim, model=path)
    table, said = predict(data=rim, model=path)
    assert f"1 of {len(rim)}, the first row 1" in said
    with pytest.warns(UserWarning, match="the first row 1: set to norm"):
        assert load_model(path).predict(rim).tolist() == table["predicted"].tolist()


def test_a_missing_value_is_named_by_its_sample_and_column(predict, pca_model, tmp_path):
    path, data, _ = pca_model
    table = pandas.DataFrame(data.features, columns=data.about["columns"])
    table.index = [f"s{k}" for k in range(len(table))]
    table.iloc[3, 1] = np.nan
    table.to_csv(tmp_path / "gaps.csv")
    message = r"gaps.csv: row 4 counted from 1 \(sample 's3'\), column 'g1' is nan; fill in the"
    refused(message, predict, data=tmp_path / "gaps.csv", model=path)
    refused(
        "new.npz: row 4 counted from 1, column 'g1' is nan",
        predict,
        data=table.to_numpy(),
        model=path,
    )


def scanpy_cells(path, features, rows=slice(None), **columns):
    """Cells with their principal components as scanpy keeps them; the last gene has no loading."""
    mean = features.mean(axis=0)
    used = features[:, :-1] - mean[:-1]
    axes = np.linalg.svd(used, full_matrices=False)[2][:3].T
    cells = anndata.AnnData(features, var=pandas.DataFrame(index=list("abcdef")))
    cells.obs_names = [f"c{k}" for k in range(len(features))]
    cells.obsm["X_pca"] = used @ axes
    cells.varm["PCs"] = np.vstack([axes, np.zeros((1, 3))])
    cells[rows].copy().write_h5ad(path)
    return cells


def test_new_cells_are_projected_on_the_components_of_the_training_cells(predict, tmp_path):
    features = np.random.default_rng(3).normal(size=(60, 6)) + np.repeat([[2.0], [-2.0]], 30, 0)
    reference, new = tmp_path / "training.h5ad", tmp_path / "new.h5ad"
    cells = scanpy_cells(reference, features)
    scores = cells.obsm["X_pca"]
    points = charts.convert(scores, "tangent", "poincare")
    rule = asdict(maps.Linear(mean=np.zeros(3), axes=np.eye(3)))
    more = {"map": rule, "features": "obsm/X_pca"}
    path = kept_model(tmp_path / "cells.skops", points, **more)
    expected, said = predict(data=reference, model=path)
    assert "components computed from these cells alone give wrong labels" in said
    # Other components and another order of genes, as in a file of new cells alone.
    other = cells[:10, list("fbdaec")].copy()
    other.obsm["X_pca"] = np.zeros((10, 3))
    other.write_h5ad(new)
    found, said = predict("--reference", reference, data=new, model=path)
    assert "wrong labels" not in said
    pandas.testing.assert_frame_equal(found, expected[:10])

    def refused_with(message, data=new, model=path):
        refused(message, predict, "--reference", reference, data=data, model=model)

    other.X = np.ones((10, 6))
    other.write_h5ad(new)
    refused_with("new.h5ad: X holds counts, and X of ")
    other[:, :5].copy().write_h5ad(new)
    refused_with("new.h5ad has no gene 'c'")
    double = anndata.AnnData(np.full((2, 7), 0.5), var=pandas.DataFrame(index=list("abcdefa")))
    double.write_h5ad(new)
    refused_with("new.h5ad: two genes have the name 'a'; rename or remove one")
    bare = anndata.AnnData(np.full((2, 6), 0.5), var=pandas.DataFrame(index=list("abcdef")))
    bare.write_h5ad(new)
    refused("'X_pca'.*; --reference TRAINING.h5ad computes them", predict, data=new, model=path)
    refused_with(
        "a reference is for models of obsm/X_pca; this one takes layers/log",
        model=kept_model(tmp_path / "layer.skops", points, **more | {"features": "layers/log"}),
    )
    scanpy_cells(tmp_path / "other.h5ad", features[::-1] + 0.3 * features**2)
    refused(
        "other.h5ad: 0% of its cells lie at training points of the model",
        predict,
        "--reference",
        tmp_path / "other.h5ad",
        data=new,
        model=path,
    )
    cells.X = 2 * cells.X
    cells.write_h5ad(reference)
    refused_with("training.h5ad: obsm/X_pca is not the projection of X on varm/PCs")
    del cells.varm["PCs"]
    cells.write_h5ad(reference)
    refused_with("training.h5ad has no varm/PCs")
