"""The hinge programs of `hinge_program` where the rows are so long that doubles lose all digits.

The resultant Zᵀα of rows of length 1e13 has to cancel to the length of u, 1e-13 or so: rows,
multipliers, u and the normal matrix have 106 bits here; slacks and steps are doubles, and what they
lose is corrected in the next step.
"""

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.solvers.linear.double_double import dot, multiply_exactly, over, plus, times

_SHORT, _STUCK = 0.1, 1e-6  # steps
_CYCLE = 0.9  # a share of mu that no step took away
_LEAST_MU = 1e-30  # of complementarity, relative to the value at 0: beyond, no digits are left


@compile_cached
def solve_long_svm(Z, offsets, weights, tol, max_iter):
    """Minimise ½|u|² + Σ_i weights_i max(0, offsets_i - z_i·u) as `solve_hinge_program` does.

    Z, offsets, the returned u of value `upper` and α of value `lower` are double-doubles, complex.
    Returns u, α, lower, upper and the number of steps.
    """
    n, d = Z.shape
    u, alpha = np.zeros(d, np.complex128), np.zeros(n, np.complex128)
    x, s, spare, short = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    pull, push, ra, rx = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    da, ds, dx, along = np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n)
    off, goal = np.empty(d, np.complex128), np.empty(d, np.complex128)
    # All pairs start on the central path, with slack and surplus as long as any row can have them.
    longest, most = 0.0, 0.0
    for i in range(n):
        longest = max(longest, dot(Z[i], Z[i]).real)
        most += weights[i] * max(0.0, offsets[i].real)
    level = 1.0 + np.sqrt(2.0 * most * longest)
    for i in range(n):
        x[i] = s[i] = level
        alpha[i] = 0.5 * weights[i]
        spare[i] = 0.5 * weights[i]
    best_u, best_alpha = u.copy(), alpha.copy()
    lower, upper = -np.inf, np.inf
    n_iter, least, last = 0, _LEAST_MU * most, np.inf
    while True:
        mu, dual, primal = 0.0, complex(0.0, 0.0), 0.5 * dot(u, u).real
        for j in range(d):
            off[j] = complex(0.0, 0.0)
        for i in range(n):
            for j in range(d):
                off[j] = plus(off[j], times(alpha[i], Z[i, j]))
            short[i] = plus(offsets[i], -dot(Z[i], u)).real
            mu += (alpha[i].real * s[i] + spare[i] * x[i]) / (2 * n)
            dual = plus(dual, times(alpha[i], offsets[i]))
            primal += weights[i] * max(0.0, short[i])
        bound = dual.real - 0.5 * dot(off, off).real
        if bound > lower:
            lower = bound
            best_alpha[:] = alpha
        if primal < upper:
            upper = primal
            best_u[:] = u
        if upper - lower <= tol or n_iter == max_iter or not mu > least:
            break
        n_iter += 1
        for i in range(n):
            pull[i] = alpha[i].real * spare[i] / (s[i] * spare[i] + x[i] * alpha[i].real)
        factors = _factorise(Z, pull)
        first = 2 if mu > _CYCLE * last else 0
        last = mu
        target = 0.2 * mu if first else 0.0
        step = 0.0
        du = off
        for phase in range(first, 3):
            if phase != 1:
                da[:] = 0.0
            for j in range(d):
                goal[j] = plus(off[j], -u[j])
            for i in range(n):
                ra[i] = (target - da[i] * ds[i]) / alpha[i].real - s[i]
                rx[i] = (target + da[i] * dx[i]) / spare[i] - x[i]
                # What rounding has left between slack, surplus and u is made up here.
                push[i] = ra[i] - rx[i] + (short[i] - (x[i] - s[i]))
                pushed = complex(pull[i] * push[i], 0.0)
                for j in range(d):
                    goal[j] = plus(goal[j], times(pushed, Z[i, j]))
            du = _substitute(factors, goal)
            shrink = 1.0  # the largest share of any positive number that a unit step takes away
            for i in range(n):
                along[i] = dot(Z[i], du).real
                da[i] = pull[i] * (push[i] - along[i])
                ds[i] = ra[i] - s[i] * da[i] / alpha[i].real
                dx[i] = rx[i] + x[i] * da[i] / spare[i]
                shrink = max(shrink, -da[i] / alpha[i].real, da[i] / spare[i])
                shrink = max(shrink, -ds[i] / s[i], -dx[i] / x[i])
            step = min(1.0, 0.995 / shrink)
            if phase == 0:
                after = 0.0
                for i in range(n):
                    after += (alpha[i].real + da[i] / shrink) * (s[i] + ds[i] / shrink)
                    after += (spare[i] - da[i] / shrink) * (x[i] + dx[i] / shrink)
                target = mu * (after / (2 * n * mu)) ** 3
            elif step >= _SHORT:
                break
            else:
                target = 0.5 * mu
        if step < _STUCK:
            # Some pair is far off the central path: put every pair on it, α s = spare x = mu.
            for i in range(n):
                pressed = weights[i] * short[i]
                middle = np.hypot(2 * mu, pressed)
                larger = (2 * mu + abs(pressed) + middle) / (2 * weights[i])
                smaller = mu * larger / (weights[i] * larger - mu)
                x[i], s[i] = (larger, smaller) if short[i] > 0.0 else (smaller, larger)
                if short[i] > 0.0:
                    spare[i] = mu / x[i]
                    alpha[i] = plus(complex(weights[i], 0.0), complex(-spare[i], 0.0))
                else:
                    alpha[i] = complex(mu / s[i], 0.0)
                    spare[i] = weights[i] - alpha[i].real
            continue
        for i in range(n):
            high, low = multiply_exactly(step, da[i])
            alpha[i] = plus(alpha[i], complex(high, low))
            spare[i] = plus(complex(weights[i], 0.0), -alpha[i]).real
            s[i] += step * ds[i]
            x[i] += step * dx[i]
        for j in range(d):
            u[j] = plus(u[j], times(complex(step, 0.0), du[j]))
    return best_u, best_alpha, lower, upper, n_iter


@compile_cached
def _factorise(Z, pull):
    """Factors L and D, in one matrix, of I + Zᵀ diag(pull) Z."""
    n, d = Z.shape
    H = np.zeros((d, d), np.complex128)
    for j in range(d):
        H[j, j] = complex(1.0, 0.0)
    for i in range(n):
        for j in range(d):
            product = times(complex(pull[i], 0.0), Z[i, j])
            for k in range(j + 1):
                H[j, k] = plus(H[j, k], times(product, Z[i, k]))
    for j in range(d):
        for i in range(j + 1, d):
            factor = over(H[i, j], H[j, j])
            for k in range(i, d):
                H[k, i] = plus(H[k, i], -times(factor, H[k, j]))
        for i in range(j + 1, d):
            H[i, j] = over(H[i, j], H[j, j])
    return H


@compile_cached
def _substitute(factors, b):
    """Solution of L D Lᵀ x = b."""
    x, d = b.copy(), len(b)
    for i in range(d):
        for k in range(i):
            x[i] = plus(x[i], -times(factors[i, k], x[k]))
    for i in range(d - 1, -1, -1):
        x[i] = over(x[i], factors[i, i])
        for k in range(i + 1, d):
            x[i] = plus(x[i], -times(factors[k, i], x[k]))
    return x
