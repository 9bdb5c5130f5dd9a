"""Decision trees that split by horospheres."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.geometry.horospheres import horosphere_height
from noneuclid.solvers.horospheres.search import find_split
from noneuclid.solvers.horospheres.splits import purity

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
        """Leaf of each row of `horospheres.rays`."""
        found = np.zeros(len(polar), np.int64)
        splits = self.ideals, self.thresholds, self.inside, self.outside
        _leaves(np.ascontiguousarray(polar), *splits, found)
        return found

    @property
    def depths(self):
        """Splits above each node, (n_nodes,)."""
        depths = np.zeros(len(self.inside), dtype=int)
        for node in np.flatnonzero(self.inside >= 0):  # children have larger numbers
            depths[[self.inside[node], self.outside[node]]] = depths[node] + 1
        return depths


@compile_cached
def _leaves(polar, ideals, thresholds, inside, outside, found):
    """Write the leaf of each row over the number of the root."""
    for i in range(len(polar)):
        node = found[i]
        while inside[node] >= 0:
            closer = np.log(horosphere_height(polar, i, ideals, node)) <= thresholds[node]
            node = inside[node] if closer else outside[node]
        found[i] = node


def grow_tree(polar, codes, weights, n_classes, rules, rng):
    """Grow a tree on weighted rows, depth first; the rows of each node are brought together."""
    data = np.array(polar, order="C"), codes.astype(np.int64), np.array(weights, dtype=float)
    least = rules.min_samples_leaf, rules.min_weight_fraction_leaf * float(data[2].sum())
    search = least, rules.n_candidates, rules.every_margin, rng
    spare = tuple(np.empty_like(column) for column in data)
    counts = np.zeros((2 * len(codes), n_classes))
    counts[0] = np.bincount(data[1], data[2], n_classes)
    leaf = np.full(polar.shape[1] - 2, np.nan), np.nan, -1
    nodes, waiting = [leaf], [(0, 0, len(codes), 0)]  # number, first row, last row + 1, depth
    while waiting:
        node, low, high, depth = waiting.pop()
        splittable = depth < rules.max_depth and high - low >= rules.min_samples_split
        if not splittable or np.count_nonzero(counts[node]) < 2:
            continue
        rows = tuple(column[low:high] for column in data)
        gain, *split = find_split(*rows, counts[node], *search)
        if not gain > purity(counts[node]) * (1 + _GAIN):
            continue
        (ideal, threshold, values), made = split, len(nodes)
        nodes[node] = ideal, threshold, made
        middle = low + _divide(*rows, values, threshold, *spare, counts[made : made + 2])
        nodes += [leaf, leaf]
        waiting += [(made + 1, middle, high, depth + 1), (made, low, middle, depth + 1)]
    ideals, thresholds, inside = (np.array(column) for column in zip(*nodes, strict=True))
    counts = counts[: len(nodes)]
    totals, outside = counts.sum(axis=1), np.where(inside < 0, -1, inside + 1)
    return HorosphereTree(ideals, thresholds, inside, outside, counts / totals[:, None], totals)


@compile_cached
def _divide(
    polar, codes, weights, values, threshold, spare_polar, spare_codes, spare_weights, counts
):  # fmt: skip
    """Bring the rows inside the horosphere to the front, in their order; returns their number.

    Adds the weights of the classes on each side to the counts (2, n_classes).
    """
    near, far, size = 0, 0, polar.shape[1]
    for i in range(len(polar)):
        if values[i] <= threshold:
            for j in range(size):
                polar[near, j] = polar[i, j]
            codes[near], weights[near] = codes[i], weights[i]
            counts[0, codes[i]] += weights[i]
            near += 1
        else:
            for j in range(size):
                spare_polar[far, j] = polar[i, j]
            spare_codes[far], spare_weights[far] = codes[i], weights[i]
            counts[1, codes[i]] += weights[i]
            far += 1
    for i in range(far):
        for j in range(size):
            polar[near + i, j] = spare_polar[i, j]
        codes[near + i], weights[near + i] = spare_codes[i], spare_weights[i]
    return near
