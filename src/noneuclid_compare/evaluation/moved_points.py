"""Whether a method depends on isometries: embedded points that are moved by one."""

from dataclasses import replace

import numpy as np

from noneuclid.errors import InputError
from noneuclid.geometry import bounded, charts, spaces
from noneuclid.geometry.isometries import random_isometry

SAME = 1e-6
"""Predicted numbers are equal if they differ by less than this share of the range of the truth."""


def refusal(embedded, chart):
    """Why points are not moved for a method that reads `chart`; empty if they can be.

    Examples
    --------
    >>> from noneuclid_compare.records import Embedded
    >>> points = Embedded(np.zeros((1, 2)), "poincare", np.zeros(1, int), ("a",))
    >>> refusal(points, "klein"), refusal(points, "simplex")
    ('', 'the method reads the simplex, not hyperbolic space')
    """
    about = embedded.about
    if about.get("dataset", {}).get("kind") == "composition":
        return "compositions are not in hyperbolic space"
    if about.get("embedding", {}).get("original_features"):
        return "original features are not in hyperbolic space"
    if spaces.product_of(embedded.chart):
        return f"the points are in {embedded.chart}, not hyperbolic space"
    for name in (embedded.chart, chart):
        if name in bounded.BOUNDED:
            return f"the method reads the {name}, not hyperbolic space"
    return ""


def drawn(embedded, distance, seed):
    """A random isometry of the hyperboloid of embedded data.

    It moves the origin by `distance`, in units of 1/sqrt(K). `seed` is an integer or a sequence of
    integers, for `numpy.random.default_rng`.
    """
    return random_isometry(
        embedded.dimension,
        distance / np.sqrt(embedded.curvature),
        chart="hyperboloid",
        curvature=embedded.curvature,
        random_state=np.random.default_rng(seed),
    )


def moved(embedded, isometry):
    """Embedded data whose points, and reference points, are moved by an isometry as `drawn`.

    Raises
    ------
    InputError
        If the points are not in hyperbolic space.
    """
    if reason := refusal(embedded, embedded.chart):
        raise InputError(f"isometries: {reason}; leave out `isometries:` for these data")

    def move(points):
        lifted = charts.convert(points, embedded.chart, "hyperboloid", embedded.curvature)
        return isometry.fit_transform(lifted)

    about = dict(embedded.about)
    if "reference_points" in about:
        about["reference_points"] = move(np.array(about["reference_points"])).tolist()
    return replace(embedded, points=move(embedded.points), chart="hyperboloid", about=about)


def farthest(embedded):
    """Largest distance of a point from the origin, in units of 1/sqrt(K)."""
    curvature = embedded.curvature
    distances = charts.distance_from_origin(embedded.points, embedded.chart, curvature)
    return float(np.sqrt(curvature) * distances.max())


def changed(before, after):
    """Number of rows whose predicted class differs, or whose predicted number does by `SAME`.

    Both are Predictions of the same rows in the same order.
    """
    if not np.array_equal(before.rows, after.rows):
        raise InputError("the folds have changed since the training: run the stage train again")
    if before.truth.dtype.kind != "f":
        return int((before.predicted != after.predicted).sum())
    tolerance = SAME * np.ptp(before.truth)
    return int((np.abs(before.predicted - after.predicted) > tolerance).sum())
