"""Estimators with the solvers of yang2024: as described, and as in its program.

"Published" is what the paper describes, "released" what the program does, faults included
(yangshengaa/hsvm-relax, commit 6c95b6a).
"""

from dataclasses import replace
from numbers import Integral, Real

import numpy as np

from noneuclid.classifiers.constructors import WithOwnParameters
from noneuclid.classifiers.hyperboloid_svm import HyperboloidSVC
from noneuclid.classifiers.sklearn_private import Interval
from noneuclid.errors import InputError
from noneuclid.solvers.hyperboloid.problem import objective
from noneuclid.solvers.hyperboloid.relaxations import moment_relaxation, sdp_relaxation
from noneuclid_papers.programs.yang2024_solvers import (
    LEARNING_RATE,
    MAX_ITER,
    published_pgd,
    released_gap,
    released_pgd,
    summed_losses,
)

_STEPS = {"loss": "arcsinh", "learning_rate": LEARNING_RATE, "max_iter": MAX_ITER, "tol": 1e-3}


class _Program(WithOwnParameters, HyperboloidSVC):
    """Settings that the solvers of the program share, and the signs that it makes of bytes."""

    loss, robust_radius, conic_solver = "hinge", 0.0, "clarabel"
    _parameter_constraints = {  # noqa: RUF012
        **HyperboloidSVC._parameter_constraints,
        "byte_labels": ["boolean"],
    }

    def __init__(
        self,
        *,
        C=1.0,
        byte_labels=False,
        class_weight=None,
        multi_class="ovr",
        calibration="distance",
        chart="tangent",
        curvature=1.0,
        random_state=None,
    ):
        self.C = C
        self.byte_labels = byte_labels
        self.class_weight = class_weight
        self.multi_class = multi_class
        self.calibration = calibration
        self.chart = chart
        self.curvature = curvature
        self.random_state = random_state

    def _fit_problem(self, index, points, signs, seed, weights):
        if self.byte_labels and len(self._left) > 2:
            raise InputError(
                f"byte_labels=True: y has {len(self._left)} classes, and this fault belongs "
                "to two; set byte_labels=False"
            )
        return super()._fit_problem(index, points, self._signs(signs), seed, weights)

    def decision_function(self, X):
        """As of `HyperboloidSVC`, but one-vs-one the votes alone.

        The first of classes with equally many votes is predicted (src/models/SVMBase.py, lines 143
        to 158). A probability of exactly 1/2 is a vote for the first class, in the program for the
        second.
        """
        values = super().decision_function(X)
        return np.rint(values) if self.multi_class == "ovo" and values.ndim == 2 else values

    def _signs(self, signs):
        wrong = 2 * (signs > 0).astype(np.uint8) - 1
        return super()._signs(wrong if self.byte_labels else signs)


class PublishedPGD(_Program, own=_STEPS):
    """Hyperboloid SVM by gradient descent as yang2024 describes it.

    Starts from the Euclidean SVM with the hinge and takes steps of one length, which is never cut.

    Parameters
    ----------
    C, class_weight, multi_class, calibration, chart, curvature, random_state
        As for `HyperboloidSVC`; the program has calibration "platt".
    loss : {"arcsinh", "hinge"}, default="arcsinh"
        "arcsinh" is that of the program behind the tables, "hinge" that of problem (7).
    learning_rate : float > 0, default=1e-3
        Step length.
    max_iter : int, default=4000
        Steps.
    tol : float in (0, 1), default=1e-3
        Warns if the best objective still fell by more, relative, in the last tenth of the steps.
    byte_labels : bool, default=False
        For two classes: signs are 2 y - 1 in bytes, 255 and 1, both positive, as the program made
        them of labels of type uint8 (karate; src/models/SVMBase.py, line 41).

    Attributes
    ----------
    classes_, coef_, n_iter_, status_, objective_, lower_bound_, gap_, calibration_, fall_
        As for `HyperboloidSVC` with solver "pgd".

    Raises
    ------
    InputError
        As `HyperboloidSVC`, and for `byte_labels` with more than two classes.

    References
    ----------
    .. [1] S. Yang, P. Liu, C. Pehlevan, Convex relaxation for solving large-margin classifiers in
       hyperbolic space, 2024.

    Examples
    --------
    >>> from noneuclid_papers.programs.yang2024 import PublishedPGD
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> PublishedPGD(C=10.0, chart="poincare").fit(X, [1, 1, 0, 0]).predict(X)
    array([1, 1, 0, 0])
    """

    solver = "pgd"
    _parameter_constraints = {  # noqa: RUF012
        **_Program._parameter_constraints,
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, 1, closed="neither")],
    }
    _solve = staticmethod(published_pgd)

    def _pgd(self, points, signs, seed, weights):
        steps = self.loss, self.learning_rate, self.max_iter, self.tol
        return self._solve(points, signs, self.C, *steps, weights)


class ReleasedPGD(PublishedPGD, own={"program_steps": False}):
    """`PublishedPGD` from the start of the program: labels -3 and 1, and the wrong sign.

    Parameters
    ----------
    C, loss, learning_rate, max_iter, tol, byte_labels, class_weight, multi_class, calibration, \
chart, curvature, random_state
        As for `PublishedPGD`; `yang2024_solvers.released_start` has the fault. With `byte_labels`
        both labels of the start are 1; in the program they are 253 and 1.
    program_steps : bool, default=False
        True: the first row of each binary problem has no cost in the start (src/models/soft.py,
        lines 106 to 109), so that the order of rows matters; an infeasible start is moved by
        `yang2024_solvers.cut_start`, and infeasible steps are moved until <w,w>_L = 1e-6 (lines
        378 and 435 to 451).
        False: all rows have the cost `C`, and infeasible vectors go to the nearest feasible one.
        Tables are compared with True and calibration "platt".

    Attributes
    ----------
    classes_, coef_, n_iter_, status_, objective_, lower_bound_, gap_, calibration_, fall_
        As for `PublishedPGD`.

    Notes
    -----
    One-vs-one the first class of a pair has the label 1 of the start, the second -3, and the first
    of classes with equally many votes is predicted.

    Examples
    --------
    >>> from noneuclid_papers.programs.yang2024 import ReleasedPGD
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> ReleasedPGD(C=10.0, chart="poincare").fit(X, [1, 1, 0, 0]).predict(X)
    array([1, 1, 0, 0])
    """

    _parameter_constraints = {  # noqa: RUF012
        **PublishedPGD._parameter_constraints,
        "program_steps": ["boolean"],
    }

    def _solve(self, points, signs, *args):
        # One-vs-one the first class of a pair has the label 1 (src/models/SVMBase.py, line 79).
        side = -1.0 if self.multi_class == "ovo" and len(self._left) > 2 else 1.0
        found = released_pgd(points, side * signs, *args, program_steps=self.program_steps)
        return replace(found, w=side * found.w)


class ReleasedSDP(_Program, own={"draws": 10, "conic_solver": "clarabel", "left_out": False}):
    """Hyperboloid SVM by the semidefinite relaxation (8), rounded as the program rounds it.

    Candidates are compared by their losses alone (`summed_losses`), and `eta_` is that of two
    losses (`released_gap`); `objective_` has the arcsinh loss. Without these faults:
    ``HyperboloidSVC(solver="sdp")``.

    Parameters
    ----------
    C, conic_solver, class_weight, multi_class, calibration, chart, curvature, random_state
        As for `HyperboloidSVC`; the program has calibration "platt".
    draws : int, default=10
        Random candidates.
    left_out : bool, default=False
        True: candidates inside the light cone are left out, as in the program (src/models/soft.py,
        line 330); if all are, the fit ends with an error. Tables are compared with True. False:
        they are moved to the nearest spacelike vector.
    byte_labels : bool, default=False
        As for `PublishedPGD`.

    Attributes
    ----------
    classes_, coef_, n_iter_, status_, objective_, lower_bound_, gap_, calibration_, \
conic_solver_, relaxation_, eta_, candidate_
        As for `HyperboloidSVC` with solver "sdp".

    Raises
    ------
    InputError
        As `HyperboloidSVC`, and for `byte_labels` with more than two classes.

    Examples
    --------
    >>> from noneuclid_papers.programs.yang2024 import ReleasedSDP
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> ReleasedSDP(C=10.0, chart="poincare", random_state=0).fit(X, [1, 1, 0, 0]).predict(X)
    array([1, 1, 0, 0])
    """

    solver = "sdp"
    _parameter_constraints = {  # noqa: RUF012
        **_Program._parameter_constraints,
        "draws": [Interval(Integral, 0, None, closed="left")],
        "left_out": ["boolean"],
    }

    _stated_loss = "arcsinh"

    def _sdp(self, points, signs, seed, weights):
        solution = sdp_relaxation.solve(
            points,
            signs,
            self.C,
            draws=self.draws,
            seed=seed,
            conic_solver=self.conic_solver,
            compare=summed_losses,
            weights=weights,
            left_out=self.left_out,
        )
        return _with_released_gap(solution, points, signs, self.C, weights)


class ReleasedMoment(_Program, own={"ball": False, "conic_solver": "clarabel"}):
    """Hyperboloid SVM by the moment relaxation (14), with the gap of the program.

    `eta_` is that of two losses (`released_gap`); `objective_` has the arcsinh loss. Without this
    fault, over a bounded region: ``HyperboloidSVC(solver="moment")``.

    Parameters
    ----------
    C, conic_solver, class_weight, multi_class, calibration, chart, curvature, random_state
        As for `HyperboloidSVC`; the program has calibration "platt".
    ball : bool, default=False
        False: (14) as published, which proves no more than a linear program. True: over the
        bounded region that holds all better solutions, as in `HyperboloidSVC`.
    byte_labels : bool, default=False
        As for `PublishedPGD`.

    Attributes
    ----------
    classes_, coef_, n_iter_, status_, objective_, lower_bound_, gap_, calibration_, \
conic_solver_, relaxation_, eta_, radius_
        As for `HyperboloidSVC` with solver "moment".

    Raises
    ------
    InputError
        As `HyperboloidSVC`, and for `byte_labels` with more than two classes.

    Examples
    --------
    >>> from noneuclid_papers.programs.yang2024 import ReleasedMoment
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> model = ReleasedMoment(C=10.0, ball=True, chart="poincare").fit(X, [1, 1, 0, 0])
    >>> model.predict(X)
    array([1, 1, 0, 0])
    """

    solver = "moment"
    _parameter_constraints = {  # noqa: RUF012
        **_Program._parameter_constraints,
        "ball": ["boolean"],
    }

    _stated_loss = "arcsinh"

    def _moment(self, points, signs, seed, weights):
        solution = moment_relaxation.solve(
            points, signs, self.C, self.conic_solver, self.ball, weights=weights
        )
        return _with_released_gap(solution, points, signs, self.C, weights)


def _with_released_gap(solution, points, signs, C, weights):
    """A solution with the program's objective, that of the arcsinh loss, and its `released_gap`."""
    gap = released_gap(solution.w, points, signs, C, solution.extras["relaxation"], weights)
    f = objective(solution.w, points, signs, C, "arcsinh", weights=weights)
    # The relaxation of the hinge bounds no problem with the arcsinh loss.
    found = solution.extras | {"eta": gap}
    return replace(solution, objective=f, lower_bound=float("nan"), extras=found)
