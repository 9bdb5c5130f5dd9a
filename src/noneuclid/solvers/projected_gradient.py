"""Hyperboloid SVM by projected gradient descent."""

from dataclasses import dataclass

import numpy as np

from noneuclid.solvers.liblinear import linear_svm

_CHECK_AT = 100
_MAX_RESTARTS = 6
# Rim of the feasible cone: |t| <= (1 - _RIM)|u|, a hyperplane within 11 units of the origin.
_RIM = 1e-9


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
        "still falling": the best value fell by more than `tol`, relative, in the last tenth
        of the steps. "start kept": no iterate was better than the start.
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
    lowered = _lowered(points, signs)
    return _value(w, w @ lowered, C, loss)


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
        `w` itself if it is spacelike already.

    Examples
    --------
    >>> import numpy as np
    >>> project(np.array([-3.0, 1.0]))
    array([-2.,  2.])
    """
    length = np.sqrt(w[1:] @ w[1:])
    if abs(w[0]) <= (1 - _RIM) * length and length > 0:
        return w
    if length == 0:
        direction = np.zeros(len(w) - 1)
        direction[0] = 1.0
    else:
        direction = w[1:] / length
    size = (abs(w[0]) + length) / 2 or 1.0
    time = np.copysign(size * (1 - _RIM), w[0]) if w[0] else 0.0
    return np.concatenate([[time], size * direction])


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

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[2**0.5, 1.0], [2**0.5, -1.0]])
    >>> y = np.array([1.0, -1.0])
    >>> fit = descend(x, y, np.array([0.0, 0.5]), C=10.0, max_iter=500)
    >>> fit.w.round(2)
    array([0., 1.])
    """
    lowered = _lowered(points, signs)
    best, objective, n_iter = start, np.inf, 0
    for restart in range(_MAX_RESTARTS + 1):
        w, values = _run(lowered, start, C, loss, learning_rate / 10**restart, max_iter)
        n_iter += len(values) - 1
        if min(values) < objective:
            best, objective = w, min(values)
        if len(values) == max_iter + 1:
            break
    return Descent(best, objective, n_iter, *_judge(values, max_iter, tol))


def _run(lowered, start, C, loss, step, max_iter):
    """Best iterate and all values; stops where step 100 is above the start or overflows."""
    w = best = start
    margins = w @ lowered
    values = [_value(w, margins, C, loss)]
    lowest = values[0]
    for i in range(1, max_iter + 1):
        pull = (margins < 1.0).astype(float)
        if loss == "arcsinh":
            pull /= np.sqrt(1.0 + margins * margins)
        gradient = -C * (lowered @ pull)
        gradient[0] -= w[0]
        gradient[1:] += w[1:]
        w = project(w - step * gradient)
        margins = w @ lowered
        value = _value(w, margins, C, loss)
        if not np.isfinite(value) or (i == _CHECK_AT and value > values[0]):
            break
        values.append(value)
        if value < lowest:
            best, lowest = w, value
    return best, values


def _judge(values, max_iter, tol):
    """Status and relative fall of the best value over the last tenth of the steps."""
    lowest = min(values)
    earlier = min(values[: len(values) - max(1, max_iter // 10)], default=values[0])
    fall = (earlier - lowest) / max(abs(lowest), np.finfo(float).tiny)
    if lowest == values[0]:
        return "start kept", 0.0
    return ("still falling" if fall > tol else "converged"), float(fall)


def _lowered(points, signs):
    """Columns y_i (-x_i0, x_i1, ..., x_id): w @ columns are the margins y_i <w,x_i>_L."""
    lowered = np.ascontiguousarray((points * np.asarray(signs)[:, None]).T)
    lowered[0] *= -1.0
    return lowered


def _value(w, margins, C, loss):
    short = np.minimum(margins, 1.0)
    if loss == "arcsinh":
        cost = len(short) * np.arcsinh(1.0) - np.arcsinh(short).sum()
    else:
        cost = len(short) - short.sum()
    return float(0.5 * (w[1:] @ w[1:] - w[0] * w[0]) + C * cost)
