"""Cells of directions of the light cone, and a lower bound of the hinge sum on each.

In the coordinates (τ, x) of a `cone_frame.Frame`, a cell is a box of ratios: x_j lies between
low_j x_i and high_j x_i, where x_i is the coordinate along an axis, or its negative, and |x| = τ.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.solvers.linear.hinge_simplex import ACTIVE, INACTIVE, descend, find_vertex

_FEWEST_CUTS = 8  # rows of a cell
_MAX_ROUNDS = 5  # solutions, with a row added between them
_WORTH = 0.1  # a row that closes less of what is open is the last
_VIOLATED = 1e-7  # relative, else a row is not worth adding
_MAX_STEPS = 200  # of the simplex method
_EDGE = 0.4  # of its width, a cell is split at least so far from its faces
_NEAR = 0.03  # of the cell's width times length: hinges so near their kink are kept apart,
_MOST, _MAX_CHOICES = 80, 12  # or fewer of them, if these are more than 80
_MAX_SPLITS, _SMALL = 8, 0.02  # times that others follow them, if worth this share of what is open
_EPS = float(np.finfo(float).eps)


def count_cuts(d):
    """Rows of a cell besides its box: the chord, and more than have their zeros at one vertex."""
    return max(_FEWEST_CUTS, d + 4)


@dataclass(frozen=True)
class Cell:
    """Directions x / τ whose ratios g_j = x_j / (sign x_axis) are in a box, x_axis of this sign."""

    axis: int
    sign: float
    low: np.ndarray  # (d,), of g; those of the axis itself are 0
    high: np.ndarray  # (d,)
    cuts: np.ndarray  # (`count_cuts`, d + 1), rows f with f·(τ, x) >= 0 on the cell; zeros are none
    basis: np.ndarray  # (d + 1,), rows that were zero at the relaxed solution nearby, -1 for none

    @classmethod
    def around(cls, x, radius):
        """Directions near that of x."""
        d, axis = len(x), int(np.argmax(np.abs(x)))
        sign, size = math.copysign(1.0, x[axis]), np.full(d, radius)
        g, size[axis] = find_ratios(x, axis, sign), 0.0
        return cls.box(axis, sign, g - size, g + size)

    @classmethod
    def box(cls, axis, sign, low, high):
        """A cell with no rows besides its faces."""
        d = len(low)
        return cls(axis, sign, low, high, np.zeros((count_cuts(d), d + 1)), np.full(d + 1, -1))

    def part(self, j, low, high):
        """The part with this range of g_j."""
        lows, highs = self.low.copy(), self.high.copy()
        lows[j], highs[j] = low, high
        return replace(self, low=lows, high=highs)

    def halves(self, x):
        """Both halves, split where the chord of the square is farthest from it at x."""
        j, at = find_split(find_ratios(x, self.axis, self.sign), self.low, self.high)
        return self.part(j, self.low[j], at), self.part(j, at, self.high[j])


def cover(d):
    """Cells that cover all directions, by the largest of |x_j|."""
    for axis in range(d):
        high = np.ones(d)
        high[axis] = 0.0
        for sign in (1.0, -1.0):
            yield Cell.box(axis, sign, -high, high)


@compile_cached
def find_ratios(x, axis, sign):
    """The ratios g of x, 0 on the axis."""
    g, length = np.empty(len(x)), max(sign * x[axis], 1e-300)
    for j in range(len(x)):
        g[j] = x[j] / length if j != axis else 0.0
    return g


@compile_cached
def find_split(g, low, high):
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
    row[1 + axis] = sign * (mu * mu + square + 4.0 * _EPS * (d + 4.0) * size)  # §14
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
            row[1 + j] = -z[1 + j] / length * (1.0 - 4.0 * _EPS * (d + 4.0))  # §14
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
        turned = np.ascontiguousarray(sums @ frame.matrix)
        n, size = turned.shape
        lengths = np.linalg.norm(turned, axis=1)
        heavy = slices.c * lengths.sum()
        terms = len(slices.rows) + n + count_cuts(size - 1) + 4.0 * size + 7.0  # §15
        # What rounding does to a row of the model, times a multiplier of 1.
        sizes, shifts, many = slices.measure_pieces()
        rounding = (frame.lost + _EPS * frame.stretch * many) * sizes  # §15
        rounding += 1.5 * frame.stretch * shifts  # |w| is √2 stretch τ at most
        rounding += 2.0 * _EPS * terms * np.abs(turned).sum(axis=1)  # §15
        columns = np.ascontiguousarray(turned.T)
        self.model = (
            (columns, turned, np.asarray(counts, dtype=float), lengths, rounding),
            (float(slices.c), float(heavy), float(longest), terms),
            (np.empty(n), np.empty(n), np.empty(n, dtype=np.int64)),
        )

    def bound(self, cell, goal, z=None):
        """Proved lower bound on the cell, (τ, x) of the relaxed problem, cell with rows added.

        The relaxed problem is solved from the vertex `cell.basis` near z, and refined until its
        solution meets |x| <= τ and the chord, or its value is at least `goal`.
        """
        if z is None:
            z = place_inside(cell.axis, cell.sign, cell.low, cell.high, self.longest)
        cuts = cell.cuts.copy()
        bound, z, basis = bound_cell(
            self.model, cell.axis, cell.sign, cell.low, cell.high, cuts, cell.basis, z, goal
        )
        return bound, z, replace(cell, cuts=cuts, basis=basis)


@compile_cached
def place_inside(axis, sign, low, high, longest):
    """(τ, x) of the cell's middle direction."""
    z, square = np.empty(len(low) + 1), 1.0
    for j in range(len(low)):
        z[1 + j] = 0.5 * (low[j] + high[j]) if j != axis else sign
        square += z[1 + j] ** 2 if j != axis else 0.0
    z[0] = math.sqrt(square)
    for i in range(len(z)):
        z[i] *= 0.5 * longest / math.sqrt(square)
    return z


@compile_cached
def bound_cell(model, axis, sign, low, high, cuts, wanted, z, goal):
    """Lower bound, minimiser and its vertex; `cuts` get the rows added."""
    bound, found, basis = _bound_from(model, axis, sign, low, high, cuts, wanted, z, goal)
    if bound < goal and not found[0] > 0.0 and wanted.max() >= 0:
        # All faces meet at 0, where the steps may go round: start elsewhere.
        z = place_inside(axis, sign, low, high, model[1][2])
        wanted = np.full(len(z), -1)
        return _bound_from(model, axis, sign, low, high, cuts, wanted, z, goal)
    return bound, found, basis


@compile_cached
def _bound_from(model, axis, sign, low, high, cuts, wanted, z, goal):
    """`bound_cell` from a vertex.

    Any multipliers 0 <= α <= weights prove α·counts + q·z with q = -Σ α_i a_i, and q·z >=
    τ (q_0 - |q'|) on the cone. Hinges far from their kink have α = 0 or are one hinge, their sum.
    """
    _, (_, _, longest, terms), (_, _, place) = model
    size, faces = len(z), 2 * len(low) + len(cuts)
    start, z, wanted = z, z.copy(), wanted.copy()
    _choose_near(model, axis, sign, low, high, cuts, wanted, z)
    inverse, basis = np.empty((size, size)), np.empty(size, dtype=np.int64)
    best, cut, merged = -np.inf, 0, True
    for solution in range(_MAX_ROUNDS + _MAX_SPLITS):
        if merged:
            hinges, kept = _gather(model, cuts, axis, sign, low, high)
            rows, constants, weights, _ = hinges
            along, state = np.empty(len(weights)), np.empty(len(weights), dtype=np.int8)
            for j in range(size):
                k = wanted[j]
                basis[j] = k if k <= faces else place[k - faces - 1]
            find_vertex(rows, constants, basis.copy(), z, inverse, basis, along, state)
        alpha = descend(rows, constants, weights, z, inverse, basis, along, state, _MAX_STEPS)
        value = _evaluate(hinges, basis, alpha, state, faces, longest, 2.0 * _EPS * terms)
        for j in range(size):
            wanted[j] = basis[j] if basis[j] <= faces else kept[basis[j] - faces - 1]
        slow = value - best < _WORTH * (goal - value)
        best = value if value > best else best
        if best >= goal:
            break
        merged = solution < _MAX_SPLITS and _split_far(model, z, _SMALL * (goal - best))
        if merged:
            continue
        cut = 0 if slow else _add_row(rows, axis, sign, low, high, cuts, cut, z, along, state)
        if cut == 0:
            break
    return best, z if np.isfinite(z).all() else start, wanted


@compile_cached
def _choose_near(model, axis, sign, low, high, cuts, wanted, z):
    """Fill the first row of `cuts`, and `place`: 0 for pieces near their kink at z, else -1."""
    (columns, _, counts, lengths, _), (_, _, longest, _), (margins, _, place) = model
    middle, width = 1.0, 0.0
    for j in range(len(low)):
        middle += (0.5 * (low[j] + high[j])) ** 2
        width += (high[j] - low[j]) ** 2
    cuts[0] = _chord(axis, sign, low, high, math.sqrt(middle))
    find_margins(columns, counts, z, margins)
    near = _NEAR * math.sqrt(width / middle) * max(z[0], 0.1 * longest)
    for _ in range(_MAX_CHOICES):
        apart = 0
        for k in range(len(counts)):
            place[k] = 0 if abs(margins[k]) <= near * lengths[k] else -1
            apart += place[k] + 1
        if apart <= _MOST:
            break
        near *= 0.7
    first = 2 * len(low) + len(cuts) + 1
    for k in wanted:
        if k >= first:
            place[k - first] = 0


@compile_cached
def _evaluate(hinges, basis, alpha, state, faces, longest, share):
    """What multipliers prove, the weights of active hinges and alpha of the basis: §15."""
    q, sums = np.zeros(len(basis)), np.zeros(2)
    for r in range(len(state)):
        if state[r] == ACTIVE and r != faces:
            _charge(hinges, r, hinges[2][r], faces, share, q, sums)
    for j in range(len(basis)):
        if basis[j] >= 0 and basis[j] != faces:
            _charge(hinges, basis[j], alpha[j], faces, share, q, sums)
    missing = 0.0
    for i in range(1, len(q)):
        missing += q[i] ** 2
    missing = min(0.0, q[0] - math.sqrt(missing))
    # No sum has more terms than those of the share, whatever their order.
    return sums[0] + longest * missing - share * sums[0] - longest * sums[1]


@compile_cached
def _charge(hinges, r, alpha, faces, share, q, sums):
    """Take a hinge from q; add to the sums its constant, and what rounding does to its row."""
    (rows, constants, _, rounding), size = hinges, 0.0
    for i in range(len(q)):
        q[i] -= alpha * rows[i, r]
        size += abs(rows[i, r])
    sums[0] += alpha * constants[r]
    sums[1] += alpha * (share * size if r < faces else rounding[r])


@compile_cached
def _add_row(rows, axis, sign, low, high, cuts, cut, z, along, state):
    """Put the row that z violates in the place of an inactive one after `cut`; its place, or 0."""
    row = _violated(axis, sign, low, high, z)
    if row[0] == 0.0:
        return 0
    first = 2 * len(low)
    for _ in range(len(cuts)):
        cut = cut % (len(cuts) - 1) + 1
        if state[first + cut] == INACTIVE:
            break
    k = first + cut
    if state[k] != INACTIVE:
        return 0
    along[k], state[k] = 0.0, ACTIVE
    for i in range(len(z)):
        rows[i, k] = cuts[cut, i] = row[i]
        along[k] += row[i] * z[i]
    return cut


@compile_cached
def find_margins(columns, counts, z, margins):
    """Fill with counts - a·z, columns a."""
    for k in range(len(counts)):
        margins[k] = counts[k]
    for i in range(len(z)):
        factor = z[i]
        for k in range(len(counts)):
            margins[k] -= columns[i, k] * factor


@compile_cached
def _gather(model, cuts, axis, sign, low, high):
    """Columns, constants, weights and rounding of the cell's hinges, and the row of each kept.

    First the box, the cuts and τ <= longest, then one hinge for all far pieces with a positive
    margin, then those with place >= 0, which becomes their column.
    """
    (columns, sums, counts, _, errors), (c, heavy, longest, _), (margins, _, place) = model
    size, p = columns.shape
    d, first, faces = size - 1, 2 * size - 2, 2 * size - 2 + len(cuts)
    kept = np.empty(p + 1, dtype=np.int64)
    kept[0], m = -1, 1
    together, count, error = np.zeros(size), 0.0, 0.0
    for k in range(p):
        if place[k] >= 0:
            kept[m], place[k] = faces + 1 + k, faces + 1 + m
            m += 1
        elif margins[k] > 0.0:
            count += counts[k]
            error += errors[k]
            for i in range(size):
                together[i] += sums[k, i]
    rows, constants = np.zeros((size, faces + 1 + m)), np.zeros(faces + 1 + m)
    weights = np.full(faces + 1 + m, c)
    for k in range(faces + 1):
        weights[k] = heavy
    rows[0, faces], constants[faces] = -1.0, -longest
    rounding = np.zeros(faces + 1 + m)
    constants[faces + 1], rounding[faces + 1] = count, error
    for j in range(d):
        if j != axis:
            rows[1 + j, j], rows[1 + axis, j] = 1.0, -sign * low[j]
            rows[1 + j, d + j], rows[1 + axis, d + j] = -1.0, sign * high[j]
    for i in range(size):
        for k in range(len(cuts)):
            rows[i, first + k] = cuts[k, i]
        rows[i, faces + 1] = together[i]
        for r in range(1, m):
            rows[i, faces + 1 + r] = columns[i, kept[r] - faces - 1]
    for r in range(1, m):
        constants[faces + 1 + r] = counts[kept[r] - faces - 1]
        rounding[faces + 1 + r] = errors[kept[r] - faces - 1]
    return (rows, constants, weights, rounding), kept


@compile_cached
def _split_far(model, z, slack):
    """Whether far pieces changed sides at z by more than the slack; they are then kept apart."""
    (columns, _, counts, _, _), numbers, (margins, moved, place) = model
    find_margins(columns, counts, z, moved)
    change = 0.0
    for k in range(len(counts)):
        if place[k] < 0 and (moved[k] > 0.0) != (margins[k] > 0.0):
            change += abs(moved[k])
    if not numbers[0] * change > slack:
        return False
    for k in range(len(counts)):
        if place[k] < 0 and (moved[k] > 0.0) != (margins[k] > 0.0):
            place[k] = 0
        margins[k] = moved[k]
    return True
