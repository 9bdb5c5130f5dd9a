"""Networkx graphs: node attributes in and out."""

import networkx as nx
import numpy as np
import pytest

import noneuclid
from noneuclid import networks
from noneuclid.errors import InputError


def club(**settings):
    graph = nx.karate_club_graph()
    networks.embed(graph, **({"method": "hydra"} | settings))
    return graph


def points_of(graph, key="position"):
    return np.array([graph.nodes[node][key] for node in graph])


def test_embed_writes_points_and_what_made_them():
    graph = club()
    expected = noneuclid.Hydra(random_state=0).fit_transform(nx.karate_club_graph())
    np.testing.assert_array_equal(points_of(graph), expected)
    record = graph.graph["position"]
    assert (record["method"], record["chart"]) == ("Hydra", "poincare")
    assert record["report"]["diameter"] == 6.0


def test_the_default_is_poincare_embedding():
    graph = nx.karate_club_graph()
    assert networks.embed(graph, tol=0.1) is None
    model = noneuclid.PoincareEmbedding(tol=0.1, random_state=0)
    np.testing.assert_array_equal(points_of(graph), model.fit_transform(nx.karate_club_graph()))


def test_points_belong_to_their_nodes_whatever_the_order():
    graph = nx.Graph()
    graph.add_nodes_from("cab")
    graph.add_edges_from([("a", "b"), ("b", "c")])
    networks.embed(graph, "tree_embedding", scale=1.0, chart="tangent", key_added="p")
    lengths = {node: float(np.linalg.norm(graph.nodes[node]["p"])) for node in "abc"}
    assert lengths == pytest.approx({"a": 1.0, "b": 0.0, "c": 1.0})


def test_lengths_of_edges():
    graph = nx.path_graph(3)
    nx.set_edge_attributes(graph, {(0, 1): 1.0, (1, 2): 3.0}, "mm")
    networks.embed(graph, "tree_embedding", scale=1.0, root=0, chart="tangent", edge_lengths="mm")
    assert np.linalg.norm(points_of(graph), axis=1) == pytest.approx([0.0, 1.0, 4.0])
    with pytest.raises(InputError, match="PoincareEmbedding has no parameter 'edge_lengths'"):
        networks.embed(graph, edge_lengths="mm")


def test_nodes_without_a_label_get_one():
    graph = club()
    truth = nx.get_node_attributes(graph, "club")
    del graph.nodes[1]["club"]
    graph.nodes[32]["club"] = None
    networks.classify(graph, "club", method="PoincareSVC")
    found = nx.get_node_attributes(graph, "club_predicted")
    assert (found[1], found[32]) == (truth[1], truth[32])
    assert {type(value) for value in found.values()} == {str}
    assert "club" not in graph.nodes[1]
    record = graph.graph["club_predicted"]
    assert (record["n_labelled"], record["classes"]) == (32, ["Mr. Hi", "Officer"])
    chances = nx.get_node_attributes(graph, "club_predicted_probability")
    assert len(chances) == 34
    assert all(0.5 <= chance <= 1.0 for chance in chances.values())


def test_folds_give_an_accuracy():
    graph = club()
    networks.classify(graph, "club", method="PoincareSVC", cv=5, key_added="found")
    right = [data["found"] == data["club"] for _, data in graph.nodes(data=True)]
    assert graph.graph["found"]["accuracy"] == pytest.approx(np.mean(right))
    assert np.mean(right) > 0.85


def test_the_chart_is_remembered():
    one, other = club(), club(chart="hyperboloid")
    for graph in (one, other):
        networks.classify(graph, "club", method="PoincareSVC")
    chances = [
        list(nx.get_node_attributes(graph, "club_predicted_probability").values())
        for graph in (one, other)
    ]
    np.testing.assert_allclose(*chances, atol=1e-6)


def test_a_copy_leaves_the_graph_alone():
    graph = nx.karate_club_graph()
    changed = networks.embed(graph, "hydra", copy=True)
    assert "position" not in graph.nodes[0]
    again = networks.classify(changed, "club", method="PoincareSVC", copy=True)
    assert "club_predicted" not in changed.nodes[0]
    assert "club_predicted" in again.nodes[0]


def test_mistakes_are_named():
    graph = nx.karate_club_graph()
    with pytest.raises(
        InputError, match="LiftedPCA reads rows of features; give poincare_embedding"
    ):
        networks.embed(graph, "lifted_pca")
    with pytest.raises(InputError, match=r"node 0 has no 'position'; run networks.embed first"):
        networks.classify(graph, "club")
    with pytest.raises(InputError, match="'team' has 0 classes on 0 labelled nodes"):
        networks.classify(club(), "team")
