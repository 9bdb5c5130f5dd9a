"""What two slices in time prove about the objective between them."""

import math

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.solvers.hyperboloid.certified.slices.time_slices import compiled_bound

_BISECTIONS = 40  # any kink will do, §2
_EPS = float(np.finfo(float).eps)
_CLEARLY = 1e-12 / _EPS  # last digits: shorter, whatever the rounding: §9.6


@compile_cached
def _bisect(total_a, slope_a, length_a, total_b, slope_b, length_b, low, high):
    """Where the first bound, larger at `low`, crosses the second."""
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        first = compiled_bound(total_a, slope_a, length_a, middle)
        if first > compiled_bound(total_b, slope_b, length_b, middle):
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def _square(g):
    """|g|², a Python float unless g is longer."""
    return np.sum(g**2).item()


class Interval:
    """Slices at both ends of an interval of t, and what they prove about its inside.

    With t = (1 - s) a + s b the mixed multipliers (1 - s) α_a + s α_b prove
    φ(t) >= (1 - s) line_a(a) + s line_b(b) - s (1 - s) (Δ - ½|g_b - g_a|²), Δ the product of the
    differences of slopes and of t, which is exact where the solution moves linearly with t.

    a.t < b.t, not of opposite signs.
    """

    def __init__(self, a, b, kink=None):
        self.a, self.b, self.kink = a, b, kink  # any t between them will do
        self.width = b.t - a.t
        self._turn = self.width * (b.slope - a.slope)
        self._moved = _square(b.resultant - a.resultant)
        if a.rise is not None:
            # Lengths have room for the error e of g: (|g(s)| + e(s))² has this instead.
            a_norm, b_norm = (np.sqrt(end.resultant @ end.resultant).item() for end in (a, b))
            self._moved += (b.length - a.length) ** 2 - (b_norm - a_norm) ** 2

    def rounding(self):
        """What the evaluation of the bounds can lose."""
        return max(end.rounding(max(abs(self.a.t), abs(self.b.t))) for end in (self.a, self.b))

    def find_lowest(self):
        """Lower bound of the objective on the interval, and the t where it is found."""
        a, b = self.a, self.b
        self.kink = kink = self._crossing() if self.kink is None else self.kink
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
        numbers = a.total, a.slope, a.length, b.total, b.slope, b.length, low, high
        return _bisect(*map(float, numbers))

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

    def bound_off_cone(self, goal):
        """Lower bound of optima off the light cone, if one of `goal` at least is seen; else None.

        Off the cone an optimum is stationary in t, too: φ'(t) = t. For t > a,
        φ'(t) >= slope_a - open_a / (t - a), and likewise for b; what is left is an edge. The bound
        is inf where there is no such point, or where u*(t) is shorter than |t|.
        """
        a, b = self.a, self.b
        if a.slope > b.t:
            return self._on_edge(a, b, a.open / (a.slope - b.t), goal)
        if b.slope < a.t:
            return self._on_edge(b, a, -b.open / (a.t - b.slope), goal)
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
        reach = end.length + math.sqrt(2.0 * (end.open + abs(edge * (chord - end.slope))))
        return math.inf if reach < min(abs(end.t), abs(t)) else None

    def highest_inside(self):
        """Largest value of interior points (t, u), |u| < |t|, one at each t; inf if none are known.

        If it is at most the least value L on the light cone, no (t, u) with |u| >= |t| is below L:
        the way from (t, u) to the interior point meets the cone, and Φ is convex along it.
        """
        a, b = self.a, self.b
        if not all(end.norm < abs(end.t) * (1.0 - _CLEARLY * end.eps) for end in (a, b)):
            return math.inf
        # Φ of the mixed points is at most its chord less s (1 - s) |Δu|²/2, and -½t² at most its
        # chord and s (1 - s) width²/2.
        highest = max(end.upper + end.lost - 0.5 * end.t**2 for end in (a, b))
        curve = self.width**2
        if a.eps < _EPS:  # in doubles the difference has no digits where it matters
            curve = max(0.0, curve - _square(b.u - a.u))
        return highest + 0.125 * curve + self.rounding()  # §5

    def is_inside(self):
        """Whether the minimiser u*(t) is shorter than |t| on the whole interval.

        The dual is strongly concave in the resultant: ½|g(s) - u*(t)|² is at most what is open
        between the mixed multipliers and the mixed minimisers, for which Φ(u, t) is convex.
        """
        a, b = self.a, self.b
        moved = 0.5 * (self._moved + _square(b.u - a.u))
        open_ = max(a.open, b.open) + 0.25 * max(0.0, self._turn - moved) + self.rounding()  # §4
        return math.sqrt(2.0 * open_) < min(abs(a.t) - a.length, abs(b.t) - b.length)
