"""Hyperboloid SVM by projected gradient descent."""

import math
from dataclasses import dataclass

import numpy as np

from noneuclid.contracts import InputError
from noneuclid.solvers.compiled import compile_cached
from noneuclid.solvers.liblinear import linear_svm

_CHECK_AT = 100
_MAX_RESTARTS = 6
# Rim of the feasible cone: |t| <= (1 - _RIM)|u|, a hyperplane within 11 units of the origin.
_RIM = 1e-9
_ASINH_1 = math.asinh(1.0)


@dataclass(frozen=True)
class Descent:
    """Result of a projected gradient descent.

    Attributes
    ----------
    w : ndarray, shape (d + 1,)
        Best iterate, spacelike.
    objective : float
    n_iter : int
        Steps made, those before a restart included.
    status : {"converged", "still falling", "start kept"}
        "still falling": the best value fell by more than `tol` (a tenth of it for each cut of the
        step), relative, in the last tenth of the steps. "start kept": no iterate was better than
        the start.
    fall : float
        That relative fall.
    """

    w: np.ndarray
    objective: float
    n_iter: int
    status: str
    fall: float


def svm_objective(w, points, signs, C, loss):
    """Objective ½<w,w>_L + C Σ loss(y_i <w,x_i>_L) of the hyperboloid SVM.

    Parameters
    ----------
    w : ndarray, shape (d + 1,)
    points : ndarray, shape (n, d + 1)
        On the hyperboloid of curvature -1, time coordinate first.
    signs : ndarray, shape (n,)
    C : float
    loss : {"arcsinh", "hinge"}
        max(0, asinh 1 - asinh m), eq. 19 of cho2019, or max(0, 1 - m).

    Returns
    -------
    float

    Examples
    --------
    >>> import numpy as np
    >>> svm_objective(np.array([0.0, 1.0]), np.array([[1.0, 0.0]]), np.array([1.0]), 3.0, "hinge")
    3.5
    """
    margins = signs * (points[:, 1:] @ w[1:] - points[:, 0] * w[0])
    short = np.minimum(margins, 1.0)
    scale = np.arcsinh if loss == "arcsinh" else np.positive
    return float(0.5 * (w[1:] @ w[1:] - w[0] * w[0]) + C * (scale(1.0) - scale(short)).sum())


def project(w):
    """Nearest spacelike vector, a relative 1e-9 inside the light cone.

    For w = (t, u) with |t| >= |u| that is (±s(1 - 1e-9), s u/|u|), s = (|t| + |u|)/2, with the
    sign of t kept. Where u = 0 every direction is as near: the first axis is taken.

    Parameters
    ----------
    w : ndarray, shape (d + 1,)

    Returns
    -------
    ndarray, shape (d + 1,)
        Equal to `w` if it is spacelike already.

    Examples
    --------
    >>> import numpy as np
    >>> project(np.array([-3.0, 1.0]))
    array([-2.,  2.])
    """
    w = np.array(w, dtype=float)
    _project(w)
    return w


def warm_start(points, signs, C):
    """Euclidean soft-margin SVM of the ambient space, as a Lorentz normal.

    With w' from the SVM (squared hinge, no intercept), w = (-w'_0, w'_1, ..., w'_d) gives
    <w,x>_L = w'·x for all x (cho2019, below eq. 20); in our signs the time coordinate flips.

    Parameters
    ----------
    points, signs, C
        As for `svm_objective`.

    Returns
    -------
    ndarray, shape (d + 1,)
        Projected to the feasible set if need be.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[2**0.5, 1.0], [2**0.5, -1.0]])
    >>> w = warm_start(x, np.array([1.0, -1.0]), 1.0)
    >>> bool(w[1] > 0)
    True
    """
    w = linear_svm(points, signs, C=C).w.copy()
    w[0] = -w[0]
    return project(w)


def descend(points, signs, start, C, loss="arcsinh", learning_rate=1e-3, max_iter=2000, tol=1e-3):
    """Minimise the hyperboloid SVM's objective over spacelike w (cho2019, eqs. 19-20).

    Full-batch steps of fixed length with projection; the best iterate is kept. If step 100 is
    worse than the start, the descent begins again with a tenth of the step length (at most six
    times; cho2019's code does so once). Cost: O(n d) a step.

    Parameters
    ----------
    points, signs, C, loss
        As for `svm_objective`.
    start : ndarray, shape (d + 1,)
        Spacelike.
    learning_rate : float
    max_iter : int
        Steps between restarts.
    tol : float
        See `Descent.status`.

    Returns
    -------
    Descent

    Raises
    ------
    InputError
        If points lie so far out that the objective overflows.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[2**0.5, 1.0], [2**0.5, -1.0]])
    >>> y = np.array([1.0, -1.0])
    >>> fit = descend(x, y, np.array([0.0, 0.5]), C=10.0, max_iter=500)
    >>> fit.w.round(2)
    array([0., 1.])
    """
    rows = np.asarray(points * np.asarray(signs, dtype=float)[:, None], order="C")
    rows[:, 0] *= -1.0  # now w @ rows[i] is the margin y_i <w,x_i>_L
    start = project(start)
    best, objective, n_iter = start, np.inf, 0
    for restart in range(_MAX_RESTARTS + 1):
        values, w = np.empty(max_iter + 1), np.empty_like(start)
        step = learning_rate / 10**restart
        filled = _descend(rows, start.copy(), w, values, float(C), loss == "arcsinh", step)
        if filled == 0:
            raise InputError("the objective overflows at the start; rescale points this far out")
        values = values[:filled]
        n_iter += filled - 1
        if values.min() < objective:
            best, objective = w, float(values.min())
        if filled == max_iter + 1:
            break
    fall = _late_fall(values, max_iter)
    # A step cut to a tenth falls a tenth as much: that is not convergence.
    status = "still falling" if fall > tol / 10**restart else "converged"
    return Descent(
        best, objective, n_iter, "start kept" if objective == values[0] else status, fall
    )


def _late_fall(values, max_iter):
    """Relative fall of the best value over the last tenth of the steps."""
    lowest = values.min()
    earlier = values[: max(1, len(values) - max(1, max_iter // 10))].min()
    return float((earlier - lowest) / max(abs(lowest), np.finfo(float).tiny))


@compile_cached
def _project(w):  # pragma: no cover (compiled)
    length = 0.0
    for j in range(1, len(w)):
        length += w[j] * w[j]
    length = math.sqrt(length)
    if length > 0.0 and abs(w[0]) <= (1.0 - _RIM) * length:
        return
    size = 0.5 * (abs(w[0]) + length)
    if length == 0.0:
        w[1] = size = size if size > 0.0 else 1.0
    else:
        for j in range(1, len(w)):
            w[j] *= size / length
    if w[0] != 0.0:
        w[0] = math.copysign(size * (1.0 - _RIM), w[0])


@compile_cached
def _descend(rows, w, best, values, C, arcsinh, step):  # pragma: no cover (compiled)
    """Steps from w, changed in place; fills `best` and `values`, returns how many are filled.

    Stops where the values leave the finite numbers or step 100 is above the start.
    """
    gradient = np.empty_like(w)
    lowest = np.inf
    for i in range(len(values)):
        gradient[:] = w
        gradient[0] = -w[0]
        value = 0.5 * np.dot(gradient, w)
        for r in range(len(rows)):
            margin = 0.0
            for j in range(len(w)):
                margin += w[j] * rows[r, j]
            if margin < 1.0:
                pull = C
                if arcsinh:
                    pull /= math.sqrt(1.0 + margin * margin)
                    value += C * (_ASINH_1 - math.asinh(margin))
                else:
                    value += C * (1.0 - margin)
                for j in range(len(w)):
                    gradient[j] -= pull * rows[r, j]
        if not math.isfinite(value) or (i == _CHECK_AT and value > values[0]):
            return i
        values[i] = value
        if value < lowest:
            best[:] = w
            lowest = value
        w -= step * gradient
        _project(w)
    return len(values)
