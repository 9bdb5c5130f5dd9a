"""Forces of many points of the Poincaré ball on one: loops that the processor runs on vectors.

Points are columns of an array of shape (d, k), with their gaps 1 - |y|^2, shape (k,). What is
computed for m of them, from the column `first` on, has the shape (m,). Sums may be taken in any
order (`compile_vectorised`), which is fixed for each m.
"""

import numpy as np

from noneuclid.compiled import compile_inner, compile_vectorised

# As in umap-learn: a push is finite where points coincide, and no single push is longer.
NEAREST, STRONGEST = 1e-3, 4.0
_TINY = 1e-300  # for 0 / 0, where a force has no direction


@compile_inner
def gap(x):
    """1 - |x|^2, shape (d,)."""
    left = 1.0
    for t in range(len(x)):
        left -= x[t] * x[t]
    return left


@compile_inner
def gather(points, rows, start, m, places, gaps):
    """Write `rows[start:start + m]` of `points`, shape (n, d), into columns, and their gaps."""
    for k in range(m):
        left = 1.0
        for t in range(points.shape[1]):
            value = points[rows[start + k], t]
            places[t, k] = value
            left -= value * value
        gaps[k] = left


@compile_vectorised
def chords(x, x_gap, places, gaps, first, m, squares, u):
    """Write |x - y|^2 and u = 4 |x - y|^2 / ((1 - |x|^2)(1 - |y|^2))."""
    for k in range(m):
        squares[k] = 0.0
    for t in range(len(x)):
        own, column = x[t], places[t, first : first + m]
        for k in range(m):
            squares[k] += (own - column[k]) ** 2
    for k in range(m):
        u[k] = 4 * squares[k] / (x_gap * gaps[first + k])


@compile_vectorised
def similarities(u, m, a, b, squared_distance, v, power):
    """Write v, which is u or d^2, and a v^b; roots are fast for b = 1, 1/2, 3/8 and 1/4."""
    if squared_distance:
        for k in range(m):
            v[k] = (2 * np.arcsinh(0.5 * np.sqrt(u[k]))) ** 2
    else:
        for k in range(m):
            v[k] = u[k]
    if b == 1.0:
        for k in range(m):
            power[k] = a * v[k]
    elif b == 0.5:
        for k in range(m):
            power[k] = a * np.sqrt(v[k])
    elif b == 0.375:
        for k in range(m):
            root = np.sqrt(np.sqrt(v[k]))
            power[k] = a * root * np.sqrt(root)
    elif b == 0.25:
        for k in range(m):
            power[k] = a * np.sqrt(np.sqrt(v[k]))
    else:
        for k in range(m):
            power[k] = a * v[k] ** b


@compile_vectorised
def pull_slopes(u, m, v, power, b, squared_distance, slopes):
    """Write the derivatives of -log q by u."""
    for k in range(m):
        slopes[k] = b / ((v[k] + _TINY) * (1 + 1 / power[k]))  # 0 for 0, b / v for inf
    if squared_distance:
        _chain(u, m, v, slopes)


@compile_vectorised
def push_slopes(u, m, v, power, b, squared_distance, nearest, slopes):
    """Write the derivatives of -log(1 - q) by u, with `nearest` added to a divisor near zero."""
    for k in range(m):
        slopes[k] = -b / ((v[k] + nearest) * (1 + power[k]))
    if squared_distance:
        _chain(u, m, v, slopes)


@compile_vectorised
def _chain(u, m, v, slopes):
    """Multiply by the derivative of d^2 by u."""
    for k in range(m):
        slopes[k] *= 2 * np.sqrt(v[k]) / np.sqrt(u[k] * (u[k] + 4) + _TINY)


@compile_vectorised
def shorten(u, m, slopes, share):
    """Shorten forces to `STRONGEST`, then multiply by `share`.

    The gradient of u has length sqrt(u (u + 4)).
    """
    for k in range(m):
        length = np.abs(slopes[k]) * np.sqrt(u[k] * (u[k] + 4))
        slopes[k] *= share * min(1.0, STRONGEST / (length + _TINY))


@compile_vectorised
def add_stress(u, m, wanted, first, weight, slopes):
    """Add `weight` times the derivatives of (d - wanted)^2 / 2 by u, where wanted > 0."""
    for k in range(m):
        root = np.sqrt(u[k] * (u[k] + 4)) + _TINY  # sinh d; cosh d = 1 + u / 2
        excess = np.log(1 + 0.5 * (u[k] + root)) - wanted[first + k]
        slopes[k] += weight * excess / root if wanted[first + k] > 0 and u[k] > 0 else 0.0


@compile_vectorised
def add(x, x_gap, places, gaps, first, m, squares, slopes, total):
    """Add the gradients of u at x, in an orthonormal frame, times `slopes`, which are changed."""
    for k in range(m):
        slopes[k] *= 4 / (x_gap * gaps[first + k])
    # Loops with a sum write no array: where arrays are in memory must not change the order.
    along = 0.0
    for k in range(m):
        along += slopes[k] * squares[k]
    for t in range(len(x)):
        own, column, sum_ = x[t], places[t, first : first + m], 0.0
        for k in range(m):
            sum_ += slopes[k] * (own - column[k])
        total[t] += x_gap * sum_ + along * own
