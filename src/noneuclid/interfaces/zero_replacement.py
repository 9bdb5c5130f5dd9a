"""Replacement of the zeros of compositions, which have no logarithm."""

from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers.validation import read
from noneuclid.errors import InputError, require, require_number
from noneuclid.estimator import Estimator
from noneuclid.interfaces.numbers import EXACT

# Of the smallest positive proportion: what best replaces a zero below a limit of detection.
SHARE = 0.65
_OF_COUNTS = ("geometric", "square_root", "bayes_laplace")
# Numbers below it lose their digits one by one.
_TINY = float(np.finfo(float).tiny)


class ZeroReplacement(OneToOneFeatureMixin, TransformerMixin, Estimator):
    r"""Proportions of nonnegative parts, with small positive numbers in place of zeros.

    Each row is divided by its sum, :math:`n`. A zero of part j becomes :math:`r_j`, and the other
    parts of the row are multiplied by one minus the sum of its :math:`r_j`, which keeps their
    ratios (multiplicative replacement [1]_). Rows then have log-ratios and Hilbert distances.

    Parameters
    ----------
    method : {"multiplicative", "geometric", "square_root", "bayes_laplace"}
        What :math:`r_j` is. "multiplicative", for any parts: `delta`. The others are for counts,
        the expectations of Dirichlet priors [2]_, :math:`r_j=t_j\,s/(n+s)`. The prior has
        proportions :math:`t_j`, those of the summed training rows, and strength s: one over the
        geometric mean of t, :math:`\sqrt n`, or the number of parts.
    delta : float or None, default=None
        Of the method "multiplicative", as a proportion of the row; None: 65 % of the smallest
        positive proportion of the training rows.

    Attributes
    ----------
    delta_ : float
        Only of the method "multiplicative".
    totals_ : ndarray of float64, shape (p,)
        Sums of the parts over the training rows; only of the methods for counts.
    smallest_ : ndarray of float64, shape (p,)
        Smallest positive proportion of each part in the training rows, of the methods for counts:
        a larger :math:`r_j` becomes 65 % of it.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Names of the parts of a data frame.

    Raises
    ------
    InputError
        If a part is negative, a row has zeros only, counts are not whole, or the training rows
        say nothing on a part: all of them have a zero there, or for "geometric" all except one. If
        a proportion is too small or a sum too large for float64, or counts sum to more than 2^53.

    See Also
    --------
    LogRatio : Log-ratios of the result.
    HilbertSVC : Reads the result in its own metric.

    Notes
    -----
    Time and memory O(n p). Nothing is fitted to new rows. For the methods for counts,
    `fit_transform` leaves each training row out of its own :math:`t_j`, as `cmultRepl` of the R
    package zCompositions does (GBM, SQ, BL), so it differs from `fit` followed by `transform`.

    References
    ----------
    .. [1] J. A. Martín-Fernández, C. Barceló-Vidal and V. Pawlowsky-Glahn, Dealing with zeros and
       missing values in compositional data sets using nonparametric imputation, Mathematical
       Geology 35, 2003, doi:10.1023/A:1023866030544.
    .. [2] J. A. Martín-Fernández, K. Hron, M. Templ, P. Filzmoser and J. Palarea-Albaladejo,
       Bayesian-multiplicative treatment of count zeros in compositional data sets, Statistical
       Modelling 15, 2015, doi:10.1177/1471082X14535524.

    Examples
    --------
    >>> from noneuclid import ZeroReplacement
    >>> ZeroReplacement(delta=0.1).fit_transform([[0.0, 2.0, 6.0], [1.0, 1.0, 2.0]])
    array([[0.1  , 0.225, 0.675],
           [0.25 , 0.25 , 0.5  ]])
    """

    def __init__(
        self,
        method: Literal[
            "multiplicative", "geometric", "square_root", "bayes_laplace"
        ] = "multiplicative",
        *,
        delta: float | None = None,
    ):
        self.method = method
        self.delta = delta

    def __sklearn_tags__(self):
        """Tags of scikit-learn: parts are not negative."""
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Learn what replaces a zero.

        Parameters
        ----------
        X : array_like of shape (n, p)
            Nonnegative parts, or counts, one row a sample.
        y : None
            Ignored.

        Returns
        -------
        self
        """
        X = self._read(X, reset=True)
        proportions = _held(X / X.sum(axis=1, keepdims=True), X > 0)
        self.__dict__.pop("delta_", None)
        if self.method not in _OF_COUNTS:
            smallest = float(proportions.min(initial=1.0, where=X > 0))
            self.delta_ = SHARE * smallest if self.delta is None else float(self.delta)
            return self
        require(len(X) > 1, "ZeroReplacement: n_samples = 1; a prior needs two rows or more")
        self.totals_ = X.sum(axis=0)
        known = np.count_nonzero(X, axis=0) > (self.method == "geometric")
        if not known.all():
            raise InputError(
                f"ZeroReplacement: part {int(known.argmin())} is zero in all training rows, or for "
                f"the method 'geometric' in all except one ({np.count_nonzero(~known)} parts are "
                "so); leave these parts out"
            )
        self.smallest_ = proportions.min(axis=0, initial=1.0, where=X > 0)
        return self

    def transform(self, X: ArrayLike) -> np.ndarray:
        """Proportions of new rows without zeros.

        Parameters
        ----------
        X : array_like of shape (m, p)
            Parts in the units of `fit`.

        Returns
        -------
        ndarray of float64, shape (m, p)
            Positive rows that sum to one.
        """
        check_is_fitted(self)
        X = self._read(X, reset=False)
        return self._replaced(X, getattr(self, "totals_", None))

    def fit_transform(self, X: ArrayLike, y: Any = None) -> np.ndarray:
        """Learn what replaces a zero, and replace the zeros of the training rows.

        Parameters
        ----------
        X : array_like of shape (n, p)
            As in `fit`.
        y : None
            Ignored.

        Returns
        -------
        ndarray of float64, shape (n, p)
            Positive rows that sum to one.
        """
        self.fit(X, y)
        X = self._read(X, reset=False)
        return self._replaced(X, self.totals_ - X if self.method in _OF_COUNTS else None)

    def _replaced(self, X, totals):
        """Proportions of rows; `totals`, shape (p,) or (n, p), make the priors of counts."""
        zeros, n = X == 0, X.sum(axis=1, keepdims=True)
        if totals is None:
            amounts = np.where(zeros, self.delta_, 0.0)
        else:
            prior = totals / totals.sum(axis=-1, keepdims=True)
            strength = {
                "geometric": lambda: np.exp(-np.log(prior).mean(axis=-1, keepdims=True)),
                "square_root": lambda: np.sqrt(n),
                "bayes_laplace": lambda: X.shape[1],
            }[self.method]()
            amounts = np.where(zeros, prior * strength / (n + strength), 0.0)
            amounts = np.where(amounts > self.smallest_, SHARE * self.smallest_, amounts)
        left = 1 - amounts.sum(axis=1, keepdims=True)
        row = int(left.argmin())
        require(
            left[row, 0] > 0,
            f"ZeroReplacement: delta = {self.delta!r} for each of {zeros[row].sum()} zeros of row "
            f"{row} leaves nothing of its other parts; give a smaller number",
        )
        return _held(np.where(zeros, amounts, left * (X / n)), True)

    def _read(self, X, reset):
        """Rows of parts, after checks."""
        name, legal = type(self).__name__, ("multiplicative", *_OF_COUNTS)
        require(
            self.method in legal,
            f"{name}: method = {self.method!r}; give one of {', '.join(legal)}",
        )
        if self.delta is not None:
            require(
                self.method not in _OF_COUNTS,
                f"{name}: delta belongs to the method 'multiplicative', not to {self.method!r}",
            )
            require_number(self.delta, "delta", name, low=1e-300, high=1.0)
        X = read(self, X, reset=reset)
        require(X.shape[1] > 1, f"{name}: n_features = 1; a composition has two parts or more")
        if (X < 0).any():
            row, column = np.argwhere(X < 0)[0]
            # The first words are those that scikit-learn asks for.
            raise InputError(
                f"Negative values in data passed to {name}: row {row}, column {column} has "
                f"{X[row, column]:g}; correct it"
            )
        empty = ~X.any(axis=1)
        require(not empty.any(), f"{name}: row {int(empty.argmax())} has zeros only; remove it")
        if self.method in _OF_COUNTS and (X % 1).any():
            row, column = np.argwhere(X % 1)[0]
            raise InputError(
                f"{name}: row {row}, column {column} has {X[row, column]:g}, but the method "
                f"{self.method!r} needs counts; take 'multiplicative'"
            )
        most = EXACT if self.method in _OF_COUNTS else np.finfo(float).max
        with np.errstate(over="ignore"):
            total = X.sum()
        require(
            total <= most,
            f"{name}: the parts sum to {total:.3g} (row {int(X.max(axis=1).argmax())} has "
            f"{X.max():.3g}), beyond {most:.3g}; divide all by one number",
        )
        return X


def _held(proportions, positive):
    """Proportions (n, p), unless one that is `positive` is too small for float64."""
    lost = np.argwhere((proportions < _TINY) & positive)
    if lost.size:
        row, column = lost[0]
        raise InputError(
            f"ZeroReplacement: row {row}, column {column} becomes {proportions[row, column]:g}, "
            f"below {_TINY:.2g}, where float64 loses digits; leave the part out, or change delta"
        )
    return proportions
