"""The hyperboloid SVM with the time coordinate of w held fixed: a strongly convex problem.

With w = (t, u) the objective is ½|u|² - ½t² + c Σ max(0, 1 - r_i·w). Let φ(t) be the minimum of
½|u|² + c Σ max(0, 1 - r_i·w) over u. It is convex in t, and multipliers found at one t bound it,
and the objective itself, at every other.
"""

import math
from dataclasses import dataclass

import numpy as np

from noneuclid.solvers import offset_svm
from noneuclid.solvers.groups import Groups

_MAX_NEWTON = 100
_MAX_ROUNDS = 200


@dataclass(frozen=True)
class Slice:
    """What a solution of φ at one t tells about all t.

    Multipliers 0 <= α <= c with total Σα, slope s = -Σ α_i r_i0 and length g = |Σ α_i r_i'| of
    their spatial resultant prove φ(x) >= Σα + s x - ½g² for all x.

    Attributes
    ----------
    t : float
    total, slope, length : float
    upper : float
        φ(t) is at most this.
    u : ndarray, shape (d,)
        Where `upper` was found.
    """

    t: float
    total: float
    slope: float
    length: float
    upper: float
    u: np.ndarray

    def line(self, t):
        """Lower bound of φ(t)."""
        return self.total + self.slope * t - 0.5 * self.length**2

    def bound(self, t):
        """Lower bound of the objective over all (t, u) with |u| >= |t|; concave for t of one sign.

        The minimum of ½(|u|² - t²) - |u| g over |u| >= |t| is at |u| = max(g, |t|).
        """
        g, size = self.length, abs(t)
        drop = 0.5 * (g * g + t * t) if size <= g else g * size
        return self.total + self.slope * t - drop

    def reach(self, upper, t):
        """Largest |u*(t)|, the minimiser, if φ(t) <= upper.

        The dual is strongly concave in the resultant, so the minimisers' resultant is within
        √(2(φ(t) - line(t))) of this one.
        """
        return self.length + math.sqrt(2.0 * max(0.0, upper - self.line(t)))


class HingeSlices:
    """Slices of the plain problem, through a grouping of the rows that all slices refine.

    Parameters
    ----------
    rows : ndarray, shape (n, d + 1)
        r_i = y_i (-x_i0, x_i1, ..., x_id).
    c : float
        Weight of the hinge sum.
    """

    def __init__(self, rows, c):
        self.rows, self.c = rows, c
        self.groups = Groups(rows)

    def steepest(self, sign):
        """Largest slope of φ towards that end of the t axis."""
        return self.c * np.maximum(0.0, -sign * self.rows[:, 0]).sum()

    def loss(self, w, slack=math.inf):
        """Weighted hinge sum at w; the model is refined there to within `slack`."""
        return self.c * self.groups.hinge(w, slack / self.c)

    @property
    def pieces(self):
        """The model c Σ_k max(0, max_p (counts_p - sums_p·w)): sums, counts, block k of piece p."""
        return self.groups.sums, self.groups.counts, np.arange(len(self.groups.counts))

    def model(self, w):
        """Lower bound of the loss at w."""
        sums, counts, _ = self.pieces
        return self.c * np.maximum(0.0, counts - sums @ w).sum()

    def feasible(self, alpha):
        """Nearest multipliers of the pieces that prove something."""
        return np.clip(alpha, 0.0, self.c)

    def at(self, t, tol, irrelevant):
        """Slice at t, its bounds within `tol` or its objective bound at least `irrelevant`."""
        upper, best = math.inf, None
        for _ in range(_MAX_ROUNDS):
            counts = self.groups.counts
            means = self.groups.sums / counts[:, None]
            weights = self.c * counts
            u, alpha, lower, model, _ = offset_svm.solve(
                np.ascontiguousarray(means[:, 1:]),
                1.0 - means[:, 0] * t,
                weights,
                0.25 * tol,
                _MAX_NEWTON,
            )
            resultant = alpha @ means
            slice_ = Slice(
                t, alpha.sum(), -resultant[0], math.sqrt(resultant[1:] @ resultant[1:]), upper, best
            )
            value = 0.5 * (u @ u) + self.loss(np.append(t, u), 0.25 * tol)
            if value < upper:
                upper, best = value, u
            if upper - lower <= tol or slice_.bound(t) >= irrelevant:
                break
        return Slice(t, slice_.total, slice_.slope, slice_.length, upper, best)
