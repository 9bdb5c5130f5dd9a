"""Base of all hyperplane classifiers: charts, labels, several classes, calibration."""

import warnings
from dataclasses import dataclass
from functools import partial
from numbers import Integral
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers import multiclass
from noneuclid.classifiers.calibration import fit_platt
from noneuclid.classifiers.default_chart import CONSTRAINTS, chart_of, question_default
from noneuclid.classifiers.group_folds import GroupFolds, codes_of_groups
from noneuclid.classifiers.parallel import run_each, shows_progress
from noneuclid.classifiers.sklearn_private import (
    StrOptions,
    available_if,
    check_parameters,
)
from noneuclid.classifiers.validation import hyperboloid_blocks, read, to_hyperboloid
from noneuclid.classifiers.weights import encode_weighted
from noneuclid.errors import InputError
from noneuclid.estimator import Estimator
from noneuclid.geometry.charts import check_points
from noneuclid.geometry.lorentz import normal_length
from noneuclid.solvers.linear.conflicting_points import describe_contradiction, find_contradiction

_CALIBRATION_FOLDS = 3


@dataclass(frozen=True)
class BinaryFit:
    """Result of the binary core of a classifier.

    Attributes
    ----------
    coef : ndarray, shape (d + 1,)
        Lorentz normal at curvature -1, time coordinate first.
    n_iter : int
    status : str or None
        How the solver ended, such as "optimal" or "converged"; another word if it did not.
    warning : str
        Text of the ConvergenceWarning; empty if the solver converged.
    objective, lower_bound : float or None
        None where the method minimises nothing; nan where there is no bound.
    extras : dict of str to ndarray or scalar
        More of the solution, kept as attribute `<name>_` with one row per binary problem.
    """

    coef: np.ndarray
    n_iter: int
    status: str | None
    warning: str = ""
    objective: float | None = None
    lower_bound: float = np.nan
    extras: dict | None = None


class DecisionClassifier(ClassifierMixin, Estimator):
    """Base of the classifiers that predict by `decision_function`; `_to_points` reads rows."""

    _parameter_constraints = CONSTRAINTS

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class of each row.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n,)
        """
        decision = self.decision_function(X)
        codes = (decision > 0).astype(int) if decision.ndim == 1 else decision.argmax(axis=1)
        return self.classes_[codes]

    # Positions in `classes_` of the classes that were fitted; the others have no row of weight > 0.
    _left: np.ndarray

    def _check_again(self, X):
        check_is_fitted(self)
        return self._to_points(read(self, X, reset=False))


class MarginClassifier(DecisionClassifier):
    r"""Base of the hyperplane classifiers; a subclass supplies the binary core.

    A subclass lists its settings in `__init__` and `_parameter_constraints` and implements
    `_fit_binary(points, signs, seed, weights)`, which returns a `BinaryFit`; a subclass whose score
    is not :math:`\langle\text{coef}, x\rangle_L` also overrides `_binary_scores`. The weights, > 0,
    multiply the loss of each row (its C); they are None where all are 1. `n_jobs` of the binary
    problems of several classes are solved at a time, with equal results for any number.

    With ``chart=None``, the default, rows are tangent vectors, as a table holds. `fit` warns if all
    rows lie in the ball, some of them beyond half of its radius, or on the hyperboloid: these are
    probably points of an embedding. ``chart="poincare"`` reads them; ``chart="tangent"`` keeps the
    default, without the warning.
    """

    _parameter_constraints = {  # noqa: RUF012
        **DecisionClassifier._parameter_constraints,
        "multi_class": [StrOptions({"ovr", "ovo"})],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "calibration": [StrOptions({"platt", "platt_cv", "distance", "distance_cv"}), None],
        "random_state": ["random_state"],
        "n_jobs": [Integral, None],
        "verbose": ["verbose"],
    }
    # Of scikit-learn's metadata routing: meta-estimators pass groups on.
    __metadata_request__fit = {"groups": True}  # noqa: RUF012

    @shows_progress
    @check_parameters
    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self:
        """Fit to labelled points.

        Parameters
        ----------
        X : array-like, shape (n, d), or (n, d + 1) for chart "hyperboloid"
        y : array-like, shape (n,)
            Labels of any type.
        sample_weight : array-like, shape (n,), or None
            Finite numbers >= 0 that multiply the loss of each row and the weight of its class in
            `class_weight`: 2 is equivalent to two equal rows, 0 to none, except for the folds of
            "platt_cv" and "distance_cv". A class whose rows all have weight 0 is not fitted and
            never predicted; it has a column of probability 0.
        groups : array-like, shape (n,), or None
            Such as the donors of cells: the folds of "platt_cv" and "distance_cv" keep them whole.
            Other calibrations have no folds.

        Returns
        -------
        self

        Raises
        ------
        InputError
            If a row of X does not satisfy the chart, y holds one class, a weight is negative or
            not finite, or fewer than two classes have a weight above 0; for calibration on folds,
            if a class has one row, or fewer than two groups can be held out.
        """
        X, y = read(self, X, y)
        points = self._read_training(X, question_default(self, X))
        self.classes_, self._left, points, codes, weights, numbers = encode_weighted(
            points, y, sample_weight, self.class_weight
        )
        self._check_labels(points, codes, weights, numbers)
        count = multiclass.count_problems(len(self._left), self.multi_class)
        draw = check_random_state(self.random_state).randint
        seeds = draw(np.iinfo(np.int32).max, size=count).tolist()
        fits = self._each(self._fit_problem, points, codes, seeds, weights, "binary problem")
        self._keep(fits)
        if self.calibration is not None:
            work = partial(self._calibrate, fits)
            kept = None if groups is None else codes_of_groups(groups, X)[list(numbers)]
            found = self._each(work, points, codes, seeds, weights, "calibration", kept)
            self.calibration_ = np.array(found)
        self._warn(fits, points, codes, numbers)
        return self

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Decision values; `predict` takes their sign, or the column with the largest.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n,) for two classes, else (n, n_classes)
            Two classes: signed hyperbolic distance from the hyperplane, in units of the space of
            curvature -K, positive for `classes_[1]`: asinh(<w, sqrt(K) x>_L / |w|) / sqrt(K), |w|²
            = <w,w>_L. For a horosphere, <w,w>_L = 0, |w| is the time coordinate of w instead: the
            values are then ±asinh(exp(sqrt(K) b)) / sqrt(K) with the Busemann function b, the
            signed distance from the horosphere through the origin, all of one sign, as the
            scores. One-vs-rest: log-odds a_k f_k + b_k of the scores f_k = <w_k, sqrt(K) x>_L, or
            of the method's own score where it has one; the scores if `calibration` is None.
            One-vs-one: votes (of log-odds, or scores), ties broken by the summed values squeezed
            into (-1/3, 1/3).
        """
        check_is_fitted(self)
        X = read(self, X, reset=False)
        if len(self._left) == 2:
            values = self._distances(X)
        else:
            scores = self._to_log_odds(self._scores(self._to_points(X)))
            values = multiclass.decide(scores, len(self._left), self.multi_class)
        return multiclass.all_columns(values, self._left, len(self.classes_), least=None)

    def _has_probabilities(self):
        if self.calibration is None:
            raise AttributeError(
                "predict_proba is not available when calibration=None; set 'platt'"
            )
        if self.multi_class == "ovo" and len(getattr(self, "_left", ())) != 2:
            raise AttributeError(
                "predict_proba is not available when multi_class='ovo' with several classes: votes "
                "are not probabilities; set multi_class='ovr'"
            )
        return True

    @available_if(_has_probabilities)
    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Platt probabilities, normalised over the classes.

        The largest belongs to the class of `predict`, except for ties where sigmoids saturate: for
        two classes the sigmoid passes through 1/2 on the hyperplane (no offset).

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n, n_classes)
            In the order of `classes_`.
        """
        log_odds = self._to_log_odds(self._scores(self._check_again(X)))
        found = multiclass.normalise_sigmoids(log_odds[:, 0] if len(self._left) == 2 else log_odds)
        return multiclass.all_columns(found, self._left, len(self.classes_))

    def _each(self, work, points, codes, seeds, weights, desc, groups=None):
        """Results of `work(index, points, signs, seed, weights[, groups])` for each problem."""
        problems = multiclass.binary_problems(codes, len(self._left), self.multi_class)
        jobs = enumerate(zip(problems, seeds, strict=True))
        tasks = (
            (i, points[rows], signs, seed, _part(weights, rows))
            + (() if groups is None else (groups[rows],))
            for i, ((rows, signs), seed) in jobs
        )
        desc = f"{type(self).__name__}: {desc}"
        return run_each(work, tasks, len(seeds), getattr(self, "n_jobs", None), desc)

    def _read_training(self, X, norms):
        """Points of all rows of `fit`, as the user numbers them; `norms` are None if not known."""
        return self._to_points(X)

    def _check_labels(self, points, codes, weights, numbers):
        """Hook for labels that a method refuses, and for what it learns from all rows."""

    def _check_hard_margin(self, points, codes, numbers):
        """Refuse C between 1e10 and infinity, and a point with two labels if C is infinite."""
        if 1e10 < self.C < np.inf:
            raise InputError(f"C = {self.C}; give at most 1e10, or C=inf for the hard margin")
        if np.isinf(self.C) and (twice := find_contradiction(points, codes)):
            said = describe_contradiction(
                twice, self.classes_[self._left[codes[[*twice]]]], numbers
            )
            raise InputError(f"{said}: no hard margin; drop one of them, or give a finite C")

    def _to_points(self, X):
        return to_hyperboloid(X, chart_of(self), self.curvature)

    def _binary_scores(self, points, coef, **extras):
        return _products(points, coef)

    def _distances(self, X):
        """Decision values of two classes; overridden where the boundary has no Lorentz normal."""
        check_points(X, chart_of(self), self.curvature)
        sinh, coef = np.empty(len(X)), self.coef_[0]
        for rows, points in hyperboloid_blocks(X, chart_of(self), self.curvature):
            sinh[rows] = _products(points, coef)
        return np.arcsinh(sinh / normal_length(coef)) / np.sqrt(self.curvature)

    def _scores(self, points):
        """Scores of all binary problems, one column each."""
        scores = np.empty((len(points), len(self.coef_)))
        for i, coef in enumerate(self.coef_):
            extras = {name: getattr(self, f"{name}_")[i] for name in self._extra_names}
            scores[:, i] = self._binary_scores(points, coef, **extras)
        return scores

    _extra_names = ()

    def _boundary_normals(self):
        """Lorentz normals (n_problems, d + 1) at curvature -1; overridden where there are none."""
        return self.coef_

    def _to_log_odds(self, scores):
        if self.calibration is None:
            return scores
        return self._scale(scores) * self.calibration_[:, 0] + self.calibration_[:, 1]

    def _scale(self, scores):
        # Scores grow like the exponential of the distance from the hyperplane: a few far points
        # would flatten a sigmoid with Platt's soft targets.
        return np.arcsinh(scores) if self.calibration.startswith("distance") else scores

    def _keep(self, fits):
        """Set the fitted attributes from the binary fits; scalars if there is one problem."""

        def stack(values):
            return values[0] if len(fits) == 1 else np.array(values)

        self.coef_ = np.array([fit.coef for fit in fits])
        self.n_iter_ = stack([fit.n_iter for fit in fits])
        self.status_ = stack([fit.status for fit in fits])
        if fits[0].objective is not None:
            self.objective_ = stack([fit.objective for fit in fits])
            self.lower_bound_ = stack([fit.lower_bound for fit in fits])
            self.gap_ = stack([_gap(fit) for fit in fits])
        for name in fits[0].extras or ():
            setattr(self, f"{name}_", np.array([fit.extras[name] for fit in fits]))

    def _fit_problem(self, index, points, signs, seed, weights):
        """Hook for settings that differ between the binary problems."""
        return self._fit_binary(points, signs.astype(float), seed, weights)

    def _calibrate(self, fits, index, points, signs, seed, weights, groups=None):
        # Two classes: probabilities must agree with `predict`, the side of the hyperplane.
        centred = len(self._left) == 2
        if not self.calibration.endswith("_cv"):
            scores = self._binary_scores(points, fits[index].coef, **self._used(fits[index]))
            return fit_platt(self._scale(scores), signs, centred, weights)
        folds = min(_CALIBRATION_FOLDS, np.count_nonzero(signs > 0), np.count_nonzero(signs < 0))
        if folds < 2:
            raise InputError(
                f"calibration={self.calibration!r} needs 2 rows of each class, a class has 1; "
                f"use calibration={self.calibration.removesuffix('_cv')!r} or drop the class"
            )
        scores, tested = np.empty(len(signs)), np.zeros(len(signs), dtype=bool)
        kind = partial(StratifiedKFold, shuffle=True) if groups is None else GroupFolds
        for train, test in kind(folds, random_state=seed).split(signs, signs, groups):
            part = self._fit_problem(
                index, points[train], signs[train], seed, _part(weights, train)
            )
            scores[test] = self._binary_scores(points[test], part.coef, **self._used(part))
            tested[test] = True
        used = self._scale(scores[tested]), signs[tested]
        return fit_platt(*used, centred, _part(weights, tested), held_out=True)

    def _used(self, fit):
        return {name: fit.extras[name] for name in self._extra_names}

    def _warn(self, fits, points=None, codes=None, numbers=None):
        late = [fit.warning for fit in fits if fit.warning]
        if late:
            warnings.warn(
                f"{type(self).__name__}: {len(late)} of {len(fits)} binary problems did not "
                f"converge; the first: {late[0]}{self._advice(points, codes, numbers)}",
                ConvergenceWarning,
                stacklevel=5,
            )

    def _advice(self, points, codes, numbers):
        """Hook for advice on fits that did not converge."""
        return ""


def _products(points, coef):
    """<coef, x>_L of each point."""
    return points[:, 1:] @ coef[1:] - points[:, 0] * coef[0]


def _part(weights, rows):
    return None if weights is None else weights[rows]


def _gap(fit):
    """Relative gap (objective - bound) / |objective|; 0 where both are 0."""
    difference = fit.objective - fit.lower_bound
    return difference / abs(fit.objective) if difference else 0.0
