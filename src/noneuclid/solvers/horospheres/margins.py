"""Horospheres with a large margin between two classes."""

import numpy as np

from noneuclid.compiled import compile_cached, compile_inner
from noneuclid.geometry.horospheres import horosphere_height

_ROUND = 0.5  # the hinge is quadratic over this much of its slope, so that it has derivatives
_STEPS = 40
_ENOUGH = 1e-4  # relative decrease that ends the search
_CLOSE = 1e-12


def margin_horosphere(polar, signs, weights, C, ideal):
    """Horosphere with a large margin between two classes, from a given ideal point on.

    Minimises ½μ² + C Σ w_i max(0, 1 - y_i (-μ B_p(x_i) - b)) over p, μ > 0 and b, HoroSVM of Fan
    et al. 2023, the hinge rounded: least squares that majorise it, with linearised margins and the
    damping of Levenberg and Marquardt. Not convex; a search for good splits, no certificate.

    Signs are +1 for rows that belong inside the horoball. Returns p, μ and b, together
    (d + 2,): the horosphere is {B = -b / μ}. O(n d²) a step.
    """
    size = polar.shape[1]
    points, systems = np.empty((2, size)), np.empty((3, size, size + 1))
    points[1, : size - 2] = ideal
    _descend(np.ascontiguousarray(polar), signs, weights, C, points, systems)
    return points[0]


@compile_cached
def _descend(polar, signs, weights, C, points, systems):
    """Write the minimum into the first point, from the ideal point in the second.

    The systems are the normal equations of the first and of the second point, right-hand sides in
    the last column, and Cholesky's factor with the solution. The search begins halfway between the
    means of both sides.
    """
    n, size = polar.shape
    d, damping, value, accepted = size - 2, 1e-3, np.inf, -1
    inner, outer, inner_weight, outer_weight = 0.0, 0.0, 0.0, 0.0
    for i in range(n):
        height = np.log(horosphere_height(polar, i, points, 1))
        if signs[i] > 0.0:
            inner += weights[i] * height
            inner_weight += weights[i]
        else:
            outer += weights[i] * height
            outer_weight += weights[i]
    inner, outer = inner / inner_weight, outer / outer_weight
    points[1, d] = 2.0 / (1.0 + abs(outer - inner))
    points[1, d + 1] = -points[1, d] * (inner + outer) / 2.0
    while True:
        found = _least_squares(polar, signs, weights, C, points, systems)
        if accepted < 0 or found < value:
            enough = value - found <= _ENOUGH * found
            value = found
            for j in range(size):
                points[0, j] = points[1, j]
                for k in range(size + 1):
                    systems[0, j, k] = systems[1, j, k]
            if accepted >= 0:
                damping = damping / 5.0 if damping > 5.0 * _CLOSE else _CLOSE
            accepted += 1
            if enough or accepted == _STEPS:
                break
        else:
            damping *= 5.0
        if not damping < 1e8:
            break
        _damped_step(points, systems, damping)


@compile_inner
def _least_squares(polar, signs, weights, C, points, systems):
    """Objective at the second point; writes the least squares that touch it from above there."""
    n, size = polar.shape
    d, scale, offset, total = size - 2, points[1, size - 2], points[1, size - 1], 0.0
    for j in range(size):
        for k in range(size + 1):
            systems[1, j, k] = 0.0
    for i in range(n):
        height, sign = horosphere_height(polar, i, points, 1), signs[i]
        value = np.log(height)
        rest = 1.0 + sign * (scale * value + offset)
        if rest <= 0.0:
            continue
        weight = C * weights[i]
        cosine, pull = 0.0, sign * scale * polar[i, 1] / height
        for j in range(d):
            cosine += polar[i, 2 + j] * points[1, j]
        if rest > _ROUND:
            total += weight * (rest - _ROUND / 2)
            weight /= rest
        else:
            total += weight * (rest**2 / (2 * _ROUND))
            weight /= _ROUND
        for j in range(size):  # the solution of the third system is free for the row
            if j < d:
                systems[2, j, size] = pull * (polar[i, 2 + j] - cosine * points[1, j])
            else:
                systems[2, j, size] = -sign * value if j == d else -sign
            entry = weight * systems[2, j, size]
            systems[1, j, size] += weight * rest * systems[2, j, size]
            for k in range(j + 1):
                systems[1, j, k] += entry * systems[2, k, size]
    systems[1, d, d] += 1.0
    systems[1, d, size] -= scale
    return scale**2 / 2.0 + total


@compile_inner
def _damped_step(points, systems, damping):
    """Write the second point, a damped step from the first: by Cholesky's factor."""
    size, square = points.shape[1], 0.0
    d = size - 2
    for j in range(size):
        for k in range(j + 1):
            entry = systems[0, j, k]
            if j == k:
                entry += damping * entry + _CLOSE
            for m in range(k):
                entry -= systems[2, j, m] * systems[2, k, m]
            systems[2, j, k] = np.sqrt(entry) if j == k else entry / systems[2, k, k]
        step = systems[0, j, size]
        for k in range(j):
            step -= systems[2, j, k] * systems[2, k, size]
        systems[2, j, size] = step / systems[2, j, j]
    for j in range(size - 1, -1, -1):
        step = systems[2, j, size]
        for k in range(j + 1, size):
            step -= systems[2, k, j] * systems[2, k, size]
        systems[2, j, size] = step / systems[2, j, j]
        points[1, j] = points[0, j] + systems[2, j, size]
        if j < d:
            square += points[1, j] ** 2
    length = np.sqrt(square)
    for j in range(d):
        points[1, j] /= length
    if not points[1, d] > points[0, d] / 10.0:
        points[1, d] = points[0, d] / 10.0
