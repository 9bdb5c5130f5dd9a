"""Certificates where digits are short: large C, far points, tiny C; against 60-digit decimals."""

import math
from dataclasses import replace
from decimal import Decimal, localcontext

import numpy as np
import pytest
from cases import each_of
from decimal_rows import decimals, exact_boost, exact_rows

from noneuclid.geometry import lorentz
from noneuclid.solvers.hyperboloid import exact_sums
from noneuclid.solvers.hyperboloid.certified import global_optimum, time_search
from noneuclid.solvers.hyperboloid.certified.coordinates import DoubleCoordinates
from noneuclid.solvers.hyperboloid.certified.intervals import Interval
from noneuclid.solvers.hyperboloid.certified.light_cone import horospherical
from noneuclid.solvers.hyperboloid.certified.original_coordinates import Problem
from noneuclid.solvers.hyperboloid.certified.slices.far_slices import FarSlices, LongSlice
from noneuclid.solvers.hyperboloid.certified.slices.time_slices import HingeSlices, TimeSlice
from noneuclid.solvers.hyperboloid.certified.time_search import TimeSearch
from noneuclid.solvers.hyperboloid.certified.verified_bound import (
    FarVerifier,
    Verifier,
    lower_bound,
)
from noneuclid.solvers.hyperboloid.lorentz_boost import boost, find_middle, in_numbers_of
from noneuclid.solvers.hyperboloid.problem import HINGE_SLOPE, objective, signed_rows
from noneuclid.solvers.linear.hinge_program import solve_offset_svm


def points_in_a_ball(n, d, radius, seed, labels="noisy"):
    """Points in a ball, or all at `radius`; noisy halves, or random signs."""
    rng = np.random.default_rng(seed)
    directions = rng.normal(size=(n, d))
    radii = np.full(n, radius)
    if labels != "edge":
        radii = radius * rng.uniform(size=n) ** (1.0 / d)
    lengths = np.sinh(radii) / np.linalg.norm(directions, axis=1)
    points = lorentz.from_spatial(directions * lengths[:, None])
    if labels == "random":
        signs = np.where(rng.uniform(size=n) < 0.5, 1.0, -1.0)
    else:
        height = points[:, 1] / points[:, 0]
        signs = np.where(height > np.median(height), 1.0, -1.0)
        signs[rng.uniform(size=n) < 0.1] *= -1.0
    signs[0], signs[1] = 1.0, -1.0
    return points, signs


def exact_objective(w, points, signs, C):
    with localcontext() as context:
        context.prec = 60
        w = decimals(w)
        total = sum(
            max(Decimal(0), 1 - sum(a * b for a, b in zip(w, row, strict=True)))
            for row in exact_rows(points, signs)
        )
        square = sum(x * x for x in w[1:]) - w[0] * w[0]
        return square, square / 2 + Decimal(C) * Decimal(HINGE_SLOPE) * total


@each_of("C", [1e-8, 1.0, 1e4])
@each_of(("radius", "labels"), [(3.0, "random"), (8.0, "noisy"), (20.0, "edge")])
def test_the_objective_is_true_to_its_digits(radius, labels, C):
    for seed in range(2):
        points, signs = points_in_a_ball(40, 2, radius, seed, labels)
        fit = global_optimum.solve(points, signs, C)
        square, exact = exact_objective(fit.w, points, signs, C)
        assert square >= 0
        assert fit.objective == objective(fit.w, points, signs, C)
        assert abs(Decimal(fit.objective) - exact) <= Decimal("1e-9") * exact
        assert Decimal(fit.lower_bound) <= exact * (1 + Decimal("1e-12"))
        assert fit.gap <= 1e-6


def test_nearly_null_normals_are_moved_off_the_timelike_side():
    rng = np.random.default_rng(0)
    for size in (1.0, 1e3, 1e8):
        for _ in range(50):
            u = size * rng.normal(size=3)
            w = np.append(rng.choice([-1.0, 1.0]) * np.linalg.norm(u) * (1.0 + 1e-15), u)
            moved = exact_sums.move_off_the_timelike(w)
            assert exact_sums.lorentz_square(w) <= 1e-14 * size**2
            assert exact_sums.lorentz_square(moved) >= 0
            assert np.array_equal(moved[1:], w[1:])
            assert abs(moved[0] / w[0] - 1.0) <= 3e-15
    w = np.array([0.5, 1.0, 0.0])
    assert np.array_equal(exact_sums.move_off_the_timelike(w), w)


@pytest.mark.parametrize("radius", [1.0, 12.0, 25.0])
def test_shortfalls_and_group_sums_against_decimals(radius):
    points, signs = points_in_a_ball(30, 3, radius, 4, "edge")
    w = np.array([0.1, 0.7, -0.4, 0.2])
    weights = np.random.default_rng(0).uniform(0.1, 3.0, size=30)
    ids = np.arange(30) % 4
    high, low, total, rest, sizes = exact_sums.sum_groups(points, signs, weights, ids, 4)
    with localcontext() as context:
        context.prec = 60
        rows = exact_rows(points, signs)
        given = [sum(a * b for a, b in zip(decimals(w), row, strict=True)) for row in rows]
        # The second w has the first row near its kink, where all but some digits cancel.
        for v in (w, w / float(given[0])):
            found = exact_sums.shortfalls(points, signs, v)
            for row, short in zip(rows, found, strict=True):
                terms = [a * b for a, b in zip(decimals(v), row, strict=True)]
                exact, size = 1 - sum(terms), sum(map(abs, terms))
                error = abs(Decimal(short) - exact)
                assert error <= Decimal("1e-15") * abs(exact) + Decimal("1e-30") * size
        shares = decimals(weights)
        for k in range(4):
            for j in range(4):
                exact = sum(shares[i] * rows[i][j] for i in range(30) if ids[i] == k)
                stated = Decimal(high[k, j]) + Decimal(low[k, j])
                assert abs(stated - exact) <= Decimal("1e-28") * Decimal(sizes[k])
            exact = sum(shares[i] for i in range(30) if ids[i] == k)
            assert abs(Decimal(total[k]) + Decimal(rest[k]) - exact) <= Decimal("1e-28") * exact
    lengths = np.linalg.norm(weights[:, None] * points, axis=1)
    assert np.allclose(sizes, np.bincount(ids, lengths), rtol=1e-12)


@pytest.mark.parametrize(("n", "radius"), [(40, 2.0), (40, 12.0), (150, 20.0)])
def test_verified_slices_are_below_the_exact_dual(n, radius):
    """The stated slope and length lie on the safe side of those of the exact rows."""
    points, signs = points_in_a_ball(n, 2, radius, 1)
    c = 0.5
    centre = find_middle(points, signs, None)
    if radius > 8.0:
        centre = centre.astype(np.longdouble)
    given = in_numbers_of(centre, points)
    slices = HingeSlices(boost(signed_rows(given, signs), centre), c)
    results = [slices.solve_at(t / points[:, 0].max(), 1e-6, math.inf) for t in (-2.0, 0.0, 1.5)]
    verifier = Verifier(slices, points, signs, centre)
    ids = slices.groups.ids
    with localcontext() as context:
        context.prec = 60
        rows = exact_rows(points, signs)
        middle = [Decimal(str(x)) for x in centre]
        time = (1 + sum(x * x for x in middle)).sqrt()
        for result, stated_by_sign in zip(results, verifier.verify(results), strict=True):
            assert set(stated_by_sign) == ({np.sign(result.t)} if result.t else {-1.0, 1.0})
            alpha = np.clip(slices.groups.inherit([result.alpha])[0], 0.0, c)[ids]
            raw = [
                sum(Decimal(a) * r[j] for a, r in zip(alpha, rows, strict=True)) for j in range(3)
            ]
            along = sum(a * b for a, b in zip(raw[1:], middle, strict=True))
            slope = -(raw[0] * time + along)
            push = raw[0] + along / (1 + time)
            length = sum((a + push * b) ** 2 for a, b in zip(raw[1:], middle, strict=True)).sqrt()
            for sign, stated in stated_by_sign.items():
                assert Decimal(stated.total) <= sum(decimals(alpha))
                assert Decimal(sign) * (slope - Decimal(stated.slope)) >= 0
                assert Decimal(stated.length) >= length
                share = Decimal("1e-13") * Decimal(alpha @ points[:, 0])
                assert Decimal(stated.length) - length <= share
                assert abs(slope - Decimal(stated.slope)) <= share
                assert stated.upper > result.upper


@pytest.mark.parametrize("radius", [2.0, 12.0])
def test_rounded_rows_cannot_do_more_than_is_taken_off(radius):
    points, signs = points_in_a_ball(30, 3, radius, 1)
    centre = find_middle(points, signs, None)
    if radius > 8.0:
        centre = centre.astype(np.longdouble)
    given = in_numbers_of(centre, points)
    slices = HingeSlices(boost(signed_rows(given, signs), centre), 0.5)
    verifier = Verifier(slices, points, signs, centre)
    result = slices.solve_at(0.5 / points[:, 0].max(), 1e-6, math.inf)
    value = 0.5 * 2.0 * 30
    least = 0.5 * min((signs > 0).sum(), (signs < 0).sum())
    wrong = slices.rows[:, 0] > 0.0
    sizes = np.abs(slices.rows[:, 0]) + np.linalg.norm(slices.rows[:, 1:], axis=1)
    reach = [
        (value - 0.5 * side.sum()) / (0.5 * (1.0 / sizes[side]).sum()) for side in (wrong, ~wrong)
    ]
    assert value > least
    with localcontext() as context:
        context.prec = 60
        moved = [exact_boost(row, centre) for row in exact_rows(points, signs)]
        off = np.array(
            [
                [float(a - Decimal(b)) for a, b in zip(exact, row, strict=True)]
                for exact, row in zip(moved, slices.rows, strict=True)
            ]
        )
    worst = 0.5 * np.linalg.norm(off, axis=1).sum()
    taken = verifier.rounding_error_on_cone(value, verifier.lost)
    assert math.sqrt(2.0) * worst * max(reach) <= taken
    assert taken <= 1e3 * math.sqrt(2.0) * worst * max(reach)
    stated = verifier.verify([result])[0][1.0]
    w = np.append(result.t, result.u)
    assert stated.upper >= result.upper + worst * np.linalg.norm(w)


def test_interior_points_prove_that_the_cone_is_lower():
    """Where `highest_inside` is at most the least value on the cone, no spacelike w is below it."""
    rng, proved = np.random.default_rng(0), 0
    for seed in range(80):
        spatial = np.sinh(rng.uniform(-2.0, 2.0, size=6))[:, None]
        points = lorentz.from_spatial(spatial)
        rows, c = signed_rows(points, rng.choice([-1.0, 1.0], size=6)), 10 ** rng.uniform(-1, 4)
        slices = HingeSlices(rows, c)
        a, b = np.sort(10 ** rng.uniform(-2, 0.5, size=2)) * rng.choice([-1.0, 1.0])
        a, b = (slices.solve_at(float(t), 1e-6 * c, math.inf) for t in sorted((a, b)))
        highest = Interval(a, b).highest_inside()
        inside = all(abs(end.u[0]) < abs(end.t) for end in (a, b))
        assert math.isfinite(highest) == inside
        if not inside:
            continue
        for t in np.linspace(a.t, b.t, 21):
            stretch = np.geomspace(1.0, 50.0, 200)
            u = abs(t) * np.r_[-stretch, stretch]
            hinge = c * np.maximum(0.0, 1.0 - t * rows[:, 0] - np.outer(u, rows[:, 1])).sum(axis=1)
            values = 0.5 * (u**2 - t**2) + hinge
            on_cone = min(values[0], values[200])
            inside = 0.5 * (a.u[0] + (t - a.t) / (b.t - a.t) * (b.u[0] - a.u[0])) ** 2 - 0.5 * t * t
            mixed = a.u[0] + (t - a.t) / (b.t - a.t) * (b.u[0] - a.u[0])
            inside += c * np.maximum(0.0, 1.0 - t * rows[:, 0] - mixed * rows[:, 1]).sum()
            assert inside <= highest + 1e-9 * c, seed
            if highest <= on_cone:
                proved += 1
                assert values.min() >= on_cone * (1.0 - 1e-9), seed
    assert proved > 60


@pytest.mark.parametrize(
    ("n", "d", "radius", "seed", "limit"),
    [(48, 5, 6.0, 0, 250), (100, 2, 3.0, 0, 80), (100, 2, 3.0, 1, 150)],
)
def test_large_C_is_certified(n, d, radius, seed, limit):
    points, signs = points_in_a_ball(n, d, radius, seed, "random")
    last = math.inf
    for C in (1e3, 1e5, 1e8):
        fit = global_optimum.solve(points, signs, C)
        assert fit.gap <= 1e-6
        assert fit.n_iter <= limit
        # The optimum is ½<w,w>/C plus a sum that does not depend on C.
        assert fit.objective / C <= last * (1.0 + 1e-6)
        last = fit.objective / C


@pytest.mark.slow
@each_of("labels", ["noisy", "edge"])
@each_of("radius", [12.0, 16.0, 20.0])
def test_far_points_are_certified(radius, labels):
    for n, d in ((60, 2), (300, 5)):
        points, signs = points_in_a_ball(n, d, radius, 0, labels)
        for C in (1e-8, 1.0, 1e4):
            fit = global_optimum.solve(points, signs, C)
            assert fit.gap <= 1e-6, (n, C)
            assert fit.objective <= C * HINGE_SLOPE * n
            rng = np.random.default_rng(0)
            for size in (1e-13, 1e-11, 1e-9):
                for _ in range(20):
                    w = fit.w + size * rng.normal(size=d + 1)
                    if exact_sums.lorentz_square(w) >= 0:
                        rival = objective(w, points, signs, C)
                        assert fit.lower_bound <= rival


@pytest.mark.parametrize(("radius", "C"), [(25.0, 1e8), (30.0, 1e-8), (30.0, 1.0), (30.0, 1e4)])
def test_points_at_distance_25_and_30(radius, C):
    for labels in ("noisy", "edge"):
        for n, d in ((60, 2), (100, 5)):
            points, signs = points_in_a_ball(n, d, radius, 0, labels)
            fit = global_optimum.solve(points, signs, C)
            assert fit.gap <= 1e-6
            assert fit.n_iter <= 150
            square, exact = exact_objective(fit.w, points, signs, C)
            assert square >= 0
            assert abs(Decimal(fit.objective) - exact) <= Decimal("1e-9") * exact
            assert Decimal(fit.lower_bound) <= exact


@pytest.mark.parametrize(("n", "d", "radius"), [(8, 10, 15.0), (24, 9, 9.0), (50, 1, 16.0)])
def test_rows_of_all_lengths(n, d, radius):
    """Rows from 1 to e^radius; in one dimension, resultants near the light cone."""
    for seed in range(3):
        points, signs = points_in_a_ball(n, d, radius, seed)
        fit = global_optimum.solve(points, signs, 1e5)
        assert fit.gap <= 1e-6, seed
        _, exact = exact_objective(fit.w, points, signs, 1e5)
        assert Decimal(fit.lower_bound) <= exact


def test_slices_that_cannot_gain_are_not_repeated():
    """The second search is made only where digits ran out, not where the budget did."""
    points, signs = points_in_a_ball(60, 2, 2.0, 0, "random")
    fit = global_optimum.solve(points, signs, 1.0, max_slices=3)
    assert fit.status == "gap open"
    assert fit.n_iter == 3


def test_a_start_far_out_does_not_end_the_hinge_program():
    rng = np.random.default_rng(0)
    Z = 1e7 * rng.normal(size=(60, 2))
    offsets, weights = np.ones(60), np.full(60, 1e4)
    u, alpha, lower, upper, _ = solve_offset_svm(Z, offsets, weights, 1e-3, 100)
    value = 0.5 * (u @ u) + weights @ np.maximum(0.0, offsets - Z @ u)
    assert upper == pytest.approx(value, rel=1e-12)
    assert abs(upper - lower) <= 1e-9 * upper
    assert alpha @ offsets - 0.5 * np.sum((alpha @ Z) ** 2) == pytest.approx(lower, rel=1e-9)


def test_no_fit_is_worse_than_no_hyperplane():
    for C in (1e-8, 1.0):
        points, signs = points_in_a_ball(30, 2, 1.0, 3)
        away = np.array(
            [
                [math.cosh(12.0), math.sinh(12.0), 0.0],
                [math.sinh(12.0), math.cosh(12.0), 0.0],
                [0.0, 0.0, 1.0],
            ]
        )
        points = lorentz.from_spatial((points @ away)[:, 1:])
        fit = global_optimum.solve(points, signs, C)
        assert fit.objective <= C * HINGE_SLOPE * 30 * (1.0 + 1e-9)
        assert exact_sums.lorentz_square(fit.w) >= 0
        assert (fit.gap <= 1e-6) == (fit.status != "gap open")


def test_slacks_that_lost_their_digits_do_not_end_the_search():
    """Separable points far out: the objective is 1e-7 of the loss at the start of each slice."""
    rng = np.random.default_rng(431)
    d, n = int(rng.integers(1, 7)), int(rng.integers(5, 61))
    radius, C = 10 ** rng.uniform(math.log10(0.5), math.log10(20)), 10 ** rng.uniform(-6, 6)
    directions = rng.normal(size=(n, d))
    lengths = np.sinh(radius * rng.uniform(size=n) ** (1 / d)) / np.linalg.norm(directions, axis=1)
    points = lorentz.from_spatial(directions * lengths[:, None])
    signs = np.where(rng.uniform(size=n) < 0.5, 1.0, -1.0)
    if rng.uniform() < 0.6:
        height = points[:, 1] / points[:, 0]
        signs = np.where(height > np.median(height), 1.0, -1.0)
        signs[rng.uniform(size=n) < 0.1] *= -1.0
    signs[:2] = 1.0, -1.0
    assert global_optimum.solve(points, signs, C).gap <= 1e-6


def test_what_lies_further_out_counts_in_the_proof(monkeypatch):
    monkeypatch.setattr(time_search, "_MAX_STRIDES", 0)
    fit = global_optimum.solve(*points_in_a_ball(30, 2, 2.0, 0), 1.0)
    assert fit.lower_bound == 0.0
    assert fit.status == "gap open"


def slice_by_hand(t, resultant, error, total=0.0, slope=0.0, upper=0.0):
    """A verified slice whose resultant is off by `error` at most."""
    g = np.array(resultant)
    return TimeSlice(
        t, total, slope, g, np.linalg.norm(g) + error, upper, g, 0.0, np.empty(0), rise=0.0
    )


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (1.0, 0.0), (0.3, 0.7)])
def test_mixtures_of_slices_with_different_errors(low, high):
    """The resultant of a mixture is off by the mixture of the errors, in the worst direction."""
    a, b = slice_by_hand(1.0, [10.0, 0.0], low), slice_by_hand(1.5, [4.0, 0.0], high)
    least = math.inf
    for s in np.linspace(0.0, 1.0, 101):
        g = (1.0 - s) * 10.0 + s * 4.0 + (1.0 - s) * low + s * high
        least = min(least, -0.5 * g**2 - 0.5 * ((1.0 - s) * a.t + s * b.t) ** 2)
    mixed, _ = Interval(a, b)._lowest_mixed()
    assert mixed == pytest.approx(least, rel=1e-9)
    # The upper bounds are those of the exact mixture; only the lower ones have lost something.
    turn = Interval(a, b)._moved
    assert turn == pytest.approx(36.0 + (6.0 + low - high) ** 2 - 36.0, rel=1e-12)


def test_digits_that_the_bounds_lose_keep_an_interval_open():
    """Equal bounds in doubles do not prove that u*(t) is as long as the resultant."""
    for length, inside in ((1.0 - 1e-5, False), (0.9, True)):
        a = slice_by_hand(1.0, [length], 0.0, 1e6, -1e6, -0.5 * length**2)
        assert a.gap == 0.0
        # 16 ε of terms of 2e6: 7e-9, and the resultant may be off by its square root.
        assert 5e-9 < a.open < 1e-8
        assert Interval(a, replace(a, t=1.0 + 1e-12)).is_inside() == inside


def search_in_doubles(points, signs):
    """A search around the origin that has not begun, with slopes of 1."""
    problem = Problem(points, signs, 1.0 / HINGE_SLOPE)
    rows = signed_rows(points, signs)
    return TimeSearch(DoubleCoordinates(problem, np.zeros(points.shape[1] - 1), rows), 1e-6, 10)


def test_what_lies_further_out_costs_one_label_or_the_incumbent():
    search = search_in_doubles(*points_in_a_ball(30, 2, 1.0, 0))
    last = slice_by_hand(1e9, [0.0, 0.0], 0.0, upper=1e30)
    for value in (0.5 * search.one_sided, 2.0 * search.one_sided):
        further_out = search.look_further_out(value, search.coordinates.far)
        found = further_out.bound(last, 1.0, 0.0, 0.0)
        assert found == pytest.approx(min(value, search.one_sided), rel=1e-12)
        assert found <= search.one_sided
    # Rounding of the rows counts in the slope of φ, and in the length of the longest row.
    further_out = search.look_further_out(0.5 * search.one_sided, 1e9)
    slope = search.slices.bound_slope(1.0)
    last = replace(last, t=1e3, upper=0.0, slope=slope, rise=-1.0)
    assert further_out.bound(last, 1.0, 0.0, 7.0) == 7.0
    assert replace(further_out, lost=1e4).bound(last, 1.0, 0.0, 7.0) == 0.0


def long_decimal(x):
    high = float(x)
    return Decimal(high) + Decimal(float(x - high))


@pytest.mark.parametrize(("n", "d", "radius"), [(30, 1, 25.0), (20, 3, 12.0)])
def test_long_slices_are_below_the_exact_dual(n, d, radius):
    """All that a long slice states holds for the exact rows, and to 1e-17 of its terms."""
    points, signs = points_in_a_ball(n, d, radius, 1)
    centre, c = find_middle(points, signs, None), 0.5
    slices = FarSlices(points, signs, centre.astype(np.longdouble), c)
    results = [slices.solve_at(t, 1e-9, math.inf) for t in (-3.0, 2.0, 1e3)]
    verified = FarVerifier(slices, points, centre).verify(results)
    with localcontext() as context:
        context.prec = 60
        rows = [
            exact_boost(row, [Decimal(float(x)) for x in centre])
            for row in exact_rows(points, signs)
        ]
        for result, stated_by_sign in zip(results, verified, strict=True):
            sign = float(np.sign(result.t))
            stated, t = stated_by_sign[sign], long_decimal(result.t)
            alpha = [Decimal(a.real) + Decimal(a.imag) for a in result.alpha]
            assert len(alpha) == n
            assert all(0 <= a <= Decimal(c) for a in alpha)
            g = [sum(a * row[j] for a, row in zip(alpha, rows, strict=True)) for j in range(d + 1)]
            length = sum(x * x for x in g[1:]).sqrt()
            size = sum(a * abs(row[0]) for a, row in zip(alpha, rows, strict=True))
            assert long_decimal(stated.total) <= sum(alpha)
            assert Decimal(sign) * (-g[0] - long_decimal(stated.slope)) >= 0
            assert length <= long_decimal(stated.length) <= length + Decimal("1e-17") * size
            assert long_decimal(stated.rise) <= Decimal(sign) * -g[0] - length
            u = [long_decimal(x) for x in result.u]
            value = sum(x * x for x in u) / 2
            for row in rows:
                margin = row[0] * t + sum(a * b for a, b in zip(row[1:], u, strict=True))
                value += Decimal(c) * max(Decimal(0), 1 - margin)
            assert value <= long_decimal(stated.upper) <= value * (1 + Decimal("1e-16"))


def points_on_a_line(seed):
    """Few positive points on a line, far out: the optimum is often on the light cone."""
    rng = np.random.default_rng(seed)
    n, far = int(rng.integers(2, 60)), float(rng.choice([12.0, 20.0, 25.0, 30.0]))
    places = far * rng.random(n) ** rng.choice([0.3, 1.0, 3.0]) * rng.choice([-1.0, 1.0], size=n)
    signs = -np.ones(n)
    signs[rng.choice(n, min(n - 1, int(rng.choice([1, 2, 3]))), replace=False)] = 1.0
    return lorentz.from_spatial(np.sinh(places)[:, None]), signs, 10.0 ** rng.uniform(-8.0, 8.0)


@each_of("seed", range(8))
def test_the_light_cone_of_a_line(seed):
    """Bound and w to 60 digits: the least of all ends of terms on the four rays."""
    points, signs, c = points_on_a_line(seed)
    weights = np.random.default_rng(seed).integers(1, 4, size=len(signs)).astype(float)
    bound, w = horospherical.search_line(points, signs, c, weights)
    with localcontext() as context:
        context.prec = 60
        rows, shares = exact_rows(points, signs), decimals(weights)

        def loss(w):
            short = [1 - row[0] * w[0] - row[1] * w[1] for row in rows]
            pairs = zip(shares, short, strict=True)
            return Decimal(c) * sum(q * max(Decimal(0), x) for q, x in pairs)

        least = loss((0, 0))
        for ray in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            for row in rows:
                if (slope := row[0] * ray[0] + row[1] * ray[1]) > 0:
                    least = min(least, loss([x / slope for x in ray]))
        assert least * (1 - Decimal("1e-15")) <= Decimal(bound) <= least
        assert abs(w[0]) == abs(w[1])
        assert loss(decimals(w)) <= least * (1 + Decimal("1e-12"))


@pytest.mark.slow
@each_of("seed", [0, 1, 2, 4, 7, 8])
def test_lines_are_certified_to_distance_30(seed):
    points, signs, C = points_on_a_line(seed)
    fit = global_optimum.solve(points, signs, C)
    assert fit.gap <= 1e-6
    _, exact = exact_objective(fit.w, points, signs, C)
    assert Decimal(fit.lower_bound) <= exact


def test_interior_points_of_long_slices():
    """½|u|² bends as ½t² does: in long numbers an interval may be wide."""
    ends = []
    for t in (np.longdouble(1.0), np.longdouble(2.0)):
        u = np.array([t - np.longdouble("0.1")])
        square = 0.5 * (u @ u)
        ends.append(LongSlice(t, square, t, u, u[0], square, u, 0.0, np.empty(0)))
    assert float(Interval(*ends).highest_inside()) == pytest.approx(-0.095, rel=1e-12)
    short = [replace(end, t=float(end.t), u=end.u.astype(float)) for end in ends]
    short = [
        TimeSlice(**{name: vars(end)[name] for name in vars(end) if name != "size"})
        for end in short
    ]
    assert float(Interval(*short).highest_inside()) == pytest.approx(-0.095 + 0.125, rel=1e-12)


def test_values_that_lost_their_digits_are_no_incumbents():
    """Weights over many decades: ½|u|² + loss - ½t² may be nothing but rounding, and negative."""
    search, t = search_in_doubles(*points_in_a_ball(30, 2, 1.0, 0)), 1e8
    for excess, known in ((-1.0, False), (1.0, False), (1e3, True)):
        search.slices.solve_at = lambda *_, x=excess: slice_by_hand(
            t, [t, 0.0], 0.0, upper=0.5 * t**2 + x
        )
        search.solve_slice(t)
        assert math.isfinite(search.value) == known
    assert search.value == 1e3


def test_what_lies_beyond_the_points_counts_as_one_label():
    a, b = (slice_by_hand(t, [0.0], 0.0, total=-1.0) for t in (2.0, 3.0))
    ends = {id(a): {1.0: a}, id(b): {1.0: b}}
    leaves = [Interval(a, b, 2.5)]
    assert lower_bound(leaves, ends, 3.0, 1e9, 2.0, 5.0) == 5.0
    assert lower_bound(leaves, ends, 3.0, 1e9, 2.1, 5.0) == 3.0


def test_a_resultant_as_long_as_t_up_to_rounding_ends_the_proof():
    search = search_in_doubles(*points_in_a_ball(30, 2, 1.0, 0))
    further_out = search.look_further_out(1.0, search.coordinates.far)
    last = slice_by_hand(3.0, [3.0, 0.0], 1e-12, total=10.0, slope=3.1, upper=1e9)
    assert further_out.bound(last, 1.0, 0.0, 0.0) == pytest.approx(last.bound(3.0), rel=1e-9)
