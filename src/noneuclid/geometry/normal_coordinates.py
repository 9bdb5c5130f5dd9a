"""Riemannian normal coordinates at any point of the hyperboloid, for many points at once.

The frame at the base is that of `tangent`, turned so that its first axis is radial. In light-cone
coordinates p = x0 + a and q = x0 - a, with a the component along the base, the boost to the base is
a multiplication: no digit is lost far from the origin, where `x0*y0 - <x,y>` cancels. Curvature -1.
"""

import math

import numpy as np

from noneuclid.compiled import compile_cached, compile_inner

_TINY, _HUGE = 1e-280, 1e300  # between them, squares keep their digits


def radial_frame(base):
    """Orthogonal matrix, (d, d), whose first column is the direction of the base.

    Examples
    --------
    >>> radial_frame(np.array([5.0 / 3, 0.0, 4.0 / 3])).round(12) + 0.0
    array([[ 0., -1.],
           [ 1.,  0.]])
    """
    frame = np.empty((len(base) - 1, len(base) - 1))
    fill_frame(base, frame)
    return frame


@compile_cached
def fill_frame(base, frame):
    """`radial_frame`, written into a given matrix."""
    d, square = len(frame), 0.0
    for k in range(1, d + 1):
        square += base[k] * base[k]
    norm = math.sqrt(square)
    # Of Householder: the mirror is the direction plus a unit vector, away from cancellation.
    sign = -1.0 if base[1] < 0.0 else 1.0
    scale = norm * (norm + abs(base[1]))
    for i in range(d):
        for j in range(d):
            frame[i, j] = 1.0 if i == j else 0.0
            if norm > 0.0:
                left = base[i + 1] + (sign * norm if i == 0 else 0.0)
                right = base[j + 1] + (sign * norm if j == 0 else 0.0)
                frame[i, j] -= left / norm * (right / norm) * (norm * norm / scale)
        if norm > 0.0:
            frame[i, 0] *= -sign


def seen_from(points, base, frame):
    """Spatial parts after the boost that carries the base to the origin, and their lengths.

    A point at distance r has length sinh r. O(n d²).

    Parameters
    ----------
    points : ndarray, shape (n, d + 1)
    base : ndarray, shape (d + 1,)
    frame : ndarray, shape (d, d)
        `radial_frame` of the base.

    Returns
    -------
    seen : ndarray, shape (n, d)
        In the axes of `frame`: ``seen @ frame.T`` has those of `tangent.flatten`.
    length : ndarray, shape (n,)

    Examples
    --------
    >>> base, x = np.array([np.cosh(1.0), np.sinh(1.0)]), np.array([np.cosh(3.0), np.sinh(3.0)])
    >>> seen, length = seen_from(x[None], base, radial_frame(base))
    >>> np.arcsinh(seen).round(12), np.arcsinh(length).round(12)
    (array([[2.]]), array([2.]))
    """
    seen, length = np.empty((len(points), len(base) - 1)), np.empty(len(points))
    _see_all(points, base, frame, seen, length)
    return seen, length


@compile_cached
def _see_all(points, base, frame, seen, length):
    growth = grow(base)
    for i in range(len(points)):
        length[i] = see(points[i], growth, frame, seen[i])


@compile_inner
def grow(base):
    """The exponential of the distance of the base from the origin."""
    square = 0.0
    for k in range(1, len(base)):
        square += base[k] * base[k]
    return base[0] + math.sqrt(square)


@compile_inner
def see(point, growth, frame, row):
    """`seen_from` for one point: writes the row, (d,), and returns its length."""
    d, across = len(row), 0.0
    for j in range(d):
        row[j] = point[1] * frame[0, j]
    for k in range(1, d):
        for j in range(d):
            row[j] += point[k + 1] * frame[k, j]
    for j in range(1, d):
        across += row[j] * row[j]
    outgoing = point[0] + abs(row[0])
    incoming = (1.0 + across) / outgoing
    if row[0] < 0.0:
        outgoing, incoming = incoming, outgoing
    row[0] = (outgoing / growth - incoming * growth) / 2.0
    square = row[0] * row[0] + across
    return math.sqrt(square) if _TINY < square < _HUGE else math.hypot(row[0], math.sqrt(across))


def to_vectors(seen, length):
    """Tangent coordinates, (n, d), from what `seen_from` returns, and log(r / sinh r), (n,).

    Examples
    --------
    >>> vectors, shrunk = to_vectors(np.array([[np.sinh(2.0), 0.0]]), np.array([np.sinh(2.0)]))
    >>> vectors.round(12), bool(np.isclose(shrunk[0], np.log(2 / np.sinh(2))))
    (array([[2., 0.]]), True)
    """
    ratio = asinhc(length)
    return seen * ratio[:, None], np.log(ratio)


def asinhc(length):
    """asinh(s) / s, and 1 at zero.

    Examples
    --------
    >>> asinhc(np.array([0.0, np.sinh(1.0)])) * np.sinh(1.0) == [np.sinh(1.0), 1.0]
    array([ True,  True])
    """
    safe = np.where(length == 0, 1.0, length)
    return np.where(length == 0, 1.0, np.arcsinh(safe) / safe)
