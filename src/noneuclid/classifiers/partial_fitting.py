"""Labels and weights of batches for `partial_fit`."""

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from noneuclid.classifiers import multiclass
from noneuclid.classifiers.weights import check_class_weights, check_row_weights, multiply_weights
from noneuclid.errors import InputError


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
