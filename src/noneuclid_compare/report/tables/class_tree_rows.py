"""Scores by the trees of classes: one table for each data set that has one."""

from noneuclid_compare import wording
from noneuclid_compare.evaluation.tree_scores import DISTANCE, LEVEL
from noneuclid_compare.records import ORIGINAL
from noneuclid_compare.report.tables import score_tables

PLACE = ["dataset", "method"]


def means(scores):
    """Mean over folds, repeats and embeddings of each data set, method and metric.

    Baselines on the original features are left out. Columns `dataset`, `method`, `metric`, `mean`,
    `embeddings`, the smallest distance first.
    """
    embedded = scores[scores["embedding"] != ORIGINAL]
    of_pair = embedded.groupby([*PLACE, "metric", "embedding"])["value"].mean()
    found = of_pair.groupby(level=[*PLACE, "metric"]).agg(["mean", "size"]).reset_index()
    found = found.rename(columns={"size": "embeddings"})
    first = found[found["metric"] == DISTANCE].set_index(PLACE)["mean"]
    order = found.assign(first=first.reindex(found.set_index(PLACE).index).to_numpy())
    order = order.sort_values(["dataset", "first", "method", "metric"], kind="stable")
    return order.drop(columns="first").reset_index(drop=True)


def section(found, trees, names):
    """Values of the template: `tables`, each with `title`, `text`, `heads` and `rows`."""
    return {"tables": [_table(found, name, trees[name], names) for name in trees]}


def _table(found, dataset, tree, names):
    """Texts of one data set."""
    here = found[found["dataset"] == dataset]
    levels = [f"{LEVEL}{k}" for k, _ in enumerate(tree["nodes"], 1)]
    rows = []
    for method, part in here.groupby("method", sort=False):
        values = part.set_index("metric")["mean"]
        cells = [(f"{values[DISTANCE]:.2f}", values[DISTANCE])]
        cells += [(f"{100 * values[level]:.1f}", values[level]) for level in levels]
        rows.append({"method": names.method(method), "identifier": method, "cells": cells})
    heads = [("mean distance", "edges")]
    for k, nodes in enumerate(tree["nodes"], 1):
        heads.append((f"level {k}", wording.count(nodes, "class", "classes")))
    return {
        "title": names.head("datasets", dataset),
        "text": f"The longest path between two classes has {wording.count(tree['longest'], 'edge')}"
        f". Means over {wording.count(int(here['embeddings'].max()), 'embedding')}, folds and "
        "repeats; differences are not tested.",
        "heads": heads,
        "rows": rows,
    }


def to_tsv(found):
    """The table of `means` with a column for each metric."""
    wide = found.pivot(index=PLACE, columns="metric", values="mean").rename_axis(columns=None)
    return score_tables.to_tsv(wide.reset_index())
