"""Quadratic programs with hinges against cvxpy, and their bounds against the definitions."""

import cvxpy as cp
import numpy as np
import pytest
from cases import each_of

from noneuclid.solvers.linear.hinge_program import solve_hinge_program, solve_offset_svm


def offset_instance(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(1, 40)), int(rng.integers(1, 12))
    Z = rng.normal(size=(n, d)) * 10 ** rng.uniform(-1, 2)
    offsets = 1.0 + rng.normal(size=n) * 10 ** rng.uniform(-1, 2)
    weights = 10 ** rng.uniform(-3, 3, size=n)
    if seed % 2:
        Z, offsets, weights = np.repeat(Z, 3, axis=0), np.repeat(offsets, 3), np.repeat(weights, 3)
    return np.ascontiguousarray(Z), offsets, weights


@each_of("seed", range(12))
def test_offset_svm_against_cvxpy(seed):
    Z, offsets, weights = offset_instance(seed)
    u = cp.Variable(Z.shape[1])
    loss = 0.5 * cp.sum_squares(u) + weights @ cp.pos(offsets - Z @ u)
    expected = cp.Problem(cp.Minimize(loss)).solve(solver=cp.CLARABEL)
    *_, lower, upper, _ = solve_offset_svm(Z, offsets, weights, 1e-7 * (1.0 + expected), 100)
    assert lower == pytest.approx(expected, rel=1e-5, abs=1e-6)
    assert upper == pytest.approx(expected, rel=1e-5, abs=1e-6)


def test_offset_svm_bounds_are_those_of_its_solutions():
    for seed in range(300):
        Z, offsets, weights = offset_instance(seed)
        start = weights @ np.maximum(0.0, offsets)
        tol = (1e-2, 1e-6, 1e-9)[seed % 3] * (1.0 + start)
        u, alpha, lower, upper, n_iter = solve_offset_svm(Z, offsets, weights, tol, 100)
        value = 0.5 * u @ u + weights @ np.maximum(0.0, offsets - Z @ u)
        dual = alpha @ offsets - 0.5 * np.sum((alpha @ Z) ** 2)
        size = 1.0 + start + abs(value) + np.abs(alpha * offsets).sum()
        assert upper == pytest.approx(value, abs=1e-9 * size)
        assert lower == pytest.approx(dual, abs=1e-9 * size)
        assert lower <= upper + 1e-9 * size
        assert (alpha >= 0.0).all()
        assert (alpha <= weights * (1.0 + 1e-12)).all()
        assert upper - lower <= max(tol, 1e-9 * size)
        assert n_iter < 60


def test_offset_svm_does_not_stall_far_from_balance():
    Z = np.array([[-0.0768, -1.8617], [-0.7414, 0.0267], [-0.1536, -0.7017], [0.7479, -1.2096]])
    offsets = np.array([167.586, -97.088, -95.991, -135.955])
    *_, lower, upper, _ = solve_offset_svm(Z, offsets, np.full(4, 99.118), 1e-6, 100)
    assert upper - lower <= 1e-6 * upper


@each_of("decades", [(-6, 6), (-12, 0)])
@each_of("seed", range(6))
def test_offset_svm_with_weights_of_very_different_size(seed, decades):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(5, 60)), int(rng.integers(1, 6))
    Z, weights = rng.normal(size=(n, d)), 10 ** rng.uniform(*decades, n)
    u, alpha, lower, upper, n_iter = solve_offset_svm(Z, np.ones(n), weights, 1e-6, 100)
    value = 0.5 * u @ u + weights @ np.maximum(0.0, 1.0 - Z @ u)
    assert upper == pytest.approx(value, rel=1e-8)
    assert upper - lower <= 1e-6 * (1.0 + value)
    assert (alpha >= 0.0).all()
    assert (alpha <= weights * (1.0 + 1e-12)).all()
    assert n_iter < 60


@each_of("seed", range(60))
def test_offset_svm_ends_where_digits_do(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(1, 30)), int(rng.integers(1, 5))
    Z = rng.normal(size=(n, d)) * 10 ** rng.uniform(-1, 4)
    offsets = rng.normal(size=n) * 10 ** rng.uniform(-1, 5)
    weights = np.full(n, 10 ** rng.uniform(-3, 3))
    u, alpha, lower, upper, _ = solve_offset_svm(Z, offsets, weights, 0.0, 200)
    assert np.isfinite([lower, upper, *u, *alpha]).all()
    assert upper - lower <= 1e-8 * (1.0 + weights @ np.maximum(0.0, offsets))


@each_of("seed", range(8))
def test_hinge_program_equals_a_modelling_tool(seed):
    rng = np.random.default_rng(seed)
    n, d = (30, 4) if seed % 2 else (60, 11)
    Z, A = rng.normal(size=(n, d)), rng.normal(size=(2, d))
    root = rng.normal(size=(2, d))  # a form of rank 2, made positive definite
    B = root.T @ root + 10.0 ** -rng.integers(0, 7) * np.eye(d)
    g, c, e = rng.normal(size=d), rng.uniform(0.1, 2, size=n), rng.normal(size=n)
    b = A @ rng.normal(size=d)
    heavy = 1e4  # two hinges that act as the constraints A u >= b
    rows, offsets = np.vstack([Z, A]), np.append(e, b)
    weights, inverse = np.append(c, [heavy, heavy]), np.linalg.inv(B)
    found = solve_hinge_program(
        rows, offsets, weights, B, inverse, g, rng.normal(size=d), 1e-9, 100
    )
    u, alpha, lower, upper, _ = found
    assert upper - lower <= 1e-9
    assert (alpha >= 0.0).all()
    assert (alpha <= weights).all()
    reached = 0.5 * u @ B @ u + g @ u + c @ np.maximum(e - Z @ u, 0.0)
    assert upper == pytest.approx(reached, abs=1e-8)
    pull = rows.T @ alpha - g
    assert lower == pytest.approx(alpha @ offsets - 0.5 * pull @ inverse @ pull, abs=1e-7)
    x = cp.Variable(d)
    cost = 0.5 * cp.quad_form(x, cp.psd_wrap(B)) + g @ x + c @ cp.pos(e - Z @ x)
    problem = cp.Problem(cp.Minimize(cost), [A @ x >= b])
    problem.solve(solver=cp.CLARABEL)
    assert reached == pytest.approx(problem.value, rel=1e-6, abs=1e-6)
    assert np.all(A @ u >= b - 1e-9)
    np.testing.assert_allclose(alpha[-2:], problem.constraints[0].dual_value, atol=1e-4)
