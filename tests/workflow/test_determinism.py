import json
import os
import re

import pytest
from comparing import comparable

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("two random runs")]

DATASETS = {
    "gaussians": {
        "use": "hyperbolic_gaussians",
        "params": {"n_classes": 3, "n_samples_per_class": 12, "n_features": 2},
        "embeddings": ["given"],
    }
}
TREES = "noneuclid.HyperbolicRandomForestClassifier"
METHODS = {
    "forest": {"use": TREES, "params": {"n_estimators": 5}},
    "poincare_svm": {
        "use": "noneuclid.PoincareSVC",
        "grid": {"C": [0.1, 1]},
    },
    "shuffled": {
        "use": "noneuclid.ShuffledLabelsClassifier",
        "chart": "poincare",
    },
}
TARGETS = ["--nocolor", "results/evaluate/scores.parquet"]


def tiny(methods):
    """The tiny configuration with one data set and some methods."""
    return {
        "seed": 3,
        "repeats": 1,
        "splits": {"scheme": "stratified_kfold", "folds": 2},
        "search": {"folds": 2, "scoring": "accuracy"},
        "datasets": DATASETS,
        "embeddings": {"given": {"use": "given"}},
        "methods": {name: METHODS[name] for name in methods},
        "report": {"title": "Twice", "metric": "accuracy"},
    }


def run(copy, methods, cores, *options):
    copy.config.write_text(json.dumps(tiny(methods)))
    done = copy.run(*TARGETS, *options, cores=cores)
    assert done.returncode == 0, done.stdout + done.stderr
    order = re.findall(r"output: results/train/gaussians/given/(\w+)/", done.stdout + done.stderr)
    return order, comparable(copy.folder / "results")


@pytest.mark.slow
def test_same_results_with_one_and_two_cores_in_any_order_and_again(fresh):
    names = list(METHODS)
    order, first = run(fresh, names, 1)
    kinds = {os.path.splitext(name)[1] for name in first}
    assert {".npz", ".json", ".skops", ".tsv"} <= kinds
    assert len(first) == 5 + 3 * len(names) + 2
    _, other_order = run(fresh, names[::-1], 2, "--forceall", "--prioritize", last_model(order))
    assert other_order == first
    change(fresh.folder / "results/train/gaussians/given/shuffled/0.json", "fit_seconds", 9.0)
    assert comparable(fresh.folder / "results") == first
    change(fresh.folder / "results/train/gaussians/given/shuffled/0.json", "n_iter", 9)
    changed = comparable(fresh.folder / "results")
    assert [n for n in first if first[n] != changed[n]] == ["train/gaussians/given/shuffled/0.json"]


def change(path, key, value):
    """Write another value into the first fold of a record."""
    record = json.loads(path.read_text())
    record["folds"][0][key] = value
    path.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")


def last_model(order):
    """File of the job that ran last, to be run first."""
    return f"results/models/gaussians/given/{order[-1]}.skops"
