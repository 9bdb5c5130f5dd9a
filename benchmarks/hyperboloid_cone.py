"""Gaps and times of the certified hyperboloid SVM where the optimum lies on the light cone.

    OMP_NUM_THREADS=1 python benchmarks/hyperboloid_cone.py [--output FILE]

The hard kinds: a small class at the centre of a large one, and random labels, a tenth to a half of
them positive. C = 1, default budget. After them ordinary problems, two clouds with an optimum off
the cone. The clock counts processor seconds; compiled code is loaded first.
"""

import argparse
import time
from pathlib import Path

import numpy as np

from noneuclid.geometry import lorentz
from noneuclid.solvers.hyperboloid import global_optimum

COLUMNS = ["kind", "n", "d", "status", "objective", "gap", "slices", "cells", "cpu_s"]


def place(directions, radii):
    """Points at these distances from the origin."""
    lengths = np.sinh(radii) / np.linalg.norm(directions, axis=1)
    return lorentz.from_spatial(directions * lengths[:, None])


def centre(n, d):
    """A small class at the centre of a large one."""
    rng = np.random.default_rng(0)
    small = np.arange(n) < n // 6
    radii = np.where(small, rng.uniform(0.0, 0.5, n), rng.uniform(1.0, 2.0, n))
    return place(rng.normal(size=(n, d)), radii), np.where(small, 1.0, -1.0)


def random_labels(n, d, reach, share):
    rng = np.random.default_rng(0)
    points = place(rng.normal(size=(n, d)), rng.uniform(0.0, reach, n))
    return points, np.where(rng.uniform(size=n) < share, 1.0, -1.0)


def clouds(n, d):
    rng = np.random.default_rng(0)
    signs = np.where(np.arange(n) % 2, 1.0, -1.0)
    vectors = rng.normal(size=(n, d))
    vectors[:, 0] += signs
    return lorentz.from_spatial(vectors), signs


PROBLEMS = [
    ("centre", centre(60, 8)),
    ("random_0.5", random_labels(300, 5, 2.0, 0.5)),
    ("random_0.5_near", random_labels(300, 5, 0.5, 0.5)),
    ("random_0.1", random_labels(300, 5, 2.0, 0.1)),
    ("random_0.5_near", random_labels(300, 10, 0.5, 0.5)),
    ("random_0.1_near", random_labels(300, 10, 1.0, 0.1)),
    ("centre", centre(300, 4)),
    ("centre", centre(1000, 4)),
    *[("clouds", clouds(n, d)) for n, d in [(100, 2), (1000, 2), (1000, 5), (1000, 10), (9000, 8)]],
]


def lines(problems):
    for _, data in problems[-5:]:
        global_optimum.solve(*data, 1.0)
    for kind, (points, signs) in problems:
        start = time.process_time()
        fit = global_optimum.solve(points, signs, 1.0)
        seconds = time.process_time() - start
        n, d = len(points), points.shape[1] - 1
        cells = [kind, n, d, fit.status, f"{fit.objective:.9g}", f"{fit.gap:.1e}", fit.n_iter]
        yield [*cells, fit.extras["cells"], f"{seconds:.3f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--output", type=Path)
    output = parser.parse_args().output
    table = ["\t".join(COLUMNS)]
    print(table[0])
    for line in lines(PROBLEMS):
        table.append("\t".join(map(str, line)))
        print(table[-1], flush=True)
    if output:
        output.write_text("\n".join(table) + "\n")


if __name__ == "__main__":
    main()
