"""Linear SVM with the squared hinge on rows of 32 to 1000 columns: Newton's method and LIBLINEAR.

    python benchmarks/wide_svm.py [--largest 1000]

Data: points uniform in the Euclidean ball of radius 0.95 of the Poincaré ball, cut by a hyperplane
(`uniform_ball`, margin 0.01). With |p| = 0.2 R the classes have similar sizes, with 0.6 R one of
them is rare in many dimensions (`share`). `euclidean` is what `EuclideanSVC(C=1000)` solves on the
disk coordinates, `start` what gradient descent of `HyperboloidSVC(C=10)` begins with. Newton's
method is what both use from 32 columns on.

`gap` is relative, from each solver's own lower bound. Seconds are processor seconds of one thread,
one fit each in turn; run with OMP_NUM_THREADS=1. Five minutes. Writes benchmarks/wide_svm.tsv.
"""

import argparse
import time
from pathlib import Path

import numpy as np
import pandas as pd

from noneuclid.geometry.charts import convert
from noneuclid.solvers.linear.liblinear import linear_svm
from noneuclid.solvers.linear.newton import newton_svm
from noneuclid_compare.data.generators import uniform_ball
from outputs import options_of

DIMENSIONS = (31, 100, 300, 1000)
ROWS = 20_000
SOLVERS = {"newton": lambda *a: newton_svm(*a, max_iter=10_000), "liblinear": linear_svm}


def problems(dimension, fraction):
    """Rows, signs and C by name, and the share of the smaller class."""
    settings = {"n_samples": ROWS, "n_features": dimension, "reference_fraction": fraction}
    data = uniform_ball.load({}, 0, **settings)
    signs = np.where(data.labels, 1.0, -1.0)
    rows = np.column_stack([data.features, np.full(ROWS, 10.0)])
    points = convert(data.features, "poincare", "hyperboloid")
    share = min(np.mean(signs > 0), np.mean(signs < 0))
    return {"euclidean": (rows, signs, 1000.0), "start": (points, signs, 10.0)}, share


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--largest", type=int, default=DIMENSIONS[-1], help="of the dimensions")
    options = options_of(parser, Path(__file__).with_suffix(".tsv"))
    found = []
    for dimension in (d for d in DIMENSIONS if d <= options.largest):
        for fraction in (0.2, 0.6):
            cases, share = problems(dimension, fraction)
            for name, problem in cases.items():
                for solver, solve in SOLVERS.items():
                    start = time.process_time()
                    fit = solve(*problem)
                    seconds = time.process_time() - start
                    gap = (fit.objective - fit.lower_bound) / fit.objective
                    found.append({
                        "dimension": dimension, "fraction": fraction, "share": share,
                        "problem": name, "solver": solver, "seconds": seconds,
                        "steps": fit.n_iter, "objective": fit.objective, "gap": gap,
                        "status": fit.status,
                    })  # fmt: skip
                    print(*found[-1].values(), flush=True)
    if options.output:
        pd.DataFrame(found).to_csv(options.output, sep="\t", index=False, float_format="%.5g")


if __name__ == "__main__":
    main()
