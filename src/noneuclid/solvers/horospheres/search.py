"""Search of the horosphere that splits a node."""

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.geometry.horospheres import busemann_of_each
from noneuclid.solvers.horospheres.groups import class_sums, merge_classes, points_behind
from noneuclid.solvers.horospheres.margins import margin_horosphere
from noneuclid.solvers.horospheres.splits import best_thresholds, binned_purity

# HoroRF draws C in 2^[-3, 5] and weights every row of a class with n rows by 0.1 / (1 - 0.9^n),
# about 0.1.
_LOG_C, _RANGE = np.log(0.1) - 3 * np.log(2), 8 * np.log(2)


def find_split(polar, codes, weights, counts, least, n_candidates, every, rng):
    """Purity, ideal point, threshold and Busemann functions of the best horosphere that was found.

    Groups of classes and random ideal points compete. Every group has its margin searched, from
    the Klein mean, and every threshold is computed if `every`; else bins choose one group and one
    random ideal point for this, and the search begins behind the mean of the group.
    """
    C = np.exp(_LOG_C + _RANGE * rng.random())
    signs, starts = find_groups(polar, codes, weights, counts, n_candidates, every)
    groups = len(signs)
    while (g := _normalise(starts[:groups])) >= 0:
        rng.standard_normal(out=starts[g])
    rng.standard_normal(out=starts[groups:])
    _normalise(starts[groups:])
    if every:
        tried = [(g,) for g in range(len(starts))]
    else:
        purest = binned_purity(polar, starts, codes, weights, counts, *least)
        tried = [[purest[:groups].argmax()]]
        if n_candidates:
            tried[0].append(groups + purest[groups:].argmax())
    best = (-np.inf,)
    for chosen in tried:
        ideals, values = starts.take(chosen, axis=0), np.empty((len(chosen), len(codes)))
        if chosen[0] < groups:
            rows = polar, signs[chosen[0]].take(codes), weights
            ideals[0] = margin_horosphere(*rows, C, ideals[0])[:-2]
        busemann_of_each(polar, ideals, values)
        gains, thresholds = best_thresholds(values, codes, weights, counts, *least)
        g = gains.argmax()
        if gains[g] > best[0]:
            best = gains[g], ideals[g], thresholds[g], values[g]
    return best


def find_groups(polar, codes, weights, counts, n_candidates=0, every=False):
    """Signs of each class and group of classes, see `groups`; starts, room for random ones."""
    present, n_classes, d = np.count_nonzero(counts), len(counts), polar.shape[1] - 2
    sums, work = np.empty((n_classes, d + 1)), np.empty((2 * n_classes, d + 1))
    signs = np.empty((max(2 * present - 2, present), n_classes))
    starts = np.empty((len(signs) + n_candidates, d))
    class_sums(polar, codes, weights, sums)
    product, latest = np.full((n_classes, n_classes), -np.inf), np.empty(n_classes, np.int64)
    merge_classes(sums, counts, signs, work, product, latest)
    if every:
        klein = polar[:, 2:] * (weights * polar[:, 1] / np.hypot(1, polar[:, 1]))[:, None]
        means = np.array([klein[codes == k].sum(axis=0) for k in range(n_classes)])
        starts[: len(signs)] = (signs > 0) @ means
    else:
        points_behind(sums, signs, starts, work)
    return signs, starts


@compile_cached
def _normalise(starts):
    """Scale rows to unit vectors, up to one of no length or not finite; its number, or -1."""
    for g in range(len(starts)):
        square = 0.0
        for j in range(starts.shape[1]):
            square += starts[g, j] ** 2
        if not 0.0 < square < np.inf:
            return g
        for j in range(starts.shape[1]):
            starts[g, j] /= np.sqrt(square)
    return -1
