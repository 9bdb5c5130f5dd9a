"""Certified global optimum of the soft-margin hyperboloid SVM.

Problem (7) of yang2024, over w = (t, u) with |u| >= |t|: ½(|u|² - t²) + c Σ q_i max(0, 1 - r_i·w),
with c = C/√2, weights q_i (1 if none are given), r_i = y_i (-x_i0, x_i'). Only t enters concavely.
For fixed t the rest is a strongly convex SVM (`time_slices`), whose multipliers bound the objective
at every t. Branch and bound on t therefore finds the global optimum in any dimension. Where the
constraint binds, w lies on the light cone, which has a search of its own (`horospherical`).
"""

import heapq
import math
from itertools import count, pairwise

import numpy as np

from noneuclid.errors import InputError
from noneuclid.solvers import progress
from noneuclid.solvers.hyperboloid import cone_descent, cone_search, horospherical
from noneuclid.solvers.hyperboloid.boost import boost, find_foot, find_middle, in_numbers_of
from noneuclid.solvers.hyperboloid.far_slices import FarSlices
from noneuclid.solvers.hyperboloid.given_points import check_reach, return_normal, round_better
from noneuclid.solvers.hyperboloid.intervals import Interval
from noneuclid.solvers.hyperboloid.problem import (
    HINGE_SLOPE,
    Solution,
    objective,
    signed_rows,
    uncertainty,
)
from noneuclid.solvers.hyperboloid.robust_bound import RobustVerifier
from noneuclid.solvers.hyperboloid.robust_time_slices import RobustSlices
from noneuclid.solvers.hyperboloid.span import find_span
from noneuclid.solvers.hyperboloid.time_slices import HingeSlices
from noneuclid.solvers.hyperboloid.verified_bound import (
    FarVerifier,
    Verifier,
    find_shifts,
    lose_in_length,
    lower_bound,
)
from noneuclid.solvers.hyperboloid.warm_slices import LEAST_DIMENSION, WarmSlices

_STRIDE = 64.0
_MAX_STRIDES = 40
_SLICE_SHARE = 0.1  # of the tolerance goes to each slice
_FAR = 1e3
_LARGEST = 1e150
_LONG_LARGEST = 1e60  # in double-doubles
_PATIENCE = 100  # slices, if some lack digits and longer numbers follow
_LITTLE = 0.1  # of a gap that no slice can close
_CELLS_A_SLICE = 250  # a cell of the light cone takes less time than a slice,
_CELL_WORK = 3.6e5  # but the cube of the dimension more
_NARROW = 1e-12  # relative width of intervals that are not split again
_NEARLY = 1.0 + 1e-9  # as long, up to rounding
_SPARE = 1e-3  # of the tolerance, for the rounding that the proof takes off


def solve(
    points, signs, C, radius=0.0, tol=1e-6, max_slices=2000, conic_solver="clarabel", weights=None
):
    """Global minimum of problem (7), or of its robust form (30), with a proof.

    `max_slices` limits the values of t, and the cells of directions on the light cone at 250 times
    as many, 360,000/(d + 1)³ times above ten dimensions (once as many in the search with twice the
    digits; the boxes of the robust form at as many). `status` is "optimal", "horospherical"
    (optimal too, on the light cone: all points get one label, the score is a Busemann function) or
    "gap open".
    `extras["light_cone"]` is the lower bound of the objective on the cone, inf if not needed.

    10 to 30 slices, each some passes of O(n d) over the data and solutions of O(k d² + d³) for
    k <= n groups of rows; on the light cone some 100 to 500,000 linear programs, more in high
    dimensions. The bounds hold whatever the inner solvers did: each is evaluated at feasible
    multipliers. For points that stay where they are, all bounds are proved again for the points as
    given, with all that rounding can do taken off (`verified_bound`). Where this leaves a gap, the
    search is made again in twice the digits, from the hyperplane found (`far_slices`).
    """
    check_reach(points)
    c = C * HINGE_SLOPE
    total = len(points) if weights is None else weights.sum()
    if not c * total * points[:, 0].max() < _LARGEST:
        raise InputError(
            f"C = {C:g} on rows of total weight {total:g} is too large for double precision; "
            "give a smaller C, or divide the weights"
        )
    centre = find_middle(points, signs, weights)
    if points[:, 0].max() > _FAR:
        # A boost loses digits with the square of the coordinates.
        centre = centre.astype(np.longdouble)
    rows = boost(signed_rows(in_numbers_of(centre, points), signs), centre)
    on_line = len(centre) == 1 and not radius
    span = None if radius or on_line else find_span(rows, points, centre, weights)
    if radius:
        moves = boost(uncertainty(in_numbers_of(centre, points), radius), centre)
        slices = RobustSlices(rows, c, moves, conic_solver, weights)
    else:
        rows = rows if span is None else span.rows
        kind = WarmSlices if rows.shape[1] > LEAST_DIMENSION else HingeSlices
        slices = kind(rows, c, weights)
        moved = (rows, slices.weights, centre, points)
        slices.find_shifts = (lambda: find_shifts(*moved)) if span is None else (lambda: span.lost)
    line = horospherical.search_line(points, signs, c, weights) if on_line else None
    longer = not radius and len(centre) < LEAST_DIMENSION
    longer = longer and c * total * points[:, 0].max() < _LONG_LARGEST
    search = _Search(slices, signs, tol, max_slices, conic_solver, longer)
    search.flat = span is not None
    search.run(line, centre)
    found = search.w if span is None else span.lift(search.w)
    w, value = return_normal(found, centre, points, signs, C, radius, weights)
    if line is not None and objective(line[1], points, signs, C, weights=weights) < value:
        w = found = line[1]
        value = objective(w, points, signs, C, weights=weights)
    search.far += lose_in_length(points, centre, np.finfo(centre.dtype).eps)
    search.far += 0.0 if span is None else span.longest
    if radius:
        verifier = RobustVerifier(slices, points, signs, centre, radius)
        lower = search.verify(verifier, value) - verifier.lose_in_objective(w, value)
    else:
        lower = search.verify(Verifier(slices, points, signs, centre, span), value)
    n_slices, cells = search.n_slices, search.cells
    for moved in (False, True):
        open_ = longer and value - lower > tol * value and n_slices < max_slices
        if not (open_ and search.lacks_digits(value, math.inf if moved else lower)):
            break
        centre = find_foot(search.w, centre) if moved else centre.astype(np.longdouble)
        slices = FarSlices(points, signs, centre, c, weights)
        search = _Search(slices, signs, tol, max_slices - n_slices, conic_solver)
        search.run(line, centre)
        again, reached = return_normal(search.w, centre, points, signs, C, radius, weights)
        if reached < value:
            w, value, found = again, reached, search.w
        search.far += lose_in_length(points, centre, 2.0**-98)
        again = search.verify(FarVerifier(slices, points, centre), value)
        lower = max(lower, math.nextafter(float(again), -math.inf))
        n_slices, cells = n_slices + search.n_slices, cells + search.cells
    lower = max(0.0, lower)
    if not (radius or value - lower <= tol * value):
        w, value = round_better(w, value, points, signs, C, weights)
    gap, warning = value - lower, ""
    status = "horospherical" if horospherical.is_on_cone(found) else "optimal"
    if not gap <= tol * value:
        status = "gap open"
        warning = (
            f"solver 'optimal' proved a relative gap of {gap / value:.1e}, not {tol:.0e}, "
            f"in {n_slices} slices"
        )
    extras = {"light_cone": search.cone, "cells": cells}
    return Solution(w, value, status, n_slices, lower, warning, extras)


class _Search:
    """Branch and bound on the time coordinate of w."""

    def __init__(self, slices, signs, tol, max_slices, conic_solver, longer=False):
        self.slices, self.tol, self.max_slices = slices, (1.0 - _SPARE) * tol, max_slices
        self.conic_solver, self.order = conic_solver, count()
        # With `longer`, a search in longer numbers follows where digits run out.
        self.longer, self.loose = longer, False
        self.bar = progress.bar(desc="value of w_0", total=max_slices)
        self.w, self.value, self.lower = None, math.inf, math.inf
        self.n_slices, self.cone_alive, self.cone, self.cells = 0, False, math.inf, 0
        self.stuck, self.deferred, self.leaves, self.ends = math.inf, [], [], None
        self.line, self.flat = None, False  # flat: rows have no part along the last axis
        self.knows_shifts = False  # whether the bound on the cone counts `find_shifts`
        # Any w that gives all points one label, as on the light cone, costs at least this.
        weights = slices.weights
        self.one_sided = slices.c * min(weights[signs > 0].sum(), weights[signs < 0].sum())
        self.far = max(1.0, np.linalg.norm(slices.rows[:, 1:], axis=1).max())
        self.first = 2.0 / math.sqrt(np.mean(slices.rows[:, 0] ** 2))
        self.lost = 0.0  # by rounding of the rows, c Σ q_i |δ_i|
        self.short = False  # whether the budget ended before the slices bounded all t

    @property
    def goal(self):
        """A part of the search region with this lower bound needs no further work."""
        return self.value * (1.0 - self.tol)

    def run(self, line=None, centre=None):
        """`line` is the bound on the light cone of one dimension and its w, if known before."""
        if line is not None:
            self.line = line[0], boost(line[1], -centre)
        with self.bar:
            self.search()

    def search(self):
        nearly_zero = np.eye(1, self.slices.rows.shape[1], 1)[0] * (_NARROW / self.far)
        self.offer(nearly_zero, self.slices.evaluate_loss(nearly_zero) + 0.5 * nearly_zero[1] ** 2)
        local, value = self.slices.find_local_optimum()
        self.offer(local, value)
        start = self.solve_slice(0.0)
        slices = self.march(start, -1.0)[:0:-1] + self.march(start, 1.0)
        if local is not None:
            self.insert_slice(slices, local[0])
        self.ends = slices[0], slices[-1]
        queue = []
        for a, b in pairwise(slices):
            self.push(queue, a, b)
        self.split(queue)
        if self.longer and self.loose:
            pass  # the light cone waits for the longer numbers
        elif self.cone_alive or self.deferred:
            self.search_cone()
        elif self.one_sided < self.value and (self.short or (queue and queue[0][0] < self.goal)):
            self.descend_on_cone()  # which the slices may not have met
        waiting, self.deferred = self.deferred, []
        for interval in waiting:
            self.push(queue, interval.a, interval.b)
        self.split(queue)
        self.leaves += self.deferred + [entry[2] for entry in queue]
        if queue:
            self.lower = min(self.lower, queue[0][0])

    def split(self, queue):
        """Split the interval of the lowest bound, until none is below the goal or none can gain."""
        while queue and queue[0][0] < self.most() and self.n_slices < self.most_slices():
            _, _, interval, split = heapq.heappop(queue)
            a, b = interval.a, interval.b
            middle = self.solve_slice(split)
            if split > a.t:
                self.push(queue, a, middle)
            if split < b.t:
                self.push(queue, middle, b)

    def most_slices(self):
        hasty = self.longer and (self.loose or self.far > _FAR)
        return min(self.max_slices, _PATIENCE if hasty else math.inf)

    def most(self):
        """What the lowest bound can become: a slice that lacks digits holds it down for good."""
        return min(self.goal, self.stuck - _LITTLE * (self.value - self.stuck))

    def search_cone(self):
        """Bound of the objective on the light cone, and a better w there if there is one."""
        if self.one_sided >= self.goal:
            self.cone = self.one_sided
            return
        if self.line is not None:
            self.cone, w = self.line
            self.offer(w, self.cone)
            return
        problem = self.slices.restart(), self.w, self.value, self.tol
        if isinstance(self.slices, RobustSlices):
            found = horospherical.search_cone(*problem, self.max_slices, self.conic_solver)
        elif self.flat:
            found = horospherical.search_flat(*problem, self.conic_solver)
        else:
            share = min(_CELLS_A_SLICE, _CELL_WORK / self.slices.rows.shape[1] ** 3)
            if isinstance(self.slices, FarSlices):
                share = min(share, 1.0)  # its bounds are in doubles, and more would not gain
            found = cone_search.search_cone(*problem, int(share * self.max_slices))
            self.knows_shifts = True
        self.cone, self.w, self.value, self.cells = found

    def descend_on_cone(self):
        """Local descents on the light cone, with no bound."""
        if self.line is not None:
            self.search_cone()
        elif isinstance(self.slices, RobustSlices):
            for sign in (1.0, -1.0):
                self.offer(*cone_descent.descend(self.slices, sign))
        else:
            problem = self.slices.restart(), self.w, self.value, self.tol
            _, self.w, self.value, _ = cone_search.search_cone(*problem, 0)

    def insert_slice(self, slices, t):
        """One more slice at t, if t is between the others."""
        k = sum(known.t < t for known in slices)
        if 0 < k < len(slices) and slices[k].t != t and self.n_slices < self.max_slices:
            slices.insert(k, self.solve_slice(t))

    def lacks_digits(self, value, lower):
        """Whether rounding, not the budget, leaves a gap at a w of this objective."""
        some = _LITTLE * self.tol * value
        found = min(self.lower, self.cone, self.found)
        ended = self.n_slices >= _PATIENCE == self.most_slices()
        return ended or self.loose or abs(value - self.found) > some or found - lower > some

    def verify(self, verifier, value):
        """Lower bound that holds for the points as given, where w has this objective."""
        self.found, self.value, self.lost = self.value, value, verifier.lost
        cone = self.one_sided * (1.0 - 1e-13)
        if self.line is not None:
            cone = max(cone, self.line[0])
        elif not math.isinf(self.cone):
            lost = verifier.error if self.knows_shifts else verifier.lost
            cone = max(cone, self.cone - verifier.lose_on_cone(value, lost))
        used = {id(end): end for leaf in self.leaves for end in (leaf.a, leaf.b)}
        used |= {id(end): end for end in self.ends}
        ends = dict(zip(used, verifier.verify(list(used.values())), strict=True))
        lowest = lower_bound(self.leaves, ends, cone, self.goal, *self.bound_far_out())
        for last, sign in zip(self.ends, (-1.0, 1.0), strict=True):
            lowest = min(lowest, self.bound_beyond(ends[id(last)][sign], sign, 0.0, cone))
        return min(lowest, value if math.isinf(self.cone) else cone, value)

    def solve_slice(self, t):
        """Slice at t; its best w becomes the incumbent if it is better."""
        self.n_slices += 1
        self.bar.update()
        t = float(t)
        scale = min(self.value, self.one_sided)
        result = self.slices.solve_at(t, _SLICE_SHARE * self.tol * scale, self.goal)
        norm = result.norm
        if norm < abs(t) and result.bound(t) < self.goal and self.one_sided < self.goal:
            # Sharp enough to prove that the minimiser is inside the cone as well.
            sharp = max(0.1 * (abs(t) - norm) ** 2, 1e-12 * scale)
            if result.gap > sharp:
                result = self.slices.solve_at(t, sharp, math.inf)
                norm = result.norm
        if result.gap > result.aim and result.bound(t) < self.goal:
            self.loose = True
        if norm >= abs(t):
            value = result.upper - 0.5 * result.t * result.t
            if value > result.rounding(abs(t)):  # else nothing of it is known
                self.offer(np.append(t, result.u), value)
            if result.gap > result.aim and result.bound(t) < self.goal:
                self.stuck = min(self.stuck, result.bound(t))
        elif norm > 0.0 and self.one_sided < self.value:
            u, sign = np.asarray(result.u, dtype=float), math.copysign(1.0, t)
            self.offer(*horospherical.find_best_on_ray(self.slices, sign, u))
        return result

    def offer(self, w, value):
        if value < self.value:
            self.w, self.value = np.asarray(w, dtype=float), float(value)

    def march(self, start, sign):
        """Slices outward from `start` until nothing further out can matter."""
        slices, t = [start], sign * self.first
        while not self.is_finished(slices[-1], sign):
            self.short = self.n_slices >= self.max_slices
            if len(slices) > _MAX_STRIDES or self.short:
                self.lower = 0.0  # as the objective is at least, everywhere
                break
            slices.append(self.solve_slice(t))
            t *= _STRIDE
        return slices

    def is_finished(self, last, sign):
        """Whether all w further out are no better than the incumbent, or on the light cone."""
        beyond = self.bound_beyond(last, sign, self.goal, math.inf)
        self.cone_alive |= math.isinf(beyond)
        if beyond > 0.0:
            self.lower = min(self.lower, beyond)
        return beyond > 0.0

    def bound_beyond(self, last, sign, goal, cone):
        """Lower bound for all t further out; `cone` where only the light cone is left, or 0.

        Bounds of the slice below `goal` do not count.
        """
        t, size = last.t, abs(last.t)
        if size == 0.0:
            return 0.0
        beyond = 0.0
        # The bound rises further out.
        bound = last.bound(t) - last.rounding(size)
        if bound >= goal and last.rises(sign) and last.length <= size * _NEARLY:
            beyond = bound
        far, between = self.bound_far_out()
        if size >= far and between >= goal:
            beyond = max(beyond, between)
        if beyond >= self.goal:
            return beyond
        # u* moves by at most √(spread + 2 steep τ) in τ: it stays behind |t| for good.
        slope = self.slices.bound_slope(sign) * (1.0 + 1e-9) + self.lost
        steep = max(0.0, slope - sign * last.slope)
        spread = 2.0 * last.open
        farthest = math.sqrt(spread) if steep**2 <= spread else 0.5 * (steep + spread / steep)
        return max(beyond, cone) if last.length + farthest < size else beyond

    def bound_far_out(self):
        """A |t|, and a bound of all objectives beyond it.

        A hyperplane between points has |t| <= tanh(ρ)|u|; a better one, |u|² - t² <= 2 value.
        """
        far = self.far * math.sqrt(2.0 * self.value) * (1.0 + 1e-9)
        return far, min(self.value, self.one_sided * (1.0 - 1e-13))

    def push(self, queue, a, b):
        """Queue (bound, tie-break, interval, where to split) for t in [a.t, b.t].

        An interval that the light cone bounds, or may bound after its search, is deferred.
        """
        interval = Interval(a, b)
        bound, split = interval.find_lowest()
        if interval.width <= _NARROW * max(abs(a.t), abs(b.t)):
            self.lower = min(self.lower, bound)
            bound = math.inf
        elif bound < self.goal and a.sharp and b.sharp:
            if (rest := interval.bound_off_cone(self.goal)) is not None:
                self.cone_alive = True
                bound = rest
            elif interval.highest_inside() <= (self.goal if math.isinf(self.cone) else self.cone):
                self.deferred.append(interval)
                return
        split = float(self.choose_split(a, b, split))
        heapq.heappush(queue, (bound, next(self.order), interval, split))

    def choose_split(self, a, b, split):
        """An end whose slice is loose, else `split` if it lies well inside, else the middle."""
        for end in (a, b):
            aim = 2.0 * _SLICE_SHARE * self.tol * self.value
            if end.aim > aim and end.gap > aim and end.bound(end.t) < self.goal:
                return end.t
        if min(split - a.t, b.t - split) > 0.1 * (b.t - a.t):
            return split
        small, large = sorted((abs(a.t), abs(b.t)))
        small = max(small, self.first)
        if large > _STRIDE * small:
            return math.copysign(math.sqrt(small * large), a.t + b.t)
        return 0.5 * (a.t + b.t)
