"""What a display of the disk asks of a fitted model and of labelled points."""

import numpy as np

from noneuclid.classifiers.default_chart import chart_of
from noneuclid.errors import InputError, require
from noneuclid.geometry import charts
from noneuclid.plots import disk_regions, tree_regions
from noneuclid.plots.class_display import read_labelled


def find_chart(model, chart):
    """The chart that a model reads; the one given for a model that has none."""
    name, known = type(model).__name__, ", ".join(charts.CHARTS)
    own = chart_of(model) if hasattr(model, "chart") else chart
    require(own is not None, f"{name} has no chart; give chart=, one of {known}")
    if own not in charts.CHARTS:
        raise InputError(
            f"{name} reads chart={own!r}, the disk one of {known}; "
            "compositions and polygons are for SimplexDisplay"
        )
    return own


def respond(model, method, points, names):
    """Codes of the classes at points, and the probabilities of these classes or None."""
    if method == "predict":
        return disk_regions.encode(disk_regions.evaluate(model, method, points), names), None
    if not hasattr(model, method):
        raise InputError(
            f"{type(model).__name__} with these settings has no {method}; use "
            "response_method='predict'"
        )
    probabilities = disk_regions.evaluate(model, method, points)
    return probabilities.argmax(axis=1).astype(np.int16), probabilities.max(axis=1)


def read_points(X, y, chart, curvature, names):
    """Places in the unit disk and codes of labelled points."""
    if X is None and y is None:
        return np.empty((0, 2)), np.empty(0, dtype=int)
    X, y = read_labelled(X, y)
    charts.check_points(X, chart, curvature)
    require_plane(X.shape[1], chart, "X")
    points = charts.convert(X, chart, "poincare", curvature) * np.sqrt(curvature)
    return points, disk_regions.encode_known(y, names)


def require_plane(width, chart, name):
    """Refuse other dimensions than two."""
    if width is None:
        return
    d = width - (chart == "hyperboloid")
    require(
        d == 2,
        f"{name} has {d} {'dimension' if d == 1 else 'dimensions'}, the disk 2: "
        "embed the data in two dimensions and fit the model to these",
    )


def find_splits(model):
    """Splits of a single hyperbolic tree."""
    # By name: a picture of another method does not depend on the code of trees.
    if "HyperbolicDecisionTreeClassifier" not in [base.__name__ for base in type(model).__mro__]:
        return []
    return [arc.points() for arc in tree_regions.arcs(model)]
