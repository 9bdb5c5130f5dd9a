"""One radius of the soft margin in a polytope: our interior-point method, HiGHS and Clarabel.

    python benchmarks/hilbert_slice.py

All solve the same linear program (the dual: a point of the cone over each ball, k + 1 variables and
2m + 2 bounds a row) to 1e-6 of its value. `seconds` are processor seconds of one thread, the least
of nine (run with OMP_NUM_THREADS=1), for HiGHS and Clarabel without the time to assemble the
program; ours include the proof of both bounds. `ratio` is to ours. Writes
benchmarks/hilbert_slice.tsv.
"""

import time
from pathlib import Path

import clarabel
import numpy as np
import scipy.sparse as sp
from scipy.optimize import linprog

from hilbert import tangent_polytope
from noneuclid.solvers.hilbert.soft_margin_polytope import solve_in_polytope
from noneuclid.solvers.hilbert.soft_margin_problem import problems

SIZES = ((100, 20, 5), (300, 20, 5), (100, 40, 20))
COLUMNS = ("n", "m", "d", "radius", "solver", "seconds", "ratio", "value", "status")


def program(problem, radius):
    """Minimise cost·x with G x <= h, E x = 0 over x = (value, (z, T) of each row)."""
    k, high = problem.B.shape[1], np.exp(2 * radius)
    ends = np.r_[problem.e, 0.0], np.r_[np.zeros(k), 1.0]
    blocks = [
        np.vstack([np.c_[-problem.B, a], np.c_[problem.B, -high * a], *ends])
        for a in problem.a[:, :, None]
    ]
    own = sp.block_diag(blocks, format="csc")
    G = sp.hstack([sp.csc_matrix((own.shape[0], 1)), own], format="csc")
    h = np.tile(np.r_[np.zeros(2 * problem.a.shape[1]), 1.0, 1.0], len(blocks))
    pulls = np.kron(problem.weights * problem.signs, np.eye(k, k + 1))
    E = sp.csc_matrix(np.c_[problem.pull, pulls])
    return -np.eye(1, G.shape[1])[0], G, h, E


def ours(problem, radius):
    def stop(lower, upper):
        return upper - lower <= 1e-6 * upper

    load = np.zeros_like(problem.pull)
    start = time.process_time()
    found = solve_in_polytope(problem, radius, problem.weights, load, stop)
    return time.process_time() - start, found.lower, "proved"


def highs(method, cost, G, h, E):
    start = time.process_time()
    zero = np.zeros(E.shape[0])
    fit = linprog(cost, G, h, E, zero, (None, None), method=method, options={"time_limit": 60.0})
    return time.process_time() - start, np.nan if fit.x is None else -fit.fun, str(fit.status)


def interior(cost, G, h, E):
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_rel = settings.tol_gap_abs = 1e-6
    start = time.process_time()
    n, k = G.shape[1], E.shape[0]
    cones = [clarabel.ZeroConeT(k), clarabel.NonnegativeConeT(len(h))]
    rows, right = sp.vstack([E, G], format="csc"), np.r_[np.zeros(k), h]
    solver = clarabel.DefaultSolver(sp.csc_matrix((n, n)), cost, rows, right, cones, settings)
    fit = solver.solve()
    return time.process_time() - start, -fit.obj_val, str(fit.status)


def least(solver, *problem):
    """The fastest of nine runs."""
    return min((solver(*problem) for _ in range(9)), key=lambda run: run[0])


def main():
    lines = ["\t".join(COLUMNS)]
    for size in SIZES:
        X, signs, *facets = tangent_polytope(*size)
        signs = np.where(np.random.default_rng(5).random(len(signs)) < 0.1, -signs, signs)
        _, (problem,) = problems(X, signs, *facets, "hilbert", "means")
        for radius in (0.02, 0.3):
            parts = program(problem, radius)
            runs = {"ours": least(ours, problem, radius), "clarabel": least(interior, *parts)}
            for method in ("highs-ds", "highs-ipm"):
                runs[method] = least(highs, method, *parts)
            for name, (seconds, value, status) in runs.items():
                ratio = f"{seconds / runs['ours'][0]:.1f}"
                row = *size, radius, name, f"{seconds:.3f}", ratio, f"{value:.8g}", status
                lines.append("\t".join(map(str, row)))
                print(lines[-1], flush=True)
    Path(__file__).with_suffix(".tsv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
