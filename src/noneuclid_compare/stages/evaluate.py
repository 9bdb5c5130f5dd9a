"""Stage evaluate: metrics of every run; one long table and one list of runs."""

import argparse
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pandas as pd

from noneuclid_compare import io
from noneuclid_compare.evaluation import metrics
from noneuclid_compare.records import Predictions
from noneuclid_compare.stages.launch import launch

COLUMNS = ["dataset", "embedding", "method", "setting", "repeat", "fold", "metric", "value"]
RECORDED = ("train_rows", "test_rows", "fit_seconds", "search_seconds", "predict_seconds")


def main(argv=None):
    """Parse the arguments, read all runs of the plan, score, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plan", type=Path, required=True, help="JSON, see `runs_of`")
    parser.add_argument("--train", type=Path, required=True, help="folder of the train stage")
    parser.add_argument("--output", type=Path, nargs=3, required=True, help="parquet, tsv, json")
    args = parser.parse_args(argv)

    rows, runs = [], []
    for run in runs_of(io.read_json(args.plan)):
        stem = args.train.joinpath(*map(str, run))
        record = io.read_json(f"{stem}.json")
        predictions = io.read_record(f"{stem}.npz", Predictions)
        rows += score(record, predictions)
        runs.append(record)
    table = pd.DataFrame(rows, columns=COLUMNS)
    parquet, tsv, json_file = args.output
    io.write_table(parquet, table)
    io.write_table(tsv, table)
    io.write_json(json_file, runs)


def runs_of(plan):
    """List (dataset, embedding, method, repeat) of a plan.

    Examples
    --------
    >>> runs_of({"repeats": 2, "pairs": [["karate", "hydra", ["majority"]]]})
    [('karate', 'hydra', 'majority', 0), ('karate', 'hydra', 'majority', 1)]
    """
    return [
        (dataset, embedding, method, repeat)
        for dataset, embedding, methods in plan["pairs"]
        for method in methods
        for repeat in range(plan["repeats"])
    ]


def score(record, predictions):
    """Rows of the long table for one run."""
    rows = []
    for facts in record["folds"]:
        part = fold_of(predictions, facts["fold"])
        values = metrics.evaluate(part, len(record["class_names"]))
        values |= {name: facts[name] for name in RECORDED}
        values["peak_memory_mb"] = record["peak_memory_mb"]
        if facts["n_updates"] is not None:
            values["n_updates"] = np.sum(facts["n_updates"])
        values |= optimum(facts) | on_training_rows(facts)
        run = [record[name] for name in ("dataset", "embedding", "method")]
        key = [*run, setting(record), record["repeat"], facts["fold"]]
        rows += [[*key, metric, value] for metric, value in values.items()]
    return rows


def optimum(facts):
    """Objective and gap of a fit, means over its binary problems, where all have such numbers.

    The gap is the one that the method reports, `eta`, else |f - p| / (1 + |f| + |p|) of objective f
    and lower bound p (Yang et al. 2024, eq. 15).

    Examples
    --------
    >>> optimum({"objective": [4.0, 1.0], "lower_bound": [3.0, 1.0]})
    {'objective': 2.5, 'optimality_gap': 0.0625}
    >>> optimum({"objective": 2.0, "lower_bound": None})
    {'objective': 2.0}
    >>> optimum({"objective": 2.0, "lower_bound": 0.0, "eta": [0.5, 0.25]})["optimality_gap"]
    0.375
    """
    f, p = (np.array(facts.get(name), dtype=float) for name in ("objective", "lower_bound"))
    gap = facts.get("eta")
    if gap is None:
        gap = np.abs(f - p) / (1.0 + np.abs(f) + np.abs(p))
    values = {"objective": float(f.mean()), "optimality_gap": float(np.mean(gap))}
    return {name: value for name, value in values.items() if np.isfinite(value)}


def on_training_rows(facts):
    """Scores on training rows and objectives on other rows, means over binary problems.

    Examples
    --------
    >>> on_training_rows({"training_scores": {"accuracy": 0.5}})
    {'train_accuracy': 0.5}
    >>> on_training_rows({"objective_elsewhere": {"test": [1.0, 3.0]}})
    {'objective_test': 2.0}
    """
    scores, objectives = (facts.get(k, {}) for k in ("training_scores", "objective_elsewhere"))
    values = {f"train_{name}": value for name, value in scores.items()}
    return values | {f"objective_{name}": float(np.mean(v)) for name, v in objectives.items()}


def setting(record):
    """The configured parameters of a method in one line; values of a grid are in braces.

    Examples
    --------
    >>> setting({"settings": {"loss": "hinge"}, "grid": {"C": [0.1, 1]}})
    'C={0.1, 1}, loss=hinge'
    """
    searched = {name: f"{{{', '.join(map(str, v))}}}" for name, v in record["grid"].items()}
    values = {**record["settings"], **searched}
    return ", ".join(f"{name}={values[name]}" for name in sorted(values))


def fold_of(predictions, k):
    """Predictions of fold `k`."""
    chosen = predictions.fold == k
    values = {item.name: getattr(predictions, item.name) for item in fields(predictions)}
    return replace(
        predictions,
        **{name: value[chosen] for name, value in values.items() if isinstance(value, np.ndarray)},
    )


if __name__ == "__main__":
    launch(main)
