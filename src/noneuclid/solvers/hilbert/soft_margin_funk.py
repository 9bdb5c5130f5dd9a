"""The least weighted slack at one radius on a simplex in Funk's metric: a small linear program.

The ball about p is {q : q >= p/ρ, Σ q = 1}, ρ = e^r, so that the least sign_i ν·q over it is
τ_i = sign_i ν·p_i/ρ + (1 - 1/ρ) min_j sign_i ν_j: linear but for one minimum a class.
"""

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linprog

from noneuclid.solvers.hilbert.separation import HIGHS
from noneuclid.solvers.hilbert.soft_margin_problem import Slice


def solve(problem, radius, weights, load, stop=None):
    """Lower and upper bound of min Σ weights max(0, -τ) - load·ν over ν·u = 1.

    The unknowns are ν (m), the two minima and n slacks: n (m + 2) coefficients.

    `stop` is not needed: the program is solved to the end. Empty if the program is unbounded.
    """
    P, signs, rho = problem.points, problem.signs, np.exp(radius)
    (n, m), rest = P.shape, -np.expm1(-radius)
    # HiGHS counts its tolerances in the units of the cost.
    unit = np.abs(np.r_[weights, load]).max()
    sides = np.c_[signs > 0, signs < 0].astype(float)
    eye, none = np.eye(m), np.zeros((m, 1))
    A_ub = sp.vstack(
        [
            sp.hstack([-signs[:, None] * P / rho, -rest * sides, -sp.eye(n)]),
            sp.hstack([np.c_[-eye, none + 1, none], sp.csr_matrix((m, n))]),
            sp.hstack([np.c_[eye, none, none + 1], sp.csr_matrix((m, n))]),
        ],
        format="csc",
    )
    A_eq = sp.csr_matrix(np.r_[problem.pull, np.zeros(2 + n)])
    bounds = [(None, None)] * (m + 2) + [(0, None)] * n
    cost = np.r_[-load, 0.0, 0.0, weights] / unit
    fit = linprog(
        cost, A_ub, np.zeros(n + 2 * m), A_eq, [1.0], bounds, method="highs", options=HIGHS
    )
    if fit.x is None:
        return Slice.empty(problem, load)
    nu = fit.x[:m] / (fit.x[:m] @ problem.pull)
    low = np.where(signs > 0, nu.min(), -nu.max())
    slacks = np.maximum(0.0, -(signs * (P @ nu) / rho + rest * low))
    masses, corners = np.split(-unit * fit.ineqlin.marginals, [n])
    masses = np.clip(masses, 0.0, weights)
    lower = _dual_value(problem, radius, masses, corners.reshape(2, m), load, nu)
    alpha = masses / np.where(weights > 0, weights, 1.0)
    return Slice(lower, weights @ slacks - load @ nu, nu, slacks, alpha / rho, alpha)


def _dual_value(problem, radius, masses, corners, load, nu):
    """Bound t if the masses are balanced, t u = -load - Σ masses sign_i q_i with q_i in the balls.

    What is out of balance is charged as if the optimal ν differed from `nu` by its size.
    """
    P, signs = problem.points, problem.signs
    left = -load - (masses * signs) @ P / np.exp(radius)
    for sign, shares in zip((1.0, -1.0), np.maximum(corners, 0.0), strict=True):
        total = shares.sum()
        q = shares / total if total > 0 else np.full(len(nu), 1.0 / len(nu))
        left += sign * np.expm1(-radius) * masses[signs == sign].sum() * q
    t = left @ nu
    return t - np.abs(left - t * problem.pull).sum() * np.abs(nu).max()
