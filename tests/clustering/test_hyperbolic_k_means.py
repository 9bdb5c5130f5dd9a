"""k-means against a slow one, scikit-learn's in the flat limit, and known clusters."""

import networkx as nx
import numpy as np
import pytest
from clouds import moved, ring_clouds
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

from noneuclid import HyperbolicKMeans, TreeEmbedding, geometry
from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid.geometry.charts import CHARTS, convert
from noneuclid.geometry.isometries import translate
from noneuclid.solvers.hyperboloid.statistics.lloyd import nearest_centre

FLAT = 1e-10  # curvature at which space is flat to 1e-9


def clouds(seed=0, n=120):
    X, y = ring_clouds(seed, n, radius=1.5, spread=0.5)
    return convert(X, "tangent", "hyperboloid"), y


def slow_lloyd(points, centers):
    """Lloyd's iteration, one mean and one distance at a time."""
    while True:
        labels = np.array([np.argmin([lorentz.distance(x, c) for c in centers]) for x in points])
        means = [
            geometry.frechet_mean(points[labels == k], chart="hyperboloid")
            for k in range(len(centers))
        ]
        if np.allclose(means, centers, atol=1e-12):
            return labels, np.array(means)
        centers = means


@pytest.mark.parametrize("seed", range(3))
def test_the_iteration_is_the_slow_one(seed):
    points, _ = clouds(seed)
    labels, centers = slow_lloyd(points, points[:4])
    model = HyperbolicKMeans(4, init=points[:4], tol=0, chart="hyperboloid").fit(points)
    np.testing.assert_array_equal(model.labels_, labels)
    np.testing.assert_allclose(model.cluster_centers_, centers, rtol=1e-9, atol=1e-9)
    distances = lorentz.distance(points, centers[labels])
    assert model.inertia_ == pytest.approx(distances @ distances, rel=1e-9)


@pytest.mark.parametrize("init", ["rows", "far"])
def test_the_flat_limit_is_scikit_learns(init):
    X, _ = ring_clouds(n=150, spread=0.8)
    first = X[:5].copy()
    if init == "far":  # two clusters are empty, and take the farthest rows
        first[3:] += 50.0
    theirs = KMeans(5, init=first, n_init=1, tol=0, algorithm="lloyd").fit(X)
    ours = HyperbolicKMeans(5, init=first, tol=0, chart="tangent", curvature=FLAT).fit(X)
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    np.testing.assert_allclose(ours.cluster_centers_, theirs.cluster_centers_, atol=1e-6)
    assert ours.inertia_ == pytest.approx(theirs.inertia_, rel=1e-6)
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), atol=1e-6)
    assert ours.score(X) == pytest.approx(theirs.score(X), rel=1e-6)


@pytest.mark.parametrize(("init", "n_init"), [("k-means++", "auto"), ("random", 60)])
def test_separate_clouds_are_found(init, n_init):
    X, y = ring_clouds(n=200, classes=6, radius=4.0, spread=0.4)
    model = HyperbolicKMeans(6, init=init, n_init=n_init, random_state=0, chart="tangent")
    assert adjusted_rand_score(y, model.fit_predict(X)) == 1.0


def test_branches_of_a_tree_are_found():
    tree = nx.balanced_tree(3, 3)
    X = TreeEmbedding(chart="poincare").fit_transform(tree)
    branch = [nx.shortest_path(tree, 0, node)[1] for node in range(1, len(tree))]
    labels = HyperbolicKMeans(3, random_state=0, n_init=5, chart="poincare").fit_predict(X[1:])
    assert adjusted_rand_score(branch, labels) == 1.0


@pytest.mark.parametrize("distance", [2.0, 12.0])
def test_isometries_move_the_centers_alone(distance):
    points, _ = clouds()
    model = HyperbolicKMeans(4, random_state=0, chart="hyperboloid").fit(points)
    centers, labels = model.cluster_centers_, model.labels_
    model.fit(moved(points, 1, distance))
    np.testing.assert_array_equal(model.labels_, labels)
    np.testing.assert_allclose(model.cluster_centers_, moved(centers, 1, distance), rtol=1e-6)


def test_the_order_of_rows_changes_nothing():
    points, _ = clouds()
    model = HyperbolicKMeans(4, init=points[:4], chart="hyperboloid")
    labels = model.fit_predict(points)
    order = np.random.default_rng(0).permutation(len(points))
    np.testing.assert_array_equal(model.fit_predict(points[order]), labels[order])


def test_weights_are_repetitions():
    points, _ = clouds()
    counts = np.random.default_rng(1).integers(0, 4, size=len(points))
    for init in ("k-means++", points[:4]):
        model = HyperbolicKMeans(4, init=init, random_state=0, chart="hyperboloid")
        model.fit(points, sample_weight=counts)
        inertia, centers, labels = model.inertia_, model.cluster_centers_, model.labels_
        again = model.fit(points.repeat(counts, axis=0))
        np.testing.assert_array_equal(again.labels_, labels.repeat(counts))
        np.testing.assert_allclose(again.cluster_centers_, centers, rtol=1e-9)
        assert again.inertia_ == pytest.approx(inertia)
    unit, double = model.score(points), model.score(points, sample_weight=np.full(len(points), 2.0))
    assert double == pytest.approx(2 * unit)


def test_charts_and_curvature_scale_distances():
    X, _ = ring_clouds()
    first = HyperbolicKMeans(3, random_state=0, chart="tangent").fit(X)
    for curvature in (0.25, 9.0):
        for chart in CHARTS:
            Z = convert(X / np.sqrt(curvature), "tangent", chart, curvature)
            model = HyperbolicKMeans(3, random_state=0, chart=chart, curvature=curvature).fit(Z)
            np.testing.assert_array_equal(model.labels_, first.labels_)
            assert model.inertia_ == pytest.approx(first.inertia_ / curvature)
            there = convert(model.cluster_centers_, chart, "tangent", curvature)
            np.testing.assert_allclose(
                there * np.sqrt(curvature), first.cluster_centers_, atol=1e-8
            )


def test_more_iterations_and_runs_lower_the_inertia():
    points, _ = clouds(n=300)
    settings = {"init": points[:6], "chart": "hyperboloid", "tol": 0}
    found = [HyperbolicKMeans(6, max_iter=m, **settings).fit(points) for m in range(1, 8)]
    inertia = [model.inertia_ for model in found]
    assert (np.diff(inertia) <= 0).all()
    assert inertia[-1] < inertia[0]
    assert [model.n_iter_ for model in found[:3]] == [1, 2, 3]
    settings = {"init": "random", "random_state": 0, "chart": "hyperboloid", "max_iter": 2}
    one, many = (HyperbolicKMeans(6, n_init=n, **settings).fit(points) for n in (1, 20))
    assert many.inertia_ < one.inertia_


def test_points_near_the_rim():
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    near = convert(0.3 * rng.normal(size=(60, 2)) + 3.0 * y[:, None], "tangent", "hyperboloid")
    points = translate(near, np.array([1.0, 0.0]), 16.0)
    X = convert(points, "hyperboloid", "poincare")
    model = HyperbolicKMeans(2, random_state=0, chart="poincare").fit(X)
    assert adjusted_rand_score(y, model.labels_) == 1.0
    np.testing.assert_array_equal(model.predict(X), model.labels_)


def test_nearest_centers_of_many_rows_are_those_of_all_distances():
    rng = np.random.default_rng(0)
    points = convert(3 * rng.normal(size=(20_000, 3)), "tangent", "hyperboloid")
    labels, squares = nearest_centre(points, points[:20])
    distances = lorentz.pairwise_distances(points[:20], points).T
    np.testing.assert_array_equal(labels, distances.argmin(axis=1))
    np.testing.assert_allclose(squares, distances.min(axis=1) ** 2, rtol=1e-9)


def test_messages():
    points, _ = clouds(n=6)
    with pytest.raises(InputError, match=r"n_clusters = 8, but n_samples = 6 rows"):
        HyperbolicKMeans(chart="hyperboloid").fit(points)
    with pytest.raises(InputError, match=r"init has shape \(2, 2\); give a row of 3 numbers"):
        HyperbolicKMeans(2, init=points[:2, 1:], chart="hyperboloid").fit(points)
    with pytest.raises(InputError, match=r"sample_weight of row 2 is -1"):
        HyperbolicKMeans(2, chart="hyperboloid").fit(points, sample_weight=[1, 1, -1, 1, 1, 1])
    with pytest.warns(ConvergenceWarning, match=r"1 clusters have rows, but n_clusters = 2"):
        HyperbolicKMeans(2, chart="hyperboloid").fit(points[[0, 0, 0]])
