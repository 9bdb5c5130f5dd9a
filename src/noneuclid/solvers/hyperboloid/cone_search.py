"""Branch and bound on the light cone: cells of directions, each bounded by a convex program."""

import heapq
import math
from itertools import count

import numpy as np

from noneuclid.solvers.hyperboloid import cone_descent
from noneuclid.solvers.hyperboloid.cone_cells import Cell, HalfCone, cover
from noneuclid.solvers.hyperboloid.horospherical import bound_time, find_best_on_ray

_SHARE = 0.1
_GAP_SHARE = 0.05  # of what is open goes to each convex program
_MAX_ROUNDS = 50
_NARROW = 1e-9  # ratios of cells that are not split again
_RADIUS, _LEAST_RADIUS = 0.3, 1e-7
_MAX_POLISH = 60


def search_cone(slices, w, value, tol, max_cells):
    """Best w on the light cone, if it is better than the incumbent, and a lower bound there.

    w and its objective `value` are the incumbent; `tol` is the wanted gap relative to it. Returns
    a lower bound of the objective on the cone, the better w, its objective, and the cells bounded.
    """
    search = _Search(slices, w, value, tol)
    for sign in (1.0, -1.0):
        search.start(sign)
    search.run(max_cells)
    bound = min([search.floor, search.value, *[entry[0] for entry in search.queue[:1]]])
    return bound, search.w, search.value, search.cells


class _Search:
    """Cells of both halves of the cone, and the incumbent."""

    def __init__(self, slices, w, value, tol):
        self.slices, self.w, self.value, self.tol = slices, w, value, tol
        self.floor, self.cells, self.queue, self._order = math.inf, 0, [], count()
        self._halves, self._frames = {}, {}

    @property
    def goal(self):
        return self.value * (1.0 - self.tol)

    def start(self, sign):
        """Descend on one half of the cone, and put the cells that cover it into the queue."""
        least, _ = bound_time(self.slices, sign, self.value)
        d = self.slices.rows.shape[1] - 1
        self._frames[sign] = np.eye(d)
        if d == 1:
            self.try_both_ends(sign)
            return
        if least < self.goal:
            w, value = cone_descent.descend(self.slices, sign)
            if w.any():
                self.offer(w, value)
                self._frames[sign] = _frame(w[1:])
                self.polish(sign, w, value)
        for cell in cover(d):
            heapq.heappush(self.queue, (least, next(self._order), sign, cell, None))

    def try_both_ends(self, sign):
        """The line has two directions, and the least objective of each is that of its ray."""
        for u in (np.ones(1), -np.ones(1)):
            w = cone_descent.find_best_multiple(self.slices, sign, u)
            value = self.slices.evaluate_loss(w)
            self.floor = min(self.floor, value)
            if w.any():
                self.offer(w, value)

    def run(self, max_cells):
        while self.queue and self.queue[0][0] < self.goal and self.cells < max_cells:
            bound, _, sign, cell, x = heapq.heappop(self.queue)
            if x is None:
                self.push(sign, cell, bound)
            elif (cell.high - cell.low).max() <= _NARROW:
                self.floor = min(self.floor, bound)
            else:
                for half in cell.halves(x):
                    self.push(sign, half, bound)

    def push(self, sign, cell, bound):
        """Bound the objective on a cell, by the parent's bound at least."""
        for _ in range(_MAX_ROUNDS):
            open_ = max(self.value - bound, self.tol * self.value)
            proved, w, cell = self.half(sign).bound(cell, self.goal, _GAP_SHARE * open_)
            self.cells += 1
            bound = max(bound, proved)
            if bound >= self.goal:
                self.floor = min(self.floor, bound)
                return
            slack = _SHARE * max(self.tol * self.value, self.value - bound)
            if not self.try_direction(sign, w, slack):
                break
        x = self._frames[sign].T @ w[1:]
        heapq.heappush(self.queue, (bound, next(self._order), sign, cell, x))

    def try_direction(self, sign, w, slack):
        """Offer the direction of w; whether the model was loose at w and has been refined."""
        size = len(self.slices.pieces[1])
        self.slices.evaluate_loss(w, slack)
        if w[1:].any():
            self.offer(*find_best_on_ray(self.slices, sign, w[1:], slack))
        return len(self.slices.pieces[1]) > size

    def half(self, sign):
        """The half of the cone with the present model."""
        pieces = len(self.slices.pieces[1])
        if self._halves.get(sign, (0, None))[0] != pieces:
            longest = bound_time(self.slices, sign, self.value)[1]
            made = HalfCone(self.slices, sign, self._frames[sign], longest)
            self._halves[sign] = pieces, made
        return self._halves[sign][1]

    def offer(self, w, value):
        if value < self.value:
            self.w, self.value = w, value

    def polish(self, sign, w, value):
        """Descend to the kinks: the relaxed problem in a cell around w gives the next w."""
        radius = _RADIUS
        for _ in range(_MAX_POLISH):
            y = self._frames[sign].T @ w[1:]
            y = y[1:] / y[0] if y[0] > 0.0 else math.inf
            if radius < _LEAST_RADIUS or not np.abs(y).max() <= 1.0:
                break
            cell = Cell(0, 1.0, y - radius, y + radius)
            slack = _SHARE * self.tol * value
            _, moved, _ = self.half(sign).bound(cell, value, slack)
            self.cells += 1
            self.slices.evaluate_loss(moved, slack)
            if not moved[1:].any():
                break
            moved, reached = find_best_on_ray(self.slices, sign, moved[1:], slack)
            if reached < value * (1.0 - 1e-12):
                w, value = moved, reached
            else:
                radius *= 0.25
        self.offer(w, value)


def _frame(u):
    """Orthonormal columns, the first along u."""
    d = len(u)
    frame = np.linalg.qr(np.column_stack([u, np.eye(d)]))[0]
    return frame * np.append(math.copysign(1.0, frame[:, 0] @ u), np.ones(d - 1))
