"""Mixtures of chlenski2024 in 16 dimensions by the authors' program, beside ours.

    python benchmarks/chlenski2024_far_points.py --program FOLDER

FOLDER is a checkout of pchlenski/hyperdt at b2364d5. It needs geomstats, which noneuclid does not
(2.7.0, with NumPy 1.26). Both draw the same numbers: the mixtures of 800 points of tables 1 to 3,
numbers 0 to 9. geomstats divides a point by the root of its computed Minkowski norm, of which
nothing but rounding is left 18 units from the origin.

chlenski2024_far_points.tsv has a line for each mixture: the largest first coordinate of its points,
and the mean micro-F1 of scikit-learn's SVC and LogisticRegression over the paper's folds (table 2),
in %, each of ours and of the program; `points` is the share of points that differ by more than
0.1 %.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, cross_val_score, train_test_split
from sklearn.svm import SVC

from noneuclid.datasets.generators import hyperdt_mixtures

HERE = Path(__file__).parent
DIMENSION, POINTS = 16, 800
METHODS = {"svc": SVC(), "logistic": LogisticRegression()}


def by_program(folder, number):
    """Points and labels of the authors' program."""
    sys.path.insert(0, str(folder / "src"))
    from hyperdt.toy_data import wrapped_normal_mixture

    drawn, labels = wrapped_normal_mixture(
        n_dim=DIMENSION, num_classes=2, num_points=POINTS * 5 // 4, seed=number, noise_std=2
    )
    X, _, y, _ = train_test_split(drawn, labels, test_size=0.2, random_state=number)
    return X, y


def by_ours(number):
    """Points and labels of ours."""
    data = hyperdt_mixtures.load({}, 0, points=POINTS, dimension=DIMENSION, number=number)
    return data.features, np.asarray(data.labels)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True, metavar="FOLDER")
    options = parser.parse_args()
    rows = []
    for number in range(10):
        both = {"ours": by_ours(number), "program": by_program(options.program, number)}
        row, folds = {"number": number}, KFold(5, shuffle=True, random_state=number)
        for name, (X, y) in both.items():
            row[f"{name}_largest"] = X[:, 0].max()
            for method, model in METHODS.items():
                scores = cross_val_score(model, X, y, cv=folds, scoring="f1_micro")
                row[f"{name}_{method}"] = 100 * scores.mean()
        X, Z = both["ours"][0], both["program"][0]
        row["points"] = float((np.abs(X - Z).max(axis=1) > 1e-3 * X[:, 0]).mean())
        rows.append(row)
        print(row, flush=True)
    table = pd.DataFrame(rows)
    table.to_csv(HERE / "chlenski2024_far_points.tsv", sep="\t", index=False, float_format="%.9g")


if __name__ == "__main__":
    main()
