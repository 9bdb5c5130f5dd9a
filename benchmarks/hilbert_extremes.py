"""Margins with rows close to facets, and in boxes whose widths differ by seven decades.

    python benchmarks/hilbert_extremes.py [--before FOLDER]

Hard margins of the problems `near_facets` of tests/solvers/test_hilbert_extremes.py (188 of 200
seeds have both signs; three metrics), then hard and soft margins (C = 1e-5) of its uneven boxes.
`before` measures another checkout beside this one. Columns: `objective` (of a hard margin its
radius), upper bound minus objective, and processor seconds of one thread. Writes
benchmarks/hilbert_extremes.tsv: every problem near facets that a checkout leaves open (gap above
1e-6), or where objectives differ by more; a row `all` with their number, those open, and those with
an objective short by 1e-3; and the boxes.
"""

import argparse
import sys
import time
import warnings
from pathlib import Path

import numpy as np

from beside import OWN, add_before, checkouts
from noneuclid.solvers.hilbert.hard_margin import hard_margin
from noneuclid.solvers.hilbert.soft_margin import soft_margin

SEEDS = 200
METRICS = ("hilbert", "funk", "reverse_funk")
KINDS = ("cross", "box", "corner", "random")
CASE = ("case", "metric", "n", "m", "d")
FOUND = ("status", "objective", "gap", "seconds")


def measure(solver, problem, metric, settings=()):
    """Status, objective, gap and processor seconds; the error's name where there is one."""
    start = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fit = SOLVERS[solver](*problem, metric, **dict(settings))
    except Exception as error:
        return type(error).__name__, 0.0, np.inf, time.process_time() - start
    objective = float(fit.objective if solver == "soft" else fit.radius)
    gap = float(fit.upper_bound - objective)
    return fit.status, objective, gap, time.process_time() - start


SOLVERS = {"hard": hard_margin, "soft": soft_margin}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_before(parser)
    sys.path.insert(0, str(OWN / "tests/solvers"))
    from test_hilbert_extremes import WIDTHS, boxed, near_facets

    versions = [*checkouts(parser.parse_args().before, "hilbert_extremes")]
    for one in versions:
        one.call("measure", "hard", near_facets(0), "hilbert")
        one.call("measure", "soft", near_facets(0), "hilbert", {"C": 1e-5, "max_iter": 5})
    lines = ["# " + ", ".join(f"{one.label} {one.commit}" for one in versions)]
    lines.append("\t".join((*CASE, *(f"{one.label}_{name}" for one in versions for name in FOUND))))

    def add(case, metric, problem, found):
        row = case, metric, len(problem[0]), problem[2].shape[0], problem[0].shape[1], *found
        lines.append("\t".join(f"{v:.4g}" if isinstance(v, float) else str(v) for v in row))
        print(lines[-1], flush=True)

    results = []
    problems = {seed: near_facets(seed) for seed in range(SEEDS)}
    problems = {seed: one for seed, one in problems.items() if len(set(one[1])) == 2}
    for seed, problem in problems.items():
        for metric in METRICS:
            found = [one.call("measure", "hard", problem, metric) for one in versions]
            results.append([row[1:] for row in found])
            reached = [row[1] for row in found]
            if max(row[2] for row in found) > 1e-6 or np.ptp(reached) > 1e-6:
                add(f"{KINDS[seed % 4]}, seed {seed}", metric, problem, sum(found, ()))
    results = np.array(results)
    short = results[:, :, 0] < results[:, :, 0].max(axis=1, keepdims=True) - 1e-3
    total = []
    for i in range(len(versions)):
        opened = int((results[:, i, 1] > 1e-6).sum())
        seconds = float(results[:, i, 2].sum())
        total += [f"{opened} open, {short[:, i].sum()} short", "", "", seconds]
    row = f"all {len(results)} near facets", "", "", "", "", *total
    lines.append("\t".join(f"{v:.4g}" if isinstance(v, float) else v for v in row))
    print(lines[-1], flush=True)
    for metric in METRICS:
        for name, solver, gap, settings in (
            ("hard", "hard", 0.1, {}),
            ("soft", "soft", 0.0, {"C": 1e-5, "max_iter": 60}),
        ):
            problem = boxed(WIDTHS, gap)
            found = [one.call("measure", solver, problem, metric, settings) for one in versions]
            add(f"uneven box, {name}", metric, problem, sum(found, ()))
    Path(__file__).with_suffix(".tsv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
