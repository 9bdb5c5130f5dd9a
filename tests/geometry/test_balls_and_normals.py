"""Balls of neighbours in the Poincaré chart, and the length of a normal, by their definitions."""

import numpy as np
import pytest
from cases import each_of

from noneuclid.geometry import charts, lorentz, tangent
from noneuclid.geometry.neighbours import ball_of


def centres(d, far):
    """Points up to a distance `far` from the origin."""
    rows = np.random.default_rng(d).normal(size=(40, d))
    lengths = np.linspace(0.0, far, 40)[:, None] / np.linalg.norm(rows, axis=1, keepdims=True)
    return charts.convert(rows * lengths, "tangent", "hyperboloid")


@each_of("d", [1, 2, 7])
@each_of("radius", [1e-3, 0.5, 4.0])
def test_a_ball_has_its_ends_on_the_line_from_the_origin(d, radius):
    middle = centres(d, 5.0)
    found, radii = ball_of(middle, np.full(40, radius))
    distance = lorentz.distance(lorentz.origin(d), middle)
    # The nearest and the farthest point of the ball lie at distance -/+ radius on this line.
    near, far = np.tanh((distance - radius) / 2), np.tanh((distance + radius) / 2)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), np.abs(near + far) / 2, atol=1e-12)
    width = (far - near) / 2
    # Wider by more than the rounding of either.
    np.testing.assert_allclose(radii - width, 1e-12 * width + 1e-14, atol=3e-15)
    way = middle[1:, 1:] / np.linalg.norm(middle[1:, 1:], axis=1, keepdims=True)
    np.testing.assert_allclose(found[1:], (way * (near + far)[1:, None]) / 2, atol=1e-12)


@pytest.mark.parametrize("d", [2, 5])
def test_the_sphere_around_a_point_is_the_rim_of_its_ball(d):
    middle, rng = centres(d, 3.0), np.random.default_rng(0)
    radius = rng.uniform(0.1, 3.0, 40)
    way = rng.normal(size=(40, d))
    way *= (radius / np.linalg.norm(way, axis=1))[:, None]
    sphere = charts.convert(tangent.lift(way, middle), "hyperboloid", "poincare")
    found, radii = ball_of(middle, radius)
    np.testing.assert_allclose(np.linalg.norm(sphere - found, axis=1), radii, rtol=1e-8)


@each_of("scale", [1e-150, 1.0, 1e150])
@each_of(
    ("w", "length"),
    [
        ([0.0, 3.0, 4.0], 5.0),
        ([3.0, 3.0, 4.0], 4.0),  # spacelike: sqrt(25 - 9)
        ([-13.0, 3.0, 4.0], 12.0),  # timelike: sqrt(169 - 25)
        ([5.0, 3.0, 4.0], 5.0),  # null: the time coordinate
        ([-5.0, 3.0, 4.0], 5.0),
        ([5.0 * (1 + 1e-13), 3.0, 4.0], 5.0),  # null up to 1e-12 |w|^2
        ([5.0 * (1 - 1e-11), 3.0, 4.0], 5.0 * np.sqrt(2e-11)),
    ],
)
def test_the_length_of_a_normal(w, length, scale):
    found = lorentz.normal_length(scale * np.array(w))
    np.testing.assert_allclose(found, scale * length, rtol=1e-5)


def test_a_spacelike_normal_gives_the_distance_from_its_hyperplane():
    points, w = centres(3, 2.0), np.array([0.7, -1.0, 2.0, 0.4])
    distances = np.arcsinh(lorentz.product(points, w) / lorentz.normal_length(w))
    np.testing.assert_allclose(distances, lorentz.hyperplane_distance(points, w), atol=1e-12)
    assert lorentz.normal_length(np.zeros(4)) == 1.0
