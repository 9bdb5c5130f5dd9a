"""Coordinates of one half of the light cone in which the cells of its search are few.

The relaxed problem of a large cell has its solution inside the cone. The sum at w is small there
and in some directions around: a Lorentz boost that carries this solution to the time axis puts the
better part of the cone's inside, which the cells must cut off, into the middle of the cone.
"""

import math

import numpy as np

from noneuclid.solvers.hyperboloid.lorentz_boost import invert
from noneuclid.solvers.linear.hinge_program import solve_hinge_program

_ROUNDS, _MAX_STEPS = 20, 60  # of the hinge program
_SHARE, _SMALL = 1e-4, 1e-8  # of the objective: precision and ridge of the middle
_MOST = 10.0  # time coordinate of the boosted origin
_EPS = float(np.finfo(float).eps)
_SUM_ERROR = 1e-13  # §15, of a pairwise sum of weights


class Frame:
    """One half of the light cone, w = matrix (τ, x) with |x| = τ >= 0.

    The first axis of x points to `w` if that is not zero. `least` bounds the objective on the half
    from below, and `lost` times Σ_j |r_ij| is |δ_i·(τ, x)| for τ = 1 at most, δ_i what rounding
    does to row i in these coordinates; no |r_i| grows by more than `stretch`. `middle` is that of
    `find_middle`.
    """

    def __init__(self, slices, sign, w, value, middle=None):
        self.sign, d = sign, len(w) - 1
        flip = np.append(sign, np.ones(d))
        rows = slices.rows * flip
        middle = find_middle(slices, sign, value) if middle is None else middle
        boost = _boost(middle)
        turn = np.eye(d + 1)
        x = invert(boost) @ (flip * w)
        if x[1:].any():
            turn[1:, 1:] = _axes(x[1:])
        self.matrix = flip[:, None] * (boost @ turn)
        self._inverse = invert(self.matrix)
        # The wrongly labelled points cost 1 + τ (x_0 - v·x') >= 1 + τ / (x_0 + |x'|) each.
        wrong = rows[:, 0] < 0.0
        self.least = float(slices.c * slices.weights[wrong].sum())
        turned = rows[wrong] @ (flip[:, None] * self.matrix)
        sizes = np.abs(turned[:, 0]) + np.linalg.norm(turned[:, 1:], axis=1)
        self._rise = float(slices.c * (slices.weights[wrong] / sizes).sum())
        self.stretch = boost[0, 0] + math.sqrt(boost[0, 1:] @ boost[0, 1:])
        self.lost = (16.0 * (d + 8.0) + d * math.sqrt(d)) * _EPS * self.stretch  # §15

    def find_longest(self, value):
        """The largest τ of a w below `value`."""
        open_part = value - self.least * (1.0 - _SUM_ERROR)
        return max(0.0, open_part) / self._rise * (1.0 + 1e-9)  # §15

    def coordinates(self, w):
        """(τ, x) of w."""
        return self._inverse @ w


def find_middle(slices, sign, value):
    """Argmin of the hinge sum over all (sign t, u), roughly: most often inside the cone."""
    size = slices.rows.shape[1]
    flip, eye = np.append(sign, np.ones(size - 1)), np.eye(size)
    square = _SMALL * value * float(np.mean(np.sum(slices.rows**2, axis=1)))
    z = np.eye(1, size)[0]
    for _ in range(_ROUNDS):
        sums, counts, _ = slices.pieces
        weights, start = np.full(len(counts), slices.c), np.zeros(size)
        scaled = np.ascontiguousarray(sums * flip)
        z, *_ = solve_hinge_program(
            scaled, counts, weights, square * eye, eye / square, start, start, _SHARE * value,
            _MAX_STEPS,
        )  # fmt: skip
        slices.evaluate_loss(flip * z, _SHARE * value)
        if len(slices.pieces[1]) == len(counts):
            break
    return z


def _boost(z):
    """Lorentz boost of the time axis to z; the identity if z is not well inside the cone."""
    boost = np.eye(len(z))
    length = math.sqrt(z[1:] @ z[1:])
    square = (z[0] - length) * (z[0] + length)
    if z[0] > 0.0 and square > (z[0] / _MOST) ** 2:
        z = z / math.sqrt(square)
        boost[0], boost[1:, 0] = z, z[1:]
        boost[1:, 1:] += np.outer(z[1:], z[1:]) / (1.0 + z[0])
    return boost


def _axes(u):
    """Orthonormal columns, the first along u."""
    d = len(u)
    frame = np.linalg.qr(np.column_stack([u, np.eye(d)]))[0]
    return frame * np.append(math.copysign(1.0, frame[:, 0] @ u), np.ones(d - 1))
