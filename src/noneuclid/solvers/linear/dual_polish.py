"""Multipliers, lower bound and last digits of a nearly solved hinge SVM."""

import numpy as np

from noneuclid.solvers.linear.hinge_program import solve_offset_svm

_BAND = 2  # rows in the first band for each dimension
_GROWTH = 8
_WORK = 5e8  # band rows times p²: larger bands than the first are not tried beyond it
_STEPS = 100


def finish(X, signs, w, C, tol=1e-6, weights=None):
    """Improve w, and bound the minimum of ½|w|² + C Σ q_i max(0, 1 - y_i w·x_i) from below.

    Rows well inside the margin have multiplier C q_i at the optimum, rows well outside 0. Those
    near the margin are left open: with s = C Σ_inside q_i y_i x_i, the rest is an SVM in u = w - s
    whose rows have offsets 1 - y_i s·x_i (`solve_offset_svm`), solved with its multipliers. Any choice
    of the band gives a valid bound; it grows until the gap is below `tol`.

    Returns the better one of the given and the new w, its objective and the lower bound.

    O(n p) a band, and O(k p² + p³) for each of some 20 steps on its k rows. In low dimensions the
    last band holds all rows, so `tol` is reached from any start.
    """
    margins = signs * (X @ w)
    weights = np.ones(len(X)) if weights is None else weights
    objective, lower = _value(w, margins, C, weights), 0.0
    n, p = X.shape
    size = min(n, _BAND * (p + 2))
    while True:
        band = np.argpartition(np.abs(1.0 - margins), size - 1)[:size]
        inside = margins < 1.0
        inside[band] = False
        fixed = C * (X.T @ (signs * inside * weights))
        rows = np.ascontiguousarray(signs[band, None] * X[band])
        offsets = 1.0 - rows @ fixed
        aim = 0.1 * tol * objective
        u, _, bound, _, _ = solve_offset_svm(rows, offsets, C * weights[band], aim, _STEPS)
        lower = max(lower, C * weights[inside].sum() - 0.5 * (fixed @ fixed) + bound)
        trial = fixed + u
        trial_margins = signs * (X @ trial)
        value = _value(trial, trial_margins, C, weights)
        better = value < objective
        if better:
            w, margins, objective = trial, trial_margins, value
        size *= _GROWTH
        # All rows are tried again where they made w better: their tolerance was for the old one.
        if objective - lower <= tol * objective or (band.size == n and not better):
            break
        size = min(size, n)
        if size * p**2 > _WORK:
            break
    return w, float(objective), float(min(lower, objective))


def _value(w, margins, C, weights):
    return 0.5 * (w @ w) + C * (weights * np.maximum(0.0, 1.0 - margins)).sum()
