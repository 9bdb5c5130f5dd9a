"""Clean graphs: each undirected edge once, and connected components."""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

KEEP = ("all", "linked", "largest")


def simple_edges(pairs):
    """Undirected edges, each once, without self loops.

    Shapes: `pairs` (m, 2); returns shape (k, 2).

    Examples
    --------
    >>> simple_edges(np.array([[1, 0], [0, 1], [2, 2], [1, 2]])).tolist()
    [[0, 1], [1, 2]]
    """
    pairs = np.sort(np.asarray(pairs, dtype=np.int64), axis=1)
    return np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)


def kept_rows(edges, n, keep):
    """Nodes to keep: all, those with an edge (linked), or those of the largest component.

    Shapes: `edges` (m, 2).

    Examples
    --------
    >>> edges = np.array([[0, 1], [1, 2], [4, 5]])
    >>> [kept_rows(edges, 6, keep).tolist() for keep in KEEP]
    [[0, 1, 2, 3, 4, 5], [0, 1, 2, 4, 5], [0, 1, 2]]
    """
    if keep == "all":
        return np.arange(n)
    if keep == "linked":
        return np.unique(edges)
    graph = coo_array((np.ones(len(edges)), edges.T), shape=(n, n))
    _, component = connected_components(graph, directed=False)
    return np.flatnonzero(component == np.bincount(component).argmax())


def induced(edges, rows, n):
    """Edges among `rows`, in the numbering of `rows`.

    Examples
    --------
    >>> induced(np.array([[0, 1], [1, 3]]), np.array([1, 3]), 4).tolist()
    [[0, 1]]
    """
    number = np.full(n, -1)
    number[rows] = np.arange(len(rows))
    edges = number[edges]
    return edges[(edges >= 0).all(axis=1)]
