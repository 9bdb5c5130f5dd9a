"""Gaussian process classification on hyperbolic space."""

from collections.abc import Callable
from numbers import Integral
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import ConstantKernel, Kernel
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits

from noneuclid.classifiers.base import DecisionClassifier
from noneuclid.classifiers.default_chart import chart_of, question_default
from noneuclid.classifiers.hyperbolic_kernel import CONSTRAINTS, Kind, learn_kernel
from noneuclid.classifiers.multiclass import encode_labels
from noneuclid.classifiers.parameter_types import Chart, MultiClass, Seed
from noneuclid.classifiers.sklearn_private import (
    Interval,
    StrOptions,
    available_if,
    check_parameters,
)
from noneuclid.classifiers.validation import read, to_hyperboloid

# Rows below which threads of BLAS wait for each other longer than they compute.
_FEW = 1000
_NAMES = {"ovr": "one_vs_rest", "ovo": "one_vs_one"}


class HyperbolicGaussianProcessClassifier(DecisionClassifier):
    """Gaussian process with the kernel σ² (cosh d)^-λ or σ² exp(-λ d), Laplace approximation.

    scikit-learn's `GaussianProcessClassifier`. It chooses σ² and the scale of the kernel by the
    marginal likelihood, so no grid is needed. As in scikit-learn, `fit`
    takes no `sample_weight`, and there is no `class_weight`.

    Parameters
    ----------
    kernel, scale
        As for `HyperbolicKernelSVC`; `scale` is the start of the search.
    optimizer : {"fmin_l_bfgs_b"}, callable or None, default="fmin_l_bfgs_b"
        As in scikit-learn; None keeps σ² = 1 and `scale`.
    n_restarts_optimizer : int, default=0
        Further starts of the search, drawn within its bounds.
    max_iter_predict : int, default=100
        Newton steps of the Laplace approximation.
    multi_class : {"ovr", "ovo"}, default="ovr"
        Pairs have no probabilities.
    chart, curvature
        As for `HyperbolicKernelSVC`.
    random_state : int, RandomState or None, default=None
        Further starts.
    n_jobs : int or None, default=None
        Binary problems of several classes to solve at a time.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    kernel_ : Kernel
        σ² times a `HyperbolicKernel`, for points of the hyperboloid of curvature -1; of several
        classes a compound of those of the binary problems.
    log_marginal_likelihood_ : float
        Its mean over the binary problems.
    model_ : GaussianProcessClassifier

    See Also
    --------
    HyperbolicKernelSVC : The same kernel, with weights.
    HyperbolicGaussianProcessRegressor : The same for numbers.

    Notes
    -----
    Takes O(n³) time for each step of the search and 8 n² bytes for each of several matrices: a
    thousand rows take seconds, ten thousand hours. With fewer than 1000 rows `fit` uses one thread
    of BLAS, because each call is short.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import HyperbolicGaussianProcessClassifier
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> model = HyperbolicGaussianProcessClassifier(chart="poincare", optimizer=None)
    >>> model.fit(X, ["b", "b", "a", "a"]).predict([[0.8, 0.0], [-0.8, 0.0]])
    array(['b', 'a'], dtype='<U1')
    """

    _parameter_constraints = {  # noqa: RUF012
        **DecisionClassifier._parameter_constraints,
        **CONSTRAINTS,
        "optimizer": [StrOptions({"fmin_l_bfgs_b"}), callable, None],
        "n_restarts_optimizer": [Interval(Integral, 0, None, closed="left")],
        "max_iter_predict": [Interval(Integral, 1, None, closed="left")],
        "multi_class": [StrOptions(set(_NAMES))],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
    }

    def __init__(
        self,
        *,
        kernel: Kind = "cosh",
        scale: float = 2.0,
        optimizer: Literal["fmin_l_bfgs_b"] | Callable[..., Any] | None = "fmin_l_bfgs_b",
        n_restarts_optimizer: int = 0,
        max_iter_predict: int = 100,
        multi_class: MultiClass = "ovr",
        chart: Chart | None = None,
        curvature: float = 1.0,
        random_state: Seed | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.kernel = kernel
        self.scale = scale
        self.optimizer = optimizer
        self.n_restarts_optimizer = n_restarts_optimizer
        self.max_iter_predict = max_iter_predict
        self.multi_class = multi_class
        self.chart = chart
        self.curvature = curvature
        self.random_state = random_state
        self.n_jobs = n_jobs

    @check_parameters
    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit to labelled points.

        Parameters
        ----------
        X : array-like, shape (n, d), or (n, d + 1) for chart "hyperboloid"
        y : array-like, shape (n,)
            Labels of any type.

        Returns
        -------
        self

        Raises
        ------
        InputError
            If a row of X does not satisfy the chart or y holds one class.
        """
        X, y = read(self, X, y)
        question_default(self, X)
        points = self._to_points(X)
        self.classes_, codes = encode_labels(y)
        model = GaussianProcessClassifier(
            ConstantKernel() * learn_kernel(self, points),
            optimizer=self.optimizer,
            n_restarts_optimizer=self.n_restarts_optimizer,
            max_iter_predict=self.max_iter_predict,
            multi_class=_NAMES[self.multi_class],
            random_state=self.random_state,
            n_jobs=self.n_jobs,
        )
        with few_threads(points):
            self.model_ = model.fit(points, codes)
        self.log_marginal_likelihood_ = float(self.model_.log_marginal_likelihood())
        return self

    @property
    def kernel_(self) -> Kernel:
        """The kernel with the σ² and scale that were found."""
        check_is_fitted(self)
        return self.model_.kernel_

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class of each row.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n,)
        """
        points = self._check_again(X)
        return self.classes_[self.model_.predict(points)]

    def _has_probabilities(self):
        if self.multi_class == "ovo" and len(getattr(self, "classes_", ())) != 2:
            raise AttributeError(
                "predict_proba is not available when multi_class='ovo' with several classes; set "
                "multi_class='ovr'"
            )
        return True

    @available_if(_has_probabilities)
    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Probabilities of the classes, normalised over them.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n, n_classes)
            In the order of `classes_`.
        """
        points = self._check_again(X)
        return self.model_.predict_proba(points)

    def _to_points(self, X):
        return to_hyperboloid(X, chart_of(self), self.curvature)


def few_threads(points):
    """Context with one thread of BLAS where each call is short."""
    return threadpool_limits(1 if len(points) < _FEW else None, "blas")
