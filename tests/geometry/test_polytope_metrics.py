"""Hilbert and Funk metrics against slow, obvious, exact or hyperbolic ones."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from cases import each_of

from noneuclid import geometry
from noneuclid.errors import InputError
from noneuclid.geometry import charts, lorentz, polytope_hyperplanes
from noneuclid.geometry.polytope import Polytope
from noneuclid.geometry.polytope_balls import ball_polygon
from noneuclid.geometry.polytope_hyperplanes import hyperplane_distance
from noneuclid.geometry.polytope_metrics import (
    METRICS,
    chord_distance,
    geodesic,
    pairwise_polytope_distances,
    polytope_distance,
)

TRIANGLE = Polytope([[1, 0], [0, 1], [-1, -1]], [0, 0, 1])
PLANES = [
    TRIANGLE,
    Polytope.simplex(3),
    Polytope.regular_polygon(7),
    Polytope.box([0, 0], [1, 2]),
    Polytope.from_vertices([[0, 0], [3, 1], [2, 2], [0, 1]]),
]


def inner(polytope, n, seed, edge=0.5):
    corners = polytope.vertices
    weights = np.random.default_rng(seed).dirichlet(np.full(len(corners), edge), n) + 1e-6
    return weights / weights.sum(axis=1, keepdims=True) @ corners


def test_birkhoff_by_loops_over_pairs_of_facets():
    polytope = Polytope.random(9, 3, random_state=0)
    x, y = inner(polytope, 2, seed=1)
    a, b = (polytope.A @ p + polytope.b for p in (x, y))
    funk = max(math.log(a[i] / b[i]) for i in range(9))
    reverse = max(math.log(b[i] / a[i]) for i in range(9))
    hilbert = max(
        math.log(a[j] / b[j] * b[k] / a[k]) for j, k in itertools.product(range(9), repeat=2)
    )
    for metric, expected in zip(METRICS, (hilbert / 2, funk, reverse), strict=True):
        assert polytope_distance(x, y, polytope, metric) == pytest.approx(expected, rel=1e-12)


def test_direction_of_the_funk_distance():
    # towards the boundary beyond y: ln(|x - y'| / |y - y'|), with x, y, y' = 0.5, 0.8, 1
    interval = Polytope.box([0], [1])
    assert polytope_distance([0.5], [0.8], interval, "funk") == pytest.approx(math.log(0.5 / 0.2))
    assert polytope_distance([0.5], [0.8], interval, "reverse_funk") == pytest.approx(
        math.log(0.8 / 0.5)
    )


def test_polygons_around_the_disk_tend_to_the_klein_disk():
    X = np.random.default_rng(0).uniform(-0.6, 0.6, (20, 2))
    exact = geometry.pairwise_distances(X, chart="klein")
    errors = []
    for m in (16, 64, 256, 1024):
        around = pairwise_polytope_distances(X, None, Polytope.regular_polygon(m))
        within = pairwise_polytope_distances(
            X, None, Polytope.regular_polygon(m, circumscribed=False)
        )
        # a larger body has smaller distances
        assert np.all(around <= exact + 1e-12)
        assert np.all(within >= exact - 1e-12)
        errors.append(np.abs(around - exact).max())
    orders = np.log(np.array(errors[:-1]) / errors[1:]) / np.log(4)
    assert np.all(orders > 1.5)
    assert errors[-1] < 1e-4
    np.testing.assert_allclose(
        hyperplane_distance(X[:6], [1.0, -0.5], 0.1, Polytope.regular_polygon(512)),
        lorentz.hyperplane_distance(
            charts.convert(X[:6], "klein", "hyperboloid"), np.array([-0.1, 1.0, -0.5])
        ),
        atol=1e-4,
    )
    t = geodesic(X[0], X[1], 0.3, Polytope.regular_polygon(1024))
    np.testing.assert_allclose(t, geometry.geodesic(X[0], X[1], 0.3, chart="klein"), atol=1e-4)


@each_of("polytope", PLANES, ids=range(len(PLANES)))
@each_of("metric", METRICS)
def test_distance_to_a_line_is_that_of_its_nearest_point(polytope, metric):
    X = inner(polytope, 15, seed=2)
    for ends in inner(polytope, 8, seed=3).reshape(4, 2, -1):
        step = ends[1] - ends[0]
        if polytope.is_simplex:
            w, c = np.cross(*ends), 0.0
        else:
            w = np.array([step[1], -step[0]])
            c = -w @ ends[0]
        slopes, values = polytope.A @ step, polytope.facet_values(ends[0])
        first, last = (-values / slopes)[slopes > 0].max(), (-values / slopes)[slopes < 0].min()
        t = first + (last - first) * (1 - np.cos(np.linspace(0, np.pi, 8000)[1:-1])) / 2
        line = ends[0] + t[:, None] * step
        nearest = pairwise_polytope_distances(X, line, polytope, metric).min(axis=1)
        found = hyperplane_distance(X, w, c, polytope, metric)
        np.testing.assert_array_equal(np.sign(found), np.sign(X @ w + c))
        assert np.all(np.abs(found) <= nearest + 1e-9)
        np.testing.assert_allclose(np.abs(found), nearest, atol=1e-3)


@each_of("metric", ["hilbert", "reverse_funk"])
@each_of("share", [0.0, 0.5, 0.999])
def test_distance_to_a_chord_is_the_linear_program(metric, share):
    """The share is that of the way from the centre to a corner; some points are near the border."""
    polygon = Polytope.regular_polygon(7)
    rng = np.random.default_rng(5)
    X = 0.999 * rng.dirichlet(np.full(7, 0.1), 20) @ polygon.vertices
    w = rng.normal(size=2)
    c = -share * (polygon.vertices @ w).max()
    found, g = hyperplane_distance(X, w, c, polygon, metric), X @ w + c
    values = polygon.facet_values(X)
    expected = polytope_hyperplanes._programs(values, g, w, polygon, metric)
    np.testing.assert_allclose(found, np.sign(g) * expected, rtol=1e-8, atol=1e-10)


@each_of("metric", METRICS)
@each_of("parts", [2, 3, 6])
def test_closed_form_on_the_simplex_is_the_linear_program(metric, parts, monkeypatch):
    rng = np.random.default_rng(parts)
    simplex = Polytope.simplex(parts)
    X = rng.dirichlet(np.full(parts, 0.4), 20) + 1e-9
    X /= X.sum(axis=1, keepdims=True)
    w = rng.standard_normal(parts)
    c = -float(w @ X[0]) + 0.01
    closed = hyperplane_distance(X, w, c, simplex, metric)
    # another simplex, the same up to an affine map; and the general way
    mapped = Polytope(simplex.A[:, :-1] - simplex.A[:, -1:], simplex.A[:, -1])
    other = hyperplane_distance(X[:, :-1], w[:-1] - w[-1], c + w[-1], mapped, metric)
    np.testing.assert_allclose(other, closed, rtol=1e-9)
    monkeypatch.setattr(Polytope, "dimension", -9)
    np.testing.assert_allclose(hyperplane_distance(X, w, c, simplex, metric), closed, rtol=1e-8)


def test_the_representative_that_counts_is_the_one_that_equals_g():
    rng = np.random.default_rng(0)
    X, w, c = rng.dirichlet(np.ones(4), 9), rng.standard_normal(4), 0.1
    nu = w + c
    exact = 0.5 * np.log(X @ np.maximum(nu, 0) / (X @ np.maximum(-nu, 0)))
    simplex = Polytope.simplex(4)
    np.testing.assert_allclose(hyperplane_distance(X, w, c, simplex), exact, rtol=1e-12)
    # the same function on the simplex, written otherwise
    np.testing.assert_allclose(hyperplane_distance(X, w + 7, c - 7, simplex), exact, rtol=1e-12)
    # another function
    assert np.abs(hyperplane_distance(X, w + 0.1, c, simplex) - exact).min() > 1e-3


def test_hyperplanes_that_miss_the_inside_are_infinitely_far():
    for polytope in (Polytope.simplex(3), Polytope.box([0, 0, 0], [1, 1, 1])):
        X = np.full((2, 3), 1 / 3)
        for metric, (offset, sign) in itertools.product(METRICS, ((5.0, 1), (-5.0, -1))):
            far = hyperplane_distance(X, [1.0, 2.0, 1.0], offset, polytope, metric)
            np.testing.assert_array_equal(far, sign * np.inf)
    with pytest.raises(InputError, match="zero on the whole polytope"):
        hyperplane_distance(X, np.ones(3), -1.0, Polytope.simplex(3))
    with pytest.raises(InputError, match=r"w has shape \(2,\), c is 0"):
        hyperplane_distance(X, [1.0, 2.0], 0, Polytope.simplex(3))


@each_of("polytope", PLANES, ids=range(len(PLANES)))
@each_of("metric", METRICS)
def test_ball_polygons(polytope, metric):
    p = inner(polytope, 1, seed=5)[0]
    for radius in (1e-3, 0.5, 2.0):
        corners = ball_polygon(p, radius, polytope, metric)
        # reverse Funk balls may be cut off by the boundary
        values = polytope.facet_values(corners)
        assert values.min() > -1e-9
        free = corners[values.min(axis=1) > 1e-9]
        assert metric == "reverse_funk" or len(free) == len(corners)
        np.testing.assert_allclose(polytope_distance(p, free, polytope, metric), radius, rtol=1e-7)
        # in order: every corner is a turn to the same side
        edges = np.diff(np.vstack([corners, corners[:2]]), axis=0)[:, :2]
        turns = [np.linalg.det(pair) for pair in itertools.pairwise(edges)]
        assert abs(np.sign(turns).sum()) == len(turns)
    if metric == "hilbert":
        assert len(corners) <= polytope.m * (polytope.m - 1)
    with pytest.raises(InputError, match="dimension 2, not 3"):
        ball_polygon([0.5] * 3, 1.0, Polytope.box([0] * 3, [1] * 3))


def exact_hilbert(polytope, x, y):
    """The Hilbert distance of rows of numbers as they are, but for the last logarithm."""
    values = [
        [sum(Fraction(a) * Fraction(v) for a, v in zip(row, p, strict=True)) + Fraction(b)
         for row, b in zip(polytope.A.tolist(), polytope.b.tolist(), strict=True)]
        for p in (x.tolist(), y.tolist())
    ]  # fmt: skip
    ratios = [a / b for a, b in zip(*values, strict=True)]
    spread = max(ratios) / min(ratios)
    if spread < 1e9:
        return math.log1p(float(spread - 1)) / 2
    return (math.log(spread.numerator) - math.log(spread.denominator)) / 2


def test_digits_near_the_boundary():
    """What the texts of the modules say of precision, against rational numbers."""
    heptagon = Polytope.regular_polygon(7)
    far = np.array([-0.2, 0.3])
    for k in range(2, 14):
        x = heptagon.vertices[0] * (1 - 10.0**-k)
        error = abs(polytope_distance(x, far, heptagon) - exact_hilbert(heptagon, x, far))
        assert error < 5 * 10.0 ** (k - 16)
    simplex, box = Polytope.simplex(3), Polytope.box([0, 0, 0], [1, 1, 1])
    for k in (5, 16, 100, 300):
        near = 10.0**-k
        x, y = np.array([near, 0.5, 0.5 - near]), np.array([0.25, near, 0.75 - near])
        for polytope in (simplex, box):
            expected = exact_hilbert(polytope, x, y)
            assert polytope_distance(x, y, polytope) == pytest.approx(expected, rel=2e-15, abs=0)


@each_of("x", [0.5, [0.2, 0.8], [0.1, 0.1, 0.1], [0.0, 0.5, 0.5], [np.nan, 0.5, 0.5]])
def test_what_are_no_points_of_the_polytope(x):
    simplex, y = Polytope.simplex(3), np.full(3, 1 / 3)
    with pytest.raises(InputError, match=r"coordinates|sums to|positive|nan"):
        polytope_distance(x, y, simplex)
    with pytest.raises(InputError, match=r"coordinates|sums to|positive|nan|tables"):
        pairwise_polytope_distances([y], np.array(x)[None], simplex)
    with pytest.raises(InputError, match=r"tables of points, got shape \(3,\)"):
        pairwise_polytope_distances(y, None, simplex)


def test_near_points_keep_their_relative_accuracy():
    for polytope in (Polytope.simplex(4), Polytope.random(9, 3, random_state=0)):
        x = inner(polytope, 1, seed=7, edge=5)[0]
        for k in (3, 8, 12, 15):
            step = 10.0**-k * np.linspace(-1, 1, len(x))
            y = x + step
            expected = exact_hilbert(polytope, x, y)
            assert polytope_distance(x, y, polytope) == pytest.approx(expected, rel=1e-13, abs=0)


def test_points_outside_and_unknown_metrics_are_refused():
    box = Polytope.box([0], [1])
    for function in (polytope_distance, chord_distance):
        with pytest.raises(InputError, match="row 1 lies outside facet 1"):
            function([[0.5], [1.5]], [0.5], box)
        with pytest.raises(InputError, match="unknown metric 'euclidean'; choose one of hilbert"):
            function([0.5], [0.5], box, "euclidean")
    with pytest.raises(InputError, match="row 0 lies on facet 0"):
        pairwise_polytope_distances([[0.5]], [[0.0]], box)


def test_blocks_of_programs_do_not_depend_on_their_size(monkeypatch):
    polytope = Polytope.random(12, 4, random_state=0)
    X, w = inner(polytope, 40, seed=1), np.array([1.0, -2.0, 0.5, 0.1])
    expected = hyperplane_distance(X, w, 0.1, polytope)
    monkeypatch.setattr(polytope_hyperplanes, "_TOGETHER", 1)
    np.testing.assert_allclose(hyperplane_distance(X, w, 0.1, polytope), expected, rtol=1e-8)
