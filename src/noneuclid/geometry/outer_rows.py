"""Selection of the rows that may be vertices of a convex hull, in a few passes."""

import numpy as np
from scipy.spatial import ConvexHull, QhullError

from noneuclid.compiled import compile_cached

MANY = 1000
"""Fewer rows are not worth a first pass."""
MAX_DIMENSION = 4
"""Beyond, few rows lie well inside."""
INSIDE = 1e-9
"""A row at least this far inside a facet lies well inside."""
_DIRECTIONS = {2: 32, 3: 24, 4: 32}


def outer_rows(X):
    """Sorted rows of X, within the unit ball, that are not well inside the hull of extreme rows.

    After Akl and Toussaint (1978): the extreme rows along fixed directions are vertices of the
    hull, and no row inside the hull of these is one. O(n) time. All rows are returned if they are
    few, flat, or in one dimension or more than `MAX_DIMENSION`.

    Examples
    --------
    >>> X = np.random.default_rng(0).uniform(-0.5, 0.5, (5000, 2))
    >>> bool(len(outer_rows(X)) < 1000)
    True
    """
    n, d = X.shape
    if n < MANY or not 2 <= d <= MAX_DIMENSION:
        return np.arange(n)
    try:
        facets = ConvexHull(X[np.unique(_extremes(X, _directions(d)))]).equations
    except QhullError:
        return np.arange(n)
    return np.flatnonzero(_outside(X, facets[:, :-1].copy(), -facets[:, -1] - INSIDE))


def _directions(d):
    """Unit vectors, up to sign: even in the plane, else random."""
    count = _DIRECTIONS[d]
    if d == 2:
        angle = np.pi * np.arange(count) / count
        return np.column_stack([np.cos(angle), np.sin(angle)])
    return np.random.default_rng(0).standard_normal((count, d))


@compile_cached
def _extremes(X, directions):
    """First and last row along each direction."""
    k = len(directions)
    rows = np.zeros((k, 2), dtype=np.int64)
    ends = np.empty((k, 2))
    ends[:, 0], ends[:, 1] = np.inf, -np.inf
    for i in range(len(X)):
        for j in range(k):
            place = 0.0
            for m in range(X.shape[1]):
                place += X[i, m] * directions[j, m]
            if place < ends[j, 0]:
                ends[j, 0], rows[j, 0] = place, i
            if place > ends[j, 1]:
                ends[j, 1], rows[j, 1] = place, i
    return rows


@compile_cached
def _outside(X, normals, limits):
    """Whether a row reaches the limit along some normal."""
    found = np.zeros(len(X), dtype=np.bool_)
    for i in range(len(X)):
        for j in range(len(normals)):
            place = 0.0
            for m in range(X.shape[1]):
                place += X[i, m] * normals[j, m]
            if place >= limits[j]:
                found[i] = True
                break
    return found
