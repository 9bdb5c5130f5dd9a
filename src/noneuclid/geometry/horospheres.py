"""Busemann functions.

A horosphere {B_w = t} is a level set of the Busemann function of an ideal point w, a unit vector:
B_w(x) = log(x_0 - <w, x_r>); B_w falls towards w, and {B_w <= t} is the horoball. Within: curvature
-1.
"""

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.compiled import compile_cached, compile_inner
from noneuclid.errors import require
from noneuclid.geometry import public_points
from noneuclid.geometry.public_points import Chart


def busemann(
    x: ArrayLike,
    ideal_point: ArrayLike,
    *,
    chart: Chart = "poincare",
    curvature: float = 1.0,
) -> np.ndarray:
    r"""Busemann function: the signed distance from the horosphere at an ideal point and the origin.

    It is the limit of :math:`d(x, z) - d(o, z)`, d the distance and o the origin, for z on the way
    to the ideal point: 0 at the origin, and it falls towards the ideal point.

    Parameters
    ----------
    x : array_like, shape (..., d), or (..., d + 1) on the hyperboloid
    ideal_point : array_like, shape (d,)
        Direction in which the ideal point is seen from the origin, of any length except 0: in a
        ball the ideal point itself. In the half-space the last axis leads to infinity.
    chart : {"poincare", "klein", "hyperboloid", "half_space", "tangent"}, default="poincare"
    curvature : float > 0, default=1.0
        K, the space having curvature -K.

    Returns
    -------
    ndarray, shape (...)

    Raises
    ------
    InputError
        If a point does not lie in the chart, or the direction is zero.

    See Also
    --------
    hyperplane_distance : Signed distance from a hyperplane.
    noneuclid.HorosphereForestClassifier : Learns horospheres.

    Notes
    -----
    O(n d). :math:`\log(x_0 - \langle w, x_r\rangle) / \sqrt{K}` in units of K = 1 (Fan, Yang and
    Vemuri, NeurIPS 2023, section 3), written as
    :math:`\log(\exp(-r) + \sinh(r) \lVert u - w\rVert^2 / 2)` with the radius r and the direction u
    of x, so nothing cancels. The direction has 16 digits: values below -30/sqrt(K) lose theirs off
    the axes. In units of 1/sqrt(K) the absolute error is at most 4 eps cosh(sqrt(K) R), R the
    distance from the origin, eps = 2.2e-16; in the Klein ball the square.

    Examples
    --------
    >>> busemann([[0.5, 0.0], [0.0, 0.0], [-0.5, 0.0]], [1.0, 0.0]).round(6)
    array([-1.098612,  0.      ,  1.098612])
    """
    points = np.sqrt(curvature) * public_points.to_hyperboloid(x, chart, curvature)
    ideal = public_points.read_vectors(ideal_point, points.shape[-1] - 1)
    require(
        ideal.ndim == 1 and ideal.any(),
        f"an ideal point needs one direction that is not 0, got shape {ideal.shape}",
    )
    ideal = ideal / np.abs(ideal).max()
    polar = rays(points.reshape(-1, points.shape[-1]))
    found = busemann_of_rays(polar, ideal / np.linalg.norm(ideal)) / np.sqrt(curvature)
    return found.reshape(points.shape[:-1])


def rays(points):
    """Points in polar form, from which Busemann functions keep their digits far out.

    Columns (n, d + 2): exp(-r), sinh(r) and the direction (zeros at the origin) of each point at
    distance r.
    """
    length = np.linalg.norm(points[:, 1:], axis=1)
    directions = points[:, 1:] / np.where(length > 0, length, 1)[:, None]
    return np.column_stack([1 / (np.hypot(1, length) + length), length, directions])


@compile_inner
def horosphere_height(polar, i, ideals, g):
    """Exponential of the Busemann function of row g of the ideal points at row i."""
    square = 0.0
    for j in range(polar.shape[1] - 2):
        square += (polar[i, 2 + j] - ideals[g, j]) ** 2
    return polar[i, 0] + polar[i, 1] * square / 2


def busemann_of_rays(polar, ideal):
    """Busemann function of one ideal point at each row.

    x_0 - <w, x_r> = exp(-r) + sinh(r) |u - w|² / 2 for x_r = u sinh(r): no difference of large
    numbers. The direction u has 16 digits, so values below -30 lose theirs off the axes.
    """
    values = np.empty((1, len(polar)))
    busemann_of_each(np.ascontiguousarray(polar), np.asarray(ideal)[None], values)
    return values[0]


@compile_cached
def busemann_of_each(polar, ideals, values):
    """Write `busemann_of_rays` of each ideal point (m, d) into values (m, n)."""
    for g in range(len(ideals)):
        for i in range(len(polar)):
            values[g, i] = np.log(horosphere_height(polar, i, ideals, g))
