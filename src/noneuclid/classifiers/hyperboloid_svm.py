"""Soft-margin SVM on the hyperboloid."""

from numbers import Integral, Real

from sklearn.utils._param_validation import Interval, StrOptions

from noneuclid.classifiers.base import BinaryFit, MarginClassifier
from noneuclid.solvers import projected_gradient


class HyperboloidSVC(MarginClassifier):
    """Soft-margin SVM whose hyperplanes are those of hyperbolic space.

    Minimises ½<w,w>_L + C Σ loss(y_i <w,x_i>_L) over spacelike w, <w,w>_L > 0, with the
    arcsinh loss max(0, asinh 1 - asinh m) (eqs. 19-20 of [1]_, which writes w*x = -<w,x>_L)
    or the hinge max(0, 1 - m). The problem is not convex.

    Parameters
    ----------
    C : float > 0, default=1.0
        Weight of the summed loss; larger fits the training set harder.
    loss : {"arcsinh", "hinge"}, default="arcsinh"
    solver : {"pgd"}, default="pgd"
        Projected gradient descent, full batch, best iterate kept, started from the Euclidean
        SVM of the ambient space. A local method: no bound, `gap_` is nan.
    learning_rate : float > 0, default=1e-3
        Step length of "pgd"; cut to a tenth, up to six times, while step 100 is worse than
        the start.
    max_iter : int, default=2000
        Steps of "pgd".
    tol : float >= 0, default=1e-3
        "pgd" warns if the best objective still fell by more, relative, in the last tenth of
        the steps.
    multi_class : {"ovr", "ovo"}, default="ovr"
        One-vs-rest by the largest Platt probability, or one-vs-one by votes.
    calibration : {"platt", "platt_cv"} or None, default="platt"
        Sigmoid fitted to training scores, or to scores of 3 cross-validation folds.
    chart : {"tangent", "poincare", "klein", "hyperboloid"}, default="tangent"
        How the rows of X are written.
    curvature : float > 0, default=1.0
        K; the space has curvature -K. Points are scaled to K = 1 before the fit.
    random_state : int, RandomState or None, default=None
        Used by "platt_cv" only.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    coef_ : ndarray, shape (n_problems, d + 1)
        Lorentz normals w at K = 1, time coordinate first, signature (-, +, ..., +): the score
        of x is <w, sqrt(K) x>_L. One row for two classes, else one a class ("ovr") or pair.
    n_iter_, status_, objective_, lower_bound_, gap_ : scalar, or ndarray (n_problems,)
        `status_` is "converged", "still falling", or "start kept" (the descent never went
        below its start). `gap_` is (objective - bound) / |objective|.
    calibration_ : ndarray, shape (n_problems, 2)
        Slope and offset of the log-odds.

    Raises
    ------
    InputError
        If a row of X does not satisfy the chart, or y holds one class.

    References
    ----------
    .. [1] H. Cho, B. DeMeo, J. Peng, B. Berger, Large-margin classification in hyperbolic
       space, AISTATS 2019. Differs in: the projection (nearest point, sign of w_0 kept; an
       infeasible start is projected and trained), repeated cuts of the step length.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import HyperboloidSVC
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> model = HyperboloidSVC(C=10.0, chart="poincare").fit(X, ["b", "b", "a", "a"])
    >>> model.predict([[0.9, 0.0], [-0.9, 0.0]])
    array(['b', 'a'], dtype='<U1')
    """

    _parameter_constraints = {  # noqa: RUF012
        **MarginClassifier._parameter_constraints,
        "C": [Interval(Real, 0, None, closed="neither")],
        "loss": [StrOptions({"arcsinh", "hinge"})],
        "solver": [StrOptions({"pgd"})],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
    }

    def __init__(
        self,
        *,
        C=1.0,
        loss="arcsinh",
        solver="pgd",
        learning_rate=1e-3,
        max_iter=2000,
        tol=1e-3,
        multi_class="ovr",
        calibration="platt",
        chart="tangent",
        curvature=1.0,
        random_state=None,
    ):
        self.C = C
        self.loss = loss
        self.solver = solver
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.tol = tol
        self.multi_class = multi_class
        self.calibration = calibration
        self.chart = chart
        self.curvature = curvature
        self.random_state = random_state

    def _fit_binary(self, points, signs, seed):
        fit = projected_gradient.descend(
            points,
            signs,
            projected_gradient.warm_start(points, signs, self.C),
            self.C,
            loss=self.loss,
            learning_rate=self.learning_rate,
            max_iter=self.max_iter,
            tol=self.tol,
        )
        warning = ""
        if fit.status == "still falling":
            warning = (
                f"solver 'pgd' lowered the objective by {fit.fall:.1e} (relative) in its last "
                f"{max(1, self.max_iter // 10)} steps; raise max_iter or learning_rate"
            )
        return BinaryFit(fit.w, fit.n_iter, fit.status, warning, objective=fit.objective)
