"""The embedding of polblogs as a notebook of chlenski2024 makes it.

pchlenski/hyperdt, commit 5bd3eaf, notebooks/archive/17_graphs_2.ipynb.
"""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import shortest_path

from noneuclid.compiled import compile_cached
from noneuclid.embeddings.poincare_embedding import _move, _pull

TARGETS, NEGATIVES = 5, 10
# The package's Curvature(1.0) is the softplus of 1; RIM is its bound for single precision.
CURVATURE = np.log1p(np.e)
SCALE, RIM = np.sqrt(CURVATURE), 1.0 - 4e-3


def out_of_reach(edges, n):
    """Nodes that no path from each node reaches, and nodes from which no path reaches it.

    Shapes: `edges` (m, 2), source and target; two lists of n arrays.

    Examples
    --------
    >>> after, before = out_of_reach(np.array([[0, 1], [1, 0], [1, 2]]), 3)
    >>> [list(map(int, nodes)) for nodes in after], [list(map(int, nodes)) for nodes in before]
    ([[], [], [0, 1]], [[2], [2], []])
    """
    graph = sp.csr_array((np.ones(len(edges)), tuple(np.asarray(edges).T)), shape=(n, n))
    path = np.isfinite(shortest_path(graph, unweighted=True))
    return [np.flatnonzero(~row) for row in path], [np.flatnonzero(~row) for row in path.T]


def released_embedding(
    edges, n, dimension, seed, *, burn_in=10, max_iter=100, batch_size=8, learning_rate=0.3
):  # fmt: skip
    """Poincaré embedding of a directed graph whose negative samples are nodes out of reach.

    The loss of an edge (u, v) is that of `PoincareEmbedding`; its negative pairs are (u, w), no
    path from u to w, five of them, and (w, v), no path from w to v, to a total of ten.
    `PoincareEmbedding` and the paper it cites sample from all nodes without an edge. Two thirds of
    the nodes of polblogs are in one strong component, within which no pair is negative.

    As in the package of the notebook (hypll), the ball has curvature -`CURVATURE`, which is not the
    -1 that the classifiers read the points with; a point starts at exp_0 of a normal vector,
    takes one step for each batch, and is kept within 0.996 of the radius.

    Parameters
    ----------
    edges : ndarray of int, shape (m, 2)
        Source and target, each once.
    n : int
        Nodes.
    dimension, seed : int
    burn_in : int
        Epochs at a tenth of the rate; the notebook's last call has 10.
    max_iter : int
        Epochs after these; the notebook's last call has 100.
    batch_size : int
        Edges whose mean loss is lowered by a step; the notebook's last call has 8.
    learning_rate : float

    Returns
    -------
    points : ndarray, shape (n, dimension)
        In the ball of radius 0.873.
    loss : float
        Mean over the edges in the last epoch.

    Examples
    --------
    >>> edges = np.array([[0, 1], [0, 2], [1, 3], [1, 4], [2, 5], [2, 6]])
    >>> points, loss = released_embedding(edges, 7, 2, seed=0)
    >>> points.shape, bool(loss < 1.5)
    ((7, 2), True)
    """
    rng = np.random.default_rng(seed)
    edges = np.asarray(edges, dtype=np.int64)
    # Points are held in the unit ball: SCALE times those of the ball of this curvature.
    start = rng.normal(size=(n, dimension))
    length = np.linalg.norm(start, axis=1, keepdims=True)
    points = np.minimum(np.tanh(SCALE * length), RIM) * start / length
    lists = [part for lists in out_of_reach(edges, n) for part in _pack(lists)]
    loss = np.nan
    for count in range(burn_in + max_iter):
        step = learning_rate / 10 if count < burn_in else learning_rate
        loss = _epoch(points, rng.permutation(edges), *lists, step, batch_size, rng)
    return points / SCALE, loss


def _pack(lists):
    """Lists of nodes one after another, and where each begins."""
    return np.r_[0, np.cumsum([len(nodes) for nodes in lists])], np.concatenate(lists)


@compile_cached
def _draw(nodes, count, rng):
    """Positions of `count` different ones among the nodes."""
    found = np.empty(count, dtype=np.int64)
    for k in range(count):
        fresh = False
        while not fresh:
            found[k] = rng.integers(0, len(nodes))
            fresh = True
            for j in range(k):
                fresh &= found[j] != found[k]
    return nodes[found]


@compile_cached
def _epoch(points, edges, after, targets, before, sources, step, batch, rng):
    """One pass over the edges in their order; returns the mean loss before each step.

    A distance is 1/SCALE of that in the unit ball, and the length of a step SCALE times the rate
    and the gradient there.
    """
    (n, d), size = points.shape, NEGATIVES + 1
    pairs = np.empty((size, 2), dtype=np.int64)
    weights, pull = np.empty(size), np.empty((size, 2, d))
    gradient, moved = np.zeros((n, d)), np.zeros(n, dtype=np.bool_)
    total = 0.0
    for e in range(len(edges)):
        u, v = edges[e]
        far = targets[after[u] : after[u + 1]]
        near = min(TARGETS, len(far))
        away = sources[before[v] : before[v + 1]]
        count = 1 + near + min(NEGATIVES - near, len(away))
        pairs[:, 0], pairs[:, 1] = u, v
        pairs[1 : 1 + near, 1] = _draw(far, near, rng)
        pairs[1 + near : count, 0] = _draw(away, count - 1 - near, rng)
        for k in range(count):
            a, b = points[pairs[k, 0]], points[pairs[k, 1]]
            weights[k] = _pull(a, b, pull[k, 0]) / SCALE
            _pull(b, a, pull[k, 1])
        first, least = weights[0], weights[:count].min()
        weights[:count] = np.exp(least - weights[:count])
        whole = weights[:count].sum()
        total += first - least + np.log(whole)
        for k in range(count):
            factor = (k == 0) - weights[k] / whole
            for end in range(2):
                gradient[pairs[k, end]] += factor * pull[k, end]
                moved[pairs[k, end]] = True
        last = e + 1 == len(edges)
        if (e + 1) % batch == 0 or last:
            held = (e % batch) + 1
            for node in np.flatnonzero(moved):
                _move(points[node], -step * SCALE / held * gradient[node])
                length = np.sqrt((points[node] ** 2).sum())
                points[node] *= min(1.0, RIM / max(length, RIM))
            gradient[:], moved[:] = 0.0, False
    return total / len(edges)
