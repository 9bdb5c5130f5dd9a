"""PoincareSVC beside the numbers of pan2023, Euclidean SVMs and LIBLINEAR alone.

    python benchmarks/poincare_svm.py [--data DIRECTORY] [--parts accuracy,time,memory] \
        [--largest 1000000] [--wide 100000x1000] [--output benchmarks/poincare_svm.tsv]

accuracy  Table III of pan2023 on its fixed splits, C = 5: as published (squared hinge, no
          intercept, the authors' reference points) and as it should be (Euclidean SVM with
          intercept, our own reference points). `published` is the paper's figure.
time      Uniform ball with margin .01 in the plane: fit with reference point and log map, against
          LIBLINEAR alone (scikit-learn, default tolerance, same C) on the same vectors, in turns.
          `theirs` is LIBLINEAR's time, `objective_ratio` its objective over ours. The authors'
          program needs 2.2 s at n = 1e5, reference point excluded.
memory    Peak resident memory of a fit, in a process of its own; `copies` is what it adds to the
          data, in units of the data.

The clock counts processor seconds of one thread: run with OMP_NUM_THREADS=1. DIRECTORY holds the
authors' files (default: $NONEUCLID_MIRROR/PoincareLinearClassification).
"""

import argparse
import os
import platform
import resource
import subprocess
import sys
import time
import warnings
from pathlib import Path

import numba
import numpy as np
import sklearn
from sklearn.svm import LinearSVC

from noneuclid import EuclideanSVC, PoincareSVC
from noneuclid.classifiers.calibration import platt
from noneuclid.datasets import pan2023_embeddings, uniform_ball

C = 5.0
PUBLISHED = {
    "olsson": {"poincare": 89.77, "euclidean": 71.59},
    "cifar": {"poincare": 91.84, "euclidean": 47.66},
    "fashion-mnist": {"poincare": 87.82, "euclidean": 39.91},
}
AUTHORS_SECONDS = 2.2  # n = 1e5, d = 2
COLUMNS = [
    "part", "set", "n", "d", "method", "reference", "accuracy", "published", "difference",
    "seconds", "theirs", "ratio", "objective_ratio", "peak_gib", "copies", "status", "gap",
]  # fmt: skip


class NoIntercept:
    """The paper's Euclidean baseline: LIBLINEAR without intercept, one-vs-rest, Platt."""

    def fit(self, X, y):
        """One machine and one sigmoid for each class."""
        self.classes_ = np.unique(y)
        self.machines, self.sigmoids = [], []
        for label in self.classes_:
            signs = np.where(y == label, 1, -1)
            machine = LinearSVC(C=C, fit_intercept=False, dual=False).fit(X, signs)
            self.machines.append(machine)
            self.sigmoids.append(platt(machine.decision_function(X), signs))
        return self

    def score(self, X, y):
        """Accuracy of the largest log-odds."""
        odds = [
            slope * machine.decision_function(X) + offset
            for machine, (slope, offset) in zip(self.machines, self.sigmoids, strict=True)
        ]
        return np.mean(self.classes_[np.argmax(odds, axis=0)] == y)


def seconds(model, X, y):
    start = time.process_time()
    model.fit(X, y)
    return time.process_time() - start


def accuracy(directory):
    for name, published in PUBLISHED.items():
        files = {
            "embedding": directory / f"{name}_poincare_embedding.npz",
            "reference": directory / f"{name}_reference_points_gt.npy",
        }
        data = pan2023_embeddings.load({"name": name}, files, 0)
        train = data.fixed_fold == 0
        theirs = data.about["reference_points"]
        rules = [theirs, "hulls", "hull vertices", "midpoint of means", "best plane"]
        ball = {"C": C, "chart": "poincare"}
        contests = [("euclidean", "no intercept", NoIntercept(), "euclidean")]
        contests.append(("euclidean", "with intercept", EuclideanSVC(**ball), "euclidean"))
        for margin in ("paper", "exact"):
            for rule in rules:
                label = rule if isinstance(rule, str) else "authors' file"
                model = PoincareSVC(**ball, margin=margin, reference_point=rule)
                contests.append((f"poincare {margin}", label, model, "poincare"))
        for method, label, model, row in contests:
            took = seconds(model, data.features[train], data.labels[train])
            score = 100 * model.score(data.features[~train], data.labels[~train])
            yield {
                "part": "accuracy",
                "set": name,
                "n": int(train.sum()),
                "d": 2,
                "method": method,
                "reference": label,
                "accuracy": f"{score:.2f}",
                "published": published[row],
                "difference": f"{score - published[row]:+.2f}",
                "seconds": f"{took:.3f}",
                "gap": f"{np.max(model.gap_):.1e}" if hasattr(model, "gap_") else "",
            }


def duration(n, repeats):
    data = uniform_ball.load({"points": n}, {}, 0)
    X, y = data.features, data.labels
    signs = 2.0 * y - 1.0
    for calibration in (None, "platt"):
        model = PoincareSVC(C=C, chart="poincare", calibration=calibration)
        model.fit(X[:2000], y[:2000])  # compiles
        ours, theirs = [], []
        for _ in range(repeats):
            ours.append(seconds(model, X, y))
            vectors = model._vectors(X, model.reference_points_[0])
            machine = LinearSVC(C=C, fit_intercept=False, dual=False)
            theirs.append(seconds(machine, vectors, signs))
        w = machine.coef_[0]
        slack = np.maximum(0.0, 1.0 - signs * (vectors @ w))
        value = 0.5 * (w @ w) + C * (slack @ slack)
        yield {
            "part": "time",
            "set": "uniform_ball",
            "n": n,
            "d": 2,
            "method": f"calibration={calibration}",
            "reference": str(model.reference_rules_[0]),
            "accuracy": f"{100 * model.score(X, y):.2f}",
            "seconds": f"{np.median(ours):.3f}",
            "theirs": f"{np.median(theirs):.3f}",
            "ratio": f"{np.median(ours) / np.median(theirs):.2f}",
            "objective_ratio": f"{value / model.objective_:.3f}",
            "status": model.status_,
            "gap": f"{model.gap_:.1e}",
        }
        if n == 100_000 and calibration:
            yield {
                "part": "time",
                "set": "uniform_ball",
                "n": n,
                "d": 2,
                "method": "authors' program (peers.md) over ours",
                "seconds": f"{np.median(ours):.3f}",
                "theirs": AUTHORS_SECONDS,
                "ratio": f"{AUTHORS_SECONDS / np.median(ours):.1f}",
            }


def wide_ball(n, d):
    """Points in the ball of radius .95, made in place, with labels from a noisy plane."""
    rng = np.random.default_rng(0)
    X, side = np.empty((n, d)), np.empty(n)
    normal = rng.standard_normal(d) / np.sqrt(d)
    for start in range(0, n, 1000):
        rows = X[start : start + 1000]
        rng.standard_normal(out=rows)
        side[start : start + 1000] = rows @ normal
        length = 0.95 * rng.random((len(rows), 1)) ** (1 / d)
        rows *= length / np.linalg.norm(rows, axis=1, keepdims=True)
    return X, (side + 0.1 * rng.standard_normal(n) > 0).astype(int)


def one_fit(solver, n, d):
    """In a process of its own: prints seconds, peak, copies, status, gap."""
    X, y = wide_ball(n, d)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    model = PoincareSVC(C=C, chart="poincare", solver=solver, calibration=None)
    took = seconds(model, X, y)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(took, after, (after - peak) / X.nbytes, model.status_, model.gap_, model.score(X, y))


def memory(n, d):
    for solver in ("newton", "liblinear"):
        code = f"import poincare_svm; poincare_svm.one_fit({solver!r}, {n}, {d})"
        here = Path(__file__).parent
        out = subprocess.check_output([sys.executable, "-c", code], cwd=here, text=True).split()
        took, peak, copies, status, gap, score = out
        yield {
            "part": "memory",
            "set": "wide ball",
            "n": n,
            "d": d,
            "method": solver,
            "reference": "midpoint of means",
            "accuracy": f"{100 * float(score):.2f}",
            "seconds": f"{float(took):.1f}",
            "peak_gib": f"{float(peak) / 2**30:.2f}",
            "copies": f"{float(copies):.2f}",
            "status": status,
            "gap": f"{float(gap):.1e}",
        }


def main():
    mirror = Path(os.environ.get("NONEUCLID_MIRROR", ".")) / "PoincareLinearClassification"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=mirror)
    parser.add_argument("--parts", default="accuracy,time,memory")
    parser.add_argument("--largest", type=int, default=1_000_000)
    parser.add_argument("--wide", default="100000x1000")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--output", type=Path, default=Path(__file__).with_suffix(".tsv"))
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    n, d = map(int, options.wide.split("x"))
    parts = {
        "accuracy": lambda: accuracy(options.data),
        "time": lambda: (
            row
            for n in (100_000, 1_000_000)
            if n <= options.largest
            for row in duration(n, options.repeats)
        ),
        "memory": lambda: memory(n, d),
    }
    lines = [
        f"# python {platform.python_version()}, numpy {np.__version__}, scikit-learn "
        f"{sklearn.__version__}, numba {numba.__version__}, {os.cpu_count()} cpus",
        "\t".join(COLUMNS),
    ]
    print("\n".join(lines))
    for part in options.parts.split(","):
        for row in parts[part]():
            lines.append("\t".join(str(row.get(column, "")) for column in COLUMNS))
            print(lines[-1], flush=True)
    options.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
