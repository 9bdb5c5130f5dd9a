"""Random trees and growing networks: the laws of their edges and labels."""

import networkx
import numpy as np
import pytest
from cases import each_of
from scipy.stats import chisquare, kstest

from noneuclid import Hydra
from noneuclid.errors import InputError
from noneuclid.geometry import lorentz
from noneuclid_compare.data.generators import popularity_similarity, random_tree
from noneuclid_compare.embed.of_dataset import embed

LEVEL = 1e-3


def test_recursive_trees_follow_their_laws():
    rng = np.random.default_rng(0)
    n, trees = 1000, 40
    fifth = np.zeros(5)
    sizes = np.zeros(n + 1)
    for _ in range(trees):
        parents = random_tree.grow(n, rng)
        assert (parents < np.arange(1, n)).all()
        fifth[parents[4]] += 1
        sizes += np.bincount(random_tree.subtree_sizes(parents), minlength=n + 1)
    assert chisquare(fifth).pvalue > LEVEL
    # On average n / (k (k + 1)) subtrees have k nodes (half of the nodes are leaves).
    for k, tolerance in ((1, 0.02), (2, 0.04), (3, 0.06), (5, 0.1)):
        assert sizes[k] / trees == pytest.approx(n / (k * (k + 1)), rel=tolerance)


@pytest.mark.parametrize("seed", range(5))
def test_random_tree_labels_are_a_subtree(seed):
    data = random_tree.load({}, seed, n_nodes=400, low=0.05, high=0.3)
    older, newer = data.edges.T
    graph = networkx.Graph(data.edges.tolist())
    assert networkx.is_tree(graph)
    assert len(graph) == 400
    assert (older < newer).all()
    assert 0.05 <= data.labels.mean() <= 0.3
    # One edge leads into a subtree, and it ends at the subtree's node.
    (entry,) = np.flatnonzero(data.labels[older] != data.labels[newer])
    assert data.labels[newer[entry]] == 1
    assert newer[entry] == data.about["node"]
    assert networkx.is_connected(graph.subgraph(np.flatnonzero(data.labels).tolist()))


def test_random_tree_can_be_embedded():
    data = random_tree.load({}, 0, n_nodes=60, low=0.05, high=0.5)
    embedded = embed(Hydra, data, 0, diameter=12.0)
    assert embedded.about["embedding"]["distortion"]["spearman"] > 0.5


def expected_degrees(n, links, exponent):
    """Mean degree of the node born at s: links, and links s^-b / sum_{j<t} j^-b for each t > s."""
    ages = np.arange(1, n + 1) ** (-1 / (exponent - 1))
    later = links / np.cumsum(ages)
    gained = np.append(np.cumsum(later[::-1])[::-1][1:], 0.0)
    return links + ages * gained


@pytest.mark.parametrize("exponent", [2.25, 3.0])
@pytest.mark.parametrize("temperature", [0.0, 0.5])
def test_degrees_follow_the_exponent(exponent, temperature):
    n, networks = 1500, 3
    rng = np.random.default_rng(4)
    degrees = np.zeros(n)
    for _ in range(networks):
        edges, radii, angles = popularity_similarity.grow(n, 2, exponent, temperature, rng)
        degrees += np.bincount(edges.ravel(), minlength=n) / networks
        assert kstest(angles, "uniform", args=(0, 2 * np.pi)).pvalue > LEVEL
        drift = 1 / (exponent - 1)
        births = 2 * np.log(np.arange(1, n + 1))
        assert np.allclose(radii, drift * births + (1 - drift) * births[-1])
    # By age, in bins whose mean degree falls as a power with an exponent of -1 / (exponent - 1).
    starts = [2, 10, 30, 100, 300, 800]

    def binned(values):
        return np.add.reduceat(values[2:], np.array(starts) - 2) / np.diff([*starts, n])

    found = binned(degrees)
    assert np.allclose(found, binned(expected_degrees(n, 2, exponent)), rtol=0.1)
    grid = np.arange(2.05, 3.6, 0.05)
    misfit = [np.log(found / binned(expected_degrees(n, 2, g))) for g in grid]
    fitted = grid[np.argmin(np.square(misfit).sum(axis=1))]
    assert fitted == pytest.approx(exponent, abs=0.2)


@each_of(("n", "links"), [(500, 2), (80, 5), (4, 3), (3, 2)])
@each_of("temperature", [0.0, 0.6])
def test_networks_have_their_links(n, links, temperature):
    rng = np.random.default_rng(n)
    edges, _, _ = popularity_similarity.grow(n, links, 2.25, temperature, rng)
    assert len(edges) == links * n - links * (links + 1) // 2
    assert (edges[:, 0] < edges[:, 1]).all()
    assert len(np.unique(edges, axis=0)) == len(edges)
    links_of = np.bincount(edges[:, 1], minlength=n)
    assert np.array_equal(links_of, np.minimum(np.arange(n), links))
    assert networkx.is_connected(networkx.Graph(edges.tolist()))


def test_exponent_two_does_not_drift():
    _, radii, _ = popularity_similarity.grow(50, 2, 2.0, 0.5, np.random.default_rng(0))
    assert np.allclose(radii, 2 * np.log(np.arange(1, 51)))


def test_temperature_lowers_clustering():
    def clustering(temperature):
        rng = np.random.default_rng(1)
        edges, _, _ = popularity_similarity.grow(500, 2, 2.25, temperature, rng)
        return networkx.average_clustering(networkx.Graph(edges.tolist()))

    # The published networks, at temperature 0, have 0.74 to 0.75.
    assert clustering(0.0) == pytest.approx(0.75, abs=0.03)
    assert clustering(0.0) > clustering(0.5) + 0.1 > clustering(0.9) + 0.2


def test_published_degrees_are_reached():
    # Mean over the six published networks of cho2019 of the degrees of the nodes by age.
    rng = np.random.default_rng(6)
    degrees = np.mean(
        [
            np.bincount(popularity_similarity.grow(500, 2, 2.25, 0.0, rng)[0].ravel())
            for _ in range(20)
        ],
        axis=0,
    )
    for (start, stop), published in {
        (0, 1): 116.7,
        (2, 12): 26.4,
        (12, 30): 10.96,
        (30, 80): 5.66,
        (80, 200): 3.32,
        (200, 500): 2.27,
    }.items():
        assert degrees[start:stop].mean() == pytest.approx(published, rel=0.08)


@pytest.mark.parametrize("bounds", [(20, 50), (50, 100)])
def test_labels_have_sizes_in_range(bounds):
    edges, _, _ = popularity_similarity.grow(500, 2, 2.25, 0.0, np.random.default_rng(0))
    rng = np.random.default_rng(1)
    labels = popularity_similarity.spread_labels(edges, 500, 8, *bounds, 0.8, rng)
    assert labels.shape == (500, 8)
    assert labels.dtype == bool
    assert ((bounds[0] <= labels.sum(axis=0)) & (labels.sum(axis=0) <= bounds[1])).all()
    assert len(np.unique(labels, axis=1).T) == 8
    for label in labels.T:
        # All but the pioneer, the oldest, have it from an older node.
        heirs = edges[label[edges[:, 0]] & label[edges[:, 1]], 1]
        assert set(np.flatnonzero(label)[1:]) == set(heirs)
    rng = np.random.default_rng(1)
    fewer = popularity_similarity.spread_labels(edges, 500, 3, *bounds, 0.8, rng)
    assert np.array_equal(fewer, labels[:, :3])


def test_labels_spread_with_their_probability():
    rng = np.random.default_rng(2)
    star = np.column_stack([np.zeros(1000, dtype=int), np.arange(1, 1001)])
    size = popularity_similarity.spread_labels(star, 1001, 1, 2, 1001, 0.8, rng).sum() - 1
    assert size == pytest.approx(800, abs=4 * np.sqrt(1000 * 0.8 * 0.2))
    # A node that links twice to the label takes it over with probability 1 - 0.2^2 = 0.96.
    targets = np.arange(2, 1002)
    double = [np.column_stack([np.full(1000, source), targets]) for source in (0, 1)]
    edges = np.concatenate([[[0, 1]], *double])
    size = popularity_similarity.spread_labels(edges, 1002, 1, 850, 1002, 0.8, rng).sum() - 2
    assert size == pytest.approx(960, abs=4 * np.sqrt(1000 * 0.96 * 0.04))
    alone = popularity_similarity.spread_labels(star, 1001, 1, 1, 1, 0.0, rng)
    assert alone.sum() == 1


def test_labels_never_flow_to_older_nodes():
    backwards = np.array([[2, 1], [1, 0]])
    rng = np.random.default_rng(0)
    labels = popularity_similarity.spread_labels(backwards, 3, 40, 1, 3, 1.0, rng)
    assert {tuple(column) for column in labels.T} == {
        (True, True, True),
        (False, True, True),
        (False, False, True),
    }


def test_impossible_label_sizes_are_refused(monkeypatch):
    monkeypatch.setattr(popularity_similarity, "ATTEMPTS", 20)
    with pytest.raises(InputError, match="none of 20 labels got 498 to 499 of 500 nodes; widen"):
        popularity_similarity.load({}, 0, low=498, high=499)


def test_network_follows_the_seed_and_label_its_number():
    settings = {"n_nodes": 200, "low": 10, "high": 60}
    first = popularity_similarity.load({}, 5, **settings)
    second = popularity_similarity.load({}, 5, **settings, label=1)
    points = popularity_similarity.load({}, 5, **settings, kind="points")
    assert np.array_equal(first.edges, second.edges)
    assert not np.array_equal(first.labels, second.labels)
    assert np.array_equal(first.labels, points.labels)
    rng = np.random.default_rng(5)
    edges, radii, angles = popularity_similarity.grow(200, 2, 2.25, 0.0, rng)
    assert np.array_equal(first.edges, edges)
    assert points.kind == "points"
    assert np.array_equal(points.edges, edges)
    assert np.allclose(lorentz.distance(points.features, lorentz.origin(2)), radii)
    turned = np.arctan2(points.features[:, 2], points.features[:, 1]) % (2 * np.pi)
    assert np.allclose(turned, angles)


def test_data_sets_can_share_a_network_and_differ_in_labels():
    settings = {"n_nodes": 200, "low": 10, "high": 60, "network": 3}
    first, second = (popularity_similarity.load({}, seed, **settings) for seed in (5, 6))
    other = popularity_similarity.load({}, 5, **(settings | {"network": 4}))
    edges, _, _ = popularity_similarity.grow(200, 2, 2.25, 0.0, np.random.default_rng(3))
    assert np.array_equal(first.edges, edges)
    assert np.array_equal(second.edges, edges)
    assert not np.array_equal(first.labels, second.labels)
    assert not np.array_equal(other.edges, edges)
    with pytest.raises(InputError, match=r"network = -1; give an integer >= 0"):
        popularity_similarity.load({}, 0, network=-1)
