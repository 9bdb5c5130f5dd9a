"""The public geometry: known values, invariance, means, random points, transformers, bad input."""

import numpy as np
import pytest
from cases import each_of
from scipy.integrate import quad
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

import noneuclid
from noneuclid import LiftedPCA, geometry
from noneuclid.errors import InputError
from noneuclid.geometry import ChartTransformer, charts, lorentz
from noneuclid.geometry.means import mean_and_covariance

CURVATURES = (0.25, 1.0, 2.5)


def settings_of(chart, curvature):
    return {"chart": chart, "curvature": curvature}


def points(chart, curvature, n=12, d=3, seed=0):
    vectors = np.random.default_rng(seed).normal(size=(n, d)) / np.sqrt(curvature)
    return charts.convert(vectors, "tangent", chart, curvature)


def test_every_name_is_listed_once_and_loads():
    assert sorted(geometry.__all__) == geometry.__all__
    assert set(geometry.__all__) <= set(dir(geometry))
    with pytest.raises(AttributeError, match="no attribute 'dist'"):
        _ = geometry.dist


KNOWN = {
    "poincare": ([0.0, 0.0], [0.0, np.tanh(0.75)]),
    "klein": ([0.0, 0.0], [0.0, np.tanh(1.5)]),
    "hyperboloid": ([1.0, 0.0, 0.0], [np.cosh(1.5), 0.0, np.sinh(1.5)]),
    "half_space": ([0.0, 1.0], [0.0, np.exp(1.5)]),
    "tangent": ([0.0, 0.0], [0.0, 1.5]),
}


@each_of("chart", KNOWN)
@each_of("curvature", CURVATURES)
def test_one_pair_of_points_in_every_chart(chart, curvature):
    root, settings = np.sqrt(curvature), settings_of(chart, curvature)
    x, y = np.array(KNOWN[chart]) / root
    assert geometry.distance(x, y, **settings) == pytest.approx(1.5 / root, rel=1e-14)
    # At the origin all charts but Poincaré's have the coordinates of a unit of length.
    unit = np.array([0.0] * (chart == "hyperboloid") + [0.0, 0.5 if chart == "poincare" else 1.0])
    vector = 1.5 / root * unit
    np.testing.assert_allclose(geometry.log_map(x, y, **settings), vector, atol=1e-14)
    np.testing.assert_allclose(geometry.exp_map(x, vector, **settings), y, rtol=1e-14)
    np.testing.assert_allclose(geometry.geodesic(x, y, [0.0, 1.0], **settings), [x, y], atol=1e-15)
    found = geometry.hyperplane_distance(y, x, unit, **settings)
    assert found == pytest.approx(1.5 / root, rel=1e-14)
    for sign in (1, -1):
        found = geometry.busemann(y, [0.0, 7.0 * sign], **settings)
        assert found == pytest.approx(-sign * 1.5 / root, rel=1e-14)


@each_of("chart", charts.HYPERBOLIC)
@each_of("curvature", CURVATURES)
def test_all_charts_give_the_same_numbers(chart, curvature):
    settings = settings_of(chart, curvature)
    x, y, z = (points(chart, curvature, seed=seed) for seed in range(3))
    plain = [charts.convert(a, chart, "poincare", curvature) for a in (x, y, z)]

    def same(function, *arguments, rtol=1e-11, **others):
        found = function(*(a[0] for a in arguments), **others, **settings)
        expected = function(*(a[1] for a in arguments), **others, curvature=curvature)
        np.testing.assert_allclose(found, expected, rtol=rtol, atol=1e-11)

    a, b = zip((x, y), plain, strict=False)
    same(geometry.distance, a, b)
    same(geometry.pairwise_distances, a)
    same(geometry.pairwise_distances, a, (y[:5], plain[1][:5]))
    same(geometry.busemann, a, ([1.0, 2.0, 3.0],) * 2)
    for function, arguments in ((geometry.frechet_mean, ()), (geometry.centroid, ())):
        weights = np.arange(12.0)
        mean = function(x, weights, *arguments, **settings)
        expected = function(plain[0], weights, curvature=curvature)
        mean = charts.convert(mean, chart, "poincare", curvature)
        np.testing.assert_allclose(mean, expected, atol=1e-11)
    log, log_z = (geometry.log_map(x, end, **settings) for end in (y, z))
    reached = geometry.exp_map(x, log, **settings)
    np.testing.assert_allclose(reached, y, rtol=1e-9, atol=1e-9)
    # The velocity of a geodesic is carried to the velocity with which it arrives.
    arrived = geometry.parallel_transport(x, y, log, **settings)
    back = geometry.log_map(y, x, **settings)
    np.testing.assert_allclose(arrived[..., 1:], -back[..., 1:], rtol=1e-8, atol=1e-8)
    # Angles stay: the sine of the distance from a hyperplane is linear in its normal.
    normal = geometry.parallel_transport(x, y, log_z, **settings)
    ahead = geometry.exp_map(y, normal, **settings)
    far = geometry.distance(y, ahead, **settings)
    np.testing.assert_allclose(far, geometry.distance(x, z, **settings), rtol=1e-8)
    sideways = geometry.hyperplane_distance(z, x, log, **settings)
    plane = geometry.log_map(*plain[:2], curvature=curvature)
    expected = geometry.hyperplane_distance(plain[2], plain[0], plane, curvature=curvature)
    np.testing.assert_allclose(sideways, expected, rtol=1e-9, atol=1e-9)
    around = geometry.distance(x, z, **settings) + geometry.distance(z, y, **settings)
    assert (geometry.distance(x, y, **settings) <= around * (1 + 1e-12)).all()


@each_of("chart", charts.HYPERBOLIC)
def test_isometries_change_no_distance_and_carry_everything_else_along(chart):
    x, y, z = (points(chart, 1.0, seed=seed) for seed in range(3))
    isometry = geometry.random_isometry(3, 1.0, chart=chart, random_state=4).fit(x)
    X, Y, Z = (isometry.transform(a) for a in (x, y, z))
    settings = settings_of(chart, 1.0)

    def close(found, expected):
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-7)

    close(geometry.distance(X, Y, **settings), geometry.distance(x, y, **settings))
    for function in (geometry.frechet_mean, geometry.centroid):
        moved = isometry.transform(function(x, **settings)[None])[0]
        close(function(X, **settings), moved)
    middle = isometry.transform(geometry.geodesic(x, y, 0.3, **settings))
    close(geometry.geodesic(X, Y, 0.3, **settings), middle)
    before, after = (
        geometry.hyperplane_distance(c, a, geometry.log_map(a, b, **settings), **settings)
        for a, b, c in ((x, y, z), (X, Y, Z))
    )
    close(after, before)
    # A Busemann function changes by a constant.
    ideal = np.array([1.0, 0.0, 2.0])
    end = charts.convert(16.0 * ideal / np.linalg.norm(ideal), "tangent", "hyperboloid")
    moves = geometry.Isometry(isometry.translation, isometry.rotation, chart="hyperboloid")
    image = moves.fit_transform(end[None])[0, 1:]
    gaps = geometry.busemann(X, image, **settings) - geometry.busemann(x, ideal, **settings)
    assert np.ptp(gaps) < 1e-6


def test_a_busemann_function_is_the_limit_of_distances():
    x, ideal = points("tangent", 4.0), np.array([2.0, 1.0, 2.0])
    settings = settings_of("tangent", 4.0)
    for far in (4.0, 6.0):
        end = far * ideal / 3
        limit = geometry.distance(x, end, **settings) - far
        found = geometry.busemann(x, ideal, **settings)
        assert np.abs(found - limit).max() < 20 * np.exp(-4 * far)


@each_of("chart", charts.HYPERBOLIC)
@each_of("curvature", CURVATURES)
def test_the_gradient_at_a_frechet_mean_is_zero(chart, curvature):
    settings = settings_of(chart, curvature)
    x, weights = points(chart, curvature, n=30), np.arange(30.0) % 4
    mean = geometry.frechet_mean(x, weights, **settings)
    assert np.abs(weights @ geometry.log_map(mean, x, **settings)).max() < 1e-9
    single = geometry.frechet_mean(x[:1], **settings)
    np.testing.assert_allclose(single, x[0], rtol=1e-13, atol=1e-13)


# Random points: a mean of N draws lies within 5 standard errors in all but 6e-7 of cases.


def within_five_errors(values, mean, variance):
    assert abs(values.mean() - mean) < 5 * np.sqrt(variance / len(values))


@each_of(("d", "radius"), [(1, 2.0), (2, 0.55), (2, 6.0), (3, 0.8), (5, 3.0), (8, 12.0)])
def test_uniform_points_have_the_radial_density_of_the_volume(d, radius):
    curvature = 2.5
    x = geometry.random_uniform(
        20_000, d, radius, chart="tangent", curvature=curvature, random_state=d
    )
    r, far = np.linalg.norm(x, axis=1) * np.sqrt(curvature), radius * np.sqrt(curvature)
    assert r.max() < far

    def moment(k):
        return quad(lambda t: t**k * (np.sinh(t) / np.sinh(far)) ** (d - 1), 0, far, limit=200)[0]

    mean, square = moment(1) / moment(0), moment(2) / moment(0)
    within_five_errors(r, mean, square - mean**2)
    fourth = moment(4) / moment(0)
    within_five_errors(r**2, square, fourth - square**2)
    directions = x / np.linalg.norm(x, axis=1, keepdims=True)
    for j in range(d):
        within_five_errors(directions[:, j], 0.0, 1 / d)


@each_of("chart", charts.HYPERBOLIC)
def test_wrapped_normal_points_have_their_mean_and_covariance(chart):
    curvature, n = 0.25, 4000
    covariance = np.array([[0.5, 0.2], [0.2, 0.3]])
    mean = charts.convert([0.7, -0.4], "tangent", chart, curvature)
    settings = settings_of(chart, curvature)
    x = geometry.random_wrapped_normal(n, mean, covariance, random_state=1, **settings)
    again = geometry.random_wrapped_normal(n, mean, covariance, random_state=1, **settings)
    np.testing.assert_array_equal(x, again)
    isometry = geometry.Isometry([0.7, -0.4], chart=chart, curvature=curvature).fit(x)
    v = charts.convert(isometry.inverse_transform(x), chart, "tangent", curvature)
    for i in range(2):
        within_five_errors(v[:, i], 0.0, covariance[i, i])
        for j in range(2):
            spread = covariance[i, i] * covariance[j, j] + covariance[i, j] ** 2
            within_five_errors(v[:, i] * v[:, j], covariance[i, j], spread)


def test_random_points_take_any_generator():
    first, other = (geometry.random_uniform(5, 2, 1.0, random_state=seed) for seed in (0, 1))
    assert not np.allclose(first, other)
    rng = np.random.default_rng(3)
    assert geometry.random_uniform(5, 2, 1.0, random_state=rng).shape == (5, 2)
    number = geometry.random_wrapped_normal(5, [0.0, 0.0], 4.0, random_state=0)
    matrix = geometry.random_wrapped_normal(5, [0.0, 0.0], 4.0 * np.eye(2), random_state=0)
    np.testing.assert_array_equal(number, matrix)


# Transformers


@each_of("chart_in", charts.COORDINATES)
@each_of("chart_out", charts.COORDINATES)
def test_charts_there_and_back(chart_in, chart_out):
    x = points(chart_in, 2.5, n=8)
    model = ChartTransformer(chart_in, chart_out, 2.5)
    there = model.fit_transform(x)
    charts.check_points(there, chart_out, 2.5)
    np.testing.assert_allclose(model.inverse_transform(there), x, rtol=1e-9, atol=1e-9)
    names = model.get_feature_names_out().tolist()
    assert names == [f"charttransformer{k}" for k in range(there.shape[1])]


def test_transformers_are_steps_of_a_pipeline():
    pandas = pytest.importorskip("pandas")
    x = points("poincare", 1.0)
    shift = geometry.Isometry([0.3, 0.1, 0.0], chart="klein")
    model = make_pipeline(ChartTransformer("poincare", "klein"), shift)
    there = clone(model).fit_transform(x)
    np.testing.assert_allclose(model.fit(x).inverse_transform(there), x, atol=1e-12)
    table = pandas.DataFrame(x, columns=["a", "b", "c"])
    shift = geometry.Isometry([0.3, 0.1, 0.0]).set_output(transform="pandas")
    assert shift.fit_transform(table).columns.tolist() == ["a", "b", "c"]
    with pytest.raises(InputError, match="X has 2 columns, but its points have 3"):
        ChartTransformer("poincare", "klein").fit(x).inverse_transform(x[:, :2])
    with pytest.raises(InputError, match="row 1 lies outside the Poincaré ball"):
        ChartTransformer("poincare", "klein").fit([[0.0], [2.0]])


@each_of("standardize", [False, True])
@each_of("chart", charts.COORDINATES)
def test_rows_of_principal_components_return(standardize, chart):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 4)) * [1.0, 5.0, 0.2, 2.0] + 3.0
    settings = {"standardize": standardize, "chart": chart}
    model = LiftedPCA(2, **settings).fit(X)
    rows = model.inverse_transform(model.embedding_)
    np.testing.assert_allclose(model.transform(rows), model.embedding_, rtol=1e-8, atol=1e-8)
    whole = LiftedPCA(4, **settings).fit(X)
    np.testing.assert_allclose(whole.inverse_transform(whole.embedding_), X, rtol=1e-8, atol=1e-8)
    # The nearest rows of the plane of the components.
    unit = X.std(axis=0) if standardize else 1.0
    centred = (X - X.mean(axis=0)) / unit
    left, size, right = np.linalg.svd(centred, full_matrices=False)
    nearest = (left[:, :2] * size[:2]) @ right[:2] * unit + X.mean(axis=0)
    np.testing.assert_allclose(rows, nearest, rtol=1e-8, atol=1e-8)


@each_of("radius", [80.0, 100.0, 340.0])
def test_a_mean_of_far_rows_does_not_stay_where_newton_starts(radius):
    """Nine rows at the origin, one far out: the centroid is near radius / 2."""
    x = np.append(np.zeros((9, 2)), [[radius, 0.0]], axis=0)
    mean = geometry.frechet_mean(x, chart="tangent")
    np.testing.assert_allclose(mean, [radius / 10, 0.0], rtol=1e-9, atol=1e-9)


def test_equal_rows_far_out_have_a_mean():
    """Beyond float64's digits sideways: somewhere, but no error."""
    rows = np.random.default_rng(0).normal(size=(20, 3))
    rows *= 300 / np.linalg.norm(rows, axis=1, keepdims=True)
    for row in rows:
        assert np.isfinite(geometry.frechet_mean([row, row], chart="tangent")).all()


def test_a_mean_of_near_rows_at_the_rim_does_not_depend_on_the_start():
    rows = 30.0 + 1e-3 * np.random.default_rng(0).normal(size=(50, 1))
    points = charts.convert(rows, "tangent", "hyperboloid")
    sums = [
        (lorentz.distance(points, mean_and_covariance(points, start=start)[0]) ** 2).sum()
        for start in (None, points[0])
    ]
    assert sums[1] == pytest.approx(sums[0], rel=1e-5)


@each_of("chart", charts.HYPERBOLIC)
def test_a_normal_may_have_any_length(chart):
    x, p = charts.convert([[0.3, 0.1], [-0.2, 0.4]], "poincare", chart)
    w = geometry.log_map(p, x, chart=chart)
    expected = geometry.hyperplane_distance(x, p, w, chart=chart)
    for length in (1e-300, 1e300):
        found = geometry.hyperplane_distance(x, p, length * w, chart=chart)
        assert found == pytest.approx(expected, rel=1e-14)


def test_logarithms_of_far_points_do_not_overflow():
    x, y = np.array([[300.0, 0.0], [0.0, 300.0]])
    expected = [-geometry.distance(x, y, chart="tangent"), 0.0]
    np.testing.assert_allclose(geometry.log_map(x, y, chart="tangent"), expected, atol=1e-12)
    x, y = charts.convert([x, y], "tangent", "hyperboloid")
    vector = geometry.log_map(x, y, chart="hyperboloid")
    assert lorentz.norm(x, vector) == pytest.approx(lorentz.distance(x, y), rel=1e-14)


# Bad input

BAD = [
    (lambda: geometry.distance([0.0], [1.5]), "row 0 lies outside the Poincaré ball"),
    (lambda: geometry.distance([0.0], [0.0], chart="disk"), "unknown chart 'disk'; give 'poinc"),
    (lambda: geometry.distance([0.2, 0.8], [0.5, 0.5], chart="simplex"), "'simplex' holds no"),
    (lambda: geometry.distance([0.0], [0.0, 0.0]), "points have 1 and 2 coordinates"),
    (lambda: geometry.distance(0.0, 0.0), "got the number 0.0"),
    (lambda: geometry.distance([], []), r"a point needs coordinates, got an array of shape \(0,\)"),
    (lambda: geometry.log_map([0.1, 0.2], [0.1]), "points have 2 and 1 coordinates"),
    (lambda: geometry.geodesic([0.1, 0.2], [0.1], 0.5), "points have 2 and 1 coordinates"),
    (
        lambda: geometry.parallel_transport([0.1, 0.2], [0.1], [1.0, 2.0]),
        "points have 2 and 1 coordinates",
    ),
    (
        lambda: geometry.hyperplane_distance([0.1], [0.1, 0.2], [1.0, 2.0]),
        "points have 1 and 2 coordinates",
    ),
    (lambda: geometry.pairwise_distances([0.1]), r"need tables of points, got shape \(1,\)"),
    (lambda: geometry.distance([0.0], [0.0], curvature=None), "curvature is None; give K > 0"),
    (lambda: geometry.convert(0.5, "poincare", "klein"), "got the number 0.5"),
    (lambda: geometry.convert([[np.nan]], "poincare", "klein"), "row 0 has the value NaN"),
    (lambda: geometry.check_points([[1.5]], "klein"), "row 0 lies outside the Klein ball"),
    (
        lambda: geometry.exp_map([0.0], [800.0], chart="tangent"),
        "row 0 ends beyond the 350 from the origin",
    ),
    (
        lambda: geometry.geodesic([0.0], [300.0], 3.0, chart="tangent", curvature=1.0),
        "row 0 ends beyond the 350 from the origin",
    ),
    (
        lambda: geometry.Isometry([800.0]).fit_transform([[0.0]]),
        "row 0 ends beyond the 350 from the origin",
    ),
    (lambda: geometry.distance([0.0], [0.0], curvature=-1.0), "the space having curvature -K"),
    (lambda: geometry.distance([0.0, 1.0], [0.0, -1.0], chart="half_space"), "must be positive"),
    (lambda: geometry.exp_map([0.0], [np.nan]), "coordinate that is not finite"),
    (lambda: geometry.exp_map([0.0], [1.0, 2.0]), r"vectors have shape \(2,\), but the points 1"),
    (lambda: geometry.exp_map([0.0], [40.0]), "beyond the 35 that float64 holds"),
    (lambda: geometry.exp_map([1 - 1e-12], [3e-11]), "ends on the rim, beyond .*'hyperboloid'"),
    (lambda: geometry.geodesic([0.0], [0.5], np.inf), "fraction t is not finite"),
    (lambda: geometry.hyperplane_distance([0.1], [0.0], [0.0]), "a normal w of length 0"),
    (
        lambda: geometry.hyperplane_distance(
            [1.0, 0.0], [1.25, 0.75], [1.0, 0.0], chart="hyperboloid"
        ),
        "a normal w of length 0",
    ),
    (lambda: geometry.busemann([0.1], [0.0]), "one direction that is not 0"),
    (lambda: geometry.frechet_mean([[0.1]], [-1.0]), "sample_weight must hold finite"),
    (lambda: geometry.frechet_mean([[0.1]], [1.0, 1.0]), "a weight for each of the 1 rows"),
    (lambda: geometry.frechet_mean([0.1]), "a mean needs a table of points"),
    (lambda: geometry.random_uniform(5, 2, 0.0), "radius = 0.0; give a number"),
    (lambda: geometry.random_uniform(5, 2, 60.0), "float64 holds in chart 'poincare'"),
    (lambda: geometry.random_wrapped_normal(5, [0.0], [[-1.0]]), "eigenvalue -1; all must be pos"),
    (lambda: geometry.random_wrapped_normal(5, [0.0], np.eye(2)), "not a symmetric .1, 1. matrix"),
    (lambda: geometry.random_wrapped_normal(5, [[0.0]]), "give one point"),
]


@each_of(("call", "message"), BAD, ids=str)
def test_bad_input_gets_one_line(call, message):
    with pytest.raises(InputError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_the_namespace_is_public():
    assert noneuclid.geometry is geometry
    assert "geometry" in noneuclid.__all__
