"""The hyperboloid SVM as the program of cho2019 runs it (hhcho/hyplinear, commit 22b11da)."""

from numbers import Integral, Real

import numpy as np

from noneuclid.classifiers.hyperboloid_svm import HyperboloidSVC
from noneuclid.classifiers.sklearn_private import Interval
from noneuclid.solvers.hyperboloid.descent.projected_gradient import descend, project
from noneuclid.solvers.hyperboloid.descent.warm_start import warm_start
from noneuclid.solvers.hyperboloid.problem import Solution, objective


def released_pgd(
    points,
    signs,
    C,
    loss="arcsinh",
    learning_rate=1e-3,
    max_iter=2000,
    tol=1e-3,
    weights=None,
):
    """Gradient descent that returns an infeasible start unchanged (code/hsvm.m, line 109).

    Parameters
    ----------
    points, signs, C, loss, learning_rate, max_iter, tol, weights
        As for `solvers.hyperboloid.projected_gradient.solve`.

    Returns
    -------
    Solution
        Status "start kept" and `n_iter` 0 for an infeasible start; its w is timelike.

    Examples
    --------
    >>> x = np.array([[2**0.5, 1.0], [2**0.5, -1.0]])
    >>> released_pgd(x, np.array([1.0, -1.0]), 10.0).status
    'converged'
    """
    w = warm_start(points, signs, C, weights=weights)
    if np.array_equal(project(w), w):
        return descend(points, signs, w, C, loss, learning_rate, max_iter, tol, weights=weights)
    return Solution(
        w,
        objective(w, points, signs, C, loss, weights=weights),
        "start kept",
        0,
        warning="solver 'pgd' returned an infeasible start unchanged",
        extras={"fall": 0.0},
    )


class ReleasedPGD(HyperboloidSVC):
    """Hyperboloid SVM by gradient descent that keeps an infeasible start, as in the program.

    The published method, which projects such a start, is
    ``HyperboloidSVC(solver="pgd", loss="arcsinh")``.

    Parameters
    ----------
    C, loss, tol, class_weight, multi_class, calibration, chart, curvature, random_state
        As for `HyperboloidSVC`.
    learning_rate : float > 0, default=1e-3
        Step length.
    max_iter : int, default=2000
        Steps between cuts of the step length.

    Attributes
    ----------
    classes_, coef_, n_iter_, status_, objective_, lower_bound_, gap_, calibration_, fall_
        As for `HyperboloidSVC` with solver "pgd".

    Raises
    ------
    InputError
        As `HyperboloidSVC`.

    References
    ----------
    .. [1] H. Cho, B. DeMeo, J. Peng, B. Berger, Large-margin classification in hyperbolic
       space, AISTATS 2019, eqs. 19-20.

    Examples
    --------
    >>> from noneuclid_papers.programs.cho2019 import ReleasedPGD
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> ReleasedPGD(C=10.0, chart="poincare").fit(X, [1, 1, 0, 0]).predict(X)
    array([1, 1, 0, 0])
    """

    solver, robust_radius, conic_solver = "pgd", 0.0, "clarabel"
    _parameter_constraints = {  # noqa: RUF012
        **HyperboloidSVC._parameter_constraints,
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, 1, closed="neither")],
    }

    def __init__(
        self,
        *,
        C=1.0,
        loss="arcsinh",
        learning_rate=1e-3,
        max_iter=2000,
        tol=1e-3,
        class_weight=None,
        multi_class="ovr",
        calibration="distance",
        chart="tangent",
        curvature=1.0,
        random_state=None,
    ):
        self.C = C
        self.loss = loss
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.tol = tol
        self.class_weight = class_weight
        self.multi_class = multi_class
        self.calibration = calibration
        self.chart = chart
        self.curvature = curvature
        self.random_state = random_state

    def _pgd(self, points, signs, seed, weights):
        steps = self.loss, self.learning_rate, self.max_iter, self.tol
        return released_pgd(points, signs, self.C, *steps, weights)
