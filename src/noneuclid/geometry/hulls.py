"""Convex hulls of hyperbolic points, and the closest points of two hulls.

A geodesic is straight in the Klein ball, so a hyperbolic hull is a Euclidean hull of Klein
coordinates. These are taken around a centre of the data, where float64 is finest; a point more than
18/sqrt(K) away from it counts as ideal, which moves the hull near the centre by less than 1e-15.
"""

import warnings
from typing import NamedTuple

import numpy as np
from scipy.optimize import nnls
from scipy.spatial import ConvexHull
from sklearn.exceptions import ConvergenceWarning

from noneuclid.geometry import charts, klein, lorentz, tangent

FLAT = 1e-10
"""A direction in which Klein coordinates extend less than this share of their largest is flat."""
MAX_QHULL_DIMENSION = 7
"""Qhull's facets grow like n^(dimension/2): beyond, each point is tested against the others."""
OVERLAP = 1e-10
"""Hulls closer than this, in units of 1/sqrt(K), are taken to meet."""


class ClosestPair(NamedTuple):
    """Closest points of two hulls.

    Attributes
    ----------
    x, y : ndarray, shape (d,), or (d + 1,) on the hyperboloid
        Points of the two hulls, in the chart of the data; equal where the hulls overlap.
    distance : float
        Their distance, 0 where the hulls overlap.
    gap : float
        The true distance of the hulls lies in [distance - gap, distance].
    """

    x: np.ndarray
    y: np.ndarray
    distance: float
    gap: float

    @property
    def overlap(self):
        """Whether the hulls meet."""
        return self.distance == 0


def hull_vertices(X, chart, curvature=1.0):
    """Rows of X that are vertices of their hyperbolic convex hull.

    A flat set (also one of fewer than d + 2 points) is treated inside the geodesic subspace that it
    spans: one vertex for equal points, the two ends of a geodesic, and so on. Of equal points one
    is returned.

    Parameters
    ----------
    X : ndarray, shape (n, d), or (n, d + 1) on the hyperboloid
    chart : str
    curvature : float > 0

    Returns
    -------
    ndarray of int
        Sorted. Qhull up to `MAX_QHULL_DIMENSION`, O(n log n) in the plane; beyond, n
        non-negative least-squares problems.

    Examples
    --------
    >>> hull_vertices(np.array([[0, 0], [0.5, 0], [0, 0.5], [-0.5, -0.5]]), "poincare")
    array([1, 2, 3])
    """
    points = charts.convert(X, chart, "hyperboloid", curvature) * np.sqrt(curvature)
    flat = _klein_around(points, lorentz.midpoint(points))
    flat, kept = np.unique(flat, axis=0, return_index=True)
    flat = flat - flat.mean(0)
    _, extent, axes = np.linalg.svd(flat, full_matrices=False)
    flat = flat @ axes[extent > FLAT * extent[0]].T
    return np.sort(kept[_flat_vertices(flat)])


def _flat_vertices(flat):
    """Vertices of the Euclidean hull of distinct points that span their space."""
    n, d = flat.shape
    if n <= d + 1:
        return np.arange(n)
    if d == 1:
        return np.array([flat.argmin(), flat.argmax()])
    if d <= MAX_QHULL_DIMENSION:
        return ConvexHull(flat).vertices
    system = np.vstack([np.ones(n), flat.T])
    residual = [nnls(np.delete(system, i, axis=1), system[:, i])[1] for i in range(n)]
    return np.flatnonzero(np.array(residual) > FLAT)


def closest_vertices(X, Y, chart, curvature=1.0):
    """Nearest pair among the vertices of two hulls: what the code of pan2023 uses for eq. 26.

    The hulls themselves are usually nearer: see `closest_pair`.

    Parameters
    ----------
    X, Y : ndarray, shape (n, d), (m, d), or d + 1 columns on the hyperboloid
    chart : str
    curvature : float > 0

    Returns
    -------
    i, j : int
        Row of X, row of Y.
    distance : float

    Examples
    --------
    >>> i, j, distance = closest_vertices(np.array([[-0.9], [-0.5]]), np.array([[0.5]]), "poincare")
    >>> i, j, round(distance, 12) == round(4 * np.arctanh(0.5), 12)
    (1, 0, True)
    """
    rows, columns = hull_vertices(X, chart, curvature), hull_vertices(Y, chart, curvature)
    x, y = (charts.convert(a, chart, "hyperboloid", curvature) for a in (X[rows], Y[columns]))
    apart = lorentz.pairwise_distances(x, y, curvature)
    i, j = np.unravel_index(apart.argmin(), apart.shape)
    return int(rows[i]), int(columns[j]), float(apart[i, j])


def closest_pair(X, Y, chart, curvature=1.0, tol=1e-9, max_iter=100):
    """Closest points of the hulls of X and Y (pan2023, eq. 26), in any dimension.

    Newton's method with active sets. The distance is geodesically convex, so a pair is the closest
    exactly when the planes through its points, perpendicular to their geodesic, part the hulls. In
    Klein coordinates around their midpoint these planes are parallel, and the second-order model
    of an increasing function of the distance is a sum of squares: a quadratic programme over the
    hulls, solved by `nnls`. The planes that touch the hulls bound the distance from below.

    Parameters
    ----------
    X, Y : ndarray, shape (n, d), (m, d), or d + 1 columns on the hyperboloid
    chart : str
    curvature : float > 0
    tol : float
        Stops when the gap is below `tol * max(1, distance)`, in units of 1/sqrt(K).
    max_iter : int

    Returns
    -------
    ClosestPair

    Warns
    -----
    ConvergenceWarning
        If the gap is still larger when no step helps, or after `max_iter` steps.

    Examples
    --------
    >>> X, Y = np.array([[-0.5, -0.3], [-0.5, 0.3]]), np.array([[0.5, 0.3], [0.5, -0.3]])
    >>> pair = closest_pair(X, Y, "klein")
    >>> round(pair.distance, 9) == round(2 * np.arctanh(0.5), 9), pair.overlap
    (True, False)
    """
    root = np.sqrt(curvature)
    X, Y = (root * charts.convert(a, chart, "hyperboloid", curvature) for a in (X, Y))
    x = y = lorentz.midpoint(np.stack([lorentz.midpoint(X), lorentz.midpoint(Y)]))
    length, gap = np.inf, np.inf
    for _ in range(max_iter):
        centre = lorentz.midpoint(np.stack([x, y]))
        A, B = _klein_around(X, centre), _klein_around(Y, centre)
        ends = _klein_around(np.stack([x, y]), centre)
        if np.isfinite(length):
            axis = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
            gap = length - (np.arctanh((B @ axis).min()) - np.arctanh((A @ axis).max()))
            if gap <= tol * max(1.0, length):
                break
        step, shorter = _shorter(ends, _model_minimum(A, B, ends), length)
        if shorter is None:
            break
        length = shorter
        x, y = (_from_klein_around(k, centre) for k in step)
        if length <= OVERLAP:
            y, length, gap = x, 0.0, 0.0
            break
    if gap > tol * max(1.0, length):
        warnings.warn(
            f"closest_pair: distance of the hulls known to {gap:.2g} only, wanted {tol:.2g}",
            ConvergenceWarning,
            stacklevel=2,
        )
    x, y = (charts.convert(p / root, "hyperboloid", chart, curvature) for p in (x, y))
    return ClosestPair(x, y, float(length / root), float(gap / root))


def _klein_around(points, centre):
    """Klein coordinates of hyperboloid points (K = 1) in the frame that puts the centre at 0."""
    vectors = tangent.flatten(points, centre)
    moved = lorentz.from_spatial(
        vectors * lorentz.sinhc(np.linalg.norm(vectors, axis=-1, keepdims=True))
    )
    return moved[..., 1:] / moved[..., :1]


def _from_klein_around(k, centre):
    """Undo `_klein_around`."""
    return tangent.lift(charts.convert(k, "klein", "tangent"), centre)


def _model_minimum(A, B, ends):
    """Pair of points of the hulls of A, B that minimises the model of the distance at `ends`.

    With ends -c e, c e and Q = 1 - c^2 the model is (f(y-x))^2 + Q |(y-x)'|^2 + 2 c^2 (|x'|^2 +
    |y'|^2) + (4 c^2/Q) ((f(x)+c)^2 + (f(y)-c)^2), f the component along e, ' the part across.
    """
    c = np.linalg.norm(ends[1] - ends[0]) / 2
    axis = (ends[1] - ends[0]) / (2 * c) if c > 0 else np.eye(A.shape[1])[0]
    Q = (1 - c) * (1 + c)

    def rows(points, sign):
        along = points @ axis
        across = (points - along[:, None] * axis).T
        own = np.vstack([np.sqrt(2) * c * across, 2 * c / np.sqrt(Q) * (along - sign * c)])
        pair = [own, np.zeros_like(own)][:: -int(sign)]
        sums = np.outer([sign < 0, sign > 0], np.full(len(points), HEAVY))
        return np.vstack([sums, sign * along, sign * np.sqrt(Q) * across, *pair])

    system = np.hstack([rows(A, -1.0), rows(B, 1.0)])
    target = np.zeros(len(system))
    target[:2] = HEAVY
    weights = nnls(system, target, maxiter=30 * system.shape[1])[0]
    a, b = weights[: len(A)], weights[len(A) :]
    return np.stack([a @ A / a.sum(), b @ B / b.sum()])


HEAVY = 1e5
"""Weight of the rows that make the coefficients of each hull sum to one, before normalisation."""


def _shorter(ends, goal, length):
    """First of the halved steps from `ends` to `goal` that shortens the distance, or None."""
    for step in 0.5 ** np.arange(30):
        pair = (1 - step) * ends + step * goal
        shorter = float(klein.distance(*pair))
        if shorter < length:
            return pair, shorter
    return None, None
