"""Nearest means against one mean and one distance at a time."""

import numpy as np
import pytest
from clouds import moved, random_clouds, ring_clouds

from noneuclid import NearestFrechetMeanClassifier, geometry
from noneuclid.geometry import lorentz
from noneuclid.geometry.charts import CHARTS, convert

HYPERBOLOID = {"chart": "hyperboloid"}


def fitted(points, y, **params):
    return NearestFrechetMeanClassifier(**HYPERBOLOID).fit(points, y, **params)


@pytest.mark.parametrize("curvature", [1.0, 0.3])
def test_distances_and_probabilities_follow_their_definition(curvature):
    X, y = ring_clouds()
    X = convert(X, "tangent", "poincare", curvature)
    model = NearestFrechetMeanClassifier(chart="poincare", curvature=curvature).fit(X, y)
    means = [geometry.frechet_mean(X[y == k], curvature=curvature) for k in range(3)]
    np.testing.assert_allclose(model.means_, means, atol=1e-12)
    expected = [[geometry.distance(x, m, curvature=curvature) for m in means] for x in X]
    np.testing.assert_allclose(model.transform(X), expected, rtol=1e-9)
    odds = np.exp(-np.square(expected))
    np.testing.assert_allclose(
        model.predict_proba(X), odds / odds.sum(axis=1, keepdims=True), atol=1e-9
    )
    np.testing.assert_array_equal(model.predict(X), np.argmin(expected, axis=1))


def test_the_boundary_bisects_two_means():
    X, y = np.array([[-1.0, 0.2], [-1.0, -0.2], [3.0, 0.0]]), ["a", "a", "b"]
    model = NearestFrechetMeanClassifier(chart="tangent").fit(X, y)
    ends = convert(model.means_, "tangent", "hyperboloid")
    middle = lorentz.geodesic(ends[0], ends[1], np.array([0.49, 0.51]))
    found = model.predict(convert(middle, "hyperboloid", "tangent"))
    assert found.tolist() == ["a", "b"]


@pytest.mark.parametrize("distance", [2.0, 12.0])
def test_isometries_and_the_order_of_rows_change_nothing(distance):
    points, y = random_clouds(0)
    expected = fitted(points, y).transform(points)
    there = moved(points, 1, distance)
    order = np.random.default_rng(0).permutation(len(y))
    model = fitted(there[order], y[order])
    np.testing.assert_allclose(model.transform(there), expected, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(
        model.means_, moved(fitted(points, y).means_, 1, distance), rtol=1e-7
    )


def test_charts_and_curvature_scale_distances():
    X, y = ring_clouds()
    expected = NearestFrechetMeanClassifier(chart="tangent").fit(X, y).transform(X)
    for curvature in (0.25, 9.0):
        for chart in CHARTS:
            Z = convert(X / np.sqrt(curvature), "tangent", chart, curvature)
            model = NearestFrechetMeanClassifier(chart=chart, curvature=curvature).fit(Z, y)
            np.testing.assert_allclose(
                model.transform(Z), expected / np.sqrt(curvature), rtol=1e-8, atol=1e-9
            )


def test_weights_are_repetitions_and_classes_without_weight_are_left_out():
    points, y = random_clouds(0)
    counts = np.random.default_rng(1).integers(0, 4, size=len(y))
    weighted = fitted(points, y, sample_weight=counts)
    repeated = fitted(points.repeat(counts, axis=0), y.repeat(counts))
    np.testing.assert_allclose(weighted.means_, repeated.means_, rtol=1e-10)
    model = fitted(points, y, sample_weight=(y != 1).astype(float))
    assert np.isinf(model.transform(points)[:, 1]).all()
    assert (model.predict_proba(points)[:, 1] == 0).all()
    assert 1 not in model.predict(points)


def test_points_near_the_rim():
    X, y = ring_clouds(radius=16.0, spread=0.5)
    X = convert(X, "tangent", "poincare")
    assert NearestFrechetMeanClassifier(chart="poincare").fit(X, y).score(X, y) == 1.0
