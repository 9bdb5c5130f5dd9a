"""Arrays as numbers that float64 holds exactly."""

import numpy as np

from noneuclid.errors import InputError, require

# Beyond it float64 has no place for every integer.
EXACT = 2**53


def require_exact(values, where):
    """Refuse an integer that float64 would round, and so two that it would make one."""
    values = np.asarray(values)
    # Not abs: the least integer of a type has none.
    bad = np.argwhere((values > EXACT) | (values < -EXACT))
    if bad.size:
        index = tuple(bad[0].tolist())
        raise InputError(
            f"{where(*index)} is {values[index]}, an integer beyond 2^53 = {EXACT}, which float64 "
            "cannot hold exactly; drop the column if it is an identifier, or divide it"
        )


def as_numbers(values, where):
    """Float64 matrix of an array; an `InputError` that opens with `where` if it is none."""
    values = np.asarray(values)
    require(values.dtype.kind in "fiub", f"{where} holds {values.dtype}, not numbers")
    require(values.ndim == 2, f"{where} has shape {values.shape}; give a matrix, one row a sample")
    require(values.size > 0, f"{where} is empty, shape {values.shape}")
    if values.dtype.kind in "iu":
        require_exact(values, lambda row, column: f"{where}: row {row}, column {column}")
    return values.astype(np.float64, copy=False)
