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

_BATCH = 100  # rows of a class at first, and rows that may enter at once
_RAISES = 5  # of C, ten times each


def solve(points, signs, tol=1e-6, max_slices=2000, conic_solver="clarabel"):
    """Hyperplane with the largest margin, with a proof.

    The soft margin's lower bound holds for every C: a w without violations has no loss. Its w
    divided by its least margin has no violation, if that margin is positive. Multipliers of the
    optimum add up to <w,w>_L, so that C starts at what no multiplier exceeds, and grows until bound
    and objective meet. The soft problems have the rows near the margin only, which bound the
    optimum too, as rows are constraints; rows that their w violates are added.

    `status` is "optimal", "gap open", or "inseparable" with objective inf: no w of the ambient
    space has margins above 1e-10 of the longest row, seen from the middle of the classes.
    """
    centre = find_middle(points, signs, None)
    start = hard_margin_svm(signed_rows(boost(points, -centre), signs), np.ones(len(points)))
    if start.status == "inseparable":
        return Solution(start.w, math.inf, "inseparable", 0)
    w = boost(start.w, centre)
    short = exact_sums.shortfalls(points, signs, w)
    w, value = _widen(w, short.max())
    order = np.argsort(-short)
    work = np.concatenate([order[signs[order] == sign][:_BATCH] for sign in (-1.0, 1.0)])
    C = float(exact_sums.lorentz_square(start.w)) / HINGE_SLOPE
    lower, slices, cells, raises = 0.0, 0, 0, 0
    while slices < max_slices and raises < _RAISES:
        limits = {"tol": 0.5 * tol, "max_slices": max_slices - slices, "conic_solver": conic_solver}
        soft = global_optimum.solve(points[work], signs[work], C, **limits)
        slices, cells = slices + soft.n_iter, cells + soft.extras["cells"]
        lower = max(lower, soft.lower_bound)
        short = exact_sums.shortfalls(points, signs, soft.w)
        w, value = min((w, value), _widen(soft.w, short.max()), key=lambda trial: trial[1])
        if value - lower <= tol * value < math.inf:
            break
        worst = np.argsort(-short)[:_BATCH]
        fresh = np.setdiff1d(worst[short[worst] > 0.0], work)
        work = np.append(work, fresh)
        if not fresh.size:
            C, raises = 10.0 * C, raises + 1
    status, warning = "optimal", ""
    if not value - lower <= tol * value < math.inf:
        status = "gap open"
        warning = (
            f"hard margin proved to a relative gap of {1.0 - lower / value:.1e}, not {tol:.0e}, "
            f"in {slices} slices"
        )
    extras = {"light_cone": math.inf, "cells": cells}
    return Solution(w, value, status, slices, lower, warning, extras)


def _widen(w, shortfall):
    """Multiple of w with least margin 1 and its ½<w,w>_L, inf if a point is on the wrong side.

    `shortfall` is 1 minus the least margin of w.
    """
    if not shortfall < 1.0:
        return w, math.inf
    w = w / (1.0 - shortfall)
    return w, 0.5 * float(exact_sums.lorentz_square(w))
