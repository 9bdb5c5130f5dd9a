"""Isometries: what they keep, their inverse, far points, random ones."""

import numpy as np
import pytest
from cases import each_of
from sklearn.utils.estimator_checks import check_estimator

from noneuclid import geometry
from noneuclid.errors import InputError
from noneuclid.geometry import (
    ChartTransformer,
    Isometry,
    charts,
    lorentz,
    poincare,
    random_isometry,
)
from noneuclid.geometry.isometries import translate


def points(n=40, d=3, radius=4.0, seed=0):
    rng = np.random.default_rng(seed)
    return charts.convert(radius * rng.standard_normal((n, d)) / 2, "tangent", "hyperboloid")


@each_of("d", [1, 2, 5])
@each_of("curvature", [1.0, 0.3])
@each_of("chart", charts.HYPERBOLIC)
def test_distances_stay_and_the_inverse_returns(d, curvature, chart):
    x = charts.convert(np.random.default_rng(d).normal(size=(40, d)), "tangent", chart, curvature)
    settings = {"chart": chart, "curvature": curvature}
    isometry = random_isometry(d, 2.0, random_state=np.random.default_rng([7, d]), **settings)
    image = isometry.fit_transform(x)
    before = geometry.pairwise_distances(x, **settings)
    after = geometry.pairwise_distances(image, **settings)
    # Klein coordinates have half of the digits.
    np.testing.assert_allclose(after, before, atol=2e-7 if chart == "klein" else 1e-10)
    back = geometry.distance(isometry.inverse_transform(image), x, **settings)
    assert back.max() < (2e-7 if chart == "klein" else 1e-11)


@pytest.mark.parametrize("curvature", [1.0, 4.0])
def test_the_move_is_a_boost_and_then_a_rotation(curvature):
    settings = {"chart": "hyperboloid", "curvature": curvature}
    isometry = random_isometry(3, 1.5, random_state=3, **settings)
    target = charts.convert(isometry.translation, "tangent", "hyperboloid", curvature)
    x = lorentz.from_spatial(points()[:, 1:], curvature)
    expected = (x @ lorentz.boost(target, curvature).T)[:, 1:] @ isometry.rotation.T
    found = isometry.fit_transform(x)
    np.testing.assert_allclose(found[:, 1:], expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(isometry.rotation @ isometry.rotation.T, np.eye(3), atol=1e-14)
    assert np.linalg.det(isometry.rotation) == pytest.approx(1)
    origin = isometry.transform(lorentz.origin(3, curvature)[None])
    moved_by = charts.distance_from_origin(origin, "hyperboloid", curvature)
    assert moved_by == pytest.approx(1.5)


def test_a_translation_is_a_moebius_sum():
    rng = np.random.default_rng(0)
    a, x = rng.uniform(-0.5, 0.5, (2, 9, 3))
    shift = Isometry(charts.convert(a[0], "poincare", "tangent"))
    np.testing.assert_allclose(shift.fit_transform(x), poincare.mobius_add(a[0], x), atol=1e-14)


def test_far_points_keep_their_digits_on_the_way_back():
    # Against the direction of the move, 30 from the origin: e^30 cancels in a product of matrices.
    x = charts.convert([[-30.0, 0.0], [-30.0, 1e-9], [30.0, 0.0]], "tangent", "hyperboloid")
    axis = np.array([1.0, 0.0])
    there = translate(x, axis, 29.0)
    assert charts.distance_from_origin(there, "hyperboloid")[0] == pytest.approx(1.0, abs=1e-12)
    back = translate(there, -axis, 29.0)
    assert lorentz.distance(back[:1], x[:1]) < 1e-12


def test_directions_and_rotations_are_uniform():
    drawn = [random_isometry(2, 1.0, random_state=k) for k in range(400)]
    directions = np.array([isometry.translation for isometry in drawn])
    rotations = np.array([isometry.rotation for isometry in drawn])
    # A mean of 400 uniform unit vectors has standard deviation 0.035 in each coordinate.
    assert np.abs(directions.mean(axis=0)).max() < 0.15
    assert np.abs(rotations.mean(axis=0)).max() < 0.15


@pytest.mark.parametrize(
    ("arguments", "message"),
    [((2, -1.0), "distance = -1.0; give a number"), ((0, 1.0), "n_features = 0; give an integer")],
)
def test_what_is_no_random_isometry(arguments, message):
    with pytest.raises(InputError, match=message):
        random_isometry(*arguments, random_state=0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0],), r"vectors have shape \(1,\), but the points 2 coordinates"),
        ((None, [[1.0, 0.1], [0.0, 1.0]]), r"shape \(2, 2\) is not an orthogonal \(2, 2\) matrix"),
        (([[1.0, 0.0]],), "translation must be one vector"),
        (([np.nan, 0.0],), "a coordinate that is not finite"),
    ],
)
def test_what_is_no_isometry(arguments, message):
    with pytest.raises(InputError, match=message):
        Isometry(*arguments).fit([[0.0, 0.5]])


@pytest.mark.parametrize(
    "model", [Isometry(chart="tangent"), ChartTransformer("tangent", "hyperboloid")], ids=repr
)
def test_scikit_learn_checks(model):
    results = check_estimator(model, on_fail=None, on_skip=None)
    assert {r["check_name"]: r["exception"] for r in results if r["status"] == "failed"} == {}
