"""What the values of a matrix of cells by genes look like."""

import numpy as np
from scipy.sparse import issparse

COUNTS, LOGGED = "raw counts", "log-normalised"
PLAIN, SCALED = "normalised, no logarithm", "scaled"
BINARY, NOTHING = "zeros and ones", "no numbers"
# The largest logarithm: log2 of a million counts.
_LARGEST_LOG = 20.0
# Blocks of rows that are looked at, values in them together, and values where a row has many.
_BLOCKS, _SAMPLE, _MOST = 100, 100_000, 4_000_000


def appearance(matrix):
    """What values of a matrix, from its first to its last row, look like, in words.

    Negative values: scaled. Whole numbers: raw counts, or zeros and ones. Others are logarithms if
    none is over 20. The matrix is an array, a sparse matrix, or either of them in an HDF5 file.

    Examples
    --------
    >>> appearance(np.array([[0, 3], [1, 0]])), appearance(np.array([[0.0, 0.7]]))
    ('raw counts', 'log-normalised')
    >>> appearance(np.array([[-0.3, 0.7]])), appearance(np.array([[0.5, 70.5]]))
    ('scaled', 'normalised, no logarithm')
    >>> appearance(np.eye(2)), appearance(np.array([["a"]])), appearance(np.zeros((2, 0)))
    ('zeros and ones', 'no numbers', 'no numbers')
    """
    values = matrix.data if issparse(matrix) else matrix
    if "data" in getattr(matrix, "keys", tuple)():
        values = matrix["data"]
    shape = getattr(values, "shape", ())
    if getattr(values, "dtype", np.dtype(object)).kind not in "fiub" or 0 in (shape or (0,)):
        return NOTHING
    few = _spread(values).astype(np.float64)
    few = few[np.isfinite(few)]
    if not few.size:
        return NOTHING
    if (few < 0).any():
        return SCALED
    if not (few % 1).any():
        return COUNTS if (few > 1).any() else BINARY
    return PLAIN if (few > _LARGEST_LOG).any() else LOGGED


def _spread(values):
    """Blocks of rows at equal distances, of an array (n,) or (n, p), also of one in a file."""
    n, width = len(values), int(np.prod(values.shape[1:]))
    blocks = min(_BLOCKS, max(1, _MOST // width))
    rows = max(1, _SAMPLE // (blocks * width))
    if blocks * rows >= n:
        return np.asarray(values[:])
    starts = np.linspace(0, n - rows, blocks).astype(int)
    return np.concatenate([values[start : start + rows] for start in starts])
