"""Exact nearest neighbours by the distance of a product space, on scikit-learn's trees.

A node of the tree holds a box of flat coordinates: those of the Poincaré ball (H), of the space in
which the sphere lies (S), and of E itself. The gap between a query and the box bounds the distance
of all its points, factor by factor and without a transcendental function. With the gap g, E has
r² = g² and S r² >= g², the chord. For H, sinh²(r/2) >= g² (1 + x_0) (1 + y_0) / 4 =: s, y_0 the
least of the node, and asinh u > 3 u / (2 + sqrt(1 + u²)) gives r² >= 36 s / (2 + sqrt(1 + s))². A
point is a box, and only points that pass have their distance computed. Rounding is far below the
slack of the bounds: it costs time, not neighbours. Points are the blocks of curvature -1, 1 and 0
side by side, time coordinate of H first.
"""

import math

import numpy as np

from noneuclid.compiled import compile_cached, compile_inner
from noneuclid.geometry.distance_kernels import half_sinh_square, radius
from noneuclid.geometry.neighbours import TREES
from noneuclid.geometry.tree_search import ABSOLUTE

_FLAT, _HYPERBOLIC, _SPHERICAL = range(3)
_KINDS = {"E": _FLAT, "H": _HYPERBOLIC, "S": _SPHERICAL}
_KEPT = 1.0 - 1e-9  # of a bound


class ProductSearch:
    """The nearest of given points; ties go to the row that comes first.

    Parameters
    ----------
    points : ndarray, shape (n, n_columns)
    space : ProductSpace
        Factors of the columns, and curvatures, which are the units of distances.
    algorithm : {"kd_tree", "ball_tree", "brute"}
    leaf_size : int

    Examples
    --------
    >>> from noneuclid.geometry import ProductSpace
    >>> points = np.array([[1.0, 0.0, 0.0], [-1.0, 0.0, 0.1], [0.0, 1.0, 0.0]])
    >>> ProductSearch(points, ProductSpace("S1 E1"), "kd_tree", 1).query(points[:1], 2)
    (array([[0.        , 1.57079633]]), array([[0, 2]]))
    """

    def __init__(self, points, space, algorithm, leaf_size):
        self.points = np.ascontiguousarray(points)
        plain = space.in_charts().factors
        hyperbolic = np.array([f.kind == "H" for f in plain])
        edges = np.array([0] + [f.columns.stop for f in plain])
        self._factors = (
            np.array([_KINDS[f.kind] for f in plain]),
            edges,
            edges - np.append(0, np.cumsum(hyperbolic)),
            np.array([1.0 / (abs(f.curvature) or 1.0) for f in plain]),
        )
        flat, growth = self._flat(self.points)
        order, starts, ends = np.arange(len(flat)), np.zeros(1, np.intp), np.array([-len(flat)])
        if algorithm != "brute":
            tree = TREES[algorithm](self._in_units(flat, growth), leaf_size=leaf_size)
            _, order, nodes, _ = (np.asarray(array) for array in tree.get_arrays())
            starts, ends = nodes["idx_start"].astype(np.intp), nodes["idx_end"].astype(np.intp)
            ends = np.where(nodes["is_leaf"], -ends, ends)
        flat, growth = flat[order], growth[order]
        parts = list(zip(starts, np.abs(ends), strict=True))
        boxes = (
            np.array([flat[i:j].min(axis=0) for i, j in parts]),
            np.array([flat[i:j].max(axis=0) for i, j in parts]),
            np.array([growth[i:j].min(axis=0) for i, j in parts]),
        )
        self._tree = order.astype(np.intp), flat, growth, starts, ends, *boxes

    def query(self, queries, k):
        """Distances and rows of the k nearest of each query, both (m, k), nearest first."""
        squares = np.full((len(queries), k), np.inf)
        rows = np.zeros((len(queries), k), dtype=np.intp)
        queries = np.ascontiguousarray(queries)
        flat = self._flat(queries)
        _search(queries, *flat, self.points, *self._tree, *self._factors, squares, rows)
        return np.sqrt(squares, out=squares), rows

    def _flat(self, points):
        """Flat coordinates, and (1 + x_0) / 2 of each hyperbolic factor, 1 of the others."""
        kinds, edges, _, _ = self._factors
        growth, blocks = np.ones((len(points), len(kinds))), []
        for f, kind in enumerate(kinds):
            block = points[:, edges[f] : edges[f + 1]]
            if kind == _HYPERBOLIC:
                growth[:, f] = (1.0 + block[:, 0]) / 2.0
                block = block[:, 1:] / (2.0 * growth[:, f : f + 1])
            blocks.append(block)
        return np.ascontiguousarray(np.hstack(blocks)), growth

    def _in_units(self, flat, growth):
        """Columns by which the tree splits, in units of distance: tangent coordinates of H."""
        kinds, _, edges, weights = self._factors
        found = []
        for f, kind in enumerate(kinds):
            block = flat[:, edges[f] : edges[f + 1]]
            if kind == _HYPERBOLIC:
                length = np.linalg.norm(block, axis=1, keepdims=True)
                size = np.arccosh(2.0 * growth[:, f : f + 1] - 1.0)
                block = block * (size / np.where(length > 0, length, 1.0))
            found.append(block * math.sqrt(weights[f]))
        return np.hstack(found)


@compile_inner
def _square(x, y, kinds, edges, weights):
    """Squared distance of two points, without cancellation."""
    total = 0.0
    for f in range(len(kinds)):
        first, end = edges[f], edges[f + 1]
        if kinds[f] == _HYPERBOLIC:
            a, b = x[first:end], y[first:end]
            angle = 2.0 * math.asinh(math.sqrt(half_sinh_square(a, b, radius(a), radius(b))))
            total += weights[f] * angle * angle
            continue
        apart, together = 0.0, 0.0
        for j in range(first, end):
            apart += (x[j] - y[j]) * (x[j] - y[j])
            together += (x[j] + y[j]) * (x[j] + y[j])
        if kinds[f] == _SPHERICAL:
            angle = 2.0 * math.atan2(math.sqrt(apart), math.sqrt(together))
            apart = angle * angle
        total += weights[f] * apart
    return total


@compile_inner
def _bound(query, growth, low, high, least, kinds, edges, weights):
    """Square below which no point of a box lies from the query."""
    total = 0.0
    for f in range(len(kinds)):
        square = 0.0
        for j in range(edges[f], edges[f + 1]):
            gap = max(low[j] - query[j], query[j] - high[j], 0.0)
            if kinds[f] != _FLAT:
                gap = max(gap - ABSOLUTE, 0.0)
            square += gap * gap
        if kinds[f] == _HYPERBOLIC:
            square *= growth[f] * least[f]
            root = 2.0 + math.sqrt(1.0 + square)
            square *= 36.0 / (root * root)
        total += weights[f] * square
    return total * _KEPT


@compile_inner
def _insert(squares, rows, square, row):
    """Keep the k least by square, then row, in order."""
    k = len(squares) - 1
    if square == squares[k] and row > rows[k]:
        return
    while k > 0 and (square < squares[k - 1] or (square == squares[k - 1] and row < rows[k - 1])):
        squares[k], rows[k] = squares[k - 1], rows[k - 1]
        k -= 1
    squares[k], rows[k] = square, row


@compile_cached
def _search(
    queries, flat_queries, growths, points, order, flat, growth, starts, ends, low, high, least,
    kinds, edges, flat_edges, weights, squares, rows,
):  # fmt: skip
    """Writes squared distances and rows of the nearest points, nearest first, (m, k) each."""
    nodes, bounds = np.empty(128, dtype=np.intp), np.empty(128)
    last = squares.shape[1] - 1
    for q in range(len(queries)):
        query, grown, found = flat_queries[q], growths[q], squares[q]
        nodes[0], bounds[0], top = 0, 0.0, 1
        while top > 0:
            top -= 1
            node = nodes[top]
            if bounds[top] > found[last]:
                continue
            if ends[node] > 0:
                near, far = 2 * node + 1, 2 * node + 2
                less = _bound(query, grown, low[near], high[near], least[near], kinds,
                              flat_edges, weights)  # fmt: skip
                more = _bound(query, grown, low[far], high[far], least[far], kinds,
                              flat_edges, weights)  # fmt: skip
                if more < less:
                    near, far, less, more = far, near, more, less
                nodes[top], bounds[top] = far, more
                nodes[top + 1], bounds[top + 1] = near, less
                top += 2
                continue
            for i in range(starts[node], -ends[node]):
                least_square = _bound(query, grown, flat[i], flat[i], growth[i], kinds,
                                      flat_edges, weights)  # fmt: skip
                if least_square > found[last]:
                    continue
                square = _square(queries[q], points[order[i]], kinds, edges, weights)
                if square <= found[last]:
                    _insert(found, rows[q], square, order[i])
