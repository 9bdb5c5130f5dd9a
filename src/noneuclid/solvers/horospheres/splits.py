"""Busemann functions of labelled points, and their purest thresholds.

A horosphere {B_w = t} is a level set of the Busemann function of an ideal point w, a unit vector:
B_w(x) = log(x_0 - <w, x_r>); B_w falls towards w, and {B_w <= t} is the horoball.
"""

import numpy as np

from noneuclid.compiled import compile_cached, compile_inlined, compile_inner

_BINS = 32  # enough to choose between ideal points


def rays(points):
    """Points in polar form, from which Busemann functions keep their digits far out.

    Columns (n, d + 2): exp(-r), sinh(r) and the direction (zeros at the origin) of each point at
    distance r.
    """
    length = np.linalg.norm(points[:, 1:], axis=1)
    directions = points[:, 1:] / np.where(length > 0, length, 1)[:, None]
    return np.column_stack([1 / (np.hypot(1, length) + length), length, directions])


@compile_inner
def horosphere_height(polar, i, ideal):
    """Exponential of the Busemann function of row i; see `busemann`."""
    square = 0.0
    for j in range(polar.shape[1] - 2):
        square += (polar[i, 2 + j] - ideal[j]) ** 2
    return polar[i, 0] + polar[i, 1] * square / 2


@compile_cached
def busemann(polar, ideal):
    """Busemann function of one ideal point at each row.

    x_0 - <w, x_r> = exp(-r) + sinh(r) |u - w|² / 2 for x_r = u sinh(r): no difference of large
    numbers. The direction u has 16 digits, so values below -30 lose theirs off the axes.
    """
    values = np.empty(len(polar))
    for i in range(len(polar)):
        values[i] = np.log(horosphere_height(polar, i, ideal))
    return values


@compile_cached
def purity(counts):
    """Σ_k N_k² / N of class weights N_k: the larger, the purer."""
    total, square = 0.0, 0.0
    for k in range(len(counts)):
        total += counts[k]
        square += counts[k] ** 2
    return square / total


@compile_inlined
def _sort(values):
    """Order of the rows, by merging runs of twice the length in each round."""
    n, width = len(values), 1
    order, merged = np.arange(n), np.empty(n, np.int64)
    while width < n:
        for start in range(0, n, 2 * width):
            first, second = start, min(start + width, n)
            middle, stop = second, min(start + 2 * width, n)
            for place in range(start, stop):
                later = first == middle
                if not later and second < stop:
                    later = values[order[second]] < values[order[first]]
                if later:
                    merged[place] = order[second]
                    second += 1
                else:
                    merged[place] = order[first]
                    first += 1
        order, merged = merged, order
        width *= 2
    return order


@compile_cached
def best_threshold(values, codes, weights, n_classes, min_samples_leaf, min_weight):
    """Threshold with the least Gini impurity of both sides, halfway between two values.

    Returns the purity, Σ over both sides of Σ_k N_k² / N with class weights N_k (-inf if nothing
    may be split), and the threshold: rows with a value <= threshold go to the first side. O(n log
    n).
    """
    order = _sort(values)
    left, right = np.zeros(n_classes), np.zeros(n_classes)
    for i in range(len(values)):
        right[codes[i]] += weights[i]
    total, inside, left_square, right_square = 0.0, 0.0, 0.0, 0.0
    for k in range(n_classes):
        total += right[k]
        right_square += right[k] ** 2
    best, threshold = -np.inf, np.nan
    for rank in range(len(values) - min_samples_leaf):
        i = order[rank]
        k, w = codes[i], weights[i]
        left_square += w * (2 * left[k] + w)
        right_square -= w * (2 * right[k] - w)
        left[k] += w
        right[k] -= w
        inside += w
        low, high = values[i], values[order[rank + 1]]
        light = min(inside, total - inside) < min_weight
        if rank + 1 < min_samples_leaf or light or low == high:
            continue
        found = left_square / inside + right_square / (total - inside)
        if found > best:
            middle = low + (high - low) / 2
            best, threshold = found, middle if middle < high else low
    return best, threshold


@compile_cached
def binned_purity(values, codes, weights, n_classes, min_samples_leaf, min_weight):
    """The purity of `best_threshold` if only the edges of equal bins are thresholds. O(n)."""
    lowest, highest, total = np.inf, -np.inf, 0.0
    for i in range(len(values)):
        lowest, highest = min(lowest, values[i]), max(highest, values[i])
        total += weights[i]
    scale = _BINS * (1 - 1e-9) / (highest - lowest)
    table, numbers = np.zeros((_BINS, n_classes)), np.zeros(_BINS, np.int64)
    left, right = np.zeros(n_classes), np.zeros(n_classes)
    for i in range(len(values)):
        place = int((values[i] - lowest) * scale) if highest > lowest else 0
        table[place, codes[i]] += weights[i]
        numbers[place] += 1
        right[codes[i]] += weights[i]
    best, number, inside = -np.inf, 0, 0.0
    for place in range(_BINS - 1):
        number += numbers[place]
        if numbers[place] == 0:
            continue
        left_square, right_square = 0.0, 0.0
        for k in range(n_classes):
            moved = table[place, k]
            inside += moved
            left[k] += moved
            right[k] -= moved
            left_square += left[k] ** 2
            right_square += right[k] ** 2
        light = min(inside, total - inside) < min_weight
        if light or min(number, len(values) - number) < min_samples_leaf:
            continue
        best = max(best, left_square / inside + right_square / (total - inside))
    return best
