"""Strategic perceptron: rows may have been moved towards the positive side, compiled."""

from dataclasses import dataclass
from math import sinh

import numpy as np

from noneuclid.compiled import compile_cached, copy_into
from noneuclid.solvers.perceptrons.mistake_driven import Plain, add_held
from noneuclid.solvers.products import compute_length

TOLERANCE = 1e-9
"""Hyperbolic length below which a row counts as lying on the line that agents move to."""


@dataclass(frozen=True)
class Strategic(Plain):
    """Algorithm 5 of Pan et al. (2023), on tangent vectors at p as long as the distance from p.

    A row v is called positive if <w,v>/|w| >= budget, as far as an agent could have moved. At a
    mistake w <- w + y (sinh|v|/|v|) ṽ, where ṽ = v - budget w/|w| for a negative row on the line
    <w,v>/|w| = budget, which an agent moved (by an unknown part of the budget), else ṽ = v. While
    w = 0 every row is called positive. With budget 0 this is Algorithm 1, except for w = 0 and rows
    on the hyperplane, which are called positive here. In the vectors of Pan et al. (2023), shorter
    by σ_p, the budget is α/σ_p. A row of weight q moves w by q times the correction.

    A row within `tolerance` of the line counts as on the line, and as positive: the algorithm
    compares for equality, which floats do not keep.
    """

    budget: float
    tolerance: float = TOLERANCE

    def sweep(self, learner, vectors, signs, rows, limit):
        """One pass in the order `rows`, at most `limit` updates; updates made and steps seen."""
        return _pass(
            vectors, signs, rows, learner.w, learner.total, limit, self.budget, self.tolerance
        )

    def scores(self, vectors, w):
        """<w,v>/|w| - budget + tolerance, positive for the label +1; 1 for w = 0."""
        length = np.linalg.norm(w)
        if length == 0:
            return np.ones(len(vectors))
        return vectors @ (w / length) - self.budget + self.tolerance


@compile_cached
def correct_weights(v, sign, w, length, line, tolerance):
    """Whether the label of v is missed; if so, w has been changed."""
    reached = line
    if length > 0.0:
        reached = 0.0
        for j in range(len(w)):
            reached += v[j] * w[j]
        reached /= length
    if (reached > line - tolerance) == (sign > 0):
        return False
    back = 0.0
    if sign < 0 and length > 0.0 and reached <= line + tolerance:
        back = line / length
    size = compute_length(v)
    factor = sign * (sinh(size) / size if size > 0.0 else 1.0)
    for j in range(len(w)):
        w[j] += factor * (v[j] - back * w[j])
    return True


@compile_cached
def _pass(vectors, signs, rows, w, total, limit, line, tolerance):
    """One pass in the order `rows`; `w` and `total` change in place."""
    before = np.empty(len(w))
    length = compute_length(w)
    made = 0
    taken = 0.0
    held = 0.0
    for i in rows:
        copy_into(w, before)
        if correct_weights(vectors[i], signs[i], w, length, line, tolerance):
            add_held(total, before, held)
            held = 0.0
            length = compute_length(w)
            made += 1
        held += abs(signs[i])
        taken += abs(signs[i])
        if made == limit:
            break
    add_held(total, w, held)
    return made, taken
