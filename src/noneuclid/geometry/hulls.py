"""Convex hulls of hyperbolic points, and the closest points of two hulls.

A geodesic is straight in the Klein ball, so a hyperbolic hull is a Euclidean hull of Klein
coordinates. These are taken around a centre of the data, where float64 is finest; a point more than
18/sqrt(K) away from it counts as ideal, which moves the hull near the centre by less than 1e-15.
Of many rows, those well inside the hull of extreme rows are left out first.
"""

import warnings
from contextlib import suppress
from typing import NamedTuple

import numpy as np
from scipy.optimize import nnls
from scipy.spatial import ConvexHull, QhullError
from sklearn.exceptions import ConvergenceWarning

from noneuclid.compiled import compile_cached
from noneuclid.geometry import charts, lorentz, tangent

FLAT = 1e-10
"""A direction in which Klein coordinates extend less than this share of their largest is flat."""
MAX_QHULL_DIMENSION = 7
"""Qhull's facets grow like n^(dimension/2): beyond, each point is tested against the others."""
BATCH = 50
"""Columns that may enter a least-squares problem at once."""
HEAVY = 1e3
"""Weight of the rows that make coefficients sum to one; repeated solves remove its error."""
OVERLAP = 1e-10
"""Hulls closer than this, in units of 1/sqrt(K), are taken to meet."""
MANY = 1000
"""Fewer rows are not worth a first pass."""
MAX_DIMENSION = 4
"""Beyond, few rows lie well inside."""
INSIDE = 1e-9
"""A row at least this far inside a facet lies well inside."""
_DIRECTIONS = {2: 32, 3: 24, 4: 32}


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
    is returned. Qhull up to `MAX_QHULL_DIMENSION`, O(n log n) in the plane; beyond, n non-negative
    least-squares problems.

    Parameters
    ----------
    X : ndarray, shape (n, d), or (n, d + 1) on the hyperboloid
    chart : str
    curvature : float > 0

    Returns
    -------
    ndarray of int
        Sorted.

    Examples
    --------
    >>> hull_vertices(np.array([[0, 0], [0.5, 0], [0, 0.5], [-0.5, -0.5]]), "poincare")
    array([1, 2, 3])
    """
    points = charts.convert(X, chart, "hyperboloid", curvature) * np.sqrt(curvature)
    outer = outer_rows(points[:, 1:] / points[:, :1])
    points = points[outer]
    around = _around(points, lorentz.midpoint(points))
    flat = around[:, 1:] / around[:, :1]
    flat, kept = np.unique(flat, axis=0, return_index=True)
    flat = flat - flat.mean(0)
    _, extent, axes = np.linalg.svd(flat, full_matrices=False)
    flat = flat @ axes[extent > FLAT * extent[0]].T
    return np.sort(outer[kept[_flat_vertices(flat)]])


def _flat_vertices(flat):
    """Vertices of the Euclidean hull of distinct points that span their space."""
    n, d = flat.shape
    if (size := abs(flat).max(initial=0.0)) < FLAT:
        flat = flat / (size or 1.0)
    if n <= d + 1:
        return np.arange(n)
    if d == 1:
        return np.array([flat.argmin(), flat.argmax()])
    if d <= MAX_QHULL_DIMENSION:
        # Qhull gives up on hulls that are narrow beyond its own tolerance; the test below does not.
        with suppress(QhullError):
            return ConvexHull(flat).vertices
    system = np.vstack([np.ones(n), flat.T])
    residual = [nnls(np.delete(system, i, axis=1), system[:, i])[1] for i in range(n)]
    return np.flatnonzero(np.array(residual) > FLAT)


def closest_vertices(X, Y, chart, curvature=1.0):
    """Nearest pair of vertices of two hulls, as the code of Pan et al. (2023) computes eq. 26.

    The hulls themselves are usually nearer: see `closest_pair`. Returns the row of X, the row of Y
    and their distance.

    Examples
    --------
    >>> i, j, distance = closest_vertices(np.array([[-0.9], [-0.5]]), np.array([[0.5]]), "poincare")
    >>> i, j, round(distance, 9)
    (1, 0, 2.197224577)
    """
    rows, columns = hull_vertices(X, chart, curvature), hull_vertices(Y, chart, curvature)
    x, y = (charts.convert(a, chart, "hyperboloid", curvature) for a in (X[rows], Y[columns]))
    best = np.inf, 0, 0
    for i, p in enumerate(x):  # row by row: no matrix of all distances
        apart = lorentz.distance(p, y, curvature)
        j = apart.argmin()
        best = min(best, (float(apart[j]), i, int(j)))
    return int(rows[best[1]]), int(columns[best[2]]), best[0]


def closest_pair(X, Y, chart, curvature=1.0, tol=1e-9, max_iter=50):
    """Closest points of the hulls of X and Y (Pan et al. 2023, eq. 26), in any dimension.

    Newton's method with active sets. The distance is geodesically convex, so a pair is the closest
    exactly when the planes through its points, perpendicular to their geodesic, separate the hulls.
    In Klein coordinates around their midpoint these planes are parallel, and the second-order model
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
    >>> round(pair.distance, 9), pair.overlap
    (1.098612289, False)
    """
    root = np.sqrt(curvature)
    X, Y = (root * charts.convert(a, chart, "hyperboloid", curvature) for a in (X, Y))
    x, y = lorentz.midpoint(X), lorentz.midpoint(Y)
    length, gap = float(lorentz.distance(x, y)), np.inf
    for iteration in range(max_iter):
        sides = _seen_from_middle(X, Y, x, y)
        gap = length - (sides[1].place.min() - sides[0].place.max())
        if gap <= tol * max(1.0, length) or length <= OVERLAP:
            break
        # the Euclidean model finds a common point of the hulls at once, if there is one
        weights = _model_minimum(sides, length / 2 if iteration else 0.0)
        goal = [lorentz.midpoint(*pair) for pair in zip((X, Y), weights, strict=True)]
        step = _shorter(x, y, goal, length)
        if step is None and iteration:
            break
        x, y, length = step or (x, y, length)
    if length <= OVERLAP:
        y, length, gap = x, 0.0, 0.0
    if gap > tol * max(1.0, length):
        warnings.warn(
            f"closest_pair: distance of the hulls known to {gap:.2g} only, wanted {tol:.2g}",
            ConvergenceWarning,
            stacklevel=2,
        )
    x, y = (charts.convert(p / root, "hyperboloid", chart, curvature) for p in (x, y))
    return ClosestPair(x, y, float(length / root), float(max(gap, 0.0) / root))


class _Side(NamedTuple):
    """Points around the middle of a segment: place along it, the rest across in Klein, x0."""

    place: np.ndarray
    rest: np.ndarray
    time: np.ndarray


def _around(points, centre):
    """Hyperboloid points (K = 1) in the frame that puts the centre at the origin."""
    return charts.convert(tangent.flatten(points, centre), "tangent", "hyperboloid")


def _seen_from_middle(X, Y, x, y):
    """Sides of X and Y around the midpoint of x and y."""
    centre = lorentz.midpoint(np.stack([x, y]))
    ends = _around(np.stack([x, y]), centre)[:, 1:]
    apart = np.linalg.norm(ends[1] - ends[0])
    axis = (ends[1] - ends[0]) / apart if apart > 0 else np.eye(1, ends.shape[1])[0]
    sides = []
    for points in (_around(X, centre), _around(Y, centre)):
        along = points[:, 1:] @ axis
        across = points[:, 1:] - along[:, None] * axis
        place = np.arcsinh(along / np.hypot(1, np.linalg.norm(across, axis=1)))
        sides.append(_Side(place, across / points[:, :1], points[:, 0]))
    return sides


def _model_minimum(sides, half):
    """Weights of the two hulls' points that minimise the model of the distance, ends at -+half.

    With c = tanh(half), in Klein coordinates multiplied by cosh(half)^2 along the axis (s, from the
    ends) and by cosh(half) across it (t), the model is (s_y - s_x + 2c)^2 + (1-c^2) |t_y - t_x|^2
    + 2 c^2 (|t_x|^2 + |t_y|^2) + 4 c^2 (s_x^2 + s_y^2).
    """
    c, stretch = np.tanh(half), np.cosh(half)
    columns = []
    for side, sign in zip(sides, (-1, 1), strict=True):
        s = np.sinh(side.place - sign * half) * stretch / np.cosh(side.place)
        t = side.rest.T * stretch
        own = np.vstack([2 * c * s, np.sqrt(2) * c * t])
        both = [own, np.zeros_like(own)][::-sign]
        columns.append(np.vstack([sign * s, sign * t / stretch, *both]))
    weights = _convex_weights(columns, -2 * c)
    return [part / side.time for part, side in zip(weights, sides, strict=True)]


def _convex_weights(blocks, goal):
    """Weights of the columns of each block, convex, that minimise |sum of all - (goal, 0, ...)|^2.

    Non-negative least squares on a growing set of columns: at the minimum few carry weight.
    """
    used = [np.argsort((block**2).sum(0))[:BATCH] for block in blocks]
    while True:
        system = np.hstack([block[:, chosen] for block, chosen in zip(blocks, used, strict=True)])
        sums = np.repeat(np.eye(2), [len(chosen) for chosen in used], axis=1)
        weights, residual = _least_squares(system, sums, goal)
        parts = np.split(weights, [len(used[0])])
        fresh = []
        for block, chosen, part in zip(blocks, used, parts, strict=True):
            pull = residual @ block
            pull -= pull[chosen[part > 0]].max()
            best = np.argsort(-pull)[:BATCH]
            fresh.append(np.setdiff1d(best[pull[best] > 1e-12], chosen))
        if not (fresh[0].size or fresh[1].size):
            break
        used = [np.append(*pair) for pair in zip(used, fresh, strict=True)]
    full = [np.zeros(block.shape[1]) for block in blocks]
    for whole, chosen, part in zip(full, used, parts, strict=True):
        whole[chosen] = part
    return full


def _least_squares(system, sums, goal):
    """Weights >= 0 with unit sums, and the residual: heavy rows, their error fed back."""
    heavy = np.vstack([HEAVY * sums, system])
    target = np.zeros(len(heavy))
    target[:3] = HEAVY, HEAVY, goal
    for _ in range(3):
        weights = nnls(heavy, target)[0]
        residual = target - heavy @ weights
        target[:2] += HEAVY * (1 - sums @ weights)
    return weights, residual[2:]


def _shorter(x, y, goal, length):
    """First of the halved steps from x, y to the goal that does not lengthen the distance, or None.

    Returns the pair and its distance. Rounding is no lengthening: near the end the gap still falls
    when the distance, flat there, has settled.
    """
    rounding = 1e-14 * max(1.0, length)
    for step in 0.5 ** np.arange(30):
        pair = lorentz.geodesic(np.stack([x, y]), np.stack(goal), step)
        shorter = float(lorentz.distance(*pair))
        if shorter <= length + rounding:
            return *pair, shorter
    return None


def outer_rows(X):
    """Sorted rows of X, within the unit ball, that are not well inside the hull of extreme rows.

    After Akl and Toussaint (1978): the extreme rows along fixed directions are vertices of the
    hull, and no row inside the hull of these is one. O(n) time. All rows are returned if they are
    few, flat, or in one dimension or more than `MAX_DIMENSION`.

    Examples
    --------
    >>> X = np.random.default_rng(0).uniform(-0.5, 0.5, (5000, 2))
    >>> bool(len(outer_rows(X)) < 1000)
    True
    """
    n, d = X.shape
    if n < MANY or not 2 <= d <= MAX_DIMENSION:
        return np.arange(n)
    try:
        facets = ConvexHull(X[np.unique(_extremes(X, _directions(d)))]).equations
    except QhullError:
        return np.arange(n)
    return np.flatnonzero(_outside(X, facets[:, :-1].copy(), -facets[:, -1] - INSIDE))


def _directions(d):
    """Unit vectors, up to sign: even in the plane, else random."""
    count = _DIRECTIONS[d]
    if d == 2:
        angle = np.pi * np.arange(count) / count
        return np.column_stack([np.cos(angle), np.sin(angle)])
    return np.random.default_rng(0).standard_normal((count, d))


@compile_cached
def _extremes(X, directions):
    """First and last row along each direction."""
    k = len(directions)
    rows = np.zeros((k, 2), dtype=np.int64)
    ends = np.empty((k, 2))
    ends[:, 0], ends[:, 1] = np.inf, -np.inf
    for i in range(len(X)):
        for j in range(k):
            place = 0.0
            for m in range(X.shape[1]):
                place += X[i, m] * directions[j, m]
            if place < ends[j, 0]:
                ends[j, 0], rows[j, 0] = place, i
            if place > ends[j, 1]:
                ends[j, 1], rows[j, 1] = place, i
    return rows


@compile_cached
def _outside(X, normals, limits):
    """Whether a row reaches the limit along some normal."""
    found = np.zeros(len(X), dtype=np.bool_)
    for i in range(len(X)):
        for j in range(len(normals)):
            place = 0.0
            for m in range(X.shape[1]):
                place += X[i, m] * normals[j, m]
            if place >= limits[j]:
                found[i] = True
                break
    return found
