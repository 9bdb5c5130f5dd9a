"""Linear SVM without intercept whose points carry offsets, by an interior-point method."""

import numpy as np

from noneuclid.compiled import compile_cached

_SHORT, _STUCK = 0.1, 1e-6  # steps
_CYCLE = 0.9  # a share of mu that no step took away
_LEAST_MU = 1e-20  # of complementarity, relative to the start: beyond it there are no digits left
_LOOPS = 8  # up to this dimension plain loops beat BLAS and LAPACK


@compile_cached
def solve(Z, offsets, weights, tol, max_iter):
    """Minimise ½|u|² + Σ_i weights_i max(0, offsets_i - z_i·u).

    Mehrotra's predictor-corrector method on this problem and its dual, max α·offsets - ½|Zᵀα|²
    over 0 <= α <= weights. Every iterate is feasible for both (u = Zᵀα is met at the end), so that
    `lower` and `upper` hold wherever it stops. Cost: O(n d² + d³) a step, 10 to 30 steps.

    Parameters
    ----------
    Z : ndarray, shape (n, d)
        C-contiguous.
    offsets, weights : ndarray, shape (n,)
        Weights are positive.
    tol : float
        Wanted difference of the two values.
    max_iter : int

    Returns
    -------
    u : ndarray, shape (d,)
        Its value is `upper`.
    alpha : ndarray, shape (n,)
        Its value is `lower`.
    lower, upper : float
    n_iter : int

    Examples
    --------
    >>> u, alpha, _, _, _ = solve(np.array([[2.0]]), np.ones(1), np.ones(1), 1e-9, 50)
    >>> u.round(4), alpha.round(4)
    (array([0.5]), array([0.25]))
    """
    n = len(Z)
    # Start from the best multiple of all weights: slack x >= 0 and surplus s >= 0 with
    # x - s = offsets - Z u, and multipliers with alpha s = spare x.
    u = np.dot(Z.T, weights)
    u *= min(0.5, max(1e-3, np.dot(weights, offsets) / max(np.dot(u, u), 1e-300)))
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
        mu, dual, primal = 0.0, -0.5 * np.dot(resultant, resultant), 0.5 * np.dot(u, u)
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
        H = _normal_matrix(Z, pull)
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
            du = _solve(H, _combine(Z, pull * (ra - rx)) + resultant - u)
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
            # Some pair is far off the central path: start anew from u, as above.
            level = 2 * n * mu / weights.sum()
            short = offsets - np.dot(Z, u)
            x = np.maximum(short, 0.0) + level
            s = x - short
            alpha = weights * x / (s + x)
            spare = weights - alpha
            continue
        for i in range(n):
            alpha[i] += step * da[i]
            spare[i] -= step * da[i]
            s[i] += step * ds[i]
            x[i] += step * dx[i]
        u += step * du
    return best_u, best_alpha, lower, upper, n_iter


@compile_cached
def _normal_matrix(Z, pull):
    """I + Zᵀ diag(pull) Z."""
    n, d = Z.shape
    H = np.eye(d)
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
