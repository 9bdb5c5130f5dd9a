"""Rows as points of the open probability simplex: positive parts that sum to one."""

import numpy as np

from noneuclid.errors import InputError, require

TOLERANCE = 1e-6


def close_composition(parts, normalise=False, pseudocount=None):
    """Check that rows lie inside the simplex, after the changes that were asked for.

    A Hilbert distance to the boundary is infinite, so a part of zero is an error. A pseudocount is
    added to every part, and the rows are then divided by their sums.

    Shapes: `parts` (n, p); returns `parts` (n, p).
    """
    require(parts.shape[1] > 1, "a composition needs two parts or more; there is one column")
    _require(parts >= 0, parts, "is negative; correct it")
    oddities = []
    sums = parts.sum(axis=1)
    if normalise:
        oddities.append("Each row was divided by its sum.")
    else:
        wrong = np.flatnonzero(np.abs(sums - 1) > TOLERANCE)
        if wrong.size:
            raise InputError(
                f"row {wrong[0]} sums to {sums[wrong[0]]:.8g}, not 1; set normalise: true to "
                "divide each row by its sum"
            )
    if pseudocount is not None:
        zeros = int((parts == 0).sum())
        oddities.append(
            f"{pseudocount:g} was added to every part ({zeros} of {parts.size} were zero) and each "
            "row divided by its sum."
        )
        parts = parts + pseudocount
    _require(parts > 0, parts, "is on the boundary of the simplex; set a pseudocount, such as 0.5")
    return (parts / parts.sum(axis=1, keepdims=True) if oddities else parts), oddities


def _require(legal, parts, problem):
    """Refuse the first part that is not legal."""
    bad = np.argwhere(~legal)
    if bad.size:
        row, column = bad[0]
        raise InputError(
            f"row {row}, column {column}: {parts[row, column]:g} {problem} ({len(bad)} of "
            f"{parts.size} parts are so)"
        )
