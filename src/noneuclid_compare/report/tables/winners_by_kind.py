"""The best method for each kind of data: the verdict on each part of the data."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from noneuclid_compare import wording
from noneuclid_compare.evaluation import verdicts
from noneuclid_compare.report import style
from noneuclid_compare.report.names import Names
from noneuclid_compare.report.tables import leader_comparisons, score_tables

# Kinds of `records.KINDS` in words.
KINDS = {
    "features": "tables of features",
    "expression": "gene expression",
    "graph": "graphs",
    "images": "images",
    "points": "points in hyperbolic space",
    "composition": "compositions",
}
MANY = 1000
NEAR = 0.01
SHOWN = 12  # data sets of a part that the page names
NO_FASTER = 1.5  # times: less is noise


def groups(facts):
    """Pairs (dataset, embedding) of each part of the data, by words.

    A part is a group of the configuration or a kind; then come classes, rows and dimension where
    data sets differ in these. Parts with the same pairs are one, named after all.
    """
    parts = {}
    for card in facts:
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
        if not (divided and len(pairs) == len(facts)):
            merged.setdefault(frozenset(pairs), []).append(word)
    return {", ".join(words): set(pairs) for pairs, words in merged.items()}


def advise(scores, facts, metric, classes=None):
    """The verdict on each part of the data, and the difference that the geometry makes.

    One row per part: `data`, `datasets`, `pairs` (numbers of data sets and of embedded data sets),
    `compared` (number of the latter that every compared method has), `names`, `leader` (highest
    mean; floors, and methods that were not run on more than half of the pairs, are left out),
    `mean` (of the leader), `best` (whether it is significantly better than all others), `alike` and
    `group` (the methods that it is not better than), `rival` (the nearest method), `difference`,
    `low`, `high` (between leader and rival, with its interval),
    `test`, `quick` (the fastest method within one point of the leader's mean, or 1 % of it where
    the metric is not in percent; the leader itself if that is about as fast), `quick_seconds`,
    `leader_seconds`, `lead` (median over data sets of `leads`, the best non-Euclidean mean less the
    best Euclidean one), `geometry_ahead` and `geometry_behind` (data sets on which that is positive
    or negative), `paired` (data sets with both kinds of methods).
    """
    summary = score_tables.summarise(scores, metric)
    values, ratio = leader_comparisons.values_of(scores, metric, classes)
    summary = summary[summary["method"].isin(values.columns)]
    keys = pd.MultiIndex.from_frame(summary[score_tables.PAIR])
    of_values = values.index.droplevel(["repeat", "fold"])
    found = []
    for words, pairs in groups(facts).items():
        verdict = verdicts.judge(values[of_values.isin(pairs)].dropna(axis=1, how="all"), ratio)
        if verdict is not None:
            part = summary[keys.isin(pairs)]
            found.append({"data": words} | _part(part, verdict, metric, classes))
    return pd.DataFrame(found, columns=COLUMNS)


COLUMNS = [
    *("data", "datasets", "pairs", "compared", "names", "leader", "mean", "best", "alike"),
    *("group", "rival"),
    *("difference", "low", "high", "test", "quick", "quick_seconds", "leader_seconds", "lead"),
    *("geometry_ahead", "geometry_behind", "paired"),
]


def _part(part, verdict, metric, classes):
    mean = score_tables.matrix(part, "mean")
    sign = 1 if style.higher_is_better(metric) else -1
    means, leader = verdict.means, verdict.leader
    top = means[leader]
    margin = NEAR if style.in_percent(metric) else NEAR * abs(top)
    quickest = near(means, part.groupby("method")["fit_seconds"].median(), margin, classes)
    return {
        "datasets": mean.columns.get_level_values("dataset").nunique(),
        "pairs": mean.shape[1],
        "compared": int(mean.loc[means.index].notna().all().sum()),
        "names": ", ".join("/".join(pair) for pair in mean.columns),
        "leader": leader,
        "mean": sign * top,
        "best": verdict.best is not None,
        "alike": len(verdict.group),
        "group": ", ".join(verdict.group),
        "rival": verdict.rival,
        "difference": verdict.effect,
        "low": verdict.low,
        "high": verdict.high,
        "test": verdict.test,
        "quick": quickest.quick,
        "quick_seconds": quickest.quick_seconds,
        "leader_seconds": quickest.seconds,
        **_geometry(sign * mean, classes),
    }


class Near(NamedTuple):
    """The fastest of the methods about as good as the leader, its time and that of the leader."""

    quick: str
    quick_seconds: float
    seconds: float


def near(means, seconds, margin, classes=None):
    """The fastest method within `margin` of the first of `means`; that one if about as fast.

    One that repeats a program is only taken where there is no other.
    """
    leader = means.index[0]
    alike = seconds[means.index[means >= means.iloc[0] - margin - 1e-9]]
    usable = alike[[style.is_usable(method, classes) for method in alike.index]]
    alike = usable if usable.notna().any() else alike
    quick = alike.idxmin() if alike.notna().any() else leader
    if leader in alike and seconds[leader] <= NO_FASTER * seconds[quick]:
        quick = leader
    return Near(quick, seconds[quick], seconds[leader])


def _geometry(mean, classes):
    """Difference of the best non-Euclidean method and the best Euclidean one."""
    kinds = np.array([style.family(method, classes) for method in mean.index])
    lead = leads(mean[kinds == "non-Euclidean"], mean[kinds == "Euclidean"])
    return {
        "lead": lead.median() if len(lead) else np.nan,
        "geometry_ahead": int((lead > 0).sum()),
        "geometry_behind": int((lead < 0).sum()),
        "paired": len(lead),
    }


def leads(ours, flat):
    """Best mean of some methods less the best of others on each data set.

    The difference is taken on each embedding, and averaged over the embeddings of a data set.
    """
    lead = (ours.max() - flat.max()).dropna()
    return lead.groupby(level="dataset").mean().round(9)


def sentence(table, metric, names=None):
    """The clear winners by kind of data in one sentence; None for one part only."""
    if len(table) < 2:
        return None
    label, clear = style.metric_label(metric), table[table["best"]]
    names = names or Names()
    found = [
        f"{names.in_text('methods', row.leader)} on {row.data} ({_mean(row, metric)}{_alone(row)})"
        for row in clear.itertuples()
    ]
    if not found:
        return f"No method is clearly best on any of {wording.count(len(table), 'kind')} of data."
    rest = len(table) - len(found)
    tail = f" No clear winner on {wording.count(rest, 'other kind')} of data." if rest else ""
    return f"Best method by kind of data, with its mean {label}: {'; '.join(found)}.{tail}"


def rows(table, metric, names=None):
    """`advise` as texts for the page."""
    names = names or Names()
    unit = " points" if style.in_percent(metric) else ""
    return [
        {
            "data": row.data,
            "names": _listed(row.names, names),
            "datasets": row.datasets,
            "best": names.method(row.leader) if row.best else "",
            "evidence": _evidence(row, metric, names)
            + (
                f", on {row.compared} of {wording.count(row.pairs, 'embedded data set')}"
                if row.compared < row.pairs
                else ""
            ),
            "rival": names.method(row.rival) if row.rival else "–",
            "effect": _effect(row, metric, names),
            "quick": "none" if row.quick == row.leader else names.method(row.quick),
            "times": _times(row),
            "lead": "–" if np.isnan(row.lead) else style.signed(row.lead, metric) + unit,
            "lead_sort": row.lead,
            "record": f"better on {row.geometry_ahead}, worse on {row.geometry_behind} of "
            f"{row.paired}",
        }
        for row in table.itertuples()
    ]


def _listed(pairs, names):
    """Data sets, each with its embeddings in brackets; at most `SHOWN`."""
    found = {}
    for pair in pairs.split(", "):
        dataset, embedding = names.pair(*pair.split("/"))
        found.setdefault(dataset, []).append(embedding)
    texts = [f"{name} ({', '.join(parts)})" for name, parts in found.items()]
    rest = [f"and {wording.count(len(texts) - SHOWN, 'other')}"] if len(texts) > SHOWN else []
    return ", ".join([*texts[:SHOWN], *rest])


def _alone(row):
    """Says that the evidence is a single data set."""
    return ", on a single data set" if row.datasets == 1 else ""


def _mean(row, metric):
    return style.score(row.mean, metric)


def _evidence(row, metric, names):
    """Mean of the leader, and number of methods that do not differ from it."""
    if row.best or not row.rival:
        return f"mean {_mean(row, metric)}{_alone(row)}"
    extreme = "highest" if style.higher_is_better(metric) else "lowest"
    group = wording.count(row.alike, "method")
    leader = names.in_text("methods", row.leader)
    mean = _mean(row, metric)
    return f"{extreme} mean: {leader}, {mean}; no significant difference from {group}"


def _effect(row, metric, names):
    """Difference between the leader and the nearest other method."""
    if not row.rival:
        return ""
    if row.difference == 0 and row.low == 0 and row.high == 0:
        return f"equal to {names.in_text('methods', row.leader)}"
    size = style.signed(row.difference, metric)
    # A size without a sign is 0.0.
    text = f"behind by {size}".replace("+", "") if size[0] in "+−" else f"difference {size}"
    ends = style.interval(row.low, row.high, metric)
    return f"{text} ({ends})" if ends else text


def _times(row):
    if row.quick == row.leader or np.isnan(row.leader_seconds):
        return wording.seconds(row.leader_seconds)
    return f"{wording.seconds(row.quick_seconds)} instead of {wording.seconds(row.leader_seconds)}"
