"""Search of the horosphere that splits a node."""

import numpy as np

from noneuclid.compiled import compile_inner
from noneuclid.solvers.horospheres.groups import (
    class_sums,
    klein_means,
    merge_classes,
    points_behind,
)
from noneuclid.solvers.horospheres.margins import margin_horosphere
from noneuclid.solvers.horospheres.splits import best_threshold, binned_purity, busemann

# HoroRF draws C in 2^[-3, 5] and weights every row of a class with n rows by 0.1 / (1 - 0.9^n),
# about 0.1.
_LOG_C, _RANGE = np.log(0.1) - 3 * np.log(2), 8 * np.log(2)


@compile_inner
def _normalise(starts, rng):
    """Scale rows to unit vectors; rows of no length, or not finite, become random ones."""
    for g in range(len(starts)):
        square = 0.0
        for j in range(starts.shape[1]):
            square += starts[g, j] ** 2
        while not 0.0 < square < np.inf:
            square = 0.0
            for j in range(starts.shape[1]):
                starts[g, j] = rng.standard_normal()
                square += starts[g, j] ** 2
        for j in range(starts.shape[1]):
            starts[g, j] /= np.sqrt(square)


@compile_inner
def find_split(
    polar, codes, weights, counts, present, min_samples_leaf, min_weight, n_candidates, every, rng
):  # fmt: skip
    """Ideal point, threshold and purity of the best horosphere that was found.

    Groups of classes and random ideal points compete. Every group has its margin searched, from
    the Klein mean, and every threshold is computed if `every`; else bins choose one group and one
    random ideal point for this, and the search begins behind the mean of the group.
    """
    d, n_classes, least = polar.shape[1] - 2, len(counts), (min_samples_leaf, min_weight)
    C, sums = np.exp(_LOG_C + _RANGE * rng.random()), np.empty((n_classes, d + 1))
    class_sums(polar, codes, weights, sums)
    members = merge_classes(sums, counts, present)
    groups = len(members)
    starts, signs = np.zeros((groups + n_candidates, d)), np.empty(len(codes))
    if every:
        klein_means(polar, codes, weights, members, starts)
    else:
        points_behind(sums, members, starts)
    _normalise(starts, rng)
    best, ideal, threshold = -np.inf, starts[0], np.nan
    for side in range(2):
        low, high = (groups, len(starts)) if side else (0, groups)
        chosen, purest = low, -np.inf
        for g in range(low, high):
            if not every:
                values = busemann(polar, starts[g])
                found = binned_purity(values, codes, weights, n_classes, least[0], least[1])
                if found > purest:
                    chosen, purest = g, found
        for g in range(low, high):
            if every or g == chosen:
                tried = starts[g]
                if side == 0:
                    for i in range(len(codes)):
                        signs[i] = 1.0 if members[g, codes[i]] else -1.0
                    tried = margin_horosphere(polar, signs, weights, C, tried)
                values = busemann(polar, tried)
                found, cut = best_threshold(values, codes, weights, n_classes, least[0], least[1])
                if found > best:
                    best, ideal, threshold = found, tried, cut
    return ideal, threshold, best
