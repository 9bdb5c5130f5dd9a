"""Certified hard margin of the hyperboloid SVM, by soft margins that no longer give way.

Eqs. (16) to (18) of Cho et al. (2019): minimise ½<w,w>_L subject to y_i <w,x_i>_L >= 1. With both
classes present these constraints imply <w,w>_L > 0, as other w give all points one label. The
largest distance from the nearest point is asinh(1/|w|).
"""

import math

import numpy as np

from noneuclid.solvers.hyperboloid import exact_sums
from noneuclid.solvers.hyperboloid.certified import global_optimum
from noneuclid.solvers.hyperboloid.lorentz_boost import boost, find_middle
from noneuclid.solvers.hyperboloid.problem import HINGE_SLOPE, Solution, signed_rows
from noneuclid.solvers.linear.hard_margin import hard_margin_svm

_TRIES = 5  # values of C, each ten times the last


def solve(points, signs, tol=1e-6, max_slices=2000, conic_solver="clarabel"):
    """Hyperplane with the largest margin, with a proof.

    The soft margin's lower bound holds for every C: a w without violations has no loss. Its w
    divided by its least margin has no violation, if that margin is positive. Multipliers of the
    optimum add up to <w,w>_L, so that C starts at what no multiplier exceeds, and grows until bound
    and objective meet.

    `status` is "optimal", "gap open", or "inseparable" with objective inf: no w of the ambient
    space has margins above 1e-10 of the longest row, seen from the middle of the classes.
    """
    centre = find_middle(points, signs, None)
    start = hard_margin_svm(signed_rows(boost(points, -centre), signs), np.ones(len(points)))
    if start.status == "inseparable":
        return Solution(start.w, math.inf, "inseparable", 0)
    w, value = _widen(boost(start.w, centre), points, signs)
    C = float(exact_sums.lorentz_square(start.w)) / HINGE_SLOPE
    lower, slices, cells = 0.0, 0, 0
    for _ in range(_TRIES):
        limits = {"tol": 0.5 * tol, "max_slices": max_slices - slices}
        soft = global_optimum.solve(points, signs, C, conic_solver=conic_solver, **limits)
        slices, cells = slices + soft.n_iter, cells + soft.extras["cells"]
        lower = max(lower, soft.lower_bound)
        w, value = min((w, value), _widen(soft.w, points, signs), key=lambda trial: trial[1])
        if value - lower <= tol * value < math.inf or slices >= max_slices:
            break
        C *= 10.0
    status, warning = "optimal", ""
    if not value - lower <= tol * value < math.inf:
        status = "gap open"
        warning = (
            f"hard margin proved to a relative gap of {1.0 - lower / value:.1e}, not {tol:.0e}, "
            f"in {slices} slices"
        )
    extras = {"light_cone": math.inf, "cells": cells}
    return Solution(w, value, status, slices, lower, warning, extras)


def _widen(w, points, signs):
    """Multiple of w with least margin 1 and its ½<w,w>_L, inf if a point is on the wrong side."""
    least = 1.0 - exact_sums.shortfalls(points, signs, w).max()
    if not least > 0.0:
        return w, math.inf
    w = w / least
    return w, 0.5 * float(exact_sums.lorentz_square(w))
