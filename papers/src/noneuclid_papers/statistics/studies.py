"""Two methods compared over many simulated data sets, as cho2019 do in their figures 2 and 3.

The unit is the data set, or a group of them: a data set with ten labels that may overlap is ten
binary ones, whose scores are averaged (the macro average over labels).
"""

import re

import numpy as np
import pandas as pd
from scipy.stats import rankdata, t, wilcoxon

from noneuclid.errors import InputError, require

PAIR = ["group", "embedding"]
CONFIDENCE = 0.95
OUTCOMES = {"wins": 1, "ties": 0, "losses": -1}


def named(names, pattern, role):
    """Part of each name that a pattern finds: its first group, otherwise the whole match.

    The pattern is searched for anywhere in the name; None is the whole name. `role` names
    the part in error messages.
    """
    try:
        expression = re.compile(pattern or r".+")
    except re.error as error:
        require(False, f"{role}: {pattern!r} is not a regular expression: {error}")
    parts = {}
    for name in names:
        found = expression.search(name)
        require(found, f"{role}: {pattern!r} is not found in the data set {name!r}")
        parts[name] = next(iter(found.groups()), found.group())
        require(parts[name], f"{role}: {pattern!r} finds nothing in the data set {name!r}")
    return parts


def pairs(scores, first, second, metric, group=None, series=None):
    """Mean and spread over the trials of both methods, for each group of data sets.

    A trial is a repeat: its score is the mean over its folds and over the data sets of the group.
    `group` and `series` are patterns (see `named`) whose match is equal for the data sets of one
    group, or of one series; None: each data set is a group, and all are one series.

    One row for each (series, group, embedding): `metric`, `datasets` and `trials` (counts), means
    and standard deviations of both over the trials (n - 1 in the denominator; NaN with one trial)
    and `difference`, first - second. A run without a counterpart is an `InputError`.
    """
    table = _side_by_side(scores, first, second, metric)
    names = table["dataset"].unique()
    table["group"] = table["dataset"].map(named(names, group, "group"))
    table["series"] = table["dataset"].map(named(names, series, "series")) if series else "all"
    _require_complete(table)
    trials = table.groupby(["series", *PAIR, "repeat"])[["first", "second"]].mean()
    trials = trials.groupby(level=["series", *PAIR])
    found = trials.agg(["mean", "std"])
    found.columns = ["first_mean", "first_sd", "second_mean", "second_sd"]
    found.insert(0, "trials", trials.size())
    found.insert(0, "datasets", table.groupby(["series", *PAIR])["dataset"].nunique())
    found.insert(0, "metric", metric)
    # Rounded: two sums in another order must not decide a tie.
    found["difference"] = (found["first_mean"] - found["second_mean"]).round(9)
    return found.reset_index()


def _side_by_side(scores, first, second, metric):
    """One row per fold, with the scores of both methods as columns."""
    require(first != second, f"study: {first!r} is compared with itself; give two methods")
    known = sorted(scores["metric"].unique())
    require(metric in known, f"study: no metric {metric!r} in the scores; known: {known}")
    table = scores[scores["metric"] == metric]
    known = sorted(table["method"].unique())
    for name in (first, second):
        require(name in known, f"study: no method {name!r} has {metric}; known: {known}")
    table = table[table["method"].isin([first, second])]
    keys = ["dataset", "embedding", "repeat", "fold"]
    twice = table[table.duplicated([*keys, "method"])]
    _refuse(twice, [*keys, "method"], "two scores of one fold")
    table = table.pivot(index=keys, columns="method", values="value").reset_index()
    table = table.rename(columns={first: "first", second: "second"}).rename_axis(columns=None)
    for name, column in ((first, "first"), (second, "second")):
        bad = table[~np.isfinite(table[column])]
        _refuse(bad, keys, f"{name} has no {metric} in {len(bad)} folds")
    return table


def _refuse(rows, columns, message):
    """Raise `InputError` if `rows` is not empty, and name the first."""
    if len(rows):
        example = ", ".join(f"{name} {rows[name].iloc[0]}" for name in columns)
        raise InputError(f"study: {message}: {example}")


def _require_complete(table):
    """Raise `InputError` if a trial of a group has fewer data sets than another."""
    counts = table.groupby(["series", *PAIR, "repeat"])["dataset"].nunique()
    spread = counts.groupby(level=["series", *PAIR]).agg(["min", "max"])
    uneven = spread[spread["min"] != spread["max"]].reset_index()
    _refuse(uneven, PAIR, "some repeats do not have all data sets of the group")


def summary(table):
    """`paired` of all groups of `pairs`, and of each series if there are several."""
    parts = {"all": table}
    if table["series"].nunique() > 1:
        groups = dict(list(table.groupby("series")))
        parts |= {str(name): groups[name] for name in in_order(groups)}
    rows = []
    for name, part in parts.items():
        require(len(part) > 1, f"study: {len(part)} group in {name!r}; a test needs at least two")
        key = {"metric": table["metric"].iloc[0], "series": name}
        rows.append(key | paired(part["difference"].to_numpy()))
    return pd.DataFrame(rows)


def in_order(names):
    """Names sorted with the numbers in them as numbers.

    Examples
    --------
    >>> in_order(["100-200", "20-50", "50-100"])
    ['20-50', '50-100', '100-200']
    """

    def parts(name):
        pieces = re.split(r"(\d+)", str(name))
        return [(int(piece), "") if piece.isdigit() else (-1, piece) for piece in pieces]

    return sorted(names, key=parts)


def paired(difference):
    """Test by pairs whether the first method is better: Student's t and Wilcoxon's signed ranks.

    difference (n >= 2,), first minus second. Both tests are one-sided and take the pairs as
    independent, as the paper does. Groups that share a network are not: group by network for a
    valid test. Returns `n`, `wins`, `ties`, `losses` of the first; `mean`, `sd` and the 95 %
    interval `low`, `high` of the mean; `t`, `t_p`; `wilcoxon_p`, zeros split between both signs;
    `cohen_d`: mean / sd; `rank_biserial`: (ranks won - ranks lost) / all ranks. Without any
    difference both p-values are 1 and the effects are 0.
    """
    n, mean, sd = len(difference), difference.mean(), difference.std(ddof=1)
    half = t.ppf((1 + CONFIDENCE) / 2, n - 1) * sd / np.sqrt(n)
    signs = np.sign(difference).astype(int)
    found = {name: int((signs == sign).sum()) for name, sign in OUTCOMES.items()}
    found = {"n": n, **found, "mean": mean, "sd": sd, "low": mean - half, "high": mean + half}
    found |= {"t": 0.0, "t_p": 1.0, "wilcoxon_p": 1.0, "cohen_d": 0.0, "rank_biserial": 0.0}
    if signs.any():
        with np.errstate(divide="ignore"):
            found["cohen_d"] = np.divide(mean, sd)
        ranked = wilcoxon(difference, zero_method="zsplit", alternative="greater")
        ranks = rankdata(np.abs(difference))
        statistic = np.sqrt(n) * found["cohen_d"]
        found |= {"t": statistic, "t_p": t.sf(statistic, n - 1), "wilcoxon_p": ranked.pvalue}
        found["rank_biserial"] = (ranks * signs).sum() / ranks.sum()
    return {
        name: value.item() if hasattr(value, "item") else value for name, value in found.items()
    }
