"""Principal geodesics against vectors at the mean, flat PCA, and points of a geodesic."""

import numpy as np
import pytest
from clouds import moved, random_clouds
from sklearn.decomposition import PCA

from noneuclid import PrincipalGeodesicAnalysis, geometry
from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid.geometry.charts import CHARTS, convert


def cloud(n=80, d=3):
    X, _ = random_clouds(0, n, d)
    return X


def fitted(points, n_components=None, **params):
    return PrincipalGeodesicAnalysis(n_components, chart="hyperboloid").fit(points, **params)


def test_variances_are_those_of_vectors_at_the_mean():
    X = convert(cloud(), "hyperboloid", "poincare")
    model = PrincipalGeodesicAnalysis(chart="poincare").fit(X)
    mean = geometry.frechet_mean(X)
    np.testing.assert_allclose(model.mean_, mean, atol=1e-12)
    # In the ball hyperbolic lengths at the mean are Euclidean ones times a factor.
    vectors = geometry.log_map(mean, X) * 2 / (1 - mean @ mean)
    values = np.linalg.svd(vectors, compute_uv=False) ** 2 / len(X)
    np.testing.assert_allclose(model.explained_variance_, values, rtol=1e-8)
    np.testing.assert_allclose(model.explained_variance_ratio_, values / values.sum(), rtol=1e-8)
    scores = model.transform(X)
    np.testing.assert_allclose(scores.mean(axis=0), 0.0, atol=1e-8)
    np.testing.assert_allclose(scores.T @ scores / len(X), np.diag(values), atol=1e-8)
    np.testing.assert_allclose(
        np.linalg.norm(scores, axis=1), geometry.distance(mean, X), rtol=1e-8
    )


def test_the_flat_limit_is_pca():
    X = np.random.default_rng(0).normal(size=(60, 4)) * [3.0, 2.0, 1.0, 0.5]
    theirs = PCA(2).fit(X)
    ours = PrincipalGeodesicAnalysis(2, chart="tangent", curvature=1e-10).fit(X)
    ratio = theirs.explained_variance_ratio_
    np.testing.assert_allclose(ours.explained_variance_ratio_, ratio, rtol=1e-6)
    np.testing.assert_allclose(ours.explained_variance_ * 60 / 59, theirs.explained_variance_)
    signs = np.sign(np.sum(ours.components_ * theirs.components_, axis=1))
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X) * signs, atol=1e-5)
    back = ours.inverse_transform(ours.transform(X))
    np.testing.assert_allclose(back, theirs.inverse_transform(theirs.transform(X)), atol=1e-5)


def test_points_of_a_geodesic_have_one_component():
    ends = lorentz.from_spatial([[1.0, 2.0, 0.5], [-2.0, 1.0, 1.0]])
    t = np.random.default_rng(0).uniform(size=30)
    points = lorentz.geodesic(*ends, t)
    model = fitted(points, 1)
    assert model.explained_variance_ratio_[0] == pytest.approx(1.0)
    np.testing.assert_allclose(model.inverse_transform(model.transform(points)), points, rtol=1e-7)
    apart = model.transform(points)[:, 0]
    distances = lorentz.pairwise_distances(points)
    np.testing.assert_allclose(np.abs(apart[:, None] - apart), distances, atol=1e-7)


def test_all_components_can_be_inverted():
    points = cloud()
    model = fitted(points)
    np.testing.assert_allclose(model.inverse_transform(model.transform(points)), points, rtol=1e-8)


@pytest.mark.parametrize("distance", [2.0, 10.0])
def test_isometries_and_the_order_of_rows_change_nothing(distance):
    points = cloud()
    model = fitted(points, 2)
    there = moved(points, 1, distance)
    order = np.random.default_rng(0).permutation(len(points))
    again = fitted(there[order], 2)
    np.testing.assert_allclose(again.transform(there), model.transform(points), atol=1e-5)
    np.testing.assert_allclose(again.explained_variance_, model.explained_variance_, rtol=1e-7)


def test_weights_are_repetitions():
    points = cloud()
    counts = np.random.default_rng(1).integers(0, 4, size=len(points))
    weighted = fitted(points, sample_weight=counts)
    repeated = fitted(points.repeat(counts, axis=0))
    np.testing.assert_allclose(weighted.transform(points), repeated.transform(points), atol=1e-7)


def test_charts_and_curvature_scale_coordinates():
    X = convert(cloud(), "hyperboloid", "tangent")
    expected = PrincipalGeodesicAnalysis(2, chart="tangent").fit_transform(X)
    for curvature in (0.25, 9.0):
        for chart in CHARTS:
            Z = convert(X / np.sqrt(curvature), "tangent", chart, curvature)
            model = PrincipalGeodesicAnalysis(2, chart=chart, curvature=curvature).fit(Z)
            found = model.transform(Z)
            np.testing.assert_allclose(found * np.sqrt(curvature), expected, atol=1e-7)
            np.testing.assert_allclose(
                (found**2).mean(axis=0), model.explained_variance_, rtol=1e-7
            )
            back = model.inverse_transform(found)
            np.testing.assert_allclose(model.transform(back), found, atol=1e-6)


def test_messages():
    points = cloud()
    with pytest.raises(InputError, match="n_components = 4, but the points have 3 dimensions"):
        fitted(points, 4)
    with pytest.raises(InputError, match="X has 3 columns, but there are 2 components"):
        fitted(points, 2).inverse_transform(points[:, 1:])
    with pytest.raises(InputError, match="row 0 ends beyond the 350 from the origin"):
        fitted(points, 2).inverse_transform([[1000.0, 0.0]])
