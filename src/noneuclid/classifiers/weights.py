"""Weights of rows: `sample_weight` times `class_weight`, as in scikit-learn."""

from numbers import Real

import numpy as np

from noneuclid.classifiers.multiclass import encode_labels
from noneuclid.errors import InputError

_LARGEST = 1e100


def encode_weighted(X, y, sample_weight=None, class_weight=None):
    """Classes, those that are left, and the rows of weight > 0 with codes, weights and numbers.

    A row of weight 0 is left out, as if it had been deleted; `X` must be checked before, because an
    error has to number the rows of the user. Codes count the classes with a row that is left, whose
    positions among all classes of y come second; `multiclass.all_columns` gives the others their
    columns, as scikit-learn has them. "balanced" gives class k the factor W / (K W_k), W_k the sum
    of its sample weights and W that of the K classes with a weight; a dict gives 1 to classes that
    it lacks. Weights are None if all are 1; X is the same array if all rows count.

    Raises
    ------
    InputError
        If y has fewer than two classes, a weight is negative, not finite or, with the factor of its
        class, above 1e100, or fewer than two classes have a weight above 0.

    Examples
    --------
    >>> X, y = np.zeros((4, 1)), ["a", "b", "c", "c"]
    >>> classes, left, X, codes, weights, numbers = encode_weighted(X, y, [1, 0, 1, 1], {"c": 3})
    >>> left, codes, weights, numbers
    (array([0, 2]), array([0, 1, 1], dtype=int8), array([1., 3., 3.]), array([0, 2, 3]))
    """
    classes, codes = encode_labels(y)
    left, numbers = np.arange(len(classes)), range(len(X))
    if sample_weight is None and class_weight is None:
        return classes, left, X, codes, None, numbers
    weights = check_row_weights(sample_weight, X)
    totals = np.bincount(codes, weights)
    _require_two_classes(totals, classes, "sample_weight")
    factors = check_class_weights(class_weight, classes, totals)
    _require_two_classes(factors, classes, "class_weight")
    weights = multiply_weights(weights, factors[codes])
    totals = np.bincount(codes, weights)
    _require_two_classes(totals, classes, "sample_weight times class_weight")
    if not weights.all():
        numbers, left = np.flatnonzero(weights), np.flatnonzero(totals)
        X, weights = X[numbers], weights[numbers]
        codes = (np.cumsum(totals > 0) - 1).astype(codes.dtype)[codes[numbers]]
    return classes, left, X, codes, None if (weights == 1).all() else weights, numbers


def multiply_weights(weights, factors):
    """Weights of rows times those of their classes, at most 1e100: squares must not overflow."""
    with np.errstate(over="ignore"):
        weights = weights * factors
    if weights.max(initial=0.0) > _LARGEST:
        row = weights.argmax()
        raise InputError(
            f"the weight of row {row} is {weights[row]:.3g}, above {_LARGEST:g}; "
            "rescale all weights"
        )
    return weights


def check_class_weights(class_weight, classes, totals=None):
    """Weight of each class, checked; "balanced" needs the summed weights of the rows of each.

    Names of classes that y lacks, as in a fold, are allowed if all its classes have a weight.
    """
    if isinstance(class_weight, str):  # "balanced"
        shares = np.where(totals > 0, totals, np.inf)  # 0 for a class without weight
        return totals.sum() / (np.count_nonzero(totals) * shares)
    given, labels = class_weight or {}, classes.tolist()
    unknown = [label for label in given if label not in labels]
    if unknown and not all(label in given for label in labels):
        raise InputError(
            f"class_weight names the class {unknown[0]!r}, which y does not have; its classes are "
            f"{labels}"
        )
    for label in labels:
        factor = given.get(label, 1.0)
        if not (isinstance(factor, Real) and 0 <= factor < np.inf):
            raise InputError(
                f"class_weight of {label!r} is {factor!r}; give a finite number, 0 or more"
            )
    return np.array([given.get(label, 1.0) for label in labels], dtype=float)


def check_row_weights(sample_weight, X):
    """One weight per row, checked: in [0, 1e100], not all 0; all 1 for None, all equal for one."""
    if sample_weight is None:
        return np.ones(len(X))
    try:
        weights = np.asarray(sample_weight, dtype=float)
    except (TypeError, ValueError):
        raise InputError("sample_weight is not numeric; give one number for each row") from None
    if not weights.ndim:
        weights = np.full(len(X), weights)
    if weights.shape != (len(X),):
        raise InputError(
            f"sample_weight has shape {weights.shape}; give one number for each of the "
            f"{len(X)} rows"
        )
    wrong = np.flatnonzero(~((weights >= 0) & (weights < np.inf)))
    if len(wrong):
        raise InputError(
            f"sample_weight of row {wrong[0]} is {weights[wrong[0]]}; give a finite number, 0 or "
            "more"
        )
    if not weights.any():
        raise InputError("sample_weight is zero for all rows; give one a weight above 0")
    return multiply_weights(weights, 1.0)


def _require_two_classes(totals, classes, name):
    if np.count_nonzero(totals) < 2:
        label = classes[totals == 0].tolist()[0]
        raise InputError(
            f"{name} of class {label!r} is 0 for all rows, which leaves fewer than 2 classes; give "
            "rows of at least 2 classes a weight above 0"
        )
