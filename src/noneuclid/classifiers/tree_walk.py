"""Position of points along each axis, and their way down a tree, in double precision."""

import numpy as np

from noneuclid.solvers.compiled import compile_cached

SAFE = 0.1
"""A difference down to this share of the minuend loses one digit and no more."""


@compile_cached
def on_hyperboloid(points, curvature, tolerance):
    """Whether every row is a finite point of the hyperboloid; one pass, and no more than that.

    Parameters
    ----------
    points : ndarray of float64, shape (n, d + 1)
    curvature : float > 0
    tolerance : float
        Of |<x,x>_L + 1/K|, in units of x_0².

    Returns
    -------
    bool

    Examples
    --------
    >>> on_hyperboloid(np.array([[1.25, 0.75]]), 1.0, 1e-6)
    True
    """
    for i in range(len(points)):
        time = points[i, 0]
        excess = 1.0 / curvature - time * time
        for k in range(1, points.shape[1]):
            excess += points[i, k] * points[i, k]
        if not (time > 0 and abs(excess) <= tolerance * time * time):
            return False
    return True


@compile_cached
def _total(points, i):
    """1 + |spatial part|² of row i."""
    total = 1.0
    for k in range(1, points.shape[1]):
        total += points[i, k] * points[i, k]
    return total


@compile_cached
def _total_without(points, i, axis):
    """1 + the squares of all axes but one."""
    total = 1.0
    for k in range(1, points.shape[1]):
        if k != axis + 1:
            total += points[i, k] * points[i, k]
    return total


@compile_cached
def axis_ratios(points):
    """Sinh of the hyperbolic coordinate along each axis: x_j / sqrt(1 + Σ_{k≠j} x_k²).

    Parameters
    ----------
    points : ndarray of float64, shape (n, d + 1)
        On the hyperboloid of curvature -1, time coordinate first (it is not read).

    Returns
    -------
    ndarray, shape (n, d)

    Examples
    --------
    >>> axis_ratios(np.array([[1.25, 0.75, 0.0]]))
    array([[0.75, 0.  ]])
    """
    ratios = np.empty((len(points), points.shape[1] - 1))
    for i in range(len(points)):
        row = points[i, 1:]
        total = _total(points, i)
        for axis in range(len(row)):  # without a branch, for vector instructions
            ratios[i, axis] = row[axis] / np.sqrt(total - row[axis] * row[axis])
        # At most one axis has more than half of the total.
        axis = np.argmax(np.abs(row))
        if total - row[axis] * row[axis] < SAFE * total:
            ratios[i, axis] = row[axis] / np.sqrt(_total_without(points, i, axis))
    return ratios


@compile_cached
def leaves(points, left, right, axes, bounds):
    """Leaf of each point; a node sends it left if its ratio along the axis is <= the bound.

    Parameters
    ----------
    points : as for `axis_ratios`
    left, right, axes : ndarray of int, shape (n_nodes,)
        Children and split axis as in scikit-learn's `tree_`; children of a leaf are negative.
    bounds : ndarray of float64, shape (n_nodes,)
        Sinh of the hyperbolic position of each split.

    Returns
    -------
    ndarray of int64, shape (n,)
        O(d + depth) for each point: no coordinate is computed that no split asks for.

    Examples
    --------
    >>> left, right, axes = np.array([1, -1, -1]), np.array([2, -1, -1]), np.array([0, -2, -2])
    >>> points = np.array([[1.25, 0.75], [1.25, -0.75]])
    >>> leaves(points, left, right, axes, np.array([0.5, 0.0, 0.0]))
    array([2, 1])
    """
    found = np.empty(len(points), np.int64)
    for i in range(len(points)):
        total = _total(points, i)
        node = 0
        while left[node] >= 0:
            # As in `axis_ratios`; a shared function makes this loop twice as slow.
            x = points[i, axes[node] + 1]
            others = total - x * x
            if others < SAFE * total:
                others = _total_without(points, i, axes[node])
            node = left[node] if x <= bounds[node] * np.sqrt(others) else right[node]
        found[i] = node
    return found


@compile_cached
def nearest_ranks(ranks, left, right, axes, thresholds):
    """Ranks on either side of each split: the largest that goes left, the smallest that goes right.

    Parameters
    ----------
    ranks : ndarray, shape (n, d)
        Rows the tree was grown on.
    left, right, axes, thresholds : ndarray, shape (n_nodes,)
        As in scikit-learn's `tree_`.

    Returns
    -------
    below, above : ndarray of int64, shape (n_nodes,)

    Examples
    --------
    >>> left, right, axes = np.array([1, -1, -1]), np.array([2, -1, -1]), np.array([0, -2, -2])
    >>> ranks, thresholds = np.array([[0.0], [1.0], [4.0]]), np.array([2.5, -2.0, -2.0])
    >>> [side[0].item() for side in nearest_ranks(ranks, left, right, axes, thresholds)]
    [1, 4]
    """
    below = np.zeros(len(left), np.int64)
    above = np.full(len(left), np.iinfo(np.int64).max)
    for i in range(len(ranks)):
        node = 0
        while left[node] >= 0:
            rank = ranks[i, axes[node]]
            if rank <= thresholds[node]:
                below[node] = max(below[node], np.int64(rank))
                node = left[node]
            else:
                above[node] = min(above[node], np.int64(rank))
                node = right[node]
    return below, above
