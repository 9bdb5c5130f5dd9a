"""Hard margin in a general polytope by row generation with a pool of multipliers."""

import numpy as np

from noneuclid.solvers.hilbert.problem import HilbertSolution, row_generation
from noneuclid.solvers.hilbert.separation import ball_rows, separate, touching_bound

_CHUNK = 10_000  # rows tested against the pool at once
_BATCH = 15


def polytope_margin(a, signs, cone, metric, tol=1e-6, max_iter=200):
    """Hyperplane of largest Hilbert or reverse Funk margin.

    The program with 2m multipliers for each ball is solved on a working set of rows. Its
    multipliers ν_i all represent the same g, so each bounds the distance of *every* point: Hilbert
    by ½ log(a(p)·ν⁺ / a(p)·ν⁻); reverse Funk, with g = ν·a + δ, by log(δ / a(p)·ν⁻). Only rows that
    no ν_i clears enter the set.

    With r rows in the set, a program has 2mr variables and r(k + 1) equations, k the dimension of
    the cone; the test of all points costs O(nmr) and O(nm) memory.
    """
    scale = a.mean(axis=0)
    M = cone.M / scale[:, None]
    cone = type(cone)(M, cone.one, cone.basis)
    lift = np.linalg.pinv(M)  # (k, m)

    def solve(rows, radius, weights):
        part = a[rows] / scale
        B, coefficients, free = ball_rows(metric, part, cone, radius)
        fit = separate(B, coefficients / weights[:, None], free, signs[rows])
        if fit.g is None:
            return None, np.inf
        bound = touching_bound(metric, part, signs[rows], cone, fit.touching)
        if fit.slack <= 1e-12:
            return None, bound
        return (fit.g, _pool(fit, signs[rows], cone, lift)), bound

    def measure(candidate):
        nu = candidate[1] / np.r_[scale, 1.0]
        parts = range(0, len(a), _CHUNK)
        proofs = [_proofs(metric, a[i : i + _CHUNK], signs[i : i + _CHUNK], nu) for i in parts]
        margins, denominators = np.hstack(proofs)
        return margins, margins.min(), denominators

    fit, radius, upper, n_iter, status, warning = row_generation(
        solve, measure, signs, tol, max_iter, _BATCH
    )
    w, c = cone.affine(fit[0]) if fit else (np.zeros(len(cone.basis) - 1), 0.0)
    return HilbertSolution(w, c, radius, radius, upper, n_iter, status, warning)


def _pool(fit, signs, cone, lift):
    """Rows (nu, delta) with Mᵀnu + delta·one = g exactly, one of each ball."""
    m = len(cone.M)
    y = signs[:, None] * fit.y
    nu = y[:, :m] - y[:, m : 2 * m]
    delta = y[:, 2 * m :].sum(axis=1)
    return np.c_[nu + (fit.g - nu @ cone.M - np.outer(delta, cone.one)) @ lift, delta]


def _proofs(metric, a, signs, pool):
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
