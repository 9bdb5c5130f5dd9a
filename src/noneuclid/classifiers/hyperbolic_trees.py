"""Decision tree and random forest whose splits are hyperbolic hyperplanes."""

from numbers import Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted, validate_data

from noneuclid.classifiers.base import to_hyperboloid
from noneuclid.classifiers.multiclass import encode_labels
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


class _HyperbolicTrees(BaseEstimator):
    """A scikit-learn tree method trained on axis coordinates; subclasses name it in `_model`.

    Settings other than `chart` and `curvature` go to `_model` unchanged.
    """

    _chart_constraints = {  # noqa: RUF012
        "chart": [StrOptions(set(CHARTS))],
        "curvature": [Interval(Real, 0, None, closed="neither")],
    }

    def _train(self, X, y, sample_weight):
        settings = self.get_params(deep=False)
        X = self._axis_coordinates(X)
        self.model_ = self._model(**{k: v for k, v in settings.items() if k not in _CHART})
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


class _HyperbolicTreeClassifier(ClassifierMixin, _HyperbolicTrees):
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
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


_CHART = frozenset(_HyperbolicTrees._chart_constraints)


class HyperbolicDecisionTreeClassifier(_HyperbolicTreeClassifier):
    """HyperDT [1]_: a decision tree with hyperbolic hyperplanes, at scikit-learn's own speed.

    Along axis d, artanh(x_d / x_0) orders the points as the angles of [1]_ do, and the middle of
    two values is the geodesic midpoint of its eq. 10: CART on these coordinates is HyperDT.

    Parameters
    ----------
    criterion, splitter, max_depth, min_samples_split, min_samples_leaf, \
min_weight_fraction_leaf, max_features, random_state, max_leaf_nodes, min_impurity_decrease, \
class_weight, ccp_alpha
        As for scikit-learn's `DecisionTreeClassifier`, with its defaults ([1]_: max_depth=3).
    chart : {"tangent", "poincare", "klein", "hyperboloid"}, default="tangent"
        How the rows of X are written.
    curvature : float > 0, default=1.0
        K; the space has curvature -K. Points are scaled to K = 1.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    model_ : DecisionTreeClassifier
        Trained on `axis_coordinates`; a threshold t on feature d is the hyperplane
        x_{d+1} = x_0 tanh t.
    feature_importances_ : ndarray, shape (d,)

    Raises
    ------
    InputError
        If a row of X does not satisfy the chart, or y holds one class.

    References
    ----------
    .. [1] P. Chlenski, E. Turok, A. Moretti, I. Pe'er, Fast hyperboloid decision tree
       algorithms, ICLR 2024. Differs in: no angles; its eq. 10 with V = cos(θ2 - θ1) /
       sin(θ1 + θ2) is the same midpoint.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import HyperbolicDecisionTreeClassifier
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> tree = HyperbolicDecisionTreeClassifier(max_depth=1, chart="poincare", random_state=0)
    >>> tree.fit(X, [1, 1, 0, 0]).predict([[0.9, 0.0], [-0.9, 0.0]])
    array([1, 0])
    """

    _model = DecisionTreeClassifier
    _parameter_constraints = {  # noqa: RUF012
        **DecisionTreeClassifier._parameter_constraints,
        **_HyperbolicTrees._chart_constraints,
    }
    _parameter_constraints.pop("monotonic_cst")

    def __init__(
        self,
        *,
        criterion="gini",
        splitter="best",
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        min_weight_fraction_leaf=0.0,
        max_features=None,
        random_state=None,
        max_leaf_nodes=None,
        min_impurity_decrease=0.0,
        class_weight=None,
        ccp_alpha=0.0,
        chart="tangent",
        curvature=1.0,
    ):
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.chart = chart
        self.curvature = curvature


class HyperbolicRandomForestClassifier(_HyperbolicTreeClassifier):
    """HyperRF [1]_: a random forest of hyperbolic decision trees, at scikit-learn's own speed.

    Parameters
    ----------
    n_estimators, criterion, max_depth, min_samples_split, min_samples_leaf, \
min_weight_fraction_leaf, max_features, max_leaf_nodes, min_impurity_decrease, bootstrap, \
oob_score, n_jobs, random_state, verbose, class_weight, ccp_alpha, max_samples
        As for scikit-learn's `RandomForestClassifier`, with its defaults ([1]_: 12 trees of
        depth 3).
    chart, curvature
        As for `HyperbolicDecisionTreeClassifier`.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    model_ : RandomForestClassifier
        Trained on `axis_coordinates`.
    feature_importances_ : ndarray, shape (d,)

    Raises
    ------
    InputError
        If a row of X does not satisfy the chart, or y holds one class.

    References
    ----------
    .. [1] P. Chlenski, E. Turok, A. Moretti, I. Pe'er, Fast hyperboloid decision tree
       algorithms, ICLR 2024.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import HyperbolicRandomForestClassifier
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> forest = HyperbolicRandomForestClassifier(n_estimators=9, chart="poincare", random_state=0)
    >>> forest.fit(X, [1, 1, 0, 0]).predict([[0.9, 0.0], [-0.9, 0.0]])
    array([1, 0])
    """

    _model = RandomForestClassifier
    _parameter_constraints = {  # noqa: RUF012
        **RandomForestClassifier._parameter_constraints,
        **_HyperbolicTrees._chart_constraints,
    }
    _parameter_constraints.pop("monotonic_cst")
    _parameter_constraints.pop("warm_start")

    def __init__(
        self,
        *,
        n_estimators=100,
        criterion="gini",
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        min_weight_fraction_leaf=0.0,
        max_features="sqrt",
        max_leaf_nodes=None,
        min_impurity_decrease=0.0,
        bootstrap=True,
        oob_score=False,
        n_jobs=None,
        random_state=None,
        verbose=0,
        class_weight=None,
        ccp_alpha=0.0,
        max_samples=None,
        chart="tangent",
        curvature=1.0,
    ):
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.chart = chart
        self.curvature = curvature
