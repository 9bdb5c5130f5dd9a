"""Compiled branch and bound on the cells of one half of the light cone."""

import math

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.solvers.hyperboloid.certified.light_cone.cone_cells import (
    bound_cell,
    count_cuts,
    cover,
    find_margins,
    find_ratios,
    find_split,
    place_inside,
)

DONE, FULL, LOOSE, BETTER = 0, 1, 2, 3  # why a run ended
_CAPACITY = 256  # at the start
_NARROW = 1e-9  # boxes that are not split again
_SHARE = 0.1  # of what is open, to which the model is refined
_EVERY = 8  # cells, the objective is evaluated in the direction of one
_HEAP, _SLOTS, _RECORDS, _CELLS = 0, 1, 2, 3  # places in `_numbers`


class CellQueue:
    """Cells of one half of the cone that are not done, in the order of their bounds.

    A cell has its box and the record of its parent: relaxed solution, vertex and added rows.
    """

    def __init__(self, d, least):
        size, cells = d + 1, list(cover(d))
        n = max(_CAPACITY, 2 * len(cells))
        self._ends = np.array([math.inf, 0.0])
        self.at = np.zeros(size)  # (τ, x) where the last run ended
        # Bounds and numbers of cells, a heap; then the cells, and the stack of free numbers.
        self._order = [np.full(n, least), np.arange(n)]
        self._boxes = [np.zeros((n, d)), np.zeros((n, d)), np.zeros(n, dtype=np.int64), np.zeros(n)]
        self._boxes += [np.full(n, -1), np.arange(n)[::-1].copy()]
        for k, cell in enumerate(cells):
            self._boxes[0][k], self._boxes[1][k] = cell.low, cell.high
            self._boxes[2][k], self._boxes[3][k] = cell.axis, cell.sign
        # Relaxed solutions, vertices, added rows, number of cells that use them; free numbers.
        self._records = [np.zeros((_CAPACITY, size)), np.full((_CAPACITY, size), -1)]
        self._records += [
            np.zeros((_CAPACITY, count_cuts(d), size)),
            np.zeros(_CAPACITY, dtype=np.int64),
        ]
        self._records += [np.arange(_CAPACITY)]
        self._numbers = np.array([len(cells), n - len(cells), _CAPACITY, 0])

    @property
    def cells(self):
        """Number of bounded cells."""
        return int(self._numbers[_CELLS])

    @property
    def floor(self):
        """Least bound of a cell that is done."""
        return float(self._ends[0])

    @property
    def slack(self):
        """What the model may lose where the last run ended."""
        return float(self._ends[1])

    @property
    def lowest(self):
        """Least bound of a cell that is not done."""
        return float(self._order[0][0]) if self._numbers[_HEAP] else math.inf

    def run(self, half, limit, most, problem):
        """Bound and split cells until all bounds reach `limit` or `most` cells were bounded.

        `problem` is (rows, weights, value, tol), a row r for each hinge with r·(τ, x) its margin.
        Ends early, with the reason, where the model is LOOSE at `at`, or the loss on the cone near
        `at` is BETTER than value.
        """
        while True:
            boxes, records = tuple(self._boxes), tuple(self._records)
            parts = tuple(self._order), boxes, records, self._numbers, self._ends, self.at
            why = _run(parts, half.model, limit, most, *problem)
            if why != FULL:
                return why
            if self._numbers[_SLOTS] < 1:
                self._order = [np.concatenate([part, part]) for part in self._order]
                self._grow(self._boxes, _SLOTS)
            else:
                self._grow(self._records, _RECORDS)

    def _grow(self, parts, kind):
        """Twice the capacity."""
        n, left = len(parts[-1]), self._numbers[kind]
        parts[:] = [np.concatenate([part, part]) for part in parts]
        parts[-1][left : left + n] = n + np.arange(n)
        self._numbers[kind] += n


@compile_cached
def _run(parts, model, limit, most, rows, weights, value, tol):
    (bounds, order), boxes, records, numbers, ends, at = parts
    low, high, axes, signs, parents, slots = boxes
    goal, cuts = value * (1.0 - tol), np.empty(records[2].shape[1:])
    while numbers[_HEAP] and bounds[0] < limit and numbers[_CELLS] < most:
        if numbers[_SLOTS] < 1 or numbers[_RECORDS] < 1:
            return FULL
        bound, k = bounds[0], order[0]
        _pop(bounds, order, numbers)
        z, vertex = _recall(boxes, records, k, model[1][2], cuts)
        proved, z, vertex = bound_cell(
            model, axes[k], signs[k], low[k], high[k], cuts, vertex, z, goal
        )
        numbers[_CELLS] += 1
        bound = max(bound, proved)
        _release(records, numbers, parents[k])
        if bound >= goal or (high[k] - low[k]).max() <= _NARROW:
            ends[0] = min(ends[0], bound)
            slots[numbers[_SLOTS]] = k
            numbers[_SLOTS] += 1
            continue
        parents[k] = _store(records, numbers, z, vertex, cuts)
        ends[1] = _SHARE * max(tol * value, value - bound)
        for i in range(len(at)):
            at[i] = z[i]
        if len(weights) and _sum_hinges(rows, weights, z) - _sum_model(model, z) > ends[1]:
            _push(bounds, order, numbers, bound, k)
            return LOOSE
        other = _halve(boxes, records, numbers, k, z)
        _push(bounds, order, numbers, bound, k)
        _push(bounds, order, numbers, bound, other)
        if numbers[_CELLS] % _EVERY == 0:
            z[0] = 0.0
            for i in range(1, len(z)):
                z[0] += z[i] ** 2
            z[0] = math.sqrt(z[0])
            loss = _sum_hinges(rows, weights, z) if len(weights) else _sum_model(model, z)
            if z[0] > 0.0 and loss < value:
                return BETTER
    return DONE


@compile_cached
def _recall(boxes, records, k, longest, cuts):
    """Solution and vertex of the cell's parent, and its rows in `cuts`; its middle without one."""
    low, high, axes, signs, parents, _ = boxes
    parent = parents[k]
    for r in range(len(cuts)):
        for i in range(cuts.shape[1]):
            cuts[r, i] = records[2][parent, r, i] if parent >= 0 else 0.0
    if parent >= 0:
        return records[0][parent], records[1][parent]
    z = place_inside(axes[k], signs[k], low[k], high[k], longest)
    return z, np.full(len(z), -1)


@compile_cached
def _release(records, numbers, record):
    """Free the record if no other cell uses it."""
    users, free = records[3:]
    if record >= 0:
        users[record] -= 1
        if users[record] == 0:
            free[numbers[_RECORDS]] = record
            numbers[_RECORDS] += 1


@compile_cached
def _store(records, numbers, z, vertex, cuts):
    """Number of a new record with one user."""
    solutions, vertices, added, users, free = records
    numbers[_RECORDS] -= 1
    record = free[numbers[_RECORDS]]
    users[record] = 1
    for i in range(len(z)):
        solutions[record, i], vertices[record, i] = z[i], vertex[i]
        for r in range(len(cuts)):
            added[record, r, i] = cuts[r, i]
    return record


@compile_cached
def _halve(boxes, records, numbers, k, z):
    """Split the cell at z; number of the half that is a new cell."""
    low, high, axes, signs, parents, slots = boxes
    j, middle = find_split(find_ratios(z[1:], axes[k], signs[k]), low[k], high[k])
    numbers[_SLOTS] -= 1
    other = slots[numbers[_SLOTS]]
    for i in range(low.shape[1]):
        low[other, i], high[other, i] = low[k, i], high[k, i]
    axes[other], signs[other], parents[other] = axes[k], signs[k], parents[k]
    records[3][parents[k]], high[k, j], low[other, j] = 2, middle, middle
    return other


@compile_cached
def _sum_model(model, z):
    """The model's loss."""
    (columns, _, counts, _, _), numbers, (margins, _, _) = model
    find_margins(columns, counts, z, margins)
    total = 0.0
    for margin in margins:
        total += max(0.0, margin)
    return numbers[0] * total


@compile_cached
def _sum_hinges(rows, weights, z):
    """Loss of all rows, weights with the factor c."""
    total = 0.0
    for k in range(len(weights)):
        margin = 1.0
        for i in range(len(z)):
            margin -= rows[k, i] * z[i]
        total += weights[k] * max(0.0, margin)
    return total


@compile_cached
def _push(bounds, order, numbers, bound, cell):
    """Add to the heap."""
    k = numbers[_HEAP]
    while k > 0 and bounds[(k - 1) // 2] > bound:
        bounds[k], order[k] = bounds[(k - 1) // 2], order[(k - 1) // 2]
        k = (k - 1) // 2
    bounds[k], order[k] = bound, cell
    numbers[_HEAP] += 1


@compile_cached
def _pop(bounds, order, numbers):
    """Take the least from the heap."""
    numbers[_HEAP] -= 1
    n, k = numbers[_HEAP], 0
    bound, cell = bounds[n], order[n]
    while 2 * k + 1 < n:
        child = 2 * k + 1
        if child + 1 < n and bounds[child + 1] < bounds[child]:
            child += 1
        if bounds[child] >= bound:
            break
        bounds[k], order[k] = bounds[child], order[child]
        k = child
    bounds[k], order[k] = bound, cell
