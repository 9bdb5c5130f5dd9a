"""Purest thresholds of the Busemann functions of labelled points."""

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.geometry.horospheres import horosphere_height

_BINS = 32  # enough to choose between ideal points


def purity(counts):
    """Σ_k N_k² / N of class weights N_k: the larger, the purer."""
    return counts @ counts / counts.sum()


def best_threshold(values, codes, weights, n_classes, min_samples_leaf, min_weight):
    """Threshold with the least Gini impurity of both sides, halfway between two values.

    Returns the purity, Σ over both sides of Σ_k N_k² / N with class weights N_k (-inf if nothing
    may be split), and the threshold: rows with a value <= threshold go to the first side. O(n log
    n).
    """
    counts = np.bincount(codes, weights, n_classes)
    limits = min_samples_leaf, min_weight
    gains, thresholds = best_thresholds(values[None], codes, weights, counts, *limits)
    return gains[0], thresholds[0]


def best_thresholds(values, codes, weights, counts, min_samples_leaf, min_weight):
    """Purities and thresholds of `best_threshold` of each row of values (m, n)."""
    order, found = values.argsort(axis=1, kind="stable"), np.empty((2, len(values)))
    rows = values, order, codes, weights, counts
    _scan(*rows, min_samples_leaf, min_weight, np.empty((2, len(counts))), found)
    return found


@compile_cached
def _scan(values, order, codes, weights, counts, min_samples_leaf, min_weight, sides, found):
    """Write the purity and the threshold of `best_threshold`; the class weights of both sides."""
    n, n_classes, whole, total = len(codes), len(counts), 0.0, 0.0
    for k in range(n_classes):
        total += counts[k]
        whole += counts[k] ** 2
    for g in range(len(values)):
        left_square, right_square, inside = 0.0, whole, 0.0
        found[0, g], found[1, g] = -np.inf, np.nan
        for k in range(n_classes):
            sides[0, k], sides[1, k] = 0.0, counts[k]
        for rank in range(n - min_samples_leaf):
            i, after = order[g, rank], order[g, rank + 1]
            k, w = codes[i], weights[i]
            left_square += w * (2 * sides[0, k] + w)
            right_square -= w * (2 * sides[1, k] - w)
            sides[0, k] += w
            sides[1, k] -= w
            inside += w
            outside = total - inside
            low, high = values[g, i], values[g, after]
            if rank + 1 < min_samples_leaf or inside < min_weight or outside < min_weight:
                continue
            gain = left_square / inside + right_square / outside
            if low < high and gain > found[0, g]:
                middle = low + (high - low) / 2
                found[0, g], found[1, g] = gain, middle if middle < high else low


def binned_purity(polar, ideals, codes, weights, counts, min_samples_leaf, min_weight):
    """The purity of each ideal point if only the edges of equal bins are thresholds. O(n)."""
    purest = np.empty(len(ideals))
    table, sides = np.empty((_BINS, len(counts) + 1)), np.empty((2, len(counts)))
    rows = polar, ideals, codes, weights, counts, min_samples_leaf, min_weight
    _scan_bins(*rows, np.empty(len(codes)), table, sides, purest)
    return purest


@compile_cached
def _scan_bins(
    polar, ideals, codes, weights, counts, min_samples_leaf, min_weight, values, table, sides,
    purest,
):  # fmt: skip
    """Write `binned_purity`; the last column of the table of the bins counts rows."""
    n, n_classes = len(codes), len(counts)
    for g in range(len(ideals)):
        total, lowest, highest, purest[g] = 0.0, np.inf, -np.inf, -np.inf
        for i in range(n):
            value = np.log(horosphere_height(polar, i, ideals, g))
            values[i] = value
            total += weights[i]
            lowest = value if value < lowest else lowest
            highest = value if value > highest else highest
        if not lowest < highest:
            continue
        for place in range(_BINS):
            for k in range(n_classes + 1):
                table[place, k] = 0.0
        scale = _BINS * (1 - 1e-9) / (highest - lowest)
        for i in range(n):
            place = int((values[i] - lowest) * scale)
            table[place, codes[i]] += weights[i]
            table[place, n_classes] += 1.0
        number, inside = 0.0, 0.0
        for k in range(n_classes):
            sides[0, k], sides[1, k] = 0.0, counts[k]
        for place in range(_BINS - 1):
            if table[place, n_classes] == 0.0:
                continue
            number += table[place, n_classes]
            left_square, right_square = 0.0, 0.0
            for k in range(n_classes):
                moved = table[place, k]
                inside += moved
                sides[0, k] += moved
                sides[1, k] -= moved
                left_square += sides[0, k] ** 2
                right_square += sides[1, k] ** 2
            outside = total - inside
            few = number < min_samples_leaf or n - number < min_samples_leaf
            if few or inside < min_weight or outside < min_weight:
                continue
            gain = left_square / inside + right_square / outside
            purest[g] = gain if gain > purest[g] else purest[g]
