"""The sphere of curvature K in one more dimension, of radius 1/sqrt(K), and its other charts.

A point is `(x0, x1, ..., xd)` with `|x|^2 = 1/K`; the origin is the pole `(1/sqrt(K), 0, ..., 0)`.
Points `x`, `y` and tangent vectors `v` have shape (..., d + 1); leading axes broadcast; distances
have shape (...). Formulas: do Carmo, Riemannian Geometry, 1992, chapters 3 and 8; the distance by
Kahan's angle, without cancellation. Errors are a few eps = 2.2e-16 in units of 1/sqrt(K), except
that a direction loses its digits near the opposite point.

The charts are radial: a point at distance r of the origin in direction u is g(sqrt(K) r) u /
sqrt(K). `tangent` has g(r) = r, in the ball of radius pi; `stereographic` has g(r) = tan(r/2), as
the Poincaré ball has tanh(r/2).
"""

import numpy as np

from noneuclid.errors import InputError, require

CHARTS = ("sphere", "stereographic", "tangent")

TOLERANCE = 1e-5
"""Legal rows have |K |x|^2 - 1| <= TOLERANCE, and are scaled; float32 and six decimals pass."""

# g, its derivative and its inverse.
_RADIAL = {
    "tangent": (lambda r: r, np.ones_like, lambda g: g),
    "stereographic": (
        lambda r: np.tan(r / 2),
        lambda r: 0.5 / np.cos(r / 2) ** 2,
        lambda g: 2 * np.arctan(g),
    ),
}
_OPPOSITE = 1e-15  # relative length of x + y below which y is opposite to x


def check_points(X, chart, curvature, first=0):
    """Raise an error with row, value and remedy unless the rows are points of the chart.

    The numbers in X are finite; `first` is the number of the first column, for the message.
    """
    width = 2 if chart == "sphere" else 1
    require(
        X.ndim == 2 and X.shape[1] >= width,
        f"chart '{chart}' needs a table with at least {width} column(s), got shape {X.shape}",
    )
    squares = curvature * np.einsum("ij,ij->i", X, X)
    if chart == "sphere":
        values = squares - 1
        wrong = np.flatnonzero(~(np.abs(values) <= TOLERANCE))
        length = ("" if curvature == 1 else f"sqrt({curvature:.6g}) times ") + "their length"
        cure = f"divide columns {first} to {first + X.shape[1] - 1} of each row by {length}, check "
        cure += "curvature, or give another chart"
        if 10 < np.abs(X).max(initial=0) <= 360:
            cure += "; ProductSpace shows how to convert degrees"
        found = "is not on the sphere: K*|x|^2 - 1 = {:.3g}, not 0"
    elif chart == "tangent":
        values = squares
        wrong = np.flatnonzero(~(values <= np.pi**2))
        cure = "check curvature, or whether these are angles in degrees"
        found = "lies beyond the opposite pole: K*|x|^2 = {:.6g}, above pi^2"
    else:
        return
    for row in wrong[:1]:
        raise InputError(f"row {row} {found.format(values[row])}; {cure}")


def to_sphere(X, chart, curvature):
    """Points of a chart on the sphere; those of the sphere get the length 1/sqrt(K)."""
    X, root = np.asarray(X, dtype=float), np.sqrt(curvature)
    if chart == "sphere":
        return X / (root * np.linalg.norm(X, axis=-1, keepdims=True))
    angle, direction = _polar(X, chart, root)
    return np.concatenate([np.cos(angle), np.sin(angle) * direction], axis=-1) / root


def from_sphere(X, chart, curvature):
    """Points of the sphere in a chart; the pole opposite to the origin has no stereographic one."""
    if chart == "sphere":
        return X
    angle, direction = _angle(X, curvature)
    require(
        chart != "stereographic" or (angle < np.pi).all(),
        "a point is opposite to the origin, which chart 'stereographic' does not hold; use "
        "'sphere'",
    )
    return _RADIAL[chart][0](angle) * direction / np.sqrt(curvature)


def push(x, v, chart, curvature):
    """Tangent vectors in the coordinates of a chart, at its points x, on the sphere."""
    if chart == "sphere":
        return at_point(to_sphere(x, chart, curvature), v, curvature)
    angle, u = _polar(x, chart, np.sqrt(curvature))
    along = np.einsum("...i,...i", u, v)[..., None]
    rate = along / _RADIAL[chart][1](angle)
    across = (v - along * u) / _stretch(angle, chart)
    spatial = np.cos(angle) * rate * u + across
    return np.concatenate([-np.sin(angle) * rate, spatial], axis=-1)


def pull(x, v, chart, curvature):
    """Tangent vectors at points x of the sphere in the coordinates of a chart."""
    if chart == "sphere":
        return v
    angle, u = _angle(x, curvature)
    radial = np.einsum("...i,...i", u, v[..., 1:])[..., None]
    rate = np.cos(angle) * radial - np.sin(angle) * v[..., :1]
    across = v[..., 1:] - radial * u
    return _RADIAL[chart][1](angle) * rate * u + _stretch(angle, chart) * across


def _stretch(angle, chart):
    """g(r) / sin(r): what a vector across is multiplied by."""
    g, slope, _ = _RADIAL[chart]
    small = np.sin(angle) == 0
    return np.where(small, slope(angle), g(angle) / np.where(small, 1.0, np.sin(angle)))


def _polar(X, chart, root):
    """Angle (..., 1) from the origin and direction (..., d) of points of a radial chart."""
    length = np.linalg.norm(X, axis=-1, keepdims=True)
    return _RADIAL[chart][2](root * length), X / np.where(length > 0, length, 1.0)


def _angle(X, curvature):
    """The same of points of the sphere."""
    length = np.linalg.norm(X[..., 1:], axis=-1, keepdims=True)
    direction = X[..., 1:] / np.where(length > 0, length, 1.0)
    direction = np.where(length > 0, direction, np.eye(1, X.shape[-1] - 1)[0])
    return np.arctan2(length, X[..., :1]), direction


def origin(d, curvature=1.0):
    """The pole (1/sqrt(K), 0, ..., 0), shape (d + 1,)."""
    return np.eye(1, d + 1)[0] / np.sqrt(curvature)


def at_point(x, v, curvature=1.0):
    """Part of v that is tangent at x.

    Examples
    --------
    >>> at_point(origin(1), np.array([3.0, 2.0]))
    array([0., 2.])
    """
    return v - curvature * np.einsum("...i,...i", x, v)[..., None] * x


def distance(x, y, curvature=1.0):
    """Length of the shorter arc: 2 atan2(|x - y|, |x + y|) / sqrt(K).

    Examples
    --------
    >>> bool(np.isclose(distance(origin(1), np.array([-1.0, 0.0])), np.pi))
    True
    """
    apart = np.linalg.norm(np.subtract(x, y), axis=-1)
    together = np.linalg.norm(np.add(x, y), axis=-1)
    return 2 * np.arctan2(apart, together) / np.sqrt(curvature)


def exp(x, v, curvature=1.0):
    """Point that the geodesic from x with velocity v reaches in unit time.

    Examples
    --------
    >>> exp(origin(1), np.array([0.0, np.pi / 2])).round(12)
    array([0., 1.])
    """
    angle = np.sqrt(curvature) * np.linalg.norm(v, axis=-1, keepdims=True)
    moved = np.cos(angle) * x + np.sinc(angle / np.pi) * v
    return to_sphere(moved, "sphere", curvature)


def log(x, y, curvature=1.0):
    """Shortest tangent vector at x that `exp` carries to y; NaN if y is opposite to x.

    Examples
    --------
    >>> log(origin(1), np.array([0.0, 1.0])).round(6)
    array([0.      , 1.570796])
    """
    across = at_point(x, np.subtract(y, x), curvature)
    length = np.linalg.norm(across, axis=-1, keepdims=True)
    vector = across * (distance(x, y, curvature)[..., None] / np.where(length > 0, length, 1.0))
    return np.where(opposite(x, y, curvature)[..., None], np.nan, vector)


def opposite(x, y, curvature=1.0):
    """Whether y is opposite to x, to rounding."""
    return np.sqrt(curvature) * np.linalg.norm(np.add(x, y), axis=-1) <= _OPPOSITE


def transport(x, y, v, curvature=1.0):
    """Tangent vectors v at x, carried to y along the shorter arc.

    Examples
    --------
    >>> transport(origin(1), np.array([0.0, 1.0]), np.array([0.0, 2.0]))
    array([-2.,  0.])
    """
    across = np.einsum("...i,...i", y, v)[..., None]
    return v - across * (x + y) / (1 / curvature + np.einsum("...i,...i", x, y)[..., None])


def coordinates(v, base, curvature=1.0):
    """Coordinates (..., d) of tangent vectors in the frame that the arc from the origin carries.

    Examples
    --------
    >>> coordinates(np.array([-2.0, 0.0]), np.array([0.0, 1.0]))
    array([2.])
    """
    scaled = np.sqrt(curvature) * base
    return v[..., 1:] - scaled[..., 1:] * v[..., :1] / (1 + scaled[..., :1])


def vector(v, base, curvature=1.0):
    """Tangent vector with these coordinates at the base: the inverse of `coordinates`.

    Examples
    --------
    >>> vector(np.array([2.0]), np.array([0.0, 1.0]))
    array([-2.,  0.])
    """
    scaled = np.sqrt(curvature) * base
    time = -np.einsum("...i,...i", scaled[..., 1:], v)[..., None]
    return np.concatenate([time, v + scaled[..., 1:] * time / (1 + scaled[..., :1])], axis=-1)
