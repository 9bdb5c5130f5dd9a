"""What makes scores too good or adds noise: copies of rows, copies of the target, identifiers."""

import re

import numpy as np
from scipy.stats import rankdata

from noneuclid.datasets.files.arrays import listing
from noneuclid.experiment import wording

# Rows, and the share of different values, from which values identify the rows.
FEWEST, DIFFERENT = 20, 0.95
# Names that identifiers have: a part of the name, or all of it.
_PART = {"id", "ids", "uid", "uuid", "guid", "key", "barcode", "idx", "accession", "mrn", "ssn"}
_WHOLE = {"code", "index", "nr", "sample", "subject", "patient", "participant", "record", "serial"}
# Last words of names of columns that say where or when a row was measured, before "nr". The second
# ones are groups only by themselves or after a word of `_KINDS`.
_GROUPS = {"batch", "plate", "lane", "donor", "patient", "subject", "participant", "individual"}
_GROUPS |= {"hospital", "clinic", "lab", "cohort", "household", "family", "animal", "mouse", "cage"}
_GROUPS |= {"litter", "slide", "session", "experiment"}
_LOOSE = {"run", "site", "center", "centre", "fold", "group", "cluster", "well", "chip", "block"}
_LOOSE |= {"replicate", "split", "study"}
_KINDS = {"cv", "test", "train", "seq", "sequencing", "library", "sample", "study", "batch"}
_KINDS |= {"plate", "outer"}
_KINDS |= {"recording", "medical", "recruitment", "technical", "biological", "treatment"}
_NUMBER = {"nr", "no", "num", "number", "id", "uid", "idx", "code", "index", "key", "label"}
# Words of measurements and counts: "cells_per_donor", "n_patients", "age_of_patient".
_MEASURE = {"per", "in", "of", "to", "at", "from", "by", "n", "num", "number", "total", "count"}
_MEASURE |= {"log", "mean", "age", "years", "days", "time", "dist", "distance", "score", "size"}
# 1 - r^2 of a column that is the target in another unit, up to rounding; r of a near copy.
EXACT, NEAR = 1e-4, 0.999
ORDERED = 0.9  # rank correlation of a column that is almost the target
MIXED = "Folds mix the groups, so that scores for new groups can be lower"


def identifies(values):
    """Whether almost all values of a column differ.

    Examples
    --------
    >>> identifies(np.arange(40)), identifies(np.arange(40) % 30), identifies(np.arange(5))
    (True, False, False)
    """
    return len(values) >= FEWEST and len(np.unique(values)) >= DIFFERENT * len(values)


def is_named_so(name):
    """Whether a column has the name of an identifier.

    Examples
    --------
    >>> [is_named_so(name) for name in ("patientID", "sample_id", "code", "acid", "code_length")]
    [True, True, True, False, False]
    """
    words = _words(name)
    return bool(_PART & {*words}) or (len(words) == 1 and words[0] in _WHOLE)


def numbers_groups(name, values):
    """Whether a column has the name of a batch or a group of rows, and whole numbers.

    Examples
    --------
    >>> numbers = np.array([1.0, 2, 2])
    >>> numbers_groups("site", numbers), numbers_groups("site", numbers / 2)
    (True, False)
    """
    return names_groups(name) and not (np.asarray(values) % 1).any()


def names_groups(name):
    """Whether a column has the name of a batch or a group of rows.

    Examples
    --------
    >>> [names_groups(name) for name in ("plate_nr", "site", "batchid", "cv_fold")]
    [True, True, True, True]
    >>> [names_groups(name) for name in ("run_time", "n_donors", "age_group")]
    [False, False, False]
    """
    words = _words(name)
    while len(words) > 1 and words[-1] in _NUMBER:
        words.pop()
    if not words or _MEASURE & {*words}:
        return False
    *before, last = words
    last = _singular(last)
    return last in _GROUPS or (last in _LOOSE and {*before} <= _KINDS)


def _singular(word):
    """A name of groups without an ending, in the forms "batches", "donors" and "batchid"."""
    found = (word.removesuffix(end) for end in ("id", "no", "nr", "es", "s", ""))
    return next((one for one in found if one in _GROUPS | _LOOSE), word)


def _words(name):
    """Words of a name, in lower case."""
    return re.findall(r"[a-z]+", re.sub(r"([a-z])([A-Z])", r"\1_\2", str(name)).lower())


def copies_of(target, values):
    """Columns that are the target in another unit, up to rounding, and those that almost are.

    Shapes: target (n,), values (n, p). Returns two lists of indices.

    Examples
    --------
    >>> y = np.array([1.0, 2.0, 4.0, 3.0])
    >>> copies_of(y, np.column_stack([32 - 1.8 * y, y**2, np.ones(4)]))
    ([0], [])
    """
    y = target - target.mean()
    size = np.abs(values).max(axis=0, initial=0)
    x = values / np.where(size > 0, size, 1)
    x = x - x.mean(axis=0)
    norms = np.linalg.norm(x, axis=0)
    # Of a constant column only rounding is left.
    varying = norms > 1e-9 * np.sqrt(len(y))
    unit = x / np.where(varying, norms, 1)
    y = y / (np.linalg.norm(y) or 1)
    # The residual is exact where 1 - r^2 would be rounding.
    r = y @ unit
    residual = y[:, None] - unit * r
    # One outlier that is far out in both columns must not decide.
    middle = np.median(np.abs(y - np.median(y)))
    typical = np.sqrt(EXACT) * middle
    exact = varying & ((residual**2).sum(axis=0) <= EXACT)
    exact &= (np.median(np.abs(residual), axis=0) <= typical) | (middle == 0)
    near = varying & ~exact & (np.abs(r) >= NEAR)
    near[near] = np.abs(_rank_correlation(y, x[:, near])) >= ORDERED
    return np.flatnonzero(exact).tolist(), np.flatnonzero(near).tolist()


def varies_between(labels, values):
    """Whether values (n,) vary between the classes of `labels` (n,) and hardly within them.

    Examples
    --------
    >>> labels = np.repeat(["a", "b"], 20)
    >>> code = np.repeat([1.0, 2.0], 20)
    >>> noise = np.tile([-1.0, 1.0], 20)
    >>> [varies_between(labels, code + size * noise) for size in (1e-2, 1e-1)]
    [True, False]
    """
    classes, inverse, counts = np.unique(labels, return_inverse=True, return_counts=True)
    if counts.min() < 2 or len(classes) < 2 or not np.isfinite(values).all():
        return False
    within = values - (np.bincount(inverse, values) / counts)[inverse]
    around = values - values.mean()
    return bool(0.0 < within @ within <= (1.0 - NEAR**2) * (around @ around))


def _rank_correlation(y, columns):
    """Spearman's correlation of y (n,) with each of the columns (n, p), shape (p,)."""
    ranks, other = rankdata(y), rankdata(columns, axis=0)
    ranks, other = ranks - ranks.mean(), other - other.mean(axis=0)
    return ranks @ other / (np.linalg.norm(ranks) * np.linalg.norm(other, axis=0))


def repeated_rows(features, labels):
    """Numbers of rows whose features, and of those whose label too, an earlier row has.

    Examples
    --------
    >>> repeated_rows(np.array([[0.0], [1.0], [-0.0], [1.0]]), [5, 6, 5, 7])
    (2, 1)
    """
    seen, again, alike = {}, 0, 0
    for row, label in zip(np.ascontiguousarray(features) + 0.0, labels, strict=True):
        found = seen.setdefault(row.tobytes(), set())
        again += bool(found)
        alike += label in found
        found.add(label)
    return again, alike


def about_rows(features, labels):
    """Problem with rows that occur more than once, in a list."""
    again, alike = repeated_rows(features, labels)
    if not again:
        return []
    others = f" ({again - alike} of them with another label)" if again > alike else ""
    return [
        f"{wording.count(again, 'row')} of {len(features)} {'repeats' if again == 1 else 'repeat'} "
        f"the features of an earlier row{others}: in cross-validation copies are in the training "
        "and in the test rows, so scores are too good; remove copies from the file, unless each is "
        "a measurement of its own"
    ]


def about_copies(names, label, exact, done):
    """Problem with columns that are the target in another unit, or almost, in a list."""
    how = "" if exact else "almost "
    return [f"{listing(names, 5)}: {how}{label} in another unit (a + b x): {done}"] if names else []


def about_identifiers(names, left_out=False):
    """Problem with columns of integers that differ in almost every row, in a list."""
    if not names:
        return []
    said = f"{listing(names, 5)}: whole numbers, different in almost every row"
    if left_out:
        return [f"{said}, with the name of an identifier: left out (drop)"]
    return [f"{said}: kept; if they identify the samples, add to `drop`"]


def about_groups(names):
    """Problem with columns that number batches or other groups of rows, in a list."""
    if not names:
        return []
    return [
        f"{listing(names, len(names))}: whole numbers, with the name of a batch or group: kept; "
        f"such a number is no measurement and can reveal the class: if so, add to `drop`. {MIXED}"
    ]
