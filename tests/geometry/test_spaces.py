"""Points by the name of a chart, or of a product."""

import numpy as np
import pytest

from noneuclid.errors import InputError
from noneuclid.geometry import ProductSpace, charts, spaces

PRODUCT = "H2(-0.5) S2 E1"
SPACE = ProductSpace(PRODUCT)
POINTS = SPACE.random_wrapped_normal(8, covariances=0.3, random_state=0)


def test_names_of_products_are_signatures():
    assert spaces.product_of(PRODUCT) == SPACE
    for chart in (*charts.COORDINATES, "composition", None, spaces.AMBIENT):
        assert spaces.product_of(chart) is None


def test_a_product_is_kept_or_flattened_at_its_origin():
    np.testing.assert_allclose(spaces.convert(POINTS, PRODUCT, spaces.AMBIENT), POINTS, atol=1e-15)
    np.testing.assert_allclose(spaces.convert(POINTS, PRODUCT, PRODUCT), POINTS, atol=1e-15)
    flat = spaces.convert(POINTS, PRODUCT, "tangent")
    assert flat.shape == (8, SPACE.dimension)
    np.testing.assert_allclose(
        np.linalg.norm(flat, axis=1), SPACE.distance(SPACE.origin, POINTS), atol=1e-12
    )


def test_hyperbolic_points_are_those_of_charts():
    X = np.array([[0.3, 0.1]])
    for chart in charts.CHARTS:
        np.testing.assert_array_equal(
            spaces.convert(X, "klein", chart, 0.7), charts.convert(X, "klein", chart, 0.7)
        )


def test_other_charts_of_a_product_are_refused():
    with pytest.raises(InputError, match="have no coordinates in chart 'klein'"):
        spaces.convert(POINTS, PRODUCT, "klein")
    with pytest.raises(InputError, match="factor S2: row 0 is not on the sphere"):
        spaces.check_points(POINTS * 2 + [[1, 0, 0, 0, 0, 0, 0]] * 8, "S2 E4")


@pytest.mark.parametrize(("chart", "d"), [(PRODUCT, 5), ("hyperboloid", 6), ("klein", 7)])
def test_dimension_and_columns(chart, d):
    assert spaces.dimension(7, chart) == d
    assert spaces.columns(d, chart) == 7
