"""Layout of a weighted graph in the Poincaré ball: edges pull, sampled rows push.

The loss of UMAP [1]_, with hyperbolic distances d:

    sum_ij w_ij (-log q_ij) + c sum_i w_i mean_j (-log(1 - q_ij)),  q = 1 / (1 + a v^b),

w_i the sum of the weights of row i, v = u = 4 sinh^2(d/2) = 4 |x-y|^2 / ((1-|x|^2)(1-|y|^2)) or
v = d^2. Near the origin, where the space is flat, both are the squared distance of UMAP.

In an epoch each row takes one step along the geodesic against the Riemannian gradient of its own
terms. All steps start from the positions at the start of the epoch, and each row adds its terms in
a fixed order, so that the result does not depend on the number of threads.

References
----------
.. [1] McInnes, Healy and Melville, UMAP: uniform manifold approximation and projection for
   dimension reduction, 2018, arXiv:1802.03426.
"""

from typing import NamedTuple

import numpy as np

from noneuclid.compiled import compile_inlined, compile_inner, compile_released
from noneuclid.embeddings.in_blocks import in_blocks
from noneuclid.geometry import charts, lorentz, poincare
from noneuclid.solvers import progress

KERNELS = ("chord", "distance")
# As in umap-learn: a push is finite where points coincide, and no single push is longer.
NEAREST, STRONGEST = 1e-3, 4.0
_BLOCK, _POOL = 4096, 1024  # rows that draw from the same sample, and its size
_RECENTRED = 10  # epochs
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class Forces(NamedTuple):
    """Parameters of the loss and of a step.

    Attributes
    ----------
    a, b : float
    squared_distance : bool
        Whether v = d^2.
    push : float
        The factor c.
    samples : int
        Rows whose mean push represents that of all rows.
    longest : float
        Longest step, in hyperbolic units.
    """

    a: float = 1.0
    b: float = 0.5
    squared_distance: bool = False
    push: float = 1.0
    samples: int = 24
    longest: float = 0.5


@compile_inlined
def _chord_terms(u, squared_distance):
    """The value of v and dv/du."""
    if not squared_distance:
        return u, 1.0
    if u < 1e-12:
        return u, 1.0
    d = 2 * np.arcsinh(0.5 * np.sqrt(u))
    return d * d, 2 * d / np.sqrt(u * (u + 4))


@compile_inlined
def _power(v, b):
    """The value of v^b, quickly for the usual ones of b."""
    if b == 1.0:
        return v
    return np.sqrt(v) if b == 0.5 else v**b


@compile_released
def pull_slope(u, a, b, squared_distance):
    """Derivative of -log q by u."""
    v, dv = _chord_terms(u, squared_distance)
    if b == 1.0:
        return dv * a / (1 + a * v)
    if v == 0:
        return 0.0  # the direction is zero, too
    power = a * _power(v, b)
    return dv * b * power / (v * (1 + power))


@compile_released
def push_slope(u, a, b, squared_distance, nearest):
    """Derivative of -log(1 - q) by u, with `nearest` added to a divisor that may vanish."""
    v, dv = _chord_terms(u, squared_distance)
    power = a * _power(v, b)
    return -dv * b / ((v + nearest) * (1 + power))


@compile_inner
def _edge_loss(points, at, ends, weights, forces):
    """Sum of -log q of edges from the point `at`."""
    x, x_gap, loss = points[at], 1.0, 0.0
    for t in range(len(x)):
        x_gap -= x[t] * x[t]
    for e in range(len(ends)):
        y, square, y_gap = points[ends[e]], 0.0, 1.0
        for t in range(len(x)):
            square += (x[t] - y[t]) ** 2
            y_gap -= y[t] * y[t]
        v, _ = _chord_terms(4 * square / (x_gap * y_gap), forces.squared_distance)
        loss += weights[e] * np.log1p(forces.a * _power(v, forces.b))
    return loss


@compile_inner
def _add(x, x_gap, y, y_gap, square, factor, total):
    """Add `factor` times the gradient of u at x, in an orthonormal frame, to `total`."""
    scale = 4 * factor / (x_gap * y_gap)
    for t in range(len(x)):
        total[t] += scale * (x_gap * (x[t] - y[t]) + square * x[t])


@compile_inner
def _pull(x, x_gap, y, forces, weight, total):
    """Add the gradient of one edge."""
    square, y_gap = 0.0, 1.0
    for t in range(len(x)):
        square += (x[t] - y[t]) ** 2
        y_gap -= y[t] * y[t]
    u = 4 * square / (x_gap * y_gap)
    slope = pull_slope(u, forces.a, forces.b, forces.squared_distance)
    _add(x, x_gap, y, y_gap, square, weight * slope, total)


@compile_inner
def _push(x, x_gap, y, y_gap, forces, weight, total):
    """Add the gradient of one sampled row, shortened to `STRONGEST`."""
    square = 0.0
    for t in range(len(x)):
        square += (x[t] - y[t]) ** 2
    u = 4 * square / (x_gap * y_gap)
    slope = push_slope(u, forces.a, forces.b, forces.squared_distance, NEAREST)
    size = slope * slope * u * (u + 4)  # the gradient of u has length sqrt(u (u + 4))
    if size > STRONGEST * STRONGEST:
        slope *= STRONGEST / np.sqrt(size)
    _add(x, x_gap, y, y_gap, square, weight * slope, total)


@compile_inner
def _step(x, x_gap, gradient, rate, longest, out):
    """Write the end of the geodesic from x against the gradient into `out`."""
    size, along = 0.0, 0.0
    for t in range(len(x)):
        size += gradient[t] * gradient[t]
    size = np.sqrt(size)
    if size == 0:
        out[:] = x
        return
    reach = np.tanh(min(rate * size, longest) / 2)
    for t in range(len(x)):
        gradient[t] *= -reach / size
        along += x[t] * gradient[t]
    square = reach * reach
    bottom = 1 + 2 * along + (1 - x_gap) * square
    for t in range(len(x)):
        out[t] = ((1 + 2 * along + square) * x[t] + x_gap * gradient[t]) / bottom


@compile_inner
def _hash(state):
    """The next state of splitmix64, mixed."""
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))


@compile_inner
def _below(state, n):
    """An integer in [0, n) from the upper half of a hash."""
    return np.int64(((state >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@compile_released
def draw(n, size, key):
    """`size` of n rows, with repeats, by the hash of a key."""
    rows, state = np.empty(size, dtype=np.int64), _hash(key + _GOLDEN)
    for k in range(size):
        state = _hash(state + _GOLDEN)
        rows[k] = _below(state, n)
    return rows


@compile_released
def move(points, graph, mass, forces, rate, key, first, last, out):
    """Write the places of rows after one step into `out[first:last]`.

    `graph` has the starts, ends and weights of a sparse matrix. The rows of the block draw what
    pushes them from one sample of all rows, which stays in the cache: from a hashed place in it
    on, one after the other.
    Shapes: `points`, `out` (n, d), `mass` (n,), the sums of the weights.
    """
    starts, ends, weights = graph
    n, d = points.shape
    chosen = draw(n, _POOL, key)
    pool, gaps = np.empty((len(chosen), d)), np.ones(len(chosen))
    for k in range(len(chosen)):
        for t in range(d):
            pool[k, t] = points[chosen[k], t]
            gaps[k] -= pool[k, t] ** 2
    total = np.empty(d)
    for i in range(first, last):
        x, x_gap = points[i], 1.0
        for t in range(d):
            x_gap -= x[t] * x[t]
            total[t] = 0.0
        for e in range(starts[i], starts[i + 1]):
            _pull(x, x_gap, points[ends[e]], forces, weights[e], total)
        place = _below(_hash(key ^ (_GOLDEN * np.uint64(i + 1))), len(chosen))
        share = forces.push * mass[i] / forces.samples
        for _ in range(forces.samples):
            _push(x, x_gap, pool[place], gaps[place], forces, share, total)
            place = place + 1 if place + 1 < len(chosen) else 0
        _step(x, x_gap, total, rate, forces.longest, out[i])


@compile_released
def settle(nearest, strengths, points, forces, rate, steps, first, last, out):
    """Write the places of new rows into `out[first:last]`, each found alone.

    A new row starts at the neighbour where its edges have the least loss, as their mean often lies
    between branches, and takes `steps` steps among rows that stay.
    Shapes: `nearest`, `strengths` (m, k), `points` (n, d), `out` (m, d).
    """
    n, d = points.shape
    total, x, moved = np.empty(d), np.empty(d), np.empty(d)
    for i in range(first, last):
        mass, least = 0.0, np.inf
        for j in range(nearest.shape[1]):
            mass += strengths[i, j]
            loss = _edge_loss(points, nearest[i, j], nearest[i], strengths[i], forces)
            if loss < least:
                least = loss
                x[:] = points[nearest[i, j]]
        share = forces.push * mass / forces.samples
        for step in range(steps):
            x_gap = 1.0
            for t in range(d):
                x_gap -= x[t] * x[t]
                total[t] = 0.0
            for j in range(nearest.shape[1]):
                _pull(x, x_gap, points[nearest[i, j]], forces, strengths[i, j], total)
            chosen = draw(n, forces.samples, np.uint64(step))
            for k in range(forces.samples):
                y, gap = points[chosen[k]], 1.0
                for t in range(d):
                    gap -= y[t] * y[t]
                _push(x, x_gap, y, gap, forces, share, total)
            _step(x, x_gap, total, rate * (1 - step / steps), forces.longest, moved)
            x[:] = moved
        out[i] = x


def lay_out(graph, start, forces, epochs, rate, seed, pool):
    """Positions after so many epochs, the step falling to zero, the centroid at the origin.

    Shapes: `graph` (n, n), symmetric, `start` (n, d), in the Poincaré ball; returns (n, d).
    """
    n = len(start)
    mass = np.asarray(graph.sum(axis=1), dtype=float).ravel()
    parts = graph.indptr, graph.indices, graph.data
    points, moved = centred(start), np.empty_like(start)
    keys = np.random.default_rng(seed).integers(2**63, size=epochs, dtype=np.uint64)
    for epoch in progress.bar(range(epochs), "layout", outermost=True):
        now = rate * (1 - epoch / epochs)

        def step(first, last, now=now, key=keys[epoch], points=points, moved=moved):
            key = key + np.uint64(first)
            move(points, parts, mass, forces, now, key, first, last, moved)

        in_blocks(pool, step, n, _BLOCK)
        points, moved = moved, points
        if epoch % _RECENTRED == _RECENTRED - 1:
            points = centred(points)
    return centred(points)


def centred(points):
    """Points translated so that their Lorentz centroid is the origin."""
    on_sheet = charts.convert(points, "poincare", "hyperboloid")
    middle = charts.convert(lorentz.midpoint(on_sheet)[None], "hyperboloid", "poincare")[0]
    return np.ascontiguousarray(poincare.mobius_add(-middle, points))
