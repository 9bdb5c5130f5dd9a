"""Scores of all pipelines on all data sets as texts for the page."""

import numpy as np

from noneuclid_compare import wording
from noneuclid_compare.report import style
from noneuclid_compare.report.names import capital
from noneuclid_compare.report.tables import pipelines, score_tables

# Beside the metric that is chosen, of every classifier with probabilities.
BESIDE = ("log_loss", "calibration_error")


def part(run, metric):
    """The table of one metric: `datasets` and a row of cells for each pipeline, best mean first."""
    summary = score_tables.summarise(run.everything, metric)
    key = ["embedding", "method"]
    means = summary.pivot(index=key, columns="dataset", values="mean")
    spread = summary.pivot(index=key, columns="dataset", values="sd").reindex_like(means)
    times = summary.groupby(key)[["fit_seconds", "predict_seconds"]].median()
    present = score_tables.metrics(run.everything)
    others = {one: _means(run, one) for one in BESIDE if one != metric and one in present}
    sign = -1 if style.higher_is_better(metric) else 1
    order = (sign * means.rank(pct=True).mean(axis=1)).sort_values(kind="stable").index
    datasets = [name for name in run.everything["dataset"].unique() if name in means.columns]
    return {
        "metric": metric,
        "label": style.metric_label(metric),
        "datasets": [run.names.head("datasets", name) for name in datasets],
        "beside": [style.metric_words(one) for one in others],
        "rows": [
            {
                "name": capital(pipelines.in_words(pipeline, run.names)),
                "cells": [
                    _cell(means.loc[pipeline, name], spread.loc[pipeline, name], metric)
                    for name in datasets
                ],
                "beside": [
                    style.score(found.get(pipeline, np.nan), one) for one, found in others.items()
                ],
                "fit": wording.seconds(times.loc[pipeline, "fit_seconds"]),
                "fit_sort": times.loc[pipeline, "fit_seconds"],
            }
            for pipeline in order
        ],
    }


def _means(run, metric):
    """Mean of each pipeline over data sets."""
    summary = score_tables.summarise(run.everything, metric)
    return summary.groupby(["embedding", "method"])["mean"].mean()


def _cell(mean, sd, metric):
    return {"text": style.score(mean, metric), "sd": style.score(sd, metric), "sort": mean}
