"""Kernel ridge regression on points of a product space, a default of data sets with numbers."""

from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.kernel_ridge import KernelRidge
from sklearn.utils.validation import check_is_fitted, validate_data

from noneuclid import ProductKernel


class ProductKernelRidge(RegressorMixin, BaseEstimator):
    """scikit-learn's `KernelRidge` of the centred target with `noneuclid.ProductKernel`.

    Parameters
    ----------
    space : str, ProductSpace or None, default=None
        Of the rows.
    alpha : float, default=0.1
        Strength of the penalty.
    scale : float, default=2.0
        The kernel is exp(-scale) where each factor has its mean.

    Examples
    --------
    >>> from noneuclid.geometry import ProductSpace
    >>> X = ProductSpace("H2 S2").random_wrapped_normal(99, random_state=0)
    >>> ProductKernelRidge("H2 S2").fit(X, X[:, 1] + 1e3).score(X, X[:, 1] + 1e3) > 0.9
    True
    """

    def __init__(self, space=None, *, alpha=0.1, scale=2.0):
        self.space = space
        self.alpha = alpha
        self.scale = scale

    def fit(self, X, y):
        """Learn the means of the factors, and solve the linear system."""
        X, y = validate_data(self, X, y, y_numeric=True)
        kernel = ProductKernel(self.space, "laplace", self.scale).with_mean_of(X)
        self.mean_ = y.mean()
        self.model_ = KernelRidge(alpha=self.alpha, kernel=kernel).fit(X, y - self.mean_)
        return self

    def predict(self, X):
        """Numbers of rows."""
        check_is_fitted(self)
        return self.model_.predict(validate_data(self, X, reset=False)) + self.mean_
