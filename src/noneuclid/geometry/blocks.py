"""Functions of single rows, on large tables block by block.

A block and what is computed from it stay in the processor's cache; temporary arrays of the size of
the table would take longer than the arithmetic. The digits are the same.
"""

import numpy as np

_LARGE = 2**20  # numbers in a table from which it is worth it
_BLOCK = 2**15  # numbers in a block


def row_blocks(table):
    """Slices of the rows of a table, of some 32,000 numbers.

    One slice for a small table, and for one stored column by column, where the digits of a sum
    depend on the number of rows.

    Examples
    --------
    >>> row_blocks(np.ones((5, 2)))
    [slice(0, 5, None)]
    >>> len(row_blocks(np.ones((100, 20_000))))
    100
    """
    n = len(table)
    by_rows = table.size > _LARGE and abs(table.strides[0]) >= abs(table.strides[1])
    step = max(1, _BLOCK // table.shape[1]) if by_rows else max(1, n)
    return [slice(start, min(start + step, n)) for start in range(0, max(1, n), step)]


def by_blocks(function, table):
    """Stack of `function(rows)`, an array with a row for each, for all slices of rows."""
    first, *others = row_blocks(table)
    part = function(first)
    if not others:
        return part
    found = np.empty((len(table), *part.shape[1:]), dtype=part.dtype)
    found[first] = part
    for rows in others:
        found[rows] = function(rows)
    return found
