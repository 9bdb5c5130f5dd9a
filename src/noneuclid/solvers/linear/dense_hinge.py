"""The interior-point method of `hinge_program` for many variables, from a start nearby.

Most work is in the normal matrix, a symmetric product, and in its Cholesky factor; both are BLAS's.
"""

import numpy as np
from scipy.linalg.blas import dsyrk
from scipy.linalg.lapack import dpotrf, dpotrs

from noneuclid.solvers.linear.hinge_program import solve_offset_svm

_SHORT, _STUCK = 0.1, 1e-6  # steps
_BACK = 0.995  # of the way to the boundary
_LEAST_LEVEL = 1e-13  # of the mean slack


def solve_dense_svm(Z, offsets, weights, start, level, tol, enough, max_iter):
    """Minimise ½|u|² + Σ weights_i max(0, offsets_i - z_i·u) from u = `start`.

    Slacks start at `level` from their hinges; about the gap expected at `start`, divided by
    2 Σ weights. Ends at a difference of both values of `tol`, or a lower value of `enough`. Where
    it does not get there, `solve_offset_svm` starts again by itself.

    Returns u, feasible α, lower and upper value, and the number of steps.
    """
    # What overflows here is not finite below, or no better than what is kept.
    with np.errstate(all="ignore"):
        run = _Steps(Z, offsets, weights, start, level)
        n_iter, moves = 0, True
        while not (run.upper - run.lower <= tol or run.lower >= enough):
            if n_iter == max_iter or not moves:
                break
            moves = run.advance()
            n_iter += 1
        else:
            return run.best_u, run.best_alpha, run.lower, run.upper, n_iter
    u, alpha, lower, upper, more = solve_offset_svm(Z, offsets, weights, tol, max_iter)
    return u, alpha, lower, upper, n_iter + more


class _Steps:
    """Slack x and surplus s, x - s = offsets - Z u; multipliers, α + spare = weights."""

    def __init__(self, Z, offsets, weights, start, level):
        self._Z, self._offsets, self._weights, self.u = Z, offsets, weights, start
        short = offsets - Z @ start
        level = max(level, _LEAST_LEVEL * (1.0 + np.abs(short).mean()))
        self._x = np.maximum(short, 0.0) + level
        self._s = self._x - short
        self.alpha = weights * self._x / (self._s + self._x)
        self._spare = weights - self.alpha
        self.lower, self.upper = -np.inf, np.inf
        self.best_u, self.best_alpha = self.u, self.alpha
        self._measure()

    def _measure(self):
        """Both values, each at its own feasible point; the best are kept."""
        self._resultant = self.alpha @ self._Z
        lower = self.alpha @ self._offsets - 0.5 * (self._resultant @ self._resultant)
        if lower > self.lower:
            self.lower, self.best_alpha = float(lower), self.alpha
        loss = self._weights @ np.maximum(0.0, self._x - self._s)
        upper = 0.5 * (self.u @ self.u) + loss
        if upper < self.upper:
            self.upper, self.best_u = float(upper), self.u

    def advance(self):
        """One step of Mehrotra's predictor and corrector; False if it is too short."""
        x, s, alpha, spare = self._x, self._s, self.alpha, self._spare
        pull = alpha * spare / (s * spare + x * alpha)
        M = (self._Z * np.sqrt(pull)[:, None]).T
        H = dsyrk(1.0, M, beta=1.0, c=np.eye(len(self.u), order="F"), overwrite_c=1, lower=1)
        factor, failed = dpotrf(H, lower=1, overwrite_a=1, clean=0)
        if failed:
            return False
        mu = (alpha @ s + spare @ x) / (2 * len(x))
        target, da, ds, dx = 0.0, 0.0, 0.0, 0.0
        for phase in range(3):
            if phase == 2:
                target, da, ds, dx = 0.5 * mu, 0.0, 0.0, 0.0
            ra = (target - da * ds) / alpha - s
            rx = (target + da * dx) / spare - x
            goal = (pull * (ra - rx)) @ self._Z + self._resultant - self.u
            du = dpotrs(factor, goal, lower=1)[0]
            da = pull * (ra - rx - self._Z @ du)
            ds = ra - s * da / alpha
            dx = rx + x * da / spare
            shrink = max(
                1.0,
                (-da / alpha).max(),
                (da / spare).max(),
                (-ds / s).max(),
                (-dx / x).max(),
            )
            if phase == 0:
                after = (alpha + da / shrink) @ (s + ds / shrink)
                after += (spare - da / shrink) @ (x + dx / shrink)
                target = mu * (after / (2 * len(x) * mu)) ** 3
                continue
            step = min(1.0, _BACK / shrink)
            if step >= _SHORT:
                break
        if not step >= _STUCK:
            return False
        self.alpha, self._spare = alpha + step * da, spare - step * da
        self._s, self._x, self.u = s + step * ds, x + step * dx, self.u + step * du
        self._measure()
        return bool(mu > 0.0)
