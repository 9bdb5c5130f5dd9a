"""Rows of any chart as points of a polytope."""

import numpy as np

from noneuclid.classifiers.default_chart import Chart
from noneuclid.classifiers.sklearn_private import StrOptions
from noneuclid.errors import InputError
from noneuclid.geometry import bounded, charts
from noneuclid.geometry.polytope import Polytope

CHARTS = ("polytope", "simplex", "box", *charts.CHARTS)
CONSTRAINTS = {
    "polytope": [StrOptions({"simplex", "box"}), Polytope, dict],
    "chart": [Chart(set(CHARTS))],
}


def make_polytope(setting, width):
    """The polytope of a setting, for rows of this width.

    A Polytope, "simplex", "box" (the unit box) or {"regular_polygon": m} (around the unit disk).
    """
    if isinstance(setting, Polytope):
        return setting
    if setting == "simplex":
        return Polytope.simplex(width)
    if setting == "box":
        return Polytope.box(np.zeros(width), np.ones(width))
    if list(setting) != ["regular_polygon"]:
        raise InputError(
            f"polytope={setting!r}; give a Polytope, 'simplex', 'box' or {{'regular_polygon': m}}"
        )
    return Polytope.regular_polygon(setting["regular_polygon"])


def to_polytope(X, setting, chart, curvature):
    """Polytope of a classifier and the rows as points inside it.

    Charts: "polytope", rows unchanged; "simplex", "box", the same, for that polytope only;
    "tangent", any vectors, mapped to a composition by the inverse of the isometric log-ratios (one
    part more than columns) or to the unit box by the sigmoid. Other polytopes take "hyperboloid",
    "poincare", "klein" or "tangent", whose points are mapped to the Klein ball, scaled to radius
    one.

    Raises
    ------
    InputError
        If polytope and chart do not fit, or a row is not strictly inside.

    Examples
    --------
    >>> polytope, points = to_polytope(np.zeros((1, 2)), "simplex", "tangent", 1.0)
    >>> polytope, points.round(3)
    (Polytope of dimension 2 with 3 facets, array([[0.333, 0.333, 0.333]]))
    """
    name = setting if isinstance(setting, str) else None
    if chart in bounded.BOUNDED and name != chart:
        raise InputError(f"chart={chart!r} needs polytope={chart!r}; got {setting!r}")
    if chart in charts.CHARTS:
        if name and chart != "tangent":
            raise InputError(
                f"chart={chart!r} cannot be used with polytope={name!r}; give polytope="
                "{'regular_polygon': 20}, or chart='tangent'"
            )
        charts.check_points(X, chart, curvature)
        X = charts.convert(X, chart, name or "klein", curvature)
        X = X if name else np.sqrt(curvature) * X
    polytope = make_polytope(setting, X.shape[1])
    polytope.check_inside(X)
    return polytope, X
