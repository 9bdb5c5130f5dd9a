"""The league by one metric as texts for the page."""

import numpy as np
import pandas as pd
from scipy.sparse.csgraph import connected_components

from noneuclid_compare import wording
from noneuclid_compare.evaluation import verdicts
from noneuclid_compare.report import style
from noneuclid_compare.report.names import Names
from noneuclid_compare.report.tables import (
    findings,
    leader_comparisons,
    score_tables,
    without_embedding,
)

CELL = ("mean", "sd", "rank", "folds", "missing")


def league(scores, metric, classes, without=None, names=None, charts=None):
    """The table of all methods, that of all data sets, and the leader against every other method.

    `classes` has the dotted class of each method, for its family; `without` is the table of
    `without_embedding.rows`, whose baselines are shown below the methods and ranked nowhere;
    `charts` has the coordinates that each method reads.
    """
    names, charts = names or Names(classes=classes), charts or {}
    summary = score_tables.summarise(scores, metric)
    overall = score_tables.order(summary)
    parts = {column: score_tables.matrix(summary, column) for column in CELL}
    parts["low"] = _low(parts["mean"], metric, classes)
    values = leader_comparisons.values_of(scores, metric, classes)
    parts |= _marks(parts["mean"], metric, verdicts.winners(*values))
    verdict = verdicts.judge(*values)
    # Also where no fold has a value.
    run = parts["folds"].notna()
    methods = [
        {
            "name": names.method(name),
            "identifier": name,
            # A method with several settings has its setting in its name.
            "chart": charts.get(name) or charts.get(name.partition(" ")[0], "–"),
            "family": style.family(name, classes),
            "family_label": style.FAMILIES[style.family(name, classes)]["label"],
            "number": i + 1,
            "average_rank": _rank(row["average_rank"], ".2f"),
            "first": int(row["first"]),
            "pairs": int(row["pairs"]),
            "datasets": int(row["datasets"]),
            "mean": style.score(row["mean"], metric),
            "mean_sort": row["mean"],
            "fit": wording.seconds(row["fit_seconds"]),
            "fit_sort": row["fit_seconds"],
            "predict": wording.seconds(row["predict_seconds"]),
            "predict_sort": row["predict_seconds"],
        }
        for i, (name, row) in enumerate(overall.iterrows())
    ]
    return {
        "metric": metric,
        "label": style.metric_label(metric),
        "higher": style.higher_is_better(metric),
        "n_pairs": parts["mean"].shape[1],
        "folds": int(pd.Series(parts["folds"].to_numpy().ravel()).mode().max()),
        "whole": bool(run.to_numpy().all()),
        "matrices": [
            _matrix(parts, run, columns, metric, without, names) for columns in alike(run)
        ],
        "without": without_embedding.cell_of_all(without, metric),
        "n_datasets": parts["mean"].columns.get_level_values("dataset").nunique(),
        "noun": findings.data_noun(parts["mean"]),
        "methods": methods,
        "verdict": leader_comparisons.sentence(verdict, metric, names),
        "leader": verdict and names.method(verdict.leader),
        "leader_in_text": verdict and names.in_text("methods", verdict.leader),
        "contrasts": leader_comparisons.rows(verdict, metric, names),
        "tested": verdict and wording.count(verdict.n, "data set"),
        "test": verdict and verdict.test,
        "unit": verdict and verdict.unit,
    }


def alike(run):
    """Positions of the columns that belong in one table: those with about the same methods.

    Two columns are joined if at least half of the methods that either was run with were run with
    both; so are all columns linked by such steps. Columns that no method was run on are left out.

    Examples
    --------
    >>> import pandas as pd
    >>> run = pd.DataFrame([[1, 0, 1], [1, 0, 1], [1, 1, 0]]).astype(bool)
    >>> alike(run)
    [[0, 2], [1]]
    """
    table = run.to_numpy(dtype=float)
    both = table.T @ table
    either = table.sum(axis=0)[:, None] + table.sum(axis=0) - both
    _, group = connected_components(2 * both >= np.maximum(either, 1), directed=False)
    group[~table.any(axis=0)] = -1
    return [np.flatnonzero(group == k).tolist() for k in dict.fromkeys(group) if k >= 0]


def _matrix(parts, run, columns, metric, without, names):
    """Pairs, and the cells of each method that was run on one of them."""
    found = run.iloc[:, columns]
    rows = [
        {
            "name": names.method(name),
            "identifier": name,
            "cells": [_cell(parts, i, j, metric) for j in columns],
        }
        for i, name in enumerate(found.index)
        if found.iloc[i].any()
    ]
    cells = without_embedding.cells(without, metric)
    baselines = [cells.get(pair) for pair in found.columns]
    pairs = [(*names.pair(*pair), "/".join(pair)) for pair in found.columns]
    return {"pairs": pairs, "methods": rows, "without": any(baselines) and baselines}


def _rank(value, form):
    """A rank as text; a method that is alone on its data has none."""
    return "–" if np.isnan(value) else format(value, form)


def _cell(parts, i, j, metric):
    value = {name: frame.iloc[i, j] for name, frame in parts.items()}
    ranks = parts["rank"].iloc[:, j]
    if value["mean"] != value["mean"]:
        return None
    worst = max(ranks.max(), 2)
    shade = 0.62 * (worst - value["rank"]) / (worst - 1)
    return {
        "mean": style.score(value["mean"], metric),
        "sd": style.score(value["sd"], metric),
        "sort": f"{value['mean']:.6g}",
        "rank": _rank(value["rank"], "g"),
        "best": bool(value["best"]),
        "first": bool(value["first"]),
        "shade": round(float(np.nan_to_num(shade)), 3),
        "folds": int(value["folds"]),
        "missing": int(value["missing"]),
        "low": bool(value["low"]),
    }


def _marks(mean, metric, winners):
    """Means of a clear winner on their data set, and means that are the best there."""
    # Rounded, as ranks are.
    sign = 1 if style.higher_is_better(metric) else -1
    level = (sign * mean).round(9)
    best = level.apply(lambda column: column.index == winners.get(column.name), axis=0)
    return {"best": best, "first": level.eq(level.max())}


def _low(mean, metric, classes):
    """Means of methods that are not above the best floor of their data set."""
    sign = 1 if style.higher_is_better(metric) else -1
    floor = mean.index.difference(score_tables.without_floors(mean, classes).index)
    low = (sign * mean).le((sign * mean.loc[floor]).max(), axis=1)
    low.loc[floor] = False
    return low
