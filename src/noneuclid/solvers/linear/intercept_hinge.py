"""Linear SVM with the hinge and an intercept that has no penalty, with a proved gap."""

import numpy as np

from noneuclid.solvers.linear.hinge_program import solve_hinge_program
from noneuclid.solvers.linear.liblinear import LinearSolution

_PENALTY = 1e-6  # of the move of the intercept in one program
_ROUNDS = 10
_EQUAL = 1e-12  # relative, of sums of weights


def intercept_svm(X, signs, C, tol=1e-6, max_iter=100, weights=None, fit_intercept=True):
    """Minimise ½|w|² + C Σ q_i max(0, 1 - y_i (w·x_i + b)); returns the solution and b.

    Each program penalises the move of b from its last value, 1e-6/2 (b - b₀)², which vanishes as
    b settles (the proximal point method). Its multipliers, with those of the heavier label scaled
    so that Σ y_i α_i = 0, bound the objective of the problem itself: Σ α - ½|Σ α y x|². Given w,
    the best b is a weighted quantile of y - w·x.

    O(n p² + p³) a step, 10 to 30 steps a program, mostly one to three programs. At most `max_iter`
    steps a program.
    """
    q = np.ones(len(X)) if weights is None else weights
    signs = np.asarray(signs, dtype=float)
    middle = np.average(X, axis=0, weights=q) if fit_intercept else np.zeros(X.shape[1])
    rows, cost = signs[:, None] * (X - middle), C * q
    if fit_intercept:
        rows = np.column_stack([rows, signs])
    rows = np.ascontiguousarray(rows)
    diagonal = np.ones(rows.shape[1])
    diagonal[X.shape[1] :] = _PENALTY
    w, b = np.zeros(X.shape[1]), 0.0
    if fit_intercept:
        b = best_intercept(np.zeros(len(X)), signs, q)
    value, lower, steps = _value(w, b, rows, cost), 0.0, 0
    for _ in range(_ROUNDS):
        start = np.append(w, b)[: rows.shape[1]]
        pull = np.zeros(rows.shape[1])
        pull[X.shape[1] :] = -_PENALTY * b
        program = rows, np.ones(len(X)), cost, np.diag(diagonal), np.diag(1.0 / diagonal)
        u, alpha, *_, taken = solve_hinge_program(
            *program, pull, start, 0.1 * tol * value, max_iter
        )
        steps += taken
        trial, at = u[: X.shape[1]], 0.0
        if fit_intercept:
            alpha = balance(alpha, signs)
            at = best_intercept(signs * (rows[:, :-1] @ trial), signs, q)
        resultant = alpha @ rows[:, : X.shape[1]]
        lower = max(lower, alpha.sum() - 0.5 * (resultant @ resultant))
        found = _value(trial, at, rows, cost)
        if found < value:
            w, b, value = trial, at, found
        if value - lower <= tol * value:
            break
    lower = float(min(max(lower, 0.0), value))
    status, warning = "optimal", ""
    if value - lower > tol * value:
        status = "gap open"
        warning = (
            f"the relative gap is {(value - lower) / value:.1e}, not {tol:.0e}, after {steps} "
            "steps; raise max_iter, lower C, or move far points closer"
        )
    return LinearSolution(w, float(value), lower, steps, status, warning), float(b - middle @ w)


def best_intercept(scores, signs, weights):
    """The b of least Σ q max(0, 1 - y (score + b)); the middle one if there are several.

    The slope in b starts at minus the weight of the positive rows, and each breakpoint y - score
    adds the weight of its row.

    Examples
    --------
    >>> best_intercept(np.array([0.0, 5.0]), np.array([-1.0, 1.0]), np.ones(2))
    np.float64(-2.5)
    """
    breaks = signs - scores
    order = np.argsort(breaks)
    reached, positive = np.cumsum(weights[order]), weights[signs > 0].sum()
    first = np.searchsorted(reached, positive * (1.0 - _EQUAL))
    last = np.searchsorted(reached, positive * (1.0 + _EQUAL), side="right")
    return breaks[order[[first, min(last, len(order) - 1)]]].mean()


def balance(alpha, signs):
    """Multipliers >= 0 with those of the heavier label scaled, so that both labels sum alike."""
    positive = signs > 0
    for_, against = alpha[positive].sum(), alpha[~positive].sum()
    least = min(for_, against)
    shares = least / max(for_, 1e-300), least / max(against, 1e-300)
    return alpha * np.where(positive, *shares)


def _value(w, b, rows, cost):
    """Objective at w and b, of rows times their labels."""
    margins = rows @ np.append(w, b)[: rows.shape[1]]
    return 0.5 * (w @ w) + cost @ np.maximum(0.0, 1.0 - margins)
