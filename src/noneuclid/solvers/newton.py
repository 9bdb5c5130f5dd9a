"""Linear SVM without intercept and with the squared hinge, by Newton's method."""

import numpy as np

from noneuclid.solvers.liblinear import LinearSolution, squared_hinge_bound

_BLOCK = 2**18  # numbers: 2 MB, which stay in the cache between the two products
_CG_STEPS = 250
_CG_TOLERANCE = 1e-3
_ARMIJO = 1e-4


def newton_svm(X, signs, C=1.0, tol=1e-6, max_iter=100):
    """Minimise ½|w|² + C Σ max(0, 1 - y_i w·x_i)².

    The objective is convex, piecewise quadratic and once differentiable. Each step solves the
    quadratic piece at hand by conjugate gradients and shortens the step until the objective falls
    (Keerthi and DeCoste 2005); it ends when the dual bound proves the gap.

    Parameters
    ----------
    X : ndarray, shape (n, p)
    signs : ndarray, shape (n,)
        +1 or -1.
    C : float > 0
    tol : float
        Relative gap between the objective and its lower bound.
    max_iter : int
        Newton steps; 5 to 15 are common.

    Returns
    -------
    LinearSolution
        Status "inaccurate" where no step lowers the objective and `tol` is not yet proven.

    Notes
    -----
    O(n p) for each of at most `_CG_STEPS` inner steps; memory: some vectors of length n, and no
    copy of X.

    Examples
    --------
    >>> import numpy as np
    >>> fit = newton_svm(np.array([[1.0], [-1.0]]), np.array([1.0, -1.0]), C=10.0)
    >>> bool(abs(fit.w[0] - 40 / 41) < 1e-6), fit.status
    (True, 'optimal')
    """
    w, margins = np.zeros(X.shape[1]), np.zeros(len(X))
    lower, status = 0.0, "max_iter"
    for n_iter in range(max_iter + 1):
        slack = np.maximum(0.0, 1.0 - margins)
        value = 0.5 * (w @ w) + C * (slack @ slack)
        pull = X.T @ (slack * signs)
        lower = max(lower, min(squared_hinge_bound(slack, pull, C), value))
        if value - lower <= tol * value:
            status = "optimal"
            break
        if n_iter == max_iter:
            break
        step = _quadratic_minimum(X, slack > 0.0, 2.0 * C, 2.0 * C * pull - w)
        along = signs * (X @ step)
        length = _length(w, step, margins, along, C, value, step @ (w - 2.0 * C * pull))
        if length == 0.0:
            status = "inaccurate"
            break
        w, margins = w + length * step, margins + length * along
    warning = ""
    if status != "optimal":
        gap = (value - lower) / value
        cure = "raise max_iter" if status == "max_iter" else "lower C, or bring far points nearer"
        warning = f"newton stopped after {n_iter} steps, relative gap {gap:.1e}; {cure}"
    return LinearSolution(w, float(value), float(lower), n_iter, status, warning)


def _quadratic_minimum(X, active, weight, gradient):
    """Conjugate gradients for (I + weight Σ_active x xᵀ) step = gradient."""
    step, residual = np.zeros_like(gradient), gradient.copy()
    direction, square = residual.copy(), residual @ residual
    goal = _CG_TOLERANCE**2 * square
    for _ in range(_CG_STEPS):
        if square <= goal:
            break
        product = direction + weight * _gram_product(X, active, direction)
        ratio = square / (direction @ product)
        step += ratio * direction
        residual -= ratio * product
        previous, square = square, residual @ residual
        direction = residual + square / previous * direction
    return step


def _gram_product(X, active, v):
    """Σ_active x (x·v), reading X once."""
    size = max(1, _BLOCK // X.shape[1])
    total = np.zeros_like(v)
    for start in range(0, len(X), size):
        rows = X[start : start + size]
        total += rows.T @ ((rows @ v) * active[start : start + size])
    return total


def _length(w, step, margins, along, C, value, slope):
    """First of 1, 1/2, 1/4, ... that lowers the objective enough; 0 if none does."""
    for length in 0.5 ** np.arange(40):
        slack = np.maximum(0.0, 1.0 - margins - length * along)
        trial = w + length * step
        fallen = 0.5 * (trial @ trial) + C * (slack @ slack) - value
        if fallen < 0.0 and fallen <= _ARMIJO * length * slope:
            return length
    return 0.0
