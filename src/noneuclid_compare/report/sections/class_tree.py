"""Section "Errors in the tree of classes": distances between true and predicted classes.

One table for each data set that has a tree.
"""

from noneuclid_compare.evaluation.tree_scores import DISTANCE, LEVEL
from noneuclid_compare.report.section import Section, table

PLACE = ["dataset", "method"]


class ClassTreeSection(Section):
    """Scores of the stage evaluate_tree."""

    name = "class_tree"
    title = "Errors in the tree of classes"
    files = ("evaluate/tree.parquet", "evaluate/tree.json")

    def entry(self, config):
        """Empty if a data set has a class tree."""
        sets = config.get("datasets", {}).values()
        return {} if any(entry.get("class_tree") is not None for entry in sets) else None

    def saved_tables(self, entry):
        """One row for each data set and method."""
        return [table("class_tree")]

    def tables(self, run):
        """The table with all digits."""
        return {"class_tree.tsv": to_tsv(self.found(run))}

    def values(self, run):
        """See `section`."""
        trees = run.read_json("evaluate/tree.json")
        return {"menu": "Tree of classes"} | section(self.found(run), trees, run.names)

    def found(self, run):
        """See `means`."""
        return means(run.read_table("evaluate/tree.parquet"))


def means(scores):
    """Mean over folds, repeats and embeddings of each data set, method and metric.

    Baselines on the original features are left out. Columns `dataset`, `method`, `metric`, `mean`,
    `embeddings`, the smallest distance first.
    """
    from noneuclid_compare.records import ORIGINAL

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
    from noneuclid_compare import wording

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
    from noneuclid_compare.report.tables import score_tables

    wide = found.pivot(index=PLACE, columns="metric", values="mean").rename_axis(columns=None)
    return score_tables.to_tsv(wide.reset_index())


SECTION = ClassTreeSection()
