"""Rules for the reference point of a Poincaré hyperplane, and coordinates relative to it.

The default, reference_point="auto", is not a rule of `learn`: see `reference_choice.choose`.
"""

from contextlib import suppress
from itertools import combinations

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from noneuclid.classifiers.validation import hyperboloid_blocks, to_hyperboloid
from noneuclid.errors import InputError
from noneuclid.geometry import hulls, lorentz
from noneuclid.solvers.hyperboloid.certified import global_optimum

RULES = ("hulls", "hull vertices", "midpoint of means", "best plane", "origin")
# Half of the digits are left there; an extra row does no harm.
_REACH_OF_KLEIN = 9.0
# `global_optimum` takes the hinge of Yang et al. (2024), max(0, 1 - m)/√2.
_HINGE_OF_YANG = 2**0.5
# 10 to 30 are common; rows too far out for any proof would take thousands.
_SLICES = 100
_ROUNDING = 1e-9


def learn(rule, X, signs, chart, curvature, C=1.0, weights=None):
    """Reference point by a rule, shape (d + 1,) at curvature -1, and the rule that gave it.

    "hulls": geodesic midpoint of the closest pair of points of the two classes' convex hulls (eq.
    26 of Pan et al. (2023)); "hull vertices": the same with hull vertices only, as its authors'
    code does, whether the hulls overlap or not. Where hulls overlap there is no closest pair, and
    "hulls" takes "hull vertices". "midpoint of means": geodesic midpoint of the two class
    centroids; O(n d), for any d. "origin". Weights, > 0, count in means and best plane; hulls have
    none.

    "best plane" minimises the objective of the exact margin and the hinge over p and w together,
    overlap or not. With z_i seen from p and the Lorentz normal n of the hyperplane, w·z_i =
    <n,x_i>_L and |w|² = <n,n>_L, so this is problem (7) of Yang et al. (2024), which
    `global_optimum` solves,
    in at most 100 slices, to a gap that is proven unless points lie far out. Every point p of the
    best hyperplane reaches the optimum, no other point does better; the one nearest to the midpoint
    of the means is taken. (The midpoint of "hulls" need not lie on the best hyperplane, even of
    separable classes: between two points of equal distance from a hyperplane, their geodesic comes
    nearer to it.) An optimum on the light cone, or w = 0, has no hyperplane; "midpoint of means" is
    then used. An infinite C, or points too far out for `global_optimum`, is an error.

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
    if rule in ("hulls", "hull vertices"):
        corners = [_corners(X, chart, curvature, signs == side) for side in (1, -1)]
        return _between_hulls(rule, *corners)
    pair = (_centroid(X, chart, curvature, signs == side, weights) for side in (1, -1))
    middle = lorentz.geodesic(*pair, 0.5)
    if rule != "best plane":
        return middle, "midpoint of means"
    if not np.isfinite(C):
        raise InputError('reference_point="best plane" balances margin and loss; give a finite C')
    points = to_hyperboloid(X, chart, curvature)
    c = _HINGE_OF_YANG * C
    found = global_optimum.solve(
        points, signs.astype(float), c, max_slices=_SLICES, weights=weights
    )
    # w grows like C from zero, and scores like the margin 1: what is far less is rounding.
    least = _ROUNDING * min(1.0, C * (len(X) if weights is None else weights.sum()))
    nothing = np.abs(lorentz.product(points, found.w)).max() <= least
    if found.status == "horospherical" or nothing or not lorentz.product(found.w, found.w) > 0:
        return middle, "midpoint of means"
    return _foot(middle, found.w), rule


def midpoints_of_means(points, codes, weights, multi_class):
    """The rule "midpoint of means" for all binary problems at once, (n_problems, d + 1).

    Points (n, d + 1) at curvature -1. The centroid of several classes is that of their centroids,
    weighted by the Lorentz lengths of their sums.
    """
    n_classes = int(codes.max()) + 1
    parts = [codes == k for k in range(n_classes)]
    found = [_add_up(points[part], weights[part]) for part in parts]
    centres, masses = (np.array(column) for column in zip(*found, strict=True))
    if n_classes > 2 and multi_class == "ovr":
        others = masses * (1.0 - np.eye(n_classes))
        rest = lorentz.midpoint(np.broadcast_to(centres, (n_classes, *centres.shape)), others)
        return lorentz.geodesic(centres, rest, 0.5)
    first, second = np.array(list(combinations(range(n_classes), 2))).T
    return lorentz.geodesic(centres[first], centres[second], 0.5)


def between_hull_vertices(points, codes, multi_class):
    """The rule "hull vertices" for all binary problems at once, (n_problems, d + 1).

    Points (n, d + 1) at curvature -1. The hull of several classes is that of their vertices. Rows
    that Qhull cannot resolve in Klein coordinates count as vertices.
    """
    n_classes = int(codes.max()) + 1
    corners = [_vertices(points[codes == k]) for k in range(n_classes)]
    if n_classes > 2 and multi_class == "ovr":
        others = (corners[:k] + corners[k + 1 :] for k in range(n_classes))
        pairs = zip(corners, (_vertices(np.concatenate(rest)) for rest in others), strict=True)
    else:
        pairs = combinations(corners, 2)
    pairs = [_nearest(*pair) for pair in pairs]
    return lorentz.midpoint(np.array(pairs))


def _vertices(points):
    """Vertices of the hull of a few thousand points, (m, d + 1)."""
    if points.shape[1] == 2 or len(points) < points.shape[1] + 1:
        return points
    with suppress(QhullError):
        return points[ConvexHull(points[:, 1:] / points[:, :1]).vertices]
    return points


def _nearest(first, second):
    """Nearest rows of two sets."""
    cosh = np.multiply.outer(first[:, 0], second[:, 0]) - first[:, 1:] @ second[:, 1:].T
    i, j = divmod(int(cosh.argmin()), len(second))
    return first[i], second[j]


def read_coordinates(coordinates, dimension, chart, curvature, problem=(0, 1)):
    """Reference point at curvature -1 from coordinates: one point, or one row per binary problem.

    `problem` is the index and the number of the binary problems.
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
    """Spatial coordinates, (n, d), after the boost that carries `reference` to the origin.

    They equal η_i log_p(x_i) of eqs. 13 and 18 of Pan et al. (2023) (in an orthonormal frame): a
    point at distance s has length sinh s. O(n d): the boost is the identity and a matrix of rank
    one.
    """
    shift = points[:, 1:] @ (reference[1:] / (1.0 + reference[0])) - points[:, 0]
    seen = np.multiply.outer(shift, reference[1:])
    seen += points[:, 1:]
    return seen


def to_normal(w, reference):
    """Lorentz normal of the hyperplane {x : w·seen_from(x) = 0}; <normal,x>_L is that product."""
    # The last d columns of `lorentz.boost(reference)`, times w, without that matrix.
    along = reference[1:] @ w
    return np.append(along, w + along / (1.0 + reference[0]) * reference[1:])


def _between_hulls(rule, positive, negative):
    """Midpoint of the two hulls, and the rule that gave it."""
    # Only the corners of the hulls matter, and they are few.
    if rule != "hull vertices":
        pair = hulls.closest_pair(positive, negative, "hyperboloid")
        if not pair.overlap:
            return lorentz.geodesic(pair.x, pair.y, 0.5), "hulls"
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
    """Vertices of the hull, and rows so far out that Klein coordinates cannot resolve them."""
    far = -lorentz.product(points, lorentz.midpoint(points)) > np.cosh(_REACH_OF_KLEIN)
    near = points[~far]
    if not len(near):
        return points
    return np.concatenate([near[hulls.hull_vertices(near, "hyperboloid")], points[far]])


def _centroid(X, chart, curvature, chosen, weights):
    """`lorentz.midpoint` of the chosen rows: centroids of blocks, weighted by their masses."""
    found = []
    for rows, points in hyperboloid_blocks(X, chart, curvature):
        part = points[chosen[rows]]
        if len(part):
            found.append(_add_up(part, None if weights is None else weights[rows][chosen[rows]]))
    centres, masses = (np.array(column) for column in zip(*found, strict=True))
    return lorentz.midpoint(centres, masses)


def _add_up(points, weights):
    """`lorentz.midpoint`, and the Lorentz length of the sum, as a sum of positive terms."""
    centre = lorentz.midpoint(points, weights)
    apart = np.cosh(lorentz.distance(points, centre))
    return centre, apart.sum() if weights is None else weights @ apart


def _foot(point, normal):
    """Nearest point of the hyperplane."""
    product, square = lorentz.product(point, normal), lorentz.product(normal, normal)
    foot = point - product / square * normal
    return lorentz.from_spatial(foot[1:] / np.sqrt(1.0 + product**2 / square))
