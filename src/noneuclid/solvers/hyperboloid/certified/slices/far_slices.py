"""Slices of the hyperboloid SVM in twice the digits, for rows so long that doubles are not enough.

The rows are those of the points as given, x_0 = √(1 + |x'|²), boosted with 106 bits. Multipliers,
their resultants and margins have as many, so that a slice proves what it states except the last
rounding to doubles.
"""

import math
from dataclasses import dataclass

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.solvers.hyperboloid import exact_sums
from noneuclid.solvers.hyperboloid.certified.slices.row_groups import Groups, relabel
from noneuclid.solvers.hyperboloid.certified.slices.time_slices import HingeSlices, TimeSlice
from noneuclid.solvers.linear.double_double import dot, over, plus, times
from noneuclid.solvers.linear.long_hinge import solve_long_svm

_MAX_NEWTON = 200  # steps
_MAX_ROUNDS = 200  # refinements


@dataclass(frozen=True)
class LongSlice(TimeSlice):
    """Slice whose t, multipliers' sums and upper bound are in extended precision."""

    size: float = 0.0  # Σ α_i |x_i|
    eps = float(np.finfo(np.longdouble).eps)

    @property
    def norm(self):
        """|u|."""
        return np.sqrt(self.u @ self.u)

    def bound(self, t):
        """Lower bound of the objective over all (t, u) with |u| >= |t|."""
        return super().bound(np.longdouble(t))


class FarSlices(HingeSlices):
    """Slices of the plain problem for the points as given, in double-doubles."""

    def __init__(self, points, signs, centre, c, weights=None):
        self._long = boost_exactly(points, signs, np.asarray(centre, dtype=float))
        super().__init__(np.ascontiguousarray(self._long.real), c, weights)
        lengths = self.weights * np.linalg.norm(points, axis=1)
        self.groups = _LongGroups(self._long, self.weights, lengths)

    def find_shifts(self):
        """q_i |δ_i|, δ_i what doubles leave out of a long row, at most."""
        return 2.0**-52 * self.weights * np.abs(self.rows).sum(axis=1)  # §10.1

    def sharpen(self, w, share=None):
        """None, inf: the interior-point method of the slices is sharp."""
        return None, math.inf

    def solve_at(self, t, tol, irrelevant):
        """Slice at t, its bounds within `tol` or its objective bound at least `irrelevant`."""
        upper, best, groups, tol = math.inf, None, self.groups, float(tol)
        for _ in range(_MAX_ROUNDS):
            sums, counts, sizes = groups.long_sums, groups.long_counts, groups.sizes
            Z, offsets = _mean_rows(sums, counts, t)
            u, alpha, *_ = solve_long_svm(Z, offsets, self.c * counts.real, 0.25 * tol, _MAX_NEWTON)
            alpha = _share_out(alpha, counts, self.c)
            total, resultant = _combine(alpha, sums, counts)
            u = _lengthen(u)
            value = 0.5 * (u @ u) + self.evaluate_loss(np.append(t, _shorten(u)), 0.25 * tol)
            if value < upper:
                upper, best = value, u
            total, time, *g = _lengthen(np.append(total, resultant))
            proved = total, -time, np.array(g), np.sqrt(np.sum(np.square(g)))
            size = float(alpha.real @ sizes)
            result = LongSlice(np.longdouble(t), *proved, upper, best, tol, alpha, size=size)
            if upper - result.line(t) <= tol or result.bound(t) >= irrelevant:
                break
            if len(groups.counts) == len(counts):
                break  # all that the digits give
        return result


class _LongGroups(Groups):
    """Groups with sums in double-doubles: `long_sums` and `long_counts` are complex.

    `sizes` are the sums of q_i |x_i|.
    """

    def __init__(self, rows, weights, lengths):
        self._long, self._lengths = rows, lengths
        super().__init__(rows.real, np.ascontiguousarray(weights))

    def evaluate_hinge(self, w, slack):
        """Hinge sum at w; then split groups until their bound there is within `slack`."""
        w, groups = np.asarray(w, dtype=complex), len(self.counts)
        parts, wholes, mixed = _hinges(self._long, self._weights, self.ids, w, groups, self._active)
        hinges, parts, wholes = _lengthen(parts).sum(), parts.real, wholes.real
        loss = np.where(mixed, parts - np.maximum(0.0, wholes), 0.0)
        if loss.sum() > slack:
            order = np.argsort(-loss, kind="stable")
            wanted = np.searchsorted(np.cumsum(loss[order]), loss.sum() - slack) + 1
            split = order[: min(wanted, np.count_nonzero(loss > 0.0))]
            new = np.full(groups, -1)
            new[split] = groups + np.arange(len(split))
            relabel(self.ids, self._active, new)
            self._sum_up()
        return hinges

    def _sum_up(self):
        found = _sum_rows(self._long, self._weights, self.ids, self.ids.max() + 1)
        self.long_sums, self.long_counts = found
        self.sums = np.ascontiguousarray(self.long_sums.real)
        self.counts = np.ascontiguousarray(self.long_counts.real)
        self.sizes = np.bincount(self.ids, self._lengths)


def _lengthen(numbers):
    """Double-doubles in extended precision."""
    return numbers.real.astype(np.longdouble) + numbers.imag


def _shorten(numbers):
    """Double-doubles from extended precision."""
    high = numbers.astype(float)
    return high + 1j * (numbers - high).astype(float)


def boost_exactly(points, signs, centre):
    """Signed rows of the points as given, times the boost to the centre, as complex numbers."""
    rows = _signed_rows(points, signs)
    return _boost(rows, centre)


@compile_cached
def _signed_rows(points, signs):
    rows = np.empty(points.shape, np.complex128)
    for i in range(len(points)):
        rows[i, 0] = -signs[i] * plus(
            complex(points[i, 0], 0.0), complex(exact_sums.time_error(points, i), 0.0)
        )
        for j in range(1, points.shape[1]):
            rows[i, j] = complex(signs[i] * points[i, j], 0.0)
    return rows


@compile_cached
def _boost(rows, centre):
    square, size = complex(1.0, 0.0), len(centre)
    for j in range(size):
        x = complex(centre[j], 0.0)
        square = plus(square, times(x, x))
    root = complex(np.sqrt(square.real), 0.0)
    time = complex(0.5, 0.0) * plus(root, over(square, root))
    moved = rows.copy()
    for i in range(len(rows)):
        along = complex(0.0, 0.0)
        for j in range(size):
            along = plus(along, times(rows[i, 1 + j], complex(centre[j], 0.0)))
        push = plus(rows[i, 0], over(along, plus(complex(1.0, 0.0), time)))
        moved[i, 0] = plus(times(rows[i, 0], time), along)
        for j in range(size):
            moved[i, 1 + j] = plus(rows[i, 1 + j], times(push, complex(centre[j], 0.0)))
    return moved


@compile_cached
def _hinges(rows, weights, ids, w, groups, active):
    """Hinge sum, sum of 1 - r·w, and whether rows of both sides are in it, by group."""
    parts, wholes = np.zeros(groups, np.complex128), np.zeros(groups, np.complex128)
    some, none = np.zeros(groups, np.bool_), np.zeros(groups, np.bool_)
    for i in range(len(rows)):
        k, short = ids[i], plus(complex(1.0, 0.0), -dot(rows[i], w))
        short = times(complex(weights[i], 0.0), short)
        active[i] = short.real > 0.0
        wholes[k] = plus(wholes[k], short)
        if active[i]:
            parts[k] = plus(parts[k], short)
            some[k] = True
        else:
            none[k] = True
    return parts, wholes, some & none


@compile_cached
def _sum_rows(rows, weights, ids, groups):
    """Sum of the rows and of the weights by group."""
    n, size = rows.shape
    sums, counts = np.zeros((groups, size), np.complex128), np.zeros(groups, np.complex128)
    for i in range(n):
        k, weight = ids[i], complex(weights[i], 0.0)
        counts[k] = plus(counts[k], weight)
        for j in range(size):
            sums[k, j] = plus(sums[k, j], times(weight, rows[i, j]))
    return sums, counts


@compile_cached
def _mean_rows(sums, counts, t):
    """Spatial parts of the mean rows, and 1 - t times their time coordinates."""
    groups, size = sums.shape
    Z, offsets = np.empty((groups, size - 1), np.complex128), np.empty(groups, np.complex128)
    for k in range(groups):
        time = over(sums[k, 0], counts[k])
        offsets[k] = plus(complex(1.0, 0.0), -times(complex(t, 0.0), time))
        for j in range(1, size):
            Z[k, j - 1] = over(sums[k, j], counts[k])
    return Z, offsets


@compile_cached
def _share_out(alpha, counts, c):
    """Multipliers of rows, from those of groups, at most c."""
    shares = np.empty(len(alpha), np.complex128)
    for k in range(len(alpha)):
        shares[k] = over(alpha[k], counts[k])
        if plus(shares[k], complex(-c, 0.0)).real > 0.0:
            shares[k] = complex(c, 0.0)
    return shares


@compile_cached
def _combine(alpha, sums, counts):
    """Σ α counts and Σ α sums."""
    total, resultant = complex(0.0, 0.0), np.zeros(sums.shape[1], np.complex128)
    for k in range(len(alpha)):
        total = plus(total, times(alpha[k], counts[k]))
        for j in range(sums.shape[1]):
            resultant[j] = plus(resultant[j], times(alpha[k], sums[k, j]))
    return total, resultant
