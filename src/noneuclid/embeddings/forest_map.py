"""New rows among those of Poincaré maps, by their accessibilities along the graph.

Among landmarks each row takes one linear solution.
"""

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors

from noneuclid.embeddings.accessibility import attach_nodes
from noneuclid.embeddings.neighbour_kernel import edge_weights, forest_matrix
from noneuclid.embeddings.out_of_sample import place_rows
from noneuclid.embeddings.reduced_map import ReducedMap
from noneuclid.geometry import lorentz

_FARTHEST = 30.0  # cosh of it, squared, keeps its digits among those of near landmarks


@dataclass(frozen=True, kw_only=True)
class ForestMap(ReducedMap):
    """New rows join the graph, each alone, and go where their similarities diverge least.

    Attributes
    ----------
    edges, weights : ndarray, shapes (k, 2) and (k,)
        Of the graph of nearest neighbours.
    points : ndarray of float, shape (n, d + 1)
    n_neighbors, sigma, kernel, gamma : int, float, str, float
        As in `PoincareMap`.
    """

    kind: str = "poincare_maps"
    chart: str | None = "hyperboloid"
    edges: np.ndarray
    weights: np.ndarray
    points: np.ndarray
    n_neighbors: int
    sigma: float
    kernel: str
    gamma: float

    def place(self, features):
        """Points on the hyperboloid; a row of the fit lands beside its own, as a twin."""
        rows = self.reduce(features)
        forest = forest_matrix(self.edges, self.weights, len(self.rows))
        index = NearestNeighbors(n_neighbors=self.n_neighbors).fit(self.rows)

        def similarities(row):
            lengths, nearest = index.kneighbors(row[None])
            weights = edge_weights(lengths, self.sigma, len(row), self.kernel)
            return attach_nodes(forest, nearest, weights)[0]

        # One by one: the solver of many columns takes as many steps as the slowest needs.
        return place_rows(map(similarities, rows), self.points, self.gamma)


def reduction(reduce):
    """Entries of a `ReducedMap` for a reducer of `neighbour_kernel.reducer`."""
    pca = getattr(reduce, "__self__", None)
    return {"centre": pca.mean_, "axes": pca.components_.T} if isinstance(pca, PCA) else {}


@dataclass(frozen=True, kw_only=True)
class LinearForestMap(ReducedMap):
    """Rows join the graph of landmarks, each alone; their distances give their points.

    The embedding says exp(-gamma d_j) = Z p_j for the similarities p_j of a row to the landmarks.
    Z is that of the landmarks to which the row is joined, so each d_j is known, and
    cosh(d_j) = -<x, x_j>_L is linear in x: the solution with the least relative squares, brought
    to the hyperboloid by its spatial part.

    Attributes
    ----------
    inverse : ndarray of float, shape (m, m)
        Relative forest accessibilities of the landmarks.
    points : ndarray of float, shape (m, d + 1)
        Of the landmarks, on the hyperboloid.
    n_neighbors, sigma, kernel, gamma : int, float, str, float
        As in `PoincareMap`.
    """

    kind: str = "linear_poincare_maps"
    chart: str | None = "hyperboloid"
    inverse: np.ndarray
    points: np.ndarray
    n_neighbors: int
    sigma: float
    kernel: str
    gamma: float

    def place(self, features):
        """Points on the hyperboloid."""
        return self.place_reduced(self.reduce(features))

    def place_reduced(self, new):
        """The same for rows in the coordinates of `rows`."""
        decay = np.exp(-self.gamma * lorentz.pairwise_distances(self.points))
        levels = np.log(decay.sum(axis=1) - 1.0)
        signs = np.r_[1.0, -np.ones(self.points.shape[1] - 1)]
        cosines = self.points * signs  # of distances, times a point
        found = np.empty((len(new), self.points.shape[1]))
        for k, row in enumerate(new):
            distances = self._distances(row, levels)
            weights = 1 / np.cosh(distances)
            weighted = cosines * weights[:, None]
            found[k] = np.linalg.lstsq(weighted, np.ones(len(weights)))[0]
        return lorentz.from_spatial(found[:, 1:])

    def _distances(self, row, levels):
        """Distances that the embedding should have between a row and the landmarks."""
        gaps = cdist(row[None], self.rows)[0]
        ends = np.argpartition(gaps, self.n_neighbors - 1)[: self.n_neighbors]
        weights = edge_weights(gaps[ends], self.sigma, len(row), self.kernel)
        # (I + L + diag(b))^-1 b by the formula of Woodbury: only the ends have weights.
        block = self.inverse[np.ix_(ends, ends)] + np.diag(1 / weights)
        reached = np.linalg.solve(block, np.ones(len(ends))) @ self.inverse[ends]
        reached = np.maximum(reached / reached.sum(), np.finfo(float).tiny)
        level = weights @ levels[ends] / weights.sum()
        distances = -(np.log(reached) + level) / self.gamma
        return np.clip(distances, 0.0, _FARTHEST)
