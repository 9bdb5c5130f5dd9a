import networkx as nx
import numpy as np
import pytest

from noneuclid.errors import InputError
from noneuclid.geometry.class_trees import class_tree, read_parents


def random_parents(n, seed):
    rng = np.random.default_rng(seed)
    return {f"n{k}": f"n{rng.integers(k)}" for k in range(1, n)}


@pytest.mark.parametrize("seed", range(3))
def test_distances_and_levels_as_networkx_finds_them(seed):
    parents = random_parents(25, seed)
    # Leaves and inner nodes.
    classes = [f"n{k}" for k in range(4, 25, 2)]
    tree = class_tree(parents, classes)
    graph = nx.DiGraph((parent, child) for child, parent in parents.items())
    flat = graph.to_undirected()
    for i, a in enumerate(classes):
        down = nx.shortest_path(graph, "n0", a)
        assert tree.depths[i] == len(down) - 1
        for level in range(6):
            assert tree.nodes[tree.at_level(level)[i]] == down[min(level, len(down) - 1)]
        for j, b in enumerate(classes):
            assert tree.distances[i, j] == nx.shortest_path_length(flat, a, b)
    for k, node in enumerate(tree.nodes):
        below = {node, *nx.descendants(graph, node)} & set(classes)
        assert tree.counts[k] == len(below) > 0
    assert tree.nodes[0] == "n0"


@pytest.mark.parametrize(
    ("parents", "message"),
    [
        ({"a": "b", "b": "c", "c": "a"}, "a -> b -> c -> a is a cycle; delete one"),
        ({"a": "a"}, "a -> a is a cycle"),
        ({"a": "r", "b": "s"}, "2 roots, 'r', 's'; give them one parent"),
        ({"a": "r"}, "class 'b' is not in the tree; add the line b: PARENT"),
    ],
)
def test_what_is_no_tree_of_the_classes(parents, message):
    with pytest.raises(InputError, match=message) as caught:
        class_tree(parents, ["a", "b"])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [("t.csv", "child,parent\na,r\n\nb , r\n"), ("t.tsv", "a\tr\nb\tr\n")],
)
def test_a_table_of_two_columns(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    assert read_parents(tmp_path / name) == {"a": "r", "b": "r"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,r\nb\n", "line 2: 1 columns; give two"),
        ("a,r\nb,\n", "line 2: 2 columns; give two"),
        ("a,r\na,s\n", "line 2: 'a' has two parents"),
    ],
)
def test_lines_that_are_no_parents(tmp_path, text, message):
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(InputError, match=message):
        read_parents(tmp_path / "t.csv")


def test_a_tree_is_checked_before_its_classes_are_known():
    assert class_tree({"a": "r"}, []).nodes == ()


def test_a_file_that_is_missing(tmp_path):
    with pytest.raises(InputError, match=r"t.csv: No such file or directory; check the path"):
        read_parents(tmp_path / "t.csv")


def test_a_root_with_the_parent_none_is_refused():
    # It would be a node "None" above the root, and all levels one deeper.
    with pytest.raises(InputError, match="the parent of 'root' is None; leave the root out"):
        class_tree({"a": "root", "b": "root", "root": None}, ["a", "b"])


def test_a_node_given_as_number_and_as_text_is_refused():
    with pytest.raises(InputError, match="class tree: '1' is given twice, as a number and as text"):
        class_tree({1: "root", "1": "other"}, [1])


def test_a_table_in_another_encoding_is_refused_in_one_line(tmp_path):
    (tmp_path / "t.csv").write_bytes("é,root\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"t.csv: the class tree is not UTF-8; save it in UTF-8"):
        read_parents(tmp_path / "t.csv")
