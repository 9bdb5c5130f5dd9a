"""Rows that are parts of a whole: parameters where that is sure, a problem where it may be so."""

import numpy as np

from noneuclid_compare import wording
from noneuclid_compare.data import composition
from noneuclid_compare.inspect_file.configuration_text import inline

# Parts from which a sum of 1 or 100 is no coincidence, and how far rounding takes the sum away.
FEWEST_PARTS, ROUNDED = 3, 0.01
# Columns and share of zeros from which whole numbers may be counts of parts.
_FEWEST_COUNTS, _ZEROS = 10, 0.1


def set_parameters(found, features):
    """Set parameters of a composition if each row (n, p) sums to 1 or to 100; returns whether so.

    Examples
    --------
    >>> from noneuclid_compare.inspect_file.file_summary import Found
    >>> found = Found("table_file", {}, {})
    >>> set_parameters(found, np.array([[20.0, 30, 50], [0, 60, 40]])), found.params["kind"]
    (True, 'composition')
    """
    units = closed_units(features, ROUNDED)
    if not units:
        return False
    said = f"each row sums to {composition.SUMS[units[0]]:g}"
    found.set("kind", "composition", said)
    found.facts.append(("kind", f"composition, because {said}"))
    set_changes(found, features, units)
    return True


def set_changes(found, features, units):
    """Set how rows of parts are divided by their sums and how zeros are replaced."""
    zeros = int(np.count_nonzero(features == 0))
    if (np.abs(features.sum(axis=1) - 1) > composition.TOLERANCE).any():
        found.set("normalize", True, f"{units[0]}: each row is divided by its sum")
    if zeros:
        key, value = composition.usual(units)
        found.set(key, value, f"replaces {wording.count(zeros, 'zero')}, as log-ratios need")


def closed_units(features, tolerance):
    """Units of rows that sum to 1 or to 100, the likeliest first; none of other rows."""
    if features.shape[1] < FEWEST_PARTS or features.min() < 0:
        return []
    # Of a category, written as one column for each value.
    if (np.count_nonzero(features, axis=1) <= 1).all() or np.isin(features, (0, 1)).all():
        return []
    return [u for u in composition.units_of(features, tolerance) if u in composition.SUMS]


def parts_among(values):
    """First and last of the adjacent columns of values (n, p) that sum to 1 or to 100 in each row.

    Of several such runs, the one whose sums are nearest, of equals the longest; None without any.

    Examples
    --------
    >>> parts_among(np.array([[31.0, 20, 30, 50], [64, 0, 60, 40], [25, 70, 20, 10]]))
    (1, 3)
    """
    part, found = (values >= 0).all(axis=0), {}  # no part: a column with gaps or negative values
    sums = np.cumsum(np.where(part, values, 0.0), axis=1)
    sums = np.concatenate([np.zeros((len(values), 1)), sums], axis=1)
    others = np.append(np.flatnonzero(~part), len(part))
    for first in np.flatnonzero(part):
        ends = np.arange(first + FEWEST_PARTS, others[np.searchsorted(others, first)] + 1)
        for total in composition.SUMS.values():
            closed, off = _closed(sums, first, ends, total)
            for end, largest in zip(closed.tolist(), off.round(6).tolist(), strict=True):
                found[int(first), end - 1] = largest, int(first) - end
    runs = sorted(found, key=found.get)
    return next((run for run in runs if closed_units(_columns(values, run), ROUNDED)), None)


def _columns(values, run):
    return values[:, run[0] : run[1] + 1]


def _closed(sums, first, ends, total):
    """Those of `ends` up to which the columns from `first` sum to `total`, and how far off at most.

    `sums` (n, p + 1) are those of the columns before each. Few rows leave few ends.
    """
    off, start, size = np.zeros(len(ends)), 0, 1
    while start < len(sums) and len(ends):
        rows = sums[start : start + size]
        off = np.maximum(off, np.abs((rows[:, ends] - rows[:, [first]]) / total - 1).max(axis=0))
        ends, off = ends[off <= ROUNDED], off[off <= ROUNDED]
        start, size = start + size, 2 * size
    return ends, off


def add_hint(found, values, numeric, columns):
    """Say in the configuration how to compare parts that have columns beside them, as of an age.

    Shapes: `values` (n, p) of the columns `numeric` (p,), which are some of `columns`.
    """
    run = parts_among(values)
    if run is None:
        return
    first, last = run
    parts, named = _columns(values, run), f"{numeric[first]} to {numeric[last]}"
    units = closed_units(parts, ROUNDED)
    drop = [
        *found.params.get("drop", ()),
        *(c for c in columns if c not in numeric[first : last + 1]),
    ]
    said = f"each row of the columns {named} sums to {composition.SUMS[units[0]]:g}"
    settings = {"drop": drop, "kind": "composition", "normalize": True}
    if (parts == 0).any():
        settings |= dict([composition.usual(units)])
    others = "drop, categories, ordered and missing_values"
    found.hints.append(f"{said}; to compare log-ratios, write in place of {others}:")
    found.hints += [f"{key}: {inline(value)}" for key, value in settings.items()]
    found.problems.append(
        f"{said}: kept as measurements; to compare compositions, the configuration has the settings"
    )


def problems(features):
    """How to compare rows that may be parts of a whole, in a list."""
    zeros = int(np.count_nonzero(features == 0))
    closed = closed_units(features, composition.ROUNDED)
    if not closed:
        return _about_counts(features, zeros)
    keys = "kind: composition, normalize: true"
    keys += ", multiplicative_replacement: true" * bool(zeros)
    return [
        f"each row sums to about {composition.SUMS[closed[0]]:g}, as {closed[0]} do: for "
        f"compositions add {keys} under params, which compares log-ratios, and drop columns that "
        "are no parts"
    ]


def _about_counts(features, zeros):
    """How to compare rows that may be counts of parts, such as species or genes."""
    p = features.shape[1]
    whole = np.equal(features, np.round(features)).all()
    if p < _FEWEST_COUNTS or features.min() < 0 or not whole or zeros < _ZEROS * features.size:
        return []
    return [
        f"whole numbers in all {p} columns, with {wording.count(zeros, 'zero')}: if they count "
        "parts of a whole, add kind: composition, normalize: true, pseudocount: 0.5 under params, "
        "which compares log-ratios"
    ]
