"""Hyperboloid SVM by semidefinite relaxation, plain and robust."""

import math

import numpy as np
from scipy import sparse

from noneuclid.errors import InputError
from noneuclid.solvers.conic import programs
from noneuclid.solvers.hyperboloid.descent.projected_gradient import project
from noneuclid.solvers.hyperboloid.problem import (
    HINGE_SLOPE,
    Solution,
    objective,
    signed_rows,
    stated_gap,
    uncertainty,
)
from noneuclid.solvers.hyperboloid.relaxations.hinge_bound import hinge_bound

# Where a solution came from: extras["candidate"] counts in this order.
CANDIDATES = ("w", "eigenvector", "column", "gaussian")

_SQRT2 = math.sqrt(2.0)
_NEWTON_STEPS = 20  # of `_length`
# Objectives this near to each other, relative, are equal.
_EQUAL = 1e-6


def solve(
    points,
    signs,
    C,
    radius=0.0,
    draws=10,
    seed=0,
    conic_solver="clarabel",
    compare=None,
    weights=None,
    left_out=False,
):
    """Relax the products w wᵀ to a matrix W >= w wᵀ, and extract a hyperplane from (W, w).

    Minimise ½ tr(G W) + (C/√2) Σ q_i h_i over h_i >= 0, h_i >= 1 - (robust margin i), tr(G W) >= 0
    and [1 wᵀ; w W] positive semidefinite: eq. 8 of [1]_ with h = √2 ξ, and with `radius` > 0
    eq. 31, where auxiliary variables p >= |M_i w| carry the l1 norm.

    The bound holds but does not include the norm: W may be w wᵀ + a e eᵀ with e the time axis (if
    <w,w>_L > 0) or a space axis (if not), so that every w reaches tr(G W) = 0, its least value. The
    relaxation's value is thus (C/√2) min_w Σ q_i h_i, a linear program, and 0 for all separable
    data. Its solutions have that program's w, and any W >= w wᵀ with tr(G W) = 0.

    Candidates (appendix B.1), in the order of the authors' program: w; √λ u of the largest
    eigenvalue of W, with both signs, which the formula leaves open; the columns of W over the
    entries of w; `draws` draws of N(w, W - w wᵀ). One with <w,w>_L < 0 is moved to the nearest
    spacelike vector, or `left_out`. The best by the objective, its norm term included, is the
    solution, of equals the first.

    Parameters
    ----------
    points : ndarray, shape (n, d + 1)
        On the hyperboloid of curvature -1, time coordinate first.
    signs : ndarray, shape (n,)
        -1.0 or 1.0, both present.
    C : float > 0
    radius : float >= 0
        Of the uncertainty, see `problem.uncertainty`.
    draws : int >= 0
    seed : int
        Of the draws.
    conic_solver : {"clarabel", "mosek"}
    compare : callable, optional
        `compare(candidates, rows, weights)` gives the number of each candidate whose least is
        chosen; None is the objective.
    weights : ndarray, shape (n,), optional
        q > 0; None for ones.
    left_out : bool
        Whether candidates with <w,w>_L < 0 are.

    Returns
    -------
    Solution
        Of problem (7), or (30) with a radius. status: "solved" (the relaxation is), "poor
        rounding" if w = 0 has a lower objective and `compare` is None, else what the conic solver
        reports. lower_bound: by `hinge_bound`. extras: "relaxation", its value as the conic solver
        states it; "eta", `stated_gap` with it; "candidate", an index of `CANDIDATES`.

    Raises
    ------
    InputError
        If the conic solver ends without finite numbers, or all candidates are left out.

    Notes
    -----
    A step of the conic solver costs O(n d² + d⁶), with a radius O(n d³ + d⁶).

    References
    ----------
    .. [1] S. Yang, P. Liu, C. Pehlevan, Convex relaxation for solving large-margin classifiers
       in hyperbolic space, 2024. Differs in: the Jacobian (see `problem.jacobian`),
       w in units of the Euclidean SVM's length.

    Examples
    --------
    >>> x = np.array([[2**0.5, 1.0], [2**0.5, -1.0]])
    >>> fit = solve(x, np.array([1.0, -1.0]), C=10.0)
    >>> fit.status, bool(fit.w[1] > 0), fit.lower_bound
    ('solved', True, 0.0)
    """
    rows = signed_rows(points, signs)
    n, D = rows.shape
    moves = uncertainty(points, radius) if radius else np.empty((n, 0, D))
    shares = np.ones(n) if weights is None else weights
    unit = _length(rows, C, shares)
    program = _program(rows * unit, moves * unit, unit**2, C * HINGE_SLOPE * shares)
    result = programs.solve(*program, solver=conic_solver)
    candidates, kinds = _candidates(*_unpack(result.x, D, unit), draws, seed, left_out)
    if not len(candidates):
        lacks = "a candidate outside the light cone" if left_out else "numbers"
        raise InputError(
            f"the conic solver ended {result.status!r} without {lacks}; move far points closer"
        )
    if compare is None:
        values = _objectives(candidates, rows, moves, C * HINGE_SLOPE, shares)
    else:
        values = compare(candidates, rows, shares)
    best = values.argmin()
    value = objective(candidates[best], points, signs, C, radius=radius, weights=weights)
    alpha, beta = _multipliers(result.z, *moves.shape[:2])
    relaxation = result.objective
    at_zero = C * HINGE_SLOPE * shares.sum() if compare is None else np.inf
    status, warning = _verdict(result.status, value, at_zero)
    return Solution(
        candidates[best],
        value,
        status,
        result.iterations,
        hinge_bound(points, signs, C, alpha, value, radius, beta, weights),
        warning,
        {
            "relaxation": relaxation,
            "eta": stated_gap(candidates[best], points, signs, C, relaxation, weights),
            "candidate": int(kinds[best]),
        },
    )


def _verdict(conic_status, value, at_zero):
    """Status and warning of a rounding with objective `value`; w = 0 has `at_zero`."""
    if conic_status != "optimal":
        return conic_status, f"solver 'sdp': the conic solver ended {conic_status!r}"
    if value <= (1.0 + _EQUAL) * at_zero:
        return "solved", ""
    return "poor rounding", (
        f"solver 'sdp' found no hyperplane with an objective below {value:.3g}; w = 0 has "
        f"{at_zero:.3g}; use HyperboloidSVC(solver='optimal')"
    )


def _length(rows, C, weights):
    """Rough |w| of the Euclidean SVM with squared hinge, by Newton steps; 1 if that is zero."""
    w, ridge = np.zeros(rows.shape[1]), np.eye(rows.shape[1]) / (2.0 * C)
    for _ in range(_NEWTON_STEPS):
        inside = rows @ w < 1.0
        if not inside.any():
            break
        short = rows[inside]
        pull = weights[inside, None] * short
        w = np.linalg.solve(short.T @ pull + ridge, pull.sum(axis=0))
    return np.linalg.norm(w) or 1.0


def _program(rows, moves, norm_weight, hinge_weights):
    """The relaxation as a conic program; variables w, W (triangle by columns), h, p."""
    n, D = rows.shape
    flat = moves.reshape(-1, D)
    k = len(flat)
    i, j = _triangle(D)
    diagonal, metric = np.flatnonzero(i == j), _metric(D)
    h = D + len(i)
    p = h + n
    each, part, axis = np.arange(n), np.arange(k), np.arange(D)
    owner = np.repeat(each, moves.shape[1])
    trace = 2 * (n + k)

    def corner(row, column):
        return trace + 1 + column * (column + 1) // 2 + row

    # s = b - A x in this order: h; h + w·r - Σp - 1; p - M w; p + M w; tr(G W); [1 wᵀ; w W]
    blocks = [
        (each, h + each, -1.0),
        (n + each, h + each, -1.0),
        (n + each[:, None], axis, -rows),
        (n + owner, p + part, 1.0),
        (2 * n + part, p + part, -1.0),
        (2 * n + part[:, None], axis, flat),
        (2 * n + k + part, p + part, -1.0),
        (2 * n + k + part[:, None], axis, -flat),
        (trace, D + diagonal, -metric),
        (corner(0, axis + 1), axis, -_SQRT2),
        (corner(i + 1, j + 1), D + np.arange(len(i)), np.where(i == j, -1.0, -_SQRT2)),
    ]
    blocks = [[part.ravel() for part in np.broadcast_arrays(*block)] for block in blocks]
    row, column, entry = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    A = sparse.csc_matrix((entry, (row, column)), shape=(corner(0, D + 1), p + k))
    q, b = np.zeros(p + k), np.zeros(A.shape[0])
    q[D + diagonal] = 0.5 * norm_weight * metric
    q[h:p] = hinge_weights
    b[n : 2 * n] = -1.0
    b[trace + 1] = 1.0
    return None, q, A, b, [("nonnegative", trace + 1), ("psd", D + 1)]


def _triangle(D):
    """Row and column of the entries of an upper triangle, column by column."""
    column, row = np.tril_indices(D)
    return row, column


def _metric(D):
    return np.where(np.arange(D) == 0, -1.0, 1.0)


def _unpack(x, D, unit):
    """The pair (w, W) of a solution of `_program`."""
    i, j = _triangle(D)
    W = np.empty((D, D))
    W[i, j] = W[j, i] = x[D : D + len(i)]
    return unit * x[:D], unit**2 * W


def _multipliers(z, n, d):
    """Multipliers of the margins, and of the robust terms M_i w."""
    lower, upper = z[2 * n : 2 * n * (1 + d)].reshape(2, n, d)
    return z[n : 2 * n], lower - upper


def _candidates(w, W, draws, seed, left_out=False):
    """Feasible candidates and the index of their kind; those that are not finite are left out."""
    if not (np.isfinite(w).all() and np.isfinite(W).all()):
        return np.empty((0, len(w))), np.empty(0, dtype=int)
    values, vectors = np.linalg.eigh(W)
    top = math.sqrt(max(values[-1], 0.0)) * vectors[:, -1]
    values, vectors = np.linalg.eigh(W - np.outer(w, w))
    spread = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    # Turned with w: exchanged labels then give the mirrored draws.
    noise = math.copysign(1.0, w[0]) * np.random.default_rng(seed).normal(size=(draws, len(w)))
    used = w != 0.0
    groups = [w[None], [top, -top], W.T[used] / w[used, None], w + noise @ spread]
    kinds = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    candidates = np.vstack(groups)
    kept = np.isfinite(candidates).all(axis=1)
    if left_out:
        kept[kept] = (candidates[kept] ** 2) @ _metric(len(w)) >= 0.0
    return np.array([project(c) for c in candidates[kept]]), kinds[kept]


def _objectives(candidates, rows, moves, weight, shares):
    """Objective of each row of `candidates`."""
    margins = candidates @ rows.T
    for axis in range(moves.shape[1]):
        margins -= np.abs(candidates @ moves[:, axis].T)
    hinges = (shares * np.maximum(0.0, 1.0 - margins)).sum(axis=1)
    return 0.5 * (candidates**2) @ _metric(rows.shape[1]) + weight * hinges
