"""Points that carry both labels: no classifier can separate them."""

import numpy as np

from noneuclid.solvers.compiled import compile_cached

# Any irrational number below 1 spreads different rows over different keys.
_STEP = 0.7548776662466927


def contradiction(X, signs):
    """Look for equal rows with opposite signs.

    O(n d + n log n), 32 bytes a row.

    Parameters
    ----------
    X : ndarray, shape (n, d)
    signs : ndarray, shape (n,)
        +1 or -1.

    Returns
    -------
    tuple of int, or None
        Two such rows.

    Examples
    --------
    >>> import numpy as np
    >>> contradiction(np.array([[1.0, 2.0], [0.0, 0.0], [1.0, 2.0]]), np.array([1, 1, -1]))
    (0, 2)
    """
    keys = _keys(X)
    order = np.argsort(keys, kind="stable")
    alike = (np.diff(keys[order]) == 0) & (np.diff(signs[order]) != 0)
    for place in np.flatnonzero(alike):
        i, j = (int(row) for row in order[place : place + 2])
        if np.array_equal(X[i], X[j]):
            return i, j
    return None


@compile_cached
def _keys(X):  # pragma: no cover (compiled)
    """One number a row, the same for equal rows, as it is summed in the same order."""
    keys = np.zeros(len(X))
    for i in range(len(X)):
        for j in range(X.shape[1]):
            keys[i] = keys[i] * _STEP + X[i, j]
    return keys
