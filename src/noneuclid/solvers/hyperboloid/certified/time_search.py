"""Branch and bound on the time coordinate of w, the only one in which the problem is concave."""

import heapq
import math
from dataclasses import dataclass
from itertools import count, pairwise

import numpy as np

from noneuclid.solvers import progress
from noneuclid.solvers.hyperboloid.certified.intervals import Interval
from noneuclid.solvers.hyperboloid.certified.light_cone import horospherical
from noneuclid.solvers.hyperboloid.certified.verified_bound import lower_bound

_STRIDE = 64.0  # ratio of the next |t| outward to the last
_MAX_STRIDES = 40  # outward
_SLICE_SHARE = 0.1  # of the tolerance goes to each slice
_FAR = 1e3  # rows, which are likely to need longer numbers
_PATIENCE = 100  # slices, if some lack digits and longer numbers follow
_LITTLE = 0.1  # of a gap that no slice can close
_NARROW = 1e-12  # relative width of intervals that are not split again
_NEARLY = 1.0 + 1e-9  # as long, up to rounding: §6
_SPARE = 1e-3  # of the tolerance, for the rounding that the proof takes off


class TimeSearch:
    """Intervals of t between slices, and the incumbent w with its objective `value`.

    `lower` and `cone` bound the objective where no interval is left and on the light cone.
    """

    def __init__(self, coordinates, tol, max_slices):
        self.coordinates, self.slices = coordinates, coordinates.slices
        self.tol, self.max_slices = (1.0 - _SPARE) * tol, max_slices
        self.one_sided, self.order = coordinates.one_sided, count()
        self.bar = progress.bar(desc="value of w_0", total=max_slices)
        self.w, self.value, self.lower = None, math.inf, math.inf
        self.n_slices, self.cone_alive, self.cone, self.cells = 0, False, math.inf, 0
        self.stuck, self.deferred, self.leaves, self.ends = math.inf, [], [], None
        self.first = 2.0 / math.sqrt(np.mean(self.slices.rows[:, 0] ** 2))
        self.short = False  # whether the budget ended before the slices bounded all t
        self.loose = False  # whether a slice lacked digits
        self.cone_searched = False  # else `cone` is `one_sided`, or not needed

    @property
    def goal(self):
        """A part of the search region with this lower bound needs no further work."""
        return self.value * (1.0 - self.tol)

    def run(self):
        """Search all t, and the light cone where slices leave it open."""
        with self.bar:
            queue = self.start()
            self.split(queue)
            if self.coordinates.longer and self.loose:
                pass  # the light cone waits for the longer numbers
            elif self.cone_alive or self.deferred:
                self.search_cone()
            elif self.one_sided < self.value and (
                self.short or (queue and queue[0][0] < self.goal)
            ):
                self.descend_on_cone()  # which the slices may not have met
            waiting, self.deferred = self.deferred, []
            for interval in waiting:
                self.push(queue, interval.a, interval.b)
            self.split(queue)
            self.offer(*self.slices.sharpen(self.w))
        self.leaves += self.deferred + [entry[2] for entry in queue]
        if queue:
            self.lower = min(self.lower, queue[0][0])

    def start(self):
        """The first incumbents, slices from end to end, and a queue of the intervals between."""
        far = self.coordinates.far
        nearly_zero = np.eye(1, self.slices.rows.shape[1], 1)[0] * (_NARROW / far)
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
        return queue

    def split(self, queue):
        """Split the interval of the lowest bound, until none is below the goal or none can gain."""
        far = self.coordinates.far
        while queue and queue[0][0] < self.most() and self.n_slices < self.most_slices(far):
            _, _, interval, split = heapq.heappop(queue)
            a, b = interval.a, interval.b
            middle = self.solve_slice(split)
            if split > a.t:
                self.push(queue, a, middle)
            if split < b.t:
                self.push(queue, middle, b)

    def most_slices(self, far):
        """Largest number of slices, fewer where longer numbers will follow."""
        hasty = self.coordinates.longer and (self.loose or far > _FAR)
        return min(self.max_slices, _PATIENCE if hasty else math.inf)

    def most(self):
        """What the lowest bound can become: a slice that lacks digits holds it down for good."""
        return min(self.goal, self.stuck - _LITTLE * (self.value - self.stuck))

    def search_cone(self):
        """Bound of the objective on the light cone, and a better w there if there is one."""
        if self.one_sided >= self.goal:
            self.cone = self.one_sided
            return
        found = self.coordinates.search_cone(self.w, self.value, self.tol, self.max_slices)
        self.cone, self.w, self.value, self.cells = found
        self.cone_searched = True

    def descend_on_cone(self):
        """Local descents on the light cone, with no bound."""
        if self.coordinates.line is not None:
            self.search_cone()
        else:
            self.offer(*self.coordinates.descend_on_cone(self.w, self.value, self.tol))

    def insert_slice(self, slices, t):
        """One more slice at t, if t is between the others."""
        k = sum(known.t < t for known in slices)
        if 0 < k < len(slices) and slices[k].t != t and self.n_slices < self.max_slices:
            slices.insert(k, self.solve_slice(t))

    def lacks_digits(self, value, lower):
        """Whether rounding, not the budget, leaves a gap at a w of this objective."""
        some = _LITTLE * self.tol * value
        found = min(self.lower, self.cone, self.value)
        ended = self.n_slices >= _PATIENCE == self.most_slices(self.coordinates.proved_far)
        return ended or self.loose or abs(value - self.value) > some or found - lower > some

    def prove(self, verifier, value):
        """Lower bound that holds for the points as given, where w has this objective."""
        cone = self.one_sided * (1.0 - 1e-13)  # §9.1
        if self.coordinates.line is not None:
            cone = max(cone, self.coordinates.line[0])
        elif not math.isinf(self.cone):
            known = self.cone_searched and self.coordinates.cone_knows_shifts
            lost = verifier.error if known else verifier.lost
            cone = max(cone, self.cone - verifier.rounding_error_on_cone(value, lost))
        used = {id(end): end for leaf in self.leaves for end in (leaf.a, leaf.b)}
        used |= {id(end): end for end in self.ends}
        ends = dict(zip(used, verifier.verify(list(used.values())), strict=True))
        further_out = self.look_further_out(value, self.coordinates.proved_far, verifier.lost)
        lowest = lower_bound(self.leaves, ends, cone, further_out.goal, *further_out.start())
        for last, sign in zip(self.ends, (-1.0, 1.0), strict=True):
            lowest = min(lowest, further_out.bound(ends[id(last)][sign], sign, 0.0, cone))
        return min(lowest, value if math.isinf(self.cone) else cone, value)

    def look_further_out(self, value, far, lost=0.0):
        """Bounds at large |t| beside an incumbent of this objective."""
        goal = value * (1.0 - self.tol)
        return FurtherOut(self.slices, self.one_sided, far, value, goal, lost)

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
        """Make w the incumbent if its objective is lower."""
        if value < self.value:
            self.w, self.value = np.asarray(w, dtype=float), float(value)

    def march(self, start, sign):
        """Slices outward from `start` until nothing further out can matter."""
        slices, t = [start], sign * self.first
        while True:
            # Whether all w further out are no better than the incumbent, or on the light cone.
            further_out = self.look_further_out(self.value, self.coordinates.far)
            beyond = further_out.bound(slices[-1], sign, self.goal, math.inf)
            self.cone_alive |= math.isinf(beyond)
            if beyond > 0.0:
                self.lower = min(self.lower, beyond)
                break
            self.short = self.n_slices >= self.max_slices
            if len(slices) > _MAX_STRIDES or self.short:
                self.lower = 0.0  # as the objective is at least, everywhere
                break
            slices.append(self.solve_slice(t))
            t *= _STRIDE
        return slices

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


@dataclass(frozen=True)
class FurtherOut:
    """Bounds at large |t|, for an incumbent of objective `value` of which `goal` is wanted."""

    slices: object
    one_sided: float  # any w that gives all points one label, as on the light cone, costs as much
    far: float  # sinh ρ of the largest distance ρ from the origin, at least 1
    value: float
    goal: float
    lost: float = 0.0  # by rounding of the rows, c Σ q_i |δ_i|

    def start(self):
        """A |t|, and a bound of all objectives beyond it.

        A hyperplane between points has |t| <= tanh(ρ)|u|; a better one, |u|² - t² <= 2 value.
        """
        far = self.far * math.sqrt(2.0 * self.value) * (1.0 + 1e-9)  # §9.8
        return far, min(self.value, self.one_sided * (1.0 - 1e-13))  # §9.1

    def bound(self, last, sign, least, cone):
        """Lower bound for all t beyond `last`; `cone` where only the light cone is left, or 0.

        Bounds of the slice below `least` do not count.
        """
        t, size = last.t, abs(last.t)
        if size == 0.0:
            return 0.0
        beyond = 0.0
        # The bound rises further out.
        bound = last.bound(t) - last.rounding(size)
        if bound >= least and last.rises(sign) and last.length <= size * _NEARLY:
            beyond = bound
        far, between = self.start()
        if size >= far and between >= least:
            beyond = max(beyond, between)
        if beyond >= self.goal:
            return beyond
        # u* moves by at most √(spread + 2 steep τ) in τ: it stays behind |t| for good.
        slope = self.slices.bound_slope(sign) * (1.0 + 1e-9) + self.lost  # §9.8
        steep = max(0.0, slope - sign * last.slope)
        spread = 2.0 * last.open
        farthest = math.sqrt(spread) if steep**2 <= spread else 0.5 * (steep + spread / steep)
        return max(beyond, cone) if last.length + farthest < size else beyond
