import numpy as np
import pytest
from cases import each_of
from scipy.linalg import helmert

from noneuclid import LogRatio
from noneuclid.errors import InputError
from noneuclid.geometry import bounded, charts
from noneuclid.geometry.polytope import Polytope
from noneuclid_compare.embed.of_dataset import embed
from noneuclid_compare.records import Dataset


@pytest.fixture
def vectors():
    return np.random.default_rng(0).standard_normal((30, 3)) * [1, 5, 0.1]


@pytest.mark.parametrize("domain", ["simplex", "box"])
def test_there_and_back(vectors, domain):
    to, back = getattr(bounded, f"to_{domain}"), getattr(bounded, f"from_{domain}")
    X = to(vectors)
    polytope = Polytope.simplex(4) if domain == "simplex" else Polytope.box([0] * 3, [1] * 3)
    polytope.check_inside(X)
    charts.check_points(X, domain)
    np.testing.assert_allclose(back(X), vectors, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(to(vectors[3]), X[3], rtol=1e-14)


def test_simplex_coordinates_are_isometric_log_ratios(vectors):
    X = bounded.to_simplex(vectors)
    logs = np.log(X) - np.log(X).mean(axis=1, keepdims=True)
    for i, j in ((0, 1), (4, 9)):
        length = np.linalg.norm(vectors[i] - vectors[j])
        assert np.linalg.norm(logs[i] - logs[j]) == pytest.approx(length)
    np.testing.assert_allclose(bounded.from_simplex(7 * X), vectors, atol=1e-12)


def test_many_parts_have_the_basis_of_helmert():
    X = np.random.default_rng(0).dirichlet(np.full(200, 0.3), size=5) + 1e-12
    np.testing.assert_allclose(bounded.from_simplex(X), np.log(X) @ helmert(200).T, atol=1e-11)


def test_box_coordinates_are_logits(vectors):
    low, high = np.array([-1.0, 0.0, 5.0]), np.array([1.0, 10.0, 6.0])
    X = bounded.to_box(vectors, low, high)
    share = (X - low) / (high - low)
    np.testing.assert_allclose(np.log(share / (1 - share)), vectors, atol=1e-9)
    np.testing.assert_allclose(bounded.from_box(X, low, high), vectors, atol=1e-9)


def test_the_embedding_of_compositions_is_the_inverse(vectors):
    for domain, X in (
        ({"polytope": "simplex", "parts": 4}, bounded.to_simplex(vectors)),
        ({"polytope": "box", "low": [0.0] * 3, "high": [2.0] * 3}, bounded.to_box(vectors, 0, 2)),
    ):
        labels = np.arange(30) % 2
        data = Dataset("d", "composition", labels, ("a", "b"), X, about={"domain": domain})
        points = embed(LogRatio, data, 0).points
        np.testing.assert_allclose(points, vectors, atol=1e-10)


@each_of("target", bounded.BOUNDED)
@each_of("chart", charts.COORDINATES)
@each_of("curvature", [0.5, 2.0])
def test_every_chart_to_a_polytope_and_back(vectors, chart, target, curvature):
    X = charts.convert(vectors / 3, "tangent", chart, curvature)
    inside = charts.convert(X, chart, target, curvature)
    charts.check_points(inside, target, curvature)
    expected = getattr(bounded, f"to_{target}")(vectors / 3)
    np.testing.assert_allclose(inside, expected, rtol=1e-10)
    back = charts.convert(inside, target, chart, curvature)
    np.testing.assert_allclose(back, X, rtol=1e-9, atol=1e-11)


def test_what_float64_cannot_hold_is_refused_not_clipped():
    bounded.to_simplex([[400.0, 0.0]])
    bounded.to_box([[-700.0, 36.0]])
    for call, message in (
        (lambda: bounded.to_simplex([[0.0, 0.0], [0.0, 900.0]]), "row 1 is too far out .* simplex"),
        (lambda: bounded.to_box([[0.0, 37.0]]), "row 0 .* box: coordinate 1 becomes 1 .* rescale"),
        (lambda: bounded.to_box([[-800.0]]), "coordinate 0 becomes 0"),
        (lambda: bounded.to_box([-1.0, 40.0]), "coordinate 1 becomes 1"),
        (lambda: charts.convert([[0.0, 37.0]], "tangent", "box"), "too far out for float64"),
        (lambda: charts.convert([[np.inf]], "tangent", "simplex"), "out of float64's range"),
    ):
        with pytest.raises(InputError, match=message) as caught:
            call()
        assert "\n" not in str(caught.value)


def test_rows_that_are_not_inside_are_named():
    for call, message in (
        (lambda: bounded.from_simplex([[0.5, 0.5], [1.0, 0.0]]), "row 1 has 0.0 in column 1"),
        (
            lambda: bounded.from_box([[0.5, np.nan]]),
            "row 0 has nan in column 1, not inside the box",
        ),
        (lambda: bounded.from_box([[0.5, 2.0]], 0.0, 2.0), "row 0 has 2.0 in column 1"),
        (lambda: check([[0.5, 0.4]], "simplex"), "row 0 sums to 0.9, not 1"),
        (lambda: check([[0.5, 0.5], [1.5, -0.5]], "simplex"), "row 1 has part 1 = -0.5"),
        (lambda: check([[1.0]], "simplex"), r"at least 2 column\(s\)"),
        (
            lambda: check([[0.5, 1.25]], "box"),
            "has 1.25 in column 1, not inside the box from 0",
        ),
        (lambda: check([[0.5, np.inf]], "box"), "row 0, column 1 is inf"),
    ):
        with pytest.raises(InputError, match=message):
            call()


def check(rows, chart):
    charts.check_points(np.array(rows), chart)
