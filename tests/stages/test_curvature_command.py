"""The command curvature: what it prints of a table and a network, and what it refuses."""

from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from noneuclid.errors import InputError
from noneuclid.geometry import ProductSpace
from noneuclid_compare import __main__ as command_line


@pytest.fixture(autouse=True)
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def printed(capsys, *words):
    command_line.run(["curvature", *words])
    return capsys.readouterr().out.splitlines()


def test_points_of_a_sphere_want_a_sphere(capsys):
    # Chords of a sphere in three dimensions are not kept in the plane.
    X = ProductSpace("S2").random_wrapped_normal(60, random_state=0)
    frame = pd.DataFrame(X, columns=["a", "b", "c"]).assign(kind=np.where(X[:, 0] > 0, "u", "v"))
    frame.to_csv("ball.csv", index=False)
    lines = printed(capsys, "ball.csv", "--dimension", "2", "--rows", "40")
    assert lines[0] == "kind holds labels and is not a feature (--label)"
    assert lines[1] == "Euclidean distances of standardised columns, 40 of 60 rows"
    assert lines[3].startswith("S2 ")
    assert lines[-1].startswith("Your data want S2")


def test_a_network_is_compared_by_its_paths(capsys):
    tree = nx.balanced_tree(2, 4)
    nx.set_node_attributes(tree, {v: "uv"[v % 2] for v in tree}, "side")
    nx.write_gml(tree, "tree.gml")
    lines = printed(capsys, "tree.gml", "--label", "side", "--dimension", "2")
    assert lines[0] == "lengths of shortest paths, all 31 nodes"
    assert "2 delta / diameter: 0.000 (0 in a tree)" in lines
    assert any(line.startswith("mean sectional curvature of the graph: -") for line in lines)
    assert lines[-1].startswith("Your data want H2: ")


def test_units_of_columns_do_not_count(capsys):
    X = ProductSpace("S2").random_wrapped_normal(20, random_state=0)
    tables = []
    for unit in (1, 1024):
        pd.DataFrame(X * [1, unit, 1], columns=["a", "b", "c"]).to_csv("x.csv", index=False)
        tables.append(printed(capsys, "x.csv", "--dimension", "1"))
    assert tables[0] == tables[1]


def test_a_table_without_classes_is_compared_without_names_and_numbers_of_rows(capsys):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(30, 3)), columns=["a", "b", "c"])
    frame.to_csv("x.csv", index=False)
    plain = printed(capsys, "x.csv", "--dimension", "1")
    assert plain[0] == "Euclidean distances of standardised columns, all 30 rows"
    frame.insert(0, "who", [f"n{k}" for k in range(30)])
    frame.assign(nr=np.arange(30)).to_csv("x.csv", index=False)
    lines = printed(capsys, "x.csv", "--dimension", "1")
    said = "names or numbers the rows and is not a feature"
    assert lines == [f"who {said}", f"nr {said}", *plain]
    frame.assign(d=np.where(frame["a"] > 0, "1", "x y")).to_csv("y.csv", index=False)
    assert printed(capsys, "y.csv", "--dimension", "1")[0].startswith("d holds labels")
    frame.loc[7, "b"] = np.nan
    frame.to_csv("x.csv", index=False)
    with pytest.raises(InputError, match="column 'b', row 7 has no finite value: fill it in"):
        command_line.run(["curvature", "x.csv"])
    frame["a"] = [f"{k % 29} mg" for k in range(30)]
    frame.to_csv("x.csv", index=False)
    with pytest.raises(InputError, match=r"'a', row 0 is '0 mg', not a number but .* remove the"):
        command_line.run(["curvature", "x.csv"])


@pytest.mark.parametrize("names", ["index", "column", "none"])
def test_a_table_of_distances_is_read_as_an_array_of_them(names, capsys):
    X = ProductSpace("S2").random_wrapped_normal(20, random_state=0)
    distances = ProductSpace("S2").pairwise_distances(X)
    np.save("d.npy", distances)
    wanted = printed(capsys, "d.npy", "--dimension", "1")
    assert wanted[0] == "given distances, all 20 rows"
    frame = pd.DataFrame(distances, [f"s{k}" for k in range(20)], [f"s{k}" for k in range(20)])
    frame.to_csv("d.csv", index=names != "none", index_label="who" if names == "column" else None)
    lines = printed(capsys, "d.csv", "--dimension", "1")
    assert lines[-len(wanted) :] == wanted
    # Lengths of paths have few values, as classes have.
    paths = pd.DataFrame(np.abs(np.subtract.outer(np.arange(20), np.arange(20))) % 3)
    paths.to_csv("p.csv", index=False)
    assert printed(capsys, "p.csv", "--dimension", "1")[0] == "given distances, all 20 rows"


def test_distances_without_a_line_of_names_are_refused():
    np.savetxt("d.csv", 1 + np.arange(400.0).reshape(20, 20) / 8, delimiter=",")
    with pytest.raises(InputError, match=r"first line holds numbers, not names.*as \.npy"):
        command_line.run(["curvature", "d.csv"])


@pytest.mark.parametrize(
    ("name", "head", "end"),
    [
        ("e.csv", "source,target\n", ""),
        ("e.tsv", "node1,node2\n", ""),
        ("e.csv", "from,to,weight\n", ",0.5"),
    ],
)
def test_a_table_of_edges_is_a_network(name, head, end, capsys):
    text = head + "".join(f"{a},{b}{end}\n" for a, b in nx.balanced_tree(2, 4).edges)
    Path(name).write_text(text.replace(",", "\t" if name == "e.tsv" else ","))
    lines = printed(capsys, name, "--dimension", "2")
    assert lines[0] == "lengths of shortest paths, all 31 nodes"
    with pytest.raises(InputError, match=r"network without node attributes.* add --labels TABLE"):
        command_line.run(["init", name, "--folder", "run"])


@pytest.mark.parametrize("head", ["x,kind", "u,v", "rating,label", "0,1"])
def test_a_table_of_two_columns_is_no_network(head):
    rows = "".join(f"{k},{k % 2}\n" for k in range(20))
    Path("table.csv").write_text(f"{head}\n{rows}")
    with pytest.raises(
        InputError, match=r"edges of a network the header source, target|nothing in it looks"
    ):
        command_line.run(["curvature", "table.csv"])


def test_distances_and_networks_need_no_labels(capsys):
    space = ProductSpace("S1")
    X = space.random_wrapped_normal(30, covariances=3.0, random_state=0)
    np.save("distances.npy", space.pairwise_distances(X))
    lines = printed(capsys, "distances.npy", "--dimension", "1")
    assert lines[0] == "given distances, all 30 rows"
    assert lines[-1].startswith("Your data want S1: held-out distortion 0.0")
    graph = nx.disjoint_union(nx.cycle_graph(20), nx.path_graph(3))
    graph.add_edge(4, 4)
    nx.write_edgelist(graph, "cycle.edges", data=False)
    lines = printed(capsys, "cycle.edges", "--dimension", "1")
    assert lines[:2] == [
        "the largest component, 20 of 23 nodes",
        "lengths of shortest paths, all 20 nodes",
    ]
    assert lines[-1].startswith("Your data want S1: ")
