"""Poincaré maps and refined Hydra: each fast function against a slow obvious version."""

import numpy as np
import pytest
from cases import each_of
from scipy.optimize import approx_fprime
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist

from noneuclid.embeddings.accessibility import (
    accessibilities,
    attach_nodes,
    landmark_columns,
    solve_columns,
)
from noneuclid.embeddings.divergence import row_divergence, symmetric_divergence
from noneuclid.embeddings.neighbour_kernel import forest_matrix, neighbour_graph
from noneuclid.embeddings.poincare_maps import local_and_global, rank_agreement
from noneuclid.embeddings.stress import relative_stress
from noneuclid.geometry import lorentz


def some_points(n, d, seed=0, size=1.5):
    """Points of the hyperboloid."""
    return lorentz.from_spatial(size * np.random.default_rng(seed).normal(size=(n, d)))


def some_kernel(n, seed=0):
    """A symmetric positive matrix whose rows do not sum to one."""
    half = np.random.default_rng(seed).uniform(0.01, 1.0, size=(n, n))
    return half * half.T


def some_graph(n=40, seed=0):
    """Edges and weights of a connected graph, and the dense I + L."""
    rng = np.random.default_rng(seed)
    edges, _, _ = neighbour_graph(rng.normal(size=(n, 3)), 4)
    weights = rng.uniform(0.1, 2.0, size=len(edges))
    dense = np.eye(n)
    for (i, j), w in zip(edges, weights, strict=True):
        dense[i, i] += w
        dense[j, j] += w
        dense[i, j] -= w
        dense[j, i] -= w
    return edges, weights, dense


def slow_row(p, distances, gamma):
    """Symmetric divergence of one row by its definition."""
    q = np.exp(-gamma * distances)
    q /= q.sum()
    return sum((a - b) * (np.log(a) - np.log(b)) for a, b in zip(p, q, strict=True))


def assert_gradient(objective, points, tolerance=1e-5):
    """Compare the gradient, pulled back to spatial coordinates, with finite differences."""
    shape = points[..., 1:].shape
    value, ambient = objective(points)
    analytic = ambient[..., 1:] + ambient[..., :1] * points[..., 1:] / points[..., :1]
    numeric = approx_fprime(
        points[..., 1:].ravel(),
        lambda flat: objective(lorentz.from_spatial(flat.reshape(shape)))[0],
        1e-7,
    )
    assert np.abs(analytic).max() > 1e-3
    assert np.allclose(analytic.ravel(), numeric, atol=tolerance * (1 + abs(value)))


@pytest.mark.parametrize(("d", "gamma"), [(1, 1.0), (2, 2.0), (3, 0.5), (16, 2.0)])
def test_divergence_and_gradient(d, gamma):
    kernel, points = some_kernel(12), some_points(12, d)
    objective = symmetric_divergence(kernel, gamma)
    similar = kernel / kernel.sum(axis=1, keepdims=True)
    distances = lorentz.pairwise_distances(points)
    slow = np.mean([slow_row(p, row, gamma) for p, row in zip(similar, distances, strict=True)])
    assert np.isclose(objective(points)[0], slow, rtol=1e-10)
    assert_gradient(objective, points)


@pytest.mark.parametrize(("d", "gamma"), [(1, 1.0), (2, 2.0), (16, 0.5)])
def test_row_divergence_and_gradient(d, gamma):
    anchors, point = some_points(15, d), some_points(1, d, seed=1)[0]
    target = np.random.default_rng(2).dirichlet(np.ones(15))
    objective = row_divergence(target, anchors, gamma)
    distances = lorentz.distance(point, anchors)
    assert np.isclose(objective(point)[0], slow_row(target, distances, gamma), rtol=1e-10)
    assert_gradient(objective, point)


@each_of("power", [0.0, -1.0, -2.0])
@each_of("d", [1, 2, 16])
def test_stress_and_gradient(d, power):
    points = some_points(10, d)
    wanted = cdist(*[np.random.default_rng(5).normal(size=(10, 4))] * 2)
    wanted[3, 4] = wanted[4, 3] = 0.0
    least = np.sort(wanted[np.triu_indices(10, 1)])[1]
    error = norm = 0.0
    for i in range(10):
        for j in range(i):
            weight = max(wanted[i, j], least) ** power
            error += weight * (lorentz.distance(points[i], points[j]) - wanted[i, j]) ** 2
            norm += weight * wanted[i, j] ** 2
    objective = relative_stress(wanted, power)
    assert np.isclose(objective(points)[0], error / norm, rtol=1e-10)
    assert_gradient(objective, points)


def test_losses_ignore_isometries_and_row_order():
    kernel, points, order = some_kernel(12), some_points(12, 3), np.random.default_rng(3)
    order = order.permutation(12)
    frame = lorentz.boost(lorentz.from_spatial([1.0, -2.0, 0.5]))
    for build in (lambda a: symmetric_divergence(a, 2.0), relative_stress):
        value, gradient = build(kernel)(points)
        assert np.isclose(build(kernel)(points @ frame.T)[0], value, rtol=1e-9)
        other, moved = build(kernel[np.ix_(order, order)])(points[order])
        assert np.isclose(other, value, rtol=1e-12)
        assert np.allclose(moved, gradient[order], atol=1e-12)


def test_accessibilities_equal_the_inverse():
    edges, weights, dense = some_graph()
    matrix = forest_matrix(edges, weights, 40)
    inverse = np.linalg.inv(dense)
    assert np.allclose(matrix.toarray(), dense, atol=1e-12)
    fast = accessibilities(matrix)
    assert np.allclose(fast, inverse, atol=1e-12)
    assert np.array_equal(fast, fast.T)
    assert np.allclose(fast.sum(axis=1), 1.0)
    assert fast.min() > 0
    chosen = np.array([3, 0, 39])
    assert np.allclose(landmark_columns(matrix, chosen, batch=2), inverse[:, chosen], atol=1e-10)


def test_solve_columns_equals_dense_solves():
    edges, weights, dense = some_graph(seed=1)
    rng = np.random.default_rng(0)
    right, extra = rng.uniform(size=(2, 40, 5))
    solved = solve_columns(forest_matrix(edges, weights, 40), right, extra)
    for c in range(5):
        expected = np.linalg.solve(dense + np.diag(extra[:, c]), right[:, c])
        assert np.allclose(solved[:, c], expected, atol=1e-10)


def test_small_accessibilities_keep_their_digits():
    # A path of weak edges: entry (0, j) of the inverse falls far below rounding of the largest.
    n, w = 30, 1e-3
    edges = np.column_stack([np.arange(n - 1), np.arange(1, n)])
    first = accessibilities(forest_matrix(edges, np.full(n - 1, w), n))[0]
    ratio = (1 + 2 * w - np.sqrt(1 + 4 * w)) / (2 * w)
    assert first[20] < 1e-50
    assert np.allclose(first[2:20] / first[1:19], ratio, rtol=1e-12)


def test_attached_nodes_equal_the_inverse_of_the_larger_graph():
    edges, weights, _ = some_graph(seed=2)
    rng = np.random.default_rng(0)
    neighbours = np.array([rng.choice(40, 3, replace=False) for _ in range(4)])
    joins = rng.uniform(0.1, 2.0, size=(4, 3))
    fast = attach_nodes(forest_matrix(edges, weights, 40), neighbours, joins)
    for row, old, new in zip(fast, neighbours, joins, strict=True):
        more = np.concatenate([edges, np.column_stack([old, np.full(3, 40)])])
        larger = accessibilities(forest_matrix(more, np.concatenate([weights, new]), 41))
        expected = larger[40, :40] / larger[40, :40].sum()
        assert np.allclose(row, expected, atol=1e-9)


def test_neighbour_graph_equals_a_dense_construction():
    rng = np.random.default_rng(4)
    features = np.concatenate([rng.normal(size=(25, 2)), 50 + rng.normal(size=(25, 2))])
    distances = cdist(features, features)
    wanted = np.zeros((50, 50), dtype=bool)
    for i in range(50):
        for j in np.argsort(distances[i])[1:6]:
            wanted[i, j] = wanted[j, i] = True
    assert connected_components(wanted)[0] == 2
    gap = distances[:25, 25:]
    i, j = np.unravel_index(gap.argmin(), gap.shape)
    wanted[i, 25 + j] = wanted[25 + j, i] = True
    edges, lengths, joined = neighbour_graph(features, 5)
    assert joined == 1
    assert np.array_equal(edges, np.argwhere(np.triu(wanted)))
    assert np.allclose(lengths, distances[tuple(edges.T)])


def slow_agreement(source, embedded):
    """Q_NX by the co-ranking matrix, entry by entry."""
    n = len(source)
    table = np.zeros((n, n), dtype=int)
    for i in range(n):
        others = [j for j in range(n) if j != i]
        before = sorted(others, key=lambda j: source[i, j])
        after = sorted(others, key=lambda j: embedded[i, j])
        for j in others:
            table[before.index(j) + 1, after.index(j) + 1] += 1
    return [table[: k + 1, : k + 1].sum() / (k * n) for k in range(1, n)]


def test_rank_agreement_equals_the_co_ranking_matrix():
    rng = np.random.default_rng(0)
    source, embedded = (cdist(x, x) for x in rng.normal(size=(2, 20, 3)))
    embedded = embedded + source
    slow = slow_agreement(source, embedded)
    assert np.allclose(rank_agreement(source, embedded), slow)
    rows = np.array([2, 7, 11])
    each = [rank_agreement(source[[i]], embedded[[i]], np.array([i])) for i in rows]
    sampled = rank_agreement(source[rows], embedded[rows], rows)
    assert np.allclose(sampled, np.mean(each, axis=0))
    excess = [q - k / 19 for k, q in enumerate(slow, start=1)]
    best = excess.index(max(excess)) + 1
    found = local_and_global(source, embedded)
    assert found["k_max"] == best
    assert np.isclose(found["q_local"], np.mean(slow[:best]))
    assert np.isclose(found["q_global"], np.mean(slow[best - 1 :]))


def test_quality_of_shuffled_rows_is_that_of_chance():
    rng = np.random.default_rng(1)
    source, embedded = (cdist(x, x) for x in rng.normal(size=(2, 400, 3)))
    chance = np.arange(1, 400) / 399
    assert np.abs(rank_agreement(source, embedded) - chance).max() < 0.02
