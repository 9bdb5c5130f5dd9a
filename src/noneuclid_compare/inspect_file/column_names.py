"""What the names of columns say: identifiers, groups of rows, or nothing."""

import re

import numpy as np

from noneuclid_compare.data.files.tables import is_index, is_quantity, words_of

# Names that identifiers have: the last word, or all of the name.
_LAST = {"id", "uid", "uuid", "guid", "key", "barcode", "idx", "accession", "mrn", "ssn"}
_WHOLE = {"code", "index", "nr", "sample", "subject", "patient", "participant", "record", "serial"}
_WHOLE |= {"row", "rowname", "rownames", "obs", "observation", "case", "specimen", "instance"}
_WHOLE |= {"individual"}
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
_MEASURE |= {"level", "levels", "stroke", "strokes", "signal", "rate", "ratio"}


def is_named_so(name):
    """Whether a column has the name of an identifier.

    Its last word decides. Plurals are counts; names with a measure or a last digit measure.

    Examples
    --------
    >>> [is_named_so(name) for name in ("patientID", "sample_nr", "SampleNo", "caseid", "index")]
    [True, True, True, True, True]
    >>> [is_named_so(name) for name in ("acid", "cases", "NO2", "ID50", "key_length", "signal_key")]
    [False, False, False, False, False, False]
    """
    words = words_of(name)
    if not words or str(name)[-1].isdigit() or is_quantity(name) or _MEASURE & {*words[:-1]}:
        return False
    if words[-1] in _LAST:
        return True
    while len(words) > 1 and words[-1] in _NUMBER:
        words.pop()
    return len(words) == 1 and _without(words[0], ("id", "no", "nr", ""), _WHOLE) in _WHOLE


def says_nothing(name):
    """Whether the name of a column says nothing on a measurement: "X", "V1", "id".

    Examples
    --------
    >>> [says_nothing(name) for name in ("X", "V1", "nr", "caseid", "weight_g", "NO", "NO2")]
    [True, True, True, True, False, False, False]
    """
    short = re.fullmatch(r"(?!NO$)([A-Za-z]\d*|[A-Za-z]{2})?", str(name).strip())
    return bool(short) or is_index(name) or is_named_so(name)


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
    words = words_of(name)
    while len(words) > 1 and words[-1] in _NUMBER:
        words.pop()
    if not words or _MEASURE & {*words}:
        return False
    *before, last = words
    last = _without(last, ("id", "no", "nr", "es", "s", ""), _GROUPS | _LOOSE)
    return last in _GROUPS or (last in _LOOSE and {*before} <= _KINDS)


def _without(word, endings, known):
    """One of the `known` names without an ending, in the forms "batches", "donors", "batchid"."""
    found = (word.removesuffix(end) for end in endings)
    return next((one for one in found if one in known), word)
