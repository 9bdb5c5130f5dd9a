"""Starts, gradient descent and gap of yang2024, as described and as in its program.

"Published" is what the paper describes, "released" what the program does, faults included
(yangshengaa/hsvm-relax, commit 6c95b6a).
"""

import numpy as np

from noneuclid.solvers.hyperboloid.descent.projected_gradient import descend
from noneuclid.solvers.hyperboloid.descent.warm_start import warm_start
from noneuclid.solvers.hyperboloid.problem import objective

LEARNING_RATE, MAX_ITER = 1e-3, 4000
# <w,w>_L of vectors that the program moves into the feasible set (src/models/soft.py, line 435).
_INSIDE = 1e-6


def published_start(points, signs, C, weights=None):
    """Euclidean SVM with the hinge, shape (d + 1,); not always spacelike."""
    return warm_start(points, signs, C, "hinge", weights)


def released_start(points, signs, C, weights=None):
    """SVM of the labels -3 and 1 whose spatial part has the wrong sign, shape (d + 1,).

    src/models/SVMBase.py, line 41; src/models/soft.py, line 423: <w,x>_L needs the other sign.

    Examples
    --------
    >>> x, y = np.array([[2**0.5, 1.0], [2**0.5, -1.0]]), np.array([1.0, -1.0])
    >>> [bool(start(x, y, 1.0)[1] > 0) for start in (published_start, released_start)]
    [True, False]
    """
    w = warm_start(points, np.where(signs > 0, 1.0, -3.0), C, "hinge", weights)
    w[1:] *= -1.0
    return w


def cut_start(w):
    """A start as the program makes it feasible (src/models/soft.py, lines 378 and 435).

    The spatial part is lengthened by 1 %, and the time coordinate is moved until <w,w>_L = 1e-6.
    `descend` takes the nearest feasible vector instead.

    Examples
    --------
    >>> cut_start(np.array([-3.0, 1.0])).round(2), cut_start(np.array([0.5, 1.0]))
    (array([-1.01,  1.01]), array([0.5, 1. ]))
    """
    if abs(w[0]) < np.linalg.norm(w[1:]):
        return w
    u = 1.01 * w[1:]
    return np.r_[np.copysign(np.sqrt(max(u @ u - _INSIDE, 0.0)), w[0]), u]


def published_pgd(
    points,
    signs,
    C,
    loss="arcsinh",
    learning_rate=LEARNING_RATE,
    max_iter=MAX_ITER,
    tol=1e-3,
    weights=None,
):
    """Gradient descent of fixed step length from the Euclidean SVM with the hinge.

    Parameters
    ----------
    points, signs, C, tol, weights
        As for `solvers.hyperboloid.projected_gradient.solve`.
    loss : {"arcsinh", "hinge"}
        "arcsinh" is that of the program behind the tables.
    learning_rate : float
    max_iter : int

    Returns
    -------
    Solution

    Examples
    --------
    >>> x = np.array([[2**0.5, 1.0], [2**0.5, -1.0]])
    >>> published_pgd(x, np.array([1.0, -1.0]), 10.0).n_iter
    4000
    """
    w = published_start(points, signs, C, weights)
    return descend(points, signs, w, C, loss, learning_rate, max_iter, tol, 0, weights)


def released_pgd(
    points,
    signs,
    C,
    loss="arcsinh",
    learning_rate=LEARNING_RATE,
    max_iter=MAX_ITER,
    tol=1e-3,
    weights=None,
    program_steps=False,
):
    """`published_pgd` from `released_start`, with `program_steps` as in `ReleasedPGD`."""
    steps = loss, learning_rate, max_iter, tol, 0, weights
    if not program_steps:
        return descend(points, signs, released_start(points, signs, C, weights), C, *steps)
    costs = np.ones(len(points)) if weights is None else np.array(weights, dtype=float)
    costs[0] = 0.0
    w = cut_start(released_start(points, signs, C, costs))
    return descend(points, signs, w, C, *steps, _INSIDE)


def released_gap(w, points, signs, C, relaxation, weights=None):
    """Gap (f - p) / (1 + |f| + |p|) as the program states it (src/models/soft.py, line 261).

    f has the arcsinh loss and p, the value of the relaxation, the hinge; eq. 15 has one loss and
    the absolute value of the difference.

    Examples
    --------
    >>> x, y, w = np.array([[1.0, 0.0]]), np.array([1.0]), np.array([0.0, 1.0])
    >>> round(released_gap(w, x, y, 2.0, 1.0), 3)
    0.296
    """
    f = objective(w, points, signs, C, "arcsinh", weights=weights)
    return (f - relaxation) / (1.0 + abs(f) + abs(relaxation))


def summed_losses(candidates, rows, weights=1.0):
    """Arcsinh losses of each candidate, up to a constant; the program adds no norm term.

    It sums the norm terms over all candidates instead (src/models/soft.py, line 334).
    """
    return -(weights * np.arcsinh(np.minimum(candidates @ rows.T, 1.0))).sum(axis=1)
