"""Features of the nodes of a network, which methods without embedding read."""

from dataclasses import replace
from pathlib import Path

import networkx
import numpy as np
import pandas
import pytest
from own_files import loaded, refused
from scipy import sparse

from noneuclid import Hydra
from noneuclid.errors import InputError
from noneuclid_compare.data.own import graph_file
from noneuclid_compare.embed import original_features, tsne
from noneuclid_compare.embed.of_dataset import embed
from noneuclid_compare.stages.embed import rule_of

KARATE = networkx.karate_club_graph()
AGE = {node: float(node**2 % 11) for node in KARATE}
WEALTH = {node: node % 7 for node in KARATE}


@pytest.fixture
def path(tmp_path):
    graph = KARATE.copy()
    networkx.set_node_attributes(graph, AGE, "age")
    networkx.set_node_attributes(graph, WEALTH, "wealth")
    networkx.write_gml(graph, tmp_path / "k.gml")
    return tmp_path / "k.gml"


EXPECTED = np.array([[AGE[node], WEALTH[node]] for node in KARATE])


def with_table(path, table, **settings):
    files = {"data": path, "features": Path(table)}
    return graph_file.load(files, 0, label="club", **settings)


def test_attributes_are_features_without_embedding(path):
    data = loaded(graph_file, path, label="club", features=["age", "wealth"])
    np.testing.assert_array_equal(data.features, EXPECTED)
    assert data.about["attributes"] == ["age", "wealth"]
    embedded = original_features.embed(data, 0)
    np.testing.assert_array_equal(embedded.points, EXPECTED)
    assert not embedded.about["embedding"]["transductive"]
    rule = rule_of(data, embedded, "original")
    np.testing.assert_array_equal(rule.place(EXPECTED[:2]), EXPECTED[:2])
    every = loaded(graph_file, path, label="club", features=True)
    assert every.about["attributes"] == ["age", "wealth"]
    np.testing.assert_array_equal(every.features, EXPECTED)
    every = loaded(graph_file, path, label="wealth", features=True, unlabeled="drop")
    assert every.about["attributes"] == ["age"]
    both = loaded(graph_file, path, label="club", features=["age", "wealth"], add_spectral=True)
    found = original_features.embed(both, 0)
    plain = original_features.embed(replace(data, features=None), 0)
    np.testing.assert_array_equal(found.points, np.hstack([EXPECTED, plain.points]))
    assert rule_of(both, found, "original").why == original_features.NO_BOTH
    # Embeddings of the graph do not read them.
    embedded = embed(Hydra, data, 0)
    np.testing.assert_array_equal(
        embedded.points, embed(Hydra, replace(data, features=None), 0).points
    )
    assert rule_of(data, embedded, "hydra").kind == "neighbour_mean"
    with pytest.raises(InputError, match="has kind 'graph'; use deepwalk or spectral"):
        tsne.embed(data, 0)


def test_a_table_is_joined_by_the_names_of_the_nodes(path, tmp_path):
    order = np.random.default_rng(0).permutation(34)
    table = pandas.DataFrame({"member": order, "age": EXPECTED[order, 0], "w": EXPECTED[order, 1]})
    table.to_csv(tmp_path / "t.csv", index=False)
    data = with_table(path, tmp_path / "t.csv", features=True)
    np.testing.assert_array_equal(data.features, EXPECTED)
    data = with_table(path, tmp_path / "t.csv", features=["w"], node="member")
    np.testing.assert_array_equal(data.features, EXPECTED[:, 1:])
    # A component alone keeps the features of its nodes.
    graph = networkx.disjoint_union(networkx.path_graph(3), KARATE)
    networkx.set_node_attributes(graph, {v: "Officer" for v in range(3)}, "club")
    networkx.write_gml(graph, path)
    table["member"] += 3
    more = pandas.DataFrame({"member": range(3), "age": 99.0, "w": 99.0})
    pandas.concat([table, more]).to_csv(tmp_path / "t.csv", index=False)
    data = with_table(path, tmp_path / "t.csv", features=True, component="largest")
    np.testing.assert_array_equal(data.features, EXPECTED)


def test_a_matrix_of_the_file(tmp_path):
    matrix = networkx.to_scipy_sparse_array(KARATE, weight=None)
    parts = ("data", "indices", "indptr", "shape")
    arrays = {f"adj_{part}": getattr(matrix, part) for part in parts}
    attributes = sparse.csr_array(EXPECTED)
    arrays |= {f"attr_{part}": getattr(attributes, part) for part in parts}
    np.savez(tmp_path / "k.npz", labels=np.arange(34) % 2, **arrays)
    data = loaded(graph_file, tmp_path / "k.npz", label="labels", features=True)
    np.testing.assert_array_equal(data.features, EXPECTED)
    assert loaded(graph_file, tmp_path / "k.npz", label="labels").features is None


def test_hostile_features(path, tmp_path):
    refused("node '0' has club = 'Mr. Hi'; give every node a finite number", graph_file, path,
            label="age", features=["club"])  # fmt: skip
    refused("no node attribute 'size'; it has: ", graph_file, path, label="club",
            features=["size"])  # fmt: skip
    refused("the label 'club' is among the features", graph_file, path, label="club",
            features=["club"])  # fmt: skip
    refused("features = 'age'; give true or a list", graph_file, path, label="club", features="age")
    networkx.write_gml(KARATE, tmp_path / "plain.gml")
    refused("has neither a matrix of features nor node attributes that are numbers", graph_file,
            tmp_path / "plain.gml", label="club", features=True)  # fmt: skip
    refused("add_spectral need features: true", graph_file, path, label="club", add_spectral=True)
    table = pandas.DataFrame({"member": [*range(33), 0], "age": 1.5})
    table.to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(InputError, match=r"t.csv names node '0' 2 times; keep one row"):
        with_table(path, tmp_path / "t.csv", features=True)
    table[:33].to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(InputError, match=r"t.csv has no features of node '33'; add them"):
        with_table(path, tmp_path / "t.csv", features=True)


def test_directed_edges_are_refused_if_asked(tmp_path):
    graph = networkx.DiGraph([("a", "b"), ("b", "a"), ("b", "c")])
    networkx.set_node_attributes(graph, {"a": "x", "b": "y", "c": "x"}, "kind")
    networkx.write_graphml(graph, tmp_path / "d.graphml")
    data = loaded(graph_file, tmp_path / "d.graphml", label="kind")
    assert "1 pairs of opposite edges were merged" in data.about["oddities"][0]
    refused("d.graphml is a directed network, and .* set directed: ignore", graph_file,
            tmp_path / "d.graphml", label="kind", directed="error")  # fmt: skip
