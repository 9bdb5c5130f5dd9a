"""Hard- and soft-margin SVM on the hyperboloid."""

import math
from numbers import Integral, Real
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_consistent_length, column_or_1d

from noneuclid.classifiers import multiclass
from noneuclid.classifiers.base import BinaryFit, MarginClassifier
from noneuclid.classifiers.default_chart import chart_of
from noneuclid.classifiers.parameter_types import Calibration, Chart, ClassWeight, MultiClass, Seed
from noneuclid.classifiers.sklearn_private import Interval, StrOptions
from noneuclid.classifiers.validation import to_hyperboloid
from noneuclid.errors import InputError
from noneuclid.solvers.conic import programs
from noneuclid.solvers.hyperboloid.arcsinh import arcsinh_bound, arcsinh_descent
from noneuclid.solvers.hyperboloid.certified import global_optimum, hard_margin
from noneuclid.solvers.hyperboloid.certified.original_coordinates import check_reach
from noneuclid.solvers.hyperboloid.descent import local_optimum, projected_gradient
from noneuclid.solvers.hyperboloid.problem import objective
from noneuclid.solvers.hyperboloid.relaxations import moment_relaxation, sdp_relaxation
from noneuclid.solvers.hyperboloid.worst_case import worst_margins

# Distance from the origin, at curvature -1, beyond which the search may not prove its gap.
_RADIUS = 10.0
# So few slices may be too few at any distance.
_FEW = 100


class HyperboloidSVC(MarginClassifier):
    r"""SVM whose hyperplanes are those of hyperbolic space.

    Minimises

    .. math::

        \tfrac{1}{2}\langle w,w\rangle_L
        + C\sum_i q_i \operatorname{loss}(y_i \langle w,x_i\rangle_L)

    over w with :math:`\langle w,w\rangle_L \ge 0`, :math:`q_i` the weight of row i, by one of five
    solvers (signs: [1]_ and [2]_ write :math:`w*x = -\langle w,x\rangle_L`). The problem is not
    convex; the default solver proves how far its solution is from the global optimum.

    Parameters
    ----------
    C : float in [1e-10, 1e10], or infinite, default=1.0
        Weight of the summed loss; larger values fit the training set more closely. `np.inf` is the
        hard margin, eqs. 16-18 of [1]_, with the default solver: all rows are on their side, the
        nearest asinh(1/sqrt(2 `objective_`)) / sqrt(K) from the hyperplane, the most possible.
    solver : {"optimal", "local", "pgd", "sdp", "moment"}, default="optimal"
        "optimal": global optimum by branch and bound, with a certificate; any d, 10^7 points.
        "local": a local optimum, without a bound (`gap_` is nan), in 2 to 10 times the time of a
        linear SVM; on digits up to 1 % above the global optimum, where that is on the light cone.
        "pgd": projected gradient descent from the Euclidean SVM of the ambient space [1]_; a
        local method without a bound.
        "sdp", "moment": relaxations of [2]_ (eqs. 8 and 14) and their heuristic solutions.
    loss : {"hinge", "arcsinh"}, default="hinge"
        "hinge": :math:`\max(0,\; 1 - m)/\sqrt{2}`, problem (7) of [2]_. "arcsinh":
        :math:`\max(0,\; \operatorname{asinh} 1 - \operatorname{asinh} m)`, problem (6), for "pgd",
        "local" and "optimal"; the latter two then descend from the optimum for the hinge, and
        "optimal" proves a bound (to 1e-4 at best) for d <= 2 only.
    robust_radius : float >= 0, default=0.0
        Largest move of a point in each coordinate of the tangent space at the origin, in units
        of hyperbolic distance, against which margins hold to first order ([2]_, eqs. 26-31);
        margins under exact moves are smaller, by 0.01 to 0.03 for a radius of 0.1 and 0.11 to 0.26
        for 0.3 on two clouds in the plane (`worst_case_margins` is exact for d <= 2). For "optimal"
        and "sdp", with the hinge.
    tol : float in (0, 1) or None, default=None
        "optimal": relative gap to prove, None is 1e-6. "pgd": warns if the best objective still
        fell by more, relative, in the last tenth of the steps, None is 1e-3.
    max_iter : int or None, default=None
        "pgd": steps; "optimal": most values of w_0 to try, of which a proof often takes 10 to 30.
        None is 2000.
    learning_rate : float > 0 or None, default=None
        Step length of "pgd"; None is 1e-3.
    max_nodes : int, default=10000
        Boxes to search for a lower bound with solver "optimal", loss "arcsinh" and d <= 2 (the
        work grows steeply with d); 0 for none.
    conic_solver : {"clarabel", "mosek"}, default="clarabel"
        Of the cone programs. MOSEK needs its package and a licence.
    class_weight : dict, "balanced" or None, default=None
        Factor of C for the rows of each class, times their `sample_weight`; 1 for a class that the
        dict does not name. "balanced": W / (K W_k), W_k the sum of the sample weights of class k,
        W that of all K classes. A hard margin ignores weights other than 0.
    multi_class : {"ovr", "ovo"}, default="ovr"
        One-vs-rest by the largest Platt probability, or one-vs-one by votes.
    calibration : {"distance", "platt", "distance_cv", "platt_cv"} or None, default="distance"
        Sigmoid of asinh of the score, which grows like the distance from the hyperplane, or of
        the score itself, as in [1]_ and [2]_; fitted to training scores or, "_cv", to scores of 3
        cross-validation folds.
    chart : {"tangent", "poincare", "klein", "hyperboloid"} or None, default=None
        How the rows of X are written. None reads tangent vectors, as a table holds, and warns if
        the rows look like points of another chart: embeddings return ``"poincare"`` by default.
    curvature : float > 0, default=1.0
        K; the space has curvature -K. Points are scaled to K = 1 before the fit.
    random_state : int, RandomState or None, default=None
        Used by "sdp" and by calibration on folds.
    n_jobs : int or None, default=None
        Binary problems of several classes to solve at a time, -1 for one on each processor; None
        is 1, or the number of `joblib.parallel_config`. Results do not depend on it.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    coef_ : ndarray, shape (n_problems, d + 1)
        Lorentz normals w at K = 1, time coordinate first, signature (-, +, ..., +): the score
        of x is <w, sqrt(K) x>_L. One row for two classes, else one a class ("ovr") or pair.
    n_iter_, status_, objective_, lower_bound_, gap_ : scalar, or ndarray (n_problems,)
        `gap_` is (objective - bound) / |objective|, nan without a bound. `status_` is "optimal",
        "local", or "horospherical" for an optimum on the light cone (all points get one label, the
        score is a Busemann function), or "gap open"; that of other solvers, see their modules.
    light_cone_, cells_ : ndarray, shape (n_problems,)
        Of "optimal" with the hinge: lower bound of the objective on the light cone, inf if it was
        not needed; number of cells of the light cone that were bounded.
    relaxation_, eta_ : ndarray, shape (n_problems,)
        Of "sdp" and "moment": value of the relaxation as the conic solver gives it; the gap of
        [2]_ with it.
    candidate_, radius_, fall_ : ndarray, shape (n_problems,)
        Of "sdp": which candidate is the solution, 0 the w of the relaxation, 1 the eigenvector, 2 a
        column, 3 a random vector. Of "moment": radius of the search region. Of "pgd":
        relative fall of the best objective in the last tenth of the steps.
    calibration_ : ndarray, shape (n_problems, 2)
        Slope and offset of the log-odds.
    conic_solver_ : str
        Name and version of the conic solver.

    Raises
    ------
    InputError
        If a row of X does not satisfy the chart, y holds one class, the solver does not support
        another setting, or C is infinite and no hyperplane separates two classes.

    See Also
    --------
    PoincareSVC : A convex problem: hyperplanes through a reference point.
    HyperbolicLogisticRegression : The logistic loss, without a certificate.
    PoincareDiskDisplay : Draws regions and hyperplanes.

    Notes
    -----
    "optimal" proves a gap of 1e-6 for points up to a distance of 30 / sqrt(K) from the origin (C <=
    1e4) in all cases of ``benchmarks/hyperboloid_hard.tsv``, and up to 25 / sqrt(K) for C = 1e8 in
    its tests, if a hyperplane is best; with a `robust_radius`, up to 12 / sqrt(K) in its tests. For
    an optimum on the light cone it does up to about 6 / sqrt(K), but in eight and more dimensions
    the gap may stay open (``benchmarks/hyperboloid_cone.tsv``). From there it grows with the
    distance: for rows at one distance in two and three dimensions, a tenth of them positive, it was
    up to 7e-6 at 8, 7e-5 at 9 and 5e-4 at 10 / sqrt(K). Further out, `coef_` in float64 has
    no digits left for the margins: the status is then "gap open", and `lower_bound_` is still
    proved.

    One binary problem costs "optimal" some 20 passes over the data, O(n d) each, and as many
    solutions of small problems with O(k d²), k the number of groups of rows; "pgd" O(n d) a step;
    "sdp" O(n d²) and "moment" O(n d^12) a step of an interior-point method.

    Progress is shown inside `joblib.parallel_config(verbose=1)`.

    References
    ----------
    .. [1] H. Cho, B. DeMeo, J. Peng, B. Berger, Large-margin classification in hyperbolic
       space, AISTATS 2019, eqs. 19-20.
    .. [2] S. Yang, P. Liu, C. Pehlevan, Convex relaxation for solving large-margin classifiers in
       hyperbolic space, 2024.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import HyperboloidSVC
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> model = HyperboloidSVC(C=10.0, chart="poincare").fit(X, ["b", "b", "a", "a"])
    >>> model.predict([[0.9, 0.0], [-0.9, 0.0]])
    array(['b', 'a'], dtype='<U1')
    >>> str(model.status_), bool(model.gap_ <= 1e-6)
    ('optimal', True)
    """

    _parameter_constraints = {  # noqa: RUF012
        **MarginClassifier._parameter_constraints,
        "C": [Interval(Real, 1e-10, None, closed="both")],
        "solver": [StrOptions({"optimal", "local", "pgd", "sdp", "moment"})],
        "loss": [StrOptions({"hinge", "arcsinh"})],
        "robust_radius": [Interval(Real, 0, None, closed="left")],
        "tol": [Interval(Real, 0, 1, closed="neither"), None],
        "max_iter": [Interval(Integral, 1, None, closed="left"), None],
        "learning_rate": [Interval(Real, 0, None, closed="neither"), None],
        "max_nodes": [Interval(Integral, 0, None, closed="left")],
        "conic_solver": [StrOptions(set(programs.SOLVERS))],
    }

    def __init__(
        self,
        *,
        C: float = 1.0,
        solver: Literal["optimal", "local", "pgd", "sdp", "moment"] = "optimal",
        loss: Literal["hinge", "arcsinh"] = "hinge",
        robust_radius: float = 0.0,
        tol: float | None = None,
        max_iter: int | None = None,
        learning_rate: float | None = None,
        max_nodes: int = 10000,
        conic_solver: Literal["clarabel", "mosek"] = "clarabel",
        class_weight: ClassWeight | None = None,
        multi_class: MultiClass = "ovr",
        calibration: Calibration | None = "distance",
        chart: Chart | None = None,
        curvature: float = 1.0,
        random_state: Seed | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.C = C
        self.solver = solver
        self.loss = loss
        self.robust_radius = robust_radius
        self.tol = tol
        self.max_iter = max_iter
        self.learning_rate = learning_rate
        self.max_nodes = max_nodes
        self.conic_solver = conic_solver
        self.class_weight = class_weight
        self.multi_class = multi_class
        self.calibration = calibration
        self.chart = chart
        self.curvature = curvature
        self.random_state = random_state
        self.n_jobs = n_jobs

    def objective(self, X: ArrayLike, y: ArrayLike) -> np.ndarray:
        """Objective of the fitted hyperplanes on other rows: loss on held-out data.

        Parameters
        ----------
        X : array-like, in the chart of `fit`
        y : array-like, shape (n,)
            Among the classes of `fit`.

        Returns
        -------
        ndarray, shape (n_problems,)
            ``½<w,w>_L + C Σ loss`` of the rows of each binary problem (Yang et al., problems 6, 7).
            Each row counts once: on the rows of a fit without weights this is `objective_`.

        Raises
        ------
        InputError
            If a label is not among the classes, or the margin is hard, which has no loss.
        """
        if np.isinf(self.C):
            raise InputError("a hard margin has no loss on other rows; give a finite C")
        points, codes = self._check_labelled(X, y)
        problems = multiclass.binary_problems(codes, len(self._left), self.multi_class)
        settings = self.C, self._stated_loss, self._radius
        return np.array(
            [
                objective(w, points[rows], self._signs(signs), *settings)
                for w, (rows, signs) in zip(self.coef_, problems, strict=True)
            ]
        )

    def worst_case_margins(self, X: ArrayLike, y: ArrayLike) -> np.ndarray:
        """Smallest margin of each row over all its moves by `robust_radius`, exactly, for d <= 2.

        Parameters
        ----------
        X : array-like, in the chart of `fit`
        y : array-like, shape (n,)
            Of the two classes of `fit`.

        Returns
        -------
        ndarray, shape (n,)
            Smallest ±<w, sqrt(K) x>_L, positive on the side of the row's class; the fit aims at 1.

        Raises
        ------
        InputError
            If there are more than two classes, d > 2, or a label is not among the classes.
        """
        points, codes = self._check_labelled(X, y)
        if len(self._left) > 2:
            raise InputError("margins belong to a binary problem; fit two classes")
        return worst_margins(self.coef_[0], points, np.where(codes, 1.0, -1.0), self._radius)

    def _check_labelled(self, X, y):
        """Points, (n, d + 1), and codes of their classes, (n,)."""
        points = self._check_again(X)
        y = column_or_1d(y)
        check_consistent_length(points, y)
        fitted = self.classes_[self._left]
        if not np.isin(y, fitted).all():
            raise InputError(f"y has a label that is not among {fitted.tolist()}")
        return points, multiclass.encode(y, fitted)

    def _signs(self, signs):
        """Hook for signs that a program gets wrong; those of `binary_problems`."""
        return signs.astype(float)

    @property
    def _stated_loss(self):
        """Loss of `objective_`."""
        return self.loss

    def _read_training(self, X, norms):
        points = to_hyperboloid(X, chart_of(self), self.curvature, norms)
        if self.solver in ("optimal", "local"):
            check_reach(points)
        return points

    def _keep(self, fits):
        super()._keep(fits)
        self.conic_solver_ = programs.with_version(self.conic_solver)

    def _advice(self, points, codes, numbers):
        if points is None or self.solver != "optimal":
            return ""
        radius = np.arccosh(points[:, 0].max()) / math.sqrt(self.curvature)
        limit = "max_nodes" if self.loss == "arcsinh" else "max_iter"
        if radius * math.sqrt(self.curvature) <= _RADIUS:
            return f"; raise {limit}, or accept a larger tol"
        first = "raise max_iter; if that is not enough: " if (self.max_iter or _FEW) < _FEW else ""
        return (
            f"; {first}rows lie up to {radius:.3g} from the origin, where float64 limits the proof:"
            f" centre the columns and divide them by {radius * math.sqrt(self.curvature) / 5:.2g}"
        )

    def _check_labels(self, points, codes, weights, numbers):
        self._check_hard_margin(points, codes, numbers)
        if np.isinf(self.C) and (self.solver != "optimal" or self.robust_radius):
            raise InputError("C=inf needs solver='optimal' and robust_radius=0; or give a finite C")

    def _fit_binary(self, points, signs, seed, weights):
        if self.loss == "arcsinh" and self.solver in ("sdp", "moment"):
            raise InputError(f"solver {self.solver!r} relaxes loss='hinge', not 'arcsinh'")
        not_robust = self.solver in ("local", "pgd", "moment") or self.loss == "arcsinh"
        if self.robust_radius and not_robust:
            raise InputError(
                f"solver {self.solver!r} with loss {self.loss!r} has no robust form; "
                "use 'optimal' or 'sdp' with loss='hinge', or robust_radius=0"
            )
        programs.require(self.conic_solver)  # even if it is not needed
        solution = getattr(self, f"_{self.solver}")(points, signs, seed, weights)
        return BinaryFit(
            solution.w,
            solution.n_iter,
            solution.status,
            solution.warning,
            solution.objective,
            solution.lower_bound,
            solution.extras,
        )

    @property
    def _radius(self):
        return self.robust_radius * math.sqrt(self.curvature)

    def _optimal(self, points, signs, seed, weights):
        tol = 1e-6 if self.tol is None else self.tol
        settings = {
            "tol": tol,
            "max_slices": 2000 if self.max_iter is None else self.max_iter,
            "conic_solver": self.conic_solver,
        }
        if np.isinf(self.C):
            return self._hard(points, signs, settings)
        solution = global_optimum.solve(
            points, signs, self.C, radius=self._radius, weights=weights, **settings
        )
        if self.loss == "hinge":
            return solution
        better = arcsinh_descent.descend(points, signs, self.C, solution.w, weights=weights)
        if not self.max_nodes or points.shape[1] > 3:
            return better
        return arcsinh_bound.prove_bound(
            points,
            signs,
            self.C,
            better.w,
            tol=max(tol, 1e-4),
            max_nodes=self.max_nodes,
            weights=weights,
        )

    def _hard(self, points, signs, settings):
        solution = hard_margin.solve(points, signs, **settings)
        if solution.status == "inseparable":
            n = int((signs > 0).sum())
            raise InputError(
                f"no hyperplane separates {n} rows of one class from {len(signs) - n} others by "
                "more than rounding; give a finite C"
            )
        return solution

    def _local(self, points, signs, seed, weights):
        solution = local_optimum.solve(points, signs, self.C, weights=weights)
        if self.loss == "hinge":
            return solution
        return arcsinh_descent.descend(points, signs, self.C, solution.w, weights=weights)

    def _pgd(self, points, signs, seed, weights):
        return projected_gradient.solve(
            points,
            signs,
            self.C,
            loss=self.loss,
            learning_rate=self.learning_rate,
            max_iter=self.max_iter,
            tol=1e-3 if self.tol is None else self.tol,
            weights=weights,
        )

    def _sdp(self, points, signs, seed, weights):
        return sdp_relaxation.solve(
            points,
            signs,
            self.C,
            radius=self._radius,
            seed=seed,
            conic_solver=self.conic_solver,
            weights=weights,
        )

    def _moment(self, points, signs, seed, weights):
        return moment_relaxation.solve(
            points, signs, self.C, conic_solver=self.conic_solver, weights=weights
        )
