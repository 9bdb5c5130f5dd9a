"""Base of the hyperbolic tree methods: coordinates, settings, connection to scikit-learn."""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers import tree_apply
from noneuclid.classifiers.constructors import set_constructor
from noneuclid.classifiers.default_chart import CONSTRAINTS, chart_of, question_default
from noneuclid.classifiers.multiclass import all_columns, encode_labels
from noneuclid.classifiers.sklearn_private import StrOptions, check_parameters
from noneuclid.classifiers.validation import read, to_hyperboloid
from noneuclid.classifiers.weights import check_row_weights
from noneuclid.errors import InputError
from noneuclid.estimator import Estimator
from noneuclid.geometry.charts import TIME_TOLERANCE

# Settings beyond those of scikit-learn's classes: default and constraint of each.
OWN = {
    "chart": (None, CONSTRAINTS["chart"]),
    "curvature": (1.0, CONSTRAINTS["curvature"]),
    "precision": ("float32", [StrOptions({"float32", "float64"})]),
}


def axis_coordinates(points):
    """Hyperbolic coordinate artanh(x_d / x_0) along each axis, (n, d + 1) -> (n, d).

    The geodesic hyperplanes orthogonal to axis d, which HyperDT splits along (eq. 9 of
    Chlenski et al. (2024)), are the level sets of coordinate d, and the arithmetic midpoint of two
    values is the hyperplane halfway between (eq. 10). Computed as asinh(x_d / sqrt(1 + Σ_{j≠d}
    x_j²)), it keeps its digits far from the origin, where x_d / x_0 rounds to 1. Points lie on the
    hyperboloid of curvature -1, time coordinate first. NaN stays NaN, and is 0 in the other sums.

    Examples
    --------
    >>> import numpy as np
    >>> axis_coordinates(np.array([[np.cosh(20.0), np.sinh(20.0), 0.0]])).round(6)
    array([[20.,  0.]])
    """
    ratios = tree_apply.axis_ratios(np.ascontiguousarray(points, dtype=np.float64))
    return np.arcsinh(ratios, out=ratios)


class HyperbolicTrees(Estimator):
    """A scikit-learn tree method trained on axis coordinates.

    `class Mine(HyperbolicTrees, model=Theirs, without=("monotonic_cst",))` has the parameters of
    `Theirs` and `OWN`, except those in `without`.
    """

    def __init_subclass__(cls, model=None, without=(), **kwargs):
        if model is not None:
            cls._model = model
            defaults = {name: value for name, (value, _) in OWN.items()}
            set_constructor(cls, model, defaults, without)
            constraints = model._parameter_constraints | {k: legal for k, (_, legal) in OWN.items()}
            cls._parameter_constraints = {
                name: legal for name, legal in constraints.items() if name not in without
            }
        super().__init_subclass__(**kwargs)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        # A row of the hyperboloid with a missing value contradicts its time coordinate.
        takes_nan = get_tags(self._new_model(self.get_params(deep=False))).input_tags.allow_nan
        tags.input_tags.allow_nan = takes_nan and self.chart != "hyperboloid"
        return tags

    def _new_model(self, settings):
        return self._model(**{k: v for k, v in settings.items() if k not in OWN})

    def _train(self, X, y, weights, **other):
        """Fit the model to the rows of weight > 0: scikit-learn counts the others in leaves.

        Weights that are all 1 are none: scikit-learn's forests draw by weights in another way.
        """
        settings = self.get_params(deep=False) | other
        points = self._points(X)
        question_default(self, _with_zeros(X))
        self._rows = None  # numbers of the rows that are left, if some are not
        if weights is not None and not weights.all():
            self._rows = np.flatnonzero(weights)
            points, y, weights = points[self._rows], y[self._rows], weights[self._rows]
        self.model_ = self._new_model(settings)
        self._fit_model(points, y, None if weights is None or (weights == 1).all() else weights)
        return self

    def _points(self, X):
        """Rows on the hyperboloid of curvature -1, without a copy if they are there already.

        NaN stays NaN; the other coordinates are those of the row with 0 in its place.
        """
        if self.chart == "hyperboloid" and self.curvature == 1 and X.shape[1] > 1:
            X = np.ascontiguousarray(X)
            if tree_apply.on_hyperboloid(X, 1.0, TIME_TOLERANCE):
                return X
        known = _with_zeros(X)
        points = np.ascontiguousarray(to_hyperboloid(known, chart_of(self), self.curvature))
        if known is not X:
            points[:, 1:][np.isnan(X)] = np.nan
        return points

    def _check_again(self, X):
        check_is_fitted(self)
        return self._points(read(self, X, reset=False))

    def _output(self, points, method):
        """Output of `method` of the model for points."""
        return getattr(self.model_, method)(axis_coordinates(points))

    def _codes(self, points):
        """Code of the most probable class."""
        return self._output(points, "predict_proba").argmax(axis=1)


def _with_zeros(X):
    """X with 0 for NaN; X itself if it has none."""
    missing = np.isnan(X)
    return np.where(missing, 0.0, X) if missing.any() else X


def _weights_of_codes(weights, labels):
    """Weights of the codes of labels; 1 is the key of the label "1" too, as in scikit-learn.

    Examples
    --------
    >>> _weights_of_codes({1: 5}, ["1", "2"]), _weights_of_codes({"b": 2, "a": 1}, ["a", "b"])
    ({0: 5}, {1: 2, 0: 1})
    """
    name = str if isinstance(labels[0], str) else lambda key: key
    code_of = {name(label): code for code, label in enumerate(labels)}
    known = {code_of[name(key)]: weight for key, weight in weights.items() if name(key) in code_of}
    strange = [key for key in weights if name(key) not in code_of]
    if strange and len(known) < len(labels):
        raise InputError(
            f"class_weight has the key {strange[0]!r}, which y does not contain; its labels are "
            f"{', '.join(map(repr, labels[:5]))}{', ...' if len(labels) > 5 else ''}"
        )
    return known


class HyperbolicTreeClassifier(ClassifierMixin, HyperbolicTrees):
    """Base of the tree classifiers."""

    @check_parameters
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to labelled points.

        Parameters
        ----------
        X : array-like, shape (n, d), or (n, d + 1) for chart "hyperboloid"
        y : array-like, shape (n,)
            Labels of any type.
        sample_weight : array-like, shape (n,), or None
            Finite numbers >= 0; a row of weight 0, by this or by `class_weight`, is left out, and
            a class of which no row is left has probability 0.

        Returns
        -------
        self

        Raises
        ------
        InputError
            If a row of X does not satisfy the chart or is infinite, a weight is negative or not
            finite, y holds one class, or several labels for each row, for which
            `sklearn.multioutput.MultiOutputClassifier` fits a model each.

        Notes
        -----
        NaN in a column is a missing value: it has no coordinate along this axis, and scikit-learn
        sends it to the child where the impurity falls most, or at random (extra trees); to the
        larger child if no row that trained the node lacks this value. The coordinates along the
        other axes are those of the row with 0 in its place: the point nearest to the origin that
        has the known values. In chart "klein" they do not depend on it; in "tangent" and "poincare"
        they do, by the norm of the row, so centre the columns of a table. Chart "hyperboloid" takes
        no NaN; `X[:, 1:] / X[:, :1]`, with curvature 1, are the same points in chart "klein".
        scikit-learn before 1.8 trains some nodes of trees and forests on other rows than it sends
        there, if values are missing.

        Sparse matrices are an error, because the coordinates of an embedding are dense.
        """
        X, y = read(self, X, y)
        if (y == y[0]).all():
            encode_labels(y)  # names the one class; other labels are read once, by the model
        weights = None if sample_weight is None else check_row_weights(sample_weight, X)
        if weights is None and self.class_weight is None:
            self._train(X, y, None)
            self.classes_ = self.model_.classes_
            self._left = np.arange(len(self.classes_))
            return self
        # Codes: with class weights, scikit-learn reads the labels "0" and "1" as integers.
        self.classes_, codes = np.unique(y, return_inverse=True)
        factors = self.class_weight
        if isinstance(factors, dict):
            factors = _weights_of_codes(factors, self.classes_.tolist())
            used = np.array([factors.get(k, 1) != 0 for k in range(len(self.classes_))])[codes]
            weights = used.astype(float) if weights is None else weights * used
        self._left = np.unique(codes if weights is None else codes[weights > 0])
        if isinstance(factors, dict):
            factors = {k: weight for k, weight in factors.items() if k in self._left} or None
        self._train(X, codes, weights, class_weight=factors)
        self.model_.classes_ = self.classes_[self._left]
        return self

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Class probabilities; for trees frequencies in the leaves, averaged over the trees.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n, n_classes)
            In the order of `classes_`.
        """
        return self._all_columns(self._output(self._check_again(X), "predict_proba"))

    def _all_columns(self, found):
        """One column for each class; scikit-learn's boosting has two for a single class, too."""
        return all_columns(found[:, : len(self._left)], self._left, len(self.classes_))

    def predict_log_proba(self, X: ArrayLike) -> np.ndarray:
        """Logarithms of `predict_proba`.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n, n_classes)
            -inf where a probability is 0.
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class of each row: the most probable one.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n,)
        """
        codes = self._codes(self._check_again(X))
        return self.classes_[self._left[codes]]


class HyperbolicTreeRegressor(RegressorMixin, HyperbolicTrees):
    """Base of the tree regressors."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = get_tags(self._model()).target_tags.multi_output
        return tags

    @check_parameters
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to points with a number, or several, each.

        Parameters
        ----------
        X : array-like, shape (n, d), or (n, d + 1) for chart "hyperboloid"
        y : array-like, shape (n,), or (n, n_outputs) where scikit-learn's method takes it
        sample_weight : array-like, shape (n,), or None
            Finite numbers >= 0; a row of weight 0 is left out.

        Returns
        -------
        self

        Raises
        ------
        InputError
            If a row of X does not satisfy the chart or is infinite, a weight is negative or not
            finite, or y has several columns and the method takes one.

        Notes
        -----
        NaN is a missing value and sparse matrices are refused, as by
        `HyperbolicDecisionTreeClassifier`.
        """
        X, y = read(self, X, y)
        weights = None if sample_weight is None else check_row_weights(sample_weight, X)
        return self._train(X, y, weights)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Predicted value of each row: the mean of its leaves.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n,) or (n, n_outputs)
        """
        return self._output(self._check_again(X), "predict")
