"""Fit and predict times of the hyperbolic trees beside scikit-learn's on the same matrix.

    python benchmarks/trees.py [--largest 100000] [--hyperdt FOLDER] [--million]

Both get the hyperboloid coordinates of the same points, one thread each; ours include the way to
axis coordinates. They take turns, and the clock counts processor seconds, so that a busy machine
slows both alike; the table gives the least of the repeats and its ratio, which should stay below
1.1. FOLDER holds hyperdt 0.0.3 (`pip download --no-deps`, then unzip), which is run up to n = 1000,
and a single tree in the plane to 10,000.
With --million only the forest on a million points, by the clock on the wall with all cores.
Run with OMP_NUM_THREADS=1.
"""

import argparse
import os
import platform
import sys
import time
from importlib import import_module
from itertools import product
from pathlib import Path

import numba
import numpy as np
import sklearn
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from noneuclid import HyperbolicDecisionTreeClassifier, HyperbolicRandomForestClassifier
from noneuclid.geometry.charts import convert
from outputs import options_of

SIZES, DIMENSIONS = (1_000, 10_000, 100_000), (2, 16)
MODELS = ((1, 3), (12, 3), (100, 10))  # trees, depth
COLUMNS = ["n", "d", "trees", "max_depth", "repeats", "sklearn_fit_s", "noneuclid_fit_s"]
COLUMNS += ["fit_ratio", "sklearn_predict_s", "noneuclid_predict_s", "predict_ratio"]
COLUMNS += ["hyperdt_fit_s", "hyperdt_predict_s"]
BUDGET = 10.0  # seconds for the repeats of a cell, if more than two


def mixture(n, d, classes=5, seed=0):
    """Wrapped normal mixture on the hyperboloid, as in chlenski2024: covariance divided by d."""
    rng = np.random.default_rng(seed)
    y = rng.integers(classes, size=n)
    centres = rng.normal(size=(classes, d))
    tangent = centres[y] + rng.normal(size=(n, d)) / np.sqrt(d)
    return np.ascontiguousarray(convert(tangent, "tangent", "hyperboloid")), y


def pair(trees, depth, seed):
    if trees == 1:
        settings = {"max_depth": depth, "random_state": seed}
        return (
            DecisionTreeClassifier(**settings),
            HyperbolicDecisionTreeClassifier(**settings, chart="hyperboloid"),
        )
    settings = {"n_estimators": trees, "max_depth": depth, "random_state": seed}
    return (
        RandomForestClassifier(**settings),
        HyperbolicRandomForestClassifier(**settings, chart="hyperboloid"),
    )


def seconds(model, X, y, least=0.02):
    """Processor seconds of fit and of predict; short ones several times over."""
    start = time.process_time()
    model.fit(X, y)
    times = [time.process_time() - start]
    start, count = time.process_time(), 0
    while not count or time.process_time() - start < least:
        model.predict(X)
        count += 1
    return [*times, (time.process_time() - start) / count]


def compare(n, d, trees, depth, repeats):
    """Least seconds, rows scikit-learn and ours, columns fit and predict; number of repeats."""
    X, y = mixture(n, d)
    times, start = [], time.process_time()
    for seed in range(repeats):
        models = pair(trees, depth, seed)
        if not seed:
            models[1].fit(X[:200], y[:200]).predict(X[:200])  # loads compiled code
        order = (0, 1) if seed % 2 else (1, 0)
        took = {k: seconds(models[k], X, y) for k in order}
        times.append([took[0], took[1]])
        if seed and time.process_time() - start > BUDGET:
            break
    return np.min(times, axis=0), len(times)


def published(folder, n, d, trees, depth):
    """Seconds of hyperdt, once; None where it would take minutes."""
    largest = 10_000 if (trees, d) == (1, 2) else 1_000
    if folder is None or n > largest or depth > 3:
        return None
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    X, y = mixture(n, d)
    if trees == 1:
        tree = import_module("hyperdt.tree").HyperbolicDecisionTreeClassifier
        return seconds(tree(max_depth=depth, skip_hyperboloid_check=True), X, y)
    forest = import_module("hyperdt.ensemble").HyperbolicRandomForestClassifier
    settings = {"n_estimators": trees, "max_depth": depth, "skip_hyperboloid_check": True}
    return seconds(forest(**settings, n_jobs=1), X, y)


def row(n, d, trees, depth, repeats, folder):
    (theirs, ours), repeats = compare(n, d, trees, depth, repeats)
    cells = [n, d, trees, depth, repeats]
    for k in (0, 1):
        cells += [f"{theirs[k]:.5f}", f"{ours[k]:.5f}", f"{ours[k] / theirs[k]:.3f}"]
    peer = published(folder, n, d, trees, depth)
    return cells + (["", ""] if peer is None else [f"{value:.3f}" for value in peer])


def million(depth):
    X, y = mixture(1_000_000, 16)
    model = HyperbolicRandomForestClassifier(
        n_estimators=100, max_depth=depth, n_jobs=-1, random_state=0, chart="hyperboloid"
    )
    start = time.perf_counter()
    model.fit(X, y)
    fitted = time.perf_counter()
    model.predict(X)
    done = time.perf_counter()
    return [len(X), 16, 100, depth, f"{fitted - start:.1f}", f"{done - fitted:.1f}"]


def table_of(options):
    """Table that a whole run replaces."""
    return Path(__file__).with_name("trees_million.tsv" if options.million else "trees.tsv")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--largest", type=int, default=SIZES[-1])
    parser.add_argument("--hyperdt", type=Path)
    parser.add_argument("--million", action="store_true")
    parser.add_argument("--depth", type=int, default=10, help="of the trees of --million")
    options = options_of(parser, table_of, chosen=("million", "hyperdt"))
    lines = [
        f"# python {platform.python_version()}, numpy {np.__version__}, scikit-learn "
        f"{sklearn.__version__}, numba {numba.__version__}, {os.cpu_count()} cpus, "
        f"load {os.getloadavg()[0]:.1f}",
    ]
    if options.million:
        lines.append("n\td\ttrees\tmax_depth\tfit_wall_s\tpredict_wall_s")
        lines.append("\t".join(map(str, million(options.depth))))
        print("\n".join(lines))
    else:
        lines.append("\t".join(COLUMNS))
        print("\n".join(lines))
        for (trees, depth), d, n in product(MODELS, DIMENSIONS, SIZES):
            if n <= options.largest:
                cells = row(n, d, trees, depth, options.repeats, options.hyperdt)
                lines.append("\t".join(map(str, cells)))
                print(lines[-1], flush=True)
    if options.output:
        options.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
