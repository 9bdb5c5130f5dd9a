"""Logistic regression whose logits are distances from hyperbolic hyperplanes."""

import warnings
from numbers import Integral, Real
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers.base import DecisionClassifier
from noneuclid.classifiers.default_chart import chart_of, question_default
from noneuclid.classifiers.multiclass import all_columns
from noneuclid.classifiers.parallel import shows_progress
from noneuclid.classifiers.parameter_types import Chart, ClassWeight
from noneuclid.classifiers.sklearn_private import Interval, StrOptions, check_parameters
from noneuclid.classifiers.validation import read, to_hyperboloid
from noneuclid.classifiers.weights import encode_weighted
from noneuclid.solvers.hyperboloid.descent.logistic import fit_softmax


class HyperbolicLogisticRegression(DecisionClassifier):
    r"""Multinomial logistic regression with hyperbolic hyperplanes.

    It is that of [1]_, in the Lorentz form of [2]_. The logit of a class is the signed distance
    from its hyperplane v times the norm :math:`\lVert v\rVert`:

    .. math::

        f(x) = \lVert v\rVert \operatorname{asinh}\frac{\langle v,x\rangle_L}{\lVert v\rVert},
        \qquad \langle v,v\rangle_L = \lVert v\rVert^2 > 0.

    Minimises

    .. math:: \tfrac{1}{2}\sum_k \langle v_k,v_k\rangle_L + C\sum_i q_i \operatorname{loss}_i,

    :math:`q_i` the weight of a row: the softmax loss with a hyperplane for each class, or for two
    classes the logistic loss with one. The problem is not convex; L-BFGS starts at the class means
    as seen from the Fréchet mean of all rows, so an isometry of the space moves the solution with
    the points, unless the mean of a class is that of all rows: its start is then arbitrary. The
    minimum may have a normal of zero: this class has the same logit everywhere.

    Parameters
    ----------
    C : float >= 1e-10, default=1.0
        Weight of the loss; infinity for no penalty.
    max_iter : int, default=1000
    tol : float > 0, default=1e-5
        Bound for every entry of the gradient of objective / (C Σ q), the logits written from the
        Fréchet mean of the rows, and for the slope in any direction from a normal of zero.
    class_weight : dict, "balanced" or None, default=None
        Weight of the rows of each class, times their `sample_weight`; "balanced" gives all classes
        the same total.
    warm_start : bool, default=False
        Whether `fit` starts from the last fit, if that has the same Fréchet mean and number of
        classes, as for a path of C on the same rows. Nine values of C on 1,797 digits took 0.5 to
        0.9 of the time; the minimum that is found can be another one.
    chart : {"tangent", "poincare", "klein", "hyperboloid"} or None, default=None
        How the rows of X are written. None reads tangent vectors, as a table holds, and warns if
        the rows look like points of another chart: embeddings return ``"poincare"`` by default.
    curvature : float > 0, default=1.0
        K; the space has curvature -K. Points are scaled to K = 1.
    verbose : int, default=0
        1 shows progress on stderr. There is no `n_jobs`: all classes are one problem.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    normals_ : ndarray, shape (m, d)
        z of each hyperplane, |z| = |v|; m is 1 for two classes, else their number. Zero where the
        hyperplane lies beyond the rim of the space.
    intercept_ : ndarray, shape (m,)
        Logit of the origin.
    coef_ : ndarray, shape (m, d + 1)
        Lorentz normals v at curvature -1, time coordinate first.
    objective_ : float
        Objective / (C Σ q).
    gradient_norm_ : float
    n_iter_ : int
    status_ : {"stationary", "not converged"}

    See Also
    --------
    HyperboloidSVC : The hinge loss, solved to a certified optimum.

    References
    ----------
    .. [1] O. Ganea, G. Bécigneul, T. Hofmann, Hyperbolic neural networks, NeurIPS 2018,
       section 3.1.
    .. [2] A. Bdeir, K. Schwethelm, N. Landwehr, Fully hyperbolic convolutional neural networks for
       computer vision, ICLR 2024. Differs in: a penalty that isometries do not change; a bias that
       is the logit of the origin; no stochastic gradients.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import HyperbolicLogisticRegression
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> model = HyperbolicLogisticRegression(chart="poincare").fit(X, [1, 1, 0, 0])
    >>> model.predict([[0.9, 0.0], [-0.9, 0.0]])
    array([1, 0])
    """

    _parameter_constraints = {  # noqa: RUF012
        **DecisionClassifier._parameter_constraints,
        "C": [Interval(Real, 1e-10, None, closed="both")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "warm_start": ["boolean"],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        *,
        C: float = 1.0,
        max_iter: int = 1000,
        tol: float = 1e-5,
        class_weight: ClassWeight | None = None,
        warm_start: bool = False,
        chart: Chart | None = None,
        curvature: float = 1.0,
        verbose: int = 0,
    ) -> None:
        self.C = C
        self.max_iter = max_iter
        self.tol = tol
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.chart = chart
        self.curvature = curvature
        self.verbose = verbose

    @shows_progress
    @check_parameters
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to labelled points.

        Parameters
        ----------
        X : array-like, shape (n, d), or (n, d + 1) for chart "hyperboloid"
        y : array-like, shape (n,)
            Labels of any type.
        sample_weight : array-like, shape (n,), or None
            Finite numbers >= 0 that multiply the loss of each row: 2 counts as two equal rows, 0
            as none. A class whose rows all have weight 0 has probability 0.

        Returns
        -------
        self

        Raises
        ------
        InputError
            If a row of X does not satisfy the chart, y holds one class, a weight is negative or
            not finite, or fewer than two classes have a weight above 0.
        """
        X, y = read(self, X, y)
        question_default(self, X)
        points = self._to_points(X)
        self.classes_, self._left, points, codes, weights, _ = encode_weighted(
            points, y, sample_weight, self.class_weight
        )
        limits = self.max_iter, self.tol
        before = getattr(self, "_fit", None) if self.warm_start else None
        fit = fit_softmax(points, codes, len(self._left), self.C, *limits, weights, before)
        self._fit = fit
        self.normals_, self.intercept_ = fit.from_origin()
        self.objective_, self.n_iter_ = fit.objective, fit.n_iter
        self.gradient_norm_ = fit.gradient_norm
        converged = fit.gradient_norm <= self.tol
        self.status_ = "stationary" if converged else "not converged"
        if not converged:
            warnings.warn(
                f"HyperbolicLogisticRegression: L-BFGS stopped after {fit.n_iter} iterations with "
                f"gradient {fit.gradient_norm:.2g} > tol = {self.tol:.2g}; raise max_iter or tol",
                ConvergenceWarning,
                stacklevel=4,
            )
        return self

    def _to_points(self, X):
        return to_hyperboloid(X, chart_of(self), self.curvature)

    @property
    def coef_(self) -> np.ndarray:
        """Lorentz normals; infinite where |z| is below 1/700 of the logit of the origin."""
        check_is_fitted(self)
        norms = np.linalg.norm(self.normals_, axis=1, keepdims=True)
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            shift = self.intercept_[:, None] / norms
            found = np.hstack([-norms * np.sinh(shift), self.normals_ * np.cosh(shift)])
        flat = norms[:, 0] == 0.0
        found[flat, 0], found[flat, 1:] = np.copysign(np.inf, -self.intercept_[flat]), 0.0
        return found

    def _boundary_normals(self):
        return self.coef_

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Logits; for two classes the log-odds of `classes_[1]`.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n,) for two classes, else (n, n_classes)
        """
        values = self._logits(X)
        return all_columns(values, self._left, len(self.classes_), least=None)

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Probabilities: the sigmoid or softmax of the logits.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n, n_classes)
            In the order of `classes_`.
        """
        values = self._logits(X)
        if values.ndim == 1:
            found = np.column_stack([expit(-values), expit(values)])
        else:
            found = softmax(values, axis=1)
        return all_columns(found, self._left, len(self.classes_))

    def _logits(self, X):
        """Logits of the classes that were fitted, (n,) for two, else (n, K)."""
        points = self._check_again(X)
        values = self._fit.logits(points)
        return values[:, 0] if len(self._left) == 2 else values
