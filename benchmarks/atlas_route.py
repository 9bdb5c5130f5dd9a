"""From a file of raw counts to labels of new cells, as the commands do it: atlas_route.tsv.

    python benchmarks/atlas_route.py [--cells 100000] [--methods hyperbolic_nystroem poincare_svm]

The file is an atlas of `cell_atlas` with 2,000 genes and 40 types. ``noneuclid init`` writes a
configuration; its data set, embedding and methods run by the stages that ``noneuclid run`` starts,
with the folds and the search of that configuration and a model fitted on all cells. Each step is a
process with one thread: processor and wall seconds, and its largest resident memory. `note` has the
mean balanced accuracy of the folds.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml
from sklearn.metrics import balanced_accuracy_score

from noneuclid_compare import io
from noneuclid_compare.config import configuration
from noneuclid_compare.data.generators import cell_atlas
from noneuclid_compare.records import Predictions

TABLE = Path(__file__).with_suffix(".tsv")
HEADER = "cells\tstep\tprocessor_s\twall_s\tpeak_mb\tnote"
NEW = 10_000


def measured(module, *words):
    """Processor seconds, wall seconds and peak in MB of a module run with these words."""
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    start = time.perf_counter()
    command = [sys.executable, "-m", module, *map(str, words)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)} failed")
    wall = time.perf_counter() - start
    return [f"{used.ru_utime + used.ru_stime:.1f}", f"{wall:.1f}", f"{used.ru_maxrss / 1e3:.0f}"]


def steps(folder, cells, methods):
    """Lines of the table."""
    cell_atlas.write(folder / "atlas.h5ad", 0, n_cells=cells)
    cell_atlas.write(folder / "new.h5ad", 0, n_cells=NEW)
    home = Path.cwd()
    os.chdir(folder)
    size = f"{(folder / 'atlas.h5ad').stat().st_size / 1e9:.2f} GB"
    yield ["init", *measured("noneuclid_compare", "init", "atlas.h5ad", "--label", "subtype"), size]
    os.chdir("atlas")
    config = configuration.completed(yaml.safe_load(Path("config.yaml").read_text()))
    (dataset,) = config["datasets"].values()
    (embedding,) = [name for name in dataset["embeddings"] if name != "original"]
    files = {role: str(Path(path)) for role, path in dataset["files"].items()}
    stage = "noneuclid_compare.stages."
    words = ["--name", "atlas", "--use", dataset["use"], "--params", json.dumps(dataset["params"])]
    words += ["--files", json.dumps(files), "--seed", 0, "--output", "data.npz"]
    yield ["acquire", *measured(f"{stage}acquire", *words), "raw counts to components"]
    entry = config["embeddings"][embedding]
    words = ["--dataset", "data.npz", "--name", embedding, "--use", entry["use"], "--seed", 0]
    words += ["--params", json.dumps(entry.get("params", {})), "--output", "points.npz"]
    words += ["--card", "card.json", "--map", "map.npz"]
    yield [f"embed {embedding}", *measured(f"{stage}embed", *words), ""]
    split = config["splits"] | dataset.get("split", {})
    words = ["--dataset", "data.npz", "--repeat", 0, "--seed", 0, "--output", "split.npz"]
    yield ["split", *measured(f"{stage}split", *words, "--settings", json.dumps(split)), ""]
    for name in methods:
        method = configuration.method_of(config, name)
        words = ["--points", "points.npz", "--split", "split.npz", "--map", "map.npz"]
        words += ["--names", "atlas", embedding, name, "--method", json.dumps(method)]
        words += ["--repeat", 0, "--seed", 0, "--predictions", "predictions.npz"]
        words += ["--record", "record.json", "--model", "model.skops"]
        numbers = measured(f"{stage}train", *words)
        found = io.read_record(Path("predictions.npz"), Predictions)
        accuracy = balanced_accuracy_score(found.truth, found.predicted)
        yield [f"train {name}", *numbers, f"{accuracy:.3f}"]
    words = ["predict", "model.skops", "../new.h5ad", "--output", "labels.tsv"]
    yield [f"predict {NEW} new cells", *measured("noneuclid_compare", *words), ""]
    os.chdir(home)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cells", type=int, default=100_000)
    parser.add_argument("--methods", nargs="+", default=["poincare_svm", "hyperbolic_nystroem"])
    args = parser.parse_args()
    lines = [HEADER]
    with tempfile.TemporaryDirectory() as folder:
        for line in steps(Path(folder), args.cells, args.methods):
            lines.append("\t".join([str(args.cells), *line]))
            print(lines[-1], flush=True)
    TABLE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
