"""Stress of points on the hyperboloid against target distances: value and gradient."""

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.embeddings.divergence import COINCIDENT, add_slopes, half_chords


@compile_cached
def _stress(points, wanted, power, least):
    """Sum over pairs of w (d - wanted)^2 and its ambient gradient, and the sum of w wanted^2."""
    n = points.shape[1]
    gradient, slope = np.zeros_like(points), np.empty(n)
    value, norm = 0.0, 0.0
    for i in range(n):
        half_chords(points, i, slope)
        for j in range(i + 1, n):
            apart = slope[j] > COINCIDENT
            sinh = np.sqrt(slope[j] * (slope[j] + 2.0))
            weight = 1.0 if power == 0.0 else max(wanted[i, j], least) ** power
            error = np.log1p(slope[j] + sinh) - wanted[i, j]
            value += weight * error * error
            norm += weight * wanted[i, j] * wanted[i, j]
            slope[j] = 2.0 * weight * error / sinh if apart else 0.0
        add_slopes(points, i, slope, gradient)
    return value, norm, gradient


def relative_stress(wanted, power=0.0):
    """Build sum_ij w_ij (d_ij - wanted_ij)^2 / sum_ij w_ij wanted_ij^2 as a function of points.

    w = wanted^power: power 0 counts errors alike, -2 counts relative errors alike. A pair wanted at
    distance zero weighs as much as the nearest other pair. O(n^2 d) time, O(n d) memory.
    Shapes: `wanted` (n, n).
    """
    least = wanted.min(initial=np.inf, where=wanted > 0)

    def objective(points):
        columns = np.ascontiguousarray(points.T)
        value, norm, gradient = _stress(columns, wanted, float(power), least)
        return value / norm, gradient.T / norm

    return objective


def row_stress(wanted, anchors, power=0.0, least=0.0):
    """Build the stress of one further point against fixed ones: sum_j w_j (d_j - wanted_j)^2.

    w = max(wanted, least)^power, as in `relative_stress`; divided by the sum of the weights.
    Shapes: `wanted` (n,), `anchors` (n, d + 1).
    """
    weights = np.maximum(wanted, least) ** power if power else np.ones(len(wanted))
    weights = weights / weights.sum()
    metric = np.r_[-1.0, np.ones(anchors.shape[1] - 1)]

    def loss(point):
        chord = np.maximum(0.5 * ((anchors - point) ** 2 @ metric), 0.0)
        sinh = np.sqrt(chord * (chord + 2.0))
        error = np.log1p(chord + sinh) - wanted
        apart = chord > COINCIDENT
        slope = np.where(apart, 2.0 * weights * error / np.where(apart, sinh, 1.0), 0.0)
        return weights @ error**2, -metric * (slope @ anchors)

    return loss
