"""Symmetric Kullback-Leibler divergence between similarities and points: value and gradient."""

import numpy as np
from scipy.special import logsumexp

from noneuclid.compiled import compile_cached

# Below this half squared chord two points are one: the distance has no gradient there.
COINCIDENT = 1e-20


@compile_cached
def half_chords(points, i, out):
    """Write cosh(d_ij) - 1 for all j > i into `out`; `points` has one column for each point.

    Half the squared Minkowski length of the difference, which keeps the digits of near points.

    Examples
    --------
    >>> from noneuclid.geometry import lorentz
    >>> out = np.zeros(2)
    >>> half_chords(lorentz.from_spatial([[0.0], [np.sinh(1.0)]]).T.copy(), 0, out)
    >>> round(float(np.arccosh(1 + out[1])), 12)
    1.0
    """
    width, n = points.shape
    for j in range(i + 1, n):
        out[j] = -((points[0, i] - points[0, j]) ** 2)
    for k in range(1, width):
        for j in range(i + 1, n):
            out[j] += (points[k, i] - points[k, j]) ** 2
    for j in range(i + 1, n):
        out[j] = max(0.5 * out[j], 0.0)


@compile_cached
def add_slopes(points, i, slopes, gradient):
    """Add slope_ij times the ambient gradients of -<x_i, x_j>_L for all j > i.

    Examples
    --------
    >>> from noneuclid.geometry import lorentz
    >>> points = lorentz.from_spatial([[0.0], [1.0]]).T.copy()
    >>> gradient = np.zeros((2, 2))
    >>> add_slopes(points, 0, np.array([0.0, 1.0]), gradient)
    >>> gradient.round(3).tolist()
    [[1.414, 1.0], [-1.0, 0.0]]
    """
    width, n = points.shape
    for k in range(width):
        sign = 1.0 if k == 0 else -1.0
        x, total = sign * points[k, i], 0.0
        for j in range(i + 1, n):
            gradient[k, j] += slopes[j] * x
            total += slopes[j] * points[k, j]
        gradient[k, i] += sign * total


# The loops over j are kept apart so that all but logarithm and exponential run on whole vectors.
@compile_cached
def _row_sums(points, kernel, log_kernel, gamma, distance, decay):
    """Fill distances and exp(-gamma d) above the diagonal; sums over each row of both sides."""
    n = points.shape[1]
    total, crossing, pull, chord = np.ones(n), -np.diag(log_kernel), np.zeros(n), np.empty(n)
    for i in range(n):
        d, e, a, log_a = distance[i], decay[i], kernel[i], log_kernel[i]
        half_chords(points, i, chord)
        for j in range(i + 1, n):
            d[j] = 1.0 + (chord[j] + np.sqrt(chord[j] * (chord[j] + 2.0)))
        for j in range(i + 1, n):
            d[j] = np.log(d[j])
        for j in range(i + 1, n):
            e[j] = np.exp(-gamma * d[j])
        for j in range(i + 1, n):
            term = e[j] * (-gamma * d[j] - log_a[j])
            total[i] += e[j]
            total[j] += e[j]
            crossing[i] += term
            crossing[j] += term
            pull[i] += a[j] * d[j]
            pull[j] += a[j] * d[j]
    return total, crossing, pull


@compile_cached
def _gradient(points, kernel, log_kernel, gamma, distance, decay, total, mass, shift):
    """Ambient gradient of the sum over rows, from the sums that `_row_sums` found."""
    n = points.shape[1]
    gradient, slope = np.zeros_like(points), np.empty(n)
    for i in range(n):
        d, e, a, log_a = distance[i], decay[i], kernel[i], log_kernel[i]
        half_chords(points, i, slope)
        for j in range(i + 1, n):
            common = -gamma * d[j] - log_a[j]
            pressure = (common + shift[i]) / total[i] + (common + shift[j]) / total[j]
            wanted = a[j] * (1.0 / mass[i] + 1.0 / mass[j])
            apart = slope[j] > COINCIDENT
            sinh = np.sqrt(slope[j] * (slope[j] + 2.0)) if apart else 1.0
            slope[j] = gamma * (wanted - e[j] * pressure) / sinh if apart else 0.0
        add_slopes(points, i, slope, gradient)
    return gradient


def symmetric_divergence(kernel, gamma):
    """Build the loss of Poincaré maps as a function of all points.

    For p_ij = A_ij / sum_j A_ij and q_ij proportional to exp(-gamma d(x_i, x_j)), both over all j
    including i, the loss is the mean over rows of sum_j (p_ij - q_ij) (log p_ij - log q_ij).

    The loss takes points (n, d + 1) to a value and its ambient gradient in O(n^2 d) time; it keeps
    three further n x n matrices.
    Shapes: `kernel` (n, n).
    """
    log_kernel, mass, n = np.log(kernel), kernel.sum(axis=1), len(kernel)
    log_mass = np.log(mass)
    constant = np.sum(kernel * log_kernel, axis=1) / mass - log_mass
    distance, decay = np.empty((n, n)), np.empty((n, n))

    def loss(points):
        columns = np.ascontiguousarray(points.T)
        total, crossing, pull = _row_sums(columns, kernel, log_kernel, gamma, distance, decay)
        log_total = np.log(total)
        reverse = crossing / total + log_mass - log_total
        value = np.mean(reverse + constant + gamma * pull / mass + log_total)
        shift = 1.0 + log_mass - log_total - reverse
        gradient = _gradient(
            columns, kernel, log_kernel, gamma, distance, decay, total, mass, shift
        )
        return value, gradient.T / n

    return loss


def row_divergence(target, anchors, gamma):
    """Build the loss of one further point against fixed ones.

    As in `symmetric_divergence`, for one row, over the anchors alone.

    Shapes: `target` (n,), `anchors` (n, d + 1).
    """
    log_target = np.log(target)
    metric = np.r_[-1.0, np.ones(anchors.shape[1] - 1)]

    def loss(point):
        chord = np.maximum(0.5 * ((anchors - point) ** 2 @ metric), 0.0)
        sinh = np.sqrt(chord * (chord + 2.0))
        energy = -gamma * np.log1p(chord + sinh)
        log_q = energy - logsumexp(energy)
        q, surprise = np.exp(log_q), log_q - log_target
        slope = -gamma * (q * (surprise - q @ surprise + 1.0) - target)
        apart = chord > COINCIDENT
        slope = np.where(apart, slope / np.where(apart, sinh, 1.0), 0.0)
        return (q - target) @ surprise, -metric * (slope @ anchors)

    return loss
