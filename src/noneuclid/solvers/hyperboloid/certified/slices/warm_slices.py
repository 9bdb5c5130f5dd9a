"""Slices of the hyperboloid SVM in high dimensions, each solved from those before.

There, a step of the interior-point method costs as much as ten passes over the data. To save steps,
each slice starts at the solutions of its neighbours, a coarse model is solved only to a share of
what its refinement will change, and the search starts at a local optimum, so that other slices end
as soon as they are proved to be worse. The bounds are those of `time_slices`.
"""

import math
from collections import deque
from dataclasses import replace

import numpy as np

from noneuclid.solvers.hyperboloid.certified.slices.time_slices import (
    HingeSlices,
    TimeSlice,
    sum_pieces,
)
from noneuclid.solvers.linear.dense_hinge import solve_dense_svm

LEAST_DIMENSION = 64  # from here on faster than `HingeSlices`: 1.5 times at d = 50, 10 at d = 512
_MAX_ROUNDS = 200  # refinements
_MAX_STEPS = 100  # of the interior-point method
_SHARE = 0.1  # of the present gap, to which the next model is solved
_AHEAD = 8.0  # slack at the start, in units of the gap by Σ weights
_CLEARLY = 1.0 + 1e-9  # irrelevant, whatever the rounding: §9.1
_KEPT = 16  # slices to start from
_DESCENTS, _LOCAL = 5, 1e-3  # programs for the local optimum, and their relative tolerance


class WarmSlices(HingeSlices):
    """Slices of the plain problem that start from each other's solutions."""

    def __init__(self, rows, c, weights=None, shifts=None):
        super().__init__(rows, c, weights, shifts)
        self._solved = deque(maxlen=_KEPT)

    def find_local_optimum(self, share=_LOCAL):
        """Point w near a local optimum, by convex programs, and its objective.

        The objective plus (t - t_k)² is ½|u|² + ½(t - 2 t_k)² - t_k² and the hinges: a linear SVM
        in w - (2 t_k, 0), whose minimiser is no worse than w_k (majorisation: Lange, Hunter and
        Yang 2000). Ends before w would leave |u| >= |t|; None, inf if the first w does.
        """
        w, value, gap = np.zeros(self.rows.shape[1]), self.sizes[0], self.sizes[0]
        for _ in range(_DESCENTS):
            t = w[0]
            base = self._on_axis(2.0 * t)
            result = self._refine(2.0 * t, 0, w - base, gap, share * value, math.inf)
            trial = base + result.u
            gap = (trial[0] - t) ** 2
            reached = result.upper - t * t - gap
            if not (reached < value and trial[1:] @ trial[1:] >= trial[0] ** 2):
                break
            w, value = trial, reached
            if gap <= share * value:
                break
        return (w, value) if w.any() else (None, math.inf)

    def sharpen(self, w):
        """None, inf: the interior-point method of the slices is sharp."""
        return None, math.inf

    def solve_at(self, t, tol, irrelevant):
        """Slice at t, its bounds within `tol` or its objective bound at least `irrelevant`."""
        u, lower = self._choose_start(t)
        gap = 0.5 * (u @ u) + self.evaluate_model(np.append(t, u)) - lower
        result = self._refine(t, 1, u, max(tol, gap), tol, irrelevant)
        if result.length < abs(t) and result.gap > _LOCAL * result.upper:
            # Inside the light cone the search ends where the slope is as long as the resultant.
            near = max(tol, _LOCAL * result.upper)
            result = self._refine(t, 1, result.u, result.gap, near, math.inf)
        self._solved.append(result)
        return result

    def _choose_start(self, t):
        """Point between the known slices on both sides of t, and a lower bound of φ(t)."""
        below = [known for known in self._solved if known.t <= t]
        above = [known for known in self._solved if known.t > t]
        ends = []
        if below:
            ends.append(max(below, key=lambda known: known.t))
        if above:
            ends.append(min(above, key=lambda known: known.t))
        lower = max([0.0, *(end.line(t) for end in ends)])
        if not ends:
            return np.zeros(self.rows.shape[1] - 1), lower
        a, b = ends[0], ends[-1]
        share = (t - a.t) / (b.t - a.t) if len(ends) == 2 else 0.0
        return (1.0 - share) * a.u + share * b.u, lower

    def _refine(self, t, first, v, gap, tol, irrelevant):
        """Minimise ½|v|² + loss at w = (t, 0) + v by refining the model, as `refine_slice` does.

        v has the coordinates of w from `first` on: 1 for a slice, 0 for all. `gap` is what is open
        at the given v.
        """
        upper, best = math.inf, None
        for _ in range(_MAX_ROUNDS):
            sums, counts, _ = self.pieces
            means = sums / counts[:, None]
            aim = max(0.25 * tol, _SHARE * gap)
            v, alpha, *_ = solve_dense_svm(
                np.ascontiguousarray(means[:, first:]),
                1.0 - means[:, 0] * t,
                self.c * counts,
                v,
                _AHEAD * gap / self.sizes[0],
                aim,
                _CLEARLY * (irrelevant + 0.5 * t * t),
                _MAX_STEPS,
            )
            alpha = self.clip_multipliers(alpha / counts)
            w = self._on_axis(t)
            w[first:] += v
            value = 0.5 * (v @ v) + self.evaluate_loss(w, 0.25 * tol)
            if value < upper:
                upper, best, lost = value, v, self.rounding_error(w, value)
            proved = sum_pieces(alpha, sums, counts, first)
            result = TimeSlice(t, *proved, upper, best, tol, alpha, lost)
            if result.gap <= tol:
                break
            if result.bound(t) >= irrelevant:
                return replace(result, sharp=False)
            if len(self.groups.counts) == len(counts) and aim <= 0.25 * tol:
                break  # all that double precision gives
            gap = value - result.line(t)
        return result

    def _on_axis(self, t):
        """(t, 0, ..., 0)."""
        return t * np.eye(1, self.rows.shape[1])[0]
