"""Objective, uncertainty and certificates of the hyperboloid SVM against slow versions."""

import itertools
import math

import numpy as np
import pytest
from cases import each_of

from noneuclid.geometry import lorentz
from noneuclid.solvers.hyperboloid.problem import (
    Solution,
    jacobian,
    objective,
    signed_rows,
    uncertainty,
)
from noneuclid.solvers.hyperboloid.relaxations.hinge_bound import _bound_length, hinge_bound


def sample(d, n=12, seed=0, spread=1.0):
    rng = np.random.default_rng(seed)
    points = lorentz.from_spatial(spread * rng.normal(size=(n, d)))
    signs = np.where(np.arange(n) % 2, 1.0, -1.0)
    return points, signs, rng.normal(size=d + 1)


def exp_at_origin(v):
    """Point reached from the origin, by the textbook formula."""
    s = math.sqrt(sum(v**2))
    return np.r_[math.cosh(s), v * (math.sinh(s) / s if s else 1.0)]


def tangent(point):
    return lorentz.log(lorentz.origin(len(point) - 1), point)[1:]


@each_of("loss", ["hinge", "arcsinh"])
@each_of("d", [1, 2, 5])
def test_objective_is_the_sum_over_points(d, loss):
    points, signs, w = sample(d)
    total = 0.5 * (sum(w[1:] ** 2) - w[0] ** 2)
    for x, y in zip(points, signs, strict=True):
        margin = y * (-w[0] * x[0] + sum(a * b for a, b in zip(w[1:], x[1:], strict=True)))
        if loss == "hinge":
            total += 3.0 * max(0.0, 1.0 - margin) / math.sqrt(2.0)
        else:
            total += 3.0 * max(0.0, math.asinh(1.0) - math.asinh(margin))
    assert objective(w, points, signs, 3.0, loss) == pytest.approx(total, rel=1e-12)


def test_hinge_expands_the_arcsinh_loss_at_margin_one():
    x, y = lorentz.origin(1)[None], np.array([1.0])
    for short in (1e-3, 1e-4):
        w = np.array([-(1.0 - short), 0.0])
        losses = [objective(w, x, y, 1.0, loss) + 0.5 * w[0] ** 2 for loss in ("hinge", "arcsinh")]
        assert abs(losses[0] - losses[1]) < short**2


@pytest.mark.parametrize("loss", ["hinge", "arcsinh"])
def test_objective_is_invariant_under_boosts(loss):
    points, signs, w = sample(3)
    boost = lorentz.boost(lorentz.from_spatial([0.4, -1.1, 0.7]))
    before = objective(w, points, signs, 3.0, loss)
    after = objective(boost @ w, points @ boost.T, signs, 3.0, loss)
    assert after == pytest.approx(before, rel=1e-12)


def test_signed_rows_give_the_margins():
    points, signs, w = sample(4)
    rows = signed_rows(points, signs)
    assert rows.flags.c_contiguous
    np.testing.assert_allclose(rows @ w, signs * lorentz.product(points, w), rtol=1e-13)


@pytest.mark.parametrize("d", [1, 2, 5])
def test_jacobian_agrees_with_differences(d):
    points, _, _ = sample(d, spread=2.0)
    points = np.vstack([points, lorentz.from_spatial(np.full(d, 1e-9)), lorentz.origin(d)])
    step = 1e-5
    for point, J in zip(points, jacobian(points), strict=True):
        v = tangent(point)
        differences = [
            (exp_at_origin(v + step * e) - exp_at_origin(v - step * e)) / (2 * step)
            for e in np.eye(d)
        ]
        np.testing.assert_allclose(J, np.transpose(differences), atol=1e-8 * point[0])


@pytest.mark.parametrize("d", [1, 2, 3, 5])
def test_robust_hinge_is_the_worst_vertex(d):
    points, signs, w = sample(d)
    radius, C = 0.3, 2.0
    total = 0.5 * lorentz.product(w, w)
    for point, J, y in zip(points, jacobian(points), signs, strict=True):
        total += (
            C
            * max(
                max(0.0, 1.0 - y * lorentz.product(w, point + J @ (radius * np.array(z))))
                for z in itertools.product([-1.0, 1.0], repeat=d)
            )
            / math.sqrt(2.0)
        )
    assert objective(w, points, signs, C, radius=radius) == pytest.approx(total, rel=1e-12)


def test_uncertainty_grows_with_the_radius():
    points, _, _ = sample(2)
    np.testing.assert_allclose(uncertainty(points, 0.2), 2.0 * uncertainty(points, 0.1))


def test_gap_and_eta():
    fit = Solution(np.zeros(3), 12.0, "solved", 1, 9.0)
    assert fit.gap == 0.25
    assert fit.eta == pytest.approx(3.0 / 22.0)
    assert Solution(np.zeros(3), 0.0, "solved", 1, 0.0).gap == 0.0
    assert math.isnan(Solution(np.zeros(3), 1.0, "solved", 1).gap)


@pytest.mark.parametrize("d", [1, 2, 4])
def test_no_normal_is_longer_than_its_objective_allows(d):
    rng = np.random.default_rng(d)
    tightest = np.inf
    for seed in range(300):
        points, signs, _ = sample(d, n=6, seed=seed, spread=rng.choice([0.1, 1.0, 5.0]))
        # Hyperplanes through the points, beyond them, and nearly on the light cone.
        direction = rng.normal(size=d)
        direction /= np.linalg.norm(direction)
        time = rng.choice([0.0, 1.0 - 10.0 ** rng.uniform(-8, 0), 1.0])
        w = 10.0 ** rng.uniform(-2, 3) * np.r_[rng.choice([-1.0, 1.0]) * time, direction]
        value = objective(w, points, signs, 2.0)
        reach = _bound_length(points[:, 0].max(), value, value / (math.sqrt(2.0) * 3))
        assert np.linalg.norm(w) <= reach
        tightest = min(tightest, reach / np.linalg.norm(w))
    assert tightest < 50.0


@pytest.mark.parametrize("radius", [0.0, 0.2])
def test_bound_holds_for_any_multipliers(radius):
    rng = np.random.default_rng(0)
    points, signs, _ = sample(2, n=30)
    C = 2.0
    for _ in range(50):
        alpha, beta = rng.normal(1.0, 1.0, size=30), rng.normal(size=(30, 2))
        w = rng.normal(size=3)
        w[0] = rng.uniform(-1, 1) * np.linalg.norm(w[1:])
        value = objective(w, points, signs, C, radius=radius)
        assert 0.0 <= hinge_bound(points, signs, C, alpha, value, radius, beta) <= value


def test_bound_repairs_multipliers_that_are_slightly_off():
    x = lorentz.from_spatial([[0.3, 0.1], [0.3, 0.1], [-0.2, 0.4], [-0.2, 0.4]])
    signs = np.array([1.0, -1.0, 1.0, -1.0])
    exact = hinge_bound(x, signs, 2.0, np.full(4, 0.7), 9.0)
    assert exact == pytest.approx(2.8, rel=1e-12)
    alpha = 0.7 + 1e-3 * np.array([1.0, -1.0, 1.0, -1.0])
    assert hinge_bound(x, signs, 2.0, alpha, 9.0) == pytest.approx(2.8, rel=1e-4)


def test_bound_clips_multipliers_to_their_limits():
    x = lorentz.from_spatial([[0.3], [-0.3]])
    signs = np.array([1.0, -1.0])
    same = hinge_bound(x[[0, 0]], signs, 2.0, np.array([9.0, 9.0]), 99.0)
    assert same == pytest.approx(2.0 * math.sqrt(2.0), rel=1e-9)
    # These beta would cancel the rows, but are larger than alpha.
    alpha, beta = np.full(2, math.sqrt(2.0)), np.full((2, 1), math.sqrt(2.0) * 3.0 / x[0, 0])
    below = hinge_bound(x, signs, 2.0, alpha, 99.0, 0.1, beta)
    assert below <= objective(np.array([0.0, 0.5]), x, signs, 2.0, radius=0.1) < 2.7


def test_bound_of_one_class_is_zero():
    points, _, _ = sample(2)
    assert hinge_bound(points, np.ones(12), 2.0, np.ones(12), 9.0) == 0.0
