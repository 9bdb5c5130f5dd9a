"""Lloyd's k-means on the hyperboloid of curvature -1, with Fréchet means as centres.

Neither step raises the weighted sum of squared distances from the nearest centre, so the iteration
ends (Lloyd, IEEE Transactions on Information Theory 28, 1982).
"""

from dataclasses import dataclass

import numpy as np

from noneuclid.geometry import lorentz
from noneuclid.geometry.distance_kernels import excess, slices
from noneuclid.geometry.means import mean_and_covariance

# Newton step of a mean before the last one: its error is about the square, of the spread.
_STEP = 1e-3


@dataclass(frozen=True)
class Clusters:
    """Result of one run.

    Attributes
    ----------
    centres : ndarray, shape (k, d + 1)
    labels : ndarray of int, shape (n,)
    inertia : float
        Weighted sum of squared distances from the nearest centre.
    n_iter : int
    """

    centres: np.ndarray
    labels: np.ndarray
    inertia: float
    n_iter: int


def nearest_centre(points, centres):
    """Nearest centre of each point, of equal ones the first, and its squared distance, (n,) each.

    Examples
    --------
    >>> points = lorentz.from_spatial(np.sinh([[0.0], [2.0], [3.0]]))
    >>> labels, squares = nearest_centre(points, points[:2])
    >>> labels, squares.round(12)
    (array([0, 1, 1], dtype=int32), array([0., 0., 1.]))
    """
    labels, least = np.empty(len(points), dtype=np.int32), np.empty(len(points))
    for rows in slices(len(points), len(centres)):
        found = excess(points[rows], centres)
        labels[rows] = found.argmin(axis=1)
        least[rows] = found[np.arange(len(found)), labels[rows]]
    return labels, np.square(2 * np.arcsinh(np.sqrt(least / 2)))


def run_lloyd(points, weights, centres, max_iter, tol):
    """Iterate from given centres until no label changes, or centres move by little.

    Parameters
    ----------
    points : ndarray, shape (n, d + 1)
    weights : ndarray, shape (n,)
        All > 0.
    centres : ndarray, shape (k, d + 1)
    max_iter : int
    tol : float
        Sum of the squared moves of the centres at which the iteration ends.

    Returns
    -------
    Clusters
    """
    labels, squares = nearest_centre(points, centres)
    for n_iter in range(1, max_iter + 1):  # noqa: B007
        before, old = centres, labels
        centres = _move(points, weights, _fill_empty(labels, squares, len(centres)), centres, _STEP)
        labels, squares = nearest_centre(points, centres)
        moves = lorentz.distance(centres, before)
        if (labels == old).all() or moves @ moves <= tol:
            break
    centres = _move(points, weights, labels, centres)
    labels, squares = nearest_centre(points, centres)
    return Clusters(centres, labels, float(weights @ squares), n_iter)


def _fill_empty(labels, squares, count):
    """Labels with no cluster empty: each gets one of the points farthest from their centres.

    As in scikit-learn; a cluster stays empty if there are fewer distinct points than clusters.

    Examples
    --------
    >>> _fill_empty(np.array([0, 0, 2]), np.array([1.0, 9.0, 0.0]), 3)
    array([0, 1, 2])
    """
    empty = np.flatnonzero(np.bincount(labels, minlength=count) == 0)
    if not empty.size or not squares.any():
        return labels
    labels = labels.copy()
    labels[np.argsort(-squares, kind="stable")[: len(empty)]] = empty
    return labels


def _move(points, weights, labels, centres, step=None):
    """Fréchet mean of each cluster; an empty one stays."""
    order = np.argsort(labels, kind="stable")
    ends = np.cumsum(np.bincount(labels, minlength=len(centres)))
    moved, steps = centres.copy(), () if step is None else (step,)
    for k, rows in enumerate(np.split(order, ends[:-1])):
        if len(rows):
            moved[k] = mean_and_covariance(points[rows], weights[rows], centres[k], *steps)[0]
    return moved
