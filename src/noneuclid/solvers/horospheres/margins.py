"""Horospheres with a large margin between two classes."""

import numpy as np

from noneuclid.compiled import compile_cached, compile_inlined, compile_inner
from noneuclid.solvers.horospheres.splits import horosphere_height

_ROUND = 0.5  # the hinge is quadratic over this much of its slope, so that it has derivatives
_STEPS = 40
_ENOUGH = 1e-4  # relative decrease that ends the search
_CLOSE = 1e-12


@compile_inner
def _least_squares(polar, signs, weights, C, point, matrix, vector):
    """Objective at a point (p, μ, b); fills in the least squares that touch it from above there."""
    size = len(point)
    d, scale, total, row = size - 2, point[size - 2], 0.0, np.empty(size)
    for j in range(size):
        vector[j] = 0.0
        for k in range(size):
            matrix[j, k] = 0.0
    for i in range(len(polar)):
        height, sign = horosphere_height(polar, i, point), signs[i]
        value = np.log(height)
        rest = 1 + sign * (scale * value + point[d + 1])
        if rest <= 0:
            continue
        weight = C * weights[i]
        total += weight * (rest - _ROUND / 2 if rest > _ROUND else rest**2 / (2 * _ROUND))
        cosine = 0.0
        for j in range(d):
            cosine += polar[i, 2 + j] * point[j]
        pull = sign * scale * polar[i, 1] / height
        for j in range(d):
            row[j] = pull * (polar[i, 2 + j] - cosine * point[j])
        row[d], row[d + 1] = -sign * value, -sign
        weight /= max(rest, _ROUND)
        for j in range(size):
            vector[j] += weight * rest * row[j]
            for k in range(j + 1):
                matrix[j, k] += weight * row[j] * row[k]
    matrix[d, d] += 1
    vector[d] -= scale
    return scale**2 / 2 + total


@compile_inlined
def _damped_step(matrix, vector, damping, factor, step):
    """Solve by Cholesky's factor of the lower half of a matrix with a heavier diagonal."""
    size = len(vector)
    for j in range(size):
        for k in range(j + 1):
            entry = matrix[j, k]
            if j == k:
                entry += damping * entry + _CLOSE
            for m in range(k):
                entry -= factor[j, m] * factor[k, m]
            factor[j, k] = np.sqrt(entry) if j == k else entry / factor[k, k]
    for j in range(size):
        step[j] = vector[j]
        for k in range(j):
            step[j] -= factor[j, k] * step[k]
        step[j] /= factor[j, j]
    for j in range(size - 1, -1, -1):
        for k in range(j + 1, size):
            step[j] -= factor[k, j] * step[k]
        step[j] /= factor[j, j]


@compile_inlined
def _start(polar, signs, weights, ideal):
    """The point (p, μ, b) halfway between the means of both sides."""
    d = len(ideal)
    point, inner, outer, inner_weight, outer_weight = np.empty(d + 2), 0.0, 0.0, 0.0, 0.0
    for j in range(d):
        point[j] = ideal[j]
    for i in range(len(polar)):
        value = np.log(horosphere_height(polar, i, point))
        if signs[i] > 0:
            inner += weights[i] * value
            inner_weight += weights[i]
        else:
            outer += weights[i] * value
            outer_weight += weights[i]
    inner, outer = inner / inner_weight, outer / outer_weight
    point[d] = 2 / (1 + abs(outer - inner))
    point[d + 1] = -point[d] * (inner + outer) / 2
    return point


@compile_cached
def margin_horosphere(polar, signs, weights, C, ideal):
    """Horosphere with a large margin between two classes, from a given ideal point on.

    Minimises ½μ² + C Σ w_i max(0, 1 - y_i (-μ B_p(x_i) - b)) over p, μ > 0 and b, HoroSVM of Fan
    et al. 2023, the hinge rounded: least squares that majorise it, with linearised margins and the
    damping of Levenberg and Marquardt. Not convex; a search for good splits, no certificate.

    Signs are +1 for rows that belong inside the horoball. Returns p, μ and b, together
    (d + 2,): the horosphere is {B = -b / μ}. O(n d²) a step.
    """
    point = _start(polar, signs, weights, ideal)
    size, damping = len(point), 1e-3
    d, new, step = size - 2, np.empty(size), np.empty(size)
    matrix, vector, factor = np.empty((size, size)), np.empty(size), np.empty((size, size))
    new_matrix, new_vector = np.empty((size, size)), np.empty(size)
    value = _least_squares(polar, signs, weights, C, point, matrix, vector)
    for _ in range(_STEPS):
        decrease = 0.0
        while damping < 1e8:
            _damped_step(matrix, vector, damping, factor, step)
            square = 0.0
            for j in range(size):
                new[j] = point[j] + step[j]
                square += new[j] ** 2 if j < d else 0.0
            for j in range(d):
                new[j] /= np.sqrt(square)
            new[d] = max(new[d], point[d] / 10)
            new_value = _least_squares(polar, signs, weights, C, new, new_matrix, new_vector)
            if new_value < value:
                decrease, value = value - new_value, new_value
                point, new = new, point
                matrix, new_matrix = new_matrix, matrix
                vector, new_vector = new_vector, vector
                damping = max(damping / 5, _CLOSE)
                break
            damping *= 5
        if decrease <= _ENOUGH * value:
            break
    return point
