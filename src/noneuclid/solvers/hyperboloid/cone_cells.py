"""Cells of directions of the light cone, and a lower bound of the hinge sum on each.

On the half of the light cone with time coordinate sign·τ, let e_1, ..., e_d be an orthonormal frame
of space and (τ, x) the coordinates of w = (sign τ, Σ x_j e_j). A cell is one face of the cube, x_i
= ±max |x_j|, and a box of ratios there: with lead a = ±x_i > 0, it holds low_j a <= x_j <= high_j a
for j ≠ i. The 2 d faces with ratios in [-1, 1] cover all directions.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from noneuclid.solvers.linear.hinge_program import solve_hinge_program

_MAX_STEPS = 60
_MAX_CUTS = 4  # times that cuts are added
_WORTH = 0.1  # a cut that closes less of what is open is the last
_KEPT = 3  # cuts that go to the halves of a cell
_VIOLATED = 1e-7
_SMALL = 1e-8  # share of the objective that the square term, which makes it curved, may cost
_EPS = np.finfo(float).eps


@dataclass(frozen=True)
class Cell:
    """Directions with lead side·x_axis, and ratios of the other coordinates to it in a box."""

    axis: int
    side: float
    low: np.ndarray  # (d - 1,)
    high: np.ndarray  # (d - 1,)
    tangents: tuple = ()  # unit vectors v: v·x <= τ has been violated nearby

    def others(self):
        """Axes of the ratios."""
        return np.delete(np.arange(len(self.low) + 1), self.axis)

    def ratios(self, x):
        """Ratios of the coordinates of x in the box, the middle if x points away."""
        lead = self.side * x[self.axis]
        middle = 0.5 * (self.low + self.high)
        if not lead > 1e-12 * np.abs(x).max():
            return middle
        return np.clip(x[self.others()] / lead, self.low, self.high)

    def halves(self, x):
        """Both halves, split where the chord of the square is farthest from it at x."""
        y, width = self.ratios(x), self.high - self.low
        j = int(np.argmax((y - self.low) * (self.high - y) + 1e-3 * width**2))
        edge = 0.2 * width[j]
        at = min(max(y[j], self.low[j] + edge), self.high[j] - edge)
        below, above = self.high.copy(), self.low.copy()
        below[j] = above[j] = at
        return replace(self, high=below), replace(self, low=above)

    def faces(self):
        """Rows f with f·(τ, x) >= 0 on the cell: those of the box, and the middle's tangent."""
        d = len(self.low) + 1
        rows, others, k = np.zeros((2 * d - 1, d + 1)), 1 + self.others(), np.arange(d - 1)
        rows[k, others] = 1.0
        rows[k, 1 + self.axis] = -self.low * self.side
        rows[d - 1 + k, others] = -1.0
        rows[d - 1 + k, 1 + self.axis] = self.high * self.side
        rows[-1, 1 + self.axis] = -self.side
        rows[-1, others] = -0.5 * (self.low + self.high)
        rows[-1] /= math.sqrt(rows[-1] @ rows[-1])
        rows[-1, 0] = 1.0
        return rows

    def chord(self, square):
        """Row of τ <= a √(1 + s) with the concave root replaced by its tangent at s = `square`.

        s = |y|² is at most the chord Σ (low + high) y - low high.
        """
        root = math.sqrt(1.0 + square)
        row = np.empty(len(self.low) + 2)
        row[0] = -1.0
        row[1 + self.axis] = self.side * (root - (self.low @ self.high + square) / (2.0 * root))
        row[1 + self.others()] = (self.low + self.high) / (2.0 * root)
        return row

    def chord_square(self, y):
        """The chord's value at the ratios y."""
        return float((self.low + self.high) @ y - self.low @ self.high)


def cover(d):
    """Cells that cover all directions."""
    ones = np.ones(d - 1)
    return [Cell(axis, side, -ones, ones) for axis in range(d) for side in (1.0, -1.0)]


class HalfCone:
    """The model of the loss on the half of the cone with this sign of t, in a frame of space.

    There constant + lead·(τ, x) + c Σ max(0, counts - rows·(τ, x)) is a lower bound of the loss;
    pieces that are positive on the whole half are in the first two terms. `longest` is the
    largest τ of a better w. `frame` has the e_j as columns.
    """

    def __init__(self, slices, sign, frame, longest):
        self.sign, self.frame, self.longest, self.c = sign, frame, longest, slices.c
        sums, counts, _ = slices.pieces
        turned = np.column_stack([sign * sums[:, 0], sums[:, 1:] @ frame])
        positive = -turned[:, 0] >= np.linalg.norm(turned[:, 1:], axis=1)
        self.constant = slices.c * counts[positive].sum()
        self.terms = len(slices.rows) + 2 * len(frame) + 8
        self.lead = -slices.c * turned[positive].sum(axis=0)
        self.rows = np.ascontiguousarray(turned[~positive])
        self.counts = counts[~positive]
        # Faces of cells are hinges of this weight.
        self._heavy = np.linalg.norm(self.lead)
        self._heavy += slices.c * np.linalg.norm(self.rows, axis=1).sum()

    def bound(self, cell, goal, gap):
        """Proved lower bound on the cell, w = (sign τ, u) of the relaxed problem, cell with cuts.

        The relaxed problem is solved to within `gap`, and cut until its solution meets
        |x| <= τ <= a √(1 + chord), or its value is at least `goal`.
        """
        faces = [cell.faces(), *[np.append(1.0, -v) for v in cell.tangents]]
        faces.append(cell.chord(self._usual_square(cell)))
        best = -math.inf
        for left in range(_MAX_CUTS, -1, -1):
            z, value = self._minimise(np.vstack(faces), cell, goal, gap)
            slow = value - best < _WORTH * (goal - value)
            best = max(best, value)
            cuts, cell = self._find_cuts(cell, z)
            if best >= goal or slow or not cuts or not left:
                break
            faces += cuts
        return best, np.append(self.sign * z[0], self.frame @ z[1:]), cell

    @staticmethod
    def _usual_square(cell):
        middle = 0.5 * (cell.low + cell.high)
        return float(middle @ middle + 0.125 * np.sum((cell.high - cell.low) ** 2))

    def _find_cuts(self, cell, z):
        """Rows that z violates, and the cell with its tangent."""
        tau, x = z[0], z[1:]
        length, lead = math.sqrt(x @ x), cell.side * x[cell.axis]
        cuts = []
        if length > (1.0 + _VIOLATED) * tau:
            cuts.append(np.append(1.0, -x / length))
            cell = replace(cell, tangents=(*cell.tangents, x / length)[-_KEPT:])
        if lead > 0.0:
            square = cell.chord_square(x[cell.others()] / lead)
            if square > -1.0 and tau > (1.0 + _VIOLATED) * lead * math.sqrt(1.0 + square):
                cuts.append(cell.chord(square))
        return cuts, cell

    def _minimise(self, faces, cell, goal, gap):
        """Minimiser of the model where faces·z >= 0, and a proved lower bound.

        A square term makes the problem strongly convex. Any multipliers 0 <= α <= weights prove
        constant + α·counts + q·z with q = lead - α rows, and q·z >= τ (q_0 - |q'|) on the cone.
        """
        size = len(self.lead)
        rows = np.concatenate([self.rows, faces])
        counts = np.concatenate([self.counts, np.zeros(len(faces))])
        weights = np.concatenate(
            [np.full(len(self.rows), self.c), np.full(len(faces), self._heavy)]
        )
        square = _SMALL * goal / max(self.longest**2, 1e-300)
        eye = np.eye(size)
        start = np.zeros(size)
        start[0], start[1 + cell.axis] = 0.5 * self.longest, 0.5 * cell.side * self.longest
        z, alpha, *_ = solve_hinge_program(
            rows, counts, weights, square * eye, eye / square, self.lead, start, gap, _MAX_STEPS
        )
        alpha = np.clip(alpha, 0.0, weights)
        q = self.lead - alpha @ rows
        missing = min(0.0, q[0] - math.sqrt(q[1:] @ q[1:]))
        total = self.constant + alpha @ counts
        # No sum has more terms than this, whatever their order.
        sizes = np.abs(self.lead).sum() + alpha @ np.abs(rows).sum(axis=1)
        lost = 2.0 * _EPS * (len(rows) + self.terms) * (total + self.longest * sizes)
        return z, float(total + self.longest * missing - lost)
