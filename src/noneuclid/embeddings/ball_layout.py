"""Layout of a weighted graph in the Poincaré ball: edges pull, sampled rows push.

The loss of UMAP [1]_, with hyperbolic distances d, and a stress:

    sum_ij w_ij (-log q_ij) + sum_i w_i mean_j (-c log(1 - q_ij) + s (d_ij - D_ij)^2 / (2 D)),

q = 1 / (1 + a v^b), w_i the sum of the weights of row i, v = u = 4 sinh^2(d/2) = 4 |x-y|^2 /
((1-|x|^2)(1-|y|^2)) or v = d^2. Near the origin, where the space is flat, both are the squared
distance of UMAP. D_ij is the distance at the start between the landmarks of the two rows, D its
mean; rows of the same landmark have no stress. Pull and push vanish at large distances, where the
stress keeps the arrangement of the start.

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

from noneuclid.compiled import compile_inner, compile_released
from noneuclid.embeddings.ball_forces import (
    NEAREST,
    add,
    add_stress,
    chords,
    gap,
    gather,
    pull_slopes,
    push_slopes,
    shorten,
    similarities,
)
from noneuclid.embeddings.in_blocks import in_blocks
from noneuclid.errors import require
from noneuclid.geometry import charts, lorentz, poincare
from noneuclid.solvers import progress

KERNELS = ("chord", "distance")
_BLOCK, _POOL = 4096, 1024  # rows that draw from the same sample, and its size
_STRESSED = 4  # one of so many sampled rows has a stress: it costs a logarithm
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
    stress : float
        The factor s.
    """

    a: float = 1.0
    b: float = 0.375
    squared_distance: bool = False
    push: float = 1.0
    samples: int = 96
    longest: float = 0.5
    stress: float = 0.0


class Landmarks(NamedTuple):
    """What the stress compares with.

    Attributes
    ----------
    which : ndarray of int, shape (n,)
        The landmark of each row.
    wanted : ndarray, shape (m, m)
        Distances D_ij.
    mean : float
        That of D_ij over all pairs of rows.
    """

    which: np.ndarray
    wanted: np.ndarray
    mean: float


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


@compile_inner
def draw_pool(n, samples, key):
    """A sample of n rows; its first `samples` follow again at the end."""
    chosen = np.empty(_POOL + samples, dtype=np.int64)
    chosen[:_POOL] = draw(n, _POOL, key)
    chosen[_POOL:] = chosen[:samples]
    return chosen


@compile_inner
def place_in_pool(key, i):
    """Where in the sample what pushes row i begins."""
    return _below(_hash(key ^ (_GOLDEN * np.uint64(i + 1))), _POOL)


@compile_released
def move(points, graph, mass, landmarks, forces, rate, key, first, last, out):
    """Write the places of rows after one step into `out[first:last]`.

    `graph` has the starts, ends and weights of a sparse matrix. The rows of the block draw what
    pushes them from one sample of all rows, which stays in the cache: from a hashed place in it
    on, one after the other.
    Shapes: `points`, `out` (n, d), `mass` (n,), the sums of the weights.
    """
    starts, ends, weights = graph
    which, apart, mean = landmarks
    a, b, squared_distance, c, samples, longest, stress = forces
    (n, d), size, stressed = points.shape, _POOL + samples, max(1, samples // _STRESSED)
    chosen = draw_pool(n, samples, key)
    pool, gaps, wanted = np.empty((d, size)), np.empty(size), np.zeros(size)
    gather(points, chosen, 0, size, pool, gaps)
    most, total, landmark = samples, np.empty(d), -1
    for i in range(first, last):
        most = max(most, starts[i + 1] - starts[i])
    near, near_gaps = np.empty((d, most)), np.empty(most)
    squares, u, v = np.empty(most), np.empty(most), np.empty(most)
    power, slopes = np.empty(most), np.empty(most)
    for i in range(first, last):
        x, x_gap, start, m = points[i], gap(points[i]), starts[i], starts[i + 1] - starts[i]
        total[:] = 0.0
        gather(points, ends, start, m, near, near_gaps)
        chords(x, x_gap, near, near_gaps, 0, m, squares, u)
        similarities(u, m, a, b, squared_distance, v, power)
        pull_slopes(u, m, v, power, b, squared_distance, slopes)
        for k in range(m):
            slopes[k] *= weights[start + k]
        add(x, x_gap, near, near_gaps, 0, m, squares, slopes, total)

        place = place_in_pool(key, i)
        chords(x, x_gap, pool, gaps, place, samples, squares, u)
        similarities(u, samples, a, b, squared_distance, v, power)
        push_slopes(u, samples, v, power, b, squared_distance, NEAREST, slopes)
        shorten(u, samples, slopes, c * mass[i] / samples)
        if stress > 0:
            if which[i] != landmark:
                landmark = which[i]
                for k in range(size):
                    wanted[k] = apart[landmark, which[chosen[k]]]
            add_stress(u, stressed, wanted, place, stress * mass[i] / (stressed * mean), slopes)
        add(x, x_gap, pool, gaps, place, samples, squares, slopes, total)
        _step(x, x_gap, total, rate, longest, out[i])


@compile_released
def settle(nearest, strengths, points, forces, rate, steps, first, last, out):
    """Write the places of new rows into `out[first:last]`, each found alone.

    A new row starts at the neighbour where its edges have the least loss, as their mean often lies
    between branches, and takes `steps` steps among rows that stay, by pull and push.
    Shapes: `nearest`, `strengths` (m, k), `points` (n, d), `out` (m, d).
    """
    a, b, squared_distance, c, samples, longest, _ = forces
    (n, d), m = points.shape, nearest.shape[1]
    pools, gaps = np.empty((steps, d, samples)), np.empty((steps, samples))
    for step in range(steps):
        gather(points, draw(n, samples, np.uint64(step)), 0, samples, pools[step], gaps[step])
    most, total, x, moved = max(m, samples), np.empty(d), np.empty(d), np.empty(d)
    near, near_gaps = np.empty((d, m)), np.empty(m)
    squares, u, v = np.empty(most), np.empty(most), np.empty(most)
    power, slopes = np.empty(most), np.empty(most)
    for i in range(first, last):
        weights, least = strengths[i], np.inf
        gather(points, nearest[i], 0, m, near, near_gaps)
        x[:] = points[nearest[i, 0]]
        for j in range(m):
            y, loss = points[nearest[i, j]], 0.0
            chords(y, gap(y), near, near_gaps, 0, m, squares, u)
            similarities(u, m, a, b, squared_distance, v, power)
            for k in range(m):
                loss += weights[k] * np.log1p(power[k])
            if loss < least:
                least = loss
                x[:] = y
        share = c * weights.sum() / samples
        for step in range(steps):
            x_gap = gap(x)
            total[:] = 0.0
            chords(x, x_gap, near, near_gaps, 0, m, squares, u)
            similarities(u, m, a, b, squared_distance, v, power)
            pull_slopes(u, m, v, power, b, squared_distance, slopes)
            for k in range(m):
                slopes[k] *= weights[k]
            add(x, x_gap, near, near_gaps, 0, m, squares, slopes, total)

            chords(x, x_gap, pools[step], gaps[step], 0, samples, squares, u)
            similarities(u, samples, a, b, squared_distance, v, power)
            push_slopes(u, samples, v, power, b, squared_distance, NEAREST, slopes)
            shorten(u, samples, slopes, share)
            add(x, x_gap, pools[step], gaps[step], 0, samples, squares, slopes, total)
            _step(x, x_gap, total, rate * (1 - step / steps), longest, moved)
            x[:] = moved
        out[i] = x


def lay_out(graph, start, landmarks, forces, epochs, rate, seed, pool):
    """Positions after so many epochs, the step falling to zero, the centroid at the origin.

    Shapes: `graph` (n, n), symmetric, `start` (n, d), in the Poincaré ball; returns (n, d).
    """

    def step(points, parts, mass, *rest):
        move(points, parts, mass, landmarks, forces, *rest)

    return take_steps(step, graph, start, centred, epochs, rate, seed, pool)


def take_steps(step, graph, start, centred, epochs, rate, seed, pool):
    """Positions after so many epochs of ``step(points, graph, mass, rate, key, first, last, out)``.

    `centred` moves all points by an isometry, or raises an error if they have left the space.
    """
    n = len(start)
    mass = np.asarray(graph.sum(axis=1), dtype=float).ravel()
    parts = graph.indptr, graph.indices, graph.data
    points, moved = centred(start), np.empty_like(start)
    keys = np.random.default_rng(seed).integers(2**63, size=epochs, dtype=np.uint64)
    for epoch in progress.bar(range(epochs), "layout", outermost=True):
        now = rate * (1 - epoch / epochs)

        def block(first, last, now=now, key=keys[epoch], points=points, moved=moved):
            step(points, parts, mass, now, key + np.uint64(first), first, last, moved)

        in_blocks(pool, block, n, _BLOCK)
        points, moved = moved, points
        if epoch % _RECENTRED == _RECENTRED - 1:
            points = centred(points)
    return centred(points)


def centred(points, name="hyperbolic_umap"):
    """Points translated so that their Lorentz centroid is the origin."""
    _require_inside(points, name)
    on_sheet = charts.convert(points, "poincare", "hyperboloid")
    middle = charts.convert(lorentz.midpoint(on_sheet)[None], "hyperboloid", "poincare")[0]
    moved = np.ascontiguousarray(poincare.mobius_add(-middle, points))
    _require_inside(moved, name)
    return moved


def _require_inside(points, name):
    """Refuse points that are not numbers, or on the rim."""
    require(
        (np.einsum("ij,ij->i", points, points) < 1.0).all(),
        f"{name}: points left the ball; lower negative_sample_rate or "
        "learning_rate, or raise a and b",
    )
