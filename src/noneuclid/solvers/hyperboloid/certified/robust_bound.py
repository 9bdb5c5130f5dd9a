"""The lower bound of the robust form, proved again for the points as they are given.

A multiplier of the robust form belongs to a row r_i - Σ_j σ_j M_ij with shares |σ_j| <= 1. Both are
exact numbers, whatever rounded rows they were found with: here these rows are computed again from
the points, in extended precision, with a bound of what that loses.
"""

import numpy as np

from noneuclid.solvers.hyperboloid.certified.verified_bound import (
    Verifier,
    boost_vectors,
    find_stretch,
)
from noneuclid.solvers.hyperboloid.lorentz_boost import in_numbers_of
from noneuclid.solvers.hyperboloid.problem import move_rows, signed_rows

_EPS = float(np.finfo(float).eps)
_LONG_EPS = float(np.finfo(np.longdouble).eps)


class RobustVerifier(Verifier):
    """Robust slices with their rounding taken off."""

    def __init__(self, slices, points, signs, centre, radius):
        self.slices, self.centre = slices, centre.astype(np.longdouble)
        self.stretch = find_stretch(centre)
        long = in_numbers_of(self.centre, points)
        rows, blocks = signed_rows(long, signs), slices.pieces[2]
        # M_i is off by `_terms` roundings of its size, at most 3 ρ √d |x_i| for any shares.
        d = len(centre)
        self._terms = 4 * d + 40  # §11.2
        sizes = (1.0 + 3.0 * radius * np.sqrt(d)) * np.linalg.norm(points, axis=1)
        moved = rows[blocks] - move_rows(slices.shares, long[blocks], radius)
        self.sums = slices.weights[blocks, None] * moved
        self.counts = slices.weights[blocks]
        self.sizes = self.counts * sizes[blocks]
        self._size = slices.c * float(slices.weights @ sizes)
        # Rows and moves are boosted in the numbers of the centre, rounded, and added in doubles.
        numbers = _EPS if centre.dtype == float else _LONG_EPS
        lost = (self._terms + 16.0 + d) * numbers * self.stretch * self._size  # §11.3
        self.lost = lost + 2.0 * (d + 2) * _EPS * slices.sizes[1]

    def verify(self, results):
        """Each slice by the signs of t on its side, with bounds that hold there after rounding."""
        alphas = np.zeros((len(results), len(self.counts)))
        for row, result in zip(alphas, results, strict=True):
            row[: len(result.alpha)] = np.maximum(0.0, result.alpha)  # later pieces have none
        alphas *= self._feasible(alphas)[:, None]
        resultants = boost_vectors(_sum_in_pairs(alphas, self.sums), self.centre)
        # §11.3
        terms = self._terms + 2.0 * (len(self.counts).bit_length() + resultants.shape[1] + 16)
        errors = terms * _LONG_EPS * self.stretch * (alphas @ self.sizes) * (1.0 + 1e-9)
        totals = (alphas @ self.counts) * (1.0 - (len(self.counts) + 4) * _EPS)  # §11.3
        return self._states(results, totals, resultants, errors, float, 1e-14)

    def rounding_error_of_objective(self, w, value):
        """What `objective` can lose at w, where it is `value`."""
        terms = len(self.slices.rows) + 2 * self._terms  # §11.4
        length = float(np.linalg.norm(w))
        return terms * _LONG_EPS * (length * (length + self._size) + value) + _EPS * value

    def _feasible(self, alphas):
        """Factors that bring the multipliers of each point to a sum of c at most."""
        blocks, pieces = self.slices.pieces[2], len(self.counts)
        most = [np.bincount(blocks, alpha).max() for alpha in alphas]
        room = 1.0 - (pieces - len(self.slices.rows) + 8) * _EPS  # §11.1
        return np.minimum(1.0, self.slices.c / np.maximum(most, 1e-300) * room)


def _sum_in_pairs(alphas, sums):
    """Σ_k alphas_lk sums_k for all l; each product takes part in log2 of their number additions."""
    found = []
    for alpha in alphas:
        terms = alpha[:, None] * sums
        while len(terms) > 1:
            half = len(terms) // 2
            rest = terms[2 * half :]
            terms = np.concatenate([terms[:half] + terms[half : 2 * half], rest])
        found.append(terms[0])
    return np.array(found)
