"""Position of points along each axis, and their path down a tree, in double precision.

Points have shape (n, d + 1) on the hyperboloid of curvature -1, time coordinate first; a missing
spatial coordinate is NaN, and counts as 0 for the other axes. `left`, `right`, `axes` and
`missing_left` are children, split axis and whether NaN goes left, as in scikit-learn's `tree_`,
shape (n_nodes,); children of a leaf are negative. `bounds` are the sinh of the hyperbolic position
of each split.
"""

import numpy as np

from noneuclid.compiled import compile_cached

_BLOCK = 2**15  # numbers: 256 kB, which stay in the cache from step to step

SAFE = 0.1
"""A difference of at least this fraction of the minuend loses at most one digit."""


@compile_cached
def on_hyperboloid(points, curvature, tolerance):
    """Whether every row is finite with |<x,x>_L + 1/K| <= tolerance x_0²; a single pass."""
    for i in range(len(points)):
        time = points[i, 0]
        excess = 1.0 / curvature - time * time
        for k in range(1, points.shape[1]):
            excess += points[i, k] * points[i, k]
        if not (time > 0 and abs(excess) <= tolerance * time * time < np.inf):
            return False
    return True


@compile_cached
def _total(points, i):
    """1 + |spatial part|² of row i."""
    total = 1.0
    for k in range(1, points.shape[1]):
        total += points[i, k] * points[i, k]
    return _total_without(points, i, -1) if np.isnan(total) else total


@compile_cached
def _total_without(points, i, axis):
    """1 + the squares of all known axes but one."""
    total = 1.0
    for k in range(1, points.shape[1]):
        if k != axis + 1 and not np.isnan(points[i, k]):
            total += points[i, k] * points[i, k]
    return total


@compile_cached
def axis_ratios(points):
    """Sinh of the hyperbolic coordinate along each axis, (n, d): x_j / sqrt(1 + Σ_{k≠j} x_k²)."""
    ratios = np.empty((len(points), points.shape[1] - 1))
    for i in range(len(points)):
        row = points[i, 1:]
        total = _total(points, i)
        for axis in range(len(row)):  # without a branch, for vector instructions
            ratios[i, axis] = row[axis] / np.sqrt(total - row[axis] * row[axis])
        # At most one axis has more than half of the total.
        axis, largest = 0, 0.0
        for k in range(len(row)):
            if abs(row[k]) > largest:
                axis, largest = k, abs(row[k])
        if total - row[axis] * row[axis] < SAFE * total:
            ratios[i, axis] = row[axis] / np.sqrt(_total_without(points, i, axis))
    return ratios


@compile_cached
def leaves(points, left, right, axes, missing_left, bounds):
    """Leaf of each point; a node sends it left if its ratio along the axis is <= the bound.

    O(d + depth) for each point: no coordinate is computed that no split needs.

    Examples
    --------
    >>> left, right, axes = np.array([1, -1, -1]), np.array([2, -1, -1]), np.array([0, -2, -2])
    >>> points = np.array([[1.25, 0.75], [1.25, -0.75], [1.0, np.nan]])
    >>> leaves(points, left, right, axes, np.array([1, 0, 0]), np.array([0.5, 0.0, 0.0]))
    array([2, 1, 1])
    """
    nodes = _loops(left, right, axes, missing_left, bounds)
    found = np.zeros(len(points), np.int64)
    size = max(1, _BLOCK // points.shape[1])
    for start in range(0, len(points), size):
        rows = slice(start, start + size)
        _descend(points[rows], *nodes, found[rows])
    return found


@compile_cached
def _loops(left, right, axes, missing_left, bounds):
    """Nodes for descents without branches: both children of a leaf are the leaf.

    Also the child of each to which NaN goes.
    """
    children, astray = np.empty((len(left), 2), np.int64), np.empty(len(left), np.int64)
    axes, bounds = axes.copy(), bounds.copy()
    for node in range(len(left)):
        if left[node] < 0:
            children[node], axes[node], bounds[node] = node, 0, 0.0
        else:
            children[node, 0], children[node, 1] = left[node], right[node]
        astray[node] = children[node, 0 if missing_left[node] else 1]
    return children, astray, axes, bounds


@compile_cached
def _descend(points, children, astray, axes, bounds, nodes):
    totals = np.empty(len(points))
    for i in range(len(points)):
        totals[i] = _total(points, i)
    missing, moving = np.isnan(points).any(), True
    while moving:  # one step of all rows at a time: steps of different rows overlap
        moving = False
        for i in range(len(points)):
            node = np.uintp(nodes[i])  # unsigned indices are not tested for a sign
            x = points[i, np.uintp(axes[node] + 1)]
            others = totals[i] - x * x  # as in `axis_ratios`
            if others < SAFE * totals[i]:
                others = _total_without(points, i, axes[node])
            nodes[i] = children[node, np.uintp(x > bounds[node] * np.sqrt(others))]
            if missing and np.isnan(x):
                nodes[i] = astray[node]
            moving |= nodes[i] != node


def mean_values(points, structures, bounds, values):
    """Mean over several trees of the values in the leaves that each point reaches, (n, n_values).

    `structures` are (left, right, axes, missing_left) of each tree. All ratios of a block of rows
    are computed once, O(d); then O(depth) for each tree.

    Examples
    --------
    >>> stump = tuple(np.array([[1, -1, -1], [2, -1, -1], [0, -2, -2], [0, 0, 0]]))
    >>> bounds, values = np.array([0.5, 0.0, 0.0]), np.array([[0.0], [3.0], [7.0]])
    >>> points = np.array([[1.25, 0.75], [1.25, -0.75]])
    >>> mean_values(points, [stump, stump], [bounds, -bounds], [values, values]).tolist()
    [[7.0], [3.0]]
    """
    trees = [_loops(*tree, bound) for tree, bound in zip(structures, bounds, strict=True)]
    total = np.zeros((len(points), values[0].shape[1]))
    size = max(1, _BLOCK // points.shape[1])
    for start in range(0, len(points), size):
        rows = slice(start, start + size)
        ratios = axis_ratios(points[rows])
        for tree, value in zip(trees, values, strict=True):
            _add_values(ratios, *tree, value, total[rows])
    total /= len(values)
    return total


@compile_cached
def _add_values(ratios, children, astray, axes, bounds, values, total):
    nodes = np.zeros(len(ratios), np.uintp)
    missing, moving = np.isnan(ratios).any(), True
    while moving:  # as in `_descend`
        moving = False
        for i in range(len(ratios)):
            node = nodes[i]
            ratio = ratios[i, np.uintp(axes[node])]
            nodes[i] = children[node, np.uintp(ratio > bounds[node])]
            if missing and np.isnan(ratio):
                nodes[i] = astray[node]
            moving |= nodes[i] != node
    for i in range(len(ratios)):
        for k in range(values.shape[1]):
            total[i, k] += values[nodes[i], k]


@compile_cached
def nearest_ranks(ranks, left, right, axes, missing_left, thresholds):
    """Ranks next to each split among the rows that reach it: largest to the left, least right.

    `ranks`, (n, d), are the rows on which the tree was grown, NaN where a value is missing. A side
    that no row reaches has the rank next to the threshold: scikit-learn before 1.8 trains some
    nodes on other rows than it sends there, if values are missing.

    Examples
    --------
    >>> left, right, axes = np.array([1, -1, -1]), np.array([2, -1, -1]), np.array([0, -2, -2])
    >>> ranks, thresholds = np.array([[0.0], [1.0], [4.0]]), np.array([2.5, -2.0, -2.0])
    >>> found = nearest_ranks(ranks, left, right, axes, np.zeros(3), thresholds)
    >>> [side[0].item() for side in found]
    [1, 4]
    """
    below, none = np.full(len(left), -1), np.iinfo(np.int64).max
    above = np.full(len(left), none)
    for i in range(len(ranks)):
        node = 0
        while left[node] >= 0:
            rank = ranks[i, axes[node]]
            if np.isnan(rank):
                node = left[node] if missing_left[node] else right[node]
            elif rank <= thresholds[node]:
                below[node] = max(below[node], np.int64(rank))
                node = left[node]
            else:
                above[node] = min(above[node], np.int64(rank))
                node = right[node]
    for node in range(len(left)):
        if below[node] < 0:
            below[node] = np.int64(np.floor(thresholds[node]))
        if above[node] == none:
            above[node] = np.int64(np.floor(thresholds[node])) + 1
    return below, above
