"""Second-order perceptron: the inverse of the correlation matrix by rank-one updates, compiled."""

from dataclasses import dataclass

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.solvers.perceptrons.mistake_driven import (
    Learner,
    Plain,
    add_held,
)
from noneuclid.solvers.products import compute_length, count_up, dot, multiply

# A row whose part outside the span is a smaller share of its length counts as inside: numpy's
# pinv of the sum of squares draws the line at the same place, sqrt(1e-15).
_OUTSIDE = 3e-8


@dataclass(frozen=True)
class SecondOrder(Plain):
    """Algorithm 4 of Pan et al. (2023): w = (a I + Σ z_j z_jᵀ)⁻¹ Σ y_j z_j over past mistakes.

    The algorithm adds the row z at hand to the matrix before it predicts, which divides w·z by
    1 + zᵀ (...)⁻¹ z > 0 and so keeps the sign: w changes at mistakes only, and a row
    costs O(d), a mistake O(d²). For a = 0 the inverse is the pseudo-inverse, and a row outside the
    span of the earlier mistakes has w·z = 0 exactly: a mistake. Until the mistakes span the
    space, a row costs O(d²).

    A row of weight q counts as q equal rows in both sums, and in the mean.

    The length of w falls as the sum grows, and the first few would outweigh all others in a mean of
    w: `Learner.total` sums w/|w|, the directions.

    The inverse is updated by Sherman and Morrison's formula (43); with a = 0 and a row outside
    the span by that of Meyer (1973): A⁺ - k uᵀ - u kᵀ + (1 + zᵀk) u uᵀ, with k = A⁺ z and
    u = z⊥/|z⊥|².
    """

    a: float = 0.0

    def start(self, width):
        """Learner that has seen nothing.

        Its memory: `inverses` (a I + Σ z zᵀ)⁻¹, `moments` Σ y z, `outsides` the projector onto
        the complement of the mistakes' span (empty for a > 0), `ranks` of that span, `lost` the
        updates that found the inverse indefinite, by rounding (lengths |z| that differ by 1e8).
        """
        regular = self.a > 0
        memory = {
            "moments": np.zeros(width),
            "inverses": np.eye(width) / self.a if regular else np.zeros((width, width)),
            "outsides": np.zeros((0, 0)) if regular else np.eye(width),
            "ranks": np.array([width if regular else 0]),
            "lost": np.zeros(1, dtype=np.int64),
        }
        return Learner(np.zeros(width), np.zeros(width), memory=memory)

    def sweep(self, learner, vectors, signs, rows, limit):
        """One pass in the order `rows`, at most `limit` updates; updates made and steps seen."""
        state = tuple(learner.memory.values())
        return _pass(vectors, signs, rows, learner.w, learner.total, limit, *state)


@compile_cached
def _pass(vectors, signs, rows, w, total, limit, moment, inverse, outside, rank, lost):
    """One pass in the order `rows`; all state changes in place."""
    d = len(w)
    beyond, columns = np.zeros(d), count_up(d)
    size = compute_length(w)
    made = 0
    taken = 0.0
    held = 0.0
    for i in rows:
        wrong = signs[i] * dot(vectors, i, w) <= 0.0
        square = 0.0
        if rank[0] < d:
            square = _part_outside(vectors, i, outside, beyond, columns)
            wrong = wrong or square > 0.0
        if wrong:
            add_held(total, w, held / size if size > 0.0 else 0.0)
            held = 0.0
            lost[0] += _add_square(vectors, i, inverse, beyond, square, abs(signs[i]), columns)
            if square > 0.0:
                rank[0] += 1
                for j in range(d):
                    for k in range(d):
                        outside[j, k] -= beyond[j] * beyond[k] / square
            for j in range(d):
                moment[j] += signs[i] * vectors[i, j]
            multiply(inverse, columns, moment, w)
            size = compute_length(w)
            made += 1
        held += abs(signs[i])
        taken += abs(signs[i])
        if made == limit:
            break
    add_held(total, w, held / size if size > 0.0 else 0.0)
    return made, taken


@compile_cached
def _part_outside(vectors, i, outside, beyond, columns):
    """Part of row i outside the span, in `beyond`; its square, 0 if the row counts as inside."""
    square = 0.0
    multiply(outside, columns, vectors[i], beyond)
    for j in range(len(beyond)):
        square += beyond[j] ** 2
    inside = square <= _OUTSIDE**2 * dot(vectors, i, vectors[i])
    return 0.0 if inside else square


@compile_cached
def _add_square(vectors, i, inverse, beyond, square, weight, columns):
    """Add q z zᵀ, z = row i, to the matrix of this (pseudo-)inverse; whether it is indefinite."""
    d = len(beyond)
    k = np.empty(d)
    multiply(inverse, columns, vectors[i], k)
    scale = 1.0 + weight * dot(vectors, i, k)
    for j in range(d):
        for m in range(d):
            if square > 0.0:
                inverse[j, m] += (
                    scale * beyond[j] * beyond[m] / (weight * square)
                    - k[j] * beyond[m]
                    - beyond[j] * k[m]
                ) / square
            else:
                inverse[j, m] -= weight * k[j] * k[m] / scale
    return scale < 1.0
