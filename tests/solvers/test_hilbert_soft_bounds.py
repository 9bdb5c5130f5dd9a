"""What the soft margin's bounds rest on: dual points inside their balls, chords between radii."""

import numpy as np
import pytest
from cases import each_of
from test_hilbert_soft_margin import (
    CASES,
    METRICS,
    by_linear_program,
    simplex,
    solid,
    solve,
    towards_means,
)

from noneuclid.geometry.polytope import Polytope
from noneuclid.solvers.hilbert import soft_margin as soft_margin_module
from noneuclid.solvers.hilbert.soft_margin import _maximise_bound, _Search, soft_margin
from noneuclid.solvers.hilbert.soft_margin_kernels import CLEAR
from noneuclid.solvers.hilbert.soft_margin_problem import draw_rows, problems
from noneuclid.solvers.hilbert.soft_margin_program import solve_as_program
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
        found.set_level(nu, 0.3)
        _, gradient, H = found.evaluate_cost(nu)
        (above, g1, _), (below, g0, _) = (found.evaluate_cost(nu + h * step) for h in (1e-6, -1e-6))
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
            found.set_level(nu, width)
            _, gradient, _ = found.evaluate_cost(nu)
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
    assert off <= 1e-10
    assert gradient == pytest.approx((gradient @ nu) * problem.pull, abs=1e-8)


def test_a_thousand_points():
    rng = np.random.default_rng(0)
    X, nu = rng.dirichlet(np.ones(20), 1000), rng.normal(size=20)
    signs = np.where(X @ nu > np.median(X @ nu), 1.0, -1.0)
    signs[rng.random(1000) < 0.1] *= -1
    found = soft_margin(X, signs, *simplex(20), C=1.0)
    assert found.objective <= found.upper_bound <= found.objective + 1e-4


@pytest.mark.parametrize("metric", ["hilbert", "reverse_funk"])
def test_rows_left_out_change_nothing(metric):
    """Along a path, cost, gradient and Hessian are those of all rows; some rows are left out."""
    problem, found, _ = descent(metric)
    _, every, _ = descent(metric)
    found.alpha[:] = every.alpha[:] = 0.5
    rng, nu = np.random.default_rng(3), problem.pull / (problem.pull @ problem.pull)
    for one in (found, every):
        one.set_level(nu, 0.01)
    skipped = 0
    for _ in range(20):
        every.rows[CLEAR] = -np.inf
        value, gradient, H = found.evaluate_cost(nu)
        expected = every.evaluate_cost(nu)
        assert value == pytest.approx(expected[0], rel=1e-12)
        np.testing.assert_allclose(gradient, expected[1], rtol=0, atol=1e-9)
        np.testing.assert_allclose(H, expected[2], rtol=1e-9, atol=1e-7)
        nu = nu + 0.03 * rng.normal(size=len(nu))
        skipped += (found.rows[CLEAR] > found.path + np.abs(nu - found.at).max()).sum()
    assert skipped > 0


@each_of("metric", METRICS)
@each_of("name", ["simplex", "solid"])
def test_resultant_adds_up_the_dual_solution(name, metric):
    """With the charges of the rows it is balanced along the pull, at the value of the bound."""
    X, signs, polytope = CASES[name]
    _, (problem,) = problems(X, signs, *polytope, metric, "means")
    found = solve(problem, 0.3, lambda low, up: up - low <= 1e-5)
    left = -found.resultant(problem.weights * signs)
    np.testing.assert_allclose(left, found.lower * problem.pull, atol=1e-7)
    one = np.eye(len(signs))[3]
    others = found.resultant(1.0 - one)
    np.testing.assert_allclose(found.resultant(one) + others, found.resultant(np.ones_like(one)))


@each_of("metric", METRICS)
@each_of("name", ["simplex", "solid"])
def test_chords_hold_between_radii(name, metric):
    """The bound of an interval is no smaller than h on it, and close to it if it is short."""
    X, signs, polytope = CASES[name]
    _, found = problems(X, signs, *polytope, metric, "means")
    C, u = 0.4, towards_means(X, signs)
    for a, b in ((0.05, 0.3), (0.2, 0.3), (0.28, 0.3)):
        search = _Search(found, C / len(X), 1e-4, 100, (1e-6, 2.0))
        search.add_slice(0, a)
        search.add_slice(0, b)
        simple = b - search.price * search.slices[0, a].lower
        radii = np.linspace(a, b, 5)
        h = [r - C * by_linear_program(X, signs, polytope, u, metric, r) / len(X) for r in radii]
        for extra in (1e-3, 1e-2, 0.1):
            search.best = max(h) + extra  # how hard the chord is tried
            bound = search.bound_by_chord(0, a, b)
            assert bound >= max(h) - 1e-7
            assert bound <= simple
        search.best = max(h) + 1e-3
        if a == 0.28:  # far below the bound of balls that only grow
            assert search.bound_by_chord(0, a, b) <= max(h) + 1.1e-3 < simple - 0.005


def test_most_is_the_maximum_on_a_grid():
    rng = np.random.default_rng(0)
    for _ in range(300):
        a, b = np.sort(rng.uniform(0, 2, 2))
        rate, price = rng.choice([1.0, 2.0]), rng.uniform(0.01, 2)
        low, high = rng.normal(size=2)
        sag = rng.choice([0.0, rng.exponential(), 100.0 * rng.exponential()])
        r = np.linspace(a, b, 4001)
        ends, rho = np.exp(rate * np.array([a, b])), np.exp(rate * r)
        share = (rho - ends[0]) / np.ptp(ends)
        chord = low + share * (max(low, high) - low) - sag * share * (1 - share) * np.ptp(ends)
        grid = np.max(r - price * np.maximum(low, chord))
        found = _maximise_bound(a, b, rate, price, low, high, sag)
        assert found >= grid - 1e-12
        assert found <= grid + 0.01 * (b - a)
    assert _maximise_bound(1.0, 2.0, 2.0, 0.5, 0.3, 0.7, np.inf) == 2.0 - 0.15


def small_problem(seed):
    """A simplex or a box with 6 to 14 random rows, some of them near facets, and a random C."""
    rng = np.random.default_rng(seed)
    n, m, C = rng.integers(6, 15), rng.integers(3, 6), 10.0 ** rng.uniform(-2.5, 1.5)
    X = rng.dirichlet(rng.choice([0.5, 1.0, 3.0]) * np.ones(m), n)
    X = (X + 1e-4) / (1 + m * 1e-4)
    y = X[:, 0] + rng.choice([0.0, 0.3]) * rng.normal(size=n)
    signs = np.where(y > np.median(y), 1.0, -1.0)
    if seed % 2:
        return X, signs, simplex(m), C
    X = X[:, :2]
    return X, signs, Polytope.box([0, 0], [1, 1]).facets, C


@pytest.mark.slow
@each_of("part", range(20))
def test_no_radius_beats_the_bound(part):
    """On 220 random problems HiGHS finds no larger objective at random radii of the range."""
    for seed in range(11 * part, 11 * part + 11):
        X, signs, polytope, C = small_problem(seed)
        metric = METRICS[seed % 3]
        found = soft_margin(X, signs, *polytope, metric=metric, C=C, max_iter=15)
        assert found.objective <= found.upper_bound
        assert found.upper_bound <= found.objective + 1e-4 or found.warning
        u, (low, high) = towards_means(X, signs), found.radii
        rng = np.random.default_rng(seed)
        near = np.clip(found.radius * (1 + 0.05 * rng.normal()), low, high)
        for r in (near, low + (high - low) * rng.random() ** 3):
            value = r - C * by_linear_program(X, signs, polytope, u, metric, r) / len(X)
            assert value <= found.upper_bound + 1e-7 * max(1.0, abs(value)), (seed, r)


def test_many_rows_are_located_on_a_sample():
    """The optimum and the bound are those of all rows, in any order and with labels swapped."""
    rng = np.random.default_rng(0)
    X, nu = rng.dirichlet(np.ones(4), 6100), rng.normal(size=4)
    signs = np.where(X @ nu > np.median(X @ nu), 1.0, -1.0)
    signs[rng.random(len(X)) < 0.1] *= -1
    order = rng.permutation(len(X))
    base = soft_margin(X, signs, *simplex(), C=0.02)
    swapped = soft_margin(X[order], -signs[order], *simplex(), C=0.02)
    assert base.status == swapped.status == "optimal"
    assert base.upper_bound <= base.objective + 1e-4
    assert base.objective <= swapped.upper_bound
    assert swapped.objective <= base.upper_bound
    assert base.slacks.shape == (6100,)
    few = soft_margin(*CASES["simplex"][:2], *simplex(), C=0.02)
    assert abs(few.objective - base.objective) > 1e-3


@pytest.mark.parametrize("C", [1e2, 1e5])
def test_steps_grow_and_halve_about_a_kink(C):
    """Where the slacks begin, h falls at once: steps of the size of `tol` would be hundreds."""
    X = np.random.default_rng(1).uniform(-0.9, 0.9, (100, 4))
    value = X[:, 0] + 0.3 * X[:, 1]
    keep = np.abs(value) > 0.25
    box = Polytope.box(-np.ones(4), np.ones(4))
    found = soft_margin(X[keep], np.sign(value[keep]), *box.facets, C=C)
    assert found.status == "optimal"
    assert found.n_iter <= 40


def test_sample_stands_for_all_rows():
    """Heavy rows are in it with their weights, the others with those of the rows left out."""
    X = np.random.default_rng(0).dirichlet(np.ones(4), 4000)
    signs = np.where(X[:, 0] > 0.3, 1.0, -1.0)
    _, (problem,) = problems(X, signs, *simplex(), "hilbert", "means")
    rows, weights = draw_rows(problem, 800)
    certain = weights == problem.weights[rows]
    assert len(rows) == pytest.approx(800, abs=80)
    assert weights.sum() == pytest.approx(problem.weights.sum(), rel=0.05)
    assert set(np.argsort(problem.weights)[-50:]) <= set(rows[certain])
    assert np.ptp(weights[~certain]) <= 1e-9 * weights.max()


def test_heaviest_rows_bound_all():
    """Their masses are a dual solution of all rows, with the others at none."""
    X, signs, polytope = solid(700)
    _, (problem,) = problems(X, signs, *polytope, "hilbert", "means")
    search = _Search([problem], 0.4 / len(X), 1e-4, 100, (1e-6, 2.0))
    found = search.bound_by_heavy(problem, 0.3, lambda low, up: up - low <= 1e-6 * up)
    whole = solve(problem, 0.3, lambda low, up: up - low <= 1e-6 * up)
    assert 0.1 * whole.upper < found.lower < whole.lower
    left = -found.resultant(problem.weights * signs)
    np.testing.assert_allclose(left, found.lower * problem.pull, atol=1e-7 * found.lower)
    assert found.upper == np.inf


@each_of("metric", METRICS)
@each_of("name", ["simplex", "solid"])
def test_the_program_for_few_rows_has_the_same_bounds(name, metric):
    X, signs, polytope = CASES[name]
    _, (problem,) = problems(X, signs, *polytope, metric, "means")
    for r in (0.1, 0.6):
        usual = solve(problem, r, lambda low, up: up - low <= 1e-6 * up)
        found = solve_as_program(problem, r, problem.weights, 0.0 * problem.pull)
        assert found.lower == pytest.approx(usual.lower, rel=1e-5)
        assert found.upper == pytest.approx(usual.upper, rel=1e-5)
        assert found.lower <= found.upper * (1.0 + 1e-12)
        assert problem.weights @ found.slacks == pytest.approx(found.upper)
        left = -found.resultant(problem.weights * signs)
        np.testing.assert_allclose(left, found.lower * problem.pull, atol=1e-6 * found.upper)
        # Its dual points lie in the balls that their T allow.
        rate, low = problem.rate, {"hilbert": 1.0, "funk": 1.0, "reverse_funk": 0.0}[metric]
        z = np.array([found.resultant(row) for row in np.eye(len(signs))])
        B = np.eye(len(problem.e)) if problem.B is None else problem.B
        values = z @ B.T / (problem.points if problem.B is None else problem.a)
        size = found.sizes[:, None]
        assert (values >= low * size - 1e-9).all()
        if metric != "funk":
            assert (values <= np.exp(rate * r) * size + 1e-9).all()
        assert (z @ problem.e <= 1.0 + 1e-12).all()


def test_rows_next_to_facets_are_certified_as_a_program(monkeypatch):
    """The interior-point method ends with bounds of 0.34 and thousands; a gap of 1.2 was left."""
    X = np.array([[0.9607, 0.99999918], [0.2677, 0.9809], [0.5252, 0.9676], [0.7094, 0.0629]])
    problem = X, np.array([1.0, -1.0, -1.0, -1.0]), *Polytope.box([0, 0], [1, 1]).facets
    found = soft_margin(*problem, C=0.026)
    assert found.status == "optimal"
    assert found.n_iter < 60
    monkeypatch.setattr(soft_margin_module, "MOST", 0)
    slow = soft_margin(*problem, C=0.026)
    assert slow.upper_bound - slow.objective > 1e-4
    assert slow.objective <= found.upper_bound
    assert found.objective <= slow.upper_bound


def test_slices_that_fail_close_no_interval():
    """Rows 1e-6 from a facet: minimisations near the maximum end with no digit."""
    A = np.r_[np.eye(4), -np.eye(4), [[-0.5399715, -1.2602418, -1.8946212, 0.0186382]]]
    X = np.array(
        [
            [-0.92938188, -0.99999857, -0.2545063, -0.05944574],
            [-0.99982872, 0.40626981, -0.89007104, 0.81663722],
            [0.2601108, -0.20781998, 0.59151162, 0.00915522],
        ]
    )
    polytope = A, np.ones(9), np.zeros((0, 4)), np.zeros(0)
    found = soft_margin(X, np.array([-1.0, 1.0, -1.0]), *polytope, C=0.0152837)
    assert found.objective > 2.3935
    assert found.status == "optimal"
    assert found.n_iter < 60
