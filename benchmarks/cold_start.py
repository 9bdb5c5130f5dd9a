"""Processor time of the first fit of a machine, of a process, and of later fits.

    python benchmarks/cold_start.py [--before CHECKOUT] [--repeats 3] [ESTIMATOR ...]

Each repeat starts a process with an empty cache of machine code ("cold"), then one with the cache
that the first has left ("cached"), whose later fits give the last number. The table has the least
user and system seconds of the repeats, one thread, of default fits to 300 points of two classes in
the plane. With --before, a checkout of another version takes turns with this one.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).resolve().parent
ESTIMATORS = (
    *("HyperboloidSVC", "PoincareSVC", "HilbertSVC", "HilbertNearestClassifier"),
    *("HorosphereDecisionTreeClassifier", "HyperbolicDecisionTreeClassifier"),
    *("HyperbolicRandomForestClassifier", "HyperbolicLogisticRegression"),
    *("PoincarePerceptron", "PoincareSecondOrderPerceptron", "PoincareStrategicPerceptron"),
    *("HyperboloidPerceptron", "WeberPerceptron"),
)
STEPS = ("cold_fit_s", "cold_predict_s", "cached_fit_s", "cached_predict_s", "later_fit_s")
LATER_FITS, LATER_S = 200, 1.0  # as many as fit into this time


def sample(name):
    """Points of two overlapping classes, as tangent vectors or as compositions of three parts."""
    import numpy as np

    rng = np.random.default_rng(0)
    y = rng.integers(2, size=300)
    X = 0.6 * rng.normal(size=(300, 2)) + 0.8 * y[:, None]
    if name.startswith("Hilbert"):
        X = np.exp(np.column_stack([X, np.zeros(len(X))]))
        X /= X.sum(axis=1, keepdims=True)
    return X, y


def measure(name):
    """Seconds of the first fit, the first prediction and the quickest later fit."""
    import noneuclid

    X, y = sample(name)
    model = getattr(noneuclid, name)()
    times = [time.process_time()]
    for step in (lambda: model.fit(X, y), lambda: model.predict(X)):
        step()
        times.append(time.process_time())
    later, end = [], time.process_time() + LATER_S
    while not later or (len(later) < LATER_FITS and time.process_time() < end):
        start = time.process_time()
        model.fit(X, y)
        later.append(time.process_time() - start)
    return [times[1] - times[0], times[2] - times[1], min(later)]


def start(name, source, cache):
    """`measure` in a process of its own."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
    environment = os.environ | threads | {"NUMBA_CACHE_DIR": cache, "PYTHONPATH": str(source)}
    command = [sys.executable, __file__, "--measure", name]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def repeat(name, source):
    """One row of the table."""
    with TemporaryDirectory() as cache:
        cold, cached = start(name, source, cache), start(name, source, cache)
    return [*cold[:2], *cached]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("estimators", nargs="*", default=ESTIMATORS)
    parser.add_argument("--before", type=Path)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--measure", metavar="ESTIMATOR", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.measure:
        print(json.dumps(measure(args.measure)))
        return
    versions = {"now": HERE.parent / "src"}
    if args.before:
        versions = {"before": args.before / "src"} | versions
    lines = ["\t".join(["estimator", "version", *STEPS])]
    for name in args.estimators:
        rows = {version: [] for version in versions}
        for _ in range(args.repeats):
            for version, source in versions.items():
                rows[version].append(repeat(name, source))
        for version, times in rows.items():
            least = map(min, zip(*times, strict=True))
            lines.append("\t".join([name, version, *(f"{second:.4g}" for second in least)]))
            print(lines[-1], flush=True)
    if set(args.estimators) == set(ESTIMATORS):
        (HERE / "cold_start.tsv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
