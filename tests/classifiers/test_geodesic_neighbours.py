"""Neighbours against all distances and 60 digits; votes against scikit-learn's."""

from decimal import localcontext

import numpy as np
import pytest
from cases import each_of
from clouds import exact_cosh, moved, ring_clouds
from scipy.sparse import identity
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

from noneuclid import GeodesicKNeighborsClassifier, GeodesicKNeighborsRegressor
from noneuclid.errors import InputError
from noneuclid.geometry import lorentz, tangent
from noneuclid.geometry.charts import CHARTS, convert
from noneuclid.geometry.neighbours import NeighbourSearch, ball_of

ALGORITHMS = ("kd_tree", "ball_tree", "brute")
WEIGHTS = ("uniform", "distance", lambda r: np.exp(-(r**2)))
RADII = (1e-3, 1.0, 5.0, 15.0, 30.0, 170.0)


def random_points(seed, radius, repeated=False):
    """Points of a ball, some of them twice, and queries in it and among them."""
    rng = np.random.default_rng(seed)
    d, n = rng.integers(1, 8), rng.integers(12, 150)
    ways = rng.normal(size=(n, d))
    tangents = radius * ways * rng.uniform(size=(n, 1)) / np.linalg.norm(ways, axis=1)[:, None]
    if repeated:
        tangents[n // 2 :] = tangents[: n - n // 2]
    points = convert(tangents, "tangent", "hyperboloid")
    queries = convert(
        tangents[:6] + radius / 50 * rng.normal(size=(6, d)), "tangent", "hyperboloid"
    )
    return points, np.vstack([points[:4], queries[:4]]), int(rng.integers(1, 9))


def slow(points, queries, k):
    distances = lorentz.pairwise_distances(queries, points)
    rows = np.argsort(distances, axis=1, kind="stable")[:, :k]
    return np.take_along_axis(distances, rows, axis=1), rows


@each_of("algorithm", ALGORITHMS)
@each_of("radius", RADII)
def test_neighbours_and_ties_are_those_of_all_distances(algorithm, radius):
    for seed in range(12):
        points, queries, k = random_points(seed, radius, repeated=seed % 3 == 0)
        expected, rows = slow(points, queries, k)
        search = NeighbourSearch(points, algorithm, leaf_size=1 + seed)
        distances, found = search.query(queries, k)
        np.testing.assert_array_equal(found, rows)
        np.testing.assert_allclose(distances, expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_repeated_points_are_searched_once(algorithm):
    rng = np.random.default_rng(0)
    # Whole numbers: many copies, and many distinct points at equal distances.
    points = lorentz.from_spatial(rng.integers(-2, 3, size=(300, 2)).astype(float))
    points[rng.integers(0, 300, 150)] = points[0]
    queries = np.vstack([points[:20], lorentz.origin(2)])
    search = NeighbourSearch(points, algorithm, leaf_size=3)
    assert len(search.distinct) == 25
    for k in (1, 2, 10, 40, 299, 300):
        expected, rows = slow(points, queries, k)
        distances, found = search.query(queries, k)
        np.testing.assert_array_equal(found, rows)
        np.testing.assert_allclose(distances, expected, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("radius", [1.0, 8.0, 30.0])
def test_neighbours_are_those_of_sixty_digits(radius):
    points, queries, _ = random_points(3, radius)
    with localcontext(prec=60):
        cosh = [[exact_cosh(x, q) for x in points] for q in queries]
        rows = [sorted(range(len(points)), key=row.__getitem__)[:3] for row in cosh]
    for algorithm in ALGORITHMS:
        found = NeighbourSearch(points, algorithm, 5).query(queries, 3)[1]
        np.testing.assert_array_equal(found, rows)


@pytest.mark.parametrize("radius", [0.01, 2.0, 12.0, 40.0])
def test_a_ball_holds_what_it_should_and_little_more(radius):
    rng = np.random.default_rng(0)
    queries = random_points(5, 10.0)[1][4:5].repeat(200, axis=0)
    way = rng.normal(size=(200, queries.shape[1] - 1))
    way /= np.linalg.norm(way, axis=1)[:, None]
    inside, outside = (tangent.lift(radius * f * way, queries) for f in (1 - 1e-9, 1 + 1e-2))
    centres, radii = ball_of(queries, np.full(200, radius))
    for there, expected in ((inside, True), (outside, False)):
        ball = there[:, 1:] / (1 + there[:, :1])
        held = np.linalg.norm(ball - centres, axis=1) <= radii
        assert (held == expected).all() or (radius > 30 and held.all())  # rounded onto the rim


def test_many_points_in_the_first_ball_are_bisected():
    rng = np.random.default_rng(0)
    # The row nearest in the chart is a far one; a dense cloud fills its ball.
    cloud = rng.normal(size=(3000, 2)) * 0.3 + [6.0, 0.0]
    points = convert(cloud, "tangent", "hyperboloid")
    queries = convert(np.array([[6.0, 0.0], [12.0, 0.4]]), "tangent", "hyperboloid")
    for k in (1, 7):
        expected, rows = slow(points, queries, k)
        for algorithm in ALGORITHMS:
            found = NeighbourSearch(points, algorithm, 30).query(queries, k)
            np.testing.assert_array_equal(found[1], rows)
            np.testing.assert_allclose(found[0], expected, rtol=1e-12)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_votes_are_those_of_scikit_learn(weights):
    X, y = ring_clouds(n=90, spread=0.8)
    fresh = np.vstack([ring_clouds(seed=1, n=40)[0], X[:5]])
    numbers = X[:, 0] ** 2
    settings = {"n_neighbors": 4, "weights": weights}
    ours = GeodesicKNeighborsClassifier(chart="tangent", **settings).fit(X, y)
    graph = ours.kneighbors_graph(fresh, mode="distance")
    theirs = KNeighborsClassifier(metric="precomputed", **settings).fit(
        identity(90, format="csr"), y
    )
    np.testing.assert_array_equal(ours.predict(fresh), theirs.predict(graph))
    np.testing.assert_allclose(ours.predict_proba(fresh), theirs.predict_proba(graph), atol=1e-14)
    ours = GeodesicKNeighborsRegressor(chart="tangent", **settings).fit(X, numbers)
    theirs = KNeighborsRegressor(metric="precomputed", **settings)
    theirs.fit(identity(90, format="csr"), numbers)
    np.testing.assert_allclose(ours.predict(fresh), theirs.predict(graph), rtol=1e-13)


def test_isometries_and_the_order_of_rows_change_nothing():
    X, y = ring_clouds(n=200, spread=0.9)
    points = convert(X, "tangent", "hyperboloid")
    model = GeodesicKNeighborsClassifier(chart="hyperboloid", weights="distance")
    expected = model.fit(points, y).predict_proba(points[::2])
    rows = model.kneighbors(points)[1]
    for seed, distance in ((0, 0.0), (1, 1.5), (2, 3.0)):
        there = moved(points, seed, distance)
        model.fit(there, y)
        np.testing.assert_array_equal(model.kneighbors(there)[1], rows)
    order = np.random.default_rng(0).permutation(200)
    found = model.fit(points[order], y[order]).predict_proba(points[::2])
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_training_rows_are_not_their_own_neighbours():
    X, y = ring_clouds(n=50)
    X[:4] = X[0]  # more copies than neighbours
    model = GeodesicKNeighborsClassifier(n_neighbors=2, chart="tangent").fit(X, y)
    distances, rows = model.kneighbors()
    all_of = lorentz.pairwise_distances(convert(X, "tangent", "hyperboloid"))
    np.fill_diagonal(all_of, 1e9)
    np.testing.assert_allclose(distances, np.sort(all_of, axis=1)[:, :2], rtol=1e-12)
    assert rows[:4].max() < 4
    graph = KNeighborsClassifier(n_neighbors=2, metric="precomputed").fit(all_of, y)
    np.testing.assert_array_equal(model.predict(None)[4:], graph.predict(all_of)[4:])


def test_charts_and_curvature():
    X, y = ring_clouds()
    reference = GeodesicKNeighborsClassifier(chart="tangent").fit(X, y)
    distances, rows = reference.kneighbors(X)
    for curvature in (1.0, 0.25, 9.0):
        for chart in CHARTS:
            Z = convert(X / np.sqrt(curvature), "tangent", chart, curvature)
            model = GeodesicKNeighborsClassifier(chart=chart, curvature=curvature).fit(Z, y)
            found = model.kneighbors(Z)
            np.testing.assert_array_equal(found[1], rows)
            np.testing.assert_allclose(found[0] * np.sqrt(curvature), distances, atol=1e-12)


def test_algorithm_follows_dimension_and_neighbours():
    rng = np.random.default_rng(0)
    for d, k, expected in ((10, 5, "ball_tree"), (11, 5, "brute"), (2, 40, "brute")):
        X, y = rng.normal(size=(60, d)), np.arange(60) % 2
        model = GeodesicKNeighborsClassifier(n_neighbors=k, chart="tangent").fit(X, y)
        assert model.algorithm_ == expected


def test_messages():
    X, y = ring_clouds(n=20)
    with pytest.raises(InputError, match=r"n_neighbors = 21, but n_samples = 20; .* from 1 to 20"):
        GeodesicKNeighborsClassifier(n_neighbors=21, chart="tangent").fit(X, y)
    model = GeodesicKNeighborsClassifier(n_neighbors=20, chart="tangent").fit(X, y)
    with pytest.raises(InputError, match=r"with each row itself; .* from 1 to 19"):
        model.kneighbors()
    model = GeodesicKNeighborsClassifier(weights=np.zeros_like, chart="tangent").fit(X, y)
    with pytest.raises(InputError, match=r"all neighbours of row 0 have weight 0"):
        model.predict(X)
    model = GeodesicKNeighborsClassifier(weights=lambda r: r[:, 0], chart="tangent").fit(X, y)
    with pytest.raises(InputError, match=r"shape \(20,\) for distances of shape \(20, 5\)"):
        model.predict(X)
    model = GeodesicKNeighborsClassifier(weights=lambda r: 1 / r, chart="tangent").fit(X, y)
    fresh = np.vstack([X[:1] + 1e-3, X[:1]])
    with (
        np.errstate(divide="ignore"),
        pytest.raises(
            InputError, match=r"^the function `weights` gives inf at distance 0 \(row 1\); .*$"
        ),
    ):
        model.predict(fresh)
    for k in (2.5, "2"):
        with pytest.raises(InputError, match=f"n_neighbors = {k!r}; give an integer"):
            model.kneighbors(fresh, n_neighbors=k)
    assert model.kneighbors(fresh, np.int32(2))[1].shape == (2, 2)
    two = np.column_stack([X[:, 0], X[:, 1]])
    with pytest.raises(InputError, match=r"a classifier needs one label .*MultiOutputClassifier"):
        GeodesicKNeighborsClassifier(chart="tangent").fit(X, two)
