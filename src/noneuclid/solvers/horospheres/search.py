"""Search of the horosphere that splits a node."""

import numpy as np

from noneuclid.compiled import compile_cached, compile_inlined, compile_inner
from noneuclid.solvers.horospheres.groups import class_sums, merge_classes, point_behind
from noneuclid.solvers.horospheres.margins import margin_horosphere
from noneuclid.solvers.horospheres.splits import best_threshold, binned_purity, busemann

# HoroRF draws C in 2^[-3, 5] and weights every row of a class with n rows by 0.1 / (1 - 0.9^n),
# about 0.1.
_LOG_C, _RANGE = np.log(0.1) - 3 * np.log(2), 8 * np.log(2)


@compile_inner
def _starts(sums, klein, members, n_candidates, every_margin, rng):
    """Unit vectors (m + n_candidates, d): a start for each group, then random ideal points."""
    groups, d = len(members), klein.shape[1]
    starts = np.zeros((groups + n_candidates, d))
    for g in range(len(starts)):
        square = 0.0
        if g < groups:
            square = point_behind(sums, klein, members[g], every_margin, starts[g])
        while not 0.0 < square < np.inf:  # means that coincide show no direction
            square = 0.0
            for j in range(d):
                starts[g, j] = rng.standard_normal()
                square += starts[g, j] ** 2
        for j in range(d):
            starts[g, j] /= np.sqrt(square)
    return starts


@compile_inlined
def _contenders(purities, groups):
    """The purest group and the purest random ideal point."""
    chosen = np.zeros(len(purities), np.bool_)
    for low, high in ((0, groups), (groups, len(purities))):
        best = low
        for g in range(low, high):
            if purities[g] > purities[best]:
                best = g
        if low < high:
            chosen[best] = True
    return chosen


@compile_inner
def find_split(
    polar, codes, weights, counts, present, min_samples_leaf, min_weight, n_candidates,
    every_margin, rng, split,
):  # fmt: skip
    """Purity of the best horosphere that was found; writes its threshold and ideal point (1 + d,).

    """
    d, n_classes = polar.shape[1] - 2, len(counts)
    C = np.exp(_LOG_C + _RANGE * rng.random())
    sums, klein = class_sums(polar, codes, weights, n_classes)
    members = merge_classes(sums, counts, present)
    groups = len(members)
    starts = _starts(sums, klein, members, n_candidates, every_margin, rng)
    purities, signs, best = np.empty(len(starts)), np.empty(len(codes)), -np.inf
    if not every_margin:
        for g in range(len(starts)):
            values = busemann(polar, starts[g])
            purities[g] = binned_purity(values, codes, weights, n_classes, min_samples_leaf, min_weight)
    chosen = _contenders(purities, groups)
    for g in range(len(starts)):
        if not (every_margin or chosen[g]):
            continue
        ideal = starts[g]
        if g < groups:
            for i in range(len(codes)):
                signs[i] = 1.0 if members[g, codes[i]] else -1.0
            ideal = margin_horosphere(polar, signs, weights, C, ideal)
        values = busemann(polar, ideal)
        found, threshold = best_threshold(values, codes, weights, n_classes, min_samples_leaf, min_weight)
        if found > best:
            best, split[0] = found, threshold
            for j in range(d):
                split[1 + j] = ideal[j]
    return best
