"""Hyperbolic logistic regression against slow versions, known answers and isometries."""

from functools import partial

import numpy as np
import pytest
from clouds import moved, random_clouds
from scipy.optimize import approx_fprime, minimize
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from noneuclid import HyperbolicLogisticRegression
from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid.geometry.charts import CHARTS, convert
from noneuclid.solvers import progress
from noneuclid.solvers.hyperboloid.descent.logistic import (
    _Search,
    fit_softmax,
    logits,
    objective,
    see,
)

labelled = partial(random_clouds, n=120, d=2, spread=0.8)


def normal(z, b):
    """Lorentz normal of a hyperplane, from the definition."""
    size = np.linalg.norm(z)
    return np.array([-size * np.sinh(b / size), *(np.cosh(b / size) * np.asarray(z))])


def slow_logit(x, v):
    size = np.sqrt(lorentz.product(v, v))
    return size * np.arcsinh(lorentz.product(x, v) / size)


def slow_objective(parameters, points, codes, n_problems, weight):
    rows = parameters.reshape(n_problems, -1)
    total = 0.0
    for x, code in zip(points, codes, strict=True):
        values = [slow_logit(x, normal(row[:-1], row[-1])) for row in rows]
        if n_problems == 1:
            values = [0.0, *values]
        total += np.log(np.exp(values).sum()) - values[code]
    return total / len(points) + weight / 2 * sum(row[:-1] @ row[:-1] for row in rows)


@pytest.mark.parametrize(("classes", "d"), [(2, 1), (2, 3), (3, 2), (4, 5)])
def test_objective_and_gradient(classes, d):
    points, codes = labelled(classes, n=40, d=d, classes=classes)
    problems = 1 if classes == 2 else classes
    parameters = np.random.default_rng(d).normal(size=problems * (d + 1))
    data = points, codes, problems, 0.3
    value, gradient = objective(parameters, *data)
    assert value == pytest.approx(slow_objective(parameters, *data), rel=1e-12)
    slow = approx_fprime(parameters, lambda p: slow_objective(p, *data), 1e-7)
    np.testing.assert_allclose(gradient, slow, atol=2e-6)


@pytest.mark.parametrize("seed", [2, 3])
def test_record_is_of_the_solution_where_the_line_search_fails(seed):
    rng = np.random.default_rng(seed)
    ways = rng.normal(size=(60, 3))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    X, y = ways * rng.uniform(0.1, 50, (60, 1)), (ways[:, 0] > 0).astype(int)
    with pytest.warns(ConvergenceWarning):
        model = HyperbolicLogisticRegression().fit(X, y)
    fit = model._fit
    solution = np.append(fit.normals, fit.intercepts)
    points = see(convert(X, "tangent", "hyperboloid"), fit.centre)
    value, gradient = objective(solution, points, y, 1, 1 / 60)
    assert model.objective_ == value
    assert model.gradient_norm_ == abs(gradient).max()


def test_normals_that_vanish_leave_the_logit_of_the_origin():
    points = lorentz.from_spatial(np.sinh([[1.0], [2.0]]) * np.array([[0.6, 0.8]]))
    z = 1e-9 * np.array([[1.0, 0.0]])
    np.testing.assert_allclose(logits(points, z, np.array([-3.0])), -3.0, atol=1e-7)
    value, gradient = objective(np.array([*z[0], -3.0]), points, np.array([0, 1]), 1, 1.0)
    assert np.isfinite(value)
    assert np.isfinite(gradient).all()


@pytest.mark.parametrize("seed", range(3))
def test_binary_fit_is_that_of_a_slow_direct_search(seed):
    points, codes = labelled(seed, n=60, classes=2)
    fit = fit_softmax(points, codes, 2, 1.0, 1000, 1e-7)
    data = points, codes, 1, 1 / len(points)
    starts = np.random.default_rng(seed).normal(size=(4, 3))
    slow = [minimize(slow_objective, start, data, method="BFGS", tol=1e-9) for start in starts]
    best = min(slow, key=lambda found: found.fun)
    assert fit.objective == pytest.approx(best.fun, rel=1e-7)
    np.testing.assert_allclose(np.column_stack(fit.from_origin())[0], best.x, atol=1e-3)


@pytest.mark.parametrize("C", [1.0, np.inf])
@pytest.mark.parametrize("classes", [2, 3])
def test_boosts_carry_the_solution_along(classes, C):
    points, y = labelled(1, n=300, classes=classes)
    matrix = lorentz.boost(lorentz.from_spatial(np.array([0.7, -0.4])))
    settings = {"C": C, "chart": "hyperboloid", "tol": 1e-7, "max_iter": 10_000}
    model = HyperbolicLogisticRegression(**settings).fit(points, y)
    moved = HyperbolicLogisticRegression(**settings).fit(points @ matrix.T, y)
    np.testing.assert_allclose(moved.coef_, model.coef_ @ matrix.T, rtol=2e-3, atol=2e-3)
    np.testing.assert_allclose(
        moved.predict_proba(points @ matrix.T), model.predict_proba(points), atol=1e-4
    )


@pytest.mark.parametrize(
    ("X", "y", "C"),
    [
        ([[0, 0], [1, 0]], [0, 1], 1),
        ([[-1.0], [1.0]], [0, 1], 1),
        ([[-1, 0], [-2, 0], [1, 0], [2, 0]], [0, 0, 1, 1], 0.01),
    ],
)
def test_few_symmetric_rows_have_the_least_objective(X, y, C):
    model = HyperbolicLogisticRegression(chart="tangent", C=C, tol=1e-8).fit(X, y)
    assert (model.status_, model.score(X, y)) == ("stationary", 1.0)
    nearby = [
        HyperbolicLogisticRegression(chart="tangent", C=C * f).fit(X, y).coef_ for f in (0.8, 1.2)
    ]
    assert np.linalg.norm(nearby[0]) < np.linalg.norm(model.coef_) < np.linalg.norm(nearby[1])


def test_few_random_rows_converge():
    rng = np.random.default_rng(0)
    for n in rng.integers(2, 6, size=100):
        X, y = rng.normal(size=(n, 2)), np.r_[0, 1, rng.integers(0, 2, n - 2)]
        assert HyperbolicLogisticRegression(chart="tangent").fit(X, y).status_ == "stationary"


def overlapping(seed):
    """Three classes with several local minima; those that a start at the origin finds change."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(120, 2)), rng.integers(0, 3, 120)
    return lorentz.from_spatial(X + 1.2 * np.eye(3, 2)[y]), y


def mixtures(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 4, 200)
    spread = 0.5 + rng.random(4)
    X = 1.2 * rng.normal(size=(4, 2))[y] + spread[y][:, None] * rng.normal(size=(200, 2))
    return convert(X, "tangent", "hyperboloid"), y


@pytest.mark.parametrize(("distance", "problems"), [(2.0, 20), (5.0, 4)])
@pytest.mark.parametrize("problem", [overlapping, mixtures])
def test_moves_and_rotations_change_no_probability(problem, distance, problems):
    for seed in range(problems):
        points, y = problem(seed)
        away = moved(points, seed, distance)
        here, there = (
            HyperbolicLogisticRegression(chart="hyperboloid").fit(X, y) for X in (points, away)
        )
        # One step more or less at the tolerance changes a probability by 1e-4.
        np.testing.assert_allclose(
            there.predict_proba(away), here.predict_proba(points), atol=3e-4, err_msg=f"{seed}"
        )
        assert there.objective_ == pytest.approx(here.objective_, rel=1e-6)
        assert here.status_ == there.status_ == "stationary"


def units(seed, d, n=50):
    ways = np.random.default_rng(seed).normal(size=(n, d))
    return ways / np.linalg.norm(ways, axis=1, keepdims=True)


def search_at(rows, data):
    """A search of `fit_softmax` at these rows (z, b), where zero normals are kept at zero."""
    search = _Search(rows.ravel(), data, 1.0, progress.bar())
    search._free = rows[:, :-1].any(axis=1)
    return search


def test_a_normal_is_zero_where_every_direction_raises_the_objective():
    points, y = mixtures(7)
    fit = fit_softmax(points, y, 4, 1.0, 1000, 1e-5)
    rows = np.column_stack([fit.normals, fit.intercepts])
    assert np.flatnonzero(~fit.normals.any(axis=1)).tolist() == [2]
    assert fit.gradient_norm <= 1e-5
    data = see(points, fit.centre), y, 4, 1 / len(y)
    for size in (1e-6, 1e-3, 0.1):
        for unit in units(0, 2):
            rows[2, :-1] = size * unit
            assert objective(rows.ravel(), *data)[0] > fit.objective
    model = HyperbolicLogisticRegression(chart="hyperboloid").fit(points, y)
    assert model.status_ == "stationary"
    assert model.normals_[2].tolist() == [0, 0]
    assert model.coef_[2].tolist() == [-np.inf, 0, 0]
    np.testing.assert_allclose(model.decision_function(points)[:, 2], model.intercept_[2])


@pytest.mark.parametrize("level", [0.7, -0.7])
@pytest.mark.parametrize(("classes", "d"), [(2, 1), (2, 3), (3, 3)])
def test_steepest_direction_of_a_zero_normal_is_that_of_the_objective(classes, d, level):
    points, codes = labelled(classes, n=40, d=d, classes=classes)
    problems = 1 if classes == 2 else classes
    rows = np.random.default_rng(1).normal(size=(problems, d + 1))
    rows[0] = [0] * d + [level]
    data = points, codes, problems, 0.3, None
    slope, direction = search_at(rows, data)._steepest(0, rows)

    def slow_slope(unit):
        near = rows.copy()
        near[0, :-1] = 1e-6 * unit
        return (objective(near.ravel(), *data)[0] - objective(rows.ravel(), *data)[0]) / 1e-6

    assert np.linalg.norm(direction) == pytest.approx(1)
    assert slope == pytest.approx(slow_slope(direction), abs=1e-3)
    assert slope <= min(slow_slope(unit) for unit in units(2, d)) + 1e-3


@pytest.mark.parametrize("seed", range(5))
def test_a_normal_leaves_zero_for_a_lower_minimum(seed):
    points, y = overlapping(seed)
    fit = fit_softmax(points, y, 3, 1.0, 1000, 1e-6)
    rows = np.column_stack([fit.normals, fit.intercepts])
    rows[1, :-1] = 0.0
    search = search_at(rows, (see(points, fit.centre), y, 3, 1 / len(y), None))
    before = search.record()[0]
    search.run(1000, 1e-6)
    assert search.rows[:, :-1].any(axis=1).all()
    value, size = search.record()
    assert size <= 1e-6
    assert value < before - 1e-3


def test_order_and_names_of_classes_change_no_probability():
    points, y = mixtures(0)
    order = np.random.default_rng(1).permutation(len(y))
    here = HyperbolicLogisticRegression(chart="hyperboloid").fit(points, y)
    there = HyperbolicLogisticRegression(chart="hyperboloid").fit(points[order], 3 - y[order])
    np.testing.assert_allclose(
        there.predict_proba(points)[:, ::-1], here.predict_proba(points), atol=1e-4
    )


def test_hyperplanes_seen_from_the_mean_and_from_the_origin_are_the_same():
    points, y = labelled(4, n=80, d=3)
    points = moved(points, 4, 3.0)
    model = HyperbolicLogisticRegression(chart="hyperboloid").fit(points, y)
    values = logits(points, model.normals_, model.intercept_)
    np.testing.assert_allclose(model.decision_function(points), values, atol=1e-9)
    slow = [slow_logit(points, v) for v in model.coef_]
    np.testing.assert_allclose(model.decision_function(points).T, slow, atol=1e-6)


def test_a_cloud_far_from_the_origin_keeps_its_solution():
    points, y = overlapping(0)
    away = moved(points, 0, 17.0)
    here, there = (
        HyperbolicLogisticRegression(chart="hyperboloid").fit(X, y) for X in (points, away)
    )
    np.testing.assert_allclose(there.predict_proba(away), here.predict_proba(points), atol=1e-5)


def test_refuses_rows_out_of_reach_of_their_mean():
    X = np.array([[340.0, 0.0]] * 9 + [[-340.0, 0.0]])
    with pytest.raises(InputError, match=r"612.* from the mean .* divide all coordinates"):
        HyperbolicLogisticRegression().fit(X, [0] * 5 + [1] * 5)


def test_recovers_a_known_hyperplane():
    rng = np.random.default_rng(0)
    points = convert(rng.normal(size=(20_000, 3)), "tangent", "hyperboloid")
    z, b = np.array([1.5, -1.0, 0.5]), 0.8
    values = slow_logit(points, normal(z, b))
    y = (rng.random(len(points)) < 1 / (1 + np.exp(-values))).astype(int)
    model = HyperbolicLogisticRegression(C=np.inf, chart="hyperboloid").fit(points, y)
    np.testing.assert_allclose([*model.normals_[0], *model.intercept_], [*z, b], atol=0.1)
    np.testing.assert_allclose(model.coef_[0], normal(z, b), atol=0.15)
    np.testing.assert_allclose(model.decision_function(points), values, atol=0.4)


@pytest.mark.parametrize("classes", [2, 3])
def test_flat_limit_is_logistic_regression(classes):
    rng = np.random.default_rng(3)
    y = rng.integers(classes, size=200)
    X = rng.normal(size=(200, 2)) + 1.5 * rng.normal(size=(classes, 2))[y]
    small = 1e-4
    # z scales as 1 / small, so the penalty must shrink by its square.
    model = HyperbolicLogisticRegression(C=1 / small**2, tol=1e-10).fit(small * X, y)
    flat = LogisticRegression(C=1.0, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(small * X), flat.predict_proba(X), atol=1e-4)


def test_charts_and_curvature_agree():
    points, y = labelled(5)
    models = [HyperbolicLogisticRegression(chart="hyperboloid").fit(points, y)]
    expected = models[0].predict_proba(points)
    for chart in CHARTS:
        X = convert(points / 2, "hyperboloid", chart, 4.0)
        model = HyperbolicLogisticRegression(chart=chart, curvature=4.0).fit(X, y)
        np.testing.assert_allclose(model.predict_proba(X), expected, atol=1e-4)


def test_says_when_it_stops_early():
    points, y = labelled(6)
    with pytest.warns(ConvergenceWarning, match=r"after 2 iterations with gradient .* > tol"):
        model = HyperbolicLogisticRegression(max_iter=2, chart="hyperboloid").fit(points, y)
    assert model.status_ == "not converged"
    assert model.gradient_norm_ > model.tol


def test_refuses_points_outside_the_ball():
    with pytest.raises(InputError, match="row 1"):
        HyperbolicLogisticRegression(chart="poincare").fit([[0.1, 0], [2, 0]], [0, 1])
