"""Disks whose points lie near the rim: distances from the centre are drawn shorter."""

import numpy as np
import pytest

from noneuclid.geometry import charts, poincare
from noneuclid.plots import disk_regions


class Ring:
    """Class 1 beyond a distance from the origin."""

    def predict(self, X):
        return (poincare.distance(np.zeros(2), X) > 8).astype(int)


def far(n=200):
    """Points at distances of 5 to 11."""
    rng = np.random.default_rng(0)
    tangent = rng.normal(size=(n, 2))
    tangent *= rng.uniform(5, 11, size=(n, 1)) / np.linalg.norm(tangent, axis=1, keepdims=True)
    return charts.convert(tangent, "tangent", "poincare")


def test_points_near_the_rim_are_drawn_inside_at_the_same_angle():
    points = far()
    scale = disk_regions.readable_scale(points)
    drawn = disk_regions.rescaled(points, scale)
    assert np.quantile(np.hypot(*drawn.T), 0.9) == pytest.approx(0.9, abs=1e-4)
    origin = np.zeros(2)
    true, shown = poincare.distance(origin, points), poincare.distance(origin, drawn)
    np.testing.assert_allclose(shown, scale * true, rtol=1e-9)
    np.testing.assert_allclose(np.arctan2(*drawn.T), np.arctan2(*points.T), atol=1e-12)
    assert disk_regions.readable_scale(0.98 * points / np.hypot(*points.T)[:, None]) == 1
    assert disk_regions.readable_scale(np.array([[1.0, 0.0], [0.0, 0.9999]])) == 1


def test_regions_have_the_scale_of_the_points():
    scale = disk_regions.readable_scale(far())
    raster = disk_regions.regions(Ring(), (0, 1), "poincare", size=101, scale=scale)
    centres, inside = disk_regions.grid(101)
    distances = poincare.distance(np.zeros(2), centres[inside])
    np.testing.assert_array_equal(raster.ravel()[inside], distances > 8 * scale)
    assert 0.2 < raster.ravel()[inside].mean() < 0.8
