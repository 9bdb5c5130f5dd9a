"""Weights of rows: `sample_weight` times `class_weight`, as in scikit-learn."""

import numpy as np
from sklearn.utils.class_weight import compute_class_weight

from noneuclid.classifiers.multiclass import encode_labels
from noneuclid.classifiers.sklearn_private import check_sample_weight
from noneuclid.errors import InputError

_LARGEST = 1e100


def encode_weighted(X, y, sample_weight=None, class_weight=None):
    """Classes, and the rows that count, with their codes and weights.

    Parameters
    ----------
    X : ndarray, shape (n, p)
        Checked before: an error must number the rows of the user.
    y : array-like, shape (n,)
    sample_weight : array-like, shape (n,), number or None
        Finite and >= 0. A row of weight 0 is left out, as if it had been deleted.
    class_weight : dict, "balanced" or None
        Factor for the rows of each class, 1 where a dict names none; "balanced" gives class k the
        factor W / (K W_k), W_k the sum of its sample weights and W that of all K classes.

    Returns
    -------
    classes : ndarray, shape (K,)
        Sorted.
    X : ndarray, shape (m, p)
        The same array if all rows count.
    codes : ndarray of int, shape (m,)
    weights : ndarray, shape (m,), or None
        None if all are 1.
    numbers : ndarray of int, shape (m,)
        Those of the rows before; a range if all rows count.

    Raises
    ------
    InputError
        If there are fewer than two classes, a weight is negative, not finite or, with the factor
        of its class, above 1e100, or all weights of a class are 0.

    Examples
    --------
    >>> X, y = np.zeros((4, 1)), ["a", "a", "a", "b"]
    >>> classes, X, codes, weights, numbers = encode_weighted(X, y, [1, 1, 0, 1], {"b": 3})
    >>> codes, weights, numbers
    (array([0, 0, 1], dtype=int8), array([1., 1., 3.]), array([0, 1, 3]))
    """
    classes, codes = encode_labels(y)
    if sample_weight is None and class_weight is None:
        return classes, X, codes, None, range(len(X))
    weights = weights_of(sample_weight, X)
    _require_each_class(np.bincount(codes, weights), classes, "sample_weight")
    factors = factors_of(class_weight, classes, y, weights)
    _require_each_class(factors, classes, "class_weight")
    weights = product(weights, factors[codes])
    _require_each_class(np.bincount(codes, weights), classes, "sample_weight times class_weight")
    numbers = range(len(X))
    if not weights.all():
        numbers = np.flatnonzero(weights)
        X, codes, weights = X[numbers], codes[numbers], weights[numbers]
    return classes, X, codes, None if (weights == 1).all() else weights, numbers


def product(weights, factors):
    """Weights of rows times those of their classes, none so large that its square overflows.

    Parameters
    ----------
    weights, factors : ndarray, shape (n,)
        As `weights_of` and `factors_of` give them.

    Returns
    -------
    ndarray, shape (n,)

    Raises
    ------
    InputError
        If one is above 1e100.

    Examples
    --------
    >>> product(np.array([1.0, 2.0]), np.array([3.0, 1.0]))
    array([3., 2.])
    """
    with np.errstate(over="ignore"):
        weights = weights * factors
    if weights.max(initial=0.0) > _LARGEST:
        row = weights.argmax()
        raise InputError(
            f"the weight of row {row} is {weights[row]:.3g}, above {_LARGEST:g}; divide all weights"
        )
    return weights


def factors_of(class_weight, classes, y=None, weights=None):
    """Weight of each class, checked; "balanced" needs the labels and weights of the rows.

    Parameters
    ----------
    class_weight : dict, "balanced" or None
    classes : ndarray, shape (K,)
    y, weights : ndarray, shape (n,), or None

    Returns
    -------
    ndarray, shape (K,)

    Raises
    ------
    InputError
        If one is negative or not finite.

    Examples
    --------
    >>> factors_of({"b": 3}, np.array(["a", "b"]))
    array([1., 3.])
    """
    rows = classes if y is None else y
    factors = compute_class_weight(class_weight, classes=classes, y=rows, sample_weight=weights)
    for label, factor in zip(classes.tolist(), factors.tolist(), strict=True):
        if not 0 <= factor < np.inf:
            raise InputError(
                f"class_weight of {label!r} is {factor}; give a finite number, 0 or more"
            )
    return factors


def weights_of(sample_weight, X):
    """One number a row, checked.

    Parameters
    ----------
    sample_weight : array-like, shape (n,), number or None
    X : ndarray, shape (n, p)

    Returns
    -------
    ndarray, shape (n,)

    Raises
    ------
    InputError
        If one is negative or not finite.

    Examples
    --------
    >>> weights_of(None, np.zeros((2, 1)))
    array([1., 1.])
    """
    if sample_weight is None:
        return np.ones(len(X))
    sample_weight = np.asarray(sample_weight, dtype=float)
    if not sample_weight.ndim:
        sample_weight = np.full(len(X), sample_weight)
    wrong = np.argwhere(~((sample_weight >= 0) & (sample_weight < np.inf)))
    if len(wrong) and sample_weight.ndim == 1:
        row = wrong[0, 0]
        raise InputError(
            f"sample_weight of row {row} is {sample_weight[row]}; give a finite number, 0 or more"
        )
    return check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)


def _require_each_class(totals, classes, name):
    if not totals.all():
        label = classes[totals == 0].tolist()[0]
        raise InputError(f"{name} of class {label!r} is 0 throughout; drop its rows, or weigh one")
