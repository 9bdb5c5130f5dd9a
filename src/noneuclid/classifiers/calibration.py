"""Platt's sigmoid: from decision values to probabilities."""

import math

import numpy as np

from noneuclid.solvers.compiled import compile_cached

_MAX_STEPS = 100


def platt(scores, signs, centred=False):
    """Fit P(+1 | f) = 1 / (1 + exp(-(a f + b))) to decision values f.

    Maximum likelihood with Platt's soft targets, (N+ + 1)/(N+ + 2) for the positive and
    1/(N- + 2) for the negative class [1]_, by a damped Newton method [2]_. The values are
    standardised first, so their scale does not matter.

    Parameters
    ----------
    scores : ndarray, shape (n,)
        Finite decision values; larger means more likely positive.
    signs : ndarray, shape (n,)
        +1 or -1.

    centred : bool, default=False
        Fit the best a >= 0 with b = 0, so that P > 1/2 on the positive side of the hyperplane
        and nowhere else.

    Returns
    -------
    slope, offset : float
        a and b; in [1]_ both have the opposite sign.

    Raises
    ------
    FloatingPointError
        If Newton's method does not converge (not seen on finite values).

    References
    ----------
    .. [1] J. Platt, Probabilistic outputs for support vector machines, 1999.
    .. [2] H.-T. Lin, C.-J. Lin, R. C. Weng, A note on Platt's probabilistic outputs for
       support vector machines, Machine Learning 68, 2007.

    Examples
    --------
    >>> import numpy as np
    >>> slope, offset = platt(np.array([-2.0, -1.0, 1.0, 2.0]), np.array([-1, -1, 1, 1]))
    >>> bool(slope > 0), round(float(offset), 9) + 0.0
    (True, 0.0)
    """
    scores = np.asarray(scores, dtype=float)
    targets = _soft_targets(np.asarray(signs) > 0)
    largest = np.abs(scores).max() or 1.0  # a mean of values near 1e300 must not overflow
    scaled = scores / largest
    if centred:
        spread = np.sqrt((scaled**2).mean()) or 1.0
        (slope,) = _newton(scaled[:, None] / spread, targets)
        return max(slope, 0.0) / spread / largest, 0.0
    centre, spread = scaled.mean(), scaled.std() or 1.0
    design = np.column_stack([(scaled - centre) / spread, np.ones(len(scaled))])
    slope, offset = _newton(design, targets)
    return slope / spread / largest, offset - slope * centre / spread


def _soft_targets(positive):
    n_pos = np.count_nonzero(positive)
    n_neg = len(positive) - n_pos
    return np.where(positive, (n_pos + 1) / (n_pos + 2), 1 / (n_neg + 2))


def _newton(design, targets):
    """Minimise the cross entropy of targets against a logistic model, from zero."""
    coef = np.zeros(design.shape[1])
    loss, gradient, hessian = _look(design, targets, coef)
    for _ in range(_MAX_STEPS):
        # The tiny ridge keeps constant scores (a zero column) solvable.
        step = np.linalg.solve(hessian + 1e-12 * np.eye(len(coef)), gradient)
        decrement = gradient @ step
        if decrement <= 1e-12 * len(targets):  # quadratic convergence: this step is the last
            return coef - step
        t = 1.0
        while (trial := _look(design, targets, coef - t * step))[0] > loss - 1e-4 * t * decrement:
            t /= 2
        coef, (loss, gradient, hessian) = coef - t * step, trial
    raise FloatingPointError("Platt's sigmoid: Newton's method did not converge in 100 steps")


@compile_cached
def _look(design, targets, coef):  # pragma: no cover (compiled)
    """Cross entropy, its gradient and its second derivatives, in one pass."""
    k = len(coef)
    loss, gradient, hessian = 0.0, np.zeros(k), np.zeros((k, k))
    for i in range(len(design)):
        logit = 0.0
        for j in range(k):
            logit += design[i, j] * coef[j]
        small = math.exp(-abs(logit))
        p = (1.0 if logit >= 0.0 else small) / (1.0 + small)
        loss += math.log1p(small) + max(logit, 0.0) - targets[i] * logit
        curve = small / (1.0 + small) ** 2
        for j in range(k):
            gradient[j] += (p - targets[i]) * design[i, j]
            for m in range(k):
                hessian[j, m] += curve * design[i, j] * design[i, m]
    return loss, gradient, hessian
