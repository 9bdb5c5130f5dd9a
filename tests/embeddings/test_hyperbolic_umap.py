"""HyperbolicUMAP: forces, one epoch, the graph, threads, order of rows, new rows, settings."""

import numba
import numpy as np
import pytest
from scipy.optimize import approx_fprime
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist
from threadpoolctl import threadpool_limits

from noneuclid import HyperbolicUMAP
from noneuclid.contracts import Dataset
from noneuclid.embeddings import ball_forces, ball_layout, landmark_lists
from noneuclid.embeddings.ball_layout import Forces, Landmarks
from noneuclid.embeddings.fuzzy_graph import fuzzy_graph
from noneuclid.embeddings.in_blocks import threads
from noneuclid.embeddings.of_dataset import embed
from noneuclid.errors import InputError
from noneuclid.geometry import poincare

RNG = np.random.default_rng(5)
CENTRES = 6.0 * RNG.normal(size=(4, 6))
LABELS = np.arange(120) % 4
X = CENTRES[LABELS] + RNG.normal(size=(120, 6))
NEW = CENTRES[LABELS[:12]] + RNG.normal(size=(12, 6))
QUICK = {"neighbours": 8, "epochs": 40, "random_state": 0}
SETTINGS = [(1.0, 1.0, False), (2.0, 0.5, False), (1.6, 0.8, False)]
SETTINGS += [(0.7, 0.375, False), (1.3, 0.25, False)]
SETTINGS += [(1.0, 1.0, True), (1.6, 0.8, True)]
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


@pytest.mark.parametrize(("a", "b", "kernel"), SETTINGS)
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


@pytest.mark.parametrize(("a", "b", "kernel"), SETTINGS)
@pytest.mark.parametrize("d", [1, 2, 5])
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


@pytest.mark.parametrize(("a", "b", "kernel"), SETTINGS)
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


@pytest.mark.parametrize(("a", "b", "kernel"), SETTINGS)
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


def test_settings_reach_the_descent(monkeypatch):
    calls = []
    real = ball_layout.move

    def move(points, graph, mass, landmarks, forces, rate, key, first, last, out):
        calls.append((landmarks, forces, rate, int(key), first))
        real(points, graph, mass, landmarks, forces, rate, key, first, last, out)

    monkeypatch.setattr(ball_layout, "move", move)
    monkeypatch.setattr(ball_layout, "_BLOCK", 60)
    settings = {"a": 1.1, "b": 0.5, "negatives": 2, "stress": 0.3, "rate": 0.08, "epochs": 4}
    model = HyperbolicUMAP(neighbours=8, landmarks=20, random_state=0, **settings).fit(X)
    landmarks, forces, *_ = calls[0]
    assert forces[:4] == (1.1, 0.5, False, 2.0)
    assert forces.stress == 0.3
    np.testing.assert_allclose([c[2] for c in calls], 0.08 * (1 - np.repeat(range(4), 2) / 4))
    assert len({key for *_, key, _ in calls}) == 8
    assert len(landmarks.wanted) == model.report_["landmarks"] == len(set(landmarks.which))
    wanted = landmarks.wanted[np.ix_(landmarks.which, landmarks.which)]
    assert np.isclose(landmarks.mean, wanted.mean())
    first = [call[3] for call in calls]
    calls.clear()
    HyperbolicUMAP(neighbours=8, random_state=1, **settings).fit(X)
    assert not set(first) & {call[3] for call in calls}


def test_more_stress_keeps_more_of_the_start():
    def left(stress):
        kept = []

        def keep(graph, start, landmarks, *rest):
            kept.extend([landmarks, ball_layout.lay_out(graph, start, landmarks, *rest)])
            return kept[1]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("noneuclid.embeddings.hyperbolic_umap.lay_out", keep)
            HyperbolicUMAP(**QUICK, landmarks=20, stress=stress).fit(X)
        landmarks, points = kept
        wanted = landmarks.wanted[np.ix_(landmarks.which, landmarks.which)]
        gaps = (poincare.pairwise_distances(points) - wanted)[wanted > 0]
        return np.square(gaps).mean()

    assert left(10.0) < left(0.5) < left(0.0)


def test_results_do_not_depend_on_threads_of_the_libraries():
    wide = np.random.default_rng(0).normal(size=(300, 900))
    found = []
    for limit in (1, 2):
        with threadpool_limits(limit):
            found.append(HyperbolicUMAP(random_state=0, epochs=3).fit_transform(wide))
    np.testing.assert_array_equal(*found)


def test_odd_but_legal_input():
    far = X.copy()
    far[0] = 1e6
    points = HyperbolicUMAP(b=30.0, epochs=60, random_state=0).fit_transform(far)
    assert np.linalg.norm(points, axis=1).max() < 1
    equal = np.concatenate([np.zeros((2000, 6)), X])
    model = HyperbolicUMAP(landmarks=20, epochs=2, random_state=0).fit(equal)
    assert model.report_["landmarks"] > 3
    with pytest.raises(InputError, match="neighbours = 9000; give an integer in"):
        HyperbolicUMAP(neighbours=9000).fit(np.random.default_rng(0).normal(size=(9500, 2)))


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


def test_strengths_sum_to_the_logarithm_and_edges_join_by_the_union():
    nearest = np.array([[1, 2], [0, 2], [1, 3], [2, 1]], dtype=np.int32)
    lengths = np.array([[1.0, 2.0], [1.0, 1.5], [1.5, 3.0], [3.0, 4.0]])
    one = np.zeros((4, 4))
    for i in range(4):
        last = np.log2(3) - 1  # the nearest has strength 1
        one[i, nearest[i]] = 1.0, last
    expected = one + one.T - one * one.T
    np.testing.assert_allclose(fuzzy_graph(nearest, lengths).toarray(), expected, atol=2e-5)


@pytest.mark.slow
def test_the_graph_is_that_of_umap_learn():
    umap_ = pytest.importorskip("umap.umap_", reason="umap-learn is not installed")
    apart = cdist(X, X)
    order = np.argsort(apart, axis=1)[:, :10]
    lengths = np.take_along_axis(apart, order, axis=1)
    state = np.random.RandomState(0)
    theirs = umap_.fuzzy_simplicial_set(
        X, 10, state, "euclidean", knn_indices=order, knn_dists=lengths
    )[0]
    own = fuzzy_graph(order[:, 1:].astype(np.int32), lengths[:, 1:])
    np.testing.assert_allclose(own.toarray(), theirs.toarray(), atol=1e-4)


@pytest.mark.parametrize("least", [8192, 40])
def test_lists_find_neighbours(monkeypatch, least):
    monkeypatch.setattr(landmark_lists, "CANDIDATES", least)
    rows = X[landmark_lists.hashed_order(X, 0)]
    with threads(2) as pool:
        lists, order = landmark_lists.sort_into_lists(rows, 12, pool)
        rows = rows[order]
        bar = type("Bar", (), {"update": lambda self, count: None})()
        nearest, lengths = landmark_lists.list_neighbours(rows, lists, 5, pool, bar)
    assert np.array_equal(np.sort(rows, axis=0), np.sort(X, axis=0))
    apart = cdist(rows, rows)
    np.testing.assert_allclose(lengths, np.take_along_axis(apart, nearest.astype(int), axis=1))
    np.fill_diagonal(apart, np.inf)
    expected = np.sort(apart, axis=1)[:, :5]
    right = np.isclose(lengths, expected)
    assert right.all() if least > len(X) else right.mean() > 0.85
    new = landmark_lists.neighbours_of_new(NEW, rows, lists, 5)
    right = np.isclose(new[1], np.sort(cdist(NEW, rows), axis=1)[:, :5])
    assert right.all() if least > len(X) else right.mean() > 0.85
    np.testing.assert_allclose(new[1], np.linalg.norm(NEW[:, None] - rows[new[0]], axis=2))


def test_results_depend_neither_on_threads_nor_on_the_order_of_rows(monkeypatch):
    monkeypatch.setattr(ball_layout, "_BLOCK", 16)
    one = HyperbolicUMAP(**QUICK, landmarks=20).fit_transform(X)
    threaded = HyperbolicUMAP(**QUICK, landmarks=20, n_jobs=3).fit_transform(X)
    np.testing.assert_array_equal(one, threaded)
    order = np.random.default_rng(0).permutation(len(X))
    np.testing.assert_array_equal(
        HyperbolicUMAP(**QUICK, landmarks=20).fit_transform(X[order]), one[order]
    )
    other = HyperbolicUMAP(**QUICK | {"random_state": 1}, landmarks=20).fit_transform(X)
    assert not np.array_equal(one, other)


@pytest.mark.parametrize("kernel", ball_layout.KERNELS)
@pytest.mark.parametrize("dimension", [2, 3])
def test_clouds_stay_apart_and_new_rows_join_theirs(kernel, dimension):
    model = HyperbolicUMAP(dimension, kernel=kernel, **QUICK).fit(X)
    points = model.embedding_
    apart = poincare.pairwise_distances(points)
    np.fill_diagonal(apart, np.inf)
    assert (LABELS[apart.argmin(axis=1)] == LABELS).all()
    new = model.transform(NEW)
    assert (LABELS[poincare.pairwise_distances(new, points).argmin(axis=1)] == LABELS[:12]).all()
    assert np.linalg.norm(poincare.midpoint(points)) < 1e-9


def test_equal_rows_part_and_a_row_given_again_lands_near_itself():
    twice = np.concatenate([X, X[:20]])
    model = HyperbolicUMAP(**QUICK, chart="hyperboloid").fit(twice)
    assert len(np.unique(model.embedding_, axis=0)) == len(twice)
    poincare_points = HyperbolicUMAP(**QUICK).fit(X)
    beside = poincare.distance(poincare_points.transform(X), poincare_points.embedding_)
    assert np.median(beside) < 0.5


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"dimension": 0}, "hyperbolic_umap: dimension = 0; give an integer"),
        ({"neighbours": 121}, r"neighbours = 121; give an integer in \[2, 120\]"),
        ({"neighbours": 1}, "neighbours = 1"),
        ({"kernel": "cauchy"}, "kernel = 'cauchy'; give one of chord, distance"),
        ({"landmarks": 2}, r"landmarks = 2; give an integer in \[3, 120\]"),
        ({"b": 0.0}, "b = 0.0"),
        ({"epochs": 0}, "epochs = 0"),
        ({"stress": -1.0}, "stress = -1.0"),
        ({"diameter": 60.0}, "diameter = 60.0"),
    ],
)
def test_settings_are_checked(settings, message):
    with pytest.raises(InputError, match=message):
        embed(
            HyperbolicUMAP,
            Dataset("d", "expression", LABELS, tuple("abcd"), features=X),
            0,
            **settings,
        )


def test_rows_without_variety_are_refused():
    with pytest.raises(InputError, match="all rows are equal; nothing to embed"):
        HyperbolicUMAP(neighbours=3).fit(np.ones((10, 2)))
    two = np.repeat([[0.0, 1.0], [1.0, 0.0]], 10, axis=0)
    with pytest.raises(InputError, match="2 different rows are too few for dimension 2; lower it"):
        HyperbolicUMAP(neighbours=3).fit(two)
