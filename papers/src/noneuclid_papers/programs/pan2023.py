"""Algorithms of pan2023 as published: Graham scan and Quickhull (2, 6, 7), gradient descent (3).

The last function is the bound of its table II.

`hulls.hull_vertices` gives the same vertices in any dimension, through Klein coordinates; these
algorithms are kept for comparison. Points of the disk are complex numbers inside: the direction of
log_a(b) is that of (-a) ⊕ b = (b - a) / (1 - conj(a) b).

The algorithms start from extreme points of the disk: the lowest (Algorithm 2), the leftmost and the
rightmost (Algorithm 6). A horizontal or vertical line is no geodesic, so these need not be
vertices: of a class in the upper half of the disk, the lowest point may lie inside the hull, and
directions may lie on both sides of the axis at which the sorted angles begin. In Klein coordinates
lines are geodesics and extreme points are vertices: start="corrected" takes them, and sorts around
the mean direction; "as_published" does neither.
"""

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.errors import InputError
from noneuclid.geometry import charts
from noneuclid.solvers.linear.liblinear import LinearSolution
from noneuclid.solvers.linear.sgd import DELAY, objective, run_steps
from noneuclid.solvers.perceptrons import mistake_bounds

RADIUS = 0.95  # R of section VI-A


def graham_scan(X, start="corrected"):
    """Vertices of the hyperbolic hull by Algorithm 2 of pan2023, in O(n log n).

    Unlike the published scan it leaves out points on an edge and copies of a vertex: it undoes all
    turns that are not to the left, not only turns to the right.

    Parameters
    ----------
    X : ndarray, shape (n, 2)
        In the unit Poincaré disk.
    start : {"corrected", "as_published"}

    Returns
    -------
    ndarray of int
        Counterclockwise from the start.

    Raises
    ------
    InputError
        If X is no table of points of the disk, or for another `start`.

    Examples
    --------
    >>> graham_scan(np.array([[0, 0], [0.5, 0], [0, 0.5], [-0.5, -0.5]]))
    array([3, 1, 2])
    """
    points, where = _prepared(X, start)
    first = np.lexsort((where.real, where.imag))[0]
    seen = _towards(points[first], points)
    others = np.flatnonzero(seen != 0)
    seen = seen[others]
    if start == "corrected":
        angle = np.angle(seen * np.conj((seen / np.abs(seen)).sum()))
    else:
        angle = np.angle(seen) % (2 * np.pi)
    # The nearer of two points in one direction comes first, and is undone by the farther.
    order = np.concatenate([[first], others[np.lexsort((np.abs(seen), angle))]])
    return order[_scan(points[order])]


def quickhull(X, start="corrected"):
    """Vertices of the hyperbolic hull by Algorithms 6 and 7 of pan2023, sorted.

    O(n log n) on average, O(n²) at worst; arguments and errors as for `graham_scan`.

    Examples
    --------
    >>> quickhull(np.array([[0, 0], [0.5, 0], [0, 0.5], [-0.5, -0.5]]))
    array([1, 2, 3])
    """
    points, where = _prepared(X, start)
    order = np.lexsort((where.imag, where.real))
    left, right = order[0], order[-1]
    found = {int(left), int(right)}
    if points[left] != points[right]:
        rows = np.arange(len(points))
        tasks = [(rows, left, right), (rows, right, left)]
        while tasks:
            tasks += _find_hull(points, *tasks.pop(), found)
    return np.array(sorted(found))


def _find_hull(points, rows, start, end, found):
    """Algorithm 7: add the farthest row left of the geodesic and return its two outer sides."""
    height = _height(points[start], points[end], points[rows])
    outside = height > 0
    outside &= (points[rows] != points[start]) & (points[rows] != points[end])
    if not outside.any():
        return []
    rows, height = rows[outside], height[outside]
    farthest = rows[height.argmax()]
    found.add(int(farthest))
    return [(rows, start, farthest), (rows, farthest, end)]


def _prepared(X, start):
    """Points as complex numbers, and the coordinates whose extremes start the algorithm."""
    X = np.asarray(X, dtype=float)
    charts.check_points(X, "poincare")
    if X.shape[1] != 2:
        raise InputError(f"the disk has 2 coordinates, got {X.shape[1]}; use hulls.hull_vertices")
    if start not in ("corrected", "as_published"):
        raise InputError(f"unknown start {start!r}; choose 'corrected' or 'as_published'")
    points = X[:, 0] + 1j * X[:, 1]
    if start == "as_published":
        return points, points
    klein = charts.convert(X, "poincare", "klein")
    return points, klein[:, 0] + 1j * klein[:, 1]


def _towards(a, b):
    """(-a) ⊕ b, in the direction of log_a(b)."""
    return (b - a) / (1 - np.conj(a) * b)


def _height(start, end, points):
    """Half the sinh of the signed distance of points from a geodesic, positive to its left."""
    end = _towards(start, end)
    seen = _towards(start, points) * np.conj(end) / np.abs(end)
    return seen.imag / (1 - np.abs(seen) ** 2)


@compile_cached
def _scan(points):
    """Places of the vertices among points sorted by their angle at the first of them."""
    n = len(points)
    stack = np.empty(n, dtype=np.int64)
    size = 0
    for k in range(n + 1):
        new = k % n  # the first point again at the end, which must not undo a hull of two
        while size > 1 + (k == n):
            a, b, c = points[stack[size - 2]], points[stack[size - 1]], points[new]
            u = (b - a) / (1 - np.conj(a) * b)
            v = (c - a) / (1 - np.conj(a) * c)
            if u.real * v.imag - u.imag * v.real > 0:
                break
            size -= 1
        if k < n:
            stack[size] = new
            size += 1
    return stack[:size]


def published_sgd(X, signs, C=1.0, tol=1e-3, max_iter=1000, seed=0, weights=None):
    """Algorithm 3: stochastic gradient descent that ends when f(w_t) - f(w_{t-1}) <= `tol`.

    That is at the first step that lowers the objective, far from the optimum; f costs O(n p) a
    step. Rows are drawn with replacement. `solvers.linear.sgd.sgd_svm` ends when it proves its gap.

    Parameters
    ----------
    X, signs, C, max_iter, seed, weights
        As for `sgd_svm`; weights are ours.
    tol : float
        ε.

    Returns
    -------
    LinearSolution
        `n_iter` counts steps; status "fell" or "max_iter".

    Examples
    --------
    >>> fit = published_sgd(np.array([[1.0], [-1.0], [0.2]]), np.array([1.0, -1.0, -1.0]))
    >>> fit.n_iter, fit.status
    (2, 'fell')
    """
    X, signs = np.ascontiguousarray(X), np.asarray(signs, dtype=float)
    rng, n = np.random.default_rng(seed), len(X)
    weights = np.ones(n) if weights is None else weights
    w, counts = np.zeros(X.shape[1]), np.zeros(n, dtype=np.int64)
    value, status, t = C * weights.sum(), "max_iter", 0
    while t < max_iter * n:
        run_steps(X, signs, weights, rng.integers(n, size=1), w, counts, n * C, t + DELAY)
        t, previous, value = t + 1, value, objective(X, signs, weights, w, C)
        if value - previous <= tol:
            status = "fell"
            break
    alpha = np.minimum(C, counts * (n * C / (t + DELAY))) * weights
    pull = X.T @ (alpha * signs)
    lower = max(0.0, alpha.sum() - 0.5 * (pull @ pull))
    warning = (
        f"SGD as published stopped after {t} steps, relative gap {(value - lower) / value:.1e}; "
        "take sgd_svm"
    )
    return LinearSolution(w, value, float(lower), t, status, warning)


def updates_bound(margin, fraction):
    """The bound of theorem IV.1 as in table II, where |p| is a `fraction` of R.

    Examples
    --------
    >>> round(updates_bound(1, 0.2))
    594
    """
    return mistake_bounds.poincare(RADIUS, fraction * RADIUS, margin)
