"""Metrics of one fold; `metric_table` lists them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.stats import rankdata
from sklearn import metrics as sklearn_metrics

from noneuclid.errors import InputError, require
from noneuclid_compare.evaluation.metric_table import METRICS

CALIBRATION_BINS = 15
# Sums of the same probabilities in another order differ by less.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Fold:
    """True values and the predictions of a method.

    `truth` and `predicted` have shape (m,), `ranking` and `probabilities` (m, n_classes), None
    where the method does not give them. Only the order of a column of `ranking` counts: -inf, of a
    class absent from the training set, ranks below all numbers and ties with itself.
    """

    truth: np.ndarray
    predicted: np.ndarray | None = None
    ranking: np.ndarray | None = None
    probabilities: np.ndarray | None = None

    @cached_property
    def rankings(self):
        """Each class against the rest: which rows are of it, and their ranks.

        With two classes only the second, else all that have rows inside and outside in the fold.
        """
        n_classes = self.ranking.shape[1]
        found = []
        for code in [1] if n_classes == 2 else range(n_classes):
            positive = self.truth == code
            if positive.any() and not positive.all():
                found.append((positive, rankdata(self.ranking[:, code], method="dense")))
        return found


def evaluate(predictions, n_classes):
    """Compute the metrics of one fold, of predicted numbers or classes."""
    if predictions.truth.dtype.kind == "f":
        return evaluate_numbers(predictions.truth, predictions.predicted)
    return evaluate_classes(predictions, n_classes)


def evaluate_classes(predictions, n_classes):
    """Compute the metrics of predicted classes in one fold.

    Parameters
    ----------
    predictions : Predictions
        Of one fold.
    n_classes : int

    Returns
    -------
    dict of float
        Those of `METRICS` that need no more than the method gives, in their order.

    Raises
    ------
    InputError
        If there are several folds, or a decision value or probability is NaN.

    Examples
    --------
    >>> from noneuclid_compare.records import Predictions
    >>> rows = np.arange(4)
    >>> truth, guess = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    >>> evaluate_classes(Predictions(rows, 0 * rows, truth, guess), 2)["accuracy"]
    0.75
    """
    folds = np.unique(predictions.fold)
    require(folds.size == 1, f"metrics: one fold at a time, found folds {folds.tolist()}")
    probabilities = predictions.probabilities
    if probabilities is not None and probabilities.dtype != float:
        probabilities = probabilities.astype(float)
        probabilities /= probabilities.sum(axis=1, keepdims=True)
    ranking = probabilities if predictions.scores is None else predictions.scores
    given = {"classes"}
    if ranking is not None:
        _check(ranking, n_classes, "scores")
        given.add("ranking")
    if probabilities is not None:
        _check(probabilities, n_classes, "probabilities")
        given.add("probabilities")
    return _evaluate(Fold(predictions.truth, predictions.predicted, ranking, probabilities), given)


def evaluate_numbers(truth, predicted):
    """Compute the metrics of predicted numbers, arrays of shape (m,), in one fold.

    Raises
    ------
    InputError
        If a prediction is not finite.

    Examples
    --------
    >>> evaluate_numbers(np.array([0.0, 2.0]), np.array([0.0, 1.0]))["r2"]
    0.5
    """
    bad = np.flatnonzero(~np.isfinite(predicted))
    if bad.size:
        raise InputError(
            f"prediction at position {bad[0]} is {predicted[bad[0]]}; the method must give a number"
        )
    return _evaluate(Fold(truth, predicted), {"numbers"})


def _evaluate(fold, given):
    # The function of a metric has its name.
    return {m.name: float(globals()[m.name](fold)) for m in METRICS if m.needs in given}


def _check(values, n_classes, name):
    """Refuse decision values that are not a number for each class."""
    require(
        values.shape[1] == n_classes, f"{name}: {values.shape[1]} columns for {n_classes} classes"
    )
    bad = np.argwhere(np.isnan(values))
    require(
        not bad.size,
        f"{name}: NaN at position and class {bad[:1].tolist()}; the method must give a number",
    )


def accuracy(fold):
    """Share of the rows with the right class."""
    return sklearn_metrics.accuracy_score(fold.truth, fold.predicted)


def balanced_accuracy(fold):
    """Mean recall over the classes with a row in the fold."""
    truth = fold.truth
    return sklearn_metrics.recall_score(
        truth, fold.predicted, labels=np.unique(truth), average="macro", zero_division=0
    )


def f1_micro(fold):
    """F1 of the counts of all classes together."""
    return _f1(fold, "micro")


def f1_macro(fold):
    """Mean F1 over the classes that are true or predicted in the fold; 0 without a hit."""
    return _f1(fold, "macro")


def f1_weighted(fold):
    """The same mean, weighted by the rows of each class."""
    return _f1(fold, "weighted")


def _f1(fold, average):
    return sklearn_metrics.f1_score(fold.truth, fold.predicted, average=average, zero_division=0)


def aupr_macro(fold):
    """Mean average precision over the classes of `Fold.rankings`."""
    return _mean(sklearn_metrics.average_precision_score, fold)


def aupr_trapezoid_macro(fold):
    """Mean area under the precision-recall curve by trapezoids, as Cho et al. (2019) compute it.

    It begins at the row ranked first: a perfect ranking of P positive rows has 1 - 1/P.
    """
    return _mean(_trapezoids, fold)


def auroc_macro(fold):
    """Mean area under the ROC curve over the classes of `Fold.rankings`."""
    return _mean(sklearn_metrics.roc_auc_score, fold)


def aupr_micro(fold):
    """Average precision of the probabilities of all classes together, each against the rest."""
    return _together(sklearn_metrics.average_precision_score, fold)


def auroc_micro(fold):
    """Area under the ROC curve of the probabilities of all classes together."""
    return _together(sklearn_metrics.roc_auc_score, fold)


def _together(function, fold):
    """Area of all classes, with two classes of the second; NaN if all rows are of one of two.

    Probabilities, as scores of different classes have different scales.
    """
    n_classes = fold.probabilities.shape[1]
    codes = np.arange(n_classes)[-1 if n_classes == 2 else 0 :]
    positive = (fold.truth[:, None] == codes).ravel()
    if positive.all() or not positive.any():
        return np.nan
    return function(positive, fold.probabilities[:, codes].ravel())


def _mean(function, fold):
    """Mean over the classes, NaN without any."""
    areas = [function(*ranking) for ranking in fold.rankings]
    # Added in order: numpy's pairwise sum differs in the last digit.
    return np.cumsum(areas)[-1] / len(areas) if areas else np.nan


def _trapezoids(positive, order):
    precision, recall, _ = sklearn_metrics.precision_recall_curve(positive, order)
    # The curve's last point, precision 1 at recall 0, belongs to no row.
    return 0.0 - np.trapezoid(precision[:-1], recall[:-1])  # without a negative zero


def log_loss(fold):
    """Mean negative natural logarithm of the probability of the true class.

    Probabilities are kept 2.2e-16 away from 0 and 1: a row whose class is absent in training
    adds 36.04.
    """
    labels = np.arange(fold.probabilities.shape[1])
    return sklearn_metrics.log_loss(fold.truth, fold.probabilities, labels=labels)


def calibration_error(fold):
    """Expected calibration error of the most probable class, in [0, 1].

    The sum over the bins of `reliability` of (share of rows) * abs(accuracy - mean probability).
    """
    rows, confidence, accuracies = reliability(fold.truth, fold.probabilities)
    return float((rows * np.abs(accuracies - confidence)).sum() / rows.sum())


def rmse(fold):
    """Root mean squared error, in units of the target."""
    return sklearn_metrics.root_mean_squared_error(fold.truth, fold.predicted)


def mae(fold):
    """Mean absolute error, in units of the target."""
    return sklearn_metrics.mean_absolute_error(fold.truth, fold.predicted)


def r2(fold):
    """1 - (squared error) / (squared error of the fold's mean); NaN where the latter is zero."""
    if np.ptp(fold.truth) == 0:
        return np.nan
    return sklearn_metrics.r2_score(fold.truth, fold.predicted)


def reliability(truth, probabilities, bins=CALIBRATION_BINS):
    """Accuracy of the most probable class by its predicted probability.

    Parameters
    ----------
    truth : ndarray of int, shape (m,)
    probabilities : ndarray of float, shape (m, n_classes)
    bins : int
        Of equal width, as in Guo et al. (2017): (0, 1/bins], ..., (1 - 1/bins, 1]. A probability
        within 1e-12 of an edge is on it: 0.1 * 3, which is stored above 0.3, is in (0.2, 0.3].

    Returns
    -------
    (ndarray of int, ndarray of float, ndarray of float), each of shape (bins,)
        Rows, mean of their largest probabilities, and accuracy; 0 where a bin has no row.

    Examples
    --------
    >>> probabilities = np.array([[0.9, 0.1], [0.9, 0.1]])
    >>> rows, confidence, accuracies = reliability(np.array([0, 1]), probabilities, 2)
    >>> rows.tolist(), confidence.tolist(), accuracies.tolist()
    ([0, 2], [0.0, 0.9], [0.0, 0.5])
    """
    confidence = probabilities.max(axis=1)
    right = probabilities.argmax(axis=1) == truth
    edges = np.arange(1, bins) / bins + ROUNDING
    position = np.searchsorted(edges, confidence, side="left")
    rows = np.bincount(position, minlength=bins)
    sums = (np.bincount(position, weights=v, minlength=bins) for v in (confidence, right))
    return rows, *(total / np.maximum(rows, 1) for total in sums)
