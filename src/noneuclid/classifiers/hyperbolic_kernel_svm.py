"""Support vector machine with a kernel that isometries of hyperbolic space do not change."""

from dataclasses import replace
from numbers import Integral, Real
from types import SimpleNamespace

import numpy as np
from scipy.linalg import cholesky, lstsq
from scipy.linalg.lapack import dtrtri

from noneuclid.classifiers.base import BinaryFit, MarginClassifier
from noneuclid.classifiers.calibration import fit_platt
from noneuclid.classifiers.hyperbolic_kernel import CONSTRAINTS, Kind, expand, learn_kernel
from noneuclid.classifiers.parameter_types import Chart, ClassWeight, MultiClass, Platt, Seed
from noneuclid.classifiers.sklearn_private import Interval, StrOptions, solve_svc

# LIBSVM keeps the matrix of the kernel in single precision.
_SINGLE = 1e-6
_FLAT = 1e-9  # of all costs: a slope that is rounding
_WIDE, _CLOSE = 0.01, 1e-7  # gap, relative, above which the tolerance is lowered to this one


class HyperbolicKernelSVC(MarginClassifier):
    r"""Soft-margin SVM with the kernel (cosh d)^-λ or exp(-λ d), λ = scale / mean of ψ.

    ψ is :math:`\log\cosh d` or d, and its mean is taken over all pairs of training rows
    (`HyperbolicKernel.with_mean_of`). Minimises

    .. math::

        \tfrac{1}{2}\lVert w\rVert^2 + C\sum_i q_i \max(0,\; 1 - y_i f(x_i)), \qquad
        f(x) = \langle w, \varphi(x)\rangle + b,

    :math:`q_i` the weight of row i, by LIBSVM through scikit-learn. The kernel is positive
    definite, so the problem is convex, and it depends on distances alone: boosting or rotating all
    points changes nothing.

    Parameters
    ----------
    C : float in [1e-10, 1e10], default=1.0
        Weight of the summed loss; larger values fit the training set more closely.
    kernel : {"cosh", "laplace"}, default="cosh"
        ψ = log cosh d, smooth, or ψ = d, with a cusp at d = 0.
    scale : float > 0, default=2.0
        The kernel is exp(-scale) where ψ has its mean. Twice the scale makes it half as wide.
    tol : float > 0, default=1e-3
        LIBSVM's tolerance of the optimality conditions. It keeps the kernel in single precision;
        below 1e-6, a linear system for the rows on the margin is solved in double precision. If
        the gap is then above 1 %, as for a large C, the problem is solved again with 1e-7. Within
        the tolerance the solution depends on the order of rows and classes: with 1e-3, swapped
        labels change decision values by up to 5e-3 and gaps by up to 2e-4, with 1e-7 by rounding.
    max_iter : int or None, default=None
        LIBSVM's limit of steps; None for no limit.
    class_weight : dict, "balanced" or None, default=None
        Factor of C for the rows of each class, times their `sample_weight`, as for
        `HyperboloidSVC`. For balanced accuracy set "balanced". Weights also count in the mean of ψ.
    multi_class : {"ovr", "ovo"}, default="ovr"
        As for `HyperboloidSVC`. Pairs have no probabilities.
    calibration : {"platt", "platt_cv"} or None, default="platt"
        Sigmoids of the scores. "platt" fits them to the score of each row under the machine without
        it, in closed form [1]_; equal rows are left out together. "platt_cv" takes the scores of 3
        cross-validation folds and twice the time.
    chart : {"tangent", "poincare", "klein", "hyperboloid"} or None, default=None
        How the rows of X are written. None reads tangent vectors, as a table holds, and warns if
        the rows look like points of another chart: embeddings return ``"poincare"`` by default.
    curvature : float > 0, default=1.0
        K; the space has curvature -K. Points are scaled to K = 1.
    random_state : int, RandomState or None, default=None
        Folds of "platt_cv".
    n_jobs, verbose
        As for `PoincareSVC`.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    kernel_ : HyperbolicKernel
        For points of the hyperboloid of curvature -1.
    support_points_ : ndarray, shape (n_support, d + 1)
        On the hyperboloid of curvature -1; those of all binary problems, each once.
    dual_coef_ : ndarray, shape (n_problems, n_support)
        f(x) = Σ_j dual_coef_j k(x, support_points_j) + intercept.
    intercept_ : ndarray, shape (n_problems,)
    n_iter_, status_, objective_, lower_bound_, gap_ : scalar, or ndarray (n_problems,)
        The bound is the dual objective. `status_` is "optimal" if LIBSVM reached its tolerance and
        the gap is at most 1 %, else "max_iter" or "gap open".
    calibration_ : ndarray, shape (n_problems, 2)

    Raises
    ------
    InputError
        If a row of X does not satisfy the chart or y holds one class.

    See Also
    --------
    HyperbolicNystroemClassifier : The same kernel on many rows.
    HyperboloidSVC : A flat boundary, with a proof of optimality.

    Notes
    -----
    Takes O(n²) memory for the largest binary problem, 8 n² bytes: 3.2 GB for 20,000 rows.

    References
    ----------
    .. [1] M. Opper, O. Winther, Gaussian processes and SVM: mean field and leave-one-out, Advances
       in Large Margin Classifiers, MIT Press, 2000. Rows at their bounds as in O. Chapelle, V.
       Vapnik, O. Bousquet, S. Mukherjee, Choosing multiple parameters for support vector machines,
       Machine Learning 46, 2002. Differs in: the intercept, which is held.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import HyperbolicKernelSVC
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> model = HyperbolicKernelSVC(chart="poincare").fit(X, ["b", "b", "a", "a"])
    >>> model.predict([[0.8, 0.0], [-0.8, 0.0]])
    array(['b', 'a'], dtype='<U1')
    """

    _parameter_constraints = {  # noqa: RUF012
        **MarginClassifier._parameter_constraints,
        **CONSTRAINTS,
        "C": [Interval(Real, 1e-10, 1e10, closed="both")],
        "tol": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left"), None],
        "calibration": [StrOptions({"platt", "platt_cv"}), None],
    }
    _extra_names = ("support_points", "intercept")

    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: Kind = "cosh",
        scale: float = 2.0,
        tol: float = 1e-3,
        max_iter: int | None = None,
        class_weight: ClassWeight | None = None,
        multi_class: MultiClass = "ovr",
        calibration: Platt | None = "platt",
        chart: Chart | None = None,
        curvature: float = 1.0,
        random_state: Seed | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.scale = scale
        self.tol = tol
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.multi_class = multi_class
        self.calibration = calibration
        self.chart = chart
        self.curvature = curvature
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _check_labels(self, points, codes, weights, numbers):
        self.kernel_ = learn_kernel(self, points, weights)

    def _each(self, work, points, codes, seeds, weights, desc, groups=None):
        distinct, places = np.unique(points, axis=0, return_inverse=True)
        rows = _Rows(self.kernel_, distinct, places.ravel())
        return super()._each(work, rows, codes, seeds, weights, desc, groups)

    def _fit_binary(self, points, signs, seed, weights):
        # Equal rows with equal labels are one row with their weights, in any order of the rows.
        pairs, places = np.unique(2 * points.places + (signs > 0), return_inverse=True)
        numbers, signs = pairs // 2, 2.0 * (pairs % 2) - 1.0
        weights = np.bincount(places, weights)
        costs = float(self.C) * weights
        gram = points.matrix(numbers)
        fit = self._solve(gram, signs, costs, self.tol)
        if fit.gap > _WIDE and fit.status == "optimal":
            fit = self._solve(gram, signs, costs, min(self.tol, _CLOSE))
        text = ""
        if fit.status == "max_iter":
            text = f"LIBSVM stopped after {self.max_iter} steps; raise max_iter or tol"
        elif fit.gap > _WIDE:
            fit.status = "gap open"
            text = f"the objective may exceed the optimum by {fit.gap:.2g} of itself; lower C"
        held_out = self.calibration == "platt"
        return BinaryFit(
            fit.dual,
            fit.n_iter,
            fit.status,
            text,
            objective=fit.objective,
            lower_bound=fit.bound,
            extras={
                "support_points": points.distinct[numbers[fit.support]],
                "intercept": fit.intercept,
                "left_out": _left_out(gram, costs, fit)[places] if held_out else None,
            },
        )

    def _calibrate(self, fits, index, points, signs, seed, weights, groups=None):
        if self.calibration == "platt":
            values, centred = fits[index].extras["left_out"], len(self._left) == 2
            return fit_platt(values, signs, centred, weights, held_out=True)
        return super()._calibrate(fits, index, points, signs, seed, weights, groups)

    def _solve(self, gram, signs, costs, tol):
        """Dual and primal solution, their objectives and the gap."""
        support, dual, intercept, reached, n_iter = solve_svc(
            gram, signs > 0, costs, tol, self.max_iter or -1
        )
        if tol < _SINGLE:
            dual, intercept = _polish(gram, signs, costs, support, dual, intercept)
        inner = gram @ _spread(dual, support, len(gram))
        square = 0.5 * (dual @ inner[support])
        intercept = _centre(inner, signs, costs, intercept)
        objective = square + costs @ np.maximum(0.0, 1.0 - signs * (inner + intercept))
        bound = np.abs(dual).sum() - square
        return SimpleNamespace(
            dual=dual,
            values=inner + intercept,
            support=support,
            intercept=intercept,
            n_iter=n_iter,
            status="optimal" if reached else "max_iter",
            objective=objective,
            bound=bound,
            gap=(objective - bound) / objective if objective > 0.0 else 0.0,
        )

    def _binary_scores(self, points, coef, support_points, intercept):
        rows = points.distinct[points.places]
        found = expand(self.kernel_, rows, support_points, coef[:, None])
        return found[:, 0] + intercept

    def _distances(self, X):
        return self._scores(self._to_points(X))[:, 0]

    def _scores(self, points):
        found = expand(self.kernel_, points, self.support_points_, self.dual_coef_.T)
        return found + self.intercept_

    def _keep(self, fits):
        supports = np.concatenate([fit.extras["support_points"] for fit in fits])
        self.support_points_, places = np.unique(supports, axis=0, return_inverse=True)
        ends = np.cumsum([len(fit.coef) for fit in fits])[:-1]
        self.dual_coef_ = np.zeros((len(fits), len(self.support_points_)))
        for dual, fit, columns in zip(
            self.dual_coef_, fits, np.split(places.ravel(), ends), strict=True
        ):
            np.add.at(dual, columns, fit.coef)
        intercepts = [{"intercept": fit.extras["intercept"]} for fit in fits]
        numbers = [
            replace(f, coef=f.coef[:0], extras=e) for f, e in zip(fits, intercepts, strict=True)
        ]
        super()._keep(numbers)
        del self.coef_  # Lorentz normals, which a kernel machine has not

    def _boundary_normals(self):
        return np.empty((0, 3))  # curves


class _Rows:
    """Rows of a binary problem, and the kernel matrix of the distinct rows of all problems.

    `rows[:]` is the same object, so problems of all rows share one matrix. It is computed when it
    is needed.
    """

    def __init__(self, kernel, distinct, places):
        self.kernel, self.distinct, self.places, self._whole = kernel, distinct, places, None

    def __len__(self):
        return len(self.places)

    def __getitem__(self, rows):
        if isinstance(rows, slice):
            return self
        return _Rows(self.kernel, self.distinct, self.places[rows])

    def matrix(self, numbers):
        """Kernel matrix of these distinct rows, which increase; one with two labels comes twice."""
        if np.array_equal(numbers, np.arange(len(self.distinct))):
            if self._whole is None:
                self._whole = self.kernel.of_points(self.distinct)
            return self._whole
        self._whole = None  # one matrix at a time
        return self.kernel.of_points(self.distinct[numbers])


def _spread(dual, support, n):
    """Multipliers of all rows, shape (n,); a product with them copies no columns of the kernel."""
    full = np.zeros(n)
    full[support] = dual
    return full


def _left_out(gram, costs, fit):
    """Decision value of each row of the machine without it, to first order, in closed form.

    The intercept and the multipliers at their bounds are held, and no other one reaches its bound:
    the value of row i moves by dual_i / (K^-1)_ii if i is on the margin, K the kernel of these
    rows, and by dual_i (k_ii - k_i K^-1 k_i) if it is at its bound.
    """
    on_margin = np.abs(fit.dual) < costs[fit.support] * (1.0 - 1e-12)
    free, bound = fit.support[on_margin], fit.support[~on_margin]
    shares = np.zeros(len(gram))
    shares[bound] = gram[bound, bound]
    if len(free):
        part = gram[np.ix_(free, free)].T  # in Fortran's order: LAPACK overwrites it
        part[np.diag_indices_from(part)] += len(free) ** 2 * np.finfo(float).eps  # rounding
        root, _ = dtrtri(cholesky(part, lower=True, overwrite_a=True), lower=1, overwrite_c=1)
        shares[free] = 1.0 / np.einsum("ij,ij->j", root, root)
        near = root @ gram[np.ix_(free, bound)]
        shares[bound] -= np.einsum("ij,ij->j", near, near)
    return fit.values - _spread(fit.dual, fit.support, len(gram)) * shares


def _centre(values, signs, costs, intercept):
    """The middle of the optimal intercepts, if these are an interval; else the given one.

    They are one if all multipliers are at their bounds, as with balanced weights and a small C;
    rounding decides where in it LIBSVM ends. The loss Σ c max(0, 1 - s (f + b)) has a kink at
    b = s - f for each row.
    """
    kinks = signs - values
    order = np.argsort(kinks, kind="stable")
    slopes = np.cumsum(costs[order]) - costs[signs > 0].sum()
    flat = np.flatnonzero(np.abs(slopes[:-1]) <= _FLAT * costs.sum())
    if not len(flat):
        return intercept
    return 0.5 * (kinks[order[flat[0]]] + kinks[order[flat[-1] + 1]])


def _polish(gram, signs, costs, support, dual, intercept):
    """Dual coefficients and intercept that fulfil the conditions of the rows on the margin exactly.

    The given ones if these rows then violate a bound, which another choice of rows may not.
    """
    costs, signs, part = costs[support], signs[support], gram[np.ix_(support, support)]
    free = np.flatnonzero(np.abs(dual) < costs * (1.0 - 1e-12))
    rest = np.setdiff1d(np.arange(len(dual)), free)
    if not len(free):
        return dual, intercept
    system = np.ones((len(free) + 1, len(free) + 1))
    system[:-1, :-1], system[-1, -1] = part[np.ix_(free, free)], 0.0
    targets = np.append(signs[free] - part[np.ix_(free, rest)] @ dual[rest], -dual[rest].sum())
    start = np.append(dual[free], intercept)
    step = lstsq(system, targets - system @ start)[0]
    found = dual.copy()
    found[free] += step[:-1]
    shares = signs * found / costs
    if ((shares > 0.0) & (shares <= 1.0)).all():
        return found, intercept + step[-1]
    return dual, intercept
