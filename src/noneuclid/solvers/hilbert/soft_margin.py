"""Soft margin in Hilbert and Funk geometry, with a proof of how good the answer is.

acharya2026, section 4.1. For a radius r, LP (14) is min Σ ω_i ξ_i, where ξ_i >= 0 is the least
amount by which g must be lifted on the side of point i for the whole ball of radius r about it to
lie there: ξ_i = max(0, -min over the ball of sign_i g). The classifier maximises
h(r) = r - C Ξ_r/n over r in [1e-6 cap, cap], Ξ_r the LP's value.

Choices that the paper leaves open:

- ω_i = 1/(Euclidean distance of p_i to its nearest facet, within the affine hull). The printed
  Hilbert distance to a facet is infinite.
- (w, c) needs a scale, or g = 0 costs nothing. Here w·u = 1 for a unit vector u, so that ξ_i is
  the length by which the hyperplane must be moved along u. `normalisation="means"`: u points from
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
solution at b, Σ ω_i sign_i (T_i p_i + y_i) balanced along u: T_i p_i + θ y_i stays in the cone over
the ball of radius r < b if θ = (ρ_r - 1)/(ρ_b - 1), with ρ = e^{2r} (Hilbert) or e^r (Funk, reverse
Funk). What is then out of balance, (1 - θ) Σ ω_i sign_i T_i p_i, is balanced by a dual solution at
a of weights ω_i (1 - T_i), which adds (1 - θ) t. So Ξ_r >= θ Ξ_b + (1 - θ) t, a chord in ρ. All
bounds are values of feasible dual points.

Each Ξ_r is found on a simplex by Newton's method in the m values of g at the corners, in O(nm)
memory and time a step (Funk: by a linear program in n + m + 2 unknowns). In other polytopes an
interior-point method has m multipliers and more for each point and factors a matrix for each:
sensible up to n = 1e3.
"""

import heapq
from dataclasses import replace

import numpy as np

from noneuclid.errors import InputError
from noneuclid.solvers import progress
from noneuclid.solvers.hilbert.problem import METRICS, HilbertSolution, is_simplex
from noneuclid.solvers.hilbert.soft_margin_polytope import solve_in_polytope
from noneuclid.solvers.hilbert.soft_margin_problem import largest_radius, problems
from noneuclid.solvers.hilbert.soft_margin_simplex import solve_funk_on_simplex, solve_on_simplex

_LEAST = 1e-6  # of the range of radii
_SHARE_OF_TOL = 0.2  # for the slices
_HOPE = 0.6  # of tol: what a chord may leave at best if it is to be tried
_NEAR = 0.5  # of a radius: from farther ones no masses are taken


def soft_margin(
    X,
    signs,
    A,
    b,
    E,
    f,
    metric="hilbert",
    C=1.0,
    tol=1e-4,
    max_iter=1000,
    normalisation="means",
    weights=None,
):
    """Affine function and radius that maximise r - C·Ξ_r/n (acharya2026, 14).

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
    cone, found = problems(X, signs, A, b, E, f, metric, normalisation, weights)
    cap = largest_radius(found[0])
    search = _Search(found, C, tol, max_iter, (_LEAST * cap, cap))
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

    def __init__(self, found, C, tol, max_iter, radii):
        self.found, self.tol, self.max_iter = found, tol, max_iter
        self.n = len(found[0].signs)
        self.price, self.radii = C / self.n, radii
        self.best, self.n_iter = -np.inf, 0
        self.slices = {}
        self.bar = progress.bar(desc="minimisation", total=max_iter)

    def run(self):
        """Upper bound of the objective; the answer is kept in the attributes."""
        heap = []
        for k in range(len(self.found)):
            self.add_slice(k, self.radii[0])
            self.push(heap, k, *self.radii)
        closed = -np.inf  # bound of what is not looked at any more
        while heap:
            bound, k, a, b = heapq.heappop(heap)
            bound = -bound
            if bound <= self.best + self.tol or self.n_iter >= self.max_iter or b - a < 1e-12 * b:
                closed = max(closed, bound)
                break
            middle = 0.5 * (a + b) if a > 0.01 * b else max(0.1 * b, a)
            self.add_slice(k, middle)
            self.push(heap, k, a, middle)
            self.push(heap, k, middle, b)
        return max(closed, self.best)

    def push(self, heap, k, a, b):
        bound = b - self.price * self.slices[k, a].lower
        if bound > self.best + self.tol and (k, b) in self.slices:
            bound = min(bound, self.bound_by_chord(k, a, b))
        heapq.heappush(heap, (-bound, k, a, b))

    def add_slice(self, k, radius):
        """Bounds of Ξ at a radius, as sharp as needed there."""

        def stop(lower, upper):
            short = self.best - (radius - self.price * lower)
            wanted = max(_SHARE_OF_TOL * self.tol, 0.02 * short)
            return self.price * (upper - lower) <= wanted

        problem = self.found[k]
        load = np.zeros_like(problem.pull)
        self.slices[k, radius] = found = self.solve_slice(k, radius, problem.weights, load, stop)
        value = radius - self.price * found.upper
        if value > self.best or self.best == -np.inf:
            self.best, self.radius, self.problem = value, radius, problem
            self.g, self.slacks = found.g, found.slacks

    def solve_slice(self, k, radius, *task):
        self.n_iter += 1
        self.bar.update()
        solver = choose_solver(self.found[k])
        if solver is not solve_on_simplex:
            return solver(self.found[k], radius, *task)
        near = [(abs(np.log(r / radius)), r) for i, r in self.slices if i == k]
        start = None
        if near:
            start = self.slices[k, min(near)[1]]
            # Masses that balance another load lead astray: some minimisations then fail.
            if min(near)[0] >= _NEAR or task[-2].any():
                start = replace(start, alpha=None)
        found = solver(self.found[k], radius, *task, start)
        if start is None or task[-2].any() or task[-1](found.lower, found.upper):
            return found
        return solver(self.found[k], radius, *task)

    def bound_by_chord(self, k, a, b):
        """Bound on [a, b] from the duals at a and b and from the one that joins them."""
        problem, low, high = self.found[k], self.slices[k, a].lower, self.slices[k, b]
        weights = problem.weights * (1.0 - high.sizes)
        load = (problem.weights * high.sizes * problem.signs) @ problem.points
        rate = 2.0 if problem.metric == "hilbert" else 1.0

        def bound(joint):
            return _maximise_bound(a, b, rate, self.price, low, joint, high.lower)

        share = np.expm1(rate * a) / np.expm1(rate * b)
        hope = (low - share * high.lower) / (1.0 - share)  # the chord through both ends
        if bound(hope) > self.best + _HOPE * self.tol:
            return b - self.price * low

        def stop(lower, upper):
            enough = bound(lower) <= self.best + 0.9 * self.tol
            useless = bound(upper) > self.best + 0.9 * self.tol
            return enough or useless or bound(lower) - bound(upper) <= 0.05 * self.tol

        return bound(self.solve_slice(k, a, weights, load, stop).lower)


def _maximise_bound(a, b, rate, price, low, joint, high):
    """Largest r - price max(low, joint + θ (high - joint)) over [a, b], θ from 0 at 0 to 1 at b."""
    if not -np.inf < joint < high:
        return b - price * max(low, min(joint, high))
    slope = (high - joint) / np.expm1(rate * b)
    flat = np.clip(np.log1p(max(0.0, low - joint) / slope) / rate, a, b)
    top = np.clip(-np.log(price * slope * rate) / rate, flat, b)
    radii = np.array([flat, top])
    return np.max(radii - price * np.maximum(low, joint + slope * np.expm1(rate * radii)))
