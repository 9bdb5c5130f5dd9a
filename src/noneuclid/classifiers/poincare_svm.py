"""Soft-margin SVM on the Poincaré ball."""

from numbers import Integral, Real

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from noneuclid.classifiers import reference
from noneuclid.classifiers.base import BinaryFit, MarginClassifier
from noneuclid.solvers.liblinear import linear_svm


class PoincareSVC(MarginClassifier):
    """Max-margin classifier among the hyperbolic hyperplanes through a reference point p.

    Solves the primal (31) of [1]_, min ½|w|² + C Σ loss(y_i <v_i, w>), without a bias, on one of
    two sets of vectors: v_i = log_p(x_i), as in [1]_, whose margin is a lower bound (eq. 28)
    of the hyperbolic one; or z_i = η_i log_p(x_i), for which the hyperbolic distance to the
    hyperplane is exactly asinh(<z_i, w>/|w|).

    Parameters
    ----------
    C : float > 0, default=1.0
        Weight of the summed loss.
    margin : {"paper", "exact"}, default="paper"
        v_i, in the coordinates of the unit ball (length dist(p, x_i) (1 - |p|²)/2), or z_i
        (length sinh dist(p, x_i)).
    loss : {"squared_hinge", "hinge"}, default="squared_hinge"
        [1]_ writes the hinge; its authors' code uses the squared hinge, which is solved in the
        primal and comes with a lower bound.
    reference_point : {"auto", "hulls", "hull vertices", "midpoint of means", "origin"} or \
array-like, default="auto"
        p, as a rule applied to each binary problem (see `reference.choose`: "auto" is
        "hulls" up to 4 dimensions; where hulls overlap, the nearest pair of their vertices), or
        as coordinates in `chart`.
    max_iter : int, default=10000
    tol : float > 0, default=1e-6
        LIBLINEAR's limit and tolerance.
    multi_class, calibration, chart, curvature
        As for `HyperboloidSVC`.
    random_state : int, RandomState or None, default=None
        Order of LIBLINEAR's coordinates for the hinge, folds of "platt_cv".

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    coef_ : ndarray, shape (n_problems, d + 1)
        Lorentz normals at K = 1, time coordinate first. The score of x is <coef, sqrt(K) x>_L
        for margin "exact" (= w·z); for "paper" it is w·v, which has the same sign.
    reference_points_ : ndarray, shape (n_problems, d + 1)
        On the hyperboloid of curvature -1.
    reference_rules_ : ndarray of str, shape (n_problems,)
        The rule used in each problem.
    n_iter_, status_, objective_, lower_bound_, gap_ : scalar, or ndarray (n_problems,)
        `status_` is "optimal" or "max_iter"; the bound is nan for the hinge.
    calibration_ : ndarray, shape (n_problems, 2)

    Raises
    ------
    InputError
        If a row of X does not satisfy the chart, or y holds one class.

    References
    ----------
    .. [1] C. Pan, E. Chien, P. Tabaghi, J. Peng, O. Milenkovic, Provably accurate and scalable
       linear classifiers in hyperbolic spaces, 2023. Differs in: the duals (30), (32) are not
       used (their equality belongs to a bias that the primals lack); margin "exact".

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import PoincareSVC
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> model = PoincareSVC(C=10.0, chart="poincare").fit(X, [True, True, False, False])
    >>> model.predict([[0.9, 0.0], [-0.9, 0.0]])
    array([ True, False])
    """

    _parameter_constraints = {  # noqa: RUF012
        **MarginClassifier._parameter_constraints,
        "C": [Interval(Real, 0, None, closed="neither")],
        "margin": [StrOptions({"paper", "exact"})],
        "loss": [StrOptions({"squared_hinge", "hinge"})],
        "reference_point": [StrOptions(set(reference.RULES)), "array-like"],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="neither")],
    }
    _extra_names = ("reference_points",)

    def __init__(
        self,
        *,
        C=1.0,
        margin="paper",
        loss="squared_hinge",
        reference_point="auto",
        max_iter=10_000,
        tol=1e-6,
        multi_class="ovr",
        calibration="platt",
        chart="tangent",
        curvature=1.0,
        random_state=None,
    ):
        self.C = C
        self.margin = margin
        self.loss = loss
        self.reference_point = reference_point
        self.max_iter = max_iter
        self.tol = tol
        self.multi_class = multi_class
        self.calibration = calibration
        self.chart = chart
        self.curvature = curvature
        self.random_state = random_state

    def _fit_binary(self, points, signs, seed):
        point, rule = reference.choose(
            self.reference_point, points, signs, self.chart, self.curvature
        )
        fit = linear_svm(
            self._vectors(points, point), signs, self.C, self.loss, self.max_iter, self.tol, seed
        )
        return BinaryFit(
            reference.to_normal(fit.w, point),
            fit.n_iter,
            fit.status,
            fit.warning,
            objective=fit.objective,
            lower_bound=fit.lower_bound,
            extras={"reference_points": point, "reference_rules": np.str_(rule)},
        )

    def _vectors(self, points, point):
        seen = reference.seen_from(points, point)
        return seen * _shrink(seen, point)[:, None] if self.margin == "paper" else seen

    def _binary_scores(self, points, coef, reference_points):
        scores = super()._binary_scores(points, coef)
        if self.margin == "exact":
            return scores
        return scores * _shrink(reference.seen_from(points, reference_points), reference_points)


def _shrink(seen, point):
    """1/η_i = |v_i| / |z_i| = (dist / sinh dist) / σ_p, where σ_p = 1 + p_0."""
    sinh = np.linalg.norm(seen, axis=1)
    ratio = np.where(sinh == 0, 1.0, np.arcsinh(sinh) / np.where(sinh == 0, 1.0, sinh))
    return ratio / (1.0 + point[0])
