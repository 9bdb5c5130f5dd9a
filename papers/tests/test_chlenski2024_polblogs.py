"""The embedding of polblogs by the notebook of chlenski2024, against slow versions."""

import networkx as nx
import numpy as np
import pytest
from paper_mirror import MIRROR, needs_mirror

from noneuclid.errors import InputError
from noneuclid.geometry import poincare
from noneuclid_papers.data import chlenski2024_polblogs
from noneuclid_papers.programs import chlenski2024
from noneuclid_papers.programs.chlenski2024 import CURVATURE, out_of_reach, released_embedding


def digraph(n=30, seed=0):
    return nx.gnp_random_graph(n, 0.06, seed=seed, directed=True)


def test_out_of_reach_is_what_the_notebook_leaves():
    graph = digraph()
    after, before = out_of_reach(np.array(graph.edges()), len(graph))
    for u in graph:
        assert set(after[u]) == set(graph) - nx.descendants(graph, u) - {u}
        assert set(before[u]) == set(graph) - nx.ancestors(graph, u) - {u}


def loss(points, pairs):
    """Loss of one edge, the first of the pairs, in the ball of the package's curvature."""
    d = [poincare.distance(points[a], points[b], CURVATURE) for a, b in pairs]
    return d[0] + np.log(np.exp(-np.array(d)).sum())


@pytest.mark.slow
def test_a_step_is_the_riemannian_gradient_of_the_batch():
    # Few enough nodes out of reach that all are drawn.
    edges = np.array([[3, 0], [1, 2]])
    lists = out_of_reach(edges, 4)
    assert [sorted(map(int, lists[0][3])), sorted(map(int, lists[1][0]))] == [[1, 2], [1, 2]]
    pairs = [
        [(3, 0), (3, 1), (3, 2), (1, 0), (2, 0)],
        [(1, 2), (1, 0), (1, 3), (0, 2), (3, 2)],
    ]
    start = np.random.default_rng(1).uniform(-0.4, 0.4, size=(4, 2))
    scale, step = CURVATURE**0.5, 1e-7
    packed = [part for part in (*chlenski2024._pack(lists[0]), *chlenski2024._pack(lists[1]))]
    points = scale * start
    found = chlenski2024._epoch(points, edges, *packed, step, 2, np.random.default_rng(0))

    def mean(points):
        return np.mean([loss(points, part) for part in pairs])

    assert found == pytest.approx(mean(start))
    for node in range(4):
        for axis in range(2):
            moved = [start.copy(), start.copy()]
            for sign, values in zip((1, -1), moved, strict=True):
                values[node, axis] += sign * 1e-5
            slope = (mean(moved[0]) - mean(moved[1])) / 2e-5
            expected = -slope * (1 - CURVATURE * start[node] @ start[node]) ** 2 / 4
            change = (points / scale - start)[node, axis] / step
            assert change == pytest.approx(expected, abs=1e-4)


def test_the_last_batch_is_the_mean_of_what_is_left():
    edges = np.array([[0, 1], [2, 3], [4, 5]])
    packed = [part for lists in out_of_reach(edges, 6) for part in chlenski2024._pack(lists)]
    start = np.random.default_rng(1).uniform(-0.4, 0.4, size=(6, 2))
    first, alone = start.copy(), start.copy()
    chlenski2024._epoch(first, edges, *packed, 1e-6, 2, np.random.default_rng(0))
    chlenski2024._epoch(alone, edges[2:], *packed, 1e-6, 1, np.random.default_rng(0))
    # Nodes 4 and 5 are far in the first batch's sum too; the pair's own pull is the larger.
    assert np.abs(first[4] - start[4]).max() > 0.3 * np.abs(alone[4] - start[4]).max()


def test_points_stay_within_the_bound_of_the_package():
    edges = np.array(digraph().edges())
    points, _ = released_embedding(edges, 30, 2, seed=0, learning_rate=3.0)
    length = np.linalg.norm(points, axis=1) * CURVATURE**0.5
    assert length.max() <= 0.996 + 1e-12
    assert (length > 0.995).any()


def test_no_negative_pair_within_a_strong_component():
    edges = np.array([[0, 1], [1, 2], [2, 0], [2, 3]])
    after, before = out_of_reach(edges, 4)
    assert [len(nodes) for nodes in after] == [0, 0, 0, 3]
    assert [len(nodes) for nodes in before] == [1, 1, 1, 0]
    # Nothing pushes the cycle apart; node 3 is driven off.
    points, _ = released_embedding(edges, 4, 2, seed=0)
    inner = max(poincare.distance(points[0], points[k]) for k in (1, 2))
    assert 2 * inner < poincare.distance(points[0], points[3])


def test_edges_in_another_order_give_the_same_lists():
    edges = np.array(digraph().edges())
    turned = out_of_reach(edges[::-1], 30)
    for lists, others in zip(out_of_reach(edges, 30), turned, strict=True):
        assert all(map(np.array_equal, lists, others))


@needs_mirror
def test_the_data_set_has_the_papers_size_and_repeats():
    files = {
        "graph": MIRROR / "hyperdt/polblogs.mtx",
        "labels": MIRROR / "manify/graphs/polblogs/polblogs_labels.tsv",
    }
    settings = {"n_components": 4, "number": 3, "burn_in": 1, "max_iter": 1}
    data, again = (chlenski2024_polblogs.load(files, seed, **settings) for seed in (0, 1))
    assert data.features.shape == (979, 4)
    assert data.class_names == ("liberal", "conservative")
    np.testing.assert_array_equal(data.features, again.features)
    with pytest.raises(InputError, match="n_components = 1"):
        chlenski2024_polblogs.load(files, 0, n_components=1)
    with pytest.raises(InputError, match="labels"):
        chlenski2024_polblogs.load({"graph": files["graph"]}, 0)
