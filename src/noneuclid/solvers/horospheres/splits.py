"""Splits of labelled points by a horosphere: search of the ideal point and of the threshold.

A horosphere {B_w = t} is a level set of the Busemann function of an ideal point w, a unit vector:
B_w(x) = log(x_0 - <w, x_r>); B_w falls towards w, and {B_w <= t} is the horoball.
"""

import numpy as np

from noneuclid.compiled import compile_cached, solve

_ROUND = 0.5  # the hinge is quadratic over this much of its slope, so that it has derivatives
_STEPS = 40
_ENOUGH = 1e-4  # relative decrease that ends the search
_CLOSE = 1e-12


def rays(points):
    """Points in polar form, from which Busemann functions keep their digits far out.

    Columns (n, d + 2): exp(-r), sinh(r) and the direction (zeros at the origin) of each point at
    distance r.
    """
    length = np.linalg.norm(points[:, 1:], axis=1)
    directions = points[:, 1:] / np.where(length > 0, length, 1)[:, None]
    return np.column_stack([1 / (np.hypot(1, length) + length), length, directions])


@compile_cached
def _height(ray, ideal):
    square = 0.0
    for j in range(len(ideal)):
        square += (ray[2 + j] - ideal[j]) ** 2
    return ray[0] + ray[1] * square / 2


@compile_cached
def horosphere_value(ray, ideal):
    """Busemann function of one row; see `busemann`."""
    return np.log(_height(ray, ideal))


@compile_cached
def busemann(polar, ideal):
    """Busemann function of one ideal point at each row.

    x_0 - <w, x_r> = exp(-r) + sinh(r) |u - w|² / 2 for x_r = u sinh(r): no difference of large
    numbers. The direction u has 16 digits, so values below -30 lose theirs off the axes.
    """
    values = np.empty(len(polar))
    for i in range(len(polar)):
        values[i] = horosphere_value(polar[i], ideal)
    return values


def purity(counts):
    """Σ_k N_k² / N of class weights N_k: the larger, the purer."""
    return counts @ counts / counts.sum()


@compile_cached
def best_threshold(values, codes, weights, n_classes, min_samples_leaf, min_weight):
    """Threshold with the least Gini impurity of both sides, halfway between two values.

    Returns the purity, Σ over both sides of Σ_k N_k² / N with class weights N_k (-inf if nothing
    may be split), and the threshold: rows with a value <= threshold go to the first side. O(n log
    n).
    """
    order = np.argsort(values)
    left, right = np.zeros(n_classes), np.zeros(n_classes)
    for i in range(len(values)):
        right[codes[i]] += weights[i]
    total, inside, left_square, right_square = 0.0, 0.0, 0.0, 0.0
    for k in range(n_classes):
        total += right[k]
        right_square += right[k] ** 2
    best, threshold = -np.inf, np.nan
    for rank in range(len(values) - min_samples_leaf):
        i = order[rank]
        k, w = codes[i], weights[i]
        left_square += w * (2 * left[k] + w)
        right_square -= w * (2 * right[k] - w)
        left[k] += w
        right[k] -= w
        inside += w
        low, high = values[i], values[order[rank + 1]]
        light = min(inside, total - inside) < min_weight
        if rank + 1 < min_samples_leaf or light or low == high:
            continue
        found = left_square / inside + right_square / (total - inside)
        if found > best:
            middle = low + (high - low) / 2
            best, threshold = found, middle if middle < high else low
    return best, threshold


@compile_cached
def _margins(polar, signs, ideal, scale, offset):
    margins = np.empty(len(polar))
    for i in range(len(polar)):
        margins[i] = signs[i] * (-scale * horosphere_value(polar[i], ideal) - offset)
    return margins


@compile_cached
def _objective(margins, weights, C, scale):
    total = 0.0
    for i in range(len(margins)):
        rest = 1 - margins[i]
        if rest > _ROUND:
            total += weights[i] * (rest - _ROUND / 2)
        elif rest > 0:
            total += weights[i] * rest**2 / (2 * _ROUND)
    return scale**2 / 2 + C * total


@compile_cached
def _normal_equations(polar, signs, weights, C, ideal, scale, margins):
    """Weighted least squares that touches the rounded hinge from above at the margins."""
    d = len(ideal)
    matrix, vector, row = np.zeros((d + 2, d + 2)), np.zeros(d + 2), np.empty(d + 2)
    for i in range(len(polar)):
        rest = 1 - margins[i]
        if rest <= 0:
            continue
        height, cosine = _height(polar[i], ideal), 0.0
        for j in range(d):
            cosine += polar[i, 2 + j] * ideal[j]
        pull = signs[i] * scale * polar[i, 1] / height
        for j in range(d):
            row[j] = pull * (polar[i, 2 + j] - cosine * ideal[j])
        row[d] = -signs[i] * np.log(height)
        row[d + 1] = -signs[i]
        weight = C * weights[i] / max(rest, _ROUND)
        for j in range(d + 2):
            vector[j] += weight * rest * row[j]
            for k in range(j + 1):
                matrix[j, k] += weight * row[j] * row[k]
    for j in range(d + 2):
        for k in range(j):
            matrix[k, j] = matrix[j, k]
    matrix[d, d] += 1
    vector[d] -= scale
    return matrix, vector


@compile_cached
def _all_finite(matrix):
    for row in range(len(matrix)):
        for j in range(matrix.shape[1]):
            if not np.isfinite(matrix[row, j]):
                return False
    return True


@compile_cached
def margin_horosphere(polar, signs, weights, C, ideal):
    """Horosphere with a large margin between two classes, from a given ideal point on.

    Minimises ½μ² + C Σ w_i max(0, 1 - y_i (-μ B_p(x_i) - b)) over p, μ > 0 and b, HoroSVM of Fan
    et al. 2023, the hinge rounded: least squares that majorise it, with linearised margins and the
    damping of Levenberg and Marquardt. Not convex; a search for good splits, no certificate.

    Signs are +1 for rows that belong inside the horoball. Returns the ideal point, μ and b: the
    horosphere is {B = -b / μ}.
    """
    d = len(ideal)
    inner, outer, inner_weight, outer_weight, damping = 0.0, 0.0, 0.0, 0.0, 1e-3
    for i in range(len(polar)):
        if signs[i] > 0:
            inner += weights[i] * horosphere_value(polar[i], ideal)
            inner_weight += weights[i]
        else:
            outer += weights[i] * horosphere_value(polar[i], ideal)
            outer_weight += weights[i]
    inner, outer = inner / inner_weight, outer / outer_weight
    scale = 2 / (1 + abs(outer - inner))
    offset = -scale * (inner + outer) / 2
    margins = _margins(polar, signs, ideal, scale, offset)
    value = _objective(margins, weights, C, scale)
    for _ in range(_STEPS):
        matrix, vector = _normal_equations(polar, signs, weights, C, ideal, scale, margins)
        if not _all_finite(matrix):  # slopes overflow far out, right ahead of a row
            break
        decrease = 0.0
        while damping < 1e8:
            damped = matrix.copy()
            for j in range(d + 2):
                damped[j, j] += damping * matrix[j, j] + _CLOSE
            step, new_ideal, square = solve(damped, vector), np.empty(d), 0.0
            for j in range(d):
                new_ideal[j] = ideal[j] + step[j]
                square += new_ideal[j] ** 2
            for j in range(d):
                new_ideal[j] /= np.sqrt(square)
            new_scale, new_offset = max(scale + step[d], scale / 10), offset + step[d + 1]
            new_margins = _margins(polar, signs, new_ideal, new_scale, new_offset)
            new_value = _objective(new_margins, weights, C, new_scale)
            if new_value < value:
                decrease, value = value - new_value, new_value
                ideal, scale, offset, margins = new_ideal, new_scale, new_offset, new_margins
                damping = max(damping / 5, _CLOSE)
                break
            damping *= 5
        if decrease <= _ENOUGH * value:
            break
    return ideal, scale, offset
