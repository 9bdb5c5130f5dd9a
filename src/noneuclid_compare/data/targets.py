"""Numbers to predict: intervals of a target, which replace classes in folds and pictures."""

from itertools import pairwise

import numpy as np

from noneuclid.errors import InputError

SHARES = (0.25, 0.5, 0.75)


def intervals(target):
    """Cut a target at its quartiles.

    Shapes: `target` (n,); returns `codes` (n,).
    """
    target = np.asarray(target, dtype=np.float64)
    bad = np.flatnonzero(~np.isfinite(target))
    if bad.size:
        raise InputError(f"row {bad[0]} has target {target[bad[0]]}; remove the row or correct it")
    values = np.unique(target)
    if values.size < 2:
        raise InputError(f"all targets are {values[:1]}; a regressor needs numbers that differ")
    # Below the largest value, because the last interval must not be empty.
    cuts = np.minimum(np.quantile(target, SHARES, method="lower"), values[-2])
    cuts = np.unique(cuts)
    return codes_of(target, cuts), _names(cuts)


def edges(target, codes):
    """Limits of neighbouring intervals: halfway, because a mean of equal values may round upwards.

    Shapes: `target` (n,), `codes` (n,).
    """
    ends = [target[codes == k].max() for k in range(codes.max())]
    starts = [target[codes == k].min() for k in range(1, codes.max() + 1)]
    return (np.array(ends) + np.array(starts)) / 2


def codes_of(values, limits):
    """Interval of each value; a limit itself belongs to the lower one.

    Examples
    --------
    >>> codes_of(np.array([-7.0, 1.0, 1.1, 99.0]), np.array([1.0, 2.5])).tolist()
    [0, 0, 1, 2]
    """
    return np.searchsorted(limits, values, side="left").astype(np.int64)


def check(dataset):
    """Return a data set's target as float64, after a check that its labels are the intervals.

    Returns shape (n,).
    """
    target = np.asarray(dataset.target, dtype=np.float64)
    n = len(dataset.labels)
    if target.shape != (n,):
        raise InputError(f"{dataset.name}: target has shape {target.shape} for {n} rows")
    if not np.array_equal(intervals(target)[0], dataset.labels):
        raise InputError(
            f"{dataset.name}: the labels are not the intervals of the target; use targets.intervals"
        )
    return target


def _names(cuts):
    """Names of the intervals, with as many digits as distinguish the ends."""
    digits = next(d for d in range(4, 18) if len({f"{cut:.{d}g}" for cut in cuts}) == len(cuts))
    words = [f"{cut:.{digits}g}" for cut in cuts]
    between = [f"{low} to {high}" for low, high in pairwise(words)]
    return (f"up to {words[0]}", *between, f"over {words[-1]}")
