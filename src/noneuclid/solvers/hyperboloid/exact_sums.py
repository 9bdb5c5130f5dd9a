"""Margins and sums of rows in twice the digits of a double, by pairs (high, low).

The time coordinate of a point is √(1 + |x'|²) of its spatial part x' there. At distance 18 the last
digit of a stored x_0 is 1 / x_0, so that the stored vector has no sign of <x,x>_L.
"""

from fractions import Fraction

import numpy as np

from noneuclid.compiled import compile_cached, compile_inner
from noneuclid.solvers.linear.double_double import add_exactly, multiply_exactly

_CLEAR = 1e-9  # of |w|²: beyond, rounding cannot change the sign of <w,w>_L: d + 2 roundings


@compile_inner
def _accumulate(high, low, a, error):
    """(high, low) + (a, error)."""
    high, rest = add_exactly(high, a)
    return add_exactly(high, low + rest + error)


@compile_inner
def time_error(points, i):
    """What the stored time coordinate of point i lacks to √(1 + |x'|²)."""
    time = points[i, 0]
    square, error = multiply_exactly(time, time)
    high, low = add_exactly(1.0, -square)
    low -= error
    for j in range(1, points.shape[1]):
        square, error = multiply_exactly(points[i, j], points[i, j])
        high, low = _accumulate(high, low, square, error)
    return (high + low) / (2.0 * time)


@compile_cached
def shortfalls(points, signs, w):
    """1 - y_i <w, x_i>_L, each to the last digit or two."""
    found = np.empty(len(points))
    for i in range(len(points)):
        high, low = multiply_exactly(points[i, 0], -w[0])
        low -= time_error(points, i) * w[0]
        for j in range(1, len(w)):
            product, error = multiply_exactly(points[i, j], w[j])
            high, low = _accumulate(high, low, product, error)
        found[i] = (1.0 - signs[i] * high) - signs[i] * low
    return found


@compile_cached
def sum_groups(points, signs, weights, ids, groups):
    """Σ q_i r_i (high, low), Σ q_i (high, low) and Σ q_i |r_i| by group; no weights are ones."""
    n, size = points.shape
    high, low = np.zeros((groups, size)), np.zeros((groups, size))
    total, rest, sizes = np.zeros(groups), np.zeros(groups), np.zeros(groups)
    for i in range(n):
        k = ids[i]
        weight = weights[i] if len(weights) else 1.0
        total[k], rest[k] = _accumulate(total[k], rest[k], weight, 0.0)
        square = 0.0
        for j in range(size):
            sign = -signs[i] if j == 0 else signs[i]
            product, error = sign * points[i, j], 0.0
            if len(weights):
                product, error = multiply_exactly(weight, product)
            if j == 0:
                error += weight * sign * time_error(points, i)
            high[k, j], low[k, j] = _accumulate(high[k, j], low[k, j], product, error)
            square += product * product
        sizes[k] += np.sqrt(square)
    return high, low, total, rest, sizes


def lorentz_square(w):
    """<w,w>_L, exactly."""
    time, *space = (Fraction(float(x)) for x in w)
    return sum(x * x for x in space) - time * time


def move_off_the_timelike(w):
    """W with its time coordinate lowered by as many last digits as <w,w>_L >= 0 needs."""
    w = np.array(w, dtype=float)
    if w[1:] @ w[1:] - w[0] ** 2 > _CLEAR * (w @ w):
        return w
    step = 1
    while (square := lorentz_square(w)) < 0:
        lack = float(-square / (2 * abs(Fraction(float(w[0])))))
        w[0] = np.copysign(max(0.0, abs(w[0]) - max(lack, step * np.spacing(abs(w[0])))), w[0])
        step *= 2
    return w
