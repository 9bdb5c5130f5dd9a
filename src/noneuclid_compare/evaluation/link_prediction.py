"""Link prediction: which pairs of nodes are joined, by scores that have not seen these edges.

A tenth of the edges is held out, chosen at random among those outside a random spanning forest, so
that the other edges join the same components [2]_. As many pairs are drawn uniformly from those of
one component that no edge joins: a pair of two components, such as one with an isolated node, has
no path, so almost any score would know it from a held-out edge. A score is good if held-out edges
have larger values than such pairs [1]_.

References
----------
.. [1] D. Liben-Nowell and J. Kleinberg, The link-prediction problem for social networks, Journal of
   the American Society for Information Science and Technology 58(7):1019-1031, 2007.
.. [2] A. Grover and J. Leskovec, node2vec: scalable feature learning for networks, KDD 2016,
   link prediction in section 4 (of a connected network, which has one component).
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree
from scipy.sparse.linalg import eigsh
from sklearn.metrics import average_precision_score, roc_auc_score

from noneuclid.errors import require, require_package
from noneuclid.geometry import charts, lorentz, spaces

FRACTION = 0.1
# Of the largest factor for which the sum over all paths converges: long paths count little, as in
# the best settings of Liben-Nowell and Kleinberg.
DAMPING = 0.1
_TERM = 1e-12  # of the largest score: later terms of the sum are left out
_BLOCK = 256  # rows of the sum at a time
_DENSE = 500  # nodes: smaller matrices have no sparse eigensolver


class HeldOut(NamedTuple):
    """Training edges as a mask (m,), and pairs (2h, 2): the h held-out edges, then h others."""

    training: np.ndarray
    pairs: np.ndarray

    @property
    def joined(self):
        """Whether an edge joins each pair, shape (2h,)."""
        return np.arange(len(self.pairs)) < len(self.pairs) // 2


def hold_out(edges, n, seed):
    """Divide the edges (m, 2) of a network of n nodes, and draw pairs without an edge.

    Examples
    --------
    >>> found = hold_out(np.array([[0, 1], [1, 2], [0, 2], [2, 3]]), 4, 0)
    >>> found.training.sum(), len(found.pairs)
    (np.int64(3), 2)
    """
    rng, m = np.random.default_rng(seed), len(edges)
    places = coo_array((rng.permutation(m) + 1.0, edges.T), shape=(n, n))
    forest = np.isin(places.data, minimum_spanning_tree(places.tocsr()).data)
    free = np.flatnonzero(~forest)
    require(
        free.size,
        "link_prediction: the network is a forest, so each edge that is left out divides it; "
        "leave link_prediction out",
    )
    count = max(1, min(round(FRACTION * m), len(free)))
    component = connected_components(places, directed=False)[1]
    sizes = np.bincount(component)
    inside = int((sizes * (sizes - 1) // 2).sum())
    require(
        inside - m >= count,
        f"link_prediction: edges join {m} of the {inside} pairs of nodes of one component, so no "
        f"{count} pairs without an edge can be drawn; leave link_prediction out",
    )
    held = np.sort(rng.choice(free, count, replace=False))
    training = np.ones(m, dtype=bool)
    training[held] = False
    others = _non_edges(edges, component, count, rng)
    return HeldOut(training, np.concatenate([edges[held], others]))


def _non_edges(edges, component, count, rng):
    """Different pairs of nodes of one component without an edge, uniformly, shape (count, 2)."""
    n, joined = len(component), np.sort(edges, axis=1) @ [len(component), 1]
    # A node has as many partners as its component has nodes; those of a component are in a row.
    order, sizes = np.argsort(component, kind="stable"), np.bincount(component)
    first, partners = np.cumsum(sizes) - sizes, sizes[component]
    found = np.empty(0, dtype=np.int64)
    while len(found) < count:
        one = rng.choice(n, size=4 * count, p=partners / partners.sum())
        two = order[first[component[one]] + rng.integers(partners[one])]
        codes = one[one < two] * n + two[one < two]
        found = np.concatenate([found, codes[~np.isin(codes, joined)]])
        found = found[np.sort(np.unique(found, return_index=True)[1])]
    return np.column_stack(np.divmod(found[:count], n))


def of_points(embedded, pairs):
    """Minus the distance of each pair (k, 2); Euclidean without embedding, else in the space."""
    if embedded.about["embedding"].get("original_features"):
        a, b = embedded.points[pairs.T]
        return -np.linalg.norm(a - b, axis=1)
    space = spaces.product_of(embedded.chart)
    if space is not None:
        a, b = embedded.points[pairs.T]
        return -space.distance(a, b)
    points = charts.convert(embedded.points, embedded.chart, "hyperboloid", embedded.curvature)
    a, b = points[pairs.T]
    return -lorentz.distance(a, b, embedded.curvature)


def of_edges(edges, n, pairs):
    """Scores of pairs (k, 2) from the edges alone, by name: those of networkx, and of Katz."""
    networkx = require_package("networkx", "data", "link_prediction")

    graph = networkx.empty_graph(n)
    graph.add_edges_from(edges.tolist())
    ends = pairs.tolist()
    common = [len(networkx.common_neighbors(graph, a, b)) for a, b in ends]
    by_degree = networkx.preferential_attachment(graph, ends)
    by_rarity = networkx.adamic_adar_index(graph, ends)
    return {
        "degree product": np.array([value for *_, value in by_degree], dtype=float),
        "common neighbours": np.array(common, dtype=float),
        "Adamic-Adar": np.array([value for *_, value in by_rarity], dtype=float),
        "Katz": katz(edges, n, pairs),
    }


def katz(edges, n, pairs):
    """Sum over the paths that join a pair of β to the power of their length (Katz 1953), (k,).

    β is a tenth of the inverse of the largest eigenvalue, so each term is a tenth of the one before
    or less, and the sum ends after a dozen. O(n m) for n different first nodes.

    Examples
    --------
    >>> katz(np.array([[0, 1], [1, 2]]), 3, np.array([[0, 2]])).round(6)  # β² / (1 - 2 β²)
    array([0.005051])
    """
    half = coo_array((np.ones(len(edges)), edges.T), shape=(n, n))
    matrix = csr_array(half + half.T)
    if n <= _DENSE:
        largest = np.linalg.eigvalsh(matrix.toarray())[-1]
    else:
        largest = eigsh(matrix, 1, which="LA", v0=np.ones(n), return_eigenvectors=False)[0]
    matrix = matrix * (DAMPING / largest)
    scores = np.empty(len(pairs))
    sources, places = np.unique(pairs[:, 0], return_inverse=True)
    for start in range(0, len(sources), _BLOCK):
        part = sources[start : start + _BLOCK]
        term = matrix[part].toarray()
        total = term.copy()
        while term.max() > _TERM * total.max():
            term = term @ matrix
            total += term
        here = (places >= start) & (places < start + _BLOCK)
        scores[here] = total[places[here] - start, pairs[here, 1]]
    return scores


def accuracy(scores, joined):
    """How well scores (k,) tell joined pairs from others; pairs of equal score count half in `auc`.

    Examples
    --------
    >>> accuracy(np.array([-1.0, -3.0, -2.0]), np.array([True, False, False]))
    {'auc': 1.0, 'average_precision': 1.0}
    """
    return {
        "auc": float(roc_auc_score(joined, scores)),
        "average_precision": float(average_precision_score(joined, scores)),
    }
