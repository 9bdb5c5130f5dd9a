"""The hyperboloid SVM on the light cone: horospherical scores, which give all points one label.

There w = τ(±1, v) with |v| = 1, and the objective is the hinge sum alone. The sum is convex, the
sphere is not: branch and bound on boxes of directions v, each relaxed to a second-order cone
program, closes the gap with the square of the boxes' size.
"""

import heapq
import math
from itertools import count, product

import numpy as np
from scipy import sparse

from noneuclid.solvers.conic import programs

_EPS = float(np.finfo(float).eps)
_SHARE = 0.1  # of what is open, to which the model is refined
_MAX_ROUNDS = 50  # refinements


def lift_to_cone(u, sign, size):
    """Vector of the light cone with time coordinate sign·size and the direction of u.

    The result is spacelike or null: the time coordinate never exceeds the norm of the rest.
    """
    u = u / np.abs(u).max()  # its square must not vanish
    spatial = u * (size / math.sqrt(u @ u))
    size = min(size, math.sqrt(spatial @ spatial))
    while size * size > spatial @ spatial:  # by rounding
        size = math.nextafter(size, 0.0)
    return np.append(math.copysign(size, sign), spatial)


def is_on_cone(w):
    """Whether <w,w>_L is zero up to rounding, relative to |w|²."""
    return bool(abs(w[1:] @ w[1:] - w[0] ** 2) <= 1e-12 * (w @ w))


def search_cone(slices, w, value, tol, max_cells=2000, conic_solver="clarabel"):
    """Best w on the light cone, if it is better than the incumbent, and a lower bound there.

    w and its objective `value` are the incumbent; `tol` is the wanted gap relative to it. Returns a
    lower bound of the objective on the cone, the better w, its objective, and the programs solved.
    """
    branch = _Branch(slices, w, value, tol, conic_solver)
    whole = np.ones(slices.rows.shape[1] - 1)
    for sign in (1.0, -1.0):
        branch.push(sign, -whole, whole)
    while branch.queue and branch.queue[0][0] < branch.goal and branch.cells < max_cells:
        _, _, sign, low, high, v = heapq.heappop(branch.queue)
        j = int(np.argmax(high - low))
        # Through the relaxed solution's direction, if that is not too near a face.
        edge = 0.2 * (high[j] - low[j])
        middle = min(max(v[j], low[j] + edge), high[j] - edge)
        for side, bounds in ((high, low), (low, high)):
            half = side.copy()
            half[j] = middle
            branch.push(sign, *((bounds, half) if side is high else (half, bounds)))
    if branch.queue:
        branch.bound = min(branch.bound, branch.queue[0][0])
    return min(branch.bound, branch.value), branch.w, branch.value, branch.cells


def search_flat(slices, w, value, tol, conic_solver="clarabel"):
    """`search_cone` for rows with no part along the last axis: two convex programs.

    Any (t, u) with |u| <= |t| gets to the cone along that axis, at no cost.
    """
    branch, slack = _Branch(slices, w, value, tol, conic_solver), _SHARE * tol * value
    whole = np.ones(slices.rows.shape[1] - 1)
    for sign in (1.0, -1.0):
        bound, longest = bound_time(slices, sign, branch.value)
        for _ in range(_MAX_ROUNDS if bound < branch.goal else 0):
            proved, w = _relax_box(slices, sign, -whole, whole, longest, conic_solver)
            branch.cells, bound = branch.cells + 1, max(bound, proved)
            w[-1] = math.sqrt(max(0.0, w[0] ** 2 - w[1:-1] @ w[1:-1]))
            model, loss = slices.evaluate_model(w), slices.evaluate_loss(w, slack)
            branch.offer(w, loss)
            if bound >= branch.goal or loss - model <= 2.0 * slack:
                break
        branch.bound = min(branch.bound, bound)
    return min(branch.bound, branch.value), branch.w, branch.value, branch.cells


class _Branch:
    """Boxes of directions and the incumbent."""

    def __init__(self, slices, w, value, tol, conic_solver):
        self.slices, self.w, self.value, self.tol = slices, w, value, tol
        self.conic_solver = conic_solver
        self.bound, self.cells, self.queue, self._order = math.inf, 0, [], count()

    @property
    def goal(self):
        return self.value * (1.0 - self.tol)

    def push(self, sign, low, high):
        """Bound the objective for directions in a box, by the parent's bound at least."""
        nearest, farthest = np.clip(0.0, low, high), np.maximum(np.abs(low), np.abs(high))
        if nearest @ nearest > 1.0 or farthest @ farthest < 1.0:
            return  # the sphere misses the box
        least, longest = bound_time(self.slices, sign, self.value)
        bound, direction = least, 0.5 * (low + high)
        for _ in range(_MAX_ROUNDS if least < self.goal else 0):
            proved, w = _relax_box(self.slices, sign, low, high, longest, self.conic_solver)
            self.cells += 1
            bound = max(bound, proved)
            if w[1:].any():
                direction = w[1:] / math.sqrt(w[1:] @ w[1:])
            slack = _SHARE * self.tol * self.value
            model = self.slices.evaluate_model(w)
            loss = self.slices.evaluate_loss(w, slack)
            if w[1:].any():
                self.offer(*find_best_on_ray(self.slices, sign, w[1:], slack))
            if bound >= self.goal or loss - model <= 2.0 * slack:
                break
        heapq.heappush(self.queue, (bound, next(self._order), sign, low, high, direction))

    def offer(self, w, value):
        if value < self.value:
            self.w, self.value = w, value


def bound_time(slices, sign, value):
    """Least objective on this half of the cone, and the largest |t| of a w below `value` (§9.1).

    The wrongly labelled points cost 1 + τ(x_0 - v·x') >= 1 + τ/(x_0 + |x'|) each, times their
    weights.
    """
    wrong = sign * slices.rows[:, 0] < 0.0
    rows, weights = slices.rows[wrong], slices.weights[wrong]
    least = slices.c * weights.sum() * (1.0 - 1e-13)  # §9.1
    size = np.abs(rows[:, 0]) + np.linalg.norm(rows[:, 1:], axis=1)
    return least, max(0.0, value - least) / (slices.c * (weights / size).sum()) * (1.0 + 1e-9)


def find_best_on_ray(slices, sign, u, slack=math.inf):
    """Best w on the light cone with the direction of u, by the model, and its objective.

    `sign` is that of the time coordinate; the model is refined at w to within `slack`.
    """
    ray = lift_to_cone(u, sign, 1.0)
    w = ray * best_length(*slices.restrict_to_ray(ray))
    return w, slices.evaluate_loss(w, slack)


def best_length(slopes, counts):
    """Minimiser over τ >= 0 of Σ max(0, counts - τ slopes)."""
    rising = slopes > 0.0
    ends = counts[rising] / slopes[rising]
    order = np.argsort(ends)
    left = slopes.sum() - np.cumsum(slopes[rising][order])
    stop = np.searchsorted(-left, 0.0)
    return ends[order[min(stop, len(ends) - 1)]] if len(ends) and slopes.sum() > 0.0 else 0.0


def search_line(points, signs, c, weights=None):
    """Least objective on the light cone of one dimension, from below, and a w that has it.

    Its four rays are (σ, e), σ, e = ±1. With p = x_0 + x_1 the products r·(σ, e) are -σ y p^(-σ e):
    nothing cancels, however far the points are.
    """
    long = points[:, 1].astype(np.longdouble)
    size = np.abs(long) + np.sqrt(1.0 + long**2)
    p = np.where(long < 0.0, 1.0 / size, size)
    weights = np.ones(len(p)) if weights is None else weights
    found = []
    for sigma, e in product((1.0, -1.0), repeat=2):
        slopes = -sigma * signs * p ** (-sigma * e)
        least, tau = _least_sum(slopes, weights.astype(np.longdouble))
        found.append((c * least, float(tau) * np.array([sigma, e])))
    value, w = min(found, key=lambda pair: pair[0])
    lost = (len(p) + 32) * np.finfo(np.longdouble).eps * (value + c * weights.sum())  # §18
    return math.nextafter(float(value - lost), -math.inf), w


def _least_sum(slopes, weights):
    """Least Σ weights max(0, 1 - τ slopes) over τ >= 0, and its τ: 0 or where a term ends."""
    right = slopes > 0.0
    order = np.argsort(slopes[right])
    ends, shares = slopes[right][order], weights[right][order]
    wrong, rise = weights[~right].sum(), -(weights * slopes)[~right].sum()
    # At τ = 1 / slope only the terms of smaller slopes are left.
    left = np.cumsum(shares) - np.cumsum(shares * ends) / ends
    sums = np.append(wrong + rise / ends + left, weights.sum())
    k = int(np.argmin(sums))
    return sums[k], np.append(1.0 / ends, 0.0)[k]


def _relax_box(slices, sign, low, high, longest, conic_solver):
    """Proved lower bound for directions in a box, and the relaxed problem's w.

    Variables (τ, u, ξ): minimise Σ ξ with ξ >= 0, ξ_k >= n_k - S_k·(sign τ, u), low τ <= u <=
    high τ, Σ (low + high) u - (Σ low high + 1) τ >= 0 (as Σ v² = 1 on the sphere) and |u| <= τ.
    """
    sums, counts, blocks = slices.pieces
    (p, size), m = sums.shape, blocks.max() + 1
    turned = np.column_stack([sign * sums[:, 0], sums[:, 1:]])
    box = np.vstack(
        [
            np.column_stack([-low, np.eye(size - 1)]),
            np.column_stack([high, -np.eye(size - 1)]),
            np.append(-(low @ high) - 1.0, low + high),
        ]
    )
    A = _columns(np.vstack([turned, box, np.eye(size)]), blocks, m)
    b = np.concatenate([np.zeros(m), -counts, np.zeros(len(box) + size)])
    q = np.concatenate([np.zeros(size), np.ones(m)])
    cones = [("nonnegative", m + p + len(box)), ("second_order", size)]
    result = programs.solve(None, q, A, b, cones, conic_solver, tolerance=1e-8)
    # Whatever the solver says, these multipliers are feasible; what they miss is charged.
    alpha = slices.clip_multipliers(slices.c * result.z[m : m + p])
    faces = np.maximum(0.0, slices.c * result.z[m + p : m + p + len(box)])
    rest = -alpha @ turned - faces @ box
    missing = min(0.0, rest[0] - np.linalg.norm(rest[1:]))
    sizes = alpha @ np.abs(turned).sum(axis=1) + faces @ (np.abs(box).sum(axis=1) + size)
    # No sum has more terms than this: §19.
    lost = 2.0 * _EPS * (p + len(box) + size) * (alpha @ counts + longest * sizes)
    bound = float(alpha @ counts + missing * longest - lost)
    tau, u = result.x[0], result.x[1:size]
    return bound, np.append(sign * tau, u)


def _columns(dense, blocks, m):
    """Minus [0 I; dense S] with I of size m and a one in S where row p belongs to block k.

    By hand, as assembly by scipy.sparse would take longer than the solution.
    """
    rows, size = dense.shape
    p = len(blocks)
    order = np.argsort(blocks, kind="stable")
    counts = np.bincount(blocks, minlength=m) + 1
    starts = np.cumsum(counts) - counts
    indices = np.empty(m + p, dtype=np.int64)
    indices[starts] = np.arange(m)
    indices[np.delete(np.arange(m + p), starts)] = m + order
    values = np.concatenate([-dense.T.ravel(), np.full(m + p, -1.0)])
    indices = np.concatenate([np.tile(m + np.arange(rows), size), indices])
    ends = np.concatenate([rows * np.arange(size + 1), rows * size + np.cumsum(counts)])
    return sparse.csc_matrix((values, indices, ends), shape=(m + rows, size + m))
