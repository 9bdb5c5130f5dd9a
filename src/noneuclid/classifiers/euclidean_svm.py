"""Euclidean linear SVM on unchanged coordinates: the baseline of every hyperbolic one."""

from numbers import Integral, Real

import numpy as np

from noneuclid.classifiers.base import BinaryFit, MarginClassifier
from noneuclid.classifiers.default_chart import chart_of
from noneuclid.classifiers.parameter_types import (
    Calibration,
    Chart,
    ClassWeight,
    Hinge,
    MultiClass,
    Seed,
)
from noneuclid.classifiers.sklearn_private import Interval, StrOptions
from noneuclid.geometry.charts import check_points
from noneuclid.solvers.linear.liblinear import check_range, linear_svm
from noneuclid.solvers.linear.newton import newton_svm

# A constant column of this height carries the intercept, whose penalty is then b²/(2·10²).
_INTERCEPT_SCALE = 10.0


class EuclideanSVC(MarginClassifier):
    r"""Euclidean soft-margin SVM on the coordinates of a chart, unchanged.

    Minimises

    .. math::

        \tfrac{1}{2}\lVert w\rVert^2 + \tfrac{1}{2}(b/10)^2
        + C\sum_i \operatorname{loss}(y_i (w\cdot x_i + b)),

    the squared hinge by Newton's method, the hinge by LIBLINEAR, which can only penalise the
    intercept: here with a hundredth of the weight of w, for both.

    Parameters
    ----------
    C : float in [1e-10, 1e10], default=1.0
    loss : {"squared_hinge", "hinge"}, default="squared_hinge"
    fit_intercept : bool, default=True
        False keeps b = 0, as in the Euclidean SVM of Pan et al. (2023); Platt's sigmoids of
        several classes still have offsets.
    max_iter : int, default=10000
    tol : float > 0, default=1e-6
        Limits of the steps and of the relative gap of Newton's method; for the hinge, limit and
        tolerance of LIBLINEAR.
    class_weight, multi_class, calibration, chart, curvature
        As for `HyperboloidSVC`; the chart is checked, the coordinates are unchanged. One-vs-rest,
        each row has the weight of its own class; `LinearSVC` weighs the rows of the class against
        the rest, and gives all others the weight 1.
    random_state : int, RandomState or None, default=None
        Order of LIBLINEAR's coordinates for the hinge, folds of "platt_cv".
    n_jobs, verbose
        As for `PoincareSVC`.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    coef_ : ndarray, shape (n_problems, n_features)
        Euclidean normals.
    intercept_ : ndarray, shape (n_problems,)
    n_iter_, status_, objective_, lower_bound_, gap_ : scalar, or ndarray (n_problems,)
        As for `PoincareSVC`.
    calibration_ : ndarray, shape (n_problems, 2)

    See Also
    --------
    HyperboloidSVC : Hyperbolic hyperplanes.
    PoincareSVC : Hyperbolic hyperplanes through a point.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import EuclideanSVC
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> EuclideanSVC(C=10.0).fit(X, [1, 1, 0, 0]).predict([[0.9, 0.0], [-0.9, 0.0]])
    array([1, 0])
    """

    _parameter_constraints = {  # noqa: RUF012
        **MarginClassifier._parameter_constraints,
        "C": [Interval(Real, 1e-10, 1e10, closed="both")],
        "loss": [StrOptions({"squared_hinge", "hinge"})],
        "fit_intercept": ["boolean"],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        *,
        C: float = 1.0,
        loss: Hinge = "squared_hinge",
        fit_intercept: bool = True,
        max_iter: int = 10_000,
        tol: float = 1e-6,
        class_weight: ClassWeight | None = None,
        multi_class: MultiClass = "ovr",
        calibration: Calibration | None = "platt",
        chart: Chart = "tangent",
        curvature: float = 1.0,
        random_state: Seed | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.C = C
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.class_weight = class_weight
        self.multi_class = multi_class
        self.calibration = calibration
        self.chart = chart
        self.curvature = curvature
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _to_points(self, X):
        check_points(X, chart_of(self), self.curvature)
        return X

    def _fit_binary(self, points, signs, seed, weights):
        width = points.shape[1]
        if self.fit_intercept:
            points = np.column_stack([points, np.full(len(points), _INTERCEPT_SCALE)])
        if self.loss == "hinge":
            limits = self.max_iter, self.tol
            fit = linear_svm(points, signs, self.C, "hinge", *limits, seed, weights)
        else:
            check_range(points, self.C, weights)
            fit = newton_svm(points, signs, self.C, self.tol, self.max_iter, weights)
        return BinaryFit(
            fit.w[:width],
            fit.n_iter,
            fit.status,
            fit.warning,
            objective=fit.objective,
            lower_bound=fit.lower_bound,
            extras={"intercept": _INTERCEPT_SCALE * fit.w[width:].sum()},
        )

    _extra_names = ("intercept",)

    def _binary_scores(self, points, coef, intercept):
        return points @ coef + intercept

    def _distances(self, X):
        return self._scores(self._to_points(X))[:, 0]

    def _boundary_normals(self):
        return np.empty((0, 3))  # lines of a chart
