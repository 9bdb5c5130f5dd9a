"""Mixtures of chlenski2024 in 16 dimensions by the authors' program, beside ours.

    PYTHONPATH=benchmarks python papers/benchmarks/chlenski2024_far_points.py --program FOLDER

FOLDER is a checkout of pchlenski/hyperdt at b2364d5. It needs geomstats, which noneuclid does not
(2.7.0, with NumPy 1.26). Both draw the same numbers: the mixtures of 800 points of tables 1 to 3,
numbers 0 to 9. geomstats divides a point by the root of its computed Minkowski norm
(`Hyperboloid.regularize`), which small errors change if the point lies far from the origin.

chlenski2024_far_points.tsv has a line for each mixture. `svc` and `logistic` are the mean micro-F1
of scikit-learn's SVC and LogisticRegression over the paper's folds (table 2), in %, on our points
(`ours_`) and on the program's (`program_`); `moved_least` and `moved_largest` those of SVC if each
coordinate of the program's class means is moved by a relative 2.2e-16 or not at all (30 times).
`differ` is the share of points that differ from ours by more than 0.1 %, `nearest` and `farthest`
their distances from the origin, `smallest` and `largest` the program's first coordinate over ours;
`undivided` is the largest error, relative to the first coordinate, without the division.
"""

import argparse
import sys
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, cross_val_score, train_test_split
from sklearn.svm import SVC

from noneuclid_papers.data import hyperdt_mixtures

HERE = Path(__file__).parent
DIMENSION, POINTS, TRIALS = 16, 800, 30
METHODS = {"svc": SVC(), "logistic": LogisticRegression()}


def by_program(number):
    """Points and labels of the authors' program."""
    from hyperdt.toy_data import wrapped_normal_mixture

    drawn, labels = wrapped_normal_mixture(
        n_dim=DIMENSION, num_classes=2, num_points=POINTS * 5 // 4, seed=number, noise_std=2
    )
    X, _, y, _ = train_test_split(drawn, labels, test_size=0.2, random_state=number)
    return X, y


def undivided(number):
    """Points of the authors' program without the division."""
    from geomstats.geometry.hyperboloid import Hyperboloid

    with mock.patch.object(Hyperboloid, "regularize", lambda _, point: point):
        return by_program(number)[0]


def moved(number, trial):
    """Points and labels of the authors' program with class means that are moved a little."""
    from geomstats.geometry.hyperboloid import HyperboloidMetric

    draw, exp = np.random.default_rng([number, trial]), HyperboloidMetric.exp

    def near(*arguments, **named):
        points = exp(*arguments, **named)
        size = np.finfo(float).eps * (len(points) == 2)  # the means of the two classes
        return points * (1 + size * draw.choice([-1, 0, 1], size=points.shape))

    with mock.patch.object(HyperboloidMetric, "exp", near):
        return by_program(number)


def by_ours(number):
    """Points and labels of ours."""
    data = hyperdt_mixtures.load({}, 0, n_samples=POINTS, n_features=DIMENSION, number=number)
    return data.features, np.asarray(data.labels)


def score(model, X, y, number):
    folds = KFold(5, shuffle=True, random_state=number)
    return 100 * cross_val_score(model, X, y, cv=folds, scoring="f1_micro").mean()


def line(number):
    """A line of the table."""
    both = {"ours": by_ours(number), "program": by_program(number)}
    row = {"number": number} | {
        f"{name}_{method}": score(model, *points, number)
        for name, points in both.items()
        for method, model in METHODS.items()
    }
    scores = [score(SVC(), *moved(number, trial), number) for trial in range(TRIALS)]
    row |= {"moved_least": min(scores), "moved_largest": max(scores)}
    X, Z = both["ours"][0], both["program"][0]
    differ, ratios = np.abs(Z - X).max(axis=1) > 1e-3 * X[:, 0], Z[:, 0] / X[:, 0]
    far = np.arccosh(X[differ, 0])
    row |= {"differ": differ.mean(), "nearest": far.min(initial=np.inf)}
    row |= {"farthest": far.max(initial=0.0), "smallest": ratios.min(), "largest": ratios.max()}
    errors = np.abs(undivided(number) - X).max(axis=1) / X[:, 0]
    return row | {"undivided": errors.max()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True, metavar="FOLDER")
    options = parser.parse_args()
    sys.path.insert(0, str(options.program / "src"))
    rows = []
    for number in range(10):
        rows.append(line(number))
        print(rows[-1], flush=True)
    table = pd.DataFrame(rows)
    table.to_csv(HERE / "chlenski2024_far_points.tsv", sep="\t", index=False, float_format="%.6g")


if __name__ == "__main__":
    main()
