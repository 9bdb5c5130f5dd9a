"""UMAP's fuzzy graph of nearest neighbours.

References
----------
.. [1] McInnes, Healy and Melville, UMAP: uniform manifold approximation and projection for
   dimension reduction, 2018, arXiv:1802.03426.
"""

import numpy as np
from scipy.sparse import csr_array

from noneuclid.compiled import compile_released

_STEPS, _TOLERANCE = 64, 1e-5
_LEAST = 1e-3  # width, as a part of the mean length
_TWIN = 1e-9  # a nearest row at less than this part of the mean length does not set the unit


@compile_released
def strengths(lengths, mean, out):
    """Membership strengths of edges: exp(-(length - rho) / sigma), rho the least positive length.

    sigma is such that the strengths of a row sum to log2(k + 1), k edges and the row itself, as in
    UMAP [1]_; `mean` is the mean length of all rows, for the least sigma of a row of zeros.
    Shapes: `lengths` (n, k), ascending in each row; `out` (n, k).

    Examples
    --------
    >>> out = np.empty((1, 3))
    >>> strengths(np.array([[1.0, 2.0, 3.0]]), 2.0, out)
    >>> float(out.sum().round(4)), float(out[0, 0])
    (2.0, 1.0)
    """
    n, k = lengths.shape
    wanted = np.log2(k + 1)
    for i in range(n):
        nearest, total = 0.0, 0.0
        for j in range(k):
            total += lengths[i, j]
            if nearest == 0:
                nearest = lengths[i, j]
        low, high, width = 0.0, np.inf, 1.0
        if nearest > 0:  # start in the unit of the row
            width = nearest if nearest > _TWIN * total / k else total / k
        for _ in range(_STEPS):
            found = 0.0
            for j in range(k):
                found += np.exp(-max(lengths[i, j] - nearest, 0.0) / width)
            if abs(found - wanted) < _TOLERANCE:
                break
            if found > wanted:
                high = width
                width = (low + high) / 2
            else:
                low = width
                width = 2 * width if high == np.inf else (low + high) / 2
        width = max(width, _LEAST * (total / (k + 1) if nearest > 0 else mean))
        for j in range(k):
            gap = max(lengths[i, j] - nearest, 0.0)
            out[i, j] = np.exp(-gap / width) if gap > 0 else 1.0


def fuzzy_graph(nearest, lengths):
    """Weights w = s + t - s t of the edges, s and t the strengths from both ends [1]_.

    Shapes: `nearest`, `lengths` (n, k); returns a symmetric matrix (n, n) of float32.
    """
    n, k = nearest.shape
    found = np.empty((n, k))
    strengths(lengths, lengths.sum() / (n * (k + 1)), found)
    starts = np.arange(0, n * k + 1, k)
    one = csr_array((found.ravel().astype(np.float32), nearest.ravel(), starts), shape=(n, n))
    other = one.T.tocsr()
    graph = one + other - one.multiply(other)
    graph.sort_indices()
    return graph
