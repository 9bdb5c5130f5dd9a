"""Hyperbolic space of curvature -K as a hyperboloid in Minkowski space.

A point is `(x0, x1, ..., xd)`, time first, with `<x,x>_L = -1/K` and `x0 > 0`. Every result gets
its time coordinate from its spatial part, so that `<x,x>_L = -1/K` and `<x,v>_L = 0` hold to
rounding. Distances from the origin may reach 350/sqrt(K), where the squares overflow.

All functions take array_like and return ndarray. Points `x`, `y`, tangent vectors `v` and normals
`w` have shape (..., d + 1); leading axes broadcast; distances and products have shape (...).
`curvature` is K > 0.
"""

import numpy as np

from noneuclid.errors import InputError
from noneuclid.geometry.blocks import by_blocks

_NULL = 1e-12  # of |w|²: a smaller <w,w>_L is rounding


def product(x, y):
    """Lorentz product `-x0*y0 + x1*y1 + ... + xd*yd` along the last axis.

    Examples
    --------
    >>> float(product([2.0, 1.0], [3.0, 1.0]))
    -5.0
    """
    tables = type(x) is type(y) is np.ndarray and x.ndim == 2
    if tables and (x.shape, x.strides) == (y.shape, y.strides):
        return by_blocks(lambda rows: _product(x[rows], y[rows]), x)
    return _product(x, y)


def _product(x, y):
    """The same, with temporary arrays of the size of both."""
    xy = np.multiply(x, y, dtype=float)
    return xy[..., 1:].sum(-1) - xy[..., 0]


def from_spatial(spatial, curvature=1.0):
    """Point of the hyperboloid with the given spatial part, shape (..., d) -> (..., d + 1).

    Examples
    --------
    >>> from_spatial([0.75])
    array([1.25, 0.75])
    """
    spatial = np.asarray(spatial, dtype=float)
    if spatial.ndim == 2 and np.ndim(curvature) == 0:
        return by_blocks(lambda rows: _with_time(spatial[rows], curvature), spatial)
    return _with_time(spatial, curvature)


def _with_time(spatial, curvature):
    """The same, with a temporary array of the same size."""
    time = np.hypot(1 / np.sqrt(curvature), np.linalg.norm(spatial, axis=-1, keepdims=True))
    return np.concatenate([time, spatial], axis=-1)


def origin(d, curvature=1.0):
    """Point `(1/sqrt(K), 0, ..., 0)` of the `d`-dimensional hyperboloid.

    Examples
    --------
    >>> origin(2, curvature=4.0)
    array([0.5, 0. , 0. ])
    """
    return from_spatial(np.zeros(d), curvature)


def sinhc(z):
    """Return sinh(z)/z, and 1 at zero.

    Examples
    --------
    >>> float(sinhc(0.0))
    1.0
    """
    z = np.asarray(z, dtype=float)
    return np.where(z == 0, 1.0, np.sinh(z) / np.where(z == 0, 1.0, z))


def _unit(v, norm):
    """Direction of v; the first axis where the norm is zero: any unit vector is right there."""
    first = np.eye(1, v.shape[-1])[0]
    return np.where(norm > 0, v / np.where(norm > 0, norm, 1.0), first)


def _half_sinh(x, y, curvature):
    """sinh(sqrt(K)*d/2) without cancellation: see `distance`."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    xs, ys = x[..., 1:], y[..., 1:]
    xn, yn = np.linalg.norm(xs, axis=-1), np.linalg.norm(ys, axis=-1)
    difference = xs - ys
    squares = np.einsum("...i,...i", difference, xs + ys)
    safe = np.where(xn + yn > 0, 1.0, 0.0)
    radial = squares / (xn * y[..., 0] + yn * x[..., 0] + (1 - safe))
    near, far = np.minimum(xn, yn), np.maximum(xn, yn)
    inner = np.where((xn < yn)[..., None], xs, ys)
    along = squares / (xn + yn + (1 - safe))
    across = difference - _unit(inner, near[..., None]) * along[..., None]
    angular = np.einsum("...i,...i", across, across) * (near / (far + (1 - safe)))
    return np.sqrt(radial**2 / (2 + 2 * np.hypot(1, radial)) + curvature * angular / 4)


def distance(x, y, curvature=1.0):
    """Hyperbolic distance.

    With radii r, s, directions a, b and K = 1,
    `sinh^2(d/2) = sinh^2((r-s)/2) + sinh(r) sinh(s) |a-b|^2 / 4`: a sum of positive terms. Both are
    formed from the difference of the spatial parts, so near points and far points keep their
    relative accuracy; acosh of the Lorentz product would lose half of the digits of near points
    and, away from the origin, all of them.

    Examples
    --------
    >>> x = from_spatial([3.0, 4.0])
    >>> bool(np.isclose(distance(origin(2), x), np.arcsinh(5.0)))
    True
    """
    return 2 * np.arcsinh(_half_sinh(x, y, curvature)) / np.sqrt(curvature)


def pairwise_distances(X, Y=None, curvature=1.0):
    """Distances between all rows of X and all rows of Y (of X itself if None).

    Shapes (n, d + 1), (m, d + 1) -> (n, m), in O(n m d) time and O(n m) memory. Exactly symmetric
    with a zero diagonal if Y is None.

    Examples
    --------
    >>> pairwise_distances(from_spatial([[0.0], [np.sinh(1.5)]])).round(12)
    array([[0. , 1.5],
           [1.5, 0. ]])
    """
    return all_pairs(distance, X, Y, curvature)


def all_pairs(between, X, Y, curvature):
    """Table of `between(x, y, curvature)` of all rows, as `pairwise_distances`."""
    X = np.asarray(X, dtype=float)
    if Y is not None:
        Y = np.asarray(Y, dtype=float)
        return np.array([between(x, Y, curvature) for x in X]).reshape(len(X), len(Y))
    result = np.zeros((len(X), len(X)))
    for i, x in enumerate(X):
        result[i, i + 1 :] = result[i + 1 :, i] = between(x, X[i + 1 :], curvature)
    return result


def at_point(x, spatial):
    """Tangent vector at x with the given spatial part; the time part follows from <x,v>_L = 0."""
    time = np.einsum("...i,...i", spatial, x[..., 1:]) / x[..., 0]
    return np.concatenate([time[..., None], spatial], axis=-1)


def norm(x, v, curvature=1.0):
    """Length of the tangent vector v at x, by components along and across the radius of x.

    Examples
    --------
    >>> float(norm(origin(2), [0.0, 3.0, 4.0]))
    5.0
    """
    x, v = np.asarray(x, dtype=float), np.asarray(v, dtype=float)
    radius = np.linalg.norm(x[..., 1:], axis=-1, keepdims=True)
    outward = _unit(x[..., 1:], radius)
    along = np.einsum("...i,...i", outward, v[..., 1:])
    across = np.linalg.norm(v[..., 1:] - along[..., None] * outward, axis=-1)
    return np.hypot(across, along / (np.sqrt(curvature) * x[..., 0]))


def exp(x, v, curvature=1.0):
    """Point reached from x by the geodesic with velocity v (`<x,v>_L = 0`) in unit time.

    Examples
    --------
    >>> exp(origin(1), [0.0, np.arcsinh(0.75)]).round(12)
    array([1.25, 0.75])
    """
    x, v = np.asarray(x, dtype=float), np.asarray(v, dtype=float)
    angle = (np.sqrt(curvature) * norm(x, v, curvature))[..., None]
    return from_spatial(np.cosh(angle) * x[..., 1:] + sinhc(angle) * v[..., 1:], curvature)


def log(x, y, curvature=1.0):
    """Tangent vector at x that `exp` carries to y; its length is the distance.

    Examples
    --------
    >>> log(origin(1), from_spatial([np.sinh(2.0)])).round(12)
    array([0., 2.])
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    half = _half_sinh(x, y, curvature)[..., None]
    angle = 2 * np.arcsinh(half)
    # (cosh(angle) - 1) angle / sinh(angle): its parts overflow far out
    share = angle * half / np.hypot(1, half)
    return at_point(x, (y - x)[..., 1:] / sinhc(angle) - share * x[..., 1:])


def geodesic(x, y, t, curvature=1.0):
    """Point at fraction t of the geodesic from x to y; t, of shape (...), may leave [0, 1].

    Examples
    --------
    >>> y = from_spatial([np.sinh(2.0), 0.0])
    >>> float(distance(origin(2), geodesic(origin(2), y, 0.25)).round(12))
    0.5
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    t = np.asarray(t, dtype=float)[..., None]
    angle = 2 * np.arcsinh(_half_sinh(x, y, curvature))[..., None]
    start = (1 - t) * sinhc((1 - t) * angle) / sinhc(angle)
    end = t * sinhc(t * angle) / sinhc(angle)
    return from_spatial(start * x[..., 1:] + end * y[..., 1:], curvature)


def midpoint(X, weights=None, curvature=1.0):
    """Weighted centroid of the rows: the weighted sum scaled back to the hyperboloid.

    For two rows of equal weight it is the midpoint of their geodesic; in the Klein ball it is the
    Einstein midpoint. It minimises the weighted sum of `cosh(sqrt(K)*d)`.

    Parameters
    ----------
    X : array_like, shape (..., n, d + 1)
    weights : array_like, shape (..., n), or None
        Non-negative, not all zero; None means equal.
    curvature : float > 0

    Returns
    -------
    ndarray, shape (..., d + 1)

    Raises
    ------
    InputError
        If a weight is negative or not finite, or all are zero.

    Examples
    --------
    >>> midpoint(from_spatial([[-0.75], [0.75]]))
    array([1., 0.])
    """
    X = np.asarray(X, dtype=float)
    weights = np.ones(X.shape[:-1]) if weights is None else np.asarray(weights, dtype=float)
    mass = weights.sum(-1, keepdims=True)
    if not ((weights >= 0).all() and (mass > 0).all() and np.isfinite(mass).all()):
        raise InputError(
            f"midpoint weights must be >= 0, finite and not all zero, but lie in "
            f"[{weights.min():.6g}, {weights.max():.6g}]; drop such rows"
        )
    weights = weights / mass
    total = np.einsum("...n,...nd->...d", weights, X)
    total_norm = np.linalg.norm(total[..., 1:], axis=-1, keepdims=True)
    outward = _unit(total[..., 1:], total_norm)[..., None, :]
    radius = np.linalg.norm(X[..., 1:], axis=-1)
    # time minus the component along the sum, row by row: the sum itself would cancel far out
    across = np.linalg.norm(X[..., 1:] - radius[..., None] * outward, axis=-1) ** 2
    lag = 1 / (curvature * (X[..., 0] + radius)) + across / (2 * np.where(radius > 0, radius, 1))
    length = (weights * lag).sum(-1) * (total[..., 0] + total_norm[..., 0])
    return from_spatial(total[..., 1:] / np.sqrt(curvature * length)[..., None], curvature)


def boost(x, curvature=1.0):
    """Lorentz matrix B that carries the origin to x without rotation; B at -x is its inverse.

    Shape (..., d + 1, d + 1), symmetric, with `B.T @ G @ B = G`, G = diag(-1, 1, ..., 1).

    Examples
    --------
    >>> boost(from_spatial([0.75]))
    array([[1.25, 0.75],
           [0.75, 1.25]])
    """
    scaled = from_spatial(np.sqrt(curvature) * np.asarray(x, dtype=float)[..., 1:])
    space = scaled[..., 1:]
    matrix = scaled[..., :, None] * scaled[..., None, :]
    matrix[..., 1:, 1:] /= 1 + scaled[..., :1, None]
    matrix[..., 1:, 1:] += np.eye(space.shape[-1])
    matrix[..., 0, :] = matrix[..., :, 0] = scaled
    return matrix


def hyperplane_distance(x, w, curvature=1.0):
    """Signed distance from x to the hyperplane `<w,x>_L = 0`, positive where <w,x>_L is.

    `asinh(sqrt(K) <w,x>_L / sqrt(<w,w>_L)) / sqrt(K)` for a spacelike normal w of any length.

    Raises
    ------
    InputError
        If a normal is not spacelike: it then belongs to no hyperplane.

    Examples
    --------
    >>> float(hyperplane_distance(from_spatial([np.sinh(1.5)]), [0.0, 2.0]).round(12))
    1.5
    """
    w = np.asarray(w, dtype=float)
    space, time = np.linalg.norm(w[..., 1:], axis=-1), np.abs(w[..., 0])
    square = (space - time) * (space + time)
    if not (square > 0).all():
        raise InputError(
            f"a normal must be spacelike, but <w,w>_L = {np.min(square):.6g}; no hyperplane has it"
        )
    return np.arcsinh(np.sqrt(curvature / square) * product(x, w)) / np.sqrt(curvature)


def hyperplane_distance_at(x, p, w, curvature=1.0):
    """Signed distance from x to the hyperplane through p with the normal w, <p,w>_L = 0.

    As `hyperplane_distance`, but in the light-cone coordinates x0 + a, x0 - a of the component a
    along p, where the boost of p to the origin is a product: nothing cancels far out.

    Examples
    --------
    >>> p, x = from_spatial(np.sinh([[200.0], [201.5]]))
    >>> float(hyperplane_distance_at(x, p, at_point(p, np.array([1.0]))).round(12))
    1.5
    """
    x, p = (np.sqrt(curvature) * np.asarray(a, dtype=float) for a in (x, p))
    radius = np.linalg.norm(p[..., 1:], axis=-1)
    outward, growth = _unit(p[..., 1:], radius[..., None]), p[..., 0] + radius
    along, rise = (np.einsum("...i,...i", outward, a[..., 1:]) for a in (x, w))
    across = x[..., 1:] - along[..., None] * outward
    slope, rise = w[..., 1:] - rise[..., None] * outward, rise / p[..., 0]
    large = x[..., 0] + np.abs(along)
    small = (1 + np.einsum("...i,...i", across, across)) / large
    plus, minus = np.where(along >= 0, (large, small), (small, large))
    seen = (plus / growth - minus * growth) / 2
    sine = seen * rise + np.einsum("...i,...i", across, slope)
    return np.arcsinh(sine / np.hypot(rise, np.linalg.norm(slope, axis=-1))) / np.sqrt(curvature)


def normal_length(w):
    """Divisor of <w,x>_L for a score without units: sqrt(|<w,w>_L|), or |w_0| on the light cone.

    `asinh(<w,x>_L / normal_length(w))` has the sign and the order of <w,x>_L for every w, shape
    (d + 1,). For a spacelike w it is the signed distance from the hyperplane. For a null w, a
    horosphere, it is ±asinh(exp b) with the Busemann function b = log(|<w,x>_L| / |w_0|), 0
    at the origin. For a timelike w, ±w_0 cosh(distance from w), no hyperplane exists. The length is
    1 for w = 0; |<w,w>_L| up to 1e-12 |w|² counts as null.

    Examples
    --------
    >>> [float(normal_length(w)) for w in ([0.0, 3.0, 4.0], [5.0, 3.0, 4.0], [0.0, 0.0, 0.0])]
    [5.0, 5.0, 1.0]
    """
    w = np.asarray(w, dtype=float)
    largest = np.abs(w).max() or 1.0
    space, time = np.linalg.norm(w[1:] / largest), abs(w[0] / largest)
    square = (space - time) * (space + time)
    if abs(square) > _NULL * (space**2 + time**2):
        return largest * np.sqrt(abs(square))
    return largest * (time or 1.0)
