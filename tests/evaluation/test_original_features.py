import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_digits, load_wine
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC

from noneuclid.errors import InputError
from noneuclid.geometry.bounded import from_simplex, to_simplex
from noneuclid_compare.embed import original_features
from noneuclid_compare.evaluation import baselines
from noneuclid_compare.evaluation.celltypist import CellTypistBaseline
from noneuclid_compare.records import Dataset

CLASSIFIERS = [baselines.LogisticBaseline(), baselines.SVMBaseline()]
CLASSIFIERS += [baselines.ForestBaseline(n_estimators=10, random_state=0)]
REGRESSORS = [baselines.RidgeBaseline(), baselines.SVRBaseline()]
REGRESSORS += [baselines.ForestRegressionBaseline(n_estimators=10, random_state=0)]


@pytest.mark.parametrize("model", CLASSIFIERS, ids=lambda model: type(model).__name__)
def test_units_of_a_table_do_not_matter(model):
    X, y = load_wine(return_X_y=True)
    train, test = np.arange(0, 178, 2), np.arange(1, 178, 2)
    units = 10.0 ** np.arange(-6, 7)
    found = [clone(model).fit(Z[train], y[train]).predict(Z[test]) for Z in (X, X * units)]
    assert (found[0] == found[1]).all()
    assert (found[0] == y[test]).mean() > 0.95


@pytest.mark.parametrize("model", REGRESSORS, ids=lambda model: type(model).__name__)
def test_unit_of_a_target_does_not_matter(model):
    X, y = load_diabetes(return_X_y=True)
    model = model.set_params(alpha=0.01) if "alpha" in model.get_params() else model
    found = [clone(model).fit(X[:300], s * y[:300]).predict(X[300:]) / s for s in (1, 1000.0)]
    np.testing.assert_allclose(*found, rtol=1e-6)
    assert np.corrcoef(found[0], y[300:])[0, 1] > 0.55


def test_the_model_of_celltypist_is_logistic_regression_on_cut_scaled_genes():
    X, y = load_digits(return_X_y=True)
    X = np.column_stack([np.log1p(X[:, 1:40]), np.zeros(len(X))])
    X[::2, 39][0] = 1.0  # a gene of one training cell: 30 standard deviations
    model = CellTypistBaseline(C=0.1).fit(X[::2], y[::2])
    mean, deviation = X[::2].mean(axis=0), X[::2].std(axis=0)
    scaled = np.minimum((X - mean) / np.where(deviation > 0, deviation, 1), 10)
    assert (scaled[::2] == 10).any()
    expected = LogisticRegression(C=0.1, max_iter=1000).fit(scaled[::2], y[::2])
    np.testing.assert_allclose(
        model.predict_proba(X[1::2]), expected.predict_proba(scaled[1::2]), atol=1e-6
    )
    assert model.score(X[1::2], y[1::2]) > 0.8


def test_scaling_is_fitted_on_training_rows():
    X, y = load_wine(return_X_y=True)
    model = baselines.LogisticBaseline().fit(X[::2], y[::2])
    np.testing.assert_allclose(model.preparation_.mean_, X[::2].mean(axis=0))


@pytest.mark.parametrize(("kind", "width"), [("images", 50), ("expression", 50), ("graph", 64)])
def test_images_and_expression_are_reduced_and_tables_are_not(kind, width):
    X, y = load_digits(return_X_y=True)
    model = baselines.SVMBaseline(data_kind=kind).fit(X[:200], y[:200])
    assert model.model_.n_features_in_ == width
    assert model.n_features_in_ == 64
    assert model.score(X[200:400], y[200:400]) > 0.8


def test_log_ratios_are_not_scaled():
    X, y = load_wine(return_X_y=True)
    model = baselines.SVMBaseline(data_kind="composition").fit(X, y)
    assert (model.predict(X) == SVC().fit(X, y).predict(X)).all()


@pytest.fixture
def parts():
    """Compositions of five parts, which differ in the second, and two classes."""
    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    logs = rng.normal(size=(120, 5))
    logs[:, 1] += y
    return np.exp(logs) / np.exp(logs).sum(axis=1, keepdims=True), y


def test_logistic_regression_on_log_ratios_is_that_on_centred_log_ratios(parts):
    parts, y = parts
    centred = np.log(parts) - np.log(parts).mean(axis=1, keepdims=True)
    model = baselines.LogisticBaseline(C=0.3, data_kind="composition")
    found = model.fit(from_simplex(parts), y).predict_proba(from_simplex(parts))
    usual = LogisticRegression(C=0.3, tol=1e-10, max_iter=10_000).fit(centred, y)
    np.testing.assert_allclose(found, usual.predict_proba(centred), atol=1e-5)


def test_forests_of_compositions_read_proportions_and_those_of_boxes_logits(parts):
    parts, y = parts
    logs, settings = from_simplex(parts), {"n_estimators": 10, "random_state": 0}
    for kind, read in (("composition", to_simplex(logs)), ("box", logs)):
        usual = RandomForestClassifier(**settings).fit(read[:60], y[:60])
        model = baselines.ForestBaseline(**settings, data_kind=kind).fit(logs[:60], y[:60])
        expected = usual.predict_proba(read[60:])
        np.testing.assert_array_equal(model.predict_proba(logs[60:]), expected)
        usual = RandomForestRegressor(**settings).fit(read[:60], parts[:60, 1])
        model = baselines.ForestRegressionBaseline(**settings, data_kind=kind)
        model.fit(logs[:60], parts[:60, 1])
        np.testing.assert_array_equal(model.predict(logs[60:]), usual.predict(read[60:]))


def test_many_rows_are_approximated_and_as_good(monkeypatch):
    X, y = load_digits(return_X_y=True)
    exact = baselines.SVMBaseline().fit(X[:300], y[:300])
    monkeypatch.setattr(baselines, "EXACT_ROWS", 299)
    monkeypatch.setattr(baselines, "LANDMARKS", 150)
    found = baselines.SVMBaseline(random_state=0).fit(X[:300], y[:300])
    assert isinstance(exact.model_, SVC)
    assert not isinstance(found.model_, SVC)
    assert found.decision_function(X[300:900]).shape == (600, 10)
    scores = [model.score(X[300:900], y[300:900]) for model in (exact, found)]
    assert scores[0] - 0.03 < scores[1]


def graph(edges, n, lengths=None):
    return Dataset(
        "g", "graph", np.zeros(n, dtype=int), ("a", "b"), edges=np.array(edges), weights=lengths
    )


def test_spectral_coordinates_are_eigenvectors_of_the_normalised_laplacian():
    n = 20  # a cycle: eigenvalues of D^-1/2 A D^-1/2 are cos(2 pi k / n)
    cycle = graph([(k, (k + 1) % n) for k in range(n)], n)
    found = original_features.spectral(cycle, 3, seed=0)
    np.testing.assert_allclose(found[:, 0], n**-0.5)
    moved = (np.roll(found, 1, axis=0) + np.roll(found, -1, axis=0)) / 2
    expected = np.cos(2 * np.pi / n * np.array([0, 1, 1])) * found
    np.testing.assert_allclose(moved, expected, atol=1e-12)


def test_large_graphs_have_the_same_coordinates(monkeypatch):
    rng = np.random.default_rng(0)
    edges = np.array([e for e in np.ndindex(60, 60) if e[0] < e[1] and rng.random() < 0.2])
    network = graph(edges, 60, rng.uniform(1, 3, len(edges)))
    dense = original_features.spectral(network, 4, seed=0)
    monkeypatch.setattr(original_features, "DENSE", 59)
    sparse = original_features.spectral(network, 4, seed=0)
    np.testing.assert_allclose(sparse, dense, atol=1e-6)
    assert (sparse == original_features.spectral(network, 4, seed=0)).all()


def test_long_edges_join_less():
    # A path of four nodes, whose middle edge is long: the second eigenvector divides it there.
    path = graph([(0, 1), (1, 2), (2, 3)], 4, np.array([1.0, 100.0, 1.0]))
    second = original_features.spectral(path, 2, seed=0)[:, 1]
    assert second[0] * second[1] > 0 > second[1] * second[2]
    short = graph([(0, 1), (1, 2), (2, 3)], 4, np.array([1.0, 0.01, 1.0]))
    second = original_features.spectral(short, 2, seed=0)[:, 1]
    assert abs(second[0]) > 2 * abs(second[1])


def test_features_are_handed_through_and_points_are_refused():
    X, y = load_wine(return_X_y=True)
    data = Dataset("w", "features", y, ("a", "b", "c"), features=X)
    embedded = original_features.embed(data, 0)
    assert (embedded.points == X).all()
    assert embedded.chart == "tangent"
    assert not embedded.about["embedding"]["transductive"]
    assert embedded.rule.kind == "given"
    points = Dataset("w", "points", y, ("a", "b", "c"), features=X, chart="tangent")
    with pytest.raises(InputError, match="baselines: false"):
        original_features.embed(points, 0)


def test_boxes_have_logits_and_simplices_log_ratios():
    rng = np.random.default_rng(0)
    parts = rng.dirichlet(np.ones(3), size=20)
    labels = np.arange(20) % 2
    data = Dataset("c", "composition", labels, ("a", "b"), features=parts)
    embedded = original_features.embed(data, 0)
    found = embedded.points
    np.testing.assert_allclose(embedded.rule.place(parts[:3]), found[:3], atol=1e-12)
    logs = np.log(parts) - np.log(parts).mean(axis=1, keepdims=True)
    # Isometric: distances are those of the centred log-ratios.
    np.testing.assert_allclose(found @ found.T, logs @ logs.T, atol=1e-9)
    box = {"domain": {"polytope": "box", "low": [0.0] * 3, "high": [1.0] * 3}}
    data = Dataset("c", "composition", labels, ("a", "b"), features=parts, about=box)
    embedded = original_features.embed(data, 0)
    found = embedded.points
    np.testing.assert_allclose(embedded.rule.place(parts[:3]), found[:3], atol=1e-12)
    np.testing.assert_allclose(found, np.log(parts / (1 - parts)), atol=1e-9)


@pytest.mark.parametrize("weight", [None, "balanced", {"1": 4.0}])
def test_forest_on_labels_that_look_like_integers_is_that_on_other_labels(weight):
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = np.where(X[:, 0] + 0.5 * X[:, 1] ** 2 > 0.3, "1", "0")
    words = np.where(y == "1", "yes", "no")
    named = {"yes": weight["1"]} if isinstance(weight, dict) else weight
    digits = baselines.ForestBaseline(n_estimators=10, random_state=0, class_weight=weight)
    other = baselines.ForestBaseline(n_estimators=10, random_state=0, class_weight=named)
    digits.fit(X, y)
    other.fit(X, words)
    np.testing.assert_array_equal(digits.predict(X) == "1", other.predict(X) == "yes")
    np.testing.assert_array_equal(digits.predict_proba(X), other.predict_proba(X))
    assert list(digits.classes_) == ["0", "1"]
