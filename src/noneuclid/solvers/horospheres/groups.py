"""Groups of classes, merged along their hierarchy, and the ideal points that lie behind them."""

import numpy as np

from noneuclid.compiled import compile_inner, copy_into

_ROUNDING = 1e-15


@compile_inner
def _unit(total, unit):
    """Scale a sum of points to the hyperboloid: their centroid, see `lorentz.midpoint`."""
    square = total[0] ** 2
    for j in range(1, len(total)):
        square -= total[j] ** 2
    square = max(square, _ROUNDING * total[0] ** 2)
    for j in range(len(total)):
        unit[j] = total[j] / np.sqrt(square)


@compile_inner
def _gromov_product(first, second):
    """Twice the Gromov product of two points as seen from the origin."""
    cosh = first[0] * second[0]
    for j in range(1, len(first)):
        cosh -= first[j] * second[j]
    depths = np.arccosh(max(first[0], 1.0)) + np.arccosh(max(second[0], 1.0))
    return depths - np.arccosh(max(cosh, 1.0))


@compile_inner
def point_behind(sums, klein, inside, klein_mean, target):
    """Direction of an ideal point for a group of classes, (d,), and the square of its length.

    This is where the geodesic from the mean q of the other classes through the mean p of the group
    ends: p - exp(-D) q for p and q at the distance D. Isometries take it along.
    """
    size, square = sums.shape[1], 0.0
    p, q = np.zeros(size), np.zeros(size)
    for k in range(len(sums)):
        for j in range(size):
            if inside[k]:
                p[j] += sums[k, j]
            else:
                q[j] += sums[k, j]
            if klein_mean and inside[k] and j > 0:
                target[j - 1] += klein[k, j - 1]
    if not klein_mean:
        _unit(p, p)
        _unit(q, q)
        chord = -((p[0] - q[0]) ** 2)
        for j in range(1, size):
            chord += (p[j] - q[j]) ** 2
        shrink = -np.expm1(-2 * np.arcsinh(np.sqrt(max(chord, 0.0)) / 2))
        for j in range(1, size):
            target[j - 1] = p[j] - q[j] + shrink * q[j]
    for j in range(size - 1):
        square += target[j] ** 2
    return square


@compile_inner
def class_sums(polar, codes, weights, n_classes):
    """Σ w x (K, d + 1) and Σ w x_r / x_0 (K, d) of the points of each class."""
    d = polar.shape[1] - 2
    sums, klein = np.zeros((n_classes, d + 1)), np.zeros((n_classes, d))
    for i in range(len(polar)):
        k, time = codes[i], np.hypot(1.0, polar[i, 1])
        sums[k, 0] += weights[i] * time
        for j in range(d):
            space = weights[i] * polar[i, 1] * polar[i, 2 + j]
            sums[k, 1 + j] += space
            klein[k, j] += space / time
    return sums, klein


@compile_inner
def merge_classes(sums, counts, number):
    """Members (m, K) of each class that is present, and of those merged one by one.

    The deepest common ancestor of two classes is where the geodesic between their means comes
    nearest to the origin; the Gromov product of the means is that distance up to a constant. The
    mean of a merged group is the sum of its parts, scaled. O(K³ + K² d).
    """
    size = sums.shape[1]
    members = np.zeros((max(2 * number - 2, number), len(sums)), np.bool_)
    alive, totals, units = np.arange(number), np.empty((number, size)), np.empty((number, size))
    product, a = np.empty((number, number)), 0
    for k in range(len(sums)):
        if counts[k] > 0.0:
            members[a, k] = True
            copy_into(sums[k], totals[a])
            _unit(totals[a], units[a])
            for b in range(a):
                product[a, b] = _gromov_product(units[a], units[b])
            a += 1
    left, made = number, number
    while left > 2:
        best, first, second = -np.inf, 0, 1
        for a in range(left):
            for b in range(a):
                if product[a, b] > best:
                    best, first, second = product[a, b], b, a
        for k in range(len(sums)):
            members[made, k] = members[alive[first], k] or members[alive[second], k]
        for j in range(size):
            totals[first, j] += totals[second, j]
        _unit(totals[first], units[first])
        left -= 1  # the last group takes the place of the second
        alive[first], alive[second] = made, alive[left]
        copy_into(totals[left], totals[second])
        copy_into(units[left], units[second])
        for a in range(left):
            if a != second:
                product[max(a, second), min(a, second)] = product[left, a]
        for a in range(left):
            if a != first:
                product[max(a, first), min(a, first)] = _gromov_product(units[a], units[first])
        made += 1
    return members
