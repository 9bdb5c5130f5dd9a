import numpy as np
import pytest
from cases import each_of

from noneuclid import HilbertSVC
from noneuclid.errors import InputError
from noneuclid.geometry import bounded, charts
from noneuclid.geometry.polytope import Polytope
from noneuclid.geometry.polytope_metrics import METRICS, pairwise_polytope_distances


def separable(polytope, n=24, seed=0):
    """Points inside, labelled by a plane, those near it left out."""
    rng = np.random.default_rng(seed)
    corners = polytope.vertices
    X = rng.dirichlet(np.ones(len(corners)), 4 * n) @ corners
    g = (X - X.mean(axis=0)) @ rng.normal(size=X.shape[1])
    keep = np.flatnonzero(np.abs(g) > np.quantile(np.abs(g), 0.3))[:n]
    return X[keep], (g[keep] > 0).astype(int)


POLYTOPES = {
    "simplex": Polytope.simplex(4),
    "box": Polytope.box([0, -1], [1, 2]),
    "polygon": Polytope.regular_polygon(5),
}


@each_of("metric", METRICS)
@each_of("name", POLYTOPES)
def test_the_margin_is_the_least_distance_from_the_points(name, metric):
    """Measured from the points, on both sides of the hyperplane."""
    polytope = POLYTOPES[name]
    X, y = separable(polytope)
    model = HilbertSVC(polytope, metric=metric, margin="hard").fit(X, y)
    signed = model.hyperplane_distance(X)[:, 0] * (2 * y - 1)
    assert model.margin_ == pytest.approx(signed.min(), abs=2e-6)
    assert model.objective_ == model.margin_ > 0
    assert 0 <= model.gap_ <= 1e-6
    np.testing.assert_array_equal(model.predict(X), y)
    # No point of the hyperplane is nearer than that, by the distances of points.
    rng = np.random.default_rng(0)
    inside = rng.dirichlet(np.ones(len(polytope.vertices)), 300) @ polytope.vertices
    c, w = model.coef_[0, 0], model.coef_[0, 1:]
    values = inside @ w + c
    low, high = inside[values < 0][:40], inside[values > 0][:40]
    share = (low @ w + c) / (low @ w - high @ w)[: len(low)]
    on_plane = low + share[:, None] * (high - low)
    assert pairwise_polytope_distances(X, on_plane, polytope, metric).min() >= model.margin_ - 1e-9


@pytest.mark.parametrize("metric", METRICS)
def test_soft_margin_with_large_C_is_hard(metric):
    X, y = separable(Polytope.simplex(3))
    hard = HilbertSVC(metric=metric, margin="hard").fit(X, y)
    soft = HilbertSVC(metric=metric, C=1e4).fit(X, y)
    assert soft.margin_ == pytest.approx(hard.margin_, abs=2e-3)
    assert soft.objective_ <= soft.upper_bound_in_range_ + 1e-12
    assert soft.gap_ == soft.upper_bound_in_range_ - soft.objective_ <= 1e-4
    np.testing.assert_array_equal(hard.radius_range_, [0, np.inf])
    assert soft.radius_range_[0] < soft.margin_ <= soft.radius_range_[1]


@each_of("metric", METRICS)
@each_of("name", POLYTOPES)
def test_decision_function_is_the_signed_distance_in_the_metric(name, metric):
    X, y = separable(POLYTOPES[name])
    flipped = np.where(np.arange(len(y)) % 6 == 0, 1 - y, y)
    model = HilbertSVC(POLYTOPES[name], metric=metric, C=0.3, tol=1e-3).fit(X, flipped)
    scores = model.decision_function(X)
    np.testing.assert_array_equal(scores, model.hyperplane_distance(X)[:, 0])
    np.testing.assert_array_equal(model.predict(X), (scores > 0).astype(int))
    odds = model.predict_proba(X)
    np.testing.assert_allclose(
        np.log(odds[:, 1] / odds[:, 0]), model.calibration_[0, 0] * scores, rtol=1e-6
    )
    assert 0 < np.abs(scores).max() < 20


def test_scores_of_the_hard_margin():
    """On the simplex in closed form; g is the Euclidean distance."""
    X, y = separable(Polytope.simplex(4))
    model = HilbertSVC(margin="hard", calibration=None).fit(X, y)
    nu = model.nu_[0]
    assert np.linalg.norm(nu - nu.mean()) == pytest.approx(1)
    logs = 0.5 * np.log((X @ np.maximum(nu, 0)) / (X @ np.maximum(-nu, 0)))
    np.testing.assert_allclose(model.decision_function(X), logs, atol=1e-12)
    np.testing.assert_allclose(model.hyperplane_distance(X)[:, 0], logs, atol=1e-12)
    X, y = separable(POLYTOPES["box"])
    model = HilbertSVC(POLYTOPES["box"], margin="hard", calibration=None).fit(X, y)
    c, w = model.coef_[0, 0], model.coef_[0, 1:]
    assert np.linalg.norm(w) == pytest.approx(1)
    signed = model.decision_function(X)
    np.testing.assert_array_equal(np.sign(signed), np.sign(X @ w + c))
    assert np.abs(signed).min() == pytest.approx(model.margin_, abs=2e-6)


@pytest.mark.parametrize("name", POLYTOPES)
def test_scores_where_the_hyperplane_misses_the_polytope(name):
    """Every distance is infinite there; the score is g, and all rows have one class."""
    X, y = separable(POLYTOPES[name])
    model = HilbertSVC(POLYTOPES[name], margin="hard").fit(X, y)
    model.coef_ = model.coef_ - (10.0 if name == "simplex" else 10.0 * np.eye(X.shape[1] + 1)[0])
    assert np.isinf(model.hyperplane_distance(X)).all()
    g = X @ model.coef_[0, 1:] + model.coef_[0, 0]
    np.testing.assert_array_equal(model.decision_function(X), g)
    assert not model.predict(X).any()
    assert np.isfinite(model.predict_proba(X)).all()


@pytest.mark.parametrize("multi_class", ["ovr", "ovo"])
def test_several_classes(multi_class):
    rng = np.random.default_rng(0)
    y = np.array(["a", "b", "c"])[np.arange(60) % 3]
    X = np.array([rng.dirichlet(1 + 9 * np.eye(3)[k % 3]) for k in range(60)])
    model = HilbertSVC(C=100.0, multi_class=multi_class).fit(X, y)
    assert model.score(X, y) > 0.9
    assert model.coef_.shape == (3, 4)
    assert model.margin_.shape == model.gap_.shape == model.n_iter_.shape == (3,)
    if multi_class == "ovr":
        proba = model.predict_proba(X)
        np.testing.assert_allclose(proba.sum(axis=1), 1)
        np.testing.assert_array_equal(model.classes_[proba.argmax(axis=1)], model.predict(X))


def test_charts_agree():
    X, y = separable(Polytope.simplex(3))
    expected = HilbertSVC(margin="hard").fit(X, y)
    V = bounded.from_simplex(X)
    tangent = HilbertSVC(margin="hard", chart="tangent").fit(V, y)
    assert tangent.margin_ == pytest.approx(expected.margin_, abs=1e-9)
    np.testing.assert_allclose(
        tangent.decision_function(V), expected.decision_function(X), atol=1e-7
    )
    polygon = {"regular_polygon": 6}
    P, z = separable(Polytope.regular_polygon(6, radius=0.9), seed=3)
    P = 0.9 * P
    plain = HilbertSVC(polygon, margin="hard").fit(P, z)
    for chart in charts.CHARTS:
        rows = charts.convert(P / 2, "klein", chart, 4.0)
        other = HilbertSVC(polygon, margin="hard", chart=chart, curvature=4.0).fit(rows, z)
        assert other.margin_ == pytest.approx(plain.margin_, abs=1e-6)


def test_polytope_of_the_model():
    X, y = separable(Polytope.simplex(3))
    model = HilbertSVC(margin="hard").fit(X, y)
    assert model.polytope_ == Polytope.simplex(3)


OVERLAP = np.array([[0.1, 0.9], [0.3, 0.7], [0.5, 0.5], [0.7, 0.3]])


@each_of(
    ("settings", "X", "message"),
    [
        ({"margin": "hard"}, OVERLAP, "no hyperplane separates .* problem 0; set margin='soft'"),
        ({}, 2 * OVERLAP, "row 0 sums to 2, not 1"),
        ({"chart": "box"}, OVERLAP, "chart='box' needs polytope='box'; got 'simplex'"),
        ({"chart": "poincare"}, OVERLAP / 2, "cannot be used with polytope='simplex'"),
        ({"polytope": {"regular_polygon": 4}}, OVERLAP + 1, "row 0 lies outside facet"),
        ({"metric": "euclid"}, OVERLAP, "'metric' parameter"),
        ({"calibration": "distance"}, OVERLAP, "'calibration' parameter"),
    ],
)
def test_bad_input(settings, X, message):
    with pytest.raises(ValueError, match=message) as caught:
        HilbertSVC(**settings).fit(X, [0, 1, 0, 1])
    if issubclass(caught.type, InputError):
        assert "\n" not in str(caught.value)
