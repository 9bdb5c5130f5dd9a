"""Products of factors: a single one is today's geometry, to the digit; the sphere is checked."""

import copy
import warnings

import numpy as np
import pytest
from scipy.optimize import minimize

from noneuclid import geometry
from noneuclid.errors import InputError
from noneuclid.geometry import ProductSpace, sphere

SPACES = [
    ProductSpace("H2 S2 E1"),
    ProductSpace("S1 H3 S2", curvatures=[0.5, -2.0, 3.0]),
    ProductSpace("E2 H2 H2 S3", charts=["euclidean", "poincare", "klein", "stereographic"]),
    ProductSpace("S2 H2", curvatures=[2.0, -0.3], charts=["tangent", "tangent"]),
]


def points(space, n=20, seed=0, spread=0.3):
    return space.random_wrapped_normal(n, covariances=spread, random_state=seed)


@pytest.mark.parametrize("chart", ["hyperboloid", "poincare", "klein", "half_space", "tangent"])
def test_single_hyperbolic_factor_is_the_geometry_of_the_package(chart):
    space = ProductSpace("H3", curvatures=[-0.7], charts=[chart])
    given = {"chart": chart, "curvature": 0.7}
    mean = geometry.convert(np.array([0.3, -0.2, 0.5]), "tangent", chart, 0.7)
    X = geometry.random_wrapped_normal(30, mean, 0.4, random_state=3, **given)
    v = geometry.log_map(X[0], X, **given)
    weights = np.arange(30.0)
    same = [
        (space.random_wrapped_normal(30, mean, 0.4, random_state=3), X),
        (space.distance(X[:15], X[15:]), geometry.distance(X[:15], X[15:], **given)),
        (space.pairwise_distances(X), geometry.pairwise_distances(X, **given)),
        (space.pairwise_distances(X, X[:4]), geometry.pairwise_distances(X, X[:4], **given)),
        (space.log_map(X[0], X), v),
        (space.exp_map(X[0], v), geometry.exp_map(X[0], v, **given)),
        (space.frechet_mean(X, weights), geometry.frechet_mean(X, weights, **given)),
        (
            space.random_isometry(0.8, random_state=1).transform(X),
            geometry.random_isometry(3, 0.8, random_state=1, **given).fit_transform(X),
        ),
        (space.convert(X, ["klein"]), geometry.convert(X, chart, "klein", 0.7)),
    ]
    for ours, theirs in same:
        np.testing.assert_array_equal(ours, theirs)


def test_single_flat_factor_is_flat_space():
    space, rng = ProductSpace("E3"), np.random.default_rng(0)
    X, v = rng.normal(size=(2, 9, 3))
    np.testing.assert_array_equal(space.distance(X, v), np.linalg.norm(X - v, axis=1))
    np.testing.assert_array_equal(space.exp_map(X, v), X + v)
    np.testing.assert_array_equal(space.frechet_mean(X), X.mean(axis=0))


def test_sphere_of_known_cities():
    # Great-circle angle of Paris and New York, by the haversine formula.
    (lat, lon), (lat2, lon2) = np.radians([(48.8566, 2.3522), (40.7128, -74.006)])
    half = np.sin((lat2 - lat) / 2) ** 2
    half += np.cos(lat) * np.cos(lat2) * np.sin((lon2 - lon) / 2) ** 2
    x, y = (
        np.array([np.sin(a), np.cos(a) * np.cos(b), np.cos(a) * np.sin(b)])
        for a, b in ((lat, lon), (lat2, lon2))
    )
    space = ProductSpace("S2", curvatures=[1 / 6371.0**2])
    found = space.distance(6371.0 * x, 6371.0 * y)
    assert abs(found - 2 * 6371.0 * np.arcsin(np.sqrt(half))) < 1e-9 * found


@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_exponential_and_logarithm_are_inverse(space):
    X, Y = points(space), points(space, seed=1)
    vectors = space.log_map(X, Y)
    np.testing.assert_allclose(space.exp_map(X, vectors), Y, atol=1e-12)
    halves = space.exp_map(X, vectors / 2)
    np.testing.assert_allclose(space.distance(X, halves), space.distance(X, Y) / 2, atol=1e-12)
    np.testing.assert_allclose(space.distance(Y, halves), space.distance(X, Y) / 2, atol=1e-12)


@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_velocity_of_a_geodesic_is_the_vector(space):
    X, Y = points(space, 6), points(space, 6, seed=1)
    vectors, step = space.log_map(X, Y), 1e-6
    moved = (space.exp_map(X, step * vectors) - space.exp_map(X, -step * vectors)) / (2 * step)
    np.testing.assert_allclose(moved, vectors, atol=1e-8)


@pytest.mark.filterwarnings("ignore:the rows do not lie")
@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_isometries_keep_distances_and_move_the_origin_as_asked(space):
    X = points(space)
    isometry = space.random_isometry(0.6, random_state=4)
    moved = isometry.transform(X)
    np.testing.assert_allclose(
        space.pairwise_distances(moved), space.pairwise_distances(X), atol=1e-12
    )
    np.testing.assert_allclose(isometry.inverse_transform(moved), X, atol=1e-12)
    parts = space.distances(space.origin, isometry.transform(space.origin[None]))
    np.testing.assert_allclose(np.ravel(parts), 0.6, atol=1e-12)
    np.testing.assert_allclose(
        space.frechet_mean(moved), isometry.transform(space.frechet_mean(X)[None])[0], atol=1e-10
    )


@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_charts_hold_the_same_points(space):
    plain = space.in_charts()
    X, Y = points(space), points(space, seed=1)
    A, B = space.convert(X), space.convert(Y)
    np.testing.assert_allclose(plain.distance(A, B), space.distance(X, Y), atol=1e-12)
    np.testing.assert_allclose(plain.convert(A, space.charts), X, atol=1e-12)
    np.testing.assert_allclose(
        space.convert(space.exp_map(X, space.log_map(X, Y) / 3)),
        plain.exp_map(A, plain.log_map(A, B) / 3),
        atol=1e-12,
    )


@pytest.mark.filterwarnings("ignore:the rows do not lie")
@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_mean_has_the_least_sum_of_squares(space):
    X = points(space, 15, spread=0.2)
    weights = np.arange(1.0, 16.0)
    mean = space.frechet_mean(X, weights)
    logs = weights @ space.log_map(mean, X)
    assert np.abs(logs).max() < 1e-9
    again = space.frechet_mean(np.repeat(X, np.arange(1, 16), axis=0))
    np.testing.assert_allclose(again, mean, atol=1e-10)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_spherical_mean_of_scattered_rows_is_the_best_of_many_searches(d):
    rng = np.random.default_rng(d)
    for _ in range(4):
        X = rng.normal(size=(7, d + 1))
        X /= np.linalg.norm(X, axis=1, keepdims=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            mean = ProductSpace(f"S{d}").frechet_mean(X)

        def total(z, X=X):
            return (sphere.distance(z / np.linalg.norm(z), X) ** 2).sum()

        starts = rng.normal(size=(12, d + 1))
        best = min(minimize(total, s, method="Nelder-Mead").fun for s in starts)
        assert total(mean) <= best + 1e-6


def test_mean_of_opposite_rows_lies_between_them():
    X = np.array([[0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 1.0, 0.0]])
    with pytest.warns(UserWarning, match=r"of factor S2 .* another mean may be as good"):
        mean = ProductSpace("S2").frechet_mean(X)
    # At the angle t from the first: 2 t^2 + (pi - t)^2, least at pi / 3.
    assert sphere.distance(X[0], mean) == pytest.approx(np.pi / 3, abs=1e-9)


def test_mean_of_scattered_rows_warns():
    with pytest.warns(UserWarning, match=r"of factor S2 .* another mean may be as good"):
        ProductSpace("S2").frechet_mean(np.vstack([np.eye(3), -np.eye(3)]))


def test_wrapped_normal_has_the_covariance_that_was_asked_for():
    space = ProductSpace("H2 S2 E2", curvatures=[-0.5, 0.5, 0])
    mean = space.exp_map(space.origin, [0, 0.4, 0.2, 0, 0.3, -0.5, 1.0, 2.0])
    covariance = np.array([[0.04, 0.01], [0.01, 0.02]])
    X = space.random_wrapped_normal(20_000, mean, [covariance] * 3, random_state=0)
    for factor, m, block in zip(space.factors, space.split(mean), space.split(X), strict=True):
        seen = factor.frame_coordinates(m, block)
        np.testing.assert_allclose(seen.T @ seen / len(seen), covariance, atol=1.5e-3)


@pytest.mark.parametrize(
    ("signature", "row", "message"),
    [
        ("H2 S2", [1.0, 0, 0, 0.5, 0, 0], "factor S2: row 1 is not on the sphere"),
        ("H2 H2", [1.0, 0, 0, 0.5, 0, 0], "factor H2_2: row 1 is off the hyperboloid"),
        ("S1 E2", [1.0, 0, np.nan, 0], "factor E2: row 1, column 2 is nan"),
        ("E1 S1", [1.0, np.nan, 0], "factor S1: row 1, column 1 is nan"),
        ("E1 H1", [1.0, 2, np.nan], "factor H1: row 1, column 2 is nan"),
        (
            "E1 S1",
            [0.0, 1, 1e-2],
            "- 1 = 0.0001, not 0; divide columns 1 to 2 of each row by their",
        ),
        ("S1(4)", [0.0, 1], r"of each row by sqrt\(4\) times their length"),
        ("E1 S1", [0.0, 90, 45], "another chart; ProductSpace shows how to convert degrees"),
    ],
)
def test_messages_name_factor_and_row(signature, row, message):
    space = ProductSpace(signature)
    with pytest.raises(InputError, match=message):
        space.check_points(np.array([space.origin, row]))


@pytest.mark.parametrize("signature", ["H2(-0.5) S3", "H5 S2(0.25) S5"])
def test_points_of_six_decimals_keep_their_distances(signature):
    space = ProductSpace(signature)
    X = space.random_wrapped_normal(1000, covariances=0.3, random_state=0)
    rounded = X.round(6)
    space.check_points(rounded)
    found = space.pairwise_distances(rounded)
    np.testing.assert_allclose(found, space.pairwise_distances(X), rtol=1e-5, atol=5e-6)
    for factor in space.factors:  # any length within the tolerance is that of the same point
        scaled = X.copy()
        scaled[:, factor.columns.start] *= 1 + 4e-6
        found = space.pairwise_distances(scaled)
        np.testing.assert_allclose(found, space.pairwise_distances(X), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("kind", "HS")
def test_rows_of_another_curvature_are_named(kind):
    sign = {"H": -1, "S": 1}[kind]
    X = ProductSpace(f"E1 {kind}2({0.405 * sign})").random_wrapped_normal(9, random_state=0)
    with pytest.raises(InputError) as caught:
        ProductSpace(f"E1 {kind}2").check_points(X)
    said = f"all rows have curvature {0.405 * sign}, not {sign} (radius 1.57135); give "
    said += f"'{kind}2({0.405 * sign})' in space, or learn_curvature=False"
    assert said in str(caught.value)
    X[3, 1:] *= 1.1
    with pytest.raises(InputError, match=f"factor {kind}2: row 0 is (not on|off) the"):
        ProductSpace(f"E1 {kind}2").check_points(X)


def test_number_of_columns():
    with pytest.raises(InputError, match=r"6 coordinates, but E5 in charts euclidean has 5$"):
        ProductSpace("E5").check_points(np.ones((2, 6)))
    with pytest.raises(InputError, match=r"but E2 S1 in charts .* has 2 \+ 2 = 4$"):
        ProductSpace("E2 S1").check_points(np.ones((2, 6)))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"signature": "S2 E1", "charts": "degrees"},
            r"charts is the text 'degrees'; give a list .* \(of S2 sphere, .*; of E1 euclidean\)",
        ),
        ({"signature": "H2 Q1"}, "'Q1' in the signature"),
        ({"signature": "H0"}, "'H0' in the signature"),
        ({"signature": "H2(1)"}, "factor H2 has curvature 1"),
        ({"signature": "S1^0"}, "'S1\\^0' in the signature"),
        ({"signature": "H1\uff12"}, "in the signature"),
        ({"signature": "E999999999999"}, "'E999999999999' in the signature"),
        ({"signature": "H2 S2", "curvatures": -1.0}, "1 curvatures are given for 2 factors"),
        ({"signature": "H2", "curvatures": ["-1"]}, "factor H2 has curvature '-1'"),
        ({"signature": "H2(.)"}, "'H2\\(.\\)' in the signature"),
        ({"signature": ["H2"]}, "is a text"),
        ({"signature": "H2 S2", "curvatures": [1, 1]}, "factor H2 has curvature 1"),
        ({"signature": "E2", "curvatures": [0.1]}, "factor E2 has curvature 0.1"),
        ({"signature": "H2 S2", "curvatures": [-1]}, "1 curvatures are given for 2 factors"),
        ({"signature": "S2", "charts": ["poincare"]}, "unknown chart 'poincare'"),
    ],
)
def test_bad_spaces_are_refused(given, message):
    with pytest.raises(InputError, match=message):
        ProductSpace(**given)


def test_wrong_number_of_columns_and_opposite_points():
    space = ProductSpace("H2 S2 E1")
    with pytest.raises(InputError, match=r"has 3 \+ 3 \+ 1 = 7"):
        space.distance(np.zeros(6), np.zeros(6))
    with pytest.raises(InputError, match="row 0 is opposite to x"):
        ProductSpace("S1").log_map([1.0, 0.0], [[-1.0, 0.0]])


def test_spaces_compare_copy_and_print():
    space = ProductSpace("H2xS1^2", curvatures=[-2, 1, 3])
    assert space == copy.deepcopy(space) == eval(repr(space))
    assert space != ProductSpace("H2 S1 S1")
    assert list(space.blocks) == ["H2", "S1_1", "S1_2"]
    assert str(space) == "H2(-2.0) S1 S1(3.0)"
    assert ProductSpace("H2(-2) S1 S1(3e0)") == space
    assert space.in_charts(["klein", "tangent", "sphere"]) == eval(
        repr(space.in_charts(["klein", "tangent", "sphere"]))
    )
    assert (space.dimension, space.n_features) == (4, 7)
