"""Principal geodesic analysis: principal components of the tangent space at the Fréchet mean."""

from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted

from noneuclid.classifiers.chart_estimator import ChartEstimator
from noneuclid.classifiers.parameter_types import Chart
from noneuclid.classifiers.sklearn_private import Interval, check_parameters
from noneuclid.classifiers.weights import check_row_weights
from noneuclid.errors import require
from noneuclid.estimator import without_gradient
from noneuclid.geometry import tangent
from noneuclid.geometry.means import mean_and_covariance
from noneuclid.geometry.normal_coordinates import radial_frame, seen_from, to_vectors


class PrincipalGeodesicAnalysis(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ChartEstimator):
    """Principal components of the tangent vectors at the Fréchet mean.

    Principal geodesic analysis [1]_ in its linear form: rows are mapped by the logarithm at their
    Fréchet mean, where the mean of the vectors is 0, and principal components follow. Geodesics
    through the mean along the components are the principal geodesics. Distances from the mean are
    kept, other distances of the output are too short. Isometries of the space change no output but
    by sign.

    Parameters
    ----------
    n_components : int or None, default=None
        None takes all.
    chart : {"tangent", "poincare", "klein", "hyperboloid"} or None, default=None
        How the rows of X are written. None reads tangent vectors, as a table holds, and warns if
        the rows look like points of another chart: embeddings return ``"poincare"`` by default.
    curvature : float > 0, default=1.0
        K; the space has curvature -K.

    Attributes
    ----------
    mean_ : ndarray, shape (d,), or (d + 1,) for chart "hyperboloid"
        Fréchet mean, in the chart.
    components_ : ndarray, shape (n_components, d)
        Directions in the frame that the boost from the origin carries to the mean. The row
        farthest along a direction has a positive coordinate.
    explained_variance_ : ndarray, shape (n_components,)
        Weighted mean of the squared coordinates, in units of the space of curvature -K.
    explained_variance_ratio_ : ndarray, shape (n_components,)
        Shares of the mean squared distance from the mean.
    n_components_ : int

    See Also
    --------
    LiftedPCA : Components of a flat table, lifted to hyperbolic space.

    Notes
    -----
    O(n d²). The variance is divided by n, that of scikit-learn's `PCA` by n - 1; shares are equal.

    References
    ----------
    .. [1] P. T. Fletcher, C. Lu, S. Pizer, S. Joshi, Principal geodesic analysis for the study of
       nonlinear statistics of shape, IEEE Transactions on Medical Imaging 23, 2004, algorithm 2.

    Examples
    --------
    >>> from noneuclid import PrincipalGeodesicAnalysis
    >>> X = [[0.0, 0.1], [0.5, 0.1], [-0.5, 0.1]]
    >>> model = PrincipalGeodesicAnalysis(1, chart="poincare").fit(X)
    >>> bool(model.explained_variance_ratio_[0] > 0.99)
    True
    >>> model.inverse_transform(model.transform(X)).shape
    (3, 2)
    """

    _parameter_constraints = {  # noqa: RUF012
        **ChartEstimator._parameter_constraints,
        "n_components": [Interval(Integral, 1, None, closed="left"), None],
    }

    def __init__(
        self,
        n_components: int | None = None,
        *,
        chart: Chart | None = None,
        curvature: float = 1.0,
    ) -> None:
        self.n_components = n_components
        self.chart = chart
        self.curvature = curvature

    @check_parameters
    def fit(self, X: ArrayLike, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Find the mean and the directions.

        Parameters
        ----------
        X : array-like, shape (n, d), or (n, d + 1) for chart "hyperboloid"
        y : None
            Ignored.
        sample_weight : array-like, shape (n,), or None
            Finite numbers >= 0: 2 counts as two equal rows, 0 as none.

        Returns
        -------
        self

        Raises
        ------
        InputError
            If a row of X does not satisfy the chart, a weight is negative or not finite, or there
            are fewer dimensions than components.
        """
        points = self._read_training(X)
        weights = check_row_weights(sample_weight, points)
        d = points.shape[1] - 1
        count = d if self.n_components is None else self.n_components
        require(count <= d, f"n_components = {count}, but the points have {d} dimensions; lower it")
        mean, covariance = mean_and_covariance(points, weights)
        values, vectors = np.linalg.eigh(covariance)
        values, axes = values[::-1].clip(0.0), vectors.T[::-1]
        self.mean_ = self._to_chart(mean)
        self.components_ = axes[:count]
        found = self._coordinates(points[weights > 0])
        farthest = found[np.abs(found).argmax(axis=0), np.arange(count)]
        self.components_ = self.components_ * np.where(farthest < 0, -1.0, 1.0)[:, None]
        self.explained_variance_ = values[:count] / self.curvature
        self.explained_variance_ratio_ = values[:count] / (values.sum() or 1.0)
        self.n_components_ = count
        return self

    def transform(self, X: ArrayLike) -> np.ndarray:
        """Coordinates along the principal geodesics.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n, n_components)
            In units of the space: as points of chart "tangent" their distances from the origin are
            those from the mean, up to the components left out.
        """
        return self._coordinates(self._read_new(X))

    def inverse_transform(self, X: ArrayLike) -> np.ndarray:
        """Points of the principal geodesic subspace with these coordinates.

        Parameters
        ----------
        X : array-like, shape (n, n_components)

        Returns
        -------
        ndarray, shape (n, d), or (n, d + 1) for chart "hyperboloid"
            In the chart.

        Raises
        ------
        InputError
            If X has another number of columns, or the chart does not hold a point.
        """
        check_is_fitted(self)
        X = check_array(without_gradient(X), dtype=np.float64)
        require(
            X.shape[1] == self.n_components_,
            f"X has {X.shape[1]} columns, but there are {self.n_components_} components",
        )
        vectors = np.sqrt(self.curvature) * X @ self.components_
        with np.errstate(over="ignore", invalid="ignore"):  # `_to_chart` refuses the result
            lifted = tangent.lift(vectors, self._mean())
        return self._to_chart(lifted)

    def _mean(self):
        return self._to_points(self.mean_[None])[0]

    def _coordinates(self, points):
        """Coordinates of points of curvature -1, in units of the space."""
        mean = self._mean()
        frame = radial_frame(mean)
        vectors, _ = to_vectors(*seen_from(points, mean, frame))
        return vectors @ (self.components_ @ frame).T / np.sqrt(self.curvature)

    @property
    def _n_features_out(self):
        return self.n_components_
