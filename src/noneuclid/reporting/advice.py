"""Which method to take for which kind of data: the league again, over parts of the data."""

import numpy as np
import pandas as pd

from noneuclid.reporting import style, tables

# Kinds of `contracts.KINDS` in words.
KINDS = {
    "features": "tables of features",
    "expression": "gene expression",
    "graph": "graphs",
    "images": "images",
    "points": "points given in hyperbolic space",
    "composition": "compositions",
}
MANY = 1000
NEAR = 0.01
NO_FASTER = 1.5  # times: less is noise
# More methods of one rank are not all named.
_MOST = 3


def groups(cards):
    """Parts of the data that are alike, each with the pairs in it.

    Parameters
    ----------
    cards : list of dict
        See `cards.cards`; `group`, if there is one, says what kind of data the data set is.

    Returns
    -------
    dict of str to set of (dataset, embedding)
        By group or kind; then by classes, rows and dimension where data sets differ in these.
        Parts that hold the same pairs are one, named after all.
    """
    parts = {}
    for card in cards:
        about = card["dataset"]
        several = f"more than {MANY} rows" if about["n"] > MANY else f"at most {MANY} rows"
        classes = "two classes" if len(about["classes"]) == 2 else "more than two classes"
        flat = "two dimensions" if card["dimension"] == 2 else "other than two dimensions"
        kind = card.get("group") or KINDS[about["kind"]]
        words = [kind, *([] if "target" in about else [classes]), several, flat]
        for place, word in enumerate(words):
            parts.setdefault((place > 0, word), set()).add(
                (about["name"], card["embedding"]["name"])
            )
    merged = {}
    for (divided, word), pairs in sorted(parts.items(), key=lambda item: item[0][0]):
        if not (divided and len(pairs) == len(cards)):
            merged.setdefault(frozenset(pairs), []).append(word)
    return {", ".join(words): set(pairs) for pairs, words in merged.items()}


def advise(scores, cards, metric, classes=None):
    """The best method of each part of the data, and what the geometry brings there.

    Parameters
    ----------
    scores : DataFrame
        The long table of `evaluate`.
    cards : list of dict
        See `cards.cards`.
    metric : str
    classes : dict of str to str, optional
        Dotted class of each method, for its family.

    Returns
    -------
    DataFrame
        One row per part: `data`, `pairs` (how many), `compared` (on how many of them the methods
        were that are ranked), `names`, `best` (by average rank in the part, all of equal rank;
        floors and methods that were run on some pairs only are left out), `average_rank`, `mean`
        and `mean_to` (smallest and largest of these), `second` (likewise), `quick` (the fastest
        within one point of the best mean, or 1 % of it where the metric is not in percent; the
        best itself if that is about as fast), `is_best` (is that one?), `quick_seconds`,
        `best_seconds`, `lead` (median over pairs of the best non-Euclidean mean less the best
        Euclidean one; positive is in favour of the former), `ahead` (pairs on which it is
        positive), `behind`, `paired` (pairs with both kinds of methods).
    """
    summary = tables.summarise(scores, metric)
    real = [m for m in summary["method"].unique() if style.family(m, classes) != "floor"]
    summary = summary[summary["method"].isin(real)]
    summary = summary.assign(rank=tables.ranks(summary, metric))
    keys = pd.MultiIndex.from_frame(summary[tables.PAIR])
    found = []
    for words, pairs in groups(cards).items():
        part = summary[keys.isin(pairs)]
        if len(part):
            found.append({"data": words} | _part(part, metric, classes))
    return pd.DataFrame(found, columns=COLUMNS)


COLUMNS = [
    *("data", "pairs", "compared", "names", "best", "average_rank", "mean", "mean_to", "second"),
    *("quick", "quick_seconds", "best_seconds", "is_best", "lead", "ahead", "behind"),
    "paired",
]


def _part(part, metric, classes):
    mean = tables.matrix(part, "mean")
    league = tables.order(part)
    # A method that was run on some pairs only is not compared by averages.
    league = league[league["pairs"] == league["pairs"].max()]
    sign = 1 if style.higher_is_better(metric) else -1
    best = league.index[0]
    level = np.isclose(league["average_rank"], league["average_rank"].iloc[0])
    reached = league.loc[level, "mean"]
    rest = league[~level]
    second = rest.index[np.isclose(rest["average_rank"], rest["average_rank"].min())]
    margin = NEAR if style.in_percent(metric) else NEAR * abs(league.loc[best, "mean"])
    near = league[sign * (league["mean"] - league.loc[best, "mean"]) >= -margin - 1e-9]
    quick = near["fit_seconds"].idxmin() if near["fit_seconds"].notna().any() else best
    if league.loc[best, "fit_seconds"] <= NO_FASTER * league.loc[quick, "fit_seconds"]:
        quick = best
    return {
        "pairs": mean.shape[1],
        "compared": int(league["pairs"].max()),
        "names": ", ".join("/".join(pair) for pair in mean.columns),
        "best": style.listed(league.index[level], _MOST),
        "average_rank": league.loc[best, "average_rank"],
        "mean": reached.min(),
        "mean_to": reached.max(),
        "second": style.listed(second, _MOST) or None,
        "quick": quick,
        "quick_seconds": league.loc[quick, "fit_seconds"],
        "best_seconds": league.loc[best, "fit_seconds"],
        "is_best": quick in league.index[level],
        **_geometry(sign * mean, classes),
    }


def _geometry(mean, classes):
    """How far the best non-Euclidean method is ahead of the best Euclidean one."""
    kinds = np.array([style.family(method, classes) for method in mean.index])
    lead = (mean[kinds == "non-Euclidean"].max() - mean[kinds == "Euclidean"].max()).round(9)
    lead = lead.dropna()
    return {
        "lead": lead.median() if len(lead) else np.nan,
        "ahead": int((lead > 0).sum()),
        "behind": int((lead < 0).sum()),
        "paired": len(lead),
    }


def sentence(table, metric):
    """The best method of each kind of data in one sentence; None with one part only."""
    if len(table) < 2:
        return None
    told = {}
    for row in table.itertuples():
        told.setdefault(row.best, []).append(f"{row.data} ({_reached(row, metric)})")
    words = "; ".join(f"{best} on {' and on '.join(parts)}" for best, parts in told.items())
    return (
        f"Best average rank by kind of data, with the mean {style.metric_label(metric)}: {words}."
    )


def rows(table, metric):
    """`advise` as texts for the page."""
    unit = " points" if style.in_percent(metric) else ""
    return [
        {
            "data": row.data,
            "names": row.names,
            "pairs": row.pairs,
            "best": row.best,
            "evidence": f"rank {row.average_rank:.2f}, mean {_reached(row, metric)}"
            + (f" on {row.compared}" if row.compared < row.pairs else ""),
            "second": row.second or "–",
            "quick": "itself" if row.quick == row.best else row.quick,
            "times": _times(row),
            "lead": "–" if np.isnan(row.lead) else style.signed(row.lead, metric) + unit,
            "lead_sort": row.lead,
            "record": f"ahead on {row.ahead}, behind on {row.behind} of {row.paired}",
        }
        for row in table.itertuples()
    ]


def _reached(row, metric):
    """Mean of the best method, or from the smallest to the largest of several."""
    ends = style.score(row.mean, metric), style.score(row.mean_to, metric)
    return " to ".join(dict.fromkeys(ends))


def _times(row):
    if row.is_best or np.isnan(row.best_seconds):
        return style.seconds(row.best_seconds)
    return f"{style.seconds(row.quick_seconds)} instead of {style.seconds(row.best_seconds)}"
