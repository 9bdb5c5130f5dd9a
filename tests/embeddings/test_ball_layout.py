"""Layout in the Poincaré ball: forces, one epoch and steps of new rows against slow ones."""

import numba
import numpy as np
import pytest
from cases import each_of
from scipy.optimize import approx_fprime
from scipy.sparse import csr_array

from noneuclid.embeddings import ball_forces, ball_layout
from noneuclid.embeddings.ball_layout import Forces, Landmarks
from noneuclid.embeddings.in_blocks import threads
from noneuclid.geometry import poincare

SETTINGS = [(1.0, 1.0, False), (2.0, 0.5, False), (1.6, 0.8, False)]
SETTINGS += [(0.7, 0.375, False), (1.3, 0.25, False)]
SETTINGS += [(1.0, 1.0, True), (1.6, 0.8, True)]
RNG = np.random.default_rng(5)
# Few edges, each with a weight of its own.
GRAPH = csr_array(np.triu(RNG.random((30, 30)) < 0.2, 1) * RNG.random((30, 30)))
GRAPH = (GRAPH + GRAPH.T).tocsr()


def ball(n, d, seed=0):
    points = np.random.default_rng(seed).normal(size=(n, d))
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    return points / lengths * np.tanh(lengths / 2)


def squared(x, y, kernel):
    d = poincare.distance(x, y)
    return d**2 if kernel else 4 * np.sinh(d / 2) ** 2


@numba.njit
def slopes(u, a, b, kernel):
    """Derivatives of -log q and of -log(1 - q) by u."""
    at, v, power, pull, push = np.full(1, u), np.empty(1), np.empty(1), np.empty(1), np.empty(1)
    ball_forces.similarities(at, 1, a, b, kernel, v, power)
    ball_forces.pull_slopes(at, 1, v, power, b, kernel, pull)
    ball_forces.push_slopes(at, 1, v, power, b, kernel, 0.0, push)
    return pull[0], push[0]


@each_of(("a", "b", "kernel"), SETTINGS)
def test_slopes_are_those_of_the_loss(a, b, kernel):
    def q(u):
        v = (2 * np.arcsinh(np.sqrt(u) / 2)) ** 2 if kernel else u
        return 1 / (1 + a * v**b)

    for u in (1e-3, 0.3, 4.0, 200.0):
        step = 1e-5 * u
        pull = -(np.log(q(u + step)) - np.log(q(u - step))) / (2 * step)
        push = -(np.log1p(-q(u + step)) - np.log1p(-q(u - step))) / (2 * step)
        np.testing.assert_allclose(slopes(u, a, b, kernel), [pull, push], rtol=1e-5)


def slow_epoch(points, graph, forces, rate, chosen, landmarks):
    """One epoch, by finite differences of the loss and the exponential map."""
    rows = range(len(points))
    return np.array([slow_row(i, points, graph, forces, rate, chosen, landmarks) for i in rows])


def slow_row(i, points, graph, forces, rate, chosen, landmarks=None):
    """The place of a row after one step."""
    x, frame = points[i], (1 - points[i] @ points[i]) / 2
    edges = slice(*graph.indptr[i : i + 2])

    def gradient(loss):  # in an orthonormal frame
        return frame * approx_fprime(x, loss, 1e-8)

    def power(z, y):
        return forces.a * squared(z, y, forces.squared_distance) ** forces.b

    total = np.zeros(len(x))
    for j, w in zip(graph.indices[edges], graph.data[edges], strict=True):
        if (points[j] != x).any():  # no direction
            total += w * gradient(lambda z, y=points[j]: np.log1p(power(z, y)))
    mass = graph.data[edges].sum()
    for j in chosen[i]:

        def push(z, y=points[j]):
            return np.log1p(power(z, y)) - np.log(power(z, y))

        if (points[j] != x).any():
            v = squared(x, points[j], forces.squared_distance)
            force = v / (v + 1e-3) * gradient(push)
            force *= min(1.0, 4.0 / np.linalg.norm(force))
            total += forces.push * mass / forces.samples * force
    stressed = max(1, forces.samples // 4) if landmarks else 0
    for j in chosen[i][:stressed]:
        wanted = landmarks.wanted[landmarks.which[i], landmarks.which[j]]

        def stress(z, y=points[j], wanted=wanted):
            return (poincare.distance(z, y) - wanted) ** 2 / (2 * landmarks.mean)

        if wanted > 0:
            total += forces.stress * mass / stressed * gradient(stress)
    length = rate * np.linalg.norm(total)
    step = -total / np.linalg.norm(total) * min(length, forces.longest)
    return poincare.exp(x, step * frame)


def landmarks_of(n):
    """Three landmarks; the second and third are at distance 0."""
    wanted = np.array([[0.0, 2.0, 5.0], [2.0, 0.0, 0.0], [5.0, 0.0, 0.0]])
    return Landmarks(np.arange(n) % 3, wanted, 2.5)


def one_epoch(points, graph, forces, rate=0.3, key=7):
    moved = np.empty_like(points)
    parts = graph.indptr, graph.indices, graph.data.astype(np.float32)
    mass = np.asarray(graph.sum(axis=1), dtype=float).ravel()
    landmarks = landmarks_of(len(points))
    key = np.uint64(key)
    ball_layout.move(points, parts, mass, landmarks, forces, rate, key, 0, len(points), moved)
    return moved


def drawn(n, samples, key=7):
    """Which rows push each row."""
    pool = ball_layout.draw(n, ball_layout._POOL, np.uint64(key))
    golden, mask = int(ball_layout._GOLDEN), 2**64 - 1
    rows = []
    for i in range(n):
        state = (golden * (i + 1) & mask) ^ key
        state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & mask
        state = (state ^ state >> 27) * 0x94D049BB133111EB & mask
        state ^= state >> 31
        place = (state >> 32) * len(pool) >> 32
        rows.append(pool[(place + np.arange(samples)) % len(pool)])
    return np.array(rows)


@pytest.mark.slow
@each_of(("a", "b", "kernel"), SETTINGS)
@each_of("d", [1, 2, 5])
def test_an_epoch_is_the_slow_one(a, b, kernel, d):
    forces = Forces(a, b, kernel, push=2.0, samples=9, stress=3.0)
    points = ball(30, d)
    graph = GRAPH.astype(np.float32)
    expected = slow_epoch(points, graph, forces, 0.3, drawn(30, 9), landmarks_of(30))
    found = one_epoch(points, graph, forces)
    np.testing.assert_allclose(found, expected, atol=2e-6)
    assert poincare.distance(points, found).max() <= 0.5 + 1e-9
    assert np.isclose(poincare.distance(points, found).max(), 0.5)  # the longest step is reached
    assert poincare.distance(points, found).min() < 0.4


@each_of(("a", "b", "kernel"), SETTINGS)
def test_a_new_row_starts_at_the_neighbour_of_least_loss(a, b, kernel):
    points, rng = ball(30, 3), np.random.default_rng(2)
    nearest = np.array([rng.permutation(30)[:6] for _ in range(20)])
    weights, start = rng.random((20, 6)), np.empty((20, 3))
    ball_layout.settle(nearest, weights, points, Forces(a, b, kernel), 0.1, 0, 0, 20, start)
    for ends, strength, found in zip(nearest, weights, start, strict=True):
        losses = [
            strength @ np.log1p(a * squared(points[at], points[ends], kernel) ** b) for at in ends
        ]
        np.testing.assert_array_equal(found, points[ends[np.argmin(losses)]])


def test_an_epoch_goes_around_the_sample():
    # With 512 of the 1024 sampled rows, about half of the rows reach the end of the sample.
    rows, points, forces = 30, ball(30, 2), Forces(samples=512, stress=1.0)
    pushing = drawn(rows, 512)
    expected = slow_epoch(points, GRAPH, forces, 0.3, pushing, landmarks_of(rows))
    np.testing.assert_allclose(one_epoch(points, GRAPH, forces), expected, atol=2e-6)


@each_of(("a", "b", "kernel"), SETTINGS)
def test_steps_of_new_rows_are_the_slow_ones(a, b, kernel):
    points, rng, rate = ball(30, 2), np.random.default_rng(2), 0.02
    nearest, weights = np.array([rng.permutation(30)[:6] for _ in range(4)]), rng.random((4, 6))
    forces, out = Forces(a, b, kernel, push=2.0, samples=9), np.empty((3, 4, 2))
    for steps, found in enumerate(out):
        ball_layout.settle(nearest, weights, points, forces, rate, steps, 0, 4, found)
    for row in range(4):
        x = out[0, row]
        for step in range(2):
            graph = csr_array((weights[row], nearest[row], [0] * 31 + [6]), shape=(31, 31))
            pushing = [[]] * 30 + [ball_layout.draw(30, 9, np.uint64(step))]
            both = np.vstack([points, x])
            x = slow_row(30, both, graph, forces, rate * (1 - step / 2), pushing)
        np.testing.assert_allclose(out[2, row], x, atol=2e-6)


def test_pushes_are_drawn_from_all_rows_alike():
    counts = np.bincount(np.concatenate([drawn(20, 12, key).ravel() for key in range(40)]))
    assert len(counts) == 20
    assert counts.min() > 0.7 * counts.mean()


def test_an_isometry_moves_the_whole_epoch():
    points, forces = ball(30, 3), Forces(1.3, 0.9, stress=2.0)
    turn = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]

    def isometry(x):
        return poincare.mobius_add(np.array([0.5, -0.3, 0.1]), x @ turn)

    one = isometry(one_epoch(points, GRAPH, forces))
    other = one_epoch(isometry(points), GRAPH, forces)
    np.testing.assert_allclose(one, other, atol=1e-10)


def test_points_that_drift_keep_their_digits(monkeypatch):
    # Each epoch moves all points by 0.6: 120 in all, where float64 has no points of the ball.
    def drift(points, *others):
        first, last, out = others[-3:]
        out[first:last] = poincare.mobius_add(np.array([0.3, 0.0]), points[first:last])

    monkeypatch.setattr(ball_layout, "move", drift)
    start = ball(30, 2)
    with threads(1) as pool:
        found = ball_layout.lay_out(GRAPH, start, None, Forces(1.3, 0.9), 200, 1.0, 0, pool)
    wanted = poincare.distance(start[:, None], start)
    np.testing.assert_allclose(poincare.distance(found[:, None], found), wanted, atol=1e-6)


@pytest.mark.parametrize("kernel", [False, True])
def test_small_points_follow_the_formula_of_umap(kernel):
    # Where space is flat, lengths are twice those of coordinates; umap-learn clips at 4.
    a, b, scale = 1.58, 0.9, 1e-4
    flat = np.array([[0.0, 0.0], [0.9, -0.4]])
    x, y = flat * scale / 2
    unit = scale ** (2 * b)  # a v^b is that of `flat`
    v = np.square(flat[1]).sum()
    attract = -2 * a * b * v ** (b - 1) / (1 + a * v**b) * (flat[0] - flat[1])
    repel = 2 * b / (v * (1 + a * v**b)) * (flat[0] - flat[1])
    u = float(4 * ((x - y) ** 2).sum())
    gradient_of_u = 2 * (flat[0] - flat[1]) * scale
    pull, push = (-slope * gradient_of_u for slope in slopes(u, a / unit, b, kernel))
    np.testing.assert_allclose(pull * scale, attract, rtol=1e-5)
    np.testing.assert_allclose(push * scale, repel, rtol=1e-5)
