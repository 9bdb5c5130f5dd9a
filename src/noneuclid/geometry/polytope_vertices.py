"""From vertices to facets and back, by Qhull, whose cost grows fast with the dimension."""

import numpy as np
from scipy.linalg import null_space
from scipy.spatial import ConvexHull, HalfspaceIntersection

from noneuclid.errors import InputError
from noneuclid.geometry.half_spaces import inner_point

_DIGITS = 9
"""Planes and vertices equal to this many decimals are one; Qhull repeats some."""


def facets_around(V):
    """Facets (A, b) of the convex hull of points, shape (n, d), which must span d dimensions.

    Examples
    --------
    >>> facets_around(np.array([[0.0], [2.0], [1.0]]))
    (array([[ 1.],
           [-1.]]), array([-0.,  2.]))
    """
    low, high = V.min(axis=0), V.max(axis=0)
    d = V.shape[1]
    spread = np.where(high > low, high - low, 1.0)
    rank = np.linalg.matrix_rank((V - V.mean(axis=0)) / spread)
    if rank < d:
        raise InputError(
            f"the polytope is flat: {len(V)} points span {rank} of {d} dimensions; "
            "drop coordinates or add points"
        )
    if d == 1:
        return np.array([[1.0], [-1.0]]), np.append(-low, high)
    planes = _different(ConvexHull((V - low) / spread).equations)
    A = -planes[:, :-1] / spread
    return A, -planes[:, -1] - A @ low


def vertices_of(A, b, E, f, inside=None):
    """Vertices of a polytope, shape (v, d), in no order; `inside` is a point with A x + b > 0.

    Examples
    --------
    >>> none = np.empty((0, 1)), np.empty(0)
    >>> vertices_of(np.array([[1.0], [-1.0]]), np.array([0.0, 2.0]), *none)
    array([[0.],
           [2.]])
    """
    centre = inner_point(A, b, E, f)[0] if inside is None else inside
    along = null_space(E) if len(E) else np.eye(A.shape[1])
    # facets about the centre, where each has value one
    slopes = (A @ along) / (A @ centre + b)[:, None]
    if along.shape[1] == 1:
        ends = np.array([[-1 / slopes.max()], [-1 / slopes.min()]])
    else:
        planes = np.column_stack([-slopes, -np.ones(len(A))])
        ends = _different(HalfspaceIntersection(planes, np.zeros(along.shape[1])).intersections)
    return centre + ends @ along.T


def _different(rows):
    """Rows without repetitions up to rounding."""
    size = np.abs(rows).max(axis=0)
    _, first = np.unique((rows / size).round(_DIGITS) + 0.0, axis=0, return_index=True)
    return rows[np.sort(first)]
