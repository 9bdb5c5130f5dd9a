"""Hyperboloid SVM by projected gradient descent."""

import numpy as np

from noneuclid.errors import InputError
from noneuclid.solvers.hyperboloid.descent.gradient_steps import descend_in_place, project_in_place
from noneuclid.solvers.hyperboloid.descent.warm_start import warm_start
from noneuclid.solvers.hyperboloid.problem import Solution, signed_rows
from noneuclid.solvers.products import WIDE

LEARNING_RATE, MAX_ITER = 1e-3, 2000
_CHECK_AT = 100  # steps, worse than the start: the step length is cut


def solve(
    points,
    signs,
    C,
    loss="arcsinh",
    learning_rate=None,
    max_iter=None,
    tol=1e-3,
    weights=None,
):
    """Descend from the Euclidean SVM of the ambient space, as in Cho et al. (2019), eqs. 19-20.

    The start has the squared hinge. The step length is cut to a tenth, up to six times (ten in the
    authors' code/hsvm.m, line 122), while step 100 is worse than the start.

    Parameters
    ----------
    points : ndarray, shape (n, d + 1)
        On the hyperboloid of curvature -1, time coordinate first.
    signs : ndarray, shape (n,)
        -1 or 1, both present.
    C : float > 0
    loss : {"arcsinh", "hinge"}
        "arcsinh" is the loss of Cho et al. (2019); "hinge" is problem (7) of Yang et al. (2024).
    learning_rate, max_iter : float and int, or None
        Step length, and steps between cuts; None is 1e-3 and 2000.
    tol : float
        See `descend`.
    weights : ndarray, shape (n,), optional
        Of the losses, > 0; None for ones.

    Returns
    -------
    Solution
        As from `descend`.

    Examples
    --------
    >>> x = np.array([[2**0.5, 1.0], [2**0.5, -1.0]])
    >>> fit = solve(x, np.array([1.0, -1.0]), 10.0)
    >>> round(fit.objective, 2), fit.status
    (0.5, 'converged')
    """
    return descend(
        points,
        signs,
        warm_start(points, signs, C, weights=weights),
        C,
        loss=loss,
        learning_rate=LEARNING_RATE if learning_rate is None else learning_rate,
        max_iter=MAX_ITER if max_iter is None else max_iter,
        tol=tol,
        weights=weights,
    )


def project(w, inside=0.0):
    """Nearest spacelike vector, a relative 1e-9 away from the light cone.

    For w = (t, u) with |t| >= |u| that is (±s(1 - 1e-9), s u/|u|), s = (|t| + |u|)/2, with the
    sign of t kept. Where u = 0 every direction is as near: the first axis is taken. If `inside` is
    positive, t is ±√(s² - inside) instead, so that <w,w>_L is `inside` unless s is so large that
    rounding removes it.

    Returns `w` if it is spacelike already.
    """
    w = np.array(w, dtype=float)
    project_in_place(w, float(inside))
    return w


def descend(
    points,
    signs,
    start,
    C,
    loss="arcsinh",
    learning_rate=LEARNING_RATE,
    max_iter=MAX_ITER,
    tol=1e-3,
    cuts=6,
    weights=None,
    inside=0.0,
):
    """Minimise the hyperboloid SVM's objective over spacelike w (Cho et al. 2019, eqs. 19-20).

    Full-batch steps of fixed length with projection; the best iterate is kept. If step 100 is
    worse than the start, the descent begins again with a tenth of the step length. Cost: O(n d) a
    step.

    The start is projected to the feasible set first; `inside` as for `project`. Status "converged",
    or, with a warning, "still falling", or "start kept" where no iterate was better.
    `extras["fall"]` is the relative fall of the best value in the last tenth of the steps; up to
    `tol` it counts as converged, and up to a tenth of that for each cut, since shorter steps fall
    less. `n_iter` counts the steps before a cut too.
    """
    rows, start = signed_rows(points, signs), project(start, inside)
    best, lowest, n_iter = start, np.inf, 0
    limits = np.full(1, float(C)) if weights is None else C * weights
    near = np.empty(len(rows), dtype=np.int32) if rows.shape[1] >= WIDE else None
    check_at = _CHECK_AT if cuts else max_iter + 1
    for cut in range(cuts + 1):
        values, w = np.empty(max_iter + 1), np.empty_like(start)
        step = learning_rate / 10**cut
        filled = descend_in_place(
            rows,
            start.copy(),
            w,
            values,
            limits,
            loss == "arcsinh",
            step,
            float(inside),
            check_at,
            near,
        )
        if filled == 0:
            raise InputError("the objective overflows at the start; rescale points this far out")
        values = values[:filled]
        n_iter += filled - 1
        if values.min() < lowest:
            best, lowest = w, float(values.min())
        if filled == max_iter + 1:
            break
    fall = _late_fall(values, max_iter)
    status, warning = "converged", ""
    if lowest == values[0]:
        status = "start kept"
        warning = "solver 'pgd' found no better solution than its start; lower learning_rate"
    elif fall > tol / 10**cut:
        status = "still falling"
        warning = (
            f"solver 'pgd' lowered the objective by {fall:.1e} (relative) in its last "
            f"{max(1, max_iter // 10)} steps; raise max_iter or learning_rate"
        )
    return Solution(best, lowest, status, n_iter, warning=warning, extras={"fall": fall})


def _late_fall(values, max_iter):
    """Relative fall of the best value over the last tenth of the steps."""
    lowest = values.min()
    earlier = values[: max(1, len(values) - max(1, max_iter // 10))].min()
    return float((earlier - lowest) / max(abs(lowest), np.finfo(float).tiny))
