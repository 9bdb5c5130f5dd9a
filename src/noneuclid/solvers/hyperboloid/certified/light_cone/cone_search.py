"""Branch and bound on the light cone: cells of directions, each bounded by a convex program."""

import math

import numpy as np

from noneuclid.solvers.hyperboloid.certified.light_cone import cone_descent
from noneuclid.solvers.hyperboloid.certified.light_cone.cone_cells import Cell, HalfCone, cover
from noneuclid.solvers.hyperboloid.certified.light_cone.cone_frame import Frame, find_middle
from noneuclid.solvers.hyperboloid.certified.light_cone.cone_queue import BETTER, LOOSE, CellQueue
from noneuclid.solvers.hyperboloid.certified.light_cone.horospherical import find_best_on_ray
from noneuclid.solvers.hyperboloid.certified.rounded_newton import CONE

_SHARE = 0.1  # of what is open, to which the model is refined
_MAX_ROUNDS = 50  # refinements
_RADIUS, _LEAST_RADIUS = 0.3, 1e-7  # of the cells around a w that is polished,
_SHRINK = 0.02  # of the radius, where a cell gains nothing
_MAX_POLISH = 60  # cells at most
_POLISHED = 2  # of the descents
_FEW = 4  # cells for each of the first ones, before the descents
_EVERY = 8  # cells, the objective is evaluated in the direction of one


def search_cone(slices, w, value, tol, max_cells):
    """Best w on the light cone, if it is better than the incumbent, and a lower bound there.

    w and its objective `value` are the incumbent; `tol` is the wanted gap relative to it. Returns
    a lower bound of the objective on the cone, the better w, its objective, and the cells bounded.
    For two or more dimensions.
    """
    search = _Search(slices, w, value, tol)
    for sign in (1.0, -1.0):
        search.start(sign, max_cells)
    search.run(max_cells)
    lowest = [min(queue.lowest, queue.floor) for _, queue in search.queues]
    bound = min([search.floor, search.value, *lowest])
    return bound, search.w, search.value, search.cells


class _Search:
    """Cells of both halves of the cone, and the incumbent."""

    def __init__(self, slices, w, value, tol):
        self.slices, self.w, self.value, self.tol = slices, w, value, tol
        self.floor, self.cells, self.queues = math.inf, 0, []
        self._halves = {}

    @property
    def goal(self):
        return self.value * (1.0 - self.tol)

    def start(self, sign, max_cells):
        """Descend on one half of the cone, and put the cell that covers it into the queue."""
        d = self.slices.rows.shape[1] - 1
        wrong = sign * self.slices.rows[:, 0] < 0.0
        least = self.slices.c * self.slices.weights[wrong].sum()
        if least >= self.goal:
            self.floor = min(self.floor, least)
            return
        middle = find_middle(self.slices, sign, self.value)
        if max_cells and self.close_early(sign, least, middle):
            return
        found = cone_descent.descend_all(self.slices, sign)
        w = found[0][0] if found else np.zeros(d + 1)
        frame = Frame(self.slices, sign, w, self.value, middle)
        for w, value in found[:_POLISHED]:
            self.polish(frame, w, value)
        if max_cells:
            self.queues.append((frame, CellQueue(d, least)))
        else:
            self.floor = min(self.floor, least)

    def close_early(self, sign, least, middle):
        """Whether few cells prove that this half of the cone has nothing below the goal."""
        d = self.slices.rows.shape[1] - 1
        frame = Frame(self.slices, sign, np.zeros(d + 1), self.value, middle)
        left, floor = [(least, cell, None) for cell in cover(d)], self.floor
        for _ in range(_FEW * len(left)):
            bound, cell, z = left.pop()
            bound, z, cell = self.bound(frame, cell, bound, z)
            if bound < self.goal:
                left += [(bound, half, z) for half in cell.halves(z[1:])]
            floor = min(floor, bound) if bound >= self.goal else floor
            if not left:
                self.floor = floor
                return True
        del self._halves[sign]
        return False

    def run(self, max_cells):
        """Run the queues in turns, the one with the least bound first."""
        exact = len(self.slices.pieces[1]) == len(self.slices.rows)
        weights, turned = self.slices.c * self.slices.weights, None
        while self.queues and self.cells < max_cells:
            self.queues.sort(key=lambda pair: pair[1].lowest)
            frame, queue = self.queues[0]
            if queue.lowest >= self.goal:
                break
            others = [other.lowest for _, other in self.queues[1:]]
            limit = min([self.goal, *[lowest + _SHARE * (self.goal - lowest) for lowest in others]])
            if turned is not frame:
                rows, turned = np.ascontiguousarray(self.slices.rows @ frame.matrix), frame
            if exact:
                rows, weights = rows[:0], weights[:0]
            known, pieces = queue.cells, len(self.slices.pieces[1])
            problem = rows, weights, self.value, self.tol
            why = queue.run(self.half(frame), limit, known + max_cells - self.cells, problem)
            self.cells += queue.cells - known
            if why == LOOSE:
                self.slices.evaluate_loss(frame.matrix @ queue.at, queue.slack)
                exact = len(self.slices.pieces[1]) == pieces
            elif why == BETTER:
                u = (frame.matrix @ queue.at)[1:]
                w, value = find_best_on_ray(self.slices, frame.sign, u, queue.slack)
                if value < self.value:
                    self.polish(frame, w, value)

    def bound(self, frame, cell, bound, z=None):
        """Bound the objective on a cell, by that of its parent, whose solution is z, at least.

        Returns also (τ, x) of the relaxed problem, and the cell with rows added.
        """
        for _ in range(_MAX_ROUNDS):
            proved, z, cell = self.half(frame).bound(cell, self.goal, z)
            self.cells += 1
            bound = max(bound, proved)
            if bound >= self.goal:
                break
            slack = _SHARE * max(self.tol * self.value, self.value - bound)
            if not self.try_direction(frame, frame.matrix @ z, slack):
                break
        return bound, z, cell

    def try_direction(self, frame, w, slack):
        """Offer the direction of w at times; whether the model was loose at w and is refined."""
        size = len(self.slices.pieces[1])
        self.slices.evaluate_loss(w, slack)
        if w[1:].any() and self.cells % _EVERY == 0:
            self.offer(*find_best_on_ray(self.slices, frame.sign, w[1:], slack))
        return len(self.slices.pieces[1]) > size

    def half(self, frame):
        """The half of the cone with the present model."""
        pieces = len(self.slices.pieces[1])
        if self._halves.get(frame.sign, (0, None))[0] != pieces:
            half = HalfCone(self.slices, frame, frame.find_longest(self.value))
            self._halves[frame.sign] = pieces, half
        return self._halves[frame.sign][1]

    def offer(self, w, value):
        if value < self.value:
            self.w, self.value = w, value

    def polish(self, frame, w, value):
        """Descend to the kinks: then the relaxed problem in a cell around w gives the next w."""
        radius, slack = _RADIUS, _SHARE * self.tol * value
        u = self.slices.descend(w, CONE, _SHARE * self.tol)[0][1:]
        if u.any():
            near = find_best_on_ray(self.slices, frame.sign, u, slack)
            w, value = min((w, value), near, key=lambda pair: pair[1])
        for _ in range(_MAX_POLISH):
            if radius < _LEAST_RADIUS or not frame.find_longest(self.value):
                break
            y = frame.coordinates(w)
            _, z, _ = self.half(frame).bound(Cell.around(y[1:], radius), value)
            self.cells += 1
            moved = frame.matrix @ z
            self.slices.evaluate_loss(moved, slack)
            if not moved[1:].any():
                break
            moved, reached = find_best_on_ray(self.slices, frame.sign, moved[1:], slack)
            if reached < value * (1.0 - 1e-12):  # worth another cell
                w, value = moved, reached
            else:
                radius *= _SHRINK
        self.offer(w, value)
