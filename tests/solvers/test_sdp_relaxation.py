"""The semidefinite relaxation against a model as published, and attacks on its solutions."""

import itertools
import math

import numpy as np
import pytest
from cases import each_of
from scipy.optimize import linprog, minimize

from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid.solvers.conic import programs
from noneuclid.solvers.hyperboloid.descent.projected_gradient import project
from noneuclid.solvers.hyperboloid.problem import jacobian, objective, signed_rows, uncertainty
from noneuclid.solvers.hyperboloid.relaxations import sdp_relaxation
from noneuclid_compare.data.generators import lifted_gaussians
from noneuclid_papers.programs import yang2024_relaxations

C = 3.0


def instance(d, n=24, seed=0, spread=1.0, noise=0.2):
    """Points split by a hyperplane, a share `noise` of the labels exchanged, both classes met."""
    rng = np.random.default_rng([seed, d])
    points = lorentz.from_spatial(spread * rng.normal(size=(n, d)))
    signs = np.where(points[:, 1] > 0.2 * points[:, 0], 1.0, -1.0)
    signs[rng.uniform(size=n) < noise] *= -1.0
    signs[:2] = [1.0, -1.0]
    return points, signs


def hinge_program(points, signs, C):
    """(C/√2) min_w Σ hinge, as a linear program."""
    n, D = points.shape
    program = linprog(
        np.r_[np.zeros(D), np.ones(n)],
        A_ub=np.hstack([-signed_rows(points, signs), -np.eye(n)]),
        b_ub=-np.ones(n),
        bounds=[(None, None)] * D + [(0.0, None)] * n,
    )
    return C * program.fun / math.sqrt(2.0)


@each_of("radius", [0.0, 0.1])
@each_of("d", [2, 3, 4])
def test_value_is_that_of_the_published_model(d, radius):
    points, signs = instance(d)
    fit = sdp_relaxation.solve(points, signs, C, radius=radius)
    assert fit.status == "solved"
    expected = yang2024_relaxations.semidefinite(points, signs, C, radius).value
    assert expected > 1.0
    assert fit.extras["relaxation"] == pytest.approx(expected, rel=1e-6)
    # The bound counts on the multipliers of the robust terms too.
    assert fit.lower_bound == pytest.approx(expected, rel=1e-6)


@each_of("spread", [0.3, 1.0, 30.0, 1e3])
@each_of("d", [1, 2, 5])
def test_relaxation_is_only_the_hinge(d, spread):
    points, signs = instance(d, n=60, spread=spread)
    fit = sdp_relaxation.solve(points, signs, C)
    expected = hinge_program(points, signs, C)
    assert fit.extras["relaxation"] == pytest.approx(expected, rel=1e-6)
    assert fit.lower_bound == pytest.approx(expected, rel=1e-5)
    assert fit.lower_bound <= expected * (1.0 + 1e-9)
    assert fit.objective == objective(fit.w, points, signs, C)
    assert lorentz.product(fit.w, fit.w) >= 0.0


@pytest.mark.parametrize("d", [2, 4])
def test_robust_bound_loses_little_far_out(d):
    points, signs = instance(d, n=60, spread=1e3)
    fit = sdp_relaxation.solve(points, signs, C, radius=0.3)
    assert fit.lower_bound == pytest.approx(fit.extras["relaxation"], rel=1e-4)


def test_relaxation_of_separable_data_is_zero():
    points, _ = instance(2)
    signs = np.where(points[:, 1] > 0.2 * points[:, 0], 1.0, -1.0)
    fit = sdp_relaxation.solve(points, signs, C)
    assert fit.lower_bound == 0.0
    assert fit.extras["relaxation"] == pytest.approx(0.0, abs=1e-4)
    assert fit.objective > 0.05
    assert fit.extras["eta"] == pytest.approx(fit.objective / (1.0 + fit.objective), abs=1e-4)


@each_of("seed", range(6))
def test_bound_is_below_the_optimum_by_brute_force(seed):
    points, signs = instance(2, n=14, seed=seed, noise=0.3)
    fit = sdp_relaxation.solve(points, signs, C)

    def reached(w):
        return objective(project(w), points, signs, C)

    starts = np.random.default_rng(seed).normal(size=(8, 3)) * 2.0
    best = min(minimize(reached, start, method="Nelder-Mead").fun for start in [fit.w, *starts])
    assert fit.lower_bound <= best <= fit.objective
    assert fit.lower_bound > 0.3 * best


@pytest.mark.parametrize("radius", [0.0, 0.2])
def test_program_holds_the_problem(radius):
    points, signs = instance(3)
    w, unit = np.array([-0.3, 0.7, 0.2, -0.5]), 1.7
    rows, moves = signed_rows(points, signs), np.empty((24, 0, 4))
    if radius:
        moves = uncertainty(points, radius)
    parts = np.abs(moves @ w)
    h = np.maximum(0.0, 1.0 - rows @ w + parts.sum(axis=1))
    scaled = w / unit
    triangle = [scaled[i] * scaled[j] for j in range(4) for i in range(j + 1)]
    x = np.concatenate([scaled, triangle, h, parts.ravel()])
    _, q, A, b, cones = sdp_relaxation._program(
        rows * unit, moves * unit, unit**2, C / math.sqrt(2.0)
    )
    assert q @ x == pytest.approx(objective(w, points, signs, C, radius=radius), rel=1e-12)
    s = b - A @ x
    first = cones[0][1]
    assert (s[:first] >= -1e-12).all()
    slack = np.concatenate([h, h + rows @ w - parts.sum(axis=1) - 1.0])
    np.testing.assert_allclose(s[:48], slack, atol=1e-12)
    assert s[first - 1] == pytest.approx(lorentz.product(scaled, scaled))
    bordered = np.outer(np.r_[1.0, scaled], np.r_[1.0, scaled])
    weighted = bordered * np.where(np.eye(5), 1.0, math.sqrt(2.0))
    np.testing.assert_allclose(s[first:], weighted.T[np.tril_indices(5)], atol=1e-12)


@pytest.mark.parametrize("radius", [0.0, 0.2])
def test_candidates_are_compared_by_the_objective(radius):
    points, signs = instance(3)
    candidates = np.random.default_rng(0).normal(size=(6, 4))
    moves = uncertainty(points, radius)
    values = sdp_relaxation._objectives(
        candidates, signed_rows(points, signs), moves, C / math.sqrt(2.0), np.ones(len(points))
    )
    expected = [objective(w, points, signs, C, radius=radius) for w in candidates]
    np.testing.assert_allclose(values, expected, rtol=1e-12)


def test_candidates_of_a_matrix_of_rank_one_are_its_vector():
    w = np.array([-0.5, 1.0, 2.0])
    candidates, kinds = sdp_relaxation._candidates(w, np.outer(w, w), draws=4, seed=0)
    assert np.bincount(kinds).tolist() == [1, 2, 3, 4]
    mirrored = np.abs(candidates + w).max(axis=1) < 1e-6
    assert mirrored.sum() == 1
    np.testing.assert_allclose(candidates[~mirrored], np.tile(w, (9, 1)), atol=1e-6)


def test_candidates_are_spacelike_and_follow_the_moments():
    w, spread = np.array([2.0, 1.0, 0.0]), np.diag([0.04, 0.09, 0.25])
    candidates, kinds = sdp_relaxation._candidates(w, np.outer(w, w) + spread, draws=3, seed=0)
    assert (lorentz.product(candidates, candidates) >= 0.0).all()
    assert (kinds == 2).sum() == 2  # no column where w is zero
    w = np.array([0.5, 3.0, 0.0])
    candidates, kinds = sdp_relaxation._candidates(w, np.outer(w, w) + spread, draws=20_000, seed=0)
    drawn = candidates[kinds == 3]
    np.testing.assert_allclose(drawn.mean(axis=0), w, atol=0.02)
    np.testing.assert_allclose(np.cov(drawn.T), spread, atol=0.01)


def test_best_candidate_wins(monkeypatch):
    results, kinds_seen = [], set()

    def spy(*args, original=programs.solve, **kwargs):
        results.append(original(*args, **kwargs))
        return results[-1]

    monkeypatch.setattr(programs, "solve", spy)
    for seed in range(12):
        points, signs = instance(2, seed=seed)
        fit = sdp_relaxation.solve(points, signs, C, seed=seed)
        unit = sdp_relaxation._length(signed_rows(points, signs), C, np.ones(len(signs)))
        candidates, kinds = sdp_relaxation._candidates(
            *sdp_relaxation._unpack(results[-1].x, 3, unit), 10, seed
        )
        values = [objective(c, points, signs, C) for c in candidates]
        assert fit.objective == pytest.approx(min(values), rel=1e-12)
        assert fit.extras["candidate"] == kinds[int(np.argmin(values))]
        kinds_seen.add(fit.extras["candidate"])
    assert len(kinds_seen) > 1


def test_seed_decides_the_draws():
    points, signs = instance(2, seed=3)
    first, again = (sdp_relaxation.solve(points, signs, C, seed=1) for _ in range(2))
    assert first.w.tolist() == again.w.tolist()
    w, W = np.array([0.5, 3.0, 0.0]), np.diag([1.0, 10.0, 1.0])
    draws = [sdp_relaxation._candidates(w, W, 5, seed)[0][-5:] for seed in (1, 2)]
    assert np.abs(draws[0] - draws[1]).min() > 1e-3


def test_draws_are_mirrored_with_the_solution():
    w, W = np.array([0.5, 3.0, 0.0]), np.diag([1.0, 10.0, 1.0])
    draws, mirrored = (
        sdp_relaxation._candidates(w, W, 5, 0)[0],
        sdp_relaxation._candidates(-w, W, 5, 0)[0],
    )
    np.testing.assert_allclose(mirrored[-5:], -draws[-5:], atol=1e-12)


@pytest.mark.parametrize("radius", [0.0, 0.1])
def test_exchanged_labels_mirror_the_solution(radius):
    points, signs = instance(3, seed=1)
    fit, swapped = (sdp_relaxation.solve(points, s, C, radius=radius) for s in (signs, -signs))
    np.testing.assert_allclose(swapped.w, -fit.w, rtol=1e-6, atol=1e-8)
    assert swapped.lower_bound == pytest.approx(fit.lower_bound, rel=1e-9)


def test_order_of_rows_does_not_matter():
    points, signs = instance(3, seed=1)
    order = np.random.default_rng(0).permutation(len(signs))
    fit, moved = (
        sdp_relaxation.solve(points, signs, C),
        sdp_relaxation.solve(points[order], signs[order], C),
    )
    assert moved.lower_bound == pytest.approx(fit.lower_bound, rel=1e-7)
    assert moved.objective == pytest.approx(fit.objective, rel=1e-3)


def test_duplicated_rows_are_a_doubled_weight():
    points, signs = instance(3, seed=1)
    fit = sdp_relaxation.solve(points, signs, C)
    twice = sdp_relaxation.solve(np.vstack([points, points]), np.r_[signs, signs], C / 2)
    assert twice.lower_bound == pytest.approx(fit.lower_bound, rel=1e-7)
    assert twice.objective == pytest.approx(fit.objective, rel=1e-2)


def test_bound_is_invariant_under_boosts():
    points, signs = instance(2, seed=2)
    boost = lorentz.boost(lorentz.from_spatial([1.0, -2.0]))
    fit, moved = (
        sdp_relaxation.solve(points, signs, C),
        sdp_relaxation.solve(points @ boost.T, signs, C),
    )
    assert moved.lower_bound == pytest.approx(fit.lower_bound, rel=1e-6)


@pytest.mark.parametrize(
    ("spatial", "signs"),
    [
        ([[0.5], [-0.5]], [1.0, -1.0]),
        ([[0.5, 0.1], [0.5, 0.1]], [1.0, -1.0]),
        ([[0.5, 0.1], [0.5, 0.1], [0.5, 0.1]], [1.0, -1.0, 1.0]),
        ([[0.0, 0.0], [0.0, 0.0]], [1.0, -1.0]),
        ([[3.0, 0.0], [4.0, 0.0], [5.0, 0.0]], [1.0, -1.0, 1.0]),
    ],
)
def test_degenerate_data(spatial, signs):
    points, signs = lorentz.from_spatial(spatial), np.array(signs)
    fit = sdp_relaxation.solve(points, signs, C)
    expected = hinge_program(points, signs, C)
    assert fit.status == "solved"
    assert np.isfinite(fit.w).all()
    assert lorentz.product(fit.w, fit.w) >= 0.0
    assert fit.lower_bound == pytest.approx(expected, rel=1e-6, abs=1e-9)
    assert fit.lower_bound <= fit.objective


def mixture():
    """Moves of up to 0.0105 leave the classes separable, but only by a very long w."""
    data = lifted_gaussians.load(
        {}, 0, n_classes=2, n_samples_per_class=200, scale=0.4, released_seed=2
    )
    return data.features[::2], np.where(data.labels[::2] == 1, 1.0, -1.0)


@pytest.mark.parametrize(("radius", "poor"), [(0.0, False), (0.01, True), (0.011, False)])
def test_a_hyperplane_with_a_higher_objective_than_zero(radius, poor):
    points, signs = mixture()
    fit = sdp_relaxation.solve(points, signs, 10.0, radius=radius)
    assert (fit.objective > 10.0 * len(points) / math.sqrt(2.0)) == poor
    assert fit.status == ("poor rounding" if poor else "solved")
    assert ("w = 0 has 1.41e+03; use HyperboloidSVC(solver='optimal')" in fit.warning) == poor


def test_the_objective_at_zero_counts_weights():
    points, signs = mixture()
    weights = np.full(len(points), 1e4)
    fit = sdp_relaxation.solve(points, signs, 10.0, radius=0.01, weights=weights)
    assert 10.0 * len(points) < fit.objective < 1e5 * len(points) / math.sqrt(2.0)
    assert fit.status == "solved"


def test_another_comparison_of_candidates_is_not_judged_by_the_objective():
    def longest(candidates, rows, weights):
        return -np.linalg.norm(candidates, axis=1)

    points, signs = mixture()
    fit = sdp_relaxation.solve(points, signs, 10.0, compare=longest)
    assert fit.objective > 10.0 * len(points) / math.sqrt(2.0)
    assert (fit.status, fit.warning) == ("solved", "")


@pytest.mark.parametrize(
    ("conic", "value", "status"),
    [
        ("optimal", 2.0, "solved"),
        ("optimal", 2.0 + 1e-9, "solved"),
        ("optimal", 2.01, "poor rounding"),
        ("stalled", 1.0, "stalled"),
        ("stalled", 3.0, "stalled"),
    ],
)
def test_the_status_follows_from_the_conic_solver_and_the_objective(conic, value, status):
    found, warning = sdp_relaxation._verdict(conic, value, 2.0)
    assert found == status
    assert (warning == "") == (status == "solved")


def exp_at_origin(v):
    s = np.linalg.norm(v, axis=-1, keepdims=True)
    return np.concatenate([np.cosh(s), v * np.sinh(s) / s], axis=-1)


def attacks(d, radius):
    """Moves in the box: its vertices, then random ones."""
    vertices = np.array(list(itertools.product([-1.0, 1.0], repeat=d)))
    return radius * np.vstack([vertices, np.random.default_rng(0).uniform(-1, 1, size=(200, d))])


def claimed_margins(fit, points, signs, radius):
    """1 - √2 ξ_i, with the least slacks that carry the solution's objective."""
    xi = np.array(
        [
            objective(fit.w, points[[i]], signs[[i]], 1.0, radius=radius)
            - 0.5 * lorentz.product(fit.w, fit.w)
            for i in range(len(signs))
        ]
    )
    total = 0.5 * lorentz.product(fit.w, fit.w) + C * xi.sum()
    assert fit.objective == pytest.approx(total, rel=1e-9)
    return 1.0 - math.sqrt(2.0) * xi


@pytest.mark.parametrize("d", [2, 3])
def test_first_order_attacks_do_not_break_the_robust_margins(d):
    radius, step = 0.15, 1e-6
    points, signs = instance(d, noise=0.1)
    fit = sdp_relaxation.solve(points, signs, C, radius=radius)
    claimed = claimed_margins(fit, points, signs, radius)
    tangents = lorentz.log(lorentz.origin(d), points)[:, 1:]
    shifts = tangents[:, None] + step * np.vstack([np.eye(d), -np.eye(d)])
    moved = exp_at_origin(shifts)
    slopes = (moved[:, :d] - moved[:, d:]) / (2 * step)  # Jacobians by differences
    attacked = points[:, None] + attacks(d, radius) @ slopes
    margins = signs[:, None] * lorentz.product(fit.w, attacked)
    assert (margins >= claimed[:, None] - 1e-6).all()
    # Not a claim too modest: where there is slack, a vertex of the box needs all of it.
    slack = claimed < 1.0 - 1e-9
    tight = margins[:, : 2**d].min(axis=1)[slack]
    np.testing.assert_allclose(tight, claimed[slack], atol=1e-6)


def test_true_attacks_break_the_robust_margins_by_the_square_of_the_radius():
    points, signs = instance(2, noise=0.1)
    tangents = lorentz.log(lorentz.origin(2), points)[:, 1:]
    fit = sdp_relaxation.solve(points, signs, C, radius=0.1)
    broken = []
    for radius in (1e-2, 1e-3, 1e-4):
        robust = signs * lorentz.product(fit.w, points) - np.abs(
            radius * np.einsum("nij,i->nj", jacobian(points), fit.w * [-1.0, 1.0, 1.0])
        ).sum(axis=1)
        attacked = exp_at_origin(tangents[:, None] + attacks(2, radius))
        margins = signs[:, None] * lorentz.product(fit.w, attacked)
        broken.append((robust[:, None] - margins).max() / radius**2)
    # The constant: half the largest curvature along the box's diagonal, about |w| x_0.
    limit = 2.0 * np.abs(fit.w).sum() * points[:, 0].max()
    assert 0.0 < max(broken) < limit
    assert broken[2] == pytest.approx(broken[1], rel=0.05)


def test_robust_solution_is_better_under_attack():
    points, signs = instance(2, n=40, noise=0.1, spread=0.5)
    fits = [sdp_relaxation.solve(points, signs, C, radius=r) for r in (0.0, 0.2)]
    values = [objective(fit.w, points, signs, C, radius=0.2) for fit in fits]
    assert values[1] < values[0]
    assert fits[1].lower_bound > fits[0].lower_bound


def test_trouble_of_the_conic_solver_is_told(monkeypatch):
    points, signs = instance(2)
    monkeypatch.setattr(
        programs,
        "solve",
        lambda *args, original=programs.solve, **kw: original(*args, max_iter=4, **kw),
    )
    fit = sdp_relaxation.solve(points, signs, C)
    assert fit.status == "max_iter"
    assert "max_iter" in fit.warning
    assert fit.lower_bound <= hinge_program(points, signs, C)
    assert fit.lower_bound <= fit.objective


def test_no_numbers_is_an_error(monkeypatch):
    def without_numbers(P, q, A, b, cones, solver):
        x, z = np.full(len(q), np.nan), np.full(len(b), np.nan)
        return programs.ConicResult(x, z, z, np.nan, np.nan, "failed", 1, "clarabel")

    monkeypatch.setattr(programs, "solve", without_numbers)
    with pytest.raises(InputError, match="without numbers"):
        sdp_relaxation.solve(*instance(2), C)


def test_unknown_conic_solver():
    with pytest.raises(InputError, match="unknown conic solver"):
        sdp_relaxation.solve(*instance(2), C, conic_solver="simplex")
