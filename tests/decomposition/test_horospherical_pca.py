"""Horospherical projections: Busemann functions, slopes, known lines, isometries, flat PCA."""

import numpy as np
import pytest
from clouds import moved, random_clouds
from sklearn.decomposition import PCA

from noneuclid import HorosphericalPCA, PrincipalGeodesicAnalysis, geometry
from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid.geometry.charts import CHARTS, convert
from noneuclid.geometry.horospheres import busemann_of_rays, rays
from noneuclid.solvers.hyperboloid.statistics.horospherical import project, variance_and_gradient


def cloud(n=60, d=4):
    return random_clouds(0, n, d)[0]


def directions(k, d, seed=0):
    return np.linalg.qr(np.random.default_rng(seed).normal(size=(d, d)))[0][:k]


def fitted(points, k=2, **params):
    return HorosphericalPCA(k, chart="hyperboloid").fit(points, **params)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_projections_keep_busemann_functions_and_never_stretch(k):
    points, ideals = cloud(), directions(k, 4)
    found = project(rays(points), ideals)
    for j in range(k):
        kept = busemann_of_rays(rays(found), np.eye(k)[j])
        np.testing.assert_allclose(kept, busemann_of_rays(rays(points), ideals[j]), atol=1e-9)
    before, after = (lorentz.pairwise_distances(table) for table in (points, found))
    assert (after <= before + 1e-9).all()
    # Points of the subspace on the side of the origin stay.
    again = lorentz.from_spatial(found[:, 1:] @ ideals)
    np.testing.assert_allclose(project(rays(again), ideals), found, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_slopes_are_those_of_differences(k):
    points, ideals = cloud(), directions(k, 4, seed=1)
    weights = np.random.default_rng(0).uniform(size=len(points))
    rest, last = ideals[:-1], ideals[-1]

    def variance(p):
        return variance_and_gradient(rays(points), weights, np.vstack([rest, p]))[0]

    slope = variance_and_gradient(rays(points), weights, ideals)[1]
    across = np.eye(4) - np.outer(last, last)  # heights are exact for unit vectors alone
    turned = [
        (variance(np.cos(1e-6) * last + np.sin(1e-6) * way) - variance(last)) / 1e-6
        for way in null_rows(ideals)
    ]
    np.testing.assert_allclose(null_rows(ideals) @ across @ slope, turned, rtol=1e-3, atol=1e-4)


def null_rows(ideals):
    return np.linalg.svd(ideals)[2][len(ideals) :]


def test_variances_are_those_of_the_projection_and_no_direction_is_better():
    points = cloud()
    model = fitted(points)
    for k in (1, 2):
        mean = geometry.frechet_mean(found := project_by(model, points, k), chart="hyperboloid")
        variance = np.square(lorentz.distance(found, mean)).mean()
        assert model.explained_variance_[:k].sum() == pytest.approx(variance)
    total = np.square(lorentz.distance(points, model.mean_)).mean()
    np.testing.assert_allclose(
        model.explained_variance_ratio_, model.explained_variance_ / total, rtol=1e-9
    )
    assert (model.explained_variance_ratio_ > 0).all()
    assert model.explained_variance_ratio_.sum() < 1
    polar = model._seen_from_mean(points)
    for seed in range(200):
        p = directions(1, 4, seed)
        least = np.var(busemann_of_rays(polar, p[0]))
        assert least <= model.explained_variance_[0] + 1e-9


def project_by(model, points, k):
    return project(model._seen_from_mean(points), model.components_[:k])


def test_points_of_a_line_keep_their_distances():
    ends = lorentz.from_spatial([[1.0, 2.0, 0.5], [-2.0, 1.0, 1.0]])
    points = lorentz.geodesic(*ends, np.random.default_rng(0).uniform(size=30))
    model = fitted(points, 1)
    assert model.explained_variance_ratio_[0] == pytest.approx(1.0)
    found = lorentz.pairwise_distances(model.transform(points))
    np.testing.assert_allclose(found, lorentz.pairwise_distances(points), atol=1e-6)
    np.testing.assert_allclose(model.inverse_transform(model.transform(points)), points, rtol=1e-5)


def test_distances_shrink_less_than_in_the_tangent_space():
    X = convert(geometry.random_uniform(200, 6, 4.0, random_state=0), "poincare", "hyperboloid")
    before = lorentz.pairwise_distances(X).mean()
    ours = lorentz.pairwise_distances(fitted(X).transform(X)).mean()
    theirs = PrincipalGeodesicAnalysis(2, chart="hyperboloid").fit_transform(X)
    flat = lorentz.pairwise_distances(convert(theirs, "tangent", "hyperboloid")).mean()
    assert before > ours > flat


def test_the_flat_limit_is_pca():
    X = np.random.default_rng(0).normal(size=(80, 4)) * [3.0, 2.0, 1.0, 0.5]
    theirs = PCA(2).fit(X)
    ours = HorosphericalPCA(2, chart="tangent", curvature=1e-10).fit(X)
    np.testing.assert_allclose(
        ours.explained_variance_ratio_, theirs.explained_variance_ratio_, rtol=1e-4
    )
    overlap = np.abs(np.sum(ours.components_ * theirs.components_, axis=1))
    np.testing.assert_allclose(overlap, 1.0, atol=1e-6)


def test_isometries_and_the_order_of_rows_turn_the_output_alone():
    points = cloud()
    model = fitted(points)
    there = moved(points, 1, 2.0)
    order = np.random.default_rng(0).permutation(len(points))
    again = fitted(there[order])
    np.testing.assert_allclose(again.explained_variance_, model.explained_variance_, rtol=1e-5)
    expected = lorentz.pairwise_distances(model.transform(points))
    found = lorentz.pairwise_distances(again.transform(there))
    np.testing.assert_allclose(found, expected, atol=1e-3)


def test_weights_are_repetitions():
    points = cloud()
    counts = np.random.default_rng(1).integers(0, 4, size=len(points))
    weighted = fitted(points, sample_weight=counts)
    repeated = fitted(points.repeat(counts, axis=0))
    np.testing.assert_allclose(
        weighted.explained_variance_, repeated.explained_variance_, rtol=1e-6
    )


def test_charts_and_curvature_scale_the_output():
    X = convert(cloud(30, 3), "hyperboloid", "tangent")
    first = HorosphericalPCA(2, chart="tangent").fit(X)
    expected = first.transform(X)
    for curvature, chart in zip((0.25, 9.0, 0.25, 9.0), CHARTS, strict=True):
        Z = convert(X / np.sqrt(curvature), "tangent", chart, curvature)
        model = HorosphericalPCA(2, chart=chart, curvature=curvature).fit(Z)
        found = model.transform(Z)
        assert found.shape[1] == len(model.get_feature_names_out())
        there = convert(found, chart, "tangent", curvature)
        np.testing.assert_allclose(there * np.sqrt(curvature), expected, atol=1e-4)
        variances = model.explained_variance_ * curvature
        np.testing.assert_allclose(variances, first.explained_variance_, rtol=1e-6)
        np.testing.assert_allclose(
            model.transform(model.inverse_transform(found)), found, atol=1e-4
        )


def test_far_points_stay_finite():
    points = moved(cloud(), 0, 0.0)
    far = lorentz.from_spatial(points[:, 1:] * 1e10)
    model = fitted(far)
    assert np.isfinite(model.transform(far)).all()
    assert 0.5 < model.explained_variance_ratio_.sum() < 1


def test_messages():
    points = cloud()
    with pytest.raises(InputError, match="n_components = 5, but the points have 4 dimensions"):
        fitted(points, 5)
    with pytest.raises(InputError, match="X has 2 columns, but its points have 3"):
        fitted(points, 2).inverse_transform(points[:, 1:3])
    with pytest.raises(InputError, match="row 1 is more than 350 from the Fréchet mean"):
        HorosphericalPCA(1, chart="tangent").fit([[-340.0], [340.0], [-340.0], [-340.0]])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("radius", [10.0, 16.0, 340.0])
def test_rows_on_the_fold_and_far_rows_give_directions(radius):
    rows = np.random.default_rng(2).normal(size=(40, 3))
    rows *= radius / np.linalg.norm(rows, axis=1, keepdims=True)
    model = HorosphericalPCA(3, chart="tangent").fit(rows)
    np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(3), atol=1e-12)
    assert np.isfinite(model.transform(rows)).all()
