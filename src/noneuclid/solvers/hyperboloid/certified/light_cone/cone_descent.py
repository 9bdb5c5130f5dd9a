"""Local descent on the light cone, from several directions."""

import numpy as np

from noneuclid.solvers.hyperboloid.certified.light_cone.horospherical import (
    best_length,
    lift_to_cone,
)
from noneuclid.solvers.hyperboloid.certified.rounded_newton import CONE

_STARTS = 3  # directions a dimension,
_MOST = 32  # at most
_WORK, _CUBES = 800_000, 2_000_000  # rows, cubes of coordinates, times starts; one at least
_CLOSE = 1e-3  # of the objective


def descend_all(slices, sign):
    """Vectors of the light cone with this sign of t, with objectives, best first.

    From three starts a dimension; none are returned for starts that end at w = 0. On the cone w =
    (±|u|, u), the objective is the hinge sum, a function of u alone. Newton's method on a model
    that is refined, some passes of O(n d) a start; fewer starts where the rows are many.
    """
    d, rng = slices.rows.shape[1] - 1, np.random.default_rng(0)
    starts = rng.normal(size=(_count_starts(*slices.rows.shape), d))
    # First the direction in which the sum falls fastest.
    starts[0] = slices.sum_rows()[1:]
    found = []
    for start in starts[starts.any(axis=1)]:
        w = find_best_multiple(slices, sign, start)
        if not w.any():
            continue
        w = slices.descend(w, CONE, _CLOSE)[0]
        if w[1:].any():
            w = lift_to_cone(w[1:], sign, abs(w[0]))
            found.append((w, slices.evaluate_loss(w)))
    return sorted(found, key=lambda pair: pair[1])


def _count_starts(n, size):
    return max(1, min(_STARTS * (size - 1), _MOST, _WORK // n, _CUBES // size**3))


def find_best_multiple(slices, sign, u):
    """Best w of the light cone with the direction of u, over all rows."""
    ray = lift_to_cone(u, sign, 1.0)
    return ray * best_length(slices.weights * (slices.rows @ ray), slices.weights)
