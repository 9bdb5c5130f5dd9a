"""Relative forest accessibilities: how well each row of a graph is reached from each other."""

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotri

from noneuclid.errors import InputError, require

_RESIDUAL = 1e-12
_MAX_STEPS = 2000
_TINY = np.finfo(float).tiny


def accessibilities(matrix):
    """Relative forest accessibilities of all pairs: the inverse of I + L [1]_.

    Entry (i, j) is the weighted share of spanning rooted forests in which i belongs to the tree
    rooted at j. The entries are positive and each row sums to one. The matrix is an M-matrix, so
    its Cholesky factor is inverted and multiplied without any subtraction: small entries keep
    their digits and their sign.

    O(n^3) time, O(n^2) memory.
    Shapes: `matrix` (n, n); returns shape (n, n).

    References
    ----------
    .. [1] P. Chebotarev and E. Shamis, The matrix-forest theorem and measuring relations in small
       social groups, Automation and Remote Control 58(9), 1997, arXiv:math/0602070.
    """
    # An array in Fortran order lets LAPACK work in place.
    dense = np.asarray(matrix.toarray(), order="F")
    factor, failed = dpotrf(dense, lower=1, overwrite_a=1)
    require(failed == 0, "I + L is not positive definite: weights must be positive and finite")
    inverse, _ = dpotri(factor, lower=1, overwrite_c=1)
    lower = np.tril(inverse, -1)
    return lower + lower.T + np.diag(inverse.diagonal())


def solve_columns(matrix, right, extra=0.0):
    """Solve (M + diag(e_c)) x_c = b_c for many columns c by conjugate gradients.

    The eigenvalues of I + L lie between 1 and twice the largest degree plus 1, so some dozens of
    steps suffice. All columns advance together.

    Residuals are at most 1e-12. Entries below that bound are raised to it, so that their logarithms
    exist.
    Shapes: `matrix` (n, n), `right` (n, m), `extra` (n, m); returns shape (n, m).
    """
    residual, solution = right.astype(float), np.zeros(right.shape)
    scale = 1.0 / (matrix.diagonal()[:, None] + extra)
    direction = scale * residual
    size = np.einsum("ij,ij->j", residual, direction)
    for _ in range(_MAX_STEPS):
        if np.abs(residual).max() <= _RESIDUAL:
            return np.maximum(solution, _RESIDUAL)
        image = matrix @ direction + extra * direction
        step = size / np.maximum(np.einsum("ij,ij->j", direction, image), _TINY)
        solution += step * direction
        residual -= step * image
        scaled = scale * residual
        size, previous = np.einsum("ij,ij->j", residual, scaled), size
        direction = scaled + (size / np.maximum(previous, _TINY)) * direction
    raise InputError(f"accessibilities need over {_MAX_STEPS} steps; the weights are too large")


def landmark_columns(matrix, landmarks, batch=256):
    """Accessibilities of all rows to some, in batches: memory O(n m) for the result alone.

    Shapes: `matrix` (n, n), `landmarks` (m,); returns shape (n, m).
    """
    columns = np.empty((matrix.shape[0], len(landmarks)))
    for first in range(0, len(landmarks), batch):
        roots = landmarks[first : first + batch]
        right = np.zeros((matrix.shape[0], len(roots)))
        right[roots, np.arange(len(roots))] = 1.0
        columns[:, first : first + batch] = solve_columns(matrix, right)
    return columns


def attach_nodes(matrix, neighbours, weights):
    """Accessibilities between one new node and all old ones, for each of many new nodes.

    A new node joined to the graph by weights b has accessibilities to the old nodes in proportion
    to (I + L + diag(b))^-1 b, a block of the inverse for the larger graph. Each new node is
    attached separately, without the other new nodes.

    Rows sum to one.
    Shapes: `matrix` (n, n), `neighbours` (m, k), `weights` (m, k); returns shape (m, n).
    """
    joins = np.zeros((matrix.shape[0], len(neighbours)))
    np.put_along_axis(joins, neighbours.T, weights.T, axis=0)
    reached = solve_columns(matrix, joins, joins).T
    return reached / reached.sum(axis=1, keepdims=True)
