"""Points far from everything that a model has seen: there its answer is a guess.

The measure is the distance to the nearest training point. What counts as far is learnt from the
training points themselves, each held out and measured to its nearest other one.
"""

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.preprocessing import StandardScaler

from noneuclid.errors import InputError
from noneuclid.geometry import lorentz, spaces

KEPT = 2000
MEASURED = 5000
FOLDS = 20
_LEAF = 16  # points of a leaf of the search tree
_BLOCK = 1024  # rows whose distances to all kept points are held at a time


def summary(points, curvature=1.0, quantile=0.999, seed=0, space=""):
    """Training points to keep with a model, and the distance beyond which a point is far.

    points (n, d + 1) on the hyperboloid of curvature `-curvature`, or those of the product of a
    signature `space`. The threshold is a quantile of
    the distances from training points to the nearest other kept point, so it is measured as new
    points are. It is rounded up to an observed distance: up to 1000 points the largest one counts.
    `seed` chooses the rows kept, beyond `KEPT`, and measured, beyond `MEASURED`. Returns `points`
    (m, d + 1), `curvature`, `threshold` (hyperbolic units), `quantile`, `rows` (n).
    """
    order = _order(points, seed)
    measured, kept = points[order[:MEASURED]], points[order[:KEPT]]
    gaps = _gaps(measured, kept, curvature, itself=True, space=space)
    return _summary(kept, curvature, gaps, quantile, len(points)) | {"space": space}


def summary_of_features(features, preparation=None, quantile=0.999, seed=0):
    """As `summary`, for original features: Euclidean distances in standard deviations of columns.

    features (n, p); a transformer `preparation` takes the place of the standard deviations. A rare
    value widens its column, so rows are held out of the scale, too, in `FOLDS` folds, and measured
    to those of the other folds. Also returns `preparation`, fitted on all rows.
    """
    preparation = StandardScaler(with_mean=False) if preparation is None else preparation
    order = _order(features, seed)
    fold, gaps = np.arange(len(order)) % FOLDS, []
    for k in np.unique(fold):
        place = clone(preparation).fit(features[order[fold != k]]).transform
        held_out = order[:MEASURED][fold[:MEASURED] == k]
        kept = order[:KEPT][fold[:KEPT] != k]
        gaps.append(_gaps(place(features[held_out]), place(features[kept]), 0.0))
    fitted = clone(preparation).fit(features)
    kept = fitted.transform(features[order[:KEPT]])
    found = _summary(kept, 0.0, np.concatenate(gaps), quantile, len(order))
    return found | {"preparation": fitted}


def _order(points, seed):
    """Rows of the points in random order, shape (n,)."""
    n = len(points)
    if n < 2:
        raise InputError(f"{n} training points; their distances need two or more")
    return np.random.default_rng(seed).permutation(n)


def _summary(kept, curvature, gaps, quantile, n):
    return {
        "points": kept,
        "curvature": float(curvature),
        "threshold": float(np.quantile(gaps, quantile, method="higher")),
        "quantile": float(quantile),
        "rows": n,
    }


def placed(found, points, chart, curvature):
    """Points of a chart in the coordinates of `summary`, shapes (n, d) to (n, d + 1) or (n, d)."""
    if "preparation" in found:
        return found["preparation"].transform(points)
    if found["curvature"] == 0.0:  # of an earlier version
        return points / found["scale"]
    return lifted(points, chart, curvature)


def lifted(points, chart, curvature):
    """Points of a chart as `summary` reads them."""
    product = spaces.product_of(chart)
    return spaces.convert(points, chart, chart if product else "hyperboloid", curvature)


def distances(found, points):
    """Distance, shape (n,), from each point to the nearest one that `summary` kept."""
    return _gaps(points, found["points"], found["curvature"], space=found.get("space"))


def far(found, points):
    """Whether each point, shape (n, d + 1), is beyond the threshold of `summary`."""
    return distances(found, points) > found["threshold"]


def _gaps(points, kept, curvature, itself=False, space=""):
    """Distance from each point to the nearest kept one; with `itself`, other than that of its row.

    O(log m) for each point in few dimensions of a curved space, else O(m).
    """
    points = np.asarray(points, dtype=float)
    if not len(points):
        return np.empty(0)
    if space:
        return _gaps_in_product(points, kept, spaces.product_of(space), itself)
    if curvature == 0.0:
        starts = range(0, len(points), _BLOCK)
        nearest = [cdist(points[k : k + _BLOCK], kept).argmin(axis=1) for k in starts]
        return np.linalg.norm(kept[np.concatenate(nearest)] - points, axis=1)
    # Here, because it loads numba, which most jobs do not need.
    from noneuclid.geometry.neighbours import TREE_DIMENSIONS, NeighbourSearch

    root = np.sqrt(curvature)
    low = kept.shape[1] - 1 <= TREE_DIMENSIONS
    search = NeighbourSearch(kept * root, "ball_tree" if low else "brute", _LEAF)
    nearest = search.query(points * root, 2 if itself else 1)[1]
    if itself:
        same = nearest[:, 0] == np.arange(len(points))
        nearest = np.where(same, nearest[:, 1], nearest[:, 0])[:, None]
    return lorentz.distance(points, kept[nearest[:, 0]], curvature)


def _gaps_in_product(points, kept, space, itself):
    """`_gaps` in a product space, O(m) for each point."""
    found = []
    for start in range(0, len(points), _BLOCK):
        gaps = space.pairwise_distances(points[start : start + _BLOCK], kept)
        if itself:  # row k of both is the same point
            rows = np.arange(start, min(start + len(gaps), len(kept)))
            gaps[rows - start, rows] = np.inf
        found.append(gaps.min(axis=1))
    return np.concatenate(found)
