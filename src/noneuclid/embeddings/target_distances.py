"""Distances that an embedding tries to keep: along a graph, or along a cloud of features."""

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components, dijkstra, minimum_spanning_tree
from scipy.spatial.distance import cdist
from sklearn.neighbors import NearestNeighbors

from noneuclid.errors import require


def graph_distances(edges, n, weights=None):
    """Lengths of the shortest paths between all nodes.

    O(n m + n^2 log n) time.
    Shapes: `edges` (m, 2), `weights` (m,); returns shape (n, n).
    """
    lengths = np.ones(len(edges)) if weights is None else weights
    graph = coo_array((lengths, edges.T), shape=(n, n)).tocsr()
    count, component = connected_components(graph, directed=False)
    sizes = np.bincount(component)
    outside = int(np.argmax(component != np.argmax(sizes)))
    require(
        count == 1,
        f"the graph has {count} components, the largest of {sizes.max()} of {n} nodes; node "
        f"{outside} lies outside it: keep the largest component or add edges",
    )
    return _shortest_paths(graph, unweighted=weights is None)


def _shortest_paths(graph, unweighted=False):
    """All shortest paths of an undirected graph, made exactly symmetric."""
    paths = dijkstra(graph, directed=False, unweighted=unweighted)
    return np.minimum(paths, paths.T)


class RowGraph(NamedTuple):
    """The graph of nearest neighbours of rows; equal rows are one node.

    Attributes
    ----------
    rows : ndarray, shape (m, p)
        The different rows, one for each node.
    node : ndarray of int, shape (n,)
        Node of each row.
    edges, lengths : ndarray, shapes (k, 2) and (k,)
    reach : ndarray, shape (m,)
        Distance from each node to the last of its nearest.
    joined : int
        Number of edges that had to join components.
    """

    rows: np.ndarray
    node: np.ndarray
    edges: np.ndarray
    lengths: np.ndarray
    reach: np.ndarray
    joined: int

    def distances(self):
        """Lengths of the shortest paths between all rows, shape (n, n)."""
        n = len(self.rows)
        graph = coo_array((self.lengths, self.edges.T), shape=(n, n)).tocsr()
        return _shortest_paths(graph)[np.ix_(self.node, self.node)]


def row_graph(features, neighbours, remedy="lower n_neighbors"):
    """Join each row to its nearest rows by edges as long as the Euclidean distance.

    Components that stay apart are joined by the minimum spanning tree of the shortest edges between
    them. Equal rows are one node, so they are at distance zero and count once as neighbours.

    Shapes: `features` (n, p).
    """
    rows, node = np.unique(features, axis=0, return_inverse=True)
    n, node = len(rows), node.ravel()  # numpy 2.0.0 gives a column
    require(
        n > neighbours,
        f"{n} different rows are too few for {neighbours} neighbours; {remedy}",
    )
    lengths, nearest = NearestNeighbors(n_neighbors=neighbours).fit(rows).kneighbors()
    start = np.repeat(np.arange(n), neighbours)
    edges = np.column_stack([start, nearest.ravel()])
    bridges, bridge_lengths = component_bridges(rows, edges)
    edges = np.concatenate([edges, bridges])
    reach, lengths = lengths[:, -1], np.concatenate([lengths.ravel(), bridge_lengths])
    return RowGraph(rows, node, edges, lengths, reach, len(bridges))


def feature_distances(features, neighbours):
    """Geodesic distances along the graph of nearest neighbours, as in Isomap; see `row_graph`.

    Shapes: `features` (n, p); returns `distances` (n, n), and the number of edges that had to join
    components.
    """
    graph = row_graph(features, neighbours)
    return graph.distances(), graph.joined


def component_bridges(rows, edges):
    """Shortest edges between components, as few as join them all, and their lengths."""
    graph = coo_array((np.ones(len(edges)), edges.T), shape=(len(rows), len(rows)))
    count, component = connected_components(graph, directed=False)
    members = [np.flatnonzero(component == c) for c in range(count)]
    gap = np.zeros((count, count))
    closest = {}
    for a in range(count):
        for b in range(a + 1, count):
            between = cdist(rows[members[a]], rows[members[b]])
            i, j = np.unravel_index(between.argmin(), between.shape)
            gap[a, b] = between[i, j]
            closest[a, b] = (members[a][i], members[b][j])
    # Sparse: from a dense matrix scipy drops edges shorter than 1e-8.
    tree = minimum_spanning_tree(csr_array(gap)).tocoo()
    ends = [closest[a, b] for a, b in zip(tree.row, tree.col, strict=True)]
    return np.array(ends, dtype=np.int64).reshape(-1, 2), tree.data
