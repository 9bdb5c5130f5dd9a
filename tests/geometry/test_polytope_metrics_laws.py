"""Laws of Hilbert and Funk geometry in random polytopes and simplexes of 1 to 5 dimensions."""

import hypothesis.strategies as st
import numpy as np
from hypothesis import given, settings

from noneuclid.geometry.half_spaces import solve
from noneuclid.geometry.polytope import Polytope
from noneuclid.geometry.polytope_balls import ball
from noneuclid.geometry.polytope_hyperplanes import hyperplane_distance
from noneuclid.geometry.polytope_metrics import (
    METRICS,
    chord_distance,
    geodesic,
    pairwise_polytope_distances,
    polytope_distance,
)

checked = settings(deadline=None, derandomize=True, max_examples=60)
metrics = st.sampled_from(METRICS)


@st.composite
def polytopes(draw):
    """A polytope and a generator of random numbers."""
    seed, d = draw(st.integers(0, 2**32 - 1)), draw(st.integers(1, 5))
    rng = np.random.default_rng(seed)
    if draw(st.booleans()):
        return Polytope.simplex(d + 1), rng
    m = 2 if d == 1 else draw(st.integers(d + 1, 12))
    return Polytope.random(m, d, seed), rng


def inner(polytope, rng, n, edge=0.3):
    """Points inside, some of them near the boundary."""
    corners = polytope.vertices
    weights = rng.dirichlet(np.full(len(corners), edge), n) + 1e-4
    return weights / weights.sum(axis=1, keepdims=True) @ corners


def projected(polytope, X, rng):
    """The images of a polytope and its points under a projective map with x -> M x / (h.x + 1)."""
    d = polytope.A.shape[1]
    H = rng.standard_normal((d + 1, d + 1))
    # the denominator runs from 1 to 3 over the polytope
    H[d, :d] = rng.standard_normal(d)
    heights = polytope.vertices @ H[d, :d]
    H[d] *= 2 / np.ptp(heights)
    H[d, d] = 1 - H[d, :d] @ polytope.vertices[heights.argmin()]
    lifted = np.c_[X, np.ones(len(X))] @ H.T
    rows = np.c_[polytope.A, polytope.b] @ np.linalg.inv(H)
    return Polytope(rows[:, :d], rows[:, d]), lifted[:, :d] / lifted[:, d:]


@checked
@given(polytopes(), metrics)
def test_distances_are_weak_metrics(case, metric):
    x, y, z = inner(*case, 3)
    xy, yx = polytope_distance(x, y, case[0], metric), polytope_distance(y, x, case[0], metric)
    assert polytope_distance(x, x, case[0], metric) == 0
    assert xy >= 0
    assert (
        xy
        <= polytope_distance(x, z, case[0], metric)
        + polytope_distance(z, y, case[0], metric)
        + 1e-12
    )
    if metric == "hilbert":
        assert xy > 0
        assert np.isclose(xy, yx, rtol=1e-12)
    else:
        other = {"funk": "reverse_funk", "reverse_funk": "funk"}[metric]
        assert np.isclose(yx, polytope_distance(x, y, case[0], other), rtol=1e-12)
        # forth and back differ unless chance has it
        assert abs(xy - yx) > 1e-9
        assert np.isclose(xy + yx, 2 * polytope_distance(x, y, case[0]), rtol=1e-12)


@checked
@given(polytopes(), metrics)
def test_chord_and_facets_give_one_distance(case, metric):
    X, Y = inner(*case, 6), inner(*case, 6)
    table = pairwise_polytope_distances(X, Y, case[0], metric)
    np.testing.assert_allclose(table, polytope_distance(X[:, None], Y, case[0], metric), atol=1e-12)
    np.testing.assert_allclose(table, chord_distance(X[:, None], Y, case[0], metric), atol=1e-10)


@checked
@given(polytopes())
def test_hilbert_is_invariant_under_projective_maps_and_funk_is_not(case):
    polytope, rng = case
    if len(polytope.E):
        vertices = np.vstack([np.zeros(polytope.dimension), np.eye(polytope.dimension)])
        polytope = Polytope.from_vertices(vertices)
    X = inner(polytope, rng, 5)
    image, Z = projected(polytope, X, rng)
    assert image.m == polytope.m
    before, after = (
        pairwise_polytope_distances(a, None, p) for a, p in ((X, polytope), (Z, image))
    )
    np.testing.assert_allclose(after, before, rtol=1e-8, atol=1e-8)
    funk, moved = (
        pairwise_polytope_distances(a, None, p, "funk") for a, p in ((X, polytope), (Z, image))
    )
    assert np.abs(funk - moved).max() > 1e-3


@checked
@given(polytopes(), metrics, st.floats(1e-3, 4))
def test_affine_maps_and_scaled_facets_change_nothing(case, metric, factor):
    polytope, rng = case
    d = polytope.A.shape[1]
    X, v = inner(polytope, rng, 5), rng.standard_normal(d)
    M = rng.standard_normal((d, d)) + 4 * np.eye(d)
    back = np.linalg.inv(M)
    scale = factor * rng.uniform(0.1, 10, polytope.m)
    A, b = polytope.A * scale[:, None] @ back, scale * polytope.b
    E = polytope.E @ back
    image = Polytope(A, b - A @ v, E, polytope.f - E @ v)
    np.testing.assert_allclose(
        pairwise_polytope_distances(X @ M.T + v, None, image, metric),
        pairwise_polytope_distances(X, None, polytope, metric),
        atol=1e-8,
    )


@checked
@given(polytopes(), st.floats(0, 1))
def test_geodesics_divide_the_distance(case, t):
    x, y = inner(*case, 2)
    middle = geodesic(x, y, t, case[0])
    whole = polytope_distance(x, y, case[0])
    assert np.isclose(polytope_distance(x, middle, case[0]), t * whole, atol=1e-10)
    assert np.isclose(polytope_distance(middle, y, case[0]), (1 - t) * whole, atol=1e-10)
    for metric in METRICS:
        parts = polytope_distance(x, middle, case[0], metric) + polytope_distance(
            middle, y, case[0], metric
        )
        assert np.isclose(parts, polytope_distance(x, y, case[0], metric), atol=1e-10)
    np.testing.assert_allclose(geodesic(x, y, [0.0, 1.0], case[0]), [x, y], atol=1e-13)
    np.testing.assert_array_equal(geodesic(x, x, t, case[0]), x)


@checked
@given(polytopes(), metrics, st.floats(0.01, 3))
def test_balls_hold_the_points_that_are_near(case, metric, radius):
    polytope, rng = case
    p, *X = inner(polytope, rng, 101, edge=0.5)
    # points beyond the boundary are in no ball
    X = np.array([p + stretch * (x - p) for stretch in (0.3, 1.0, 1.5, 4.0) for x in X])
    G, h = ball(p, radius, polytope, metric)
    far = polytope.m * (polytope.m - 1) if metric == "hilbert" else polytope.m
    assert len(G) == (2 * far if metric == "reverse_funk" else far)
    # relative to what a row is at p, which is positive
    inside = ((X @ G.T + h) / (G @ p + h)).min(axis=1)
    legal = (polytope.facet_values(X) > 1e-12).all(axis=1)
    excess = np.full(len(X), np.inf)
    excess[legal] = polytope_distance(p, X[legal], polytope, metric) - radius
    clear = np.abs(excess) > 1e-9
    assert np.array_equal(inside[clear] >= 0, excess[clear] <= 0)


@settings(checked, max_examples=25)
@given(polytopes(), metrics)
def test_a_ball_reaches_as_far_as_the_hyperplane(case, metric):
    polytope, rng = case
    X = inner(polytope, rng, 3, edge=1.0)
    w = rng.standard_normal(polytope.A.shape[1])
    c = -w @ inner(polytope, rng, 1, edge=1.0)[0]
    for p, reach in zip(X, hyperplane_distance(X, w, c, polytope, metric), strict=True):
        side = np.sign(w @ p + c)
        assert np.sign(reach) == side
        for factor, beyond in ((0.999, False), (1.001, True)):
            G, h = ball(p, factor * abs(reach), polytope, metric)
            lowest = solve(side * w, upper=(-G, h), equal=(polytope.E, -polytope.f))
            assert (lowest.fun + side * c < 0) == beyond
