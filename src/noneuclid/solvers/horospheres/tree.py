"""Decision trees that split by horospheres."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.geometry import lorentz
from noneuclid.solvers import progress
from noneuclid.solvers.horospheres.splits import (
    best_threshold,
    busemann,
    horosphere_value,
    margin_horosphere,
    purity,
)

# HoroRF draws C in 2^[-3, 5] and weights every row of a class with n rows by 0.1 / (1 - 0.9^n),
# about 0.1.
_LOG_C = np.log(0.1) + np.log(2) * np.array([-3.0, 5.0])
_GAIN = 1e-12  # relative; less is rounding


class Rules(NamedTuple):
    """How a tree grows; see `HorosphereDecisionTreeClassifier`."""

    max_depth: float
    min_samples_split: int
    min_samples_leaf: int
    min_weight_fraction_leaf: float
    n_candidates: int


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
            closer = horosphere_value(polar[i], ideals[node]) <= thresholds[node]
            node = inside[node] if closer else outside[node]
        found[i] = node
    return found


def grow_tree(polar, codes, weights, n_classes, rules, rng):
    """Grow a tree on weighted rows."""
    least = rules.min_samples_leaf, rules.min_weight_fraction_leaf * weights.sum()
    nodes, waiting = [], [(np.arange(len(codes)), 0, None)]
    bar = progress.bar(desc="node")
    while waiting:
        bar.update()
        rows, depth, parent = waiting.pop()
        number = len(nodes)
        if parent is not None:
            place, side = parent
            nodes[place][side] = number
        counts = np.bincount(codes[rows], weights[rows], n_classes)
        total = counts.sum()
        node = [np.full(polar.shape[1] - 2, np.nan), np.nan, -1, -1, counts / total, total]
        nodes.append(node)
        splittable = depth < rules.max_depth and len(rows) >= rules.min_samples_split
        if not splittable or np.count_nonzero(counts) < 2:
            continue
        data = polar[rows], codes[rows], weights[rows], n_classes
        gain, ideal, threshold = _split(*data, least, rules.n_candidates, rng)
        if gain > purity(counts) * (1 + _GAIN):
            node[:2] = ideal, threshold
            closer = busemann(data[0], ideal) <= threshold
            waiting += [
                (rows[~closer], depth + 1, (number, 3)),
                (rows[closer], depth + 1, (number, 2)),
            ]
    bar.close()
    return HorosphereTree(*(np.array(column) for column in zip(*nodes, strict=True)))


def _split(polar, codes, weights, n_classes, least, n_candidates, rng):
    """Purity, ideal point and threshold of the best horosphere that was found."""
    C = np.exp(rng.uniform(*_LOG_C))
    ideals = [
        margin_horosphere(polar, signs, weights, C, start)[0]
        for signs, start in _problems(polar, codes, weights, n_classes, rng)
    ]
    spread = rng.standard_normal((n_candidates, polar.shape[1] - 2))
    ideals += [w / np.linalg.norm(w) for w in spread]
    best = -np.inf, None, None
    for ideal in ideals:
        values = busemann(polar, ideal)
        gain, threshold = best_threshold(values, codes, weights, n_classes, *least)
        if gain > best[0]:
            best = gain, ideal, threshold
    return best


def _problems(polar, codes, weights, n_classes, rng):
    """Signs of each class, and each group of classes, against the rest; the way to its mean."""
    klein = polar[:, 2:] * (polar[:, 1] / np.hypot(1, polar[:, 1]))[:, None]
    for group in _groups(polar, codes, weights, n_classes):
        inside = np.isin(codes, group)
        start = np.average(klein[inside], axis=0, weights=weights[inside])
        length = np.linalg.norm(start)
        if length == 0:  # a mean at the origin shows no direction
            start = rng.standard_normal(len(start))
            length = np.linalg.norm(start)
        yield np.where(inside, 1.0, -1.0), start / length


def _groups(polar, codes, weights, n_classes):
    """Classes that are present, then those merged one by one, nearest in the hierarchy first.

    The deepest common ancestor of two classes is where the geodesic between their means comes
    nearest to the origin; the Gromov product of the means is that distance up to a constant.
    """
    groups = [[k] for k in np.unique(codes)]
    found = list(groups)
    points = lorentz.from_spatial(polar[:, 1:2] * polar[:, 2:])
    while len(groups) > 2:
        means = [
            lorentz.midpoint(points[rows], weights[rows])
            for rows in (np.isin(codes, group) for group in groups)
        ]
        origin = lorentz.origin(polar.shape[1] - 2)
        depth = lorentz.distance(np.array(means), origin)
        product = depth[:, None] + depth - lorentz.pairwise_distances(np.array(means))
        np.fill_diagonal(product, -np.inf)
        first, second = sorted(np.unravel_index(product.argmax(), product.shape))
        groups[first] = groups[first] + groups.pop(second)
        found.append(groups[first])
    return found
