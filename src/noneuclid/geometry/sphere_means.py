"""Fréchet means on the sphere. Within: curvature 1.

The sum of squared distances is convex only within a ball of radius pi/2 (Afsari, Proceedings of the
AMS 139, 2011), and may have several minima elsewhere. On the circle all are known (Hotz and
Huckemann, Annals of the Institute of Statistical Mathematics 67, 2015, theorem 1); else descents
start at the extrinsic mean, across the rows, and at rows spread over the sphere, and the least
sum wins.
"""

import warnings

import numpy as np

from noneuclid.geometry import sphere

_MAX_STEPS = 500
_STEP = 1e-13  # length, in radians, of the last step
_STARTS = 8
_HALVINGS = 50


def frechet_mean(X, weights, where=""):
    """Point of the least weighted sum of squared distances, shape (d + 1,).

    Shapes: X (n, d + 1), of length 1; weights (n,). Warns where no ball of radius pi/2 about the
    mean holds all rows: another mean may be as good. `where` names the factor.

    Examples
    --------
    >>> frechet_mean(np.array([[1.0, 0.0], [0.0, 1.0]]), np.ones(2)).round(6)
    array([0.707107, 0.707107])
    """
    X = X[weights > 0]
    weights = weights[weights > 0] / weights.sum()
    mean = _on_circle(X, weights) if X.shape[1] == 2 else _by_descent(X, weights)
    if (X @ mean <= 0).any():
        warnings.warn(
            f"the rows{where} do not lie in an open half of the sphere about their mean: rows all "
            "around a sphere have no clear centre, and another mean may be as good (this has the "
            "least sum of squared distances that was found)",
            UserWarning,
            stacklevel=2,
        )
    return mean


def sum_of_squares(X, weights, mean):
    """Weighted sum of squared distances."""
    return weights @ sphere.distance(X, mean) ** 2


def _on_circle(X, weights):
    """The best of the n candidates of theorem 1, O(n log n).

    Cut opposite to the mean, the angles are numbers whose mean it is; the cut lies between two
    neighbours, so row by row 2 pi is added to the smallest angle.
    """
    angles = np.arctan2(X[:, 1], X[:, 0])
    order = np.argsort(angles)
    angles, weights = angles[order], weights[order]
    moved = np.concatenate([[0.0], np.cumsum(weights)[:-1]])  # weight that 2 pi was added to
    first = weights @ angles + 2 * np.pi * moved
    added = np.concatenate([[0.0], np.cumsum(4 * np.pi * weights * (angles + np.pi))[:-1]])
    second = weights @ angles**2 + added
    best = first[np.argmin(second - first**2)]
    return np.array([np.cos(best), np.sin(best)])


def _by_descent(X, weights):
    """The least of the minima that descents from several starts reach."""
    across = np.linalg.eigh((X.T * weights) @ X)[1][:, 0]  # where opposite rows balance
    starts = [weights @ X, across, -across]
    for _ in range(min(_STARTS, len(X))):  # the row farthest from all starts
        nearest = np.max([X @ (s / (np.linalg.norm(s) or 1.0)) for s in starts], axis=0)
        starts.append(X[np.argmin(nearest)])
    found = [_descend(X, weights, s) for s in starts if np.linalg.norm(s) > 0]
    return min(found, key=lambda mean: sum_of_squares(X, weights, mean))


def _descend(X, weights, start):
    """Newton's method where the Hessian is positive definite, else steps to the mean of the logs.

    The Hessian of half the squared distance r is 1 along the arc and r cot r across it (Pennec,
    Journal of Mathematical Imaging and Vision 25, 2006).
    """
    mean = start / np.linalg.norm(start)
    total = sum_of_squares(X, weights, mean)
    for _ in range(_MAX_STEPS):
        step = _step(X, weights, mean)
        for _ in range(_HALVINGS):
            moved = sphere.exp(mean, step)
            found = sum_of_squares(X, weights, moved)
            if found <= total * (1 + 1e-15):
                break
            step = step / 2
        size = np.linalg.norm(step)
        mean, total = moved, min(found, total)
        if size <= _STEP:
            break
    return mean


def _step(X, weights, mean):
    """Tangent vector at the mean along which to move."""
    logs = np.nan_to_num(sphere.log(mean, X))  # opposite rows pull nowhere
    length = np.linalg.norm(logs, axis=1)
    u = logs / np.where(length > 0, length, 1.0)[:, None]
    across = np.where(length > 0, length / np.tan(np.where(length > 0, length, 1.0)), 1.0)
    bent = weights * (1.0 - across)
    hessian = (weights @ across) * np.eye(len(mean)) + np.einsum("i,ij,ik->jk", bent, u, u)
    hessian = hessian + (1.0 - weights @ across) * np.outer(mean, mean)  # 1 along the normal
    gradient = weights @ logs
    values, vectors = np.linalg.eigh(hessian)
    if values[0] > 0.1:
        gradient = vectors @ ((vectors.T @ gradient) / values)
    return sphere.at_point(mean, gradient)
