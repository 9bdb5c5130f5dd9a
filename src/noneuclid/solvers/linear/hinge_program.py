"""Quadratic programs with many hinges in few variables, by an interior-point method."""

import numpy as np

from noneuclid.compiled import compile_cached

_SHORT, _STUCK = 0.1, 1e-6  # steps
_CYCLE = 0.9  # a share of mu that no step took away
_LEAST_MU = 1e-20  # of complementarity, relative to the start: beyond it there are no digits left
_LOOPS = 8  # up to this dimension plain loops beat BLAS and LAPACK


@compile_cached
def solve_offset_svm(Z, offsets, weights, tol, max_iter):
    """Minimise ½|u|² + Σ_i weights_i max(0, offsets_i - z_i·u); see `solve_hinge_program`."""
    # Start from the best multiple of all weights.
    u = np.dot(Z.T, weights)
    u *= min(0.5, max(1e-3, np.dot(weights, offsets) / max(np.dot(u, u), 1e-300)))
    eye = np.eye(len(u))
    return solve_hinge_program(Z, offsets, weights, eye, eye, np.zeros(len(u)), u, tol, max_iter)


@compile_cached
def solve_hinge_program(Z, offsets, weights, B, inverse, g, start, tol, max_iter):
    """Minimise ½ u·Bu + g·u + Σ_i weights_i max(0, offsets_i - z_i·u), B positive definite.

    Mehrotra's predictor-corrector method on this problem and its dual, max α·offsets - ½ r·B⁻¹r,
    r = Zᵀα - g, over 0 <= α <= weights. Every iterate is feasible for both (B u = r is met at the
    end), so `lower` and `upper` hold wherever it stops. O(n d² + d³) a step, 10 to 30 steps.

    All arrays are C-contiguous, weights are positive, `inverse` is B⁻¹, and `tol` is the wanted
    difference of both values.
    Returns u of value `upper`, α of value `lower`, lower, upper and the number of steps.
    """
    n, u = len(Z), start.copy()
    # Slack x >= 0 and surplus s >= 0 with x - s = offsets - Z u, multipliers with α s = spare x.
    short = offsets - np.dot(Z, u)
    level = 0.1 * np.abs(short).mean() + 1e-12
    x = np.maximum(short, 0.0) + level
    s = x - short
    alpha = weights * x / (s + x)
    spare = weights - alpha
    pull, ra, rx = np.empty(n), np.empty(n), np.empty(n)
    da, ds, dx = np.zeros(n), np.zeros(n), np.zeros(n)
    best_u, best_alpha = u.copy(), alpha.copy()
    lower, upper = -np.inf, np.inf
    n_iter, least, last = 0, 0.0, np.inf
    while True:
        resultant = _combine(Z, alpha)
        pull_of_u, off = _combine(B, u), resultant - g
        mu, dual = 0.0, -0.5 * np.dot(off, _combine(inverse, off))
        primal = 0.5 * np.dot(u, pull_of_u) + np.dot(g, u)
        for i in range(n):
            mu += alpha[i] * s[i] + spare[i] * x[i]
            dual += alpha[i] * offsets[i]
            primal += weights[i] * max(0.0, x[i] - s[i])
        mu /= 2 * n
        if dual > lower:
            lower = dual
            best_alpha[:] = alpha
        if primal < upper:
            upper = primal
            best_u[:] = u
        if n_iter == 0:
            least = _LEAST_MU * mu
        if upper - lower <= tol or n_iter == max_iter or not mu > least:
            break
        n_iter += 1
        for i in range(n):
            pull[i] = alpha[i] * spare[i] / (s[i] * spare[i] + x[i] * alpha[i])
        H = _normal_matrix(B, Z, pull)
        # Predictor, corrector; where that goes nowhere, or went round, a step to the middle.
        first = 2 if mu > _CYCLE * last else 0
        last = mu
        target = 0.2 * mu if first else 0.0
        step = 0.0
        for phase in range(first, 3):
            if phase != 1:
                da[:] = 0.0
            for i in range(n):
                ra[i] = (target - da[i] * ds[i]) / alpha[i] - s[i]
                rx[i] = (target + da[i] * dx[i]) / spare[i] - x[i]
            du = _solve(H, _combine(Z, pull * (ra - rx)) + off - pull_of_u)
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
            short = offsets - np.dot(Z, u)
            for i in range(n):
                pressed = weights[i] * short[i]
                middle = np.hypot(2 * mu, pressed)
                larger = (2 * mu + abs(pressed) + middle) / (2 * weights[i])
                smaller = mu * larger / (weights[i] * larger - mu)
                x[i], s[i] = (larger, smaller) if short[i] > 0.0 else (smaller, larger)
                alpha[i], spare[i] = mu / s[i], mu / x[i]
            continue
        for i in range(n):
            alpha[i] += step * da[i]
            spare[i] -= step * da[i]
            s[i] += step * ds[i]
            x[i] += step * dx[i]
        u += step * du
    return best_u, best_alpha, lower, upper, n_iter


@compile_cached
def _normal_matrix(B, Z, pull):
    """B + Zᵀ diag(pull) Z."""
    n, d = Z.shape
    H = B.copy()
    if d > _LOOPS:
        H += np.dot(Z.T, Z * pull.reshape(n, 1))
        return H
    for i in range(n):
        for j in range(d):
            product = pull[i] * Z[i, j]
            for k in range(j + 1):
                H[j, k] += product * Z[i, k]
    for j in range(d):
        for k in range(j):
            H[k, j] = H[j, k]
    return H


@compile_cached
def _combine(Z, weights):
    """Zᵀ weights."""
    n, d = Z.shape
    if d > _LOOPS:
        return np.dot(Z.T, weights)
    total = np.zeros(d)
    for i in range(n):
        for j in range(d):
            total[j] += weights[i] * Z[i, j]
    return total


@compile_cached
def _solve(H, b):
    """Solution of H x = b for positive definite H; Gauss elimination if small."""
    d = len(b)
    if d > _LOOPS:
        return np.linalg.solve(H, b)
    A, x = H.copy(), b.copy()
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
    return x
