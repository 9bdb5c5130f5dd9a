"""Hard margin in the Hilbert metric of the probability simplex, in closed form."""

import numpy as np
from scipy.optimize import linprog

from noneuclid.solvers.hilbert.problem import HilbertSolution, distances, row_generation
from noneuclid.solvers.hilbert.separation import HIGHS

_BATCH = 100


def simplex_margin(X, signs, tol=1e-6, max_iter=200):
    """Hyperplane ν·x = 0 of largest Hilbert margin on the simplex.

    There an affine function is ν·x, ν unique, so the distance of x to its hyperplane is
    ½ log(ν⁺·x / ν⁻·x), and the largest margin is half the Hilbert distance of the convex hulls of
    the classes: from below by Dinkelbach's method in the 2m variables ν⁺, ν⁻, from above by the
    hull points U, V that the multipliers of the rows weigh together.

    Time O(nm) and no copy of X for each linear program, whose rows are a few hundred of the n.
    """
    scale = X.mean(axis=0)

    def solve(rows, radius, weights):
        part = X[rows] / (scale * weights[:, None])
        fit = _program(part, signs[rows], np.exp(2 * radius))
        if fit.x is None:
            return None, np.inf
        shares = np.maximum(-fit.ineqlin.marginals, 0.0)  # hull points, whatever the LP's errors
        U, V = ((shares * (signs[rows] == sign) @ part)[None] for sign in (1, -1))
        bound = 0.5 * distances("hilbert", U, V)[0] if (U > 0).all() else np.inf
        nu = fit.x[: X.shape[1]] - fit.x[X.shape[1] : -1]
        return (nu / scale if -fit.fun > 1e-12 else None), bound

    def measure(nu):
        ahead, behind = (X @ np.maximum(np.c_[nu, -nu], 0.0)).T
        with np.errstate(divide="ignore"):
            margins = 0.5 * signs * (np.log(ahead) - np.log(behind))
        return margins, margins.min(), np.where(signs > 0, behind, ahead)

    nu, radius, upper, n_iter, status, warning = row_generation(
        solve, measure, signs, tol, max_iter, _BATCH
    )
    nu = np.zeros(X.shape[1]) if nu is None else nu
    return HilbertSolution(nu, 0.0, radius, radius, upper, n_iter, status, warning, nu)


def _program(X, signs, factor):
    """Maximise t: λ·x - factor μ·x >= t on one side, μ·x - factor λ·x >= t on the other."""
    positive = signs[:, None] > 0
    rows = np.hstack([np.where(positive, X, -factor * X), np.where(positive, -factor * X, X)])
    m = X.shape[1]
    return linprog(
        np.r_[np.zeros(2 * m), -1.0],
        np.c_[-rows, np.ones(len(X))],
        np.zeros(len(X)),
        np.r_[np.ones(2 * m), 0.0][None],
        [1.0],
        [(0, None)] * (2 * m) + [(None, None)],
        method="highs",
        options=HIGHS,
    )
