"""Comparing methods over many data sets: ranks, tests and corrections after Demšar (2006).

References
----------
.. [1] J. Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7:1-30, 2006.
"""

from math import factorial

import numpy as np
from scipy.stats import f as f_distribution
from scipy.stats import friedmanchisquare, norm, rankdata, studentized_range

from noneuclid.errors import require

EXACT = 50


def _checked(table, least_methods=2):
    """A complete table, data sets by methods."""
    table = np.asarray(table, dtype=np.float64)
    require(table.ndim == 2, f"ranks: table has shape {table.shape}; give data sets by methods")
    require(
        table.shape[1] >= least_methods and len(table) >= 1,
        f"ranks: {len(table)} data sets and {table.shape[1]} methods; "
        f"this needs at least 1 and {least_methods}",
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


def friedman(table):
    """Test whether all methods are alike, data sets (>= 2) by methods (>= 3).

    `chi2`, `p`: Friedman's statistic, corrected for ties; `f`, `f_p`: Iman and Davenport's, which
    is less cautious; f is infinite when all data sets agree.
    """
    table = _checked(table, least_methods=3)
    n, k = table.shape
    require(n >= 2, "friedman: one data set only; the test needs at least two")
    if (np.ptp(table, axis=1) == 0).all():
        return {"chi2": 0.0, "p": 1.0, "f": 0.0, "f_p": 1.0}
    chi2, p = friedmanchisquare(*table.T)
    room = n * (k - 1) - chi2
    f = (n - 1) * chi2 / room if room > 1e-12 * n * k else np.inf
    # No outcome is rarer than full agreement, whatever the approximation says.
    f_p = max(f_distribution.sf(f, k - 1, (k - 1) * (n - 1)), float(factorial(k)) ** (1 - n))
    return {"chi2": float(chi2), "p": float(p), "f": float(f), "f_p": float(f_p)}


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


def critical_difference(n_methods, n_datasets, alpha=0.05):
    """Least significant difference of average ranks by Nemenyi's test.

    q sqrt(k (k + 1) / (6 N)), q the quantile of the studentised range over sqrt(2).
    """
    require(n_methods >= 2, f"critical_difference: {n_methods} methods; give two or more")
    require(n_datasets >= 1, f"critical_difference: {n_datasets} data sets; give one or more")
    q = studentized_range.ppf(1 - alpha, n_methods, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(n_methods * (n_methods + 1) / (6 * n_datasets)))


def cliques(ranks, difference):
    """Largest groups of methods whose ranks lie within the critical difference, best first.

    Indices; groups of one and groups inside another are left out.
    """
    order = np.argsort(ranks, kind="stable")
    sorted_ranks = np.asarray(ranks, dtype=np.float64)[order]
    ends = np.searchsorted(sorted_ranks, sorted_ranks + difference, side="right")
    groups, reached = [], 0
    for start, end in enumerate(ends):
        if end > reached and end - start > 1:
            groups.append(order[start:end].tolist())
        reached = max(reached, end)
    return groups


def holm(p):
    """p-values, shape (m,), adjusted by Holm: the chance of any false rejection stays at alpha."""
    p = np.asarray(p, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return np.minimum(adjusted, 1.0)
