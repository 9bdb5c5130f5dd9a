"""How well an embedding keeps the ranks of neighbours, near and far."""

import numpy as np

from noneuclid.embeddings.distortion import distortion, sample_all, sample_rows
from noneuclid.embeddings.neighbour_kernel import geodesics, neighbour_graph
from noneuclid.geometry import lorentz

_NEIGHBOURS = 20


def rank_agreement(source, embedded, rows=None):
    """Share of the K nearest rows that stay among the K nearest, for every K.

    This is Q_NX(K) of the co-ranking matrix [1]_: a pair counts from K = max of its two ranks on.

    Entry K - 1 is Q_NX(K); the last is 1. Ties are ranked by row number. O(m n log n) time.
    Shapes: `source, embedded` (m, n), `rows` (m,); returns shape (n - 1,).

    References
    ----------
    .. [1] J. A. Lee and M. Verleysen, Scale-independent quality criteria for dimensionality
       reduction, Pattern Recognition Letters 31(14), 2010, doi:10.1016/j.patrec.2010.04.013.
    """
    m, n = source.shape
    rows = np.arange(m) if rows is None else rows
    later = np.maximum(_ranks(source, rows), _ranks(embedded, rows))
    counts = np.bincount(later.ravel(), minlength=n)[1:]
    return np.cumsum(counts) / (m * np.arange(1, n))


def _ranks(distances, rows):
    """Rank of each row's others from 1; the row itself has 0."""
    distances = distances.copy()
    distances[np.arange(len(rows)), rows] = -1.0
    order = np.argsort(distances, axis=1, kind="stable")
    ranks = np.empty(order.shape, dtype=np.int64)
    np.put_along_axis(ranks, order, np.arange(order.shape[1])[None], axis=1)
    return ranks


def local_and_global(source, embedded, rows=None):
    """Q_local and Q_global: mean rank agreement up to and from the best neighbourhood size.

    That size K_max is where Q_NX(K) exceeds by most the K / (n - 1) that chance gives [1]_.

    References
    ----------
    .. [1] J. A. Lee and M. Verleysen, Scale-independent quality criteria for dimensionality
       reduction, Pattern Recognition Letters 31(14), 2010, doi:10.1016/j.patrec.2010.04.013.
    """
    agreement = rank_agreement(source, embedded, rows)
    size = len(agreement)
    best = int(np.argmax(agreement - np.arange(1, size + 1) / size))
    return {
        "q_local": float(agreement[: best + 1].mean()),
        "q_global": float(agreement[best:].mean()),
        "k_max": best + 1,
    }


def along_neighbours(features, points, seed):
    """Compare an embedding with distances along the graph of 20 nearest neighbours.

    That graph is the one on which Klimovskaia et al. 2020 measure quality.

    Shapes: `features` (n, p), `points` (n, d + 1).

    Examples
    --------
    >>> features = np.random.default_rng(0).normal(size=(40, 2))
    >>> result = along_neighbours(features, lorentz.from_spatial(0.1 * features), 0)
    >>> result["q_local"] > 0.7
    True
    """
    n, chosen = len(features), sample_all(len(features), seed)
    rows = sample_rows(len(chosen), seed)
    edges, lengths, _ = neighbour_graph(features, min(_NEIGHBOURS, n - 1))
    source = geodesics(edges, lengths, n, chosen[rows])[:, chosen]
    embedded = lorentz.pairwise_distances(points[chosen[rows]], points[chosen])
    return local_and_global(source, embedded, rows) | distortion(source, embedded, rows)
