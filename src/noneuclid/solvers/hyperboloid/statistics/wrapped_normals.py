"""Wrapped normal distributions on the hyperboloid, and mixtures of them, by moments and EM.

A wrapped normal is the image of N(0, S) in the tangent space at its mean under the exponential map
(Nagano, Yamaguchi, Fujita and Koyama, ICML 2019). Its logarithm at the point of tangent vector v,
r = |v|, is log N(v; 0, S) - (d - 1) log(sinh r / r). Curvature -1.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import logsumexp

from noneuclid.geometry.distance_kernels import psi
from noneuclid.geometry.means import mean_and_covariance
from noneuclid.geometry.normal_coordinates import radial_frame, seen_from, to_vectors
from noneuclid.solvers.hyperboloid.statistics.lloyd import nearest_centre

_BLOCK = 2**14  # rows
# Condition number from which a covariance counts as singular.
_SINGULAR = 1e14
# `reg_param` that follows "auto".
_LEAST = 0.001


@dataclass(frozen=True)
class WrappedNormal:
    """A wrapped normal distribution.

    Attributes
    ----------
    mean : ndarray, shape (d + 1,)
    covariance : ndarray, shape (d, d)
        In the frame of `tangent` at the mean.
    """

    mean: np.ndarray
    covariance: np.ndarray

    @cached_property
    def _axes(self):
        """Radial frame, matrix that whitens vectors in it, logarithm of the constant."""
        frame = radial_frame(self.mean)
        lower = np.linalg.cholesky(frame.T @ self.covariance @ frame)
        d = len(lower)
        whitener = np.linalg.inv(lower).T
        return frame, whitener, -np.log(lower.diagonal()).sum() - d / 2 * np.log(2 * np.pi)

    def log_density(self, points):
        """Logarithm of the density with respect to hyperbolic volume, (n,); O(n d²).

        Examples
        --------
        >>> normal = WrappedNormal(np.array([1.0, 0.0]), np.eye(1))
        >>> normal.log_density(np.array([[1.0, 0.0]])).round(6)
        array([-0.918939])
        """
        frame, whitener, constant = self._axes
        found = np.empty(len(points))
        for start in range(0, len(points), _BLOCK):
            rows = slice(start, start + _BLOCK)
            vectors, shrunk = to_vectors(*seen_from(points[rows], self.mean, frame))
            white = vectors @ whitener
            shrunk *= len(whitener) - 1
            found[rows] = shrunk - np.einsum("ij,ij->i", white, white) / 2 + constant
        return found


@dataclass(frozen=True)
class MixtureFit:
    """Mixtures of wrapped normals, one for each class.

    Attributes
    ----------
    normals : list of list of WrappedNormal
        Components of each class.
    shares : list of ndarray
        Weights of the components of each class; they sum to 1.
    log_likelihood : float
        Mean over the rows, given their class; nan where every class has one component.
    n_iter : int
        1 where every class has one component, which needs no iteration.
    change : float
        Of the log-likelihood in the last iteration; 0 if n_iter is 1.
    singular : int or None
        First class with a singular covariance. All else is then without meaning.
    """

    normals: list
    shares: list
    log_likelihood: float
    n_iter: int
    change: float
    singular: int | None = None


class HyperboloidGeometry:
    """What mixtures need of the hyperboloid; `ProductGeometry` has the same."""

    moments = staticmethod(mean_and_covariance)
    normal = WrappedNormal

    @staticmethod
    def distances(points, others):
        """Of all pairs, (n, m)."""
        return psi(points, others, "laplace")

    @staticmethod
    def nearest(points, others):
        """Number of the nearest of the others, (n,)."""
        return nearest_centre(points, others)[0]


def fit_mixtures(
    groups, weights, counts, reg_param, max_iter, tol, rng, geometry=HyperboloidGeometry
):
    """Fit a mixture to each group of points by EM.

    The M step takes the Fréchet mean and the covariance there, the moments of the weighted points,
    shrunk by `shrink`. It is exact up to the choice of the mean, so the likelihood may fall by a
    little between iterations. All groups are iterated together, because they share the variance to
    which covariances are shrunk.

    Parameters
    ----------
    groups : list of ndarray, shape (n_k, d + 1)
    weights : list of ndarray, shape (n_k,), or None
    counts : list of int
        Components of each group.
    reg_param : float or "auto"
    max_iter : int
    tol : float
        Change of the mean log-likelihood at which the iteration ends.
    rng : RandomState
        Draws the first centres.
    geometry : HyperboloidGeometry or ProductGeometry

    Returns
    -------
    MixtureFit
    """
    weights = weights or [None] * len(groups)
    parts = [
        None if m == 1 else nearest_seed(p, draw_seeds(p, w, m, rng, geometry), geometry)
        for p, w, m in zip(groups, weights, counts, strict=True)
    ]
    normals = [[None] * m for m in counts]
    value, change = -np.inf, 0.0
    for n_iter in range(1, max_iter + 1):
        normals, shares, singular = _maximise(groups, weights, parts, normals, reg_param, geometry)
        if singular is not None:
            return MixtureFit(normals, shares, value, n_iter, np.inf, singular)
        if max(counts) == 1:
            return MixtureFit(normals, shares, np.nan, n_iter, change)
        before, (parts, value) = value, _expect(groups, weights, normals, shares)
        change = abs(value - before)
        if change <= tol:
            break
    return MixtureFit(normals, shares, value, n_iter, change)


def log_mixture(points, normals, shares):
    """Logarithm of share times density of each component, (n, m)."""
    with np.errstate(divide="ignore"):
        logs = np.log(shares)
    return np.column_stack(
        [normal.log_density(points) + log for normal, log in zip(normals, logs, strict=True)]
    )


def shrink(covariances, masses, reg_param):
    """(1 - reg_param) S + reg_param s² I, with s² the mean variance of all components.

    s² is the trace of the covariances, averaged over rows and dimensions. Isometries do not change
    it, and it scales as the data. "auto" shrinks each S by `oracle_shrunk`, then all with
    `_LEAST`, because components of equal points have no variance of their own.

    Examples
    --------
    >>> shrink([np.eye(1), 3 * np.eye(1)], [1.0, 1.0], 0.5)
    [array([[1.5]]), array([[2.5]])]
    """
    if reg_param == "auto":
        pairs = zip(covariances, masses, strict=True)
        covariances, reg_param = [oracle_shrunk(s, mass) for s, mass in pairs], _LEAST
    d = len(covariances[0])
    variance = np.average([np.trace(s) / d for s in covariances], weights=masses)
    return [(1 - reg_param) * s + reg_param * variance * np.eye(d) for s in covariances]


def oracle_shrunk(covariance, mass):
    """(1 - δ) S + δ (tr S / d) I, δ by oracle approximating shrinkage for n normal rows.

    δ = (tr S² + tr² S - 2 tr S² / d) / ((n + 1 - 2 / d) (tr S² - tr² S / d)), at most 1: equation
    23 of Chen, Wiesel, Eldar and Hero, IEEE Transactions on Signal Processing 58, 2010. It grows
    with d / n, and it is 1 for S proportional to I.

    Examples
    --------
    >>> oracle_shrunk(np.diag([1.0, 3.0]), 100.0)
    array([[1.08, 0.  ],
           [0.  , 2.92]])
    """
    d, trace = len(covariance), np.trace(covariance)
    square = np.square(covariance).sum()
    above = (1 - 2 / d) * square + trace**2
    below = (mass + 1 - 2 / d) * (square - trace**2 / d)
    delta = 1.0 if below <= above else above / below
    return (1 - delta) * covariance + delta * trace / d * np.eye(d)


def draw_seeds(points, weights, count, rng, geometry=HyperboloidGeometry):
    """Centres by greedy k-means++ with distances of the space, shape (count, d + 1).

    Each centre is the best of 2 + log(count) rows, drawn with probability proportional to weight
    times squared distance from the centres before (Arthur and Vassilvitskii, SODA 2007).
    """
    weights = np.ones(len(points)) if weights is None else weights
    nearest, chance = np.full(len(points), np.inf), weights
    seeds = []
    for _ in range(count):
        total = np.cumsum(chance)
        draws = rng.uniform(size=2 + int(np.log(count))) * total[-1]
        rows = np.minimum(np.searchsorted(total, draws, side="right"), len(points) - 1)
        squares = np.square(geometry.distances(points, points[rows]))
        tries = np.minimum(nearest[:, None], squares, out=squares)
        best = int(np.argmin(weights @ tries))
        seeds.append(points[rows[best]])
        nearest = tries[:, best]
        chance = weights * nearest
    return np.array(seeds)


def nearest_seed(points, seeds, geometry=HyperboloidGeometry):
    """One for the nearest seed of each point and zero for the others, shape (n, count)."""
    return np.eye(len(seeds))[geometry.nearest(points, seeds)]


def _maximise(groups, weights, parts, before, reg_param, geometry):
    """Components and shares from the parts of each row, and the first singular group."""
    found, masses, places = [], [], []
    shares = []
    for k, (points, w, part) in enumerate(zip(groups, weights, parts, strict=True)):
        held = _weigh(part, w)
        mass = np.array([len(points) if h is None else h.sum() for h in held])
        shares.append(mass / mass.sum())
        for j in range(len(mass)):
            old = before[k][j]
            if mass[j] > 0:
                start = None if old is None else old.mean
                found.append(geometry.moments(points, held[j], start))
            else:  # nothing is near it any more; its share is 0
                found.append((old.mean, old.covariance))
            masses.append(mass[j])
            places.append((k, j))
    covariances = shrink([s for _, s in found], masses, reg_param)
    normals = [[None] * len(s) for s in shares]
    conditions = np.linalg.cond(np.array(covariances))
    normals_of = zip(places, found, covariances, conditions, strict=True)
    for (k, j), (mean, _), covariance, condition in normals_of:
        if not condition < _SINGULAR:
            return normals, shares, k
        normals[k][j] = geometry.normal(mean, covariance)
    return normals, shares, None


def _weigh(part, weights):
    """Weights of the rows for each component; None for ones."""
    if part is None:
        return [weights]
    return list(part.T if weights is None else part.T * weights)


def _expect(groups, weights, normals, shares):
    """Parts of each row, and the mean log-likelihood."""
    parts, total, mass = [], 0.0, 0.0
    for points, w, several, share in zip(groups, weights, normals, shares, strict=True):
        logs = log_mixture(points, several, share)
        sums = logsumexp(logs, axis=1)
        parts.append(None if len(share) == 1 else np.exp(logs - sums[:, None]))
        total += sums.sum() if w is None else w @ sums
        mass += len(sums) if w is None else w.sum()
    return parts, total / mass
