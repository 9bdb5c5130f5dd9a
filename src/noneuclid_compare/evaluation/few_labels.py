"""Splits that train on a few rows of each class and test on all others."""

import numpy as np

from noneuclid.errors import InputError, require, require_number
from noneuclid_compare.records import Split

SCHEME, ALL = "few_labels", "all"


def check(values):
    """Refuse what is not a number of labels, or a list of such numbers and "all"."""
    listed = values if isinstance(values, list | tuple) else [values]
    require(
        len(listed) > 0 and values is not None,
        "split: scheme 'few_labels' needs labels_per_class, such as [5, 10, 20, all]",
    )
    for value in listed:
        if value != ALL:
            require_number(value, "labels_per_class", "split", low=1, integer=True)


def number_of(values, repeat):
    """Labels per class of a repeat: repeats take the values in turn.

    Examples
    --------
    >>> [number_of([5, "all"], repeat) for repeat in range(3)], number_of(10, 3)
    ([5, 'all', 5], 10)
    """
    return values[repeat % len(values)] if isinstance(values, list | tuple) else values


def draw(labels, class_names, number, policy, state):
    """Fold of each row, and a sentence for each class that is too small.

    A class needs one row more than it trains on. Of a smaller one half of the rows, rounded down,
    are training rows ("keep"), or none of its rows is used ("drop").
    """
    rng = np.random.default_rng(state)
    fold, decisions = np.zeros(len(labels), dtype=np.int64), []
    for code, name in enumerate(class_names):
        rows = rng.permutation(np.flatnonzero(labels == code))
        size = len(rows)
        if size > number:
            fold[rows[:number]] = Split.TRAIN_ONLY
            continue
        if size == 0:
            continue
        found = f"class {name!r} has {size} member{'s' if size > 1 else ''}, {number} to train on"
        if policy == "error":
            raise InputError(
                f"{found} and none to test: drop it (small_classes: drop), train on half of it "
                "(small_classes: keep), or lower labels_per_class"
            )
        if policy == "drop":
            fold[rows] = Split.UNUSED
            decisions.append(f"{found} and none to test: its rows are not used.")
        elif size == 1:
            fold[rows] = Split.TRAIN_ONLY
            decisions.append(f"{found}: its row is a training row and never tested.")
        else:
            fold[rows[: size // 2]] = Split.TRAIN_ONLY
            decisions.append(f"{found} and none to test: it trains on {size // 2}.")
    used = fold != Split.UNUSED
    require(
        np.unique(labels[used]).size > 1,
        f"split: fewer than two classes have more than {number} rows; lower labels_per_class",
    )
    return fold, decisions
