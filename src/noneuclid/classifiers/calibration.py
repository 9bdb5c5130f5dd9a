"""Platt's sigmoid: from decision values to probabilities."""

import math

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.errors import require

_MAX_STEPS = 100


def fit_platt(scores, signs, centred=False, weights=None):
    """Fit P(+1 | f) = 1 / (1 + exp(-(a f + b))) to decision values f; return a and b.

    Refuses values that are not finite, or so small that a overflows.

    Maximum likelihood with Platt's soft targets, (N+ + 1)/(N+ + 2) for the positive and 1/(N- + 2)
    for the negative class [1]_ (where a and b have the opposite sign), by a damped Newton method
    [2]_ on standardised values. `weights`, > 0, count in the likelihood, N+, N- and the
    standardisation.

    `centred` fits the best a > 0 with b = 0, so that P > 1/2 on the positive side of the hyperplane
    and nowhere else. Where the best a is 0 or less (most values have the wrong sign), a is
    1/(n + 2) over the root mean square of the values: all P are 1/2 to within about 1/n, and
    their order is that of the values.

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
    centre, spread = _scales(scores, weights, largest, centred)
    scales = largest, centre, spread or 1.0
    slope, *offset = _newton(scores, np.asarray(signs) > 0, weights, scales, 1 if centred else 2)
    if centred:
        slope, offset = max(slope, 1.0 / (weights.sum() + 2.0)), [0.0]
    with np.errstate(over="ignore"):
        steep = slope / scales[2] / largest
    require(
        np.isfinite(steep),
        f"Platt's sigmoid: no decision value is above {largest:.2g}, too small for a slope in "
        "float64; multiply all coordinates by a large number, or set calibration=None",
    )
    return steep, offset[0] - slope * centre / scales[2]


def _newton(scores, positive, weights, scales, terms):
    """Slope (and offset, with 2 terms) of standardised scores for the soft targets, from zero."""
    n, n_pos = weights.sum(), weights[positive].sum()
    targets = np.array([1 / (n - n_pos + 2), (n_pos + 1) / (n_pos + 2)])
    coef = np.zeros(terms)
    loss, gradient, hessian = _look(scores, positive, weights, targets, scales, coef)
    for _ in range(_MAX_STEPS):
        # The tiny ridge keeps constant scores (a zero column) solvable.
        step = np.linalg.solve(hessian + 1e-12 * np.eye(terms), gradient)
        decrement = gradient @ step
        if decrement <= 1e-12 * n:  # quadratic convergence: this step is the last
            return coef - step
        t, enough = 1.0, 1e-4 * decrement
        while True:
            trial = _look(scores, positive, weights, targets, scales, coef - t * step)
            if trial[0] <= loss - t * enough:
                break
            t /= 2
        coef, (loss, gradient, hessian) = coef - t * step, trial
    raise FloatingPointError("Platt's sigmoid: Newton's method did not converge in 100 steps")


@compile_cached
def _scales(scores, weights, largest, centred):
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


def _look(scores, positive, weights, targets, scales, coef):
    """Cross entropy, its gradient and its second derivatives."""
    terms = len(coef)
    loss, *sums = _sum_up(scores, positive, weights, targets, scales, coef)
    gradient, hessian = np.array(sums[:2]), np.array([sums[2:4], sums[3:]])
    return loss, gradient[:terms], hessian[:terms, :terms]


@compile_cached
def _sum_up(scores, positive, weights, targets, scales, coef):
    """The sums of `_look` in one pass; arrays take longer to compile."""
    largest, centre, spread = scales
    slope, offset = coef[0], coef[1] if len(coef) > 1 else 0.0
    loss, first, second, curve_11, curve_12, curve_22 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(len(scores)):
        value = (scores[i] / largest - centre) / spread
        target = targets[1] if positive[i] else targets[0]
        logit = slope * value + offset
        small = math.exp(-abs(logit))
        p = (1.0 if logit >= 0.0 else small) / (1.0 + small)
        loss += weights[i] * (math.log1p(small) + max(logit, 0.0) - target * logit)
        curve = weights[i] * (small / (1.0 + small) ** 2)
        first += weights[i] * ((p - target) * value)
        second += weights[i] * (p - target)
        curve_11 += curve * value**2
        curve_12 += curve * value
        curve_22 += curve
    return loss, first, second, curve_11, curve_12, curve_22
