"""Checks that arrays are the facets of a polytope, and rows points inside it."""

import numpy as np

from noneuclid.errors import InputError

HULL_TOLERANCE = 1e-6
# Remedy of parts on the boundary of the simplex.
ZEROS = "replace zeros: in counts add a pseudocount, in proportions use multiplicative replacement"
"""Legal rows have |E x + f| below it (row sums on the simplex differ from one by less)."""


def read_table(X, name):
    """Finite numbers in rows and columns, or an error in which `name` is the caller."""
    X = np.asarray(X, dtype=float)
    if X.ndim != 2 or 0 in X.shape:
        raise InputError(f"{name}: points have shape {X.shape}; give rows and columns")
    wrong = np.argwhere(~np.isfinite(X))
    if wrong.size:
        row, column = wrong[0]
        raise InputError(
            f"row {row}, column {column} is {X[row, column]}; drop the row or fill in the value"
        )
    return X


def read_facets(A, b, E, f):
    """Copies of A, b, E, f as finite arrays with fitting shapes; E, f = None become empty."""
    A, b = np.array(A, dtype=float), np.array(b, dtype=float)
    if A.ndim != 2 or 0 in A.shape or b.shape != (len(A),):
        raise InputError(f"A has shape {A.shape}, b {b.shape}; give (m, d) and (m,)")
    E = np.empty((0, A.shape[1])) if E is None else np.array(E, dtype=float)
    f = np.empty(0) if f is None else np.array(f, dtype=float)
    if E.ndim != 2 or E.shape[1] != A.shape[1] or f.shape != (len(E),):
        raise InputError(f"E has shape {E.shape}, f {f.shape}; give (k, {A.shape[1]}) and (k,)")
    for name, rows in (("A", A), ("b", b), ("E", E), ("f", f)):
        bad = np.argwhere(~np.isfinite(rows))
        if bad.size:
            raise InputError(f"{name}{bad[0].tolist()} is {rows[tuple(bad[0])]}; give a number")
    return A, b, E, f


def describe_row_outside(X, facets, values, simplex=False):
    """Complaint about the first row that is not strictly inside, or None.

    `facets` are A, b, E, f and `values` A x + b, of which one that may be rounding alone counts as
    zero. With `simplex` the complaint calls the facets parts.
    """
    A, b, E, f = facets
    off = X @ E.T + f
    wrong = np.argwhere(np.abs(off) > HULL_TOLERANCE)
    if wrong.size:
        row, k = wrong[0]
        if simplex:
            return f"row {row} sums to {1 + off[row, k]:.8g}, not 1; divide each row by its sum"
        return (
            f"row {row} lies off the affine hull (E[{k}].x + f[{k}] = {off[row, k]:.6g}); "
            "project it onto the hull"
        )
    wrong = np.argwhere(values <= _rounding(X, A, b))
    if wrong.size == 0:
        return None
    row, facet = wrong[0]
    value = values[row, facet]
    if simplex:
        return f"row {row} has part {facet} = {value:.6g}, not positive; {ZEROS}"
    return (
        f"row {row} lies {'outside' if value < 0 else 'on'} facet {facet} "
        f"(A[{facet}].x + b[{facet}] = {value:.6g}); drop it, or widen the polytope, "
        "as Polytope.around does"
    )


def _rounding(X, A, b):
    """Bound on the rounding of facet values; zero where every facet has one coordinate."""
    terms = np.count_nonzero(A, axis=1)
    if terms.max() == 1:
        return 0.0
    bound = np.abs(X) @ np.abs(A).T + np.abs(b)
    return np.finfo(float).eps * np.where(terms > 1, terms, 0) * bound
