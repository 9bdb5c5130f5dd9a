"""Descent over points on the hyperboloid: L-BFGS in charts that follow the points."""

import warnings
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from noneuclid.geometry import lorentz

_ROUND = 50


@dataclass(frozen=True)
class Descent:
    """Where a descent ended.

    Attributes
    ----------
    points : ndarray, shape (n, d + 1)
    value : float
        Never more than at the start.
    iterations : int
    status : str
        `converged` or `iteration limit`.
    fall : float
        Relative fall of the value over the last round of iterations.
    """

    points: np.ndarray
    value: float
    iterations: int
    status: str
    fall: float


def descend(objective, start, *, tol=1e-4, max_iter=1000, progress=None):
    """Lower a function of points on the hyperboloid, curvature -1, from a start.

    Rounds of 50 iterations of L-BFGS. In each round a point moves in the spatial coordinates of
    the frame that has its place at the start of the round as origin, so a short step is as long
    in every direction and wherever the point lies. The line search never accepts a rise.

    Stops when a round lowers the value by no more than the part `tol`, or with a
    `ConvergenceWarning` after `max_iter`. `objective` takes points (n, d + 1) to a value and
    its ambient gradient.
    Shapes: `start` (n, d + 1).
    """
    points, value = start, objective(start)[0]
    iterations, fall = 0, np.inf
    with tqdm(total=max_iter, desc=progress, mininterval=5, disable=progress is None) as bar:
        while iterations < max_iter and fall > tol:
            before, steps = value, min(_ROUND, max_iter - iterations)
            points, value, done = _round(objective, points, value, steps)
            fall = (before - value) / max(abs(before), np.finfo(float).tiny)
            iterations += done
            bar.set_postfix(value=f"{value:.6g}", refresh=False)
            bar.update(done)
    converged = fall <= tol
    if not converged:
        warnings.warn(
            f"L-BFGS stopped after {iterations} iterations; the last {_ROUND} lowered the value "
            f"by a relative {fall:.1e}, tol {tol:.1e}: raise max_iter",
            ConvergenceWarning,
            stacklevel=2,
        )
    status = "converged" if converged else "iteration limit"
    return Descent(points, float(value), iterations, status, float(fall))


def _round(objective, points, value, steps):
    """At most `steps` iterations from `points`, which are kept if nothing is lower."""
    frames = np.array([lorentz.boost(x) for x in points])
    shape = points[:, 1:].shape

    def place(flat):
        local = lorentz.from_spatial(flat.reshape(shape))
        moved = np.einsum("nij,nj->ni", frames, local)
        # The product rounds: only its spatial part is kept, so that no point leaves the sheet.
        return local, lorentz.from_spatial(moved[:, 1:])

    def pulled_back(flat):
        local, moved = place(flat)
        height, gradient = objective(moved)
        gradient = np.einsum("nij,ni->nj", frames, gradient)
        return height, (gradient[:, 1:] + gradient[:, :1] * local[:, 1:] / local[:, :1]).ravel()

    options = {"maxiter": steps, "maxfun": 10 * steps, "ftol": 0.0, "gtol": 0.0}
    start = np.zeros(points[:, 1:].size)
    # Its many tiny products run up to ten times slower, and round differently, on more threads.
    with threadpool_limits(1, user_api="blas"):
        found = minimize(pulled_back, start, jac=True, method="L-BFGS-B", options=options)
    if not found.fun < value:
        return points, value, max(found.nit, 1)
    return place(found.x)[1], found.fun, max(found.nit, 1)


def jitter(points, size, seed):
    """Move each point by a small random tangent step, so that no two coincide.

    Two points in one place have no direction to part in, and no descent separates them.

    Shapes: `points` (n, d + 1); returns shape (n, d + 1).
    """
    steps = size * np.random.default_rng(seed).standard_normal(points[:, 1:].shape)
    frames = np.array([lorentz.boost(x) for x in points])
    moved = np.einsum("nij,nj->ni", frames, lorentz.from_spatial(steps))
    return lorentz.from_spatial(moved[:, 1:])
