"""Slices of the hyperboloid SVM whose points may move: the robust form, by row generation."""

import math
from dataclasses import replace

import numpy as np
from scipy import sparse

from noneuclid.solvers.conic import programs
from noneuclid.solvers.hyperboloid.certified.slices.time_slices import refine_slice
from noneuclid.solvers.hyperboloid.problem import fill_weights, rounding_error

_TOLERANCE = 1e-9  # of the conic solver
_LEAST_UNIT = 1e-7  # of c
_OTHER_UNITS = (0.1, 1e-4)  # where the conic solver ends short of its tolerance


class RobustSlices:
    """Slices of the robust problem (30) of Yang et al. (2024), by row generation.

    The robust margin r_i·w - |M_i w|_1 is the smallest of those of 2^d rows r_i - σ M_i with
    signs σ. The model holds, for each point, its own row and those that have been the worst, times
    the point's weight; `shares` (pieces, d) are their σ.

    `moves` (n, d, d + 1) are the matrices M_i.
    """

    def __init__(self, rows, c, moves, conic_solver="clarabel", weights=None):
        self.rows, self.c, self._moves, self._solver = rows, c, moves, conic_solver
        self.weights = fill_weights(rows, weights)
        self._sums, self._blocks = self.weights[:, None] * rows, np.arange(len(rows))
        self.shares = np.zeros(moves.shape[:2])
        # Of all hinges at most: a constant term, and a factor of |w|, as |x'| < |x_0|: §9.7.
        lengths = 1.5 * np.abs(rows[:, 0]) + np.abs(moves).sum(axis=(1, 2))
        self.sizes = c * float(self.weights.sum()), c * float(self.weights @ lengths)

    def restart(self):
        """The same problem with a coarse model."""
        return RobustSlices(self.rows, self.c, self._moves, self._solver, self.weights)

    def find_local_optimum(self):
        """A local optimum w and its objective: only slices give one."""
        return None, math.inf

    def sharpen(self, w):
        """None, inf: the conic programs of the slices are sharp."""
        return None, math.inf

    def bound_slope(self, sign):
        """Largest slope of φ towards that end of the t axis."""
        worst = np.abs(self._moves[:, :, 0]).sum(axis=1) - sign * self.rows[:, 0]
        return self.c * (self.weights * np.maximum(0.0, worst)).sum()

    def rounding_error(self, w, upper):
        """What the evaluation of ½|u|² + loss at w, which is `upper`, can lose: §11.4."""
        return 2.0 * rounding_error(self.rows, self.sizes, w, upper)

    @property
    def pieces(self):
        """The model c Σ_k max(0, max_p (counts_p - sums_p·w)): sums, counts, block k of piece p."""
        return self._sums, self.weights[self._blocks], self._blocks

    def evaluate_model(self, w):
        """Lower bound of the loss at w."""
        return self.c * self._losses(w).sum()

    def _losses(self, w):
        losses = np.zeros(len(self.rows))
        np.maximum.at(losses, self._blocks, self.weights[self._blocks] - self._sums @ w)
        return losses

    def restrict_to_ray(self, ray):
        """Slopes a and counts n of the loss Σ max(0, n - τ a) at τ ray, τ >= 0."""
        return self.weights * (self.find_rows(ray) @ ray), self.weights

    def find_rows(self, w):
        """Rows whose margins at w are the robust margins of the points."""
        return self._find_worst(w)[0]

    def _find_worst(self, w):
        shares = np.sign(self._moves @ w)
        return self.rows - np.einsum("ij,ijk->ik", shares, self._moves), shares

    def clip_multipliers(self, alpha):
        """Multipliers scaled so that those of a point sum to c at most."""
        alpha = np.maximum(0.0, alpha)
        totals = np.bincount(self._blocks, alpha)
        return alpha * np.minimum(1.0, self.c / np.maximum(totals, self.c))[self._blocks]

    def evaluate_loss(self, w, slack=math.inf):
        """Weighted sum of robust hinges at w; rows that the model lacks by `slack` are added."""
        worst, shares = self._find_worst(w)
        losses = self.weights * np.maximum(0.0, 1.0 - worst @ w)
        lacking = losses - self._losses(w)
        if self.c * lacking.sum() > slack:
            new = np.flatnonzero(lacking > 0.5 * slack / (self.c * len(lacking)))
            self._sums = np.concatenate([self._sums, self.weights[new, None] * worst[new]])
            self._blocks = np.concatenate([self._blocks, new])
            self.shares = np.concatenate([self.shares, shares[new]])
        return float(self.c * losses.sum())

    def solve_at(self, t, tol, irrelevant):
        """Slice at t, its bounds within `tol` or its objective bound at least `irrelevant`."""
        result = refine_slice(self, t, tol, irrelevant)
        for share in _OTHER_UNITS:
            if result.gap <= tol or result.bound(t) >= irrelevant:
                break
            again = refine_slice(self, t, share * tol, irrelevant)
            if again.gap < result.gap:
                result = replace(again, aim=tol)
        return result

    def solve_model(self, t, tol):
        """Minimiser u of the model's slice and multipliers of its pieces."""
        sums, counts, blocks = self.pieces
        (p, size), n = sums.shape, len(self.rows)
        d = size - 1
        # In units of the largest weight.
        heaviest = self.weights.max()
        sums, counts, c = sums / heaviest, counts / heaviest, self.c * heaviest
        # Divided by c, so that the conic solver's tolerance means the same for every C, or by less
        # if the objective is so small that the tolerance would be too large beside it.
        unit = min(c, max(tol / _TOLERANCE, _LEAST_UNIT * c))
        P = sparse.diags(np.append(np.full(d, 1.0 / unit), np.zeros(n)), format="csc")
        q = np.append(np.zeros(d), np.full(n, c / unit))
        share = sparse.csr_matrix((np.ones(p), (np.arange(p), blocks)), shape=(p, n))
        A = -sparse.bmat([[None, sparse.identity(n)], [sums[:, 1:], share]], format="csc")
        b = np.append(np.zeros(n), sums[:, 0] * t - counts)
        cones = [("nonnegative", n + p)]
        result = programs.solve(P, q, A, b, cones, self._solver, tolerance=_TOLERANCE)
        size, scale = max(1.0, abs(t)), unit / heaviest
        if result.status == "optimal" or size == 1.0:
            return result.x[:d], self.clip_multipliers(scale * result.z[n:])
        # Far out, where the solver can call this feasible program infeasible, in units of t.
        result = programs.solve(size * P, q, A, b / size, cones, self._solver, tolerance=_TOLERANCE)
        return size * result.x[:d], self.clip_multipliers(scale * result.z[n:])
