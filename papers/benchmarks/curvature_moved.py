"""Tests of scores after random isometries, for the table curvature_isometries.tsv.

The unit is the data set, or the fold of few data sets, as in
`noneuclid_papers.statistics.verdicts`; the comparisons of one method are its distances.
"""

import numpy as np
import pandas as pd

from noneuclid_compare.report.tables import isometry_rows
from noneuclid_papers.statistics import verdicts

OPEN = "open"  # predictions change, but a change of the score is not shown
ORDER = ["fails", "yes", OPEN, "nearly", "no"]
TESTED = ["before", "difference", "low", "high", "p"]
_BEFORE = "before"


def judged_moves(scores, moved, failed, metric, classes):
    """`isometry_rows.table` with the means, intervals and p-values of the tests.

    `depends` is then whether the score changes significantly; the strongest dependence first.
    """
    table = isometry_rows.table(scores, moved, failed, metric, classes).assign(p=np.nan)
    index = ["method", "distance"]
    for method, rows in table.groupby("method"):
        ours, theirs = scores[scores["method"] == method], moved[moved["method"] == method]
        found = _tests(ours, theirs, rows["distance"], metric)
        table.loc[rows.index, TESTED] = found.reindex(rows["distance"]).to_numpy()
        table.loc[rows.index, "depends"] = _answer(table.loc[rows.index])
    lowest = table.groupby("method")["difference"].transform("min")
    table = table.assign(rank=table["depends"].map(ORDER.index), lowest=lowest)
    table = table.sort_values(["rank", "lowest", *index], kind="stable", ignore_index=True)
    return table.drop(columns=["rank", "lowest"])


def _tests(scores, moved, distances, metric):
    """Columns `TESTED` by distance: after less before, intervals adjusted for the distances."""
    values, ratio = verdicts.values_of(scores, metric)
    values.columns = [_BEFORE]
    distances = list(distances)
    for distance in distances:
        here = moved[(moved["distance"] == distance) & (moved["metric"] == metric)]
        values[distance] = here.set_index(verdicts.FOLD)["value"]
    verdict = verdicts.judge(values[values[distances].notna().any(axis=1)], ratio, _BEFORE)
    if verdict is None:
        return pd.DataFrame(columns=TESTED, dtype=float)
    found = verdict.table
    before = verdict.means[_BEFORE]
    return pd.DataFrame(
        {
            "before": before,
            "difference": verdict.means[found.index] - before,
            "low": 0.0 - found["high"],
            "high": 0.0 - found["low"],
            "p": found["p_holm"],
        }
    )


def _answer(rows):
    """Whether a method depends on isometries, from its intervals."""
    first = rows["depends"].iloc[0]
    if first in (isometry_rows.FAILS, isometry_rows.NO):
        return first
    tolerance = isometry_rows.TOLERANCE
    if (rows["low"] > -tolerance).all() and (rows["high"] < tolerance).all():
        return isometry_rows.NEARLY
    clear = (rows["low"] > 0) | (rows["high"] < 0)
    return isometry_rows.YES if clear.any() else OPEN
