"""Rows that lie in few dimensions: the same problem in fewer coordinates.

The loss sees u only in the span S of the rows' spatial parts. What u has across S counts by its
length alone: one axis across S holds it, and the problem in S and this axis is the same. On the
light cone this axis matters.
"""

from dataclasses import dataclass

import numpy as np

from noneuclid.solvers.hyperboloid.certified.verified_bound import find_shifts
from noneuclid.solvers.hyperboloid.problem import fill_weights

_EPS = float(np.finfo(float).eps)
_MANY = 64  # dimensions; from here on one needs half of them
_RANK = 1e-12  # least singular value of rows of length 1


@dataclass(frozen=True)
class Span:
    """Rows in coordinates of their span and of one axis across it."""

    frame: np.ndarray  # (d, k + 1), orthonormal columns up to rounding
    rows: np.ndarray  # (n, k + 2)
    lost: np.ndarray  # (n,), q_i |δ_i|, δ_i what boost and span did to a row, up to an isometry
    longest: float  # of what the span alone leaves out of a row

    def lift(self, w):
        """W in the coordinates of the rows given."""
        return np.append(w[0], self.frame @ w[1:])


def find_span(rows, points, centre, weights=None):
    """The span of boosted rows and an axis, if there is one across it; else None.

    None also if more is lost outside of it than by the boost; in many dimensions, where slices cost
    little beside the search for a span, if both have more than half of the dimensions.
    """
    n, d = len(rows), rows.shape[1] - 1
    most = d if d < _MANY else d // 2
    few = _scale(rows[np.linspace(0, n - 1, min(n, most)).astype(int), 1:])
    if np.linalg.matrix_rank(few, tol=_RANK) >= most:
        return None
    _, sizes, axes = np.linalg.svd(np.linalg.qr(_scale(rows[:, 1:]), mode="r"))
    k = int(np.count_nonzero(sizes > _RANK))
    if k >= most:
        return None
    frame = axes[: k + 1].T.copy()
    inside = rows[:, 1:] @ frame[:, :k]
    # |FᵀF - 1| bounds the distance of the frame to the nearest isometry.
    long = frame.astype(np.longdouble)
    skew = float(np.linalg.norm((long.T @ long - np.eye(k + 1)).astype(float)))
    off = np.linalg.norm(rows[:, 1:] - inside @ frame[:, :k].T, axis=1)
    off += (skew + (k + 4.0) * np.sqrt(k) * _EPS) * np.linalg.norm(inside, axis=1)  # §7
    weights = fill_weights(rows, weights)
    lost, outside = find_shifts(rows, weights, centre, points), weights * off
    if outside.sum() > lost.sum():
        return None
    reduced = np.column_stack([rows[:, 0], inside, np.zeros(n)])
    # 1e-9: §9.1
    return Span(frame, reduced, (lost + outside) * (1.0 + 1e-9), float(off.max()))


def _scale(spatial):
    """Rows of length 1, or 0."""
    lengths = np.linalg.norm(spatial, axis=1, keepdims=True)
    return spatial / np.where(lengths > 0.0, lengths, 1.0)
