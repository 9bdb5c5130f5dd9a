"""Probabilities that one method is better than another, and what the data sets could show."""

from itertools import combinations

import numpy as np
import pandas as pd

from noneuclid_compare import wording
from noneuclid_compare.evaluation import bayesian_signed_ranks, power
from noneuclid_compare.evaluation.verdicts import ALPHA, MANY
from noneuclid_compare.report import style
from noneuclid_compare.report.tables import leader_comparisons, score_tables

ALL = "all"
COLUMNS = ["dimension", "first", "second", "data_sets", "difference", "better", "equal", "worse"]


def data_set_scores(scores, metric, classes):
    """Scores as data sets by methods without floors; larger is better.

    Embeddings of a data set are averaged first. Methods that were run on at most half of the
    embedded data sets, and embeddings without all others, are left out.
    """
    mean = score_tables.matrix(score_tables.summarise(scores, metric), "mean")
    return leader_comparisons.complete(score_tables.without_floors(mean, classes), metric)


def scopes(scores, runs):
    """The scores of all dimensions; then those of each dimension, if there are several."""
    dimension = {(run["dataset"], run["embedding"]): run.get("dimension") for run in runs}
    pairs = scores[score_tables.PAIR].itertuples(index=False, name=None)
    of_row = pd.Series([dimension.get(pair) for pair in pairs], index=scores.index)
    found = {ALL: scores}
    known = sorted(set(of_row.dropna()))
    if len(known) > 1:
        found |= {str(int(one)): scores[of_row == one] for one in known}
    return found


def pairs(scores, runs, metric, classes, equivalence):
    """Every pair of methods in every scope with `MANY` data sets or more; columns `COLUMNS`.

    `first` has the higher mean. `difference`: mean over data sets, first minus second; `better`,
    `equal`, `worse`: probabilities of the first method.
    """
    rows = []
    for scope, part in scopes(scores, runs).items():
        table = data_set_scores(part, metric, classes)
        if len(table) < MANY:
            continue
        order = table.mean().round(9).sort_values(ascending=False, kind="stable").index
        for first, second in combinations(order, 2):
            gaps = (table[first] - table[second]).to_numpy().round(9)
            found = bayesian_signed_ranks.probabilities(gaps, equivalence)
            rows.append([scope, first, second, len(gaps), gaps.mean(), *found])
    return pd.DataFrame(rows, columns=COLUMNS)


def detectable(scores, metric, classes):
    """What Wilcoxon's test could have shown between the leader and the others.

    None with too few data sets or without any spread. Else
    `data_sets`, `comparisons`, and medians over the comparisons in units of the metric: `single`
    at 5 %, `strict` at 5 % / comparisons (the first step of Holm's method), `formula` for normal
    differences at 5 %.
    """
    table = data_set_scores(scores, metric, classes)
    if len(table) < MANY or table.shape[1] < 2:
        return None
    leader = table.mean().round(9).idxmax()
    others = table.columns.drop(leader)
    found = {"single": [], "strict": [], "formula": []}
    for other in others:
        gaps = (table[leader] - table[other]).to_numpy().round(9)
        found["single"].append(power.minimal_difference(gaps, ALPHA))
        found["strict"].append(power.minimal_difference(gaps, ALPHA / len(others)))
        found["formula"].append(power.normal_difference(gaps.std(ddof=1), len(gaps), ALPHA))
    # Without spread, as against an equal method, a comparison says nothing.
    known = {name: [v for v in values if np.isfinite(v)] for name, values in found.items()}
    if not known["single"]:
        return None
    medians = {name: float(np.median(some or [np.nan])) for name, some in known.items()}
    return {"data_sets": len(table), "comparisons": len(others), **medians}


def sentence(found, metric):
    """`detectable` in one sentence."""
    unit = " points" if style.in_percent(metric) else ""
    single, strict = (style.score(found[name], metric) for name in ("single", "strict"))
    comparisons = wording.count(found["comparisons"], "comparison")
    holm = "is not possible" if strict == "–" else f"needs {strict}{unit}"
    return (
        f"With {wording.count(found['data_sets'], 'data set')}, Wilcoxon's signed-rank test (5 % "
        f"level, 80 % power) finds a difference of {single}{unit} between the leader and one other "
        f"method; after Holm's correction for {comparisons} the first finding {holm} (medians over "
        "the comparisons, simulated from the observed spread of differences)."
    )


def rows(found, metric, names):
    """Texts of the pairs."""
    return [
        [
            *(names.method(row[name]) for name in ("first", "second")),
            str(row["data_sets"]),
            style.signed(row["difference"], metric),
            *(percent(row[name]) for name in ("better", "equal", "worse")),
        ]
        for row in found.to_dict("records")
    ]


def percent(probability):
    """A probability in percent.

    Examples
    --------
    >>> percent(0.123), percent(0.0002), percent(0.99999), percent(1.0), percent(0.0)
    ('12 %', '< 1 %', '> 99 %', '> 99 %', '< 1 %')
    """
    if probability < 0.005:
        return "< 1 %"
    return "> 99 %" if probability > 0.995 else f"{100 * probability:.0f} %"
