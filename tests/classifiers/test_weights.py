"""Weights of rows and classes: 2 is two rows, 0 is none, in every solver of the hyperboloid SVM."""

import warnings

import numpy as np
import pytest
import sklearn
from cases import each_of
from sklearn.ensemble import AdaBoostClassifier
from sklearn.metrics import recall_score
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.svm import LinearSVC

from noneuclid import EuclideanSVC, HyperboloidSVC
from noneuclid.classifiers.calibration import fit_platt
from noneuclid.classifiers.weights import check_class_weights
from noneuclid.errors import InputError
from noneuclid.geometry.charts import convert
from noneuclid.solvers.hyperboloid.certified.slices.time_slices import Groups
from noneuclid.solvers.hyperboloid.problem import objective
from noneuclid.solvers.hyperboloid.relaxations.search_region import search_region
from noneuclid_papers.programs import yang2024

# Settings, relative tolerance of objective and bound, tolerance of the normal.
SOLVERS = {
    "optimal": ({"tol": 1e-9}, 1e-8, 1e-6),
    "optimal, robust": ({"tol": 1e-8, "robust_radius": 0.1}, 1e-7, 1e-5),
    "optimal, arcsinh": ({"loss": "arcsinh"}, 1e-8, 1e-5),
    "optimal, arcsinh, no boxes": ({"loss": "arcsinh", "max_nodes": 0}, 1e-8, 1e-4),
    "pgd": ({"solver": "pgd"}, 1e-9, 1e-6),
    "pgd, arcsinh": ({"solver": "pgd", "loss": "arcsinh"}, 1e-9, 1e-6),
    # These start from a cone program, solved to 1e-8.
    "pgd, yang2024": ({"class": yang2024.PublishedPGD, "loss": "hinge"}, 1e-4, 1e-2),
    "pgd, released": ({"class": yang2024.ReleasedPGD, "loss": "hinge"}, 1e-4, 1e-2),
    "sdp": ({"solver": "sdp"}, 1e-6, 1e-5),
    "sdp, released": ({"class": yang2024.ReleasedSDP}, 1e-6, 1e-5),
    "sdp, robust": ({"solver": "sdp", "robust_radius": 0.1}, 1e-6, 1e-5),
    "moment": ({"solver": "moment"}, 1e-6, 1e-5),
}


def cloud(n=24, seed=1):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    y = (X[:, 0] + 0.7 * rng.normal(size=n) > 0.2).astype(int)
    return X, y, rng.integers(0, 4, size=n)


def quiet(model, *data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(*data)


@each_of("name", SOLVERS)
def test_weights_are_repeated_rows(name):
    X, y, counts = cloud()
    settings, rtol, atol = SOLVERS[name]
    settings = settings | {"random_state": 0}
    estimator = settings.pop("class", HyperboloidSVC)
    weighted = quiet(estimator(C=3.0, **settings), X, y, counts)
    repeated = quiet(estimator(C=3.0, **settings), X.repeat(counts, axis=0), y.repeat(counts))
    scaled = quiet(estimator(C=0.5, **settings), X, y, 6.0 * counts)
    plain = quiet(estimator(C=3.0, **settings), X, y)
    assert abs(plain.objective_ / weighted.objective_ - 1) > 0.05
    for other in (repeated, scaled):
        assert weighted.objective_ == pytest.approx(other.objective_, rel=rtol)
        if not np.isnan(other.lower_bound_):
            assert weighted.lower_bound_ == pytest.approx(other.lower_bound_, rel=rtol, abs=1e-6)
        np.testing.assert_allclose(weighted.coef_, other.coef_, rtol=0, atol=atol)
    np.testing.assert_allclose(weighted.calibration_, repeated.calibration_, rtol=0, atol=10 * atol)
    points, signs = convert(X, "tangent", "hyperboloid"), np.where(y == 1, 1.0, -1.0)
    loss, radius = (settings.get(key) for key in ("loss", "robust_radius"))
    loss = "arcsinh" if name == "sdp, released" else loss  # the program's
    value = objective(weighted.coef_[0], points, signs, 3.0, loss or "hinge", radius or 0.0, counts)
    assert weighted.objective_ == pytest.approx(value, rel=1e-9)


def test_rows_have_the_weight_of_their_own_class():
    rng = np.random.default_rng(0)
    y = rng.choice(3, 120, p=[0.6, 0.3, 0.1])
    X = rng.normal(size=(120, 2)) + y[:, None] * [0.8, 0.3]
    weights = {0: 1.0, 1: 2.0, 2: 5.0}
    model = EuclideanSVC(class_weight=weights, fit_intercept=False, tol=1e-10).fit(X, y)
    settings = {"fit_intercept": False, "dual": False, "tol": 1e-10}
    each = np.array([weights[k] for k in y])
    for k, coef in enumerate(model.coef_):
        binary = LinearSVC(**settings).fit(X, y == k, sample_weight=each)
        np.testing.assert_allclose(coef, binary.coef_[0], atol=1e-6)
        others = LinearSVC(**settings).fit(X, y == k, sample_weight=np.where(y == k, each, 1.0))
        theirs = LinearSVC(class_weight=weights, **settings).fit(X, y).coef_[k]
        np.testing.assert_allclose(theirs, others.coef_[0], atol=1e-6)


@each_of("name", ["optimal", "optimal, robust", "optimal, arcsinh", "moment"])
@each_of("seed", [2, 3])
def test_bounds_hold_for_weights_of_any_size(name, seed):
    X, y, _ = cloud(18, seed)
    weights = np.exp(3.0 * np.random.default_rng(seed).normal(size=18))
    settings = SOLVERS[name][0]
    model = quiet(HyperboloidSVC(C=2.0, **settings), X, y, weights)
    points, signs = convert(X, "tangent", "hyperboloid"), np.where(y == 1, 1.0, -1.0)
    loss, radius = settings.get("loss", "hinge"), settings.get("robust_radius", 0.0)
    others = np.random.default_rng(seed).normal(size=(300, 3))
    others = np.vstack([others, model.coef_ + 0.01 * others])
    others = others[np.linalg.norm(others[:, 1:], axis=1) >= np.abs(others[:, 0])]
    values = [objective(w, points, signs, 2.0, loss, radius, weights) for w in others]
    assert model.lower_bound_ <= min(values)
    assert model.lower_bound_ <= model.objective_ * (1 + 1e-12)
    if name != "moment":
        assert model.gap_ <= 1.1e-4
        assert min(values) >= model.objective_ * (1 - 1.1e-4)


def test_groups_with_weights_bound_the_sum_and_lose_no_light_row():
    rng = np.random.default_rng(0)
    rows, weights = rng.normal(size=(500, 3)), 10.0 ** rng.integers(-12, 5, size=500)
    groups = Groups(rows, weights)
    for _ in range(20):
        w = rng.normal(size=3)
        exact = weights @ np.maximum(0.0, 1.0 - rows @ w)
        assert groups.evaluate_hinge(w, 0.0) == pytest.approx(exact, rel=1e-12)
        for v in (w, rng.normal(size=3)):
            model = np.maximum(0.0, groups.counts - groups.sums @ v).sum()
            assert model <= (weights @ np.maximum(0.0, 1.0 - rows @ v)) * (1 + 1e-12)
    assert (groups.counts > 0).all()
    members = [groups.ids == k for k in range(len(groups.counts))]
    np.testing.assert_allclose(groups.counts, [weights[m].sum() for m in members], rtol=1e-12)
    light = [weights[m] @ rows[m] for m in members]
    np.testing.assert_allclose(groups.sums, light, rtol=1e-9, atol=1e-25)


def test_region_counts_weights():
    X, y, counts = cloud(40)
    counts += 1
    points, signs = convert(X, "tangent", "hyperboloid"), np.where(y == 1, 1.0, -1.0)
    weighted = search_region(points, signs, 1.0, 12.0, weights=counts.astype(float))
    repeated = search_region(points.repeat(counts, axis=0), signs.repeat(counts), 1.0, 12.0)
    assert weighted.radius == pytest.approx(repeated.radius, rel=1e-9)


@pytest.mark.parametrize("multi_class", ["ovr", "ovo"])
@pytest.mark.parametrize("model", [HyperboloidSVC(tol=1e-9), EuclideanSVC(tol=1e-10)])
def test_several_classes_and_class_weights(model, multi_class):
    X, _, counts = cloud(60)
    y = np.array(["a", "b", "c"])[np.digitize(X[:, 1], [-0.6, 0.3])]
    model.set_params(multi_class=multi_class, class_weight="balanced")
    weighted = quiet(model, X, y, counts).decision_function(X)
    np.testing.assert_allclose(
        weighted,
        quiet(model, X.repeat(counts, axis=0), y.repeat(counts)).decision_function(X),
        rtol=1e-4,
        atol=1e-4,
    )
    totals = {label: counts[y == label].sum() for label in "abc"}
    named = {label: counts.sum() / (3.0 * total) for label, total in totals.items()}
    model.set_params(class_weight=named)
    found = quiet(model, X, y, counts).decision_function(X)
    np.testing.assert_allclose(found, weighted, rtol=1e-9, atol=1e-12)
    model.set_params(class_weight=None)
    by_rows = counts * np.array([named[label] for label in y])
    found = quiet(model, X, y, by_rows).decision_function(X)
    np.testing.assert_allclose(found, weighted, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("centred", [True, False])
def test_weighted_sigmoid_is_that_of_repeated_scores(centred):
    rng = np.random.default_rng(0)
    scores, counts = rng.normal(size=30), rng.integers(1, 4, size=30)
    signs = np.sign(scores + rng.normal(size=30))
    repeated = fit_platt(scores.repeat(counts), signs.repeat(counts), centred)
    found = fit_platt(scores, signs, centred, counts.astype(float))
    np.testing.assert_allclose(found, repeated, rtol=1e-9)


def test_balanced_classes_raise_the_recall_of_the_rare_one():
    rng = np.random.default_rng(0)
    y = np.arange(400) % 20 == 0
    X = rng.normal(size=(400, 2)) + 1.6 * y[:, None]
    recall = {
        weight: recall_score(y, HyperboloidSVC(class_weight=weight, tol=1e-3).fit(X, y).predict(X))
        for weight in (None, "balanced")
    }
    assert recall[None] < 0.5
    assert recall["balanced"] > 0.8


@each_of(
    ("weights", "class_weight", "said"),
    [
        (np.array([1.0, -2.0, 1.0, 1.0]), None, "row 1 is -2.0"),
        ([1.0, 1.0, np.nan, 1.0], None, "row 2 is nan"),
        ([1.0, 1.0, np.inf, 1.0], None, "row 2 is inf"),
        (np.nan, None, "row 0 is nan"),
        ([1.0, 1.0, 0.0, 0.0], None, "class 'b' is 0 for all rows"),
        (None, {"a": 0}, "class_weight of class 'a' is 0"),
        ([1.0, 1.0, 1.0], None, r"has shape \(3,\); give one number for each of the 4 rows"),
        (np.ones((4, 2)), None, r"has shape \(4, 2\)"),
        (["a"] * 4, None, "sample_weight is not numeric"),
        (np.full(4, 1e308), None, "weight of row 0 is 1e\\+308, above 1e\\+100; rescale"),
        (np.zeros(4), None, "sample_weight is zero for all rows"),
        (None, {"b": -1}, "class_weight of 'b' is -1;"),
        (None, {"b": np.nan}, "class_weight of 'b' is nan"),
        (None, {"b": "2"}, "class_weight of 'b' is '2'"),
        (None, {"a": 1, "z": 1}, r"names the class 'z', which y does not have.*\['a', 'b'\]"),
    ],
)
def test_bad_weights_are_one_clear_line(weights, class_weight, said):
    X, y = np.array([[0.1, 0.2], [0.3, -0.1], [-0.5, 0.0], [-0.2, 0.2]]), ["a", "a", "b", "b"]
    with pytest.raises(InputError, match=said) as caught:
        EuclideanSVC(class_weight=class_weight).fit(X, y, weights)
    assert "\n" not in str(caught.value)


def test_a_weight_of_a_class_that_y_lacks_is_allowed_if_all_others_have_one():
    classes = np.array(["a", "b"])
    found = check_class_weights({"a": 2, "b": 0.5, "z": 9}, classes)
    np.testing.assert_array_equal(found, [2.0, 0.5])


def test_boosting_and_routing_pass_weights():
    X, y, _ = cloud(60)
    boosted = AdaBoostClassifier(HyperboloidSVC(C=100.0, tol=1e-3), n_estimators=5)
    assert quiet(boosted, X, y).score(X, y) > 0.8
    with sklearn.config_context(enable_metadata_routing=True):
        model = EuclideanSVC().set_fit_request(sample_weight=True)
        model.set_score_request(sample_weight=False)
        weights = np.where(y == 1, 1e-3, 1.0)
        routed = cross_val_score(model, X, y, cv=3, params={"sample_weight": weights})
    expected = [
        EuclideanSVC().fit(X[train], y[train], weights[train]).score(X[test], y[test])
        for train, test in StratifiedKFold(3).split(X, y)
    ]
    np.testing.assert_array_equal(routed, expected)
