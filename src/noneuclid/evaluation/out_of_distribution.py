"""Points far from everything that a model has seen: there its answer is a guess.

The measure is the distance to the nearest training point. What counts as far is learnt from the
training points themselves, each measured to its nearest other one.
"""

import numpy as np

from noneuclid.errors import InputError
from noneuclid.geometry import charts, lorentz

KEPT = 2000
MEASURED = 5000


def summary(points, curvature=1.0, quantile=0.999, seed=0):
    """Training points to keep with a model, and the distance beyond which a point is far.

    points (n, d + 1) on the hyperboloid of curvature `-curvature`. The threshold is a quantile of
    the distances from training points to the nearest other kept point, so it is measured as new
    points are. It is rounded up to an observed distance: up to 1000 points the largest one counts.
    `seed` chooses the rows kept, beyond `KEPT`, and measured, beyond `MEASURED`. Returns `points`
    (m, d + 1), `curvature`, `threshold` (hyperbolic units), `quantile`, `rows` (n).
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


def summary_of_features(features, quantile=0.999, seed=0):
    """As `summary`, for original features: Euclidean distances in standard deviations of columns.

    features (n, p). Also returns `scale` (p,), the standard deviations; 1 for a constant column.
    """
    scale = features.std(axis=0)
    scale[scale == 0] = 1.0
    return summary(features / scale, 0.0, quantile, seed) | {"scale": scale}


def placed(found, points, chart, curvature):
    """Points of a chart in the coordinates of `summary`, shapes (n, d) to (n, d + 1) or (n, d)."""
    if found["curvature"] == 0.0:
        return points / found["scale"]
    return charts.convert(points, chart, "hyperboloid", curvature)


def distances(found, points):
    """Distance, shape (n,), from each point to the nearest one that `summary` kept."""
    gaps = [_gap(x, found["points"], found["curvature"]) for x in points]
    return np.array(gaps, dtype=float)


def far(found, points):
    """Whether each point, shape (n, d + 1), is beyond the threshold of `summary`."""
    return distances(found, points) > found["threshold"]


def _gap(x, kept, curvature, itself=None):
    """Distance from x to the nearest kept point other than row `itself`."""
    flat = curvature == 0.0
    distance = np.linalg.norm(kept - x, axis=1) if flat else lorentz.distance(x, kept, curvature)
    if itself is not None and itself < len(kept):
        distance[itself] = np.inf
    return distance.min()
