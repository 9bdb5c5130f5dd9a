"""The robust optimum, its boxes of the light cone, and its proof."""

import math
from dataclasses import replace
from decimal import Decimal, localcontext
from itertools import pairwise

import numpy as np
import pytest
from cases import each_of
from decimal_rows import decimals, exact_boost, exact_moves, exact_rows
from scipy.optimize import minimize
from svm_instances import cone_grid, instance, on_hyperboloid

from noneuclid.geometry import lorentz
from noneuclid.solvers.conic import programs
from noneuclid.solvers.hyperboloid.certified import global_optimum
from noneuclid.solvers.hyperboloid.certified.light_cone import horospherical
from noneuclid.solvers.hyperboloid.certified.robust_bound import RobustVerifier
from noneuclid.solvers.hyperboloid.certified.slices.robust_slices import RobustSlices
from noneuclid.solvers.hyperboloid.certified.slices.time_slices import HingeSlices
from noneuclid.solvers.hyperboloid.lorentz_boost import boost, find_middle, in_numbers_of
from noneuclid.solvers.hyperboloid.problem import (
    HINGE_SLOPE,
    jacobian,
    objective,
    signed_rows,
    uncertainty,
)
from noneuclid.solvers.hyperboloid.relaxations import sdp_relaxation


def solve(points, signs, C, tol=1e-4, **settings):
    return global_optimum.solve(points, signs, C, tol=tol, **settings)


@each_of("robust", [False, True])
@each_of("seed", range(6))
def test_light_cone_bound_survives_a_careless_conic_solver(seed, robust, monkeypatch):
    points, signs, C = instance(("buried", "overlapping")[seed % 2], 600 + seed, n=12, d=2)
    rows, c = signed_rows(points, signs), C * HINGE_SLOPE
    rng, right = np.random.default_rng(seed), horospherical.programs.solve

    def careless(*program, **settings):
        result = right(*program, **settings)
        return replace(result, z=result.z * rng.uniform(0.5, 2.0, size=len(result.z)))

    monkeypatch.setattr(horospherical.programs, "solve", careless)
    slices = HingeSlices(rows, c)
    if robust:  # the robust loss is not smaller
        slices = RobustSlices(rows, c, uncertainty(points, 1e-6))
    value = c * len(signs)
    bound, *_ = horospherical.search_cone(
        slices, np.array([0.0, 1e-9, 0.0]), value, 1e-4, max_cells=20
    )
    assert bound <= cone_grid(rows, c, 2001) * (1.0 + 1e-4)


@each_of("sign", [1.0, -1.0])
@each_of("seed", range(6))
def test_any_multipliers_bound_a_box_of_the_light_cone(seed, sign, monkeypatch):
    points, signs, C = instance(("buried", "overlapping")[seed % 2], 700 + seed, n=12, d=2)
    rows, c = signed_rows(points, signs), C * HINGE_SLOPE
    rng, right = np.random.default_rng(seed), horospherical.programs.solve

    def hostile(*program, **settings):
        result = right(*program, **settings)
        return replace(result, z=result.z * rng.choice([0.0, 0.5, 1.0, 3.0], size=len(result.z)))

    monkeypatch.setattr(horospherical.programs, "solve", hostile)
    angle = rng.uniform(0.0, 2.0 * np.pi)
    ends = np.array([[np.cos(a), np.sin(a)] for a in (angle, angle + 0.4)])
    low, high, longest = ends.min(axis=0), ends.max(axis=0), 3.0
    circle = np.linspace(0.0, 2.0 * np.pi, 1801)
    rays = np.column_stack([np.cos(circle), np.sin(circle)])
    rays = rays[((rays >= low) & (rays <= high)).all(axis=1)]
    rays = np.column_stack([np.full(len(rays), sign), rays])
    lengths = np.linspace(0.0, longest, 301)
    margins = lengths[:, None, None] * (rays @ rows.T)
    least = c * np.maximum(0.0, 1.0 - margins).sum(axis=2).min()
    slices = HingeSlices(rows, c)
    for _ in range(20):
        bound, _ = horospherical._relax_box(slices, sign, low, high, longest, "clarabel")
        assert bound <= least * (1.0 + 1e-9)


def test_multipliers_are_made_feasible():
    points, signs, _ = instance("overlapping", 3, n=12, d=2)
    rows, rng = signed_rows(points, signs), np.random.default_rng(0)
    plain, robust = HingeSlices(rows, 2.0), RobustSlices(rows, 2.0, uncertainty(points, 0.1))
    robust.evaluate_loss(rng.normal(size=3), 0.0)
    for _ in range(5):
        alpha = plain.clip_multipliers(3.0 * rng.normal(size=12))
        assert ((alpha >= 0.0) & (alpha <= 2.0)).all()
        _, counts, blocks = robust.pieces
        assert len(counts) > 12
        alpha = robust.clip_multipliers(3.0 * rng.normal(size=len(counts)))
        assert (alpha >= 0.0).all()
        assert (np.bincount(blocks, alpha) <= 2.0 * (1.0 + 1e-12)).all()


@pytest.mark.parametrize("seed", range(4))
def test_robust_value_against_a_simplex_search(seed):
    points, signs, _ = instance("overlapping", 40 + seed, n=10, d=2)
    points, C = on_hyperboloid(points[:, 1:], 1.5 * np.tanh(points[:, 0])), (0.5, 5.0)[seed % 2]
    plain = solve(points, signs, C)
    values = [solve(points, signs, C, radius=r) for r in (0.0, 1e-9, 0.05, 0.2)]
    assert values[0].objective == plain.objective
    assert values[1].objective == pytest.approx(plain.objective, rel=2e-4)
    for small, large in pairwise(values[1:]):
        assert small.lower_bound <= large.objective
        assert large.objective >= small.objective * (1.0 - 1e-4)
    fit, radius = values[-1], 0.2
    assert fit.objective == objective(fit.w, points, signs, C, radius=radius)
    rng = np.random.default_rng(seed)

    def value(z):
        w = np.append(math.tanh(z[0]) * np.linalg.norm(z[1:]), z[1:])
        return objective(w, points, signs, C, radius=radius)

    starts = [np.append(rng.uniform(-2, 2), rng.normal(size=2)) for _ in range(8)]
    found = min(
        minimize(value, z, method="Nelder-Mead", options={"maxiter": 300}).fun for z in starts
    )
    assert fit.lower_bound <= found * (1.0 + 1e-9)
    assert fit.objective <= found * (1.0 + 1.1e-4)
    assert sdp_relaxation.solve(points, signs, C, radius=radius).objective >= fit.lower_bound


def test_attacks_on_the_robust_optimum():
    rng = np.random.default_rng(0)
    radius = 0.15
    for seed in range(5):
        points, signs, _ = instance("overlapping", 80 + seed, n=15, d=1 + seed % 3)
        points = on_hyperboloid(points[:, 1:], 1.5 * np.tanh(points[:, 0]))
        fit = solve(points, signs, 4.0, radius=radius)
        M = uncertainty(points, radius)
        claimed = signed_rows(points, signs) @ fit.w - np.abs(M @ fit.w).sum(axis=1)
        J = jacobian(points)
        moves = rng.uniform(-radius, radius, size=(200, *J.shape[::2]))
        moves[:100] = radius * np.sign(moves[:100])
        lowest = np.full(len(signs), math.inf)
        for move in moves:
            moved = points + np.einsum("nkd,nd->nk", J, move)
            lowest = np.minimum(lowest, signed_rows(moved, signs) @ fit.w)
        assert (lowest >= claimed - 1e-9).all()
        # Among the vertices is the worst, so the claim is tight.
        assert np.allclose(lowest, claimed, atol=1e-9)
        losses = np.maximum(0.0, 1.0 - lowest).sum()
        norm = 0.5 * (fit.w[1:] @ fit.w[1:] - fit.w[0] ** 2)
        assert norm + 4.0 * HINGE_SLOPE * losses == pytest.approx(fit.objective, rel=1e-9)


def test_robust_pieces_never_exceed_the_loss():
    points, signs, _ = instance("overlapping", 3, n=12, d=2)
    rows, rng = signed_rows(points, signs), np.random.default_rng(0)
    slices = RobustSlices(rows, 2.0, uncertainty(points, 0.1))
    for _ in range(20):
        w = rng.normal(size=3)
        before, loss = slices.evaluate_model(w), slices.evaluate_loss(w, 0.0)
        assert before <= loss * (1.0 + 1e-12)
        assert slices.evaluate_model(w) == pytest.approx(loss, rel=1e-12)
        margins = rows @ w - np.abs(uncertainty(points, 0.1) @ w).sum(axis=1)
        assert loss == pytest.approx(2.0 * np.maximum(0.0, 1.0 - margins).sum(), rel=1e-12)


def test_robust_slices_far_out_are_solved():
    """There the conic solver calls a feasible program infeasible, in units of the hinge."""
    rng = np.random.default_rng(0)
    points = lorentz.from_spatial(rng.normal(size=(50, 2)))
    signs = np.where(np.arange(50) < 25, 1.0, -1.0)
    slices = RobustSlices(signed_rows(points, signs), 7.0, uncertainty(points, 0.1))
    for t in (1e6, -1e7):
        found = slices.solve_at(t, 1.0, math.inf)
        assert 0.0 <= found.gap <= 1e-9 * found.upper


def clouds(n, d, distance, seed, labels="noisy"):
    """Points up to a distance from the origin, overlapping classes, and weights."""
    rng = np.random.default_rng(seed)
    directions = rng.normal(size=(n, d))
    points = on_hyperboloid(directions, distance * rng.uniform(size=n) ** (1.0 / d))
    signs = np.where(directions[:, 0] > 0.0, 1.0, -1.0)
    if labels == "noisy":
        signs[rng.uniform(size=n) < 0.2] *= -1.0
    signs[:2] = 1.0, -1.0
    return points, signs, rng.uniform(0.5, 2.0, size=n)


def robust_slices(points, signs, c, radius, weights):
    """Slices as `solve` makes them, and the centre."""
    centre = find_middle(points, signs, None)
    if points[:, 0].max() > 1e3:
        centre = centre.astype(np.longdouble)
    given = in_numbers_of(centre, points)
    moves = boost(uncertainty(given, radius), centre)
    rows = boost(signed_rows(given, signs), centre)
    return RobustSlices(rows, c, moves, weights=weights), centre


def exact_objective(w, points, signs, C, radius):
    """½<w,w>_L and the robust hinges, in decimals."""
    w, total = decimals(w), Decimal(0)
    moves = exact_moves(points, radius)
    for row, own in zip(exact_rows(points, signs), moves, strict=True):
        margin = sum(a * b for a, b in zip(w, row, strict=True))
        margin -= sum(abs(sum(a * b for a, b in zip(w, move, strict=True))) for move in own)
        total += max(Decimal(0), 1 - margin)
    square = sum(x * x for x in w[1:]) - w[0] * w[0]
    return square / 2 + Decimal(C) * Decimal(HINGE_SLOPE) * total


@pytest.mark.parametrize(("d", "distance"), [(1, 3.0), (2, 2.0), (3, 8.0), (2, 12.0)])
def test_verified_robust_slices_are_below_the_exact_dual(d, distance):
    """The stated slope and length lie on the safe side of those of the exact rows."""
    points, signs, weights = clouds(20, d, distance, 1)
    radius, c = 0.1, 0.5
    slices, centre = robust_slices(points, signs, c, radius, weights)
    scale = points[:, 0].max()
    results = [slices.solve_at(t / scale, 1e-6, math.inf) for t in (-2.0, 0.0, 1.5)]
    # Whatever the solver returns, even a sum beyond c.
    results.append(replace(results[1], alpha=3.0 * results[1].alpha - 0.01))
    verifier = RobustVerifier(slices, points, signs, centre, radius)
    blocks, shares = slices.pieces[2], slices.shares
    assert len(blocks) > 20
    with localcontext() as context:
        context.prec = 60
        rows, moves = exact_rows(points, signs), exact_moves(points, radius)
        pieces = [
            [
                row - sum(Decimal(s) * move[j] for s, move in zip(share, moves[i], strict=True))
                for j, row in enumerate(rows[i])
            ]
            for i, share in zip(blocks, shares, strict=True)
        ]
        for result, stated_by_sign in zip(results, verifier.verify(results), strict=True):
            alpha = np.maximum(0.0, result.alpha)
            sums = [Decimal(0)] * 20
            for i, a in zip(blocks, alpha, strict=False):
                sums[i] += Decimal(float(a))
            factor = min(Decimal(1), Decimal(c) / max(sums))
            alpha = [
                factor * Decimal(float(a)) * Decimal(weights[i])
                for a, i in zip(alpha, blocks, strict=False)
            ]
            raw = [
                sum(a * row[j] for a, row in zip(alpha, pieces, strict=False)) for j in range(d + 1)
            ]
            moved = exact_boost(raw, centre)
            slope, length = -moved[0], sum(x * x for x in moved[1:]).sqrt()
            # What the factor, a little below the exact one, can do.
            share = Decimal("1e-14") * Decimal(sum(map(float, alpha)) * scale)
            for sign, stated in stated_by_sign.items():
                assert 0 <= sum(alpha) - Decimal(stated.total) <= Decimal("1e-13") * sum(alpha)
                assert -share <= Decimal(sign) * (slope - Decimal(stated.slope)) <= 10 * share
                assert -share <= Decimal(stated.length) - length <= 10 * share


@pytest.mark.parametrize(("d", "distance"), [(2, 2.0), (3, 6.0), (2, 12.0)])
def test_rounded_robust_rows_cannot_do_more_than_is_taken_off(d, distance):
    points, signs, weights = clouds(20, d, distance, 1)
    radius, c = 0.1, 0.5
    slices, centre = robust_slices(points, signs, c, radius, weights)
    verifier = RobustVerifier(slices, points, signs, centre, radius)
    rng = np.random.default_rng(0)
    with localcontext() as context:
        context.prec = 60
        rows = [exact_boost(row, centre) for row in exact_rows(points, signs)]
        moves = [[exact_boost(m, centre) for m in own] for own in exact_moves(points, radius)]

        def evaluate(w):
            total, w = Decimal(0), decimals(w)
            for row, own, weight in zip(rows, moves, weights, strict=True):
                margin = sum(a * b for a, b in zip(w, row, strict=True))
                margin -= sum(abs(sum(a * b for a, b in zip(w, m, strict=True))) for m in own)
                total += Decimal(weight) * max(Decimal(0), 1 - margin)
            return Decimal(c) * total

        for _ in range(20):
            w = rng.normal(size=d + 1) / points[:, 0].max()
            loss, exact = slices.evaluate_loss(w), evaluate(w)
            lost = slices.rounding_error(w, loss)
            away = verifier.lost * np.linalg.norm(w)
            assert abs(Decimal(loss) - exact) <= Decimal(lost + away)
            assert lost + away <= 1e-11 * loss


@pytest.mark.parametrize("distance", [2.0, 9.0, 13.0])
def test_the_robust_objective_is_true_to_its_digits(distance):
    rng = np.random.default_rng(0)
    points, signs, _ = clouds(20, 3, distance, 2)
    for size in (1.0, 1e-3):
        w = size * rng.normal(size=4)
        found = objective(w, points, signs, 2.0, radius=0.2)
        with localcontext() as context:
            context.prec = 60
            exact = exact_objective(w, points, signs, 2.0, 0.2)
        assert abs(Decimal(found) - exact) <= Decimal("1e-15") * abs(exact)


@each_of("C", [1e-3, 1.0, 1e4])
@each_of(("labels", "distance"), [("noisy", 3.0), ("clean", 3.0), ("clean", 12.0)])
def test_robust_fits_are_certified(labels, distance, C):
    """Also where the objective is 1e-5 of C, as for separable classes and large C."""
    for n, d, radius in ((2, 1, 0.004), (15, 2, 0.02), (25, 2, 0.2)):
        points, signs, _ = clouds(n, d, distance, 0, labels)
        fit = solve(points, signs, C, tol=1e-6, radius=radius)
        assert fit.gap <= 1e-6, (n, fit.status)
        with localcontext() as context:
            context.prec = 60
            exact = exact_objective(fit.w, points, signs, C, radius)
        assert Decimal(fit.lower_bound) <= exact
        assert abs(Decimal(fit.objective) - exact) <= Decimal("1e-12") * exact


def test_slices_are_solved_again_where_the_conic_solver_ends_early(monkeypatch):
    points, signs, weights = clouds(20, 2, 2.0, 0)
    right, tolerance = programs.solve, 1e-6
    slices, _ = robust_slices(points, signs, 2.0, 0.1, weights)
    usual = slices.solve_at(0.1, tolerance, math.inf)
    units = []

    def early(P, *program, **settings):
        units.append(P.max())
        result = right(P, *program, **settings)
        return result if units[-1] > 1.5 * units[0] else replace(result, x=0.9 * result.x)

    monkeypatch.setattr(programs, "solve", early)
    slices, _ = robust_slices(points, signs, 2.0, 0.1, weights)
    found = slices.solve_at(0.1, tolerance, math.inf)
    assert len(set(units)) == 2
    assert found.gap <= found.aim == tolerance
    assert found.line(0.1) == pytest.approx(usual.line(0.1), abs=tolerance)
    # Slices that are irrelevant are not.
    units.clear()
    slices, _ = robust_slices(points, signs, 2.0, 0.1, weights)
    slices.solve_at(0.1, tolerance, 0.0)
    assert len(set(units)) == 1


def test_equal_rows_with_weights_of_many_decades():
    """Multipliers of the slices are in units of the heaviest row."""
    points = lorentz.from_spatial(np.tile([[0.05, -0.03, 0.02]], (6, 1)))
    signs = np.array([1.0, -1.0, -1.0, 1.0, -1.0, -1.0])
    weights = np.array([1e6, 7e7, 1e-7, 3.0, 6e5, 1e-3])
    fit = global_optimum.solve(points, signs, 1e7, radius=1e-3, weights=weights)
    assert fit.gap <= 1e-6
    assert fit.n_iter < 300
