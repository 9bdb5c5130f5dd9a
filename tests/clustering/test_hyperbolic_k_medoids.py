"""k-medoids against all choices of medoids, and against all swaps."""

from itertools import combinations

import numpy as np
import pytest
from clouds import moved, ring_clouds
from sklearn.metrics import adjusted_rand_score

from noneuclid import HyperbolicKMedoids, Polytope, geometry
from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid.geometry.charts import convert

METHODS = ("fasterpam", "alternate")


def clouds(seed=0, n=40, spread=0.8):
    X, y = ring_clouds(seed, n, radius=1.5, spread=spread)
    return convert(X, "tangent", "hyperboloid"), y


def loss(distances, medoids, weights=1.0):
    return (weights * distances[:, list(medoids)].min(axis=1)).sum()


@pytest.mark.parametrize("seed", range(4))
def test_no_swap_of_a_medoid_and_a_row_lowers_the_inertia(seed):
    points, _ = clouds(seed)
    weights = np.random.default_rng(seed).integers(1, 4, size=len(points))
    distances = lorentz.pairwise_distances(points)
    model = HyperbolicKMedoids(4, init="random", random_state=seed, chart="hyperboloid")
    model.fit(points, sample_weight=weights)
    medoids = model.medoid_indices_.tolist()
    assert model.inertia_ == pytest.approx(loss(distances, medoids, weights))
    for k in range(4):
        for row in range(len(points)):
            swapped = [*medoids[:k], row, *medoids[k + 1 :]]
            assert loss(distances, swapped, weights) >= model.inertia_ - 1e-9
    np.testing.assert_array_equal(model.labels_, distances[:, medoids].argmin(axis=1))


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("method", METHODS)
def test_the_best_of_many_starts_is_the_best_of_all_choices(method, count):
    points, _ = clouds(n=16)
    distances = lorentz.pairwise_distances(points)
    best = min(loss(distances, rows) for rows in combinations(range(16), count))
    found = [
        HyperbolicKMedoids(count, method=method, random_state=s, chart="hyperboloid").fit(points)
        for s in range(15)
    ]
    assert min(model.inertia_ for model in found) == pytest.approx(best)
    assert min(model.inertia_ for model in found) >= best - 1e-12


@pytest.mark.parametrize("method", METHODS)
def test_separate_clouds_are_found(method):
    points, y = clouds(n=90, spread=0.2)
    model = HyperbolicKMedoids(3, method=method, random_state=0, chart="hyperboloid").fit(points)
    assert adjusted_rand_score(y, model.labels_) == 1.0
    np.testing.assert_array_equal(model.cluster_centers_, points[model.medoid_indices_])
    np.testing.assert_array_equal(model.predict(points), model.labels_)


@pytest.mark.parametrize("method", METHODS)
def test_given_distances_isometries_and_curvature_change_nothing(method):
    points, _ = clouds()
    settings = {"method": method, "random_state": 0}
    first = HyperbolicKMedoids(4, chart="hyperboloid", **settings).fit(points)
    distances = geometry.pairwise_distances(points, chart="hyperboloid")
    given = HyperbolicKMedoids(4, metric="precomputed", **settings).fit(distances)
    there = HyperbolicKMedoids(4, chart="hyperboloid", **settings).fit(moved(points, 1, 3.0))
    scaled = HyperbolicKMedoids(4, chart="hyperboloid", curvature=4.0, **settings).fit(points / 2)
    for model in (given, there, scaled):
        np.testing.assert_array_equal(model.medoid_indices_, first.medoid_indices_)
        np.testing.assert_array_equal(model.labels_, first.labels_)
    assert given.cluster_centers_ is None
    assert given.inertia_ == pytest.approx(first.inertia_)
    assert scaled.inertia_ == pytest.approx(first.inertia_ / 2)
    np.testing.assert_allclose(given.transform(distances), first.transform(points), atol=1e-12)
    np.testing.assert_allclose(scaled.transform(points / 2), first.transform(points) / 2)


@pytest.mark.parametrize("method", METHODS)
def test_the_order_of_rows_and_repetitions_change_nothing(method):
    points, _ = clouds()
    weights = np.random.default_rng(0).integers(1, 4, size=len(points))
    settings = {"method": method, "chart": "hyperboloid"}
    first = HyperbolicKMedoids(3, init=[0, 1, 2], **settings).fit(points, sample_weight=weights)
    order = np.random.default_rng(1).permutation(len(points))
    start = [int(np.flatnonzero(order == k)[0]) for k in range(3)]
    if method == "alternate":  # swaps go through the rows in their order
        turned = HyperbolicKMedoids(3, init=start, **settings)
        turned.fit(points[order], sample_weight=weights[order])
        np.testing.assert_array_equal(order[turned.medoid_indices_], first.medoid_indices_)
        np.testing.assert_array_equal(turned.labels_, first.labels_[order])
    places = np.cumsum(weights) - weights
    repeated = HyperbolicKMedoids(3, init=places[:3], **settings)
    repeated.fit(points.repeat(weights, axis=0))
    np.testing.assert_array_equal(repeated.labels_, first.labels_.repeat(weights))
    assert repeated.inertia_ == pytest.approx(first.inertia_)


def test_points_near_the_rim():
    X, y = ring_clouds(n=60, radius=16.0, spread=0.4)
    X = convert(X, "tangent", "poincare")
    model = HyperbolicKMedoids(3, random_state=0, chart="poincare").fit(X)
    assert adjusted_rand_score(y, model.labels_) == 1.0
    np.testing.assert_array_equal(model.predict(X), model.labels_)


def test_hilbert_distances_are_taken():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.dirichlet(a, size=20) for a in ([30, 5, 5], [5, 30, 5])])
    distances = geometry.pairwise_polytope_distances(X, X, Polytope.simplex(3))
    labels = HyperbolicKMedoids(2, metric="precomputed", random_state=0).fit_predict(distances)
    assert adjusted_rand_score(np.arange(40) // 20, labels) == 1.0


def test_messages():
    points, _ = clouds(n=6)
    distances = lorentz.pairwise_distances(points)
    with pytest.raises(InputError, match=r"n_clusters = 8, but n_samples = 6 rows"):
        HyperbolicKMedoids(chart="hyperboloid").fit(points)
    with pytest.raises(InputError, match=r"square matrix of distances, got shape \(5, 6\)"):
        HyperbolicKMedoids(2, metric="precomputed").fit(distances[:5])
    with pytest.raises(InputError, match=r"distance at row 0, column 1 is -"):
        HyperbolicKMedoids(2, metric="precomputed").fit(-distances)
    with pytest.raises(InputError, match=r"init = \[1, 1\]; give the numbers of 2 rows"):
        HyperbolicKMedoids(2, init=[1, 1], chart="hyperboloid").fit(points)
