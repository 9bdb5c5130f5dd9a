"""Kernel machines on hyperbolic space: seconds, memory and accuracy of landmarks and exact SVM.

    python benchmarks/hyperbolic_kernels.py [--quick] [--prototype FOLDER] [--output FILE]

Mixtures on the hyperbolic plane: four hyperbolic Gaussians, and six classes of wrapped normals.
Columns: seconds by the clock and processor seconds of the fit; seconds to predict 20,000 rows; the
growth of the largest resident memory during the fit, in MB; balanced accuracy on 20,000 other rows.
The table was measured while other jobs kept the two cores busy (load 10): compare rows of one run,
and processor seconds. Each row is a process of its own, after a small fit that compiles.
`--prototype` names a folder with a `landmark_kernel.py` to compare with. Landmarks use two threads,
or as many as `--jobs` says.
"""

import argparse
import csv
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
from sklearn.metrics import balanced_accuracy_score

from noneuclid import HyperbolicKernelSVC, HyperbolicNystroemClassifier
from noneuclid.geometry import charts
from noneuclid_compare.data.generators import hyperbolic_gaussians, wrapped_normal_mixture
from outputs import options_of

TEST = 20_000
SHARED = {"chart": "hyperboloid", "class_weight": "balanced", "calibration": None}
COLUMNS = ["data", "method", "n", "landmarks", "jobs", "seconds", "cpu_s"]
COLUMNS += ["predict_s", "peak_mb", "balanced_accuracy"]


def points(name, n):
    """Shuffled training and test rows on the hyperboloid, with labels."""
    if name == "gaussians":
        found = hyperbolic_gaussians.load(
            {}, 0, n_classes=4, n_samples_per_class=(n + TEST) // 4, n_features=2
        )
    else:
        settings = {"n_samples": n + TEST, "n_classes": 6, "n_features": 2}
        found = wrapped_normal_mixture.load({}, 3, **settings)
    X = charts.convert(found.features, found.chart, "hyperboloid", 1.0)
    order = np.random.default_rng(1).permutation(len(X))
    return X[order], found.labels[order]


def model_of(method, landmarks, jobs, prototype):
    if method == "svm":
        return HyperbolicKernelSVC(**SHARED)
    if method == "prototype":
        sys.path.insert(0, prototype)
        from landmark_kernel import LandmarkKernelClassifier

        return LandmarkKernelClassifier(m=landmarks)
    settings = {"n_components": landmarks, "n_jobs": jobs, "random_state": 0}
    return HyperbolicNystroemClassifier(**settings, **SHARED)


def measure(data, method, n, landmarks, jobs, prototype):
    """One row of the table."""
    X, y = points(data, n)
    model_of(method, landmarks, jobs, prototype).fit(X[:2000], y[:2000])
    model = model_of(method, landmarks, jobs, prototype)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start, cpu = time.perf_counter(), time.process_time()
    model.fit(X[:n], y[:n])
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    start = time.perf_counter()
    predicted = model.predict(X[n : n + TEST])
    predicting = time.perf_counter() - start
    score = balanced_accuracy_score(y[n : n + TEST], predicted)
    numbers = [round(v, 2) for v in (seconds, cpu, predicting, peak)]
    return [data, method, n, landmarks, jobs, *numbers, round(score, 4)]


def plan(options):
    """Arguments of `measure`."""
    sizes = (4000, 40_000) if options.quick else (4000, 100_000, 1_000_000)
    for data in ("gaussians", "wrapped_normals"):
        yield data, "svm", 4000, "", 1
        for n in sizes:
            for landmarks in (200,) if options.quick or n != sizes[-1] else (50, 100, 200, 400):
                yield data, "landmarks", n, landmarks, options.jobs
            if options.prototype:
                yield data, "prototype", n, 200, options.jobs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="40,000 rows at most")
    parser.add_argument("--prototype", help="folder with landmark_kernel.py")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = options_of(parser, Path(__file__).with_suffix(".tsv"), chosen=("one", "prototype"))
    if options.one:
        print(json.dumps(measure(*json.loads(options.one), options.prototype)))
        return
    rows = []
    for arguments in plan(options):
        command = [sys.executable, __file__, "--one", json.dumps(arguments)]
        command += ["--prototype", options.prototype] if options.prototype else []
        rows.append(json.loads(subprocess.check_output(command, text=True).splitlines()[-1]))
        print(*rows[-1], sep="\t", flush=True)
    if options.output:
        with open(options.output, "w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream, delimiter="\t", lineterminator="\n")
            writer.writerows([COLUMNS, *rows])


if __name__ == "__main__":
    main()
