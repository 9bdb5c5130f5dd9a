"""Hard-margin separation in the Hilbert and Funk metrics of a polytope (acharya2026)."""

from dataclasses import replace

import numpy as np

from noneuclid.errors import InputError
from noneuclid.solvers.hilbert.hard_margin_funk import funk_margin
from noneuclid.solvers.hilbert.hard_margin_polytope import polytope_margin
from noneuclid.solvers.hilbert.hard_margin_simplex import simplex_margin
from noneuclid.solvers.hilbert.problem import METRICS, cone_over, is_simplex


def hard_margin(X, signs, A, b, E, f, metric="hilbert", tol=1e-6, max_iter=200):
    """Hyperplane with the largest metric ball about every training point on the point's side.

    The ball of radius r about p is {q : distance(p, q) <= r}. So for the asymmetric metrics the
    margin is measured from the training point to the hyperplane: Funk(p, q) = max_i log
    a_i(p)/a_i(q) for "funk", and Funk(q, p) for "reverse_funk".

    `status` is "inseparable" if no margin above `tol` exists, which `upper_bound` proves;
    `warning` names the gap if `max_iter` programs did not suffice. On the probability simplex (A =
    1, b = 0, E = 1ᵀ, f = -1) w = nu and c = 0.

    On the simplex (Hilbert) and for Funk one program in 2m variables serves all points; else each
    row of the working set has 2m multipliers of its own, and time grows with its size, some tens of
    rows for each dimension.
    """
    X, signs = np.asarray(X, dtype=float), np.asarray(signs, dtype=float)
    A, b, E, f = (np.asarray(part, dtype=float) for part in (A, b, E, f))
    if metric not in METRICS:
        raise InputError(f"metric {metric!r} is unknown; choose one of {', '.join(METRICS)}")
    if not (signs > 0).any() or not (signs < 0).any():
        raise InputError("all training rows have one sign; give rows of both classes")
    simplex = is_simplex(A, b, E, f)
    a = X if simplex else X @ A.T + b
    _require_inside(a)
    if simplex and metric == "hilbert":
        return simplex_margin(a, signs, tol, max_iter)
    cone = cone_over(A, b, E, f)
    if metric == "funk":
        fit = funk_margin(a, signs, cone, tol, max_iter)
    else:
        fit = polytope_margin(a, signs, cone, metric, tol, max_iter)
    nu = fit.w + fit.c
    return replace(fit, w=nu, c=0.0, nu=nu) if simplex else fit


def _require_inside(a):
    if not a.min() > 0:
        row, facet = np.unravel_index(np.argmin(np.where(np.isnan(a), -np.inf, a)), a.shape)
        raise InputError(
            f"row {row} is not strictly inside the polytope: facet {facet} has value "
            f"{a[row, facet]:.3g}; move it inside or enlarge the polytope"
        )
