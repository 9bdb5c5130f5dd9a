"""Cells of directions of the light cone, and a lower bound of the hinge sum on each.

In the coordinates (τ, x) of a `cone_frame.Frame`, a cell is a box of ratios: x_j lies between
low_j x_i and high_j x_i, where x_i is the coordinate along an axis, or its negative, and |x| = τ.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.solvers.linear.hinge_simplex import ACTIVE, INACTIVE, descend, find_vertex

_CUTS = 8  # rows of a cell besides its box; the first is its chord
_MAX_ROUNDS = 5  # solutions, with a row added between them
_WORTH = 0.1  # a row that closes less of what is open is the last
_VIOLATED = 1e-7
_MAX_STEPS = 200  # of the simplex method
_EDGE = 0.4  # of its width, a cell is split at least so far from its faces
_EPS = float(np.finfo(float).eps)


@dataclass(frozen=True)
class Cell:
    """Directions x / τ whose ratios g_j = x_j / (sign x_axis) are in a box, x_axis of this sign."""

    axis: int
    sign: float
    low: np.ndarray  # (d,), of g; those of the axis itself are 0
    high: np.ndarray  # (d,)
    cuts: np.ndarray  # (_CUTS, d + 1), rows f with f·(τ, x) >= 0 on the cell; zeros are none
    basis: np.ndarray  # (d + 1,), rows that were zero at the relaxed solution nearby, -1 for none

    @classmethod
    def around(cls, x, radius):
        """Directions near that of x."""
        d, axis = len(x), int(np.argmax(np.abs(x)))
        sign, size = math.copysign(1.0, x[axis]), np.full(d, radius)
        g, size[axis] = _ratios(x, axis, sign), 0.0
        return cls.box(axis, sign, g - size, g + size)

    @classmethod
    def box(cls, axis, sign, low, high):
        """A cell with no rows besides its faces."""
        d = len(low)
        return cls(axis, sign, low, high, np.zeros((_CUTS, d + 1)), np.full(d + 1, -1))

    def part(self, j, low, high):
        """The part with this range of g_j."""
        lows, highs = self.low.copy(), self.high.copy()
        lows[j], highs[j] = low, high
        return replace(self, low=lows, high=highs)

    def halves(self, x):
        """Both halves, split where the chord of the square is farthest from it at x."""
        j, at = _split(_ratios(x, self.axis, self.sign), self.low, self.high)
        return self.part(j, self.low[j], at), self.part(j, at, self.high[j])


def cover(d):
    """Cells that cover all directions, by the largest of |x_j|."""
    for axis in range(d):
        high = np.ones(d)
        high[axis] = 0.0
        for sign in (1.0, -1.0):
            yield Cell.box(axis, sign, -high, high)


@compile_cached
def _ratios(x, axis, sign):
    """The ratios g of x, 0 on the axis."""
    g, length = np.empty(len(x)), max(sign * x[axis], 1e-300)
    for j in range(len(x)):
        g[j] = x[j] / length if j != axis else 0.0
    return g


@compile_cached
def _split(g, low, high):
    """The ratio to split at, and where."""
    best, most = 0, -1.0
    for j in range(len(g)):
        at, width = min(max(g[j], low[j]), high[j]), high[j] - low[j]
        worth = (at - low[j]) * (high[j] - at) + 1e-3 * width * width
        if worth > most:
            best, most = j, worth
    edge = _EDGE * (high[best] - low[best])
    return best, min(max(g[best], low[best] + edge), high[best] - edge)


@compile_cached
def _chord(axis, sign, low, high, mu):
    """Row of μ² x_i + l(x) - 2 μ τ >= 0, where x_i l(x) >= τ² is the chord of |x|² = τ².

    x_i is sign x_axis. Each x_j² <= (low_j + high_j) x_j x_i - low_j high_j x_i², as
    (x_j - low_j x_i)(high_j x_i - x_j) >= 0. What rounding does is added to x_i >= 0.
    """
    d = len(low)
    row, square, size = np.empty(d + 1), 1.0, 2.0 + mu * mu
    row[0] = -2.0 * mu
    for j in range(d):
        row[1 + j] = low[j] + high[j]
        square -= low[j] * high[j]
        size += abs(low[j] * high[j]) + abs(row[1 + j])
    row[1 + axis] = sign * (mu * mu + square + 4.0 * _EPS * (d + 4.0) * size)
    return row


@compile_cached
def _violated(axis, sign, low, high, z):
    """The row that z violates, of |x| <= τ or a chord; zeros if it meets all."""
    d, square, length = len(low), 1.0, 0.0
    for j in range(d):
        length += z[1 + j] ** 2
    length = math.sqrt(length)
    row = np.zeros(d + 1)
    if z[0] < 0.0 or length > max(1e-200, (1.0 + _VIOLATED) * z[0]):
        row[0] = 1.0
        for j in range(d if length > 1e-200 else 0):
            # Its length is at most 1, whatever the rounding.
            row[1 + j] = -z[1 + j] / length * (1.0 - 4.0 * _EPS * (d + 4.0))
        return row
    time = sign * z[1 + axis]
    for j in range(d):
        g = z[1 + j] / max(time, 1e-300) if j != axis else 0.0
        square += (low[j] + high[j]) * g - low[j] * high[j]
    if square > 0.0 and math.sqrt(square) * time < (1.0 - _VIOLATED) * z[0]:
        return _chord(axis, sign, low, high, math.sqrt(square))
    return row


class HalfCone:
    """The model of the loss on one half of the cone, in a frame.

    There c Σ max(0, counts - rows·(τ, x)) is a lower bound of the loss. `longest` is the largest τ
    of a better w.
    """

    def __init__(self, slices, frame, longest):
        self.longest = longest
        sums, counts, _ = slices.pieces
        turned = sums @ frame.matrix
        n, size = turned.shape
        # Columns: the cell's box, its other rows, τ <= longest, and the model.
        faces = 2 * (size - 1) + _CUTS + 1
        rows, weights = np.zeros((size, faces + n)), np.full(faces + n, slices.c)
        rows[:, faces:] = turned.T
        rows[0, faces - 1] = -1.0
        weights[:faces] = slices.c * np.linalg.norm(turned, axis=1).sum()
        counts = np.concatenate([np.zeros(faces - 1), [-longest], counts])
        terms = len(slices.rows) + n + faces + 2.0 * size + 8.0
        # What rounding does to a row of the model, times a multiplier of 1.
        sizes, shifts, many = slices.measure_pieces()
        rounding = (frame.lost + _EPS * frame.stretch * many) * sizes
        rounding += 1.5 * frame.stretch * shifts  # |w| is √2 stretch τ at most
        rounding += 2.0 * _EPS * terms * np.abs(turned).sum(axis=1)
        self._model = rows, counts, weights, longest, rounding, terms
        self._work = np.empty((size, size)), np.empty(faces + n), np.empty(faces + n, dtype=np.int8)

    def bound(self, cell, goal, z=None):
        """Proved lower bound on the cell, (τ, x) of the relaxed problem, cell with rows added.

        The relaxed problem is solved from the vertex `cell.basis` near z, and refined until its
        solution meets |x| <= τ and the chord, or its value is at least `goal`.
        """
        if z is None:
            g = 0.5 * (cell.low + cell.high)
            g[cell.axis] = cell.sign
            z = 0.5 * self.longest * np.append(1.0, g / math.sqrt(g @ g))
        cuts = cell.cuts.copy()
        bound, z, basis = _bound_cell(
            self._model, self._work, cell.axis, cell.sign, cell.low, cell.high, cuts, cell.basis, z,
            goal,
        )  # fmt: skip
        if bound < goal and not z[0] > 0.0 and cell.basis.max() >= 0:
            # All faces meet at 0, where the steps may go round: start elsewhere.
            again = replace(cell, cuts=cuts, basis=np.full_like(cell.basis, -1))
            return self.bound(again, goal)
        return bound, z, replace(cell, cuts=cuts, basis=basis)


@compile_cached
def _bound_cell(model, work, axis, sign, low, high, cuts, wanted, z, goal):
    """Lower bound, minimiser and its vertex; `cuts` get the rows added.

    Any multipliers 0 <= α <= weights prove α·counts + q·z with q = -Σ α_i a_i, and q·z >=
    τ (q_0 - |q'|) on the cone.
    """
    rows, counts, weights, longest, rounding, terms = model
    inverse, along, state = work
    d, m = len(low), len(counts)
    first, faces = 2 * d, 2 * d + len(cuts)
    middle = 1.0
    for j in range(d):
        middle += (0.5 * (low[j] + high[j])) ** 2
        for k in (j, d + j):
            for i in range(d + 1):
                rows[i, k] = 0.0
        if j != axis:
            rows[1 + j, j], rows[1 + axis, j] = 1.0, -sign * low[j]
            rows[1 + j, d + j], rows[1 + axis, d + j] = -1.0, sign * high[j]
    cuts[0] = _chord(axis, sign, low, high, math.sqrt(middle))
    for k in range(len(cuts)):
        for i in range(d + 1):
            rows[i, first + k] = cuts[k, i]
    start, z, basis = z, z.copy(), np.empty(d + 1, dtype=np.int64)
    find_vertex(rows, counts, wanted, z, inverse, basis, along, state)
    best, cut = -np.inf, 0
    for _ in range(_MAX_ROUNDS):
        alpha = descend(rows, counts, weights, z, inverse, basis, along, state, _MAX_STEPS)
        total, lost = 0.0, 0.0
        q = np.zeros(d + 1)
        for r in range(m):
            if state[r] == ACTIVE and r != faces:
                total += _add(rows, r, weights[r], counts[r], q)
                size = 2.0 * _EPS * terms * _size(rows, r) if r < faces else rounding[r - faces - 1]
                lost += weights[r] * size
        for j in range(d + 1):
            r = basis[j]
            if r >= 0 and r != faces:
                total += _add(rows, r, alpha[j], counts[r], q)
                size = 2.0 * _EPS * terms * _size(rows, r) if r < faces else rounding[r - faces - 1]
                lost += alpha[j] * size
        missing = 0.0
        for i in range(d):
            missing += q[1 + i] ** 2
        missing = min(0.0, q[0] - math.sqrt(missing))
        # No sum has more terms than this, whatever their order.
        value = total + longest * missing - 2.0 * _EPS * terms * total - longest * lost
        slow = value - best < _WORTH * (goal - value)
        best = value if value > best else best
        if best >= goal or slow:
            break
        row = _violated(axis, sign, low, high, z)
        if row[0] == 0.0:
            break
        for _ in range(len(cuts)):
            cut = cut % (len(cuts) - 1) + 1
            if state[first + cut] == INACTIVE:
                break
        k = first + cut
        if state[k] != INACTIVE:
            break
        along[k], state[k] = 0.0, ACTIVE
        for i in range(d + 1):
            rows[i, k] = cuts[cut, i] = row[i]
            along[k] += row[i] * z[i]
    for i in range(d + 1):
        if not math.isfinite(z[i]):
            return best, start, basis
    return best, z, basis


@compile_cached
def _add(rows, r, alpha, count, q):
    """Take the row's share from q; its share of the total."""
    for i in range(len(q)):
        q[i] -= alpha * rows[i, r]
    return alpha * count


@compile_cached
def _size(rows, r):
    """Sum of the row's |entries|."""
    total = 0.0
    for i in range(len(rows)):
        total += abs(rows[i, r])
    return total
