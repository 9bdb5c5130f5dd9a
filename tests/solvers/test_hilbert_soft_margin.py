"""The soft margin in Hilbert and Funk geometry against LP (14) written out, and its laws."""

import numpy as np
import pytest
from cases import each_of
from scipy import sparse
from scipy.optimize import linprog

from noneuclid import HilbertSVC
from noneuclid.errors import InputError
from noneuclid.geometry.polytope import Polytope
from noneuclid.geometry.polytope_metrics import pairwise_polytope_distances
from noneuclid.solvers.hilbert.hard_margin import hard_margin
from noneuclid.solvers.hilbert.problem import METRICS
from noneuclid.solvers.hilbert.soft_margin import choose_solver, soft_margin
from noneuclid.solvers.hilbert.soft_margin_problem import largest_radius, problems

FLAT = np.zeros((0, 3)), np.zeros(0)


def simplex(m=4):
    return np.eye(m), np.zeros(m), np.ones((1, m)), -np.ones(1)


def compositions(n=24, m=4, seed=3, noise=0.05):
    rng = np.random.default_rng(seed)
    X = rng.dirichlet(3 * np.ones(m), n)
    return X, np.where(X[:, 0] + noise * rng.normal(size=n) > 0.25, 1.0, -1.0)


def solid(n=20, seed=1):
    rng = np.random.default_rng(seed)
    A = np.r_[np.eye(3), -np.eye(3), rng.normal(size=(3, 3))]
    X = rng.uniform(-0.9, 0.9, size=(20 * n, 3))
    X = X[(X @ A.T + 1.0).min(axis=1) > 0.02][:n]
    signs = np.where(X[:, 0] + 0.3 * rng.normal(size=n) > 0, 1.0, -1.0)
    return X, signs, (A, np.ones(9), *FLAT)


CASES = {"simplex": (*compositions(), simplex()), "solid": solid()}


def by_linear_program(X, signs, polytope, u, metric, r):
    """LP (14) by vertices-free duality: multipliers of every bound of every ball."""
    A, b, E, f = polytope
    (m, d), n, k = A.shape, len(X), len(f)
    a = X @ A.T + b
    flat = A - A @ np.linalg.pinv(E) @ E if k else A
    weights = 1.0 / (a / np.linalg.norm(flat, axis=1)).min(axis=1)
    low = {"hilbert": 1.0, "funk": np.exp(-r), "reverse_funk": 0.0}[metric]
    high = {"hilbert": np.exp(2 * r), "funk": 0.0, "reverse_funk": np.exp(r)}[metric]
    width = 2 * m + k + 1
    equal, most = sparse.lil_matrix((n * d + 1, d + 1 + n * width)), []
    for i, sign in enumerate(signs):
        at = d + 1 + i * width
        equal[i * d : i * d + d, at : at + width - 1] = np.c_[A.T, -A.T, E.T]
        equal[i * d : i * d + d, :d] = -sign * np.eye(d)
        height, size = np.zeros((2, d + 1 + n * width))
        height[at : at + width] = np.r_[b, -b, f, -1.0]
        height[d] = -sign
        bounds = np.r_[-low * a[i], high * a[i]]
        (size if metric == "hilbert" else height)[at : at + 2 * m] += bounds
        most += [height, size]
    equal[-1, :d] = u
    upper = None if high else 0.0
    each = [(0, None)] * m + [(0, upper)] * m + [(None, None)] * k + [(0, None)]
    cost = np.r_[np.zeros(d + 1), np.kron(weights, np.r_[np.zeros(width - 1), 1.0])]
    answer = linprog(
        cost,
        A_ub=sparse.csr_matrix(np.array(most)),
        b_ub=np.zeros(2 * n),
        A_eq=equal.tocsr(),
        b_eq=np.r_[np.zeros(n * d), 1.0],
        bounds=[(None, None)] * (d + 1) + each * n,
    )
    return answer.fun


def solve(problem, r, stop):
    """The slice at a radius by the method that the search takes."""
    return choose_solver(problem)(problem, r, problem.weights, np.zeros_like(problem.pull), stop)


def towards_means(X, signs):
    u = X[signs > 0].mean(axis=0) - X[signs < 0].mean(axis=0)
    return u / np.linalg.norm(u)


@each_of("metric", METRICS)
@each_of("name", ["simplex", "solid"])
def test_slice_is_the_linear_program(name, metric):
    accuracy = 1e-6
    X, signs, polytope = CASES[name]
    _, (problem,) = problems(X, signs, *polytope, metric, "means")
    for r in (1e-3, 0.1, 0.5, 1.5):
        expected = by_linear_program(X, signs, polytope, towards_means(X, signs), metric, r)
        found = solve(problem, r, lambda low, up: up - low <= accuracy * (1 + low))
        assert found.lower <= expected * (1 + 1e-7) + 1e-9
        assert found.upper >= expected * (1 - 1e-7) - 1e-9
        assert found.upper - found.lower <= accuracy * (1 + expected)
        assert problem.weights @ found.slacks == pytest.approx(found.upper)


@each_of("metric", METRICS)
@each_of("C", [0.05, 0.5, 5.0])
def test_search_against_a_grid(metric, C):
    X, signs, polytope = CASES["simplex"]
    found = soft_margin(X, signs, *polytope, metric=metric, C=C)
    assert found.status == "optimal"
    assert found.objective <= found.upper_bound <= found.objective + 1e-4
    _, (problem,) = problems(X, signs, *polytope, metric, "means")
    largest, u = largest_radius(problem), towards_means(X, signs)
    near = found.radius + np.linspace(-0.02, 0.02, 9)
    radii = np.r_[np.linspace(1e-6, 1, 30) * largest, near]
    radii = radii[(radii > 0) & (radii <= largest)]
    values = [r - C * by_linear_program(X, signs, polytope, u, metric, r) / len(X) for r in radii]
    assert max(values) <= found.upper_bound + 1e-7
    at = by_linear_program(X, signs, polytope, u, metric, found.radius)
    # The slice itself is solved to a fifth of tol.
    assert found.objective == pytest.approx(found.radius - C * at / len(X), abs=1e-4)
    assert problem.weights @ found.slacks == pytest.approx(
        (found.radius - found.objective) * len(X) / C
    )


@pytest.mark.parametrize("metric", METRICS)
def test_slacks_are_lifts(metric):
    """On the simplex the lift of g is brute force over the vertices of the ball."""
    X, signs, polytope = CASES["simplex"]
    found = soft_margin(X, signs, *polytope, metric=metric, C=1.0)
    r = found.radius
    for i in range(8):
        lowest = _least_on_ball(signs[i] * found.nu, X[i], metric, r)
        assert found.slacks[i] == pytest.approx(max(0.0, -lowest), abs=1e-9)


def _least_on_ball(nu, p, metric, r):
    # q in the simplex, s: bounds of q/p as in Birkhoff's formula.
    m = len(p)
    if metric == "hilbert":
        A_ub = np.r_[np.c_[-np.eye(m), p], np.c_[np.eye(m), -np.exp(2 * r) * p]]
        b_ub = np.zeros(2 * m)
    elif metric == "funk":
        A_ub, b_ub = np.c_[-np.eye(m), np.zeros(m)], -np.exp(-r) * p
    else:
        A_ub, b_ub = np.c_[np.eye(m), np.zeros(m)], np.exp(r) * p
    return linprog(np.r_[nu, 0.0], A_ub, b_ub, [np.r_[np.ones(m), 0.0]], [1.0]).fun


@pytest.mark.parametrize("metric", METRICS)
def test_laws(metric):
    X, signs, polytope = CASES["solid"]
    A, b, E, f = polytope
    base = soft_margin(X, signs, *polytope, metric=metric, C=0.3)
    order = np.random.default_rng(0).permutation(len(X))
    scale = np.geomspace(1e-3, 1e3, len(b))
    moved = (A, b - 100.0 * A.sum(axis=1), E, f)
    for other in (
        soft_margin(X, -signs, *polytope, metric=metric, C=0.3),
        soft_margin(X[order], signs[order], *polytope, metric=metric, C=0.3),
        soft_margin(np.r_[X, X], np.r_[signs, signs], *polytope, metric=metric, C=0.3),
        soft_margin(X, signs, A * scale[:, None], b * scale, E, f, metric=metric, C=0.3),
        soft_margin(X + 100.0, signs, *moved, metric=metric, C=0.3),
    ):
        assert other.objective <= base.upper_bound + 1e-8
        assert base.objective <= other.upper_bound + 1e-8


def separated(seed=5):
    X, _ = compositions(60, 4, seed)
    value = X @ [1.0, -1.0, 0.3, -0.2]
    middle = np.sort(value)[30]
    keep = np.abs(value - middle) > 0.1
    return X[keep], np.sign(value - middle)[keep]


def test_large_C_is_the_hard_margin():
    X, signs = separated()
    soft = soft_margin(X, signs, *simplex(), C=1e6)
    hard = hard_margin(X, signs, *simplex())
    assert soft.radius == pytest.approx(hard.radius, abs=1.2e-4)
    assert soft.upper_bound >= hard.radius - 1e-6


def test_small_C_takes_the_largest_radius():
    X, signs, polytope = CASES["simplex"]
    found = soft_margin(X, signs, *polytope, C=1e-6)
    _, (problem,) = problems(X, signs, *polytope, "hilbert", "means")
    logs = np.log(X)
    ratios = logs[signs > 0][:, None] - logs[signs < 0][None]
    assert largest_radius(problem) == pytest.approx(0.25 * np.ptp(ratios, axis=2).max())
    assert found.radius == pytest.approx(largest_radius(problem), abs=1e-3)


def in_the_box():
    rng = np.random.default_rng(0)
    X = rng.uniform(0.05, 0.95, size=(40, 2))
    return X, np.where(X[:, 0] + 0.3 * rng.normal(size=40) > 0.5, 1.0, -1.0)


@each_of("metric", METRICS)
@each_of("C", [1.0, 1e4])
def test_the_bound_is_one_of_the_radii_searched_only(metric, C):
    """No radius in the range exceeds it; one outside does, since the slacks are bounded."""
    X, signs = in_the_box()
    box = Polytope.box([0, 0], [1, 1])
    model = HilbertSVC(box, metric=metric, C=C, calibration=None).fit(X, signs)
    low, high = model.radius_range_
    assert low == pytest.approx(1e-6 * high)
    if metric == "hilbert":
        far = pairwise_polytope_distances(X[signs > 0], X[signs < 0], box, metric)
        assert high == pytest.approx(far.max() / 2)
    u = towards_means(X, signs)

    def value(r):
        return r - C * by_linear_program(X, signs, box.facets, u, metric, r) / len(X)

    bound = model.upper_bound_in_range_
    rounding = 1e-7 * max(1.0, abs(bound))
    assert max(map(value, np.geomspace(low, high, 15))) <= bound + rounding
    assert value(8.0 if C == 1.0 else 1e-3 * low) > bound + rounding


def test_paper_normalisation_loses_what_means_keeps():
    X, signs, polytope = solid(seed=2)
    signs = np.where(X.sum(axis=1) > 0, -1.0, 1.0)
    X = X + 0.05 * signs[:, None] * [-1.0, -1.0, -1.0]
    inside = (X @ polytope[0].T + polytope[1]).min(axis=1) > 0
    X, signs = X[inside], signs[inside]
    means = soft_margin(X, signs, *polytope, C=100.0)
    axes = soft_margin(X, signs, *polytope, C=100.0, normalization="axes")
    paper = soft_margin(X, signs, *polytope, C=100.0, normalization="paper")
    assert means.objective > 0.01
    assert axes.objective > 0.01
    assert (np.sign(X @ means.w + means.c) == signs).all()
    assert paper.upper_bound < 0
    assert paper.w.sum() == pytest.approx(1.0)


def test_one_wrong_label_and_points_at_the_boundary():
    X, signs = separated()
    clean = soft_margin(X, signs, *simplex(), C=1.0)
    wrong = signs.copy()
    wrong[np.argmax(X @ clean.w + clean.c)] *= -1
    found = soft_margin(X, wrong, *simplex(), C=1.0)
    agree = (np.sign(X @ found.w + found.c) == signs).mean()
    assert agree > 0.9
    edge = X.copy()
    edge[0, 1], edge[0, 2] = 1e-8, X[0, 1] + X[0, 2] - 1e-8
    found = soft_margin(edge, signs, *simplex(), C=1.0, max_iter=60)
    # A weight of 1e8 asks for more digits than there are: either proved or said.
    assert found.objective <= found.upper_bound
    assert (found.upper_bound <= found.objective + 1e-4) == (found.warning == "")
    assert np.isfinite(found.objective)


def test_unbalanced_classes():
    X, _ = compositions(40)
    signs = np.where(np.arange(40) == np.argmax(X[:, 0]), 1.0, -1.0)
    found = soft_margin(X, signs, *simplex(), C=1.0)
    assert found.status == "optimal"


def test_stops_early_and_says_so():
    X, signs, polytope = CASES["simplex"]
    found = soft_margin(X, signs, *polytope, C=1.0, max_iter=5)
    assert found.status == "inaccurate"
    assert "gap" in found.warning
    best = soft_margin(X, signs, *polytope, C=1.0)
    assert best.objective <= found.upper_bound
    assert found.objective <= best.upper_bound


def test_bad_input():
    X, signs, polytope = CASES["simplex"]
    with pytest.raises(InputError, match="row 2"):
        soft_margin(np.where(np.arange(len(X))[:, None] == 2, np.eye(4)[0], X), signs, *polytope)
    with pytest.raises(InputError, match="class"):
        soft_margin(X, np.ones(len(X)), *polytope)
    with pytest.raises(InputError, match="means"):
        soft_margin(np.r_[X, X], np.r_[signs, -signs], *polytope)
    with pytest.raises(InputError, match="paper"):
        soft_margin(X, signs, *polytope, normalization="paper")
