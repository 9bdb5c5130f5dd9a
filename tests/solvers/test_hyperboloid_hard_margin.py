"""The hard margin on the hyperboloid against slow versions, known answers and invariances."""

import math

import cvxpy as cp
import numpy as np
import pytest
from cases import each_of
from clouds import moved
from scipy.optimize import minimize_scalar

from noneuclid import HyperboloidSVC
from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid.solvers.hyperboloid.certified import global_optimum, hard_margin
from noneuclid.solvers.hyperboloid.problem import signed_rows


def separable(seed, n=30, d=2, reach=2.0, gap=0.1):
    """Points on both sides of a random hyperplane, none nearer than `gap`."""
    rng = np.random.default_rng([seed, d])
    while True:
        v = rng.normal(size=(n, d))
        radii = reach * rng.random((n, 1)) ** (1.0 / d)
        v *= np.sinh(radii) / np.linalg.norm(v, axis=1, keepdims=True)
        points = lorentz.from_spatial(v)
        w = np.append(rng.uniform(-0.8, 0.8), rng.normal(size=d))
        w[1:] /= np.linalg.norm(w[1:])
        distance = lorentz.hyperplane_distance(points, w)
        keep = np.abs(distance) > gap
        if min((distance[keep] > 0).sum(), (distance[keep] < 0).sum()) > 1:
            return points[keep], np.sign(distance[keep])


def slow_optimum(points, signs):
    """Least ½(|u|² - t²) over a grid of t, refined; a quadratic program for each t."""
    rows = signed_rows(points, signs)
    t, u = cp.Parameter(), cp.Variable(rows.shape[1] - 1)
    problem = cp.Problem(
        cp.Minimize(0.5 * cp.sum_squares(u)), [rows[:, 1:] @ u + t * rows[:, 0] >= 1.0]
    )

    def value(time):
        t.value = time
        problem.solve(solver="CLARABEL")
        return problem.value - 0.5 * time**2 if problem.status == "optimal" else 1e6

    times = 20.0 * np.sinh(np.linspace(-3.0, 3.0, 241)) / math.sinh(3.0)
    best = int(np.argmin([value(time) for time in times]))
    bounds = times[best - 1], times[best + 1]
    return minimize_scalar(value, bounds=bounds, method="bounded", options={"xatol": 1e-9}).fun


@pytest.mark.parametrize(("seed", "d"), [(0, 1), (0, 2), (1, 2), (2, 3), (3, 5)])
def test_against_a_program_for_each_time(seed, d):
    points, signs = separable(seed, d=d)
    found = hard_margin.solve(points, signs)
    assert found.status == "optimal"
    assert 0.0 <= found.gap <= 1e-6
    assert found.objective == pytest.approx(slow_optimum(points, signs), rel=2e-6)


def test_two_points_have_their_bisector():
    rng = np.random.default_rng(0)
    for d in (1, 2, 4):
        points = lorentz.from_spatial(2.0 * rng.normal(size=(2, d)))
        found = hard_margin.solve(points, np.array([1.0, -1.0]))
        direction = points[0] - points[1]
        np.testing.assert_allclose(
            found.w / np.linalg.norm(found.w), direction / np.linalg.norm(direction), atol=1e-5
        )
        half = np.arccosh(-lorentz.product(*points)) / 2
        assert math.asinh(1 / math.sqrt(2 * found.objective)) == pytest.approx(half, rel=1e-6)


@each_of(
    "settings",
    [
        {"n": 200, "d": 2, "reach": 8.0, "gap": 0.01},
        {"n": 60, "d": 3, "reach": 5.0, "gap": 1e-3},
        {"n": 20, "d": 40},
        {"n": 2000, "d": 4},
    ],
)
@each_of("seed", range(2))
def test_margins_hold_and_are_the_largest(seed, settings):
    points, signs = separable(seed, **settings)
    found = hard_margin.solve(points, signs)
    assert found.status == "optimal"
    margins = signs * lorentz.product(found.w, points)
    assert margins.min() == pytest.approx(1.0, abs=1e-6)
    least = math.asinh(1.0 / math.sqrt(2.0 * found.objective))
    distances = signs * lorentz.hyperplane_distance(points, found.w)
    assert distances.min() == pytest.approx(least, rel=1e-6)
    assert least > settings.get("gap", 0.1)  # the hyperplane of the sample has no more
    rng = np.random.default_rng(seed)
    for size in (1e-4, 1e-2, 1.0):
        for _ in range(50):
            w = found.w + size * np.linalg.norm(found.w) * rng.normal(size=len(found.w))
            if lorentz.product(w, w) > 0:
                other = (signs * lorentz.hyperplane_distance(points, w)).min()
                assert other <= least * (1 + 1e-6)


def test_a_normal_is_divided_by_its_least_margin():
    points, signs = separable(0)
    best = hard_margin.solve(points, signs)
    w, value = hard_margin._widen(0.3 * best.w, 0.7)
    np.testing.assert_allclose(w, best.w, rtol=1e-9)
    assert value == pytest.approx(best.objective, rel=1e-9)
    assert hard_margin._widen(-best.w, 2.0)[1] == math.inf


@pytest.mark.parametrize("batch", [1, 3])
def test_rows_that_are_violated_enter(monkeypatch, batch):
    points, signs = separable(1, n=300, d=4)
    expected = hard_margin.solve(points, signs)
    monkeypatch.setattr(hard_margin, "_BATCH", batch)
    found = hard_margin.solve(points, signs)
    assert found.status == "optimal"
    assert found.n_iter > expected.n_iter
    assert found.objective == pytest.approx(expected.objective, rel=2e-6)
    assert (signs * lorentz.product(found.w, points)).min() == pytest.approx(1.0, abs=1e-9)


def test_isometries_change_nothing():
    points, signs = separable(4, d=3)
    found = [hard_margin.solve(moved(points, 1, far), signs) for far in (0.0, 2.0, 6.0)]
    values = [fit.objective for fit in found]
    assert all(fit.status == "optimal" for fit in found)
    np.testing.assert_allclose(values, values[0], rtol=2e-6)


def test_soft_margins_bound_it_from_below_and_end_there():
    points, signs = separable(0, gap=0.05)
    hard = hard_margin.solve(points, signs)
    soft = [global_optimum.solve(points, signs, C) for C in (0.1, 1.0, 1e6)]
    assert all(fit.lower_bound <= hard.objective for fit in soft)
    assert soft[0].objective < 0.5 * hard.objective
    assert soft[2].objective == pytest.approx(hard.objective, rel=1e-5)


def test_the_gap_stays_open_without_slices():
    points, signs = separable(1)
    found = hard_margin.solve(points, signs, max_slices=1)
    assert found.status == "gap open"
    assert found.lower_bound < found.objective
    assert "proved to a relative gap" in found.warning


def test_estimator():
    points, signs = separable(2, n=60)
    curvature = 0.5
    X, y = points / math.sqrt(curvature), np.where(signs > 0, "b", "a")
    settings = {"C": np.inf, "chart": "hyperboloid", "curvature": curvature}
    model = HyperboloidSVC(**settings).fit(X, y)
    assert (model.predict(X) == y).all()
    nearest = np.abs(model.decision_function(X)).min()
    assert nearest == pytest.approx(
        math.asinh(1 / math.sqrt(2 * model.objective_)) / math.sqrt(curvature), rel=1e-6
    )
    assert model.objective_ == pytest.approx(hard_margin.solve(points, signs).objective)
    # Weights do not matter, except 0.
    weights = np.random.default_rng(0).uniform(0.1, 10.0, size=len(y))
    weighted = HyperboloidSVC(**settings).fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(weighted.coef_, model.coef_, rtol=1e-12)
    weights[np.argsort(np.abs(model.decision_function(X)))[:3]] = 0.0
    less = HyperboloidSVC(**settings).fit(X, y, sample_weight=weights)
    assert less.objective_ < model.objective_
    with pytest.raises(InputError, match="hard margin has no loss"):
        model.objective(X, y)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"C": 1e11}, "give at most 1e10, or C=inf"),
        ({"solver": "local"}, "C=inf needs solver='optimal'"),
        ({"robust_radius": 0.1}, "robust_radius=0"),
    ],
)
def test_settings_without_a_hard_margin_are_named(settings, message):
    points, signs = separable(0)
    with pytest.raises(InputError, match=message):
        HyperboloidSVC(**{"C": np.inf, "chart": "hyperboloid"} | settings).fit(points, signs)


def test_classes_that_cannot_be_separated_are_named():
    points, signs = separable(0)
    model = HyperboloidSVC(C=np.inf, chart="hyperboloid")
    signs[0] *= -1.0  # in the middle of the others
    points[0] = lorentz.from_spatial(points[signs == -signs[0]][:, 1:].mean(axis=0))
    assert hard_margin.solve(points, signs).status == "inseparable"
    n = int((signs > 0).sum())
    message = f"no hyperplane separates {n} rows of one class from {len(signs) - n} others"
    with pytest.raises(InputError, match=message):
        model.fit(points, signs)
    signs[1], points[1] = -signs[0], points[0]
    with pytest.raises(InputError, match=r"rows 0 and 1 are the same point.*give a finite C"):
        model.fit(points, signs)
