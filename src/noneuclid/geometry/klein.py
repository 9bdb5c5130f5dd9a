"""Hyperbolic space of curvature -K as the Klein ball of radius 1/sqrt(K).

Geodesics and hyperplanes are straight. Points approach the boundary fast: a coordinate of 1 - r
corresponds to a distance of only `-log(r/2)/2`, so keep data in another chart.

All functions take array_like and return ndarray. Points have shape (..., d); leading axes
broadcast; distances have shape (...). `curvature` is K > 0.
"""

import numpy as np


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
