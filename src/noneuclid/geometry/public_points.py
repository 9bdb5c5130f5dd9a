"""Points and tangent vectors that users give, in any chart of hyperbolic space.

A tangent vector at x in a chart is the velocity of the coordinates; on the hyperboloid it has d + 1
of them, and <x,v>_L = 0. Charts other than `half_space` are radial: the part of a vector across x
is multiplied by the factor of `charts.convert`, the part along x by the derivative of the new norm.
The Poincaré ball has formulas of its own, in `poincare`.
"""

from typing import Literal

import numpy as np

from noneuclid.errors import InputError, require
from noneuclid.geometry import charts, half_space, lorentz

Chart = Literal["poincare", "klein", "hyperboloid", "half_space", "tangent"]

# Derivative of the new norm, from the scaled norm n of the old chart.
_RATES = {
    ("tangent", "hyperboloid"): np.cosh,
    ("klein", "hyperboloid"): lambda n: ((1 - n) * (1 + n)) ** -1.5,
    ("hyperboloid", "tangent"): lambda n: 1 / np.hypot(1, n),
    ("hyperboloid", "klein"): lambda n: np.hypot(1, n) ** -3,
}


def read(X, chart, curvature):
    """Points of any shape (..., d) as an array of floats, checked."""
    require(
        chart in charts.HYPERBOLIC or chart not in charts.COORDINATES,
        f"chart {chart!r} holds no points of hyperbolic space; convert them to 'tangent' first",
    )
    X = np.asarray(X, dtype=float)
    require(X.ndim > 0, f"a point needs an array of coordinates, got the number {X}")
    require(X.shape[-1], f"a point needs coordinates, got an array of shape {X.shape}")
    charts.check_points(X.reshape(-1, X.shape[-1]), chart, curvature)
    return X


def read_all(chart, curvature, *points):
    """Arrays of points, each as by `read`, with the same number of coordinates."""
    points = [read(X, chart, curvature) for X in points]
    first, *others = (X.shape[-1] for X in points)
    for width in others:
        require(
            width == first,
            f"points have {first} and {width} coordinates; give the same number",
        )
    return points


def to_hyperboloid(X, chart, curvature):
    """Points as `read` gives them, on the hyperboloid of the same curvature."""
    X = read(X, chart, curvature)
    return X if chart == "hyperboloid" else charts.convert(X, chart, "hyperboloid", curvature)


def from_hyperboloid(X, chart, curvature):
    """Points of the hyperboloid in a chart; not finite where a result overflowed."""
    lost = np.flatnonzero(~np.isfinite(charts.scaled_norms(X, "hyperboloid", curvature)))
    require(
        not lost.size,
        f"row {lost[0] if lost.size else ''} ends beyond the "
        f"{charts.REACH['hyperboloid'] / np.sqrt(curvature):.6g} from the origin that float64 "
        "holds; give nearer points, or a shorter way",
    )
    return charts.convert(X, "hyperboloid", chart, curvature)


def read_vectors(v, width):
    """Vectors with `width` coordinates, as an array of floats, all finite."""
    v = np.asarray(v, dtype=float)
    if v.ndim == 0 or v.shape[-1] != width:
        raise InputError(f"vectors have shape {v.shape}, but the points {width} coordinates")
    require(np.isfinite(v).all(), "a vector has a coordinate that is not finite; drop it")
    return v


def push(X, V, chart, curvature):
    """Tangent vectors at points of a chart, on the hyperboloid, shape (..., d + 1)."""
    base = charts.convert(X, chart, "hyperboloid", curvature)
    if chart == "hyperboloid":
        return lorentz.at_point(base, V[..., 1:])
    if chart == "half_space":
        return lorentz.at_point(base, half_space.push(X, V, curvature))
    return lorentz.at_point(base, _scaled(X, V, chart, "hyperboloid", curvature))


def pull(X, V, chart, curvature):
    """Tangent vectors at points X of the hyperboloid, in the coordinates of a chart."""
    if chart == "hyperboloid":
        return V
    if chart == "half_space":
        return half_space.pull(X, V[..., 1:], curvature)
    return _scaled(X[..., 1:], V[..., 1:], "hyperboloid", chart, curvature)


def _scaled(x, v, chart_in, chart_out, curvature):
    """Vectors at x after a radial map."""
    norm = np.sqrt(curvature) * np.linalg.norm(x, axis=-1, keepdims=True)
    across = charts.FACTORS[chart_in, chart_out](norm)
    along = _RATES[chart_in, chart_out](norm)
    outward = np.sqrt(curvature) * x / np.where(norm > 0, norm, 1.0)
    part = np.einsum("...i,...i", outward, v)[..., None] * outward
    return across * (v - part) + along * part
