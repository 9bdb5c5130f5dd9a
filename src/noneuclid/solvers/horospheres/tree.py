"""Decision trees that split by horospheres."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from noneuclid.compiled import compile_cached, compile_inner
from noneuclid.solvers.horospheres.search import find_split
from noneuclid.solvers.horospheres.splits import horosphere_height, purity

_GAIN = 1e-12  # relative; less is rounding


class Rules(NamedTuple):
    """How a tree grows; see `HorosphereDecisionTreeClassifier`."""

    max_depth: float
    min_samples_split: int
    min_samples_leaf: int
    min_weight_fraction_leaf: float
    n_candidates: int
    every_margin: bool


@dataclass
class HorosphereTree:
    """A grown tree; node 0 is the root."""

    ideals: np.ndarray  # (n_nodes, d), ideal point of each split; nan in leaves
    # (n_nodes,), rows with a Busemann function <= threshold go to `inside`, the others to `outside`
    thresholds: np.ndarray
    inside: np.ndarray  # (n_nodes,), children; -1 in leaves
    outside: np.ndarray
    values: np.ndarray  # (n_nodes, n_classes), class frequencies of the training rows
    weights: np.ndarray  # (n_nodes,), total weight of these rows

    def apply(self, polar):
        """Leaf of each row of `splits.rays`."""
        return _leaves(polar, self.ideals, self.thresholds, self.inside, self.outside)

    @property
    def depths(self):
        """Splits above each node, (n_nodes,)."""
        depths = np.zeros(len(self.inside), dtype=int)
        for node in np.flatnonzero(self.inside >= 0):  # children have larger numbers
            depths[[self.inside[node], self.outside[node]]] = depths[node] + 1
        return depths


@compile_cached
def _leaves(polar, ideals, thresholds, inside, outside):
    found = np.zeros(len(polar), dtype=np.int64)
    for i in range(len(polar)):
        node = 0
        while inside[node] >= 0:
            closer = np.log(horosphere_height(polar, i, ideals[node])) <= thresholds[node]
            node = inside[node] if closer else outside[node]
        found[i] = node
    return found


def grow_tree(polar, codes, weights, n_classes, rules, rng):
    """Grow a tree on weighted rows."""
    data = np.array(polar, order="C"), codes.astype(np.int64), np.array(weights, dtype=float)
    limits = float(rules.max_depth), rules.min_samples_split, rules.min_samples_leaf
    lightest = rules.min_weight_fraction_leaf * data[2].sum()
    search = rules.n_candidates, rules.every_margin, rng
    spans, ideals, thresholds = _grow(*data, n_classes, *limits, lightest, *search)
    counts = _counts(data[1], data[2], spans, n_classes)
    totals = counts.sum(axis=1)
    inside, values = spans[:, 3].copy(), counts / totals[:, None]
    outside = np.where(inside < 0, -1, inside + 1)
    return HorosphereTree(ideals.copy(), thresholds.copy(), inside, outside, values, totals)


@compile_cached
def _counts(codes, weights, spans, n_classes):
    """Weight of each class in each node, (n_nodes, K)."""
    counts = np.zeros((len(spans), n_classes))
    for node in range(len(spans)):
        for i in range(spans[node, 0], spans[node, 1]):
            counts[node, codes[i]] += weights[i]
    return counts


@compile_cached
def _grow(
    polar, codes, weights, n_classes, max_depth, min_samples_split, min_samples_leaf, min_weight,
    n_candidates, every_margin, rng,
):  # fmt: skip
    """Grow all nodes, depth first, and bring the rows of each node together.

    Returns of each node the first row, the last row + 1, the depth and the number of the child
    inside, one below that of the child outside, or -1; the ideal point; the threshold.
    """
    n, d = len(codes), polar.shape[1] - 2
    spans, thresholds = np.empty((2 * n, 4), np.int64), np.empty(2 * n)
    ideals, spare_polar = np.empty((2 * n, d)), np.empty((n, d + 2))
    spare_codes, spare_weights = np.empty(n, np.int64), np.empty(n)
    waiting, counts, made, left = np.empty(n, np.int64), np.empty(n_classes), 1, 1
    spans[0, 0], spans[0, 1], spans[0, 2], waiting[0] = 0, n, 0, 0
    while left:
        left -= 1
        node = waiting[left]
        low, high, depth = spans[node, 0], spans[node, 1], spans[node, 2]
        spans[node, 3], thresholds[node] = 0, np.nan
        for j in range(d):
            ideals[node, j] = np.nan
        for k in range(n_classes):
            counts[k] = 0.0
        for i in range(low, high):
            spans[node, 3] += counts[codes[i]] == 0.0
            counts[codes[i]] += weights[i]
        present, spans[node, 3] = spans[node, 3], -1
        if depth >= max_depth or high - low < min_samples_split or present < 2:
            continue
        ideal, threshold, gain = find_split(
            polar[low:high], codes[low:high], weights[low:high], counts, present,
            min_samples_leaf, min_weight, n_candidates, every_margin, rng,
        )  # fmt: skip
        if not gain > purity(counts) * (1 + _GAIN):
            continue
        thresholds[node], spans[node, 3] = threshold, made
        for j in range(d):
            ideals[node, j] = ideal[j]
        middle = _divide(
            polar, codes, weights, low, high, ideal, threshold,
            spare_polar, spare_codes, spare_weights,
        )  # fmt: skip
        for side in range(2):
            spans[made + side, 0] = middle if side else low
            spans[made + side, 1] = high if side else middle
            spans[made + side, 2] = depth + 1
            waiting[left + 1 - side] = made + side
        left, made = left + 2, made + 2
    return spans[:made], ideals[:made], thresholds[:made]


@compile_inner
def _divide(
    polar, codes, weights, low, high, ideal, threshold, spare_polar, spare_codes, spare_weights
):  # fmt: skip
    """Bring the rows inside the horosphere to the front, in their order; where the others begin."""
    near, far = low, 0
    for i in range(low, high):
        if np.log(horosphere_height(polar, i, ideal)) <= threshold:
            for j in range(polar.shape[1]):
                polar[near, j] = polar[i, j]
            codes[near], weights[near] = codes[i], weights[i]
            near += 1
        else:
            for j in range(polar.shape[1]):
                spare_polar[far, j] = polar[i, j]
            spare_codes[far], spare_weights[far] = codes[i], weights[i]
            far += 1
    for i in range(far):
        for j in range(polar.shape[1]):
            polar[near + i, j] = spare_polar[i, j]
        codes[near + i], weights[near + i] = spare_codes[i], spare_weights[i]
    return near
