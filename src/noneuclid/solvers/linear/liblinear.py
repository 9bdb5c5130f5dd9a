"""Linear soft-margin SVM without intercept, by LIBLINEAR, with a lower bound."""

import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from noneuclid.errors import InputError
from noneuclid.solvers.linear.hinge_program import solve_offset_svm

_BAND = 2  # rows in the first band for each dimension
_GROWTH = 8
_WORK = 5e8  # band rows times p²: larger bands than the first are not tried beyond it
_STEPS = 100
# Largest relative gap of a solution that may be called optimal.
_GAP = 1e-3
# LIBLINEAR never returns once a product of its first step leaves these numbers.
_SMALLEST, _LARGEST = 1e-300, 1e300


def polish_hinge_svm(X, signs, w, C, tol=1e-6, weights=None):
    """Improve w, and bound the minimum of ½|w|² + C Σ q_i max(0, 1 - y_i w·x_i) from below.

    Rows well inside the margin have multiplier C q_i at the optimum, rows well outside 0. Those
    near the margin are left open: with s = C Σ_inside q_i y_i x_i, the rest is an SVM in u = w - s
    whose rows have offsets 1 - y_i s·x_i (`solve_offset_svm`), solved with its multipliers. Any
    choice of the band gives a valid bound; it grows until the gap is below `tol`.

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


@dataclass(frozen=True)
class LinearSolution:
    """Solution of a linear SVM."""

    w: np.ndarray  # (p,)
    objective: float  # value at `w`, and a bound below the optimum
    lower_bound: float
    n_iter: int
    status: str  # "optimal", "max_iter" or "inaccurate"
    warning: str  # empty if the status is "optimal"


def linear_svm(
    X,
    signs,
    C=1.0,
    loss="squared_hinge",
    max_iter=10_000,
    tol=1e-6,
    random_state=0,
    weights=None,
):
    """Minimise ½|w|² + C Σ q_i loss(y_i w·x_i), loss(m) = max(0, 1 - m) or its square.

    The squared hinge is solved in the primal (n >= p) by a trust region method; its lower bound is
    `squared_hinge_bound`. The hinge is solved by dual coordinate descent, whose multipliers
    scikit-learn does not return: `polish_hinge_svm` finds them from the margins, and with them the
    bound and often a better w. `tol` is LIBLINEAR's stopping tolerance, and the relative gap that
    makes a solution optimal whatever LIBLINEAR reports. LIBLINEAR copies X, at 16 bytes a number.
    """
    check_range(X, C, weights)
    first = X.T @ (signs if weights is None else weights * signs)
    if first @ first < _SMALLEST:
        # LIBLINEAR may never return; the bound below shows whether 0 is the optimum.
        w, n_iter = np.zeros(X.shape[1]), 0
    else:
        w, n_iter = _liblinear(X, signs, weights, C, loss, max_iter, tol, random_state)
    if loss == "squared_hinge":
        slack = np.maximum(0.0, 1.0 - signs * (X @ w))
        pull = slack if weights is None else weights * slack
        objective = 0.5 * (w @ w) + C * (pull @ slack)
        bound = min(
            squared_hinge_bound(pull.sum(), pull @ slack, X.T @ (pull * signs), C), objective
        )
    else:
        w, objective, bound = polish_hinge_svm(X, signs, w, C, tol, weights)
    gap = (objective - bound) / objective
    status, warning = "optimal", ""
    if n_iter >= max_iter and gap > tol:
        status = "max_iter"
        warning = (
            f"LIBLINEAR stopped at max_iter={max_iter}, relative gap {gap:.1e}; "
            "raise max_iter or lower C"
        )
    elif gap > _GAP:
        # On rows of very different length it may stop early and call that a solution.
        status = "inaccurate"
        warning = (
            f"LIBLINEAR stopped early, relative gap {gap:.1e}; lower tol, or move far points closer"
        )
    return LinearSolution(w, float(objective), float(bound), n_iter, status, warning)


def _liblinear(X, signs, weights, C, loss, max_iter, tol, random_state):
    """Normal w (p,) of LIBLINEAR and its number of iterations."""
    machine = LinearSVC(
        C=C,
        loss=loss,
        fit_intercept=False,
        dual="auto",
        max_iter=max_iter,
        tol=tol,
        random_state=random_state,
    )
    with warnings.catch_warnings():
        # Callers report the status together, one line for all binary problems.
        warnings.simplefilter("ignore", ConvergenceWarning)
        machine.fit(X, signs, weights)
    return machine.coef_[0], int(machine.n_iter_)


def check_range(X, C, weights):
    """Refuse numbers of which the square of the first gradient, or its curvature, is none."""
    C, largest = C if weights is None else C * weights.max(), max(X.max(), -X.min())
    with np.errstate(over="ignore"):
        square = np.square(C * largest)
        fits = square > _SMALLEST and square * (1 + C * largest**2) < _LARGEST
    if largest > 0 and not fits:
        raise InputError(
            f"C = {C} on coordinates up to {largest:.3g} is beyond double precision; give a C "
            "nearer to 1, or rescale the points"
        )


def squared_hinge_bound(total, square, pull, C):
    """Lower bound of ½|w|² + C Σ q_i max(0, 1 - y_i w·x_i)² from the slacks at any w.

    The multipliers α_i ∝ q_i slack_i, slack_i = max(0, 1 - y_i w·x_i), scaled in the best way,
    have the dual value ½ (Σα)² / (|Σ α_i y_i x_i|² + Σ α_i²/(2 C q_i)).

    `total` is Σ q_i slack_i, `square` Σ q_i slack_i², `pull` Σ q_i slack_i y_i x_i. Tight at the
    optimum.
    """
    if total == 0.0:
        return 0.0
    return 0.5 * total**2 / (pull @ pull + square / (2 * C))
