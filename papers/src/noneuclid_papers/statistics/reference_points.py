"""Two classes of a data set in the plane, and Poincaré SVMs with several reference points."""

from dataclasses import dataclass

import numpy as np
from sklearn.base import clone

from noneuclid.errors import InputError
from noneuclid.geometry import charts, hulls, lorentz

RULES = ("hulls", "midpoint of means", "best plane", "origin")


@dataclass(frozen=True)
class Scene:
    """What the figures show of two classes; all points on the hyperboloid of curvature -1.

    `points` (n, 3); `positive` (n,), rows of the second class; `codes` of the classes in the data
    set; `corners`, vertices (m, 3) of the hull of each class, in order; `pair` (2, 3), closest
    points of the hulls or, where these overlap, the nearest of their vertices; `planes`, reference
    point and unit Lorentz normal by the rule that gave the point.
    """

    points: np.ndarray
    positive: np.ndarray
    class_names: tuple
    codes: tuple
    corners: tuple
    pair: np.ndarray
    overlap: bool
    planes: dict

    @property
    def reference(self):
        """Midpoint of `pair`, shape (3,)."""
        return lorentz.geodesic(*self.pair, 0.5)


def scene(embedded, classes, model):
    """Hulls, closest pair and SVMs of two classes of points in two dimensions.

    The settings of the PoincareSVC `model` are used, except `reference_point`, which takes each of
    `RULES`.
    """
    name = embedded.about["dataset"]["name"]
    if embedded.dimension != 2:
        raise InputError(
            f"Reference points: {name} has {embedded.dimension} dimensions; use an "
            "embedding with n_components: 2"
        )
    for one in classes:
        if one not in embedded.class_names:
            raise InputError(
                f"Reference points: {name} has no class {one!r}; it has "
                f"{', '.join(embedded.class_names)}"
            )
    codes = [embedded.class_names.index(one) for one in classes]
    rows = np.flatnonzero(np.isin(embedded.labels, codes))
    positive = embedded.labels[rows] == codes[1]
    chart, curvature = embedded.chart, embedded.curvature
    points = charts.convert(embedded.points[rows], chart, "hyperboloid", curvature)
    points = points * np.sqrt(curvature)
    corners = tuple(_corners(points[positive == side]) for side in (False, True))
    pair, overlap = _closest(*corners)
    planes = _planes(points, positive, model)
    return Scene(points, positive, tuple(classes), tuple(codes), corners, pair, overlap, planes)


def _corners(points):
    """Vertices of the hull, in their order along its boundary."""
    corners = points[hulls.hull_vertices(points, "hyperboloid")]
    flat = charts.convert(corners, "hyperboloid", "klein")
    flat = flat - flat.mean(0)
    return corners[np.argsort(np.arctan2(*flat.T))]


def _closest(first, second):
    pair = hulls.closest_pair(first, second, "hyperboloid")
    if not pair.overlap:
        return np.array([pair.x, pair.y]), False
    i, j, _ = hulls.closest_vertices(first, second, "hyperboloid")
    return np.array([first[i], second[j]]), True


def _planes(points, positive, model):
    """Reference point and unit normal, by the rule used."""
    planes = {}
    for rule in RULES:
        fitted = clone(model).set_params(
            reference_point=rule, chart="hyperboloid", curvature=1.0, calibration=None
        )
        fitted.fit(points, positive)
        normal = fitted.coef_[0] / np.sqrt(lorentz.product(fitted.coef_[0], fitted.coef_[0]))
        planes[str(fitted.reference_rules_[0])] = fitted.reference_points_[0], normal
    return planes


def line(point, normal, margin=0.0, reach=12.0, size=400):
    """Points (size, 3) at a signed distance ε = margin from the hyperplane through p, rim to rim.

    With the unit tangent u of the hyperplane at p, g(s) = p cosh s + u sinh s runs along it, and
    g cosh ε + n sinh ε lies ε to the side of n, <n,n>_L = 1, <n,p>_L = 0; |s| <= reach.
    """
    s = np.linspace(-reach, reach, size)[:, None]
    # Orthogonal to both in the Lorentz product: J (p x n).
    tangent = np.cross(point, normal) * [-1.0, 1.0, 1.0]
    along = point * np.cosh(s) + tangent * np.sinh(s)
    return along * np.cosh(margin) + normal * np.sinh(margin)
