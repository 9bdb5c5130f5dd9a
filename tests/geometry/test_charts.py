"""Known values, refusals and edge cases of the geometry."""

import warnings

import numpy as np
import pytest
from cases import each_of

from noneuclid import geometry
from noneuclid.errors import InputError
from noneuclid.geometry import charts, klein, lorentz, poincare, tangent

BAD = [
    (
        [[0.0, 0.0], [0.6, 0.8]],
        "poincare",
        1.0,
        r"row 1 .*ball: K\*\|x\|\^2 = 1, on the rim; float32",
    ),
    ([[0.0, 0.0], [3.0, 4.0]], "klein", 2.0, r"row 1 .*Klein ball: K\*\|x\|\^2 = 50; use chart"),
    ([[0.0, np.nan]], "tangent", 1.0, "row 0, column 1 is NaN; drop"),
    ([[0.0, 0.0], [-np.inf, 0.0]], "klein", 1.0, "row 1, column 0 is -inf"),
    ([[1e200, 0.0]], "tangent", 1.0, "row 0 lies out of float64's range"),
    ([[-1.25, 0.75]], "hyperboloid", 1.0, "row 0 has time coordinate -1.25"),
    ([[0.0, 0.75]], "hyperboloid", 1.0, "row 0 has time coordinate 0, which must be positive"),
    ([[1.0, 0.0], [1.3, 0.75]], "hyperboloid", 1.0, "row 1 is off the hyperboloid: <x,x>_L = -1.1"),
    ([[1.25, 0.75]], "hyperboloid", 2.0, "row 0 is off the hyperboloid.*-1/K = -0.5"),
    (
        [[0.3, 0.2], [-0.1, 0.9]],
        "hyperboloid",
        1.0,
        r"off .*; all rows lie in the ball, so use chart='poincare' or 'klein'",
    ),
    ([[-0.3, 0.2]], "hyperboloid", 1.0, "time coordinate -0.3.*; all rows lie in the ball, so use"),
    ([[0.6, 0.6]], "hyperboloid", 4.0, "check curvature, or use chart='tangent' for measurements"),
    ([[1.25, 0.75], [1.0, 0.0]], "klein", 1.0, "row 0 .* on the hyperboloid, so use chart='hyper"),
    (
        [[1.25, 0.75], [1.0, 0.1]],
        "klein",
        1.0,
        "= 2.125 .and 1 more of 2 rows: 1; at most 2.125.; u",
    ),
    ([[1.0]], "poincare", 1.0, "row 0 lies outside .*project_to_ball.X, 'poincare'., or"),
    (
        [[0.1], [0.2], [1.1]],
        "klein",
        1.0,
        "row 2 lies .* 1.21; correct or remove these rows, o",
    ),
    ([[1.0]], "hyperboloid", 1.0, "at least 2 column"),
    ([0.1, 0.2], "poincare", 1.0, "needs a table"),
    ([[0.1]], "sphere", 1.0, "unknown chart 'sphere'; choose one of hyperboloid, poincare"),
    ([[0.1]], "Lorentz", 1.0, "unknown chart 'Lorentz'; give 'hyperboloid'"),
    ([[0.1]], "ball", 1.0, "unknown chart 'ball'; give 'poincare'"),
    ([[0.1]], "poincare", -1.0, "curvature is -1.0; give K > 0, .* -K: curvature=1.0"),
    ([[0.1]], "poincare", np.nan, "curvature is nan"),
]


@each_of(("X", "chart", "curvature", "message"), BAD)
def test_check_points_names_row_value_and_cure_in_one_line(X, chart, curvature, message):
    with pytest.raises(InputError, match=message) as caught:
        charts.check_points(np.array(X), chart, curvature)
    assert "\n" not in str(caught.value)


def at_the_rim(curvature=1.0):
    """Points of float32, of which rows 0 to 13 lie over the rim by its rounding."""
    X = np.random.default_rng(0).normal(size=(60, 3))
    radius = np.where(np.arange(60) < 14, 1 + 2e-7, 0.7) / np.sqrt(curvature)
    return (X / np.linalg.norm(X, axis=1, keepdims=True) * radius[:, None]).astype(np.float32)


@pytest.mark.parametrize("curvature", [0.25, 1.0])
@pytest.mark.parametrize("chart", charts.BALLS)
def test_rows_over_the_rim_are_all_named_and_brought_inside(chart, curvature):
    X = at_the_rim(curvature).astype(float)
    with pytest.raises(InputError) as caught:
        charts.check_points(X, chart, curvature)
    said = str(caught.value)
    square = curvature * (X[0] @ X[0]) - 1
    assert f"K*|x|^2 = 1 + {square:.2g}"[:15] in said
    assert "(and 13 more of 60 rows: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ...; at most 1 + " in said
    assert f"project_to_ball(X, {chart!r})" in said
    assert "tangent" not in said
    points, rows = charts.project_to_ball(X, chart, curvature)
    charts.check_points(points, chart, curvature)
    assert rows.tolist() == list(range(14))
    np.testing.assert_array_equal(points[14:], X[14:])
    norms = np.sqrt(curvature) * np.linalg.norm(points[:14], axis=1)
    np.testing.assert_allclose(norms, np.nextafter(np.float32(1), np.float32(0)), rtol=1e-15)
    np.testing.assert_allclose(points[:14], X[:14], rtol=1e-6)
    far = charts.distance_from_origin(points[:1], chart, curvature) * np.sqrt(curvature)
    np.testing.assert_allclose(far, {"poincare": 17.33, "klein": 8.66}[chart], atol=0.01)
    charts.convert(points, chart, "hyperboloid", curvature)


def test_rows_beyond_rounding_are_not_brought_inside():
    X = at_the_rim().astype(float)
    X[20] *= 2
    with pytest.raises(InputError, match=r"^row 20 lies outside .* = 1\.96; farther out than"):
        charts.project_to_ball(X)
    with pytest.raises(InputError, match="chart 'hyperboloid' is no ball"):
        charts.project_to_ball(X, "hyperboloid")


@each_of("chart", charts.CHARTS)
@each_of("curvature", [0.25, 1.0, 2.5])
def test_check_points_accepts_what_convert_makes_even_in_float32(chart, curvature):
    vectors = np.random.default_rng(0).normal(size=(200, 5))
    X = charts.convert(vectors, "tangent", chart, curvature)
    charts.check_points(X, chart, curvature)
    charts.check_points(X.astype(np.float32).astype(float), chart, curvature)


def test_time_tolerance_scales_with_the_square_of_time():
    x = lorentz.from_spatial(np.array([[1e6, 0.0]]))
    charts.check_points(x * [1 + 1e-8, 1, 1], "hyperboloid")
    with pytest.raises(InputError, match="off the hyperboloid"):
        charts.check_points(x * [1 + 1e-5, 1, 1], "hyperboloid")


KNOWN = {
    "tangent": np.log(3.0),
    "poincare": 0.5,
    "klein": 0.8,
}


@each_of("curvature", [0.25, 1.0, 2.5])
@each_of("target", KNOWN)
@each_of("source", KNOWN)
def test_one_point_in_every_chart(source, target, curvature):
    root = np.sqrt(curvature)
    got = charts.convert([[KNOWN[source] / root]], source, target, curvature)
    np.testing.assert_allclose(got, [[KNOWN[target] / root]], rtol=1e-15)
    on_sheet = charts.convert([[KNOWN[source] / root]], source, "hyperboloid", curvature)
    np.testing.assert_allclose(on_sheet, [[5 / 3 / root, 4 / 3 / root]], rtol=1e-15)


def test_convert_never_uses_the_time_coordinate():
    got = charts.convert([[99.0, 4 / 3]], "hyperboloid", "klein")
    np.testing.assert_allclose(got, [[0.8]], rtol=1e-15)
    got = charts.convert([[99.0, 4 / 3]], "hyperboloid", "hyperboloid")
    np.testing.assert_allclose(got, [[5 / 3, 4 / 3]], rtol=1e-15)


@pytest.mark.parametrize(
    ("target", "last", "first"), [("poincare", 35, 36), ("poincare", 35, 300), ("klein", 17.5, 18)]
)
def test_convert_refuses_what_float64_cannot_hold(target, last, first):
    kept = charts.convert([[0.0], [last]], "tangent", target)
    np.testing.assert_allclose(charts.convert(kept, target, "tangent")[1], last, atol=0.2)
    with pytest.raises(InputError, match=f"row 1 is {first} from the origin.*keep chart='tangent'"):
        charts.convert([[0.0], [first]], "tangent", target)
    sheet = lorentz.from_spatial(np.sinh([[0.0], [first]]))
    with pytest.raises(InputError, match=f"row 1 is {first} from the origin"):
        charts.convert(sheet, "hyperboloid", target)


def test_convert_refuses_what_lies_outside_or_overflows():
    with pytest.raises(InputError, match="row 1 lies outside the Klein ball"):
        charts.convert([[0.5], [-1.0]], "klein", "poincare")
    with pytest.raises(InputError, match=r"row 0 is 800 .* beyond the 350 .* by 2\.3 "):
        charts.convert([[800.0]], "tangent", "hyperboloid")
    with pytest.raises(InputError, match="row 0 lies out of float64's range"):
        charts.convert([[1e200]], "tangent", "poincare")
    with pytest.raises(InputError, match="unknown chart 'Poincare'"):
        charts.convert([[0.5]], "Poincare", "klein")


def test_zero_vectors_and_equal_points_make_no_nan_and_no_warning():
    zero, x = np.zeros(3), np.array([0.3, -0.4, 0.5])
    start, X = lorentz.origin(3), charts.convert(x, "poincare", "hyperboloid")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for source in charts.CHARTS:
            at_zero = charts.convert(zero, "tangent", source)
            for target in charts.CHARTS:
                expected = charts.convert(zero, "tangent", target)
                assert (charts.convert(at_zero, source, target) == expected).all()
        for p in (start, X):
            np.testing.assert_allclose(lorentz.exp(p, np.zeros(4)), p, rtol=1e-15)
            assert (lorentz.log(p, p) == 0).all()
            assert (tangent.flatten(p, p) == 0).all()
            np.testing.assert_allclose(tangent.lift(zero, p), p, rtol=1e-15)
            np.testing.assert_allclose(lorentz.geodesic(p, p, 0.3), p, rtol=1e-15)
            np.testing.assert_allclose(lorentz.midpoint([p, p, p]), p, rtol=1e-14)
            np.testing.assert_allclose(
                tangent.transport(p, p, lorentz.log(p, start)), lorentz.log(p, start)
            )
        for p in (zero, x):
            assert (poincare.log(p, p) == 0).all()
            np.testing.assert_allclose(poincare.exp(p, zero), p, rtol=1e-15)
            np.testing.assert_allclose(geometry.geodesic(p, p, 0.3), p, rtol=1e-14)
            assert poincare.distance(p, p) == klein.distance(p, p) == 0
        np.testing.assert_allclose(lorentz.midpoint([X, X * [1, -1, -1, -1]]), start, atol=1e-15)


def test_arrays_broadcast_over_leading_axes():
    rng = np.random.default_rng(1)
    x = lorentz.from_spatial(rng.normal(size=(4, 1, 3)))
    y = lorentz.from_spatial(rng.normal(size=(5, 3)))
    v = lorentz.log(x, y)
    assert v.shape == (4, 5, 4)
    assert lorentz.exp(x, v).shape == (4, 5, 4)
    assert tangent.transport(x, y, v).shape == (4, 5, 4)
    assert lorentz.geodesic(x, y, np.linspace(0, 1, 5)).shape == (4, 5, 4)
    assert lorentz.boost(x).shape == (4, 1, 4, 4)
    assert lorentz.midpoint(v * 0 + y).shape == (4, 4)
    np.testing.assert_allclose(lorentz.distance(x, y), lorentz.pairwise_distances(x[:, 0], y))
    b, c = (charts.convert(a, "hyperboloid", "poincare") for a in (x, y))
    assert poincare.mobius_add(b, c).shape == poincare.transport(b, c, c).shape == (4, 5, 3)
    assert tangent.flatten(y, x).shape == (4, 5, 3)


def test_midpoint_refuses_weights_that_are_no_weights():
    X = lorentz.from_spatial(np.zeros((2, 1)))
    for weights in ([1.0, -0.5], [0.0, 0.0], [1.0, np.nan], [1.0, np.inf]):
        with pytest.raises(InputError, match=r"midpoint weights must be .*; drop such rows"):
            lorentz.midpoint(X, weights)


def test_hyperplane_distance_refuses_a_normal_that_is_not_spacelike():
    for w in ([1.0, 0.5], [1.0, 1.0], [0.0, 0.0]):
        with pytest.raises(InputError, match="normal must be spacelike"):
            lorentz.hyperplane_distance(lorentz.origin(1), w)


def test_pairwise_distances_are_symmetric_with_zero_diagonal():
    x = lorentz.from_spatial(np.random.default_rng(2).normal(size=(30, 4)) * 1e4, 2.5)
    D = lorentz.pairwise_distances(x, curvature=2.5)
    assert (D == D.T).all()
    assert (np.diag(D) == 0).all()
    np.testing.assert_allclose(D, lorentz.pairwise_distances(x, x, 2.5), rtol=1e-14)
    assert lorentz.pairwise_distances(x[:0], x).shape == (0, 30)
