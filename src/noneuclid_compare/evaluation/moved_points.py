"""Whether a method depends on isometries: embedded points that are moved by one.

An isometry is a translation, then a rotation: the product of a boost and a rotation about the
origin, so `random_isometry` with all distances reaches every one that preserves orientation. Points
are moved on the hyperboloid, in light-cone coordinates: no digit cancels, however far out they are.
"""

from dataclasses import dataclass, replace

import numpy as np

from noneuclid.errors import InputError, require_number
from noneuclid.geometry import bounded, charts, lorentz

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
    for name in (embedded.chart, chart):
        if name in bounded.BOUNDED:
            return f"the method reads the {name}, not hyperbolic space"
    return ""


def moved(embedded, isometry):
    """Embedded data whose points, and reference points, are moved by an isometry.

    Raises
    ------
    InputError
        If the points are not in hyperbolic space.
    """
    if reason := refusal(embedded, embedded.chart):
        raise InputError(f"isometries: {reason}; leave out `isometries:` for these data")
    about, curvature = dict(embedded.about), embedded.curvature
    if "reference_points" in about:
        given = np.array(about["reference_points"])
        about["reference_points"] = isometry.move(given, embedded.chart, curvature).tolist()
    points = isometry.move(embedded.points, embedded.chart, curvature)
    return replace(embedded, points=points, chart="hyperboloid", about=about)


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


@dataclass(frozen=True)
class Isometry:
    """Translation by `distance` along the unit vector `direction`, then `rotation` of the space.

    Attributes
    ----------
    direction : ndarray, shape (d,)
    distance : float
        Of the origin and its image, in units of 1/sqrt(K), the space having curvature -K.
    rotation : ndarray, shape (d, d)
        Orthogonal, of determinant 1.
    """

    direction: np.ndarray
    distance: float
    rotation: np.ndarray

    def move(self, points, chart, curvature=1.0):
        """Images of the points of a chart, on the hyperboloid.

        Examples
        --------
        >>> shift = Isometry(np.array([1.0]), np.log(2), np.eye(1))
        >>> shift.move([[0.0]], "poincare")
        array([[1.25, 0.75]])
        """
        lifted = charts.convert(points, chart, "hyperboloid", curvature)
        moved = translate(lifted, self.direction, self.distance, curvature)
        return lorentz.from_spatial(moved[..., 1:] @ self.rotation.T, curvature)


def translate(x, direction, distance, curvature=1.0):
    """Points of the hyperboloid after the boost that moves the origin along a unit vector.

    With light-cone coordinates p, m = x0 + a, x0 - a of the component a along the direction, the
    boost is (p, m) -> (e^t p, e^-t m). The larger one is a sum; the smaller one follows from
    p m = 1/K + |across|^2.

    Examples
    --------
    >>> translate(lorentz.origin(1), np.array([1.0]), np.log(2))
    array([1.25, 0.75])
    """
    x, direction = np.asarray(x, dtype=float), np.asarray(direction, dtype=float)
    along = x[..., 1:] @ direction
    across = x[..., 1:] - along[..., None] * direction
    large = x[..., 0] + np.abs(along)
    small = (1 / curvature + np.einsum("...i,...i", across, across)) / large
    plus, minus = np.where(along >= 0, (large, small), (small, large))
    moved = (np.exp(distance) * plus - np.exp(-distance) * minus) / 2
    return lorentz.from_spatial(across + moved[..., None] * direction, curvature)


def random_isometry(dimension, distance, seed):
    """Translation by a distance in a uniformly random direction, then a random rotation.

    The rotation is uniform over the orientation-preserving ones (Haar measure: the orthogonal
    factor of a Gaussian matrix with the signs of Mezzadri 2007). `seed` is an integer or a sequence
    of integers, for `numpy.random.default_rng`.

    Examples
    --------
    >>> isometry = random_isometry(2, 1.5, seed=0)
    >>> image = isometry.move([[0.0, 0.0]], "klein")
    >>> lorentz.distance(lorentz.origin(2), image).round(12)
    array([1.5])
    """
    require_number(distance, "distance", "random_isometry", low=0)
    require_number(dimension, "dimension", "random_isometry", low=1, integer=True)
    rng = np.random.default_rng(seed)
    direction = rng.standard_normal(dimension)
    factor, triangle = np.linalg.qr(rng.standard_normal((dimension, dimension)))
    rotation = factor * np.where(np.diag(triangle) < 0, -1.0, 1.0)
    if np.linalg.det(rotation) < 0:
        rotation[:, 0] *= -1
    return Isometry(direction / np.linalg.norm(direction), float(distance), rotation)
