"""Soft margin in Hilbert and Funk geometry, with a proof of how good the answer is.

Acharya et al. (2026), section 4.1. For a radius r, LP (14) is min Σ ω_i ξ_i, where ξ_i >= 0 is the
least amount by which g must be lifted on the side of point i for the whole ball of radius r about
it to lie there: ξ_i = max(0, -min over the ball of sign_i g). The classifier maximises h(r) = r - C
Ξ_r/n over r in [1e-6 cap, cap], Ξ_r the LP's value.

Choices that the paper leaves open:

- ω_i = 1/(Euclidean distance of p_i to its nearest facet, within the affine hull). The printed
  Hilbert distance to a facet is infinite.
- (w, c) needs a scale, or g = 0 costs nothing. Here w·u = 1 for a unit vector u, so that ξ_i is
  the length by which the hyperplane must be moved along u. `normalization="means"`: u points from
  the mean of the negative to that of the positive class. No separating hyperplane is lost, since
  it has the means on its two sides; what is lost has the means on the wrong sides or on one level.
  One LP a radius; facets may be scaled, space moved and turned, labels swapped. "axes": the best
  of u = ± each axis (projected into the hull): nothing is lost, 2d LPs. "paper": 1'w = 1 as
  published, which loses every hyperplane with 1'w <= 0.
- Ξ_r is bounded while r is not: over all r, h has no maximum. So the range of r is part of the
  problem. It ends at cap, half of the longest distance between points of different classes (Funk
  metrics: the largest margin that a pair of points allows): beyond it no hyperplane has a whole
  ball of each class on its side. It begins at 1e-6 cap. Radii outside may have a larger h: small
  ones if C is large, and all that are large enough. (The grid of [1] ends at M = O(B + log d), a
  bound on distances between points of B bits.)

Search: Ξ_r never falls with r, so h <= b - C Ξ_a/n on [a, b]. A better bound comes from the dual
solutions z = T p + y at both ends, with ρ = e^{2r} (Hilbert) or e^r (Funk, reverse Funk). z lies in
the cone over the ball if y <= T (ρ - 1) p in facet values (Funk: in height). The mean of both with
shares λ = (ρ_b - ρ)/(ρ_b - ρ_a) and 1 - λ is balanced at the value λ Ξ_a + (1 - λ) Ξ_b. It exceeds
T (ρ - 1) p by at most x (T_b - T_a) p, x = λ (1 - λ) (ρ_b - ρ_a), in rows with T_b > T_a. There
x (1 - T_a/T_b) y_b/(ρ_b - 1) is taken off: the rest lies in the cone, and is out of balance by x V,
V = Σ ω_i sign_i (1 - T_a/T_b) y_b/(ρ_b - 1). So the slacks of any g add up to at least
λ Ξ_a + (1 - λ) Ξ_b + x g·V. With t <= min Ξ_a(g) + μ g·V, μ > 0, from one more minimisation at a,
whose bound holds at larger radii too, the mean of both with shares μ and x has no g·V:
Ξ_r >= (μ (λ Ξ_a + (1 - λ) Ξ_b) + x t)/(μ + x). Near a maximum this leaves the second power of
b - a. All bounds are values of feasible dual points of all rows.

The maximum is located first, on a sample of the rows if there are many: each with a probability in
proportion to its weight, at most 1, so that the rows next to the boundary, which may hold half of
Ξ, are all in it. From there the intervals grow: by the distance of h from its maximum, and twofold
at least. Where few steps without a chord suffice, no second bound is sought. A minimisation that
fails bounds no interval, and other radii are tried; after four failures the interval stays open.

On a simplex each minimisation starts at the answer at a near radius, or at that of the sample at
the same radius: its g, its masses and some multiple of the last width of its smoothing. In other
polytopes the heaviest rows come first: Ξ of some rows is a bound of Ξ, and enough where h is far
below its maximum.

Each Ξ_r is found on a simplex by Newton's method in the m values of g at the corners, in O(nm)
memory and time a step; rows whose ball lies on its side all along are left out (Funk: by a linear
program in n + m + 2 unknowns). In other polytopes an interior-point method has m multipliers and
more for each point and factors a matrix for each: sensible up to n = 1e4. Where these end early,
as for rows next to facets, a problem of few rows is solved as a linear program.
"""

import heapq
from dataclasses import replace
from itertools import pairwise

import numpy as np

from noneuclid.errors import InputError
from noneuclid.solvers import progress
from noneuclid.solvers.hilbert.problem import METRICS, HilbertSolution, is_simplex
from noneuclid.solvers.hilbert.soft_margin_polytope import solve_in_polytope
from noneuclid.solvers.hilbert.soft_margin_problem import draw_rows, largest_radius, problems
from noneuclid.solvers.hilbert.soft_margin_program import MOST, solve_as_program
from noneuclid.solvers.hilbert.soft_margin_simplex import solve_funk_on_simplex, solve_on_simplex

_LEAST = 1e-6  # of the range of radii
_SHARE_OF_TOL = 0.2  # for the slices
_SHARE_OF_GAP = 0.2  # of what h lacks there to the best: also for the slices
_HOPE = 0.6  # of tol: what a chord may leave at best if it is to be tried
_SPARE = 0.2  # of what is left to a chord, for the finite μ
_NEAR = 0.2  # of a radius: farther ones start with the sample's answer, if there is one
# Widths at which a descent begins, over those at which the one that it starts from ended.
_AFTER_NEAR, _AFTER_SAMPLE = 30.0, 3.0
# Rows of the sample, on a simplex and elsewhere: about so many at least, and this share of all.
_SAMPLE = {True: (1000, 0.05), False: (300, 0.03)}
_GROWTH = 2.0  # of the next interval where one needed no chord
_FEW = 3.0  # intervals without chords, instead of one with it
_HEAVY = 8  # one row in so many bounds h at far radii, in polytopes
_CLIMB = 4.0  # factor between the first radii
_REFINE = 6  # radii tried near the maximum
_FAILURES = 4  # of minimisations: then an interval is left open


def soft_margin(
    X, signs, A, b, E, f, metric="hilbert", C=1.0, tol=1e-4, max_iter=1000,
    normalization="means", weights=None
):  # fmt: skip
    """Affine function and radius that maximise r - C·Ξ_r/n (Acharya et al. 2026, 14).

    `weights` multiply the C of their rows and count in the class means and in n, so that 2 is the
    same as two equal rows; a common factor changes nothing. `slacks` are the ξ_i. `upper_bound` is
    proved by the dual, up to rounding, for the radii in `radii` and this normalisation. On the
    probability simplex `nu` is set.
    """
    X, signs = np.asarray(X, dtype=float), np.sign(np.asarray(signs, dtype=float))
    if metric not in METRICS:
        raise InputError(f"metric={metric!r} is not one of {', '.join(METRICS)}")
    if not C > 0:
        raise InputError(f"C={C} is not positive")
    cone, found = problems(X, signs, A, b, E, f, metric, normalization, weights)
    cap = largest_radius(found[0])
    search = _Search(found, C / len(X), tol, max_iter, (_LEAST * cap, cap))
    with search.bar:
        upper = search.run()
    nu = search.g if is_simplex(*map(np.asarray, (A, b, E, f))) else None
    w, c = cone.affine(search.problem.back @ search.g) if nu is None else (nu, 0.0)
    gap = upper - search.best
    warning = ""
    if not gap <= tol:
        count = search.n_iter
        warning = (
            f"Hilbert soft margin: gap {gap:.1e} left after {count} minimisations; raise tol or "
            "max_iter, lower C, or move rows away from the boundary"
        )
    return HilbertSolution(
        w,
        c,
        search.radius,
        search.best,
        upper,
        search.n_iter,
        "inaccurate" if warning else "optimal",
        warning,
        nu,
        search.slacks,
        search.radii,
    )


def choose_solver(problem):
    """Function that solves one radius of a problem."""
    if problem.B is not None:
        return solve_in_polytope
    return solve_funk_on_simplex if problem.metric == "funk" else solve_on_simplex


class _Search:
    """Branch and bound over radii, for all directions at once."""

    def __init__(self, found, price, tol, max_iter, radii):
        self.found, self.price, self.tol, self.max_iter = found, price, tol, max_iter
        self.radii, self.best, self.n_iter = radii, -np.inf, 0
        self.slices = {}
        self.bend = None  # of h, as the bounds of intervals see it: excess = bend width²/8
        self.closed = {}  # width of the last interval that was closed next to a slice
        self.bar = progress.bar(desc="minimisation", total=max_iter)
        self.sample = self.rows = None
        n, (least, share) = len(found[0].signs), _SAMPLE[found[0].B is None]
        if n > 2 * max(least, share * n):
            self.rows, weights = draw_rows(found[0], max(least, share * n))
            few = [replace(p.take(self.rows), weights=weights) for p in found]
            self.sample = _Search(few, price, tol, max_iter, radii)

    def run(self):
        """Upper bound of the objective; the answer is kept in the attributes."""
        self.locate_maximum()
        heap = []
        for k in range(len(self.found)):
            sound = (r for i, r in self.slices if i == k and not self.has_failed(k, r))
            for a, b in pairwise(sorted({*sound, *self.radii})):
                self.push(heap, k, a, b)
        closed = -np.inf  # bound of what is not looked at any more
        while heap:
            bound, k, a, b, failures = heapq.heappop(heap)
            bound, goal = -bound, self.best + self.tol
            if bound <= goal or self.n_iter >= self.max_iter:
                closed = max(closed, bound)
                break
            if b - a < 1e-12 * b or failures == _FAILURES:
                closed = max(closed, bound)
                continue
            middle = self.split(k, a, b)
            if failures:  # which `split` would repeat
                middle = a + (b - a) * (0.618 * failures % 1.0)
            self.add_slice(k, middle)
            if self.has_failed(k, middle):
                heapq.heappush(heap, (-bound, k, a, b, failures + 1))
                continue
            self.push(heap, k, a, middle, failures)
            self.push(heap, k, middle, b, failures)
        return max(closed, self.best)

    def locate_maximum(self):
        """Slices at the least radius, and near the maximum for the direction that is best there."""
        search = self.sample or self
        for k in range(len(self.found)):
            search.add_slice(k, self.radii[0])
        search.climb(max(search.slices, key=search.value)[0])
        if search is not self:
            self.bend = search.bend
            k = next(i for i, p in enumerate(search.found) if p is search.problem)
            self.add_slice(k, search.radius)
            for k in range(len(self.found)):
                if (k, self.radii[0]) not in self.slices:
                    self.add_slice(k, self.radii[0])

    def climb(self, k):
        """Slices at radii that grow until h cannot rise again, then at the tops of parabolas."""
        cap = self.radii[1]
        for radius in cap * _CLIMB ** np.arange(-6.0, 1.0):
            if self.n_iter >= self.max_iter:
                return
            self.add_slice(k, radius)
            if cap - radius + self.value((k, radius)) <= self.best:
                break
        for _ in range(_REFINE):
            known = sorted(r for i, r in self.slices if i == k and not self.has_failed(k, r))
            values = np.array([self.value((k, r)) for r in known])
            radii, values = np.array(known)[np.isfinite(values)], values[np.isfinite(values)]
            if self.n_iter >= self.max_iter or len(radii) < 3:
                return
            at = values.argmax()
            if at in (0, len(radii) - 1):
                return
            (a, c, b), near = radii[at - 1 : at + 2], values[at - 1 : at + 2]
            square, slope = np.polyfit([a - c, 0.0, b - c], near, 2)[:2]
            self.bend = -4.0 * square  # as the bounds see it: twice as much
            if np.ptp(near) <= self.tol:
                return
            top = c - 0.5 * slope / square
            if min(abs(top - radii)) < 0.1 * (b - a):  # nothing new to be learnt there
                top = c + 0.3 * ((b if b - c > c - a else a) - c)
            self.add_slice(k, top)
            if self.has_failed(k, top):
                return

    def floor(self, k, radius):
        """Lower bound of Ξ at a radius: Ξ never falls, so bounds at smaller radii hold."""
        return max(s.lower for (i, r), s in self.slices.items() if i == k and r <= radius)

    def has_failed(self, k, radius):
        """Whether the slice at a radius leaves open what h is there: it bounds no interval."""
        return radius - self.price * self.floor(k, radius) > self.best + self.tol

    def value(self, key):
        """Lower bound of h at a slice."""
        return key[1] - self.price * self.slices[key].upper

    def split(self, k, a, b):
        """The radius next to be solved in [a, b]: near the end where h is larger."""
        ends = [e for e in (a, b) if (k, e) in self.slices]
        end = max(ends, key=lambda e: self.value((k, e)))
        room = self.find_room(k, end)
        few = end == a and b - a <= _FEW * room
        if not (self.bend or few):
            return np.sqrt(a * b) if a > 0.01 * b else max(0.1 * b, a)
        width = 0.95 * room  # needs no chord
        if not few:
            width = max(width, np.sqrt(8.0 * room / self.bend))
        if end != self.radius:
            width = max(width, _GROWTH * self.closed.get((k, end), 0.0))
        if len(ends) == 2 and width > 0.5 * (b - a):
            return 0.5 * (a + b)
        width = min(width, b - a)
        return a + width if end == a else b - width

    def find_room(self, k, radius):
        """Length of the interval from here on that is closed without a chord; `tol` if none is."""
        return max(self.tol, self.best + self.tol - radius + self.price * self.floor(k, radius))

    def push(self, heap, k, a, b, failures=0):
        """Queue an interval between sound slices, whose search met so many that failed."""
        bound = simple = b - self.price * self.floor(k, a)
        goal = self.best + self.tol
        if (k, b) in self.slices and b > a:
            top = max(self.value((k, a)), self.value((k, b)))
            if simple > goal and b - a > _FEW * (goal - top):
                bound = min(simple, self.bound_by_chord(k, a, b))
            known = 0.0 if self.bend is None else self.bend / _GROWTH**2
            if simple <= goal:
                # Closed without a chord, it says nothing about wider ones: the next is wider.
                self.bend = known or None if self.radius in (a, b) else self.bend
            elif bound < simple:
                self.bend = max(8.0 * (bound - top) / (b - a) ** 2, known)
            elif self.bend is not None and np.isfinite(top):  # half of the width is next
                self.bend = max(32.0 * (goal - top) / (b - a) ** 2, self.bend)
            if bound <= goal:
                self.closed[k, a] = self.closed[k, b] = b - a
        heapq.heappush(heap, (-bound, k, a, b, failures))

    def add_slice(self, k, radius):
        """Bounds of Ξ at a radius, as sharp as needed there."""

        def stop(lower, upper):
            short = self.best - (radius - self.price * lower)
            wanted = max(_SHARE_OF_TOL * self.tol, _SHARE_OF_GAP * short)
            return self.price * (upper - lower) <= wanted

        load = np.zeros_like(self.found[k].pull)
        self.slices[k, radius] = found = self.solve_slice(k, radius, load, stop)
        value = radius - self.price * found.upper
        if value > self.best or self.best == -np.inf:
            self.best, self.radius, self.problem = value, radius, self.found[k]
            self.g, self.slacks = found.g, found.slacks

    def solve_slice(self, k, radius, load, stop):
        problem = self.found[k]
        found = self.minimise(k, radius, load, stop)
        if problem.a.size <= MOST and not stop(found.lower, found.upper):
            other = solve_as_program(problem, radius, problem.weights, load)
            found = found.join(other)
        return found

    def minimise(self, k, radius, load, stop):
        self.n_iter += 1
        self.bar.update()
        problem = self.found[k]
        solver, task = choose_solver(problem), (problem, radius, problem.weights, load, stop)
        if problem.B is not None and self.sample and self.slices and not load.any():
            found = self.bound_by_heavy(problem, radius, stop)
            if self.best + self.tol - radius + self.price * found.lower >= radius:
                return found
        if solver is not solve_on_simplex:
            return solver(*task)
        start = self.choose_start(k, radius, load, stop)
        found = solver(*task, start)
        if start is None or load.any() or stop(found.lower, found.upper):
            return found
        return solver(*task)

    def bound_by_heavy(self, problem, radius, stop):
        """Lower bound of Ξ from the heaviest rows alone, with no mass on the others."""
        n = len(problem.signs)
        rows = np.argsort(-problem.weights, kind="stable")[: max(_SAMPLE[False][0], n // _HEAVY)]
        few, load = problem.take(rows), np.zeros_like(problem.pull)
        found = choose_solver(few)(few, radius, few.weights, load, stop)
        sizes = np.zeros(n)
        sizes[rows] = found.sizes
        fields = {"sizes": sizes, "slacks": np.zeros(n), "upper": np.inf}
        return replace(found, **fields, resultant=lambda c: found.resultant(c[rows]))

    def choose_start(self, k, radius, load, stop):
        """Answer at the nearest radius or that of the sample at this one, to start from."""
        near = [(abs(np.log(r / radius)), r) for i, r in self.slices if i == k]
        distance, at = min(near, default=(np.inf, None))
        if distance < _NEAR or load.any():
            start = self.slices[k, at]
            level = np.inf if load.any() else _AFTER_NEAR * start.level
            return replace(start, level=level)
        if self.sample:
            start = self.sample.slices.get((k, radius))
            if start is None or not stop(start.lower, start.upper):
                start = self.sample.solve_slice(k, radius, load, stop)
                self.sample.slices[k, radius] = start
            alpha = np.full(len(self.found[k].signs), np.nan)
            if start.alpha is not None:
                alpha[self.rows] = start.alpha
            return replace(start, alpha=alpha, level=_AFTER_SAMPLE * start.level)
        return replace(self.slices[k, at], alpha=None) if near else None

    def bound_by_chord(self, k, a, b):
        """Bound on [a, b] from the duals at both ends, and one more that balances their mean."""
        problem, low, high = self.found[k], self.slices[k, a], self.slices[k, b]
        goal = self.best + self.tol

        def bound(sag):
            return _maximise_bound(a, b, problem.rate, self.price, low.lower, high.lower, sag)

        simple, hope = b - self.price * low.lower, bound(0.0)
        if hope > self.best + _HOPE * self.tol or hope == simple:
            return simple
        width = _measure_width(a, b, problem.rate)
        new = np.where(high.sizes > low.sizes, 1.0 - low.sizes / (high.sizes + 1e-300), 0.0)
        shares = problem.weights * problem.signs * new / np.expm1(problem.rate * b)
        V = high.resultant(shares) - (shares * high.sizes) @ problem.points
        rise = high.lower - low.lower
        mass = ((problem.weights * low.sizes) @ np.abs(problem.points)).sum()
        mu = 0.25 * width * self.price * rise / (_SPARE * (goal - hope))
        if not V.any():
            return hope
        if mu * np.abs(V).sum() > mass:  # then nothing balances it
            return simple

        def sag(t):
            return max(0.0, high.lower - t) / mu

        def stop(lower, upper):
            enough = bound(sag(lower)) <= goal - 0.1 * self.tol
            useless = bound(sag(upper)) > goal - 0.1 * self.tol
            return enough or useless

        found = self.solve_slice(k, a, -mu * V, stop)
        return min(simple, bound(sag(found.lower))) if np.isfinite(found.lower) else simple


def _measure_width(a, b, rate):
    """ρ_b - ρ_a."""
    return np.exp(rate * a) * np.expm1(rate * (b - a))


def _maximise_bound(a, b, rate, price, low, high, sag):
    """Largest r - price max(low, chord - sag x) over [a, b], x = (ρ_b - ρ)(ρ - ρ_a)/(ρ_b - ρ_a).

    The chord joins `low` at ρ_a and `high` at ρ_b, so that the bound of Ξ is, with k = ρ - ρ_a,
    low + max(0, slope k + square k²).
    """
    if not (high > low and np.isfinite(sag)):
        return b - price * low
    start, width = np.exp(rate * a), _measure_width(a, b, rate)
    slope, square = (high - low) / width - sag, sag / width
    flat = np.clip(-slope / square, 0.0, width) if square > 0 else 0.0
    # Beyond `flat` the slope has the sign of 1/(price rate) - (start + k)(slope + 2 square k).
    p, q = slope + 2.0 * square * start, slope * start - 1.0 / (price * rate)
    root = np.sqrt(max(0.0, p * p - 8.0 * square * q))
    top = -2.0 * q / (p + root) if p + root > 0 else width
    k = np.array([flat, np.clip(top, flat, width)])
    radii = np.minimum(a + np.log1p(k / start) / rate, b)
    return np.max(radii - price * (low + np.maximum(0.0, (slope + square * k) * k)))
