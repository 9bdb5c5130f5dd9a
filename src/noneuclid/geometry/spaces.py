"""Points of hyperbolic space or of a product, by the name of a chart.

The name of a product is its signature, such as "H2 S2": points are then in the charts
"hyperboloid", "sphere" and "euclidean". Other names are those of `charts`.
"""

import re

from noneuclid.errors import InputError
from noneuclid.geometry import charts

AMBIENT = "ambient"
"""Coordinates as plain columns: of a product unchanged, of hyperbolic space the hyperboloid."""


def is_signature(chart):
    """Whether a name is the signature of a product.

    Examples
    --------
    >>> is_signature("H2 S2"), is_signature("hyperboloid"), is_signature(None)
    (True, False, False)
    """
    return isinstance(chart, str) and re.match(r"[HSE]\d", chart) is not None


def is_known(chart):
    """Whether points can be written by this name."""
    return chart in charts.COORDINATES or chart == AMBIENT or is_signature(chart)


def product_of(chart):
    """The `ProductSpace` of a signature; None if the name is not one.

    Examples
    --------
    >>> product_of("H2 S2"), product_of("poincare")
    (ProductSpace('H2 S2'), None)
    """
    if not is_signature(chart):
        return None
    # Here, because it loads numba, which most jobs do not need.
    from noneuclid.geometry.product_space import ProductSpace

    return ProductSpace(chart)


def check_points(X, chart, curvature=1.0):
    """Raise an error with row, value and remedy unless the rows are legal points."""
    space = product_of(chart)
    if space is None:
        charts.check_points(X, chart, curvature)
    else:
        space.check_points(X)


def convert(X, chart_in, chart_out, curvature=1.0):
    """Write the same points in another chart; a product also in "tangent", at its origin.

    Examples
    --------
    >>> import numpy as np
    >>> convert(np.array([[1.25, 0.75, 2.0]]), "H1 E1", "tangent").round(6)
    array([[0.693147, 2.      ]])
    """
    space = product_of(chart_in)
    if space is None:
        chart_out = "hyperboloid" if chart_out == AMBIENT else chart_out
        return charts.convert(X, chart_in, chart_out, curvature)
    if chart_out == AMBIENT or product_of(chart_out) == space:
        return space.convert(X)
    if chart_out != "tangent":
        raise InputError(
            f"points of {chart_in} have no coordinates in chart {chart_out!r}; give 'tangent' or "
            f"{AMBIENT!r}, or a method with a parameter `space`"
        )
    flat = [f.default_chart if f.kind == "E" else "tangent" for f in space.factors]
    return space.convert(X, flat)


def dimension(columns, chart):
    """Dimension of a space whose points have so many columns.

    Examples
    --------
    >>> dimension(6, "H2 S2"), dimension(3, "hyperboloid"), dimension(3, "klein")
    (4, 2, 3)
    """
    space = product_of(chart)
    return columns - (chart in ("hyperboloid", "simplex")) if space is None else space.dimension


def columns(dimension, chart):
    """Number of columns of points of a space of this dimension: the inverse of `dimension`."""
    space = product_of(chart)
    return dimension + (chart in ("hyperboloid", "simplex")) if space is None else space.n_features
