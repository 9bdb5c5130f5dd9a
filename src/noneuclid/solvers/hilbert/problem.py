"""Hilbert and Funk separation as a problem: the polytope as a cone, its metrics, its solutions.

With z = (x, 1) the facet values a(x) = A x + b are linear, M z, and an affine function
g(x) = w·x + c is a vector g. Distances depend on facet values only (Acharya et al. 2026, prop.
2.1): Funk(p, q) = max log a_i(p)/a_i(q), reverse Funk(p, q) = Funk(q, p), Hilbert is their mean.
The ball of radius r about p is {q : distance(p, q) <= r} for all three: the margin of the Funk
metrics is measured from the training point to the hyperplane.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import null_space

from noneuclid.errors import InputError
from noneuclid.solvers import progress

METRICS = ("hilbert", "funk", "reverse_funk")
_START = 0.01  # first radius tried
_LEAST = 1e-9  # margins below it are within the errors of the linear programs
_EVEN = 100.0
_PATIENCE = 4  # programs
_SPREAD = 1e-6  # of the weights: the LP solver refuses numbers beyond 1e15


@dataclass(frozen=True)
class HilbertSolution:
    """An affine function g(x) = w·x + c that separates two classes, and how good it is."""

    w: np.ndarray  # (d,)
    c: float
    # Margin reached, in units of the metric: the ball of this radius about every training point
    # lies on the point's side of g = 0 (hard margin)
    radius: float
    objective: float  # `radius` for the hard margin, radius - C·Ξ/n for the soft one
    # No g has a larger objective with a radius in `radii` and, for the soft margin, the scale of
    # its normalisation
    upper_bound: float
    n_iter: int  # linear programs solved
    # "optimal", "inseparable" (hard margin only: no margin above the tolerance), or "inaccurate"
    # with a `warning`
    status: str
    warning: str = ""
    # (m,), multipliers of the facets with g(x) = a(x)·nu, on the simplex
    nu: np.ndarray | None = None
    slacks: np.ndarray | None = None  # (n,), soft margin only
    radii: tuple[float, float] = (0.0, np.inf)  # the radii searched: all for the hard margin


@dataclass(frozen=True)
class Cone:
    """The cone over a polytope in coordinates z of its span: facet values M z, height one·z."""

    M: np.ndarray  # (m, k)
    one: np.ndarray  # (k,), the affine function 1
    basis: np.ndarray  # (d + 1, k), (w, c) = basis g

    def affine(self, g):
        """Coefficients w and c of the affine function g."""
        wc = self.basis @ g
        return wc[:-1], float(wc[-1])

    def rescale(self, units):
        """The cone with facet values in these units (m,), and even coordinates.

        Where the entries of M differ by decades from coordinate to coordinate (a box with widths of
        0.001 and 1000), the programs would lose the small ones. Factors are powers of two: exact.
        """
        M = self.M / units[:, None]
        sizes = power_of_two(np.abs(M).max(axis=0))
        return Cone(M / sizes, self.one / sizes, self.basis * sizes)


def cone_over(A, b, E, f):
    """Cone over {x : A x + b >= 0, E x + f = 0}."""
    A, E = np.asarray(A, dtype=float), np.asarray(E, dtype=float)
    flat = np.c_[E, np.asarray(f, dtype=float)]
    basis = null_space(flat) if len(flat) else np.eye(A.shape[1] + 1)
    return Cone(np.c_[A, b] @ basis, basis[-1], basis)


def power_of_two(sizes):
    """Powers of two near the sizes, or ones if the sizes differ by less than two decades."""
    if sizes.max() <= _EVEN * sizes.min():
        return np.ones_like(sizes)
    return np.exp2(np.round(np.log2(sizes)))


def is_simplex(A, b, E, f):
    """Whether the polytope is the probability simplex as `Polytope` writes it."""
    m = A.shape[1]
    return bool(
        np.array_equal(A, np.eye(m))
        and not b.any()
        and np.array_equal(E, np.ones((1, m)))
        and np.array_equal(f, [-1.0])
    )


def distances(metric, a, values, height=1.0):
    """Distance from points with facet values `a` to those with `values` / `height`, row by row.

    Both (n, m); the distance is inf where a value is negative.
    """
    inside = (values >= 0).all(axis=1)
    with np.errstate(divide="ignore"):
        log = np.log(a) - np.log(np.where(inside[:, None], values, 1.0))
    farthest, nearest = log.max(axis=1), log.min(axis=1)
    if metric == "hilbert":
        result = 0.5 * (farthest - nearest)
    else:
        level = np.log(height)
        result = level + farthest if metric == "funk" else -level - nearest
    return np.where(inside, result, np.inf)


def generate_rows(solve, measure, signs, tol, max_iter, batch):
    """Largest margin by Dinkelbach's method on a growing set of rows.

    Each program scales its rows by their denominators at the best candidate (Crouzeix, Ferland,
    Schaible 1985), which makes the sequence of radii converge superlinearly near the optimum. Far
    from it, with rows near facets, the denominators of one row differ by decades from candidate to
    candidate; then the candidates alternate and the radius creeps. So if the gap does not halve in
    `_PATIENCE` programs on the same rows, the radii between the bounds are bisected.

    `solve` maps (rows, radius, weights of the rows, whether to count its tolerances relative to the
    facet values) to a candidate that separates the balls of that radius about these rows, or None,
    and an upper bound on the margin. `measure` maps a candidate to the scores of all rows, smallest
    where the margin is, its margin, and the denominators. At most `batch` rows of each class enter
    at once. Returns candidate, radius, upper bound, n_iter, status and warning.
    """
    classes = [np.flatnonzero(signs > 0), np.flatnonzero(signs < 0)]
    rng = np.random.default_rng(0)
    work = [rng.permutation(members)[:batch] for members in classes]
    kept, best, upper, trial, weights = None, -np.inf, np.inf, _START, np.ones(len(signs))
    slow, bisect, waited, idle = False, False, 0, 0
    for n_iter in progress.bar(range(1, max_iter + 1), "linear program"):
        rows, before, wide = np.concatenate(work), (best, trial, upper), upper - max(best, 0.0)
        radius, scales = max(best, trial), weights[rows]
        if bisect:
            radius, scales = 0.5 * (max(best, 0.0) + upper), np.ones(len(rows))
        candidate, bound = solve(rows, radius, scales, slow)
        upper = min(upper, bound)
        if candidate is not None:
            scores, reached, denominators = measure(candidate)
            if kept is None or reached > best:
                kept, best = candidate, reached
                floor = _SPREAD * denominators.max()
                weights = np.maximum(denominators, floor) if reached > 0 else weights
            work = [_add_lowest(scores, *pair, batch) for pair in zip(work, classes, strict=True)]
        elif not bisect:
            trial /= 10.0
        gap = upper - max(best, 0.0)
        if gap <= tol:
            status = "optimal" if best > _LEAST else "inseparable"
            return kept, best, upper, n_iter, status, ""
        same = sum(map(len, work)) == len(rows)
        halved = gap <= 0.5 * wide
        waited = 0 if halved or not same else waited + 1
        idle = idle + 1 if same and (best, trial, upper) == before else 0
        if idle > 2:
            break
        slow = slow or idle > 0 or waited >= _PATIENCE
        bisect = slow and np.isfinite(upper) and not (bisect or halved)
    if kept is None:
        raise InputError(
            "the linear programs of the margin failed: a row is too near the boundary for float64; "
            "move it inside or enlarge the polytope"
        )
    cure = "raise max_iter" if n_iter == max_iter else "move rows away from the boundary"
    warning = f"Hilbert margin: gap {gap:.1e} left after {n_iter} linear programs; {cure}"
    return kept, best, upper, n_iter, "inaccurate", warning


def _add_lowest(scores, rows, members, batch):
    """`rows` and the members of the class with the smallest scores below all of theirs."""
    lower = members[scores[members] < scores[rows].min()]
    if len(lower) > batch:
        lower = lower[np.argpartition(scores[lower], batch)[:batch]]
    return np.append(rows, lower)
