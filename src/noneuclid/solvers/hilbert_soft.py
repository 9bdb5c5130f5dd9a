"""Soft margin in Hilbert and Funk geometry, with a proof of how good the answer is.

acharya2026, section 4.1. For a radius r, LP (14) is min Σ ω_i ξ_i, where ξ_i >= 0 is the least
amount by which g must be lifted on the side of point i for the whole ball of radius r about it to
lie there: ξ_i = max(0, -min over the ball of sign_i g). The classifier maximises
h(r) = r - C Ξ_r/n over r, Ξ_r the LP's value.

What the paper leaves open is settled so:

- ω_i = 1/(Euclidean distance of p_i to its nearest facet, within the affine hull). The printed
  Hilbert distance to a facet is infinite.
- (w, c) needs a scale, or g = 0 costs nothing. Here w·u = 1 for a unit vector u, so that ξ_i is
  the length by which the hyperplane must be moved along u. `normalisation="means"`: u points from
  the mean of the negative to that of the positive class. No separating hyperplane is lost, since
  it has the means on its two sides; what is lost has the means on the wrong sides or on one level.
  One LP a radius; facets may be scaled, space moved and turned, labels swapped. "axes": the best
  of u = ± each axis (projected into the hull): nothing is lost, 2d LPs. "paper": 1'w = 1 as
  published, which loses every hyperplane with 1'w <= 0.
- Ξ_r is bounded while r is not, so that the range of r decides where C is small. It ends at half
  of the longest distance between points of different classes (Funk metrics: the largest margin
  that a pair of points allows): beyond it no hyperplane has a whole ball of each class on its side.
  It begins at 1e-6 of that.

Search: Ξ_r never falls with r, so h <= b - C Ξ_a/n on [a, b]. A better bound comes from two dual
solutions: where the mass sizes T of the one at b are at most those at a, their mean is feasible
in between (bilinear balls), so that Ξ is at least the chord in e^{2r} (Hilbert), e^{-r} (Funk) or
e^r (reverse Funk). The dual at b is therefore solved once more with that restriction. All bounds
are values of feasible dual points.
"""

import heapq

import numpy as np

from noneuclid.contracts import InputError
from noneuclid.solvers.hilbert_problem import METRICS, HilbertSolution
from noneuclid.solvers.hilbert_soft_problem import largest_radius, problems
from noneuclid.solvers.hilbert_soft_slice import solve

_LEAST = 1e-6  # of the range of radii
_SHARE_OF_TOL = 0.2  # for the slices
_CHORDS_BELOW = 0.25  # of the range: longer intervals are halved first


def soft_margin(
    X, signs, A, b, E, f, metric="hilbert", C=1.0, tol=1e-4, max_iter=1000, normalisation="means"
):
    """Affine function and radius that maximise r - C·Ξ_r/n (acharya2026, 14).

    Parameters
    ----------
    X : ndarray, shape (n, d)
        Points strictly inside {x : A x + b >= 0, E x + f = 0}, a bounded set.
    signs : ndarray, shape (n,)
        1 and -1.
    A, b, E, f : ndarray, shapes (m, d), (m,), (k, d), (k,)
    metric : {"hilbert", "funk", "reverse_funk"}
        Balls are {q : distance(p, q) <= r} about the training points p.
    C : float
        Price of the slacks.
    tol : float
        Wanted difference of the objective and its upper bound.
    max_iter : int
        Most linear programs.
    normalisation : {"means", "axes", "paper"}

    Returns
    -------
    HilbertSolution
        `slacks` are the ξ_i, `upper_bound` is proved by the dual up to rounding. On a simplex whose
        facets are the coordinates `nu` is set.

    Raises
    ------
    InputError
        A point is not inside, a class is empty, or the class means coincide.

    Examples
    --------
    >>> X = np.array([[0.7, 0.2, 0.1], [0.5, 0.3, 0.2], [0.2, 0.6, 0.2], [0.6, 0.3, 0.1]])
    >>> simplex = np.eye(3), np.zeros(3), np.ones((1, 3)), -np.ones(1)
    >>> found = soft_margin(X, np.array([1, 1, -1, -1]), *simplex, C=0.1)
    >>> found.status, bool(found.upper_bound - found.objective <= 1e-4)
    ('optimal', True)
    """
    X, signs = np.asarray(X, dtype=float), np.sign(np.asarray(signs, dtype=float))
    if metric not in METRICS:
        raise InputError(f"metric={metric!r} is not one of {', '.join(METRICS)}")
    if not C > 0:
        raise InputError(f"C={C} is not positive")
    cone, found = problems(X, signs, A, b, E, f, metric, normalisation)
    search = _Search(found, C, tol, max_iter, largest_radius(found[0]))
    upper = search.run()
    w, c = cone.affine(search.problem.back @ search.g)
    gap = upper - search.best
    warning = ""
    if not gap <= tol:
        count = search.n_iter
        warning = f"Hilbert soft margin: gap {gap:.1e} left after {count} linear programs"
    barycentric = A.shape[0] == A.shape[1] and np.allclose(A, np.eye(len(A))) and not np.any(b)
    return HilbertSolution(
        w,
        c,
        search.radius,
        search.best,
        upper,
        search.n_iter,
        "inaccurate" if warning else "optimal",
        warning,
        w + c if barycentric and len(E) else None,
        search.slacks,
    )


class _Search:
    """Branch and bound over radii, for all directions at once."""

    def __init__(self, found, C, tol, max_iter, largest):
        self.found, self.tol, self.max_iter = found, tol, max_iter
        self.n = len(found[0].signs)
        self.price, self.largest = C / self.n, largest
        self.best, self.n_iter = -np.inf, 0
        self.slices = {}

    def run(self):
        """Upper bound of the objective; the answer is kept in the attributes."""
        heap, low = [], _LEAST * self.largest
        for k in range(len(self.found)):
            self.slice(k, low)
            self.push(heap, k, low, self.largest)
        closed = -np.inf  # bound of what is not looked at any more
        while heap:
            bound, k, a, b = heapq.heappop(heap)
            bound = -bound
            if bound <= self.best + self.tol or self.n_iter >= self.max_iter or b - a < 1e-12 * b:
                closed = max(closed, bound)
                break
            middle = 0.5 * (a + b) if a > 0.01 * b else max(0.1 * b, a)
            self.slice(k, middle)
            self.push(heap, k, a, middle)
            self.push(heap, k, middle, b)
        return max(closed, self.best)

    def push(self, heap, k, a, b):
        bound = b - self.price * self.slices[k, a].lower
        if bound > self.best + self.tol and b - a <= _CHORDS_BELOW * self.largest:
            bound = min(bound, self.chord(k, a, b))
        heapq.heappush(heap, (-bound, k, a, b))

    def slice(self, k, radius):
        """Bounds of Ξ at a radius, as sharp as they need be there."""

        def stop(lower, upper):
            short = self.best - (radius - self.price * lower)
            wanted = max(_SHARE_OF_TOL * self.tol, 0.02 * short)
            return self.price * (upper - lower) <= wanted

        self.n_iter += 1
        problem = self.found[k]
        self.slices[k, radius] = found = solve(problem, radius, np.ones(self.n), stop)
        value = radius - self.price * found.upper
        if value > self.best or self.best == -np.inf:
            self.best, self.radius, self.problem = value, radius, problem
            self.g, self.slacks = found.g, found.slacks

    def chord(self, k, a, b):
        """Bound on [a, b] from the dual at a and a restricted one at b."""
        at_a = self.slices[k, a]
        ends = [_parameter(self.found[k].metric, r) for r in (a, b)]

        def bound(lower):
            # r - price·chord: its largest value on a fine grid, each cell by its upper end.
            radii = np.linspace(a, b, 2 + int(200 * (b - a) / self.tol / 20))
            share = (_parameter(self.found[k].metric, radii) - ends[0]) / (ends[1] - ends[0])
            low = at_a.lower + np.clip(share, 0.0, 1.0) * max(0.0, lower - at_a.lower)
            return np.max(radii[1:] - self.price * low[:-1])

        def stop(lower, upper):
            enough = bound(lower) <= self.best + 0.9 * self.tol
            hopeless = self.price * (upper - lower) <= 0.5 * _SHARE_OF_TOL * self.tol
            return enough or hopeless

        self.n_iter += 1
        return bound(solve(self.found[k], b, at_a.sizes, stop).lower)


def _parameter(metric, radius):
    """What the bounds of a ball are linear in."""
    return {"hilbert": np.exp(2 * radius), "funk": np.exp(-radius), "reverse_funk": np.exp(radius)}[
        metric
    ]
