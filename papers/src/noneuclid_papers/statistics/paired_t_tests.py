"""Methods compared in pairs over seeds and folds: t-tests, Holm's correction, marks.

This is how chlenski2024 (appendix A.7) tests its tables; the correction is added.
"""

import re
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import t as student

from noneuclid.errors import require
from noneuclid_papers.statistics.rank_tests import holm
from noneuclid_papers.statistics.studies import named

RUN = ["dataset", "repeat", "fold"]
PLACE = ["group", "embedding"]
ROUNDING = 1e-12  # scores closer than this are equal


def paired_tests(scores, metric, pairs=None, group=None, alpha=0.05):
    """Two-sided t-tests of paired differences between methods, in each group of data sets.

    A pair of values is a fold of a repeat of a data set; the paper has 10 seeds of 5 folds. They
    are taken as independent, which folds of one data set are not: p-values are rather too small.
    `pairs` of methods, None: all; `group`, see `studies.named`.

    One row for each (group, embedding, pair): `first`, `second`, `n`, `first_mean`, `second_mean`,
    `difference` (first - second) and its `sd`, `t`, `p`, `p_holm` (over all rows), `better` and
    `better_holm`: the method with the higher mean where p, or p_holm, is below `alpha`, else "".
    Without any difference above `ROUNDING` t is 0 and p is 1. A pair of which one method was not
    run on a group has no row.
    """
    table = scores[scores["metric"] == metric]
    require(len(table), f"tests: no metric {metric!r}; known: {sorted(scores['metric'].unique())}")
    known = sorted(table["method"].unique())
    pairs = list(combinations(known, 2)) if pairs is None else pairs
    for name in {name for pair in pairs for name in pair}:
        require(name in known, f"tests: no method {name!r} has {metric}; known: {known}")
    names = named(table["dataset"].unique(), group, "group")
    table = table.assign(group=table["dataset"].map(names))
    rows = []
    for (group_name, embedding), part in table.groupby(PLACE, sort=False):
        key = {"group": group_name, "embedding": embedding, "metric": metric}
        rows += [key | found for found in _compare_all(part, pairs, f"{metric} in {group_name!r}")]
    require(rows, "tests: no two of these methods were run on the same data set")
    tests = pd.DataFrame(rows)
    tests["p_holm"] = holm(tests["p"])
    for column, p in (("better", "p"), ("better_holm", "p_holm")):
        winner = np.where(tests["difference"] > 0, tests["first"], tests["second"])
        tests[column] = np.where(tests[p] < alpha, winner, "")
    return tests


def _compare_all(part, pairs, place):
    """Tests of all pairs of methods that were run on one group."""
    require(not part.duplicated([*RUN, "method"]).any(), f"tests: a fold twice: {place}")
    wide = part.pivot(index=RUN, columns="method", values="value")
    for first, second in pairs:
        if first in wide and second in wide:
            found = _compare(wide[first], wide[second], f"{first} and {second}, {place}")
            yield {"first": first, "second": second, **found}


def _compare(first, second, place):
    """Student's t of the paired differences."""
    missing = int((first.isna() | second.isna()).sum())
    require(not missing, f"tests: {missing} folds have no value of one method: {place}; run both")
    n = len(first)
    require(n > 1, f"tests: one fold only: {place}; a test needs at least two")
    difference = (first - second).to_numpy()
    differ = np.abs(difference).max() > ROUNDING
    mean, sd = difference.mean(), difference.std(ddof=1)
    with np.errstate(divide="ignore"):
        t = np.divide(mean, sd / np.sqrt(n)) if differ else 0.0
    means = {"first_mean": first.mean(), "second_mean": second.mean()}
    p = 2 * student.sf(abs(t), n - 1)
    return {"n": n, **means, "difference": mean, "sd": sd, "t": float(t), "p": float(p)}


def in_groups(scores, pattern):
    """Rows whose data set has the pattern in its name; others are left out, as in a sweep."""
    named((), pattern, "group")  # refuses what is not a regular expression
    found = scores[[re.search(pattern, name) is not None for name in scores["dataset"]]]
    require(len(found), f"tests: {pattern!r} is not found in the name of any data set")
    return found


def summarise(scores, tests, blocks, group=None):
    """Mean, standard error and marks of significance of each method in each group.

    `blocks` names methods side by side, each with the mark of a significant win over it: {"trees":
    {"hyperbolic_tree": "*", "tree": "‡"}}. One row for each (group, embedding, method): `block`,
    `runs` (data sets by repeats), `mean`, `se` of the mean over the runs (NaN with one), `marks`
    (by p) and `marks_holm` (by p_holm) of the methods with significantly lower scores.
    """
    table = scores[scores["metric"] == tests["metric"].iloc[0]]
    names = named(table["dataset"].unique(), group, "group")
    table = table.assign(group=table["dataset"].map(names))
    runs = table.groupby([*PLACE, "method", "dataset", "repeat"], sort=False)["value"].mean()
    found = runs.groupby(level=[*PLACE, "method"], sort=False).agg(["size", "mean", "sem"])
    found.columns = ["runs", "mean", "se"]
    rows = []
    for place in dict.fromkeys(zip(tests["group"], tests["embedding"], strict=True)):
        here = tests[(tests[PLACE] == place).all(axis=1)]
        for block, symbols in blocks.items():
            for method in symbols:
                if (*place, method) in found.index:
                    row = {"group": place[0], "embedding": place[1], "block": block}
                    row |= {"method": method, **found.loc[(*place, method)]}
                    rows.append(row | _marks(here, method, symbols))
    return pd.DataFrame(rows).astype({"runs": int})


def _marks(tests, method, symbols):
    """Marks of the methods with significantly lower scores, without and with Holm's correction."""
    marks = {}
    for column, better in (("marks", "better"), ("marks_holm", "better_holm")):
        won = tests[tests[better] == method]
        beaten = {*won["first"], *won["second"]} - {method}
        marks[column] = "".join(mark for name, mark in symbols.items() if name in beaten)
    return marks
