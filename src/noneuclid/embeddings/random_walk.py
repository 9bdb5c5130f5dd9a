"""Neural embedding of graphs in the hyperbolic plane: skip-gram on random walks, in polar form."""

import time

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.contracts import collect_parameters, with_parameters_of
from noneuclid.embeddings import graphs
from noneuclid.embeddings.epochs import run_epochs
from noneuclid.embeddings.reconstruction import quality
from noneuclid.embeddings.skip_gram import (
    check_walks,
    draw_contrast,
    logistic_loss,
    noise_probabilities,
    walk_pairs,
)
from noneuclid.errors import require

# The start of the paper's authors: a small box away from the origin, where the angle is undefined.
_DISPLACEMENT, _WIDTH = 1.0, 0.25


@with_parameters_of(check_walks)
def embed(dataset, seed, *, dimension=2, **options):
    """Embed a graph in the hyperbolic plane by skip-gram on random walks.

    Like `deepwalk`, with the inner product of two points replaced by r s cos(angle between them),
    r and s their distances from the origin (4 artanh|x| artanh|y| cos in the Poincaré disk), and
    with steps along the polar frame: the radius moves by the derivative, the angle by the
    derivative over sinh(r), as in [1]_ (the inverse metric would be 1/sinh(r)^2). A step across
    the origin comes out on the other side. As the score is not a distance, the points need not lie
    around the origin: cho2019's do not either. Lengths of edges are not read. Deals with several
    components, but leaves their distance to chance.

    Parameters
    ----------
    dataset : Dataset
        Kind `graph`, each node with a neighbour.
    dimension : int
        2, no other.
    **options
        As in `deepwalk.embed`.

    Returns
    -------
    Embedded
        Chart `tangent`, curvature -1.

    Raises
    ------
    InputError
        If the data set is not a graph, a node is isolated, or a setting is out of range.

    Warns
    -----
    ConvergenceWarning
        If `max_epochs` pass before the loss stops falling.

    References
    ----------
    .. [1] Chamberlain, Clough and Deisenroth, Neural embeddings of graphs in hyperbolic space,
       2017, arXiv:1705.10359.

    Examples
    --------
    >>> from noneuclid.datasets.shipped import karate
    >>> embed(karate.load({}, 0), 0, tolerance=0.2).points.shape
    (34, 2)
    """
    settings = collect_parameters(embed, locals())
    require(
        dimension == 2,
        f"random_walk: dimension = {dimension!r}; angles need 2, use nickel_kiela",
    )
    graph = graphs.graph_of(dataset, "random_walk")
    check_walks("random_walk", graph.n, **options)
    start = time.perf_counter()
    polar, report = fit(graph, seed, **settings)
    seconds = time.perf_counter() - start
    points = polar[:, :1] * np.column_stack([np.cos(polar[:, 1]), np.sin(polar[:, 1])])
    about = {"name": "random_walk", "settings": settings, "seconds": seconds, **report}
    about["distortion"] = quality(graph, points, seed)
    return graphs.embedded(dataset, points, "tangent", about)


def fit(graph, seed, *, walks, length, window, negatives, dimension=2, **epochs):
    """Radius and angle of the nodes, and the report of the descent.

    Returns `polar` (n, 2).
    """
    pairs, visits = walk_pairs(graph, seed, walks=walks, length=length, window=window)
    rng = np.random.default_rng(seed)
    spread = np.array([2 * _WIDTH, np.arcsin(_WIDTH / (_WIDTH + _DISPLACEMENT))])
    points, context = rng.random((2, graph.n, 2)) * spread + np.array([_DISPLACEMENT, 0.0])
    cumulative = noise_probabilities(visits)

    def epoch(rate):
        order = rng.permutation(len(pairs))
        return _epoch(points, context, pairs, order, cumulative, negatives, rate, rng)

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
