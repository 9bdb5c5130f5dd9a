"""Distances in any chart of hyperbolic space."""

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.errors import require
from noneuclid.geometry import charts, half_space, klein, lorentz, poincare, public_points
from noneuclid.geometry.public_points import Chart

_DISTANCES = {
    "hyperboloid": lorentz.distance,
    "poincare": poincare.distance,
    "klein": klein.distance,
    "half_space": half_space.distance,
}


def distance(
    x: ArrayLike, y: ArrayLike, *, chart: Chart = "poincare", curvature: float = 1.0
) -> np.ndarray:
    r"""Hyperbolic distance of points, pair by pair.

    Parameters
    ----------
    x, y : array_like, shape (..., d), or (..., d + 1) on the hyperboloid
        Leading axes broadcast.
    chart : {"poincare", "klein", "hyperboloid", "half_space", "tangent"}, default="poincare"
        Of both.
    curvature : float > 0, default=1.0
        K, the space having curvature -K.

    Returns
    -------
    ndarray, shape (...)

    Raises
    ------
    InputError
        If a point does not lie in the chart.

    See Also
    --------
    pairwise_distances : All pairs of two tables.
    log_map : Its length is the distance.
    polytope_distance : Hilbert and Funk distances.

    Notes
    -----
    O(n d). Each chart has its own formula (Ratcliffe, Foundations of Hyperbolic Manifolds, 2006,
    sections 3.2, 4.5, 4.6 and 6.1), rearranged for sinh without cancellation, in the Poincaré ball

    .. math::

        \frac{2}{\sqrt{K}} \operatorname{asinh}
        \frac{\sqrt{K} \lVert x - y\rVert}{\sqrt{(1 - K\lVert x\rVert^2)(1 - K\lVert y\rVert^2)}},

    so near points keep their relative accuracy. Of the given floats the relative error is below 4
    eps in the half-space, and below 4 eps cosh(sqrt(K) R) in the Poincaré ball and on the
    hyperboloid, R the largest distance from the origin, eps = 2.2e-16; in the Klein ball it is the
    square. In chart "tangent" it is the absolute error, in units of 1/sqrt(K)
    (`benchmarks/geometry_digits.tsv`).

    Examples
    --------
    >>> distance([0.0, 0.0], [[0.8, 0.0], [0.0, 0.5]]).round(6)
    array([2.197225, 1.098612])
    """
    points = public_points.read_all(chart, curvature, x, y)
    return _distance_of(chart)(*_measured(points, chart, curvature), curvature)


def pairwise_distances(
    X: ArrayLike,
    Y: ArrayLike | None = None,
    *,
    chart: Chart = "poincare",
    curvature: float = 1.0,
) -> np.ndarray:
    """Hyperbolic distances of all rows of X and all rows of Y.

    Parameters
    ----------
    X : array_like, shape (n, d), or (n, d + 1) on the hyperboloid
    Y : array_like, shape (m, d) or (m, d + 1), default=None
        None means X itself: the result is then exactly symmetric, with a zero diagonal.
    chart, curvature : as for `distance`

    Returns
    -------
    ndarray, shape (n, m)

    Raises
    ------
    InputError
        If a point does not lie in the chart.

    See Also
    --------
    distance : Pair by pair.
    noneuclid.GeodesicKNeighborsClassifier : Neighbours without the whole matrix.
    noneuclid.HyperbolicKMedoids : Clusters around rows.

    Notes
    -----
    O(n m d) time and O(n m + m d) memory. Accuracy as for `distance`.

    Examples
    --------
    >>> pairwise_distances([[0.0], [0.5]]).round(6)
    array([[0.      , 1.098612],
           [1.098612, 0.      ]])

    Hierarchical clustering by scipy:

    >>> from scipy.cluster.hierarchy import fcluster, linkage
    >>> from scipy.spatial.distance import squareform
    >>> D = pairwise_distances([[0.0], [0.5], [-0.9], [-0.95]])
    >>> fcluster(linkage(squareform(D), "average"), 2, "maxclust")
    array([2, 2, 1, 1], dtype=int32)
    """
    tables = public_points.read_all(chart, curvature, *([X] if Y is None else [X, Y]))
    for table in tables:
        require(table.ndim == 2, f"all pairs need tables of points, got shape {table.shape}")
    X, *rest = _measured(tables, chart, curvature)
    return lorentz.all_pairs(_distance_of(chart), X, rest[0] if rest else None, curvature)


def hyperplane_distance(
    x: ArrayLike,
    p: ArrayLike,
    w: ArrayLike,
    *,
    chart: Chart = "poincare",
    curvature: float = 1.0,
) -> np.ndarray:
    r"""Signed distance of points from the hyperplane through p that is perpendicular to w at p.

    Parameters
    ----------
    x : array_like, shape (..., d), or (..., d + 1) on the hyperboloid
    p : array_like, shape (..., d) or (..., d + 1)
        A point of the hyperplane.
    w : array_like, shape (..., d) or (..., d + 1)
        Tangent vector at p in the coordinates of the chart, of any length except 0.
    chart, curvature : as for `distance`

    Returns
    -------
    ndarray, shape (...)
        Positive on the side to which w points.

    Raises
    ------
    InputError
        If a point does not lie in the chart, or w is zero.

    See Also
    --------
    noneuclid.HyperboloidSVC : Learns a hyperplane with a large margin.
    busemann : Signed distance from a horosphere.

    Notes
    -----
    O(n d). In the Poincaré ball section 3.1 of Pan et al., Knowledge and Information Systems, 2023,
    else :math:`\operatorname{asinh}(\sqrt{K} \langle n,x\rangle_L / \lVert n\rVert_L) / \sqrt{K}`
    with the normal n of the hyperboloid, to which w is carried, in light-cone coordinates. The
    absolute error is below 4 eps cosh(sqrt(K) R) in units of 1/sqrt(K), R the largest distance of x
    and p from the origin; in the Klein ball it is the square.

    Examples
    --------
    >>> hyperplane_distance([[0.5, 0.0], [0.0, 0.7]], [0.0, 0.0], [2.0, 0.0]).round(6)
    array([1.098612, 0.      ])
    """
    x, p = public_points.read_all(chart, curvature, x, p)
    w = public_points.read_vectors(w, p.shape[-1])
    length = np.abs(w[..., int(chart == "hyperboloid") :]).max(axis=-1, keepdims=True)
    require(length.all(), "a hyperplane has a normal w of length 0; give its direction")
    w = w / length  # its squares neither overflow nor vanish
    if chart == "poincare":
        return poincare.hyperplane_distance(x, p, w, curvature)
    normal = public_points.push(p, w, chart, curvature)
    x, p = (charts.convert(a, chart, "hyperboloid", curvature) for a in (x, p))
    return lorentz.hyperplane_distance_at(x, p, normal, curvature)


def _distance_of(chart):
    """Formula of a chart; tangent vectors have that of the hyperboloid."""
    return _DISTANCES["hyperboloid" if chart == "tangent" else chart]


def _measured(points, chart, curvature):
    """Arrays of points as `_distance_of` reads them: tangent vectors on the hyperboloid."""
    if chart == "tangent":
        return [charts.convert(a, chart, "hyperboloid", curvature) for a in points]
    return points
