"""Compiled parts of the interior-point method in a polytope against dense matrices."""

import numpy as np
import pytest

from noneuclid.solvers.hilbert import soft_margin_polytope_kernels as kernels


def drawn(free, high, n=11, m=6, k=3):
    """Bounds, values a of n points, and a matrix of all bounds for each point."""
    rng = np.random.default_rng(3)
    facets, height, size = rng.normal(size=(m, k)), rng.normal(size=k), rng.normal(size=k)
    bounds = kernels.Bounds(facets, height, size, 0.8, high, free)
    a = rng.uniform(0.1, 1.0, size=(n, m))
    dense = []
    for row in a:
        parts = [facets - 0.8 * np.outer(row, size)]
        parts += [high * np.outer(row, size) - facets] if np.isfinite(high) else []
        dense.append(np.vstack([*parts, -height[None], *([-size[None]] if free else [])]))
    return bounds, a, np.array(dense), rng


CASES = [(True, 1.7), (False, np.inf), (False, 1.7)]


@pytest.mark.parametrize(("free", "high"), CASES)
def test_slacks_and_their_transpose_are_those_of_the_matrix(free, high):
    bounds, a, dense, rng = drawn(free, high)
    x, y = rng.normal(size=(len(a), 3)), rng.normal(size=dense.shape[:2])
    slacks, pulled = np.empty_like(y), np.empty_like(x)
    kernels.fill_slacks(bounds, a, x, 1.0, slacks)
    kernels.pull_back(bounds, a, y, pulled)
    constant = np.zeros(dense.shape[1])
    constant[-2 if free else -1 :] = 1.0
    np.testing.assert_allclose(slacks, constant + np.einsum("ijk,ik->ij", dense, x), atol=1e-12)
    np.testing.assert_allclose(pulled, np.einsum("ijk,ij->ik", dense, y), atol=1e-12)


@pytest.mark.parametrize(("free", "high"), CASES)
def test_factors_invert_the_newton_matrix_of_each_point(free, high):
    bounds, a, dense, rng = drawn(free, high)
    prices, slacks = rng.uniform(0.1, 2.0, size=(2, *dense.shape[:2]))
    L = np.zeros((len(a), 3, 3))
    kernels.invert_factors(bounds, a, prices, slacks, L)
    newton = np.einsum("ijk,ij,ijl->ikl", dense, prices / slacks, dense)
    np.testing.assert_allclose(np.einsum("irk,irl->ikl", L, L), np.linalg.inv(newton), rtol=1e-9)
    y = rng.normal(size=(len(a), 3))
    out = np.empty_like(y)
    kernels.apply_inverse(L, y, out)
    solved = np.linalg.solve(newton, y[:, :, None])[:, :, 0]
    np.testing.assert_allclose(out, solved, rtol=1e-9, atol=1e-12)


def test_longest_steps_and_sums():
    rng = np.random.default_rng(4)
    slacks, prices = rng.uniform(0.1, 1.0, size=(2, 5, 4))
    change, weights = 3 * rng.normal(size=(5, 4)), rng.uniform(size=5)
    made, target = np.empty_like(prices), rng.uniform(size=(5, 4))
    steps, sums = kernels.predict_products(slacks, prices, change, made, target, weights)
    np.testing.assert_allclose(slacks * (prices + made) + prices * change, target, atol=1e-12)
    for step, x, dx in zip(steps, (slacks, prices), (change, made), strict=True):
        assert step == pytest.approx(min(1.0, (-x / dx)[dx < 0].min()))
    pairs = [(slacks, prices), (slacks, made), (prices, change), (change, made)]
    np.testing.assert_allclose(sums, [weights @ (p * q).sum(axis=1) for p, q in pairs])
