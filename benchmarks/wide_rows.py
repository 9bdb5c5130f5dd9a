"""Gradient descent and perceptrons on rows of 2 to 1000 columns, beside another checkout.

    python benchmarks/wide_rows.py --before FOLDER [--output FILE]

Data: points uniform in the Euclidean ball of radius 0.95 of the Poincaré ball, cut by a hyperplane
(`uniform_ball`, margin 0.01, |p| = 0.4 R). `descent` is the hyperboloid SVM of cho2019 (arcsinh
loss, C = 10) from LIBLINEAR's Euclidean SVM, which is not timed. The others are 20 passes at
most, each in a new order, with the true p for the two of pan2023.

Seconds are processor seconds of one thread, the least of three, warmed up. `digits` is a digest of
the result, by which both checkouts have the same. Writes benchmarks/wide_rows.tsv.
"""

import argparse
import hashlib
import time
from pathlib import Path

import numpy as np
import pandas as pd

from beside import add_before, checkouts
from noneuclid.classifiers import reference_rules
from noneuclid.classifiers.weber_perceptron import Weber
from noneuclid.geometry.charts import convert
from noneuclid.solvers.hyperboloid.descent import projected_gradient
from noneuclid.solvers.linear.liblinear import linear_svm
from noneuclid.solvers.perceptrons import mistake_driven
from noneuclid.solvers.perceptrons.second_order import SecondOrder
from noneuclid_compare.data.generators import uniform_ball

SIZES = [(100_000, 2), (30_000, 10), (30_000, 31), (30_000, 100), (5_000, 1000)]
RULES = {"perceptron": mistake_driven.Plain(), "second order": SecondOrder(), "weber": Weber()}
C, PASSES = 10.0, 20


def problem(n, d):
    data = uniform_ball.load({}, 0, n_samples=n, n_features=d)
    points = convert(data.features, "poincare", "hyperboloid")
    reference = np.array(data.about["reference_points"])
    return (
        points,
        np.where(data.labels, 1.0, -1.0),
        convert(reference, "poincare", "hyperboloid")[0],
    )


def measure(method, vectors, signs, start):
    """Seconds, steps or updates, and a digest of the result."""

    def run():
        if method == "descent":
            return projected_gradient.descend(vectors, signs, start, C)
        order = np.random.RandomState(0)
        rule = RULES[method]
        return mistake_driven.run(vectors, signs, max_iter=PASSES, order=order, rule=rule)

    run()
    seconds = []
    for _ in range(3):
        begin = time.process_time()
        found = run()
        seconds.append(time.process_time() - begin)
    count = found.n_iter if method == "descent" else found.n_updates
    return {
        "seconds": min(seconds),
        "count": count,
        "digits": hashlib.sha256(found.w.tobytes()).hexdigest()[:12],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_before(parser)
    parser.add_argument("--output", type=Path, default=Path(__file__).with_suffix(".tsv"))
    options = parser.parse_args()
    if not options.before:
        parser.error("give --before FOLDER, a checkout of an earlier commit")
    versions = [*checkouts(options.before, "wide_rows")]
    rows = []
    for n, d in SIZES:
        points, signs, reference = problem(n, d)
        seen = reference_rules.seen_from(points, reference)
        mirrored = points * np.r_[1.0, -np.ones(d)]
        start = linear_svm(points, signs, C).w * np.r_[-1.0, np.ones(points.shape[1] - 1)]
        for method in ("descent", *RULES):
            vectors = {"descent": points, "weber": mirrored}.get(method, seen)
            for one in versions:
                row = {"method": method, "n": n, "d": d, "label": one.label, "commit": one.commit}
                rows.append(row | one.call("measure", method, vectors, signs, start))
                print(*rows[-1].values(), flush=True)
    pd.DataFrame(rows).to_csv(options.output, sep="\t", index=False, float_format="%.4g")


if __name__ == "__main__":
    main()
