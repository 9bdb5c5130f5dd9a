"""Hulls: degenerate sets, overlap, known pairs, invariance."""

import warnings

import numpy as np
import pytest
from cases import each_of
from scipy.spatial import QhullError
from sklearn.exceptions import ConvergenceWarning

from noneuclid.geometry import charts, hulls, lorentz, tangent

SQUARE = np.array([[0.4, 0.4], [-0.4, 0.4], [-0.4, -0.4], [0.4, -0.4]])


def test_inner_points_and_edge_points_are_no_vertices():
    X = np.vstack([[[0.0, 0.0], [0.1, -0.2], [0.4, 0.0]], SQUARE])
    assert hulls.hull_vertices(X, "klein").tolist() == [3, 4, 5, 6]


def test_edges_are_geodesics_not_chords_of_the_poincare_disk():
    X = np.vstack([SQUARE * 1.5, [[0.5, 0.0]]])
    assert hulls.hull_vertices(X, "poincare").tolist() == [0, 1, 2, 3, 4]
    assert hulls.hull_vertices(X, "klein").tolist() == [0, 1, 2, 3]


DEGENERATE = [
    ([[0.1, 0.2]], [0]),
    ([[0.1, 0.2]] * 4, [0]),
    ([[0.0, 0.0], [0.5, 0.5]], [0, 1]),
    ([[0.0, 0.0], [0.5, 0.5], [-0.1, -0.1], [0.2, 0.2]], [1, 2]),
    ([[0.0, 0.1], [0.5, 0.6], [0.3, 0.4]], [0, 1]),
    ([[0.0, 0.0], [0.5, 0.0], [0.0, 0.5]], [0, 1, 2]),
    ([[0.0, 0.0], [0.5, 0.0], [0.0, 0.5], [0.5, 0.0]], [0, 1, 2]),
]


@each_of(("X", "vertices"), DEGENERATE)
@each_of("extra", [0, 1, 7])
def test_flat_and_small_sets_are_treated_in_their_span(X, vertices, extra):
    X = np.hstack([np.array(X), np.zeros((len(X), extra))])
    assert hulls.hull_vertices(X, "klein").tolist() == vertices


def test_beyond_qhull_each_point_is_tested():
    rng = np.random.default_rng(0)
    d = hulls.MAX_QHULL_DIMENSION + 2
    corners = np.vstack([np.eye(d), -np.eye(d)]) * 0.5
    inside = rng.dirichlet(np.ones(2 * d), size=6) @ corners * 0.9
    X = np.vstack([inside, corners])
    assert hulls.hull_vertices(X, "klein").tolist() == list(range(6, 6 + 2 * d))


@pytest.mark.parametrize("curvature", [0.25, 1.0, 2.5])
def test_vertices_do_not_depend_on_chart_or_place(curvature):
    rng = np.random.default_rng(1)
    X = tangent.lift(rng.normal(size=(60, 3)), lorentz.origin(3, curvature), curvature)
    expected = hulls.hull_vertices(X, "hyperboloid", curvature)
    assert 3 < len(expected) < 60
    for chart in ("poincare", "klein", "tangent"):
        Z = charts.convert(X, "hyperboloid", chart, curvature)
        assert (hulls.hull_vertices(Z, chart, curvature) == expected).all()
    base = tangent.lift(np.array([4.0, 0.0, 3.0]), lorentz.origin(3, curvature), curvature)
    moved = lorentz.from_spatial((X @ lorentz.boost(base, curvature))[:, 1:], curvature)
    assert (hulls.hull_vertices(moved, "hyperboloid", curvature) == expected).all()


@each_of("curvature", [0.25, 1.0, 2.5])
@each_of("chart", charts.CHARTS)
def test_facing_edges_meet_in_their_middle_not_at_vertices(chart, curvature):
    left = np.array([[-0.5, -0.3], [-0.5, 0.3], [-0.7, 0.1]]) / np.sqrt(curvature)
    X, Y = (charts.convert(a, "klein", chart, curvature) for a in (left, -left))
    pair = hulls.closest_pair(X, Y, chart, curvature)
    assert not pair.overlap
    assert pair.distance == pytest.approx(2 * np.arctanh(0.5) / np.sqrt(curvature), abs=1e-9)
    foot = charts.convert(pair.x, chart, "klein", curvature) * np.sqrt(curvature)
    np.testing.assert_allclose(foot, [-0.5, 0.0], atol=1e-7)
    i, j, apart = hulls.closest_vertices(X, Y, chart, curvature)
    assert (i, j) in {(0, 1), (1, 0)}
    assert apart > pair.distance + 0.01


OVERLAPPING = [
    (SQUARE, SQUARE + 0.3),
    (SQUARE, SQUARE * 0.1),
    (SQUARE, SQUARE[:1]),
    ([[-0.5, 0.0], [0.5, 0.1]], [[0.1, -0.6], [0.0, 0.6]]),
    ([[0.2, 0.3]], [[0.2, 0.3]]),
    ([[-0.1], [0.3]], [[0.3], [0.9]]),
]


@each_of(("X", "Y"), OVERLAPPING)
def test_overlap_is_said(X, Y):
    pair = hulls.closest_pair(np.array(X), np.array(Y), "klein")
    assert pair.overlap
    assert pair.distance == pair.gap == 0
    assert (pair.x == pair.y).all()


def random_hulls(seed):
    """Two clouds in 1 to 6 dimensions, apart, also far from the origin and thin or wide."""
    rng = np.random.default_rng(seed)
    d, n, m = rng.integers(1, 7), *rng.integers(1, 30, 2)
    push = rng.normal(size=d)
    push *= rng.choice([0.5, 2, 5]) / np.linalg.norm(push)
    spread = rng.choice([0.01, 0.3, 1.0])
    base = tangent.lift(rng.normal(size=d) * rng.choice([0, 2]), lorentz.origin(d))
    clouds = [rng.normal(size=(k, d)) * spread + s * push for k, s in ((n, -1), (m, 1))]
    return [tangent.lift(cloud, base) for cloud in clouds]


@each_of("seed", range(60))
def test_closest_pair_is_certified(seed):
    X, Y = random_hulls(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pair = hulls.closest_pair(X, Y, "hyperboloid")
    assert 0 <= pair.gap <= 1e-9 * max(1, pair.distance)
    if pair.overlap:
        return
    # the certificate again, from the definition: planes through x, y across the geodesic
    u, v = lorentz.log(pair.x, pair.y), lorentz.log(pair.y, pair.x)
    for points, foot, normal in ((X, pair.x, u), (Y, pair.y, v)):
        beyond = lorentz.hyperplane_distance(points, normal)
        resolution = 1e-15 * foot[0] * points[:, 0].max() ** 2
        assert beyond.max() <= 1e-5 + resolution


def test_closest_pair_says_when_it_stops_early():
    X, Y = random_hulls(4)
    with pytest.warns(ConvergenceWarning, match="closest_pair: distance of the hulls known to"):
        pair = hulls.closest_pair(X, Y, "hyperboloid", max_iter=1)
    best = hulls.closest_pair(X, Y, "hyperboloid")
    assert pair.distance - pair.gap <= best.distance <= pair.distance


def test_vertices_where_qhull_gives_up(monkeypatch):
    X = random_hulls(2)[0]
    expected = hulls.hull_vertices(X, "hyperboloid")

    def narrow(points):
        raise QhullError("initial hull is narrow")

    monkeypatch.setattr(hulls, "ConvexHull", narrow)
    assert hulls.hull_vertices(X, "hyperboloid").tolist() == expected.tolist()


@pytest.mark.parametrize("scale", [1e-6, 1e-12, 1e-100, 1e-200, 1e-300])
def test_hulls_of_points_near_each_other_have_vertices(scale):
    X = np.array([[0.0, 0.0], [0.5, 0.0], [0.0, 0.5], [-0.5, -0.5], [0.1, 0.1]])
    assert hulls.hull_vertices(scale * X, "poincare").tolist() == [1, 2, 3]


def test_weights_of_two_hulls_have_unit_sums():
    system = np.random.default_rng(0).normal(size=(7, 12))
    sums = np.repeat(np.eye(2), [5, 7], axis=1)
    weights, residual = hulls._least_squares(system, sums, -3.0)
    np.testing.assert_allclose(sums @ weights, 1.0, atol=1e-12)
    np.testing.assert_allclose(residual, np.r_[-3.0, np.zeros(6)] - system @ weights, atol=1e-12)
