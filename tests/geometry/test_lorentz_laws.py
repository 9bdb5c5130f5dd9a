"""Laws of hyperbolic geometry, in dimensions 1 to 8 and three curvatures.

Tolerances follow from one fact: float64 resolves a point at distance R to `eps cosh(sqrt(K) R)` in
units of 1/sqrt(K) (an angle of eps, seen from afar), and a map that moves points by S multiplies
that by at most `cosh(sqrt(K) S)`.
"""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume, given, settings

from noneuclid import geometry
from noneuclid.geometry import charts, klein, lorentz, poincare, tangent

EPS = np.finfo(float).eps
CURVATURES = (0.25, 1.0, 2.5)
checked = settings(deadline=None, derandomize=True, max_examples=150)
radii = st.one_of(st.floats(0, 1 - 1e-6), st.floats(0, 6).map(lambda e: 1 - 10.0**-e))


@st.composite
def points(draw, n):
    """Points of the Poincaré ball by direction and radius: (n, d), and K."""
    d, curvature = draw(st.integers(1, 8)), draw(st.sampled_from(CURVATURES))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    directions = rng.normal(size=(n, d))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    radius = np.array([draw(radii) for _ in range(n)])
    return directions * radius[:, None] / np.sqrt(curvature), curvature


def hyperboloid(ball, curvature):
    return charts.convert(ball, "poincare", "hyperboloid", curvature)


def growth(x, curvature):
    """cosh(sqrt(K) R): how many eps float64 leaves of a point."""
    return np.sqrt(curvature) * np.max(x[..., 0])


def close(x, y, tolerance, curvature):
    """Whether points agree, in units of 1/sqrt(K)."""
    return np.all(np.sqrt(curvature) * lorentz.distance(x, y, curvature) <= tolerance)


def tangent_vectors(x, flat, curvature):
    """Tangent vectors at x with orthonormal coordinates `flat`, by the matrix of the boost."""
    zero = np.zeros((*flat.shape[:-1], 1))
    matrix = lorentz.boost(x, curvature)
    return np.concatenate([zero, flat], axis=-1) @ np.swapaxes(matrix, -1, -2)


@checked
@given(points(3))
def test_distance_is_a_metric(case):
    ball, curvature = case
    x, y, z = hyperboloid(ball, curvature)
    xy = lorentz.distance(x, y, curvature)
    assert lorentz.distance(x, x, curvature) == 0
    assert np.isclose(xy, lorentz.distance(y, x, curvature), rtol=8 * EPS, atol=0)
    assert xy > 0 or close(x, y, EPS * growth(x, curvature), curvature)
    around = lorentz.distance(x, z, curvature) + lorentz.distance(z, y, curvature)
    assert xy <= around * (1 + 8 * EPS)


@checked
@given(points(3), st.integers(0, 2**32 - 1))
def test_boosts_and_rotations_keep_distances(case, seed):
    ball, curvature = case
    x, y, base = hyperboloid(ball, curvature)
    boost = lorentz.boost(base, curvature)
    rotation, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(len(ball[0]),) * 2))
    before = lorentz.distance(x, y, curvature) * np.sqrt(curvature)
    scale = EPS * growth(np.stack([x, y]), curvature)
    turned = [lorentz.from_spatial(rotation @ p[1:], curvature) for p in (x, y)]
    after = lorentz.distance(*turned, curvature) * np.sqrt(curvature)
    assert abs(after - before) <= 20 * scale
    moved = [lorentz.from_spatial((boost @ p)[1:], curvature) for p in (x, y)]
    after = lorentz.distance(*moved, curvature) * np.sqrt(curvature)
    assert abs(after - before) <= 20 * scale * growth(base, curvature)


@checked
@given(points(1))
def test_boost_is_a_lorentz_matrix_that_carries_the_origin(case):
    ball, curvature = case
    x = hyperboloid(ball, curvature)[0]
    d = len(x) - 1
    boost, metric = lorentz.boost(x, curvature), np.diag([-1.0] + [1.0] * d)
    tolerance = 8 * EPS * growth(x, curvature) ** 2
    assert np.abs(boost.T @ metric @ boost - metric).max() <= tolerance
    back = lorentz.boost(np.concatenate([x[:1], -x[1:]]), curvature)
    assert np.abs(back @ boost - np.eye(d + 1)).max() <= tolerance
    np.testing.assert_allclose(boost @ lorentz.origin(d, curvature), x, rtol=8 * EPS)


@checked
@given(points(2))
def test_exp_undoes_log_and_log_undoes_exp(case):
    ball, curvature = case
    x, y = hyperboloid(ball, curvature)
    v = lorentz.log(x, y, curvature)
    apart = lorentz.distance(x, y, curvature)
    scale = growth(x, curvature) * np.cosh(np.sqrt(curvature) * apart)
    assert abs(lorentz.product(x, v)) <= 8 * EPS * np.abs(x * v).sum()
    assert np.isclose(lorentz.norm(x, v, curvature), apart, rtol=20 * EPS * scale)
    reached = lorentz.exp(x, v, curvature)
    assert abs(curvature * lorentz.product(reached, reached) + 1) <= (
        8 * EPS * growth(reached, curvature) ** 2
    )
    assert close(reached, y, 50 * EPS * scale, curvature)
    again = lorentz.log(x, reached, curvature)
    error = lorentz.norm(x, again - v, curvature) * np.sqrt(curvature)
    assert error <= 100 * EPS * scale * (1 + np.sqrt(curvature) * apart)


@checked
@given(points(4))
def test_transport_keeps_products_and_carries_the_geodesic_on(case):
    ball, curvature = case
    x, y = hyperboloid(ball[:2], curvature)
    flat = ball[2:] * np.sqrt(curvature)
    u, v = tangent_vectors(x, flat, curvature)
    to_y = [tangent.transport(x, y, a, curvature) for a in (u, v)]
    apart = lorentz.distance(x, y, curvature)
    scale = EPS * growth(x, curvature) * growth(y, curvature)
    assert abs(lorentz.product(y, to_y[0])) <= 8 * EPS * np.abs(y * to_y[0]).sum()
    # a vector's own error is eps of its spatial part, up to the growth at its point
    assert abs(lorentz.norm(y, to_y[0], curvature) - np.linalg.norm(flat[0])) <= 50 * scale
    inner = lorentz.norm(y, to_y[0] + to_y[1], curvature)
    assert abs(inner - np.linalg.norm(flat.sum(0))) <= 50 * scale
    forward = tangent.transport(x, y, lorentz.log(x, y, curvature), curvature)
    onward = lorentz.norm(y, forward + lorentz.log(y, x, curvature), curvature)
    assert onward <= 50 * scale * apart


@checked
@given(points(2), st.floats(0, 1), st.floats(0, 1))
def test_geodesic_has_constant_speed_and_its_ends(case, s, t):
    ball, curvature = case
    x, y = hyperboloid(ball, curvature)
    apart = lorentz.distance(x, y, curvature)
    at = lorentz.geodesic(x, y, np.array([0.0, 1.0, s, t]), curvature)
    tolerance = 50 * EPS * growth(np.stack([x, y]), curvature)
    assert close(at[0], x, tolerance, curvature)
    assert close(at[1], y, tolerance, curvature)
    between = lorentz.distance(at[2], at[3], curvature)
    assert np.sqrt(curvature) * abs(between - abs(s - t) * apart) <= tolerance


@checked
@given(points(5))
def test_midpoint_is_equidistant_and_moves_with_boosts(case):
    ball, curvature = case
    x, base = hyperboloid(ball, curvature)[:4], hyperboloid(ball, curvature)[4]
    scale = EPS * growth(x, curvature)
    pair = lorentz.midpoint(x[:2], curvature=curvature)
    legs = lorentz.distance(x[:2], pair, curvature)
    assert np.sqrt(curvature) * abs(legs[0] - legs[1]) <= 20 * scale
    half = lorentz.distance(x[0], x[1], curvature) / 2
    assert np.sqrt(curvature) * abs(legs[0] - half) <= 20 * scale
    weights = np.array([1.0, 2.0, 0.0, 3.0])
    moved = lorentz.from_spatial((x @ lorentz.boost(base, curvature))[:, 1:], curvature)
    after = lorentz.midpoint(moved, weights, curvature)
    before = lorentz.boost(base, curvature) @ lorentz.midpoint(x, weights, curvature)
    tolerance = 50 * scale * growth(base, curvature) ** 2
    assert close(after, lorentz.from_spatial(before[1:], curvature), tolerance, curvature)


@checked
@given(points(2))
def test_lift_and_flatten_undo_each_other_at_any_base(case):
    ball, curvature = case
    x, base = hyperboloid(ball, curvature)
    flat = tangent.flatten(x, base, curvature)
    apart = lorentz.distance(x, base, curvature)
    stretch = np.cosh(np.sqrt(curvature) * apart) * growth(base, curvature)
    assert np.isclose(np.linalg.norm(flat), apart, rtol=20 * EPS * growth(base, curvature))
    assert close(tangent.lift(flat, base, curvature), x, 50 * EPS * stretch, curvature)
    at_origin = tangent.flatten(x, lorentz.origin(len(flat), curvature), curvature)
    chart = charts.convert(x, "hyperboloid", "tangent", curvature)
    np.testing.assert_allclose(at_origin, chart, rtol=20 * EPS, atol=1e-300)


@checked
@given(points(2))
def test_mobius_addition_cancels_on_the_left_and_keeps_distances(case):
    ball, curvature = case
    a, b = ball
    total = poincare.mobius_add(a, b, curvature)
    grown = hyperboloid(ball, curvature)
    scale = growth(grown[0], curvature) * growth(grown[1], curvature)
    assume(EPS * scale < 1e-3)
    back = poincare.mobius_add(-a, total, curvature)
    assert close(
        hyperboloid(back, curvature),
        grown[1],
        100 * EPS * scale * growth(grown[0], curvature),
        curvature,
    )
    from_origin = np.sqrt(curvature) * poincare.distance(np.zeros_like(a), total, curvature)
    apart = np.sqrt(curvature) * poincare.distance(-a, b, curvature)
    assert abs(from_origin - apart) <= 50 * EPS * scale


@checked
@given(points(3))
def test_gyration_is_the_rotation_that_its_definition_says(case):
    ball, curvature = case
    x, y, v = ball * 0.5
    root = np.sqrt(curvature)
    gaps = (2 / poincare.conformal_factor(a, curvature)[..., None] for a in (y, x))
    turned = tangent.turn(-root * y, root * x, *gaps, v)

    def add(a, b):
        return poincare.mobius_add(a, b, curvature)

    np.testing.assert_allclose(turned, add(-add(x, y), add(x, add(y, v))), atol=100 * EPS)
    assert np.isclose(np.linalg.norm(turned), np.linalg.norm(v), rtol=50 * EPS)


@checked
@given(points(3), st.floats(-1, 2))
def test_poincare_operations_are_those_of_the_hyperboloid(case, t):
    ball, curvature = case
    ball = ball * 0.99
    p, q, v = ball
    P, Q = hyperboloid(ball[:2], curvature)
    V = tangent_vectors(P, poincare.conformal_factor(p, curvature) * v, curvature)
    scale = 500 * EPS * growth(P, curvature) ** 2 * growth(Q, curvature) ** 2
    assume(scale < 1e-3)
    np.testing.assert_allclose(
        hyperboloid(geometry.geodesic(p, q, t, curvature=curvature), curvature)[1:],
        lorentz.geodesic(P, Q, t, curvature)[1:],
        rtol=0,
        atol=scale * growth(lorentz.geodesic(P, Q, t, curvature), curvature) ** 2,
    )
    log = poincare.log(p, q, curvature)
    flat = tangent.flatten(Q, P, curvature)
    np.testing.assert_allclose(
        log * poincare.conformal_factor(p, curvature), flat, rtol=0, atol=scale
    )
    reached = poincare.exp(p, log, curvature)
    assert poincare.distance(reached, q, curvature) <= scale
    moved = poincare.transport(p, q, v, curvature) * poincare.conformal_factor(q, curvature)
    expected = tangent_vectors(Q, moved, curvature)
    carried = tangent.transport(P, Q, V, curvature)
    assert lorentz.norm(Q, carried - expected, curvature) <= scale * (
        1 + lorentz.norm(P, V, curvature)
    )


@checked
@given(points(6))
def test_distances_and_midpoints_agree_among_the_charts(case):
    ball, curvature = case
    x = hyperboloid(ball, curvature)
    k = charts.convert(x, "hyperboloid", "klein", curvature)
    root = np.sqrt(curvature)
    scale = 20 * EPS * growth(x, curvature)
    exact = lorentz.pairwise_distances(x, curvature=curvature)
    in_poincare = poincare.distance(ball[:, None], ball, curvature)
    assert root * np.abs(in_poincare - exact).max() <= scale
    in_klein = np.stack([klein.distance(a, k, curvature) for a in k])
    assert root * np.abs(in_klein - exact).max() <= scale * growth(x, curvature)
    centre = lorentz.midpoint(x, curvature=curvature)
    other = hyperboloid(geometry.centroid(ball, curvature=curvature), curvature)
    assert close(centre, other, scale * growth(centre, curvature), curvature)
    other = geometry.centroid(k, chart="klein", curvature=curvature)
    other = charts.convert(other, "klein", "hyperboloid", curvature)
    assert close(centre, other, scale * growth(x, curvature), curvature)


@checked
@given(points(2), st.integers(0, 2**32 - 1))
def test_hyperplane_distance_agrees_among_the_charts(case, seed):
    ball, curvature = case
    p, x = ball
    normal = np.random.default_rng(seed).normal(size=len(p))
    P, X = hyperboloid(ball, curvature)
    w = tangent_vectors(P, normal, curvature)
    reference = lorentz.hyperplane_distance(X, w, curvature)
    scale = 50 * EPS * growth(P, curvature) * growth(X, curvature) ** 2
    assume(scale * growth(P, curvature) < 1e-2)
    in_ball = poincare.hyperplane_distance(x, p, normal, curvature)
    assert abs(in_ball - reference) <= scale * growth(P, curvature)
    assert lorentz.hyperplane_distance(X, -w, curvature) == -reference


ROUND_TRIPS = [(a, b) for a in charts.CHARTS for b in charts.CHARTS if a != b]


@pytest.mark.parametrize(("source", "target"), ROUND_TRIPS)
@settings(checked, max_examples=60)
@given(points(4))
def test_round_trips_cost_only_what_the_coordinates_carry(source, target, case):
    """The law of the text of charts: a few eps/(1-r), r in the ball of the coarser chart."""
    ball, curvature = case
    X = charts.convert(ball, "poincare", source, curvature)
    there = charts.convert(X, source, target, curvature)
    back = charts.convert(there, target, source, curvature)
    coarsest = "klein" if "klein" in (source, target) else "poincare"
    r = np.linalg.norm(charts.convert(X, source, coarsest, curvature), axis=1) * np.sqrt(curvature)
    pair = [charts.convert(a, source, "hyperboloid", curvature) for a in (X, back)]
    error = np.sqrt(curvature) * lorentz.distance(*pair, curvature)
    assert (error <= 5 * EPS / (1 - r)).all()


def test_distances_between_the_farthest_points_are_finite():
    # The angle term is a product of numbers near e^r; at r = 340 its parts overflow.
    at = np.array([[0.0, 340.0], [340.0, 0.0], [-338.0, 0.0]])
    points = lorentz.from_spatial(
        at / np.abs(at).max(axis=1)[:, None] * np.sinh(np.abs(at).max(axis=1))[:, None]
    )
    # For large r and s, d = r + s + log(sin²(angle / 2)).
    expected = [680.0 + np.log(0.5), 678.0 + np.log(0.5), 678.0]
    found = [lorentz.distance(points[i], points[j]) for i, j in ((0, 1), (0, 2), (1, 2))]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
