"""A local optimum of the soft-margin hyperboloid SVM, without a bound.

Problem (7) of Yang et al. (2024) by Newton's method on rounded hinges (`rounded_newton`), on groups
of rows that are split until their sum is that of the rows.
"""

import numpy as np

from noneuclid.solvers.hyperboloid.certified.coordinates import enter
from noneuclid.solvers.hyperboloid.certified.original_coordinates import Problem
from noneuclid.solvers.hyperboloid.problem import Solution

_SMALL = 1e-12  # of a w where none is better than 0


def solve(points, signs, C, weights=None):
    """Local minimum of problem (7), off the light cone or on it; some 10 passes of O(n d)."""
    problem = Problem(points, signs, C, weights=weights)
    problem.check()
    coordinates = enter(problem)
    w, _ = coordinates.slices.find_local_optimum()
    if w is None:
        w = np.eye(1, coordinates.slices.rows.shape[1], 1)[0] * _SMALL
    best = coordinates.return_normal(w)
    status = "horospherical" if best.on_cone else "local"
    return Solution(best.w, best.value, status, 1)
