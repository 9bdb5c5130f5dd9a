"""Quadratic programs with many hinges in few variables, by an interior-point method."""

from functools import lru_cache

import numpy as np
from scipy.linalg.blas import ddot, dgemv

from noneuclid.compiled import compile_cached, copy_into, solve

_SHORT, _STUCK = 0.1, 1e-6  # steps
_CYCLE = 0.9  # a share of mu that no step took away
_LEAST_MU = 1e-20  # of complementarity, relative to the start: beyond it there are no digits left
_DIGITS = 1e-10  # of the value: a larger gap shows a start too far out
_LOOPS = 8  # up to this dimension plain loops are faster than BLAS and LAPACK


def solve_offset_svm(Z, offsets, weights, tol, max_iter):
    """Minimise ½|u|² + Σ_i weights_i max(0, offsets_i - z_i·u); see `solve_hinge_program`."""
    # Start from the best multiple of all weights.
    u = dgemv(1.0, Z.T, weights)
    u *= min(0.5, max(1e-3, ddot(weights, offsets) / max(ddot(u, u), 1e-300)))
    eye, zeros = _form(len(u))
    found = solve_hinge_program(Z, offsets, weights, eye, eye, zeros, u, tol, max_iter)
    lower, upper = found[2:4]
    true = _evaluate(Z, offsets, weights, found[0])
    if max(abs(upper - lower), abs(true - upper)) <= max(tol, _DIGITS * true):
        return found
    # Slacks from a start far out have lost their digits: `upper` is wrong, or even below `lower`.
    again = _solve_scaled(Z, offsets, weights, tol, max_iter)
    u = min(found[0], again[0], key=lambda u: _evaluate(Z, offsets, weights, u))
    _, alpha, lower, _, _ = max(found, again, key=lambda run: run[2])
    return u, alpha, lower, _evaluate(Z, offsets, weights, u), found[4] + again[4]


@compile_cached
def _evaluate(Z, offsets, weights, u):
    value = 0.5 * np.dot(u, u)
    along = np.dot(Z, u)
    for i in range(len(weights)):
        value += weights[i] * max(0.0, offsets[i] - along[i])
    return value


def _solve_scaled(Z, offsets, weights, tol, max_iter):
    """The same in units of the longest row, from u = 0: no digits are lost on the way in."""
    size = np.abs(Z).max() or 1.0
    eye, zeros = _form(Z.shape[1])
    B, inverse = eye / size**2, eye * size**2
    u, *rest = solve_hinge_program(
        Z / size, offsets, weights, B, inverse, zeros, zeros, tol, max_iter
    )
    return u / size, *rest


@lru_cache
def _form(d):
    """Identity and zeros."""
    return np.eye(d), np.zeros(d)


def solve_hinge_program(Z, offsets, weights, B, inverse, g, start, tol, max_iter):
    """Minimise ½ u·Bu + g·u + Σ_i weights_i max(0, offsets_i - z_i·u), B positive definite.

    Mehrotra's predictor-corrector method on this problem and its dual, max α·offsets - ½ r·B⁻¹r,
    r = Zᵀα - g, over 0 <= α <= weights. Every iterate is feasible for both (B u = r is met at the
    end), so `lower` and `upper` hold wherever it stops. O(n d² + d³) a step, 10 to 30 steps.

    All arrays are C-contiguous, weights are positive, `inverse` is B⁻¹, and `tol` is the wanted
    difference of both values.
    Returns u of value `upper`, α of value `lower`, lower, upper and the number of steps.
    """
    problem = Z, offsets, weights, B, inverse, g, start, tol, max_iter
    if len(start) > _LOOPS:
        try:
            return _iterate(*problem, True)
        except np.linalg.LinAlgError:
            pass  # no digits for LAPACK; elimination in loops goes on with what there is
    return _iterate(*problem, None)


@compile_cached
def _iterate(Z, offsets, weights, B, inverse, g, start, tol, max_iter, lapack):
    """Steps of `solve_hinge_program`; compiled without LAPACK where `lapack` is None."""
    (n, d), u = Z.shape, start.copy()
    # Slack x >= 0 and surplus s >= 0 with x - s = offsets - Z u, multipliers with α s = spare x.
    x, s, alpha, spare = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    _place(offsets, np.dot(Z, u), weights, x, s, alpha, spare)
    pull, push, ra, rx = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    da, ds, dx = np.zeros(n), np.zeros(n), np.zeros(n)
    off, goal = np.empty(d), np.empty(d)
    best_u, best_alpha = u.copy(), alpha.copy()
    lower, upper = -np.inf, np.inf
    n_iter, least, last = 0, 0.0, np.inf
    while True:
        resultant, pull_of_u = _combine(Z, alpha, lapack), _combine(B, u, lapack)
        for j in range(d):
            off[j] = resultant[j] - g[j]
        mu, dual = 0.0, -0.5 * np.dot(off, _combine(inverse, off, lapack))
        primal = 0.5 * np.dot(u, pull_of_u) + np.dot(g, u)
        for i in range(n):
            mu += alpha[i] * s[i] + spare[i] * x[i]
            dual += alpha[i] * offsets[i]
            primal += weights[i] * max(0.0, x[i] - s[i])
        mu /= 2 * n
        if dual > lower:
            lower = dual
            copy_into(alpha, best_alpha)
        if primal < upper:
            upper = primal
            copy_into(u, best_u)
        if n_iter == 0:
            least = _LEAST_MU * mu
        if upper - lower <= tol or n_iter == max_iter or not mu > least:
            break
        n_iter += 1
        for i in range(n):
            pull[i] = alpha[i] * spare[i] / (s[i] * spare[i] + x[i] * alpha[i])
        H = _normal_matrix(B, Z, pull, lapack)
        # Predictor, corrector; where that goes nowhere, or went round, a step to the middle.
        first = 2 if mu > _CYCLE * last else 0
        last = mu
        target = 0.2 * mu if first else 0.0
        step = 0.0
        du = off
        for phase in range(first, 3):
            if phase != 1:
                da[:] = 0.0
            for i in range(n):
                ra[i] = (target - da[i] * ds[i]) / alpha[i] - s[i]
                rx[i] = (target + da[i] * dx[i]) / spare[i] - x[i]
            for i in range(n):
                push[i] = pull[i] * (ra[i] - rx[i])
            pushed = _combine(Z, push, lapack)
            for j in range(d):
                goal[j] = pushed[j] + off[j] - pull_of_u[j]
            du = _solve(H, goal, lapack)
            along = np.dot(Z, du)
            shrink = 1.0  # the largest share of any positive number that a unit step takes away
            for i in range(n):
                da[i] = pull[i] * (ra[i] - rx[i] - along[i])
                ds[i] = ra[i] - s[i] * da[i] / alpha[i]
                dx[i] = rx[i] + x[i] * da[i] / spare[i]
                shrink = max(shrink, -da[i] / alpha[i], da[i] / spare[i])
                shrink = max(shrink, -ds[i] / s[i], -dx[i] / x[i])
            step = min(1.0, 0.995 / shrink)
            if phase == 0:
                after = 0.0
                for i in range(n):
                    after += (alpha[i] + da[i] / shrink) * (s[i] + ds[i] / shrink)
                    after += (spare[i] - da[i] / shrink) * (x[i] + dx[i] / shrink)
                target = mu * (after / (2 * n * mu)) ** 3
            elif step >= _SHORT:
                break
            else:
                target = 0.5 * mu
        if step < _STUCK:
            # Some pair is far off the central path: put every pair on it, α s = spare x = mu.
            along = np.dot(Z, u)
            for i in range(n):
                short = offsets[i] - along[i]
                pressed = weights[i] * short
                middle = np.hypot(2 * mu, pressed)
                larger = (2 * mu + abs(pressed) + middle) / (2 * weights[i])
                smaller = mu * larger / (weights[i] * larger - mu)
                x[i], s[i] = (larger, smaller) if short > 0.0 else (smaller, larger)
                alpha[i], spare[i] = mu / s[i], mu / x[i]
            continue
        for i in range(n):
            alpha[i] += step * da[i]
            spare[i] -= step * da[i]
            s[i] += step * ds[i]
            x[i] += step * dx[i]
        for j in range(d):
            u[j] += step * du[j]
    return best_u, best_alpha, lower, upper, n_iter


@compile_cached
def _place(offsets, along, weights, x, s, alpha, spare):
    """Slack, surplus and multipliers to begin with, at u from `along` = Z u."""
    n, total = len(x), 0.0
    for i in range(n):
        total += abs(offsets[i] - along[i])
    level = 0.1 * (total / n) + 1e-12
    for i in range(n):
        short = offsets[i] - along[i]
        x[i] = max(short, 0.0) + level
        s[i] = x[i] - short
        alpha[i] = weights[i] * x[i] / (s[i] + x[i])
        spare[i] = weights[i] - alpha[i]


@compile_cached
def _normal_matrix(B, Z, pull, lapack):
    """B + Zᵀ diag(pull) Z."""
    (n, d), H = Z.shape, B.copy()
    if lapack is None:
        for i in range(n):
            for j in range(d):
                product = pull[i] * Z[i, j]
                for k in range(j + 1):
                    H[j, k] += product * Z[i, k]
        for j in range(d):
            for k in range(j):
                H[k, j] = H[j, k]
    else:
        H += np.dot(Z.T, Z * pull.reshape(n, 1))
    return H


@compile_cached
def _combine(Z, weights, lapack):
    """Zᵀ weights."""
    if lapack is None:
        n, d = Z.shape
        total = np.zeros(d)
        for i in range(n):
            for j in range(d):
                total[j] += weights[i] * Z[i, j]
    else:
        total = np.dot(Z.T, weights)
    return total


@compile_cached
def _solve(H, b, lapack):
    """Solution of H x = b for positive definite H; Gauss elimination if small."""
    if lapack is None:
        d, A, x = len(b), H.copy(), b.copy()
        for j in range(d):
            for i in range(j + 1, d):
                factor = A[i, j] / A[j, j]
                for k in range(j + 1, d):
                    A[i, k] -= factor * A[j, k]
                x[i] -= factor * x[j]
        for i in range(d - 1, -1, -1):
            for k in range(i + 1, d):
                x[i] -= A[i, k] * x[k]
            x[i] /= A[i, i]
    else:
        x = solve(H, b)
    return x
