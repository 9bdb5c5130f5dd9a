"""DeepWalk: Euclidean vectors of nodes from random walks; the flat counterpart of random_walk."""

import numpy as np
from scipy.spatial.distance import cdist

from noneuclid.compiled import compile_cached
from noneuclid.embeddings.base import RandomState
from noneuclid.embeddings.epochs import run_epochs
from noneuclid.embeddings.graph_descent import WalkEmbedding
from noneuclid.embeddings.skip_gram import (
    draw_contrast,
    logistic_loss,
    noise_probabilities,
    pair_draws,
)
from noneuclid.errors import require, require_number


class DeepWalk(WalkEmbedding):
    r"""DeepWalk: flat vectors of the nodes of a graph by skip-gram on random walks.

    Random walks as in [1]_; each pair of nodes (u, v) that meets within the window has the loss

    .. math:: -\log s(x_u\cdot y_v) - \sum_w \log s(-x_u\cdot y_w),

    w the noise nodes, s the logistic function (negative sampling [2]_; the paper uses hierarchical
    softmax). Both x and y are learned, x is the embedding. Edge lengths are not used. The graph may
    have several components, whose distance is arbitrary.

    Reads networkx graphs and sparse adjacency matrices. There is no rule for new nodes.

    Parameters
    ----------
    n_components : int, default=2
        Cho et al. (2019) uses 2, 5, 10 and 25.
    row_order : {"nodes", "visits"}
        With "visits" row i is the vector of the node that walks visit i-th most often, the order in
        which programs for word vectors write them: a hypothesis about table 1 of Cho et al. (2019).
    num_walks, walk_length : int, default=10
        Number of walks from each node, and of their steps.
    window : int, default=5
        Nodes of a walk that are at most this many steps apart form a pair.
    negative_sample_rate : int, default=5
        Number of noise nodes for each pair.
    learning_rate : float, default=0.025
        Of the gradient steps.
    burn_in : int, default=0
        Number of first epochs at a tenth of the rate.
    max_iter : int, default=200
    tol : float, default=0.003
        Relative fall of the mean loss of five epochs below which the rate is divided by 4; at the
        fourth time the descent ends.
    chart : str, default="poincare"
        Of the output: one of `noneuclid.geometry.charts.COORDINATES`. The chart "tangent" has the
        flat vectors themselves; any other has them lifted by exp at the origin.
    random_state : int, RandomState or None, default=None
        For the walks, the start, the order of the pairs and the noise.

    Attributes
    ----------
    embedding_ : ndarray of float64, shape (n, d), or (n, d + 1) with ``chart="hyperboloid"``
        The points, at curvature -1.
    report_ : dict
        `seconds`, `n_iter` (epochs, burn-in included), `loss` (mean of the last five), `converged`.
    n_iter_ : int
        Epochs, burn-in included.
    nodes_ : list
        Nodes of a networkx graph, in the order of the rows.

    Raises
    ------
    InputError
        If X is not a graph, a node is isolated, or a parameter is out of range.

    Warns
    -----
    ConvergenceWarning
        If `max_iter` pass before the loss stops falling.

    See Also
    --------
    RandomWalkEmbedding : The counterpart in the hyperbolic plane.

    Notes
    -----
    An epoch costs O(n num_walks walk_length window negative_sample_rate d). If the walks make more
    than 1e8 pairs, each epoch has one new walk from each node instead.

    References
    ----------
    .. [1] Perozzi, Al-Rfou and Skiena, DeepWalk: online learning of social representations, KDD
       2014, doi:10.1145/2623330.2623732.
    .. [2] Mikolov et al., Distributed representations of words and phrases and their
       compositionality, NeurIPS 2013, arXiv:1310.4546.

    Examples
    --------
    >>> import networkx as nx
    >>> from noneuclid import DeepWalk
    >>> model = DeepWalk(n_components=5, tol=0.2, chart="tangent", random_state=0)
    >>> model.fit_transform(nx.karate_club_graph()).shape
    (34, 5)
    """

    name = "deepwalk"
    distances = (cdist,)

    def __init__(
        self,
        n_components: int = 2,
        *,
        row_order: str = "nodes",
        num_walks: int = 10,
        walk_length: int = 10,
        window: int = 5,
        negative_sample_rate: int = 5,
        learning_rate: float = 0.025,
        burn_in: int = 0,
        max_iter: int = 200,
        tol: float = 0.003,
        chart: str = "poincare",
        random_state: RandomState = None,
    ):
        super().__init__(
            n_components,
            num_walks=num_walks,
            walk_length=walk_length,
            window=window,
            negative_sample_rate=negative_sample_rate,
            learning_rate=learning_rate,
            burn_in=burn_in,
            max_iter=max_iter,
            tol=tol,
            chart=chart,
            random_state=random_state,
        )
        self.row_order = row_order

    def _check(self, n, settings):
        require_number(self.n_components, "n_components", self.name, low=1, integer=True)
        legal = self.row_order in ("nodes", "visits")
        require(legal, f"deepwalk: row_order = {self.row_order!r}; give nodes or visits")
        super()._check(n, settings)

    def _descend(self, graph, seed, settings):
        return fit(graph, seed, **settings)


def fit(
    graph,
    seed,
    *,
    n_components,
    row_order,
    num_walks,
    walk_length,
    window,
    negative_sample_rate,
    **epochs,
):
    """Vectors of the nodes, and the report of the descent.

    Returns `points` (n, dimension).
    """
    draw, visits = pair_draws(
        graph, seed, num_walks=num_walks, walk_length=walk_length, window=window
    )
    rng = np.random.default_rng(seed)
    width = 0.5 / n_components
    points = rng.uniform(-width, width, size=(graph.n, n_components))
    context, cumulative = np.zeros_like(points), noise_probabilities(visits)

    def epoch(rate):
        pairs = draw()
        order = rng.permutation(len(pairs))
        return _epoch(points, context, pairs, order, cumulative, negative_sample_rate, rate, rng)

    report = run_epochs(epoch, "deepwalk", **epochs)
    if row_order == "visits":
        points = points[np.argsort(-visits, kind="stable")]
    return points, report


@compile_cached
def sample_loss(x, context, chosen, gradients):
    """Loss of one pair and its noise, with gradients.

    `chosen` holds the pair's second node, then noise; -1 is left out. `gradients` is filled: for x
    first, then for the context of each chosen node.
    Shapes: `x` (d,), `context` (n, d), `chosen` (k,), `gradients` (k + 1, d).
    """
    total = 0.0
    gradients[0] = 0.0
    for k in range(len(chosen)):
        if chosen[k] < 0:
            continue
        y = context[chosen[k]]
        score = 0.0
        for j in range(len(x)):
            score += x[j] * y[j]
        loss, error = logistic_loss(score, 1.0 if k == 0 else 0.0)
        total += loss
        for j in range(len(x)):
            gradients[0, j] += error * y[j]
            gradients[k + 1, j] = error * x[j]
    return total


@compile_cached
def _epoch(points, context, pairs, order, cumulative, negatives, rate, rng):
    """One pass over the pairs in the given order; returns the mean loss."""
    chosen = np.empty(negatives + 1, dtype=np.int64)
    gradients = np.empty((negatives + 2, points.shape[1]))
    total = 0.0
    for p in order:
        draw_contrast(pairs[p], cumulative, chosen, rng)
        x = points[pairs[p, 0]]
        total += sample_loss(x, context, chosen, gradients)
        for k in range(negatives + 1):
            if chosen[k] >= 0:
                context[chosen[k]] -= rate * gradients[k + 1]
        x -= rate * gradients[0]
    return total / len(order)
