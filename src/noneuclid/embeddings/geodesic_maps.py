"""New rows among those of Hydra: along the graph of neighbours to all rows, then one by one."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import dijkstra
from scipy.spatial.distance import cdist
from threadpoolctl import threadpool_limits

from noneuclid.embeddings.out_of_sample import place_where_least
from noneuclid.embeddings.reduced_map import ReducedMap
from noneuclid.embeddings.strain import Strain, place
from noneuclid.embeddings.stress import row_stress
from noneuclid.errors import FarRow
from noneuclid.geometry import lorentz

# cosh of it, squared, is still a number of float64.
_FARTHEST = 300.0
_BLOCK = 1024


@dataclass(frozen=True, kw_only=True)
class GeodesicMap(ReducedMap):
    """New rows join the graph of nearest neighbours, each alone, as in Isomap.

    As among the rows of the fit, an edge joins two different rows if one is among the nearest of
    the other. The distance of a new row to any row is the shortest path. A row of the fit is at
    distance zero from itself, so it has its own distances.

    Attributes
    ----------
    edges, lengths : ndarray, shapes (k, 2) and (k,)
        Of the graph of `target_distances.row_graph`.
    n_neighbors : int
    reach : ndarray of float, shape (m,)
        Distance from each row to the last of its nearest.
    factor : float
        Hyperbolic units in a unit of the lengths.
    paths : ndarray of float, shape (m, m), or None
        Distances between `rows`, where these are landmarks and new rows are many.
    """

    chart: str | None = "hyperboloid"
    edges: np.ndarray
    lengths: np.ndarray
    n_neighbors: int
    reach: np.ndarray
    factor: float
    paths: np.ndarray | None = None

    def distances(self, features):
        """Distances from new rows to `rows` in hyperbolic units, shape (n, m)."""
        return self.distances_of_reduced(self.reduce(features))

    def distances_of_reduced(self, new, before=0):
        """The same for rows in the coordinates of `rows`; `before` others precede them."""
        found, m = np.empty((len(new), len(self.rows))), len(self.rows)
        graph = None if self.paths is not None else _both_ways(self.edges, self.lengths, m)
        for k, row in enumerate(new):
            # Differences, whose squares are exact zeros for equal rows.
            gaps = cdist(row[None], self.rows)[0]
            nearest = gaps < self.reach
            nearest[np.argsort(gaps, kind="stable")[: self.n_neighbors]] = True
            ends = np.flatnonzero(nearest)
            if graph is None:
                found[k] = (gaps[ends, None] + self.paths[ends]).min(axis=0)
                self._check_reach(found[k], before + k)
                continue
            # A new row is one more node, whose edges lead away from it.
            entries = (
                np.r_[graph.data, gaps[ends]],
                np.r_[graph.indices, ends],
                np.r_[graph.indptr, graph.nnz + len(ends)],
            )
            found[k] = dijkstra(csr_array(entries, shape=(m + 1, m + 1)), indices=m)[:m]
            self._check_reach(found[k], before + k)
        return self.factor * found

    def _check_reach(self, distances, row):
        """Refuse a row whose distances have no cosh in float64."""
        if self.factor * distances.max() <= _FARTHEST:
            return
        raise FarRow(
            f"row {row} lies {self.factor * distances.min():.4g} hyperbolic units from every row "
            f"of the embedding; beyond {_FARTHEST:g} it cannot be placed: check its values"
        )


def _both_ways(edges, lengths, n):
    """Matrix of the edges in both directions, each once and as short as it comes."""
    ends = np.concatenate([edges, edges[:, ::-1]])
    lengths = np.concatenate([lengths, lengths])
    order = np.lexsort([lengths, ends[:, 1], ends[:, 0]])
    ends, lengths = ends[order], lengths[order]
    first = np.r_[True, (ends[1:] != ends[:-1]).any(axis=1)]
    return coo_array((lengths[first], ends[first].T), shape=(n, n)).tocsr()


@dataclass(frozen=True, kw_only=True)
class HydraMap(GeodesicMap):
    """Hydra continued to new rows, in closed form: see `strain.least_strain`.

    Attributes
    ----------
    weights : ndarray of float, shape (m, d + 1)
        Of `strain.Strain`, those of equal rows added.
    least_time, least_length, equiangular : float
    angles : ndarray of float, shape (n,), or None
    """

    kind: str = "hydra"
    weights: np.ndarray
    least_time: float
    least_length: float
    equiangular: float = 0.0
    angles: np.ndarray | None = None

    def place(self, features):
        """Points on the hyperboloid; rows of the fit land on their own."""
        return self.place_reduced(self.reduce(features))

    def place_reduced(self, new):
        """The same for rows in the coordinates of `rows`, in blocks that fit into memory."""
        found = Strain(None, None, self.weights, self.least_time, self.least_length, self.angles)
        points = np.empty((len(new), self.weights.shape[1]))
        for first in range(0, len(new), _BLOCK):
            distances = self.distances_of_reduced(new[first : first + _BLOCK], first)
            points[first : first + _BLOCK] = place(found, np.cosh(distances), self.equiangular)
        return points


@dataclass(frozen=True, kw_only=True)
class RefinedHydraMap(GeodesicMap):
    """The least stress of one new point, those of the fit fixed.

    Minimises the terms of `RefinedHydra` that have the new point: sum_j w_j (d_j - wanted_j)^2.

    Attributes
    ----------
    points : ndarray of float, shape (n, d + 1)
    node : ndarray of int, shape (n,)
        Row of `rows` for each point.
    power, least : float
        Weights are max(wanted, least)^power.
    """

    kind: str = "refined_hydra"
    points: np.ndarray
    node: np.ndarray
    power: float
    least: float

    def place(self, features):
        """Points on the hyperboloid, from the nearest point or the centroid of the nearest three.

        Rows of the fit land beside their own points, as far as the descent of the fit had to go.
        """
        targets = self.distances(features)[:, self.node]
        with threadpool_limits(1, user_api="blas"):  # one row is too little work for more
            return np.array([self._place(wanted) for wanted in targets])

    def _place(self, wanted):
        """The better of two descents for one row."""
        nearest = np.argsort(wanted, kind="stable")[:3]
        starts = (self.points[nearest[0]], lorentz.midpoint(self.points[nearest]))
        loss = row_stress(wanted, self.points, self.power, self.least)
        return place_where_least(loss, starts)
