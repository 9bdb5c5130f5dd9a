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
    """Result of a conic program; the arrays are those of the last iterate, whatever its status.

    Attributes
    ----------
    x : ndarray, shape (N,)
    z : ndarray, shape (m,)
        Multipliers of s = b - Ax, in the dual cone up to the tolerance.
    s : ndarray, shape (m,)
    objective, dual_objective : float
        As the solver states them: not certified.
    status : {"optimal", "inaccurate", "max_iter", "infeasible", "unbounded", "failed"}
        "inaccurate": stopped short of the tolerance, at a usable point.
    iterations : int
    solver : {"clarabel", "mosek"}
    """

    x: np.ndarray
    z: np.ndarray
    s: np.ndarray
    objective: float
    dual_objective: float
    status: str
    iterations: int
    solver: str


def solve(P, q, A, b, cones, solver="clarabel", tolerance=1e-8, max_iter=200):
    """Minimise ½xᵀPx + qᵀx subject to b - Ax in K.

    Parameters
    ----------
    P : sparse matrix, shape (N, N), or None
        Symmetric, positive semidefinite; None is zero.
    q : ndarray, shape (N,)
    A : sparse matrix, shape (m, N)
    b : ndarray, shape (m,)
    cones : list of (kind, size)
        In the order of the rows of A. Kinds "zero", "nonnegative", "second_order" (first entry
        >= norm of the others) take `size` rows; "psd" takes size (size + 1) / 2 rows, the upper
        triangle of a matrix column by column, entries off the diagonal times √2.
    solver : {"clarabel", "mosek"}
        MOSEK needs its package and a licence.
    tolerance : float
        Of feasibility and of the gap, relative.
    max_iter : int

    Returns
    -------
    ConicResult

    Raises
    ------
    InputError
        If MOSEK is asked for and cannot run.

    Examples
    --------
    >>> A = sparse.csc_matrix([[-1.0, 0.0], [0.0, -1.0]])
    >>> q = np.array([1.0, 2.0])
    >>> result = solve(None, q, A, np.array([-1.0, 0.0]), [("nonnegative", 2)], solver="clarabel")
    >>> result.status, round(result.objective, 6)
    ('optimal', 1.0)
    """
    backend = {"clarabel": _clarabel, "mosek": _mosek}[require(solver)]
    P = sparse.csc_matrix((len(q), len(q))) if P is None else sparse.csc_matrix(P)
    return backend(P, q, sparse.csc_matrix(A), b, cones, tolerance, max_iter)


def require(solver):
    """The name of a solver, which is checked to run here.

    Parameters
    ----------
    solver : {"clarabel", "mosek"}

    Returns
    -------
    str

    Raises
    ------
    InputError
        If the name is unknown, or it is "mosek" and MOSEK cannot run.

    Examples
    --------
    >>> require("clarabel")
    'clarabel'
    """
    if solver not in SOLVERS:
        raise InputError(f"unknown conic solver {solver!r}; choose one of {', '.join(SOLVERS)}")
    if solver == "mosek" and (missing := _missing_mosek()):
        raise InputError(f"conic solver 'mosek' cannot run: {missing}; or use 'clarabel'")
    return solver


def with_version(solver):
    """Name and version of a solver.

    Parameters
    ----------
    solver : {"clarabel", "mosek"}

    Returns
    -------
    str

    Examples
    --------
    >>> with_version("clarabel").split()[0]
    'clarabel'
    """
    return f"{solver} {version(solver)}"


@cache
def _missing_mosek():
    """What keeps MOSEK from running; empty if nothing does."""
    try:
        import mosek
    except ImportError:
        return "the package is not installed; pip install noneuclid[mosek]"
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
