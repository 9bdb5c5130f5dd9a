"""Cells of directions of the light cone, and a lower bound of the hinge sum on each.

In the coordinates (τ, x) of a `cone_frame.Frame`, a cell is a box of directions, low_j τ <= x_j <=
high_j τ with |x| = τ.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.solvers.linear.hinge_program import solve_hinge_program

_MAX_STEPS = 60
_MAX_ROUNDS = 4  # times that a tangent or hinges are added
_WORTH = 0.1  # a tangent that closes less of what is open is the last
_KEPT = 3  # tangents that go to the halves of a cell
_VIOLATED = 1e-7
_NEAR = 40  # hinges of the relaxed problem, if one of a larger cell is known
_LOOSE = 0.05  # of what is open: the other hinges may miss so much
_SMALL = 1e-8  # share of the objective that the square term, which makes it curved, may cost
_EDGE = 0.4  # of its width, a cell is split at least so far from its faces
_SPARE = 1e-12  # of a square, for rounding
_EPS = np.finfo(float).eps


@dataclass(frozen=True)
class Cell:
    """Directions x / τ in a box."""

    low: np.ndarray  # (d,)
    high: np.ndarray  # (d,)
    tangents: tuple = ()  # unit vectors v: v·x <= τ has been violated nearby

    def halves(self, y):
        """Both halves, split where the chord of the square is farthest from it at y."""
        y, width = np.clip(y, self.low, self.high), self.high - self.low
        j = int(np.argmax((y - self.low) * (self.high - y) + 1e-3 * width**2))
        edge = _EDGE * width[j]
        at = min(max(y[j], self.low[j] + edge), self.high[j] - edge)
        return self.part(j, self.low[j], at), self.part(j, at, self.high[j])

    def part(self, j, low, high):
        """The part with this range of x_j / τ."""
        lows, highs = self.low.copy(), self.high.copy()
        lows[j], highs[j] = low, high
        return replace(self, low=lows, high=highs)

    def shrink(self):
        """A smaller box with the same unit vectors, None if there are none."""
        low, high = self.low.copy(), self.high.copy()
        return replace(self, low=low, high=high) if _shrink(low, high) else None

    def faces(self):
        """Rows f with f·(τ, x) >= 0 on the cell: its box, and the chord of |x|² = τ².

        x_j² <= (low_j + high_j) x_j τ - low_j high_j τ², as (x_j - low_j τ)(high_j τ - x_j) >= 0.
        """
        d = len(self.low)
        rows, k = np.zeros((2 * d + 1, d + 1)), np.arange(d)
        rows[k, 1 + k] = 1.0
        rows[k, 0] = -self.low
        rows[d + k, 1 + k] = -1.0
        rows[d + k, 0] = self.high
        rows[-1, 1:] = self.low + self.high
        rows[-1, 0] = -1.0 - self.low @ self.high
        return rows


@compile_cached
def _shrink(low, high):
    """Shrink the box around its unit vectors, in place; False if it has none.

    y_j² is 1 less the squares of the others, each between its least and its largest in the box.
    """
    most = least = 0.0
    for j in range(len(low)):
        most += max(low[j] * low[j], high[j] * high[j])
        least += max(0.0, low[j], -high[j]) ** 2
    for j in range(len(low)):
        inner = 1.0 - (most - max(low[j] * low[j], high[j] * high[j])) - _SPARE
        outer = 1.0 - (least - max(0.0, low[j], -high[j]) ** 2) + _SPARE
        if outer < 0.0:
            return False
        outer = math.sqrt(outer)
        low[j], high[j] = max(low[j], -outer), min(high[j], outer)
        if inner > 0.0:
            inner = math.sqrt(inner)
            if low[j] > -inner:
                low[j] = max(low[j], inner)
            if high[j] < inner:
                high[j] = min(high[j], -inner)
        if low[j] > high[j]:
            return False
    return True


class HalfCone:
    """The model of the loss on one half of the cone, in a frame.

    There constant + lead·(τ, x) + c Σ max(0, counts - rows·(τ, x)) is a lower bound of the loss;
    pieces that are positive on the whole half are in the first two terms. `longest` is the
    largest τ of a better w.
    """

    def __init__(self, slices, frame, longest):
        self.longest, self.c, self.frame_lost = longest, slices.c, frame.lost
        sums, counts, _ = slices.pieces
        turned = sums @ frame.matrix
        positive = -turned[:, 0] >= np.linalg.norm(turned[:, 1:], axis=1)
        self.constant = slices.c * counts[positive].sum()
        self.lead = -slices.c * turned[positive].sum(axis=0)
        self.rows = np.ascontiguousarray(turned[~positive])
        self.counts = counts[~positive]
        lengths = np.linalg.norm(self.rows, axis=1)
        self._nearness = 1.0 / np.maximum(lengths, 1e-300)
        # Faces of cells are hinges of this weight.
        self._heavy = np.linalg.norm(self.lead) + slices.c * lengths.sum()
        self._sizes = slices.c * np.abs(turned).sum()
        self._terms = len(slices.rows) + len(counts) + 2 * len(self.lead) + 8

    def bound(self, cell, goal, gap, z=None):
        """Proved lower bound on the cell, (τ, x) of the relaxed problem, cell with tangents.

        The relaxed problem is solved to within `gap`, and refined until its solution meets
        |x| <= τ and the hinges, or its value is at least `goal`. Of the hinges, those far from
        their kink at z are replaced by their line there, which bounds them from below.
        """
        faces = [cell.faces(), *[np.append(1.0, -v) for v in cell.tangents]]
        near = np.ones(len(self.counts), dtype=bool)
        active = near
        if z is not None and len(near) > _NEAR:
            active = self.counts > self.rows @ z
            far = np.abs(self.counts - self.rows @ z) * self._nearness
            near = far <= np.partition(far, _NEAR)[_NEAR]
        best = -math.inf
        for left in range(_MAX_ROUNDS, -1, -1):
            z, value = self._minimise(near, active & ~near, np.vstack(faces), goal, gap)
            slow = value - best < _WORTH * (goal - value)
            best = max(best, value)
            if best >= goal or not left:
                break
            short = self.counts - self.rows @ z
            wrong = ~near & ((short > 0.0) != active)
            loose = self.c * np.abs(short[wrong]).sum() > _LOOSE * (goal - value)
            if loose:
                near = near | wrong
            length = math.sqrt(z[1:] @ z[1:])
            outside = length > (1.0 + _VIOLATED) * z[0] and not slow
            if outside:
                v = z[1:] / length
                faces.append(np.append(1.0, -v))
                cell = replace(cell, tangents=(*cell.tangents, v)[-_KEPT:])
            if not (loose or outside):
                break
        return best, z, cell

    def _minimise(self, near, full, faces, goal, gap):
        """Minimiser of the model where faces·z >= 0, and a proved lower bound.

        The hinges `near` are kept, α = c for those in `full`, 0 for the rest. A square term makes
        the problem strongly convex. Any multipliers 0 <= α <= weights prove constant + α·counts +
        q·z with q = lead - α rows, and q·z >= τ (q_0 - |q'|) on the cone.
        """
        m = np.count_nonzero(near)
        lead = self.lead - self.c * (full @ self.rows)
        rows = np.concatenate([self.rows[near], faces])
        counts = np.concatenate([self.counts[near], np.zeros(len(faces))])
        weights = np.full(len(rows), self._heavy)
        weights[:m] = self.c
        square, eye = _SMALL * goal / max(self.longest**2, 1e-300), np.eye(len(lead))
        start = np.zeros(len(lead))
        start[0] = 0.5 * self.longest
        z, alpha, *_ = solve_hinge_program(
            rows, counts, weights, square * eye, eye / square, lead, start, gap, _MAX_STEPS
        )
        alpha = np.clip(alpha, 0.0, weights)
        q = lead - alpha @ rows
        missing = min(0.0, q[0] - math.sqrt(q[1:] @ q[1:]))
        total = self.constant + self.c * (full @ self.counts) + alpha @ counts
        # No sum has more terms than this, whatever their order.
        sizes = self._sizes + alpha @ np.abs(rows).sum(axis=1)
        lost = 2.0 * _EPS * (len(faces) + self._terms) * (total + self.longest * sizes)
        lost += self.longest * self.frame_lost
        return z, float(total + self.longest * missing - lost)
