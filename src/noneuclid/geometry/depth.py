"""Depth in a hierarchy: the hyperbolic distance from the origin."""

import numpy as np

from noneuclid.geometry import charts


def depth(points, chart, curvature=1.0):
    """Hyperbolic distance from the origin: the level in a hierarchy, as a target.

    Parameters
    ----------
    points : ndarray
        In `chart`.
    chart : str
    curvature : float > 0

    Returns
    -------
    ndarray, shape (n,)

    Examples
    --------
    >>> depth(np.array([[np.tanh(1.0), 0.0]]), "poincare").round(6)
    array([2.])
    """
    return np.linalg.norm(charts.convert(points, chart, "tangent", curvature), axis=1)
