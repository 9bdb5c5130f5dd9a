"""Descent over points and scales of a product space: L-BFGS in frames that follow the points."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from noneuclid.embeddings import product_loss

ROUND = 50
EXACT = 1e-14  # loss: relative errors of 1e-7
# In units of a hyperbolic factor, of the largest distance: beyond, its points lose digits.
_LARGEST = 24.0
# The same where a curved factor is flat to rounding.
_SMALLEST = 1e-3


@dataclass(frozen=True)
class ProductDescent:
    """Where a descent ended; `points` (n, width), `scales` (k,), the others as in `Descent`."""

    points: np.ndarray
    scales: np.ndarray
    value: float
    iterations: int
    fall: float
    converged: bool


def descend(points, scales, layout, pairs, *, tol, max_iter, learn=True):
    """Lower the relative stress of the pairs over the points and, if `learn`, the scales.

    Rounds of 50 iterations of L-BFGS-B. The variables of a round are coordinates in frames at the
    points, in units of the distances, and the logarithms of the scales; as a scale grows, the
    points of its factor move towards the origin, so that a factor of small curvature keeps its
    distances. Stops when a round lowers the value by no more than the part `tol`.
    Shapes: `points` (n, width), `scales` (k,); all distances have mean about 1.
    """
    value = product_loss.relative_stress(
        points, scales, *pairs, *layout, np.empty_like(points), np.empty(len(scales))
    )
    iterations, fall = 0, np.inf
    while iterations < max_iter and fall > tol and value > EXACT:
        steps = min(ROUND, max_iter - iterations)
        found = _round(points, scales, value, layout, pairs, steps, learn)
        fall = (value - found[2]) / max(value, np.finfo(float).tiny)
        points, scales, value = found[:3]
        iterations += found[3]
    converged = bool(fall <= tol or value <= EXACT)
    return ProductDescent(points, scales, float(value), iterations, float(fall), converged)


def scale_bounds(longest):
    """Least and largest scale of a curved factor, for the largest distance."""
    return longest / _LARGEST, longest / _SMALLEST


def _round(points, scales, value, layout, pairs, steps, learn):
    """At most `steps` iterations; the points are kept if nothing is lower."""
    n, curved = len(points), np.flatnonzero(layout.signs)
    units = np.repeat(scales, layout.dimensions)
    towards = _towards_origin(points, layout)
    factor_of = np.repeat(np.arange(len(scales)), layout.dimensions)
    moved, ambient = np.empty_like(points), np.empty_like(points)
    local, slope = np.empty((n, len(units))), np.empty(len(scales))
    pulled = np.empty_like(local)
    low, high = (np.log(b / scales) for b in scale_bounds(pairs.wanted.max()))
    low = np.where(layout.signs < 0, low, -np.inf)

    def read(flat):
        growth = np.zeros(len(scales))
        growth[curved] = flat[local.size :]
        local[:] = flat[: local.size].reshape(local.shape) / units
        local[:] += growth[factor_of] * towards
        product_loss.place(points, local, *layout, moved)
        return scales * np.exp(growth)

    def objective(flat):
        now = read(flat)
        height = product_loss.relative_stress(moved, now, *pairs, *layout, ambient, slope)
        product_loss.pull_back(points, local, moved, ambient, *layout, pulled)
        along = np.bincount(factor_of, (pulled * towards).sum(axis=0), len(scales))
        gradient = [(pulled / units).ravel(), (slope + along)[curved] * learn]
        return height, np.concatenate(gradient)

    free = [(None, None)] * local.size
    free += [(low[f], high[f]) if learn else (0.0, 0.0) for f in curved]
    start = np.zeros(local.size + len(curved))
    options = {"maxiter": steps, "maxfun": 10 * steps, "ftol": 0.0, "gtol": 0.0}
    found = minimize(objective, start, jac=True, method="L-BFGS-B", bounds=free, options=options)
    if not found.fun < value:
        return points, scales, value, max(found.nit, 1)
    return moved.copy(), read(found.x), found.fun, max(found.nit, 1)


def _towards_origin(points, layout):
    """Logarithms of the origin of each curved factor at the points, in their frames.

    Shapes: `points` (n, width); returns (n, sum of dimensions), 0 in flat factors.
    """
    found = []
    for sign, a, d in zip(*layout, strict=True):
        time, space = points[:, a, None], points[:, a + 1 : a + 1 + d]
        length = np.linalg.norm(space, axis=1, keepdims=True)
        divisor = np.where(length > 0, length, 1.0)
        if sign < 0:
            found.append(-np.arcsinh(length) / divisor * space)
        elif sign > 0:  # beyond the equator the pole is as far as there
            angle = np.arctan2(length, np.maximum(time, 0.0))
            found.append(-np.where(time < 0, -1.0, 1.0) * angle / divisor * space)
        else:
            found.append(np.zeros((len(points), d)))
    return np.hstack(found)
