"""Hilbert and Funk geometry of odd input: skew simplices, flat hulls, rows at the boundary."""

import numpy as np
import pytest
from cases import each_of

from noneuclid import HilbertSVC
from noneuclid.errors import InputError
from noneuclid.geometry.polytope import Polytope
from noneuclid.geometry.polytope_hyperplanes import hyperplane_distance
from noneuclid.solvers.hilbert.hard_margin import hard_margin
from noneuclid.solvers.hilbert.soft_margin import soft_margin

METRICS = ("hilbert", "funk", "reverse_funk")


@pytest.mark.parametrize("metric", METRICS)
def test_soft_margin_on_a_skew_simplex_does_not_depend_on_units(metric):
    """Parts in other units are another flat simplex, which hard margins read right already."""
    rng, units = np.random.default_rng(0), np.array([1.0, 5.0, 0.2])
    P = rng.dirichlet(np.ones(3), 12)
    signs = np.where(P[:, 1] > np.median(P[:, 1]), 1.0, -1.0)
    skew = Polytope(np.eye(3), np.zeros(3), [1 / units], [-1.0])
    fit = soft_margin(P * units, signs, *skew.facets, metric, C=1e3)
    assert fit.nu is None
    reached = signs * hyperplane_distance(P * units, fit.w, fit.c, skew, metric)
    assert reached.min() == pytest.approx(fit.radius, abs=1e-3)


def test_distance_where_the_hull_alone_sees_a_coordinate():
    """The third coordinate is bound by E only; without it the distances are the same."""
    square = Polytope(np.vstack([np.eye(2), -np.eye(2)]), np.ones(4))
    flat = Polytope(np.column_stack([square.A, np.zeros(4)]), square.b, [[1.0, 1.0, -3.0]], [0.0])
    X = np.array([[0.1, 0.4], [-0.5, 0.2]])
    lifted = np.column_stack([X, X.sum(axis=1) / 3])
    for metric in METRICS:
        plain = hyperplane_distance(X, [1.0, 0.5], 0.1, square, metric)
        found = hyperplane_distance(lifted, [1.0, 0.5, 0.0], 0.1, flat, metric)
        np.testing.assert_allclose(found, plain, atol=1e-8)


def test_reverse_funk_does_not_end_in_a_singular_matrix():
    """A chord of one-sided weights sends nu off to 1e13, where no band of a part is seen."""
    X = np.array([0.02846859, 0.42300146, 0.06271642, 0.38144051, 0.85630101, 0.09792605])
    signs, simplex = np.array([1.0, -1.0, 1.0, -1.0, -1.0, 1.0]), Polytope.simplex(2)
    fit = soft_margin(np.c_[X, 1 - X], signs, *simplex.facets, "reverse_funk", C=0.0029138720785)
    assert fit.status == "optimal"


@each_of("metric", METRICS)
@each_of("least", [1e-6, 1e-8, 1e-12, 1e-14])
def test_hard_margin_near_the_boundary_claims_no_more_than_is_true(metric, least):
    X = np.array([[least, 0.5, 0.5], [0.2, 0.3, 0.5], [0.5, 0.3, 0.2], [0.4, least, 0.6]])
    signs, triangle = np.array([1.0, -1.0, -1.0, -1.0]), Polytope.simplex(3)
    fit = hard_margin(X, signs, *triangle.facets, metric)
    again = hard_margin(X[::-1, ::-1], -signs[::-1], *triangle.facets, metric)
    assert max(fit.radius, again.radius) <= min(fit.upper_bound, again.upper_bound) + 1e-9
    assert (fit.status == "optimal") == (fit.upper_bound - fit.radius <= 1e-6)
    assert bool(fit.warning) == (fit.status == "inaccurate")
    if metric == "hilbert":  # grows without bound; 0.49 was called optimal at 1e-14
        assert fit.upper_bound > -0.2 * np.log(least)


@pytest.mark.parametrize("margin", ["hard", "soft"])
def test_scores_on_the_simplex_do_not_depend_on_how_it_is_named(margin):
    X = np.random.default_rng(1).dirichlet(np.ones(3), 20)
    y = X[:, 0] > 0.4
    named, given = (
        HilbertSVC(polytope, margin=margin).fit(X, y)
        for polytope in ("simplex", Polytope.simplex(3))
    )
    np.testing.assert_allclose(named.decision_function(X), given.decision_function(X))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Polytope.regular_polygon(4, radius=-1.0), "radius is -1.0"),
        (lambda: Polytope.cross_polytope(2, radius=0.0), "radius is 0.0"),
        (lambda: Polytope.regular_polygon(4.5), "m is 4.5; give an integer"),
        (lambda: Polytope.simplex("3"), "parts is 3; give an integer"),
        (lambda: Polytope([[1.0], [-1.0]], [1.0, 1.0], [[1.0]], [0.0]), "is a point"),
    ],
)
def test_constructors_refuse(make, message):
    with pytest.raises(InputError, match=message):
        make()
