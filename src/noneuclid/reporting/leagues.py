"""The league of one metric as texts for the page."""

from noneuclid.reporting import contrasts, findings, style, tables

CELL = ("mean", "sd", "rank", "folds", "missing")


def league(scores, metric, classes):
    """One metric's overall table, its matrix, and the best method against every other, as texts.

    Parameters
    ----------
    scores : DataFrame
        The long table of `evaluate`.
    metric : str
    classes : dict of str to str
        Dotted class of each method, for its family.

    Returns
    -------
    dict
    """
    summary = tables.summarise(scores, metric)
    overall = tables.order(summary)
    parts = {column: tables.matrix(summary, column) for column in CELL}
    parts["low"] = _low(parts["mean"], metric, classes)
    methods = [
        {
            "name": name,
            "family": style.family(name, classes),
            "place": i + 1,
            "average_rank": f"{row['average_rank']:.2f}",
            "first": int(row["first"]),
            "pairs": int(row["pairs"]),
            "mean": style.score(row["mean"], metric),
            "mean_sort": row["mean"],
            "fit": style.seconds(row["fit_seconds"]),
            "fit_sort": row["fit_seconds"],
            "predict": style.seconds(row["predict_seconds"]),
            "predict_sort": row["predict_seconds"],
            "cells": [_cell(parts, i, j, metric) for j in range(parts["mean"].shape[1])],
        }
        for i, (name, row) in enumerate(overall.iterrows())
    ]
    real = tables.without_floors(parts["mean"], classes)
    compared = contrasts.complete(real, metric)
    return {
        "metric": metric,
        "label": style.metric_label(metric),
        "higher": style.higher_is_better(metric),
        "pairs": list(parts["mean"].columns),
        "noun": findings.pair_noun(parts["mean"]),
        "methods": methods,
        "best": compared.columns[0],
        "contrasts": contrasts.rows(real, metric),
        "tested": findings.pair_noun(real, len(compared)),
    }


def _cell(parts, i, j, metric):
    value = {name: frame.iloc[i, j] for name, frame in parts.items()}
    ranks = parts["rank"].iloc[:, j]
    if value["rank"] != value["rank"]:
        return None
    worst = max(ranks.max(), 2)
    return {
        "mean": style.score(value["mean"], metric),
        "sd": style.score(value["sd"], metric),
        "sort": value["mean"],
        "rank": f"{value['rank']:g}",
        "best": value["rank"] == ranks.min(),
        "shade": round(float(0.62 * (worst - value["rank"]) / (worst - 1)), 3),
        "folds": int(value["folds"]),
        "missing": int(value["missing"]),
        "low": bool(value["low"]),
    }


def _low(mean, metric, classes):
    """Which means of methods are not above the best floor of their data set."""
    sign = 1 if style.higher_is_better(metric) else -1
    floor = mean.index.difference(tables.without_floors(mean, classes).index)
    low = (sign * mean).le((sign * mean.loc[floor]).max(), axis=1)
    low.loc[floor] = False
    return low
