"""Hard margin in the Funk metric of any polytope: one linear program."""

import numpy as np
from scipy.optimize import linprog

from noneuclid.solvers.hilbert.problem import HilbertSolution, distances, row_generation
from noneuclid.solvers.hilbert.separation import HIGHS

_BATCH = 100


def funk_margin(a, signs, cone, tol=1e-6, max_iter=200):
    """Hyperplane of largest Funk margin, measured from the points to the hyperplane.

    The ball about p is p + (1 - e^{-r})(Ω - p) (acharya2026, eq. 4). Hence, for an affine h with
    0 <= h <= 1 on Ω, it lies in h >= κ iff h(p) >= κ e^r, and in h <= κ iff 1 - h(p) >=
    (1 - κ) e^r: the largest e^r is max over h of min h + min (1 - h), each over its class. With
    h = λ·a and 1 - h = μ·a, λ, μ >= 0, this is a linear program in 2m variables and n rows, of
    which few matter. No margin exceeds log 2.

    Time O(nm) for each linear program, beside a few hundred of its rows.
    """
    scale = a.mean(axis=0)
    M = cone.M / scale[:, None]
    lift = np.linalg.pinv(M)

    def solve(rows, radius, weights):
        part = a[rows] / scale
        fit = _program(part, signs[rows], M, cone.one)
        if fit.x is None:
            return None, np.inf
        shares = np.maximum(-fit.ineqlin.marginals, 0.0)  # hull points, whatever the LP's errors
        U, V = (shares * (signs[rows] == sign) for sign in (1, -1))
        q = -fit.eqlin.marginals
        hulls = np.array([U / U.sum(), V / V.sum()]) @ part
        bound = distances("funk", hulls, np.tile(M @ q, (2, 1)), cone.one @ q).max()
        lam, mu = np.maximum(fit.x[: 2 * len(M)], 0.0).reshape(2, -1)
        mu += (cone.one - (lam + mu) @ M) @ lift
        return (lam / scale, mu / scale), bound

    def measure(candidate):
        lam, mu = candidate
        scores = np.where(signs > 0, a @ lam, a @ mu)
        least = [scores[signs == sign].min() for sign in (1, -1)]
        return scores, np.log(sum(least)), np.ones(len(a))

    (lam, _), *result = row_generation(solve, measure, signs, tol, max_iter, _BATCH)
    h = a @ lam
    least, most = h[signs > 0].min(), h[signs < 0].max()
    w, c = cone.affine(lam @ cone.M - least / (1.0 + least - most) * cone.one)
    return HilbertSolution(w, c, result[0], *result)


def _program(a, signs, M, one):
    """Maximise α + β: a·λ >= α on one side, a·μ >= β on the other, Mᵀ(λ + μ) = one."""
    m = a.shape[1]
    positive = signs[:, None] > 0
    side = np.hstack([positive, ~positive]).astype(float)
    rows = np.hstack([-a * positive, -a * ~positive, side])
    return linprog(
        np.r_[np.zeros(2 * m), -1.0, -1.0],
        rows,
        np.zeros(len(a)),
        np.hstack([M.T, M.T, np.zeros((len(one), 2))]),
        one,
        [(0, None)] * (2 * m) + [(None, None)] * 2,
        method="highs",
        options=HIGHS,
    )
