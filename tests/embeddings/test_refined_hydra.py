"""Refined Hydra: recovery, never worse than its start, twins, settings."""

import json

import networkx as nx
import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from noneuclid import RefinedHydra
from noneuclid.embeddings import refined_hydra
from noneuclid.embeddings.descent import descend, jitter
from noneuclid.embeddings.strain import hydra as embed_distances
from noneuclid.embeddings.stress import relative_stress
from noneuclid.embeddings.target_distances import graph_distances
from noneuclid.errors import InputError
from noneuclid.geometry import charts, lorentz
from noneuclid_compare.config.signatures import defaults
from noneuclid_compare.data.shipped import karate
from noneuclid_compare.embed.of_dataset import embed
from noneuclid_compare.records import Dataset


def cloud(n=60, seed=0):
    """Features of one Gaussian cloud."""
    features = np.random.default_rng(seed).normal(size=(n, 5))
    return Dataset("cloud", "expression", np.arange(n) % 2, ("a", "b"), features=features)


@pytest.mark.parametrize(("dimension", "power"), [(2, 0.0), (3, -2.0), (16, 0.0)])
def test_never_worse_than_hydra(dimension, power):
    for data in (karate.load({}, 0), cloud()):
        settings = {"n_components": dimension, "power": power}
        embedded = embed(RefinedHydra, data, 0, **settings)
        about = embedded.about["embedding"]
        assert about["refined_stress"] < about["hydra_stress"]
        charts.check_points(embedded.points, "hyperboloid")
        assert embedded.points.shape == (len(data.labels), dimension + 1)
        assert json.loads(json.dumps(about, allow_nan=False)) == about
        chosen = {"diameter": 6.0, "standardize": data.kind == "features"}
        assert about["settings"] == defaults("refined_hydra", "embed") | settings | chosen


def test_reported_stress_is_that_of_the_points():
    data = karate.load({}, 0)
    embedded = embed(RefinedHydra, data, 0)
    about = embedded.about["embedding"]
    wanted = graph_distances(data.edges, 34) * np.sqrt(about["kappa"])
    error = lorentz.pairwise_distances(embedded.points) - wanted
    assert np.isclose(about["refined_stress"], (error**2).sum() / (wanted**2).sum(), rtol=1e-6)


def test_hyperbolic_points_are_recovered_from_a_bad_start():
    truth = lorentz.from_spatial(np.random.default_rng(0).normal(size=(40, 3)))
    wanted = lorentz.pairwise_distances(truth)
    start = lorentz.from_spatial(truth[:, 1:] + 0.5 * np.random.default_rng(1).normal(size=(40, 3)))
    found = refined_hydra.refine(start, wanted, tol=1e-8)
    assert found.status == "converged"
    assert np.allclose(lorentz.pairwise_distances(found.points), wanted, atol=1e-4)


def test_an_exact_start_is_kept():
    truth = lorentz.from_spatial(np.random.default_rng(0).normal(size=(20, 2)))
    wanted = lorentz.pairwise_distances(truth)
    points, _ = embed_distances(wanted, 2)
    found = refined_hydra.refine(points, wanted, max_iter=100, tol=0.9)
    assert found.value <= relative_stress(wanted)(points)[0]


def test_twins_part():
    # Nodes with the same neighbours have the same place in Hydra, though they are 2 apart.
    graph = nx.complete_bipartite_graph(2, 6)
    wanted = graph_distances(np.array(graph.edges), 8)
    start = lorentz.from_spatial(np.array([[0.5, 0], [-0.5, 0]] + [[0, 0]] * 6, dtype=float))
    found = refined_hydra.refine(start, wanted)
    distances = lorentz.pairwise_distances(found.points)[2:, 2:]
    assert distances[np.triu_indices(6, 1)].min() > 0.5
    assert found.value < 0.1


def test_equal_rows_stay_together():
    data = cloud()
    features = np.concatenate([data.features, data.features[:3]])
    data = Dataset("twins", "expression", np.arange(63) % 2, ("a", "b"), features=features)
    for power in (0.0, -2.0):
        points = embed(RefinedHydra, data, 0, power=power).points
        assert lorentz.distance(points[:3], points[60:]).max() < 0.05


def test_a_longer_descent_never_ends_higher():
    wanted = graph_distances(karate.load({}, 0).edges, 34)
    start = jitter(embed_distances(wanted, 2)[0], 1e-3, 0)
    objective, values = relative_stress(wanted), []
    for limit in (1, 5, 20, 50, 60):
        with pytest.warns(ConvergenceWarning, match=f"after {limit} iterations"):
            values.append(descend(objective, start, tol=0.0, max_iter=limit).value)
    assert objective(start)[0] > values[0]
    assert np.all(np.diff(values) <= 0)


def test_row_order_does_not_matter():
    # Of the first steps: later ones double the rounding, and nodes at one place part by it.
    wanted = graph_distances(karate.load({}, 0).edges, 34)
    start = jitter(embed_distances(wanted, 2)[0], 1e-3, 0)
    order = np.random.default_rng(0).permutation(34)

    def steps(wanted, start):
        with pytest.warns(ConvergenceWarning, match="after 8 iterations"):
            return descend(relative_stress(wanted), start, max_iter=8).points

    found, other = steps(wanted, start), steps(wanted[np.ix_(order, order)], start[order])
    assert lorentz.distance(found, start).max() > 0.1
    np.testing.assert_allclose(found[order], other, rtol=1e-6, atol=1e-6)


def test_seed_decides():
    data = karate.load({}, 0)
    first, again, other = (embed(RefinedHydra, data, seed).points for seed in (0, 0, 1))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"power": 1.0}, "refined_hydra: power = 1.0"),
        ({"tol": -1}, "tol = -1"),
        ({"max_iter": 0}, "max_iter = 0"),
    ],
)
def test_bad_settings(settings, message):
    with pytest.raises(InputError, match=message):
        embed(RefinedHydra, cloud(), 0, **settings)
