"""New rows among those of Poincaré maps, by their accessibilities along the graph."""

from dataclasses import dataclass

import numpy as np
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors

from noneuclid.embeddings.accessibility import attach_nodes
from noneuclid.embeddings.neighbour_kernel import edge_weights, forest_matrix
from noneuclid.embeddings.out_of_sample import place_rows
from noneuclid.embeddings.reduced_map import ReducedMap


@dataclass(frozen=True, kw_only=True)
class ForestMap(ReducedMap):
    """New rows join the graph, each alone, and go where their similarities diverge least.

    Attributes
    ----------
    edges, weights : ndarray, shapes (k, 2) and (k,)
        Of the graph of nearest neighbours.
    points : ndarray of float, shape (n, d + 1)
    neighbours, sigma, kernel, gamma : int, float, str, float
        As in `PoincareMap`.
    """

    kind: str = "poincare_maps"
    chart: str | None = "hyperboloid"
    edges: np.ndarray
    weights: np.ndarray
    points: np.ndarray
    neighbours: int
    sigma: float
    kernel: str
    gamma: float

    def place(self, features):
        """Points on the hyperboloid; a row of the fit lands beside its own, as a twin."""
        rows = self.reduce(features)
        forest = forest_matrix(self.edges, self.weights, len(self.rows))
        index = NearestNeighbors(n_neighbors=self.neighbours).fit(self.rows)

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
