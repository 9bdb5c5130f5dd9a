"""One fit of classifiers to an atlas, 60 classes in the plane: time, memory and accuracy.

    python benchmarks/atlas_classifiers.py 10000 100000    # writes benchmarks/atlas_classifiers.tsv
    python benchmarks/atlas_classifiers.py 1000000 --methods logistic poincare_svm

Wrapped normals of unequal weights (`wrapped_normal_mixture`, spread 0.05). Each fit is a process of
its own with one thread: processor seconds of the fit, largest resident memory of the process from
the data to the predictions of 10,000 other rows, and their accuracy. `--limit` bounds the processor
seconds of a process.
"""

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import time
import warnings
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from noneuclid.geometry import charts
from noneuclid_compare.config import load_by_name
from noneuclid_compare.data.generators import wrapped_normal_mixture
from noneuclid_compare.jobs import forests

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "benchmarks/atlas_classifiers.tsv"
CLASSES, NEW = 60, 10_000
COLUMNS = ["method", "rows", "seconds", "megabytes", "accuracy", "predict_microseconds"]
METHODS = {
    "logistic": ("sklearn.linear_model.LogisticRegression", {"max_iter": 1000}, "poincare"),
    "poincare_svm": ("noneuclid.PoincareSVC", {}, "poincare"),
    "hyperboloid_svm": ("noneuclid.HyperboloidSVC", {}, "hyperboloid"),
    "hyperbolic_nystroem": ("noneuclid.HyperbolicNystroemClassifier", {}, "hyperboloid"),
    "wrapped_normal": ("noneuclid.WrappedNormalClassifier", {}, "hyperboloid"),
    "geodesic_knn": ("noneuclid.GeodesicKNeighborsClassifier", {}, "hyperboloid"),
    "hyperbolic_forest": ("noneuclid.HyperbolicRandomForestClassifier", {}, "hyperboloid"),
}


def points(n):
    """Rows in the plane with their classes, and new ones."""
    data = wrapped_normal_mixture.load({}, 0, n_samples=n + NEW, n_classes=CLASSES, spread=0.05)
    order = np.random.default_rng(0).permutation(n + NEW)
    return data.features[order], data.labels[order]


def measure(name, n):
    """Seconds, megabytes and accuracy of one fit in this process."""
    use, params, chart = METHODS[name]
    X, y = points(n)
    X = charts.convert(X, "hyperboloid", chart, 1.0)
    leaf = forests.leaf_size({"use": use, "params": params}, n)
    params = params if leaf is None else params | {"min_samples_leaf": leaf}
    model = load_by_name.build(use, params, chart=chart, curvature=1.0, random_state=0)
    few = np.concatenate([np.flatnonzero(y[:n] == k)[:10] for k in range(CLASSES)])
    model.fit(X[few], y[few])
    start = time.process_time()
    model.fit(X[:n], y[:n])
    seconds = time.process_time() - start
    predicted = model.predict(X[n:])
    predict_seconds = time.process_time() - start - seconds
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    return {
        "seconds": round(seconds, 2),
        "megabytes": round(megabytes),
        "accuracy": round(float((predicted == y[n:]).mean()), 4),
        "predict_microseconds": round(1e6 * predict_seconds / NEW, 1),
    }


def run(name, n, limit):
    """The numbers of `measure` in a process of its own; seconds only if it took too long."""
    command = [sys.executable, __file__, str(n), "--methods", name, "--one"]
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    bound = partial(resource.setrlimit, resource.RLIMIT_CPU, (limit, limit))
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, env=os.environ | threads, preexec_fn=bound
    )
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return None
    done.check_returncode()
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=int, nargs="+")
    parser.add_argument("--methods", nargs="+", default=list(METHODS))
    parser.add_argument("--limit", type=int, default=600, help="processor seconds of a process")
    parser.add_argument("--output", type=Path, default=TABLE)
    parser.add_argument("--one", action="store_true", help="measure here and print JSON")
    args = parser.parse_args()
    if args.one:
        warnings.simplefilter("ignore")
        print(json.dumps(measure(args.methods[0], args.rows[0])))
        return
    table = pd.read_csv(args.output, sep="\t") if args.output.exists() else pd.DataFrame()
    for n, name in product(args.rows, args.methods):
        found = run(name, n, args.limit)
        print(name, n, found or f"more than {args.limit} s", flush=True)
        if found is None:
            continue
        table = pd.concat([table, pd.DataFrame([{"method": name, "rows": n} | found])])
        table = table.drop_duplicates(["method", "rows"], keep="last", ignore_index=True)
        write(table, args.output)


def write(table, path):
    """Write the table, in its order of rows and methods."""
    order = table["method"].map(list(METHODS).index)
    table = table.assign(order=order).sort_values(["rows", "order"]).drop(columns="order")
    table[COLUMNS].to_csv(path, sep="\t", index=False)


if __name__ == "__main__":
    main()
