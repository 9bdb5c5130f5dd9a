"""Comparing methods over many data sets: ranks, a test and a correction after Demšar (2006).

References
----------
.. [1] J. Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7:1-30, 2006.
"""

import numpy as np
from scipy.stats import norm, rankdata

from noneuclid.errors import require

EXACT = 50


def _checked(table):
    """A complete table, data sets by two or more methods."""
    table = np.asarray(table, dtype=np.float64)
    require(table.ndim == 2, f"ranks: table has shape {table.shape}; give data sets by methods")
    require(
        table.shape[1] >= 2 and len(table) >= 1,
        f"ranks: {len(table)} data sets and {table.shape[1]} methods; this needs at least 1 and 2",
    )
    bad = np.argwhere(np.isnan(table))
    require(
        not bad.size,
        f"ranks: no value at data set and method {bad[:1].tolist()}; "
        "leave the data set or the method out",
    )
    return table


def average_ranks(table):
    """Mean rank of each method, (n_methods,), of a table data sets by methods, larger is better.

    The best method of a data set has rank 1; ties share the mean.
    """
    return rankdata(-_checked(table), axis=1).mean(axis=0)


def signed_ranks(difference):
    """Wilcoxon's two-sided p-value of differences, exact up to `EXACT` of them, ties or not.

    Differences of zero are split between both signs.
    """
    # Rounded: differences that are equal on paper must tie.
    difference = np.round(difference, 12)
    moved = difference != 0
    if not moved.any():
        return 1.0
    # Doubled, because ties share halves. Zeros take ranks; half of each counts for either sign.
    ranks = np.rint(2 * rankdata(np.abs(difference))).astype(int)[moved]
    up = ranks[difference[moved] > 0].sum()
    if len(ranks) > EXACT:
        return float(2 * norm.sf(abs(2 * up - ranks.sum()) / np.linalg.norm(ranks)))
    ways = np.ones(1)  # of reaching each sum of positive ranks, over all choices of signs
    for rank in ranks:
        ways = np.pad(ways, (0, rank)) + np.pad(ways, (rank, 0))
    tail = ways[: min(up, ranks.sum() - up) + 1].sum() / ways.sum()
    return float(min(1.0, 2 * tail))


def holm(p):
    """p-values, shape (m,), adjusted by Holm: the chance of any false rejection stays at alpha."""
    p = np.asarray(p, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return np.minimum(adjusted, 1.0)
