"""Soft margin in the Hilbert metric of the simplex: time, size and proved gap.

    python benchmarks/hilbert_soft.py [--before FOLDER]

Dirichlet points on two sides of a hyperplane, 10 % of the labels flipped, m = 50. `before` runs
another checkout of this repository beside this one. Columns: see `hilbert_soft_runs.py`. Writes
benchmarks/hilbert_soft.tsv row by row.
"""

from pathlib import Path

import numpy as np

from hilbert_soft_runs import write_table

SIZES = [(10**5, 0.003), (10**4, 0.003), (1000, 0.003), (1000, 1.0), (10**4, 1.0)]
SIZES += [(10**5, C) for C in (1.0, 10.0, 0.1, 0.01, 0.001)]


def compositions(n, m):
    rng = np.random.default_rng(0)
    X, nu = rng.dirichlet(np.ones(m), n), rng.normal(size=m)
    signs = np.sign(X @ nu - np.median(X @ nu))
    return X, np.where(rng.random(n) < 0.1, -signs, signs)


def simplex(n, m):
    return *compositions(n, m), np.eye(m), np.zeros(m), np.ones((1, m)), -np.ones(1)


if __name__ == "__main__":
    series = {"": [(simplex, (n, 50), C) for n, C in SIZES]}
    write_table(series, Path(__file__).with_suffix(".tsv"), limit=200)
