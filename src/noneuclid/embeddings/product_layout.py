"""Layout of a weighted graph in a product of curved factors: edges pull, sampled rows push.

The loss is that of `ball_layout` without stress, q = 1 / (1 + a v^b), with v = d^2, the sum of the
squared distances in the factors. The gradient of v at x is -2 log_x(y), factor by factor:

    log_x(y) = r (y - x - k c x),   c = (cosh d - 1), (1 - cos d) or 0,   k = 1, -1 or 0,

with r = d / sinh d on the hyperboloid of curvature -1, d / sin d on the unit sphere, and 1 in flat
space. Points have one block of columns for each factor, and a step follows the geodesic of the
product. A factor whose distances have the scale s has curvature -1/s^2 or 1/s^2; its logarithms,
in the coordinates of the unit factor, are the same, and their length is s times as large.
"""

import numpy as np

from noneuclid.compiled import compile_inner, compile_released, compile_vectorised
from noneuclid.embeddings.ball_forces import (
    NEAREST,
    STRONGEST,
    gather,
    pull_slopes,
    push_slopes,
    similarities,
)
from noneuclid.embeddings.ball_layout import draw, draw_pool, place_in_pool


@compile_vectorised
def squares(x, places, first, m, factors, halves, rates, v):
    """Write c and r of each factor, and v, the squared distances from x to m columns.

    `factors` has the entries of `product_loss.Layout` and the scales. Opposite points of a sphere
    have no direction, so their r is 0.
    Shapes: `places` (width, k), `halves`, `rates` (number of factors, m).
    """
    signs, starts, dimensions, scales = factors
    for k in range(m):
        v[k] = 0.0
    for f in range(len(signs)):
        sign, half, rate, weight = signs[f], halves[f], rates[f], scales[f] ** 2
        for k in range(m):
            half[k] = 0.0
        for t in range(starts[f], starts[f] + dimensions[f] + (sign != 0)):
            own, column = x[t], places[t, first : first + m]
            part = -0.5 if sign < 0 and t == starts[f] else 0.5
            for k in range(m):
                half[k] += part * (own - column[k]) ** 2
        if sign == 0:
            for k in range(m):
                v[k] += 2.0 * half[k]
                rate[k] = 1.0
        elif sign < 0:
            for k in range(m):
                c = max(half[k], 0.0)
                sinh = np.sqrt(c * (c + 2.0))
                d = np.log1p(c + sinh)
                rate[k] = d / sinh if sinh > 0.0 else 1.0
                v[k] += weight * d * d
        else:
            for k in range(m):
                c = min(half[k], 2.0)
                sine = np.sqrt(c * (2.0 - c))
                d = np.arctan2(sine, 1.0 - c)
                alone = 1.0 if c < 1.0 else 0.0
                rate[k] = d / sine if sine > 0.0 else alone
                v[k] += weight * d * d


@compile_vectorised
def shorten(v, m, slopes, share):
    """Shorten forces to `STRONGEST`, then multiply by `share`; the gradient of v is 2 d long."""
    for k in range(m):
        length = 2.0 * np.abs(slopes[k]) * np.sqrt(v[k])
        slopes[k] *= share * (STRONGEST / length if length > STRONGEST else 1.0)


@compile_vectorised
def add(x, places, first, m, factors, halves, rates, slopes, total):
    """Add the gradients of v at x times `slopes`; `rates` is changed."""
    signs, starts, dimensions, _ = factors
    for f in range(len(signs)):
        sign, half, rate, bend = signs[f], halves[f], rates[f], 0.0
        for k in range(m):
            rate[k] *= -2.0 * slopes[k]
        for k in range(m):
            bend += rate[k] * half[k]
        for t in range(starts[f], starts[f] + dimensions[f] + (sign != 0)):
            own, column, sum_ = x[t], places[t, first : first + m], 0.0
            for k in range(m):
                sum_ += rate[k] * (column[k] - own)
            total[t] += sum_ + sign * bend * own


@compile_inner
def step(x, gradient, factors, rate, longest, out):
    """Write the end of the geodesic from x against the gradient into `out`."""
    signs, starts, dimensions, scales = factors
    size = 0.0
    for f in range(len(signs)):
        size += scales[f] ** 2 * _square(gradient, starts[f], dimensions[f], signs[f])
    share = min(rate, longest / np.sqrt(size)) if size > 0.0 else 0.0
    for f in range(len(signs)):
        sign, first, last = signs[f], starts[f], starts[f] + dimensions[f] + (signs[f] != 0)
        length = share * np.sqrt(_square(gradient, first, dimensions[f], sign))
        keep, along = 1.0, share
        if sign < 0:
            keep = np.cosh(length)
            along *= np.sinh(length) / length if length > 0.0 else 1.0
        elif sign > 0:
            keep = np.cos(length)
            along *= np.sin(length) / length if length > 0.0 else 1.0
        square = 0.0
        for t in range(first, last):
            out[t] = keep * x[t] - along * gradient[t]
            if t > first or sign > 0:
                square += out[t] ** 2
        if sign < 0:
            out[first] = np.sqrt(1.0 + square)
        elif sign > 0:
            for t in range(first, last):
                out[t] /= np.sqrt(square)


@compile_inner
def _square(vector, first, dimension, sign):
    """Squared length of the block of a tangent vector, which has no time on the hyperboloid."""
    found = 0.0
    for t in range(first, first + dimension + (sign != 0)):
        found += (-1.0 if sign < 0 and t == first else 1.0) * vector[t] ** 2
    return max(found, 0.0)


@compile_inner
def _forced(x, near, weights, pool, place, share, rate, factors, forces, arrays, out):
    """Write the place of x after one step into `out`; `share` is the weight of a push.

    Shapes: `near` (width, k), whose first columns have the `weights` (m,), `pool` (width, c).
    """
    a, b, _, _, samples, longest, _ = forces
    halves, rates, v, same, power, slopes, total = arrays
    m = len(weights)
    total[:] = 0.0
    squares(x, near, 0, m, factors, halves, rates, v)
    similarities(v, m, a, b, False, same, power)
    pull_slopes(v, m, v, power, b, False, slopes)
    for k in range(m):
        slopes[k] *= weights[k]
    add(x, near, 0, m, factors, halves, rates, slopes, total)

    squares(x, pool, place, samples, factors, halves, rates, v)
    similarities(v, samples, a, b, False, same, power)
    push_slopes(v, samples, v, power, b, False, NEAREST, slopes)
    shorten(v, samples, slopes, share)
    add(x, pool, place, samples, factors, halves, rates, slopes, total)
    step(x, total, factors, rate, longest, out)


@compile_inner
def _arrays(width, parts, most):
    """What `_forced` writes into, for so many factors and columns."""
    v, same, power, slopes = np.empty(most), np.empty(most), np.empty(most), np.empty(most)
    halves, rates = np.empty((parts, most)), np.empty((parts, most))
    return halves, rates, v, same, power, slopes, np.empty(width)


@compile_released
def move(points, graph, mass, factors, forces, rate, key, first, last, out):
    """Write the places of rows after one step into `out[first:last]`, as `ball_layout.move`.

    Shapes: `points`, `out` (n, width), `mass` (n,), the sums of the weights.
    """
    starts, ends, weights = graph
    _, _, _, c, samples, _, _ = forces
    n, width = points.shape
    chosen = draw_pool(n, samples, key)
    pool, gaps = np.empty((width, len(chosen))), np.empty(len(chosen))
    gather(points, chosen, 0, len(chosen), pool, gaps)
    most = samples
    for i in range(first, last):
        most = max(most, starts[i + 1] - starts[i])
    near, near_gaps = np.empty((width, most)), np.empty(most)
    arrays = _arrays(width, len(factors[0]), most)
    for i in range(first, last):
        start, end = starts[i], starts[i + 1]
        gather(points, ends, start, end - start, near, near_gaps)
        place, share = place_in_pool(key, i), c * mass[i] / samples
        _forced(
            points[i], near, weights[start:end], pool, place, share, rate, factors, forces, arrays,
            out[i],
        )  # fmt: skip


@compile_released
def settle(nearest, weights, points, factors, forces, rate, steps, out):
    """Write the places of new rows into `out`, each found alone, as `ball_layout.settle`.

    A new row starts at the neighbour where its edges have the least loss.
    Shapes: `nearest`, `weights` (m, k), `points` (n, width), `out` (m, width).
    """
    a, b, _, c, samples, _, _ = forces
    (n, width), m = points.shape, nearest.shape[1]
    pools, gaps = np.empty((steps, width, samples)), np.empty(max(samples, m))
    for t in range(steps):
        gather(points, draw(n, samples, np.uint64(t)), 0, samples, pools[t], gaps)
    near, x, moved = np.empty((width, m)), np.empty(width), np.empty(width)
    arrays = _arrays(width, len(factors[0]), max(samples, m))
    halves, rates, v, same, power, _, _ = arrays
    for i in range(len(nearest)):
        gather(points, nearest[i], 0, m, near, gaps)
        least = np.inf
        for j in range(m):
            loss = 0.0
            squares(points[nearest[i, j]], near, 0, m, factors, halves, rates, v)
            similarities(v, m, a, b, False, same, power)
            for k in range(m):
                loss += weights[i, k] * np.log1p(power[k])
            if loss < least:
                least = loss
                x[:] = points[nearest[i, j]]
        share = c * weights[i].sum() / samples
        for t in range(steps):
            now = rate * (1 - t / steps)
            _forced(x, near, weights[i], pools[t], 0, share, now, factors, forces, arrays, moved)
            x[:] = moved
        out[i] = x
