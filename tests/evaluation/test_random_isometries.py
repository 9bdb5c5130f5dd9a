import numpy as np
import pytest
from cases import each_of

from noneuclid.errors import InputError
from noneuclid.geometry import charts, lorentz
from noneuclid_compare.evaluation import moved_points


def points(n=40, d=3, radius=4.0, seed=0):
    rng = np.random.default_rng(seed)
    return charts.convert(radius * rng.standard_normal((n, d)) / 2, "tangent", "hyperboloid")


@each_of("d", [1, 2, 5])
@each_of("curvature", [1.0, 0.3])
def test_distances_stay(d, curvature):
    x = lorentz.from_spatial(points(d=d)[:, 1:], curvature)
    isometry = moved_points.random_isometry(d, 3.0, seed=[7, d])
    image = isometry.move(x, "hyperboloid", curvature)
    before = lorentz.pairwise_distances(x, curvature=curvature)
    after = lorentz.pairwise_distances(image, curvature=curvature)
    np.testing.assert_allclose(after, before, atol=1e-11)


@pytest.mark.parametrize("curvature", [1.0, 4.0])
def test_the_move_is_a_boost_and_then_a_rotation(curvature):
    isometry = moved_points.random_isometry(3, 1.5, seed=3)
    length = np.sinh(1.5) / np.sqrt(curvature)
    boost = lorentz.boost(lorentz.from_spatial(length * isometry.direction, curvature), curvature)
    x = lorentz.from_spatial(points()[:, 1:], curvature)
    expected = (x @ boost.T)[:, 1:] @ isometry.rotation.T
    found = isometry.move(x, "hyperboloid", curvature)
    np.testing.assert_allclose(found[:, 1:], expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(isometry.rotation @ isometry.rotation.T, np.eye(3), atol=1e-14)
    assert np.linalg.det(isometry.rotation) == pytest.approx(1)
    # In units of the space the origin moves by 1.5 / sqrt(K).
    origin = isometry.move(lorentz.origin(3, curvature)[None], "hyperboloid", curvature)
    moved_by = charts.distance_from_origin(origin, "hyperboloid", curvature)
    assert moved_by == pytest.approx(1.5 / np.sqrt(curvature))


def test_far_points_keep_their_digits_on_the_way_back():
    # Against the direction of the move, 30 from the origin: e^30 cancels in a product of matrices.
    x = charts.convert([[-30.0, 0.0], [-30.0, 1e-9], [30.0, 0.0]], "tangent", "hyperboloid")
    axis = np.array([1.0, 0.0])
    there = moved_points.translate(x, axis, 29.0)
    assert charts.distance_from_origin(there, "hyperboloid")[0] == pytest.approx(1.0, abs=1e-12)
    back = moved_points.translate(there, -axis, 29.0)
    assert lorentz.distance(back[:1], x[:1]) < 1e-12


def test_directions_and_rotations_are_uniform():
    drawn = [moved_points.random_isometry(2, 1.0, seed=k) for k in range(400)]
    directions = np.array([isometry.direction for isometry in drawn])
    rotations = np.array([isometry.rotation for isometry in drawn])
    # A mean of 400 uniform unit vectors has standard deviation 0.035 in each coordinate.
    assert np.abs(directions.mean(axis=0)).max() < 0.15
    assert np.abs(rotations.mean(axis=0)).max() < 0.15


def test_the_seed_decides():
    first, again, other = (
        moved_points.random_isometry(3, 1.0, seed) for seed in ([1, 2], [1, 2], 1)
    )
    np.testing.assert_array_equal(first.rotation, again.rotation)
    assert not np.allclose(first.direction, other.direction)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [((2, -1.0), "distance = -1.0; give a number"), ((0, 1.0), "dimension = 0; give an integer")],
)
def test_what_is_no_isometry(arguments, message):
    with pytest.raises(InputError, match=message):
        moved_points.random_isometry(*arguments, seed=0)
