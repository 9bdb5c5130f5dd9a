"""Differences of our scores from the printed ones, of the papers' own methods and of baselines."""

import pandas as pd

from noneuclid.errors import require
from noneuclid_papers.printed import reproduction_status

# Distances from the printed score; sums of decimals must not decide on the edge.
LIMITS = (0.005, 0.01, 0.02)
_EDGE = 1 + 1e-9
KINDS = {"own": "proposed methods", "baseline": "baselines"}
HEAD = ["paper", "methods", "scores", "within 0.5 points", "1 point", "2 points", "median (points)"]


def with_kinds(cells, methods):
    """`cells` with `kind`, one of `KINDS`, by `paper` and `method` of the table `methods`."""
    kinds = methods.set_index(["paper", "method"])["kind"]
    keys = pd.MultiIndex.from_frame(cells[["paper", "method"]])
    unknown = [" / ".join(key) for key in keys[~keys.isin(kinds.index)]]
    require(not unknown, f"methods: no row for {', '.join(unknown[:1])}; add it")
    strange = sorted(set(kinds) - set(KINDS))
    require(not strange, f"methods: unknown kind {', '.join(strange)}; known: {', '.join(KINDS)}")
    return cells.assign(kind=kinds.reindex(keys).to_numpy())


def compared(cells):
    """Cells that are scores of ours beside printed ones; each observation once, on the same data.

    Numbers that are not judged because their interval is too wide are among them.
    """
    counted = [*reproduction_status.JUDGED, reproduction_status.NOT_JUDGED]
    part = cells[reproduction_status.scores(cells) & cells["status"].isin(counted)]
    return part.dropna(subset=["difference"])


def shares(part):
    """Number, shares within `LIMITS` and median difference in points, of rows of `compared`.

    Examples
    --------
    >>> shares(pd.DataFrame({"difference": [0.001, -0.008, 0.04]}))
    ['3', '33 %', '67 %', '67 %', '0.80']
    """
    sizes = part["difference"].abs()
    each = [percent((sizes <= limit * _EDGE).sum(), len(sizes)) for limit in LIMITS]
    return [str(len(sizes)), *each, f"{100 * sizes.median():.2f}"]


def opening(cells):
    """The sentences that open a page of published numbers; empty without a score.

    Examples
    --------
    >>> cells = {"unit": "%", "metric": "accuracy", "status": "close", "kind": ["own"] * 2,
    ...          "difference": [0.001, -0.008]}
    >>> opening(pd.DataFrame(cells))  # doctest: +ELLIPSIS
    'Scores of proposed methods (2): 50 % within half a point of the printed ones, ...'
    """
    found = compared(cells)
    parts = {words: found[found["kind"] == kind] for kind, words in KINDS.items()}
    return " ".join(_sentence(words, *shares(part)) for words, part in parts.items() if len(part))


def _sentence(words, count, half, one, two, median):
    return (
        f"Scores of {words} ({count}): {half} within half a point of the printed ones, "
        f"{one} within one, {two} within two; median difference {median} points."
    )


def rows(cells):
    """Texts of a table with the columns `HEAD`: `KINDS`, each in all and by paper and method."""
    found = compared(cells)
    lines = []
    for kind, words in KINDS.items():
        part = found[found["kind"] == kind]
        lines += [["all", words, *shares(part)]] if len(part) else []
        by = part.groupby(["paper", "method"], sort=False)
        lines += [[paper, method, *shares(one)] for (paper, method), one in by]
    return lines


def percent(good, total):
    """Rounded, but 100 % only where all are.

    Examples
    --------
    >>> percent(2, 3), percent(999, 1000), percent(5, 5)
    ('67 %', '99 %', '100 %')
    """
    return f"{100 if good == total else min(round(100 * good / total), 99)} %"
