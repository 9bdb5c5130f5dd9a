"""Riemannian normal coordinates at any point of the hyperboloid, for many points at once.

The frame at the base is that of `tangent`, turned so that its first axis is radial. In light-cone
coordinates p = x0 + a and q = x0 - a, with a the component along the base, the boost to the base is
a multiplication: no digit is lost far from the origin, where `x0*y0 - <x,y>` cancels. Curvature -1.
"""

import numpy as np


def radial_frame(base):
    """Orthogonal matrix, (d, d), whose first column is the direction of the base.

    Examples
    --------
    >>> radial_frame(np.array([5.0 / 3, 0.0, 4.0 / 3])).round(12) + 0.0
    array([[ 0., -1.],
           [ 1.,  0.]])
    """
    spatial = base[1:]
    norm = np.linalg.norm(spatial)
    if norm == 0:
        return np.eye(len(spatial))
    mirror = spatial / norm
    sign = 1.0 if mirror[0] >= 0 else -1.0
    mirror[0] += sign  # of Householder, away from cancellation
    frame = np.eye(len(spatial)) - np.multiply.outer(mirror, mirror) * (2 / (mirror @ mirror))
    frame[:, 0] *= -sign
    return frame


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
    seen = points[:, 1:] @ frame
    along = seen[:, 0].copy()
    seen[:, 0] = 0.0
    across = np.einsum("ij,ij->i", seen, seen)
    larger = points[:, 0] + np.abs(along)
    smaller = (1.0 + across) / larger
    ahead = along >= 0
    # exp of the distance of the base from the origin
    growth = base[0] + np.linalg.norm(base[1:])
    outgoing = np.where(ahead, larger, smaller)
    outgoing /= growth
    incoming = np.where(ahead, smaller, larger)
    incoming *= growth
    outgoing -= incoming
    outgoing /= 2
    seen[:, 0] = outgoing
    return seen, np.hypot(outgoing, np.sqrt(across))


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
