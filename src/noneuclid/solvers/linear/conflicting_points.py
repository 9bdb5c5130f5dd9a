"""Points that carry both labels: no classifier can separate them."""

import numpy as np

from noneuclid.compiled import compile_cached

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # odd, its bits in no order
_SHIFT = np.uint64(29)


def find_contradiction(X, labels):
    """Look for equal rows with different labels.

    One pass with a hash table: O(n d), at most 10 bytes a row.

    Labels are signs or codes. Returns two such rows, or None.
    """
    table = np.full(1 << int(1.25 * len(X)).bit_length(), -1, dtype=np.int32)
    first, second = _search(X, labels, table)
    return (first, second) if second else None


def describe_contradiction(rows, labels, numbers=None):
    """Describe two such rows; `numbers` are the user's row numbers if some were left out."""
    first, second = np.asarray(labels).tolist()
    rows = rows if numbers is None else [numbers[row] for row in rows]
    return f"rows {rows[0]} and {rows[1]} are the same point with labels {first!r} and {second!r}"


@compile_cached
def _search(X, labels, table):
    """First row of a point, and the first row that repeats it with another label; or 0, 0."""
    last = np.uint64(len(table) - 1)
    for i in range(len(X)):
        key = np.uint64(0)
        for j in range(X.shape[1]):
            number = np.float64(X[i, j] + 0.0).view(np.uint64)  # -0.0 becomes 0.0
            key = (key ^ number) * _MULTIPLIER
            key ^= key >> _SHIFT
        place = key & last
        while table[place] >= 0 and not _equal(X, table[place], i):
            place = (place + np.uint64(1)) & last
        if table[place] < 0:
            table[place] = i
        elif labels[table[place]] != labels[i]:
            return table[place], i
    return 0, 0


@compile_cached
def _equal(X, i, j):
    same = True
    for c in range(X.shape[1]):
        same = same and X[i, c] == X[j, c]
    return same
