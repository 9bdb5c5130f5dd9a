"""Points of a product space in the comparison: methods read them, rows are far or not, drawn."""

import json
from dataclasses import replace
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from predicted_points import model_of_stages

from noneuclid import ProductEmbedding, ProductKernel
from noneuclid.errors import InputError
from noneuclid.geometry import ProductSpace, spaces
from noneuclid_compare import wording
from noneuclid_compare.config import configuration_checks, defaults, registry, transformers
from noneuclid_compare.data.shipped import karate, sklearn_table
from noneuclid_compare.embed import of_dataset
from noneuclid_compare.evaluation import link_prediction, moved_points, out_of_distribution
from noneuclid_compare.evaluation.product_kernel_ridge import ProductKernelRidge
from noneuclid_compare.models import new_samples
from noneuclid_compare.models.kept_model import load_model
from noneuclid_compare.records import Disk, Embedded
from noneuclid_compare.report.figures import opening_disk, product
from noneuclid_compare.stages import embed, train

PRODUCT = "H2 S2 E1"
SPACE = ProductSpace(PRODUCT)
POINTS = SPACE.random_wrapped_normal(40, covariances=0.3, random_state=0)
LABELS = (POINTS[:, 1] > 0).astype(int)
EMBEDDED = Embedded(POINTS, PRODUCT, LABELS, ("a", "b"), about={"embedding": {}})


def method(use, chart="hyperboloid", **params):
    return {"use": use, "chart": chart, "params": params, "grid": {}}


@pytest.mark.parametrize("use", ["ProductRandomForestClassifier", "GeodesicKNeighborsClassifier"])
def test_methods_with_a_space_read_the_product(use):
    model, X, y = train.prepare(method(f"noneuclid.{use}"), EMBEDDED, 0)
    assert spaces.product_of(model.space) == SPACE
    np.testing.assert_allclose(X, POINTS, atol=1e-14)
    assert model.fit(X, y).score(X, y) > 0.9


@pytest.mark.parametrize(("chart", "columns"), [("ambient", 7), ("tangent", 5)])
def test_flat_methods_read_columns(chart, columns):
    _, X, _ = train.prepare(method("sklearn.svm.SVC", chart), EMBEDDED, 0)
    assert X.shape == (40, columns)
    np.testing.assert_allclose(X, spaces.convert(POINTS, PRODUCT, chart), atol=1e-14)


def test_hyperbolic_methods_are_refused():
    with pytest.raises(InputError, match="points of H2 S2 E1 have no coordinates in chart"):
        train.prepare(method("noneuclid.PoincareSVC"), EMBEDDED, 0)


def test_methods_of_products_read_hyperbolic_points():
    X = np.array([[0.1, 0.2], [0.3, -0.4]])
    embedded = Embedded(X, "poincare", np.array([0, 1]), ("a", "b"), curvature=0.5)
    for use in ("ProductKernelSVC", "ProductDecisionTreeClassifier"):
        model, found, _ = train.prepare(method(f"noneuclid.{use}"), embedded, 0)
        assert spaces.product_of(model.space) == ProductSpace("H2", curvatures=[-0.5])
        np.testing.assert_array_equal(found, spaces.convert(X, "poincare", "hyperboloid", 0.5))
    _, found, _ = train.prepare(method("sklearn.svm.SVC", "ambient"), embedded, 0)
    np.testing.assert_array_equal(found, spaces.convert(X, "poincare", "hyperboloid", 0.5))


def test_far_rows_are_those_far_in_the_product():
    kept = out_of_distribution.summary(POINTS, space=PRODUCT)
    gaps = SPACE.pairwise_distances(POINTS) + np.diag(np.full(40, np.inf))
    assert kept["threshold"] == pytest.approx(gaps.min(axis=1).max())
    new = SPACE.random_wrapped_normal(9, covariances=0.3, random_state=1)
    found = out_of_distribution.distances(kept, new)
    np.testing.assert_allclose(found, SPACE.pairwise_distances(new, POINTS).min(axis=1))
    away = [SPACE.exp_map(SPACE.origin, [0, 0, 0, 0, 0, 0, 50.0])]
    assert out_of_distribution.far(kept, away).all()
    assert not out_of_distribution.far(kept, POINTS).any()


def test_new_samples_are_points_of_the_product():
    model = {"chart": "tangent", "curvature": 1.0, "estimator": SimpleNamespace(n_features_in_=5)}
    assert new_samples.dimension(model) == 5
    X = new_samples.read_by(model, POINTS, PRODUCT)
    np.testing.assert_array_equal(X, spaces.convert(POINTS, PRODUCT, "tangent"))


def test_links_are_scored_by_the_distance_in_the_product():
    pairs = np.array([[0, 1], [2, 5]])
    expected = -SPACE.distance(POINTS[[0, 2]], POINTS[[1, 5]])
    np.testing.assert_array_equal(link_prediction.of_points(EMBEDDED, pairs), expected)
    assert "H2 S2 E1" in moved_points.refusal(EMBEDDED, "tangent")


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_network_and_a_table_are_embedded_in_a_product():
    params = {"space": "H2(-0.5) S1", "n_init": 1, "max_iter": 20}
    for data in (karate.load({}, 0), sklearn_table.load({}, 0, name="iris")):
        path = registry.path_of("product_embedding", "embed")
        found = embed.embed(path, data, 3, params)
        space, about = ProductSpace(found.chart), found.about["embedding"]
        assert space.signature == "H2 S1"
        assert about["settings"]["standardize"] == (data.kind == "features")
        if data.kind == "features":
            X = (data.features - data.features.mean(axis=0)) / data.features.std(axis=0)
            distances = np.linalg.norm(X[:, None] - X, axis=2)
            placed = embed.rule_of(data, found, "product").place(data.features)
            alone = np.sort(distances, axis=1)[:, 1] > 0  # two rows are equal
            np.testing.assert_allclose(placed[alone], found.points[alone], rtol=1e-12)
        else:
            distances = nx.floyd_warshall_numpy(nx.Graph(data.edges.tolist()), range(34))
            chart = embed.rule_of(data, found, "product").chart
            assert chart == found.chart
        left, right = np.nonzero(np.triu(distances))
        errors = space.distance(found.points[left], found.points[right]) / distances[left, right]
        assert about["average"] == pytest.approx(np.abs(errors - 1).mean(), rel=1e-6)
        # Another scale is only better.
        assert 0 < about["distortion"]["average"] < about["average"] + 1e-9
        raw = transformers.embed(path, data, 3, **params, standardize=False)
        assert np.array_equal(raw.points, found.points) == (data.kind == "graph")


@pytest.mark.parametrize(
    ("use", "params"),
    [
        ("product_embedding", {"n_init": 1, "tol": 0.1, "standardize": True}),
        ("product_umap", {"n_epochs": 60, "n_neighbors": 8}),
    ],
)
def test_a_kept_model_places_and_labels_new_rows_of_a_table(use, params, tmp_path):
    rng = np.random.default_rng(0)
    kinds = np.repeat(["red", "rose", "white"], 20)
    table = pd.DataFrame(rng.normal(size=(60, 4)), columns=list("abcd")).assign(kind=kinds)
    table.loc[kinds == "red", "a"] += 9.0
    table.loc[kinds == "white", "b"] += 9.0
    table.to_csv(tmp_path / "wines.csv", index=False)
    source = {"use": "table_file", "params": {"label": "kind"}}
    source["files"] = {"data": str(tmp_path / "wines.csv")}
    knn = method("noneuclid.GeodesicKNeighborsClassifier")
    kept = model_of_stages(tmp_path, source, use, knn, space="H2 S1", **params)
    new = table[["b", "d", "c", "a"]].iloc[::7] + 0.1
    new.to_csv(tmp_path / "new.csv", index=False)
    model = load_model(kept)
    answer = model.predict_file(tmp_path / "new.csv")
    assert answer["predicted"].tolist() == kinds[::7].tolist()
    assert not answer["far"].any()
    assert model.predict(new).tolist() == kinds[::7].tolist()
    about = json.loads((tmp_path / "c.json").read_text())["embedding"]
    assert about["transductive"]
    if use == "product_embedding":
        new.iloc[2] = 1e6
        new.to_csv(tmp_path / "new.csv", index=False)
        with pytest.warns(UserWarning, match="No prediction for 1 sample too far from the train"):
            answer = model.predict_file(tmp_path / "new.csv")
        assert len(answer) == 8


def test_what_a_product_embedding_does_not_embed():
    def refused(data, **params):
        with pytest.raises(InputError) as error:
            of_dataset.embed(ProductEmbedding, data, 0, **params)
        return str(error.value)

    iris = sklearn_table.load({}, 0, name="iris")
    message = "standardize divides features, not distances; give standardize: false"
    assert message in refused(iris, metric="precomputed")
    assert "shape (150, 4); give a square" in refused(iris, metric="precomputed", standardize=False)
    assert "has kind 'points', its points are embedded" in refused(replace(iris, kind="points"))
    many = replace(iris, features=np.zeros((15_001, 1)), labels=np.zeros(15_001, dtype=int))
    assert "15001 rows need all 15001x15001 distances; embed 15000 of them" in refused(many)


def test_the_page_rounds_curvatures():
    assert wording.signature("H2(-23.039999999999996) S2 E1") == "H2(-23) S2 E1"
    assert wording.signature("S2(0.0003398950469315497)") == "S2(0.00034)"


def test_parameters_of_points_are_refused_for_methods_alone():
    place = {"n": {"use": "product_embedding", "params": {"space": "H2"}}}
    configuration_checks.check_function(place["n"], "embed", "embeddings/n")
    method = {"use": "noneuclid.ProductKernelSVC", "params": {"space": "H2"}}
    with pytest.raises(
        InputError, match=r"methods/m/params: space is a property .* leave it out: the comparison"
    ):
        configuration_checks.check_method(method, "methods/m", {})


@pytest.mark.parametrize("use", ["product_embedding", "product_umap"])
@pytest.mark.parametrize("space", ["H2xQ1", "", 3, ["H2"]])
def test_a_bad_signature_is_found_before_the_first_job(use, space):
    with pytest.raises(InputError, match=r"^embeddings/n/params/space: "):
        configuration_checks.check_function(
            {"use": use, "params": {"space": space}}, "embed", "embeddings/n"
        )


def test_default_methods_of_a_product():
    entry = {"use": "table_file", "params": {"label": "y", "chart": PRODUCT}}
    filled = defaults.with_defaults({"datasets": {"d": entry}})
    assert list(filled["methods"]) == list(defaults.ON_PRODUCTS)
    numbers = {"use": "table_file", "params": {"label": "y", "chart": PRODUCT, "numeric": True}}
    filled = defaults.with_defaults({"datasets": {"d": numbers}})
    assert list(filled["methods"]) == list(defaults.REGRESSORS_ON_PRODUCTS)


@pytest.mark.parametrize("name", [*defaults.ON_PRODUCTS[1:], *defaults.REGRESSORS_ON_PRODUCTS[1:]])
def test_default_methods_read_a_product(name):
    chosen = {"chart": "hyperboloid", "params": {}, "grid": {}} | defaults.METHODS[name]
    model, X, y = train.prepare(chosen, EMBEDDED, 0)
    assert model.fit(X, y).score(X, y) > 0.6


def test_kernel_ridge_is_its_linear_system():
    X, new = SPACE.random_wrapped_normal(30, random_state=1), POINTS
    y = 50.0 + X[:, 1] - X[:, 6]
    model = ProductKernelRidge(PRODUCT, alpha=0.3, scale=1.5).fit(X, y)
    kernel = ProductKernel(PRODUCT, "laplace", 1.5).with_mean_of(X)
    dual = np.linalg.solve(kernel(X) + 0.3 * np.eye(30), y - y.mean())
    np.testing.assert_allclose(model.predict(new), y.mean() + kernel(new, X) @ dual)


@pytest.mark.parametrize("signature", [PRODUCT, "H3", "S1^5"])
def test_pictures_have_a_panel_for_each_factor(signature):
    space = ProductSpace(signature)
    X = space.random_wrapped_normal(30, covariances=0.2, random_state=0)
    labels = np.arange(30) % 3
    held_out = np.array([labels, (labels + (np.arange(30) < 4)) % 3])
    disk = Disk(
        "d", "given", ("right", "wrong"), np.zeros((30, 2)), labels, ("a", "b", "c"),
        space.dimension, held_out, space=signature, coordinates=X,
    )  # fmt: skip
    assert product.display_of(disk)(1).wrong.sum() == 4
    assert not product.display_of(disk)(0).wrong.any()
    for figure in (
        product.draw_product(disk),
        opening_disk.draw_opening_disk([disk], drawn=("d", "given", "wrong")),
    ):
        assert len(figure.axes) == len(space.factors)
    assert f"in {signature}, a picture for each factor" in opening_disk.write_caption([disk])
