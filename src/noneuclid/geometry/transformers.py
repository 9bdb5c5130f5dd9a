"""Charts as a step of a pipeline."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted, validate_data

from noneuclid.errors import require
from noneuclid.estimator import REFERENCE, Estimator, without_gradient
from noneuclid.geometry import charts


class ChartTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
    """Write the same points in another chart: `convert` as a step of a pipeline.

    Parameters
    ----------
    chart_in : str, default="tangent"
        Of the rows of X: "hyperboloid", "poincare", "klein", "tangent", "half_space", "simplex" or
        "box".
    chart_out : str, default="poincare"
        Of the rows that `transform` returns.
    curvature : float > 0, default=1.0
        K, the space having curvature -K.

    Attributes
    ----------
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : ndarray of str
        Names of the columns of a data frame.

    Raises
    ------
    InputError
        If a row is not a point of `chart_in`, or float64 cannot hold it in `chart_out`.

    See Also
    --------
    convert : The same as a function, with its accuracy.
    Isometry : Moves points.

    Notes
    -----
    O(n d). Nothing is learned.

    Examples
    --------
    >>> to_klein = ChartTransformer("poincare", "klein")
    >>> to_klein.fit_transform([[0.5, 0.0]])
    array([[0.8, 0. ]])
    >>> to_klein.inverse_transform([[0.8, 0.0]])
    array([[0.5, 0. ]])
    """

    _doc_link_template = REFERENCE + ".geometry.{estimator_name}.html"

    def __init__(
        self, chart_in: str = "tangent", chart_out: str = "poincare", curvature: float = 1.0
    ) -> None:
        self.chart_in = chart_in
        self.chart_out = chart_out
        self.curvature = curvature

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Check the points; nothing is learned.

        Parameters
        ----------
        X : array_like, shape (n, d), or (n, d + 1) on the hyperboloid and the simplex
        y : None
            Ignored.

        Returns
        -------
        self
        """
        X = self._read(X, reset=True)
        self._n_features_out = self._converted(X[:1], self.chart_in, self.chart_out).shape[1]
        charts.check_points(X, self.chart_in, self.curvature)
        return self

    def transform(self, X: ArrayLike) -> np.ndarray:
        """Write points in `chart_out`.

        Parameters
        ----------
        X : array_like, shape (n, d), or (n, d + 1) on the hyperboloid and the simplex

        Returns
        -------
        ndarray of float64, shape (n, d), or (n, d + 1) on the hyperboloid and the simplex
        """
        check_is_fitted(self)
        X = self._read(X, reset=False)
        return self._converted(X, self.chart_in, self.chart_out)

    def inverse_transform(self, X: ArrayLike) -> np.ndarray:
        """Write points of `chart_out` in `chart_in`.

        Parameters
        ----------
        X : array_like, shape (n, d), or (n, d + 1) on the hyperboloid and the simplex

        Returns
        -------
        ndarray of float64, shape (n, d), or (n, d + 1) on the hyperboloid and the simplex
        """
        check_is_fitted(self)
        X = check_array(without_gradient(X), dtype=np.float64, ensure_all_finite=False)
        require(
            X.shape[1] == self._n_features_out,
            f"ChartTransformer: X has {X.shape[1]} columns, but its points have "
            f"{self._n_features_out}",
        )
        return self._converted(X, self.chart_out, self.chart_in)

    def _read(self, X, reset):
        """Rows whose values `_converted` checks."""
        X = without_gradient(X)
        return validate_data(self, X, dtype=np.float64, ensure_all_finite=False, reset=reset)

    def _converted(self, X, chart_in, chart_out):
        """Points of one chart, checked, in another."""
        charts.check_points(X, chart_in, self.curvature)
        return charts.convert(X, chart_in, chart_out, self.curvature)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_n_features_out")
