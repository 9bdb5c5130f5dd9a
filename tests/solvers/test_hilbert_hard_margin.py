"""Hard margins in Hilbert and Funk metrics against the published program and by brute force."""

import numpy as np
import pytest
from cases import each_of
from scipy.optimize import linprog, minimize

from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid.solvers.hilbert import separation
from noneuclid.solvers.hilbert.hard_margin import hard_margin, separate_polytope
from noneuclid.solvers.hilbert.hard_margin_reference import reference_margin
from noneuclid.solvers.hilbert.problem import METRICS, cone_over, distances
from noneuclid.solvers.hilbert.separation import ball_rows, separate
from noneuclid.solvers.linear.hard_margin import hard_margin_svm
from noneuclid_compare.data.generators import simplex_mixture

FULL = np.zeros((0, 2)), np.zeros(0)
CUBE = np.vstack([np.eye(2), -np.eye(2)]), np.ones(4), *FULL


def simplex(m):
    return np.eye(m), np.zeros(m), np.ones((1, m)), -np.ones(1)


def polygon(m):
    angle = 2 * np.pi * np.arange(m) / m
    return -np.c_[np.cos(angle), np.sin(angle)], np.ones(m), *FULL


def separable(kind, seed, n=12):
    """A random polytope, points in it, and their sides of a random hyperplane."""
    rng = np.random.default_rng(seed)
    if kind == "simplex":
        facets, X = simplex(4), rng.dirichlet(np.ones(4), n)
    else:
        d = 3
        A = np.vstack([rng.normal(size=(2, d)), np.eye(d), -np.eye(d)])
        facets = A, np.r_[rng.uniform(0.5, 1.5, 2), np.full(6, 2.0)], np.zeros((0, d)), np.zeros(0)
        X = rng.normal(size=(n, d))
        X *= (rng.uniform(0.2, 0.9, n) / np.max(-X @ facets[0].T / facets[1], axis=1))[:, None]
    score = X @ rng.normal(size=X.shape[1])
    return X, np.where(score > np.median(score), 1.0, -1.0), facets


def margin_by_bisection(X, signs, facets, metric, w, c):
    """Largest radius at which every ball, as half-spaces in the plain coordinates, has its side."""
    A, b, E, f = facets
    a = X @ A.T + b

    def inside(r):
        for p, s in zip(a, signs, strict=True):
            if metric == "hilbert":  # over (y, u): u > 0, a <= A y + b u <= e^2r a
                rows, low, high = np.c_[A, b], p, np.exp(2 * r) * p
                flat, right = (np.c_[E, f], np.zeros(len(f))) if len(f) else (None, None)
            else:
                rows, flat, right = A, (E if len(f) else None), (-f if len(f) else None)
                low = np.exp(-r) * p - b if metric == "funk" else -b
                high = np.full(len(b), np.inf) if metric == "funk" else np.exp(r) * p - b
            keep = np.isfinite(high)
            cost = s * (np.r_[w, c] if metric == "hilbert" else w)
            fit = linprog(
                cost, np.vstack([rows[keep], -rows]), np.r_[high[keep], -low], flat, right,
                (None, None),
            )  # fmt: skip
            if fit.fun + (0.0 if metric == "hilbert" else s * c) < 0:
                return False
        return True

    low, high = 0.0, 2.0
    while high - low > 1e-5:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if inside(middle) else (low, middle)
    return low


@each_of("metric", METRICS)
@each_of(("kind", "seed"), [("simplex", 0), ("simplex", 4), ("any", 1), ("any", 2)])
def test_all_forms_agree(kind, seed, metric):
    X, signs, facets = separable(kind, seed)
    fit = hard_margin(X, signs, *facets, metric)
    assert fit.status == "optimal"
    assert fit.radius > 0.01
    assert -1e-12 <= fit.upper_bound - fit.radius <= 1e-6
    for form in ("paper", "short"):
        slow = reference_margin(X, signs, *facets, metric, form)
        assert slow.radius - 1e-6 <= fit.radius <= slow.upper_bound + 1e-6
    if metric != "funk":
        a = X @ facets[0].T + facets[1]
        general = separate_polytope(a, signs, cone_over(*facets), metric)
        assert general.radius == pytest.approx(fit.radius, abs=1e-6)


@each_of("metric", METRICS)
@each_of("kind", ["simplex", "any"])
def test_the_hyperplane_has_the_margin_it_says(kind, metric):
    X, signs, facets = separable(kind, 4)
    fit = hard_margin(X, signs, *facets, metric)
    reached = margin_by_bisection(X, signs, facets, metric, fit.w, fit.c)
    assert reached == pytest.approx(fit.radius, abs=2e-5)


def chord_distances(metric, X, facets, direction, offset):
    """Distances of points of the plane to the line direction·x = offset, by search along it."""
    normal = np.array([np.cos(direction), np.sin(direction)])
    speed = facets[0] @ [-normal[1], normal[0]]
    start = facets[0] @ (offset * normal) + facets[1]
    with np.errstate(divide="ignore"):
        stops = -start / speed
    low, high = stops[speed > 0].max(), stops[speed < 0].min()
    if not low < high:
        return np.zeros(len(X))
    low, high = np.full(len(X), low), np.full(len(X), high)
    a = np.repeat(X @ facets[0].T + facets[1], 41, axis=0)
    for _ in range(5):  # the distance is quasi-convex along a line
        at = np.linspace(low, high, 41, axis=1)
        values = np.maximum(start + at.reshape(-1, 1) * speed, 0.0)
        found = distances(metric, a, values).reshape(at.shape)
        best = np.clip(found.argmin(axis=1), 1, 39)[:, None]
        low, high = (np.take_along_axis(at, best + step, axis=1)[:, 0] for step in (-1, 1))
    return found.min(axis=1)


@pytest.mark.parametrize("metric", METRICS)
def test_no_line_of_the_plane_has_a_larger_margin(metric):
    rng = np.random.default_rng(5)
    facets = polygon(5)
    X = rng.uniform(-0.6, 0.6, (10, 2))
    score = X @ [0.3, 0.8]
    signs = np.where(score > np.median(score), 1.0, -1.0)
    fit = hard_margin(X, signs, *facets, metric)

    def negative_margin(line):
        side = signs * (X @ [np.cos(line[0]), np.sin(line[0])] - line[1])
        if side.min() <= 0:
            return -side.min()
        return -chord_distances(metric, X, facets, *line).min()

    grid = [(t, o) for t in np.linspace(0, 2 * np.pi, 61) for o in np.linspace(-0.6, 0.6, 41)]
    starts = sorted(grid, key=negative_margin)[:3]
    options = {"xatol": 1e-7, "fatol": 1e-9}
    best = -min(
        minimize(negative_margin, x, method="Nelder-Mead", options=options).fun for x in starts
    )
    assert best == pytest.approx(fit.radius, abs=2e-6)


def test_hilbert_balls_of_the_paper_are_the_short_ones():
    X, _, facets = separable("any", 7, n=4)
    cone, a = cone_over(*facets), X @ facets[0].T + facets[1]
    z = np.random.default_rng(0).normal(size=(4000, 3)) * 0.3
    values = z @ facets[0].T + facets[1]
    z, values = z[(values > 0).all(axis=1)], values[(values > 0).all(axis=1)]
    for metric in METRICS:
        inside = distances(metric, np.tile(a[0], (len(z), 1)), values) <= 0.4
        assert 0 < inside.sum() < len(z)
        B, coefficients, free = ball_rows(metric, a, cone, 0.4)
        if metric == "hilbert":  # any height: the ray meets the box
            ratio = values / a[0]
            member = ratio.max(axis=1) <= np.exp(0.8) * ratio.min(axis=1)
        else:
            rows = np.c_[z, np.ones(len(z))] @ B[~free].T
            member = (rows >= coefficients[0][~free]).all(axis=1)
        np.testing.assert_array_equal(inside, member)


def test_separator_with_negative_sum_is_lost_by_the_published_normalisation():
    X = np.array([[0.5, 0.4], [0.3, 0.6], [-0.4, -0.5], [-0.6, -0.3]])
    signs = np.array([-1.0, -1.0, 1.0, 1.0])
    lost = reference_margin(X, signs, *CUBE, normalization="published")
    assert lost.status == "inseparable"
    assert reference_margin(X, -signs, *CUBE, normalization="published").radius > 0.5
    for fit in (hard_margin(X, signs, *CUBE), reference_margin(X, signs, *CUBE)):
        assert fit.radius > 0.5
        assert (signs * (X @ fit.w + fit.c) > 0).all()


@each_of("metric", METRICS)
@each_of("kind", ["simplex", "any"])
def test_classes_whose_hulls_meet_are_inseparable(kind, metric):
    X, signs, facets = separable(kind, 1, n=40)
    signs[:] = np.random.default_rng(0).permutation(signs)
    fit = hard_margin(X, signs, *facets, metric)
    assert fit.status == "inseparable"
    assert fit.upper_bound <= 1e-6
    cone, a = cone_over(*facets), X @ facets[0].T + facets[1]
    assert separate(*ball_rows(metric, a, cone, 0.0), signs).slack <= 1e-9


def test_a_search_cut_short_says_so():
    X, signs, facets = separable("simplex", 4)
    fit = hard_margin(X, signs, *facets, max_iter=1)
    assert fit.status == "inaccurate"
    gap = fit.upper_bound - max(fit.radius, 0.0)
    assert f"gap {gap:.1e} left after 1 linear programs; raise max_iter" in fit.warning
    assert fit.upper_bound >= hard_margin(X, signs, *facets).radius >= fit.radius


@pytest.mark.parametrize(
    ("X", "signs", "metric", "message"),
    [
        ([[0.0, 0.0], [1.0, 0.5]], [1, -1], "hilbert", "row 1 is not strictly inside .* facet 2"),
        ([[0.0, 0.0], [0.1, 0.5]], [1, 1], "hilbert", "one sign"),
        ([[0.0, 0.0], [0.1, 0.5]], [1, -1], "klein", "'klein' is unknown"),
    ],
)
def test_bad_input_is_named(X, signs, metric, message):
    with pytest.raises(InputError, match=message):
        hard_margin(np.array(X), np.array(signs), *CUBE, metric)


def test_growing_polygons_lead_to_the_hyperbolic_margin():
    rng = np.random.default_rng(3)
    X = rng.uniform(-0.55, 0.55, (20, 2))
    score = X @ [1.0, 0.4] + 0.1
    X, signs = X[abs(score) > 0.1], np.sign(score[abs(score) > 0.1])
    points = np.c_[np.ones(len(X)), X] / np.sqrt(1 - (X**2).sum(axis=1, keepdims=True))
    exact, w = hyperbolic_margin(points, signs)
    errors, angles = [], []
    for m in (8, 32, 128):
        fit = hard_margin(X, signs, *polygon(m))
        errors.append(abs(fit.radius - exact))
        ours, theirs = np.r_[fit.c, fit.w], np.r_[-w[0], w[1:]]
        angles.append(1 - ours @ theirs / np.linalg.norm(ours) / np.linalg.norm(theirs))
    assert errors[2] < errors[1] < errors[0]
    assert errors[2] < 2e-3
    assert angles[2] < 1e-4


def hyperbolic_margin(points, signs):
    """Largest hyperbolic margin: the optimal |<w,x>_L| over normals of length 1, by angles."""

    def negative_margin(line):
        w = np.r_[np.sinh(line[1]), np.cosh(line[1]) * np.cos(line[0]),
                  np.cosh(line[1]) * np.sin(line[0])]  # fmt: skip
        return -(signs * lorentz.hyperplane_distance(points, w)).min()

    start = hard_margin_svm(points, signs).w
    tilt = np.arctan2(start[2], start[1])
    starts = [(tilt, rapidity) for rapidity in (-0.5, -0.2, 0.0, 0.2, 0.5)]
    options = {"xatol": 1e-10, "fatol": 1e-12, "maxiter": 2000}
    fits = [minimize(negative_margin, x, method="Nelder-Mead", options=options) for x in starts]
    t, s = min(fits, key=lambda fit: fit.fun).x
    return -min(fit.fun for fit in fits), np.r_[
        np.sinh(s), np.cosh(s) * np.cos(t), np.cosh(s) * np.sin(t)
    ]


@pytest.mark.parametrize("metric", METRICS)
def test_interior_points_where_the_simplex_method_stalls(metric, monkeypatch):
    a, signs, polytope = separable("simplex", 0)
    expected = hard_margin(a, signs, *polytope, metric=metric)
    monkeypatch.setattr(separation, "_STEPS", 0)
    found = hard_margin(a, signs, *polytope, metric=metric)
    assert found.status == expected.status == "optimal"
    assert found.radius == pytest.approx(expected.radius, abs=2e-6)


@pytest.mark.slow
def test_a_fit_ends_though_the_simplex_method_stalls(monkeypatch):
    seen = []

    def watched(*args, **settings):
        fit = linprog(*args, **settings)
        seen.append(fit.status)
        return fit

    monkeypatch.setattr(separation, "linprog", watched)
    data = simplex_mixture.load({}, 35, n_features=20, concentration=60.0)
    rows = data.labels < 2
    signs = np.where(data.labels[rows] == 1, 1.0, -1.0)
    fit = hard_margin(data.features[rows], signs, *simplex(20), metric="reverse_funk")
    assert 1 in seen
    assert (fit.status, fit.upper_bound - fit.radius < 1e-6) == ("optimal", True)
