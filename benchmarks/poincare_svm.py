"""PoincareSVC beside the numbers of pan2023, Euclidean SVMs and LIBLINEAR alone.

    python benchmarks/poincare_svm.py [--data DIRECTORY] [--parts accuracy,time,memory] \
        [--largest 1000000] [--wide 100000x1000] [--output benchmarks/poincare_svm.tsv]

accuracy  Table III of pan2023 on its fixed splits, C = 5: as published (squared hinge, no
          intercept, the authors' reference points) and as it should be (Euclidean SVM with
          intercept, our own reference points). `published` is the paper's figure. Reference
          "default" chooses among five points by training accuracy.
time      Uniform ball with margin .01 in the plane: fit with reference point (the default, and the
          midpoint of means) and log map, against
          LIBLINEAR alone (scikit-learn, default tolerance, same C) on the same vectors, in turns.
          `theirs` is LIBLINEAR's time, `objective_ratio` its objective over ours. The authors'
          program needs 2.2 s at n = 1e5, reference point excluded.
memory    Peak memory of a fit, in a process of its own; `copies` is what it adds to the
          data (X and y), in units of the data; also for 1e6 points in the plane, with the default
          settings, hulls and calibration included.

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
import tracemalloc
import warnings
from itertools import product
from pathlib import Path

import numba
import numpy as np
import sklearn
from sklearn.svm import LinearSVC

from noneuclid import EuclideanSVC, PoincareSVC
from noneuclid_compare.data.generators import uniform_ball
from noneuclid_papers.data import pan2023_embeddings
from outputs import options_of

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
        data = pan2023_embeddings.load(files, 0, name=name)
        train = data.fixed_fold == 0
        theirs = data.about["reference_points"]
        rules = [theirs, "auto", "hulls", "hull vertices", "midpoint of means", "best plane"]
        ball = {"C": C, "chart": "poincare"}
        contests = [
            ("euclidean", label, EuclideanSVC(**ball, fit_intercept=fit_intercept), "euclidean")
            for label, fit_intercept in (("no intercept", False), ("with intercept", True))
        ]
        for margin in ("paper", "exact"):
            for rule in rules:
                label = rule if isinstance(rule, str) else "authors' file"
                label = "default" if label == "auto" else label
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
    data = uniform_ball.load({}, 0, n_samples=n)
    X, y = data.features, data.labels
    signs = 2.0 * y - 1.0
    for calibration, rule in product((None, "platt"), ("midpoint of means", "auto")):
        settings = {"calibration": calibration, "reference_point": rule}
        model = PoincareSVC(C=C, chart="poincare", **settings)
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
            "reference": f"default: {model.reference_rules_[0]}" if rule == "auto" else rule,
            "accuracy": f"{100 * model.score(X, y):.2f}",
            "seconds": f"{np.median(ours):.3f}",
            "theirs": f"{np.median(theirs):.3f}",
            "ratio": f"{np.median(ours) / np.median(theirs):.2f}",
            "objective_ratio": f"{value / model.objective_:.3f}",
            "status": model.status_,
            "gap": f"{model.gap_:.1e}",
        }
        if n == 100_000 and calibration and rule == "auto":
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


def one_fit(solver, calibration, n, d):
    """In a process of its own: prints seconds, peak, copies, status, gap."""
    X, y = wide_ball(n, d)
    model = PoincareSVC(C=C, chart="poincare", solver=solver, calibration=calibration)
    model.fit(X[:2000], y[:2000])  # loads what is compiled
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    tracemalloc.start()  # LIBLINEAR's own memory it does not see, small peaks the system hides
    took = seconds(model, X, y)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    more = max(after - peak, tracemalloc.get_traced_memory()[1])
    print(took, after, more / (X.nbytes + y.nbytes), model.status_, model.gap_, model.score(X, y))


def memory(n, d):
    fits = [("newton", None, n, d), ("liblinear", None, n, d), ("newton", "platt", 10 * n, 2)]
    for solver, calibration, n, d in fits:
        code = f"import poincare_svm; poincare_svm.one_fit({solver!r}, {calibration!r}, {n}, {d})"
        here = Path(__file__).parent
        out = subprocess.check_output([sys.executable, "-c", code], cwd=here, text=True).split()
        took, peak, copies, status, gap, score = out
        yield {
            "part": "memory",
            "set": "wide ball",
            "n": n,
            "d": d,
            "method": f"{solver}, calibration={calibration}",
            "reference": "default",
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
    options = options_of(parser, Path(__file__).with_suffix(".tsv"), chosen=("data",))
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
    if options.output:
        options.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
