"""Networks of Gephi, Pajek, MatrixMarket, ``.npz`` and PyTorch Geometric."""

import sys
from types import SimpleNamespace

import networkx
import numpy as np
import pandas
import pytest
from own_files import cut, loaded, refused, written
from scipy import sparse
from scipy.io import mmwrite

from noneuclid_compare.data.own import graph_file
from noneuclid_compare.data.shipped import karate
from noneuclid_compare.inspect_file import graph_files
from noneuclid_compare.inspect_file.look import reader_of

KARATE = networkx.karate_club_graph()
CLUBS = [KARATE.nodes[node]["club"] for node in KARATE]
MATRIX = networkx.to_scipy_sparse_array(KARATE, weight=None, dtype=float)


def same_as_karate(data):
    expected = karate.load({}, 0)
    np.testing.assert_array_equal(data.edges, expected.edges)
    assert [data.class_names[code] for code in data.labels] == CLUBS
    assert data.weights is None


def table(path, first):
    names = range(first, first + len(CLUBS))
    pandas.DataFrame({"node": names, "club": CLUBS}).to_csv(path, index=False)
    return path


def csr_parts(matrix, prefix="adj_"):
    parts = {name: getattr(matrix, name) for name in ("data", "indices", "indptr")}
    return {prefix + name: part for name, part in (parts | {"shape": matrix.shape}).items()}


def test_gexf_as_networkx_writes_it(tmp_path):
    path = tmp_path / "k.gexf"
    networkx.write_gexf(KARATE, path)
    same_as_karate(loaded(graph_file, path, label="club"))
    lengths = loaded(graph_file, path, label="club", length="weight").weights
    assert lengths.tolist() == [KARATE.edges[edge]["weight"] for edge in sorted(KARATE.edges())]
    refused("cannot be read as GEXF", graph_file, cut(path), label="club")


def test_pajek_as_networkx_writes_it(tmp_path):
    path = tmp_path / "k.net"
    networkx.write_pajek(networkx.relabel_nodes(KARATE, lambda node: f"v {node}"), path)
    names = [f"v {node}" for node in KARATE]
    pandas.DataFrame({"node": names, "club": CLUBS}).to_csv(tmp_path / "t.csv", index=False)
    data = loaded(graph_file, path, tmp_path / "t.csv", label="club", similarity="weight")
    assert (len(data.edges), data.n, data.about["columns"]) == (78, 34, names)
    assert data.weights.max() == 1.0


PAJEK = '*Vertices 3\n1 "a"\n2 "b"\n3 "{}"\n*{}\n1 2 1\n2 3 1\n'


def test_pajek_that_networkx_would_misread_is_refused(tmp_path):
    path = written(tmp_path / "g.net", PAJEK.format("b", "Edges"))
    refused("states 3 vertices, but has 2 different names; give each", graph_file, path, label="x")
    path = written(tmp_path / "g.net", PAJEK.format("c", "Arcslist"))
    refused(r"has '\*Arcslist', in which one line has several", graph_file, path, label="x")


@pytest.mark.parametrize("symmetry", ["symmetric", "general"])
def test_an_adjacency_matrix_of_matrix_market(tmp_path, symmetry):
    path = tmp_path / "k.mtx"
    mmwrite(path, sparse.coo_matrix(MATRIX), symmetry=symmetry)
    labels = table(tmp_path / "t.csv", 1)
    same_as_karate(loaded(graph_file, path, labels, label="club"))
    lengths = sparse.coo_matrix(np.tril(MATRIX.toarray()) * 2.5)
    mmwrite(path, lengths, symmetry="general")
    data = loaded(graph_file, path, labels, label="club", length="weight")
    assert set(data.weights) == {2.5}
    assert any(said.startswith("Directed edges were made") for said in data.about["oddities"])


MTX = "%%MatrixMarket matrix coordinate real general\n{}\n"


@pytest.mark.parametrize(("text", "message"), [
    (MTX.format("2 3 1\n1 2 1"), r"has a matrix of shape \(2, 3\); an adjacency matrix is square"),
    (MTX.format("2 2 2\n1 2 1\n1 2 4"), "1 entries repeat the place of another; give each once"),
    (MTX.format("2 2 2\n1 2 1"), "cannot be read as MatrixMarket"),
    (MTX.format("2 2 1\n1 2 1 2").replace("real", "complex"), "complex128; give real numbers"),
    ("1 2\n", "cannot be read as MatrixMarket"),
])  # fmt: skip
def test_hostile_matrices(tmp_path, text, message):
    refused(message, graph_file, written(tmp_path / "g.mtx", text), label="x")


@pytest.mark.parametrize("prefix", ["adj_", "adj_matrix.", ""])
def test_a_sparse_matrix_with_labels(tmp_path, prefix):
    path = tmp_path / "k.npz"
    np.savez(path, labels=np.array(CLUBS), idx=np.arange(3), **csr_parts(MATRIX, prefix))
    same_as_karate(loaded(graph_file, path, label="labels"))
    assert reader_of(path) is graph_files
    assert graph_files.candidates(path)[1] == ["labels"]
    assert graph_files.look(path, "labels").params == {"label": "labels"}
    refused("no node attribute 'club'; it has: labels", graph_file, path, label="club")
    refused("cannot be read as a network", graph_file, cut(path), label="labels")


def test_a_matrix_that_scipy_saved(tmp_path):
    path = tmp_path / "k.npz"
    sparse.save_npz(path, sparse.csr_array(MATRIX))
    same_as_karate(loaded(graph_file, path, table(tmp_path / "t.csv", 0), label="club"))
    sparse.save_npz(path, sparse.csc_array(MATRIX))
    refused("of another format than csr; save matrix.tocsr", graph_file, path, label="club")
    np.savez(path, X=np.ones(3))
    refused(
        "no sparse matrix of edges, such as adj_data, .*; it has X", graph_file, path, label="x"
    )
    broken = csr_parts(MATRIX) | {"adj_indices": MATRIX.indices + 9}
    np.savez(path, **broken)
    refused("k.npz cannot be read as a network", graph_file, path, label="x")


@pytest.fixture
def saved(tmp_path, monkeypatch):
    """A .pt file, whose content a stand-in of PyTorch reads."""
    path, content = written(tmp_path / "g.pt", "x"), {}

    def load(given, map_location, weights_only):
        assert (given, map_location, weights_only) == (path, "cpu", True)
        if not content:
            raise RuntimeError("Weights only load failed")
        return (content, None) if len(content) % 2 else content

    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(load=load))

    def save(**arrays):
        content.clear()
        content.update(arrays)
        return path

    return save


def test_tensors_of_pytorch_geometric(saved):
    A = MATRIX.tocoo()
    classes = np.array([club == "Officer" for club in CLUBS]).astype(int)
    path = saved(edge_index=np.array([A.row, A.col]), y=classes[:, None], x=np.ones((34, 5)))
    data = loaded(graph_file, path, label="y")
    np.testing.assert_array_equal(data.labels, classes)
    np.testing.assert_array_equal(data.edges, karate.load({}, 0).edges)
    assert "78 pairs of opposite edges were merged" in " ".join(data.about["oddities"])
    lengths = np.where(A.row < A.col, 2.0, 2.0)
    saved(edge_index=np.array([A.row, A.col]), y=classes, edge_attr=lengths)
    assert set(loaded(graph_file, path, label="y", length="weight").weights) == {2.0}


def test_hostile_tensors(saved):
    refused(r"Weights only load failed\).*save torch.save\(data.to_dict\(\), PATH\)", graph_file,
            saved(), label="y")  # fmt: skip
    refused("g.pt has no edge_index; save torch.save", graph_file, saved(x=np.ones(3)), label="y")
    ends = np.array([[0, 1], [1, 7]])
    refused(r"edge 1 joins \[1, 7\]; nodes run from 0 to 2", graph_file,
            saved(edge_index=ends, y=np.arange(3)), label="y")  # fmt: skip
    refused(r"edge_index is float64 of shape \(2, 2\); give integers", graph_file,
            saved(edge_index=ends * 1.0, y=np.arange(3)), label="y")  # fmt: skip
