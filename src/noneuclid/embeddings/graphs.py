"""What the graph embeddings share: adjacency lists, and one check of the graph."""

import warnings
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components, dijkstra

from noneuclid.errors import InputError, require


@dataclass(frozen=True)
class Graph:
    """Adjacency lists of an undirected graph.

    Attributes
    ----------
    n, components : int
        Number of nodes, and of connected components.
    starts, neighbours : ndarray of int64, shapes (n + 1,) and (2 m,)
        The neighbours of node i, ascending, are ``neighbours[starts[i]:starts[i + 1]]``.
    lengths : ndarray of float, shape (2 m,), or None
        Of the edge to each neighbour; None means one each.
    """

    n: int
    components: int
    starts: np.ndarray
    neighbours: np.ndarray
    lengths: np.ndarray | None = None

    @property
    def degrees(self):
        """Number of neighbours of each node."""
        return np.diff(self.starts)

    @property
    def sources(self):
        """The node to which each entry of `neighbours` belongs."""
        return np.repeat(np.arange(self.n), self.degrees)


def graph_of(source, name, connected=False, lengths_count=False):
    """Read the graph of a `Source` or a `Dataset`, every node of which has a neighbour.

    A graph with lengths is warned of unless `lengths_count`.
    """
    require(
        source.kind == "graph",
        f"{name}: {source.name} has kind {source.kind!r}, no edges; use hydra or lifted_pca",
    )
    n = source.n
    lengths = np.ones(len(source.edges)) if source.weights is None else source.weights
    half = coo_array((lengths, source.edges.T), shape=(n, n))
    matrix = (half + half.T).tocsr()
    matrix.sort_indices()
    starts = matrix.indptr.astype(np.int64)
    isolated = np.flatnonzero(np.diff(starts) == 0)
    if isolated.size:
        raise InputError(
            f"{name}: {isolated.size} of {n} nodes have no edge, the first is row {isolated[0]}; "
            "remove them or keep the largest component"
        )
    count, component = connected_components(matrix, directed=False)
    largest = np.argmax(np.bincount(component))
    require(
        count == 1 or not connected,
        f"{name}: the graph has {count} components, the largest of {np.sum(component == largest)} "
        f"of {n} nodes; row {np.argmax(component != largest)} lies outside it: keep the largest "
        "component, or use poincare_embedding, which places several components",
    )
    if source.weights is not None and not lengths_count:
        warnings.warn(
            f"{name} uses only which nodes are joined and ignores the edge lengths of "
            f"{source.name}; hydra and refined_hydra use lengths",
            stacklevel=2,
        )
    data = None if source.weights is None else matrix.data
    return Graph(n, int(count), starts, matrix.indices.astype(np.int64), data)


def paths_from(graph, rows):
    """Lengths of the shortest paths from some nodes to all.

    Shapes: `rows` (m,); returns shape (m, n).

    Examples
    --------
    >>> path = Graph(3, 1, np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1]))
    >>> paths_from(path, np.array([0])).tolist()
    [[0.0, 1.0, 2.0]]
    """
    lengths = np.ones(len(graph.neighbours)) if graph.lengths is None else graph.lengths
    matrix = coo_array((lengths, (graph.sources, graph.neighbours)), shape=(graph.n, graph.n))
    return dijkstra(matrix.tocsr(), indices=rows, unweighted=graph.lengths is None)
