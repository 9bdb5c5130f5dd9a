"""From binary problems to many classes: one-vs-rest and one-vs-one, for every classifier."""

from itertools import combinations

import numpy as np
from scipy.special import expit, log_expit, logsumexp
from sklearn.utils.multiclass import check_classification_targets

from noneuclid.errors import InputError

_BLOCK = 2**16


def encode_labels(y):
    """Classes and integer codes of labels of any type.

    Parameters
    ----------
    y : array-like, shape (n,)
        Integers of any width, booleans, strings, floats with whole values.

    Returns
    -------
    classes : ndarray, shape (K,)
        Sorted.
    codes : ndarray of a signed integer type, shape (n,)

    Raises
    ------
    InputError
        If there are fewer than two classes.

    Examples
    --------
    >>> import numpy as np
    >>> encode_labels(np.array([1, 0, 1], dtype=np.uint8))[1]
    array([1, 0, 1], dtype=int8)
    """
    check_classification_targets(y)
    classes = np.unique(y)
    if len(classes) < 2:
        raise InputError(
            f"y holds 1 class only ({classes.tolist()[0]!r}); give rows of at least 2 classes"
        )
    return classes, codes_of(y, classes)


def codes_of(y, classes):
    """Place of each label among sorted classes; that of a label which is none is arbitrary.

    Parameters
    ----------
    y : array-like, shape (n,)
    classes : ndarray, shape (K,)

    Returns
    -------
    ndarray of the narrowest signed integers, shape (n,)
        Blocks keep the memory at that.

    Examples
    --------
    >>> import numpy as np
    >>> codes_of(["b", "a", "zebra"], np.array(["a", "b"]))
    array([1, 0, 1], dtype=int8)
    """
    y = np.asarray(y)
    codes = np.empty(len(y), dtype=np.min_scalar_type(-len(classes)))
    for start in range(0, len(y), _BLOCK):
        rows = slice(start, start + _BLOCK)
        codes[rows] = np.minimum(np.searchsorted(classes, y[rows]), len(classes) - 1)
    return codes


def n_problems(n_classes, multi_class):
    """Number of binary problems: one if there are two classes, else one a class or a pair.

    Parameters
    ----------
    n_classes : int
    multi_class : {"ovr", "ovo"}

    Returns
    -------
    int

    Examples
    --------
    >>> n_problems(2, "ovr"), n_problems(4, "ovr"), n_problems(4, "ovo")
    (1, 4, 6)
    """
    rests = n_classes > 2 and multi_class == "ovr"
    return n_classes if rests else n_classes * (n_classes - 1) // 2


def binary_problems(codes, n_classes, multi_class):
    """Binary problems that together make the multi-class one, made one by one.

    Parameters
    ----------
    codes : ndarray of int, shape (n,)
    n_classes : int
    multi_class : {"ovr", "ovo"}
        One problem for each class, or one for each pair i < j in lexicographic order. Two
        classes are one problem either way.

    Yields
    ------
    rows : slice or ndarray of bool, shape (n,)
        The rows that take part; a slice if all do, which copies nothing.
    signs : ndarray of int8
        One a row: +1 marks class k (one-vs-rest) or the later class j of the pair (one-vs-one,
        and two classes).

    Examples
    --------
    >>> import numpy as np
    >>> len(list(binary_problems(np.array([0, 1, 2, 3]), 4, "ovo")))
    6
    """
    if n_classes > 2 and multi_class == "ovr":
        for k in range(n_classes):
            yield slice(None), _signs(codes == k)
        return
    for i, j in combinations(range(n_classes), 2):
        rows = slice(None) if n_classes == 2 else (codes == i) | (codes == j)
        yield rows, _signs(codes[rows] == j)


def decide(values, n_classes, multi_class):
    """Decision values of the whole from those of the binary problems.

    Parameters
    ----------
    values : ndarray, shape (n, n_problems)
        In the order of `binary_problems`; comparable between problems (log-odds) if they
        are calibrated.
    n_classes, multi_class
        As for `binary_problems`.

    Returns
    -------
    ndarray, shape (n,) for two classes, else (n, n_classes)
        One-vs-rest: the values themselves. One-vs-one: number of votes, plus the summed
        values squeezed into (-1/3, 1/3), which breaks ties and never overturns a vote.

    Examples
    --------
    >>> import numpy as np
    >>> decide(np.array([[1.0, 2.0, -3.0]]), 3, "ovo").argmax()
    np.int64(1)
    """
    if n_classes == 2:
        return values[:, 0]
    if multi_class == "ovr":
        return values
    votes = np.zeros((len(values), n_classes))
    confidence = np.zeros_like(votes)
    for value, (i, j) in zip(values.T, combinations(range(n_classes), 2), strict=True):
        votes[:, i] += value <= 0
        votes[:, j] += value > 0
        confidence[:, i] -= value
        confidence[:, j] += value
    return votes + confidence / (3 * (np.abs(confidence) + 1))


def probabilities(log_odds):
    """Class probabilities from calibrated one-vs-rest values: normalised sigmoids.

    Parameters
    ----------
    log_odds : ndarray, shape (n,) or (n, K)
        Two classes: of the second class.

    Returns
    -------
    ndarray, shape (n, 2) or (n, K)
        Rows sum to 1. Computed with logarithms: no row can underflow to zeros.

    Examples
    --------
    >>> import numpy as np
    >>> probabilities(np.array([[-900.0, -900.0]]))
    array([[0.5, 0.5]])
    """
    if log_odds.ndim == 1:
        return np.column_stack([expit(-log_odds), expit(log_odds)])
    logs = log_expit(log_odds)
    return np.exp(logs - logsumexp(logs, axis=1, keepdims=True))


def _signs(positive):
    signs = positive.astype(np.int8)
    signs *= 2
    signs -= 1
    return signs
