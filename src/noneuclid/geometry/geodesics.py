"""Exponential and logarithm map, parallel transport and geodesics, in any chart."""

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.errors import require
from noneuclid.geometry import charts, half_space, lorentz, poincare, public_points, tangent
from noneuclid.geometry.public_points import Chart


def exp_map(
    x: ArrayLike, v: ArrayLike, *, chart: Chart = "poincare", curvature: float = 1.0
) -> np.ndarray:
    r"""Points that geodesics from x with velocity v reach in unit time.

    Parameters
    ----------
    x : array_like, shape (..., d), or (..., d + 1) on the hyperboloid
        Leading axes of all arguments broadcast.
    v : array_like, of the shape of x
        Tangent vectors at x in the coordinates of the chart. On the hyperboloid <x,v>_L = 0, and
        the time coordinate is computed from the others.
    chart : {"poincare", "klein", "hyperboloid", "half_space", "tangent"}, default="poincare"
    curvature : float > 0, default=1.0
        K, the space having curvature -K.

    Returns
    -------
    ndarray, of the shape of x

    Raises
    ------
    InputError
        If a point does not lie in the chart, or the result is too far out for it.

    See Also
    --------
    log_map : The inverse.
    random_wrapped_normal : exp_map of normal vectors.

    Notes
    -----
    O(n d). In the Poincaré ball lemma 2 of Ganea, Bécigneul and Hofmann, NeurIPS 2018; else
    :math:`\cosh(\lVert v\rVert) x + \sinh(\lVert v\rVert) v/\lVert v\rVert` on the hyperboloid, in
    the half-space about x as the origin. The point moves by at most 4 eps cosh(sqrt(K) R), R the
    largest distance from the origin of x and the result, in the Klein ball by the square, in units
    of 1/sqrt(K), eps = 2.2e-16 (`benchmarks/geometry_digits.tsv`).

    Examples
    --------
    >>> exp_map([0.0, 0.0], [np.arctanh(0.5), 0.0])
    array([0.5, 0. ])
    """
    x = public_points.read(x, chart, curvature)
    v = public_points.read_vectors(v, x.shape[-1])
    if chart == "half_space":
        factor = np.sqrt(curvature) * x[..., -1:]
        moved = factor * charts.convert(v / factor, "tangent", chart, curvature)
        moved[..., :-1] += x[..., :-1]
        return moved
    if chart == "poincare":
        moved = poincare.exp(x, v, curvature)
        lost = np.flatnonzero(charts.scaled_norms(moved, chart, curvature) >= 1)
        require(
            not lost.size,
            f"row {lost[0] if lost.size else ''} ends on the rim, beyond the 35/sqrt(K) that "
            "float64 holds in chart 'poincare'; use chart='hyperboloid'",
        )
        return moved
    base = charts.convert(x, chart, "hyperboloid", curvature)
    with np.errstate(over="ignore", invalid="ignore"):  # `from_hyperboloid` refuses the result
        moved = lorentz.exp(base, public_points.push(x, v, chart, curvature), curvature)
    return public_points.from_hyperboloid(moved, chart, curvature)


def log_map(
    x: ArrayLike, y: ArrayLike, *, chart: Chart = "poincare", curvature: float = 1.0
) -> np.ndarray:
    """Tangent vectors at x that `exp_map` carries to y.

    Parameters
    ----------
    x, y : array_like, shape (..., d), or (..., d + 1) on the hyperboloid
        Leading axes broadcast.
    chart, curvature : as for `exp_map`

    Returns
    -------
    ndarray, of the shape of x
        In the coordinates of the chart; 0 where the points are equal.

    Raises
    ------
    InputError
        If a point does not lie in the chart.

    See Also
    --------
    exp_map : The inverse.
    frechet_mean : Where the mean of these vectors is 0.

    Notes
    -----
    O(n d). Sources as for `exp_map`. The relative error of a vector, in hyperbolic length, is at
    most 4 eps cosh(sqrt(K) R), R the largest distance of x and y from the origin, and in the
    half-space 4 eps. In chart "tangent" this is the absolute error, in units of 1/sqrt(K), and in
    the Klein ball its square.

    Examples
    --------
    >>> log_map([0.0, 0.0], [0.5, 0.0]).round(6)
    array([0.549306, 0.      ])
    """
    x, y = public_points.read_all(chart, curvature, x, y)
    if chart == "poincare":
        return poincare.log(x, y, curvature)
    if chart == "half_space":
        seen = half_space.seen_from(x, y, curvature)
        factor = np.sqrt(curvature) * x[..., -1:]
        return factor * charts.convert(seen, "hyperboloid", "tangent", curvature)
    x, y = (charts.convert(a, chart, "hyperboloid", curvature) for a in (x, y))
    return public_points.pull(x, lorentz.log(x, y, curvature), chart, curvature)


def parallel_transport(
    x: ArrayLike,
    y: ArrayLike,
    v: ArrayLike,
    *,
    chart: Chart = "poincare",
    curvature: float = 1.0,
) -> np.ndarray:
    """Tangent vectors v at x, carried to y along the geodesic.

    Parameters
    ----------
    x, y : array_like, shape (..., d), or (..., d + 1) on the hyperboloid
        Leading axes of all arguments broadcast.
    v : array_like, of the shape of x
        As for `exp_map`.
    chart, curvature : as for `exp_map`

    Returns
    -------
    ndarray, of the shape of y
        Of the same hyperbolic length and the same angle with the geodesic.

    Raises
    ------
    InputError
        If a point does not lie in the chart.

    See Also
    --------
    log_map : Vectors to carry.

    Notes
    -----
    O(n d). A gyration of coordinates in an orthonormal frame (Ungar, Analytic Hyperbolic Geometry,
    2005), as in the Poincaré ball of Ganea, Bécigneul and Hofmann, NeurIPS 2018, section 2. The
    relative error in hyperbolic length is at most 4 eps cosh(sqrt(K) R), R the largest distance of
    x and y from the origin; in the Klein ball its square, in the half-space 4 eps.

    Examples
    --------
    >>> parallel_transport([0.0, 0.0], [0.5, 0.0], [1.0, 2.0])
    array([0.75, 1.5 ])
    """
    x, y = public_points.read_all(chart, curvature, x, y)
    v = public_points.read_vectors(v, x.shape[-1])
    if chart == "poincare":
        return poincare.transport(x, y, v, curvature)
    if chart == "half_space":
        factor = np.sqrt(curvature) * x[..., -1:]
        end = half_space.seen_from(x, y, curvature)
        base = lorentz.origin(x.shape[-1], curvature)
        vector = lorentz.at_point(base, v / factor)
        carried = tangent.transport(base, end, vector, curvature)
        return factor * half_space.pull(end, carried[..., 1:], curvature)
    base, end = (charts.convert(a, chart, "hyperboloid", curvature) for a in (x, y))
    vector = public_points.push(x, v, chart, curvature)
    carried = tangent.transport(base, end, vector, curvature)
    return public_points.pull(end, carried, chart, curvature)


def geodesic(
    x: ArrayLike,
    y: ArrayLike,
    t: ArrayLike,
    *,
    chart: Chart = "poincare",
    curvature: float = 1.0,
) -> np.ndarray:
    r"""Points at fraction t of the geodesics from x to y.

    Parameters
    ----------
    x, y : array_like, shape (..., d), or (..., d + 1) on the hyperboloid
    t : array_like, shape (...)
        0 is x and 1 is y; t may leave [0, 1]. Leading axes broadcast.
    chart, curvature : as for `exp_map`

    Returns
    -------
    ndarray, of the shape of x

    Raises
    ------
    InputError
        If a point does not lie in the chart, or the result is too far out for it.

    See Also
    --------
    centroid : The midpoint of many.
    noneuclid.PoincareDiskDisplay : Draws geodesics.

    Notes
    -----
    O(n d). On the hyperboloid, with r the distance,

    .. math:: \frac{\sinh((1-t) r)\, x + \sinh(t r)\, y}{\sinh r}

    (Ratcliffe, Foundations of Hyperbolic Manifolds, 2006, section 3.2). Accuracy as for `exp_map`.

    Examples
    --------
    >>> geodesic([0.0], [0.8], [0.0, 0.5, 1.0])
    array([[0. ],
           [0.5],
           [0.8]])
    """
    x, y = (
        charts.convert(a, chart, "hyperboloid", curvature)
        for a in public_points.read_all(chart, curvature, x, y)
    )
    t = np.asarray(t, dtype=float)
    require(np.isfinite(t).all(), "a fraction t is not finite; give numbers, 0 for x and 1 for y")
    with np.errstate(over="ignore", invalid="ignore"):  # `from_hyperboloid` refuses the result
        found = lorentz.geodesic(x, y, t, curvature)
    return public_points.from_hyperboloid(found, chart, curvature)
