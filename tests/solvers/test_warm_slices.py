"""Slices in high dimensions against those of low dimensions, and the solver below them."""

import math
from dataclasses import replace

import numpy as np
import pytest
from cases import each_of
from svm_instances import instance

from noneuclid.geometry import lorentz
from noneuclid.solvers.hyperboloid.certified import coordinates, global_optimum
from noneuclid.solvers.hyperboloid.certified.intervals import Interval
from noneuclid.solvers.hyperboloid.certified.original_coordinates import Problem
from noneuclid.solvers.hyperboloid.certified.slices.time_slices import HingeSlices
from noneuclid.solvers.hyperboloid.certified.slices.warm_slices import LEAST_DIMENSION, WarmSlices
from noneuclid.solvers.hyperboloid.certified.time_search import TimeSearch
from noneuclid.solvers.hyperboloid.problem import HINGE_SLOPE, objective, signed_rows
from noneuclid.solvers.linear import dense_hinge
from noneuclid.solvers.linear.dense_hinge import solve_dense_svm
from noneuclid.solvers.linear.hinge_program import solve_offset_svm


def hinges(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(1, 60)), int(rng.integers(1, 20))
    Z = rng.normal(size=(n, d)) * 10 ** rng.uniform(-1, 2)
    offsets = 1.0 + rng.normal(size=n) * 10 ** rng.uniform(-1, 2)
    weights = 10 ** rng.uniform(-2, 2, size=n)
    return Z, offsets, weights, rng


def balls(n, d, seed, size=3.0, noise=0.3):
    """Two overlapping classes, and their signs, around a hyperplane off the origin."""
    rng = np.random.default_rng(seed)
    points = lorentz.from_spatial(rng.normal(size=(n, d)) * size / np.sqrt(d))
    height = points[:, 1] - 0.1 * points[:, 0] + noise * rng.normal(size=n)
    return points, np.where(height > np.median(height), 1.0, -1.0)


@pytest.fixture
def no_restart(monkeypatch):
    def refuse(*problem):
        raise AssertionError("started again")

    monkeypatch.setattr(dense_hinge, "solve_offset_svm", refuse)


@pytest.mark.parametrize("nearby", [True, False])
@pytest.mark.usefixtures("no_restart")
def test_values_are_those_of_the_solutions_from_any_start(nearby):
    for seed in range(40):
        Z, offsets, weights, rng = hinges(seed)
        scale = 1.0 + weights @ np.maximum(0.0, offsets)
        u, _, low, high, _ = solve_offset_svm(Z, offsets, weights, 1e-9 * scale, 100)
        start, level = np.zeros(Z.shape[1]), 1.0
        if nearby:
            start, level = u + 1e-4 * rng.normal(size=len(u)), 1e-3
        tol = 1e-7 * scale
        u, alpha, lower, upper, _ = solve_dense_svm(
            Z, offsets, weights, start, level, tol, math.inf, 100
        )
        assert upper - lower <= tol
        assert lower <= high + 1e-9 * scale
        assert upper >= low - 1e-9 * scale
        assert (alpha >= 0.0).all()
        assert (alpha <= weights * (1.0 + 1e-12)).all()
        value = 0.5 * u @ u + weights @ np.maximum(0.0, offsets - Z @ u)
        dual = alpha @ offsets - 0.5 * np.sum((alpha @ Z) ** 2)
        assert upper == pytest.approx(value, abs=1e-9 * scale)
        assert lower == pytest.approx(dual, abs=1e-9 * scale)


@pytest.mark.usefixtures("no_restart")
def test_a_start_nearby_saves_steps():
    Z, offsets, weights, _ = hinges(3)
    scale = weights @ np.maximum(0.0, offsets)
    u, *_ = solve_offset_svm(Z, offsets, weights, 1e-10 * scale, 100)
    steps = [
        solve_dense_svm(Z, offsets, weights, start, level, 1e-5 * scale, math.inf, 100)[-1]
        for start, level in ((u, 1e-4), (np.zeros_like(u), 1.0))
    ]
    assert 0 < steps[0] < steps[1]


@pytest.mark.usefixtures("no_restart")
def test_ends_at_a_lower_value_that_is_enough():
    Z, offsets, weights, _ = hinges(3)
    *_, optimum, _, _ = solve_offset_svm(Z, offsets, weights, 1e-9, 100)
    start = np.zeros(Z.shape[1])
    runs = [
        solve_dense_svm(Z, offsets, weights, start, 1.0, 0.0, enough * optimum, 100)
        for enough in (0.5, 0.999)
    ]
    for enough, (*_, lower, upper, _) in zip((0.5, 0.999), runs, strict=True):
        assert enough * optimum <= lower <= optimum * (1.0 + 1e-9) <= upper * (1.0 + 1e-8)
    assert runs[0][-1] < runs[1][-1]


@pytest.mark.parametrize("start", [1e200, math.nan])
def test_starts_again_where_a_start_leads_nowhere(start):
    Z, offsets, weights, _ = hinges(3)
    scale = weights @ np.maximum(0.0, offsets)
    *_, lower, upper, _ = solve_dense_svm(
        Z, offsets, weights, np.full(Z.shape[1], start), 1.0, 1e-7 * scale, math.inf, 100
    )
    expected = solve_offset_svm(Z, offsets, weights, 1e-7 * scale, 100)
    assert (lower, upper) == expected[2:4]


@each_of("C", [0.03, 1.0, 300.0])
@each_of("weighted", [False, True])
@each_of("d", [2, 12])
def test_optimum_is_that_of_slices_in_low_dimensions(monkeypatch, d, weighted, C):
    points, signs = balls(150, d, seed=d)
    weights = np.random.default_rng(0).integers(1, 4, size=150).astype(float) if weighted else None
    monkeypatch.setattr(coordinates, "LEAST_DIMENSION", 1000)
    plain = global_optimum.solve(points, signs, C, tol=1e-6, weights=weights)
    monkeypatch.setattr(coordinates, "LEAST_DIMENSION", 1)
    warm = global_optimum.solve(points, signs, C, tol=1e-6, weights=weights)
    assert warm.gap <= 1e-6
    assert warm.status == plain.status == "optimal"
    for one, other in ((plain, warm), (warm, plain)):
        assert one.lower_bound <= other.objective * (1.0 + 1e-12)
    assert warm.w != pytest.approx(plain.w, rel=1e-14)  # not the same program


@pytest.mark.parametrize("t", [-20.0, -0.3, 0.0, 0.2, 5.0])
def test_slices_from_neighbours_bound_each_other(t):
    points, signs = balls(200, 8, seed=1)
    rows, c = signed_rows(points, signs), HINGE_SLOPE
    plain, warm = HingeSlices(rows, c), WarmSlices(rows, c)
    exact = plain.solve_at(t, 1e-7, math.inf)
    for step in (-0.1, 0.1, 0.0):
        found = warm.solve_at(t + step, 1e-6, math.inf)
        assert found.gap <= 1e-6
        assert found.line(t) <= exact.upper + 1e-9
    assert exact.line(t) <= found.upper + 1e-9
    margins = rows @ np.append(t, found.u)
    value = 0.5 * found.u @ found.u + c * np.maximum(0.0, 1.0 - margins).sum()
    assert found.upper == pytest.approx(value, rel=1e-12)


def test_slices_end_as_soon_as_they_are_irrelevant():
    points, signs = balls(200, 8, seed=1)
    slices = WarmSlices(signed_rows(points, signs), HINGE_SLOPE)
    exact = HingeSlices(slices.rows, HINGE_SLOPE).solve_at(0.3, 1e-7, math.inf)
    goal = 0.5 * exact.bound(0.3)
    found = slices.solve_at(0.3, 1e-7, goal)
    assert goal <= found.bound(0.3) < exact.bound(0.3)
    assert found.gap > 1e-3


@pytest.mark.parametrize("tilt", [0.5, 1.0, 2.0])
def test_local_optimum_of_several_programs_has_its_objective(monkeypatch, tilt):
    points, signs = balls(120, 5, 0, size=0.3, noise=0.0)
    rows, c = signed_rows(points, signs), 0.1
    rows[:, 0] += tilt * rows[:, 1]  # t counts
    programs, refine = [], WarmSlices._refine
    monkeypatch.setattr(WarmSlices, "_refine", lambda *a: programs.append(1) or refine(*a))
    w, value = WarmSlices(rows, c).find_local_optimum()
    exact = 0.5 * (w[1:] @ w[1:] - w[0] ** 2) + c * np.maximum(0.0, 1.0 - rows @ w).sum()
    assert len(programs) > 1
    assert value == pytest.approx(exact, rel=1e-9)
    assert w[1:] @ w[1:] >= w[0] ** 2
    monkeypatch.setattr("noneuclid.solvers.hyperboloid.certified.slices.warm_slices._DESCENTS", 1)
    assert value < WarmSlices(rows, c).find_local_optimum()[1]


def test_local_optimum_is_near_the_global_one():
    points, signs = balls(300, 20, seed=2)
    fit = global_optimum.solve(points, signs, 1.0, tol=1e-6)
    w, value = WarmSlices(signed_rows(points, signs), HINGE_SLOPE).find_local_optimum()
    assert value == pytest.approx(objective(w, points, signs, 1.0), rel=1e-9)
    assert fit.lower_bound <= value <= fit.objective * (1.0 + 0.01)


@pytest.mark.parametrize("more", [pytest.param(-1, marks=pytest.mark.slow), 0])
def test_high_dimensions_are_solved_from_neighbours(monkeypatch, more):
    used = []
    solve_at = WarmSlices.solve_at
    monkeypatch.setattr(WarmSlices, "solve_at", lambda *a: used.append(1) or solve_at(*a))
    points, signs = balls(150, LEAST_DIMENSION + more, seed=0)
    fit = global_optimum.solve(points, signs, 1.0, tol=1e-4)
    assert bool(used) == (more == 0)
    assert fit.gap <= 1e-4


def test_slices_that_ended_early_do_not_start_the_search_of_the_light_cone():
    points, signs = balls(600, LEAST_DIMENSION, seed=0, noise=0.2)
    fit = global_optimum.solve(points, signs, 1.0, tol=1e-3)
    assert fit.gap <= 1e-3
    assert fit.extras["cells"] == 0


def test_local_optimum_stays_outside_the_light_cone():
    """The minimiser of the first program is inside for some labels: no point, or an earlier one."""
    rng, none = np.random.default_rng(0), 0
    for _ in range(20):
        points = lorentz.from_spatial(rng.normal(size=(40, 3)))
        rows = signed_rows(points, rng.choice([-1.0, 1.0], size=40, p=[0.2, 0.8]))
        w, value = WarmSlices(rows, 1.0).find_local_optimum()
        none += w is None
        assert (w is None) == (value == math.inf)
        assert w is None or w[1:] @ w[1:] >= w[0] ** 2
    assert none > 0


def test_only_slices_that_ended_early_are_not_sharp():
    points, signs = balls(200, 8, seed=1)
    slices = WarmSlices(signed_rows(points, signs), HINGE_SLOPE)
    exact = slices.solve_at(0.3, 1e-7, math.inf)
    assert exact.sharp
    early = slices.solve_at(0.4, 1e-12, 0.5 * exact.bound(0.3))
    assert not early.sharp
    assert early.gap > early.aim
    assert slices.solve_at(0.3, 0.0, math.inf).sharp  # as sharp as digits allow


def test_multipliers_of_a_slice_prove_its_bounds():
    points, signs = balls(200, 8, seed=1)
    slices = WarmSlices(signed_rows(points, signs), HINGE_SLOPE)
    results = [slices.solve_at(t, 1e-3, math.inf) for t in (-0.3, 0.0, 0.2)]
    for result, alpha in zip(
        results, slices.groups.inherit([result.alpha for result in results]), strict=True
    ):
        rows = alpha[slices.groups.ids, None] * slices.rows
        assert result.total == pytest.approx(alpha @ slices.groups.counts, rel=1e-12)
        assert result.slope == pytest.approx(-rows[:, 0].sum(), rel=1e-9, abs=1e-12)
        assert result.resultant == pytest.approx(rows[:, 1:].sum(axis=0), rel=1e-9, abs=1e-12)


def test_the_proof_holds_for_slices_of_high_dimensions(monkeypatch):
    """No bound of the cone counts where the cone was not searched."""
    monkeypatch.setattr(coordinates, "LEAST_DIMENSION", 1)
    rng, searched = np.random.default_rng(0), set()
    for seed in range(12):
        points = lorentz.from_spatial(rng.normal(size=(40, 3)))
        signs = rng.choice([-1.0, 1.0], size=40)
        C = 10.0 ** (seed % 6 - 2)
        fit = global_optimum.solve(points, signs, C)
        assert fit.gap <= 1e-6
        searched.add(math.isfinite(fit.extras["light_cone"]))
        for size in (1e-3, 1e-2, 1e-1):
            for _ in range(50):
                w = fit.w + size * np.linalg.norm(fit.w) * rng.normal(size=4)
                if w[1:] @ w[1:] >= w[0] ** 2:
                    assert fit.lower_bound <= objective(w, points, signs, C)
    assert searched == {True, False}


@pytest.mark.parametrize("method", ["bound_off_cone", "highest_inside"])
def test_only_sharp_slices_make_the_light_cone_count(monkeypatch, method):
    points, signs = balls(60, 2, seed=0)
    problem, rows = Problem(points, signs, 1.0 / HINGE_SLOPE), signed_rows(points, signs)
    search = TimeSearch(coordinates.DoubleCoordinates(problem, np.zeros(2), rows), 1e-6, 100)
    search.value = 1e12  # no bound is enough
    monkeypatch.setattr(Interval, "bound_off_cone", lambda *_: None)
    found = math.inf if method == "bound_off_cone" else 0.0
    monkeypatch.setattr(Interval, method, lambda *_: found)
    a, b = (search.slices.solve_at(t, 1e-6, math.inf) for t in (2.0, 2.1))
    counts = []
    for sharp in ((True, True), (False, True), (True, False)):
        search.cone_alive, search.deferred = False, []
        search.push([], *(replace(end, sharp=s) for end, s in zip((a, b), sharp, strict=True)))
        counts.append(search.cone_alive or bool(search.deferred))
    assert counts == [True, False, False]


@pytest.mark.parametrize(
    ("kind", "seed"),
    [("separable", 0), ("overlapping", 0), ("overlapping", 1), ("one_point", 1), ("buried", 1)],
)
def test_hard_data_in_a_subspace_of_many_dimensions(kind, seed, monkeypatch):
    """Warm and cold slices prove bounds of the same problem, and agree within their gaps."""
    points, signs, C = instance(kind, 20 + seed, n=(4, 25)[seed], d=2)
    axes = np.linalg.qr(np.random.default_rng(seed).normal(size=(66, 2)))[0]
    points = lorentz.from_spatial(points[:, 1:] @ axes.T)
    warm = global_optimum.solve(points, signs, C, tol=1e-4)
    monkeypatch.setattr(coordinates, "LEAST_DIMENSION", 100)
    cold = global_optimum.solve(points, signs, C, tol=1e-4)
    assert warm.lower_bound <= cold.objective * (1.0 + 1e-12)
    assert cold.lower_bound <= warm.objective * (1.0 + 1e-12)
    assert warm.gap <= 1e-4 or cold.gap > 1e-4
