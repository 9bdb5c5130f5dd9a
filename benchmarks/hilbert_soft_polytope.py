"""Soft margin in polytopes other than the simplex: time against n, m and d, and the proved gap.

    python benchmarks/hilbert_soft_polytope.py [--before FOLDER]

Random facets tangent to the unit sphere, points on random chords, two sides of a hyperplane with a
band left out, 10 % of the labels flipped; `large` has 10,000 rows outside the band. `wine`: class 0
against the others, in the box 5 % wider than the 13 columns. `box`: breast cancer, its first 10
columns. Both are scaled to the unit box. `before` runs another checkout beside this one.
Columns: see `hilbert_soft_runs.py`. Writes benchmarks/hilbert_soft_polytope.tsv row by row.
"""

from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_wine

from hilbert import tangent_polytope
from hilbert_soft_runs import write_table
from noneuclid.geometry.polytope import Polytope


def flipped(n, m, d):
    X, signs, *facets = tangent_polytope(n, m, d)
    flip = np.random.default_rng(1).random(len(signs)) < 0.1
    return X, np.where(flip, -signs, signs), *facets


def first(n, m, d):
    """The first n rows of more, of which the band has been left out."""
    X, signs, *facets = flipped(13 * n // 10, m, d)
    return X[:n], signs[:n], *facets


def unit_box(n, m, d):
    X, y = (load_wine if d == 13 else load_breast_cancer)(return_X_y=True)
    X = X[:, :d]
    X = (X - X.min(axis=0)) / np.ptp(X, axis=0)
    return X, np.where(y == 0, 1.0, -1.0), *Polytope.around(X, margin=0.05).facets


SERIES = {
    "wine": [(unit_box, (178, 26, 13), 1.0)],
    "box": [(unit_box, (569, 20, 10), 1.0)],
    "n": [(flipped, (n, 20, 5), 0.1) for n in (250, 500, 1000)],
    "m": [(flipped, (500, m, 5), 0.1) for m in (12, 20, 40)],
    "d": [(flipped, (500, 40, d), 0.1) for d in (3, 5, 10, 20)],
    "large": [(first, (10**4, 40, 20), 0.1)],
}

if __name__ == "__main__":
    write_table(SERIES, Path(__file__).with_suffix(".tsv"), limit=150)
