"""The soft-margin hyperboloid SVM as an optimisation problem: its objective and its solutions.

Over spacelike w, <w,w>_L >= 0, minimise ½<w,w>_L + C Σ q_i loss(m_i) with margins m_i = y_i
<w,x_i>_L. All weights q_i are 1 if none are given.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from noneuclid.solvers.hyperboloid import exact_sums
from noneuclid.solvers.hyperboloid.lorentz_boost import in_numbers_of

HINGE_SLOPE = math.sqrt(0.5)
_ASINH_1 = math.asinh(1.0)
_FAR = 1e4  # rows of which are not summed in double precision
_DIGITS = 1e-9  # of the objective: beyond, sums in double precision are not enough


@dataclass(frozen=True)
class Solution:
    """Result of every solver of the hyperboloid SVM."""

    w: np.ndarray  # (d + 1,), lorentz normal, time coordinate first
    objective: float  # of the given problem, at `w`
    status: str
    n_iter: int
    lower_bound: float = math.nan  # no w has a smaller objective; nan where the solver proves none
    warning: str = ""  # empty if the solver reached its tolerance, else what is missing
    extras: dict = field(default_factory=dict)  # more of the solution, by name

    @property
    def gap(self):
        """Relative gap (objective - lower_bound) / |objective|; 0 where both are 0."""
        difference = self.objective - self.lower_bound
        return difference / abs(self.objective) if difference else 0.0

    @property
    def eta(self):
        """Gap |f - p| / (1 + |p| + |f|) of Yang et al. (2024), eq. 15, with one loss in both."""
        f, p = self.objective, self.lower_bound
        return abs(f - p) / (1.0 + abs(p) + abs(f))


def stated_gap(w, points, signs, C, relaxation, weights=None):
    """Gap |f - p| / (1 + f + p) (Yang et al. 2024, eq. 15), p the value a conic solver states.

    `relaxation` is p, of the problem with the hinge.

    >>> x, y, w = np.array([[1.0, 0.0]]), np.array([1.0]), np.array([0.0, 1.0])
    >>> round(stated_gap(w, x, y, 2.0, 1.0), 3)
    0.234
    """
    f, p = objective(w, points, signs, C, weights=weights), relaxation
    return abs(f - p) / (1.0 + abs(f) + abs(p))


def signed_rows(points, signs):
    """Rows r_i with w @ r_i = y_i <w,x_i>_L, so that r_i = y_i (-x_i0, x_i1, ..., x_id).

    C-contiguous.
    """
    rows = np.array(points * np.asarray(signs, dtype=float)[:, None], order="C")
    rows[:, 0] *= -1.0
    return rows


def jacobian(points):
    """Derivative of exp at the origin, at the tangent vector of each point.

    With s = |v|: time row sinh(s)/s vᵀ, space rows (cosh s/s² - sinh s/s³) v vᵀ + sinh s/s I.
    (Yang et al. 2024, appendix F below eq. 27, prints cosh(s)/s for cosh(s)/s²; differences of exp
    give the latter: tests/solvers/test_hyperboloid_problem.py.)

    Shape (n, d + 1, d).
    """
    spatial = points[:, 1:]
    n, d = spatial.shape
    stretch, radial, direction = _exp_shape(points)
    result = np.empty((n, d + 1, d), dtype=points.dtype)
    result[:, 0] = spatial
    result[:, 1:] = direction[:, :, None] * direction[:, None, :] * radial[:, None, None]
    result[:, 1:] += stretch[:, None, None] * np.eye(d)
    return result


def _exp_shape(points):
    """Sinh s / s, cosh s - sinh s / s and v / s of each point exp v, s = |v|."""
    radius = np.linalg.norm(points[:, 1:], axis=1)
    s = np.arcsinh(radius)
    stretch = np.where(s > 0.0, radius / np.where(s > 0.0, s, 1.0), 1.0)
    direction = points[:, 1:] / np.where(radius > 0.0, radius, 1.0)[:, None]
    return stretch, points[:, 0] - stretch, direction


def uncertainty(points, radius):
    """Matrices M_i such that the robust margin is m_i - |M_i w|_1 (Yang et al. 2024, eqs. 27-29).

    Points may move in the tangent space at the origin by at most `radius` in each coordinate,
    to first order: M_i = radius (G J_i)ᵀ.

    Shape (n, d, d + 1).
    """
    M = radius * jacobian(points).transpose(0, 2, 1)
    M[:, :, 0] *= -1.0
    return M


def moves_along(w, points, radius):
    """M_i w of `uncertainty` for all points in O(n d), in the numbers of the points: (n, d)."""
    stretch, radial, direction = _exp_shape(points)
    along = (radial * (direction @ w[1:]))[:, None] * direction
    return radius * (stretch[:, None] * w[1:] + along - w[0] * points[:, 1:])


def move_rows(shares, points, radius):
    """Σ_j σ_ij M_ij, M_i of `uncertainty`, for shares σ (n, d) of its rows: (n, d + 1)."""
    stretch, radial, direction = _exp_shape(points)
    along = (radial * (direction * shares).sum(axis=1))[:, None] * direction
    time = -(points[:, 1:] * shares).sum(axis=1)
    return radius * np.column_stack([time, stretch[:, None] * shares + along])


def objective(w, points, signs, C, loss="hinge", radius=0.0, weights=None):
    """½<w,w>_L + C Σ q_i loss(m_i) of the hyperboloid SVM; margins are robust if `radius` is not 0.

    "hinge" is max(0, 1 - m)/√2, problem (7) of Yang et al. (2024), the first-order expansion at m =
    1 of "arcsinh", max(0, asinh 1 - asinh m), problem (6), eq. 19 of Cho et al. (2019).

    Where products cancel, margins and <w,w>_L are summed in twice the digits, so that the value is
    true to 1e-9 at least; robust margins always in extended precision.
    """
    value, size = _sum_objective(w, points, signs, C, loss, radius, weights)
    if radius or not (
        points[:, 0].max(initial=1.0) > _FAR or np.finfo(float).eps * size > _DIGITS * value
    ):
        return value
    short = exact_sums.shortfalls(points, signs, w)
    if loss == "hinge":
        losses = _weigh(HINGE_SLOPE * np.maximum(0.0, short), weights)
    else:
        losses = _losses(1.0 - short, loss, weights)
    return 0.5 * float(exact_sums.lorentz_square(w)) + float(C * losses.sum())


def _sum_objective(w, points, signs, C, loss, radius, weights):
    """The objective, and the size of the numbers that it is summed from."""
    if radius:
        w = np.asarray(w, dtype=np.longdouble)
        points = in_numbers_of(w, points)
    margins = signs * (points[:, 1:] @ w[1:] - points[:, 0] * w[0])
    if radius:
        margins = margins - np.abs(moves_along(w, points, radius)).sum(axis=1)
    losses = _losses(margins, loss, weights)
    length, time = np.sqrt(w[1:] @ w[1:]), abs(w[0])
    value = float(0.5 * (length - time) * (length + time) + C * losses.sum())
    return value, float(w @ w + C * np.abs(w[0]) * _weigh(points[:, 0], weights).sum())


def _losses(margins, loss, weights):
    short = np.minimum(margins, 1.0)
    losses = HINGE_SLOPE * (1.0 - short) if loss == "hinge" else _ASINH_1 - np.arcsinh(short)
    return _weigh(losses, weights)


def _weigh(values, weights):
    return values if weights is None else weights * values


def fill_weights(rows, weights):
    """The weights, or ones that take no memory."""
    return np.broadcast_to(1.0, len(rows)) if weights is None else weights


def rounding_error(rows, sizes, w, upper):
    """What a sum of hinges with terms of sizes[0] + |w| sizes[1] can lose at w.

    1 - r·w loses 2 (d + 3) ε of its terms, and a sum of n positive hinges n ε of itself: §9.7.
    """
    n, d = rows.shape[0], rows.shape[1] - 1
    terms = sizes[0] + math.sqrt(w @ w) * sizes[1]
    return float(np.finfo(float).eps) * (2.0 * (d + 3) * terms + (n + d + 8) * upper)
