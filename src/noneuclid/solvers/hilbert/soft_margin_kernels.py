"""Least value of a linear function on Hilbert and reverse Funk balls of a simplex, smoothed.

With parts p, Σ p_j = 1, the least ν·q over the ball of radius r about p is the root τ of

    Σ p_j ψ(ν_j - τ) = 0,   ψ(x) = x for x > 0, ρx for x < 0,   ρ = e^{2r}   (Hilbert),

an expectile of ν, and max_t t - Σ p_j Ψ(t - ν_j), Ψ(x) = ρ max(0, x), ρ = e^r (reverse Funk), a
fractional knapsack. Both are concave in ν. In a band of some width about 0 the kinks of ψ and Ψ are
rounded off; τ is then smooth, concave still, and its gradient q lies in the ball still.

A row costs weight · max over α in [0, 1] of -α τ(sign ν) - width/2 (α - α0)². The constant part
-width/2 α0² is left to the caller, so that a row with α = 0 adds nothing.
"""

import numpy as np

from noneuclid.compiled import compile_cached, compile_inlined, compile_inner

_MOST = 200  # steps to a root
_SAFE = 1.0 - 1e-9

# First index of the table `rows` (10, n), which compiles faster than ten vectors: side and weight;
# the widths of hinge and band, > 0; first guesses of the roots, and the roots on return; α0; and,
# filled by `smoothed`, α, the factor T of p in α q = T p + rest, and τ. α stays 0 until the path
# of ν is as long as CLEAR, since τ changes no faster than the largest entry of ν: until then the
# row is left out, and its τ is an old one.
SIGN, WEIGHT, HINGE, BAND, ROOT, ALPHA0, ALPHA, SIZE, TAU, CLEAR = range(10)


@compile_inner
def _clip(x):
    """The nearest number in [0, 1]; `min` and `max` take longer to compile."""
    x = x if x > 0.0 else 0.0
    return x if x < 1.0 else 1.0


@compile_inner
def _expectile(p, nu, sign, rho, width, tau, least):
    """Newton's method: the sum is concave in τ, so that no step after the first goes below."""
    extra, steep, half = rho - 1.0, 1.0 / width, 0.5 * width
    for k in range(_MOST):
        total = slope = 0.0
        for j in range(len(p)):
            x = sign * nu[j] - tau
            c = _clip(0.5 - x * steep)
            total += p[j] * (x + extra * c * (x - half * (1.0 - c)))
            slope += p[j] * (1.0 + extra * c)
        tau += total / slope
        if abs(total) <= least * slope or (k > 0 and total > 0.0):
            break
    return tau


@compile_inner
def _knapsack(p, nu, sign, rho, width, t, least):
    """Root t of Σ p_j Ψ'(t - ν_j) = 1 by Newton's method and bisection; returns t and τ."""
    low, high, steep = np.inf, -np.inf, 1.0 / width
    for j in range(len(p)):
        low, high = min(low, sign * nu[j]), max(high, sign * nu[j])
    low, high = low - width, high + width
    for _ in range(_MOST):
        if not low < t < high:
            t = 0.5 * (low + high)
        mass, slope = -1.0, 0.0
        for j in range(len(p)):
            c = _clip(0.5 - (sign * nu[j] - t) * steep)
            mass += rho * p[j] * c
            if 0.0 < c < 1.0:
                slope += rho * p[j] / width
        if mass > 0.0:
            high = t
        else:
            low = t
        if abs(mass) <= 1e-15 * rho or high - low <= least:
            break
        t = t - mass / slope if slope > 0.0 else 0.5 * (low + high)
    tau = t
    for j in range(len(p)):
        x = sign * nu[j] - t
        c = _clip(0.5 - x * steep)
        tau += rho * p[j] * c * (x - 0.5 * width * (1.0 - c))
    return t, tau


@compile_inlined
def _shape(p, nu, sign, rho, width, root, hilbert, q, centre, lead):
    """Gradient q; Hessian -Σ lead_j (e_j - centre)(e_j - centre)'. Returns Σ p ψ' and Σ lead."""
    total, curved, steep = 0.0, 0.0, 1.0 / width
    for j in range(len(p)):
        c = _clip(0.5 - (sign * nu[j] - root) * steep)
        q[j] = p[j] * (1.0 + (rho - 1.0) * c if hilbert else rho * c)
        lead[j] = p[j] * (rho - hilbert) / width if 0.0 < c < 1.0 else 0.0
        total += q[j]
        curved += lead[j]
    for j in range(len(p)):
        # A root known too coarsely for the band leaves mass out: spread where the ball has room.
        short = 1.0 - total if not hilbert and total < 1.0 else 0.0
        q[j] = q[j] + short * (rho * p[j] - q[j]) / (rho - total) if short > 0.0 else q[j] / total
        if hilbert:
            lead[j] /= total
            centre[j] = q[j]
        else:
            centre[j] = lead[j] / curved if curved > 0.0 else 0.0
    return total, curved / total if hilbert else curved


@compile_inlined
def _add_curvature(H, weight, curved, lead, centre, steep, q):
    """Half of the Hessian's share of a row; the transpose is added at the end."""
    m = len(q)
    for j in range(m):
        if lead[j] > 0.0:
            c = weight * lead[j]
            H[j, j] += 0.5 * c
            for k in range(m):
                H[j, k] -= c * centre[k]
    if curved > 0.0:
        for j in range(m):
            c = 0.5 * weight * curved * centre[j]
            for k in range(m):
                H[j, k] += c * centre[k]
    if steep > 0.0:
        for j in range(m):
            c = 0.5 * steep * q[j]
            for k in range(m):
                H[j, k] += c * q[k]


@compile_cached
def smoothed(P, rows, nu, path, least, rho, funk, gradient, H, work):
    """Cost of all rows with its gradient and Hessian.

    `path` is the length of the path of ν so far, in the largest change of an entry.
    `funk` is None for Hilbert, so that only one metric is compiled; `gradient` and `H` are zero on
    entry, and filled; `work` has shape (3, m).
    """
    n, m = P.shape
    value = 0.0
    q, centre, lead = work[0], work[1], work[2]
    for i in range(n):
        if path < rows[CLEAR, i]:
            continue
        p, sign, weight, hinge, width = (
            P[i],
            rows[SIGN, i],
            rows[WEIGHT, i],
            rows[HINGE, i],
            rows[BAND, i],
        )
        if funk is None:
            root = tau = _expectile(p, nu, sign, rho, width, rows[ROOT, i], least)
        else:
            root, tau = _knapsack(p, nu, sign, rho, width, rows[ROOT, i], least)
        before = rows[ALPHA0, i]
        a = _clip(before - tau / hinge)
        rows[ROOT, i], rows[TAU, i], rows[ALPHA, i], rows[SIZE, i] = root, tau, a, 0.0
        rows[CLEAR, i] = path + (tau - before * hinge) * _SAFE
        value += weight * a * (hinge * (before - 0.5 * a) - tau)
        if a > 0.0:
            total, curved = _shape(p, nu, sign, rho, width, root, funk is None, q, centre, lead)
            rows[SIZE, i] = a / total if funk is None else a
            for j in range(m):
                gradient[j] -= weight * a * sign * q[j]
            steep = weight / hinge if a < 1.0 else 0.0
            _add_curvature(H, weight * a, curved, lead, centre, steep, q)
    for j in range(m):
        for k in range(j + 1):
            H[j, k] = H[k, j] = H[j, k] + H[k, j]
    return value
