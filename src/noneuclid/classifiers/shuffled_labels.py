"""Negative control: labels shuffled before the fit."""

from numbers import Integral
from typing import Self
from zlib import crc32

import numpy as np
from numpy.typing import ArrayLike
from sklearn.linear_model import LogisticRegression
from sklearn.utils import check_random_state

from noneuclid.classifiers.base import DecisionClassifier
from noneuclid.classifiers.default_chart import chart_of
from noneuclid.classifiers.multiclass import encode_labels
from noneuclid.classifiers.parameter_types import Chart, Seed
from noneuclid.classifiers.sklearn_private import check_parameters
from noneuclid.classifiers.validation import read
from noneuclid.geometry.charts import check_points


class ShuffledLabelsClassifier(DecisionClassifier):
    """Logistic regression fitted to a random permutation of the labels.

    It learns only the class sizes. A mean score above chance over many fits indicates a leak in the
    comparison, not a good method.

    A single fit is not a baseline. A shuffle gives a direction along which most held-out rows can
    be correct or wrong together: on karate (34 nodes in the plane, five folds) the balanced
    accuracy of a run is 50 ± 16 % over seeds. The level of chance itself is
    `DummyClassifier(strategy="prior")` of scikit-learn, to which the mean over all shuffles tends:
    the class shares as probabilities, balanced accuracy 1/K, area under ROC 1/2, without any
    variance.

    Parameters
    ----------
    chart : {"tangent", "poincare", "klein", "hyperboloid"}, default="tangent"
        Coordinates in which the rows of X are given; checked, then used unchanged.
    curvature : float > 0, default=1.0
    random_state : int, RandomState or None, default=None
        The permutation; an integer gives each training set its own permutation, so that folds
        differ.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    model_ : LogisticRegression
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import ShuffledLabelsClassifier
    >>> X = np.linspace(-1, 1, 200)[:, None]
    >>> control = ShuffledLabelsClassifier(random_state=0).fit(X, X[:, 0] > 0)
    >>> control.score(X, X[:, 0] > 0) < 0.8
    True
    """

    _parameter_constraints = {  # noqa: RUF012
        **DecisionClassifier._parameter_constraints,
        "random_state": ["random_state"],
    }

    def __init__(
        self, *, chart: Chart = "tangent", curvature: float = 1.0, random_state: Seed | None = None
    ) -> None:
        self.chart = chart
        self.curvature = curvature
        self.random_state = random_state

    @check_parameters
    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit to shuffled labels.

        Parameters
        ----------
        X : array-like, shape (n, d), or (n, d + 1) for chart "hyperboloid"
        y : array-like, shape (n,)

        Returns
        -------
        self

        Raises
        ------
        InputError
            If a row of X does not satisfy the chart, or y holds one class.
        """
        X, y = read(self, X, y)
        self.classes_, codes = encode_labels(y)
        X = self._to_points(X)
        state = self.random_state
        if isinstance(state, Integral):
            state = np.random.RandomState([state, crc32(np.ascontiguousarray(X))])
        shuffled = check_random_state(state).permutation(codes)
        self.model_ = LogisticRegression(max_iter=1000).fit(X, shuffled)
        self.n_iter_ = int(self.model_.n_iter_.max())
        return self

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Decision values of the logistic regression.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n,) for two classes, else (n, n_classes)
        """
        X = self._check_again(X)
        return self.model_.decision_function(X)

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Class probabilities of the logistic regression.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n, n_classes)
        """
        X = self._check_again(X)
        return self.model_.predict_proba(X)

    def _to_points(self, X):
        check_points(X, chart_of(self), self.curvature)
        return X

    def __sklearn_tags__(self):
        """Tell scikit-learn's checks that a poor score is intended."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True
        return tags
