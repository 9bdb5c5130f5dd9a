"""Linear program (10) of Acharya et al. (2026), binary search over the radius, for small sizes."""

import numpy as np

from noneuclid.solvers.hilbert.problem import HilbertSolution, cone_over, distances
from noneuclid.solvers.hilbert.separation import ball_rows, separate

_FEASIBLE = 1e-9  # slack that counts as positive, ten times the tolerance of the LP solver


def reference_margin(
    X, signs, A, b, E, f, metric="hilbert", form="paper", normalization="box", tol=1e-6
):
    """Largest margin by binary search over the feasibility problem (10).

    `form`, multipliers of a Hilbert ball: "paper" has one for each of its m(m-1) facets (lemma
    2.3), "short" 2m: {z : a(p) <= M z <= e^{2r} a(p)}. The Funk balls have one form.
    `normalization` "box": -1 <= (w, c) <= 1 and a slack, positive iff separable. "published": 1ᵀw =
    1, which excludes every separator with 1ᵀw <= 0. `status` is "inseparable" if the program at
    radius 0 is infeasible.

    For the negative class (10) prints b·y >= c with Aᵀy = w, which some y fulfils for any w and c;
    the program here has Aᵀy = -w, b·y <= -c. Memory n m² d, log2(range/tol) programs.
    """
    cone, a = cone_over(A, b, E, f), X @ np.transpose(A) + b
    sums = cone.basis[:-1].sum(axis=0) if normalization == "published" else None
    least = _FEASIBLE if sums is None else -_FEASIBLE
    rows = _paper_rows if (metric, form) == ("hilbert", "paper") else ball_rows

    def attempt(radius):
        fit = separate(*rows(metric, a, cone, radius), signs, sums)
        return fit if fit.slack > least else None

    fit, n_iter, low = attempt(0.0), 1, 0.0
    if fit is None:
        return HilbertSolution(
            np.zeros(X.shape[1]), 0.0, 0.0, 0.0, 0.0, n_iter, "inseparable", "inseparable"
        )
    high = min(
        distances(metric, np.tile(p, (sum(signs < 0), 1)), a[signs < 0]).min() for p in a[signs > 0]
    )
    while high - low > tol:
        middle, n_iter = 0.5 * (low + high), n_iter + 1
        better = attempt(middle)
        low, high, fit = (low, middle, fit) if better is None else (middle, high, better)
    w, c = cone.affine(fit.g)
    return HilbertSolution(w, c, low, low, high, n_iter, "optimal")


def _paper_rows(metric, a, cone, radius):
    """Facets e^{2r} a_k(p) a_j - a_j(p) a_k of each Hilbert ball, and the height."""
    j, k = np.nonzero(~np.eye(a.shape[1], dtype=bool))
    pairs = np.exp(2 * radius) * a[:, k, None] * cone.M[j] - a[:, j, None] * cone.M[k]
    B = np.concatenate([pairs, np.broadcast_to(cone.one, (len(a), 1, len(cone.one)))], axis=1)
    height = np.arange(B.shape[1]) == B.shape[1] - 1
    return B, np.tile(height.astype(float), (len(a), 1)), height
