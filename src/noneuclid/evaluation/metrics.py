"""Scores of one fold."""

import numpy as np
from scipy.stats import rankdata
from sklearn.metrics import (
    accuracy_score,
    average_precision_score,
    f1_score,
    log_loss,
    precision_recall_curve,
    recall_score,
    roc_auc_score,
)

from noneuclid.errors import require

CALIBRATION_BINS = 15
# Sums of the same probabilities in another order differ by less.
ROUNDING = 1e-12
RANKING = ("aupr_macro", "aupr_trapezoid_macro", "auroc_macro")


def scores(predictions, n_classes):
    """Score the predictions of one fold.

    Parameters
    ----------
    predictions : Predictions
        Of one fold.
    n_classes : int

    Returns
    -------
    dict of float
        `accuracy`; `balanced_accuracy`: mean recall over the classes with a row in the fold;
        `f1_micro`, `f1_macro`, `f1_weighted`: over the classes that are true or predicted
        somewhere in the fold, a class without a hit counts 0;
        with decision values or probabilities (the former if both) those of `RANKING`:
        see `ranking_scores`;
        with probabilities `log_loss` (natural logarithm; probabilities are kept 2.2e-16 away from
        0 and 1, so a row whose class the training set lacks adds 36.04) and `calibration_error`.

    Raises
    ------
    InputError
        If there are several folds, or a score is NaN.

    Examples
    --------
    >>> from noneuclid.contracts import Predictions
    >>> rows = np.arange(4)
    >>> truth, guess = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    >>> scores(Predictions(rows, 0 * rows, truth, guess), 2)["accuracy"]
    0.75
    """
    folds = np.unique(predictions.fold)
    require(folds.size == 1, f"scores: one fold at a time, found folds {folds.tolist()}")
    truth, predicted = predictions.truth, predictions.predicted
    result = {
        "accuracy": accuracy_score(truth, predicted),
        "balanced_accuracy": recall_score(
            truth, predicted, labels=np.unique(truth), average="macro", zero_division=0
        ),
    }
    for average in ("micro", "macro", "weighted"):
        result[f"f1_{average}"] = f1_score(truth, predicted, average=average, zero_division=0)
    probabilities = predictions.probabilities
    ranking = probabilities if predictions.scores is None else predictions.scores
    if ranking is not None:
        result |= ranking_scores(truth, _checked(ranking, n_classes, "scores"))
    if probabilities is not None:
        _checked(probabilities, n_classes, "probabilities")
        result["log_loss"] = log_loss(truth, probabilities, labels=np.arange(n_classes))
        result["calibration_error"] = calibration_error(truth, probabilities)
    return {name: float(value) for name, value in result.items()}


def _checked(values, n_classes, name):
    """Scores as they are, if there is a number for each class."""
    require(
        values.shape[1] == n_classes, f"{name}: {values.shape[1]} columns for {n_classes} classes"
    )
    bad = np.argwhere(np.isnan(values))
    require(
        not bad.size,
        f"{name}: NaN at position and class {bad[:1].tolist()}; the method must give a number",
    )
    return values


def ranking_scores(truth, values):
    """Average precision and area under the ROC curve, one class against the rest.

    The area under the precision-recall curve by trapezoids from the first ranked item on, as
    cho2019 compute it, is given too: a perfect ranking of P positive rows then has 1 - 1/P.

    With two classes the second is the positive one. With more, all are means over the classes
    that have rows inside and outside the class in the fold; other classes are left out, and
    without any class the score is NaN. Only the order of a column counts, so that -inf, the score
    of a class that the training set lacks, ranks below all numbers and ties with itself.

    Parameters
    ----------
    truth : ndarray of int, shape (m,)
    values : ndarray of float, shape (m, n_classes)
        No NaN; infinities are allowed.

    Returns
    -------
    dict of float
        `aupr_macro` (average precision), `aupr_trapezoid_macro`, `auroc_macro`.

    Examples
    --------
    >>> values = np.array([[1.0, -1.0], [-1.0, 1.0], [-np.inf, np.inf]])
    >>> ranking_scores(np.array([0, 1, 1]), values)["auroc_macro"]
    1.0
    """
    n_classes = values.shape[1]
    classes = [1] if n_classes == 2 else range(n_classes)
    rows = []
    for code in classes:
        positive = truth == code
        if positive.any() and not positive.all():
            rows.append(_areas(positive, rankdata(values[:, code], method="dense")))
    means = np.mean(rows, axis=0) if rows else np.full(len(RANKING), np.nan)
    return dict(zip(RANKING, means.tolist(), strict=True))


def _areas(positive, order):
    """The scores of `RANKING` for one class."""
    precision, recall, _ = precision_recall_curve(positive, order)
    # The curve's last point, precision 1 at recall 0, belongs to no item.
    trapezoid = -np.trapezoid(precision[:-1], recall[:-1])
    return average_precision_score(positive, order), trapezoid, roc_auc_score(positive, order)


def calibration_error(truth, probabilities):
    """Expected calibration error of the most probable class.

    Rows fall into 15 bins of equal width by the largest probability p of the row; the error is
    the sum over bins of (share of rows) * abs(share right - mean p), where right means that the
    most probable class is true.

    Parameters
    ----------
    truth : ndarray of int, shape (m,)
    probabilities : ndarray of float, shape (m, n_classes)

    Returns
    -------
    float
        In [0, 1].

    Examples
    --------
    >>> calibration_error(np.array([0, 1]), np.array([[0.5, 0.5], [0.5, 0.5]]))
    0.0
    """
    rows, confidence, right = reliability(truth, probabilities)
    return float((rows * np.abs(right - confidence)).sum() / rows.sum())


def reliability(truth, probabilities, bins=CALIBRATION_BINS):
    """How often the most probable class is right, by how probable it is said to be.

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
        Rows, mean of their largest probabilities, and share of them that are right; 0 where a bin
        has no row.

    Examples
    --------
    >>> rows, said, right = reliability(np.array([0, 1]), np.array([[0.9, 0.1], [0.9, 0.1]]), 2)
    >>> rows.tolist(), said.tolist(), right.tolist()
    ([0, 2], [0.0, 0.9], [0.0, 0.5])
    """
    confidence = probabilities.max(axis=1)
    right = probabilities.argmax(axis=1) == truth
    edges = np.arange(1, bins) / bins + ROUNDING
    place = np.searchsorted(edges, confidence, side="left")
    rows = np.bincount(place, minlength=bins)
    sums = (np.bincount(place, weights=values, minlength=bins) for values in (confidence, right))
    return rows, *(total / np.maximum(rows, 1) for total in sums)
