"""Timed soft margins of this checkout and of one before, row by row to a table.

`seconds` are processor seconds of one thread, `before` those of the other checkout with its `gap`
and `status`; a run of it ends after `limit` seconds. `programs` is the number of minimisations over
hyperplanes at some radius with all rows, `gap` is upper bound minus objective. `exponent` is the
slope of log(seconds) along a series.
"""

import argparse
import os
import pickle
import platform
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import scipy

COLUMNS = (
    *("series", "n", "m", "d", "C", "seconds", "programs", "radius", "objective", "gap", "status"),
    *("before", "before_gap", "before_status", "exponent", "before_exponent"),
)
OWN = Path(__file__).parents[1]


def write_table(series, path, limit):
    """Run every problem (maker, size, C) of every series; `exponent` in the last row of one."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--before", metavar="FOLDER", help="checkout to run beside this one")
    before = parser.parse_args().before
    versions = f"numpy {np.__version__}, scipy {scipy.__version__}, {os.cpu_count()} cpus"
    lines = [f"# python {platform.python_version()}, {versions}", "\t".join(COLUMNS)]
    for name, problems in series.items():
        logs = []
        for maker, size, C in problems:
            X, *_ = problem = maker(*size)
            row = measured(problem, C, OWN)
            old = measured(problem, C, before, limit) if before else ("", *[""] * 5)
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


def measured(problem, C, folder, limit=None):
    """Seconds, programs, radius, objective, gap and status, from a process of its own."""
    environment = os.environ | {"PYTHONPATH": str(Path(folder, "src"))}
    task = pickle.dumps((problem, C, limit))
    child = subprocess.run(
        [sys.executable, __file__], input=task, capture_output=True, env=environment
    )
    if child.returncode in (-signal.SIGKILL, -signal.SIGXCPU):
        return (float(limit), "", "", "", "", "time limit")
    child.check_returncode()
    return pickle.loads(child.stdout)


def run(problem, C, limit):
    """The row of one problem, by the package that this process finds."""
    from noneuclid.solvers.hilbert.soft_margin import soft_margin

    X, signs, *facets = problem
    few = np.r_[np.flatnonzero(signs > 0)[:20], np.flatnonzero(signs < 0)[:20]]
    soft_margin(X[few], signs[few], *facets, C=1.0, max_iter=5)  # compiles
    start = time.process_time()
    if limit:
        resource.setrlimit(resource.RLIMIT_CPU, (int(start) + limit,) * 2)
    fit = soft_margin(X, signs, *facets, C=C)
    seconds, gap = time.process_time() - start, float(fit.upper_bound - fit.objective)
    return seconds, fit.n_iter, float(fit.radius), float(fit.objective), gap, fit.status


if __name__ == "__main__":
    sys.stdout.buffer.write(pickle.dumps(run(*pickle.load(sys.stdin.buffer))))
