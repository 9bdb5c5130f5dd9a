"""Certified global optimum of the soft-margin hyperboloid SVM.

Problem (7) of Yang et al. (2024), over w = (t, u) with |u| >= |t|: ½(|u|² - t²) + c Σ q_i max(0, 1
- r_i·w), with c = C/√2, weights q_i (1 if none are given), r_i = y_i (-x_i0, x_i'). Only t enters
concavely. For fixed t the rest is a strongly convex SVM (`time_slices`), whose multipliers bound
the objective at every t. Branch and bound on t therefore finds the global optimum in any dimension.
Where the constraint binds, w lies on the light cone, which has a search of its own
(`horospherical`).
"""

import math

from noneuclid.solvers.hyperboloid.certified.coordinates import enter
from noneuclid.solvers.hyperboloid.certified.original_coordinates import Normal, Problem
from noneuclid.solvers.hyperboloid.certified.time_search import TimeSearch
from noneuclid.solvers.hyperboloid.problem import Solution


def solve(
    points, signs, C, radius=0.0, tol=1e-6, max_slices=2000, conic_solver="clarabel", weights=None
):
    """Global minimum of problem (7), or of its robust form (30), with a proof.

    `max_slices` limits the values of t, and the cells of directions on the light cone at 250 times
    as many, 360,000/(d + 1)³ times above ten dimensions (once as many in the search with twice the
    digits; the boxes of the robust form at as many). `status` is "optimal", "horospherical"
    (optimal too, on the light cone: all points get one label, the score is a Busemann function) or
    "gap open".
    `extras["light_cone"]` is the lower bound of the objective on the cone, inf if not needed.

    10 to 30 slices, each some passes of O(n d) over the data and solutions of O(k d² + d³) for
    k <= n groups of rows; on the light cone some 100 to 500,000 linear programs, more in high
    dimensions. The bounds hold whatever the inner solvers did: each is evaluated at feasible
    multipliers. For points that stay where they are, all bounds are proved again for the points as
    given, with all that rounding can do taken off (`verified_bound`). Where this leaves a gap, the
    search is made again in twice the digits, from the hyperplane found (`far_slices`).
    """
    problem = Problem(points, signs, C, radius, weights, conic_solver)
    problem.check()
    coordinates, best, lower = enter(problem), Normal(None, math.inf, False), -math.inf
    n_slices = cells = 0
    while coordinates is not None:
        search = TimeSearch(coordinates, tol, max_slices - n_slices)
        search.run()
        best = min(best, coordinates.return_normal(search.w), key=lambda normal: normal.value)
        lower = max(lower, coordinates.prove(search, best))
        n_slices, cells = n_slices + search.n_slices, cells + search.cells
        open_ = best.value - lower > tol * best.value and n_slices < max_slices
        coordinates = coordinates.lengthen(search, best.value, lower) if open_ else None
    w, value, lower = best.w, best.value, max(0.0, lower)
    if not (radius or value - lower <= tol * value):
        w, value = problem.round_better(w, value)
    gap, warning = value - lower, ""
    status = "horospherical" if best.on_cone else "optimal"
    if not gap <= tol * value:
        status = "gap open"
        warning = (
            f"solver 'optimal' proved a relative gap of {gap / value:.1e}, not {tol:.0e}, "
            f"in {n_slices} slices"
        )
    extras = {"light_cone": search.cone, "cells": cells}
    return Solution(w, value, status, n_slices, lower, warning, extras)
