"""Your own networks: as networkx, Gephi and igraph write them, and how they can be wrong."""

import networkx
import numpy as np
import pandas
import pytest
from cases import each_of
from own_files import cut, loaded, refused, written

from noneuclid import Hydra
from noneuclid.errors import InputError
from noneuclid_compare.data.own import graph_file
from noneuclid_compare.data.shipped import karate
from noneuclid_compare.embed.of_dataset import embed

KARATE = networkx.karate_club_graph()


def same_as_karate(data):
    expected = karate.load({}, 0)
    assert data.kind == "graph"
    assert data.class_names == expected.class_names
    np.testing.assert_array_equal(data.labels, expected.labels)
    np.testing.assert_array_equal(data.edges, expected.edges)
    assert data.weights is None


def clubs(path, order=None, **columns):
    nodes = list(KARATE) if order is None else order
    names = {"member": nodes, "club": [KARATE.nodes[n]["club"] for n in nodes]}
    pandas.DataFrame(names | columns).to_csv(path, index=False)
    return path


@pytest.mark.parametrize(("suffix", "write"), [
    ("gml", networkx.write_gml), ("graphml", networkx.write_graphml),
])  # fmt: skip
def test_graph_as_networkx_writes_it(tmp_path, suffix, write):
    path = tmp_path / f"karate.{suffix}"
    write(KARATE, path)
    data = loaded(graph_file, path, label="club")
    same_as_karate(data)
    (said,) = data.about["oddities"]
    assert said.startswith("Edges have weight, which was not used: every edge has length 1.")
    lengths = loaded(graph_file, path, label="club", length="weight").weights
    assert lengths.tolist() == [KARATE.edges[edge]["weight"] for edge in sorted(KARATE.edges())]
    refused("no node attribute 'group'; it has: .*club", graph_file, path, label="group")
    refused("no edge attribute 'cost'; it has: .*weight", graph_file, path, label="club",
            length="cost")  # fmt: skip
    refused(f"(?i)cannot be read as {suffix}", graph_file, cut(path), label="club")


@pytest.mark.parametrize(("name", "write"), [
    ("k.edges", networkx.write_edgelist),
    ("k.txt", lambda g, path: networkx.write_edgelist(g, path, data=False)),
    ("k.csv", lambda g, path: networkx.write_weighted_edgelist(g, path, delimiter=",")),
    ("k.tsv", lambda g, path: networkx.write_weighted_edgelist(g, path, delimiter="\t")),
])  # fmt: skip
def test_edge_list_as_networkx_writes_it(tmp_path, name, write):
    write(KARATE, tmp_path / name)
    labels = clubs(tmp_path / "clubs.csv", order=[*range(33, -1, -1)])
    data = loaded(graph_file, tmp_path / name, labels, label="club")
    assert (len(data.edges), len(data.labels)) == (78, 34)
    # Nodes stand in the order of their first edge.
    order = list(dict.fromkeys(node for edge in KARATE.edges() for node in edge))
    assert [data.class_names[c] for c in data.labels] == [KARATE.nodes[n]["club"] for n in order]
    found = {frozenset((order[a], order[b])) for a, b in data.edges}
    assert found == {frozenset(edge) for edge in KARATE.edges()}


def test_edge_list_with_header(tmp_path):
    path = tmp_path / "edges.csv"
    networkx.to_pandas_edgelist(KARATE).to_csv(path, index=False)
    labels = clubs(tmp_path / "clubs.csv", index=range(34))
    refused("line 1 has 'weight' .*set header: true", graph_file, path, labels, label="club")
    data = loaded(
        graph_file, path, labels, label="club", header=True, length="weight", node="member"
    )
    assert data.weights.sum() == KARATE.size("weight")
    refused("no column 'from'; it has: source, target, weight", graph_file, path, labels,
            label="club", header=True, source="from")  # fmt: skip
    refused("no column 'tribe'; it has: member, club", graph_file, path, labels,
            label="tribe", header=True)  # fmt: skip
    networkx.to_pandas_edgelist(KARATE)[["source", "target"]].to_csv(path, index=False)
    refused("node 'source' has no label .*header: true", graph_file, path, labels, label="club")


GEPHI = """graph [
  Creator "Gephi"
  directed 0
  node
  [
    id 0
    label "Zoë"
    graphics [ x 1.5 y -2.0 w 10.0 fill "#ff0000" ]
    party 1
  ]
  node [ id 7 label "Bo" party 2 ]
  node [ id 3 label "Cy" party 2 ]
  edge [ id 0 source 0 target 7 value 1.0 ]
  edge [ id 1 source 7 target 3 value 2.0 ]
]
"""
IGRAPH = """Creator "igraph version 0.10"
Version 1
graph
[
  directed 1
  node
  [
    id 0
    name "A"
    party "x"
  ]
  node
  [
    id 1
    name "B"
    party "y"
  ]
  node
  [
    id 2
    name "C"
    party "y"
  ]
  edge
  [
    source 0
    target 1
  ]
  edge
  [
    source 1
    target 0
  ]
  edge
  [
    source 1
    target 2
  ]
]
"""


def test_gml_of_gephi(tmp_path):
    path = written(tmp_path / "g.gml", GEPHI)
    data = loaded(graph_file, path, label="party", length="value")
    assert data.class_names == ("1", "2")
    assert data.edges.tolist() == [[0, 1], [1, 2]]
    assert data.weights.tolist() == [1.0, 2.0]
    labels = written(tmp_path / "l.csv", "who,side\nCy,b\nBo,b\nZoë,a\n")
    assert loaded(graph_file, path, labels, label="side").labels.tolist() == [0, 1, 1]


def test_gml_of_igraph_without_labels_is_directed(tmp_path):
    path = written(tmp_path / "g.gml", IGRAPH)
    data = loaded(graph_file, path, label="party")
    assert data.edges.tolist() == [[0, 1], [1, 2]]
    assert data.about["oddities"] == [
        "Directed edges were made undirected; 1 pairs of opposite edges were merged."
    ]
    labels = written(tmp_path / "l.tsv", "who\tside\nC\tu\nB\tu\nA\tv\n")
    refused("node '0' has no label .*set name: ATTRIBUTE", graph_file, path, labels, label="side")
    found = loaded(graph_file, path, labels, label="side", name="name")
    assert found.labels.tolist() == [1, 0, 0]
    refused("nodes '1' and '2' are both named 'y'", graph_file, path, label="party", name="party")


def simple(tmp_path, edges, labels="abab", **settings):
    path = written(tmp_path / "g.txt", "\n".join(edges) + "\n")
    rows = "\n".join(f"{k},{label}" for k, label in enumerate(labels))
    table = written(tmp_path / "l.csv", "node,label\n" + rows)
    return path, table, {"label": "label"} | settings


def both(tmp_path, message, edges, setting, **settings):
    """Check that a graph is refused, and what comes of it if `setting` allows it."""
    path, table, given = simple(tmp_path, edges, **settings)
    refused(message, graph_file, path, table, **given)
    return loaded(graph_file, path, table, **given, **setting)


RING = ["0 1", "1 2", "2 3", "3 0"]
RING_EDGES = [[0, 1], [0, 3], [1, 2], [2, 3]]


def test_comments_stand_before_the_first_edge_and_are_told(tmp_path):
    path, table, given = simple(tmp_path, ["# a comment", "% another", "", *RING])
    data = loaded(graph_file, path, table, **given)
    assert data.edges.tolist() == RING_EDGES
    said = "2 lines at the top that begin with # or % are comments."
    assert data.about["oddities"] == [said]
    path, table, given = simple(tmp_path, [*RING, "#a 2"])
    refused("line 5 is '#a 2' after the first edge", graph_file, path, table, **given)


def test_a_second_graph_of_graphml_is_refused(tmp_path):
    one = '<graph edgedefault="undirected"><node id="a"/><node id="b"/></graph>'
    text = f'<graphml xmlns="http://graphml.graphdrawing.org/xmlns">{one}{one}</graphml>'
    path = written(tmp_path / "g.graphml", text)
    with pytest.raises(InputError, match="holds 2 graphs"):
        graph_file.load({"data": path}, 0, label="type")


def test_self_loops(tmp_path):
    message = "edge '2'-'2' joins a node to itself, and 0 more"
    data = both(tmp_path, message, [*RING, "2 2"], {"self_loops": "drop"})
    assert data.edges.tolist() == RING_EDGES
    assert data.about["oddities"] == ["1 self loops were left out."]


def test_repeated_edges(tmp_path):
    message = "edge '0'-'1' is given more than once, and 0 more"
    data = both(tmp_path, message, [*RING, "1 0"], {"duplicates": "drop"})
    assert data.edges.tolist() == RING_EDGES
    assert data.about["oddities"] == ["1 repeated edges were removed; the shortest was kept."]


def test_repeated_edges_keep_the_shortest(tmp_path):
    edges = [f"{edge} 2" for edge in RING] + ["1 0 1.5", "1 0 7"]
    drop = {"duplicates": "drop"}
    data = both(tmp_path, "edge '0'-'1' is given", edges, drop, length="weight")
    assert data.weights.tolist() == [1.5, 2, 2, 2]


def test_directed_duplicates(tmp_path):
    graph = networkx.MultiDiGraph([(0, 1), (1, 0), (1, 2), (1, 2)])
    networkx.set_node_attributes(graph, {0: "a", 1: "b", 2: "b"}, "side")
    networkx.set_edge_attributes(graph, {edge: 1.0 for edge in graph.edges}, "cost")
    path = tmp_path / "g.graphml"
    networkx.write_graphml(graph, path)
    refused("edge '1'-'2' is given more than once, and 0 more", graph_file, path, label="side")
    data = loaded(graph_file, path, label="side", duplicates="drop")
    assert data.edges.tolist() == [[0, 1], [1, 2]]
    graph.remove_edge(1, 2)
    graph.edges[1, 0, 0]["cost"] = 3.0
    networkx.write_graphml(graph, path)
    assert len(loaded(graph_file, path, label="side").edges) == 2
    message = "edge '0'-'1' is given more than once with different lengths"
    refused(message, graph_file, path, label="side", length="cost")


def test_unlabelled_nodes(tmp_path):
    drop = {"unlabeled": "drop"}
    data = both(tmp_path, "1 nodes are not in l.csv: node '4'", [*RING, "0 4"], drop)
    assert data.edges.tolist() == RING_EDGES
    assert data.about["oddities"] == ["1 nodes without label were left out, with their edges."]
    data = both(tmp_path, "node '0' has no label", RING, drop, labels=["", "a", "b", "a"])
    assert data.edges.tolist() == [[0, 1], [1, 2]]


def test_disconnected(tmp_path):
    edges, labels = [*RING, "4 5"], "abababc"
    message = (
        "the graph has 3 components, the largest of 4 of 7 nodes, 1 isolated nodes; node '4' lies "
        "outside the largest; add edges, or set component: largest, or keep"
    )
    data = both(tmp_path, message, edges, {"component": "largest"}, labels=labels)
    assert (data.edges.tolist(), len(data.labels)) == (RING_EDGES, 4)
    assert data.about["oddities"][0].startswith("Only the largest component was kept")
    kept = both(tmp_path, message, edges, {"component": "keep"}, labels=labels)
    assert (len(kept.edges), len(kept.labels)) == (5, 7)
    assert kept.about["oddities"][0].startswith("The graph is disconnected: 3 components")
    with pytest.raises(InputError, match="the graph has 3 components"):
        embed(Hydra, kept, 0)


@each_of(
    ("edges", "settings", "message"),
    [
        (["0"], {}, "line 1 is '0'; an edge needs two node names"),
        (["0 1 close"], {}, "line 1 has 'close' after the two nodes"),
        (["0 1 1 2"], {}, "line 1 has '1 2' after the two nodes"),
        (["0 1 -1"], {"length": "weight"}, "edge '0'-'1' has weight -1.0; give every edge a pos"),
        (["0 1 1", "1 2"], {"length": "weight"}, "edge '1'-'2' has weight None"),
        ([], {}, "has no nodes"),
        (RING, {"labels": "aaaa"}, "one class only"),
        (RING, {"component": "all"}, "component = 'all'; choose one of error, largest, keep"),
        (RING, {"labels": ["0.5", "1", "1", "1"]}, "g.txt: nodes as rows, label of row 0 is 0.5"),
        (RING, {"label": None}, "set label to a node attribute"),
        (RING, {"node": "name"}, "no column 'name'; it has: node, label"),
    ],
)
def test_graph_refuses(tmp_path, edges, settings, message):
    path, table, given = simple(tmp_path, edges, **settings)
    refused(message, graph_file, path, table, **given)


@pytest.mark.parametrize(("suffix", "message"), [
    ("gml", "cannot be read as GML .*node id 1 is duplicated"),
    ("graphml", "has 2 nodes of the id '1'; give each node its own"),
])  # fmt: skip
def test_two_nodes_of_one_id(tmp_path, suffix, message):
    path = tmp_path / f"g.{suffix}"
    {"gml": networkx.write_gml, "graphml": networkx.write_graphml}[suffix](KARATE, path)
    text = path.read_text().replace('<node id="2"', '<node id="1"').replace(" id 2\n", " id 1\n")
    refused(message, graph_file, written(path, text), label="club")


def test_compressed_graphml(tmp_path):
    networkx.write_graphml(KARATE, tmp_path / "k.graphml.gz")
    same_as_karate(loaded(graph_file, tmp_path / "k.graphml.gz", label="club"))


def test_node_named_twice_and_unknown_suffix(tmp_path):
    path, table, given = simple(tmp_path, RING)
    written(table, "node,label\n0,a\n0,b\n")
    refused("names node '0' twice", graph_file, path, table, **given)
    refused("unknown suffix '.dot'", graph_file, written(tmp_path / "g.dot", "x"), label="x")
    refused("is empty", graph_file, written(tmp_path / "g.gml", ""), label="x")


def test_a_graph_reaches_the_embedding(tmp_path):
    networkx.write_gml(KARATE, tmp_path / "k.gml")
    data = loaded(graph_file, tmp_path / "k.gml", label="club")
    assert embed(Hydra, data, 0).points.shape == (34, 3)


def test_graphml_defaults_label_nodes_without_a_value(tmp_path):
    text = """<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">
    <key id="k" for="node" attr.name="kind" attr.type="string"><default>leaf</default></key>
    <graph edgedefault="undirected"><node id="a"><data key="k">root</data></node><node id="b"/>
    <node id="c"/><edge source="a" target="b"/><edge source="a" target="c"/></graph></graphml>"""
    data = loaded(graph_file, written(tmp_path / "g.graphml", text), label="kind")
    assert [data.class_names[k] for k in data.labels] == ["root", "leaf", "leaf"]
