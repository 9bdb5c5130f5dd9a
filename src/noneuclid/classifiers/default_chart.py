"""The chart of rows for which none is given, and a warning where another one is likely.

Embeddings return points of the Poincaré ball unless asked otherwise, and a classifier reads tangent
vectors unless asked otherwise, as a table holds. An array does not say in which chart it is
written.
"""

import warnings
from numbers import Real

import numpy as np

from noneuclid.classifiers.sklearn_private import Interval, StrOptions
from noneuclid.geometry.charts import BALLS, CHARTS, RIM, on_hyperboloid, scaled_norms

DEFAULT = "tangent"

# Nearer to the origin, tangent vectors are twice the Poincaré coordinates, to less than 10 %.
_NEAR = 0.5
# Farther out, a path between two points passes near the origin, and neighbours change.
_FAR = 3.0


class Chart(StrOptions):
    """scikit-learn's constraint of `chart`; its text explains the names of other libraries."""

    def __str__(self):
        return f"{super().__str__()} ('poincare': the ball, 'hyperboloid': the Lorentz model)"


class Curvature(Interval):
    """scikit-learn's constraint of `curvature`; its text explains the sign."""

    def __init__(self):
        super().__init__(Real, 0, None, closed="neither")

    def __str__(self):
        return f"{super().__str__()}: K, of a space of curvature -K, so 1 for curvature -1"


CONSTRAINTS = {"chart": [Chart(set(CHARTS)), None], "curvature": [Curvature()]}


def chart_of(model):
    """Name of the chart that a model reads."""
    return DEFAULT if model.chart is None else model.chart


def question_default(model, X):
    """Warn if no chart is given and all rows look like points of another chart.

    Returns the `charts.scaled_norms` of the rows if they were needed. Points of a product space
    have charts of their own.
    """
    if getattr(model, "space", None) is not None or getattr(model, "chart", DEFAULT) is not None:
        return None
    norms = scaled_norms(X, DEFAULT, model.curvature)
    found = likely_chart(X, model.curvature, norms)
    if not found:
        return norms
    charts, place = found
    given = " or ".join(f"chart={name!r}" for name in charts)
    first = " after noneuclid.geometry.charts.project_to_ball" if "rim" in place else ""
    warnings.warn(
        f"{type(model).__name__} reads tangent vectors by default, but all {len(X)} rows lie "
        f"{place}, as the points of an embedding do; pass {given}{first} if they are such points, "
        f"chart={DEFAULT!r} if they are not",
        UserWarning,
        stacklevel=getattr(model, "_stacklevel", 5),
    )
    return norms


def question_scale(model, X):
    """Warn if no chart is given and rows lie where hyperbolic neighbours are not those of X."""
    if getattr(model, "space", None) is not None:
        return
    middle = np.sqrt(model.curvature) * np.median(np.linalg.norm(X, axis=1))
    if model.chart is None and middle > _FAR and likely_chart(X, model.curvature) is None:
        warnings.warn(
            f"{type(model).__name__} reads tangent vectors by default, and half of the rows lie "
            f"beyond {middle:.2g} radii of curvature from the origin, where hyperbolic neighbours "
            f"differ from those of a table; multiply X by {1 / middle:.1g}, or pass "
            f"chart={DEFAULT!r} if this is intended",
            UserWarning,
            stacklevel=5,
        )


def likely_chart(X, curvature=1.0, norms=None):
    """Charts in which rows are probably written, and the place of all rows; None if tangent.

    Rows on the hyperboloid are points of it. Rows of two or more columns inside the ball of radius
    1/sqrt(K) are points of the Poincaré or Klein ball, unless all lie within half of this radius:
    there the three charts differ by little more than a factor. Training in float32 leaves some
    rows at the rim, up to `charts.RIM`. Rows of which half are there were divided by their norms;
    rows with some there and without negative coordinates, by their sums. Rows of which one alone is
    there, to the precision of float64, were divided by the largest norm.

    Examples
    --------
    >>> likely_chart(np.array([[0.3, 0.1], [0.0, -0.8]]))
    (('poincare', 'klein'), 'in the ball of radius 1')
    >>> likely_chart(np.array([[0.3, 0.1], [0.0, -0.8], [-1.0, 2e-4]]))
    (('poincare', 'klein'), 'in the ball of radius 1, 1 at its rim (norms up to 1.00000002)')
    >>> likely_chart(np.array([[0.3, 0.1], [0.0, -0.8], [-1.0, 0.0]]))
    >>> likely_chart(np.array([[0.3, 0.1], [0.0, -0.8], [0.9, 1.2]]))
    """
    if X.shape[1] < 2:
        return None
    norms = scaled_norms(X, DEFAULT, curvature) if norms is None else norms
    longest, radius = norms.max(), 1 / np.sqrt(curvature)
    if _NEAR <= longest <= 1 + RIM and 2 * np.count_nonzero(norms >= 1 - RIM) < len(X):
        place, count = f"in the ball of radius {radius:.6g}", np.count_nonzero(norms >= 1)
        if not count:
            return BALLS, place
        if (X < 0).any() and not _divided_by_largest(norms):
            return BALLS, f"{place}, {count} at its rim (norms up to {longest * radius:.9g})"
    if longest >= 1 and on_hyperboloid(X, curvature).all():
        return ("hyperboloid",), "on the hyperboloid"
    return None


def _divided_by_largest(norms):
    """Whether one norm of (n,) is 1, to the precision of float64, and all others are smaller."""
    *others, longest = np.sort(norms)
    return abs(longest - 1) <= 4 * np.finfo(float).eps and max(others, default=0) < 1 - 1e-9
