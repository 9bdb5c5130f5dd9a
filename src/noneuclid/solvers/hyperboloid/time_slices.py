"""The hyperboloid SVM with the time coordinate of w held fixed: a strongly convex problem.

With w = (t, u) the objective is ½|u|² - ½t² + c Σ q_i max(0, 1 - r_i·w). Let φ(t) be the minimum
of ½|u|² + c Σ q_i max(0, 1 - r_i·w) over u. It is convex in t, and multipliers found at one t bound
it, and the objective itself, at every other.
"""

import math
from dataclasses import dataclass

import numpy as np

from noneuclid.solvers.hyperboloid.hinge_groups import Groups
from noneuclid.solvers.linear.hinge_program import solve_offset_svm

_MAX_NEWTON = 100
_MAX_ROUNDS = 200
_BISECTIONS = 40


@dataclass(frozen=True)
class Slice:
    """What a solution of φ at one t tells about all t.

    Multipliers 0 <= α_i <= c q_i with total Σα, slope s = -Σ α_i r_i0 and spatial resultant
    g = Σ α_i r_i' prove φ(x) >= Σα + s x - ½|g|² for all x.
    """

    t: float
    total: float
    slope: float
    resultant: np.ndarray  # (d,)
    length: float  # of the resultant
    upper: float  # φ(t) is at most this
    u: np.ndarray  # (d,), where `upper` was found
    aim: float  # wanted difference of `upper` and `line(t)`

    def line(self, t):
        """Lower bound of φ(t)."""
        return self.total + self.slope * t - 0.5 * self.length**2

    @property
    def gap(self):
        """What is open at its own t."""
        return max(0.0, self.upper - self.line(self.t))

    def bound(self, t):
        """Lower bound of the objective over all (t, u) with |u| >= |t|; concave for t of one sign.

        The minimum of ½(|u|² - t²) - |u| |g| over |u| >= |t| is at |u| = max(|g|, |t|).
        """
        g, size = self.length, abs(t)
        drop = 0.5 * (g * g + t * t) if size <= g else g * size
        return self.total + self.slope * t - drop


class Interval:
    """Slices at both ends of an interval of t, and what they prove about its inside.

    With t = (1 - s) a + s b the mixed multipliers (1 - s) α_a + s α_b prove
    φ(t) >= (1 - s) line_a(a) + s line_b(b) - s (1 - s) (Δ - ½|g_b - g_a|²), Δ the product of the
    differences of slopes and of t, which is exact where the solution moves linearly with t.

    a.t < b.t, not of opposite signs.
    """

    def __init__(self, a, b):
        self.a, self.b = a, b
        self.width = b.t - a.t
        self._turn = self.width * (b.slope - a.slope)
        self._moved = float(np.sum((b.resultant - a.resultant) ** 2))

    def lowest(self):
        """Lower bound of the objective on the interval, and the t where it is found."""
        a, b = self.a, self.b
        kink = self._crossing()
        # Up to the kink the first bound counts, from it on the second: concave, least at an end.
        single = min(a.bound(a.t), a.bound(kink), b.bound(kink), b.bound(b.t))
        mixed, t = self._lowest_mixed()
        return (mixed, t) if mixed > single else (single, kink)

    def _crossing(self):
        """Where the bounds of both slices cross, or the middle."""
        a, b = self.a, self.b
        low, high = a.t, b.t
        if not a.bound(low) > b.bound(low) or not a.bound(high) < b.bound(high):
            return 0.5 * (low + high)
        for _ in range(_BISECTIONS):
            middle = 0.5 * (low + high)
            if a.bound(middle) > b.bound(middle):
                low = middle
            else:
                high = middle
        return 0.5 * (low + high)

    def _lowest_mixed(self):
        """Minimum over s of the mixed bound of φ less ½t², a quadratic."""
        a, b, w = self.a, self.b, self.width
        first, last = a.line(a.t) - 0.5 * a.t**2, b.line(b.t) - 0.5 * b.t**2
        # first (1 - s) + last s - curve s (1 - s)
        curve = self._turn - 0.5 * self._moved - 0.5 * w * w
        s = 0.0 if first <= last else 1.0
        if curve > abs(last - first):
            s = 0.5 * (1.0 - (last - first) / curve)
        return first + (last - first) * s - curve * s * (1.0 - s), a.t + s * w

    def off_cone(self, goal):
        """Lower bound of optima off the light cone, if one of `goal` at least is seen; else None.

        Off the cone an optimum is stationary in t, too: φ'(t) = t. For t > a,
        φ'(t) >= slope_a - gap_a / (t - a), and likewise for b; what is left is an edge. The bound
        is inf where there is no such point, or where u*(t) is shorter than |t|.
        """
        a, b = self.a, self.b
        if a.slope > b.t:
            return self._on_edge(a, b, a.gap / (a.slope - b.t), goal)
        if b.slope < a.t:
            return self._on_edge(b, a, -b.gap / (a.t - b.slope), goal)
        return math.inf if self.is_inside() else None

    def _on_edge(self, end, other, edge, goal):
        """The same for t from end.t to end.t + edge."""
        if abs(edge) > self.width:
            return None
        t = end.t + edge
        bound = min(end.bound(end.t), end.bound(t))
        if bound >= goal:
            return bound
        chord = (other.upper - end.upper) / (other.t - end.t)
        reach = end.length + math.sqrt(2.0 * (end.gap + abs(edge * (chord - end.slope))))
        return math.inf if reach < min(abs(end.t), abs(t)) else None

    def is_inside(self):
        """Whether the minimiser u*(t) is shorter than |t| on the whole interval.

        The dual is strongly concave in the resultant: ½|g(s) - u*(t)|² is at most what is open
        between the mixed multipliers and the mixed minimisers, for which Φ(u, t) is convex.
        """
        a, b = self.a, self.b
        moved = 0.5 * (self._moved + float(np.sum((b.u - a.u) ** 2)))
        open_ = max(a.gap, b.gap) + 0.25 * max(0.0, self._turn - moved)
        return math.sqrt(2.0 * open_) < min(abs(a.t) - a.length, abs(b.t) - b.length)


class HingeSlices:
    """Slices of the plain problem, through a grouping of the rows that all slices refine."""

    def __init__(self, rows, c, weights=None):
        self.rows, self.c, self._given = rows, c, weights
        self.weights = weights_of(rows, weights)
        self.groups = Groups(rows, weights)

    def afresh(self):
        """The same problem with a coarse model."""
        return HingeSlices(self.rows, self.c, self._given)

    def steepest(self, sign):
        """Largest slope of φ towards that end of the t axis."""
        return self.c * (self.weights * np.maximum(0.0, -sign * self.rows[:, 0])).sum()

    def loss(self, w, slack=math.inf):
        """Weighted hinge sum at w; the model is refined there to within `slack`."""
        return self.c * self.groups.hinge(w, slack / self.c)

    @property
    def pieces(self):
        """The model c Σ_k max(0, max_p (counts_p - sums_p·w)): sums, counts, block k of piece p."""
        return self.groups.sums, self.groups.counts, np.arange(len(self.groups.counts))

    def model(self, w):
        """Lower bound of the loss at w."""
        sums, counts, _ = self.pieces
        return self.c * np.maximum(0.0, counts - sums @ w).sum()

    def along(self, ray):
        """Slopes a and counts n of the model Σ max(0, n - τ a) at τ ray, τ >= 0."""
        return self.groups.sums @ ray, self.groups.counts

    def feasible(self, alpha):
        """Nearest multipliers of the pieces that prove something."""
        return np.clip(alpha, 0.0, self.c)

    def at(self, t, tol, irrelevant):
        """Slice at t, its bounds within `tol` or its objective bound at least `irrelevant`."""
        return tighten(self, t, tol, irrelevant)

    def solve_model(self, t, tol):
        """Minimiser u of the model's slice and multipliers of its pieces."""
        counts = self.groups.counts
        means = self.groups.sums / counts[:, None]
        weights = self.c * counts
        offsets = 1.0 - means[:, 0] * t
        Z = np.ascontiguousarray(means[:, 1:])
        u, alpha, *_ = solve_offset_svm(Z, offsets, weights, tol, _MAX_NEWTON)
        return u, alpha / counts


def weights_of(rows, weights):
    """The weights, or ones that take no memory."""
    return np.broadcast_to(1.0, len(rows)) if weights is None else weights


def tighten(slices, t, tol, irrelevant):
    """Solve the model's slice at t and refine the model until both bounds agree.

    Stops within `tol`, or where the objective at t is proved to be at least `irrelevant`.
    """
    upper, best = math.inf, None
    for _ in range(_MAX_ROUNDS):
        u, alpha = slices.solve_model(t, 0.25 * tol)
        sums, counts, _ = slices.pieces
        resultant = alpha @ sums
        value = 0.5 * (u @ u) + slices.loss(np.append(t, u), 0.25 * tol)
        if value < upper:
            upper, best = value, u
        result = Slice(
            t=t,
            total=float(alpha @ counts),
            slope=-float(resultant[0]),
            resultant=resultant[1:],
            length=math.sqrt(resultant[1:] @ resultant[1:]),
            upper=upper,
            u=best,
            aim=tol,
        )
        if upper - result.line(t) <= tol or result.bound(t) >= irrelevant:
            break
        if len(slices.pieces[1]) == len(counts):
            break  # all that double precision gives
    return result
