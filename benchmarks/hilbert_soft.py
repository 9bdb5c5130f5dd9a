"""Soft margin in the Hilbert metric of the simplex: time, size and proved gap.

    python benchmarks/hilbert_soft.py

Dirichlet points on two sides of a hyperplane, 10 % of the labels flipped, m = 50. `programs` is the
number of minimisations over hyperplanes at some radius, `gap` is upper bound minus objective.
Writes benchmarks/hilbert_soft.tsv row by row. One thread (OMP_NUM_THREADS=1).
"""

import os
import platform
import time
from pathlib import Path

import numpy as np
import scipy

from noneuclid.solvers.hilbert.soft_margin import soft_margin

COLUMNS = (
    *("n", "m", "C", "seconds", "processor_seconds", "programs"),
    *("radius", "objective", "gap", "status"),
)
SIZES = ((1000, 1.0), (1000, 0.003), (10**4, 1.0), (10**5, 1.0), (10**4, 0.003), (10**5, 0.003))


def compositions(n, m):
    rng = np.random.default_rng(0)
    X, nu = rng.dirichlet(np.ones(m), n), rng.normal(size=m)
    signs = np.sign(X @ nu - np.median(X @ nu))
    return X, np.where(rng.random(n) < 0.1, -signs, signs)


def measured(n, m, C):
    X, signs = compositions(n, m)
    wall, processor = time.perf_counter(), time.process_time()
    fit = soft_margin(X, signs, np.eye(m), np.zeros(m), np.ones((1, m)), -np.ones(1), C=C)
    seconds = time.perf_counter() - wall, time.process_time() - processor
    gap = fit.upper_bound - fit.objective
    return n, m, C, *seconds, fit.n_iter, fit.radius, fit.objective, gap, fit.status


def main():
    measured(100, 50, 1.0)  # compiles
    versions = f"numpy {np.__version__}, scipy {scipy.__version__}, {os.cpu_count()} cpus"
    lines = [f"# python {platform.python_version()}, {versions}", "\t".join(COLUMNS)]
    for n, C in SIZES:
        row = measured(n, 50, C)
        lines.append("\t".join(f"{v:.4g}" if isinstance(v, float) else str(v) for v in row))
        print(lines[-1], flush=True)
        Path(__file__).with_suffix(".tsv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
