"""Margins with rows close to facets, and in boxes whose widths differ by seven decades."""

import itertools

import numpy as np
import pytest
from cases import each_of

from noneuclid.solvers.hilbert.hard_margin import hard_margin
from noneuclid.solvers.hilbert.hard_margin_reference import reference_margin
from noneuclid.solvers.hilbert.problem import METRICS, cone_over, generate_rows, power_of_two
from noneuclid.solvers.hilbert.soft_margin import soft_margin

WIDTHS = np.array([1e-4, 0.1, 10.0, 1e3])


def full(d):
    return np.zeros((0, d)), np.zeros(0)


def polytope(kind, d, rng):
    if kind == "cross":
        A = np.array(list(itertools.product([1.0, -1.0], repeat=d)))
        return A, np.ones(len(A))
    if kind == "box":
        return np.vstack([np.eye(d), -np.eye(d)]), np.ones(2 * d)
    if kind == "corner":
        return np.vstack([np.eye(d), -np.ones(d)]), np.r_[np.zeros(d), 1.0]
    A = rng.normal(size=(2 * d + 3, d))
    A[-1] = -A[:-1].sum(axis=0)
    return A / np.linalg.norm(A, axis=1, keepdims=True), np.ones(len(A))


def near_facets(seed):
    """Few rows, down to 3e-6 of a chord from a facet, on both sides of a hyperplane."""
    rng = np.random.default_rng(seed)
    kind = ("cross", "box", "corner", "random")[seed % 4]
    d, n = rng.integers(2, 5), rng.integers(4, 13)
    A, b = polytope(kind, d, rng)
    centre = np.full(d, 1 / (d + 1) if kind == "corner" else 0.0)
    u = rng.normal(size=d)
    X = rng.normal(size=(n, d))
    reach = 1 / np.max(-(X @ A.T) / (A @ centre + b), axis=1)
    X = centre + X * (reach * (1 - 10.0 ** rng.uniform(-5.5, -0.1, n)))[:, None]
    score = (X - centre) @ (u / np.linalg.norm(u))
    keep = np.abs(score) > 0.5 * np.median(np.abs(score))
    return X[keep], np.sign(score[keep]), A, b, *full(d)


@each_of(
    ("seed", "metric"),
    [
        *((1, "hilbert"), (32, "hilbert"), (87, "hilbert"), (104, "hilbert"), (178, "hilbert")),
        *((8, "hilbert"), (152, "hilbert"), (7, "reverse_funk"), (20, "reverse_funk")),
    ],
)
def test_rows_near_facets_have_the_margin_of_plain_bisection(seed, metric):
    """Where Dinkelbach's candidates alternate (to 32) or the bound was too coarse (the others)."""
    problem = near_facets(seed)
    fit, slow = hard_margin(*problem, metric), reference_margin(*problem, metric, "short")
    assert fit.status == "optimal"
    assert fit.radius <= fit.upper_bound <= fit.radius + 1e-6
    assert slow.radius - 1e-6 <= fit.radius <= slow.upper_bound + 1e-6
    assert fit.n_iter < 60


def test_bisection_takes_over_where_the_candidates_creep():
    """A margin of 1 that candidates approach by 1e-6 each, with a bound only above it."""
    tried = []

    def solve(rows, radius, weights, slow):
        tried.append(radius)
        if radius > 1.0:
            return None, radius
        return (max(radius, 0.1) + 1e-6 if weights[0] == 1.0 else radius + 1e-6), 8.0

    def measure(candidate):
        return np.array([0.0, 1.0]), min(candidate, 1.0), np.array([1.0, 2.0])

    _, best, upper, n_iter, status, _ = generate_rows(
        solve, measure, np.array([1.0, -1.0]), 1e-6, 200, 5
    )
    assert status == "optimal"
    assert best <= 1.0 <= upper <= best + 1e-6
    assert n_iter < 60
    assert max(tried[:5]) < 0.11 < tried[5]


def boxed(widths, gap):
    rng = np.random.default_rng(0)
    U = rng.uniform(0.02, 0.98, (40, 4))
    score = U @ [1.0, -0.5, 0.7, 0.4] - 0.8
    U, score = U[np.abs(score) > gap], score[np.abs(score) > gap]
    low = widths * [0.0, 1.0, -1.0, 2.0]
    A, b = np.vstack([np.eye(4), -np.eye(4)]), np.r_[-low, low + widths]
    return low + U * widths, np.where(score > 0, 1.0, -1.0), A, b, *full(4)


@pytest.mark.parametrize("metric", METRICS)
def test_widths_of_seven_decades_change_no_hard_margin(metric):
    even, uneven = (hard_margin(*boxed(w, 0.1), metric) for w in (np.ones(4), WIDTHS))
    assert uneven.status == "optimal"
    assert uneven.radius == pytest.approx(even.radius, abs=1e-6)


@pytest.mark.parametrize("metric", METRICS)
def test_widths_of_seven_decades_have_a_certified_soft_margin(metric):
    X, signs, *facets = boxed(WIDTHS, 0.0)
    found = soft_margin(X, signs, *facets, metric, C=1e-5, max_iter=60)
    assert found.status == "optimal"
    assert -1e-9 <= found.upper_bound - found.objective <= 1e-4
    # Labels swapped: every coordinate changes its sign, no value does.
    other = soft_margin(X, -signs, *facets, metric, C=1e-5, max_iter=60)
    assert other.objective == pytest.approx(found.objective, abs=1e-4)


def test_units_of_facets_and_coordinates_are_exact():
    _, _, A, b, *flat = boxed(WIDTHS, 0.0)
    plain, units = cone_over(A, b, *flat), 2.0 ** np.arange(8)
    cone = plain.rescale(units)
    nu = np.random.default_rng(1).normal(size=8)
    w, c = cone.affine(nu @ cone.M)
    expected_w, expected_c = plain.affine((nu / units) @ plain.M)
    np.testing.assert_allclose(w, expected_w, rtol=1e-14)
    assert c == pytest.approx(expected_c, rel=1e-12)
    one_w, one_c = cone.affine(cone.one)
    np.testing.assert_array_equal(np.r_[one_w, one_c], [0.0, 0.0, 0.0, 0.0, 1.0])
    np.testing.assert_array_equal(power_of_two(np.array([1.0, 90.0])), [1.0, 1.0])
    np.testing.assert_array_equal(power_of_two(np.array([1.0, 190.0])), [1.0, 256.0])
