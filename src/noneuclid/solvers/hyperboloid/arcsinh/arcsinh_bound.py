"""Global bound for the hyperboloid SVM with the arcsinh loss, in few dimensions.

Branch and bound over boxes of w. On a box every margin has an interval, on which the loss
l(m) = max(0, asinh 1 - asinh m), concave below 0 and convex above, has a convex envelope. Any plane
below the sum of the envelopes, plus ½|u|² less the chord of ½t², or plus 0 <= ½<w,w>_L, is
separable in the coordinates: its least value on the box bounds the objective from below, and the
part of the box where it exceeds the best known value is cut off.
"""

import heapq
import math
from functools import partial

import numpy as np

from noneuclid.compiled import compile_cached, copy_into
from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid.solvers import progress
from noneuclid.solvers.hyperboloid.arcsinh import arcsinh_descent
from noneuclid.solvers.hyperboloid.arcsinh.arcsinh_boxes import (
    combine_planes,
    cut_box,
    find_lowest,
    fit_line_below,
)
from noneuclid.solvers.hyperboloid.descent.projected_gradient import project
from noneuclid.solvers.hyperboloid.lorentz_boost import invert
from noneuclid.solvers.hyperboloid.problem import Solution, signed_rows

_ASINH_1 = math.asinh(1.0)
_EPS = 2.3e-16  # rounded up
# Planes tried on a box before it is split.
_ROUNDS = 8


def prove_bound(points, signs, C, upper, tol=1e-3, max_nodes=1_000_000, weights=None):
    """Prove how low the objective of problem (6) can be, and find a w that comes near.

    The bound holds for every w with <w,w>_L >= 0, the light cone included. A w better than the
    best known one lies in a ball: let all points lie within r of a centre that is moved to the
    origin, and s = r + 1. If |t| <= tanh(s)|u| then ½|u|² <= F cosh²(s); else all points are on one
    side, one class pays at least asinh 1 + asinh(|u| sinh 1 / cosh s) a point, times its weight.
    The centre is the centroid of the points short of their margin, about which level sets of F are
    roundest.

    `upper` is a good spacelike w, from which a descent starts. Status "optimal" or, with a warning
    and a wider gap, "max_nodes"; `n_iter` counts boxes, of some 3 n (d + 1) operations and as many
    asinh each. The work grows steeply with d: made for d = 2, at d = 4 some thousands of boxes.
    Where few points of one class lie among others more than about 8 units from the centre, the
    search may not end.
    """
    signs = np.asarray(signs, dtype=float)
    shares = np.ones(len(signs)) if weights is None else weights
    totals = shares[signs > 0].sum(), shares[signs < 0].sum()
    if min(totals) == 0:
        raise InputError("all signs are equal; a bound needs points of both classes")
    descend = partial(arcsinh_descent.descend, points, signs, C, rival_steps=0, weights=weights)
    best = descend(upper)
    back = lorentz.boost(_find_centre(points, signs, best.w, shares))
    moved = lorentz.from_spatial((points @ invert(back).T)[:, 1:])
    horosphere = np.zeros(points.shape[1])
    horosphere[:2] = -1.0, 1.0
    one_sided = back @ horosphere * (1.0 if totals[0] > totals[1] else -1.0)
    for scale in (1.0, moved[:, 0].max()):
        rival = descend(project(scale * one_sided))
        best = min(best, rival, key=lambda fit: fit.objective)
    radius = _bound_radius(moved, best.objective, C * min(totals))
    if not math.isfinite(radius):
        raise InputError("points lie too far apart for a finite search; rescale them")
    rows = signed_rows(moved, signs)

    def polish(w):
        return descend(project(back @ w))

    best, lower, nodes = _search(rows, C * shares, radius, best, polish, tol, max_nodes)
    warning = ""
    if lower < best.objective * (1.0 - tol) * (1.0 - 1e-12):
        gap = 1.0 - lower / best.objective
        warning = f"branch and bound stopped at max_nodes={max_nodes} with a relative gap {gap:.1e}"
    status = "max_nodes" if warning else "optimal"
    return Solution(best.w, best.objective, status, nodes, lower, warning)


def _find_centre(points, signs, w, weights):
    margins = signed_rows(points, signs) @ w
    short = margins < 1.0 + 1e-4
    if not short.any():
        return lorentz.midpoint(points)
    slopes = weights[short] / np.hypot(1.0, np.minimum(margins[short], 1.0))
    return lorentz.midpoint(points[short], slopes)


def _bound_radius(points, value, least_weight):
    """Radius of a ball that holds every w, |t| <= |u|, with an objective of at most `value`."""
    reach = math.acosh(points[:, 0].max()) + 1.0
    radius = math.sqrt(2.0 * value)
    excess = value / least_weight - _ASINH_1
    if excess > 0.0:
        radius = max(radius, float(np.sinh(excess)) / math.sinh(1.0))
    return math.cosh(reach) * radius


def _search(rows, limits, radius, best, polish, tol, max_nodes):
    """Best-first search of the box |w_j| <= radius: best solution, lower bound, boxes seen."""
    size = rows.shape[1]
    low, high = np.full(size, -radius), np.full(size, radius)
    heap = [(0.0, 0, low, high, np.full((2, size + 1), -np.inf))]
    nodes, found = 0, np.empty(size)
    bar = progress.bar(desc="box", total=max_nodes)
    while heap and nodes < max_nodes and heap[0][0] < best.objective * (1.0 - tol):
        floor, _, low, high, planes = heapq.heappop(heap)
        nodes += 1
        bar.update()
        cutoff = best.objective * (1.0 - tol)
        proved, value = _narrow_box(rows, limits, low, high, planes, cutoff, found)
        # Descents from boxes 1, 2, 4, 8, ... find the optimum early.
        if value < best.objective or (nodes & (nodes - 1) == 0 and value < np.inf):
            best = min(best, polish(found), key=lambda fit: fit.objective)
        proved = max(proved, floor)
        if proved >= best.objective * (1.0 - tol):
            continue
        j = _choose_axis(rows, low, high)
        middle = 0.5 * (low[j] + high[j])
        for half, (start, end) in enumerate(((low[j], middle), (middle, high[j]))):
            child_low, child_high = low.copy(), high.copy()
            child_low[j], child_high[j] = start, end
            heapq.heappush(heap, (proved, 2 * nodes + half, child_low, child_high, planes.copy()))
    bar.close()
    floor = heap[0][0] if heap else np.inf
    return best, min(floor, best.objective * (1.0 - tol)), nodes


@compile_cached
def _fill_plane(rows, limits, low, high, w, plane):
    """Fill plane (c, g), c + g w <= loss on the box, high at w; returns the loss at w."""
    n, size = rows.shape
    loss, used = 0.0, 0.0
    plane[:] = 0.0
    for i in range(n):
        C = limits[i]
        m, middle, width, large = 0.0, 0.0, 0.0, 0.0
        for j in range(size):
            m += rows[i, j] * w[j]
            middle += rows[i, j] * 0.5 * (low[j] + high[j])
            width += abs(rows[i, j]) * 0.5 * (high[j] - low[j])
            large += abs(rows[i, j]) * max(abs(low[j]), abs(high[j]))
        width += 8.0 * _EPS * large  # §21
        if m < 1.0:
            loss += C * (_ASINH_1 - math.asinh(m))
        slope, intercept = fit_line_below(middle - width, middle + width, m)
        plane[0] += C * intercept
        used += C * (abs(intercept) + abs(slope) * large)
        for j in range(size):
            plane[1 + j] += C * slope * rows[i, j]
    plane[0] -= (n + 8) * _EPS * used  # what rounding may have added: §21
    return loss


@compile_cached
def _compute_volume(low, high):
    return np.prod(np.maximum(high - low, 1e-60))


@compile_cached
def _narrow_box(rows, limits, low, high, planes, cutoff, found):
    """Bound one box and shrink it in place; also the least objective met, at `found`.

    `planes` are the best plane without and with the curved part; both are inherited by halves.
    """
    size = len(low)
    w, new = 0.5 * (low + high), np.empty(size + 1)
    bound, value = -np.inf, np.inf
    for step in range(_ROUNDS):
        rim = math.sqrt(np.sum(np.maximum(np.abs(low[1:]), np.abs(high[1:])) ** 2))
        if low[0] > rim or high[0] < -rim:
            return np.inf, value
        low[0], high[0] = max(low[0], -rim), min(high[0], rim)
        volume, before = _compute_volume(low, high), bound
        loss = _fill_plane(rows, limits, low, high, w, new)
        square = np.sum(w[1:] ** 2) - w[0] ** 2
        if square >= 0.0 and loss + 0.5 * square < value:
            value = loss + 0.5 * square
            copy_into(w, found)
        for k in range(2):
            combine_planes(planes[k], new, k == 1, low, high)
            bound = max(bound, cut_box(planes[k], k == 1, low, high, cutoff))
            bound = max(bound, cut_box(new, k == 1, low, high, cutoff))
            if bound >= cutoff:
                return bound, value
        stuck = _compute_volume(low, high) > 0.8 * volume and bound - before < 0.1 * (
            cutoff - bound
        )
        if step > 0 and stuck:
            break
        for j in range(size):
            aim = find_lowest(j, planes[1, 1 + j], True, low[j], high[j])
            w[j] += (aim - w[j]) / (2.0 + step)
            w[j] = min(high[j], max(low[j], w[j]))
    return bound, value


@compile_cached
def _choose_axis(rows, low, high):
    """Axis along which the margins vary most, of points on which the envelope is not exact."""
    spread = np.zeros(len(low))
    for i in range(len(rows)):
        middle = np.dot(rows[i], 0.5 * (low + high))
        width = np.dot(np.abs(rows[i]), 0.5 * (high - low))
        if middle - width < 1.0 and (middle < width or middle + width > 1.0):
            spread += np.abs(rows[i]) * (high - low)
    return np.argmax(spread)
