"""Numbers on the edges of your own graphs: lengths, similarities, and those nobody asked for."""

import json

import networkx
import numpy as np
import pytest
from cases import each_of
from own_files import loaded, refused, written

from noneuclid import Hydra, RandomWalkEmbedding
from noneuclid.embeddings.target_distances import graph_distances
from noneuclid.errors import InputError
from noneuclid_compare.data.own import graph_file
from noneuclid_compare.embed.of_dataset import embed
from noneuclid_compare.stages import acquire

STRENGTHS = [0.5, 0.25, 0.8, 0.1, 0.9, 0.3]
PAIRS = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
LABELS = "node,y\n0,a\n1,b\n2,a\n3,b\n"


@pytest.fixture
def files(tmp_path):
    def save(strengths=STRENGTHS):
        lines = [f"{a} {b} {w}" for (a, b), w in zip(PAIRS, strengths, strict=True)]
        return written(tmp_path / "g.txt", "\n".join(lines)), written(tmp_path / "l.csv", LABELS)

    return save


@pytest.mark.parametrize(
    ("settings", "convert"),
    [
        ({"length": "weight"}, lambda w: w),
        ({"similarity": "weight"}, lambda w: 1 / w),
        ({"similarity": "weight", "conversion": "log"}, lambda w: -np.log(w)),
        ({"similarity": "weight", "conversion": "reverse"}, lambda w: 1.0 - w),
    ],
)
def test_paths_are_those_of_networkx_on_converted_weights(files, settings, convert):
    data = loaded(graph_file, *files(), label="y", **settings)
    graph = networkx.Graph()
    for (a, b), w in zip(PAIRS, STRENGTHS, strict=True):
        graph.add_edge(a, b, far=convert(w))
    expected = dict(networkx.all_pairs_dijkstra_path_length(graph, weight="far"))
    found = graph_distances(data.edges, 4, data.weights)
    np.testing.assert_allclose(found, [[expected[a][b] for b in range(4)] for a in range(4)])


def test_a_conversion_is_told_and_turns_the_order_round(files):
    for conversion in ("inverse", "log", "reverse"):
        given = {"similarity": "weight", "conversion": conversion}
        data = loaded(graph_file, *files(), label="y", **given)
        said = f"Edge lengths were computed from the similarity weight by {conversion}."
        assert data.about["oddities"] == [said]
        assert np.argsort(data.weights).tolist() == np.argsort(STRENGTHS)[::-1].tolist()


def test_the_most_probable_path_is_the_shortest_by_log(files):
    data = loaded(graph_file, *files(), label="y", similarity="weight", conversion="log")
    best = np.exp(-graph_distances(data.edges, 4, data.weights))
    # 0-2 by 0-3-2 has probability 0.8 x 0.3 = 0.24 < 0.25; 1-2 by 1-3-2 has 0.27 > 0.1.
    np.testing.assert_allclose([best[0, 2], best[1, 2]], [0.25, 0.27])


def test_of_repeated_edges_the_strongest_stays(tmp_path):
    path = written(tmp_path / "g.txt", "0 1 2\n1 0 8\n1 2 4\n2 3 5\n")
    table = written(tmp_path / "l.csv", LABELS)
    given = {"label": "y", "duplicates": "drop", "similarity": "weight"}
    assert loaded(graph_file, path, table, **given).weights.tolist() == [1 / 8, 1 / 4, 1 / 5]


@each_of(
    ("value", "settings", "message"),
    [
        ("1e308", {"length": "weight"}, "edge '1'-'3' has weight 1e.308; .* 1e-100 to 1e.100"),
        ("1e-320", {"length": "weight"}, "edge '1'-'3' has weight 1e-320; give every edge a pos"),
        ("1e308", {"similarity": "weight"}, "edge '1'-'3' has weight 1e.308"),
        ("0", {"similarity": "weight"}, "edge '1'-'3' has weight 0.0"),
        ("-0.5", {"similarity": "weight"}, "edge '1'-'3' has weight -0.5"),
        ("nan", {"similarity": "weight"}, "edge '1'-'3' has weight nan"),
        ("1", {"similarity": "weight", "conversion": "log"}, "'1'-'3' has weight 1; its -log is"),
        ("2", {"similarity": "cost"}, "no edge attribute 'cost'; it has: weight"),
        ("2", {"similarity": "weight", "length": "weight"}, "length and similarity are both set"),
        ("2", {"length": "weight", "conversion": "log"}, "conversion = 'log' belongs to similarit"),
        ("2", {"similarity": "weight", "conversion": "max"}, "one of inverse, log, reverse"),
    ],
)
def test_weights_that_are_no_lengths_are_refused(files, value, settings, message):
    edges, table = files([*STRENGTHS[:4], value, STRENGTHS[5]])
    refused(message, graph_file, edges, table, label="y", **settings)


def test_an_integer_without_end_is_refused(tmp_path):
    graph = networkx.path_graph(3)
    networkx.set_edge_attributes(graph, 1, "w")
    networkx.set_node_attributes(graph, {0: "a", 1: "b", 2: "a"}, "y")
    text = "\n".join(networkx.generate_gml(graph)).replace("w 1", f"w {'9' * 400}", 1)
    path = written(tmp_path / "g.gml", text)
    refused(r"edge '0'-'1' has w 9{40}; give every", graph_file, path, label="y", length="w")


def test_the_ends_of_the_range_reach_the_embedding(files):
    for scale in (1e-99, 1e99):
        edges, table = files([scale * w for w in STRENGTHS])
        data = loaded(graph_file, edges, table, label="y", length="weight")
        points = embed(Hydra, data, 0).points
        assert np.isfinite(points).all()
        one = embed(Hydra, loaded(graph_file, *files(), label="y", length="weight"), 0).points
        np.testing.assert_allclose(np.abs(points), np.abs(one), atol=1e-6)


def test_the_log_tells_of_a_weight_that_is_ignored(files, tmp_path, capsys):
    edges, table = files()
    output = tmp_path / "d.npz"
    arguments = ["--name", "d", "--use", "graph_file", "--seed", "0"]
    roles = {"data": str(edges), "labels": str(table)}
    arguments += ["--files", json.dumps(roles), "--output", str(output)]
    acquire.main([*arguments, "--params", json.dumps({"label": "y"})])
    line = "note: Edges have weight, which was not used: every edge has length 1. To use"
    assert line in capsys.readouterr().err


def test_every_number_of_the_edges_that_is_ignored_is_named(tmp_path):
    graph = networkx.path_graph(3)
    networkx.set_edge_attributes(graph, 2.5, "strength")
    networkx.set_edge_attributes(graph, "x", "colour")
    networkx.set_node_attributes(graph, {0: "a", 1: "b", 2: "a"}, "y")
    networkx.write_graphml(graph, tmp_path / "g.graphml")
    said = loaded(graph_file, tmp_path / "g.graphml", label="y").about["oddities"]
    assert [line.partition(",")[0] for line in said] == ["Edges have strength"]


def test_an_embedding_that_reads_no_lengths_says_so(files):
    data = loaded(graph_file, *files(), label="y", length="weight")
    with pytest.warns(
        UserWarning, match="random_walk uses only which nodes are joined and ignores"
    ):
        embed(RandomWalkEmbedding, data, 0)


def test_lengths_out_of_range_are_refused_of_any_loader():
    from noneuclid_compare.data.checks import checked
    from noneuclid_compare.records import Dataset

    edges = np.array([[0, 1]])
    data = Dataset("d", "graph", [0, 1], ("a", "b"), edges=edges, weights=np.array([1e308]))
    with pytest.raises(InputError, match=r"edge 0 has length 1e\+308"):
        checked(data)


@pytest.mark.parametrize("extra", ["0 0 100\n", "0 4 100\n", "1 0 0.5\n"])
def test_edges_that_are_left_out_do_not_change_the_lengths_of_others(tmp_path, extra):
    path = written(tmp_path / "g.txt", extra + "0 1 3\n1 2 1\n2 3 2\n")
    dropped = dict.fromkeys(("self_loops", "duplicates", "unlabeled"), "drop")
    given = {"similarity": "weight", "conversion": "reverse"} | dropped
    data = loaded(graph_file, path, written(tmp_path / "l.csv", LABELS), label="y", **given)
    assert data.weights.tolist() == [1.0, 3.0, 2.0]


def test_another_component_does_not_change_lengths(tmp_path):
    path = written(tmp_path / "g.txt", "0 1 3\n1 2 1\n4 5 9\n")
    labels = written(tmp_path / "l.csv", "node,y\n0,a\n1,b\n2,a\n4,b\n5,a\n")
    given = {"similarity": "weight", "conversion": "reverse", "component": "largest"}
    data = loaded(graph_file, path, labels, label="y", **given)
    assert data.weights.tolist() == [1.0, 3.0]


@pytest.mark.parametrize(
    ("loop", "settings"),
    [("0", {"length": "weight"}), ("1", {"similarity": "weight", "conversion": "log"})],
)
def test_a_loop_that_is_dropped_may_have_any_weight(tmp_path, loop, settings):
    """Matrices of distances have zeros, and those of similarities ones, on the diagonal."""
    path = written(tmp_path / "g.txt", f"0 0 {loop}\n0 1 0.3\n1 2 0.1\n2 3 0.2\n")
    labels = written(tmp_path / "l.csv", LABELS)
    data = loaded(graph_file, path, labels, label="y", self_loops="drop", **settings)
    expected = [0.3, 0.1, 0.2]
    np.testing.assert_allclose(
        data.weights, -np.log(expected) if "similarity" in settings else expected
    )


def test_reversed_similarities_of_any_size_keep_their_order(tmp_path):
    path = written(tmp_path / "g.txt", "0 1 1e16\n1 2 3\n2 3 1e-100\n0 3 5\n")
    given = {"similarity": "weight", "conversion": "reverse"}
    data = loaded(graph_file, path, written(tmp_path / "l.csv", LABELS), label="y", **given)
    # max + min would lose the least.
    assert data.weights[0] == 1e-100
    assert (data.weights > 0).all()


def test_no_edge_is_left_to_convert(tmp_path):
    path = written(tmp_path / "g.txt", "0 0 1\n1 1 1\n2 2 1\n3 3 1\n")
    given = {"similarity": "weight", "conversion": "reverse"}
    given |= {"self_loops": "drop", "component": "keep"}
    data = loaded(graph_file, path, written(tmp_path / "l.csv", LABELS), label="y", **given)
    assert len(data.edges) == 0
