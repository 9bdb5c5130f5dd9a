"""Classifiers through several reference points of one binary problem, in compiled loops."""

import math

import numpy as np

from noneuclid.classifiers.calibration import measure_scales, minimise_cross_entropy
from noneuclid.compiled import compile_cached, compile_inner
from noneuclid.solvers.linear.newton import minimise_in_loops

FEET = 3
# Value of the intercept's column: the intercept has 1e-6 of the penalty of w.
_INTERCEPT = 1e3
# The trials end earlier than the fit.
_TOL, _STEPS, _SIGMOID_TOL = 1e-3, 30, 1e-4


@compile_cached
def try_points(points, signs, weights, C, settings, tried, normals, log_odds, losses):
    """Fit a classifier through each of m reference points, with a sigmoid.

    Points are on the hyperboloid, (n, d + 1); rows of sign 0 take no part, and have weight 0. Of
    the reference points `tried`, (m, d + 1), three are found here: the foot of the first one on
    the hyperplane of an SVM with an intercept in its tangent space (second), the foot of that point
    likewise (third), and the foot of the first one with balanced classes (fourth). `settings` say
    whether the margin is exact, sigmoids have no offset, and scores are squeezed by asinh.

    Fills these rows of `tried`, w (m, d), the log-odds of all rows, (m, n), and the mean
    log losses (m,).
    """
    exact, centred, squeezed = settings
    n, d = len(points), points.shape[1] - 1
    seen, plane, sigmoid = np.empty((n, d + 1)), np.empty(d + 1), np.zeros(1 if centred else 2)
    positive = signs > 0
    balanced = _balance(positive, weights)
    for i in range(n):
        seen[i, d] = _INTERCEPT
    reach = 0.0
    for c in range(len(tried)):
        look_from(points, tried[c], exact, seen)
        if c == 0:
            reach = _find_reach(seen, signs, tried[c], exact)
        w = normals[c]
        for j in range(d):
            w[j] = plane[j] if 0 < c <= 2 else 0.0
        minimise_in_loops(seen, signs, weights, C, w, _TOL, _STEPS)
        losses[c] = _calibrate(seen, positive, weights, w, squeezed, sigmoid, log_odds[c])
        if c > 1:
            continue
        for j in range(d):
            plane[j] = w[j]
        plane[d] = 0.0
        minimise_in_loops(seen, signs, weights, C, plane, _TOL, _STEPS)
        _find_foot(tried[c], plane, exact, reach, tried[c + 1])
        if c == 0:
            even = plane.copy()
            minimise_in_loops(seen, signs, balanced, C, even, _TOL, _STEPS)
            _find_foot(tried[c], even, exact, reach, tried[3])


@compile_inner
def look_from(points, p, exact, seen):
    """Vectors of `PoincareSVC` of points seen from p, in the first d columns of `seen`."""
    n, d = len(points), points.shape[1] - 1
    for i in range(n):
        shift, square = -points[i, 0], 0.0
        for j in range(1, d + 1):
            shift += points[i, j] * p[j] / (1.0 + p[0])
        for j in range(d):
            seen[i, j] = points[i, 1 + j] + shift * p[1 + j]
            square += seen[i, j] ** 2
        if exact:
            continue
        sinh = math.sqrt(square)
        # asinh is three times as slow, and more exact than a trial needs.
        shrink = math.log(sinh + math.sqrt(1.0 + square)) / sinh if sinh > 1e-4 else 1.0
        shrink /= 1.0 + p[0]
        for j in range(d):
            seen[i, j] *= shrink


@compile_inner
def _find_reach(seen, signs, p, exact):
    """Largest distance of a row from p."""
    longest = 0.0
    for i in range(len(seen)):
        if signs[i] != 0:
            square = 0.0
            for j in range(seen.shape[1] - 1):
                square += seen[i, j] ** 2
            longest = max(longest, square)
    longest = math.sqrt(longest)
    return math.asinh(longest) if exact else longest * (1.0 + p[0])


@compile_inner
def _balance(positive, weights):
    """Weights by which both classes have the same sum."""
    total, share, balanced = 0.0, 0.0, np.empty(len(weights))
    for i in range(len(weights)):
        total += weights[i]
        share += weights[i] if positive[i] else 0.0
    for i in range(len(weights)):
        balanced[i] = 0.5 * total * weights[i] / (share if positive[i] else total - share)
    return balanced


@compile_inner
def _find_foot(p, plane, exact, reach, foot):
    """Point at the foot of p on the hyperplane w·v + b = 0 of the tangent space at p.

    It lies at the distance t = -b / |w| (in units of the vectors) along w: with the boost of p,
    foot = boost(p) (cosh t, sinh t w/|w|).
    """
    d, square, along = len(p) - 1, 0.0, 0.0
    for j in range(d):
        square += plane[j] ** 2
    length = math.sqrt(square)
    t = -_INTERCEPT * plane[d] / length if length > 0.0 else 0.0
    t = math.asinh(t) if exact else t * (1.0 + p[0])
    t = min(max(t, -reach), reach)
    pull = math.sinh(t) / length if length > 0.0 else 0.0
    for j in range(d):
        along += pull * plane[j] * p[1 + j]
    factor, square = math.cosh(t) + along / (1.0 + p[0]), 0.0
    for j in range(d):
        foot[1 + j] = pull * plane[j] + factor * p[1 + j]
        square += foot[1 + j] ** 2
    foot[0] = math.sqrt(1.0 + square)


@compile_inner
def _calibrate(seen, positive, weights, w, squeezed, sigmoid, log_odds):
    """Log-odds of all rows, in place, and the mean log loss of their sigmoid."""
    n, largest, total = len(seen), 0.0, 0.0
    for i in range(n):
        score = 0.0
        for j in range(len(w)):
            score += seen[i, j] * w[j]
        log_odds[i] = math.asinh(score) if squeezed else score
        largest = max(largest, abs(log_odds[i]))
        total += weights[i]
    largest = largest if largest > 0.0 else 1.0
    centred = len(sigmoid) == 1
    centre, spread = measure_scales(log_odds, weights, largest, centred)
    scales = largest, centre, spread if spread > 0.0 else 1.0
    slope, offset = minimise_cross_entropy(
        log_odds, positive, weights, scales, sigmoid, _SIGMOID_TOL
    )
    if centred:
        slope = max(slope, 1.0 / (total + 2.0))
    for k in range(len(sigmoid)):  # the next one starts here
        sigmoid[k] = 0.0 if math.isnan(slope) else (slope, offset)[k]
    loss = 0.0
    for i in range(n):
        logit = slope * (log_odds[i] / largest - centre) / scales[2] + offset
        log_odds[i] = logit
        if weights[i] > 0.0:
            wrong = -logit if positive[i] else logit
            loss += weights[i] * (math.log1p(math.exp(-abs(logit))) + max(wrong, 0.0))
    return loss / total
