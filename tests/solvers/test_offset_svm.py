"""The SVM with offsets against cvxpy, and against what it says of itself."""

import cvxpy as cp
import numpy as np
import pytest

from noneuclid.solvers.linear import offset_svm


def offset_instance(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(1, 40)), int(rng.integers(1, 12))
    Z = rng.normal(size=(n, d)) * 10 ** rng.uniform(-1, 2)
    offsets = 1.0 + rng.normal(size=n) * 10 ** rng.uniform(-1, 2)
    weights = 10 ** rng.uniform(-3, 3, size=n)
    if seed % 2:
        Z, offsets, weights = np.repeat(Z, 3, axis=0), np.repeat(offsets, 3), np.repeat(weights, 3)
    return np.ascontiguousarray(Z), offsets, weights


@pytest.mark.parametrize("seed", range(12))
def test_offset_svm_against_cvxpy(seed):
    Z, offsets, weights = offset_instance(seed)
    u = cp.Variable(Z.shape[1])
    loss = 0.5 * cp.sum_squares(u) + weights @ cp.pos(offsets - Z @ u)
    expected = cp.Problem(cp.Minimize(loss)).solve(solver=cp.CLARABEL)
    *_, lower, upper, _ = offset_svm.solve(Z, offsets, weights, 1e-7 * (1.0 + expected), 100)
    assert lower == pytest.approx(expected, rel=1e-5, abs=1e-6)
    assert upper == pytest.approx(expected, rel=1e-5, abs=1e-6)


def test_offset_svm_proves_what_it_says():
    for seed in range(300):
        Z, offsets, weights = offset_instance(seed)
        start = weights @ np.maximum(0.0, offsets)
        tol = (1e-2, 1e-6, 1e-9)[seed % 3] * (1.0 + start)
        u, alpha, lower, upper, n_iter = offset_svm.solve(Z, offsets, weights, tol, 100)
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
    *_, lower, upper, _ = offset_svm.solve(Z, offsets, np.full(4, 99.118), 1e-6, 100)
    assert upper - lower <= 1e-6 * upper


@pytest.mark.parametrize("seed", range(60))
def test_offset_svm_ends_where_digits_do(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(1, 30)), int(rng.integers(1, 5))
    Z = rng.normal(size=(n, d)) * 10 ** rng.uniform(-1, 4)
    offsets = rng.normal(size=n) * 10 ** rng.uniform(-1, 5)
    weights = np.full(n, 10 ** rng.uniform(-3, 3))
    u, alpha, lower, upper, _ = offset_svm.solve(Z, offsets, weights, 0.0, 200)
    assert np.isfinite([lower, upper, *u, *alpha]).all()
    assert upper - lower <= 1e-8 * (1.0 + weights @ np.maximum(0.0, offsets))
