"""The least weighted slack at one radius as a linear program, for few rows next to facets.

There the other methods may end without digits: facet values differ by decades. Here each multiplier
is in units of its facet value. With low T a <= B z <= high T a for the ball about a point, its
slack ξ meets sign g + l e = B'(λ - μ), λ, μ >= 0, and

    Hilbert: ξ >= l, low Σ λ a >= high Σ μ a;   Funk: ξ >= l - low Σ λ a + high Σ μ a.

Both bounds are computed from the answer: the upper one from g and multipliers that are corrected,
the lower one from the dual points, moved into their balls.
"""

from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from noneuclid.solvers.hilbert.separation import solve_program
from noneuclid.solvers.hilbert.soft_margin_polytope import PointBlock, bound_factors
from noneuclid.solvers.hilbert.soft_margin_problem import RadiusBounds

MOST = 1000  # rows times facets


def solve_as_program(problem, radius, weights, load):
    """Lower and upper bound of min Σ weights lift(g) - load·g over pull·g = 1; O(n m) unknowns."""
    if problem.B is None:  # a simplex: facet values in units in which they are the coordinates
        m = problem.points.shape[1]
        problem = replace(problem, a=problem.points, B=np.eye(m), f=np.ones(m))
    low, high = bound_factors(problem.metric, radius)
    fit = _solve(problem, low, high, weights, load)
    if fit is None:
        return RadiusBounds.empty(problem, load)
    g, kappas, z = fit
    z, sizes = _move_into_balls(problem, low, high, z)
    # What is out of balance is charged as if the optimal g differed from this one by its size.
    left = -load - (weights * problem.signs) @ z
    t = left @ g
    lower = t - np.abs(left - t * problem.pull).sum() * np.abs(g).max()
    block = PointBlock(problem, np.arange(len(weights)), weights, low, high)
    block.prices = kappas
    slacks = block.bound_lifts(g, problem.f)
    upper = weights @ slacks - load @ g
    return RadiusBounds(lower, upper, g, slacks, sizes, lambda c: c @ z)


def _solve(problem, low, high, weights, load):
    """Function g, multipliers (n, m or 2m) and dual points of unit weight; or None."""
    (n, m), k, both = problem.a.shape, len(problem.e), np.isfinite(high)
    hilbert, signs = problem.metric == "hilbert", problem.signs
    sides = np.array([1.0, -1.0][: 1 + both])
    scaled = problem.B.T / problem.a[:, None, :]  # (n, k, m)
    # Unknowns: g, then λ (and μ), l and ξ of each row.
    each = [sp.csr_matrix(np.c_[np.kron(sides, part), -problem.e, np.zeros(k)]) for part in scaled]
    equal = sp.vstack(
        [
            sp.hstack([sp.csr_matrix(np.kron(-signs[:, None], np.eye(k))), sp.block_diag(each)]),
            sp.csr_matrix(np.r_[problem.pull, np.zeros(n * (len(sides) * m + 2))]),
        ],
        format="csc",
    )
    size = np.kron([-low, high] if both else [-low], np.ones(m))
    own = [np.r_[size, 0.0, 0.0], np.r_[0.0 * size, 1.0, -1.0]]
    own = np.array(own if hilbert else [own[0] + own[1]])
    most = sp.hstack([sp.csr_matrix((n * len(own), k)), sp.kron(sp.eye(n), own)], format="csc")
    unit = max(weights.max(), np.abs(load).max())
    cost = np.zeros(equal.shape[1])
    cost[:k], cost[k:].reshape(n, -1)[:, -1] = -load / unit, weights / unit
    bounds = [(None, None)] * k + ([(0, None)] * len(size) + [(None, None), (0, None)]) * n
    right = np.append(np.zeros(n * k), 1.0)
    for presolve in (True, False):
        fit = solve_program(
            cost, most, np.zeros(most.shape[0]), equal, right, bounds, presolve=presolve
        )
        if fit.x is not None:
            break
    if fit.x is None:
        return None
    g, rest = fit.x[:k] / (fit.x[:k] @ problem.pull), fit.x[k:].reshape(n, -1)
    kappas = np.maximum(rest[:, :-2], 0.0) / np.tile(problem.a, len(sides))
    z = -unit * fit.eqlin.marginals[:-1].reshape(n, k) / weights[:, None]
    return g, kappas, z


def _move_into_balls(problem, low, high, z):
    """Dual points of mass <= 1, moved towards their centres as far as needed, and their T."""
    values, mass = z @ problem.B.T / problem.a, z @ problem.e
    least, most = values.min(axis=1), values.max(axis=1)
    if problem.metric == "hilbert":
        wanted = (most - high * least) / (high - 1.0)
    elif np.isinf(high):
        wanted = (low * mass - least) / (1.0 - low)
    else:
        wanted = np.maximum(-least, (most - high * mass) / (high - 1.0))
    moved = np.maximum(0.0, wanted) * (1.0 + 1e-9)
    shrink = 1.0 / np.maximum(1.0, mass + moved)
    z = (z + moved[:, None] * problem.points) * shrink[:, None]
    sizes = least + moved if problem.metric == "hilbert" else mass + moved
    return z, sizes * shrink * (low if problem.metric == "funk" else 1.0)
