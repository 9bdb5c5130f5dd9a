"""Hyperbolic space of curvature -K as the Klein ball of radius 1/sqrt(K).

Geodesics and hyperplanes are straight. Points approach the boundary fast: a coordinate of 1 - r
corresponds to a distance of only `-log(r/2)/2`, so keep data in another chart and use this one for
hulls.

All functions take array_like and return ndarray. Points have shape (..., d); leading axes
broadcast; distances have shape (...). `curvature` is K > 0.
"""

import numpy as np

from noneuclid.geometry import charts, lorentz


def distance(x, y, curvature=1.0):
    """Hyperbolic distance.

    With K = 1 and z = x - y, `sinh^2 d = ((1-|x|^2)|z|^2 + <x,z>^2) / ((1-|x|^2)(1-|y|^2))`: no
    cancellation for near points.

    Examples
    --------
    >>> float(distance([0.0], [np.tanh(2.0)]).round(12))
    2.0
    """
    root = np.sqrt(curvature)
    x, y = root * np.asarray(x, dtype=float), root * np.asarray(y, dtype=float)
    x_norm, y_norm = np.linalg.norm(x, axis=-1), np.linalg.norm(y, axis=-1)
    x_gap, y_gap = (1 - x_norm) * (1 + x_norm), (1 - y_norm) * (1 + y_norm)
    apart = x - y
    across = np.einsum("...i,...i", apart, apart) / y_gap
    along = np.einsum("...i,...i", x, apart) ** 2 / (x_gap * y_gap)
    return np.arcsinh(np.sqrt(across + along)) / root


def pairwise_distances(X, Y=None, curvature=1.0):
    """Distances between all rows of X and all rows of Y (of X itself if None), shape (n, m).

    Examples
    --------
    >>> pairwise_distances([[0.0], [np.tanh(1.5)]]).round(12)
    array([[0. , 1.5],
           [1.5, 0. ]])
    """
    X = charts.convert(X, "klein", "hyperboloid", curvature)
    Y = None if Y is None else charts.convert(Y, "klein", "hyperboloid", curvature)
    return lorentz.pairwise_distances(X, Y, curvature)


def geodesic(x, y, t, curvature=1.0):
    """Point at fraction t of the geodesic from x to y, on the straight line through them.

    Examples
    --------
    >>> geodesic([0.0], [0.8], 0.5)
    array([0.5])
    """
    x, y = (charts.convert(a, "klein", "hyperboloid", curvature) for a in (x, y))
    return charts.convert(lorentz.geodesic(x, y, t, curvature), "hyperboloid", "klein", curvature)


def midpoint(X, weights=None, curvature=1.0):
    """Weighted centroid of the rows, as in `lorentz.midpoint` (Einstein midpoint).

    Examples
    --------
    >>> midpoint([[-0.5, 0.0], [0.5, 0.0]])
    array([0., 0.])
    """
    points = charts.convert(X, "klein", "hyperboloid", curvature)
    return charts.convert(
        lorentz.midpoint(points, weights, curvature), "hyperboloid", "klein", curvature
    )


def hyperplane_distance(x, w, curvature=1.0):
    """Signed distance from x to the hyperplane `<w, (1/sqrt(K), x)>_L = 0`, w: (..., d + 1).

    Raises
    ------
    InputError
        If a normal is not spacelike.

    Examples
    --------
    >>> float(hyperplane_distance([np.tanh(2.0)], [0.0, 1.0]).round(12))
    2.0
    """
    points = charts.convert(x, "klein", "hyperboloid", curvature)
    return lorentz.hyperplane_distance(points, w, curvature)
