"""Conic programs by Clarabel or MOSEK, in one standard form.

Minimise ½xᵀPx + qᵀx subject to s = b - Ax in K, a product of cones. The dual solution z lies in
the dual cone of K and Px + q + Aᵀz = 0 at the optimum.
"""

from dataclasses import dataclass
from functools import cache
from importlib.metadata import version

import clarabel
import numpy as np
from scipy import sparse

from noneuclid.errors import InputError
from noneuclid.solvers.conic.mosek import fill_task

SOLVERS = ("clarabel", "mosek")

_CLARABEL_CONES = {
    "zero": clarabel.ZeroConeT,
    "nonnegative": clarabel.NonnegativeConeT,
    "second_order": clarabel.SecondOrderConeT,
    "psd": clarabel.PSDTriangleConeT,
}
_CLARABEL_STATUS = {
    "Solved": "optimal",
    "AlmostSolved": "inaccurate",
    "InsufficientProgress": "inaccurate",
    "MaxIterations": "max_iter",
    "PrimalInfeasible": "infeasible",
    "AlmostPrimalInfeasible": "infeasible",
    "DualInfeasible": "unbounded",
    "AlmostDualInfeasible": "unbounded",
}


@dataclass(frozen=True)
class ConicResult:
    """Result of a conic program; the arrays are those of the last iterate, whatever its status."""

    x: np.ndarray  # (N,)
    z: np.ndarray  # (m,), multipliers of s = b - Ax, in the dual cone up to the tolerance
    s: np.ndarray  # (m,)
    objective: float  # both as the solver states them: not certified
    dual_objective: float
    # {"optimal", "inaccurate", "max_iter", "infeasible", "unbounded", "failed"}; "inaccurate":
    # stopped short of the tolerance, at a usable point
    status: str
    iterations: int
    solver: str  # {"clarabel", "mosek"}


def solve(P, q, A, b, cones, solver="clarabel", tolerance=1e-8, max_iter=200):
    """Minimise ½xᵀPx + qᵀx subject to b - Ax in K.

    Kinds of cones, in the order of the rows of A: "zero", "nonnegative", "second_order" (first
    entry >= norm of the others) take `size` rows; "psd" takes size (size + 1) / 2 rows, the upper
    triangle of a matrix column by column, entries off the diagonal times √2. P is symmetric and
    positive semidefinite, or None for zero. `tolerance` is relative, of feasibility and of the gap.
    """
    backend = {"clarabel": _clarabel, "mosek": _mosek}[require(solver)]
    P = sparse.csc_matrix((len(q), len(q))) if P is None else sparse.csc_matrix(P)
    return backend(P, q, sparse.csc_matrix(A), b, cones, tolerance, max_iter)


def require(solver):
    """Return the name of a solver after a check that it can run here."""
    if solver not in SOLVERS:
        raise InputError(f"unknown conic solver {solver!r}; choose one of {', '.join(SOLVERS)}")
    if solver == "mosek" and (missing := _missing_mosek()):
        raise InputError(f"conic solver 'mosek' cannot run: {missing}; or use 'clarabel'")
    return solver


@cache  # the metadata of a package are parsed from a file
def with_version(solver):
    """Return name and version of a solver."""
    return f"{solver} {version(solver)}"


@cache
def _missing_mosek():
    """What keeps MOSEK from running; empty if nothing does."""
    try:
        import mosek
    except ImportError:
        return "the package is not installed; pip install mosek"
    try:
        with mosek.Env() as env:
            env.checkoutlicense(mosek.feature.pton)
    except mosek.Error as error:
        return f"no licence ({str(error).partition(':')[0]}); set MOSEKLM_LICENSE_FILE"
    return ""


def _clarabel(P, q, A, b, cones, tolerance, max_iter):
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.max_iter = max_iter
    settings.max_threads = 1
    settings.tol_feas = settings.tol_gap_abs = settings.tol_gap_rel = tolerance
    cones = [_CLARABEL_CONES[kind](size) for kind, size in cones]
    upper = sparse.triu(P, format="csc") if P.nnz else P
    result = clarabel.DefaultSolver(upper, q, A, b, cones, settings).solve()
    return ConicResult(
        np.array(result.x),
        np.array(result.z),
        np.array(result.s),
        result.obj_val,
        result.obj_val_dual,
        _CLARABEL_STATUS.get(str(result.status), "failed"),
        result.iterations,
        "clarabel",
    )


def _mosek(P, q, A, b, cones, tolerance, max_iter):
    import mosek

    statuses = {
        mosek.solsta.optimal: "optimal",
        mosek.solsta.prim_infeas_cer: "infeasible",
        mosek.solsta.dual_infeas_cer: "unbounded",
    }
    itr = mosek.soltype.itr
    with mosek.Env() as env, env.Task() as task:
        rows = fill_task(task, mosek.boundkey.fr, P, q, A, b, cones)
        for name in ("pfeas", "dfeas", "rel_gap"):
            task.putdouparam(getattr(mosek.dparam, f"intpnt_co_tol_{name}"), tolerance)
        task.putintparam(mosek.iparam.intpnt_max_iterations, max_iter)
        task.putintparam(mosek.iparam.num_threads, 1)
        stopped = task.optimize() == mosek.rescode.trm_max_iterations
        x, z = np.array(task.getxx(itr))[: len(q)], np.empty(len(b))
        for i, taken in enumerate(rows):
            z[taken] = task.getaccdoty(itr, i)
        return ConicResult(
            x,
            z,
            b - A @ x,
            task.getprimalobj(itr),
            task.getdualobj(itr),
            statuses.get(task.getsolsta(itr), "max_iter" if stopped else "inaccurate"),
            task.getintinf(mosek.iinfitem.intpnt_iter),
            "mosek",
        )
