"""Rows as points of the open probability simplex: positive parts that sum to one."""

import numpy as np
from scipy.sparse import issparse

from noneuclid.errors import InputError, require

TOLERANCE = 1e-6
COUNTS, PERCENTAGES, PROPORTIONS, AMOUNTS = "counts", "percentages", "proportions", "amounts"
# What closed rows sum to; printed parts are rounded, and a small part may be missing.
SUMS, ROUNDED = {PROPORTIONS: 1.0, PERCENTAGES: 100.0}, 0.05
# Of the smallest positive part: what best replaces a zero below a limit of detection.
_SHARE = 0.65
WARNING = "Warning: "
# Largest dense table.
MAX_GB = 4.0


def common_parts(parts, columns, min_prevalence):
    """Parts that are positive in at least this share of the rows, their names, and a sentence.

    `parts` is dense or sparse, shape (n, p), and `columns` the p names.

    Examples
    --------
    >>> common_parts(np.array([[1, 0, 4], [2, 0, 0]]), ["a", "b", "c"], 0.5)[1]
    ['a', 'c']
    """
    kept = np.flatnonzero((parts != 0).sum(axis=0) >= min_prevalence * parts.shape[0])
    require(
        kept.size > 1,
        f"{kept.size} parts are positive in {min_prevalence:g} of the rows; set min_prevalence "
        "lower",
    )
    said = (
        f"{parts.shape[1] - kept.size} of {parts.shape[1]} parts, positive in less than "
        f"{min_prevalence:g} of the rows, were left out (min_prevalence)."
    )
    return parts[:, kept], [columns[k] for k in kept], said


def dense(parts):
    """Parts as a dense array, shape (n, p); refuses one that is too large."""
    if not issparse(parts):
        return parts
    size = 8e-9 * parts.shape[0] * parts.shape[1]
    require(
        size <= MAX_GB,
        f"{parts.shape[0]} samples x {parts.shape[1]} parts take {size:.1f} GB, more than {MAX_GB}:"
        " leave out rare parts, such as by min_prevalence: 0.05",
    )
    return parts.toarray()


def close_composition(
    parts, normalize=False, pseudocount=None, multiplicative_replacement=None, units=None
):
    """Check that rows lie inside the simplex, after the changes that were asked for.

    A Hilbert distance to the boundary is infinite, so a part of zero is an error. A pseudocount is
    added to every part, and the rows are then divided by their sums. Multiplicative replacement
    [1]_ is in proportions: zeros become delta and the other parts of the row are multiplied by
    one minus the sum of its deltas, which keeps their ratios; True is 65 % of the smallest positive
    part. `units` are those of the training rows.

    Shapes: `parts` (n, p); returns `parts` (n, p), sentences on the changes, and the arguments that
    change new rows in the same way.

    References
    ----------
    .. [1] J. A. Martín-Fernández, C. Barceló-Vidal and V. Pawlowsky-Glahn, Dealing with zeros and
       missing values in compositional data sets using nonparametric imputation, Mathematical
       Geology 35, 2003, doi:10.1023/A:1023866030544.
    """
    require(len(parts) > 0, "there is no row of a composition")
    require(parts.shape[1] > 1, "a composition needs two parts or more; there is one column")
    require(
        pseudocount is None or not multiplicative_replacement,
        "pseudocount and multiplicative_replacement both replace zeros; give one",
    )
    _require(parts >= 0, parts, "is negative; correct it")
    found = units_of(parts)
    _require_units(found, units, pseudocount)
    sums = parts.sum(axis=1, keepdims=True)
    wrong = np.flatnonzero(np.abs(sums - 1) > TOLERANCE)
    if wrong.size and not normalize:
        raise InputError(
            f"row {wrong[0]} sums to {sums[wrong[0], 0]:.8g}, not 1 (the rows are "
            f"{_either(found)}); set normalize: true to divide each row by its sum"
        )
    row = int(np.argmin(sums))
    require(sums[row, 0] > 0, f"row {row} has zeros only; remove it")
    zeros = parts == 0
    smallest, changes = parts.min(initial=np.inf, where=~zeros), []
    delta = multiplicative_replacement or None
    if pseudocount is not None:
        changes = [
            f"{pseudocount:g} was added to every part ({zeros.sum()} of {parts.size} were zero), "
            "then each row was divided by its sum."
        ]
        if pseudocount > smallest:
            changes.append(_too_large("pseudocount", pseudocount, smallest, found))
        parts = parts + pseudocount
        parts = parts / parts.sum(axis=1, keepdims=True)
    elif normalize or delta is not None:
        changes = ["Each row was divided by its sum."]
        parts = parts / sums
    if delta is not None:
        smallest = parts.min(initial=np.inf, where=~zeros)
        delta = float(_SHARE * smallest if delta is True else delta)
        changes += _replaced(delta, smallest, zeros, found)
        parts = np.where(zeros, delta, parts * (1 - delta * zeros.sum(axis=1, keepdims=True)))
    _require(parts > 0, parts, f"is on the boundary of the simplex; set {_usual(found)}")
    rule = {
        "normalize": normalize,
        "pseudocount": pseudocount,
        "multiplicative_replacement": delta,
        "units": found,
    }
    return parts, changes, rule


def units_of(parts, tolerance=ROUNDED):
    """Units in which rows of nonnegative parts may be written, the likeliest first.

    Rows are closed if all have about the same sum, 1 or 100. Whole numbers are counts, unless the
    sum is exact. All other rows are amounts.

    Examples
    --------
    >>> units_of(np.array([[3, 0, 9]])), units_of(np.array([[0.25, 0.75]]))
    (['counts'], ['proportions'])
    >>> units_of(np.array([[30, 70]])), units_of(np.array([[0.5, 7.0]]))
    (['percentages', 'counts'], ['amounts'])
    """
    sums = parts.sum(axis=1)
    sums = sums[sums > 0]
    off = {unit: np.abs(sums / total - 1).max(initial=0) for unit, total in SUMS.items()}
    found = [unit for unit in SUMS if sums.size and off[unit] <= tolerance]
    if not (parts % 1).any():
        found.insert(int(any(off[unit] <= TOLERANCE for unit in found)), COUNTS)
    return found or [AMOUNTS]


def _require_units(found, trained, pseudocount):
    """Refuse counts for a model of closed rows and the reverse.

    Without a pseudocount, the sum of a row does not matter.
    """
    if trained is None or AMOUNTS in trained or set(found) & set(trained):
        return
    closed = all(set(units) != {COUNTS} for units in (found, trained))
    require(
        pseudocount is None and closed,
        f"the rows are {_either(found)}, and those of training were {_either(trained)}; give "
        f"{trained[0]}",
    )


def _replaced(delta, smallest, zeros, found):
    """Sentences on a multiplicative replacement; refuses one that leaves nothing of a row."""
    most = int(zeros.sum(axis=1).max())
    require(
        delta * most < 1,
        f"multiplicative_replacement: {delta:g} for each of {most} zeros of a row leaves nothing "
        "of its other parts; give a smaller number, as a proportion of the row",
    )
    if not zeros.any():
        return []
    said = (
        f"Then {zeros.sum()} of {zeros.size} parts, which were zero, became {delta:.3g}, and the "
        "other parts of their rows were multiplied so that the sum stays 1 (multiplicative "
        "replacement)."
    )
    if delta > smallest:
        return [said, _too_large("multiplicative_replacement", delta, smallest, found)]
    return [said]


def _too_large(name, amount, smallest, found):
    """A warning of an amount that hides small parts."""
    return (
        f"{WARNING}{name} {amount:g} exceeds the smallest positive part, {smallest:.3g} (the rows "
        f"are {_either(found)}), so it hides differences between small parts; usual is "
        f"{_usual(found)}."
    )


def usual(units):
    """Parameter by which the field replaces zeros of rows in these units, and its value."""
    return ("pseudocount", 0.5) if units[0] == COUNTS else ("multiplicative_replacement", True)


def _usual(units):
    """`usual`, as a configuration has it."""
    name, value = usual(units)
    return f"{name}: {str(value).lower()}"


def _either(units):
    return " or ".join(units)


def _require(legal, parts, problem):
    """Refuse the first part that is not legal."""
    bad = np.argwhere(~legal)
    if bad.size:
        row, column = bad[0]
        raise InputError(
            f"row {row}, column {column}: {parts[row, column]:g} {problem} ({len(bad)} of "
            f"{parts.size} parts are so)"
        )
