"""Monotone descent for the arcsinh loss, problem (6) of Yang et al. (2024).

Each step minimises a convex model: the loss l is the positive part of h(m) = asinh 1 - asinh m,
which is replaced by its tangent at the present margin (above l wherever h is concave, m < 0); the
bend of h, and -½t², enter as one quadratic form, exactly if that is convex, else less of its
negative part; |u| >= |t| is replaced by the wedge (u_k/|u_k|)·u >= |t| inside it.
"""

import math

import numpy as np

from noneuclid.solvers.hyperboloid.descent import projected_gradient
from noneuclid.solvers.hyperboloid.problem import Solution, objective, signed_rows
from noneuclid.solvers.linear.hinge_program import solve_hinge_program

_ASINH_1 = math.asinh(1.0)
# Points keep within |t| <= (1 - rim)|u|; the model keeps twice as far from the light cone.
_RIM = 1e-9
_MAX_STEPS = 60  # of each program
_HEAVY = 10.0  # weight of the cone's faces, in slopes


def descend(points, signs, C, start, tol=1e-6, max_iter=100, rival_steps=2000, weights=None):
    """Descend from a spacelike w; the objective of problem (6) never rises.

    From `start`, and from where projected gradient descent (Cho et al. 2019) ends that sets out
    there, for the two may end in different valleys; the lower end is kept, so that it is never
    above that of the gradient descent. Cost: O(n d²) a step of the inner interior point method,
    some 15 of them a step, O(n d) for one of the gradient; O(n d) memory.

    Stops where the model promises a relative fall below `tol`. Status "stationary", "max_iter", or
    "stalled" where no step along the model's solution brings the fall that it promises; `n_iter`
    counts the steps of both descents.
    """
    rows = signed_rows(points, signs)
    starts = [projected_gradient.project(start)]
    if rival_steps:
        rival = projected_gradient.descend(
            points, signs, start, C, max_iter=rival_steps, weights=weights
        )
        starts.append(rival.w)
    costs = float(C), np.ones(len(rows)) if weights is None else weights
    ends = [_descend(rows, w, costs, tol, max_iter) for w in starts]
    values = [objective(end[0], points, signs, C, "arcsinh", weights=weights) for end in ends]
    w, status, promise, _ = ends[int(np.argmin(values))]
    warning = ""
    if status != "stationary":
        warning = (
            f"solver 'arcsinh' stopped ({status}) where its model promised a relative fall of "
            f"{promise:.1e}; raise max_iter or tol"
        )
    return Solution(w, min(values), status, sum(end[3] for end in ends), warning=warning)


def _descend(rows, w, costs, tol, max_iter):
    """Final w, status, relative fall last promised, steps."""
    margins = rows @ w
    value = _evaluate(w, margins, costs)
    pressure = 0.0
    for step in range(1, max_iter + 1):
        scale = max(value, 1e-9 * costs[0] * costs[1].mean())
        p, fall, pressure, error = _model_step(rows, w, margins, costs, pressure, tol * scale)
        promise = fall / scale
        before = value
        w, margins, value = _search_line(rows, w, p, margins, costs, value, fall)
        if promise <= tol and error <= tol * scale:
            return w, "stationary", promise, step
        if value >= before:
            return w, "stalled", promise, step
    return w, "max_iter", promise, max_iter


def _model_step(rows, w, margins, costs, pressure, aim):
    """Solution p of the convex model at w, the fall it promises, a pressure, the error of p.

    The error aimed at is a thousandth of `aim`. The pressure is the multiplier of the wedge: so
    much does the bend of the light cone gain.
    """
    C, weights = costs
    length = np.linalg.norm(w[1:])
    direction = w[1:] / length
    short = np.minimum(margins, 1.0)
    slopes = 1.0 / np.hypot(1.0, short)
    reaches = np.where(margins < 1.0, (_ASINH_1 - np.arcsinh(short)) / slopes, 1.0 - margins)
    bends = C * weights * np.where(margins < 1.0, short, 0.0) * slopes**3
    above = (rows.T * np.maximum(bends, 0.0)) @ rows
    above[1:, 1:] += np.eye(len(direction))
    below = (rows.T * np.maximum(-bends, 0.0)) @ rows
    below[0, 0] += 1.0
    across = np.eye(len(direction)) - np.outer(direction, direction)
    below[1:, 1:] += pressure / length * across
    B = _convex(above, below)
    slope = np.r_[-w[0], w[1:]]
    hinges = C * weights * slopes
    p, wedge, error = _solve_model(rows, w, direction, B, slope, hinges, reaches, 1e-3 * aim)
    losses = np.maximum(reaches - rows @ p, 0.0) - np.maximum(reaches, 0.0)
    fall = -(slope @ p + 0.5 * p @ B @ p + C * slopes @ (weights * losses))
    return p, fall, wedge, error


def _solve_model(rows, w, direction, B, slope, hinges, reaches, tol):
    """Minimiser p of the model inside the wedge, the wedge's multiplier, the gap at p.

    The two faces of the wedge are hinges too, of a weight that is raised until none is violated.
    """
    faces = np.empty((2, len(w)))
    faces[:, 0] = -1.0, 1.0
    faces[:, 1:] = (1.0 - 2.0 * _RIM) * direction
    heavy = _HEAVY * np.linalg.norm(slope)
    rows, reaches = np.vstack([rows, faces]), np.append(reaches, -faces @ w)
    inverse, start = np.linalg.inv(B), np.zeros(len(w))
    while True:
        weights = np.append(hinges, [heavy, heavy])
        p, multipliers, lower, upper, _ = solve_hinge_program(
            rows, reaches, weights, B, inverse, slope, start, tol, _MAX_STEPS
        )
        if multipliers[-2:].max() < 0.5 * heavy or heavy > 1e30:
            return p, multipliers[-2:].sum(), upper - lower
        heavy *= 100.0


def _convex(above, below):
    """`above` - `below`, with as much of `below` as leaves it positive definite."""
    floor = 1e-8 * np.trace(above) / len(above) * np.eye(len(above))
    for share in (1.0, 0.5, 0.25, 0.1):
        B = above - share * below
        try:
            np.linalg.cholesky(B - floor)
        except np.linalg.LinAlgError:
            continue
        return B
    return above + floor


def _search_line(rows, w, p, margins, costs, value, fall):
    """Step halved until the objective falls as promised, else doubled while it falls.

    Long steps that leave the light cone go back to it by their time coordinate. Returns the new w,
    its margins and value.
    """
    along = rows @ p

    def step_by(length):
        v, m = w + length * p, margins + length * along
        rim = (1.0 - _RIM) * np.linalg.norm(v[1:])
        if abs(v[0]) > rim:
            back = math.copysign(rim, v[0]) - v[0]
            v[0] += back
            m += back * rows[:, 0]
        return v, m, _evaluate(v, m, costs)

    length, step = 1.0, step_by(1.0)
    while step[2] > value - 0.1 * length * fall:
        length *= 0.5
        if length < 1e-8:
            return w, margins, value
        step = step_by(length)
    while length >= 1.0 and (further := step_by(2.0 * length))[2] < step[2]:
        length, step = 2.0 * length, further
    return step


def _evaluate(w, margins, costs):
    C, weights = costs
    losses = _ASINH_1 - np.arcsinh(np.minimum(margins, 1.0))
    return float(0.5 * (w[1:] @ w[1:] - w[0] * w[0]) + C * (weights * losses).sum())
