"""Linear soft-margin SVM without intercept, by LIBLINEAR, with a lower bound where one is free."""

import warnings
from dataclasses import dataclass

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

# Largest relative gap of a solution that may be called optimal.
_GAP = 1e-3


@dataclass(frozen=True)
class LinearSolution:
    """Solution of a linear SVM.

    Attributes
    ----------
    w : ndarray, shape (p,)
    objective, lower_bound : float
        Value at `w`, and a bound below the optimum (nan where the solver has none).
    n_iter : int
    status : {"optimal", "max_iter"}
    warning : str
        Empty if the status is "optimal".
    """

    w: np.ndarray
    objective: float
    lower_bound: float
    n_iter: int
    status: str
    warning: str


def linear_svm(X, signs, C=1.0, loss="squared_hinge", max_iter=10_000, tol=1e-6, random_state=0):
    """Minimise ½|w|² + C Σ loss(y_i w·x_i), loss(m) = max(0, 1 - m) or its square.

    The squared hinge is solved in the primal (n >= p) by a trust region method and comes with
    a lower bound: the multipliers α_i = max(0, 1 - m_i), scaled in the best way, give the dual
    value ½ (Σα)² / (|Σ α_i y_i x_i|² + Σα²/(2C)). The hinge is solved by dual coordinate
    descent, whose multipliers scikit-learn does not hand out: no bound (nan).

    Parameters
    ----------
    X : ndarray, shape (n, p)
    signs : ndarray, shape (n,)
        +1 or -1, both present.
    C : float > 0
    loss : {"squared_hinge", "hinge"}
    max_iter : int
    tol : float
        LIBLINEAR's stopping tolerance.
    random_state : int
        Order of the coordinates in dual descent.

    Returns
    -------
    LinearSolution

    Examples
    --------
    >>> import numpy as np
    >>> fit = linear_svm(np.array([[1.0], [-1.0]]), np.array([1.0, -1.0]), C=10.0)
    >>> bool(abs(fit.w[0] - 40 / 41) < 1e-6), fit.status
    (True, 'optimal')
    """
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
        machine.fit(X, signs)
    w = machine.coef_[0]
    slack = np.maximum(0.0, 1.0 - signs * (X @ w))
    squared = loss == "squared_hinge"
    objective = 0.5 * (w @ w) + C * (slack @ slack if squared else slack.sum())
    bound = min(_squared_hinge_bound(X, signs, slack, C), objective) if squared else np.nan
    n_iter = int(machine.n_iter_)
    gap = (objective - bound) / objective if squared else np.nan
    known = f"relative gap {gap:.1e}" if squared else "gap unknown"
    if n_iter >= max_iter:
        warning = f"LIBLINEAR stopped at max_iter={max_iter}, {known}; raise max_iter or lower C"
        return LinearSolution(w, objective, bound, n_iter, "max_iter", warning)
    # On rows of very different length it may stop early and call that a solution.
    if gap > _GAP:
        warning = f"LIBLINEAR stopped early, {known}; lower tol, or bring far points nearer"
        return LinearSolution(w, objective, bound, n_iter, "inaccurate", warning)
    return LinearSolution(w, objective, bound, n_iter, "optimal", "")


def _squared_hinge_bound(X, signs, slack, C):
    total = slack.sum()
    if total == 0.0:
        return 0.0
    combination = X.T @ (slack * signs)
    return 0.5 * total**2 / (combination @ combination + slack @ slack / (2 * C))
