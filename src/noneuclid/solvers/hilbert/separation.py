"""Linear programs of multipliers: a ball lies in g >= 0 iff g is a combination of its facets.

A ball {z : rows B z >= coefficients} about a point lies in g >= t iff there are multipliers y >= 0
with Bᵀy = g and coefficients·y >= t (Acharya et al. 2026, section 3.2, by linear duality).
"""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.optimize import linprog

from noneuclid.solvers.hilbert.problem import distances

HIGHS = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
# Steps of the simplex method for each row and column; it usually needs less than one.
_STEPS = 5
_MOST = 50  # the same of interior points, with the simplex steps that end them
_OUT_OF_STEPS = 1  # a status of `linprog`

_LARGE = 10_000  # multipliers; above it the simplex method may stall where the slack vanishes


@dataclass(frozen=True)
class Separation:
    """Solution of `separate`."""

    slack: float  # separable at this radius iff positive; -inf if the program has no solution
    g: np.ndarray | None = None  # (k,)
    y: np.ndarray | None = None  # (n, q), multipliers of each ball
    # (n, k), points of the cones over the balls whose signed sum is 0 when the slack is
    touching: np.ndarray | None = None


def ball_rows(metric, a, cone, radius):
    """Facets of the balls of one radius: B, coefficients, and which multipliers are free.

    Hilbert (2m rows): {z : a(p) <= M z <= e^{2r} a(p)}, any height. With height one·z = 1, Funk
    (m rows, lemma 2.2): {z : M z >= e^{-r} a(p)}; reverse Funk: {z : 0 <= M z <= e^r a(p)}.

    Returns B (q, k), coefficients (n, q), free (q,).
    """
    height = np.ones((len(a), 1))
    if metric == "hilbert":
        B, coefficients = np.vstack([cone.M, -cone.M]), np.c_[a, -np.exp(2 * radius) * a]
    elif metric == "funk":
        B, coefficients = np.vstack([cone.M, cone.one]), np.c_[np.exp(-radius) * a, height]
    else:
        B = np.vstack([cone.M, -cone.M, cone.one])
        coefficients = np.c_[np.zeros_like(a), -np.exp(radius) * a, height]
    free = np.zeros(len(B), dtype=bool)
    free[-1] = metric != "hilbert"
    return B, coefficients, free


def solve_program(cost, A_ub, b_ub, A_eq, b_eq, bounds, method="highs", presolve=True):
    """`scipy.optimize.linprog`; by interior points where the simplex method stalls.

    On degenerate programs its steps may go on without end.
    """
    for name, steps in ((method, _STEPS), ("highs-ipm", _MOST)):
        options = HIGHS | {"presolve": presolve, "maxiter": steps * sum(A_ub.shape)}
        fit = linprog(cost, A_ub, b_ub, A_eq, b_eq, bounds, name, options=options)
        if fit.status != _OUT_OF_STEPS:
            break
    return fit


def separate(B, coefficients, free, signs, equality=None, scales=None):
    """Maximise t such that s_i g = B_iᵀy_i, coefficients_i·y_i >= t, y >= 0, -1 <= g <= 1.

    B is (q, k), or (n, q, k) if the balls have different facets; coefficients (n, q); free (q,)
    marks the multipliers of equations. `equality` (k,) replaces the box by equality·g = 1 and t <=
    1. `scales` (n, q) are units of the multipliers' facets: the solver's tolerances are absolute,
    and a facet value of 1e-6 needs one of its own size.
    """
    (n, q), k = coefficients.shape, B.shape[-1]
    own = sp.block_diag([Bi.T for Bi in B]) if B.ndim == 3 else sp.kron(sp.eye(n), B.T)
    if scales is not None:
        own, coefficients = own @ sp.diags(1.0 / scales.ravel()), coefficients / scales
    common = sp.csr_matrix(np.kron(-np.asarray(signs, dtype=float)[:, None], np.eye(k)))
    A_eq = sp.hstack([common, sp.csr_matrix((n * k, 1)), own], format="csc")
    b_eq = np.zeros(n * k)
    slacks = sp.csr_matrix((coefficients.ravel(), (np.repeat(np.arange(n), q), np.arange(n * q))))
    A_ub = sp.hstack([sp.csr_matrix((n, k)), np.ones((n, 1)), -slacks], format="csc")
    box, top = np.tile([-1.0, 1.0], (k, 1)), np.inf
    if equality is not None:
        A_eq = sp.vstack([A_eq, sp.csr_matrix(np.r_[equality, np.zeros(1 + n * q)])], format="csc")
        b_eq, box, top = np.r_[b_eq, 1.0], np.tile([-np.inf, np.inf], (k, 1)), 1.0
    lower = np.tile(np.where(free, -np.inf, 0.0), n)
    bounds = np.vstack([box, [-np.inf, top], np.c_[lower, np.full(n * q, np.inf)]])
    cost = np.zeros(k + 1 + n * q)
    cost[k] = -1.0
    # Each point with facets of its own is the paper's form, which the simplex method solves faster.
    method = "highs-ipm" if n * q > _LARGE and B.ndim == 2 else "highs"
    fit = solve_program(cost, A_ub, np.zeros(n), A_eq, b_eq, bounds, method)
    if fit.x is None:
        return Separation(-np.inf)
    touching = -fit.eqlin.marginals[: n * k].reshape(n, k)
    y = fit.x[k + 1 :].reshape(n, q)
    return Separation(-fit.fun, fit.x[:k], y if scales is None else y / scales, touching)


def touching_bound(metric, a, signs, cone, touching):
    """Upper bound on the margin, from points near the rows with one hull point in common.

    If Σ_i s_i z_i = 0 with all z_i in the cone, the hulls of the two classes' z_i meet; so every
    hyperplane between the classes leaves some z_i on the wrong side or on itself, and no margin
    exceeds max distance(p_i, z_i). What the sum lacks to 0 is spread over the z_i first, and all
    are drawn to the mean of the rows until none lies outside.

    `touching` is (n, k). The bound is inf if a point ends without height.
    """
    heights = touching @ cone.one
    used = heights > 1e-7 * heights.max()
    if not used.any():
        return np.inf
    z, s, heights = touching[used], signs[used], heights[used]
    z = z - np.outer(s * heights / heights.sum(), s @ z)
    heights, values = z @ cone.one, z @ cone.M.T
    if heights.min() <= 0:
        return np.inf
    centre = np.outer(heights, a.mean(axis=0))
    outside = np.maximum(-values, 0.0)
    share = (outside / (centre + outside)).max() * (1.0 + 1e-6)
    values = (1.0 - share) * values + share * centre
    return distances(metric, a[used], values, heights).max()
