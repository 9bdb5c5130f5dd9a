"""Reference point of a Poincaré hyperplane, and coordinates seen from it."""

import numpy as np

from noneuclid.classifiers.points import to_hyperboloid
from noneuclid.contracts import InputError
from noneuclid.geometry import hulls, lorentz

RULES = ("auto", "hulls", "hull vertices", "midpoint of means", "origin")
# Qhull's cost grows like n^(d/2): beyond this "auto" takes the means.
_LARGEST_HULL_DIMENSION = 4


def choose(rule, points, signs, chart, curvature):
    """Reference point of a binary problem.

    Parameters
    ----------
    rule : str, one of `RULES`, or array-like, shape of one row of X
        "hulls": geodesic midpoint of the closest pair of points of the two classes' convex
        hulls (eq. 26 of pan2023); "hull vertices": the same with hull vertices only, as its
        authors' code does. Where hulls overlap there is no closest pair, and "hulls" takes
        "hull vertices". "midpoint of means": geodesic midpoint of the two class centroids.
        "auto": "hulls" up to 4 dimensions, "midpoint of means" beyond. An array is the point.
    points : ndarray, shape (n, d + 1)
        On the hyperboloid of curvature -1.
    signs : ndarray, shape (n,)
    chart, curvature : str, float
        How an array is written.

    Returns
    -------
    point : ndarray, shape (d + 1,)
        On the hyperboloid of curvature -1.
    used : str
        The rule that gave it; "given" for an array.

    Raises
    ------
    InputError
        If an array is no single point of the chart.

    Examples
    --------
    >>> import numpy as np
    >>> x = lorentz.from_spatial(np.array([[1.0, 0.0], [-1.0, 0.0]]))
    >>> p, used = choose("midpoint of means", x, np.array([1.0, -1.0]), "tangent", 1.0)
    >>> p.round(6) + 0.0
    array([1., 0., 0.])
    """
    dimension = points.shape[1] - 1
    if not isinstance(rule, str):
        return _given(rule, dimension, chart, curvature), "given"
    if rule == "auto":
        rule = "hulls" if dimension <= _LARGEST_HULL_DIMENSION else "midpoint of means"
    if rule == "origin":
        return lorentz.origin(dimension), rule
    positive, negative = points[signs > 0], points[signs < 0]
    if rule == "midpoint of means":
        pair = lorentz.midpoint(positive), lorentz.midpoint(negative)
        return lorentz.geodesic(*pair, 0.5), rule
    # Only the corners of the hulls matter, and they are few.
    positive, negative = (x[hulls.hull_vertices(x, "hyperboloid")] for x in (positive, negative))
    if rule == "hulls":
        pair = hulls.closest_pair(positive, negative, "hyperboloid")
        if not pair.overlap:
            return lorentz.geodesic(pair.x, pair.y, 0.5), rule
    i, j, _ = hulls.closest_vertices(positive, negative, "hyperboloid")
    return lorentz.geodesic(positive[i], negative[j], 0.5), "hull vertices"


def seen_from(points, reference):
    """Spatial coordinates after the boost that carries `reference` to the origin.

    They equal η_i log_p(x_i) of eqs. 13 and 18 of pan2023 (in an orthonormal frame): a point at
    distance s has length sinh s.

    Parameters
    ----------
    points : ndarray, shape (n, d + 1)
    reference : ndarray, shape (d + 1,)

    Returns
    -------
    ndarray, shape (n, d)

    Examples
    --------
    >>> import numpy as np
    >>> seen_from(np.array([[2**0.5, 1.0]]), np.array([1.0, 0.0]))
    array([[1.]])
    """
    inverse = lorentz.boost(lorentz.from_spatial(-reference[1:]))
    return (points @ inverse)[:, 1:]


def to_normal(w, reference):
    """Lorentz normal of the hyperplane {x : w·seen_from(x) = 0}; <normal,x>_L is that product.

    Parameters
    ----------
    w : ndarray, shape (d,)
    reference : ndarray, shape (d + 1,)

    Returns
    -------
    ndarray, shape (d + 1,)

    Examples
    --------
    >>> import numpy as np
    >>> to_normal(np.array([1.0, 0.0]), np.array([1.0, 0.0, 0.0]))
    array([0., 1., 0.])
    """
    return lorentz.boost(reference)[:, 1:] @ w


def _given(coordinates, dimension, chart, curvature):
    point = to_hyperboloid(np.atleast_2d(np.asarray(coordinates, dtype=float)), chart, curvature)
    if point.shape != (1, dimension + 1):
        raise InputError(
            f"reference_point has shape {np.shape(coordinates)}; give one point in chart {chart!r}"
        )
    return point[0]
