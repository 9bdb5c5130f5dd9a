"""The least weighted slack at one radius on a simplex, in the m corner values of g alone.

On a simplex with barycentric coordinates p an affine function is ν·p, and Ξ_r(ν) = Σ ω_i max(0,
-τ_i), τ_i the least sign_i ν·q over the ball about p_i, is convex in ν. Its dual: if α_i lie in
[0, 1] and q_i in the balls, -Σ ω_i α_i sign_i q_i = t u proves Ξ_r(ν) >= t for all ν·u = 1.

τ_i is smoothed within its ball, so that the gradient of the smoothed Ξ_r at its minimiser, along u
by Newton's method, is such a dual solution. The hinge takes a proximal step in α (Rockafellar 1976,
augmented Lagrangian), which needs no small widths; both widths shrink from step to step. Funk's
metric has a linear program instead: the ball about p is {q : q >= p/ρ, Σ q = 1}, ρ = e^r, so that
the least sign_i ν·q over it is τ_i = sign_i ν·p_i/ρ + (1 - 1/ρ) min_j sign_i ν_j: linear except for
one minimum a class.
"""

from dataclasses import replace

import numpy as np
import scipy.sparse as sp
from scipy.linalg import null_space

from noneuclid.solvers.hilbert import soft_margin_kernels as kernels
from noneuclid.solvers.hilbert.separation import solve_program
from noneuclid.solvers.hilbert.soft_margin_problem import RadiusBounds

_LEAST, _MOST, _EASY = 2.5, 10.0, 10  # factors between widths; Newton steps after which it grows
_BAND = 3.0  # width of the band of τ over that of the hinge
_HEAVY = 0.25  # widths fall with this power of the weight
_MAX_STEPS, _MAX_NEWTON = 25, 60
_NONE = 1e-300  # width
_EPS = 4e-16  # of a root, relative to the largest coefficient
_SLOW, _FIRM = 0.2, 1e-3  # a shorter step is a poor one; least ridge after it
_ROUNDING = 1e-16
_NOISE, _SHORT, _RIDGE = 1e-13, 1e-2, 1e-14
_BALANCED, _CERTAIN = 1e-12, 1e-9  # imbalance over the sum of the dual's masses


def solve_on_simplex(problem, radius, weights, load, stop, start=None):
    """Lower and upper bound of min Σ weights max(0, -τ) - load·ν over ν·u = 1."""
    descent = _Descent(problem, radius, weights, load)
    nu = problem.pull / (problem.pull @ problem.pull) if start is None else start.g
    taus = descent.compute_taus(nu)
    level = np.average(np.abs(taus), weights=weights + 1e-300)
    if start is not None and start.alpha is not None:
        descent.alpha[:] = np.where(np.isnan(start.alpha), taus < 0, start.alpha)
        level = min(level, start.level)
    best, shrink = RadiusBounds.empty(problem, load), _LEAST
    for _ in range(_MAX_STEPS):
        nu, gradient, balanced = descent.minimise(nu, level, stop)
        best = descent.keep_better(best, nu, gradient, balanced)
        if stop(best.lower, best.upper):
            break
        shrink = (
            min(2.0 * shrink, _MOST) if descent.n_newton <= _EASY else max(0.5 * shrink, _LEAST)
        )
        level /= shrink
    return replace(best, level=level)


class _Descent:
    """Newton's method on the smoothed cost of one radius."""

    def __init__(self, problem, radius, weights, load):
        self.P, self.u, self.load = problem.points, problem.pull, load
        self.funk = None if problem.metric == "hilbert" else True
        self.rho = np.exp((1.0 if self.funk else 2.0) * radius)
        self.rows = np.zeros((10, len(self.P)))
        self.rows[kernels.SIGN] = problem.signs
        self.rows[kernels.WEIGHT] = weights
        # Views: the kernels read and write the table.
        self.weights = self.rows[kernels.WEIGHT]
        self.alpha, self.sizes = self.rows[kernels.ALPHA], self.rows[kernels.SIZE]
        self.work = np.empty((3, self.P.shape[1]))
        self.along = null_space(self.u[None])
        self.ridge, self.path = _RIDGE, 0.0
        self.relative = (np.median(problem.weights) / problem.weights) ** _HEAVY

    def compute_taus(self, nu):
        """The τ of all rows without smoothing: no band, and no α at the hinge."""
        rows = self.rows.copy()
        rows[kernels.HINGE], rows[kernels.BAND], rows[kernels.ALPHA0] = np.inf, _NONE, 0.0
        rows[kernels.CLEAR] = -np.inf
        self._fill(rows, nu)
        return rows[kernels.TAU]

    def set_level(self, nu, level):
        """Widths of the smoothing, and α as the centre of the proximal step."""
        self.rows[kernels.HINGE] = level * self.relative
        self.rows[kernels.BAND] = _BAND * self.rows[kernels.HINGE]
        self.rows[kernels.ALPHA0] = self.alpha
        self.rows[kernels.CLEAR] = -np.inf
        self.constant = 0.5 * (self.weights * self.rows[kernels.HINGE]) @ self.alpha**2
        self.path, self.at = 0.0, nu

    def evaluate_cost(self, nu):
        """Smoothed cost, gradient, Hessian; leaves α and the sizes in the attributes."""
        self.path += np.abs(nu - self.at).max()
        self.at = nu
        value, gradient, H = self._fill(self.rows, nu)
        return value - self.constant - self.load @ nu, gradient - self.load, H

    def _fill(self, rows, nu, chosen=slice(None)):
        """Cost of the table's rows, gradient and Hessian; roots, α, sizes and τ in the table."""
        m, least = len(nu), _EPS * np.abs(nu).max()
        gradient, H = np.zeros(m), np.zeros((m, m))
        value = kernels.smoothed(
            self.P[chosen], rows, nu, self.path, least, self.rho, self.funk, gradient, H, self.work
        )
        return value, gradient, H

    def minimise(self, nu, level, stop):
        """Minimiser at these widths, gradient there, and imbalance over masses."""
        self.set_level(nu, level)
        state = self.evaluate_cost(nu)
        off = self.measure_imbalance(nu, state[1])
        for self.n_newton in range(_MAX_NEWTON):
            if off <= _BALANCED or self.ridge > 1e4:
                break
            if self.load.any() and stop(-np.inf, state[0]):
                break  # too low already to be of use, perhaps unbounded
            step = self.find_direction(*state[1:], level)
            if off <= 0.1 * _CERTAIN and -(state[1] @ step) <= _ROUNDING * abs(state[0]):
                break
            size, found = self.search_line(nu, state, off, step)
            # Where few pieces are curved, the model says nothing about the other directions.
            if size < _SLOW:
                self.ridge = max(10.0 * self.ridge, _FIRM)
            elif size == 1.0:
                self.ridge = max(0.1 * self.ridge, _RIDGE)
            if size:
                nu, state = nu + size * step, found
                off = self.measure_imbalance(nu, state[1])
        self.evaluate_cost(nu)
        self.ridge = min(self.ridge, 1e-6)
        return nu, state[1], off

    def search_line(self, nu, state, off, step):
        """Step size that lowers the cost enough (0 if none does) and what is found there."""
        value, slope, size = state[0], state[1] @ step, 1.0
        noise = _NOISE * (abs(value) + abs(self.load @ nu))
        while size > _SHORT:
            found = self.evaluate_cost(nu + size * step)
            change = found[0] - value
            if not np.isfinite(change):
                break
            if change <= 1e-4 * size * slope:
                return size, found
            if abs(change) <= noise and self.measure_imbalance(nu + size * step, found[1]) < off:
                return size, found
            size *= max(0.1, min(0.5, -0.5 * size * slope / (change - size * slope)))
        return 0.0, None

    def keep_resultant(self, nu):
        """Function that takes c to Σ c_i α_i q_i, of the present α and q."""
        used = np.flatnonzero(self.alpha)
        rows = self.rows[:, used]
        rows[kernels.CLEAR] = -np.inf

        def add_up(c):
            some = np.flatnonzero(c[used])
            part = rows[:, some]
            part[kernels.WEIGHT] = c[used[some]] * part[kernels.SIGN]
            return -self._fill(part, nu, used[some])[1]

        return add_up

    def measure_imbalance(self, nu, gradient):
        mass = self.weights @ self.alpha + np.abs(self.load).sum()
        return np.abs(gradient - (gradient @ nu) * self.u).sum() / (mass or 1.0)

    def find_direction(self, gradient, H, level):
        """Newton step with ν·u unchanged; the ridge counts in steps of the size of the widths."""
        inner, pull = self.along.T @ H @ self.along, gradient @ self.along
        scale = max(np.trace(inner) / len(inner), np.linalg.norm(pull) / level)
        inner[np.diag_indices(len(inner))] += self.ridge * scale
        return self.along @ np.linalg.solve(inner, -pull)

    def keep_better(self, best, nu, gradient, off):
        """The better of the bounds so far and those of ν and of the gradient."""
        fields = dict(vars(best))
        mass = self.weights @ self.alpha + np.abs(self.load).sum()
        # No optimal ν is known: the imbalance is charged as if it differed from ν by its size.
        lower = gradient @ nu - off * mass * np.abs(nu).max()
        if off <= _CERTAIN and lower > best.lower:
            fields |= {"lower": lower, "alpha": self.alpha.copy(), "sizes": self.sizes.copy()}
            fields["resultant"] = self.keep_resultant(nu)
        slacks = np.maximum(0.0, -self.compute_taus(nu))
        upper = self.weights @ slacks - self.load @ nu
        if upper < best.upper:
            fields |= {"upper": upper, "g": nu, "slacks": slacks}
        return RadiusBounds(**fields)


def solve_funk_on_simplex(problem, radius, weights, load, stop=None):
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
    fit = solve_program(cost, A_ub, np.zeros(n + 2 * m), A_eq, [1.0], bounds)
    if fit.x is None:
        return RadiusBounds.empty(problem, load)
    nu = fit.x[:m] / (fit.x[:m] @ problem.pull)
    low = np.where(signs > 0, nu.min(), -nu.max())
    slacks = np.maximum(0.0, -(signs * (P @ nu) / rho + rest * low))
    masses, corners = np.split(-unit * fit.ineqlin.marginals, [n])
    masses = np.clip(masses, 0.0, weights)
    alpha = masses / np.where(weights > 0, weights, 1.0)
    corners = np.maximum(corners.reshape(2, m), 0.0)
    totals = corners.sum(axis=1, keepdims=True)
    corners = np.where(totals > 0, corners / np.where(totals > 0, totals, 1.0), 1.0 / m)

    def resultant(c):
        """With the mass of each row at p/ρ and, for the rest of the ball, at a mix of corners."""
        c = c * alpha
        return c @ P / rho + rest * np.array([c[signs > 0].sum(), c[signs < 0].sum()]) @ corners

    # What is out of balance is charged as if the optimal ν differed from this one by its size.
    left = -load - resultant(weights * signs)
    t = left @ nu
    lower = t - np.abs(left - t * problem.pull).sum() * np.abs(nu).max()
    upper = weights @ slacks - load @ nu
    return RadiusBounds(lower, upper, nu, slacks, alpha / rho, resultant, alpha)
