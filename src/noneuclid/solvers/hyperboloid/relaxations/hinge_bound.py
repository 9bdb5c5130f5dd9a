"""Lower bound of the hyperboloid SVM that does not depend on a solver's tolerance."""

import math

import numpy as np

from noneuclid.solvers.hyperboloid.problem import HINGE_SLOPE, signed_rows, uncertainty

_REPAIRS = 3  # of the multipliers


def hinge_bound(points, signs, C, alpha, upper, radius=0.0, beta=None, weights=None):
    """Lower bound from approximate multipliers of the hinge, made feasible.

    For 0 <= α_i <= q_i C/√2 and |β_ij| <= α_i, every w with <w,w>_L >= 0 has an objective of at
    least (C/√2) Σ q_i hinge_i >= Σ α_i - w·ρ, ρ = Σ (α_i r_i - M_iᵀ β_i), r_i the signed rows. The
    multipliers are clipped, ρ is driven to zero by those that are off their limits, and what
    rounding leaves of it is subtracted: the bound is the smaller of `upper` and Σ α_i - R |ρ|,
    summed in extended precision less its rounding error, where |w| <= R if the objective is
    below `upper`. With points within ρ0 of the origin, either the hyperplane of w = (t, u)
    meets the ball of radius ρ0 + 1, so that |u| <= cosh(ρ0 + 1) √(2 upper), or all points are
    on one side of it, |<w,x_i>_L| >= |u| sinh(1) / cosh(ρ0 + 1), and one class pays for that.

    `beta` (n, d) belongs to the terms |M_i w| and is needed with a radius. The bound is at least 0,
    and 0 if a class is missing. O(n d²), with a radius O(n d³).
    """
    weights = np.ones(len(points)) if weights is None else weights
    rows, limits = signed_rows(points, signs), C * HINGE_SLOPE * weights
    alpha = np.clip(alpha, 0.0, limits)
    moves, shares = np.empty((len(rows), 0, rows.shape[1])), np.empty((len(rows), 0))
    if radius:
        moves = uncertainty(points, radius)
        limit = np.where(alpha > 0.0, alpha, 1.0)[:, None]
        shares = np.clip(beta / limit, -1.0, 1.0)
    smaller = min(weights[signs > 0].sum(), weights[signs < 0].sum())
    if not smaller:
        return 0.0
    reach = _bound_length(points[:, 0].max(), upper, upper / (C * HINGE_SLOPE * smaller))
    best = _value(rows, moves, alpha, shares, reach)
    for _ in range(_REPAIRS):
        alpha, shares = _repair(rows, moves, alpha, shares, limits)
        best = max(best, _value(rows, moves, alpha, shares, reach))
    return float(max(0.0, min(best, upper)))


def _bound_length(time, upper, share):
    """Largest |w| of an objective below `upper`, `share` hinges a row of the smaller class."""
    across = math.sqrt(2.0 * max(0.0, upper))
    beyond = max(0.0, share - 1.0) / math.sinh(1.0)
    return math.sqrt(2.0) * math.e * time * max(across, beyond)


def _value(rows, moves, alpha, shares, reach):
    """Σ α - reach |ρ|, rounded down (§20), for β_ij = α_i times a share in [-1, 1]."""
    alpha = alpha.astype(np.longdouble)
    parts = (alpha[:, None] * shares)[:, :, None] * moves
    terms = np.vstack([alpha[:, None] * rows, -parts.reshape(-1, rows.shape[1])])
    rounding = (len(terms) + 2) * np.finfo(np.longdouble).eps  # §20
    residual = np.abs(terms.sum(axis=0)) + rounding * np.abs(terms).sum(axis=0)
    value = alpha.sum() * (1.0 - rounding) - reach * np.sqrt((residual**2).sum()) * (1.0 + 1e-12)
    return float(np.nextafter(float(value), -np.inf))


def _repair(rows, moves, alpha, shares, limits):
    """Multipliers moved to ρ = 0 by least squares, each in units of its distance to its limits."""
    free, loose = np.minimum(alpha, limits - alpha), 1.0 - np.abs(shares)
    worst = rows - np.einsum("ij,ijk->ik", shares, moves)  # how ρ moves with α at fixed shares
    turns = (alpha[:, None] * loose)[:, :, None] * moves
    scaled = np.vstack([free[:, None] * worst, -turns.reshape(-1, rows.shape[1])])
    step = -np.linalg.lstsq(scaled.T, alpha @ worst, rcond=None)[0]
    alpha = np.clip(alpha + free * step[: len(rows)], 0.0, limits)
    return alpha, np.clip(shares + loose * step[len(rows) :].reshape(shares.shape), -1.0, 1.0)
