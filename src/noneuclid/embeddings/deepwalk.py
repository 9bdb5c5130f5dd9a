"""DeepWalk: Euclidean vectors of nodes from random walks; the flat counterpart of random_walk."""

import time

import numpy as np
from scipy.spatial.distance import cdist

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
from noneuclid.errors import require, require_number


@with_parameters_of(check_walks)
def embed(dataset, seed, *, dimension=2, rows="nodes", **options):
    """Embed a graph in flat space by skip-gram on random walks.

    Random walks as in [1]_; each pair of nodes (u, v) that meets within the window has the loss
    -log s(x_u . y_v) - sum over noise nodes w of log s(-x_u . y_w), s the logistic function
    (negative sampling [2]_; the paper uses hierarchical softmax). Both x and y are learned, x is
    the embedding. Lengths of edges are not read. Deals with several components, but leaves their
    distance to chance. Cost of an epoch: O(n walks length window negatives d).

    Parameters
    ----------
    dataset : Dataset
        Kind `graph`, each node with a neighbour.
    dimension : int
        cho2019 uses 2, 5, 10 and 25.
    rows : {"nodes", "visits"}
        With "visits" row i is the vector of the node that walks visit i-th most often, the order in
        which programs for word vectors write them: a hypothesis about table 1 of cho2019.
    **options
        `walks` from each node, of `length` steps; `window`; `negatives`; the others are those of
        `epochs.run_epochs`.

    Returns
    -------
    Embedded
        Chart `tangent`: the flat vectors themselves, which a method on the chart `tangent` reads
        as they are and any other sees lifted at the origin. The distortion is of Euclidean
        distances.

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
    .. [1] Perozzi, Al-Rfou and Skiena, DeepWalk: online learning of social representations, KDD
       2014, doi:10.1145/2623330.2623732.
    .. [2] Mikolov et al., Distributed representations of words and phrases and their
       compositionality, NeurIPS 2013, arXiv:1310.4546.

    Examples
    --------
    >>> from noneuclid.datasets.shipped import karate
    >>> embed(karate.load({}, 0), 0, dimension=5, tolerance=0.2).points.shape
    (34, 5)
    """
    settings = collect_parameters(embed, locals())
    require_number(dimension, "dimension", "deepwalk", low=1, integer=True)
    require(rows in ("nodes", "visits"), f"deepwalk: rows = {rows!r}; give nodes or visits")
    graph = graphs.graph_of(dataset, "deepwalk")
    check_walks("deepwalk", graph.n, **options)
    start = time.perf_counter()
    points, report = fit(graph, seed, **settings)
    seconds = time.perf_counter() - start
    about = {"name": "deepwalk", "settings": settings, "seconds": seconds, **report}
    about["distortion"] = quality(graph, points, seed, cdist)
    return graphs.embedded(dataset, points, "tangent", about)


def fit(graph, seed, *, dimension, rows, walks, length, window, negatives, **epochs):
    """Vectors of the nodes, and the report of the descent.

    Returns `points` (n, dimension).
    """
    pairs, visits = walk_pairs(graph, seed, walks=walks, length=length, window=window)
    rng = np.random.default_rng(seed)
    width = 0.5 / dimension
    points = rng.uniform(-width, width, size=(graph.n, dimension))
    context, cumulative = np.zeros_like(points), noise_probabilities(visits)

    def epoch(rate):
        order = rng.permutation(len(pairs))
        return _epoch(points, context, pairs, order, cumulative, negatives, rate, rng)

    report = run_epochs(epoch, "deepwalk", **epochs)
    if rows == "visits":
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
