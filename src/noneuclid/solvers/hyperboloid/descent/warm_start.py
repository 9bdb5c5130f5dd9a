"""Euclidean soft-margin SVM of the ambient space: where projected gradient descent starts."""

import numpy as np
from scipy import sparse

from noneuclid.errors import InputError
from noneuclid.solvers.conic import programs
from noneuclid.solvers.linear.soft_margin import soft_margin_svm


def warm_start(points, signs, C, loss="squared_hinge", weights=None):
    """Euclidean soft-margin SVM of the ambient space, as a Lorentz normal.

    With w' from the SVM (no intercept), w = (-w'_0, w'_1, ..., w'_d) gives <w,x>_L = w'·x for
    all x (Cho et al. 2019, below eq. 20); in our signs the time coordinate flips.

    The result is not always spacelike. Signs other than -1 and 1 scale their point's margin
    ("hinge" only). "hinge" goes to an interior-point solver: coordinate descent does not converge
    on rows as long as those of points far out. The solution for "squared_hinge" is rounded to ten
    significant digits, so that it is the same with every BLAS.
    """
    if loss == "hinge":
        w = _hinge_svm(points * signs[:, None], C, weights)
    else:
        w = _ten_digits(soft_margin_svm(points, signs, C=C, weights=weights).w)
    w[0] = -w[0]
    return w


def _ten_digits(w):
    """Round: later digits depend on the processor's BLAS, and the descent would amplify them."""
    return np.array([float(f"{value:.9e}") for value in w])


def _hinge_svm(rows, C, weights):
    """Argmin of ½|w|² + C Σ weight max(0, 1 - row·w), with the hinges as slack variables."""
    n, p = rows.shape
    quadratic = sparse.diags_array(np.r_[np.ones(p), np.zeros(n)])
    linear = np.r_[np.zeros(p), np.full(n, float(C)) if weights is None else C * weights]
    eye = sparse.eye_array(n)
    constraints = sparse.block_array([[-sparse.csr_array(rows), -eye], [None, -eye]])
    sides = np.r_[-np.ones(n), np.zeros(n)]
    cones = [("nonnegative", 2 * n)]
    found = programs.solve(quadratic, linear, constraints, sides, cones, solver="clarabel")
    w = found.x[:p]
    if not np.isfinite(w).all():
        raise InputError(f"no Euclidean SVM to start from ({found.status}); rescale far points")
    return w
