"""Rows of low rank: the same optimum, and a proof that knows what lies outside of their span."""

import time

import numpy as np
import pytest
from cases import each_of

from noneuclid.geometry import lorentz
from noneuclid.solvers.hyperboloid.certified import coordinates, global_optimum
from noneuclid.solvers.hyperboloid.certified.low_rank import find_span
from noneuclid.solvers.hyperboloid.lorentz_boost import boost, find_middle
from noneuclid.solvers.hyperboloid.problem import signed_rows


def points_in_a_plane(n, d, rank, seed, share=0.5, radius=0.5):
    """Points of low rank, random or noisy labels."""
    rng = np.random.default_rng(seed)
    axes = np.linalg.qr(rng.normal(size=(d, rank)))[0]
    spatial = radius * rng.normal(size=(n, rank)) @ axes.T
    signs = np.where(rng.uniform(size=n) < share, 1.0, -1.0)
    if share == 0.5:
        signs = np.where(spatial[:, 0] + 0.1 * rng.normal(size=n) > 0.0, 1.0, -1.0)
    signs[:2] = 1.0, -1.0
    return lorentz.from_spatial(spatial), signs


def boosted(points, signs):
    centre = find_middle(points, signs, None)
    return boost(signed_rows(points, signs), centre), centre


@each_of("share", [0.5, 0.1])
@each_of(("d", "rank"), [(8, 2), (5, 1), (6, 0)])
def test_the_optimum_of_rows_of_low_rank(d, rank, share, monkeypatch):
    """A tenth of the labels positive: on the light cone, with a part of w across the span."""
    points, signs = points_in_a_plane(30, d, rank, 1, share)
    fit = global_optimum.solve(points, signs, 1.0)
    with monkeypatch.context() as patch:
        patch.setattr(coordinates, "find_span", lambda *_: None)
        whole = global_optimum.solve(points, signs, 1.0)
    assert fit.gap <= 1e-6
    assert fit.objective <= whole.objective * (1.0 + 1e-6)
    assert fit.lower_bound <= whole.objective
    assert whole.lower_bound <= fit.objective
    if share == 0.5 and rank == 2:  # the optimum is unique
        assert fit.status == whole.status == "optimal"
        assert np.allclose(fit.w, whole.w, atol=1e-2 * np.linalg.norm(whole.w))


def test_as_many_rows_as_dimensions_leave_an_axis_across_them():
    """Without this axis, the search of the light cone takes 134 cells."""
    spatial = np.array([[-1.26, 1.44, 0.63], [-0.08, 0.08, -0.68], [-0.51, 2.34, 1.52]])
    signs, weights = np.array([-1.0, 1.0, -1.0]), np.array([1.8, 0.9, 1.9])
    fit = global_optimum.solve(lorentz.from_spatial(spatial), signs, 0.3, weights=weights)
    assert fit.gap <= 1e-6
    assert 0 < fit.extras["cells"] < 10


@pytest.mark.parametrize(("share", "radius"), [(0.5, 0.5), (0.03, 3.0)])
def test_a_plane_in_many_dimensions_is_quick(share, radius):
    """In all 66 dimensions the second ends with a gap of 1e-2, after 2,000 cells."""
    global_optimum.solve(*points_in_a_plane(20, 66, 2, 1, share), 1.0)  # compiled
    points, signs = points_in_a_plane(60, 66, 2, 0, share, radius)
    start = time.process_time()
    fit = global_optimum.solve(points, signs, 1.0)
    assert time.process_time() - start < 1.0
    assert fit.gap <= 1e-6
    assert fit.w.shape == (67,)


def nearest_isometry(frame):
    """Polar factor of a nearly orthonormal frame, in extended precision."""
    found = frame.astype(np.longdouble)
    for _ in range(3):
        found = 0.5 * found @ (3.0 * np.eye(frame.shape[1]) - found.T @ found)
    return found


@pytest.mark.parametrize(("d", "rank"), [(8, 2), (66, 5)])
def test_what_the_span_leaves_out_counts(d, rank):
    points, signs = points_in_a_plane(40, d, rank, 0)
    rows, centre = boosted(points, signs)
    weights = np.random.default_rng(0).uniform(0.1, 3.0, size=40)
    plain = find_span(rows, points, centre)
    assert plain.rows.shape == (40, rank + 2)
    assert not plain.rows[:, -1].any()
    bent = rows.copy()
    bent[:, 1:] += 1e-15 * np.random.default_rng(1).normal(size=(40, d))
    for given, span in ((rows, plain), (bent, find_span(bent, points, centre, weights))):
        exact = nearest_isometry(span.frame)
        assert np.abs(exact.T @ exact - np.eye(rank + 1)).max() < 1e-17
        off = given[:, 1:] - span.rows[:, 1:] @ exact.T
        shares = weights if given is bent else np.ones(40)
        assert (shares * np.sqrt((off**2).sum(axis=1)).astype(float) < span.lost).all()
        w = np.arange(1.0, rank + 3.0)
        assert np.allclose(given @ span.lift(w), span.rows @ w, atol=1e-12)
    bent[:, 1:] += 1e-11 * np.random.default_rng(1).normal(size=(40, d))
    assert find_span(bent, points, centre) is None


def test_rows_that_fill_the_space_have_no_span():
    for d, rank in ((2, 2), (5, 5), (70, 35)):
        points, signs = points_in_a_plane(90, d, rank, 0)
        rows, centre = boosted(points, signs)
        assert find_span(rows, points, centre) is None
