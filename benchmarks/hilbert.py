"""Margins in the Hilbert and Funk metrics: time, size and gap, the published program beside them.

    python benchmarks/hilbert.py [simplex] [polytope] [growth]

`simplex`: Dirichlet points with the band about a hyperplane left out. `polytope`: random facets
tangent to the unit sphere, points on random chords. `growth`: time against n, m and d; `exponent`
is the slope of log(seconds) along each series. Writes benchmarks/hilbert_<name>.tsv.

`seconds` are processor seconds of one thread (run with OMP_NUM_THREADS=1); `gap` is upper bound
minus radius, in units of the metric. `paper` is the program (10) of acharya2026 with m(m-1)
multipliers for each ball and binary search to the same tolerance, `short` the same with 2m, both by
HiGHS. A run is ended after LIMIT seconds or at MEMORY bytes: then `status` says which.
"""

import argparse
import multiprocessing
import os
import platform
import resource
import time
from pathlib import Path

import numpy as np
import scipy

from noneuclid.solvers.hilbert.hard_margin import hard_margin
from noneuclid.solvers.hilbert.hard_margin_reference import reference_margin

TOL, LIMIT, MEMORY = 1e-6, 300.0, 8 * 2**30
COLUMNS = (
    *("series", "solver", "metric", "n", "m", "d", "seconds", "programs"),
    *("radius", "gap", "status", "peak_MB", "exponent"),
)
METRICS = ("hilbert", "funk", "reverse_funk")


def compositions(n, m):
    rng = np.random.default_rng(1)
    X, nu = rng.dirichlet(np.ones(m), n), rng.normal(size=m)
    score = X @ nu
    score -= np.median(score)
    keep = np.abs(score) > 0.01
    facets = np.eye(m), np.zeros(m), np.ones((1, m)), -np.ones(1)
    return X[keep], np.sign(score[keep]), *facets


def tangent_polytope(n, m, d):
    rng = np.random.default_rng(0)
    A = rng.normal(size=(m, d))
    A[-1] = -A[:-1].sum(axis=0)
    A /= np.linalg.norm(A, axis=1, keepdims=True)
    X = rng.normal(size=(n, d))
    X *= (rng.uniform(0, 1, n) ** (1 / d) / np.max(-X @ A.T, axis=1))[:, None]
    score = X @ rng.normal(size=d)
    keep = np.abs(score) > 0.3 * np.median(np.abs(score))
    return X[keep], np.sign(score[keep]), A, np.ones(m), np.zeros((0, d)), np.zeros(0)


def ours(*problem, metric="hilbert"):
    return hard_margin(*problem, metric, TOL)


def paper(*problem, metric="hilbert"):
    return reference_margin(*problem, metric, "paper", tol=TOL)


def short(*problem, metric="hilbert"):
    return reference_margin(*problem, metric, "short", tol=TOL)


def measured(solver, maker, size, metric="hilbert", series=""):
    """One row of a table: the solver in a process of its own, within LIMIT and MEMORY."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    context = multiprocessing.get_context("fork")
    child = context.Process(target=_run, args=(sender, solver, maker, size, metric))
    child.start()
    sender.close()
    row = {"series": series, "solver": solver.__name__, "metric": metric, "status": "time limit"}
    row |= dict(zip("nmd", (*size, size[1] - 1)[:3], strict=True))
    if receiver.poll(LIMIT):
        try:
            row |= receiver.recv()
        except EOFError:
            row["status"] = "memory limit"
    child.terminate()
    child.join()
    return row


def _run(sender, solver, maker, size, metric):
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    problem = maker(*size)
    start = time.process_time()
    fit = solver(*problem, metric=metric)
    seconds = time.process_time() - start
    gap = fit.upper_bound - fit.radius
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    sender.send(
        {"seconds": seconds, "programs": fit.n_iter, "radius": fit.radius, "gap": gap}
        | {"status": fit.status, "peak_MB": peak}
    )


def simplex():
    for n in (10**5, 10**6):
        for metric in METRICS[:2]:
            yield measured(ours, compositions, (n, 50), metric)
    yield measured(ours, compositions, (10**4, 10), "reverse_funk")


def polytope():
    for metric in METRICS:
        yield measured(ours, tangent_polytope, (10**4, 40, 20), metric)
    for solver in (ours, short, paper):
        yield measured(solver, tangent_polytope, (200, 20, 5))


def growth():
    general = [(n, 40, 10) for n in (1000, 3000, 10_000, 30_000)]
    yield from series("n", ours, tangent_polytope, general)
    yield from series("m", ours, tangent_polytope, [(3000, m, 10) for m in (20, 40, 80, 160)])
    yield from series("d", ours, tangent_polytope, [(3000, 40, d) for d in (3, 6, 12, 20)])
    yield from series("n", ours, compositions, [(n, 50) for n in (10**4, 10**5, 10**6)])
    yield from series("m", ours, compositions, [(30_000, m) for m in (10, 20, 40, 80)])
    yield from series("n", paper, tangent_polytope, [(n, 10, 3) for n in (25, 50, 100, 200, 400)])
    yield from series("m", paper, tangent_polytope, [(50, m, 3) for m in (6, 10, 16, 24)])
    yield from series("d", paper, tangent_polytope, [(50, 16, d) for d in (2, 4, 8)])


def series(name, solver, maker, sizes):
    """Rows of growing size; the last one carries the fitted exponent."""
    rows = []
    for size in sizes:
        rows.append(measured(solver, maker, size, series=f"{name}, {maker.__name__}"))
        done = [row for row in rows if "seconds" in row]
        if len(rows) == len(sizes) or len(done) < len(rows):
            if len(done) > 1:
                logs = np.log([[row[name], row["seconds"]] for row in done])
                rows[-1]["exponent"] = np.polyfit(*logs.T, 1)[0]
            yield rows[-1]
            return
        yield rows[-1]


TABLES = {"simplex": simplex, "polytope": polytope, "growth": growth}


def cell(value):
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="*", choices=TABLES, default=[*TABLES])
    versions = f"numpy {np.__version__}, scipy {scipy.__version__}, {os.cpu_count()} cpus"
    for name in parser.parse_args().tables:
        lines = [f"# python {platform.python_version()}, {versions}", "\t".join(COLUMNS)]
        print("\n".join(lines), flush=True)
        for row in TABLES[name]():
            lines.append("\t".join(cell(row.get(column, "")) for column in COLUMNS))
            print(lines[-1], flush=True)
        Path(__file__).with_name(f"hilbert_{name}.tsv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
