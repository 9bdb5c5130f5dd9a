"""Nearest points by brute force: hyperplanes, centroids, projections of hulls."""

import numpy as np
import pytest
from cases import each_of
from scipy.optimize import linprog, minimize, minimize_scalar
from scipy.spatial import ConvexHull

from noneuclid.geometry import charts, hulls, lorentz, poincare, tangent


@each_of("curvature", [0.25, 1.0, 2.5])
@each_of("d", [2, 3])
def test_hyperplane_distance_is_the_distance_to_its_nearest_point(d, curvature):
    """The plane by parameters: combinations of Lorentz-orthonormal vectors orthogonal to w."""
    rng = np.random.default_rng(d)
    base = tangent.lift(rng.normal(size=d), lorentz.origin(d, curvature), curvature)
    turn, _ = np.linalg.qr(rng.normal(size=(d, d)))
    frame = lorentz.boost(base, curvature)[:, 1:] @ turn
    w, along = frame[:, 0], frame[:, 1:]
    x = tangent.lift(rng.normal(size=d), lorentz.origin(d, curvature), curvature)

    def to_plane(t):
        return float(lorentz.distance(x, lorentz.exp(base, along @ t, curvature), curvature))

    nearest = minimize(to_plane, np.zeros(d - 1), tol=1e-12).fun
    signed = lorentz.hyperplane_distance(x, 3 * w, curvature)
    assert abs(signed) == pytest.approx(nearest, abs=1e-9)
    assert np.sign(signed) == np.sign(lorentz.product(w, x))
    ball = [charts.convert(p, "hyperboloid", "poincare", curvature) for p in (x, base)]
    in_ball = poincare.hyperplane_distance(*ball, turn[:, 0], curvature)
    assert in_ball == pytest.approx(signed, abs=1e-12)


def test_midpoint_minimises_the_weighted_sum_of_cosh_distances():
    rng = np.random.default_rng(0)
    X, weights = lorentz.from_spatial(rng.normal(size=(7, 3))), rng.uniform(size=7)

    def cost(spatial):
        return weights @ np.cosh(lorentz.distance(X, lorentz.from_spatial(spatial)))

    best = minimize(cost, np.zeros(3), tol=1e-12).x
    np.testing.assert_allclose(lorentz.midpoint(X, weights)[1:], best, atol=1e-5)


def disks(seed):
    rng = np.random.default_rng(seed)
    n, m = rng.integers(1, 9, 2)
    X = rng.normal(size=(n, 2)) * rng.choice([0.3, 1.5])
    Y = rng.normal(size=(m, 2)) * rng.choice([0.3, 1.5]) + rng.normal(size=2) * 2
    return [tangent.lift(Z, lorentz.origin(2)) for Z in (X, Y)]


def meet(X, Y):
    """Whether Euclidean hulls of Klein coordinates share a point: a linear programme."""
    kx, ky = X[:, 1:] / X[:, :1], Y[:, 1:] / Y[:, :1]
    sums = [np.r_[np.ones(len(X)), np.zeros(len(Y))], np.r_[np.zeros(len(X)), np.ones(len(Y))]]
    equal = np.vstack([np.hstack([kx.T, -ky.T]), *sums])
    return linprog(np.zeros(equal.shape[1]), A_eq=equal, b_eq=[0, 0, 1, 1]).status == 0


def point_to_segment(p, a, b):
    result = minimize_scalar(
        lambda t: float(lorentz.distance(p, lorentz.geodesic(a, b, t))),
        bounds=(0, 1),
        method="bounded",
        options={"xatol": 1e-10},
    )
    return min(result.fun, lorentz.distance(p, a), lorentz.distance(p, b))


def segment_to_segment(a, b, c, d):
    """Convex in each parameter: search within a search."""
    result = minimize_scalar(
        lambda t: point_to_segment(lorentz.geodesic(a, b, t), c, d),
        bounds=(0, 1),
        method="bounded",
        options={"xatol": 1e-9},
    )
    return min(result.fun, point_to_segment(a, c, d), point_to_segment(b, c, d))


def nearest_candidates(pairs, steps=20):
    """Pairs of segments that may hold the closest points: distances on a grid, less its width."""
    t = np.linspace(0, 1, steps + 1)
    grids = [[lorentz.geodesic(*segment, t) for segment in pair] for pair in pairs]
    best = np.array([lorentz.pairwise_distances(*grid).min() for grid in grids])
    lengths = np.array([sum(lorentz.distance(*segment) for segment in pair) for pair in pairs])
    return [pairs[i] for i in np.flatnonzero(best - lengths / steps / 2 <= best.min())]


@each_of("seed", range(8))
def test_closest_pair_is_that_of_all_pairs_of_segments(seed):
    X, Y = disks(seed)
    pair = hulls.closest_pair(X, Y, "hyperboloid")
    assert pair.overlap == meet(X, Y)
    if not pair.overlap:
        assert pair.distance == pytest.approx(float(lorentz.distance(pair.x, pair.y)), abs=1e-14)
        X, Y = X[hulls.hull_vertices(X, "hyperboloid")], Y[hulls.hull_vertices(Y, "hyperboloid")]
        pairs = nearest_candidates([(first, second) for first in edges(X) for second in edges(Y)])
        best = min(segment_to_segment(*first, *second) for first, second in pairs)
        assert pair.distance == pytest.approx(best, abs=1e-7)


def edges(X):
    """Edges of the hull of vertices X in the plane."""
    if len(X) < 3:
        return [(X[0], X[-1])]
    return [(X[i], X[j]) for i, j in ConvexHull(X[:, 1:] / X[:, :1]).simplices]


@each_of("seed", range(40))
def test_overlap_agrees_with_a_linear_programme(seed):
    X, Y = disks(100 + seed)
    assert hulls.closest_pair(X, Y, "hyperboloid").overlap == meet(X, Y)


@pytest.mark.parametrize("d", [2, 4])
def test_vertices_are_the_points_outside_the_hull_of_the_others(d):
    X = tangent.lift(np.random.default_rng(d).normal(size=(25, d)), lorentz.origin(d))
    alone = [i for i in range(len(X)) if not inside(X[i : i + 1], np.delete(X, i, axis=0))]
    assert hulls.hull_vertices(X, "hyperboloid").tolist() == alone


def inside(x, others):
    kx, ky = x[0, 1:] / x[0, 0], others[:, 1:] / others[:, :1]
    equal = np.vstack([ky.T, np.ones(len(ky))])
    return linprog(np.zeros(len(ky)), A_eq=equal, b_eq=np.r_[kx, 1]).status == 0
