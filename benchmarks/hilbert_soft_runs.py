"""Timed soft margins of this checkout and of one before, row by row to a table.

`seconds` are processor seconds of one thread, `before` those of the other checkout with its `gap`
and `status`; a run of it ends after `limit` seconds. `programs` is the number of minimisations over
hyperplanes at some radius with all rows, `gap` is upper bound minus objective. `exponent` is the
slope of log(seconds) along a series. The first line has both commits.
"""

import argparse
import os
import platform
import time

import numpy as np
import scipy

from beside import add_before, checkouts
from noneuclid.solvers.hilbert.soft_margin import soft_margin

COLUMNS = (
    *("series", "n", "m", "d", "C", "seconds", "programs", "radius", "objective", "gap", "status"),
    *("before", "before_gap", "before_status", "exponent", "before_exponent"),
)


def write_table(series, path, limit):
    """Run every problem (maker, size, C) of every series; `exponent` in the last row of one."""
    parser = argparse.ArgumentParser()
    add_before(parser)
    own, *others = checkouts(parser.parse_args().before, "hilbert_soft_runs")
    versions = f"numpy {np.__version__}, scipy {scipy.__version__}, {os.cpu_count()} cpus"
    commits = ", ".join(f"{one.label} {one.commit}" for one in (own, *others))
    lines = [f"# {commits}, python {platform.python_version()}, {versions}", "\t".join(COLUMNS)]
    for name, problems in series.items():
        logs = []
        for maker, size, C in problems:
            X, *_ = problem = maker(*size)
            row = measured(own, problem, C)
            old = measured(others[0], problem, C, limit) if others else ("", *[""] * 5)
            logs.append([size["nmd".find(name)] if name in "nmd" else 1, row[0], old[0] or np.nan])
            slopes = ("", "")
            if name and name in "nmd" and len(logs) == len(problems):
                at, *times = np.log(np.array(logs, dtype=float)).T
                slopes = tuple(fit_slope(at, t) for t in times)
            d = size[2] if len(size) > 2 else size[1] - 1
            cells = (name, len(X), problem[2].shape[0], d, C, *row, old[0], *old[4:], *slopes)
            lines.append("\t".join(f"{v:.4g}" if isinstance(v, float) else str(v) for v in cells))
            print(lines[-1], flush=True)
            path.write_text("\n".join(lines) + "\n")


def fit_slope(at, logs):
    known = np.isfinite(logs)
    return float(np.polyfit(at[known], logs[known], 1)[0]) if known.sum() > 1 else ""


def measured(checkout, problem, C, limit=None):
    """Seconds, programs, radius, objective, gap and status."""
    X, signs, *facets = problem
    few = np.r_[np.flatnonzero(signs > 0)[:20], np.flatnonzero(signs < 0)[:20]]
    checkout.call("run", (X[few], signs[few], *facets), 1.0, 5)  # compiles
    row = checkout.call("run", problem, C, limit=limit)
    return row or (float(limit), "", "", "", "", "time limit")


def run(problem, C, max_iter=1000):
    start = time.process_time()
    fit = soft_margin(*problem, C=C, max_iter=max_iter)
    seconds, gap = time.process_time() - start, float(fit.upper_bound - fit.objective)
    return seconds, fit.n_iter, float(fit.radius), float(fit.objective), gap, fit.status
