import numpy as np
import pytest
from cases import each_of

from noneuclid import HilbertNearestClassifier
from noneuclid.errors import InputError
from noneuclid.geometry import bounded
from noneuclid.geometry.polytope import Polytope
from noneuclid.geometry.polytope_metrics import pairwise_polytope_distances


def compositions(n=45, parts=4, classes=3, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    return np.array([rng.dirichlet(1 + 4 * np.eye(parts)[k]) for k in y]), y


RULES = ["guarantee", "ball", "mean"]


@each_of("representative", RULES)
@each_of("classes", [2, 3])
def test_the_class_is_that_of_the_nearest_composition(representative, classes):
    X, y = compositions(classes=classes)
    model = HilbertNearestClassifier(representative=representative).fit(X, y)
    places = np.exp(model.centers_) / np.exp(model.centers_).sum(axis=1, keepdims=True)
    far = pairwise_polytope_distances(X, places, Polytope.simplex(4))
    np.testing.assert_array_equal(model.predict(X), far.argmin(axis=1))
    expected = far[:, 0] - far[:, 1] if classes == 2 else -far
    np.testing.assert_allclose(model.decision_function(X), expected, atol=1e-12)
    proba = model.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    np.testing.assert_array_equal(proba.argmax(axis=1), model.predict(X))
    assert model.slope_ > 0


def test_rules():
    """Each is best at its own aim."""
    X, y = compositions()
    models = {rule: HilbertNearestClassifier(representative=rule).fit(X, y) for rule in RULES}
    logs = np.log(X)

    def radius(model):
        return max(0.5 * np.ptp(logs - model.centers_[y], axis=1))

    assert max(models, key=lambda rule: models[rule].beta_) == "guarantee"
    assert min(models, key=lambda rule: radius(models[rule])) == "ball"
    assert models["ball"].objective_ == pytest.approx(radius(models["ball"]))
    assert models["guarantee"].objective_ == pytest.approx(1 / models["guarantee"].beta_)
    assert all(models[rule].gap_ < 1e-10 for rule in ("guarantee", "ball"))
    for k, centre in enumerate(models["mean"].centers_):
        np.testing.assert_allclose(np.exp(centre), _geometric_mean(X[y == k]), rtol=1e-12)


def _geometric_mean(rows):
    means = np.exp(np.log(rows).mean(axis=0))
    return means / np.exp(np.log(means).mean())


def test_charts_agree():
    X, y = compositions()
    simplex = HilbertNearestClassifier().fit(X, y).decision_function(X)
    V = bounded.from_simplex(X)
    tangent = HilbertNearestClassifier(chart="tangent").fit(V, y).decision_function(V)
    named = HilbertNearestClassifier(chart="simplex").fit(X, y).decision_function(X)
    np.testing.assert_allclose(tangent, simplex, atol=1e-9)
    np.testing.assert_array_equal(named, simplex)
    inside = HilbertNearestClassifier("box").fit(X, y).decision_function(X)
    wide = Polytope.box(np.full(4, -3.0), np.full(4, 5.0))
    moved = HilbertNearestClassifier(wide).fit(8 * X - 3, y).decision_function(8 * X - 3)
    np.testing.assert_allclose(moved, inside, atol=1e-9)
    logits = np.log(X) - np.log1p(-X)
    squashed = HilbertNearestClassifier("box", chart="tangent").fit(logits, y)
    np.testing.assert_allclose(squashed.decision_function(logits), inside, atol=1e-9)


@pytest.mark.parametrize("chart", ["klein", "polytope"])
def test_a_polygon_is_nearly_the_hyperbolic_disk(chart):
    """Hilbert distance to the centre of 400 sides against artanh |x|."""
    rng = np.random.default_rng(1)
    X, y = rng.uniform(-0.6, 0.6, size=(40, 2)), np.arange(40) % 2
    curvature = 4.0 if chart == "klein" else 1.0
    X /= np.sqrt(curvature)
    given = X.copy()
    settings = {"chart": chart, "curvature": curvature}
    model = HilbertNearestClassifier({"regular_polygon": 400}, **settings).fit(X, y)
    assert model.centers_.shape == (2, 400)
    np.testing.assert_array_equal(X, given)
    logs = np.log(model.polytope_.facet_values(np.sqrt(curvature) * X))
    unit = HilbertNearestClassifier({"regular_polygon": 400}).fit(np.sqrt(curvature) * X, y)
    np.testing.assert_allclose(model.centers_, unit.centers_, atol=1e-9)
    norms = np.sqrt(curvature) * np.linalg.norm(X, axis=1)
    np.testing.assert_allclose(0.5 * np.ptp(logs, axis=1), np.arctanh(norms), rtol=1e-3)


SQUARE = np.array([[0.2, 0.8], [0.4, 0.6], [0.7, 0.3]])


@each_of(
    ("settings", "X", "message"),
    [
        ({}, SQUARE * 2, "row 0 sums to 2, not 1"),
        ({}, [[0.0, 1.0], [0.4, 0.6], [0.7, 0.3]], "row 0 has part 0 = 0"),
        ({"polytope": "box"}, SQUARE * 2, "row 0 lies outside facet 3"),
        ({"polytope": "box", "chart": "simplex"}, SQUARE, "chart='simplex' needs polytope='simpl"),
        ({"chart": "box"}, SQUARE, "chart='box' needs polytope='box'; got 'simplex'"),
        ({"chart": "klein"}, SQUARE, "cannot be used with polytope='simplex'"),
        (
            {"polytope": {"sides": 3}},
            SQUARE,
            r"polytope=\{'sides': 3\}; give a Polytope, 'simplex'",
        ),
        ({"polytope": {"regular_polygon": 2}}, SQUARE, "m is 2"),
        ({"polytope": {"regular_polygon": 9}}, SQUARE[:, :1], "rows have 1 coordinates"),
        (
            {"polytope": {"regular_polygon": 9}, "chart": "klein"},
            SQUARE * 2,
            r"outside the Klein ball",
        ),
        (
            {},
            SQUARE[[0, 1, 0]],
            "rows 2 and 0 are the same point with two labels|rows 0 and 2 are the same",
        ),
    ],
)
def test_bad_input(settings, X, message):
    with pytest.raises(InputError, match=message) as caught:
        HilbertNearestClassifier(**settings).fit(np.asarray(X), [0, 0, 1])
    assert "\n" not in str(caught.value)


def test_equal_points_of_two_classes_are_no_trouble_to_the_other_rules():
    X = SQUARE[[0, 1, 0, 2]]
    for rule in ("ball", "mean"):
        model = HilbertNearestClassifier(representative=rule).fit(X, [0, 0, 1, 1])
        assert model.beta_ == 0


def test_a_class_of_one_point():
    model = HilbertNearestClassifier().fit(SQUARE[[0, 0, 2]], ["a", "a", "b"])
    assert model.beta_ == np.inf
    assert model.objective_ == model.gap_ == 0
    assert model.predict(SQUARE[[1]]) == "a"


@pytest.mark.parametrize(("classes", "seed"), [(2, 6), (3, 19)])
def test_the_largest_probability_is_of_the_class_predicted_though_most_rows_are_misread(
    classes, seed
):
    """The best slope is 0 or less there, and with slope 0 all probabilities would be equal."""
    X, y = compositions(n=60, classes=classes, seed=seed)
    y = np.random.default_rng(seed).permutation(y)
    model = HilbertNearestClassifier().fit(X, y)
    assert model.score(X, y) < 1 / classes
    proba = model.predict_proba(X)
    np.testing.assert_array_equal(proba.argmax(axis=1), model.predict(X))
    np.testing.assert_allclose(proba, 1 / classes, atol=0.05)
    assert len(np.unique(model.predict(X))) == classes
