"""What the values of a matrix of cells by genes look like."""

import numpy as np
from scipy.sparse import issparse

COUNTS, LOGGED = "raw counts", "log-normalised"
PLAIN, SCALED = "normalised, no logarithm", "scaled"
BINARY, NOTHING = "zeros and ones", "no numbers"
# Values that are looked at, and the largest logarithm: log2 of a million counts.
_SAMPLE, _LARGEST_LOG = 100_000, 20.0


def appearance(matrix):
    """What the first values of a matrix look like, in words.

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
    few = values[:_SAMPLE] if len(shape) == 1 else values[: max(1, _SAMPLE // shape[1])]
    few = np.asarray(few, dtype=np.float64)
    few = few[np.isfinite(few)]
    if not few.size:
        return NOTHING
    if (few < 0).any():
        return SCALED
    if not (few % 1).any():
        return COUNTS if (few > 1).any() else BINARY
    return PLAIN if (few > _LARGEST_LOG).any() else LOGGED
