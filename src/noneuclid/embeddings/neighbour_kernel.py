"""Graphs of nearest neighbours, the similarities of their edges, and lengths along them."""

import numpy as np
from scipy.sparse import coo_array, csr_array, diags_array, eye_array
from scipy.sparse.csgraph import dijkstra
from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors

from noneuclid.embeddings.target_distances import component_bridges
from noneuclid.errors import require

KERNELS = ("exponential", "gaussian")
_LEAST = 1e-100
_EXACT_UP_TO = 3000


def neighbour_graph(features, neighbours):
    """Join each row to its nearest rows, and the components that stay apart by shortest edges.

    An edge is kept if either end chose the other.
    Shapes: `features` (n, p); returns `edges` (m, 2), `lengths` (m,).
    """
    n = len(features)
    require(n > neighbours, f"{n} rows are too few for {neighbours} neighbours; lower n_neighbors")
    _, nearest = NearestNeighbors(n_neighbors=neighbours).fit(features).kneighbors()
    chosen = np.column_stack([np.repeat(np.arange(n), neighbours), nearest.ravel()])
    bridges, _ = component_bridges(features, chosen)
    edges = np.unique(np.sort(np.concatenate([chosen, bridges]), axis=1), axis=0)
    lengths = np.linalg.norm(features[edges[:, 0]] - features[edges[:, 1]], axis=1)
    return edges, lengths, len(bridges)


def edge_weights(lengths, sigma, width, kernel="exponential"):
    """Turn lengths of edges into similarities.

    The weights are exp(-l / (sigma width)), which the authors' program computes and their published
    embeddings follow, or exp(-l^2 / (2 sigma^2)), which their paper writes. A weight that vanishes
    in floating point would cut the graph and is refused.
    Shapes: `lengths` (m,); returns shape (m,).
    """
    if kernel == "exponential":
        weights = np.exp(-lengths / (sigma * width))
    else:
        weights = np.exp(-0.5 * (lengths / sigma) ** 2)
    other = "scale the features" if kernel == "exponential" else "use kernel exponential"
    require(
        weights.min() > _LEAST,
        f"sigma {sigma} makes the weight of an edge of length {lengths.max():.4g} vanish; "
        f"raise sigma, {other}, or leave out rows that are far from all others",
    )
    return weights


def forest_matrix(edges, weights, n):
    """I + L of a weighted graph, L its Laplacian.

    Shapes: `edges` (m, 2), `weights` (m,); returns shape (n, n).
    """
    adjacency = coo_array((weights, edges.T), shape=(n, n)).tocsr()
    adjacency = adjacency + adjacency.T
    return csr_array(eye_array(n) + diags_array(adjacency.sum(axis=1)) - adjacency)


def forest_of_features(features, n_neighbors, sigma, kernel="exponential"):
    """I + L of the graph of nearest neighbours.

    Shapes: `features` (n, p); returns `matrix` (n, n).
    """
    n, width = features.shape
    edges, lengths, joined = neighbour_graph(features, n_neighbors)
    return forest_matrix(edges, edge_weights(lengths, sigma, width, kernel), n), joined


def reducer(features, components, seed):
    """Build the map from features to their principal components, for old and new rows alike.

    Exact while the shorter side of the matrix is at most 3000, randomised beyond.

    Shapes: `features` (n, p).

    Examples
    --------
    >>> features = np.array([[0.0, 0], [3, 4], [6, 8]])
    >>> np.abs(reducer(features, 1, 0)(features)[:, 0]).round(12).tolist()
    [5.0, 0.0, 5.0]
    """
    if components is None or components >= min(features.shape):
        return np.asarray
    solver = "full" if min(features.shape) <= _EXACT_UP_TO else "randomized"
    return PCA(components, svd_solver=solver, random_state=seed).fit(features).transform


def geodesics(edges, lengths, n, rows):
    """Shortest paths along the graph from some rows to all rows.

    Shapes: `edges` (m, 2), `lengths` (m,); returns shape (len(rows), n).

    Examples
    --------
    >>> geodesics(np.array([[0, 1], [1, 2]]), np.array([1.0, 2.0]), 3, np.array([0])).tolist()
    [[0.0, 1.0, 3.0]]
    """
    graph = coo_array((lengths, edges.T), shape=(n, n)).tocsr()
    return dijkstra(graph, directed=False, indices=rows)
