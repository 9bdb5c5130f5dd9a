"""Points far from everything that a model has seen: there its answer is a guess.

The measure is the distance to the nearest training point. What counts as far is learnt from the
training points themselves, each measured to its nearest other one.
"""

import numpy as np

from noneuclid.errors import InputError
from noneuclid.geometry import lorentz

KEPT = 2000
MEASURED = 5000


def summary(points, curvature=1.0, quantile=0.999, seed=0):
    """Choose training points to keep with a model, and the distance beyond which a point is far.

    The threshold is a quantile of the distances from training points to the nearest kept point
    other than themselves, so it is measured as new points are, also where few are kept.

    Parameters
    ----------
    points : ndarray of float, shape (n, d + 1)
        On the hyperboloid of curvature `-curvature`; n >= 2.
    curvature : float > 0
    quantile : float in (0, 1]
        Rounded up to an observed distance: up to 1000 points the largest one counts.
    seed : int
        For the rows kept, if there are more than `KEPT`, and measured, beyond `MEASURED`.

    Returns
    -------
    dict
        `points` (m, d + 1), `curvature`, `threshold` (hyperbolic units), `quantile`, `rows` (n).

    Raises
    ------
    InputError
        If there are fewer than two points.

    Examples
    --------
    >>> line = lorentz.from_spatial(np.sinh([[0.0], [1.0], [3.0]]))
    >>> round(summary(line)["threshold"], 12)
    2.0
    """
    n = len(points)
    if n < 2:
        raise InputError(f"{n} training points; their distances need two or more")
    order = np.random.default_rng(seed).permutation(n)
    measured, kept = points[order[:MEASURED]], points[order[:KEPT]]
    gaps = [_gap(x, kept, curvature, itself=k) for k, x in enumerate(measured)]
    return {
        "points": kept,
        "curvature": float(curvature),
        "threshold": float(np.quantile(gaps, quantile, method="higher")),
        "quantile": float(quantile),
        "rows": n,
    }


def distances(found, points):
    """Distance from each point to the nearest training point kept.

    Parameters
    ----------
    found : dict
        Of `summary`.
    points : ndarray of float, shape (n, d + 1)
        On the same hyperboloid.

    Returns
    -------
    ndarray of float, shape (n,)
        In hyperbolic units. O(n m d) time.
    """
    gaps = [_gap(x, found["points"], found["curvature"]) for x in points]
    return np.array(gaps, dtype=float)


def far(found, points):
    """Whether each point is farther from the training points than they are from each other.

    Parameters
    ----------
    found : dict
        Of `summary`.
    points : ndarray of float, shape (n, d + 1)

    Returns
    -------
    ndarray of bool, shape (n,)

    Examples
    --------
    >>> line = lorentz.from_spatial(np.sinh([[0.0], [1.0], [3.0]]))
    >>> far(summary(line), lorentz.from_spatial(np.sinh([[4.9], [5.1]]))).tolist()
    [False, True]
    """
    return distances(found, points) > found["threshold"]


def _gap(x, kept, curvature, itself=None):
    """Distance from x to the nearest kept point; `itself`: where x may stand among them."""
    distance = lorentz.distance(x, kept, curvature)
    if itself is not None and itself < len(kept):
        distance[itself] = np.inf
    return distance.min()
