"""Base of estimators whose rows are points of a product space."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers.validation import read
from noneuclid.errors import require
from noneuclid.estimator import Estimator
from noneuclid.geometry.product_space import ProductSpace, space_of

SPACE = {"space": [str, ProductSpace, None]}


class ProductEstimator(Estimator):
    """Rows as blocks of ambient coordinates, one a factor, of curvature -1, 1 or 0.

    `space` is a `ProductSpace`, a signature, or None for flat columns; `fit` sets `space_`.
    """

    _parameter_constraints = SPACE

    def _read_training(self, X, y="no_validation"):
        """Blocks of the rows of `fit`, with the labels if there are any."""
        X, *labels = found if isinstance(found := read(self, X, y), tuple) else (found,)
        self.space_ = space_of(self.space, X.shape[1])
        blocks = unit_blocks(self.space_, X)
        return (blocks, *labels) if labels else blocks

    def _read_new(self, X):
        """Blocks of new rows."""
        check_is_fitted(self)
        return unit_blocks(self.space_, read(self, X, reset=False))


def unit_blocks(space, X):
    """Checked rows on the hyperboloid and the sphere of curvature -1 and 1, one block a factor.

    Examples
    --------
    >>> unit_blocks(ProductSpace("H1 S1 E1", charts=["klein", "tangent", "euclidean"]),
    ...             [[0.6, 0.0, 3.0]])
    [array([[1.25, 0.75]]), array([[1., 0.]]), array([[3.]])]
    """
    found = []
    for factor, block in zip(space.factors, space.split(X), strict=True):
        factor.check(block)
        found.append(factor.to_ambient(block) * np.sqrt(abs(factor.curvature) or 1.0))
    return found


def space_instead_of_chart(model):
    """`ProductSpace` of an estimator that also reads the rows of a chart; None if these are."""
    if model.space is None:
        return None
    require(
        model.chart is None and model.curvature == 1.0,
        f"space is {str(model.space)!r}, which has charts and curvatures of its own, but "
        f"chart={model.chart!r} and curvature={model.curvature!r} are given; leave them out, and "
        "pass space=ProductSpace(..., charts=..., curvatures=...)",
    )
    return space_of(model.space, None)
