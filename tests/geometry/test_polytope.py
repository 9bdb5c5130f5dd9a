import copy
import pickle
import warnings

import numpy as np
import pytest
from cases import each_of

from noneuclid.errors import InputError
from noneuclid.geometry.polytope import Polytope

TRIANGLE = ([[1, 0], [0, 1], [-1, -1]], [0, 0, 1])
FAULTS = [
    ([[1, 0], [0, 1]], [0, 0], {}, r"unbounded in direction \[0.707107, 0.707107\]"),
    ([[1, 0], [-1, 0]], [0, 1], {}, r"unbounded in direction \[0.0, 1.0\]"),
    (
        [[1, 0], [0, 1], [-1, -1], [1, -1]],
        [0, 0, 0, 9],
        {},
        "flat: facet [012] is zero all over it",
    ),
    ([[1, 0], [-1, 0], [0, 1], [0, -1]], [0, 1, 5, -5], {}, "flat: facet [23] is zero"),
    ([[1, 0], [0, 1], [-1, -1]], [0, 0, -1], {}, "empty: no x has A x"),
    (np.eye(3), np.zeros(3), {"E": np.ones((1, 3)), "f": [1]}, "empty"),
    (np.eye(3), np.zeros(3), {"E": [[1, -1, 0]], "f": [0]}, "unbounded"),
    ([[1, 0], [0, np.nan]], [0, 0], {}, r"A\[1, 1\] is nan; give a number"),
    ([[1, 0], [0, 1]], [0, 0, 1], {}, r"A has shape \(2, 2\), b \(3,\)"),
    (*TRIANGLE, {"E": [[1, 1, 1]], "f": [0]}, r"E has shape \(1, 3\)"),
]


@each_of(("A", "b", "hull", "message"), FAULTS)
def test_what_is_no_polytope_is_refused_in_one_line(A, b, hull, message):
    with pytest.raises(InputError, match=message) as caught:
        Polytope(A, b, **hull)
    assert "\n" not in str(caught.value)


def test_thin_and_far_polytopes_are_still_polytopes():
    box = Polytope.box([1e6, 0], [1e6 + 1e-3, 1e3])
    assert Polytope(*box.facets) == box
    assert box.inradius == pytest.approx(5e-4, rel=1e-4)


def test_redundant_facets_go_and_are_reported():
    A = [*TRIANGLE[0], [0, 0], [-1, -1], [-2, -2], [1, 1]]
    with pytest.warns(UserWarning, match=r"4 facets \[3, 4, 5, 6\] are redundant") as caught:
        polytope = Polytope(A, [*TRIANGLE[1], 1, 5, 2, 0])
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert polytope.redundant == (3, 4, 5, 6)
    assert polytope == Polytope(*TRIANGLE)


@pytest.mark.parametrize("d", [2, 3, 4])
def test_redundant_facets_are_those_without_a_face(d):
    rng = np.random.default_rng(d)
    A, b = rng.standard_normal((30, d)), rng.uniform(0.5, 1.5, 30)
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        polytope = Polytope(A, b)
    tight = np.abs(polytope.vertices @ A.T + b) < 1e-9
    assert set(polytope.redundant) == set(np.flatnonzero(tight.sum(axis=0) < d))
    assert 0 < len(polytope.redundant) < 30


def test_a_facet_that_only_touches_is_redundant():
    with pytest.warns(UserWarning, match=r"1 facets \[0\]"):
        square = Polytope([[-1, -1], [-1, 0], [0, -1], [1, 0], [0, 1]], [2, 1, 1, 1, 1])
    assert square.m == 4


SHAPES = [
    (Polytope.simplex(4), 4, 3, 4, 1 / np.sqrt(12)),
    (Polytope.box([0, 0, 0], [1, 2, 3]), 6, 3, 8, 0.5),
    (Polytope.cross_polytope(3), 8, 3, 6, 1 / np.sqrt(3)),
    (Polytope.regular_polygon(7), 7, 2, 7, 1.0),
    (Polytope.regular_polygon(6, circumscribed=False, radius=2), 6, 2, 6, np.sqrt(3)),
    (Polytope.random(15, 2, random_state=1), 15, 2, 15, 1.0),
    (Polytope.box([-1], [3]), 2, 1, 2, 2.0),
]


@each_of(("polytope", "m", "dimension", "n_vertices", "inradius"), SHAPES)
def test_shapes(polytope, m, dimension, n_vertices, inradius):
    assert (polytope.m, polytope.dimension) == (m, dimension)
    assert polytope.vertices.shape == (n_vertices, polytope.A.shape[1])
    assert polytope.inradius == pytest.approx(inradius)
    values = polytope.facet_values(polytope.vertices)
    # every vertex on at least as many facets as dimensions, and outside of none
    assert np.all((np.abs(values) < 1e-9).sum(axis=1) >= dimension)
    assert values.min() > -1e-9
    again = Polytope(*polytope.facets)
    assert again == polytope
    assert again.redundant == ()
    rebuilt = Polytope.from_vertices(polytope.vertices) if len(polytope.E) == 0 else polytope
    assert rebuilt.m == m


def test_the_disk_is_inside_or_around():
    disk = np.exp(1j * np.linspace(0, 2 * np.pi, 1000)).view(float).reshape(-1, 2)
    Polytope.regular_polygon(5).check_inside(disk * (1 - 1e-9))
    inscribed = Polytope.regular_polygon(5, circumscribed=False)
    np.testing.assert_allclose(np.linalg.norm(inscribed.vertices, axis=1), 1)


def test_rows_are_scaled_by_powers_of_two_only():
    polytope = Polytope([[3.0, 0], [0, 0.3], [-0.1, -0.7]], [1, 1, 1])
    factors = polytope.A[[0, 1, 2], [0, 1, 1]] / [3.0, 0.3, -0.7]
    np.testing.assert_array_equal(factors, [0.5, 4, 2])
    np.testing.assert_array_equal(polytope.b, factors)
    assert np.all(polytope.A @ polytope.A.T >= -4)
    simplex = Polytope.simplex(3)
    np.testing.assert_array_equal(simplex.A, np.eye(3))
    assert simplex.is_simplex
    assert not Polytope.box([0, 0], [1, 1]).is_simplex
    assert Polytope(np.eye(3), np.zeros(3), np.ones((1, 3)), [-1]).is_simplex
    assert not Polytope(np.eye(3), np.zeros(3), np.ones((1, 3)), [-2]).is_simplex


def test_value_semantics():
    polytope = Polytope.random(9, 3, random_state=0)
    polytope.chebyshev_centre()
    for twin in (copy.deepcopy(polytope), pickle.loads(pickle.dumps(polytope))):
        assert twin == polytope
    assert polytope != Polytope.random(9, 3, random_state=1)
    assert polytope != "polytope"
    assert repr(polytope) == "Polytope of dimension 3 with 9 facets"
    with pytest.raises(AttributeError):
        polytope.A = None
    with pytest.raises(ValueError, match="read-only"):
        polytope.A[0] = 0


BAD_ROWS = [
    (Polytope.box([0], [1]), [[0.5], [1.02]], r"row 1 lies outside facet 1 \(A\[1\].x .* = -0.02"),
    (Polytope.box([0], [1]), [[0.5], [0.0]], r"row 1 lies on facet 0 .* = 0\); drop it, or widen"),
    (Polytope.box([0], [1]), [[0.5], [np.inf]], "row 1, column 0 is inf; drop the row"),
    (Polytope.box([0], [1]), [[0.5, 0.5]], "rows have 2 coordinates, the polytope 1"),
    (Polytope.box([0], [1]), [0.5], r"points have shape \(1,\)"),
    (Polytope.simplex(3), [[0.2, 0.3, 0.5], [0.2, 0.3, 0.6]], "row 1 sums to 1.1, not 1; divide"),
    (Polytope.simplex(3), [[0.5, 0.0, 0.5]], "row 0 has part 1 = 0, not positive; replace zeros"),
    (
        Polytope(np.eye(3), np.zeros(3), [[1, 1, 1]], [-2]),
        [[1, 1, 1]],
        r"row 0 lies off the affine hull \(E\[0\].x \+ f\[0\] = 1\); project",
    ),
]  # fmt: skip


@each_of(("polytope", "rows", "message"), BAD_ROWS)
def test_rows_outside_are_named(polytope, rows, message):
    with pytest.raises(InputError, match=message) as caught:
        polytope.check_inside(rows)
    assert "\n" not in str(caught.value)


def test_what_may_be_rounding_counts_as_the_boundary():
    polygon = Polytope.regular_polygon(7)
    corner = polygon.vertices
    edges = (corner[:, None] + corner[None]) / 2
    on_facets = edges[np.abs(polygon.facet_values(edges)).min(axis=-1) < 1e-12]
    assert (polygon.facet_values(on_facets) > 0).all(axis=1).any()
    for row in on_facets:
        with pytest.raises(InputError, match="facet"):
            polygon.check_inside(row[None])
    polygon.check_inside(on_facets[(on_facets**2).sum(axis=1) < 1.05] * (1 - 1e-14))
    # no rounding where facets have one coordinate: anything above zero is inside
    Polytope.simplex(2).check_inside([[1.0, 5e-324]])
    Polytope.box([1.0], [2.0]).check_inside([[np.nextafter(2.0, 1.0)]])


def test_around_data():
    X = np.random.default_rng(0).standard_normal((50, 3)) * [1, 100, 1e-3]
    X[:, 2] = 7
    box = Polytope.around(X, margin=0.25)
    wider = 0.25 * np.array([*np.ptp(X[:, :2], axis=0), 1.0])
    np.testing.assert_allclose(box.b, [*(wider - X.min(axis=0)), *(wider + X.max(axis=0))])
    hull = Polytope.around(X[:, :2], margin=0.05, shape="hull")
    hull.check_inside(X[:, :2])
    middle = (X.min(axis=0) + X.max(axis=0))[:2] / 2
    grown = middle + 1.1001 * (X[:, :2] - middle)
    assert (hull.facet_values(grown).min(axis=1) < 0).sum() == len(hull.vertices)
    for settings, message in (({"margin": 0}, "margin is 0"), ({"shape": "ball"}, "'ball'")):
        with pytest.raises(InputError, match=message):
            Polytope.around(X, **settings)


def test_constructors_refuse_nonsense():
    for make, message in (
        (lambda: Polytope.simplex(1), "parts is 1"),
        (lambda: Polytope.regular_polygon(2), "m is 2"),
        (lambda: Polytope.random(3, 3, 0), "m is 3; give an integer from 4"),
        (lambda: Polytope.cross_polytope(30), "d is 30"),
        (lambda: Polytope.box([0, 2], [1, 2]), "coordinate 1 runs from 2.0 to 2.0"),
        (lambda: Polytope.box([0, 2], [1]), "give two vectors"),
        (lambda: Polytope.from_vertices([[0, 0], [1, 1], [2, 2]]), "flat: 3 points span 1 of 2"),
    ):
        with pytest.raises(InputError, match=message):
            make()


def test_centre_is_as_far_from_all_facets_as_can_be():
    polytope = Polytope.random(12, 3, random_state=3)
    centre, radius = polytope.chebyshev_centre(), polytope.inradius
    lengths = np.linalg.norm(polytope.A, axis=1)
    depth = (polytope.facet_values(centre) / lengths).min()
    assert depth == pytest.approx(radius)
    rng = np.random.default_rng(0)
    others = rng.dirichlet(np.ones(len(polytope.vertices)), 2000) @ polytope.vertices
    assert (polytope.facet_values(others) / lengths).min(axis=1).max() < radius
