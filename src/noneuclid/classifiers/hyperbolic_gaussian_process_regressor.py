"""Gaussian process regression on hyperbolic space."""

from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import RegressorMixin
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Kernel, WhiteKernel
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers.default_chart import CONSTRAINTS as ROWS
from noneuclid.classifiers.default_chart import chart_of, question_default
from noneuclid.classifiers.hyperbolic_gaussian_process import few_threads
from noneuclid.classifiers.hyperbolic_kernel import CONSTRAINTS, Kind, learn_kernel
from noneuclid.classifiers.parameter_types import Chart, Seed
from noneuclid.classifiers.sklearn_private import Interval, StrOptions, check_parameters
from noneuclid.classifiers.validation import read, to_hyperboloid
from noneuclid.errors import InputError
from noneuclid.estimator import Estimator


class HyperbolicGaussianProcessRegressor(RegressorMixin, Estimator):
    """Gaussian process with the kernel σ² (cosh d)^-λ or σ² exp(-λ d), and noise.

    scikit-learn's `GaussianProcessRegressor`. It chooses σ², the scale of the kernel and the
    variance of the noise by the marginal likelihood, so no grid is needed. As in scikit-learn,
    `fit` takes no `sample_weight`.

    Parameters
    ----------
    kernel, scale
        As for `HyperbolicKernelSVC`; `scale` is the start of the search.
    noise_level : float > 0 or None, default=1.0
        Start of the search of the variance of the noise, that of a `WhiteKernel`. None adds none:
        the process then passes through all rows.
    alpha : float >= 0, or ndarray of shape (n,), default=1e-10
        Added to the diagonal: the known variance of the noise of each row.
    optimizer : {"fmin_l_bfgs_b"}, callable or None, default="fmin_l_bfgs_b"
        As in scikit-learn; None keeps σ² = 1, `scale` and `noise_level`.
    n_restarts_optimizer : int, default=0
        Further starts of the search, drawn within its bounds.
    normalize_y : bool, default=False
        Whether y is centred and divided by its standard deviation for the fit. Without it,
        predictions tend to 0 far from all rows.
    chart, curvature
        As for `HyperbolicKernelSVC`.
    random_state : int, RandomState or None, default=None
        Further starts.

    Attributes
    ----------
    kernel_ : Kernel
        σ² times a `HyperbolicKernel`, for points of the hyperboloid of curvature -1, and noise.
    log_marginal_likelihood_ : float
    model_ : GaussianProcessRegressor

    See Also
    --------
    HyperbolicKernelRidge : The mean alone, with weights: σ² = 1 and a noise of variance `alpha`.

    Notes
    -----
    Takes O(n³) time for each step of the search and 8 n² bytes for each of several matrices.

    References
    ----------
    .. [1] C. E. Rasmussen, C. K. I. Williams, Gaussian processes for machine learning, MIT Press
       2006, algorithm 2.1.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import HyperbolicGaussianProcessRegressor
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> model = HyperbolicGaussianProcessRegressor(
    ...     chart="poincare", noise_level=None, optimizer=None
    ... )
    >>> mean, std = model.fit(X, [3.0, 5.0, 1.0, 2.0]).predict([[0.5, 0.1]], return_std=True)
    >>> mean.round(3), std.round(3)
    (array([3.]), array([0.]))
    """

    _parameter_constraints = {  # noqa: RUF012
        **ROWS,
        **CONSTRAINTS,
        "noise_level": [Interval(Real, 0, None, closed="neither"), None],
        "alpha": [Interval(Real, 0, None, closed="left"), np.ndarray],
        "optimizer": [StrOptions({"fmin_l_bfgs_b"}), callable, None],
        "n_restarts_optimizer": [Interval(Integral, 0, None, closed="left")],
        "normalize_y": ["boolean"],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        *,
        kernel: Kind = "cosh",
        scale: float = 2.0,
        noise_level: float | None = 1.0,
        alpha: float | np.ndarray = 1e-10,
        optimizer: Literal["fmin_l_bfgs_b"] | Callable[..., Any] | None = "fmin_l_bfgs_b",
        n_restarts_optimizer: int = 0,
        normalize_y: bool = False,
        chart: Chart | None = None,
        curvature: float = 1.0,
        random_state: Seed | None = None,
    ) -> None:
        self.kernel = kernel
        self.scale = scale
        self.noise_level = noise_level
        self.alpha = alpha
        self.optimizer = optimizer
        self.n_restarts_optimizer = n_restarts_optimizer
        self.normalize_y = normalize_y
        self.chart = chart
        self.curvature = curvature
        self.random_state = random_state

    def __sklearn_tags__(self):
        """Tags for scikit-learn: several numbers for each row."""
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    @check_parameters
    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit to points with a number, or several, each.

        Parameters
        ----------
        X : array-like, shape (n, d), or (n, d + 1) for chart "hyperboloid"
        y : array-like, shape (n,) or (n, n_outputs)
            Several numbers share one kernel.

        Returns
        -------
        self

        Raises
        ------
        InputError
            If a row of X does not satisfy the chart, y holds text or alpha is negative.
        """
        X, y = read(self, X, y)
        wrong = np.flatnonzero(~(np.ravel(self.alpha) >= 0))
        if wrong.size:
            value = np.ravel(self.alpha)[wrong[0]]
            raise InputError(f"alpha of row {wrong[0]} is {value}; give variances of 0 or more")
        question_default(self, X)
        points = self._to_points(X)
        kernel = ConstantKernel() * learn_kernel(self, points)
        model = GaussianProcessRegressor(
            kernel if self.noise_level is None else kernel + WhiteKernel(self.noise_level),
            alpha=self.alpha,
            optimizer=self.optimizer,
            n_restarts_optimizer=self.n_restarts_optimizer,
            normalize_y=self.normalize_y,
            random_state=self.random_state,
        )
        with few_threads(points):
            self.model_ = model.fit(points, y)
        self.log_marginal_likelihood_ = float(self.model_.log_marginal_likelihood())
        return self

    @property
    def kernel_(self) -> Kernel:
        """The kernel with the σ², scale and variance of the noise that were found."""
        check_is_fitted(self)
        return self.model_.kernel_

    def predict(self, X: ArrayLike, return_std: bool = False, return_cov: bool = False) -> Any:
        """Mean of each row, and the spread of an observation there.

        Parameters
        ----------
        X : array-like, in the chart of `fit`
        return_std : bool, default=False
        return_cov : bool, default=False
            One of the two at most.

        Returns
        -------
        mean : ndarray, shape (n,) or (n, n_outputs)
        std : ndarray, shape (n,) or (n, n_outputs)
            With `return_std`: standard deviation, the noise of a `WhiteKernel` included.
        covariance : ndarray, shape (n, n) or (n, n, n_outputs)
            With `return_cov`.
        """
        check_is_fitted(self)
        points = self._to_points(read(self, X, reset=False))
        return self.model_.predict(points, return_std=return_std, return_cov=return_cov)

    def _to_points(self, X):
        return to_hyperboloid(X, chart_of(self), self.curvature)
