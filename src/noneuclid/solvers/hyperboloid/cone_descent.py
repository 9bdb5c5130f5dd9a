"""Local descent on the light cone, from several directions."""

import math

import numpy as np
from scipy.optimize import minimize

from noneuclid.solvers.hyperboloid.horospherical import best_length, lift_to_cone

_STARTS = 8
_WORK = 400_000  # rows times starts, of which one is always made
_RESTARTS = 3  # L-BFGS stops early where the hinge sum has a kink


def descend(slices, sign):
    """Best w of the light cone with this sign of t, and its objective, by descents from 8 starts.

    Zero and inf if all end at w = 0. On the cone w = (±|u|, u), the objective is the hinge sum, a
    function of u alone. O(n d) a step of L-BFGS, some 60 steps a start; fewer starts where the rows
    are many.
    """
    d, rng = slices.rows.shape[1] - 1, np.random.default_rng(0)
    starts = rng.normal(size=(max(1, min(_STARTS, _WORK // len(slices.rows))), d))
    # First the direction in which the sum falls fastest.
    starts[0] = np.sum(slices.weights[:, None] * slices.rows, axis=0)[1:]
    best, least = np.zeros(d + 1), math.inf
    for start in starts[starts.any(axis=1)]:
        u = find_best_multiple(slices, sign, start)[1:]
        for _ in range(_RESTARTS if u.any() else 0):
            u = minimize(_evaluate, u, (slices, sign), "L-BFGS-B", jac=True).x
        w = _on_cone(sign, u)
        value = slices.evaluate_loss(w)
        if w.any() and value < least:
            best, least = w, value
    return best, least


def _on_cone(sign, u):
    return lift_to_cone(u, sign, math.sqrt(u @ u)) if u.any() else np.zeros(len(u) + 1)


def find_best_multiple(slices, sign, u):
    """Best w of the light cone with the direction of u, over all rows."""
    ray = lift_to_cone(u, sign, 1.0)
    slopes = slices.weights * (slices.find_rows(ray) @ ray)
    return ray * best_length(slopes, slices.weights)


def _evaluate(u, slices, sign):
    """Loss at u and its gradient."""
    length = math.sqrt(u @ u)
    w = np.append(sign * length, u)
    rows = slices.find_rows(w)
    short = 1.0 - rows @ w
    slope = -slices.c * (np.where(short > 0.0, slices.weights, 0.0) @ rows)
    loss = slices.c * (slices.weights @ np.maximum(0.0, short))
    return loss, slope[1:] + sign * slope[0] / max(length, 1e-300) * u
