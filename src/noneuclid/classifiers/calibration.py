"""Platt's sigmoid: from decision values to probabilities."""

import math

import numpy as np

from noneuclid.compiled import compile_cached, compile_inner
from noneuclid.errors import require

_MAX_STEPS = 100
_TOL = 1e-12


def fit_platt(scores, signs, centred=False, weights=None, held_out=False):
    """Fit P(+1 | f) = 1 / (1 + exp(-(a f + b))) to decision values f; return a and b.

    Refuses values that are not finite, or so small that a overflows.

    Maximum likelihood with Platt's soft targets, (N+ + 1)/(N+ + 2) for the positive and 1/(N- + 2)
    for the negative class [1]_ (where a and b have the opposite sign), by a damped Newton method
    [2]_ on standardised values. `weights`, > 0, count in the likelihood, N+, N- and the
    standardisation.

    `centred` fits the best a > 0 with b = 0, so that P > 1/2 on the positive side of the hyperplane
    and nowhere else. Where the best a is 0 or less (most values have the wrong sign), a is
    1/(n + 2) over the root mean square of the values: all P are 1/2 to within about 1/n, and
    their order is that of the values. `held_out`, of values of rows that took no part in the fit,
    does the same with a free b: in few rows such values may have the wrong sign by chance, and
    a < 0 would turn predictions round.

    .. [1] J. Platt, Probabilistic outputs for support vector machines, 1999.
    .. [2] H.-T. Lin, C.-J. Lin, R. C. Weng, A note on Platt's probabilistic outputs for
       support vector machines, Machine Learning 68, 2007.
    """
    scores = np.asarray(scores, dtype=float)
    # A mean of values near 1e300 must not overflow.
    largest = max(scores.max(), -scores.min()) or 1.0
    require(
        np.isfinite(largest),
        f"Platt's sigmoid: a decision value is {largest}; rescale the columns of X, or set "
        "calibration=None",
    )
    weights = np.ones(len(scores)) if weights is None else weights
    centre, spread = measure_scales(scores, weights, largest, centred)
    scales = largest, centre, spread or 1.0
    start = np.zeros(1 if centred else 2)
    positive = np.asarray(signs) > 0
    slope, offset = minimise_cross_entropy(scores, positive, weights, scales, start, _TOL)
    if np.isnan(slope):
        raise FloatingPointError("Platt's sigmoid: Newton's method did not converge in 100 steps")
    least = 1.0 / (weights.sum() + 2.0)
    if slope < least and (centred or held_out):
        slope, offset = least, 0.0 if centred else _logit_of_mean_target(positive, weights)
    with np.errstate(over="ignore"):
        steep = slope / scales[2] / largest
    require(
        np.isfinite(steep),
        f"Platt's sigmoid: no decision value is above {largest:.2g}, too small for a slope in "
        "float64; multiply all coordinates by a large number, or set calibration=None",
    )
    return steep, offset - slope * centre / scales[2]


def _logit_of_mean_target(positive, weights):
    """The best offset for a slope of 0."""
    up, down = weights[positive].sum(), weights[~positive].sum()
    above, below = (up + 1) / (up + 2), 1 / (down + 2)
    share = (up * above + down * below) / (up + down)
    return math.log(share / (1 - share))


@compile_cached
def minimise_cross_entropy(scores, positive, weights, scales, start, tol):
    """Slope and offset of standardised scores with the least cross entropy from the soft targets.

    `scales` are the largest score, their centre and their spread; `start` has 2 numbers, or 1 where
    the offset is 0. The damped Newton method ends at a decrement of `tol` for each row, and returns
    nan if 100 steps do not reach it.
    """
    terms, n, n_pos = len(start), 0.0, 0.0
    for i in range(len(scores)):
        n += weights[i]
        if positive[i]:
            n_pos += weights[i]
    targets = (1.0 / (n - n_pos + 2.0), (n_pos + 1.0) / (n_pos + 2.0))
    slope, offset = start[0], start[1] if terms > 1 else 0.0
    first, second, a, b, c = _sum_up(scores, positive, weights, targets, scales, slope, offset)
    for _ in range(_MAX_STEPS):
        # The tiny ridge keeps constant scores (a zero column) solvable.
        a, c = a + 1e-12, c + 1e-12
        down, shift = first / a, 0.0
        if terms > 1:
            room = a * c - b * b
            down, shift = (c * first - b * second) / room, (a * second - b * first) / room
        decrement = first * down + second * shift
        if decrement <= tol * n:  # quadratic convergence: this step is the last
            return slope - down, offset - shift
        t = 1.0
        while t > 0.0:
            trial = slope - t * down, offset - t * shift
            first, second, a, b, c = _sum_up(scores, positive, weights, targets, scales, *trial)
            # The slope along the step, -decrement at its start, may not rise far above 0.
            if -first * down - second * shift <= 0.5 * decrement:
                break
            t /= 2.0
        slope, offset = trial
    return np.nan, np.nan


@compile_cached
def measure_scales(scores, weights, largest, centred):
    """Mean, taken as 0 if `centred`, and root mean square around it, of scores / largest."""
    centre, square, total = 0.0, 0.0, 0.0
    for weight in weights:
        total += weight
    if not centred:
        for i in range(len(scores)):
            centre += weights[i] * (scores[i] / largest)
        centre /= total
    for i in range(len(scores)):
        square += weights[i] * (scores[i] / largest - centre) ** 2
    return centre, math.sqrt(square / total)


@compile_inner
def _sum_up(scores, positive, weights, targets, scales, slope, offset):
    """Gradient (2) and second derivatives (3) of the cross entropy, in one pass."""
    largest, centre, spread = scales
    first, second, curve_11, curve_12, curve_22 = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(len(scores)):
        value = (scores[i] / largest - centre) / spread
        logit = slope * value + offset
        small = math.exp(-abs(logit))
        share = 1.0 / (1.0 + small)
        p = share if logit >= 0.0 else small * share
        push = weights[i] * (p - (targets[1] if positive[i] else targets[0]))
        curve = weights[i] * small * share * share
        first += push * value
        second += push
        curve_11 += curve * value * value
        curve_12 += curve * value
        curve_22 += curve
    return first, second, curve_11, curve_12, curve_22
