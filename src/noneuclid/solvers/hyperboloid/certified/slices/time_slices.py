"""The hyperboloid SVM with the time coordinate of w held fixed: a strongly convex problem.

With w = (t, u) the objective is ½|u|² - ½t² + c Σ q_i max(0, 1 - r_i·w). Let φ(t) be the minimum
of ½|u|² + c Σ q_i max(0, 1 - r_i·w) over u. It is convex in t, and multipliers found at one t bound
it, and the objective itself, at every other.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from noneuclid.compiled import compile_cached, compile_inner, copy_into
from noneuclid.solvers.hyperboloid.certified.rounded_newton import CONE, FREE, SLICE, descend
from noneuclid.solvers.hyperboloid.certified.slices.row_groups import (
    Groups,
    split_groups,
    sum_rows_of,
)
from noneuclid.solvers.hyperboloid.problem import fill_weights, rounding_error
from noneuclid.solvers.linear.hinge_program import solve_offset_svm

_MAX_NEWTON = 100  # steps
_MAX_ROUNDS = 200  # refinements
_AHEAD = 8.0  # width of the hinges at the start, in units of the gap by Σ weights
_NARROW = 0.1  # the same on the light cone, where wide hinges lead all starts to one optimum
_WIDER, _WIDEST = 64.0, 1e6  # factor of that width, where steps run out, and its end
_SHARP = 1e-3  # of the tolerance, to which the last models are solved
_SHARE = 1e-3  # of the present gap, to which the next model is solved
_LOCAL = 1e-14  # precision of a local optimum
_EPS = float(np.finfo(float).eps)


@dataclass(frozen=True)
class TimeSlice:
    """Solution of φ at one t, and the bounds that it proves at all t.

    Multipliers 0 <= α_i <= c q_i with total Σα, slope s = -Σ α_i r_i0 and spatial resultant
    g = Σ α_i r_i' prove φ(x) >= Σα + s x - ½|g|² for all x. `alpha` has those of groups,
    0 <= alpha_k <= c: α_i = alpha_k q_i for all i in k.
    """

    t: float
    total: float
    slope: float
    resultant: np.ndarray  # (d,)
    length: float  # of the resultant
    upper: float  # φ(t) is at most this
    u: np.ndarray  # (d,), where `upper` was found
    aim: float  # wanted difference of `upper` and `line(t)`
    alpha: np.ndarray  # multipliers of the pieces at hand
    lost: float = 0.0  # by rounding in the evaluation of `upper`, at most
    sharp: bool = True  # False if it ended early, as irrelevant: no reason to search the light cone
    rise: float | None = None  # ±s - |g| on the side of t, if known better than from both
    eps = _EPS  # of the numbers above

    def line(self, t):
        """Lower bound of φ(t)."""
        return self.total + self.slope * t - 0.5 * self.length**2

    @property
    def norm(self):
        """|u|."""
        return math.sqrt(self.u @ self.u)

    @property
    def gap(self):
        """Difference of the bounds of φ at its own t."""
        return max(0.0, self.upper - self.line(self.t))

    @property
    def open(self):
        """The gap with all that rounding can do to its terms."""
        return self.gap + self.lost + self.rounding(abs(self.t))

    def rises(self, sign):
        """Whether `bound` does not fall further out than |t| = |g|."""
        return (sign * self.slope - self.length if self.rise is None else self.rise) >= 0.0

    def rounding(self, reach):
        """What the evaluation of `line` and `bound` can lose for |t| <= reach, §9.6."""
        return (
            16.0 * self.eps * (self.total + abs(self.slope) * reach + max(self.length, reach) ** 2)
        )

    def bound(self, t):
        """Lower bound of the objective over all (t, u) with |u| >= |t|; concave for t of one sign.

        The minimum of ½(|u|² - t²) - |u| |g| over |u| >= |t| is at |u| = max(|g|, |t|).
        """
        return find_bound(self.total, self.slope, self.length, t)


def find_bound(total, slope, g, t):
    """`TimeSlice.bound` at t, g the length of the resultant."""
    size = abs(t)
    drop = 0.5 * (g * g + t * t) if size <= g else g * size
    return total + slope * t - drop


compiled_bound = compile_inner(find_bound)


@compile_inner
def _is_timelike(w):
    square = -(w[0] ** 2)
    for j in range(1, len(w)):
        square += w[j] ** 2
    return square < 0.0


@compile_cached
def _refine(groups, c, w, kind, tol, irrelevant):
    """`refine_slice`, or the same for a local optimum off or on the light cone, from w.

    Returns the best w, the upper value there, multipliers of the model's groups, their sums and
    counts, the sums and counts after the last split, and which groups were split in turn.
    """
    rows, weights, ids, active, sums, counts = groups
    upper, best, size, first = np.inf, w.copy(), len(w), len(counts)
    parents = np.empty(len(rows), dtype=np.int64)  # of the groups after the first
    w, ahead, anchor = w.copy(), _NARROW if kind == CONE else _AHEAD, w[0]
    gap = reached = c * counts.sum()
    known, numbers, shares = sums, counts, np.zeros(len(counts))
    for _ in range(_MAX_ROUNDS):
        known, numbers, means = sums, counts, np.empty(sums.shape)
        for k in range(len(counts)):
            for j in range(size):
                means[k, j] = sums[k, j] / counts[k]
        aim = max(_SHARP * tol, _SHARE * gap)
        width = ahead * gap / (c * counts.sum())
        shares = descend(means, counts, c, w, kind, anchor, width, aim)
        loss, sums, counts, split = split_groups(
            rows, weights, ids, active, sums, counts, w, 0.25 * tol / c
        )
        for k in range(len(split)):
            parents[len(numbers) - first + k] = split[k]
        value, length, total, slope = c * loss, 0.0, 0.0, 0.0
        for j in range(1, size):
            value += 0.5 * w[j] ** 2
            resultant = 0.0
            for k in range(len(numbers)):
                resultant += c * shares[k] * known[k, j]
            length += resultant**2
        for k in range(len(numbers)):
            total += c * shares[k] * numbers[k]
            slope -= c * shares[k] * known[k, 0]
        line = total + slope * w[0] - 0.5 * length
        proved = compiled_bound(total, slope, math.sqrt(length), w[0])
        if kind == FREE:
            line = total + 2.0 * anchor * slope - 0.5 * (slope**2 + length)
            value += 0.5 * (w[0] - 2.0 * anchor) ** 2
        if value < upper or kind == CONE:
            upper = value
            copy_into(w, best)
        still = len(split) == 0 and aim <= 0.25 * tol
        if kind == CONE:
            upper -= 0.5 * w[0] ** 2
            gap = max(_SHARE * gap, tol)
        else:
            if value - line > 0.5 * gap:  # from kink to kink: begin with wider hinges
                ahead *= _WIDER if kind == FREE and len(split) == 0 else _AHEAD
            gap = min(gap, value - line) if still else value - line
            # All that double precision gives; of a slice the interior-point method may give more.
            still = still and (kind == SLICE or ahead > _WIDEST)
        if kind == FREE and (still or gap <= tol):
            moved, before = (best[0] - anchor) ** 2, reached
            reached = upper - moved - anchor**2
            if moved <= tol or _is_timelike(best) or not reached < before:
                break
            anchor, upper = best[0], reached + best[0] ** 2
            gap, ahead = moved, _AHEAD
        elif still or (kind == SLICE and (upper - line <= tol or proved >= irrelevant)):
            break
    if kind == FREE:
        upper -= (best[0] - anchor) ** 2 + anchor**2
    return best, upper, shares, known, numbers, sums, counts, parents[: len(counts) - first]


class HingeSlices:
    """Slices of the plain problem, through a grouping of the rows that all slices refine."""

    def __init__(self, rows, c, weights=None, shifts=None):
        self.rows, self.c, self.given, self._shifts = rows, c, weights, shifts
        self.weights = fill_weights(rows, weights)
        self.groups = Groups(rows, weights)
        self._known = []
        # Of all hinges at most: a constant term, and a factor of |w|, as |x'| < |x_0|: §9.7.
        self.sizes = c * float(self.weights.sum()), 1.5 * c * float(self.weights @ abs(rows[:, 0]))

    def find_shifts(self):
        """q_i |δ_i|, δ_i what rounding did to a row, at most; 0 unless it is known."""
        return np.zeros(len(self.rows)) if self._shifts is None else self._shifts()

    def restart(self):
        """The same problem with a coarse model."""
        return HingeSlices(self.rows, self.c, self.given, self.find_shifts)

    def find_local_optimum(self, share=_LOCAL):
        """A local optimum w and its objective; None, inf if the descent meets the light cone.

        To a share of the objective at 0, by majorisation.
        """
        return self.sharpen(np.zeros(self.rows.shape[1]), share)

    def sharpen(self, w, share=_LOCAL):
        """The same from w."""
        w, value = self.descend(w, FREE, share)
        return (w, value) if w[1:] @ w[1:] > w[0] ** 2 else (None, math.inf)

    def sum_rows(self):
        """Weighted sum of all rows."""
        return self.groups.sums.sum(axis=0)

    def descend(self, w, kind, share):
        """Local optimum near w, off or on the light cone, to a share of it, and its objective."""
        return self._search(w, kind, share * self.evaluate_loss(w))[:2]

    def bound_slope(self, sign):
        """Largest slope of φ towards that end of the t axis."""
        return self.c * (self.weights * np.maximum(0.0, -sign * self.rows[:, 0])).sum()

    def evaluate_loss(self, w, slack=math.inf):
        """Weighted hinge sum at w; the model is refined there to within `slack`."""
        return self.c * self.groups.evaluate_hinge(w, slack / self.c)

    def rounding_error(self, w, upper):
        """What the evaluation of ½|u|² + loss at w, which is `upper`, can lose: §9.7."""
        return rounding_error(self.rows, self.sizes, w, upper)

    @property
    def pieces(self):
        """The model c Σ_k max(0, max_p (counts_p - sums_p·w)): sums, counts, block k of piece p."""
        return self.groups.sums, self.groups.counts, np.arange(len(self.groups.counts))

    def measure_pieces(self):
        """Σ q_i Σ_j |r_ij| and Σ q_i |δ_i| over the rows of each piece, and their number."""
        return sum_rows_of(self.groups.ids, *self._row_sizes, len(self.groups.counts))

    @cached_property
    def _row_sizes(self):
        """q_i Σ_j |r_ij| and q_i |δ_i| of each row, the same for all groups."""
        return self.weights * np.abs(self.rows).sum(axis=1), self.find_shifts()

    def evaluate_model(self, w):
        """Lower bound of the loss at w."""
        sums, counts, _ = self.pieces
        return self.c * np.maximum(0.0, counts - sums @ w).sum()

    def restrict_to_ray(self, ray):
        """Slopes a and counts n of the model Σ max(0, n - τ a) at τ ray, τ >= 0."""
        return self.groups.sums @ ray, self.groups.counts

    def clip_multipliers(self, alpha):
        """Nearest feasible multipliers of the pieces."""
        return np.clip(alpha, 0.0, self.c)

    def solve_at(self, t, tol, irrelevant):
        """Slice at t, its bounds within `tol` or its objective bound at least `irrelevant`."""
        w, upper, alpha, sums, counts = self._search(self._start_at(t), SLICE, tol, irrelevant)
        lost = self.rounding_error(w, upper)
        proved = sum_pieces(alpha, sums, counts)
        result = TimeSlice(t, *proved, upper, w[1:], tol, alpha, lost)
        self._known.append((t, w))
        if result.gap <= tol or result.bound(t) >= irrelevant:
            return result
        # Newton's method lacks digits: an interior-point method may have more.
        again = refine_slice(self, t, tol, irrelevant)
        return again if again.gap < result.gap or again.bound(t) >= irrelevant else result

    def _start_at(self, t):
        """(t, u) between the known slices on both sides."""
        ends = [max((k for k in self._known if k[0] <= t), key=lambda k: k[0], default=None)]
        ends += [min((k for k in self._known if k[0] > t), key=lambda k: k[0], default=None)]
        ends = [end for end in ends if end is not None]
        w = np.zeros(self.rows.shape[1])
        if len(ends) == 2:
            (a, first), (b, last) = ends
            w = first + (t - a) / (b - a) * (last - first)
        elif ends:
            w = ends[0][1].copy()
        w[0] = t
        return w

    def _search(self, w, kind, tol, irrelevant=math.inf):
        """Best w that a refinement finds, its upper value, and the model's multipliers."""
        groups = self.groups
        found = _refine(groups.state, self.c, w, kind, tol, irrelevant)
        w, upper, shares, sums, counts, groups.sums, groups.counts, parents = found
        groups.parents.extend(parents.tolist())
        return w, upper, self.c * shares, sums, counts

    def solve_model(self, t, tol):
        """Minimiser u of the model's slice and multipliers of its pieces."""
        counts = self.groups.counts
        means = self.groups.sums / counts[:, None]
        weights = self.c * counts
        Z, offsets = np.ascontiguousarray(means[:, 1:]), 1.0 - means[:, 0] * t
        u, alpha, *_ = solve_offset_svm(Z, offsets, weights, tol, _MAX_NEWTON)
        return u, alpha / counts


def sum_pieces(alpha, sums, counts, first=1):
    """Total, slope, resultant from coordinate `first` on and its length, of multipliers."""
    resultant = alpha @ sums
    g = resultant[first:]
    return float(alpha @ counts), -float(resultant[0]), g, math.sqrt(g @ g)


def refine_slice(slices, t, tol, irrelevant):
    """Solve the model's slice at t and refine the model until both bounds agree.

    Stops within `tol`, or where the objective at t is proved to be at least `irrelevant`.
    """
    upper, best = math.inf, None
    for _ in range(_MAX_ROUNDS):
        u, alpha = slices.solve_model(t, 0.25 * tol)
        sums, counts, _ = slices.pieces
        w = np.append(t, u)
        value = 0.5 * (u @ u) + slices.evaluate_loss(w, 0.25 * tol)
        if value < upper:
            upper, best, lost = value, u, slices.rounding_error(w, value)
        result = TimeSlice(t, *sum_pieces(alpha, sums, counts), upper, best, tol, alpha, lost)
        if upper - result.line(t) <= tol or result.bound(t) >= irrelevant:
            break
        if len(slices.pieces[1]) == len(counts):
            break  # all that double precision gives
    return result
