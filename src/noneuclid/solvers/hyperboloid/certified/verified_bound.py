"""The lower bound of a search in time, proved again for the points as they are given.

The search works in double precision on boosted rows. Its multipliers α are exact numbers, feasible
for the exact rows too: here Σ α_i r_i is summed in twice the digits, boosted in extended precision,
and every bound is lowered by all that rounding can still do.
"""

import math
from dataclasses import replace

import numpy as np

from noneuclid.solvers.hyperboloid import exact_sums
from noneuclid.solvers.hyperboloid.certified.intervals import Interval

_EPS = float(np.finfo(float).eps)
_LONG_EPS = float(np.finfo(np.longdouble).eps)
_DOUBLE_DOUBLE = 2.0**-98  # of one operation, with room; §10.1


class Verifier:
    """Slices with their rounding taken off."""

    error = 0.0  # what rounding does to rows before `find_shifts` counts, c Σ q_i |δ_i|

    def __init__(self, slices, points, signs, centre, span=None):
        self.slices = slices
        given = np.empty(0) if slices.given is None else slices.given
        groups = slices.groups
        sums = exact_sums.sum_groups(points, signs, given, groups.ids, len(groups.counts))
        high, low, total, rest, self.sizes = sums
        self.sums = high.astype(np.longdouble) + low
        self.counts = total.astype(np.longdouble) + rest
        self.centre = centre.astype(np.longdouble)
        self.stretch = find_stretch(centre)
        if span is None:
            lost = rounding_error_by_boost(slices.rows, slices.weights, centre, self.sizes.sum())
        else:
            lost = span.lost.sum()
        self.lost = slices.c * lost * (1.0 + 1e-9)  # §9.1

    def rounding_error_on_cone(self, value, lost):
        """What c Σ q_i |δ_i| = lost does to the objective of any better w on the light cone.

        There |w_0| <= (value - c n_s) / (c Σ q_i / (x_0 + |x'|)) over the class s that is wrong.
        """
        slices, longest = self.slices, 0.0
        sizes = np.abs(slices.rows[:, 0]) + np.linalg.norm(slices.rows[:, 1:], axis=1)
        for wrong in (slices.rows[:, 0] < 0.0, slices.rows[:, 0] > 0.0):
            weights = slices.weights[wrong]
            spare = max(0.0, value - slices.c * weights.sum())
            longest = max(longest, spare / (slices.c * (weights / sizes[wrong]).sum()))
        return 1.5 * lost * longest  # |w| = √2 |w_0|: §9.9

    def verify(self, results):
        """Each slice by the signs of t on its side, with bounds that hold there after rounding."""
        alphas = self.slices.groups.inherit([result.alpha for result in results])
        alphas = np.clip(alphas, 0.0, self.slices.c)
        resultants = boost_vectors(alphas @ self.sums, self.centre)
        terms = len(self.sizes) + resultants.shape[1] + 16  # §9.4
        errors = 2.0 * terms * _LONG_EPS * self.stretch * (alphas @ self.sizes) * (1.0 + 1e-9)
        totals = (alphas @ self.counts).astype(float)
        totals *= 1.0 - terms * _LONG_EPS - 2.0 * _EPS  # §9.4
        return self._states(results, totals, resultants, errors, float, 1e-14)  # §9.5

    def rounding_error_of_upper(self, moved):
        """What rounded rows can do to the objective at |w| = moved."""
        return self.lost * moved

    def _states(self, results, totals, resultants, errors, kind, spare_of_upper):
        """The slices with their long `resultants` Σ α_i r_i, each off by its error at most.

        Their numbers are rounded to `kind`; `upper` may lose a share.
        """
        one, eps = kind(1.0), float(np.finfo(kind).eps)  # 8 ε and ε below: §9.5
        lengths = np.sqrt(np.sum(resultants[:, 1:] ** 2, axis=1))
        slopes = -resultants[:, 0]
        spare = 2.0 * errors + 8.0 * _LONG_EPS * (np.abs(slopes) + lengths)
        rises = {
            sign: (sign * slopes - lengths - spare).astype(kind).tolist() for sign in (-1.0, 1.0)
        }
        lengths = (lengths.astype(kind) * (one + 8.0 * eps) + errors).tolist()
        slopes, spatial = slopes.astype(kind), resultants[:, 1:].astype(kind)
        moves = (errors + eps * np.abs(slopes)).tolist()
        totals, slopes, states = totals.tolist(), slopes.tolist(), []
        for k, result in enumerate(results):
            moved = math.sqrt(result.t**2 + result.u @ result.u)
            state = replace(
                result,
                total=totals[k],
                resultant=spatial[k],
                length=lengths[k],
                upper=result.upper * (one + spare_of_upper) + self.rounding_error_of_upper(moved),
            )
            # The slope is moved against t.
            states.append(
                {
                    sign: replace(state, slope=slopes[k] - sign * moves[k], rise=rises[sign][k])
                    for sign in (-1.0, 1.0)
                    if sign * result.t >= 0.0
                }
            )
        return states


class FarVerifier(Verifier):
    """The same for `FarSlices`, which have all digits: little is left to take off."""

    def __init__(self, slices, points, centre):
        self.slices, self.stretch = slices, find_stretch(centre)
        lengths = slices.weights @ np.linalg.norm(points, axis=1)
        terms = len(points) + 4 * points.shape[1] + 64  # §10.1
        self._share = terms * _DOUBLE_DOUBLE * self.stretch * (1.0 + 1e-9)
        self.error = self._share * slices.c * float(lengths)
        self.lost = self.error + slices.c * float(slices.find_shifts().sum())

    def verify(self, results):
        """Each slice by the signs of t on its side, with bounds that hold there after rounding."""
        totals = np.array([result.total for result in results])
        totals *= np.longdouble(1.0) - 4.0 * _LONG_EPS  # §10.1
        exact = np.array([np.append(-result.slope, result.resultant) for result in results])
        errors = self._share * np.array([result.size for result in results])
        # The last rounding, §10.1.
        errors += 2.0 * _LONG_EPS * np.abs(exact[:, 1:]).sum(axis=1).astype(float)
        spare = (len(self.slices.rows) + exact.shape[1] + 16) * _LONG_EPS  # §10.2
        return self._states(results, totals, exact, errors, np.longdouble, spare)

    def rounding_error_of_upper(self, moved):
        """What is missing in `upper` of a slice with |w| = moved."""
        return self.error * moved


def rounding_error_by_boost(rows, weights, centre, size):
    """Σ q_i |δ_i|, δ_i what rounding did to a boosted row; `size` is Σ q_i |x_i|."""
    lost = _share_lost(centre) * float(size)
    return lost + 0.5 * _EPS * float(weights @ np.abs(rows).sum(axis=1))  # §9.2


def find_shifts(rows, weights, centre, points):
    """The terms q_i |δ_i| of `rounding_error_by_boost`, §9.2."""
    lengths = np.linalg.norm(points, axis=1)
    return weights * (_share_lost(centre) * lengths + 0.5 * _EPS * np.abs(rows).sum(axis=1))


def _share_lost(centre):
    # Rows are boosted in the numbers of the centre and rounded once.
    numbers = _EPS if centre.dtype == float else _LONG_EPS
    return (16.0 + len(centre)) * numbers * find_stretch(centre)  # §9.2


def find_stretch(centre):
    """|x| grows at most by this factor, e to the distance of the centre from the origin."""
    return float(np.sqrt(1.0 + centre @ centre) + np.sqrt(centre @ centre))


def rounding_error_of_length(points, centre, eps):
    """What rounding of the boost can do to the length of a row, with numbers of this precision."""
    stretch = find_stretch(centre)
    return float(2.0 * (64.0 + 4.0 * len(centre)) * eps * stretch * points[:, 0].max())  # §9.3


def boost_vectors(vectors, centre):
    """Rows (n, d + 1) times the boost to the centre, not rounded."""
    time = np.sqrt(1.0 + centre @ centre)
    along = vectors[:, 1:] @ centre
    space = vectors[:, 1:] + np.outer(vectors[:, 0] + along / (1.0 + time), centre)
    return np.column_stack([vectors[:, 0] * time + along, space])


def lower_bound(leaves, ends, cone, goal, far, between):
    """Lower bound of the objective over all t between the slices at both ends.

    `leaves` are the intervals between neighbouring slices, `ends` these slices after `verify`, by
    id; `cone` bounds the objective on the cone, `between` all objectives at |t| >= far.
    """
    lowest = math.inf
    for leaf in leaves:
        sign = 1.0 if leaf.a.t + leaf.b.t > 0.0 else -1.0
        interval = Interval(ends[id(leaf.a)][sign], ends[id(leaf.b)][sign], leaf.kink)
        bound = _prove(interval, cone, goal)
        if min(abs(leaf.a.t), abs(leaf.b.t)) >= far:
            bound = max(bound, between)
        lowest = min(lowest, bound)
    return lowest


def _prove(interval, cone, goal):
    a, b = interval.a, interval.b
    bound, _ = interval.find_lowest()
    reach = max(abs(a.t), abs(b.t))
    bound -= max(a.rounding(reach), b.rounding(reach))
    if bound >= goal:
        return bound
    if (rest := interval.bound_off_cone(goal)) is not None:
        return max(bound, min(rest - max(a.rounding(reach), b.rounding(reach)), cone))
    return max(bound, cone) if interval.highest_inside() <= cone else bound
