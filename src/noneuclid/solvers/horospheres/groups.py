"""Groups of classes, merged along their hierarchy, and the ideal points that lie behind them.

In every function:

sums (n_classes, d + 1) : sum of the weighted points of each class
members (m, n_classes) : which classes are in each group
starts (>= m, d) : the first rows are written, one for each group
"""

import numpy as np

from noneuclid.compiled import compile_cached, compile_inner

_ROUNDING = 1e-15  # relative; squares of sums far out are no larger


@compile_inner
def _unit(totals, units, a):
    """Scale a sum of points to the hyperboloid: their centroid, see `lorentz.midpoint`."""
    square = totals[a, 0] ** 2
    for j in range(1, totals.shape[1]):
        square -= totals[a, j] ** 2
    length = np.sqrt(max(square, _ROUNDING * totals[a, 0] ** 2))
    for j in range(totals.shape[1]):
        units[a, j] = totals[a, j] / length


@compile_inner
def _gromov_product(units, a, b):
    """Twice the Gromov product of two points as seen from the origin."""
    cosh = units[a, 0] * units[b, 0]
    for j in range(1, units.shape[1]):
        cosh -= units[a, j] * units[b, j]
    depths = np.arccosh(max(units[a, 0], 1.0)) + np.arccosh(max(units[b, 0], 1.0))
    return depths - np.arccosh(max(cosh, 1.0))


@compile_inner
def class_sums(polar, codes, weights, sums):
    """Write the sums of the points, over the largest coordinate, which may be near overflow."""
    largest = 1.0
    for k in range(len(sums)):
        for j in range(sums.shape[1]):
            sums[k, j] = 0.0
    for i in range(len(polar)):
        largest = max(largest, polar[i, 1])
    for i in range(len(polar)):
        k, weight = codes[i], weights[i] / largest
        sums[k, 0] += weight * np.hypot(1.0, polar[i, 1])
        for j in range(1, sums.shape[1]):
            sums[k, j] += weight * polar[i, 1] * polar[i, 1 + j]


@compile_cached
def merge_classes(sums, counts, present):
    """Members of each class that is present, then of those merged one by one.

    The deepest common ancestor of two classes is where the geodesic between their means comes
    nearest to the origin; the Gromov product of the means is that distance up to a constant. The
    sum of a merged group is that of its parts. O(K³ + K² d).
    """
    size, made = sums.shape[1], 0
    members = np.zeros((max(2 * present - 2, present), len(sums)), np.bool_)
    totals, units = np.empty((present, size)), np.empty((present, size))
    product, alive = np.empty((present, present)), np.empty(present, np.int64)
    for k in range(len(sums)):
        if counts[k] > 0.0:
            members[made, k], alive[made] = True, made
            for j in range(size):
                totals[made, j] = sums[k, j]
            _unit(totals, units, made)
            for b in range(made):
                product[made, b] = _gromov_product(units, made, b)
            made += 1
    for left in range(present - 1, 1, -1):
        best, first, second = -np.inf, 0, 1
        for a in range(left + 1):
            for b in range(a):
                if product[a, b] > best:
                    best, first, second = product[a, b], b, a
        for k in range(len(sums)):
            members[made, k] = members[alive[first], k] or members[alive[second], k]
        for j in range(size):
            totals[first, j] += totals[second, j]
            totals[second, j], units[second, j] = totals[left, j], units[left, j]
        alive[first], alive[second] = made, alive[left]  # the last takes the place of the second
        _unit(totals, units, first)
        for a in range(left):
            if a != second:
                product[max(a, second), min(a, second)] = product[left, a]
        for a in range(left):
            if a != first:
                product[max(a, first), min(a, first)] = _gromov_product(units, a, first)
        made += 1
    return members


@compile_cached
def points_behind(sums, members, starts):
    """Write an ideal point, of any length, for each group.

    This is where the geodesic from the mean q of the other classes through the mean p of the group
    ends: p - exp(-D) q for p and q at the distance D. Isometries take it along.
    """
    size = sums.shape[1]
    totals, units = np.empty((2, size)), np.empty((2, size))
    for g in range(len(members)):
        for j in range(size):
            totals[0, j], totals[1, j] = 0.0, 0.0
            for k in range(len(sums)):
                totals[0 if members[g, k] else 1, j] += sums[k, j]
        for a in range(2):
            _unit(totals, units, a)
        chord = -((units[0, 0] - units[1, 0]) ** 2)
        for j in range(1, size):
            chord += (units[0, j] - units[1, j]) ** 2
        shrink = -np.expm1(-2 * np.arcsinh(np.sqrt(max(chord, 0.0)) / 2))
        for j in range(1, size):
            starts[g, j - 1] = units[0, j] - units[1, j] + shrink * units[1, j]


@compile_inner
def klein_means(polar, codes, weights, members, starts):
    """Write the way to the Klein mean of each group."""
    for i in range(len(polar)):
        weight = weights[i] * polar[i, 1] / np.hypot(1.0, polar[i, 1])
        for g in range(len(members)):
            if members[g, codes[i]]:
                for j in range(starts.shape[1]):
                    starts[g, j] += weight * polar[i, 2 + j]
