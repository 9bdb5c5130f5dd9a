"""The k nearest points by hyperbolic distance, from the arrays of scikit-learn's trees.

The points at most some distance from a query are a ball of the Poincaré chart. The search visits
the nearer child first, keeps the k nearest points, and shrinks the ball to the farthest of these:
a node whose box does not meet the ball holds none. sinh²(d/2) without cancellation ranks points,
and the ball is wider by all rounding errors, so none is lost. Curvature -1.
"""

import math

import numpy as np

from noneuclid.compiled import compile_cached, compile_inner
from noneuclid.geometry.distance_kernels import half_sinh_square, radius

# Bounds of rounding, of radii and coordinates in the unit ball.
RELATIVE, ABSOLUTE = 1e-12, 1e-14


def boxes(tree):
    """Points in the order of the tree, their rows, and first point, end and box of each node.

    Returns (n, d), (n,), (m,), (m,), (m, d) and (m, d); a node without children has the end
    negated.

    Examples
    --------
    >>> from sklearn.neighbors import KDTree
    >>> points, rows, starts, ends, lower, upper = boxes(KDTree([[0.3], [0.1], [0.2]]))
    >>> rows, ends, lower, upper
    (array([0, 1, 2]), array([-3]), array([[0.1]]), array([[0.3]]))
    """
    data, rows, nodes, _ = (np.asarray(array) for array in tree.get_arrays())
    points, starts = data[rows], nodes["idx_start"].astype(np.intp)
    ends = nodes["idx_end"].astype(np.intp)
    lower, upper = np.empty((2, len(nodes), points.shape[1]))
    for level in range(len(nodes).bit_length()):
        part = slice(2**level - 1, 2 ** (level + 1) - 1)
        lower[part] = np.minimum.reduceat(points, starts[part])
        upper[part] = np.maximum.reduceat(points, starts[part])
    return points, rows, starts, np.where(nodes["is_leaf"], -ends, ends), lower, upper


@compile_inner
def _gap_square(centre, low, high):
    """Squared distance from a centre to a box; a point is a box."""
    total = 0.0
    for j in range(len(centre)):
        gap = max(low[j] - centre[j], centre[j] - high[j], 0.0)
        total += gap * gap
    return total


@compile_cached
def search(queries, points, ball, rows, starts, ends, lower, upper, values, near):
    """Writes sinh²(d/2) and rows of the nearest points, nearest first, (m, k) each.

    `queries` and `points` lie on the hyperboloid, `ball` has the Poincaré coordinates of the points
    in the order of the tree; the others are those of `boxes`.
    """
    d, last = ball.shape[1], values.shape[1] - 1
    own, centre, stack = np.empty(d), np.empty(d), np.empty(128, dtype=np.intp)
    for i in range(len(queries)):
        query, value, found = queries[i], values[i], near[i]
        gap, length = 2.0 / (1.0 + query[0]), radius(query)
        square, wide, top = (query[0] - 1.0) / (query[0] + 1.0), np.inf, 1
        for j in range(d):
            centre[j] = own[j] = query[j + 1] / (1.0 + query[0])
        for j in range(last + 1):
            value[j] = np.inf
        stack[0] = 0
        while top > 0:
            top -= 1
            node = stack[top]
            if _gap_square(centre, lower[node], upper[node]) > wide:
                continue
            if ends[node] > 0:
                child = 2 * node + 1
                left = _gap_square(own, lower[child], upper[child])
                right = _gap_square(own, lower[child + 1], upper[child + 1])
                stack[top] = child + 1 if left <= right else child
                stack[top + 1] = child if left <= right else child + 1
                top += 2
                continue
            for place in range(starts[node], -ends[node]):
                if _gap_square(centre, ball[place], ball[place]) > wide:
                    continue
                row = rows[place]
                new = half_sinh_square(query, points[row], length, radius(points[row]))
                if not new < value[last]:
                    continue
                j = last
                while j > 0 and value[j - 1] > new:
                    value[j], found[j] = value[j - 1], found[j - 1]
                    j -= 1
                value[j], found[j] = new, row
                if value[last] < np.inf:  # the ball of `neighbours.ball_of`
                    shrunk = 1.0 / (1.0 + value[last])
                    total = gap + square * shrunk
                    wide = math.sqrt(value[last] * shrunk) * gap / total
                    wide = (wide * (1.0 + RELATIVE) + ABSOLUTE) ** 2
                    for j in range(d):
                        centre[j] = own[j] * (shrunk / total)
