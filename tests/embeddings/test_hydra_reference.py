"""Hydra against a slow version that goes point by point."""

import numpy as np
import pytest
from cases import each_of
from scipy.sparse.csgraph import floyd_warshall

from noneuclid.embeddings.strain import extreme_eigenpairs, hydra
from noneuclid.embeddings.target_distances import feature_distances, graph_distances
from noneuclid.geometry import charts, lorentz
from noneuclid_compare.data.shipped import karate


def slow_hydra(distances, dimension):
    """Poincaré coordinates by a dense eigendecomposition and the radius in the ball."""
    gram = np.cosh(distances)
    values, vectors = np.linalg.eigh(gram)
    time = np.abs(vectors[:, -1]) * np.sqrt(values[-1])
    least = min(1.0, time.min())
    points = np.zeros((len(gram), dimension))
    for i in range(len(gram)):
        for j in range(dimension):
            points[i, j] = np.sqrt(max(-values[j], 0.0)) * vectors[i, j]
        radius = np.sqrt((time[i] - least) / (time[i] + least))
        points[i] *= radius / np.linalg.norm(points[i])
    return points


def noisy_distances(n, seed):
    """Distances that no hyperbolic space of low dimension has."""
    rng = np.random.default_rng(seed)
    distances = lorentz.pairwise_distances(lorentz.from_spatial(rng.normal(size=(n, 6))))
    noise = np.triu(rng.uniform(0.0, 0.5, size=(n, n)), 1)
    return distances + noise + noise.T


@each_of("n", [30, 350])  # dense and iterative eigenvalues
@each_of("dimension", [1, 2, 5])
def test_hydra_equals_the_slow_version(n, dimension):
    distances = noisy_distances(n, seed=n + dimension)
    points, _ = hydra(distances, dimension, seed=3)
    slow = charts.convert(slow_hydra(distances, dimension), "poincare", "hyperboloid")
    fast_distances = lorentz.pairwise_distances(points)
    assert np.allclose(fast_distances, lorentz.pairwise_distances(slow), atol=1e-5)


@pytest.mark.parametrize("seed", [0, 1])
def test_iterative_eigenpairs_equal_dense_ones(seed):
    gram = np.cosh(noisy_distances(400, seed))
    values, vectors = extreme_eigenpairs(gram, 3, seed)
    dense = np.linalg.eigvalsh(gram)
    assert np.allclose(values, dense[[-1, 0, 1, 2]], rtol=1e-9)
    assert np.allclose(gram @ vectors, vectors * values, atol=1e-8 * dense[-1])
    assert np.allclose(vectors.T @ vectors, np.eye(4), atol=1e-7)


@pytest.mark.parametrize("dimension", [2, 5])
def test_many_hyperbolic_points_are_recovered(dimension):
    rng = np.random.default_rng(dimension)
    truth = charts.convert(rng.normal(size=(600, dimension)), "tangent", "hyperboloid")
    distances = lorentz.pairwise_distances(truth)
    points, _ = hydra(distances, dimension)
    assert np.allclose(lorentz.pairwise_distances(points), distances, atol=1e-6)


def test_strain_is_not_beaten_by_disturbed_coordinates():
    # The raw Minkowski coordinates minimise |cosh(D) + X J X'|: no nearby X does better.
    distances = noisy_distances(40, seed=9)
    gram = np.cosh(distances)
    values, vectors = extreme_eigenpairs(gram, 2, 0)
    raw = vectors * np.sqrt(np.abs(values))
    signs = np.array([1.0, -1.0, -1.0])

    def strain(coordinates):
        return np.linalg.norm(gram - (coordinates * signs) @ coordinates.T)

    rng = np.random.default_rng(0)
    best = strain(raw)
    assert all(best <= strain(raw + 1e-3 * rng.normal(size=raw.shape)) for _ in range(50))


def test_graph_distances_equal_floyd_warshall():
    data = karate.load({}, 0)
    weights = np.random.default_rng(0).uniform(0.5, 2.0, size=len(data.edges))
    for lengths in (None, weights):
        dense = np.zeros((34, 34))
        dense[tuple(data.edges.T)] = 1.0 if lengths is None else lengths
        expected = floyd_warshall(dense, directed=False)
        assert np.allclose(graph_distances(data.edges, 34, lengths), expected)


def test_feature_distances_equal_a_dense_construction():
    rows = np.random.default_rng(4).normal(size=(50, 3))
    euclid = np.linalg.norm(rows[:, None] - rows[None], axis=-1)
    graph = np.full((50, 50), np.inf)
    for i in range(50):
        for j in np.argsort(euclid[i])[1:6]:
            graph[i, j] = graph[j, i] = euclid[i, j]
    distances, joined = feature_distances(rows, 5)
    assert joined == 0
    assert np.allclose(distances, floyd_warshall(graph))
