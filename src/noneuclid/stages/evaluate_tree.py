"""Stage evaluate_tree: scores by the class trees of the data sets that have one."""

import argparse
import json
from pathlib import Path

import pandas as pd

from noneuclid.contracts import Predictions
from noneuclid.errors import InputError
from noneuclid.evaluation import tree_scores
from noneuclid.experiment import io
from noneuclid.geometry.class_trees import class_tree, read_parents
from noneuclid.stages.evaluate import fold_of, runs_of
from noneuclid.stages.launch import launch

COLUMNS = ["dataset", "embedding", "method", "repeat", "fold", "metric", "value"]


def main(argv=None):
    """Parse the arguments, read all runs on data sets with a class tree, score, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plan", type=Path, required=True, help="JSON, see evaluate")
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--trees", type=json.loads, required=True, help="JSON: data set to setting")
    parser.add_argument("--output", type=Path, nargs=3, required=True, help="parquet, tsv, json")
    args = parser.parse_args(argv)

    trees, rows = {}, []
    for dataset, embedding, method, repeat in runs_of(io.read_json(args.plan)):
        if dataset not in args.trees:
            continue
        stem = args.results / "train" / dataset / embedding / method / str(repeat)
        predictions = io.read_record(f"{stem}.npz", Predictions)
        if dataset not in trees:
            classes = io.read_json(f"{stem}.json")["class_names"]
            trees[dataset] = tree_of(args.trees[dataset], dataset, classes, args.results)
        if predictions.truth.dtype.kind == "f":
            raise InputError(f"data set {dataset}: class_tree is for classes, not for numbers")
        for fold in range(predictions.fold.max() + 1):
            part = fold_of(predictions, fold)
            scores = tree_scores.evaluate(part.truth, part.predicted, trees[dataset])
            key = [dataset, embedding, method, repeat, fold]
            rows += [[*key, metric, value] for metric, value in scores.items()]
    table = pd.DataFrame(rows, columns=COLUMNS)
    parquet, tsv, json_file = args.output
    io.write_table(parquet, table)
    io.write_table(tsv, table)
    io.write_json(json_file, {name: about(tree) for name, tree in trees.items()})


def tree_of(setting, dataset, classes, results):
    """Class tree of a data set: given as a mapping, in a file, or by the loader (`true`)."""
    try:
        if setting is True:
            _, values = io.read_header(results / f"acquire/{dataset}.npz")
            setting = values["about"].get("class_tree")
            if setting is None:
                raise InputError("the loader gives no class tree; give the parents or a file")
        elif isinstance(setting, str):
            setting = read_parents(setting)
        return class_tree(setting, classes)
    except InputError as error:
        raise InputError(f"data set {dataset}: {error}") from error


def about(tree):
    """What the page says of a tree: nodes at each level, and the longest path."""
    levels = range(1, int(tree.depths.max()) + 1)
    return {
        "nodes": [len(set(tree.at_level(level).tolist())) for level in levels],
        "longest": int(tree.distances.max()),
    }


if __name__ == "__main__":
    launch(main)
