"""Exact nearest neighbours by hyperbolic distance, on scikit-learn's trees.

A hyperbolic ball is a Euclidean ball of the Poincaré chart with another centre and radius, so a
Euclidean tree over Poincaré coordinates finds all points in it. `tree_search` finds the k nearest
by balls that are wider by all rounding errors, and `lorentz.distance` ranks them. Rounding so costs
time far out, not neighbours. Repeated points are searched once and then replaced by their rows.
Curvature -1.

Two other reductions lose digits: the maximum of the Lorentz product as a Euclidean search in d + 2
dimensions (Bachrach et al., RecSys 2014) resolves cosh r to exp(2 R) 1e-16 at distance R from the
origin, and Klein coordinates have half of the reach.
"""

import numpy as np
from sklearn.neighbors import BallTree, KDTree

from noneuclid.geometry import lorentz
from noneuclid.geometry.tree_search import ABSOLUTE, RELATIVE, boxes, search

_PAIRS = 2**20  # at a time
_QUERIES = 2**12
_TIED = 1 + 1e-9  # of two values of which either may be larger
# Bound of rounding of a product, per coordinate.
_PRODUCT = 8 * np.finfo(float).eps
# Measured: in more dimensions all products are faster than a tree, which then visits most leaves.
TREE_DIMENSIONS = 10
TREES = {"kd_tree": KDTree, "ball_tree": BallTree}


class NeighbourSearch:
    """The nearest of given points; ties go to the row that comes first.

    Parameters
    ----------
    points : ndarray, shape (n, d + 1)
        On the hyperboloid.
    algorithm : {"kd_tree", "ball_tree", "brute"}
    leaf_size : int

    Examples
    --------
    >>> points = lorentz.from_spatial([[0.0], [3.0], [-0.1], [3.5]])
    >>> NeighbourSearch(points, "kd_tree", 1).query(points[:2], 2)[1]
    array([[0, 2],
           [1, 3]])
    """

    def __init__(self, points, algorithm, leaf_size):
        self.points = self.distinct = points
        self.copies = None
        if _may_repeat(points):
            _, first, codes = np.unique(points, axis=0, return_index=True, return_inverse=True)
            # Distinct points in the order of their first rows, and the sorted rows of each.
            order = np.argsort(first)
            codes = np.argsort(order)[codes.reshape(-1)]
            counts = np.bincount(codes)
            self.distinct = points[first[order]]
            self.copies = np.argsort(codes, kind="stable"), np.cumsum(counts) - counts, counts
        self.tree = None
        if algorithm != "brute":
            self.tree = TREES[algorithm](_to_ball(self.distinct), leaf_size=leaf_size)
            self.distinct = np.ascontiguousarray(self.distinct)
            self._boxes = boxes(self.tree)

    def query(self, queries, k):
        """Distances and rows of the k nearest of each query, both (m, k), nearest first."""
        distances = np.empty((len(queries), k))
        rows = np.empty((len(queries), k), dtype=np.intp)
        size = _QUERIES if self.tree else max(1, _PAIRS // len(self.distinct))
        for start in range(0, len(queries), size):
            part = slice(start, start + size)
            search = self._query_tree if self.tree else self._query_all
            found = search(queries[part], min(k, len(self.distinct)))
            distances[part], rows[part] = self._all_rows(*found, k) if self.copies else found
        return distances, rows

    def _all_rows(self, distances, points, k):
        """The k nearest rows, from the nearest distinct points; these hold all of them."""
        rows, starts, counts = self.copies
        counts = np.minimum(counts[points], k)
        last = np.argmax(np.cumsum(counts, axis=1) >= k, axis=1)[:, None]
        # Points at the distance of the last one needed may have earlier rows.
        counts[distances > np.take_along_axis(distances, last, axis=1)] = 0
        sizes = counts.ravel()
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        rows = rows[np.repeat(starts[points].ravel(), sizes) + within]
        return _first(np.repeat(distances.ravel(), sizes), rows, counts.sum(axis=1), k)

    def _query_tree(self, queries, k):
        """By the tree, and where a point is as far as the last one, by the ball of all of these."""
        shape = len(queries), min(k + 1, len(self.distinct))
        values, near = np.empty(shape), np.empty(shape, dtype=np.intp)
        search(np.ascontiguousarray(queries), self.distinct, *self._boxes, values, near)
        rows = np.sort(near[:, :k], axis=1)
        distances = self._between(queries, rows)
        order = np.argsort(distances, axis=1, kind="stable")
        found = [np.take_along_axis(table, order, axis=1) for table in (distances, rows)]
        tied = np.flatnonzero((values[:, k:] <= values[:, k - 1 : k] * _TIED).any(axis=1))
        if len(tied):
            lists = self.tree.query_radius(*ball_of(queries[tied], found[0][tied, -1]))
            found[0][tied], found[1][tied] = self._nearest(queries[tied], lists, k)
        return found

    def _query_all(self, queries, k):
        """By products with all points, bounded from both sides."""
        points = self.distinct
        products = (queries[:, 1:] / -queries[:, :1]) @ points[:, 1:].T
        error = _PRODUCT * (points.shape[1] + 4) * points[:, 0]
        products += points[:, 0] + error
        limits = np.partition(products, k - 1, axis=1)[:, k - 1]
        products -= 2 * error
        lists = [np.flatnonzero(row <= limit) for row, limit in zip(products, limits, strict=True)]
        return self._nearest(queries, lists, k)

    def _nearest(self, queries, lists, k):
        """The k nearest of a list of rows for each query, of k rows or more."""
        sizes = np.array([len(rows) for rows in lists])
        owners, rows = np.repeat(np.arange(len(lists)), sizes), np.concatenate(lists)
        distances = np.empty(len(rows))
        for start in range(0, len(rows), _PAIRS):
            part = slice(start, start + _PAIRS)
            distances[part] = lorentz.distance(queries[owners[part]], self.distinct[rows[part]])
        return _first(distances, rows, sizes, k)

    def _between(self, queries, rows):
        """Distances from each query to its rows, (m, k)."""
        return lorentz.distance(queries[:, None, :], self.distinct[rows])


def _may_repeat(points):
    """Whether two rows are equal, or have equal products with a vector, which is rare."""
    factors = np.random.default_rng(0).normal(size=points.shape[1])
    keys = sum(column * factor for column, factor in zip(points.T, factors, strict=True))
    keys.sort()
    return bool((keys[1:] == keys[:-1]).any())


def _first(distances, rows, sizes, k):
    """The k nearest of consecutive lists of the given sizes; of equal ones the first row."""
    order = np.lexsort((rows, distances, np.repeat(np.arange(len(sizes)), sizes)))
    first = np.cumsum(sizes) - sizes
    chosen = order[first[:, None] + np.arange(k)]
    return distances[chosen], rows[chosen]


def ball_of(centres, radii):
    """Centres and radii in the Poincaré chart of hyperbolic balls, wider by rounding errors.

    Shapes: `centres` (m, d + 1), `radii` (m,); returns (m, d) and (m,).

    Examples
    --------
    >>> centre, radius = ball_of(lorentz.origin(2)[None], np.array([2.0]))
    >>> centre, radius.round(9) == np.tanh([1.0]).round(9)
    (array([[0., 0.]]), array([ True]))
    """
    gaps = 2 / (1 + centres[:, 0])  # 1 - |y|²
    squares = (centres[:, 0] - 1) / (centres[:, 0] + 1)
    shrunk = 1 / np.cosh(radii / 2) ** 2  # 1 - t²
    total = gaps + squares * shrunk
    wide = np.tanh(radii / 2) * gaps / total
    return _to_ball(centres) * (shrunk / total)[:, None], wide * (1 + RELATIVE) + ABSOLUTE


def _to_ball(points):
    """Poincaré coordinates, also beyond the reach of the chart: far points lie on its rim."""
    return points[:, 1:] / (1 + points[:, :1])
