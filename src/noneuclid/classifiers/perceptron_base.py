"""Base of all perceptrons: random orders, batches of partial_fit, last and mean weights."""

from math import ceil
from numbers import Integral
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets

from noneuclid.classifiers import multiclass
from noneuclid.classifiers.base import BinaryFit
from noneuclid.classifiers.blockwise import BlockwiseClassifier
from noneuclid.classifiers.constructors import WithOwnParameters
from noneuclid.classifiers.default_chart import question_default
from noneuclid.classifiers.parallel import shows_progress
from noneuclid.classifiers.parameter_types import Calibration, Chart, ClassWeight, MultiClass, Seed
from noneuclid.classifiers.sklearn_private import Interval, available_if, check_parameters
from noneuclid.classifiers.validation import read
from noneuclid.classifiers.weights import check_class_weights, check_row_weights, multiply_weights
from noneuclid.errors import InputError
from noneuclid.solvers.linear.conflicting_points import describe_contradiction, find_contradiction
from noneuclid.solvers.perceptrons import mistake_bounds, mistake_driven, sample_orders

# Names for `max_updates`; each class lists those that it takes.
BOUNDS = {
    "bound": lambda *rows: ceil(mistake_bounds.of_data(*rows)),
    "weber": lambda *rows: ceil(mistake_bounds.weber(*rows)),
}


def _calibrated(model):
    model._has_probabilities()
    if hasattr(model, "weights_") and not hasattr(model, "calibration_"):
        raise AttributeError("predict_proba needs the calibration of fit; partial_fit has none")
    return True


class OnlineClassifier(WithOwnParameters, BlockwiseClassifier):
    """Base of the perceptrons.

    A subclass implements `_rule()`, the update rule; `_vectors(points, place)`, what the rule sees
    of points of the hyperboloid; `_normal(w, place)`, the Lorentz normal of weights w; and, if
    these depend on a place, `_place` and `_kept_place`.

    A row of weight q moves w by q times its step, and counts q times in the mean of w. It equals a
    row followed at once by q - 1 copies, if these leave w unchanged or if each of them is a mistake
    again (the mean then differs by the steps between). The two differ if a copy is correct after
    the first step. In `fit`, new orders separate copies.
    """

    _parameter_constraints = {  # noqa: RUF012
        **BlockwiseClassifier._parameter_constraints,
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "max_updates": [Interval(Integral, 1, None, closed="left"), None],
        "n_iter_no_change": [Interval(Integral, 1, None, closed="left"), None],
        "average": ["boolean"],
        "shuffle": ["boolean"],
    }

    def __init__(
        self,
        *,
        max_iter: int = 100,
        max_updates: int | Literal["bound", "weber"] | None = None,
        n_iter_no_change: int | None = None,
        average: bool = True,
        shuffle: bool = True,
        class_weight: ClassWeight | None = None,
        multi_class: MultiClass = "ovr",
        calibration: Calibration | None = "platt",
        chart: Chart | None = None,
        curvature: float = 1.0,
        random_state: Seed | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.max_iter = max_iter
        self.max_updates = max_updates
        self.n_iter_no_change = n_iter_no_change
        self.average = average
        self.shuffle = shuffle
        self.class_weight = class_weight
        self.multi_class = multi_class
        self.calibration = calibration
        self.chart = chart
        self.curvature = curvature
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def __sklearn_is_fitted__(self):
        return hasattr(self, "coef_")  # a first batch that is refused leaves `classes_` behind

    @shows_progress
    @check_parameters
    def partial_fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Learn from a batch of rows, once each in the order given; may continue after `fit`.

        Nothing is calibrated, and an earlier calibration is dropped. With `average`, `coef_` is the
        mean over all rows so far.

        Parameters
        ----------
        X : array-like, in the chart of the model
        y : array-like, shape (n,)
        classes : array-like, shape (n_classes,)
            All possible labels; needed in the first call.
        sample_weight : array-like, shape (n,), or None
            Finite numbers >= 0 that multiply the step of each row, times the weight of its class
            in `class_weight`; a row of weight 0 is not seen.

        Returns
        -------
        self

        Raises
        ------
        InputError
            If a row of X does not satisfy the chart, classes are missing or change, a label is not
            among them, a weight is negative or not finite, `class_weight` is "balanced", or
            `reference_point` is a rule and the first rows have no row of a class.
        """
        if self.max_updates in BOUNDS:
            raise InputError(
                f"max_updates={self.max_updates!r} needs all rows at once; for partial_fit give a "
                "number or None"
            )
        first = not hasattr(self, "weights_")
        X, y = read(self, X, y, first)
        if first:
            question_default(self, X)
        known = check_classes(None if first else self.classes_[self._left], classes)
        codes = encode_batch(y, known)
        X = self._to_points(X)
        X, codes, weights = weigh_batch(X, codes, known, sample_weight, self.class_weight)
        self.classes_, self._left = known, np.arange(len(known))
        if first:
            self._check_labels(X, codes, weights, None)
        problems = multiclass.binary_problems(codes, len(known), self.multi_class)
        fits = [
            self._go_on(index, X[rows], signs, None if weights is None else weights[rows], first)
            for index, (rows, signs) in enumerate(problems)
        ]
        self._keep(fits)
        if hasattr(self, "calibration_"):
            del self.calibration_
        self._warn(fits)
        return self

    @available_if(_calibrated)
    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Platt probabilities, as in `MarginClassifier`; only `fit` calibrates them."""
        return super().predict_proba(X)

    @property
    def coef_last_(self) -> np.ndarray:
        """Lorentz normals of the last weights, shape (n_problems, d + 1)."""
        return self._normals(self.weights_)

    @property
    def coef_mean_(self) -> np.ndarray:
        """Lorentz normals of the mean weights over all steps, shape (n_problems, d + 1)."""
        return self._normals(self.weight_sums_ / np.where(self.n_steps_, self.n_steps_, 1)[:, None])

    def _place(self, index, X, signs, weights):
        """The place that `_vectors` and `_normal` need, and the attributes that keep it."""
        return None, {}

    def _kept_place(self, index):
        return None, {}

    def _fit_problem(self, index, points, signs, seed, weights):
        place, kept = self._place(index, points, signs, weights)
        order = check_random_state(seed) if self.shuffle else None
        signs = _weighed(signs, weights)
        vectors, mixed = self._mixed(points, place, signs, order)
        limit = self.max_updates
        done = mistake_driven.run(
            vectors,
            mixed,
            max_iter=self.max_iter,
            max_updates=BOUNDS[limit](vectors, mixed) if limit in BOUNDS else limit,
            average=self.average,
            order=order,
            rule=self._rule(),
            n_iter_no_change=self._most_idle(len(signs)),
        )
        status = "separated" if done.clean else "mistakes left"
        warning = "" if done.clean else _what_is_left(done, len(signs))
        return self._outcome(done.learner, done.w, place, kept, done.n_epochs, status, warning)

    def _most_idle(self, n):
        return self.n_iter_no_change

    def _go_on(self, index, X, signs, weights, first):
        rule, calls = self._rule(), 1
        place, kept = self._place(index, X, signs, weights) if first else self._kept_place(index)
        vectors = self._all_vectors(X, place)
        learner = rule.start(vectors.shape[1])
        if not first:
            self._restore(learner, index)
            calls += int(np.atleast_1d(self.n_iter_)[index])
        mistake_driven.learn(learner, rule, vectors, _weighed(signs, weights), self.max_updates)
        full = f"max_updates={self.max_updates} is reached; later rows have no effect"
        warning = full if learner.n_updates >= (self.max_updates or np.inf) else ""
        w = learner.mean if self.average else learner.w
        return self._outcome(learner, w, place, kept, calls, "online", warning)

    def _restore(self, learner, index):
        """Restore the state in which a binary problem was left."""
        learner.w[:], learner.total[:] = self.weights_[index], self.weight_sums_[index]
        learner.n_steps = self.n_steps_[index].item()
        learner.n_updates = int(self.n_updates_[index])
        for name, value in learner.memory.items():
            value[...] = getattr(self, f"{name}_")[index]

    def _outcome(self, learner, w, place, kept, n_iter, status, warning):
        state = {
            "weights": learner.w,
            "weight_sums": learner.total,
            "n_steps": learner.n_steps,
            "n_updates": learner.n_updates,
        }
        extras = {**kept, **state, **learner.memory}
        return BinaryFit(self._normal(w, place), n_iter, status, warning, extras=extras)

    def _normals(self, weights):
        places = (self._kept_place(i)[0] for i in range(len(weights)))
        return np.array([self._normal(w, p) for w, p in zip(weights, places, strict=True)])

    def _mixed(self, X, place, signs, order):
        """Vectors and signs, in a random order if `order` is given."""
        vectors = self._all_vectors(X, place)
        if order is not None:
            signs = signs.copy()
            sample_orders.shuffle_in_place(vectors, signs, order)
        return vectors, signs

    def _all_vectors(self, X, place):
        width = self.n_features_in_ + (self.chart != "hyperboloid") - (place is not None)
        vectors = np.empty((len(X), width))
        for rows, points in self._blocks(X):
            vectors[rows] = self._vectors(points, place)
        return vectors

    def _advice(self, points, codes, numbers):
        if codes is None or "mistakes left" not in np.atleast_1d(self.status_):
            return ""
        if twice := find_contradiction(points, codes):
            said = describe_contradiction(
                twice, self.classes_[self._left[codes[[*twice]]]], numbers
            )
            return f"; nothing separates all classes: {said}"
        return "; raise max_iter or max_updates, or accept that no hyperplane separates the classes"

    def _to_log_odds(self, scores):
        return super()._to_log_odds(scores) if hasattr(self, "calibration_") else scores


def _weighed(signs, weights):
    return signs if weights is None else signs * weights


def _what_is_left(done, n):
    return (
        f"{done.mistakes} of {n} rows still misclassified after {done.n_updates} updates in "
        f"{done.n_epochs} passes"
    )


def check_classes(known, classes):
    """Sorted classes of a stream, checked against those of earlier calls (`known`, or None)."""
    if classes is None and known is None:
        raise InputError("the first call of partial_fit needs classes=, all labels that may come")
    if classes is None:
        return known
    given = np.unique(classes)
    if known is not None and not np.array_equal(given, known):
        raise InputError(
            f"classes={given.tolist()} differ from those of earlier calls, {known.tolist()}; "
            "leave classes out"
        )
    if len(given) < 2:
        raise InputError(f"classes={given.tolist()}: give at least 2 classes")
    return given


def weigh_batch(X, codes, classes, sample_weight, class_weight):
    """Rows of a batch with weight > 0, their codes and weights (None if all are 1).

    Examples
    --------
    >>> X, codes, classes = np.array([[1.0], [2.0]]), np.array([0, 1]), np.array(["a", "b"])
    >>> weigh_batch(X, codes, classes, [0, 2], {"b": 3})
    (array([[2.]]), array([1]), array([6.]))
    """
    if sample_weight is None and class_weight is None:
        return X, codes, None
    if class_weight == "balanced":
        raise InputError(
            "class_weight='balanced' needs all rows at once; for partial_fit give a dict, or "
            "sample_weight"
        )
    factors = check_class_weights(class_weight, classes)
    weights = multiply_weights(check_row_weights(sample_weight, X), factors[codes])
    used = weights > 0
    X, codes, weights = X[used], codes[used], weights[used]
    return X, codes, None if (weights == 1).all() else weights


def encode_batch(y, classes):
    """Position of each label among the sorted classes; the error names an unknown label."""
    check_classification_targets(y)
    codes = multiclass.encode(y, classes)
    strange = np.flatnonzero(classes[codes] != y)
    if strange.size:
        row = strange[0]
        raise InputError(
            f"row {row} has label {y.tolist()[row]!r}, which is not among classes; add it"
        )
    return codes
