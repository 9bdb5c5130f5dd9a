"""Minimal cost-complexity pruning of horosphere trees (Breiman et al. 1984, chapter 3)."""

from dataclasses import replace

import numpy as np


def pruning_path(tree):
    """Effective alphas, rising, and the total Gini impurity of the leaves after each step.

    Examples
    --------
    >>> from noneuclid.solvers.horospheres.tree import HorosphereTree
    >>> values, weights = np.array([[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]]), np.array([4.0, 2.0, 2.0])
    >>> inside, outside = np.array([1, -1, -1]), np.array([2, -1, -1])
    >>> stump = HorosphereTree(np.zeros((3, 2)), np.zeros(3), inside, outside, values, weights)
    >>> pruning_path(stump)
    (array([0. , 0.5]), array([0. , 0.5]))
    """
    risk = _risk(tree)
    steps = [(0.0, risk[tree.inside < 0].sum())]
    steps += [(alpha, total) for alpha, total, _ in _weakest_links(tree)]
    return tuple(map(np.array, zip(*steps, strict=True)))


def prune(tree, alpha):
    """The smallest tree that minimises total impurity + alpha times the number of leaves."""
    inner = tree.inside >= 0
    for effective, _, links in _weakest_links(tree):
        if effective > alpha:
            break
        inner = links
    kept, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        kept.append(node)
        if inner[node]:
            waiting += [tree.outside[node], tree.inside[node]]
    kept = np.sort(kept)
    number = np.full(len(inner), -1)
    number[kept] = np.arange(len(kept))
    leaf = ~inner[kept]
    return replace(
        tree,
        ideals=np.where(leaf[:, None], np.nan, tree.ideals[kept]),
        thresholds=np.where(leaf, np.nan, tree.thresholds[kept]),
        inside=np.where(leaf, -1, number[tree.inside[kept]]),
        outside=np.where(leaf, -1, number[tree.outside[kept]]),
        values=tree.values[kept],
        weights=tree.weights[kept],
    )


def _risk(tree):
    """Gini impurity of each node times its share of the weight."""
    return tree.weights / tree.weights[0] * (1.0 - (tree.values**2).sum(axis=1))


def _weakest_links(tree):
    """Yield alpha, total impurity and what still splits, for one collapsed node after another."""
    risk, inner = _risk(tree), tree.inside >= 0
    below, leaves = risk.copy(), np.ones(len(risk), dtype=int)
    parent = np.full(len(risk), -1)
    for node in np.flatnonzero(inner)[::-1]:  # children have larger numbers
        pair = [tree.inside[node], tree.outside[node]]
        parent[pair] = node
        below[node], leaves[node] = below[pair].sum(), leaves[pair].sum()
    while inner[0]:
        gain = np.full(len(risk), np.inf)
        gain[inner] = (risk[inner] - below[inner]) / (leaves[inner] - 1)
        weakest = gain.argmin()
        waiting = [weakest]
        while waiting:
            node = waiting.pop()
            if inner[node]:
                inner[node] = False
                waiting += [tree.inside[node], tree.outside[node]]
        change, fewer = risk[weakest] - below[weakest], leaves[weakest] - 1
        node = weakest
        while node >= 0:
            below[node] += change
            leaves[node] -= fewer
            node = parent[node]
        yield gain[weakest], below[0], inner.copy()
