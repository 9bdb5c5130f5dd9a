"""Gaps and times of the certified hyperboloid SVM where the optimum lies on the light cone.

    OMP_NUM_THREADS=1 python benchmarks/hyperboloid_cone.py --seeds 5

The hard kinds: a small class at the centre of a large one, and random labels, a tenth to a half of
them positive, near (within 0.5 or 1) or to distance 2. C = 1, default budget. First the problems of
seed 0, with ordinary ones, two clouds with an optimum off the cone; then, with `--seeds`, each kind
for 300 and 1,000 points in 6, 8 and 10 dimensions. The clock counts processor seconds; compiled
code is loaded first. Writes hyperboloid_cone.tsv.
"""

import argparse
import time
from pathlib import Path

import numpy as np

from noneuclid.geometry import lorentz
from noneuclid.solvers.hyperboloid.certified import global_optimum
from outputs import options_of

COLUMNS = ["kind", "n", "d", "seed", "status", "objective", "gap", "slices", "cells", "cpu_s"]


def place(directions, radii):
    """Points at these distances from the origin."""
    lengths = np.sinh(radii) / np.linalg.norm(directions, axis=1)
    return lorentz.from_spatial(directions * lengths[:, None])


def centre(n, d, seed=0):
    """A small class at the centre of a large one."""
    rng = np.random.default_rng(seed)
    small = np.arange(n) < n // 6
    radii = np.where(small, rng.uniform(0.0, 0.5, n), rng.uniform(1.0, 2.0, n))
    return place(rng.normal(size=(n, d)), radii), np.where(small, 1.0, -1.0)


def random_labels(n, d, reach, share, seed=0):
    """Points within the reach, this share of them positive."""
    rng = np.random.default_rng(seed)
    points = place(rng.normal(size=(n, d)), rng.uniform(0.0, reach, n))
    return points, np.where(rng.uniform(size=n) < share, 1.0, -1.0)


def clouds(n, d, seed=0):
    """Two clouds, with an optimum off the cone."""
    rng = np.random.default_rng(seed)
    signs = np.where(np.arange(n) % 2, 1.0, -1.0)
    vectors = rng.normal(size=(n, d))
    vectors[:, 0] += signs
    return lorentz.from_spatial(vectors), signs


KINDS = {
    "centre": centre,
    "random_0.5": lambda n, d, seed: random_labels(n, d, 2.0, 0.5, seed),
    "random_0.5_near": lambda n, d, seed: random_labels(n, d, 0.5, 0.5, seed),
    "random_0.1": lambda n, d, seed: random_labels(n, d, 2.0, 0.1, seed),
    "random_0.1_near": lambda n, d, seed: random_labels(n, d, 1.0, 0.1, seed),
    "clouds": clouds,
}
SIZES = [
    *[("centre", n, d) for n, d in [(60, 8), (300, 4), (1000, 4)]],
    *[("random_0.5", 300, 5), ("random_0.5_near", 300, 5), ("random_0.5_near", 300, 10)],
    *[("random_0.1", 300, 5), ("random_0.1_near", 300, 10)],
    *[("clouds", n, d) for n, d in [(100, 2), (1000, 2), (1000, 5), (1000, 10), (9000, 8)]],
]
WIDE = [(kind, n, d) for kind in KINDS if kind != "clouds" for n in (300, 1000) for d in (6, 8, 10)]


def measure(kind, n, d, seed):
    """Cells of one line of the table."""
    data = KINDS[kind](n, d, seed)
    start = time.process_time()
    fit = global_optimum.solve(*data, 1.0)
    seconds = time.process_time() - start
    known = [kind, n, d, seed, fit.status, f"{fit.objective:.9g}", f"{fit.gap:.1e}"]
    return [*known, fit.n_iter, fit.extras.get("cells", ""), f"{seconds:.3f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=0, help="of each kind and size")
    options = options_of(parser, Path(__file__).with_suffix(".tsv"))
    for kind, n, d in [("clouds", 100, 2), ("centre", 30, 3)]:
        global_optimum.solve(*KINDS[kind](n, d, 0), 1.0)
    problems = [(*size, 0) for size in SIZES]
    problems += [(*size, seed) for size in WIDE for seed in range(options.seeds)]
    lines = ["\t".join(COLUMNS)]
    for problem in problems:
        lines.append("\t".join(map(str, measure(*problem))))
        print(lines[-1], flush=True)
    if options.output:
        options.output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
