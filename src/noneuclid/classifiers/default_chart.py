"""The chart of rows for which none is given, and a warning where another one is likely.

Embeddings return points of the Poincaré ball unless asked otherwise, and a classifier reads tangent
vectors unless asked otherwise, as a table holds. An array does not say in which chart it is
written.
"""

import warnings

import numpy as np

from noneuclid.geometry.charts import on_hyperboloid

DEFAULT = "tangent"

# Nearer to the origin, tangent vectors are twice the Poincaré coordinates, to less than 10 %.
_NEAR = 0.5
# Farther out, a path between two points passes near the origin, and neighbours change.
_FAR = 3.0


def chart_of(model):
    """Name of the chart that a model reads."""
    return DEFAULT if model.chart is None else model.chart


def question_default(model, X):
    """Warn if no chart is given and all rows look like points of another chart."""
    if model.chart is not None:
        return
    found = likely_chart(X, model.curvature)
    if not found:
        return
    charts, place = found
    given = " or ".join(f"chart={name!r}" for name in charts)
    warnings.warn(
        f"{type(model).__name__} reads tangent vectors by default, but all {len(X)} rows lie "
        f"{place}, as the points of an embedding do; pass {given} if they are such points, "
        f"chart={DEFAULT!r} if they are not",
        UserWarning,
        stacklevel=5,
    )


def question_scale(model, X):
    """Warn if no chart is given and rows lie where hyperbolic neighbours are not those of X."""
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


def likely_chart(X, curvature=1.0):
    """Charts in which rows are probably written, and the place of all rows; None if tangent.

    Rows on the hyperboloid are points of it. Rows of two or more columns inside the ball of radius
    1/sqrt(K) are points of the Poincaré or Klein ball, unless all lie within half of this radius:
    there the three charts differ by little more than a factor.

    Examples
    --------
    >>> likely_chart(np.array([[0.3, 0.1], [0.0, -0.8]]))
    (('poincare', 'klein'), 'in the ball of radius 1')
    >>> likely_chart(np.array([[0.3, 0.1], [0.0, -0.8], [0.9, 1.2]]))
    """
    if X.shape[1] < 2:
        return None
    longest = np.sqrt(curvature * np.einsum("ij,ij->i", X, X).max())
    if _NEAR <= longest < 1:
        return ("poincare", "klein"), f"in the ball of radius {1 / np.sqrt(curvature):.6g}"
    if longest >= 1 and on_hyperboloid(X, curvature).all():
        return ("hyperboloid",), "on the hyperboloid"
    return None
