"""Stage evaluate_tree: scores by the class trees of the data sets that have one."""

import argparse
from pathlib import Path

import pandas as pd

from noneuclid.geometry.class_trees import class_tree
from noneuclid_compare import io
from noneuclid_compare.evaluation import tree_scores
from noneuclid_compare.records import Predictions
from noneuclid_compare.stages.evaluate import fold_of, runs_of
from noneuclid_compare.stages.launch import launch

COLUMNS = ["dataset", "embedding", "method", "repeat", "fold", "metric", "value"]


def main(argv=None):
    """Parse the arguments, read all runs on data sets with a class tree, score, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plan", type=Path, required=True, help="JSON, see evaluate")
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--trees", nargs="+", required=True, help="data sets, see class_tree")
    parser.add_argument("--output", type=Path, nargs=3, required=True, help="parquet, tsv, json")
    args = parser.parse_args(argv)

    found = {name: io.read_json(args.results / f"class_tree/{name}.json") for name in args.trees}
    trees = {name: class_tree(tree["parents"], tree["classes"]) for name, tree in found.items()}
    rows = []
    for dataset, embedding, method, repeat in runs_of(io.read_json(args.plan)):
        if dataset not in trees:
            continue
        stem = args.results / "train" / dataset / embedding / method / str(repeat)
        predictions = io.read_record(f"{stem}.npz", Predictions)
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


def about(tree):
    """What the page says of a tree: nodes at each level, and the longest path."""
    levels = range(1, int(tree.depths.max()) + 1)
    return {
        "nodes": [len(set(tree.at_level(level).tolist())) for level in levels],
        "longest": int(tree.distances.max()),
    }


if __name__ == "__main__":
    launch(main)
