"""Hard-margin linear SVM without intercept, by least distance programming."""

import numpy as np
from scipy.optimize import nnls

from noneuclid.solvers.linear.liblinear import LinearSolution

_BATCH = 50  # rows that may enter at once
_ROUNDS = 1000
_LEAST_MARGIN = 1e-10  # relative to the longest row: below it the classes count as inseparable


def hard_margin_svm(X, signs, tol=1e-6):
    """Minimise ½|w|² subject to y_i w·x_i >= 1 for all i.

    Least distance programming (Lawson and Hanson 1974): the multipliers of min |w| subject to
    Z w >= δ solve the non-negative least-squares problem min |Zᵀu|² + (δ Σu - 1)². Only rows near
    the margin matter, so it is solved on a growing set of them, to which the most violated rows
    are added.

    `w` is feasible, the multipliers bound the optimum from below. `status` is
    "inseparable", with objective inf, if no w has a margin above 1e-10 of the longest row. `n_iter`
    counts least-squares problems.
    """
    scale = np.sqrt(np.einsum("ij,ij->i", X, X).max()) or 1.0
    w, delta = X.T @ signs, 1.0
    margins, lower = signs * (X @ w), 0.0
    work = np.argsort(margins)[:_BATCH]
    for n_iter in range(1, _ROUNDS + 1):
        rows = signs[work, None] * X[work] / scale
        w, total = _least_distance(rows, delta)
        length = np.linalg.norm(w)
        if not length < 1.0 / _LEAST_MARGIN:
            if delta > _LEAST_MARGIN:  # margins far below 1/δ drown in rounding
                delta *= 1e-5
                continue
            return LinearSolution(w, np.inf, lower, n_iter, "inseparable", "inseparable")
        delta = 1.0 / length  # balances the two parts of the least-squares problem
        margins = signs * (X @ w) / scale
        # The best multiple of the multipliers, whose combination of rows is w.
        lower = max(lower, 0.5 * (total / length) ** 2)
        least = margins.min()
        value = 0.5 * (length / least) ** 2 if least > 0 else np.inf
        if value - lower <= tol * value < np.inf:
            return _solution(w / least, value, lower, scale, n_iter, "optimal", "")
        fresh = np.setdiff1d(np.argsort(margins)[:_BATCH], work)
        if not fresh.size:
            break
        work = np.append(work, fresh)
    if not least > 0:
        return LinearSolution(w, np.inf, lower, n_iter, "inseparable", "inseparable")
    gap = (value - lower) / value
    warning = f"hard margin: relative gap {gap:.1e} left after {n_iter} rounds; rescale the data"
    return _solution(w / least, value, lower, scale, n_iter, "inaccurate", warning)


def _least_distance(rows, delta):
    """Shortest w with rows·w >= 1, infinite if there is none, and the sum of its multipliers."""
    system = np.vstack([rows.T, np.full(len(rows), delta)])
    target = np.zeros(len(system))
    target[-1] = 1.0
    u, residual = nnls(system, target, maxiter=30 * len(rows) + 1000)
    if residual**2 <= 1e-15:
        return np.full(rows.shape[1], np.inf), np.inf
    multipliers = u / (residual**2 * delta)
    return rows.T @ multipliers, multipliers.sum()


def _solution(w, value, lower, scale, n_iter, status, warning):
    return LinearSolution(
        w / scale,
        float(value / scale**2),
        float(min(lower, value) / scale**2),
        n_iter,
        status,
        warning,
    )
