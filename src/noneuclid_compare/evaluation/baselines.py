"""Classifiers and regressors on the original features, the answer to "better than what I do now?".

All of them prepare the features in the same way, on training rows only, by the kind of the data:
columns of a table and spectral coordinates of a graph are standardised; gene expression and images
are reduced to their first `COMPONENTS` principal components; log-ratios of compositions and logits
of boxes are used unchanged. Isometric log-ratios are centred ones in a basis of their hyperplane,
so logistic regression with an L2 penalty is the same model on both. A basis changes forests: they
read the proportions of compositions. Missing values and categories of a table are prepared by
`noneuclid_compare.data.prepare.mixed_columns`.

Trees are random forests of 100 trees. On five data sets gradient boosting has a mean balanced
accuracy of 91.4 % instead of 90.9 %, at most 1.5 points more; with ten classes it takes four to
five times as long (`benchmarks/baselines.tsv`).
"""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.compose import TransformedTargetRegressor
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC, LinearSVR
from sklearn.utils.validation import check_is_fitted, validate_data

from noneuclid.geometry.bounded import to_simplex
from noneuclid_compare.data.prepare import mixed_columns

COMPONENTS = 50
REDUCED, UNSCALED = ("expression", "images"), ("composition", "box")
# Training rows up to which the SVM is exact, and landmarks of Nyström's approximation beyond.
EXACT_ROWS, LANDMARKS = 5000, 500


class _Baseline(BaseEstimator):
    """Preparation of the features, then one model; subclasses have ``_model(X)``."""

    # Kinds of columns where they are no parameter: all are numbers.
    column_kinds = None

    def fit(self, X, y):
        """Prepare the features and fit the model, both on these rows alone."""
        X, y = validate_data(self, X, y, ensure_all_finite=self._finite())
        if self.column_kinds is None:
            self.preparation_ = _preparation(self.data_kind, X.shape, self.random_state)
        else:
            self.preparation_ = mixed_columns.transformer(self.column_kinds)
        prepared = self.preparation_.fit_transform(X)
        self.model_ = self._fitted(prepared, y)
        if hasattr(self.model_, "classes_"):
            self.classes_ = self.model_.classes_
        return self

    def _fitted(self, X, y):
        return self._model(X).fit(X, y)

    def _prepared(self, X):
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, ensure_all_finite=self._finite())
        return self.preparation_.transform(X)

    def _finite(self):
        return True if self.column_kinds is None else "allow-nan"

    def predict(self, X):
        """Classes or numbers of rows."""
        return self.model_.predict(self._prepared(X))


def _preparation(kind, shape, seed):
    """Transformer of the features of a kind of data."""
    if kind in REDUCED:
        return PCA(min(COMPONENTS, *shape), random_state=seed)
    return FunctionTransformer() if kind in UNSCALED else StandardScaler()


class WithProbabilities(_Baseline):
    """A baseline whose model has probabilities."""

    def predict_proba(self, X):
        """Probabilities of the classes."""
        return self.model_.predict_proba(self._prepared(X))


class _OfParts(_Baseline):
    """Trees, which read log-ratios of compositions as the proportions that they are of."""

    def _fitted(self, X, y):
        return super()._fitted(self._parts(X), y)

    def _prepared(self, X):
        return self._parts(super()._prepared(X))

    def _parts(self, X):
        return to_simplex(X) if self.data_kind == "composition" else X


class LogisticBaseline(ClassifierMixin, WithProbabilities):
    """Logistic regression.

    Parameters
    ----------
    C : float, default=1.0
        Inverse of the strength of the penalty.
    class_weight : dict, "balanced" or None, default=None
        As in scikit-learn.
    data_kind : str, default="features"
        As `noneuclid_compare.records.kind_of` gives it.
    column_kinds : list or None, default=None
        Kinds of the columns of a table with missing values or categories, as in
        `data.prepare.mixed_columns`.
    random_state : int, RandomState or None, default=None
        Of randomised principal components.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> X, y = load_wine(return_X_y=True)
    >>> float(LogisticBaseline().fit(X, y).score(X, y))
    1.0
    """

    def __init__(
        self,
        *,
        C=1.0,
        class_weight=None,
        data_kind="features",
        column_kinds=None,
        random_state=None,
    ):
        self.C = C
        self.class_weight = class_weight
        self.data_kind = data_kind
        self.column_kinds = column_kinds
        self.random_state = random_state

    def _model(self, X):
        # Newton's method needs tens of iterations on columns of unlike scales, where quasi-Newton
        # needs hundreds to thousands.
        settings = {"C": self.C, "class_weight": self.class_weight}
        return LogisticRegression(**settings, solver="newton-cg", max_iter=1000)


class ForestBaseline(ClassifierMixin, _OfParts, WithProbabilities):
    """Random forest; the other parameters as in `LogisticBaseline`.

    Parameters
    ----------
    n_estimators : int, default=100
        Number of trees.
    min_samples_leaf : int, default=1
        Rows of the smallest leaf. The stage train gives more beyond 20,000 rows.
    """

    def __init__(
        self,
        *,
        n_estimators=100,
        min_samples_leaf=1,
        class_weight=None,
        data_kind="features",
        column_kinds=None,
        random_state=None,
    ):
        self.n_estimators = n_estimators
        self.min_samples_leaf = min_samples_leaf
        self.class_weight = class_weight
        self.data_kind = data_kind
        self.column_kinds = column_kinds
        self.random_state = random_state

    def _model(self, X):
        return RandomForestClassifier(
            self.n_estimators,
            min_samples_leaf=self.min_samples_leaf,
            class_weight=self.class_weight,
            random_state=self.random_state,
        )

    def _fitted(self, X, y):
        # With class weights, scikit-learn reads the labels "0" and "1" as integers.
        classes, codes = np.unique(y, return_inverse=True)
        weight = self.class_weight
        if isinstance(weight, dict):
            weight = {k: weight.get(label, 1.0) for k, label in enumerate(classes)}
        X = self._parts(X)
        model = self._model(X).set_params(class_weight=weight).fit(X, codes)
        model.classes_ = classes
        return model


class SVMBaseline(ClassifierMixin, _Baseline):
    """SVM with Gaussian kernel of width 1 / (p var X); the others as in `LogisticBaseline`.

    Exact on up to `EXACT_ROWS` training rows. On more rows an exact fit takes minutes to hours: a
    linear SVM on Nyström's features of `LANDMARKS` random rows takes its place.

    Parameters
    ----------
    C : float, default=1.0
        Inverse of the strength of the penalty.
    """

    def __init__(
        self,
        *,
        C=1.0,
        class_weight=None,
        data_kind="features",
        column_kinds=None,
        random_state=None,
    ):
        self.C = C
        self.class_weight = class_weight
        self.data_kind = data_kind
        self.column_kinds = column_kinds
        self.random_state = random_state

    def _model(self, X):
        settings = {"C": self.C, "class_weight": self.class_weight}
        if len(X) <= EXACT_ROWS:
            return SVC(**settings)
        return _approximate(X, LinearSVC(**settings, dual=False), self.random_state)

    def decision_function(self, X):
        """Decision values of the classes, larger means more likely."""
        return self.model_.decision_function(self._prepared(X))


class RidgeBaseline(RegressorMixin, _Baseline):
    """Ridge regression; `data_kind` and `random_state` as in `LogisticBaseline`.

    Parameters
    ----------
    alpha : float, default=1.0
        Strength of the penalty.
    """

    def __init__(self, *, alpha=1.0, data_kind="features", column_kinds=None, random_state=None):
        self.alpha = alpha
        self.data_kind = data_kind
        self.column_kinds = column_kinds
        self.random_state = random_state

    def _model(self, X):
        return Ridge(self.alpha)


class ForestRegressionBaseline(RegressorMixin, _OfParts):
    """Random forest for numbers; parameters as in `ForestBaseline`."""

    def __init__(
        self,
        *,
        n_estimators=100,
        min_samples_leaf=1,
        data_kind="features",
        column_kinds=None,
        random_state=None,
    ):
        self.n_estimators = n_estimators
        self.min_samples_leaf = min_samples_leaf
        self.data_kind = data_kind
        self.column_kinds = column_kinds
        self.random_state = random_state

    def _model(self, X):
        return RandomForestRegressor(
            self.n_estimators,
            min_samples_leaf=self.min_samples_leaf,
            random_state=self.random_state,
        )


class SVRBaseline(RegressorMixin, _Baseline):
    """Support vector regression of the standardised target; parameters as in `SVMBaseline`."""

    def __init__(self, *, C=1.0, data_kind="features", column_kinds=None, random_state=None):
        self.C = C
        self.data_kind = data_kind
        self.column_kinds = column_kinds
        self.random_state = random_state

    def _model(self, X):
        model = SVR(C=self.C)
        if len(X) > EXACT_ROWS:
            linear = LinearSVR(C=self.C, random_state=self.random_state)
            model = _approximate(X, linear, self.random_state)
        return TransformedTargetRegressor(model, transformer=StandardScaler())


def _approximate(X, linear, seed):
    """A linear model on Nyström's features of the kernel that `SVC` has by default."""
    variance = np.var(X)
    gamma = 1 / (X.shape[1] * variance) if variance > 0 else 1.0
    return make_pipeline(Nystroem(gamma=gamma, n_components=LANDMARKS, random_state=seed), linear)
