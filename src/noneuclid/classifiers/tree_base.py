"""What the hyperbolic tree methods share: their coordinates and the way to scikit-learn."""

from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from noneuclid.classifiers.multiclass import encode_labels
from noneuclid.classifiers.points import to_hyperboloid
from noneuclid.geometry.charts import CHARTS


def axis_coordinates(points):
    """Hyperbolic coordinate artanh(x_d / x_0) along each axis.

    The geodesic hyperplanes orthogonal to axis d, which HyperDT splits along (eq. 9 of
    chlenski2024), are the level sets of coordinate d, and the arithmetic midpoint of two values
    is the hyperplane halfway between (eq. 10). Written as asinh(x_d / sqrt(1 + Σ_{j≠d} x_j²)),
    with the sum free of subtraction, it keeps its digits far from the origin, where x_d / x_0
    rounds to 1.

    Parameters
    ----------
    points : ndarray, shape (n, d + 1)
        On the hyperboloid of curvature -1, time coordinate first.

    Returns
    -------
    ndarray, shape (n, d)

    Examples
    --------
    >>> import numpy as np
    >>> axis_coordinates(np.array([[np.cosh(20.0), np.sinh(20.0), 0.0]])).round(6)
    array([[20.,  0.]])
    """
    squares = points[:, 1:] ** 2
    others = np.ones_like(squares)
    others[:, 1:] += np.cumsum(squares[:, :-1], axis=1)
    others[:, :-1] += np.cumsum(squares[:, :0:-1], axis=1)[:, ::-1]
    return np.arcsinh(points[:, 1:] / np.sqrt(others))


class HyperbolicTrees(BaseEstimator):
    """A scikit-learn tree method trained on axis coordinates; subclasses name it in `_model`.

    Settings other than `chart` and `curvature` go to `_model` unchanged.
    """

    chart_constraints = {  # noqa: RUF012
        "chart": [StrOptions(set(CHARTS))],
        "curvature": [Interval(Real, 0, None, closed="neither")],
    }

    def _train(self, X, y, sample_weight):
        settings = self.get_params(deep=False)
        X = self._axis_coordinates(X)
        self.model_ = self._model(
            **{k: v for k, v in settings.items() if k not in self.chart_constraints}
        )
        self.model_.fit(X, y, sample_weight=sample_weight)
        return self

    def _axis_coordinates(self, X):
        return axis_coordinates(to_hyperboloid(X, self.chart, self.curvature))

    def _check_again(self, X):
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self._axis_coordinates(X)

    def apply(self, X):
        """Leaf that each row ends in.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray of int, shape (n,), or (n, n_estimators) for a forest
        """
        X = self._check_again(X)
        return self.model_.apply(X)

    def decision_path(self, X):
        """Nodes that each row passes, as scikit-learn gives them.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        sparse matrix, or for a forest (sparse matrix, offsets of the trees)
        """
        X = self._check_again(X)
        return self.model_.decision_path(X)

    @property
    def feature_importances_(self):
        """Importance of each axis, shape (d,)."""
        check_is_fitted(self)
        return self.model_.feature_importances_


class HyperbolicTreeClassifier(ClassifierMixin, HyperbolicTrees):
    """Base of the tree classifiers."""

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y, sample_weight=None):
        """Fit to labelled points.

        Parameters
        ----------
        X : array-like, shape (n, d), or (n, d + 1) for chart "hyperboloid"
        y : array-like, shape (n,)
            Labels of any type.
        sample_weight : array-like, shape (n,), or None

        Returns
        -------
        self

        Raises
        ------
        InputError
            If a row of X does not satisfy the chart, or y holds one class.
        """
        X, y = validate_data(self, X, y, dtype=np.float64)
        self.classes_, _ = encode_labels(y)
        return self._train(X, y, sample_weight)

    def predict_proba(self, X):
        """Class frequencies in the leaves, averaged over the trees.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n, n_classes)
            In the order of `classes_`.
        """
        X = self._check_again(X)
        return self.model_.predict_proba(X)

    def predict(self, X):
        """Class of each row.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n,)
        """
        codes = self.predict_proba(X).argmax(axis=1)
        return self.classes_[codes]
