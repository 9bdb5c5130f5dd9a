"""Decision trees that split by horospheres."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from noneuclid.compiled import compile_cached, compile_inner
from noneuclid.solvers.horospheres.groups import class_sums, merge_classes
from noneuclid.solvers.horospheres.margins import margin_horosphere
from noneuclid.solvers.horospheres.splits import (
    best_threshold,
    binned_purity,
    busemann,
    horosphere_value,
)

# HoroRF draws C in 2^[-3, 5] and weights every row of a class with n rows by 0.1 / (1 - 0.9^n),
# about 0.1.
_LOW, _HIGH = np.log(0.1) - 3 * np.log(2), np.log(0.1) + 5 * np.log(2)
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


KNOBS = [1, 10, 0, 1]  # margins, steps, start kind, search: 0 exhaustive


def grow_tree(polar, codes, weights, n_classes, rules, rng):
    """Grow a tree on weighted rows."""
    lightest = rules.min_weight_fraction_leaf * weights.sum()
    found = _grow(
        polar.copy(), codes.copy(), weights.astype(float), n_classes, float(rules.max_depth),
        rules.min_samples_split, rules.min_samples_leaf, lightest, rules.n_candidates, rng,
        *KNOBS
    )
    ideals, thresholds, children, values, totals = found
    return HorosphereTree(ideals, thresholds, children[:, 0], children[:, 1], values, totals)


@compile_cached
def _grow(polar, codes, weights, n_classes, max_depth, min_split, min_leaf, lightest, n_candidates,
          rng, n_margins, steps, kind, fast):
    n, d = len(codes), polar.shape[1] - 2
    ideals, thresholds = np.full((2 * n, d), np.nan), np.full(2 * n, np.nan)
    children = np.full((2 * n, 2), -1)
    values, totals = np.zeros((2 * n, n_classes)), np.zeros(2 * n)
    waiting, made = [(0, n, 0, 0, 0)], 0
    spare_polar, spare_codes, spare_weights = np.empty_like(polar), np.empty_like(codes), np.empty_like(weights)
    while len(waiting):
        low, high, depth, parent, side = waiting.pop()
        node = made
        made += 1
        if node > 0:
            children[parent, side] = node
        rows, row_codes, row_weights = polar[low:high], codes[low:high], weights[low:high]
        counts = values[node]
        for i in range(high - low):
            counts[row_codes[i]] += row_weights[i]
        total, square, seen = 0.0, 0.0, 0
        for k in range(n_classes):
            total += counts[k]
            square += counts[k] ** 2
            seen += counts[k] > 0.0
        totals[node] = total
        counts /= total
        if not (depth < max_depth and high - low >= min_split) or seen < 2:
            continue
        gain, ideal, cut = _split(rows, row_codes, row_weights, n_classes, counts, min_leaf, lightest,
            n_candidates, rng, n_margins, steps, kind, fast)
        if not gain > square / total * (1 + _GAIN):
            continue
        ideals[node], thresholds[node] = ideal, cut
        near, far = low, 0
        for i in range(low, high):
            if horosphere_value(polar[i], ideal) <= cut:
                polar[near], codes[near], weights[near] = polar[i], codes[i], weights[i]
                near += 1
            else:
                spare_polar[far], spare_codes[far], spare_weights[far] = polar[i], codes[i], weights[i]
                far += 1
        polar[near:high] = spare_polar[:far]
        codes[near:high] = spare_codes[:far]
        weights[near:high] = spare_weights[:far]
        waiting.append((near, high, depth + 1, node, 1))
        waiting.append((low, near, depth + 1, node, 0))
    return ideals[:made], thresholds[:made], children[:made], values[:made], totals[:made]


@compile_inner
def _split(polar, codes, weights, n_classes, counts, min_leaf, lightest, n_candidates, rng, n_margins, steps, kind, fast):
    d = polar.shape[1] - 2
    C = np.exp(_LOW + (_HIGH - _LOW) * rng.random())
    sums, klein = class_sums(polar, codes, weights, n_classes)
    members = merge_classes(sums, np.flatnonzero(counts > 0))
    m = len(members)
    starts = np.zeros((m + n_candidates, d))
    for g in range(m + n_candidates):
        square = 0.0
        if g < m:
            if kind == 0:
                for k in range(n_classes):
                    if members[g, k]:
                        starts[g] += klein[k]
            else:
                p, q = np.zeros(d + 1), np.zeros(d + 1)
                for k in range(n_classes):
                    if members[g, k]:
                        p += sums[k]
                    else:
                        q += sums[k]
                p /= np.sqrt(p[0] ** 2 - (p[1:] ** 2).sum())
                q /= np.sqrt(q[0] ** 2 - (q[1:] ** 2).sum())
                t = p - q
                D = 2 * np.arcsinh(np.sqrt(max((t[1:] ** 2).sum() - t[0] ** 2, 0.0)) / 2)
                starts[g] = (t - np.expm1(-D) * q)[1:]
            square = (starts[g] ** 2).sum()
        while not square > 0.0:
            for j in range(d):
                starts[g, j] = rng.standard_normal()
            square = (starts[g] ** 2).sum()
        starts[g] /= np.sqrt(square)
    best, best_ideal, best_cut = -np.inf, starts[0], np.nan
    signs = np.empty(len(codes))
    if fast:
        scores = np.empty(len(starts))
        for g in range(len(starts)):
            scores[g] = binned_purity(busemann(polar, starts[g]), codes, weights, n_classes, min_leaf, lightest)
        winner = scores.argmax()
        for turn in range(n_margins + 1):
            if turn == 0:
                ideal = starts[winner]
            else:
                g = scores[:m].argmax()
                scores[g] = -np.inf
                for i in range(len(codes)):
                    signs[i] = 1.0 if members[g, codes[i]] else -1.0
                ideal = margin_horosphere(polar, signs, weights, C, starts[g], steps)[:d]
            gain, cut = best_threshold(busemann(polar, ideal), codes, weights, n_classes, min_leaf, lightest)
            if gain > best:
                best, best_ideal, best_cut = gain, ideal, cut
    else:
        for g in range(len(starts)):
            ideal = starts[g]
            if g < m:
                for i in range(len(codes)):
                    signs[i] = 1.0 if members[g, codes[i]] else -1.0
                ideal = margin_horosphere(polar, signs, weights, C, starts[g], steps)[:d]
            gain, cut = best_threshold(busemann(polar, ideal), codes, weights, n_classes, min_leaf, lightest)
            if gain > best:
                best, best_ideal, best_cut = gain, ideal, cut
    return best, best_ideal, best_cut
