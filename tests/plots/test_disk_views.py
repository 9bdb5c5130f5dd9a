"""Disks whose points lie near the rim: shorter distances from the centre, crowded angles wider."""

import numpy as np
import pytest
from cases import each_of

from noneuclid.geometry import charts, poincare
from noneuclid.plots import disk_regions, disk_views


class Ring:
    """Class 1 beyond a distance from the origin."""

    def predict(self, X):
        return (poincare.distance(np.zeros(2), X) > 8).astype(int)


class Sector:
    """Class 1 between two angles."""

    def predict(self, X):
        return (np.abs(np.arctan2(X[:, 1], X[:, 0]) - 1) < 0.02).astype(int)


def far(n=200, crowded=False):
    """Points at distances of 5 to 11, half of them within 0.01 of the angle 1 if crowded."""
    rng = np.random.default_rng(0)
    angles = rng.uniform(-np.pi, np.pi, n)
    if crowded:
        angles[::2] = 1 + rng.uniform(-0.01, 0.01, len(angles[::2]))
    lengths = rng.uniform(5, 11, n)
    tangent = lengths[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
    return charts.convert(tangent, "tangent", "poincare")


def test_points_near_the_rim_are_drawn_inside():
    points = far()
    view = disk_views.of(points)
    drawn = view.draw(points)
    assert np.quantile(np.hypot(*drawn.T), 0.9) == pytest.approx(0.9, abs=1e-4)
    origin = np.zeros(2)
    true, shown = poincare.distance(origin, points), poincare.distance(origin, drawn)
    np.testing.assert_allclose(shown, view.scale * true, rtol=1e-9)


@pytest.mark.parametrize("crowded", [False, True])
def test_angles_keep_their_order_and_can_be_undone(crowded):
    points = far(crowded=crowded)
    view = disk_views.of(points)
    drawn = view.draw(points)
    before, after = (np.arctan2(p[:, 1], p[:, 0]) for p in (points, drawn))
    np.testing.assert_array_equal(np.argsort(before), np.argsort(after))
    np.testing.assert_allclose(view.undo(drawn), points, atol=1e-9)


def test_crowded_directions_are_drawn_wider():
    points = far(crowded=True)
    drawn = disk_views.of(points).draw(points)[::2]
    angles = np.arctan2(drawn[:, 1], drawn[:, 0])
    assert 0.36 < np.ptp(angles) / (2 * np.pi) < 0.42  # three quarters of one half, and its own


def test_other_disks_are_drawn_as_they_are():
    points = far()
    inside = 0.98 * points / np.hypot(*points.T)[:, None]
    assert disk_views.of(inside) == disk_views.View()
    assert disk_views.View().draw(inside) is inside
    assert disk_views.of(np.array([[1.0, 0.0], [0.0, 0.9999]])).scale == 1


def test_many_rows_in_one_direction():
    points = np.array([[0.9999, 0.0]] * 50 + [[-0.9999, 0.0], [0.0, 0.9998]])
    view = disk_views.of(points)
    assert np.isfinite(view.draw(points)).all()
    assert np.hypot(*view.draw(points).T).max() < 1


@pytest.mark.parametrize("model", [Ring(), Sector()])
def test_regions_are_drawn_as_the_points(model):
    points = far(crowded=True)
    view = disk_views.of(points)
    raster = disk_regions.regions(model, (0, 1), "poincare", size=201, view=view)
    column, row = np.floor((view.draw(points).T + 1) / 2 * 201).astype(int)
    agree = raster[row, column] == model.predict(points)
    assert agree.mean() > 0.97  # the others are within a pixel of the boundary
    assert 0.2 < (raster == 1).sum() / (raster >= 0).sum() < 0.8


@each_of(("rows", "dimension"), [(12, 3), (300, 20), (8, 40), (600, 600), (2, 3)])
@each_of("spread", [1.0, 1e-6])
def test_more_dimensions_are_shown_along_the_leading_directions_of_tangent_coordinates(
    rows, dimension, spread
):
    scales = spread / np.arange(1, dimension + 1)
    tangent = 0.3 + scales * np.random.default_rng(0).normal(size=(rows, dimension))
    points = charts.convert(tangent, "tangent", "poincare", 0.5)
    drawn = charts.convert(disk_regions.flatten(points, "poincare", 0.5), "poincare", "tangent")
    axes = np.linalg.svd(tangent - tangent.mean(axis=0))[2][: min(2, rows - 1)]
    expected = np.sqrt(0.5) * tangent @ axes.T
    found = np.abs(drawn[:, : len(axes)])
    np.testing.assert_allclose(found, np.abs(expected), atol=1e-9 / spread)
    assert drawn.shape == (rows, 2)


@pytest.mark.parametrize("dimension", [2, 3, 5])
def test_one_row_and_equal_rows_are_drawn_without_a_warning(dimension):
    for tangent in (np.full((1, dimension), 0.4), np.full((5, dimension), 0.4)):
        drawn = disk_regions.flatten(tangent, "tangent")
        assert drawn.shape == (len(tangent), 2)
        assert (np.hypot(*drawn.T) < 1).all()


def test_a_projection_beyond_the_disk_is_centred_and_similar():
    rng = np.random.default_rng(0)
    tangent = rng.normal(size=(30, 5)) * [9, 5, 1, 0.1, 0.1] + 40
    drawn = charts.convert(disk_regions.flatten(tangent, "tangent"), "poincare", "tangent")
    assert np.hypot(*drawn.T).max() == pytest.approx(4)
    np.testing.assert_allclose(drawn.mean(axis=0), 0, atol=1e-9)
    centred = tangent - tangent.mean(axis=0)
    expected = np.abs(centred @ np.linalg.svd(centred)[2][:2].T)
    ratios = np.abs(drawn) / expected
    np.testing.assert_allclose(ratios, ratios[0, 0], rtol=1e-6)


def test_points_of_the_plane_are_drawn_unchanged():
    points = np.random.default_rng(0).uniform(-0.5, 0.6, (40, 2))
    np.testing.assert_allclose(disk_regions.flatten(points, "poincare"), points, atol=1e-15)
