"""Poincaré embeddings of graphs: neighbours near, all others far, by Riemannian descent."""

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.embeddings.base import RandomState
from noneuclid.embeddings.epochs import check_epochs, run_epochs
from noneuclid.embeddings.graph_descent import GraphDescent
from noneuclid.errors import require_number

# Nodes with more neighbours than this part of all draw strangers by rank, not by trial.
_CROWDED = 0.9


class PoincareEmbedding(GraphDescent):
    r"""Poincaré embedding of a graph: each node's neighbours are its nearest points.

    For each edge, in both directions, minimises (eq. 5 of [1]_)

    .. math:: -\log\frac{\exp(-d(u, v))}{\sum_{v' \in \{v\} \cup N(u)} \exp(-d(u, v'))}

    with N(u) a sample of nodes that are not neighbours of u. The step is along the Riemannian
    gradient by the exponential map, so no point ever leaves the ball; the paper moves along
    straight lines and projects back. Edge lengths are not used. The graph may have several
    components.

    Reads networkx graphs and sparse adjacency matrices. There is no rule for new nodes.

    Parameters
    ----------
    n_components : int, default=2
    negative_sample_rate : int, default=10
        Size of the sample.
    learning_rate : float, default=0.3
        Of the gradient steps.
    burn_in : int, default=10
        Number of first epochs at a tenth of the rate.
    max_iter : int, default=500
    tol, chart
        As for `DeepWalk`, with the same defaults.
    random_state : int, RandomState or None, default=None
        For the start, the order of the edges and the samples.

    Attributes
    ----------
    embedding_, report_, n_iter_, nodes_
        As for `DeepWalk`.

    Raises
    ------
    InputError
        If X is not a graph, a node is isolated, a parameter is out of range, or float64 cannot hold
        a point in the ball.

    Warns
    -----
    ConvergenceWarning
        If `max_iter` pass before the loss stops falling.

    See Also
    --------
    Hydra : Keeps lengths of paths, by one eigendecomposition.
    TreeEmbedding : Trees, without any search.
    noneuclid.networks.embed : Writes node attributes.

    Notes
    -----
    An epoch costs O(m negatives d), m the number of edges.

    References
    ----------
    .. [1] Nickel and Kiela, Poincaré embeddings for learning hierarchical representations,
       NeurIPS 2017, arXiv:1705.08039.

    Examples
    --------
    >>> import networkx as nx
    >>> from noneuclid import PoincareEmbedding
    >>> model = PoincareEmbedding(tol=0.1, random_state=0)
    >>> points = model.fit_transform(nx.karate_club_graph())
    >>> points.shape, bool(np.linalg.norm(points, axis=1).max() < 1)
    ((34, 2), True)
    """

    name = "poincare_embedding"
    own_chart = "poincare"

    def __init__(
        self,
        n_components: int = 2,
        *,
        negative_sample_rate: int = 10,
        learning_rate: float = 0.3,
        burn_in: int = 10,
        max_iter: int = 500,
        tol: float = 0.003,
        chart: str = "poincare",
        random_state: RandomState = None,
    ):
        self.n_components = n_components
        self.negative_sample_rate = negative_sample_rate
        self.learning_rate = learning_rate
        self.burn_in = burn_in
        self.max_iter = max_iter
        self.tol = tol
        self.chart = chart
        self.random_state = random_state

    def _check(self, n, settings):
        require_number(self.n_components, "n_components", self.name, low=2, integer=True)
        require_number(
            self.negative_sample_rate, "negative_sample_rate", self.name, low=1, integer=True
        )
        epochs = ("learning_rate", "burn_in", "max_iter", "tol")
        check_epochs(self.name, **{key: settings[key] for key in epochs})

    def _descend(self, graph, seed, settings):
        return fit(graph, seed, **settings)


def fit(graph, seed, *, n_components, negative_sample_rate, **epochs):
    """Points in the Poincaré ball, and the report of the descent.

    Returns `points` (n, dimension).
    """
    rng = np.random.default_rng(seed)
    points = rng.uniform(-1e-3, 1e-3, size=(graph.n, n_components))
    sources = graph.sources

    def epoch(rate):
        order = rng.permutation(len(sources))
        return _epoch(
            points, order, sources, graph.starts, graph.neighbours, negative_sample_rate, rate, rng
        )

    return points, run_epochs(epoch, "poincare_embedding", **epochs)


@compile_cached
def _pull(x, y, gradient):
    """Distance between x and y; `gradient` becomes its Riemannian gradient at x (eq. 4)."""
    xx = yy = apart = 0.0
    for j in range(len(x)):
        xx += x[j] * x[j]
        yy += y[j] * y[j]
        apart += (x[j] - y[j]) ** 2
    t = 2 * apart / ((1 - xx) * (1 - yy))
    root = np.sqrt(t * (t + 2))
    for j in range(len(x)):
        # Coinciding points have no direction; the descent leaves them to other pairs.
        gradient[j] = 0.0
        if root > 0:
            gradient[j] = (apart * x[j] + (1 - xx) * (x[j] - y[j])) / ((1 - yy) * root)
    return np.log1p(t + root)


@compile_cached
def _move(x, v):
    """Carry x along the geodesic that starts with v, by the length of v; x changes in place."""
    xx = vv = xv = 0.0
    for j in range(len(x)):
        xx += x[j] * x[j]
        vv += v[j] * v[j]
        xv += x[j] * v[j]
    if vv == 0:
        return
    scale = np.tanh(np.sqrt(vv) / (1 - xx)) / np.sqrt(vv)
    yy = scale * scale * vv
    xy = scale * xv
    bottom = 1 + 2 * xy + xx * yy
    for j in range(len(x)):
        x[j] = ((1 + 2 * xy + yy) * x[j] + (1 - xx) * scale * v[j]) / bottom


@compile_cached
def sample_loss(points, u, chosen, gradients):
    """Loss of one edge and its sample, with Riemannian gradients.

    `chosen` holds the neighbour, then nodes that are none. `gradients` is filled: for u first, then
    for each chosen node.
    Shapes: `points` (n, d), `chosen` (k,), `gradients` (k + 1, d).
    """
    k = len(chosen)
    weight = np.empty(k)
    towards = np.empty(points.shape[1])
    gradients[0] = 0.0
    nearest = np.inf
    for i in range(k):
        weight[i] = _pull(points[chosen[i]], points[u], gradients[i + 1])
        nearest = min(nearest, weight[i])
    first = weight[0]
    total = 0.0
    for i in range(k):
        weight[i] = np.exp(nearest - weight[i])
        total += weight[i]
    for i in range(k):
        factor = (i == 0) - weight[i] / total
        gradients[i + 1] *= factor
        _pull(points[u], points[chosen[i]], towards)
        for j in range(len(towards)):
            gradients[0, j] += factor * towards[j]
    return first - nearest + np.log(total)


@compile_cached
def _stranger(row, u, rank):
    """The node of this rank, from 0, among those that are neither u nor in the ascending row."""
    low, high = 0, len(row)  # how many of the row come before it
    before_u = u - np.searchsorted(row, u)  # strangers before u
    rank += rank >= before_u
    while low < high:
        middle = (low + high) // 2
        if row[middle] - middle <= rank:
            low = middle + 1
        else:
            high = middle
    return rank + low


@compile_cached
def _epoch(points, order, sources, starts, neighbours, negatives, rate, rng):
    """One pass over the edges in the given order; returns the mean loss."""
    n, d = points.shape
    chosen = np.empty(negatives + 1, dtype=np.int64)
    gradients = np.empty((negatives + 2, d))
    total = 0.0
    for e in order:
        u = sources[e]
        row = neighbours[starts[u] : starts[u + 1]]
        if len(row) == n - 1:
            continue  # all nodes are neighbours: no negative samples, the loss is 0
        chosen[0] = neighbours[e]
        for k in range(1, negatives + 1):
            if len(row) > _CROWDED * n:
                chosen[k] = _stranger(row, u, rng.integers(0, n - 1 - len(row)))
                continue
            while True:
                other = rng.integers(0, n)
                place = np.searchsorted(row, other)
                if other != u and (place == len(row) or row[place] != other):
                    break
            chosen[k] = other
        total += sample_loss(points, u, chosen, gradients)
        for k in range(negatives + 1):
            _move(points[chosen[k]], -rate * gradients[k + 1])
        _move(points[u], -rate * gradients[0])
    return total / len(order)
