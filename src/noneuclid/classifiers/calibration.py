"""Platt's sigmoid: from decision values to probabilities."""

import numpy as np
from scipy.special import expit

_MAX_STEPS = 100


def platt(scores, signs):
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
    largest = np.abs(scores).max() or 1.0  # a mean of values near 1e300 must not overflow
    centre = (scores / largest).mean()
    spread = (scores / largest).std() or 1.0
    design = np.column_stack([(scores / largest - centre) / spread, np.ones(len(scores))])
    a, b = _newton(design, *_soft_targets(np.asarray(signs) > 0))
    slope = a / spread / largest
    return slope, b - a * centre / spread


def _soft_targets(positive):
    n_pos = np.count_nonzero(positive)
    n_neg = len(positive) - n_pos
    targets = np.where(positive, (n_pos + 1) / (n_pos + 2), 1 / (n_neg + 2))
    return targets, np.array([0.0, np.log((n_pos + 1) / (n_neg + 1))])


def _newton(design, targets, coef):
    def loss_at(c):
        logits = design @ c
        return (np.logaddexp(0, logits) - targets * logits).sum()

    loss = loss_at(coef)
    for _ in range(_MAX_STEPS):
        p = expit(design @ coef)
        gradient = design.T @ (p - targets)
        if np.abs(gradient).max() < 1e-9 * len(targets):
            return coef
        # The tiny ridge keeps constant scores (a zero column) solvable.
        hessian = (design.T * (p * (1 - p))) @ design + 1e-12 * np.eye(2)
        step = np.linalg.solve(hessian, gradient)
        slope = gradient @ step
        t = 1.0
        while (trial := loss_at(coef - t * step)) > loss - 1e-4 * t * slope and t > 1e-10:
            t /= 2
        if t <= 1e-10:  # no descent left in double precision
            return coef
        coef, loss = coef - t * step, trial
    raise FloatingPointError("Platt's sigmoid: Newton's method did not converge in 100 steps")
