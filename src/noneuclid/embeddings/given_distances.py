"""Distances of rows, of the nodes of a graph, or as they are given."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from noneuclid.embeddings import graphs
from noneuclid.embeddings.base import FEATURES, GRAPH, Embedding, Source
from noneuclid.embeddings.hydra import adjacency
from noneuclid.errors import require, require_number
from noneuclid.geometry.tree_likeness import read_distances

PRECOMPUTED = "precomputed"
METRICS = ("euclidean", "cityblock", "cosine", "correlation", "chebyshev", PRECOMPUTED)
# One minus a product of unit vectors: to rounding, that of equal rows is 0.
_ROUNDED, _ZERO = ("cosine", "correlation"), 1e-13
_MAX_NODES = 2000  # beyond, not all pairs of nodes are compared


class Distances(NamedTuple):
    """Distances between rows: `rows` (m,) of `n` in ascending order, `values` (m, m).

    `adjacency` (n, n), sparse, and `paths` (n, n) are those of a small graph, else None.
    """

    values: np.ndarray
    rows: np.ndarray
    n: int
    adjacency: csr_array | None = None
    paths: np.ndarray | None = None


class OfDistances:
    """Part of the estimators that read distances: parameters `metric` and `edge_lengths`."""

    reads = (FEATURES, GRAPH)
    _seed = Embedding._seed

    def _read(self, X):
        """What was given, as a `Source`; distances are its features."""
        if self.metric != PRECOMPUTED:
            return Embedding._read(self, X)
        vars(self).pop("nodes_", None)  # of an earlier fit
        given = read_distances(X)
        self.n_features_in_ = len(given)
        return Source("X", FEATURES, len(given), given)

    def _distances(self, source, max_rows, seed):
        """Distances of all rows, or of a random sample of so many."""
        name = type(self).__name__
        require(
            self.metric in METRICS,
            f"{name}: metric = {self.metric!r}; give one of {', '.join(METRICS)}",
        )
        rows = _chosen(source.n, max_rows, seed)
        if source.kind != GRAPH and self.metric == PRECOMPUTED:
            given = read_distances(source.features)
            return Distances(given[np.ix_(rows, rows)], rows, source.n)
        if source.kind != GRAPH:
            features = source.features[rows]
            found = between(features, self.metric, name)
            # Exactly symmetric, with a zero diagonal.
            found = (found + found.T) / 2
            np.fill_diagonal(found, 0.0)
            return Distances(found, rows, source.n)
        graph = graphs.graph_of(source, name, connected=True, lengths_count=True)
        paths, joined = None, None
        if source.n <= _MAX_NODES:
            paths, joined = graphs.paths_from(graph, np.arange(source.n)), adjacency(source)
        found = graphs.paths_from(graph, rows)[:, rows]
        return Distances(np.minimum(found, found.T), rows, source.n, joined, paths)


def between(features, metric, name, others=None, first=0):
    """Distances of rows to other rows, or to each other; `first` is the number of the first.

    Shapes: `features` (m, p), `others` (n, p); returns (m, n).
    """
    found = cdist(features, features if others is None else others, metric)
    lost = np.flatnonzero(~np.isfinite(found).all(axis=1))
    require(
        not lost.size,
        f"{name}: row {first + lost[0] if lost.size else ''} has no {metric} distance to others; "
        "drop it, or set another metric",
    )
    if metric in _ROUNDED:
        found[found < _ZERO] = 0.0
    return found


def _chosen(n, most, seed):
    """Rows in ascending order: all, or a random sample."""
    if n <= most:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, most, replace=False))


def check_descent(name, model):
    """Refuse parameters of the descent out of range."""
    require_number(model.n_init, "n_init", name, low=1, integer=True)
    require_number(model.max_iter, "max_iter", name, low=1, integer=True)
    require_number(model.tol, "tol", name, low=0.0)
