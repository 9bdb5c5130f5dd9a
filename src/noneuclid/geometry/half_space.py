"""Hyperbolic space of curvature -K as the half-space of points whose last coordinate is positive.

The metric is (|dx|^2 + dy^2) / (K y^2) for the point (x, y), and the origin of the other charts is
(0, 1/sqrt(K)). With (x0, a, b) on the hyperboloid of curvature -1, b the last coordinate, the point
is (a, 1) / (x0 - b): the Cayley transform (Ratcliffe, Foundations of Hyperbolic Manifolds, 2006,
section 4.6). The end b = +infinity is the point at infinity. Coordinates resolve y to all digits,
and x to 1e-16 |x|, so only points far beside the axis are uncertain sideways, as in a ball.

All functions take array_like and return ndarray. Points have shape (..., d), those of the
hyperboloid (..., d + 1); leading axes broadcast. `curvature` is K > 0.
"""

import numpy as np

from noneuclid.errors import InputError
from noneuclid.geometry import lorentz


def check_positive(X):
    """Refuse the first row whose last coordinate is not positive."""
    wrong = np.argwhere(~(X[..., -1] > 0))
    if wrong.size:
        place = tuple(wrong[0])
        raise InputError(
            f"row {place[0] if place else 0} has the last coordinate {X[place][-1]:.6g}, but in "
            "chart 'half_space' it must be positive; put it last, or use chart='tangent'"
        )


def to_hyperboloid(X, curvature=1.0):
    """The same points on the hyperboloid.

    Examples
    --------
    >>> to_hyperboloid([0.0, 2.0])
    array([1.25, 0.  , 0.75])
    """
    X = np.asarray(X, dtype=float)
    check_positive(X)
    origin = np.append(np.zeros(X.shape[-1] - 1), 1 / np.sqrt(curvature))
    return seen_from(origin, X, curvature)


def seen_from(p, X, curvature=1.0):
    """Points X on the hyperboloid after the isometry (x - p_side, y) / (sqrt(K) p_last).

    It carries p to the origin and divides tangent vectors by sqrt(K) p_last. Differences are taken
    first, so that near points keep their relative accuracy.

    Examples
    --------
    >>> seen_from(np.array([5.0, 1.0]), np.array([5.0, 2.0]))
    array([1.25, 0.  , 0.75])
    """
    rise = (X[..., -1:] - p[..., -1:]) / p[..., -1:]
    side = (X[..., :-1] - p[..., :-1]) / p[..., -1:]
    height = X[..., -1:] / p[..., -1:]
    with np.errstate(over="ignore"):
        square = (side / height * side).sum(-1, keepdims=True)
        last = (rise / height * (rise + 2) + square) / 2
        space = np.concatenate([side / height, last], axis=-1)
        return lorentz.from_spatial(space / np.sqrt(curvature), curvature)


def from_hyperboloid(X, curvature=1.0):
    """Points of the hyperboloid in the half-space.

    Examples
    --------
    >>> from_hyperboloid([1.25, 0.0, 0.75])
    array([0., 2.])
    """
    X = np.asarray(X, dtype=float)
    lag = _lag(np.sqrt(curvature) * X)
    side = X[..., 1:-1] / lag[..., None]
    return np.concatenate([side, 1 / (np.sqrt(curvature) * lag[..., None])], axis=-1)


def _lag(scaled):
    """x0 - b for points of the hyperboloid of curvature -1, shape (...): see `from_hyperboloid`."""
    time, last = scaled[..., 0], scaled[..., -1]
    across = 1 + np.einsum("...i,...i", scaled[..., 1:-1], scaled[..., 1:-1])
    return np.where(last > 0, across / (time + np.abs(last)), time - last)


def distance(x, y, curvature=1.0):
    """Hyperbolic distance `2 asinh(|x - y| / (2 sqrt(x_d y_d))) / sqrt(K)`: no cancellation.

    Examples
    --------
    >>> float(distance([0.0, 1.0], [0.0, np.exp(3.0)]).round(12))
    3.0
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    apart = np.linalg.norm(x - y, axis=-1) / (2 * np.sqrt(x[..., -1]) * np.sqrt(y[..., -1]))
    return 2 * np.arcsinh(apart) / np.sqrt(curvature)


def push(X, V, curvature=1.0):
    """Tangent vectors V at points X of the half-space, on the hyperboloid: the spatial part.

    The derivative of `to_hyperboloid`.

    Examples
    --------
    >>> push(np.array([0.0, 1.0]), np.array([3.0, 4.0]))
    array([3., 4.])
    """
    root = np.sqrt(curvature)
    height = root * X[..., -1:]
    slope = X[..., :-1] / X[..., -1:]
    side = V[..., :-1] / height - slope * V[..., -1:] / height
    along = (slope * V[..., :-1]).sum(-1, keepdims=True)
    last = to_hyperboloid(X, curvature)[..., -1:]
    return np.concatenate([side, V[..., -1:] + along - root * last * V[..., -1:] / height], axis=-1)


def pull(X, V, curvature=1.0):
    """Tangent vectors V (spatial part) at points X of the hyperboloid, in the half-space.

    The derivative of `from_hyperboloid`.

    Examples
    --------
    >>> pull(np.array([1.0, 0.0, 0.0]), np.array([3.0, 4.0]))
    array([3., 4.])
    """
    scaled = np.sqrt(curvature) * X
    time, last, lag = scaled[..., :1], scaled[..., -1:], _lag(scaled)[..., None]
    side, across = scaled[..., 1:-1], (scaled[..., 1:-1] * V[..., :-1]).sum(-1, keepdims=True)
    rising = (across + last * V[..., -1:]) / time
    change = np.where(
        last > 0,
        (2 * across - lag * (rising + V[..., -1:])) / (time + np.abs(last)),
        rising - V[..., -1:],
    )
    moved = V[..., :-1] / lag - side / lag * (change / lag)
    return np.concatenate([moved, -change / lag**2], axis=-1)
