"""Small problems with far, equal or collinear rows, any C, and weights of fifteen decades."""

import math
import warnings
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
from cases import each_of

from noneuclid.geometry import lorentz
from noneuclid.solvers.hyperboloid.certified import global_optimum
from noneuclid.solvers.hyperboloid.problem import HINGE_SLOPE


def extreme(seed):
    """Points, signs, C and weights."""
    rng = np.random.default_rng([7, seed])
    n, d, C = int(rng.integers(2, 26)), int(rng.integers(1, 7)), 10.0 ** rng.uniform(-8.0, 8.0)
    reach, kind = 10.0 ** rng.uniform(-1.0, math.log10(30.0)), rng.integers(6)
    u, radii = rng.normal(size=(n, d)), reach * rng.random(n)
    if kind == 0:
        axes = rng.normal(size=(int(rng.integers(1, d + 1)), d))
        u = rng.normal(size=(n, len(axes))) @ axes
    if kind == 1:
        radii = reach * (1.0 - 1e-3 * rng.random(n))
    x = u / np.linalg.norm(u, axis=1, keepdims=True) * np.sinh(radii)[:, None]
    if kind == 2:
        x[:] = x[0]
    if kind == 3:
        x = x[rng.integers(0, max(1, n // 3), n)]
    signs = rng.choice([1.0, -1.0], n)
    if rng.random() < 0.4:
        signs[:] = -1.0
    signs[:2] = 1.0, -1.0
    weights = [None, rng.uniform(0.5, 2.0, n), 10.0 ** rng.uniform(-8.0, 7.0, n)][rng.integers(3)]
    C = C if weights is None or C * weights.sum() < 1e12 else 1.0
    return lorentz.from_spatial(x), signs, C, weights


def exact(w, points, signs, C, weights):
    """Objective to 120 digits; w must not be timelike."""
    w = [Fraction(float(x)) for x in w]
    square = sum(x * x for x in w[1:]) - w[0] * w[0]
    assert square >= 0
    with localcontext() as context:
        context.prec, total = 120, Decimal(0)
        w = [Decimal(x.numerator) / x.denominator for x in w]
        for i, row in enumerate(points):
            space = [Decimal(float(x)) for x in row[1:]]
            time = (1 + sum(x * x for x in space)).sqrt()
            margin = int(signs[i]) * (sum(map(Decimal.__mul__, w[1:], space)) - w[0] * time)
            total += Decimal(1.0 if weights is None else weights[i]) * max(Decimal(0), 1 - margin)
        half = Decimal(square.numerator) / (2 * square.denominator)
        return half + Decimal(C) * Decimal(HINGE_SLOPE) * total


def turned(problem, seed):
    """The same problem in other coordinates and another order, and what takes its w back."""
    points, signs, C, weights = problem
    rng, (n, m) = np.random.default_rng([8, seed]), points.shape
    order, axes = rng.permutation(n), np.append(0, 1 + rng.permutation(m - 1))
    turn, flip = np.append(1.0, rng.choice([1.0, -1.0], m - 1)), rng.choice([1.0, -1.0])

    def back(w):
        found = np.empty(m)
        found[axes] = flip * w * turn
        return found

    moved = np.ascontiguousarray(points[order][:, axes] * turn)
    return (moved, flip * signs[order], C, None if weights is None else weights[order]), back


@each_of("seed", [43, 54, 63, 104, 110, 122])
def test_what_was_left_open(seed):
    """Gaps of 1e-5 to 0.08, where edges of the simplex method had no end, or rounding of heavy
    rows without a multiplier was taken off; and a division by 0 for rows at the centre.
    """
    points, signs, C, weights = extreme(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit = global_optimum.solve(points, signs, C, weights=weights, max_slices=200)
    assert fit.gap <= 1e-6


def test_a_normal_next_to_the_light_cone_is_rounded_well():
    """The nearest doubles have an objective of 0.05, and others one of 0.0367."""
    x = np.array(
        [
            [-11924.68341254, 163022.38175722, 192323.93306994],
            [-211.40145523, 2890.06991178, 3409.52945412],
        ]
    )
    points, signs = lorentz.from_spatial(x), np.array([1.0, -1.0])
    fit = global_optimum.solve(points, signs, 4872063.337678939)
    assert fit.gap <= 1e-6
    assert 0.03674 < fit.objective < 0.03675


@each_of("part", (0, 3, 5))
def test_bounds_hold_in_all_coordinates(part):
    """No w of a turned problem contradicts the bound, and no status is better than its gap."""
    for seed in range(6 * part, 6 * part + 6):
        problem = extreme(seed)
        other, back = turned(problem, seed)
        fits = [
            global_optimum.solve(*rows[:3], weights=rows[3], max_slices=50)
            for rows in (problem, other)
        ]
        objectives = [exact(w, *problem) for w in (fits[0].w, back(fits[1].w))]
        for fit, value in zip(fits, objectives, strict=True):
            assert Decimal(fit.lower_bound) <= min(objectives), seed
            assert abs(Decimal(fit.objective) - value) <= Decimal("1e-9") * value
            assert (fit.status == "gap open") == bool(fit.warning) == (not fit.gap <= 1e-6)
