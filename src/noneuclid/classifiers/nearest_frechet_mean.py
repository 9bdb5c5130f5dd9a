"""The nearest Fréchet mean: minimum distance to mean in hyperbolic space."""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import softmax
from sklearn.base import ClassifierMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin

from noneuclid.classifiers.chart_estimator import ChartEstimator
from noneuclid.classifiers.multiclass import all_columns
from noneuclid.classifiers.parameter_types import Chart
from noneuclid.classifiers.product_estimator import SPACE, space_instead_of_chart
from noneuclid.classifiers.sklearn_private import check_parameters
from noneuclid.classifiers.weights import encode_weighted
from noneuclid.estimator import distinct_warnings
from noneuclid.geometry.distance_kernels import psi
from noneuclid.geometry.means import mean_and_covariance
from noneuclid.geometry.product_space import ProductSpace


class NearestFrechetMeanClassifier(
    ClassNamePrefixFeaturesOutMixin, ClassifierMixin, TransformerMixin, ChartEstimator
):
    """Class of the nearest Fréchet mean, by hyperbolic distance.

    pyRiemann's `MDM`, minimum distance to mean [1]_, in hyperbolic space: each class has its
    Fréchet mean, and `transform` gives the distances from all means. The boundary of two classes is
    the hyperplane that bisects their means. Isometries of the space change nothing.

    Parameters
    ----------
    chart : {"tangent", "poincare", "klein", "hyperboloid"} or None, default=None
        How the rows of X are written. None reads tangent vectors, as a table holds, and warns if
        the rows look like points of another chart: embeddings return ``"poincare"`` by default.
    curvature : float > 0, default=1.0
        K; the space has curvature -K.
    space : str or ProductSpace or None, default=None
        Signature, such as "H2 S2 E1", or space of the rows, instead of `chart` and `curvature`.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    means_ : ndarray, shape (m, d), or (m, d + 1) for chart "hyperboloid"
        In the chart, or the charts of `space`, of the classes with a row of weight > 0.
    space_ : ProductSpace or None
        None if there is no `space`.

    See Also
    --------
    WrappedNormalClassifier : Classes of unequal spread and shape.
    HyperbolicKMeans : Means without labels.

    Notes
    -----
    O(n d²) for each of 5 to 20 Newton steps of a mean; a prediction takes O(d) for each class.

    References
    ----------
    .. [1] A. Barachant, S. Bonnet, M. Congedo, C. Jutten, Multiclass brain-computer interface
       classification by Riemannian geometry, IEEE Transactions on Biomedical Engineering 59, 2012.

    Examples
    --------
    >>> from noneuclid import NearestFrechetMeanClassifier
    >>> X = [[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]]
    >>> model = NearestFrechetMeanClassifier(chart="poincare").fit(X, [1, 1, 0, 0])
    >>> model.predict([[0.9, 0.0], [-0.9, 0.0]])
    array([1, 0])
    >>> model.transform([[0.0, 0.0]]).round(2)
    array([[1.11, 1.38]])
    """

    _parameter_constraints = {**ChartEstimator._parameter_constraints, **SPACE}  # noqa: RUF012

    def __init__(
        self,
        *,
        chart: Chart | None = None,
        curvature: float = 1.0,
        space: str | ProductSpace | None = None,
    ) -> None:
        self.chart = chart
        self.curvature = curvature
        self.space = space

    @check_parameters
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the mean of each class.

        Parameters
        ----------
        X : array-like, shape (n, d), or (n, d + 1) for chart "hyperboloid"
        y : array-like, shape (n,)
            Labels of any type.
        sample_weight : array-like, shape (n,), or None
            Finite numbers >= 0: 2 counts as two equal rows, 0 as none. A class whose rows all have
            weight 0 has no mean: its distances are infinite.

        Returns
        -------
        self

        Raises
        ------
        InputError
            If a row of X does not satisfy the chart, y holds one class, a weight is negative or
            not finite, or fewer than two classes have a weight above 0.
        """
        self.space_ = space_instead_of_chart(self)
        points, y = self._read_training(X, y)
        self.classes_, self._left, points, codes, weights, _ = encode_weighted(
            points, y, sample_weight
        )
        weights = np.ones(len(points)) if weights is None else weights
        groups = [codes == k for k in range(len(self._left))]
        with distinct_warnings(type(self).__name__):
            means = [self._mean(points[rows], weights[rows]) for rows in groups]
        self.means_ = self._to_chart(np.array(means))
        return self

    def transform(self, X: ArrayLike) -> np.ndarray:
        """Distances from the means.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n, n_classes)
            In the order of `classes_`, in units of the space of curvature -K.
        """
        points, means = self._read_new(X), self._to_points(self.means_)
        if self.space_ is None:
            distances = psi(points, means, "laplace") / np.sqrt(self.curvature)
        else:
            distances = self.space_.in_charts().pairwise_distances(points, means)
        return all_columns(distances, self._left, len(self.classes_), least=np.inf)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class of the nearest mean; of equal ones the first.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n,)
        """
        nearest = self.transform(X).argmin(axis=1)
        return self.classes_[nearest]

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Softmax of minus the squared distances, as in pyRiemann.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n, n_classes)
            In the order of `classes_`.
        """
        return softmax(-np.square(self.transform(X)), axis=1)

    def _mean(self, points, weights):
        if self.space_ is None:
            return mean_and_covariance(points, weights)[0]
        return self.space_.in_charts().frechet_mean(points, weights)

    def _to_points(self, X):
        return super()._to_points(X) if self.space_ is None else self.space_.convert(X)

    def _to_chart(self, points):
        if self.space_ is None:
            return super()._to_chart(points)
        return self.space_.in_charts().convert(points, self.space_.charts)

    @property
    def _n_features_out(self):
        return len(self.classes_)
