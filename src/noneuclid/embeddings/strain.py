"""Strain-minimising embedding of distances into hyperbolic space: the mathematics of Hydra."""

import numpy as np
from scipy.linalg import eigh
from scipy.optimize import minimize_scalar
from scipy.sparse.linalg import ArpackNoConvergence, eigsh

from noneuclid.errors import InputError
from noneuclid.geometry import lorentz

# Beyond 20, cosh squared leaves too few digits for the small eigenvalues.
DIAMETERS = (0.5, 20.0)
_DENSE_UP_TO = 200
_SEARCH_ROWS = 1000


def extreme_eigenpairs(gram, dimension, seed):
    """Find the largest and the most negative eigenvalues of a symmetric matrix.

    The largest comes first, then the smallest in ascending order.
    Shapes: `gram` (n, n); returns `values` (dimension + 1,), `vectors` (n, dimension + 1).
    """
    n = len(gram)
    if n <= _DENSE_UP_TO:
        values, vectors = eigh(gram)
        chosen = np.r_[n - 1, :dimension]
        return values[chosen], vectors[:, chosen]
    start = np.random.default_rng(seed).standard_normal(n)
    try:
        top, perron = eigsh(gram, k=1, which="LA", v0=start)
        low, tail = eigsh(gram, k=dimension, which="SA", v0=start)
    except ArpackNoConvergence as error:
        raise InputError(f"hydra: {error}; lower dimension, or set a smaller diameter") from error
    order = np.argsort(low)
    return np.r_[top, low[order]], np.column_stack([perron, tail[:, order]])


def hydra(distances, dimension, *, isotropic=False, equiangular=0.0, seed=0):
    """Embed distances into the hyperboloid of curvature -1 with the least strain.

    The strain of points x_i is the squared difference between cosh(d_ij) and -<x_i, x_j>_L. Its
    minimiser over Minkowski space has as time coordinate the Perron vector of A = cosh(D), and as
    spatial coordinates the eigenvectors of the most negative eigenvalues, each times the root of
    the absolute eigenvalue [1]_. The points are then brought to the
    hyperboloid: the direction is kept, and the time coordinate becomes x_0 / min(1, min x_0),
    which is the radius sqrt((x_0 - m) / (x_0 + m)) in the Poincaré ball, m that minimum. Distances
    that come from points in hyperbolic space of that dimension are recovered exactly.

    `isotropic` takes the eigenvectors without their eigenvalues: less faithful, but evenly spread
    when one eigenvalue dominates. `equiangular` moves the angles of the plane this part of the way
    to equal spacing. A coordinate whose eigenvalue is not negative is zero.
    Shapes: `distances` (n, n); returns `points` (n, dimension + 1), `eigenvalues` (dimension +
    1,).

    Notes
    -----
    The authors' R package divides by min x_0 alone and by default stretches x_0 by 1.1 and, in
    two dimensions, adjusts angles; each of these can give up exact recovery.
    A point without direction (all its spatial coordinates vanish) is put at the origin.
    Memory O(n^2); time O(n^2) for each step of the Lanczos iteration.

    References
    ----------
    .. [1] M. Keller-Ressel and S. Nargang, Hydra: a method for strain-minimizing hyperbolic
       embedding of network- and distance-based data, Journal of Complex Networks 8(1), 2020,
       cnaa002, doi:10.1093/comnet/cnaa002, arXiv:1903.08977.
    """
    values, vectors = extreme_eigenpairs(np.cosh(distances), dimension, seed)
    time = np.abs(vectors[:, 0]) * np.sqrt(values[0])
    spatial = _signed(vectors[:, 1:])
    roots = np.sqrt(np.maximum(-values[1:], 0.0))
    spatial = spatial * ((roots > 0) if isotropic else roots)
    length = np.linalg.norm(spatial, axis=1, keepdims=True)
    has_direction = length > 1e-12 * max(1.0, length.max())
    direction = np.where(has_direction, spatial / np.where(has_direction, length, 1.0), 0.0)
    if equiangular > 0:
        direction = np.where(has_direction, _spread(direction, equiangular), 0.0)
    time = time / min(1.0, time.min())
    reach = np.sqrt(np.maximum(time**2 - 1.0, 0.0))[:, None]
    return lorentz.from_spatial(reach * direction), values


def _signed(vectors):
    """Fix the sign of each column: its largest entry is positive."""
    largest = np.take_along_axis(vectors, np.abs(vectors).argmax(axis=0)[None], axis=0)
    return vectors * np.where(largest < 0, -1.0, 1.0)


def _spread(direction, part):
    """Move the angles of unit vectors of the plane towards equal spacing."""
    angle = np.arctan2(direction[:, 1], direction[:, 0])
    rank = np.argsort(np.argsort(angle, kind="stable"), kind="stable")
    even = -np.pi + 2 * np.pi * rank / len(angle)
    angle = (1 - part) * angle + part * even
    return np.column_stack([np.cos(angle), np.sin(angle)])


def best_diameter(distances, dimension, seed, **options):
    """Choose the diameter of the data in hyperbolic units, by the least stress.

    Minimises over the diameter the relative stress sqrt(sum (e - d)^2 / sum d^2) between
    distances and embedded distances, on the log scale from 0.5 to 20 (a result next to a bound
    means that the data are close to flat, or to a tree); a coarse grid of 17 values brackets the
    minimum of a function that may have several. With more than 1000 rows, a sample of 1000
    represents all rows.

    Shapes: `distances` (n, n).
    """
    n = len(distances)
    unit = distances / distances.max()
    if n > _SEARCH_ROWS:
        rows = np.sort(np.random.default_rng(seed).choice(n, _SEARCH_ROWS, replace=False))
        unit = unit[np.ix_(rows, rows)]

    def stress(log_diameter):
        wanted = np.exp(log_diameter) * unit
        points, _ = hydra(wanted, dimension, seed=seed, **options)
        error = lorentz.pairwise_distances(points) - wanted
        return np.linalg.norm(error) / np.linalg.norm(wanted)

    grid = np.linspace(*np.log(DIAMETERS), 17)
    values = [stress(value) for value in grid]
    best = int(np.argmin(values))
    bounds = (grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)])
    found = minimize_scalar(stress, bounds=bounds, method="bounded", options={"xatol": 1e-4})
    return float(np.exp(found.x if found.fun < values[best] else grid[best]))
