"""Neural embedding of graphs in the hyperbolic plane: skip-gram on random walks, in polar form."""

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.embeddings.epochs import run_epochs
from noneuclid.embeddings.graph_descent import WalkEmbedding
from noneuclid.embeddings.skip_gram import (
    draw_contrast,
    logistic_loss,
    noise_probabilities,
    pair_draws,
)
from noneuclid.errors import require

# The start of the paper's authors: a small box away from the origin, where the angle is undefined.
_DISPLACEMENT, _WIDTH = 1.0, 0.25


class RandomWalkEmbedding(WalkEmbedding):
    r"""Neural embedding of a graph in the hyperbolic plane: skip-gram on random walks.

    Like `DeepWalk`, with the inner product of two points replaced by :math:`r s \cos\theta`, θ the
    angle between them, r and s their distances from the origin
    (:math:`4 \operatorname{artanh}\lVert x\rVert \operatorname{artanh}\lVert y\rVert \cos\theta` in
    the Poincaré disk), and with steps along the polar frame: the radius moves by the derivative,
    the angle by the derivative over :math:`\sinh r`, as in [1]_ (the inverse metric would be
    :math:`1/\sinh^2 r`). A step across the origin continues on the other side. The score is not a
    distance, so the points need not lie around the origin; those of Cho et al. (2019) do not
    either. Edge lengths are not used. The graph may have several components, whose distance is
    arbitrary.

    Reads networkx graphs and sparse adjacency matrices. There is no rule for new nodes.

    Parameters
    ----------
    n_components : int, default=2
        2, no other.
    num_walks, walk_length, window, negative_sample_rate, learning_rate, burn_in, max_iter, tol
        As for `DeepWalk`, with the same defaults.
    chart, random_state
        As for `DeepWalk`, with the same defaults.

    Attributes
    ----------
    embedding_, report_, n_iter_, nodes_
        As for `DeepWalk`.

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
    DeepWalk : The flat counterpart.
    PoincareEmbedding : By a hyperbolic distance.

    Notes
    -----
    An epoch costs O(n num_walks walk_length window negative_sample_rate).

    References
    ----------
    .. [1] Chamberlain, Clough and Deisenroth, Neural embeddings of graphs in hyperbolic space,
       2017, arXiv:1705.10359.

    Examples
    --------
    >>> import networkx as nx
    >>> from noneuclid import RandomWalkEmbedding
    >>> model = RandomWalkEmbedding(tol=0.2, random_state=0)
    >>> model.fit_transform(nx.karate_club_graph()).shape
    (34, 2)
    """

    name = "random_walk"

    def _check(self, n, settings):
        require(
            self.n_components == 2,
            f"random_walk: n_components = {self.n_components!r}; angles need 2, use "
            "poincare_embedding",
        )
        super()._check(n, settings)

    def _descend(self, graph, seed, settings):
        polar, report = fit(graph, seed, **settings)
        return polar[:, :1] * np.column_stack([np.cos(polar[:, 1]), np.sin(polar[:, 1])]), report


def fit(
    graph, seed, *, num_walks, walk_length, window, negative_sample_rate, n_components=2, **epochs
):
    """Radius and angle of the nodes, and the report of the descent.

    Returns `polar` (n, 2).
    """
    draw, visits = pair_draws(
        graph, seed, num_walks=num_walks, walk_length=walk_length, window=window
    )
    rng = np.random.default_rng(seed)
    spread = np.array([2 * _WIDTH, np.arcsin(_WIDTH / (_WIDTH + _DISPLACEMENT))])
    points, context = rng.random((2, graph.n, 2)) * spread + np.array([_DISPLACEMENT, 0.0])
    cumulative = noise_probabilities(visits)

    def epoch(rate):
        pairs = draw()
        order = rng.permutation(len(pairs))
        return _epoch(points, context, pairs, order, cumulative, negative_sample_rate, rate, rng)

    return points, run_epochs(epoch, "random_walk", **epochs)


@compile_cached
def sample_loss(x, context, chosen, gradients):
    """Loss of one pair and its noise, with derivatives by radius and angle.

    `chosen` holds the pair's second node, then noise; -1 is left out. `gradients` is filled: for x
    first, then for the context of each chosen node.
    Shapes: `x` (2,), `context` (n, 2), `chosen` (k,), `gradients` (k + 1, 2).
    """
    total = 0.0
    gradients[0] = 0.0
    for k in range(len(chosen)):
        if chosen[k] < 0:
            continue
        y = context[chosen[k]]
        cosine, sine = np.cos(x[1] - y[1]), np.sin(x[1] - y[1])
        loss, error = logistic_loss(x[0] * y[0] * cosine, 1.0 if k == 0 else 0.0)
        total += loss
        turn = error * x[0] * y[0] * sine
        gradients[0, 0] += error * y[0] * cosine
        gradients[0, 1] -= turn
        gradients[k + 1, 0] = error * x[0] * cosine
        gradients[k + 1, 1] = turn
    return total


@compile_cached
def _move(x, gradient, rate):
    """Step of the paper against a gradient; x, a radius and an angle, changes in place."""
    if x[0] > 0:
        x[1] -= rate * gradient[1] / np.sinh(x[0])
    x[0] -= rate * gradient[0]
    if x[0] < 0:
        x[0] = -x[0]
        x[1] += np.pi


@compile_cached
def _epoch(points, context, pairs, order, cumulative, negatives, rate, rng):
    """One pass over the pairs in the given order; returns the mean loss."""
    chosen = np.empty(negatives + 1, dtype=np.int64)
    gradients = np.empty((negatives + 2, 2))
    total = 0.0
    for p in order:
        draw_contrast(pairs[p], cumulative, chosen, rng)
        x = points[pairs[p, 0]]
        total += sample_loss(x, context, chosen, gradients)
        for k in range(negatives + 1):
            if chosen[k] >= 0:
                _move(context[chosen[k]], gradients[k + 1], rate)
        _move(x, gradients[0], rate)
    return total / len(order)
