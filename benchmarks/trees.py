"""Fit times of HyperbolicRandomForestClassifier beside scikit-learn's forest on the same matrix.

    python benchmarks/trees.py [--repeats 9] [--largest 100000] [--output benchmarks/trees.tsv]

Both get the hyperboloid coordinates of the same points, 100 trees, one thread. They take turns, and
the clock counts processor seconds, so that a busy machine slows both alike; the table gives medians
and their ratio. Ours must stay below 1.15. Run with OMP_NUM_THREADS=1.
"""

import argparse
import os
import platform
import time
from itertools import product
from pathlib import Path

import numba
import numpy as np
import sklearn
from sklearn.ensemble import RandomForestClassifier

from noneuclid import HyperbolicRandomForestClassifier
from noneuclid.geometry.charts import convert

SIZES, DIMENSIONS = (1_000, 10_000, 100_000), (2, 16)
COLUMNS = ["n", "d", "trees", "max_depth", "repeats", "sklearn_cpu_s", "noneuclid_cpu_s", "ratio"]


def mixture(n, d, classes=5, seed=0):
    """Wrapped normal mixture on the hyperboloid, as in chlenski2024: covariance divided by d."""
    rng = np.random.default_rng(seed)
    y = rng.integers(classes, size=n)
    centres = rng.normal(size=(classes, d))
    tangent = centres[y] + rng.normal(size=(n, d)) / np.sqrt(d)
    return convert(tangent, "tangent", "hyperboloid"), y


def seconds(model, X, y):
    start = time.process_time()
    model.fit(X, y)
    return time.process_time() - start


def compare(n, d, trees, depth, repeats):
    X, y = mixture(n, d)
    settings = {"n_estimators": trees, "max_depth": depth}
    times = []
    for seed in range(repeats):
        theirs = RandomForestClassifier(**settings, random_state=seed)
        ours = HyperbolicRandomForestClassifier(**settings, random_state=seed, chart="hyperboloid")
        pair = [theirs, ours] if seed % 2 else [ours, theirs]
        took = {id(model): seconds(model, X, y) for model in pair}
        times.append([took[id(theirs)], took[id(ours)]])
    return np.median(times, axis=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--largest", type=int, default=SIZES[-1])
    parser.add_argument("--trees", type=int, default=100)
    parser.add_argument("--depth", type=int, default=10)
    parser.add_argument("--output", type=Path, default=Path(__file__).with_suffix(".tsv"))
    options = parser.parse_args()
    lines = [
        f"# python {platform.python_version()}, numpy {np.__version__}, scikit-learn "
        f"{sklearn.__version__}, numba {numba.__version__}, {os.cpu_count()} cpus",
        "\t".join(COLUMNS),
    ]
    print("\n".join(lines))
    for d, n in product(DIMENSIONS, SIZES):
        if n > options.largest:
            continue
        repeats = min(options.repeats, 2) if n >= 100_000 else options.repeats
        theirs, ours = compare(n, d, options.trees, options.depth, repeats)
        cells = [n, d, options.trees, options.depth, repeats, f"{theirs:.4f}", f"{ours:.4f}"]
        lines.append("\t".join(map(str, [*cells, f"{ours / theirs:.3f}"])))
        print(lines[-1], flush=True)
    options.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
