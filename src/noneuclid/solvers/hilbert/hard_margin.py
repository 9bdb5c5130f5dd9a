"""Hard-margin separation in the Hilbert and Funk metrics of a polytope (Acharya et al. 2026)."""

from dataclasses import replace

import numpy as np

from noneuclid.errors import InputError
from noneuclid.solvers.hilbert.problem import (
    METRICS,
    HilbertSolution,
    cone_over,
    distances,
    generate_rows,
    is_simplex,
)
from noneuclid.solvers.hilbert.separation import ball_rows, separate, solve_program, touching_bound

_BATCH = 100
_CHUNK = 10_000  # rows tested against the pool at once
_POLYTOPE_BATCH = 15


def hard_margin(X, signs, A, b, E, f, metric="hilbert", tol=1e-6, max_iter=200):
    """Hyperplane with the largest metric ball about every training point on the point's side.

    The ball of radius r about p is {q : distance(p, q) <= r}. So for the asymmetric metrics the
    margin is measured from the training point to the hyperplane: Funk(p, q) = max_i log
    a_i(p)/a_i(q) for "funk", and Funk(q, p) for "reverse_funk".

    `status` is "inseparable" if no margin above `tol` exists, which `upper_bound` proves;
    `warning` names the gap if `max_iter` programs did not suffice. On the probability simplex (A =
    1, b = 0, E = 1ᵀ, f = -1) w = nu and c = 0.

    On the simplex (Hilbert) and for Funk one program in 2m variables serves all points; else each
    row of the working set has 2m multipliers of its own, and time grows with its size, some tens of
    rows for each dimension.
    """
    X, signs = np.asarray(X, dtype=float), np.asarray(signs, dtype=float)
    A, b, E, f = (np.asarray(part, dtype=float) for part in (A, b, E, f))
    if metric not in METRICS:
        raise InputError(f"metric {metric!r} is unknown; choose one of {', '.join(METRICS)}")
    if not (signs > 0).any() or not (signs < 0).any():
        raise InputError("all training rows have one sign; give rows of both classes")
    simplex = is_simplex(A, b, E, f)
    a = X if simplex else X @ A.T + b
    _require_inside(a)
    if simplex and metric == "hilbert":
        return separate_simplex(a, signs, tol, max_iter)
    cone = cone_over(A, b, E, f)
    if metric == "funk":
        fit = separate_funk(a, signs, cone, tol, max_iter)
    else:
        fit = separate_polytope(a, signs, cone, metric, tol, max_iter)
    nu = fit.w + fit.c
    return replace(fit, w=nu, c=0.0, nu=nu) if simplex else fit


def _require_inside(a):
    if not a.min() > 0:
        row, facet = np.unravel_index(np.argmin(np.where(np.isnan(a), -np.inf, a)), a.shape)
        raise InputError(
            f"row {row} is not strictly inside the polytope: facet {facet} has value "
            f"{a[row, facet]:.3g}; move it inside or enlarge the polytope"
        )


def separate_simplex(X, signs, tol=1e-6, max_iter=200):
    """Hyperplane ν·x = 0 of largest Hilbert margin on the simplex.

    There an affine function is ν·x, ν unique, so the distance of x to its hyperplane is
    ½ log(ν⁺·x / ν⁻·x), and the largest margin is half the Hilbert distance of the convex hulls of
    the classes: from below by Dinkelbach's method in the 2m variables ν⁺, ν⁻, from above by the
    hull points U, V that the multipliers of the rows weigh together.

    Time O(nm) and no copy of X for each linear program, whose rows are a few hundred of the n.
    """
    scale = X.mean(axis=0)

    def solve(rows, radius, weights, relative):
        part = X[rows] / (scale * weights[:, None])
        fit = _solve_simplex_program(part, signs[rows], np.exp(2 * radius))
        if fit.x is None:
            return None, np.inf
        shares = np.maximum(-fit.ineqlin.marginals, 0.0)  # hull points, whatever the LP's errors
        U, V = ((shares * (signs[rows] == sign) @ part)[None] for sign in (1, -1))
        bound = 0.5 * distances("hilbert", U, V)[0] if (U > 0).all() else np.inf
        nu = fit.x[: X.shape[1]] - fit.x[X.shape[1] : -1]
        return (nu / scale if -fit.fun > 1e-12 else None), bound

    def measure(nu):
        ahead, behind = (X @ np.maximum(np.c_[nu, -nu], 0.0)).T
        with np.errstate(divide="ignore"):
            margins = 0.5 * signs * (np.log(ahead) - np.log(behind))
        return margins, margins.min(), np.where(signs > 0, behind, ahead)

    nu, radius, upper, n_iter, status, warning = generate_rows(
        solve, measure, signs, tol, max_iter, _BATCH
    )
    nu = np.zeros(X.shape[1]) if nu is None else nu
    return HilbertSolution(nu, 0.0, radius, radius, upper, n_iter, status, warning, nu)


def _solve_simplex_program(X, signs, factor):
    """Maximise t: λ·x - factor μ·x >= t on one side, μ·x - factor λ·x >= t on the other."""
    positive = signs[:, None] > 0
    rows = np.hstack([np.where(positive, X, -factor * X), np.where(positive, -factor * X, X)])
    m = X.shape[1]
    return solve_program(
        np.r_[np.zeros(2 * m), -1.0],
        np.c_[-rows, np.ones(len(X))],
        np.zeros(len(X)),
        np.r_[np.ones(2 * m), 0.0][None],
        [1.0],
        [(0, None)] * (2 * m) + [(None, None)],
    )


def separate_funk(a, signs, cone, tol=1e-6, max_iter=200):
    """Hyperplane of largest Funk margin, measured from the points to the hyperplane.

    The ball about p is p + (1 - e^{-r})(Ω - p) (Acharya et al. 2026, eq. 4). Hence, for an affine h
    with 0 <= h <= 1 on Ω, it lies in h >= κ iff h(p) >= κ e^r, and in h <= κ iff 1 - h(p) >= (1 -
    κ) e^r: the largest e^r is max over h of min h + min (1 - h), each over its class. With h = λ·a
    and 1 - h = μ·a, λ, μ >= 0, this is a linear program in 2m variables and n rows, of which few
    matter. No margin exceeds log 2.

    Time O(nm) for each linear program, beside a few hundred of its rows.
    """
    scale = a.mean(axis=0)
    plain, cone = cone, cone.rescale(scale)
    M = cone.M
    lift = np.linalg.pinv(M)

    def solve(rows, radius, weights, relative):
        part = a[rows] / scale
        fit = _solve_funk_program(part, signs[rows], M, cone.one)
        if fit.x is None:
            return None, np.inf
        shares = np.maximum(-fit.ineqlin.marginals, 0.0)  # hull points, whatever the LP's errors
        U, V = (shares * (signs[rows] == sign) for sign in (1, -1))
        q = -fit.eqlin.marginals
        hulls = np.array([U / U.sum(), V / V.sum()]) @ part
        bound = distances("funk", hulls, np.tile(M @ q, (2, 1)), cone.one @ q).max()
        lam, mu = np.maximum(fit.x[: 2 * len(M)], 0.0).reshape(2, -1)
        mu += (cone.one - (lam + mu) @ M) @ lift
        return (lam / scale, mu / scale), bound

    def measure(candidate):
        lam, mu = candidate
        scores = np.where(signs > 0, a @ lam, a @ mu)
        least = [scores[signs == sign].min() for sign in (1, -1)]
        return scores, np.log(sum(least)), np.ones(len(a))

    (lam, _), *result = generate_rows(solve, measure, signs, tol, max_iter, _BATCH)
    h = a @ lam
    least, most = h[signs > 0].min(), h[signs < 0].max()
    w, c = plain.affine(lam @ plain.M - least / (1.0 + least - most) * plain.one)
    return HilbertSolution(w, c, result[0], *result)


def _solve_funk_program(a, signs, M, one):
    """Maximise α + β: a·λ >= α on one side, a·μ >= β on the other, Mᵀ(λ + μ) = one."""
    m = a.shape[1]
    positive = signs[:, None] > 0
    side = np.hstack([positive, ~positive]).astype(float)
    rows = np.hstack([-a * positive, -a * ~positive, side])
    return solve_program(
        np.r_[np.zeros(2 * m), -1.0, -1.0],
        rows,
        np.zeros(len(a)),
        np.hstack([M.T, M.T, np.zeros((len(one), 2))]),
        one,
        [(0, None)] * (2 * m) + [(None, None)] * 2,
    )


def separate_polytope(a, signs, cone, metric, tol=1e-6, max_iter=200):
    """Hyperplane of largest Hilbert or reverse Funk margin.

    The program with 2m multipliers for each ball is solved on a working set of rows. Its
    multipliers ν_i all represent the same g, so each bounds the distance of *every* point: Hilbert
    by ½ log(a(p)·ν⁺ / a(p)·ν⁻); reverse Funk, with g = ν·a + δ, by log(δ / a(p)·ν⁻). Only rows that
    no ν_i clears enter the set.

    With r rows in the set, a program has 2mr variables and r(k + 1) equations, k the dimension of
    the cone; the test of all points costs O(nmr) and O(nm) memory.
    """
    scale = a.mean(axis=0)
    cone = cone.rescale(scale)
    M = cone.M
    lift = np.linalg.pinv(M)  # (k, m)

    def solve(rows, radius, weights, relative):
        part = a[rows] / scale
        B, coefficients, free = ball_rows(metric, part, cone, radius)
        scales = _facet_scales(metric, part) if relative else None
        fit = separate(B, coefficients / weights[:, None], free, signs[rows], scales=scales)
        if fit.g is None:
            return None, np.inf
        bound = touching_bound(metric, part, signs[rows], cone, fit.touching)
        if fit.slack <= 1e-12:
            return None, bound
        return (fit.g, _collect_multipliers(fit, signs[rows], cone, lift)), bound

    def measure(candidate):
        nu = candidate[1] / np.r_[scale, 1.0]
        parts = range(0, len(a), _CHUNK)
        proofs = [
            _prove_margins(metric, a[i : i + _CHUNK], signs[i : i + _CHUNK], nu) for i in parts
        ]
        margins, denominators = np.hstack(proofs)
        return margins, margins.min(), denominators

    fit, radius, upper, n_iter, status, warning = generate_rows(
        solve, measure, signs, tol, max_iter, _POLYTOPE_BATCH
    )
    w, c = cone.affine(fit[0]) if fit else (np.zeros(len(cone.basis) - 1), 0.0)
    return HilbertSolution(w, c, radius, radius, upper, n_iter, status, warning)


def _facet_scales(metric, a):
    """Powers of two near the facet values, for each multiplier of `ball_rows`."""
    near = np.exp2(np.round(np.log2(a)))
    return np.c_[near, near] if metric == "hilbert" else np.c_[near, near, np.ones(len(a))]


def _collect_multipliers(fit, signs, cone, lift):
    """Rows (nu, delta) with Mᵀnu + delta·one = g exactly, one of each ball."""
    m = len(cone.M)
    y = signs[:, None] * fit.y
    nu = y[:, :m] - y[:, m : 2 * m]
    delta = y[:, 2 * m :].sum(axis=1)
    return np.c_[nu + (fit.g - nu @ cone.M - np.outer(delta, cone.one)) @ lift, delta]


def _prove_margins(metric, a, signs, pool):
    """Best lower bound of each signed distance that the pool proves, and its denominator."""
    margins, denominators = np.empty(len(a)), np.empty(len(a))
    for sign in (1.0, -1.0):
        rows = np.flatnonzero(signs == sign)
        nu, delta = sign * pool[:, :-1], sign * pool[:, -1]
        below = a[rows] @ np.maximum(-nu, 0.0).T
        above = delta if metric == "reverse_funk" else a[rows] @ np.maximum(nu, 0.0).T
        with np.errstate(divide="ignore", invalid="ignore"):
            logs = np.where(above > 0, np.log(above / below), -np.inf)
        best = logs.argmax(axis=1)[:, None]
        denominators[rows] = np.take_along_axis(below, best, axis=1)[:, 0]
        margins[rows] = np.take_along_axis(logs, best, axis=1)[:, 0]
    return margins * (0.5 if metric == "hilbert" else 1.0), denominators
