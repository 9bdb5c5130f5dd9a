"""What a display of a polygon asks of a fitted model and of labelled points."""

from copy import copy

import numpy as np
from scipy.special import softmax

from noneuclid.classifiers.polytope_points import to_polytope
from noneuclid.errors import require
from noneuclid.geometry.polytope import Polytope
from noneuclid.plots import disk_regions
from noneuclid.plots.class_display import read_labelled

PARTS = ("part 1", "part 2", "part 3")


def has_hyperplanes(model):
    """Whether a model divides its polytope by hyperplanes, as `HilbertSVC` does."""
    return hasattr(model, "hyperplane_distance")


def has_representatives(model):
    """Whether each class has a point of the polytope, as in `HilbertNearestClassifier`."""
    return hasattr(model, "polytope_") and hasattr(model, "centers_")


def predict_inside(model, points):
    """Classes of points of the polytope, for a model that may read them in another chart."""
    if hasattr(model, "polytope_"):
        # Another chart need not reach the corners of the polytope.
        model = copy(model).set_params(chart="polytope")
        model.n_features_in_ = points.shape[1]
    return disk_regions.evaluate(model, "predict", points)


def predict_regions(model, plane, class_names, size=500):
    """Codes of the classes at the pixels of a plane; -1 outside."""
    inside, _ = plane.pixels(size)
    there = ~np.isnan(inside[..., 0])
    codes = np.full(there.shape, disk_regions.NOTHING, dtype=np.int16)
    codes[there] = disk_regions.encode(predict_inside(model, inside[there]), class_names)
    return codes


def require_flat(polytope):
    """Refuse a polytope of other than two dimensions."""
    require(
        polytope.dimension == 2,
        f"the polytope has dimension {polytope.dimension}, the picture 2: "
        "take three parts, or a polygon",
    )


def check_extras(model, names, margin, balls):
    """Refuse a margin, or balls, for a model without."""
    name = type(model).__name__
    two_sided = has_hyperplanes(model) and len(names) == 2
    require(
        two_sided or not margin,
        f"{name} with {len(names)} classes has no single margin; fit a HilbertSVC to two",
    )
    require(
        two_sided or has_representatives(model) or not balls,
        f"balls={balls} needs a HilbertSVC of two classes or a HilbertNearestClassifier",
    )


def find_centres(model, polytope):
    """The representatives of the classes, of a model that has them on the simplex."""
    if has_representatives(model) and polytope.is_simplex:
        return softmax(model.centers_, axis=1)
    return np.empty((0, polytope.A.shape[1]))


def polytope_of(model):
    """The polytope of a model, or the triangle for any that reads three parts."""
    if hasattr(model, "polytope_"):
        return model.polytope_
    width = getattr(model, "n_features_in_", 3)
    require(
        width == 3,
        f"{type(model).__name__} reads {width} columns, the triangle shows compositions of 3 "
        "parts: fit it to three parts that sum to one",
    )
    return Polytope.simplex(3)


def read_points(model, polytope, X, y, names):
    """Points of the polytope and codes of labelled rows."""
    X, y = read_labelled(X, y)
    if hasattr(model, "polytope_"):
        _, X = to_polytope(X, model.polytope, model.chart, model.curvature)
    else:
        polytope.check_inside(X)
    return X, disk_regions.encode_known(y, names)


def find_part_names(model):
    """The columns of `fit`, if they have names."""
    names = getattr(model, "feature_names_in_", PARTS)
    return names if len(names) == 3 else PARTS
