"""Kernel ridge regression on hyperbolic space."""

from numbers import Real
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import RegressorMixin
from sklearn.kernel_ridge import KernelRidge
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers.base import DecisionClassifier
from noneuclid.classifiers.default_chart import chart_of, question_default
from noneuclid.classifiers.hyperbolic_kernel import CONSTRAINTS, Kind, expand, learn_kernel
from noneuclid.classifiers.parameter_types import Chart
from noneuclid.classifiers.sklearn_private import Interval, check_parameters
from noneuclid.classifiers.validation import read, to_hyperboloid
from noneuclid.classifiers.weights import check_row_weights
from noneuclid.estimator import Estimator


class HyperbolicKernelRidge(RegressorMixin, Estimator):
    r"""Ridge regression with the kernel (cosh d)^-λ or exp(-λ d), by scikit-learn's `KernelRidge`.

    Minimises

    .. math:: \sum_i q_i (f(x_i) - y_i)^2 + \alpha \lVert f\rVert^2,

    :math:`q_i` the weight of row i. There is no intercept, so predictions tend to 0 far from all
    rows: subtract the mean of y first.

    Parameters
    ----------
    alpha : float > 0, default=1.0
    kernel, scale
        As for `HyperbolicKernelSVC`.
    chart : {"tangent", "poincare", "klein", "hyperboloid"} or None, default=None
        How the rows of X are written. None reads tangent vectors, as a table holds, and warns if
        the rows look like points of another chart: embeddings return ``"poincare"`` by default.
    curvature : float > 0, default=1.0
        K; the space has curvature -K. Points are scaled to K = 1.

    Attributes
    ----------
    kernel_ : HyperbolicKernel
        For points of the hyperboloid of curvature -1.
    points_ : ndarray, shape (n, d + 1)
        Training rows on the hyperboloid of curvature -1.
    dual_coef_ : ndarray, shape (n,) or (n, n_outputs)
        f(x) = Σ_j dual_coef_j k(x, points_j).

    See Also
    --------
    HyperbolicGaussianProcessRegressor : Chooses `scale` and `alpha`, and has standard deviations.
    HyperbolicRandomForestRegressor : For many rows.

    Notes
    -----
    Takes O(n³) time and 8 n² bytes.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import HyperbolicKernelRidge
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]])
    >>> HyperbolicKernelRidge(alpha=1e-9).fit(X, [0.0, 1.0, 4.0]).predict([[2.0, 0.0]]).round(3)
    array([4.])
    """

    _parameter_constraints = {  # noqa: RUF012
        **DecisionClassifier._parameter_constraints,
        **CONSTRAINTS,
        "alpha": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        kernel: Kind = "cosh",
        scale: float = 2.0,
        chart: Chart | None = None,
        curvature: float = 1.0,
    ) -> None:
        self.alpha = alpha
        self.kernel = kernel
        self.scale = scale
        self.chart = chart
        self.curvature = curvature

    def __sklearn_tags__(self):
        """Tags for scikit-learn: several numbers for each row."""
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    @check_parameters
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to points with a number, or several, each.

        Parameters
        ----------
        X : array-like, shape (n, d), or (n, d + 1) for chart "hyperboloid"
        y : array-like, shape (n,) or (n, n_outputs)
        sample_weight : array-like, shape (n,), or None
            Finite numbers >= 0: 2 counts as two equal rows, 0 as none.

        Returns
        -------
        self

        Raises
        ------
        InputError
            If a row of X does not satisfy the chart, y holds text, or a weight is negative or not
            finite.
        """
        X, y = read(self, X, y)
        question_default(self, X)
        points = to_hyperboloid(X, chart_of(self), self.curvature)
        weights = None if sample_weight is None else check_row_weights(sample_weight, points)
        self.kernel_, self.points_ = learn_kernel(self, points, weights), points
        gram = self.kernel_.of_points(points)
        model = KernelRidge(alpha=self.alpha, kernel="precomputed")
        self.dual_coef_ = model.fit(gram, y, sample_weight=weights).dual_coef_
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Number, or numbers, of each row.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n,) or (n, n_outputs)
        """
        check_is_fitted(self)
        points = to_hyperboloid(read(self, X, reset=False), chart_of(self), self.curvature)
        coef = self.dual_coef_.reshape(len(self.points_), -1)
        found = expand(self.kernel_, points, self.points_, coef)
        return found.reshape(len(points), *self.dual_coef_.shape[1:])
