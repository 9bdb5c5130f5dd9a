"""A local optimum of the soft-margin hyperboloid SVM, without a bound.

Problem (7) of Yang et al. (2024) by Newton's method on rounded hinges (`rounded_newton`), on groups
of rows that are split until their sum is that of the rows.
"""

import numpy as np

from noneuclid.solvers.hyperboloid.certified.coordinates import enter
from noneuclid.solvers.hyperboloid.certified.light_cone.cone_descent import descend_all
from noneuclid.solvers.hyperboloid.certified.original_coordinates import Problem
from noneuclid.solvers.hyperboloid.problem import Solution

_PRECISE = 1e-6  # relative
_SMALL = 1e-12  # of a w where none is better than 0


def solve(points, signs, C, weights=None):
    """Local minimum of problem (7) from w = 0; some 20 passes of O(n d).

    Where this descent meets the light cone, the best of several on the cone.
    """
    problem = Problem(points, signs, C, weights=weights)
    problem.check()
    coordinates = enter(problem)
    w, _ = coordinates.slices.find_local_optimum(_PRECISE)
    if w is None:
        w = _find_on_cone(coordinates.slices)
    best = coordinates.return_normal(w)
    status = "horospherical" if best.on_cone else "local"
    return Solution(best.w, best.value, status, 1)


def _find_on_cone(slices):
    """Best w of descents on both halves of the light cone, or nearly 0."""
    nearly_zero = np.eye(1, slices.rows.shape[1], 1)[0] * _SMALL
    found = [(nearly_zero, slices.evaluate_loss(nearly_zero))]
    for sign in (1.0, -1.0):
        found += descend_all(slices, sign)[:1]
    return min(found, key=lambda pair: pair[1])[0]
