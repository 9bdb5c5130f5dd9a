"""The hyperboloid SVM of pan2023's program on synthetic data (section VI-A).

    PYTHONPATH=benchmarks python papers/benchmarks/pan2023_synthetic.py [--runs 3]

The descent is that of pan2023_hyperboloid.py, with the start as released and C = 10; the Poincaré
SVM has C = 1000 and the true reference point, as in papers/config/pan2023_figure_8.yaml. A fifth of
the points is held out. The paper has 100,000 points in 1,000 dimensions; here they are 10,000.
pan2023_synthetic.tsv has the accuracy of both on held-out points for each run.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from noneuclid import PoincareSVC
from noneuclid.geometry.charts import convert
from noneuclid_compare.data.generators import uniform_ball
from outputs import options_of
from pan2023_hyperboloid import fit

# Points, dimension, margin and |p|/R.
SETTINGS = [(100_000, 2, 0.01, 0.4), (100_000, 2, 1.0, 0.6), (10_000, 1000, 0.01, 0.2)]
C = 10.0


def accuracies(n, d, margin, fraction, seed):
    """Accuracy on held-out points of the program's descent and of the Poincaré SVM."""
    settings = {"n_samples": n, "n_features": d, "margin": margin, "reference_fraction": fraction}
    data = uniform_ball.load({}, seed, **settings)
    cut = n - n // 5
    X, y = convert(data.features, "poincare", "hyperboloid"), 2.0 * data.labels - 1.0
    w = fit(X[:cut], y[:cut], "as_released", np.random.default_rng(seed), C)
    theirs = np.sign(X[cut:] @ (w * np.r_[1.0, -np.ones(d)]))
    reference = np.array(data.about["reference_points"])
    model = PoincareSVC(C=1000, chart="poincare", reference_point=reference[0])
    ours = model.fit(data.features[:cut], y[:cut]).predict(data.features[cut:])
    return (theirs == y[cut:]).mean(), (ours == y[cut:]).mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    options = options_of(parser, Path(__file__).with_suffix(".tsv"))
    rows = []
    for setting in SETTINGS:
        for run in range(options.runs):
            rows.append((*setting, run, *accuracies(*setting, run)))
            print(*rows[-1], flush=True)
    names = ["points", "dimension", "margin", "fraction", "run", "program", "poincare_svm"]
    table = pd.DataFrame(rows, columns=names)
    if options.output:
        table.to_csv(options.output, sep="\t", index=False, float_format="%.6g")


if __name__ == "__main__":
    main()
