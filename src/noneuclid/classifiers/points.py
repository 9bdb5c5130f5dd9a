"""Rows of any chart as points on one hyperboloid."""

import numpy as np

from noneuclid.geometry import lorentz
from noneuclid.geometry.charts import check_points, convert


def to_hyperboloid(X, chart, curvature):
    """Points of a chart as points on the hyperboloid of curvature -1.

    Parameters
    ----------
    X : ndarray, shape (n, d), or (n, d + 1) for chart "hyperboloid"
    chart : {"tangent", "poincare", "klein", "hyperboloid"}
    curvature : float > 0
        K, for points in a space of curvature -K.

    Returns
    -------
    ndarray, shape (n, d + 1)
        Time coordinate first, <x,x>_L = -1.

    Raises
    ------
    InputError
        Naming the first row that does not satisfy the chart.

    Examples
    --------
    >>> import numpy as np
    >>> to_hyperboloid(np.array([[0.6, 0.0]]), "klein", 1.0)
    array([[1.25, 0.75, 0.  ]])
    """
    check_points(X, chart, curvature)
    spatial = convert(X, chart, "hyperboloid", curvature)[:, 1:]
    return lorentz.from_spatial(np.sqrt(curvature) * spatial)
