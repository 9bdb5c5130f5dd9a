"""Groups of classes, merged along their hierarchy, and the ideal points that lie behind them.

In every function:

sums (n_classes, d + 1) : sum of the weighted points of each class
signs (m, n_classes) : 1 for the classes of each group, -1 for the others
work (>= 2 n_classes, d + 1) : overwritten
"""

import numpy as np

from noneuclid.compiled import compile_cached

_ROUNDING = 1e-15  # relative; squares of sums far out are no larger


@compile_cached
def class_sums(polar, codes, weights, sums):
    """Write the sums of the points, over the largest coordinate, which may be near overflow."""
    largest = 1.0
    for k in range(sums.shape[0]):
        for j in range(sums.shape[1]):
            sums[k, j] = 0.0
    for i in range(len(polar)):
        if polar[i, 1] > largest:
            largest = polar[i, 1]
    for i in range(len(polar)):
        k, weight = codes[i], weights[i] / largest
        sums[k, 0] += weight * np.hypot(1.0, polar[i, 1])
        for j in range(1, sums.shape[1]):
            sums[k, j] += weight * polar[i, 1] * polar[i, 1 + j]


@compile_cached
def merge_classes(sums, counts, signs, work, product, latest):
    """Write the signs of each class that is present, then of those merged one by one.

    The deepest common ancestor of two classes is where the geodesic between their means comes
    nearest to the origin; the Gromov product of the means is that distance up to a constant. The
    sum of a merged group is that of its parts, and `lorentz.midpoint` its unit vector. Groups have
    places, the merged one that of its first part: `latest` (n_classes,) holds which of the signs
    are theirs, `product` (n_classes, n_classes), of -inf at first, twice their Gromov products, and
    their depths on the diagonal. O(K³ + K² d).
    """
    n_classes, size = sums.shape
    places, k = 0, 0
    for made in range(len(signs)):
        while k < n_classes and counts[k] == 0.0:
            k += 1
        if k < n_classes:
            place = places
            for c in range(n_classes):
                signs[made, c] = -1.0
            signs[made, k] = 1.0
            for j in range(size):
                work[place, j] = sums[k, j]
            places += 1
            k += 1
        else:
            best, place, second = -np.inf, 0, 1
            for a in range(places):
                for b in range(a):
                    if product[a, b] > best:
                        best, place, second = product[a, b], b, a
            for c in range(n_classes):
                one, other = signs[latest[place], c], signs[latest[second], c]
                signs[made, c] = one if one > other else other
            for j in range(size):
                work[place, j] += work[second, j]
            for a in range(places):
                product[second, a], product[a, second] = -np.inf, -np.inf
        latest[place] = made
        square = work[place, 0] ** 2
        floor = _ROUNDING * square
        for j in range(1, size):
            square -= work[place, j] ** 2
        length, unit = np.sqrt(square if square > floor else floor), n_classes + place
        for j in range(size):
            work[unit, j] = work[place, j] / length
        cosh = work[unit, 0]
        product[place, place] = np.arccosh(cosh if cosh > 1.0 else 1.0)
        for a in range(places):
            if a != place and product[a, a] >= 0.0:
                cosh = work[unit, 0] * work[n_classes + a, 0]
                for j in range(1, size):
                    cosh -= work[unit, j] * work[n_classes + a, j]
                distance = np.arccosh(cosh if cosh > 1.0 else 1.0)
                product[place, a] = product[place, place] + product[a, a] - distance
                product[a, place] = product[place, a]


@compile_cached
def points_behind(sums, signs, starts, work):
    """Write an ideal point, of any length, for each group.

    This is where the geodesic from the mean q of the other classes through the mean p of the group
    ends: p - exp(-D) q for p and q at the distance D. Isometries take it along.
    """
    size = sums.shape[1]
    for g in range(len(signs)):
        for a in range(2):
            for j in range(size):
                work[a, j] = 0.0
            for k in range(sums.shape[0]):
                if (signs[g, k] > 0.0) == (a == 0):
                    for j in range(size):
                        work[a, j] += sums[k, j]
            square = work[a, 0] ** 2
            floor = _ROUNDING * square
            for j in range(1, size):
                square -= work[a, j] ** 2
            length = np.sqrt(square if square > floor else floor)
            for j in range(size):
                work[a, j] /= length
        chord = -((work[0, 0] - work[1, 0]) ** 2)
        for j in range(1, size):
            chord += (work[0, j] - work[1, j]) ** 2
        half = np.sqrt(chord if chord > 0.0 else 0.0) / 2
        shrink = -np.expm1(-2 * np.arcsinh(half))
        for j in range(1, size):
            starts[g, j - 1] = work[0, j] - work[1, j] + shrink * work[1, j]
