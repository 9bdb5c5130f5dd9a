"""What must not change the margin in a Hilbert or Funk metric, and what its bound promises."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noneuclid.solvers.hilbert.hard_margin import hard_margin
from noneuclid.solvers.hilbert.problem import METRICS, distances

TOL = 1e-6
NONE = np.zeros((0, 2)), np.zeros(0)


def instance(seed, n=10):
    """A pentagon, points of it, and their sides of a line."""
    rng = np.random.default_rng(seed)
    angle = 2 * np.pi * (np.arange(5) + rng.uniform(-0.2, 0.2, 5)) / 5
    A, b = np.c_[np.cos(angle), np.sin(angle)], np.ones(5)
    X = rng.uniform(-0.55, 0.55, (n, 2))
    score = X @ rng.normal(size=2)
    return X, np.where(score > np.median(score), 1.0, -1.0), A, b


def compositions(seed, n=30, m=5):
    rng = np.random.default_rng(seed)
    X = rng.dirichlet(np.ones(m), n)
    score = X @ rng.normal(size=m)
    facets = np.eye(m), np.zeros(m), np.ones((1, m)), -np.ones(1)
    return X, np.where(score > np.median(score), 1.0, -1.0), facets


seeds = st.integers(0, 2**31)
metrics = st.sampled_from(METRICS)


@settings(deadline=None, max_examples=15)
@given(seeds, metrics)
def test_swapping_labels_turns_the_hyperplane(seed, metric):
    X, signs, A, b = instance(seed)
    one = hard_margin(X, signs, A, b, *NONE, metric)
    other = hard_margin(X, -signs, A, b, *NONE, metric)
    assert one.radius == pytest.approx(other.radius, abs=TOL)
    assert (signs * (X @ one.w + one.c) > 0).all()
    assert (signs * (X @ other.w + other.c) < 0).all()


@settings(deadline=None, max_examples=15)
@given(seeds, metrics)
def test_row_order_and_facet_scale_do_not_matter(seed, metric):
    X, signs, A, b = instance(seed)
    rng = np.random.default_rng(seed)
    order, scale = rng.permutation(len(X)), 10.0 ** rng.uniform(-3, 3, len(b))
    one = hard_margin(X, signs, A, b, *NONE, metric)
    other = hard_margin(X[order], signs[order], A * scale[:, None], b * scale, *NONE, metric)
    assert one.radius == pytest.approx(other.radius, abs=TOL)


@settings(deadline=None, max_examples=15)
@given(seeds)
def test_projective_maps_keep_the_hilbert_margin(seed):
    X, signs, A, b = instance(seed)
    rng = np.random.default_rng(seed)
    P = np.eye(3) + 0.2 * rng.uniform(-1, 1, (3, 3))  # positive height on the pentagon
    image = np.c_[X, np.ones(len(X))] @ P.T
    facets = np.c_[A, b] @ np.linalg.inv(P)
    moved = hard_margin(image[:, :2] / image[:, 2:], signs, facets[:, :2], facets[:, 2], *NONE)
    assert hard_margin(X, signs, A, b, *NONE).radius == pytest.approx(moved.radius, abs=TOL)


@settings(deadline=None, max_examples=15)
@given(seeds, metrics)
def test_affine_maps_keep_every_margin(seed, metric):
    X, signs, A, b = instance(seed)
    rng = np.random.default_rng(seed)
    T, shift = rng.normal(size=(2, 2)) + 2 * np.eye(2), rng.normal(size=2)
    A_moved = A @ np.linalg.inv(T)
    moved = hard_margin(X @ T.T + shift, signs, A_moved, b - A_moved @ shift, *NONE, metric)
    one = hard_margin(X, signs, A, b, *NONE, metric)
    assert one.radius == pytest.approx(moved.radius, abs=TOL)


@settings(deadline=None, max_examples=20)
@given(seeds, metrics)
def test_margin_and_bound_on_the_simplex(seed, metric):
    X, signs, facets = compositions(seed)
    fit = hard_margin(X, signs, *facets, metric)
    assert fit.radius <= fit.upper_bound + 1e-12
    assert fit.upper_bound - max(fit.radius, 0.0) <= TOL
    if fit.status == "optimal":
        assert (signs * (X @ fit.nu) > 0).all()
    if metric == "hilbert" and fit.status == "optimal":
        reached = 0.5 * np.log((X @ np.maximum(fit.nu, 0)) / (X @ np.maximum(-fit.nu, 0)))
        assert (signs * reached).min() == pytest.approx(fit.radius, abs=1e-12)


@settings(deadline=None, max_examples=15)
@given(seeds)
def test_no_margin_exceeds_half_the_distance_of_two_rows(seed):
    X, signs, facets = compositions(seed, n=6)
    above, below = X[signs > 0], X[signs < 0]
    nearest = min(distances("hilbert", np.tile(p, (len(below), 1)), below).min() for p in above)
    assert hard_margin(X, signs, *facets).radius <= 0.5 * nearest + 1e-12


@settings(deadline=None, max_examples=15)
@given(seeds)
def test_the_funk_margin_stays_below_log_2(seed):
    X, signs, facets = compositions(seed, n=4)
    assert hard_margin(X, signs, *facets, "funk").upper_bound <= np.log(2) + 1e-9
