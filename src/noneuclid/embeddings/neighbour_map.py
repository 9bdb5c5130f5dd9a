"""What maps share that place a new row by its nearest neighbours among the rows of the fit."""

from dataclasses import dataclass

import numpy as np

from noneuclid.embeddings.ball_layout import Forces
from noneuclid.embeddings.fuzzy_graph import strengths
from noneuclid.embeddings.landmark_lists import Lists, neighbours_of_new
from noneuclid.embeddings.reduced_map import ReducedMap


@dataclass(frozen=True, kw_only=True)
class NeighbourMap(ReducedMap):
    """New rows are joined to rows of the fit by the edges of UMAP's fuzzy graph, each alone.

    Attributes
    ----------
    points : ndarray of float, shape (n, columns of `chart`)
        Places of `rows`, which are in the order of their lists.
    centres, starts, near : ndarray
        Of `landmark_lists.Lists`.
    n_neighbors : int
    forces : dict
        Entries of `ball_layout.Forces`.
    learning_rate : float
    """

    points: np.ndarray
    centres: np.ndarray
    starts: np.ndarray
    near: np.ndarray
    n_neighbors: int
    forces: dict
    learning_rate: float

    def edges(self, features):
        """Rows of the fit that new rows are joined to, lengths and weights; shapes (m, k)."""
        new, lists = self.reduce(features), Lists(self.centres, self.starts, self.near)
        # Among many rows, more edges choose the place better.
        count = max(self.n_neighbors, int(np.cbrt(len(self.rows))))
        nearest, lengths = neighbours_of_new(new, self.rows, lists, count)
        weights = np.empty(lengths.shape)
        strengths(lengths, lengths.mean(), weights)
        return nearest, lengths, weights

    def layout(self):
        """The points and `Forces` of the fit, as compiled functions read them."""
        # Numba would compile everything again for arrays that are read-only.
        return np.require(self.points, requirements="W"), Forces(**self.forces)
