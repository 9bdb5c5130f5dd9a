"""What must not change the certified optimum, and the laws of the grouping behind it."""

import numpy as np
import pytest
from cases import each_of
from hypothesis import given, settings
from hypothesis import strategies as st

from noneuclid.geometry import lorentz
from noneuclid.solvers.hyperboloid.certified import global_optimum
from noneuclid.solvers.hyperboloid.certified.slices import row_groups
from noneuclid.solvers.hyperboloid.certified.slices.row_groups import Groups
from noneuclid.solvers.hyperboloid.problem import objective, signed_rows

TOL = 1e-5


def cloud(seed, n=None, d=None):
    """Points, signs and C; noisy halves of the space, or few points inside the other class."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 40)) if n is None else n
    d = int(rng.integers(1, 5)) if d is None else d
    directions = rng.normal(size=(n, d))
    radii = np.sinh(rng.uniform(0.0, rng.choice([1.0, 3.0]), size=n))
    points = lorentz.from_spatial(
        directions * (radii / np.linalg.norm(directions, axis=1))[:, None]
    )
    if seed % 3:
        signs = np.where(points[:, -1] > 0.3 * rng.normal(size=n), 1.0, -1.0)
    else:
        signs = np.where(np.arange(n) < max(1, n // 5), 1.0, -1.0)
    signs[0], signs[-1] = 1.0, -1.0
    return points, signs, 10 ** rng.uniform(-2, 2)


def agree(first, second, factor=1.0):
    """Whether two certified intervals of one value overlap, and both are narrow."""
    for fit in (first, second):
        assert fit.status != "gap open"
        assert fit.gap <= TOL
    assert first.lower_bound * factor <= second.objective * (1.0 + 1e-9)
    assert second.lower_bound <= first.objective * factor * (1.0 + 1e-9)


def solve(points, signs, C, **settings):
    return global_optimum.solve(points, signs, C, tol=TOL, **settings)


@each_of("seed", range(25))
def test_lorentz_boosts_and_rotations(seed):
    points, signs, C = cloud(seed)
    rng = np.random.default_rng(seed)
    d = points.shape[1] - 1
    turn = np.eye(d + 1)
    turn[1:, 1:] = np.linalg.qr(rng.normal(size=(d, d)))[0]
    move = lorentz.boost(lorentz.from_spatial(rng.normal(size=d))) @ turn
    moved = lorentz.from_spatial((points @ move.T)[:, 1:])
    first, second = solve(points, signs, C), solve(moved, signs, C)
    agree(first, second)
    # The minimiser moves along: <Lw, Lx>_L = <w, x>_L.
    carried = objective(move @ first.w, moved, signs, C)
    assert carried == pytest.approx(first.objective, rel=1e-6)


@each_of("seed", range(20))
def test_exchanged_labels(seed):
    points, signs, C = cloud(20 + seed)
    first, second = solve(points, signs, C), solve(points, -signs, C)
    agree(first, second)
    assert objective(-first.w, points, -signs, C) == pytest.approx(first.objective, rel=1e-12)


@each_of("seed", range(20))
def test_order_of_rows(seed):
    points, signs, C = cloud(40 + seed)
    order = np.random.default_rng(seed).permutation(len(signs))
    agree(solve(points, signs, C), solve(points[order], signs[order], C))


@each_of("seed", range(20))
def test_duplicated_rows_at_half_the_weight(seed):
    points, signs, C = cloud(60 + seed)
    twice = solve(np.repeat(points, 2, axis=0), np.repeat(signs, 2), 0.5 * C)
    agree(solve(points, signs, C), twice)


@each_of("seed", range(20))
def test_one_more_dimension(seed):
    points, signs, C = cloud(80 + seed, d=1 + seed % 3)
    wider = np.column_stack([points, np.zeros(len(points))])
    first, second = solve(points, signs, C), solve(wider, signs, C)
    if first.status == "optimal":
        # A null direction that leaves the plane may serve the cone better, never worse.
        assert second.lower_bound <= first.objective * (1.0 + 1e-9)
    if first.status == second.status == "optimal":
        agree(first, second)
        assert abs(second.w[-1]) <= 1e-2 * np.linalg.norm(second.w)


@each_of("seed", range(6))
def test_value_grows_with_C_and_with_rows(seed):
    points, signs, C = cloud(100 + seed)
    first, dearer = solve(points, signs, C), solve(points, signs, 2.0 * C)
    assert first.lower_bound <= dearer.objective
    assert dearer.lower_bound <= 2.0 * first.objective
    fewer = solve(
        points[[0, -1, *range(1, len(signs) // 2)]], signs[[0, -1, *range(1, len(signs) // 2)]], C
    )
    assert fewer.lower_bound <= first.objective * (1.0 + 1e-9)


@pytest.mark.parametrize("radius", [0.05, 0.2])
def test_robust_value_under_rotation_by_a_permutation(radius):
    points, signs, C = cloud(7, n=12, d=3)
    order = [0, 2, 3, 1]
    first = global_optimum.solve(points, signs, C, radius=radius)
    second = global_optimum.solve(points[:, order], signs, C, radius=radius)
    assert first.gap <= 1e-4
    assert first.lower_bound <= second.objective * (1.0 + 1e-9)
    assert second.lower_bound <= first.objective * (1.0 + 1e-9)


def hinge(rows, w):
    return np.maximum(0.0, 1.0 - rows @ w).sum()


def model(grouping, w):
    return np.maximum(0.0, grouping.counts - grouping.sums @ w).sum()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 700), st.integers(1, 6))
def test_groups_bound_the_hinge_and_meet_it_after_refinement(seed, n, size):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, size)) * 10 ** rng.uniform(-2, 2)
    rows = np.repeat(rows, 1 + seed % 2, axis=0)
    grouping, seen = Groups(rows), []
    for _ in range(5):
        w = rng.normal(size=size) * 10 ** rng.uniform(-2, 1)
        true = hinge(rows, w)
        close = 1e-9 * (len(rows) + np.abs(rows @ w).sum())
        assert model(grouping, w) <= true + close
        assert grouping.evaluate_hinge(w, 0.0) == pytest.approx(true, abs=close)
        seen.append(w)
        # What was learnt earlier is kept.
        for earlier in seen:
            assert model(grouping, earlier) == pytest.approx(hinge(rows, earlier), abs=close * 1e3)
        assert grouping.counts.sum() == len(rows)
        assert (grouping.counts >= 1).all()
        assert (grouping.counts == np.round(grouping.counts)).all()
        assert np.allclose(
            grouping.sums.sum(axis=0), rows.sum(axis=0), atol=1e-9 * np.abs(rows).sum()
        )
    # Nothing is split twice along one hyperplane.
    before = len(grouping.counts)
    grouping.evaluate_hinge(seen[-1], 0.0)
    assert len(grouping.counts) == before


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.0, 0.5))
def test_groups_refine_to_the_slack_and_no_further_than_needed(seed, share):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(600, 3))
    w = rng.normal(size=3)
    grouping = Groups(rows)
    grouping.evaluate_hinge(rng.normal(size=3), 0.0)
    grouping.evaluate_hinge(rng.normal(size=3), 0.0)
    true, coarse = hinge(rows, w), model(grouping, w)
    slack, before = share * true, len(grouping.counts)
    assert grouping.evaluate_hinge(w, slack) == pytest.approx(true, rel=1e-12)
    assert true - model(grouping, w) <= slack + 1e-9 * true
    if true - coarse <= slack * (1.0 - 1e-9):
        assert len(grouping.counts) == before
    assert grouping.evaluate_hinge(w, np.inf) == pytest.approx(true, rel=1e-12)


def test_without_slack_nothing_is_split():
    rows = np.random.default_rng(0).normal(size=(1000, 3))
    grouping = Groups(rows)
    assert len(grouping.counts) == 1
    grouping.evaluate_hinge(np.array([1.0, -2.0, 0.5]), np.inf)
    assert len(grouping.counts) == 1
    grouping.evaluate_hinge(np.array([1.0, -2.0, 0.5]), 0.0)
    assert len(grouping.counts) == 2


@each_of("seed", range(6))
def test_optimum_with_and_without_grouping(seed, monkeypatch):
    points, signs, C = cloud(120 + seed, n=70 + 90 * seed, d=1 + seed % 3)
    # Rows that repeat, too.
    points[-30:], signs[-30:] = points[:30], signs[:30]
    fits = []
    for single in (0, 10**6):
        monkeypatch.setattr(row_groups, "_SINGLE", single)
        assert len(Groups(signed_rows(points, signs)).counts) == (len(signs) if single else 1)
        fits.append(solve(points, signs, C))
    agree(*fits)


@pytest.mark.parametrize("seed", range(4))
def test_repeated_runs_are_equal_bit_for_bit(seed):
    points, signs, C = cloud(140 + seed, n=400 if seed % 2 else 20, d=2)
    for radius in (0.0, 0.1) if seed % 2 == 0 else (0.0,):
        first, second = (global_optimum.solve(points, signs, C, radius=radius) for _ in range(2))
        assert np.array_equal(first.w, second.w)
        assert (first.objective, first.lower_bound) == (second.objective, second.lower_bound)
        assert (first.n_iter, first.status) == (second.n_iter, second.status)


def test_inputs_are_not_changed():
    points, signs, C = cloud(3, n=300, d=2)
    kept = points.copy(), signs.copy()
    global_optimum.solve(points, signs, C)
    assert np.array_equal(points, kept[0])
    assert np.array_equal(signs, kept[1])
