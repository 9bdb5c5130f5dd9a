"""Strain-minimising embedding of distances into hyperbolic space: the mathematics of Hydra."""

import warnings
from contextlib import suppress
from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh
from scipy.optimize import minimize_scalar
from scipy.sparse.linalg import ArpackNoConvergence, eigsh

from noneuclid.embeddings.tied_eigenvalues import ROUNDING, is_cut, warn_of_cut
from noneuclid.errors import InputError
from noneuclid.geometry import lorentz

# Beyond 20, cosh squared leaves too few digits for the small eigenvalues.
DIAMETERS = (0.5, 20.0)
_DENSE_UP_TO = 200
_SEARCH_ROWS = 1000
# Eigenvalues beyond those taken, in which the end of a tie is sought.
_BEYOND = 10


class Strain(NamedTuple):
    """The points of least strain, and what places further ones against them.

    Attributes
    ----------
    points : ndarray, shape (n, d + 1)
    eigenvalues : ndarray, shape (d + 1,)
    weights : ndarray, shape (n, d + 1)
        Time and spatial coordinates of a point before it is brought to the hyperboloid are
        ``cosh(distances) @ weights``.
    least_time, least_length : float
        Divisor of the time coordinate; spatial length up to which a point has no direction.
    angles : ndarray, shape (n,), or None
        Directions in the plane before `equiangular` moves them, ascending.
    """

    points: np.ndarray
    eigenvalues: np.ndarray
    weights: np.ndarray
    least_time: float
    least_length: float
    angles: np.ndarray | None


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
        raise InputError(
            f"hydra: {error}; lower n_components, or set a smaller diameter"
        ) from error
    order = np.argsort(low)
    return np.r_[top, low[order]], np.column_stack([perron, tail[:, order]])


def warn_of_tie(distances, eigenvalues, seed, name):
    """Warn if the points of `hydra` depend on the order of the rows.

    Shapes: `distances` (n, n), `eigenvalues` (d + 1,), of `hydra`.
    """
    n, dimension = len(distances), len(eigenvalues) - 1
    if eigenvalues[-1] >= -ROUNDING * eigenvalues[0] or dimension == n - 1:
        return
    gram = np.cosh(distances)
    try:
        values = _lowest(gram, dimension + 1, seed)
    except ArpackNoConvergence as error:
        warnings.warn(f"{name}: not checked for equal eigenvalues: {error}", stacklevel=2)
        return
    if is_cut(values, dimension, eigenvalues[0]):
        # Many equal ones may not converge.
        with suppress(ArpackNoConvergence):
            values = _lowest(gram, dimension + _BEYOND, seed)
    warn_of_cut(values, dimension, eigenvalues[0], name)


def _lowest(gram, count, seed):
    """Eigenvalues of a symmetric matrix, ascending: all of a small one, else the lowest ones."""
    n = len(gram)
    if n <= _DENSE_UP_TO:
        return eigh(gram, eigvals_only=True)
    start = np.random.default_rng(seed).standard_normal(n)
    options = {"which": "SA", "v0": start, "return_eigenvectors": False}
    return np.sort(eigsh(gram, k=min(count, n - 1), **options))


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
    options = {"isotropic": isotropic, "equiangular": equiangular, "seed": seed}
    found = least_strain(distances, dimension, **options)
    return found.points, found.eigenvalues


def least_strain(distances, dimension, *, isotropic=False, equiangular=0.0, seed=0):
    """Embed distances as `hydra` does, and keep what `place` needs; returns a `Strain`.

    The eigenvectors v of A = cosh(D) have v = A v / lambda. The same formula with the row
    cosh(d) of a new point instead of a row of A continues them to that point. It is also the least
    strain of the new point alone: the minimiser of sum_j (cosh(d_j) + <x, x_j>_L)^2 over Minkowski
    space, the x_j fixed, which is the second stage of L-hydra [1]_.

    References
    ----------
    .. [1] M. Keller-Ressel and S. Nargang, Strain-minimizing hyperbolic network embeddings with
       landmarks, Journal of Complex Networks 11(1), 2023, arXiv:2207.06775.
    """
    values, vectors = extreme_eigenpairs(np.cosh(distances), dimension, seed)
    time = np.abs(vectors[:, 0]) * np.sqrt(values[0])
    vectors = np.column_stack([np.abs(vectors[:, 0]), _signed(vectors[:, 1:])])
    roots = np.sqrt(np.maximum(-values[1:], 0.0))
    # An eigenvalue that is rounding is no coordinate.
    known = values[1:] < -ROUNDING * values[0]
    factors = known if isotropic else roots
    spatial = vectors[:, 1:] * factors
    least_length = 1e-12 * max(1.0, np.linalg.norm(spatial, axis=1).max())
    direction, has_direction = _directions(spatial, least_length)
    angles = None
    if equiangular > 0:
        angles = _angles(direction)
        order = np.argsort(angles, kind="stable")
        rank = np.argsort(order, kind="stable")
        spread = _spread(angles, rank, len(rank), equiangular)
        direction, angles = np.where(has_direction, spread, 0.0), angles[order]
    least_time = min(1.0, time.min())
    points = _on_hyperboloid(time, direction, least_time)
    tail = np.where(known, factors / np.where(known, values[1:], 1.0), 0.0)
    weights = vectors * np.r_[1 / np.sqrt(values[0]), tail]
    return Strain(points, values, weights, float(least_time), float(least_length), angles)


def place(found, cosines, equiangular=0.0):
    """Place new points against those of `least_strain`, each alone.

    Shapes: `cosines` (m, n), the hyperbolic cosines of the distances; returns (m, d + 1).

    Examples
    --------
    >>> truth = lorentz.from_spatial([[0.0], [1.0], [2.0]])
    >>> found = least_strain(lorentz.pairwise_distances(truth), 1)
    >>> new = np.cosh(lorentz.pairwise_distances(lorentz.from_spatial([[1.5]]), truth))
    >>> bool(np.allclose(np.cosh(lorentz.pairwise_distances(place(found, new), found.points)), new))
    True
    """
    # Row by row, as a product of matrices rounds differently for one row and for many.
    raw = np.array([row @ found.weights for row in cosines])
    direction, has_direction = _directions(raw[:, 1:], found.least_length)
    if equiangular > 0:
        angles = _angles(direction)
        rank = _rank_among(found.angles, angles)
        spread = _spread(angles, rank, len(found.angles), equiangular)
        direction = np.where(has_direction, spread, 0.0)
    return _on_hyperboloid(raw[:, 0], direction, found.least_time)


def _on_hyperboloid(time, direction, least_time):
    """Points in given directions; the time coordinate gives the distance from the origin."""
    time = time / least_time
    reach = np.sqrt(np.maximum(time**2 - 1.0, 0.0))[:, None]
    return lorentz.from_spatial(reach * direction)


def _directions(spatial, least_length):
    """Unit vectors, and which rows have a direction; the others are zero."""
    length = np.linalg.norm(spatial, axis=1, keepdims=True)
    has_direction = length > least_length
    return np.where(
        has_direction, spatial / np.where(has_direction, length, 1.0), 0.0
    ), has_direction


def _signed(vectors):
    """Fix the sign of each column: its largest entry is positive."""
    largest = np.take_along_axis(vectors, np.abs(vectors).argmax(axis=0)[None], axis=0)
    return vectors * np.where(largest < 0, -1.0, 1.0)


def _angles(direction):
    """Angles of vectors of the plane."""
    return np.arctan2(direction[:, 1], direction[:, 0])


def _rank_among(angles, new):
    """Ranks of new angles among ascending ones, linear between neighbours around the circle.

    Examples
    --------
    >>> _rank_among(np.array([-1.0, 0.0, 2.0]), np.array([-1.0, 1.0, 2.0])).tolist()
    [0.0, 1.5, 2.0]
    """
    turn = 2 * np.pi
    around = np.concatenate([angles[-1:] - turn, angles, angles[:1] + turn])
    return np.interp(new, around, np.arange(-1.0, len(angles) + 1))


def _spread(angle, rank, count, part):
    """Unit vectors at angles moved this part of the way to the equal spacing of `count` ranks."""
    even = -np.pi + 2 * np.pi * rank / count
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
