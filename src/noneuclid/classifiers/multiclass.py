"""Binary problems of several classes: one-vs-rest and one-vs-one, for every classifier."""

from itertools import combinations

import numpy as np
from scipy.special import expit, log_expit, logsumexp
from sklearn.utils.multiclass import check_classification_targets

from noneuclid.errors import InputError

_BLOCK = 2**16


def encode_labels(y):
    """Sorted classes and integer codes of labels of any type, of two classes or more."""
    check_classification_targets(y)
    classes = np.unique(y)
    if len(classes) < 2:
        raise InputError(
            f"y holds 1 class only ({classes.tolist()[0]!r}); give rows of at least 2 classes"
        )
    return classes, encode(y, classes)


def encode(y, classes):
    """Position of each label among sorted classes (arbitrary for an unknown label).

    The narrowest signed integers, computed in blocks to save memory.
    """
    y = np.asarray(y)
    codes = np.empty(len(y), dtype=np.min_scalar_type(-len(classes)))
    for start in range(0, len(y), _BLOCK):
        rows = slice(start, start + _BLOCK)
        codes[rows] = np.minimum(np.searchsorted(classes, y[rows]), len(classes) - 1)
    return codes


def count_problems(n_classes, multi_class):
    """Number of binary problems: one for two classes, else one per class or pair."""
    rests = n_classes > 2 and multi_class == "ovr"
    return n_classes if rests else n_classes * (n_classes - 1) // 2


def binary_problems(codes, n_classes, multi_class):
    """Yield rows and signs of each binary problem.

    One per class, or one per pair i < j in lexicographic order, class j positive; two classes are
    one problem. `rows` is a mask, or a slice if all rows take part, which copies nothing.
    """
    if n_classes > 2 and multi_class == "ovr":
        for k in range(n_classes):
            yield slice(None), _signs(codes == k)
        return
    for i, j in combinations(range(n_classes), 2):
        rows = slice(None) if n_classes == 2 else (codes == i) | (codes == j)
        yield rows, _signs(codes[rows] == j)


def decide(values, n_classes, multi_class):
    """Decision values, (n,) or (n, K), from those of the binary problems, (n, n_problems).

    One-vs-rest: the values themselves, comparable if calibrated. One-vs-one: number of votes, plus
    the summed values squeezed into (-1/3, 1/3), which breaks ties and never overturns a vote.
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


def all_columns(found, left, n_classes, least=0.0):
    """One column for each class of y, (n, n_classes), from those of the classes that were fitted.

    `left` has the positions of these; a class whose rows all had weight 0 has `least` everywhere,
    or for None one less than the row's lowest value: it is never predicted. Values of one column
    for two classes, (n,), count for the second and against the first.

    Examples
    --------
    >>> import numpy as np
    >>> all_columns(np.array([2.0, -3.0]), [0, 2], 3, least=None)
    array([[-2., -3.,  2.],
           [ 3., -4., -3.]])
    """
    if len(left) == n_classes:
        return found
    if found.ndim == 1:
        found = np.column_stack([-found, found])
    least = found.min(axis=1, keepdims=True) - 1 if least is None else least
    values = np.broadcast_to(least, (len(found), n_classes)).astype(float)
    values[:, left] = found
    return values


def normalise_sigmoids(log_odds):
    """Class probabilities from calibrated one-vs-rest values: normalised sigmoids, by logarithms.

    Log-odds of the second of two classes, (n,), or of each class, (n, K). No row underflows to
    zeros.

    Examples
    --------
    >>> import numpy as np
    >>> normalise_sigmoids(np.array([[-900.0, -900.0]]))
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
