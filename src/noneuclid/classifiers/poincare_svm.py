"""Hard- and soft-margin SVM on the Poincaré ball."""

from numbers import Integral, Real
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.classifiers import reference_choice, reference_rules
from noneuclid.classifiers.base import BinaryFit
from noneuclid.classifiers.blockwise import BlockwiseClassifier
from noneuclid.classifiers.parameter_types import (
    Calibration,
    Chart,
    ClassWeight,
    Hinge,
    MultiClass,
    Rule,
    Seed,
)
from noneuclid.classifiers.sklearn_private import Interval, StrOptions
from noneuclid.compiled import compile_cached
from noneuclid.errors import InputError
from noneuclid.solvers.linear.hard_margin import hard_margin_svm
from noneuclid.solvers.linear.liblinear import linear_svm
from noneuclid.solvers.linear.newton import newton_svm
from noneuclid.solvers.linear.sgd import sgd_svm

_LOSS_OF = {"newton": "squared_hinge", "sgd": "hinge"}


class PoincareSVC(BlockwiseClassifier):
    r"""Max-margin classifier among the hyperbolic hyperplanes through a reference point p.

    Solves the primal (31) of [1]_,

    .. math::

        \min_w\; \tfrac{1}{2}\lVert w\rVert^2
        + C\sum_i \operatorname{loss}(y_i \langle v_i, w\rangle),

    or (29),

    .. math::

        \min_w\; \tfrac{1}{2}\lVert w\rVert^2 \quad\text{subject to}\quad
        y_i \langle v_i, w\rangle \ge 1,

    without an intercept: the hyperplane passes through p. The vectors are
    :math:`v_i = \log_p(x_i)`, as in [1]_, whose margin is a lower bound (eq. 28) of the hyperbolic
    one; or :math:`z_i = \eta_i \log_p(x_i)`, for which the hyperbolic distance to the hyperplane is
    exactly :math:`\operatorname{asinh}(\langle z_i, w\rangle/\lVert w\rVert)`.

    For two classes `decision_function` is the hyperbolic distance, and probabilities grow with it,
    for both margins. Several classes are compared by calibrated scores w·v or w·z. On one side of
    the hyperplane w·v need not grow with the distance; its sign is the same.

    Parameters
    ----------
    C : float in [1e-10, 1e10], or infinite, default=1.0
        Weight of the summed loss; `np.inf` for the hard margin (29).
    margin : {"paper", "exact"}, default="paper"
        v_i, in the coordinates of the unit ball (length dist(p, x_i) (1 - |p|²)/2), or z_i
        (length sinh dist(p, x_i)).
    loss : {"squared_hinge", "hinge"}, default="squared_hinge"
        [1]_ writes the hinge; its authors' code uses the squared hinge. A hard margin has neither.
    solver : {"auto", "newton", "liblinear", "sgd"}, default="auto"
        "newton": for the squared hinge, without a copy of the data. "liblinear": LIBLINEAR through
        scikit-learn, which copies the data at 16 bytes a number. "sgd": Algorithm 3 of [1]_, for
        the hinge. "auto": "newton", for the hinge "liblinear"; least distance programming for a
        hard margin.
    reference_point : str or array-like, default="auto"
        p, as a rule, "auto", "hulls", "hull vertices", "midpoint of means", "best plane" or
        "origin", applied to each binary problem (see `reference_rules.learn`: where hulls overlap,
        "hulls" takes the nearest pair of their vertices, as the authors' code; "best
        plane" takes p on the best of all hyperplanes), or as coordinates in `chart`: one point, or
        one row for each binary problem (one-vs-rest: in the order of `classes_`). "auto" tries five
        points of each problem on at most about 5000 training rows, among them the midpoint of means
        and "hull vertices", and keeps those of the most accurate classifier (see
        `reference_choice.choose`); the folds of "platt_cv" keep them too. It costs 2 to 8 times
        scikit-learn's `LinearSVC` up to 5000 rows, and less than that beyond 20,000.
    max_iter : int or None, default=None
        Steps of "newton" (None: 100), of "liblinear" (10,000); passes of "sgd" (1000).
    tol : float > 0 or None, default=None
        Relative gap to prove for "newton", "sgd" and the hard margin; tolerance of LIBLINEAR. None:
        1e-6, for "sgd" 0.01.
    class_weight, multi_class, calibration, chart, curvature
        As for `HyperboloidSVC`. Weights of rows and classes multiply C; a hard margin ignores
        them, except that a row of weight 0 counts as deleted. They also apply to the means,
        the best plane and the accuracy that "auto" compares.
    random_state : int, RandomState or None, default=None
        Order of the rows for the hinge, folds of "platt_cv".
    n_jobs : int or None, default=None
        Binary problems of several classes to solve at a time, -1 for one on each processor; None
        is 1, or the number of `joblib.parallel_config`. Results do not depend on it.
    verbose : int, default=0
        1 shows progress on stderr.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    coef_ : ndarray, shape (n_problems, d + 1)
        Lorentz normals at K = 1, time coordinate first. The score of x is <coef, sqrt(K) x>_L
        for margin "exact" (= w·z) and for two classes; else, for "paper", w·v of the same sign.
    reference_points_ : ndarray, shape (n_problems, d + 1)
        On the hyperboloid of curvature -1.
    reference_rules_ : ndarray of str, shape (n_problems,)
        The rule used in each problem; of "auto" one of `reference_choice.NAMES`.
    n_iter_, status_, objective_, lower_bound_, gap_ : scalar, or ndarray (n_problems,)
        `status_` is "optimal" if the gap is proven, else "max_iter" or "inaccurate"; for "sgd" as
        published "fell".
    calibration_ : ndarray, shape (n_problems, 2)

    Raises
    ------
    InputError
        If a row of X or p does not satisfy the chart, y holds one class, settings contradict each
        other, or C is infinite and a point has two labels or no hyperplane through p separates
        the classes.

    See Also
    --------
    HyperboloidSVC : All hyperplanes, not only those through a point.
    PoincarePerceptron : The same hyperplanes, row by row.
    EuclideanSVC : The Euclidean baseline.

    References
    ----------
    .. [1] C. Pan, E. Chien, P. Tabaghi, J. Peng, O. Milenkovic, Provably accurate and scalable
       linear classifiers in hyperbolic spaces, 2023. Differs in: the duals (30), (32) are not
       used (their equality belongs to a bias, which the primals do not have); margin "exact".

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
        **BlockwiseClassifier._parameter_constraints,
        "C": [Interval(Real, 1e-10, None, closed="both")],
        "margin": [StrOptions({"paper", "exact"})],
        "loss": [StrOptions({"squared_hinge", "hinge"})],
        "solver": [StrOptions({"auto", "newton", "liblinear", "sgd"})],
        "reference_point": [StrOptions({"auto", *reference_rules.RULES}), "array-like"],
        "max_iter": [Interval(Integral, 1, None, closed="left"), None],
        "tol": [Interval(Real, 0, None, closed="neither"), None],
    }
    _extra_names = ("reference_points",)

    def __init__(
        self,
        *,
        C: float = 1.0,
        margin: Literal["paper", "exact"] = "paper",
        loss: Hinge = "squared_hinge",
        solver: Literal["auto", "newton", "liblinear", "sgd"] = "auto",
        reference_point: Rule | ArrayLike = "auto",
        max_iter: int | None = None,
        tol: float | None = None,
        class_weight: ClassWeight | None = None,
        multi_class: MultiClass = "ovr",
        calibration: Calibration | None = "platt",
        chart: Chart | None = None,
        curvature: float = 1.0,
        random_state: Seed | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.C = C
        self.margin = margin
        self.loss = loss
        self.solver = solver
        self.reference_point = reference_point
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

    def _check_labels(self, points, codes, weights, numbers):
        self._check_hard_margin(points, codes, numbers)
        if self._is_auto():
            self._chosen = reference_choice.choose(self, points, codes, weights)

    def _is_auto(self):
        return isinstance(self.reference_point, str) and self.reference_point == "auto"

    def _fit_problem(self, index, points, signs, seed, weights):
        given = points, signs, weights, self.C
        point, rule = reference_choice.find_reference(self, index, *given)
        start = self._chosen[2][index] if self._is_auto() else None
        fit = self._solve(self._vectors(points, point), signs, seed, weights, start)
        if fit.status == "inseparable":
            raise InputError(
                f"no hyperplane through the reference point separates the classes of binary "
                f"problem {index} by more than rounding, 1e-10 of the farthest row; give a finite "
                "C or another reference_point"
            )
        return BinaryFit(
            reference_rules.to_normal(fit.w, point),
            fit.n_iter,
            fit.status,
            fit.warning,
            objective=fit.objective,
            lower_bound=fit.lower_bound,
            extras={"reference_points": point, "reference_rules": np.str_(rule)},
        )

    def _solve(self, vectors, signs, seed, weights, start):
        solver = self.solver
        if np.isinf(self.C):
            if solver != "auto":
                raise InputError(f"solver={solver!r} needs a finite C; for C=inf use 'auto'")
            return hard_margin_svm(vectors, signs, self.tol or 1e-6)
        if solver == "auto":
            solver = "newton" if self.loss == "squared_hinge" else "liblinear"
        if self.loss != _LOSS_OF.get(solver, self.loss):
            raise InputError(
                f"solver={solver!r} minimises loss={_LOSS_OF[solver]!r}; set that loss, or "
                "solver='liblinear'"
            )
        if solver == "newton":
            limits = self.tol or 1e-6, self.max_iter or 100
            return newton_svm(vectors, signs, self.C, *limits, weights, start)
        if solver == "sgd":
            limits = self.tol or 1e-2, self.max_iter or 1000
            return sgd_svm(vectors, signs, self.C, *limits, seed, weights)
        limits = self.max_iter or 10_000, self.tol or 1e-6
        return linear_svm(vectors, signs, self.C, self.loss, *limits, seed, weights)

    def _vectors(self, points, point):
        vectors = np.empty((len(points), len(point) - 1))
        for rows, part in self._blocks(points):
            vectors[rows] = reference_rules.seen_from(part, point)
            if self.margin == "paper":
                square = np.einsum("ij,ij->i", vectors[rows], vectors[rows])
                vectors[rows] *= _shrink(square, point[0])[:, None]
        return vectors

    def _block_scores(self, points, coefs, reference_points):
        scores = super()._block_scores(points, coefs)
        # Of two classes, probabilities have the order of the distances.
        if self.margin == "paper" and len(self._left) > 2:
            squares = squares_from(points, reference_points)
            scores *= _shrink(squares, reference_points[:, 0])
        return scores


def _shrink(square, time):
    """|v| / |z| = (dist / sinh dist) / σ_p, where σ_p = 1 + p_0 and |z|² = sinh² dist is given."""
    sinh = np.sqrt(square)
    zero = sinh == 0
    sinh[zero] = 1.0
    ratio = np.arcsinh(sinh) / sinh
    ratio[zero] = 1.0
    return ratio / (1.0 + time)


@compile_cached
def squares_from(points, places):
    """sinh² of the distances of points (n, d + 1) from places (m, d + 1), (n, m)."""
    n, m, d = len(points), len(places), points.shape[1] - 1
    squares = np.zeros((n, m))
    for i in range(n):
        for k in range(m):
            shift = 0.0
            for j in range(1, d + 1):
                shift += points[i, j] * places[k, j]
            shift = shift / (1.0 + places[k, 0]) - points[i, 0]
            for j in range(1, d + 1):
                squares[i, k] += (points[i, j] + shift * places[k, j]) ** 2
    return squares
