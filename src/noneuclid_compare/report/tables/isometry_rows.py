"""Which methods depend on isometries: scores on moved points less those on the points as given.

Both scores are of the same folds, the same settings and the same random numbers, so a method that
hyperbolic isometries do not affect has equal predictions up to rounding. Nothing is tested: the
page has means over the data sets and the range over the folds. Trivial baselines read no
coordinates and are left out.
"""

import pandas as pd

from noneuclid_compare import wording
from noneuclid_compare.report import style

TOLERANCE = 0.001
"""Differences of a score up to this count as none."""
NO, NEARLY, YES, FAILS = "no", "nearly", "yes", "fails"
WORDS = {
    NO: ("no", "all predictions equal"),
    NEARLY: ("no", "within {tolerance}"),
    YES: ("yes", ""),
    FAILS: ("yes", "it fails"),
}
ORDER = [FAILS, YES, NEARLY, NO]
PAIR = ["dataset", "embedding"]
FOLD = [*PAIR, "repeat", "fold"]
COLUMNS = [
    *("method", "distance", "depends", "rows", "changed_rows", "folds", "failed_folds", "datasets"),
    *("before", "after", "difference", "low", "high", "worst_dataset", "worst_difference"),
    *("farthest_before", "farthest"),
]


def table(scores, moved, failed, metric, classes=None):
    """One row for each method and distance, the strongest dependence first; columns `COLUMNS`.

    Parameters
    ----------
    scores : DataFrame
        Long table of the scores of the methods on embedded points.
    moved : DataFrame
        The same on moved points, with a column `distance`: results/evaluate/isometries.parquet.
    failed : list of dict
        The folds without a score: `failed` in results/evaluate/isometries.json.
    metric : str
    classes : dict, optional
        Dotted class of each method.

    Returns
    -------
    DataFrame
        `depends` is of the method: one of `ORDER`. `before`, `after` and `difference` (after less
        before) are means over data sets, each the mean over its embeddings; `low` and `high` are
        the smallest and the largest difference of a fold. `worst_dataset` has the largest loss,
        `worst_difference`.
    """
    found = []
    misses = pd.DataFrame(failed, columns=["method", "distance"])
    known = sorted({*moved["method"], *misses["method"]})
    for method in (name for name in known if style.family(name, classes) != "floor"):
        ours, theirs = scores[scores["method"] == method], moved[moved["method"] == method]
        rows = _of_method(ours, theirs, misses[misses["method"] == method], metric)
        answer = _answer(rows)
        found += [{"method": method, "depends": answer} | row for row in rows]
    result = pd.DataFrame(found, columns=COLUMNS)
    rank = result["depends"].map(ORDER.index)
    gain = _sign(metric) * result["difference"]
    lowest = gain.groupby(result["method"]).transform("min")
    order = result.assign(rank=rank, lowest=lowest)
    order = order.sort_values(["rank", "lowest", "method", "distance"], kind="stable")
    return order[COLUMNS].reset_index(drop=True)


def _of_method(scores, moved, failed, metric):
    """Rows of one method, a distance each."""
    before = scores[scores["metric"] == metric].groupby(FOLD)["value"].mean()
    rows = []
    for distance in sorted({*moved["distance"], *failed["distance"]}):
        here = moved[moved["distance"] == distance]
        facts = here.pivot(index=FOLD, columns="metric", values="value")
        scored = facts.dropna(subset=["changed_rows"]) if "changed_rows" in facts else facts[:0]
        row = {
            "distance": distance,
            "folds": len(scored),
            "failed_folds": int((failed["distance"] == distance).sum()),
            "rows": int(scored["test_rows"].sum()),
            "changed_rows": int(scored["changed_rows"].sum()) if len(scored) else 0,
            "farthest": facts["farthest"].max(),
            "farthest_before": facts["farthest_before"].max(),
        }
        if metric in facts:
            row |= _differences(before, facts[metric], metric)
        rows.append(row)
    return rows


def _differences(before, after, metric):
    """Means over data sets, the range over folds, and the data set with the largest loss."""
    folds = pd.DataFrame({"before": before, "after": after}).dropna()
    if folds.empty:
        return {}
    gaps = (folds["after"] - folds["before"]).round(9)
    means = folds.groupby(level=PAIR).mean().groupby(level="dataset").mean()
    of_data = (means["after"] - means["before"]).round(9)
    worst = (_sign(metric) * of_data).idxmin()
    return {
        "datasets": len(means),
        **means.mean(),
        "difference": of_data.mean(),
        "low": gaps.min(),
        "high": gaps.max(),
        "worst_dataset": worst,
        "worst_difference": of_data[worst],
    }


def _sign(metric):
    """1 if more is better, else -1."""
    return 1 if style.higher_is_better(metric) else -1


def _answer(rows):
    """Whether a method depends on isometries, from its rows."""
    table = pd.DataFrame(rows, columns=COLUMNS)
    if table["failed_folds"].sum():
        return FAILS
    if not table["changed_rows"].sum():
        return NO
    near = (table["low"] >= -TOLERANCE) & (table["high"] <= TOLERANCE)
    return NEARLY if near.all() else YES


def section(found, notes, metric, names):
    """Values of the template: `heads`, `rows` (a method each), `headline` and `notes`."""
    distances = sorted(found["distance"].unique())
    rows = [_row(part, distances, metric, names) for _, part in found.groupby("method", sort=False)]
    return {
        "heads": [f"{distance:g}" for distance in distances],
        "rows": rows,
        "headline": headline(found, metric, names),
        "notes": [*_facts(found), *_failures(notes["failed"], names), *_left_out(notes, names)],
        "tolerance": _points(TOLERANCE, metric),
    }


def _row(part, distances, metric, names):
    """Texts of one method."""
    method, answer = part["method"].iloc[0], part["depends"].iloc[0]
    cells, rows, changed = [], part["rows"].sum(), part["changed_rows"].sum()
    for distance in distances:
        here = part[part["distance"] == distance]
        cells.append(_cell(here.iloc[0], metric) if len(here) else {"text": "–", "small": ""})
    worst = part.dropna(subset=["worst_difference"])
    loss = _sign(metric) * worst["worst_difference"]
    lowest = worst.loc[loss.idxmin()] if len(worst) else None
    return {
        "method": names.method(method),
        "identifier": method,
        "answer": WORDS[answer][0],
        "why": WORDS[answer][1].format(tolerance=_points(TOLERANCE, metric)),
        "order": ORDER.index(answer),
        "changed": _share(changed, rows),
        "changed_sort": changed / rows if rows else 1.0,
        "cells": cells,
        "worst": "–" if lowest is None else style.signed(lowest["worst_difference"], metric),
        "worst_sort": 0.0 if lowest is None else lowest["worst_difference"],
        "where": ""
        if lowest is None or not lowest["worst_difference"]
        else names.head("datasets", lowest["worst_dataset"]),
    }


def _share(changed, rows):
    """Share of changed predictions; never 0 % unless there is none.

    Examples
    --------
    >>> _share(0, 5), _share(1, 5000), _share(1, 3), _share(4999, 5000), _share(0, 0)
    ('none', '0.02 %', '33 %', '99.98 %', '–')
    """
    if not rows:
        return "–"
    if not changed:
        return "none"
    share = 100 * changed / rows
    return f"{share:.2g} %" if share < 99 else f"{share:.4g} %"


def _cell(row, metric):
    """Mean difference at one distance with its range over the folds."""
    failed = wording.count(int(row["failed_folds"]), "fold") + " failed"
    misses = [failed] if row["failed_folds"] else []
    if row["difference"] != row["difference"]:
        return {"text": "–", "small": "".join(misses), "sort": 0.0}
    ends = (style.signed(row[end], metric) for end in ("low", "high"))
    return {
        "text": style.signed(row["difference"], metric),
        "small": "; ".join([" to ".join(ends), *misses]),
        "sort": row["difference"],
    }


def _points(value, metric):
    """A difference with its unit."""
    return f"{100 * value:g} points" if style.in_percent(metric) else f"{value:g}"


def headline(found, metric, names):
    """How many methods depend on isometries, and which most."""
    if found.empty:
        return "Nothing was moved: no data set of this run is in hyperbolic space."
    answers = found.drop_duplicates("method").set_index("method")["depends"]
    counts = answers.value_counts()
    total = wording.count(len(answers), "method")
    parts = [f"{counts.get(NO, 0)} of {total} predict exactly the same after the points are moved"]
    if nearly := counts.get(NEARLY):
        has = "has" if nearly == 1 else "have"
        parts.append(f"{nearly} {has} the same score within {_points(TOLERANCE, metric)}")
    parts.append(f"the score of {wording.count(counts.get(YES, 0), 'method')} changes")
    if fails := counts.get(FAILS):
        parts.append(f"{fails} {'fails' if fails == 1 else 'fail'} on moved points")
    text = "; ".join(parts) + "."
    changed = found[found["depends"] == YES]
    if len(changed):
        most = changed.loc[changed["difference"].abs().idxmax()]
        unit = " points" if style.in_percent(metric) else ""
        text += (
            f" The largest mean change is that of {names.in_text('methods', most['method'])}: "
            f"{style.signed(most['difference'], metric)}{unit} at distance {most['distance']:g}."
        )
    return text


def _facts(found):
    """What was compared, and how far out the points were."""
    sets, folds = found["datasets"].max(), found["folds"].max()
    if not folds > 0:
        return []
    about = f"{wording.count(int(folds), 'fold')} of {wording.count(int(sets), 'data set')}"
    if sets != sets:
        about = wording.count(int(folds), "fold")
    return [
        f"Up to {about} for each method and distance. The farthest point is "
        f"{found['farthest_before'].max():.3g} from the origin before the isometries and "
        f"{found['farthest'].max():.3g} after them (in units of 1/\u2060√K at curvature −K)."
    ]


def _failures(failed, names):
    """A sentence for each method that fails: how often, and its first message."""
    texts, messages = [], {}
    for entry in failed:
        messages.setdefault(entry["method"], []).append(entry)
    for method, entries in messages.items():
        first = entries[0]
        texts.append(
            f"{names.method(method)} failed in {wording.count(len(entries), 'fold')}, first on "
            f"{names.in_text('datasets', first['dataset'])} at distance {first['distance']:g}: "
            f"{first['message']}"
        )
    return texts


def _left_out(notes, names):
    """What was not moved, with the reason."""
    reasons = {}
    for entry in notes["skipped"]:
        name = names.in_text("datasets", entry["dataset"])
        # The reason may be the data's or a method's.
        if entry["why"].startswith("the method"):
            name = f"{names.in_text('methods', entry['method'])} on {name}"
        reasons.setdefault(entry["why"], {})[name] = None
    return [f"Not moved: {wording.listed(some)} ({why})." for why, some in reasons.items()]
