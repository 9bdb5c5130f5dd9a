"""How far an embedding distorts distances."""

import numpy as np
from scipy.spatial.distance import cdist
from scipy.stats import rankdata

from noneuclid.geometry import charts, lorentz

MAX_PAIRS = 4_000_000
# More rows are represented by a sample of so many, of which each compared row sees all.
MAX_ROWS = 20_000
# Rounding keeps rows that ought to coincide this far apart, as a part of the largest distance.
COLLAPSED = 1e-8


def sample_rows(n, seed):
    """Choose the rows that are compared with all rows, all of them up to n = 2000."""
    count = min(n, max(1, MAX_PAIRS // n))
    return np.sort(np.random.default_rng(seed).choice(n, size=count, replace=False))


def sample_all(n, seed):
    """Choose the rows that represent all rows: every row, or `MAX_ROWS` of them.

    Examples
    --------
    >>> sample_all(3, 0).tolist(), len(sample_all(1_000_000, 0))
    ([0, 1, 2], 20000)
    """
    if n <= MAX_ROWS:
        return np.arange(n)
    return np.sort(np.random.default_rng([seed, n]).choice(n, size=MAX_ROWS, replace=False))


def distortion(source, embedded, rows=None, adjacency=None, neighbours=10):
    """Compare distances before and after an embedding.

    An embedding may choose its unit of length, so each measure that depends on the unit uses the
    factor s that is best for itself. Pairs of rows at distance zero in the source are left out of
    everything but the neighbour measures.

    Parameters
    ----------
    source, embedded : ndarray of float, shape (m, n)
        Distances from m rows to all n rows.
    rows : ndarray of int, shape (m,), or None
        Which rows these are; None means all, in order.
    adjacency : ndarray of bool, shape (m, n), or None
        Neighbours in the graph; None when the source is not a graph.
    neighbours : int, default=10
        Size of the neighbourhoods compared when the source is not a graph.

    Returns
    -------
    dict of float
        `average`: mean of abs(s e / d - 1) at the s that minimises it, `average_scale`: that s;
        `worst`: max(e / d) / min(e / d), None when pairs of different rows fall on one point, up
        to 1e-8 of the largest distance, counted by `collapsed_pairs`;
        `stress`: sqrt(sum (s e - d)^2 / sum d^2) at the best s;
        `spearman`: rank correlation of the distances;
        `mean_average_precision` of graph neighbours, or `neighbour_agreement`: mean share of
        the nearest `neighbours` rows that stay among the nearest; `compared_rows`, `rows`: m and n.
        Beyond 20,000 rows the callers compare a sample of them, so that n is 20,000 and m is 200.

    Examples
    --------
    >>> line = np.abs(np.subtract.outer(np.arange(4.0), np.arange(4.0)))
    >>> result = distortion(line, 2 * line, neighbours=1)
    >>> result["average"], result["worst"], result["average_scale"]
    (0.0, 1.0, 0.5)
    """
    rows = np.arange(len(source)) if rows is None else rows
    other = np.ones(source.shape, dtype=bool)
    other[np.arange(len(rows)), rows] = False
    pairs = other & (source > 0)
    d, e = source[pairs], embedded[pairs]
    result = {"compared_rows": len(rows), "rows": source.shape[1]}
    if d.size and e.any():
        result |= _length_measures(d, e)
    if adjacency is not None:
        return result | {"mean_average_precision": _mean_precision(embedded, adjacency, other)}
    k = min(neighbours, source.shape[1] - 1)
    return result | {"neighbour_agreement": _agreement(source, embedded, other, k), "neighbours": k}


def distortion_of_features(features, points, seed):
    """Distortion of points in the chart `tangent` against Euclidean distances of features."""
    lifted = charts.convert(points, "tangent", "hyperboloid")
    return distortion_between(features, lifted, lorentz.pairwise_distances, seed)


def distortion_between(features, points, between, seed):
    """Distortion of points whose distances are ``between(X, Y)``, as `distortion_of_features`."""
    chosen = sample_all(len(points), seed)
    features, points = features[chosen], points[chosen]
    rows = sample_rows(len(points), seed)
    return distortion(cdist(features[rows], features), between(points[rows], points), rows)


def _length_measures(d, e):
    """Measures on pairs of lengths: d > 0 in the source, e >= 0 in the embedding, not all 0."""
    ratio = e / d
    scale = _weighted_median(1 / ratio[e > 0], ratio[e > 0])
    collapsed = int((e <= COLLAPSED * e.max()).sum())
    rank_d, rank_e = rankdata(d), rankdata(e)
    varied = np.ptp(rank_d) > 0 and np.ptp(rank_e) > 0
    return {
        "average": float(np.abs(scale * ratio - 1).mean()),
        "average_scale": float(scale),
        "worst": None if collapsed else float(ratio.max() / ratio.min()),
        "collapsed_pairs": collapsed,
        # The best s is (d.e) / (e.e), which leaves 1 minus the squared cosine of d and e.
        "stress": float(np.sqrt(max(0.0, 1 - (d @ e) ** 2 / ((d @ d) * (e @ e))))),
        "spearman": float(np.corrcoef(rank_d, rank_e)[0, 1]) if varied else None,
    }


def _weighted_median(values, weights):
    """The minimiser of sum of weights * abs(x - values)."""
    order = np.argsort(values)
    cumulative = np.cumsum(weights[order])
    return values[order][np.searchsorted(cumulative, cumulative[-1] / 2)]


def _mean_precision(embedded, adjacency, other):
    """Mean over rows, then over a row's neighbours b, of the share of neighbours within b."""
    means = []
    for distance, adjacent, use in zip(embedded, adjacency, other, strict=True):
        if not adjacent.any():
            continue
        rank = rankdata(distance[use], method="max")
        reach = np.sort(rank[adjacent[use]])
        means.append(np.mean(rankdata(reach, method="max") / reach))
    return float(np.mean(means)) if means else None


def _agreement(source, embedded, other, k):
    """Mean share of each row's k nearest others that stay among its k nearest."""

    def nearest(distance):
        order = np.argsort(np.where(other, distance, np.inf), axis=1, kind="stable")
        chosen = np.zeros(distance.shape, dtype=bool)
        np.put_along_axis(chosen, order[:, :k], True, axis=1)
        return chosen

    return float((nearest(source) & nearest(embedded)).sum() / (k * len(source)))
