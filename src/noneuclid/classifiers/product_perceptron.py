"""Kernel perceptron in a product of hyperbolic, spherical and flat factors."""

import warnings
from numbers import Integral, Real
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers import multiclass
from noneuclid.classifiers.base import DecisionClassifier
from noneuclid.classifiers.calibration import fit_platt
from noneuclid.classifiers.parameter_types import ClassWeight, Seed
from noneuclid.classifiers.product_estimator import ProductEstimator
from noneuclid.classifiers.sklearn_private import Interval, StrOptions, check_parameters
from noneuclid.classifiers.weights import encode_weighted
from noneuclid.geometry.product_space import ProductSpace
from noneuclid.solvers.perceptrons import arcsine_kernel


class ProductPerceptron(ProductEstimator, DecisionClassifier):
    r"""Perceptron in a product space, with the arcsine kernel.

    The kernel is that of the program of the authors of [1]_,

    .. math::

        K(x, y) = 1 + \sum_E x\cdot y + \sum_S \operatorname{asin}(x\cdot y)
        + \sum_H \operatorname{asin}(x\cdot y / R^2),

    in ambient coordinates at curvature -1, 1 and 0; on H too, the product is that of Euclid, and R
    is the largest length of a training row there. At each mistake
    :math:`y_i f(x_i) \le 0`, f gains :math:`y_i K(x_i, \cdot)`.

    Parameters
    ----------
    space : str, ProductSpace or None, default=None
        A signature such as "H2 S2 E1", or a `noneuclid.geometry.ProductSpace` with curvatures and
        charts. None: all columns are one flat factor.
    max_iter : int, default=100
        Most passes over the rows.
    tol : float >= 0, default=1e-3
        Share of the rows by which the mistakes of a pass must fall.
    n_iter_no_change : int or None, default=5
        Passes without such a fall after which the fit ends; None: at `max_iter` only.
    average : bool, default=True
        A class that the last pass did not separate has the mean of f over all steps, not the last.
    shuffle : bool, default=True
        Another random order in each pass.
    class_weight : dict, "balanced" or None, default=None
        Factor of the steps for the rows of each class.
    random_state : int, RandomState or None, default=None
        Of the orders.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    space_ : ProductSpace
    support_vectors_ : ndarray, shape (n_support, n_coordinates)
        Rows with a mistake, in ambient coordinates; those of H divided by R.
    dual_coef_ : ndarray, shape (n_problems, n_support)
        Coefficients of their kernels; one row for two classes, else one a class.
    radii_ : ndarray, shape (n_factors,)
        R of each hyperbolic factor, else 1.
    n_iter_ : int
    n_updates_ : ndarray, shape (n_problems,)
    status_ : ndarray of str, shape (n_problems,)
        "separated" or "mistakes left".
    calibration_ : ndarray, shape (n_problems, 2)
        Slope and offset of the log-odds.

    Raises
    ------
    InputError
        If a row is not a point of the space (the factor and the row are named), or y holds one
        class.

    Warns
    -----
    ConvergenceWarning
        If the last pass still made mistakes.

    See Also
    --------
    ProductSVC : A linear classifier with a margin.
    HyperboloidPerceptron : Linear, in a single hyperbolic factor.

    Notes
    -----
    All Taylor coefficients of asin are positive or 0, so that K is positive definite on rows of
    length R at most; :math:`\operatorname{asinh}\langle x,y\rangle_L`, the signed distance from a
    hyperplane, is not a positive definite kernel. New rows longer than R are shortened to R in
    ambient coordinates. K does not change under isometries of S, rotations of E and rotations of H
    about its origin, but does under other isometries of H.

    A classifier :math:`b + \sum_E w\cdot x + \sum_S \alpha\operatorname{asin}(w\cdot x)
    + \sum_H \alpha\operatorname{asin}(w\cdot x/R)`, \|w\| = 1 on S and H, with
    :math:`y_i f(x_i) \ge \varepsilon` at all rows is a vector of squared length
    :math:`b^2 + \sum_E |w|^2 + \tfrac{\pi}{2}\sum\alpha^2` in the space of K. By Novikoff's
    argument there are at most this times :math:`(1 + \max\sum_E |x|^2 + m\pi/2) / \varepsilon^2`
    updates, m the number of factors S and H. The solution is a sum of many such terms a factor:
    it need not be linear itself.

    O(n p) for each row with a mistake, in any class.

    References
    ----------
    .. [1] P. Tabaghi, C. Pan, E. Chien, J. Peng, O. Milenkovic, Linear classifiers in product space
       forms, 2021, arXiv:2102.10204. Differs in: several passes, averaging; R is that of the
       training rows; the bound is derived here.

    Examples
    --------
    >>> from noneuclid import ProductPerceptron
    >>> from noneuclid.geometry import ProductSpace
    >>> space = ProductSpace("H2 S2 E1")
    >>> X = space.random_wrapped_normal(60, random_state=0)
    >>> y = X[:, 1] + X[:, 4] + X[:, 6] > 0
    >>> model = ProductPerceptron("H2 S2 E1", n_iter_no_change=None, random_state=0).fit(X, y)
    >>> model.status_.tolist(), model.score(X, y)
    (['separated'], 1.0)
    """

    _parameter_constraints = {  # noqa: RUF012
        **ProductEstimator._parameter_constraints,
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "n_iter_no_change": [Interval(Integral, 1, None, closed="left"), None],
        "average": ["boolean"],
        "shuffle": ["boolean"],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        space: str | ProductSpace | None = None,
        *,
        max_iter: int = 100,
        tol: float = 1e-3,
        n_iter_no_change: int | None = 5,
        average: bool = True,
        shuffle: bool = True,
        class_weight: ClassWeight | None = None,
        random_state: Seed | None = None,
    ) -> None:
        self.space = space
        self.max_iter = max_iter
        self.tol = tol
        self.n_iter_no_change = n_iter_no_change
        self.average = average
        self.shuffle = shuffle
        self.class_weight = class_weight
        self.random_state = random_state

    @check_parameters
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to labelled points.

        Parameters
        ----------
        X : array-like, shape (n, n_features)
        y : array-like, shape (n,)
            Labels of any type.
        sample_weight : array-like, shape (n,), or None
            Finite numbers >= 0 that multiply the step of each row, and its share in the mean.

        Returns
        -------
        self

        Raises
        ------
        InputError
            As the class; or if a weight is negative or not finite, or fewer than two classes have a
            weight above 0.
        """
        blocks, y = self._read_training(X, y)
        self.classes_, self._left, points, codes, weights, _ = encode_weighted(
            np.hstack(blocks), y, sample_weight, self.class_weight
        )
        widths = [block.shape[1] for block in blocks]
        self._ends = np.cumsum(widths)
        self._curved = np.array([factor.kind != "E" for factor in self.space_.factors])
        parts = np.split(points, self._ends[:-1], axis=1)
        self.radii_ = np.array(
            [
                np.linalg.norm(part, axis=1).max() if factor.kind == "H" else 1.0
                for factor, part in zip(self.space_.factors, parts, strict=True)
            ]
        )
        problems = multiclass.binary_problems(codes, len(self._left), "ovr")
        labels = np.column_stack([signs for _, signs in problems]).astype(float)
        signs = labels if weights is None else labels * weights[:, None]
        vectors = self._vectors(parts)
        settings = (
            self.max_iter,
            self.n_iter_no_change,
            self.tol,
            self.average,
            self._orders(vectors),
        )
        found = arcsine_kernel.run(vectors, signs, self._ends, self._curved, *settings)
        used = found.coef.any(axis=0)
        self.support_vectors_, self.dual_coef_ = vectors[used], found.coef[:, used]
        self.n_iter_, self.n_updates_ = found.n_epochs, found.n_updates
        self.status_ = np.where(found.clean, "separated", "mistakes left")
        pairs = zip(found.scores, labels.T, strict=True)
        centred = labels.shape[1] == 1
        self.calibration_ = np.array([fit_platt(f, sign, centred, weights) for f, sign in pairs])
        self._warn_of_mistakes(found.scores.T * labels <= 0)
        return self

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Scores of two classes, log-odds of each of several.

        Parameters
        ----------
        X : array-like, shape (n, n_features)

        Returns
        -------
        ndarray, shape (n,) for two classes, else (n, n_classes)
            Two classes: f, positive for `classes_[1]`. Several: Platt's log-odds a f + b against
            the rest.
        """
        scores = self._scores(X)
        values = scores[:, 0] if len(self._left) == 2 else self._log_odds(scores)
        return multiclass.all_columns(values, self._left, len(self.classes_), least=None)

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Platt probabilities of training scores, normalised over the classes.

        Parameters
        ----------
        X : array-like, shape (n, n_features)

        Returns
        -------
        ndarray, shape (n, n_classes)
        """
        log_odds = self._log_odds(self._scores(X))
        found = multiclass.normalise_sigmoids(log_odds[:, 0] if len(self._left) == 2 else log_odds)
        return multiclass.all_columns(found, self._left, len(self.classes_))

    def _scores(self, X):
        check_is_fitted(self)
        kept = self.support_vectors_, self.dual_coef_
        vectors = self._vectors(self._read_new(X))
        return arcsine_kernel.sum_kernels(vectors, *kept, self._ends, self._curved)

    def _log_odds(self, scores):
        return scores * self.calibration_[:, 0] + self.calibration_[:, 1]

    def _vectors(self, blocks):
        """Blocks side by side; those of H in the unit ball, divided by R or their own length."""
        found = []
        for factor, block, radius in zip(self.space_.factors, blocks, self.radii_, strict=True):
            if factor.kind == "H":
                length = np.linalg.norm(block, axis=1, keepdims=True)
                block = block / np.maximum(length, radius)
            found.append(block)
        return np.hstack(found)

    def _orders(self, vectors):
        """Orders of the rows, one a pass."""
        rng, n = check_random_state(self.random_state), len(vectors)
        while True:
            yield rng.permutation(n) if self.shuffle else np.arange(n)

    def _warn_of_mistakes(self, wrong):
        left = wrong.any(axis=0)
        if left.any():
            warnings.warn(
                f"ProductPerceptron: {wrong[:, left][:, 0].sum()} of {len(wrong)} rows still "
                f"misclassified after {self.n_iter_} passes, in the first of {left.sum()} binary "
                "problems with mistakes; raise max_iter and n_iter_no_change, or accept that the "
                "kernel does not separate the classes",
                ConvergenceWarning,
                stacklevel=3,
            )
