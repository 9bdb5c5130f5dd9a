"""HyperbolicUMAP: the graph, neighbours, threads, order of rows, new rows, settings."""

import numpy as np
import pytest
from cases import each_of
from scipy.spatial.distance import cdist
from threadpoolctl import threadpool_limits

from noneuclid import HyperbolicUMAP, geometry
from noneuclid.embeddings import ball_layout, hyperbolic_umap
from noneuclid.embeddings.fuzzy_graph import fuzzy_graph, strengths
from noneuclid.errors import InputError
from noneuclid_compare.embed.of_dataset import embed
from noneuclid_compare.records import Dataset

RNG = np.random.default_rng(5)
CENTRES = 6.0 * RNG.normal(size=(4, 6))
LABELS = np.arange(120) % 4
X = CENTRES[LABELS] + RNG.normal(size=(120, 6))
NEW = CENTRES[LABELS[:12]] + RNG.normal(size=(12, 6))
QUICK = {"n_neighbors": 8, "n_epochs": 40, "random_state": 0}


def test_settings_reach_the_descent(monkeypatch):
    calls = []
    real = ball_layout.move

    def move(points, graph, mass, landmarks, forces, rate, key, first, last, out):
        calls.append((landmarks, forces, rate, int(key), first))
        real(points, graph, mass, landmarks, forces, rate, key, first, last, out)

    monkeypatch.setattr(ball_layout, "move", move)
    monkeypatch.setattr(ball_layout, "_BLOCK", 60)
    settings = {
        "a": 1.1,
        "b": 0.5,
        "negative_sample_rate": 2,
        "stress_weight": 0.3,
        "learning_rate": 0.08,
        "n_epochs": 4,
    }
    model = HyperbolicUMAP(n_neighbors=8, n_landmarks=20, random_state=0, **settings).fit(X)
    landmarks, forces, *_ = calls[0]
    assert forces[:4] == (1.1, 0.5, False, 2.0)
    assert forces.stress == 0.3
    np.testing.assert_allclose([c[2] for c in calls], 0.08 * (1 - np.repeat(range(4), 2) / 4))
    assert len({key for *_, key, _ in calls}) == 8
    assert len(landmarks.wanted) == model.report_["n_landmarks"] == len(set(landmarks.which))
    wanted = landmarks.wanted[np.ix_(landmarks.which, landmarks.which)]
    assert np.isclose(landmarks.mean, wanted.mean())
    first = [call[3] for call in calls]
    calls.clear()
    HyperbolicUMAP(n_neighbors=8, random_state=1, **settings).fit(X)
    assert not set(first) & {call[3] for call in calls}


def test_more_stress_keeps_more_of_the_start():
    def left(stress):
        kept = []

        def keep(graph, start, landmarks, *rest):
            kept.extend([landmarks, ball_layout.lay_out(graph, start, landmarks, *rest)])
            return kept[1]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("noneuclid.embeddings.layout_levels.lay_out", keep)
            HyperbolicUMAP(**QUICK, n_landmarks=20, stress_weight=stress).fit(X)
        landmarks, points = kept
        wanted = landmarks.wanted[np.ix_(landmarks.which, landmarks.which)]
        gaps = (geometry.pairwise_distances(points) - wanted)[wanted > 0]
        return np.square(gaps).mean()

    assert left(10.0) < left(0.5) < left(0.0)


def test_results_do_not_depend_on_threads_of_the_libraries():
    wide = np.random.default_rng(0).normal(size=(300, 900))
    found = []
    for limit in (1, 2):
        with threadpool_limits(limit):
            found.append(HyperbolicUMAP(random_state=0, n_epochs=3).fit_transform(wide))
    np.testing.assert_array_equal(*found)


def test_odd_but_legal_input():
    far = X.copy()
    far[0] = 1e6
    points = HyperbolicUMAP(b=30.0, n_epochs=60, random_state=0).fit_transform(far)
    assert np.linalg.norm(points, axis=1).max() < 1
    equal = np.concatenate([np.zeros((2000, 6)), X])
    model = HyperbolicUMAP(n_landmarks=20, n_epochs=2, random_state=0).fit(equal)
    assert model.report_["n_landmarks"] > 3
    with pytest.raises(InputError, match="n_neighbors = 9000; give an integer in"):
        HyperbolicUMAP(n_neighbors=9000).fit(np.random.default_rng(0).normal(size=(9500, 2)))


def test_strengths_sum_to_the_logarithm_and_edges_join_by_the_union():
    nearest = np.array([[1, 2], [0, 2], [1, 3], [2, 1]], dtype=np.int32)
    lengths = np.array([[1.0, 2.0], [1.0, 1.5], [1.5, 3.0], [3.0, 4.0]])
    one = np.zeros((4, 4))
    for i in range(4):
        last = np.log2(3) - 1  # the nearest has strength 1
        one[i, nearest[i]] = 1.0, last
    expected = one + one.T - one * one.T
    np.testing.assert_allclose(fuzzy_graph(nearest, lengths).toarray(), expected, atol=2e-5)


@pytest.mark.parametrize("nearest", [1e-5, 1e-15, 1e-20, 1e-30, 1e-100])
def test_a_near_twin_leaves_the_other_edges(nearest):
    lengths = np.r_[nearest, np.linspace(1, 2, 13)][None]
    found = np.empty((1, 14))
    strengths(lengths, lengths.mean(), found)
    assert found.sum() == pytest.approx(np.log2(15), abs=1e-4)


def test_points_that_leave_the_ball_are_an_error():
    with pytest.raises(InputError, match="points left the ball; lower negative_sample_rate"):
        HyperbolicUMAP(kernel="distance", negative_sample_rate=1000, random_state=0).fit(X)


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


def test_results_depend_neither_on_threads_nor_on_the_order_of_rows(monkeypatch):
    monkeypatch.setattr(ball_layout, "_BLOCK", 16)
    one = HyperbolicUMAP(**QUICK, n_landmarks=20).fit_transform(X)
    threaded = HyperbolicUMAP(**QUICK, n_landmarks=20, n_jobs=3).fit_transform(X)
    np.testing.assert_array_equal(one, threaded)
    order = np.random.default_rng(0).permutation(len(X))
    np.testing.assert_array_equal(
        HyperbolicUMAP(**QUICK, n_landmarks=20).fit_transform(X[order]), one[order]
    )
    other = HyperbolicUMAP(**QUICK | {"random_state": 1}, n_landmarks=20).fit_transform(X)
    assert not np.array_equal(one, other)


@pytest.mark.parametrize("kernel", ball_layout.KERNELS)
@pytest.mark.parametrize("dimension", [2, 3])
def test_clouds_stay_apart_and_new_rows_join_theirs(kernel, dimension):
    model = HyperbolicUMAP(dimension, kernel=kernel, **QUICK).fit(X)
    points = model.embedding_
    apart = geometry.pairwise_distances(points)
    np.fill_diagonal(apart, np.inf)
    assert (LABELS[apart.argmin(axis=1)] == LABELS).all()
    new = model.transform(NEW)
    assert (LABELS[geometry.pairwise_distances(new, points).argmin(axis=1)] == LABELS[:12]).all()
    assert np.linalg.norm(geometry.centroid(points)) < 1e-9


@pytest.mark.parametrize(("n", "neighbours", "expected"), [(1100, 4, 10), (1100, 12, 12)])
def test_a_new_row_has_more_edges_among_many_rows(monkeypatch, n, neighbours, expected):
    rows = np.random.default_rng(0).normal(size=(n, 3))
    model = HyperbolicUMAP(n_neighbors=neighbours, n_epochs=2, random_state=0).fit(rows)
    counts, real = [], hyperbolic_umap.settle

    def settle(nearest, weights, points, forces, rate, *rest):
        counts.append(nearest.shape[1])
        assert rate < 0.1 * model.learning_rate
        np.testing.assert_allclose(weights.sum(axis=1), np.log2(expected + 1), rtol=1e-4)
        real(nearest, weights, points, forces, rate, *rest)

    monkeypatch.setattr(hyperbolic_umap, "settle", settle)
    model.transform(rows[:5] + 0.1)
    assert counts == [expected]


def test_equal_rows_part_and_a_row_given_again_lands_near_itself():
    twice = np.concatenate([X, X[:20]])
    model = HyperbolicUMAP(**QUICK, chart="hyperboloid").fit(twice)
    assert len(np.unique(model.embedding_, axis=0)) == len(twice)
    poincare_points = HyperbolicUMAP(**QUICK).fit(X)
    beside = geometry.distance(poincare_points.transform(X), poincare_points.embedding_)
    assert np.median(beside) < 0.5


@each_of(
    ("settings", "message"),
    [
        ({"n_components": 0}, "hyperbolic_umap: n_components = 0; give an integer"),
        ({"n_neighbors": 121}, r"n_neighbors = 121; give an integer in \[2, 120\]"),
        ({"n_neighbors": 1}, "n_neighbors = 1"),
        ({"kernel": "cauchy"}, "kernel = 'cauchy'; give one of chord, distance"),
        ({"n_landmarks": 2}, r"n_landmarks = 2; give an integer in \[3, 120\]"),
        ({"b": 0.0}, "b = 0.0"),
        ({"n_epochs": 0}, "n_epochs = 0"),
        ({"stress_weight": -1.0}, "stress_weight = -1.0"),
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
        HyperbolicUMAP(n_neighbors=3).fit(np.ones((10, 2)))
    two = np.repeat([[0.0, 1.0], [1.0, 0.0]], 10, axis=0)
    with pytest.raises(InputError, match="2 different rows are too few for dimension 2; lower it"):
        HyperbolicUMAP(n_neighbors=3).fit(two)


def test_one_far_value_leaves_the_other_rows_apart():
    far = X.copy()
    far[3, 1] = 1e10
    points = HyperbolicUMAP(random_state=0, n_epochs=20).fit_transform(far)
    apart = geometry.pairwise_distances(np.delete(points, 3, axis=0))
    assert np.median(apart) > 0.5
    assert len(np.unique(points, axis=0)) == len(far)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"random_state": -1}, r"HyperbolicUMAP: random_state = -1; give an integer in \[0"),
        ({"random_state": 2**64}, "random_state = 18446744073709551616; give an integer"),
        ({"n_jobs": "a"}, "n_jobs = 'a'; give None, a positive number of threads"),
        ({"n_jobs": 1.5}, "n_jobs = 1.5; give None"),
        ({"n_jobs": 0}, "n_jobs = 0; give None"),
    ],
)
def test_seeds_and_threads_are_checked(settings, message):
    with pytest.raises(InputError, match=message):
        HyperbolicUMAP(**settings).fit(X)


def test_features_whose_squares_vanish_are_refused():
    with pytest.raises(InputError, match=r"largest feature is .*e-1\d\d; distances vanish below"):
        HyperbolicUMAP().fit(X * 1e-170)
