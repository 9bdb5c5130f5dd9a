"""Compiled parts of the interior-point method in a polytope: factors, and a step's products."""

from typing import NamedTuple

import numpy as np

from noneuclid.compiled import compile_cached, compile_inlined

_LANES = 8  # points that are factored at a time, next to each other in the processor's vectors


class Bounds(NamedTuple):
    """Bounds on x = (z, T), or z: low T a <= facets x <= high T a, height·x <= 1, T = size·x.

    Shapes: `facets` (m, k), `height`, `size` (k,). `high` may be inf; `free`: T <= 1, too.
    """

    facets: np.ndarray
    height: np.ndarray
    size: np.ndarray
    low: float
    high: float
    free: bool


@compile_inlined
def _reflect(rows):
    """Householder's reflections (in place) of rows (m, k, lanes) to upper triangles."""
    m, k, _ = rows.shape
    end, along = np.empty(_LANES), np.empty(_LANES)
    for c in range(k):
        for p in range(_LANES):
            end[p] = 0.0
        for i in range(c, m):
            for p in range(_LANES):
                end[p] += rows[i, c, p] * rows[i, c, p]
        for p in range(_LANES):
            end[p] = np.sqrt(end[p]) if rows[c, c, p] < 0.0 else -np.sqrt(end[p])
            rows[c, c, p] -= end[p]
        for j in range(c + 1, k):
            for p in range(_LANES):
                along[p] = 0.0
            for i in range(c, m):
                for p in range(_LANES):
                    along[p] += rows[i, c, p] * rows[i, j, p]
            for p in range(_LANES):
                along[p] /= end[p] * rows[c, c, p]
            for i in range(c, m):
                for p in range(_LANES):
                    rows[i, j, p] += rows[i, c, p] * along[p]
        for p in range(_LANES):
            rows[c, c, p] = end[p]


@compile_inlined
def _invert_triangles(R, L):
    """Inverse transposes L (k, k, lanes) of upper triangles."""
    for r in range(len(L)):
        for c in range(r + 1):
            for p in range(_LANES):
                L[r, c, p] = 1.0 if r == c else 0.0
            for j in range(c, r):
                for p in range(_LANES):
                    L[r, c, p] -= R[j, r, p] * L[j, c, p]
            for p in range(_LANES):
                L[r, c, p] /= R[r, r, p]


@compile_cached
def invert_factors(bounds, a, prices, slacks, inverse):
    """Lower triangles L, LᵀL the inverse of each point's Newton matrix, to `inverse` (n, k, k).

    The matrix is RᵀR with an orthogonal factor R, which loses half as many digits as a Cholesky
    factor. The two bounds of a facet are turned orthogonally: one row with the facet and one
    without. Shapes: `a` (n, m), `prices`, `slacks` (n, bounds).
    """
    facets, height, size, low, high, free = bounds
    (n, m), k = a.shape, len(size)
    both = np.isfinite(high)
    top = 2 * m if both else m
    rows, L = np.empty((m + 2, k, _LANES)), np.empty((k, k, _LANES))
    for first in range(0, n, _LANES):
        for p in range(_LANES):
            i = first + p if first + p < n else n - 1
            lone = prices[i, top + 1] / slacks[i, top + 1] if free else 0.0
            for j in range(m):
                pull = own = prices[i, j] / slacks[i, j]
                ball = low * pull
                if both:
                    upper = prices[i, m + j] / slacks[i, m + j]
                    own, ball = pull + upper, ball + high * upper
                    lone += pull * upper / own * ((high - low) * a[i, j]) ** 2
                root = np.sqrt(own)
                for c in range(k):
                    rows[j, c, p] = root * facets[j, c] - ball * a[i, j] / root * size[c]
            mass, lone = np.sqrt(prices[i, top] / slacks[i, top]), np.sqrt(lone)
            for c in range(k):
                rows[m, c, p], rows[m + 1, c, p] = mass * height[c], lone * size[c]
        _reflect(rows)
        _invert_triangles(rows, L)
        for p in range(_LANES):
            i = first + p if first + p < n else n - 1
            for r in range(k):
                for c in range(r + 1):
                    inverse[i, r, c] = L[r, c, p]


@compile_cached
def fill_slacks(bounds, a, x, constant, out):
    """Slacks of the bounds at x (n, k), with `constant` 0 their change with x, to `out`.

    Shapes: `a` (n, m), `out` (n, bounds).
    """
    facets, height, size, low, high, free = bounds
    (n, m), k = a.shape, len(size)
    both = np.isfinite(high)
    for i in range(n):
        T = mass = 0.0
        for c in range(k):
            T += size[c] * x[i, c]
            mass += height[c] * x[i, c]
        for j in range(m):
            value = 0.0
            for c in range(k):
                value += facets[j, c] * x[i, c]
            out[i, j] = value - low * T * a[i, j]
            if both:
                out[i, m + j] = high * T * a[i, j] - value
        top = 2 * m if both else m
        out[i, top] = constant - mass
        if free:
            out[i, top + 1] = constant - T


@compile_cached
def pull_back(bounds, a, y, out):
    """Transpose of `fill_slacks` on y (n, bounds), to `out` (n, k)."""
    facets, height, size, low, high, free = bounds
    (n, m), k = a.shape, len(size)
    both = np.isfinite(high)
    top = 2 * m if both else m
    for i in range(n):
        along = -y[i, top + 1] if free else 0.0
        for c in range(k):
            out[i, c] = -y[i, top] * height[c]
        for j in range(m):
            value = y[i, j]
            along -= low * y[i, j] * a[i, j]
            if both:
                value -= y[i, m + j]
                along += high * y[i, m + j] * a[i, j]
            for c in range(k):
                out[i, c] += value * facets[j, c]
        for c in range(k):
            out[i, c] += along * size[c]


@compile_cached
def apply_inverse(L, y, out):
    """Products LᵀL y of each point, to `out` (n, k); L (n, k, k) are lower triangles."""
    n, k = y.shape
    for i in range(n):
        for c in range(k):
            out[i, c] = 0.0
        for r in range(k):
            inner = 0.0
            for c in range(r + 1):
                inner += L[i, r, c] * y[i, c]
            for c in range(r + 1):
                out[i, c] += inner * L[i, r, c]


@compile_cached
def predict_products(slacks, prices, dslacks, dprices, target, weights):
    """Fill `dprices`; returns the longest steps <= 1 that keep slacks and prices >= 0, and sums.

    These are the weighted sums of slacks times prices, and with a change in the place of the
    second, the first or both.
    """
    primal, dual, sums = 1.0, 1.0, np.zeros(4)
    for i in range(len(slacks)):
        for j in range(slacks.shape[1]):
            s, p, ds = slacks[i, j], prices[i, j], dslacks[i, j]
            dp = dprices[i, j] = (target[i, j] - p * ds) / s - p
            primal = -ds / s if -ds > primal * s else primal
            dual = -dp / p if -dp > dual * p else dual
            sums[0] += weights[i] * s * p
            sums[1] += weights[i] * s * dp
            sums[2] += weights[i] * p * ds
            sums[3] += weights[i] * ds * dp
    return (1.0 / primal, 1.0 / dual), sums
