"""Reference point of a Poincaré hyperplane, and coordinates seen from it."""

import numpy as np

from noneuclid.classifiers.points import hyperboloid_blocks, to_hyperboloid
from noneuclid.contracts import InputError
from noneuclid.geometry import hulls, lorentz
from noneuclid.solvers import optimal

RULES = ("auto", "hulls", "hull vertices", "midpoint of means", "best plane", "origin")
# Qhull's cost grows like n^(d/2): beyond this "auto" takes the means.
_LARGEST_HULL = 4
# Half of the digits are left there; a row too many does no harm.
_REACH_OF_KLEIN = 9.0
# `optimal` weighs the hinge of yang2024, which is max(0, 1 - m)/√2.
_HINGE_OF_YANG = 2**0.5


def choose(rule, points, signs, chart, curvature, C=1.0, problem=(0, 1)):
    """Reference point of a binary problem: by a rule, or given.

    Parameters
    ----------
    rule : str, one of `RULES`, or array-like
        See `learn` and `given`.
    points : ndarray, shape (n, d + 1)
        On the hyperboloid of curvature -1.
    signs : ndarray, shape (n,)
    chart, curvature : str, float
        How an array is written.
    C : float
        For "best plane".
    problem : (int, int)
        Index of the binary problem, and their number, for an array with one point for each.

    Returns
    -------
    point : ndarray, shape (d + 1,)
        On the hyperboloid of curvature -1.
    used : str
        The rule that gave it; "given" for an array.

    Raises
    ------
    InputError
        As `learn` and `given`.

    Examples
    --------
    >>> import numpy as np
    >>> x = lorentz.from_spatial(np.array([[1.0, 0.0], [-1.0, 0.0]]))
    >>> choose([0.0, 0.0], x, np.array([1.0, -1.0]), "tangent", 1.0)
    (array([1., 0., 0.]), 'given')
    """
    if isinstance(rule, str):
        return learn(rule, points, signs, "hyperboloid", 1.0, C)
    return given(rule, points.shape[1] - 1, chart, curvature, problem), "given"


def learn(rule, X, signs, chart, curvature, C=1.0):
    """Reference point from labelled points.

    Parameters
    ----------
    rule : {"auto", "hulls", "hull vertices", "midpoint of means", "best plane", "origin"}
        "hulls": geodesic midpoint of the closest pair of points of the two classes' convex
        hulls (eq. 26 of pan2023); "hull vertices": the same with hull vertices only, as its
        authors' code does, whether the hulls overlap or not. Where hulls overlap there is no
        closest pair, and "hulls" takes "hull vertices".
        "midpoint of means": geodesic midpoint of the two class centroids; O(n d), for any d.
        "best plane": see the notes.
        "auto": "hulls" up to 4 dimensions where they do not overlap, else "midpoint of means":
        the vertices of classes that overlap much lie anywhere.
    X : ndarray, shape (n, d), or (n, d + 1) on the hyperboloid
        Checked before.
    signs : ndarray, shape (n,)
    chart, curvature : str, float
        How X is written.
    C : float
        For "best plane".

    Returns
    -------
    point : ndarray, shape (d + 1,)
        On the hyperboloid of curvature -1.
    used : str
        The rule that gave it.

    Raises
    ------
    InputError
        If "best plane" gets an infinite C, or points too far out for `solvers.optimal`.

    Notes
    -----
    "best plane" minimises the objective of the exact margin and the hinge over p and w together,
    overlap or not. With z_i seen from p and the Lorentz normal n of the hyperplane, w·z_i =
    <n,x_i>_L and |w|² = <n,n>_L, so this is problem (7) of yang2024, which `solvers.optimal` solves
    to a proven gap. Every point p of the best hyperplane reaches the optimum, no other point does
    better; the one nearest to the midpoint of the means is taken. (The midpoint of "hulls" need not
    lie on the best hyperplane, even of separable classes: between two points of equal distance from
    a hyperplane, their geodesic comes nearer to it.) An optimum on the light cone has
    no hyperplane; "midpoint of means" is then used.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.0], [-1.0, 0.0]])
    >>> p, used = learn("midpoint of means", X, np.array([1.0, -1.0]), "tangent", 1.0)
    >>> p.round(6) + 0.0
    array([1., 0., 0.])
    """
    dimension = X.shape[1] - (chart == "hyperboloid")
    if rule == "origin":
        return lorentz.origin(dimension), rule
    if rule in ("hulls", "hull vertices") or (rule == "auto" and dimension <= _LARGEST_HULL):
        corners = [_corners(X, chart, curvature, signs == side) for side in (1, -1)]
        between = _between_hulls(rule, *corners)
        if between is not None:
            return between
    pair = (_centroid(X, chart, curvature, signs == side) for side in (1, -1))
    middle = lorentz.geodesic(*pair, 0.5)
    if rule != "best plane":
        return middle, "midpoint of means"
    if not np.isfinite(C):
        raise InputError('reference_point="best plane" balances margin and loss; give a finite C')
    points = to_hyperboloid(X, chart, curvature)
    found = optimal.solve(points, signs.astype(float), _HINGE_OF_YANG * C)
    if found.status == "horospherical":
        return middle, "midpoint of means"
    return _foot(middle, found.w), rule


def given(coordinates, dimension, chart, curvature, problem=(0, 1)):
    """Reference point from coordinates: one for all binary problems, or one row for each.

    Parameters
    ----------
    coordinates : array-like, shape of one row of X, or (n_problems, that)
        One-vs-rest with several classes: rows in the order of the sorted classes.
    dimension : int
    chart, curvature : str, float
        How the array is written.
    problem : (int, int)
        Index and number of the binary problems.

    Returns
    -------
    ndarray, shape (d + 1,)
        On the hyperboloid of curvature -1.

    Raises
    ------
    InputError
        For another shape, or a row that is no point of the chart.

    Examples
    --------
    >>> given([[0.0], [0.6]], 1, "klein", 1.0, (1, 2))
    array([1.25, 0.75])
    """
    index, count = problem
    rows = np.atleast_2d(np.asarray(coordinates, dtype=float))
    width = dimension + (chart == "hyperboloid")
    if rows.shape not in {(1, width), (count, width)}:
        raise InputError(
            f"reference_point has shape {np.shape(coordinates)}; give one point in chart "
            f"{chart!r}, shape ({width},), or one for each binary problem, shape {(count, width)}"
        )
    try:
        return to_hyperboloid(rows, chart, curvature)[index if len(rows) > 1 else 0]
    except InputError as error:
        raise InputError(f"reference_point: {error}") from None


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
        O(n d): the boost is the identity and a matrix of rank one.

    Examples
    --------
    >>> import numpy as np
    >>> seen_from(np.array([[2**0.5, 1.0]]), np.array([1.0, 0.0]))
    array([[1.]])
    """
    shift = points[:, 1:] @ (reference[1:] / (1.0 + reference[0])) - points[:, 0]
    seen = np.multiply.outer(shift, reference[1:])
    seen += points[:, 1:]
    return seen


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


def _between_hulls(rule, positive, negative):
    """Midpoint and the rule that gave it; None for "auto" if the hulls overlap."""
    # Only the corners of the hulls matter, and they are few.
    if rule != "hull vertices":
        pair = hulls.closest_pair(positive, negative, "hyperboloid")
        if not pair.overlap:
            return lorentz.geodesic(pair.x, pair.y, 0.5), "hulls"
    if rule == "auto":
        return None
    i, j, _ = hulls.closest_vertices(positive, negative, "hyperboloid")
    return lorentz.geodesic(positive[i], negative[j], 0.5), "hull vertices"


def _corners(X, chart, curvature, chosen):
    """Vertices of the hull of the chosen rows: those of the vertices of blocks."""
    found = []
    for rows, points in hyperboloid_blocks(X, chart, curvature):
        part = points[chosen[rows]]
        if len(part):
            found.append(_candidates(part))
    corners = np.concatenate(found)
    return corners if len(found) == 1 else _candidates(corners)


def _candidates(points):
    """Vertices of the hull, and rows so far out that Klein coordinates cannot tell."""
    far = -lorentz.product(points, lorentz.midpoint(points)) > np.cosh(_REACH_OF_KLEIN)
    near = points[~far]
    if not len(near):
        return points
    return np.concatenate([near[hulls.hull_vertices(near, "hyperboloid")], points[far]])


def _centroid(X, chart, curvature, chosen):
    """`lorentz.midpoint` of the chosen rows: centroids of blocks, weighed by their masses."""
    centres, masses = [], []
    for rows, points in hyperboloid_blocks(X, chart, curvature):
        part = points[chosen[rows]]
        if len(part):
            centres.append(lorentz.midpoint(part))
            # The Lorentz length of the sum, as a sum of positive terms.
            masses.append(np.cosh(lorentz.distance(part, centres[-1])).sum())
    return lorentz.midpoint(np.array(centres), np.array(masses))


def _foot(point, normal):
    """Nearest point of the hyperplane."""
    product, square = lorentz.product(point, normal), lorentz.product(normal, normal)
    foot = point - product / square * normal
    return lorentz.from_spatial(foot[1:] / np.sqrt(1.0 + product**2 / square))
