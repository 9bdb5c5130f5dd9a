"""The soft margin as a problem: weights, normalisation, the range of radii."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import null_space
from scipy.optimize import brentq, linprog

from noneuclid.errors import InputError
from noneuclid.solvers.hilbert.problem import cone_over, power_of_two

NORMALIZATIONS = ("means", "axes", "paper")
_COINCIDE = 1e-9  # of the spread of the points


@dataclass(frozen=True)
class SoftProblem:
    """The points and one direction u.

    On a simplex coordinates are barycentric, else those of the cone with facet values B z.
    """

    # (n, m), facet values: Euclidean distances to the facets within the affine hull, each in units
    # of a power of two
    a: np.ndarray
    points: np.ndarray  # (n, k), in the coordinates; of height e·z = 1
    # (n,), the weight is 1 over the least distance, times the weight of the row over their mean
    signs: np.ndarray
    weights: np.ndarray
    B: np.ndarray | None  # (m, k), or None on a simplex; Orthonormal columns
    e: np.ndarray  # (k,)
    f: np.ndarray  # (m,), positive, with B'f = e
    back: np.ndarray  # (k, k), takes g in these coordinates to those of the cone
    pull: np.ndarray  # (k,); g is scaled so that pull·g = w·u = 1
    metric: str

    @property
    def rate(self):
        """The ball of radius r has a size e^(rate r)."""
        return 2.0 if self.metric == "hilbert" else 1.0

    def take(self, rows):
        """The problem of some rows, with the weights they have among all."""
        parts = {name: getattr(self, name)[rows] for name in ("a", "points", "signs", "weights")}
        return replace(self, **parts)


@dataclass(frozen=True)
class RadiusBounds:
    """Bounds of the weighted slack Ξ at one radius."""

    lower: float  # bounds of Ξ
    upper: float
    g: np.ndarray  # (k,), its slacks add up to `upper`
    slacks: np.ndarray  # (n,)
    # (n,); T of the dual solution behind `lower`: the dual variable of unit weight of a point p is
    # z = T p + y, and y <= T (ρ - 1) p in facet values (Funk: in height), ρ = e^(rate radius)
    sizes: np.ndarray
    resultant: Callable  # takes c (n,) to Σ c_i z_i (k,)
    # For a start on a simplex: (n,), masses of the dual solution, nan where unknown, and the last
    # width of the smoothing
    alpha: np.ndarray | None = None
    level: float = np.inf

    @classmethod
    def empty(cls, problem, load):
        """No dual solution and no function yet; Ξ >= 0 unless there is a load."""
        zeros = np.zeros(len(problem.signs))
        lower = -np.inf if load.any() else 0.0
        return cls(lower, np.inf, problem.pull, zeros, zeros, lambda c: 0.0 * problem.pull)

    def join(self, other):
        """The better of both bounds."""
        found = self
        if other.lower > self.lower:
            found = replace(
                found, lower=other.lower, sizes=other.sizes, resultant=other.resultant, alpha=None
            )
        if other.upper < self.upper:
            found = replace(found, upper=other.upper, g=other.g, slacks=other.slacks)
        return found


def problems(X, signs, A, b, E, f, metric, normalization, weights=None):
    """Cone over the polytope, and a problem for each direction of the normalisation.

    `weights` are those of the rows, > 0; None if all are equal.
    """
    cone = cone_over(A, b, E, f)
    within = null_space(np.asarray(E, dtype=float)) if len(E) else np.eye(X.shape[1])
    A, b = np.asarray(A, dtype=float), np.asarray(b, dtype=float)
    norms = np.linalg.norm(A @ within, axis=1)
    a = (X @ A.T + b) / norms
    _check(a, signs)
    shares = np.ones(len(X)) if weights is None else weights / weights.mean()
    weights, units = shares / a.min(axis=1), power_of_two(a.mean(axis=0))
    cone = cone.rescale(norms * units)
    M, a = cone.M, a / units
    if M.shape[0] == M.shape[1]:
        B, turn, e = None, M, np.ones(len(M))
        f = np.linalg.solve(M.T, cone.one)
        points, back = a * f, M.T * f
    else:
        B, turn = np.linalg.qr(M)
        e = np.linalg.solve(turn.T, cone.one)
        f, points, back = _express_one(B, e), a @ B, turn.T
    directions = _choose_directions(X, signs, shares, within, normalization)
    pulls = [back.T @ cone.basis.T @ np.r_[u, 0.0] for u in directions]
    return cone, [
        SoftProblem(a, points, signs, weights, B, e, f, back, pull, metric) for pull in pulls
    ]


def _check(a, signs):
    outside = np.flatnonzero(~(a > 0).all(axis=1))
    if len(outside):
        i = outside[0]
        j = np.nanargmin(a[i])
        raise InputError(
            f"row {i} is not inside the polytope: {a[i, j]:.3g} from facet {j}; move it inside"
        )
    if not (np.any(signs > 0) and np.any(signs < 0) and np.all(signs != 0)):
        raise InputError("signs must be 1 and -1, with points of each class")


def _choose_directions(X, signs, shares, within, normalization):
    """Vectors u of the normalisation w·u = 1, in the hull's directions."""
    if normalization == "means":
        ahead, behind = (
            np.average(X[rows], axis=0, weights=shares[rows]) for rows in (signs > 0, signs < 0)
        )
        u = ahead - behind
        if np.linalg.norm(u) <= _COINCIDE * np.ptp(X, axis=0).max():
            raise InputError("the class means coincide; use normalization='axes'")
        return [u / np.linalg.norm(u)]
    axes = within @ within.T
    if normalization == "axes":
        return [s * u / np.linalg.norm(u) for u in axes if u.any() for s in (1.0, -1.0)]
    if normalization != "paper":
        raise InputError(f"normalization={normalization!r} is not one of {NORMALIZATIONS}")
    u = axes.sum(axis=0)
    if np.linalg.norm(u) <= _COINCIDE:
        raise InputError("normalization='paper' is undefined where sum(x) is constant; use 'means'")
    return [u]


def _express_one(B, e):
    """Positive f with B'f = e: the affine function 1 as a combination of facets."""
    m = len(B)
    answer = linprog(
        np.r_[np.zeros(m), -1.0],
        A_ub=np.c_[-np.eye(m), np.ones(m)],
        b_ub=np.zeros(m),
        A_eq=np.c_[B.T, np.zeros(len(e))],
        b_eq=e,
    )
    if answer.x is None or not answer.x[-1] > 0:
        raise InputError("the polytope is empty or unbounded; add facets that bound it")
    return answer.x[:-1]


def draw_rows(problem, size):
    """About `size` rows, the heaviest of each class in them, and how much of Ξ each represents."""
    rng, weights = np.random.default_rng(0), problem.weights
    scale = brentq(lambda x: np.minimum(1.0, np.exp(x) * weights).sum() - size, *_scales(weights))
    shares = np.minimum(1.0, np.exp(scale) * weights)
    for sign in (1.0, -1.0):
        shares[np.where(problem.signs == sign, weights, 0.0).argmax()] = 1.0
    rows = np.flatnonzero(rng.random(len(weights)) < shares)
    return rows, weights[rows] / shares[rows]


def _scales(weights):
    """Logarithms between which all rows count as little, or as one each."""
    return -np.log(len(weights) * weights.max()) - 1.0, -np.log(weights.min()) + 1.0


def largest_radius(problem):
    """Largest margin that a pair of points of different classes allows, from above.

    Half of the longest distance (Hilbert). A hyperplane that cuts a chord of length 1 into u, t
    and v at p and q is at Funk distance log(1 + t) from both at most, reverse Funk -log(1 - t).
    """
    logs = np.log(problem.a)
    one, other = logs[problem.signs > 0], logs[problem.signs < 0]
    if problem.metric == "hilbert":
        reach = [
            (one - one[:, [j]]).max(axis=0) + (other[:, [j]] - other).max(axis=0)
            for j in range(logs.shape[1])
        ]
        return 0.25 * np.max(reach)
    there = np.max(one.max(axis=0) - other.min(axis=0))
    back = np.max(other.max(axis=0) - one.min(axis=0))
    u = np.exp(-there) * -np.expm1(-back) / -np.expm1(-there - back)
    v = np.exp(-back) * -np.expm1(-there) / -np.expm1(-there - back)
    return np.log(2.0 - u - v) if problem.metric == "funk" else -np.log(u + v)
