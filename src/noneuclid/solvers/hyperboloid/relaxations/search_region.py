"""Where the solutions of the hyperboloid SVM's problem (7) lie, proved by convex programs."""

import math
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from noneuclid.solvers.conic import programs
from noneuclid.solvers.hyperboloid.problem import HINGE_SLOPE, signed_rows

_BISECTIONS = 6  # of the distance
_BEYOND = 1.0  # units beyond the farthest point
_LEAST_DISTANCE = 1e-3  # keeps the cone's interior open
_LEAST_ENERGY = 1e-6  # of the level: smaller regions are none
_ROUNDING = 1e-12  # §20, of sums of up to 9000 rows


@dataclass(frozen=True)
class Region:
    """Where every w = (t, u) of an objective below `level` lies: |t| <= tau |u|, |u| <= radius."""

    tau: float
    radius: float
    level: float
    energy: float  # ½<w,w>_L is at most this there


def search_region(points, signs, C, level, floor=0.0, conic_solver="clarabel", weights=None):
    """Region that holds every w = (t, u) of problem (7) with an objective below `level`.

    Two arguments give a tau such that every better w has |t| <= tau |u|, and from
    ½ (1 - tau²)|u|² <= ½<w,w>_L <= level - floor follows |u| <= radius. First, the samples with
    m_i <= 0 have a summed weight of at most k = level √2 / C: if that of both classes is larger,
    the hyperplane separates the origin from a class except a part of weight k, so it is no farther
    out than the nearest point of that class up to which the weights sum to more than k.
    Second, over ±t >= tau |u| the least sum of C times the losses is a second-order cone program;
    a tau serves where its value V reaches the level for both signs, and the smallest is sought by
    bisection. If the first argument fails and V is below the level even for hyperplanes one unit
    beyond the farthest point, the region's level becomes V.

    No w has a sum of C times the losses below `floor`. Returns None if outside of any such region
    the sum may be as low as `floor`, up to 1e-6 of the level.
    """
    rows, weight = signed_rows(points, signs), C * HINGE_SLOPE
    weights = np.ones(len(rows)) if weights is None else weights

    def outside(distance):  # one number for each sign of t, computed as they are asked for
        tau = math.tanh(distance)
        return (weight * hinge_outside(rows, tau, s, conic_solver, weights) for s in (1.0, -1.0))

    k = level / weight * (1.0 + 1e-9)  # §9.1
    nearest = [_nearest_beyond(points[signs == s, 0], weights[signs == s], k) for s in (1, -1)]
    if counted := None not in nearest:
        far = math.acosh(max(nearest))
    else:
        far = math.acosh(points[:, 0].max()) + _BEYOND
        level = min(level, least := min(outside(far)))
    if level - floor <= _LEAST_ENERGY * level:
        return None
    if counted or least >= level:
        far = _least_proved(far, lambda distance: all(v >= level for v in outside(distance)))
    radius = math.cosh(far) * math.sqrt(2.0 * (level - floor))
    return Region(math.tanh(far), radius, level, level - floor)


def _nearest_beyond(heights, weights, k):
    """Lowest height up to which the weights sum to more than k; None if all do not."""
    order = np.argsort(heights)
    place = np.searchsorted(np.cumsum(weights[order]), k, side="right")
    return heights[order[place]] if place < len(order) else None


def _least_proved(far, proved):
    """Smallest distance found by bisection that is proved; `far` is known to be."""
    near, far = 0.0, max(_LEAST_DISTANCE, far)
    for _ in range(_BISECTIONS):
        middle = max(_LEAST_DISTANCE, 0.5 * (near + far))
        near, far = (near, middle) if proved(middle) else (middle, far)
    return far


def hinge_outside(rows, tau, sign, conic_solver="clarabel", weights=None):
    """Lower bound of Σ q_i max(0, 1 - w @ r_i) over all w with sign * t >= tau |u|.

    Any 0 <= α <= q with ρ = Σ α_i r_i, -sign tau ρ_0 >= |ρ_u| proves Σ α_i. The solver's α is
    mixed with α = q on the class of `sign`, which has ρ inside that cone if tau is near 1, until
    the condition holds; else nothing is proved.
    """

    def slack(alpha):
        rho = alpha @ rows
        return -sign * tau * rho[0] - np.linalg.norm(rho[1:]) - rounding * (alpha @ sizes)

    rounding = max(_ROUNDING, len(rows) * np.finfo(float).eps / 2.0)  # §20
    sizes = np.abs(rows).sum(axis=1)
    weights = np.ones(len(rows)) if weights is None else weights
    alpha = hinge_multipliers(rows, conic_solver, sign, tau, weights)
    anchor = (np.sign(-rows[:, 0]) == sign) * weights
    short, spare = slack(alpha), slack(anchor)
    if short < 0.0:
        if spare <= 0.0:
            return 0.0
        mix = short / (short - spare)
        alpha = (1.0 - mix) * alpha + mix * anchor
    return float(alpha.sum()) * (1.0 - rounding)


def hinge_multipliers(rows, conic_solver="clarabel", sign=0.0, tau=0.0, weights=None):
    """Multipliers α of min Σ q_i max(0, 1 - w @ r_i), for a sign over sign * t >= tau |u|."""
    # Where the solver failed, zeros prove nothing but hold.
    weights = np.ones(len(rows)) if weights is None else weights
    z = _hinge_program(rows, conic_solver, weights, sign, tau).z[len(rows) : 2 * len(rows)]
    return np.clip(np.nan_to_num(z), 0.0, weights)


def hinge_minimiser(rows, conic_solver="clarabel", weights=None):
    """The w of least Σ q_i max(0, 1 - w @ r_i)."""
    weights = np.ones(len(rows)) if weights is None else weights
    return _hinge_program(rows, conic_solver, weights).x[: rows.shape[1]] / np.abs(rows).max()


def _hinge_program(rows, conic_solver, weights, sign=0.0, tau=0.0):
    n, D = rows.shape
    rows = rows / np.abs(rows).max()
    eye, none = sparse.eye(n), sparse.csc_matrix((n, D))
    blocks = [[none, -eye], [-rows, -eye]]
    cones = [("nonnegative", 2 * n)]
    if sign:
        cone = sparse.diags([-sign] + [-tau] * (D - 1))
        blocks.append([cone, sparse.csc_matrix((D, n))])
        cones.append(("second_order", D))
    A = sparse.bmat(blocks, format="csc")
    b = np.zeros(A.shape[0])
    b[n : 2 * n] = -1.0
    return programs.solve(None, np.append(np.zeros(D), weights), A, b, cones, conic_solver)
