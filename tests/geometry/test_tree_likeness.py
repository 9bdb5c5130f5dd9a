"""Gromov's delta by loops and of known spaces; curvature of known graphs."""

import itertools

import networkx as nx
import numpy as np
import pytest
from cases import each_of

from noneuclid.errors import InputError
from noneuclid.geometry import (
    convert,
    delta_hyperbolicity,
    pairwise_distances,
    sectional_curvature,
)


def steps_of(graph, weight=None):
    return np.asarray(nx.floyd_warshall_numpy(graph, weight=weight))


def metric_of(n, seed):
    points = np.random.default_rng(seed).normal(size=(n, 3))
    return np.linalg.norm(points[:, None] - points, axis=2)


def random_tree(n, seed):
    rng = np.random.default_rng(seed)
    tree = nx.Graph()
    for node in range(1, n):
        tree.add_edge(int(rng.integers(node)), node, weight=rng.uniform(0.5, 3.0))
    return tree


def four_point_excess(distances, base):
    """Largest violation of Gromov's condition, triple by triple."""
    n = len(distances)

    def product(x, y):
        return (distances[x, base] + distances[y, base] - distances[x, y]) / 2

    return max(
        min(product(x, y), product(y, z)) - product(x, z)
        for x, y, z in itertools.product(range(n), repeat=3)
    )


@each_of("seed", range(3))
def test_delta_is_the_largest_excess_over_all_triples(seed):
    distances = metric_of(12, seed)
    slow = [four_point_excess(distances, base) for base in range(12)]
    for base in (0, 5):
        assert delta_hyperbolicity(distances, base) == pytest.approx(slow[base], abs=1e-14)
    assert delta_hyperbolicity(distances) == pytest.approx(max(slow), abs=1e-14)


def test_delta_of_a_tree_is_zero():
    distances = steps_of(random_tree(60, 1), "weight")
    assert delta_hyperbolicity(distances) == pytest.approx(0.0, abs=1e-12)
    assert delta_hyperbolicity(distances, 0) == pytest.approx(0.0, abs=1e-12)
    assert delta_hyperbolicity(steps_of(nx.complete_graph(5))) == 0.0


@each_of("n", [4, 5, 6, 7, 8, 9, 40, 41])
def test_delta_of_a_cycle(n):
    # Cohen, Coudert and Lancin 2015: k for n = 4k, 4k + 2 and 4k + 3, and k - 1/2 for n = 4k + 1.
    known = n // 4 - (0.5 if n % 4 == 1 else 0.0)
    assert delta_hyperbolicity(steps_of(nx.cycle_graph(n))) == known


def test_delta_of_a_grid_is_its_shorter_side():
    assert delta_hyperbolicity(steps_of(nx.grid_2d_graph(4, 9))) == 3.0


@each_of("curvature", [1.0, 4.0])
def test_delta_of_the_hyperbolic_plane_is_log_2_on_a_far_square(curvature):
    angle = np.pi / 2 * np.arange(4)
    corners = 8.0 * np.column_stack([np.cos(angle), np.sin(angle)])
    distances = pairwise_distances(corners, chart="tangent", curvature=curvature)
    found = delta_hyperbolicity(distances)
    assert found == pytest.approx(np.log(2) / np.sqrt(curvature), abs=1e-4)
    inside = convert(np.random.default_rng(0).normal(size=(30, 2)), "tangent", "poincare")
    assert delta_hyperbolicity(pairwise_distances(inside)) < np.log(2)


def curvature_by_loops(distances, graph, m):
    terms = []
    for b, c in itertools.combinations(graph[m], 2):
        for a in set(graph) - {m}:
            away, across = distances[a, m], distances[b, c]
            sides = (distances[a, b] ** 2 + distances[a, c] ** 2) / 2
            terms.append((away**2 + across**2 / 4 - sides) / (2 * away))
    return np.mean(terms) if terms else np.nan


def test_sectional_curvature_by_loops_and_of_known_graphs():
    graph = nx.karate_club_graph()
    distances, edges = steps_of(graph), nx.to_scipy_sparse_array(graph)
    slow = [curvature_by_loops(distances, graph, m) for m in graph]
    np.testing.assert_allclose(sectional_curvature(distances, edges), slow, rtol=1e-13)
    line = nx.path_graph(6)
    flat = sectional_curvature(steps_of(line), nx.to_numpy_array(line))
    np.testing.assert_array_equal(flat, [np.nan, 0, 0, 0, 0, np.nan])
    # Of 2 (n - 1) pairs with the two neighbours only the opposite node of an even cycle counts.
    ring = nx.cycle_graph(8)
    np.testing.assert_allclose(sectional_curvature(steps_of(ring), nx.to_numpy_array(ring)), 1 / 7)
    star = nx.star_graph(3)
    # One of three leaves is in the third branch, for each pair of the two others.
    assert sectional_curvature(steps_of(star), nx.to_numpy_array(star))[0] == pytest.approx(-1 / 3)


@pytest.mark.parametrize(
    ("distances", "message"),
    [
        ([[0.0, 1.0]], r"shape \(1, 2\); give a square"),
        ([[0.0, 1.0], [2.0, 0.0]], "not symmetric"),
        (
            [[0.0, 2.0], [2.0, 1.0]],
            "diagonal is 1 at row 1, not 0; give distances, not similarities",
        ),
        ([[0.0, np.inf], [np.inf, 0.0]], "distance at row 0, column 1 is inf; give finite"),
    ],
)
def test_what_are_no_distances(distances, message):
    with pytest.raises(InputError, match=message):
        delta_hyperbolicity(distances)
    with pytest.raises(InputError, match=message):
        sectional_curvature(distances, np.eye(2))


def test_what_does_not_fit():
    square = steps_of(nx.cycle_graph(4))
    with pytest.raises(InputError, match="base_point = 4; give an integer"):
        delta_hyperbolicity(square, 4)
    with pytest.raises(InputError, match=r"adjacency has shape \(3, 3\)"):
        sectional_curvature(square, np.eye(3))
    with pytest.raises(InputError, match=r"adjacency has the edge \[\[0, 1\]\] in one direction"):
        sectional_curvature(square, np.triu(square == 1))
    with pytest.raises(InputError, match="two nodes have distance 0"):
        sectional_curvature(np.zeros((3, 3)), np.eye(3))
