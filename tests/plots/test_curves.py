"""Curves of the disk: geodesics, curves at a distance from them, grids."""

import numpy as np
import pytest
from cases import each_of

from noneuclid.geometry import charts, lorentz
from noneuclid.plots import curves

NORMALS = [[0.0, 1.0, 2.0], [0.9, -0.3, 1.0], [-5.0, 4.0, 3.2], [3, 0, 3.001]]


@pytest.mark.parametrize("w", NORMALS)
def test_points_of_an_arc_lie_on_the_hyperplane(w):
    line = curves.trace(w, size=101)
    inner = line[1:-1]
    points = charts.convert(inner, "poincare", "hyperboloid")
    assert np.abs(lorentz.product(points, np.array(w)) / points[:, 0]).max() < 1e-9
    assert np.allclose(np.hypot(*line[[0, -1]].T), 1)
    assert (np.hypot(*inner.T) < 1).all()


@pytest.mark.parametrize("w", [[1.0, 0.6, 0.8], [2.0, 1.0, 0.0], [1 - 1e-9, 0.0, 1.0]])
def test_the_light_cone_has_no_arc(w):
    assert curves.trace(w) is None


@each_of("distance", [-1.3, -0.2, 0.4, 2.0])
@each_of("w", NORMALS[:3])
def test_points_beside_an_arc_have_its_signed_distance(w, distance):
    line = curves.trace(w, distance, size=101)
    np.testing.assert_array_equal(line[[0, -1]], curves.trace(w, size=101)[[0, -1]])
    points = charts.convert(line[20:-20], "poincare", "hyperboloid")
    np.testing.assert_allclose(lorentz.hyperplane_distance(points, w), distance, atol=1e-9)


def test_the_other_normal_has_the_other_side():
    w = np.array([0.9, -0.3, 1.0])
    one, other = curves.trace(w, 0.5), curves.trace(-w, -0.5)
    np.testing.assert_allclose(one, other[::-1], atol=1e-12)


def test_an_isometry_carries_arcs_to_arcs():
    w, move = np.array([0.2, 1.0, -0.4]), lorentz.boost(lorentz.from_spatial([0.6, -0.9]))
    for distance in (0.0, 0.7):
        line = charts.convert(curves.trace(w, distance)[20:-20], "poincare", "hyperboloid")
        carried = charts.convert(line @ move.T, "hyperboloid", "poincare")
        radii = []
        for points in (carried, curves.trace(move @ w, distance)):
            # The circle through all points of one curve: |x|^2 = 2 a.x + b.
            system = np.column_stack([2 * points, np.ones(len(points))])
            radii.append(np.linalg.lstsq(system, (points**2).sum(axis=1), rcond=None)[0])
        np.testing.assert_allclose(*radii, rtol=1e-6)


def test_grids_keep_their_distances():
    lines = curves.axis_geodesics(step=0.5, reach=1.0)
    assert len(lines) == 10
    for line, t in zip(lines, 2 * [-1.0, -0.5, 0.0, 0.5, 1.0], strict=True):
        middle = line[200]
        reached = 2 * np.arctanh(np.linalg.norm(0.5 * (line[199] + middle)))
        assert reached == pytest.approx(abs(t), abs=1e-4)
    *circles, diameter = curves.polar_grid(step=0.5, reach=1.0, turns=1)
    for circle, r in zip(circles, (0.5, 1.0), strict=True):
        np.testing.assert_allclose(2 * np.arctanh(np.linalg.norm(circle, axis=1)), r)
    np.testing.assert_allclose(np.linalg.norm(diameter, axis=1), 1)
