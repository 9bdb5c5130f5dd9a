"""Weights of rows in Hilbert and Funk geometry: 2 is two equal rows, 0 is none."""

import numpy as np
import pytest
from cases import each_of
from sklearn import config_context
from sklearn.base import clone
from sklearn.ensemble import AdaBoostClassifier
from sklearn.model_selection import GridSearchCV

from noneuclid import HilbertNearestClassifier, HilbertSVC
from noneuclid.errors import InputError
from noneuclid.geometry.polytope import Polytope
from noneuclid.geometry.polytope_metrics import METRICS
from noneuclid.solvers.hilbert.soft_margin import choose_solver, soft_margin
from noneuclid.solvers.hilbert.soft_margin_problem import problems

POLYTOPES = {"simplex": Polytope.simplex(3), "box": Polytope.box([0, 0, 0], [1, 1, 1])}


def overlapping(n=24, seed=0):
    """Compositions, which are points of the unit box too, with weights 1 to 3."""
    rng = np.random.default_rng(seed)
    X = rng.dirichlet(3 * np.ones(3), n)
    y = (X[:, 0] + 0.15 * rng.normal(size=n) > 0.33).astype(int)
    return X, y, rng.integers(1, 4, size=n)


X, Y, TIMES = overlapping()
SIGNS = 2.0 * Y - 1.0
REPEATED = np.repeat(X, TIMES, axis=0), np.repeat(Y, TIMES)


@each_of("normalization", ["means", "axes"])
@each_of("metric", METRICS)
@each_of("polytope", POLYTOPES)
def test_two_is_a_row_twice_at_one_radius(polytope, metric, normalization):
    """The three solvers of a slice: each value lies between the bounds of the other problem."""
    facets = POLYTOPES[polytope].facets
    _, weighted = problems(X, SIGNS, *facets, metric, normalization, 0.1 * TIMES)
    _, repeated = problems(REPEATED[0], 2.0 * REPEATED[1] - 1.0, *facets, metric, normalization)
    for one, two in zip(weighted, repeated, strict=True):
        np.testing.assert_allclose(one.pull, two.pull, atol=1e-13)
        one, two = (
            choose_solver(p)(
                p, 0.2, p.weights, np.zeros_like(p.pull), lambda low, up: up - low <= 1e-6 * up
            )
            for p in (one, two)
        )
        share = TIMES.sum() / len(X)
        assert one.lower * share <= two.upper * (1 + 1e-9)
        assert two.lower <= one.upper * share * (1 + 1e-9)
        assert one.upper - one.lower <= 1e-5 * one.upper


@each_of("C", [0.1, 3.0])
@each_of("metric", METRICS)
@each_of("polytope", POLYTOPES)
def test_two_is_a_row_twice_in_the_certified_answer(polytope, metric, C):
    facets = POLYTOPES[polytope].facets
    plain = soft_margin(X, SIGNS, *facets, metric, C)
    one = soft_margin(X, SIGNS, *facets, metric, C, weights=0.1 * TIMES)
    two = soft_margin(REPEATED[0], 2.0 * REPEATED[1] - 1.0, *facets, metric, C)
    for found in (one, two):
        assert found.status == "optimal"
        assert found.objective <= found.upper_bound <= found.objective + 1e-4
    assert one.objective <= two.upper_bound + 1e-9
    assert two.objective <= one.upper_bound + 1e-9
    assert one.radii == pytest.approx(two.radii, rel=1e-12)
    # The weights matter: the unweighted answer lies outside the bounds.
    assert abs(plain.objective - one.objective) > 1e-3


@pytest.mark.parametrize("margin", ["soft", "hard"])
@pytest.mark.parametrize("polytope", POLYTOPES)
def test_zero_is_a_row_deleted(polytope, margin):
    polytope = POLYTOPES[polytope]
    away = np.abs(X[:, 0] - 0.33) > 0.04
    labels = np.where(away, X[:, 0] > 0.33, X[:, 0] <= 0.33) if margin == "hard" else Y
    weights = np.where(away, TIMES, 0)
    model = HilbertSVC(polytope, margin=margin, C=0.3)
    # For the hard margin the rows left out are those on the wrong side.
    zero = model.fit(X, labels, weights).decision_function(X)
    deleted = model.fit(X[away], labels[away], weights[away]).decision_function(X)
    np.testing.assert_array_equal(zero, deleted)


@pytest.mark.parametrize("metric", METRICS)
def test_the_hard_margin_depends_on_no_positive_weight(metric):
    labels, keep = (X[:, 0] > 0.33).astype(int), np.abs(X[:, 0] - 0.33) > 0.02
    model = HilbertSVC(metric=metric, margin="hard")
    plain = model.fit(X[keep], labels[keep]).coef_
    weighted = model.fit(X[keep], labels[keep], TIMES[keep]).coef_
    np.testing.assert_array_equal(weighted, plain)


def test_class_weight_is_the_weight_of_its_rows():
    weights = np.where(Y == 1, 5.0, 1.0) * TIMES
    by_rows = HilbertSVC(C=0.3).fit(X, Y, weights)
    by_class = HilbertSVC(C=0.3, class_weight={1: 5}).fit(X, Y, TIMES)
    np.testing.assert_array_equal(by_class.coef_, by_rows.coef_)
    np.testing.assert_array_equal(by_class.calibration_, by_rows.calibration_)


def rare(n=120, seed=0):
    """One row in 20 is positive, and the classes overlap."""
    rng = np.random.default_rng(seed)
    y = (np.arange(n) % 20 == 0).astype(int)
    return np.array([rng.dirichlet(4 + 3 * np.eye(3)[k]) for k in y]), y


@pytest.mark.parametrize("metric", METRICS)
def test_balanced_weights_find_the_rare_class(metric):
    points, y = rare()
    plain, balanced = (
        HilbertSVC(metric=metric, class_weight=w).fit(points, y) for w in (None, "balanced")
    )
    recalls = [model.predict(points)[y == 1].mean() for model in (plain, balanced)]
    assert recalls[0] < 0.5 < 0.8 <= recalls[1]


def test_a_class_of_nearly_all_weight_takes_all_rows():
    model = HilbertSVC(class_weight={0: 1000, 1: 1e-4}).fit(X, Y)
    assert (model.predict(X) == 0).mean() > 0.87


@pytest.mark.parametrize("representative", ["guarantee", "ball", "mean"])
def test_nearest_representative(representative):
    model = HilbertNearestClassifier(representative=representative)
    weighted = model.fit(X, Y, TIMES)
    facts = weighted.centers_, weighted.betas_, weighted.slope_
    repeated = model.fit(*REPEATED)
    for fact, expected in zip(facts, vars_of(repeated), strict=True):
        np.testing.assert_allclose(fact, expected, rtol=1e-9, atol=1e-12)
    weights = np.where(np.arange(len(X)) % 3 == 0, 0, TIMES)
    zero = model.fit(X, Y, weights)
    facts = vars_of(zero)
    deleted = model.fit(X[weights > 0], Y[weights > 0], weights[weights > 0])
    for fact, expected in zip(facts, vars_of(deleted), strict=True):
        np.testing.assert_array_equal(fact, expected)


def vars_of(model):
    return model.centers_, model.betas_, model.slope_


def test_class_weight_moves_no_representative():
    """Each depends on its own class: only the probabilities know of the weights."""
    plain, weighted = (
        HilbertNearestClassifier(representative="mean", class_weight=w).fit(X, Y)
        for w in (None, {1: 9.0})
    )
    np.testing.assert_allclose(weighted.centers_, plain.centers_, rtol=1e-12)
    assert weighted.slope_ != pytest.approx(plain.slope_)


MODELS = [HilbertSVC(), HilbertNearestClassifier(representative="mean")]
IDS = ["svc", "nearest"]


@each_of("model", MODELS, ids=IDS)
@each_of(
    ("weights", "message"),
    [
        (np.where(np.arange(24) == 3, -1.0, 1.0), "sample_weight of row 3 is -1.0"),
        (np.where(np.arange(24) == 3, np.nan, 1.0), "sample_weight of row 3 is nan"),
        (np.where(Y == 1, 0.0, 1.0), "sample_weight of class 1 is 0 for all rows"),
    ],
)
def test_bad_weights(model, weights, message):
    with pytest.raises(InputError, match=message) as caught:
        model.fit(X, Y, weights)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("model", MODELS, ids=IDS)
def test_boosting_and_routing(model):
    boosted = AdaBoostClassifier(model, n_estimators=3, random_state=0).fit(X, Y)
    assert boosted.score(X, Y) > 0.6
    with config_context(enable_metadata_routing=True):
        routed = clone(model).set_fit_request(sample_weight=True)
        routed.set_score_request(sample_weight=True)
        search = GridSearchCV(routed, {"class_weight": [None, "balanced"]}, cv=2)
        search.fit(X, Y, sample_weight=TIMES)
        assert search.best_estimator_.score(X, Y) > 0.6
