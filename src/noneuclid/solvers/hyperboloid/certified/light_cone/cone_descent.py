"""Local descent on the light cone, from several directions."""

import math

import numpy as np
from scipy.optimize import minimize

from noneuclid.solvers.hyperboloid.certified.light_cone.horospherical import (
    best_length,
    lift_to_cone,
)

_STARTS = 16  # directions
_WORK = 800_000  # rows times starts, of which one is always made
_MAX_EVALUATIONS = 60  # of each start; L-BFGS gains little where the hinge sum has a kink


def descend(slices, sign):
    """Best w of the light cone with this sign of t, and its objective; 0 and inf if there is none.

    The best of `descend_all`.
    """
    found = descend_all(slices, sign)
    return found[0] if found else (np.zeros(slices.rows.shape[1]), math.inf)


def descend_all(slices, sign):
    """Vectors of the light cone with this sign of t, from 16 starts, with objectives, best first.

    None are returned for starts that end at w = 0. On the cone w = (±|u|, u), the objective is the
    hinge sum, a function of u alone. O(n d) a step of L-BFGS, up to 60 steps a start; fewer starts
    where the rows are many.
    """
    d, rng = slices.rows.shape[1] - 1, np.random.default_rng(0)
    starts = rng.normal(size=(max(1, min(_STARTS, _WORK // len(slices.rows))), d))
    # First the direction in which the sum falls fastest.
    starts[0] = np.sum(slices.weights[:, None] * slices.rows, axis=0)[1:]
    options, found = {"maxfun": _MAX_EVALUATIONS}, []
    for start in starts[starts.any(axis=1)]:
        u = find_best_multiple(slices, sign, start)[1:]
        if u.any():
            u = minimize(_evaluate, u, (slices, sign), "L-BFGS-B", jac=True, options=options).x
        w = _on_cone(sign, u)
        if w.any():
            found.append((w, slices.evaluate_loss(w)))
    return sorted(found, key=lambda pair: pair[1])


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
    return loss, slope[1:] + sign * slope[0] * (u / max(length, 1e-300))
