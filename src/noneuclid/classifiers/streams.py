"""Labels that come batch after batch, for `partial_fit`."""

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from noneuclid.classifiers import multiclass
from noneuclid.contracts import InputError


def classes_of(known, classes):
    """Classes of a stream, checked against those of earlier calls.

    Parameters
    ----------
    known : ndarray or None
        Of earlier calls.
    classes : array-like or None
        Of this call.

    Returns
    -------
    ndarray
        Sorted.

    Raises
    ------
    InputError
        If there are none, fewer than two, or others than before.

    Examples
    --------
    >>> classes_of(None, ["b", "a"])
    array(['a', 'b'], dtype='<U1')
    """
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


def codes_of(y, classes):
    """Place of each label among the classes.

    Parameters
    ----------
    y : ndarray, shape (n,)
    classes : ndarray, shape (K,)
        Sorted.

    Returns
    -------
    ndarray of a signed integer type, shape (n,)

    Raises
    ------
    InputError
        Naming the first row whose label is no class.

    Examples
    --------
    >>> codes_of(np.array([3, 5]), np.array([3, 5]))
    array([0, 1], dtype=int8)
    """
    check_classification_targets(y)
    codes = multiclass.codes_of(y, classes)
    strange = np.flatnonzero(classes[codes] != y)
    if strange.size:
        row = strange[0]
        raise InputError(
            f"row {row} has label {y.tolist()[row]!r}, which is not among classes; add it"
        )
    return codes
