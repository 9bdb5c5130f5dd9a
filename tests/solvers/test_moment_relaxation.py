"""Moment relaxations against their definition, brute force, and what must not change them."""

from itertools import product

import cvxpy as cp
import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import linprog, minimize

from noneuclid.geometry import lorentz
from noneuclid.solvers.conic import programs
from noneuclid.solvers.hyperboloid.descent import projected_gradient
from noneuclid.solvers.hyperboloid.problem import HINGE_SLOPE, objective, signed_rows
from noneuclid.solvers.hyperboloid.relaxations import moment_relaxation
from noneuclid.solvers.hyperboloid.relaxations.moment_programs import (
    bounded,
    published,
    short_of_clear,
)
from noneuclid.solvers.hyperboloid.relaxations.search_region import (
    hinge_minimiser,
    hinge_outside,
    search_region,
)

C = 5.0
WEIGHT = C * HINGE_SLOPE


def instance(seed, n, d, noise=0.5, spread=0.8):
    rng = np.random.default_rng(seed)
    spatial = spread * rng.normal(size=(n, d))
    signs = np.where(spatial @ rng.normal(size=d) + noise * rng.normal(size=n) > 0.1, 1.0, -1.0)
    signs[:2] = 1.0, -1.0
    return lorentz.from_spatial(spatial), signs


def brute_force(points, signs, draws=40_000):
    """Least objective of many random w, the best of them improved by a simplex search."""
    rng = np.random.default_rng(0)
    D = points.shape[1]
    w = rng.normal(size=(draws, D)) * 10 ** rng.uniform(-1, 1.5, size=(draws, 1))
    w = w[(w[:, 1:] ** 2).sum(axis=1) >= w[:, 0] ** 2]
    losses = np.maximum(0.0, 1.0 - w @ signed_rows(points, signs).T).sum(axis=1)
    values = 0.5 * ((w[:, 1:] ** 2).sum(axis=1) - w[:, 0] ** 2) + WEIGHT * losses

    def value(w):
        outside = w[1:] @ w[1:] < w[0] ** 2
        return np.inf if outside else objective(w, points, signs, C)

    options = {"xatol": 1e-9, "fatol": 1e-9, "maxiter": 2000}
    starts = w[np.argsort(values)[:4]]
    return min(minimize(value, s, method="Nelder-Mead", options=options).fun for s in starts)


def hinge_program(points, signs):
    rows = signed_rows(points, signs)
    n, D = rows.shape
    cost = np.repeat([0.0, WEIGHT], [D, n])
    free = [(None, None)] * D + [(0.0, None)] * n
    return linprog(cost, np.c_[-rows, -np.eye(n)], -np.ones(n), bounds=free).fun


def ordered_monomials(variables, degree):
    every = (m for m in product(range(degree + 1), repeat=variables) if sum(m) <= degree)
    return sorted(every, key=lambda m: (sum(m), tuple(-e for e in m)))


def at(point, monomials):
    return np.array([np.prod(np.power(point, m)) for m in monomials])


def svec(matrix):
    k = len(matrix)
    return [
        matrix[i, j] * (1.0 if i == j else np.sqrt(2.0)) for j in range(k) for i in range(j + 1)
    ]


def localised(value, point, degree):
    basis = at(point, ordered_monomials(len(point), degree))
    return svec(value * np.outer(basis, basis))


def square_norm(w):
    return w[1:] @ w[1:] - w[0] ** 2


@pytest.mark.parametrize("d", [2, 3])
def test_published_program_at_points_is_its_definition(d):
    points, signs = instance(0, 4, d)
    rows, unit, rng = signed_rows(points, signs), 3.0, np.random.default_rng(1)
    program = published(rows, WEIGHT, unit, 7.0)
    own = [m for m in ordered_monomials(d + 2, 4) if m[-1]]
    for _ in range(3):
        w, slacks = rng.normal(size=d + 1), rng.normal(size=4)
        x = [at(w, ordered_monomials(d + 1, 4))[1:], *(at([*w, h], own) for h in slacks)]
        margins = rows @ w * unit
        expected = [
            *localised(square_norm(w), [*w, slacks[0]], 1),
            *(v for h in slacks for v in localised(1.0, [*w, h], 2)),
            *(v for h in slacks for v in localised(h, [*w, h], 1)),
            *(v for h, m in zip(slacks, margins, strict=True)
              for v in localised(h - 1.0 + m, [*w, h], 1)),
        ]  # fmt: skip
        x = np.concatenate(x)
        np.testing.assert_allclose(program.b - program.A @ x, expected, atol=1e-9)
        value = 0.5 * unit**2 * square_norm(w) + WEIGHT * slacks.sum()
        assert program.scale * (program.q @ x) == pytest.approx(value)


def region_and_points(seed, d, count=200):
    """A region, and w below its level."""
    points, signs = instance(seed, 12, d)
    best = moment_relaxation.solve(points, signs, C).w
    level = 1.3 * objective(best, points, signs, C)
    region = search_region(points, signs, C, level, 0.9 * hinge_program(points, signs))
    rng = np.random.default_rng(0)
    near = best + rng.normal(size=(count, d + 1)) * rng.uniform(0, 2, size=(count, 1))
    values = np.array([objective(w, points, signs, C) for w in near])
    good = (values < region.level) & (near[:, 0] ** 2 <= (near[:, 1:] ** 2).sum(axis=1))
    assert good.sum() > 10
    return points, signs, region, near[good], values[good]


@pytest.mark.parametrize("d", [2, 3])
def test_better_solutions_lie_in_the_region_and_in_the_bounded_program(d):
    points, signs, region, good, values = region_and_points(1, d)
    lengths = np.linalg.norm(good[:, 1:], axis=1)
    assert (abs(good[:, 0]) <= region.tau * lengths).all()
    assert (lengths <= region.radius).all()
    rows = signed_rows(points, signs)
    program = bounded(rows, WEIGHT, region)
    reach = region.radius * (np.linalg.norm(points[:, 1:], axis=1) + region.tau * points[:, 0])
    above = np.minimum(1.0 + reach, region.level / WEIGHT)
    for w, value in zip(good, values, strict=True):
        slack = 1.0 - rows @ w
        own = (slack > 0)[:, None] * (slack / above)[:, None] ** np.arange(5)
        shared = at(w / program.unit, ordered_monomials(d + 1, 4))[1:]
        x = np.r_[shared, own.ravel()]
        assert abs(x).max() <= 1.0
        assert program.scale * (program.q @ x) == pytest.approx(value)
        s = program.b - program.A @ x
        np.testing.assert_allclose(moment_relaxation._onto_cones(s, program.cones), s, atol=1e-9)


def localising(polynomial, degree, y):
    basis = ordered_monomials(3, degree)
    return cp.bmat([
        [
            sum(v * y[tuple(np.add(np.add(a, b), m))] for m, v in polynomial.items())
            for b in basis
        ]
        for a in basis
    ])  # fmt: skip


def test_bounded_program_against_a_slow_one_written_out():
    points, signs, region, _, _ = region_and_points(5, 2)
    points, signs = points[:5], signs[:5]
    rows = signed_rows(points, signs)
    program = bounded(rows, WEIGHT, region)
    fast = (
        program.scale
        * programs.solve(None, program.q, program.A, program.b, program.cones, "clarabel").objective
    )
    monomials = ordered_monomials(3, 4)
    y = dict(zip(monomials, cp.Variable(len(monomials)), strict=True))
    unit = program.unit

    t2, one = (2, 0, 0), (0, 0, 0)
    space = {(0, 2, 0): 1.0, (0, 0, 2): 1.0}
    radius, energy = region.radius / unit, region.energy / unit**2
    constraints = [
        y[one] == 1,
        localising({one: 1.0}, 2, y) >> 0,
        localising({t2: -1.0} | {m: region.tau**2 for m in space}, 1, y) >> 0,
        localising({one: radius**2} | {m: -1.0 for m in space}, 1, y) >> 0,
        localising({one: 2 * energy, t2: 1.0} | {m: -1.0 for m in space}, 1, y) >> 0,
    ]
    cost = 0.5 * unit**2 * (y[0, 2, 0] + y[0, 0, 2] - y[t2])
    for row in rows:
        reach = region.radius * (np.linalg.norm(row[1:]) + region.tau * abs(row[0]))
        above = min(1 + reach, region.level / WEIGHT)
        below = max(reach - 1, above)
        powers = [{one: 1.0}]
        for _ in range(4):
            grown = {}
            for m, v in powers[-1].items():
                factors = [1.0, *(-unit * row)]
                for step, factor in zip(
                    [one, (1, 0, 0), (0, 1, 0), (0, 0, 1)], factors, strict=True
                ):
                    key = tuple(np.add(m, step))
                    grown[key] = grown.get(key, 0.0) + v * factor
            powers.append(grown)
        all_ = [sum(v * y[m] for m, v in power.items()) for power in powers]
        p = cp.Variable(5)
        up = [p[k] for k in range(5)]
        down = [(all_[k] - above**k * p[k]) / below**k for k in range(5)]
        for q, sign in ((up, 1.0), (down, -1.0)):
            constraints += [
                cp.bmat([[q[a + b] for b in range(3)] for a in range(3)]) >> 0,
                cp.bmat([[sign * q[a + b + 1] - q[a + b + 2] for b in range(2)] for a in range(2)])
                >> 0,
            ]
        cost += WEIGHT * above * p[1]
    slow = cp.Problem(cp.Minimize(cost / region.level), constraints).solve(cp.CLARABEL)
    assert fast == pytest.approx(slow * region.level, rel=1e-5)


CASES = [(0, 12, 2, 0.5), (1, 12, 2, 0.0), (2, 25, 2, 1.5), (3, 8, 2, 0.8), (4, 12, 3, 0.5)]


@pytest.mark.parametrize(("seed", "n", "d", "noise"), CASES)
def test_bounds_and_optimum_in_order(seed, n, d, noise):
    points, signs = instance(seed, n, d, noise)
    fit = moment_relaxation.solve(points, signs, C)
    optimum, hinge = brute_force(points, signs), hinge_program(points, signs)
    assert hinge <= fit.lower_bound * (1 + 1e-7) + 1e-7
    assert fit.lower_bound <= optimum * (1 + 1e-7)
    assert optimum * (1 - 1e-3) <= fit.objective <= optimum * (1 + 1e-3)
    assert fit.objective == pytest.approx(objective(fit.w, points, signs, C))
    assert fit.lower_bound >= 0.97 * optimum  # the relaxation is good, not only valid
    assert (fit.status, fit.warning) == ("solved", "")


def test_bound_holds_without_the_argument_by_counting():
    # Hardly separable: the optimum is above C/√2 min(n+, n-).
    points, signs = instance(2, 15, 2, noise=6.0)
    optimum = brute_force(points, signs)
    assert optimum > WEIGHT * min((signs > 0).sum(), (signs < 0).sum())
    fit = moment_relaxation.solve(points, signs, C)
    assert hinge_program(points, signs) * (1 - 1e-7) <= fit.lower_bound <= optimum * (1 + 1e-7)


def test_where_no_region_is_proved_the_bound_is_smaller_and_it_says_so():
    points, signs = instance(7, 12, 2)
    fit = moment_relaxation.solve(points, signs, C)
    assert hinge_program(points, signs) * (1 - 1e-7) <= fit.lower_bound
    assert fit.lower_bound < brute_force(points, signs) * (1 - 1e-4)
    assert "ball" in fit.warning


def test_without_a_region_it_is_the_linear_program():
    # A few in the middle of many: all but they are right inside the light cone, at the least loss.
    angles = np.arange(30) * 2.4
    spatial = np.c_[np.cos(angles), np.sin(angles)] * np.repeat([0.3, 1.5], [3, 27])[:, None]
    points, signs = lorentz.from_spatial(spatial), np.repeat([1.0, -1.0], [3, 27])
    fit, rows = moment_relaxation.solve(points, signs, C), signed_rows(points, signs)
    hinge, w = hinge_program(points, signs), hinge_minimiser(rows)
    assert "no ball" in fit.warning
    assert fit.lower_bound == pytest.approx(hinge, rel=1e-6)
    assert WEIGHT * np.maximum(0.0, 1.0 - rows @ w).sum() == pytest.approx(hinge, rel=1e-6)
    start = projected_gradient.solve(points, signs, C, loss="hinge")
    rounded = objective(moment_relaxation.extract(rows, WEIGHT, w), points, signs, C)
    assert fit.objective == pytest.approx(min(start.objective, rounded), rel=1e-12)


@pytest.mark.parametrize(("seed", "noise"), [(0, 0.5), (1, 0.0), (2, 1.5), (3, 0.8)])
def test_samples_clear_of_the_kink_do_not_change_the_value(seed, noise, monkeypatch):
    points, signs = instance(seed, 60, 2, noise)
    rows = signed_rows(points, signs)
    start = projected_gradient.solve(points, signs, C, loss="hinge")
    region = search_region(points, signs, C, start.objective, hinge_program(points, signs))
    program = bounded(rows, WEIGHT, region)
    form = program.q, program.A, program.b, program.cones
    whole = programs.solve(None, *form, "clarabel")
    monkeypatch.setattr(moment_relaxation, "_FIRST", 5)
    small, part = moment_relaxation._relaxed(
        rows, WEIGHT, np.ones(len(rows)), region, start.w, start.objective, "clarabel"
    )
    assert small.n < program.n
    value = small.scale * part.objective + small.offset
    assert value == pytest.approx(program.scale * whole.objective, rel=1e-5)
    assert (
        value * (1 - 1e-5) <= moment_relaxation.verified_bound(small, part.z) <= value * (1 + 1e-5)
    )


def test_equal_rows_enter_the_program_together(monkeypatch):
    points, signs = instance(1, 20, 2, 1.5)
    once = moment_relaxation.solve(points, signs, C)
    monkeypatch.setattr(moment_relaxation, "_FIRST", 1)
    again = moment_relaxation.solve(np.repeat(points, 7, axis=0), np.repeat(signs, 7), C / 7)
    assert again.lower_bound == pytest.approx(once.lower_bound, rel=1e-4)


def test_a_line_in_place_of_a_slack_bounds_from_below():
    points, signs, region, good, values = region_and_points(4, 2)
    rows = signed_rows(points, signs)
    whole = bounded(rows, WEIGHT, region)
    for split in (1, 6, 11):
        part = bounded(rows[:split], WEIGHT, region, (len(rows) - split, rows[split:].sum(axis=0)))
        solved = [
            (
                program,
                programs.solve(None, program.q, program.A, program.b, program.cones, "clarabel"),
            )
            for program in (part, whole)
        ]
        less, more = (program.scale * found.objective + program.offset for program, found in solved)
        assert less <= more * (1 + 1e-6)
        assert moment_relaxation.verified_bound(part, solved[0][1].z) <= values.min()
        for w in good[:5]:
            shared = at(w / part.unit, ordered_monomials(3, 4))[1:]
            slack = 1.0 - rows @ w
            above = slack[:split, None] > 0
            reach = region.radius * (
                np.linalg.norm(points[:, 1:], axis=1) + region.tau * points[:, 0]
            )
            largest = np.minimum(1.0 + reach, region.level / WEIGHT)[:split, None]
            own = above * (slack[:split, None] / largest) ** np.arange(5)
            value = part.scale * (part.q @ np.r_[shared, own.ravel()]) + part.offset
            losses = np.maximum(slack[:split], 0.0).sum() + slack[split:].sum()
            assert value == pytest.approx(0.5 * square_norm(w) + WEIGHT * losses)


def test_a_sample_is_clear_if_its_slack_can_be_zero_or_the_line():
    points, signs = instance(2, 25, 2, 1.5)
    rows = signed_rows(points, signs)
    region = search_region(points, signs, C, 1.2 * brute_force(points, signs))
    unit = region.radius * np.hypot(1.0, region.tau)
    most = region.level / WEIGHT
    rng = np.random.default_rng(0)
    seen = set()
    for w in rng.normal(size=(50, 3)):
        w[1:] *= region.radius / np.linalg.norm(w[1:])
        w[0] = rng.uniform(-1.0, 1.0) * region.tau * region.radius
        moments = [np.prod((w / unit) ** m) for m in ordered_monomials(3, 4)[1:]]
        below, above = short_of_clear(rows, WEIGHT, region, np.array(moments))
        slack = 1.0 - rows @ w
        far = abs(slack) > 1e-2
        np.testing.assert_array_equal(below[far] <= 0.0, slack[far] < 0.0)
        far &= abs(slack - most) > 1e-2
        np.testing.assert_array_equal(above[far] <= 0.0, (slack[far] > 0.0) & (slack[far] < most))
        seen |= set(zip((below[far] <= 0.0).tolist(), (above[far] <= 0.0).tolist(), strict=True))
    assert seen == {(True, False), (False, True), (False, False)}


def test_bound_of_losses_beyond_a_cone():
    points, signs = instance(2, 25, 2)
    rows = signed_rows(points, signs)
    rng = np.random.default_rng(0)
    u = rng.normal(size=(20_000, 2)) * 10 ** rng.uniform(-2, 1, size=(20_000, 1))
    for sign in (1.0, -1.0):
        t = sign * np.linalg.norm(u, axis=1) * rng.uniform(0.8, 1.5, len(u))
        losses = np.maximum(0.0, 1.0 - np.c_[t, u] @ rows.T).sum(axis=1).min()
        bound = hinge_outside(rows, 0.8, sign)
        assert 0.95 * losses <= bound <= losses


@pytest.mark.parametrize("noise", [1e-3, 0.1])
def test_verified_bound_holds_for_any_multipliers(noise):
    points, signs = instance(1, 12, 2)
    optimum = brute_force(points, signs)
    region = search_region(points, signs, C, 1.2 * optimum)
    program = bounded(signed_rows(points, signs), WEIGHT, region)
    z = programs.solve(None, program.q, program.A, program.b, program.cones, "clarabel").z
    exact = moment_relaxation.verified_bound(program, z)
    assert 0.97 * optimum <= exact <= optimum
    assert moment_relaxation.verified_bound(program, (1 + noise) * z) <= optimum
    for shift in noise * np.concatenate([np.eye(len(z)), -np.eye(len(z))]):
        assert moment_relaxation.verified_bound(program, z + shift) <= optimum


@pytest.mark.parametrize(
    ("n", "seed", "noise", "share"), [(8, 4, 0.5, 0.8), (8, 4, 0.5, 0.95), (12, 5, 3.0, 1.001)]
)
def test_bound_stays_below_the_optimum_where_the_region_does_not_hold_it(n, seed, noise, share):
    # Because the upper bound is wrong, or no region is proved for it.
    points, signs = instance(seed, n, 2, noise)
    optimum = brute_force(points, signs)
    region = search_region(points, signs, C, share * optimum, hinge_program(points, signs))
    program = bounded(signed_rows(points, signs), WEIGHT, region)
    z = programs.solve(None, program.q, program.A, program.b, program.cones, "clarabel").z
    assert moment_relaxation.verified_bound(program, z) > optimum
    fit = moment_relaxation.solve(points, signs, C, upper_bound=share * optimum)
    assert fit.lower_bound <= optimum * (1 + 1e-7)


def test_labels_rows_and_rotations_do_not_matter():
    points, signs = instance(2, 15, 2)
    fit = moment_relaxation.solve(points, signs, C)
    swapped = moment_relaxation.solve(points, -signs, C)
    order = np.random.default_rng(0).permutation(15)
    shuffled = moment_relaxation.solve(points[order], signs[order], C)
    c, s = np.cos(1.0), np.sin(1.0)
    turn = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    turned = moment_relaxation.solve(points @ turn.T, signs, C)
    for other, w in ((swapped, -swapped.w), (shuffled, shuffled.w), (turned, turned.w @ turn)):
        assert other.lower_bound == pytest.approx(fit.lower_bound, rel=1e-4)
        assert other.objective == pytest.approx(fit.objective, rel=1e-4)
        np.testing.assert_allclose(w, fit.w, atol=2e-2 * np.linalg.norm(fit.w))


def test_value_as_published_is_the_hinge_program_up_to_tolerance():
    points, signs = instance(1, 8, 2)
    rows, optimum = signed_rows(points, signs), brute_force(points, signs)
    hinge = hinge_program(points, signs)
    values, largest = [], []
    for unit in (1.0, 30.0):
        program = published(rows, WEIGHT, unit, optimum)
        result = programs.solve(None, program.q, program.A, program.b, program.cones, "clarabel")
        values.append(program.scale * result.objective)
        largest.append(abs(result.x).max())
    assert hinge * (1 - 1e-6) <= values[1] < values[0]
    assert values[1] - hinge < 0.25 * (optimum - hinge)
    assert min(largest) > 1e3  # nothing holds the high moments
    fit = moment_relaxation.solve(points, signs, C, ball=False)
    assert fit.lower_bound == pytest.approx(hinge, rel=1e-6)
    assert fit.objective >= optimum * (1 - 1e-6)
    assert np.isnan(fit.extras["radius"])


def slow_published(rows, unit, slack_unit, ball):
    """Eq. 14 entry by entry, with slacks in any unit, and with a ball |w| <= unit on request."""
    n, size = len(rows), len(ordered_monomials(3, 4))
    index = {(*m, 0): j - 1 for j, m in enumerate(ordered_monomials(3, 4))}
    own = [m for m in ordered_monomials(4, 4) if m[3]]
    entries, constants, cones = [], [], []

    def column(monomial, i):
        return index[monomial] if not monomial[3] else size - 1 + i * len(own) + own.index(monomial)

    def add(degree, polynomial, i, variables=4):
        basis = [m for m in ordered_monomials(4, degree) if not any(m[variables:])]
        for b in range(len(basis)):
            for a in range(b + 1):
                constants.append(0.0)
                for m, v in polynomial.items():
                    j = column(tuple(np.add(np.add(basis[a], basis[b]), m)), i)
                    v = v if a == b else v * np.sqrt(2.0)
                    if j < 0:
                        constants[-1] += v
                    else:
                        entries.append((len(constants) - 1, j, -v))
        cones.append(("psd", len(basis)))

    one, slack, axes = (0, 0, 0, 0), (0, 0, 0, 1), np.eye(3, 4, dtype=int)
    squares = [tuple(2 * axis) for axis in axes]
    norm = dict(zip(squares, [-1.0, 1.0, 1.0], strict=True))
    add(1, norm, 0, 3 if ball else 4)
    if ball:
        add(1, {one: 1.0} | dict.fromkeys(squares, -1.0), 0, 3)
    for i, row in enumerate(rows * unit):
        add(2, {one: 1.0}, i)
        add(1, {slack: 1.0}, i)
        margin = {tuple(axis): r for axis, r in zip(axes, row / slack_unit, strict=True)}
        add(1, {slack: 1.0, one: -1.0 / slack_unit} | margin, i)
    q = np.zeros(size - 1 + n * len(own))
    for m, v in norm.items():
        q[column(m, 0)] = 0.5 * unit**2 * v
    for i in range(n):
        q[column(slack, i)] = WEIGHT * slack_unit
    row, col, value = zip(*entries, strict=True)
    A = sparse.csc_matrix((value, (row, col)), shape=(len(constants), len(q)))
    return (
        10.0 * programs.solve(None, q / 10.0, A, np.array(constants), cones, "clarabel").objective
    )


def test_published_against_a_slow_build():
    points, signs = instance(2, 6, 2)
    rows = signed_rows(points, signs)
    program = published(rows, WEIGHT, 2.0, 10.0)
    fast = programs.solve(None, program.q, program.A, program.b, program.cones, "clarabel")
    assert 10.0 * fast.objective == pytest.approx(slow_published(rows, 2.0, 1.0, False), rel=1e-4)


def test_a_ball_around_w_alone_leaves_the_hinge_at_the_mean():
    points, signs = instance(1, 4, 2)
    rows, unit = signed_rows(points, signs), 3.0
    coarse, fine = (slow_published(rows, unit, slack_unit, True) for slack_unit in (1.0, 1e3))
    monomials = ordered_monomials(3, 4)
    ball = {(0, 0, 0): 1.0, (2, 0, 0): -1.0, (0, 2, 0): -1.0, (0, 0, 2): -1.0}
    y = dict(zip(monomials, cp.Variable(len(monomials)), strict=True))
    cone = {(2, 0, 0): -1.0, (0, 2, 0): 1.0, (0, 0, 2): 1.0}
    constraints = [y[0, 0, 0] == 1]
    for polynomial, degree in (({(0, 0, 0): 1.0}, 2), (cone, 1), (ball, 1)):
        constraints.append(localising(polynomial, degree, y) >> 0)
    w = cp.hstack([y[m] for m in monomials[1:4]])
    cost = 0.5 * unit**2 * sum(v * y[m] for m, v in cone.items())
    cost += WEIGHT * cp.sum(cp.pos(1.0 - unit * rows @ w))
    alone = cp.Problem(cp.Minimize(cost), constraints)
    mean = alone.solve(cp.CLARABEL)
    # The same program in other units: only the tolerance keeps the first from the value.
    assert mean * (1 - 1e-6) <= fine < coarse
    assert fine - mean < 0.3 * (coarse - mean)


def test_extraction_takes_the_best_positive_factor():
    points, signs = instance(2, 12, 2)
    rows = signed_rows(points, signs)
    for w in np.random.default_rng(0).normal(size=(20, 3)):
        found = objective(moment_relaxation.extract(rows, WEIGHT, w), points, signs, C)
        w = moment_relaxation.extract(rows, 0.0, w) if w[1:] @ w[1:] < w[0] ** 2 else w
        if (rows @ w).sum() <= 0.0:
            continue
        tried = [objective(s * w, points, signs, C) for s in np.geomspace(1e-3, 1e3, 500)]
        assert found <= min(tried) * (1 + 1e-9)
