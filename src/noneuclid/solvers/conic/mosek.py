"""A conic program written into a MOSEK task; MOSEK itself is not imported here."""

import numpy as np
from scipy import sparse

_DOMAINS = {
    "zero": "appendrzerodomain",
    "nonnegative": "appendrplusdomain",
    "second_order": "appendquadraticconedomain",
    "psd": "appendsvecpsdconedomain",
}


def fill_task(task, free, P, q, A, b, cones):
    """Write a program into an empty MOSEK task, one affine conic constraint for each cone.

    MOSEK takes no quadratic objective beside cones: ½xᵀPx becomes a variable t, the last, with
    2 t >= |Rx|² and P = RᵀR.

    `free` is `mosek.boundkey.fr`. Returns for each cone its rows of A in MOSEK's order, for "psd"
    the lower triangle by columns.
    """
    R = _root(P)
    m, N = A.shape
    size = N + bool(R.shape[0])
    task.appendvars(size)
    task.putvarboundsliceconst(0, size, free, -np.inf, np.inf)
    task.putcslice(0, N, q)
    F = sparse.coo_matrix(-A)
    task.appendafes(m)
    task.putafefentrylist(F.row.astype(np.int64), F.col, F.data)
    task.putafegslice(0, m, b)
    rows, first = [], 0
    for kind, order in cones:
        taken = np.arange(order)
        if kind == "psd":
            i, j = np.triu_indices(order)
            taken = j * (j + 1) // 2 + i
        rows.append(first + taken)
        first += len(taken)
        task.appendacc(getattr(task, _DOMAINS[kind])(len(taken)), rows[-1], None)
    if size > N:
        _append_quadratic(task, R, N, m)
    return rows


def _append_quadratic(task, R, t, first):
    """Rows (t, 1, Rx) in the rotated cone, and t in the objective."""
    root = sparse.coo_matrix(R)
    k = root.shape[0]
    task.putcj(t, 1.0)
    task.appendafes(k + 2)
    task.putafefentry(first, t, 1.0)
    task.putafeg(first + 1, 1.0)
    task.putafefentrylist(root.row.astype(np.int64) + first + 2, root.col, root.data)
    task.appendacc(task.appendrquadraticconedomain(k + 2), np.arange(first, first + k + 2), None)


def _root(P):
    """R with RᵀR = P, a row for each positive eigenvalue of the part of P that is not zero."""
    P = sparse.csc_matrix(P)
    used = np.flatnonzero(np.diff(P.indptr))
    values, vectors = np.linalg.eigh(P[used][:, used].toarray())
    kept = values > np.finfo(float).eps * len(used) * values.max(initial=0.0)
    R = sparse.lil_matrix((kept.sum(), P.shape[1]))
    R[:, used] = np.sqrt(values[kept])[:, None] * vectors[:, kept].T
    return R.tocsr()
