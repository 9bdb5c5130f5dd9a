"""What the soft margin's bounds rest on: dual points inside their balls, chords between radii."""

import numpy as np
import pytest
from test_hilbert_soft_margin import (
    CASES,
    METRICS,
    by_linear_program,
    simplex,
    solve,
    towards_means,
)

from noneuclid.solvers.hilbert.soft_margin import _maximise_bound, choose_solver, soft_margin
from noneuclid.solvers.hilbert.soft_margin_problem import problems
from noneuclid.solvers.hilbert.soft_margin_simplex import _Descent


def descent(metric, r=0.4):
    X, signs, polytope = CASES["simplex"]
    _, (problem,) = problems(X, signs, *polytope, metric, "means")
    return problem, _Descent(problem, r, problem.weights, np.zeros(4)), np.exp(r)


@pytest.mark.parametrize("metric", ["hilbert", "reverse_funk"])
def test_smoothed_cost_has_its_derivatives(metric):
    _, found, _ = descent(metric)
    rng = np.random.default_rng(1)
    for _ in range(5):
        nu, step = rng.normal(size=(2, 4))
        _, gradient, H = found.evaluate_cost(nu, 0.3)
        (above, g1, _), (below, g0, _) = (
            found.evaluate_cost(nu + h * step, 0.3) for h in (1e-6, -1e-6)
        )
        assert (above - below) / 2e-6 == pytest.approx(gradient @ step, rel=1e-5, abs=1e-4)
        assert (g1 - g0) / 2e-6 == pytest.approx(H @ step, rel=1e-3, abs=1e-2)


@pytest.mark.parametrize("metric", ["hilbert", "reverse_funk"])
def test_gradient_is_a_dual_point_in_the_balls(metric):
    """Each row's share of the gradient, over its mass, is a point of its ball, at all widths."""
    problem, found, factor = descent(metric)
    rng = np.random.default_rng(2)
    for width in (1.0, 0.1, 1e-3):
        nu = rng.normal(size=4)
        for i in range(len(problem.signs)):
            found.weights[:] = np.where(np.arange(len(problem.signs)) == i, 1.0, 0.0)
            _, gradient, _ = found.evaluate_cost(nu, width)
            alpha = found.alpha[i]
            if alpha > 0:
                q = -problem.signs[i] * gradient / alpha
                assert q.sum() == pytest.approx(1.0)
                low, high = (q / problem.points[i]).min(), (q / problem.points[i]).max()
                least = {"hilbert": high / factor**2, "reverse_funk": 0.0}
                assert low >= least[metric] * (1 - 1e-9)
                assert metric != "reverse_funk" or high <= factor * (1 + 1e-9)
                assert_shrinks(metric, alpha * q / problem.points[i], found.sizes[i])


def assert_shrinks(metric, z, size):
    """T p + θ y, over p, lies in the cone of the smaller radius 0.2 (from 0.4)."""
    rate = 2.0 if metric == "hilbert" else 1.0
    z = size + np.expm1(0.2 * rate) / np.expm1(0.4 * rate) * (z - size)
    if metric == "hilbert":
        assert size * (1 - 1e-9) <= z.min()
        assert z.max() <= size * np.exp(0.4) * (1 + 1e-9)


@pytest.mark.parametrize("metric", ["hilbert", "reverse_funk"])
def test_minimiser_is_balanced(metric):
    problem, found, _ = descent(metric)
    nu = problem.pull / (problem.pull @ problem.pull)
    nu, gradient, off = found.minimise(nu, 0.05, None)
    assert nu @ problem.pull == pytest.approx(1.0)
    assert off <= 1e-12
    assert gradient == pytest.approx((gradient @ nu) * problem.pull, abs=1e-9)


def test_a_thousand_points():
    rng = np.random.default_rng(0)
    X, nu = rng.dirichlet(np.ones(20), 1000), rng.normal(size=20)
    signs = np.where(X @ nu > np.median(X @ nu), 1.0, -1.0)
    signs[rng.random(1000) < 0.1] *= -1
    found = soft_margin(X, signs, *simplex(20), C=1.0)
    assert found.objective <= found.upper_bound <= found.objective + 1e-4


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("name", ["simplex", "solid"])
def test_chords_hold_between_radii(name, metric):
    """The bound holds, and is so sharp near b that a wrong share θ would be seen."""
    X, signs, polytope = CASES[name]
    _, (problem,) = problems(X, signs, *polytope, metric, "means")
    solver = choose_solver(problem)

    def stop(low, up):
        return up - low <= 1e-5

    rate, b = 2.0 if metric == "hilbert" else 1.0, 0.3
    at_b = solve(problem, b, stop)
    weights = problem.weights * (1.0 - at_b.sizes)
    load = (problem.weights * at_b.sizes * signs) @ problem.points
    for a in (0.2, 0.28, 0.297):
        joint = solver(problem, a, weights, load, stop).lower
        for r in (a, 0.3 * a + 0.7 * b):
            true = by_linear_program(X, signs, polytope, towards_means(X, signs), metric, r)
            share = np.expm1(rate * r) / np.expm1(rate * b)
            assert share * at_b.lower + (1 - share) * joint <= true + 1e-6
    wrong = np.sqrt(share)
    assert wrong * at_b.lower + (1 - wrong) * joint > true + 1e-4


def test_most_is_the_maximum_on_a_grid():
    rng = np.random.default_rng(0)
    for _ in range(200):
        a, b = np.sort(rng.uniform(0, 2, 2))
        rate, price = rng.choice([1.0, 2.0]), rng.uniform(0.01, 2)
        joint, low, high = rng.normal(size=3)
        r = np.linspace(a, b, 4001)
        chord = joint + np.expm1(rate * r) / np.expm1(rate * b) * (high - joint)
        grid = np.max(r - price * np.maximum(low, chord))
        found = _maximise_bound(a, b, rate, price, low, joint, high)
        assert found >= grid - 1e-12
        assert joint >= high or found <= grid + 0.01 * (b - a)
