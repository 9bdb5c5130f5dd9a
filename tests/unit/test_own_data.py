"""Data of your own: files as other tools write them, and every way in which they can be wrong."""

import re
import subprocess
import sys
from pathlib import Path

import anndata
import networkx
import numpy as np
import pandas
import pytest
import yaml
from scipy import sparse

from noneuclid.contracts import InputError
from noneuclid.datasets import anndata_file, array_file, graph_file, karate, table_file
from noneuclid.embeddings import hydra, lifted_pca
from noneuclid.geometry import lorentz
from noneuclid.readers import listing
from noneuclid.registry import load as load_object

RNG = np.random.default_rng(0)
X = RNG.normal(size=(6, 3))
TYPES = ["T", "B", "T", "NK", "B", "T"]
CODES, NAMES = [2, 0, 2, 1, 0, 2], ("B", "NK", "T")


def loaded(module, path, labels=None, **settings):
    files = {"data": Path(path)} | ({"labels": Path(labels)} if labels else {})
    return module.load(settings, files, 0)


def refused(message, module, path, labels=None, **settings):
    with pytest.raises(InputError, match=message) as caught:
        loaded(module, path, labels, **settings)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def written(path, text, encoding="utf-8"):
    path.write_bytes(text.encode(encoding))
    return path


def cut(path, part=0.5):
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * part)])
    return path


# h5ad


@pytest.fixture
def cells(tmp_path):
    """An h5ad as scanpy leaves it: sparse counts, categories, a layer, two embeddings."""
    counts = sparse.csr_matrix(np.array([[0, 2, 0], [1, 0, 0], [0, 0, 3]] * 2, dtype=np.float32))
    data = anndata.AnnData(
        counts,
        obs=pandas.DataFrame(
            {
                "type": pandas.Categorical(TYPES, categories=["T", "NK", "B", "unused"]),
                "cluster": [0, 0, 1, 1, 0, 1],
                "some": pandas.Categorical(["T", None, "B", "T", "B", None]),
                "depth": np.linspace(0.1, 0.7, 6),
                "same": ["a"] * 6,
            },
            index=[f"cell{k}" for k in range(6)],
        ),
        var=pandas.DataFrame(index=["g0", "g1", "g2"]),
        layers={"scaled": X.copy()},
        obsm={"X_pca": X[:, :2], "X_ball": 0.1 * X[:, :2]},
    )
    data.obsm["X_frame"] = pandas.DataFrame(X, index=data.obs_names, columns=list("abc"))

    def save(change=None):
        path = tmp_path / "cells.h5ad"
        if change:
            change(data)
        data.write_h5ad(path)
        return path

    return save


def test_h5ad_sparse_counts_and_categories(cells):
    data = loaded(anndata_file, cells(), label="type")
    assert (data.kind, data.class_names) == ("expression", NAMES)
    assert data.labels.tolist() == CODES
    assert data.features.dtype == np.float64
    assert data.features.tolist() == [[0, 2, 0], [1, 0, 0], [0, 0, 3]] * 2
    assert data.about["columns"] == ["g0", "g1", "g2"]
    assert data.about["oddities"] == []


@pytest.mark.parametrize(
    ("features", "expected"),
    [("layers/scaled", X), ("obsm/X_pca", X[:, :2]), ("obsm/X_frame", X)],
)
def test_h5ad_layer_and_embedding(cells, features, expected):
    data = loaded(anndata_file, cells(), label="cluster", features=features)
    np.testing.assert_array_equal(data.features, expected)
    assert data.class_names == ("0", "1")


def test_h5ad_embedding_as_points(cells):
    data = loaded(anndata_file, cells(), label="type", features="obsm/X_ball", chart="poincare")
    assert (data.kind, data.chart, data.curvature) == ("points", "poincare", 1.0)


def test_h5ad_unlabelled_cells(cells):
    path = cells()
    refused(r"row 1 \(sample 'cell1'\) has no label \(nan\), and 1 more", anndata_file, path,
            label="some")  # fmt: skip
    data = loaded(anndata_file, path, label="some", unlabelled="drop", features="layers/scaled")
    np.testing.assert_array_equal(data.features, X[[0, 2, 3, 4]])
    assert data.labels.tolist() == [1, 0, 1, 0]
    assert data.about["oddities"] == ["2 rows without label were left out."]


def test_h5ad_duplicate_names_are_reported(cells):
    path = cells(lambda data: setattr(data, "obs_names", ["x", "x", "c", "d", "e", "f"]))
    found = loaded(anndata_file, path, label="type").about["oddities"]
    assert found == ["1 sample names occur more than once, the first 'x'."]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "set label to a column of obs"),
        ({"label": "celltype"}, "no obs column 'celltype'; it has: type, cluster, some, depth, s"),
        ({"label": "type", "features": "layers/log"}, "no layers 'log'; it has: scaled"),
        ({"label": "type", "features": "obsm/X_umap"}, "no obsm 'X_umap'; it has: .*X_ball"),
        ({"label": "type", "features": "raw"}, "give X, layers/NAME or obsm/NAME"),
        ({"label": "type", "max_gb": 1e-9}, r"X of shape \(6, 3\) takes 0.0 GB, more than max_gb"),
        ({"label": "depth"}, "label of row 0 is 0.1, a continuous value"),
        ({"label": "same"}, r"one class only \('a'\)"),
        ({"label": "type", "colour": 1}, "unknown setting 'colour'"),
        ({"label": "type", "chart": "disk"}, "chart 'disk'"),
        ({"label": "type", "kind": "points"}, "do not fit"),
        ({"label": "type", "normalise": True}, "need kind: composition"),
        ({"label": "type", "unlabelled": "keep"}, "unlabelled = 'keep'; choose one of error, drop"),
    ],
)
def test_h5ad_refuses(cells, settings, message):
    refused(message, anndata_file, cells(), **settings)


def test_h5ad_without_x(cells):
    path = cells(lambda data: setattr(data, "X", None))
    refused("has no X; give features", anndata_file, path, label="type")


def test_h5ad_nan_names_cell_and_gene(cells):
    def spoil(data):
        data.layers["scaled"][4, 1] = np.nan

    message = r"cells.h5ad: row 4 \(sample 'cell4'\), column 'g1' is empty or nan"
    refused(message, anndata_file, cells(spoil), label="type", features="layers/scaled")


def test_h5ad_broken(cells, tmp_path):
    refused("cannot be read as h5ad .*truncated", anndata_file, cut(cells(), 0.7), label="type")
    refused("is empty", anndata_file, written(tmp_path / "no.h5ad", ""), label="type")
    refused("does not exist", anndata_file, tmp_path / "none.h5ad", label="type")


def test_files_are_named_by_role():
    with pytest.raises(InputError, match="no file given"):
        anndata_file.load({"label": "x"}, {}, 0)
    with pytest.raises(InputError, match="unknown file 'cells'; legal: data"):
        anndata_file.load({"label": "x"}, {"cells": Path("x")}, 0)


# tables


def frame(**more):
    return pandas.DataFrame(X, columns=["a", "b", "c"]).assign(type=TYPES, **more)


@pytest.fixture
def table(tmp_path):
    def save(name="t.csv", data=None, **options):
        data = frame() if data is None else data
        data.to_csv(tmp_path / name, **({"index": False} | options))
        return tmp_path / name

    return save


def check_table(data):
    np.testing.assert_array_equal(data.features, X)
    assert data.labels.tolist() == CODES
    assert data.class_names == NAMES
    assert data.about["columns"] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("t.csv", {}),
        ("t.csv", {"encoding": "utf-8-sig"}),
        ("t.csv", {"sep": ";"}),
        ("t.csv", {"quoting": 1}),
        ("t.csv.gz", {}),
        ("t.tsv", {"sep": "\t"}),
        ("t.txt", {"sep": "\t"}),
        ("t.csv", {"lineterminator": "\r\n"}),
    ],
)
def test_table_as_pandas_writes_it(table, name, options):
    data = loaded(table_file, table(name, **options), label="type")
    check_table(data)
    assert data.about["oddities"] == []


def test_table_with_index_does_not_learn_from_row_numbers(table):
    data = loaded(table_file, table(index=True), label="type")
    check_table(data)
    assert "no name; it was read as the names" in data.about["oddities"][0]


def test_table_with_decimal_commas(table):
    path = table(sep=";", decimal=",")
    refused("column 'a', row 0 is '0,12573", table_file, path, label="type")
    check_table(loaded(table_file, path, label="type", decimal=","))


def test_table_as_parquet(tmp_path):
    path = tmp_path / "t.parquet"
    frame(
        type2=pandas.Categorical(TYPES), n=pandas.array([1, 2, None] * 2, dtype="Int64")
    ).to_parquet(path)
    check_table(loaded(table_file, path, label="type", drop=["n", "type2"]))
    data = loaded(table_file, path, label="type2", features=["c", "a"])
    np.testing.assert_array_equal(data.features, X[:, [2, 0]])
    assert data.class_names == NAMES
    refused("row 2, column 'n' is empty", table_file, path, label="type", drop=["type2"])
    frame().set_index("type").to_parquet(path)
    refused("no column 'type'; it has: a, b, c", table_file, path, label="type")
    refused("cannot be read as a parquet table", table_file, cut(path), label="type")


def test_quoted_commas_and_ids(table):
    data = frame(id=[f"s{k}, left" for k in range(6)]).replace({"type": {"T": "T, CD4"}})
    found = loaded(table_file, table(data=data), label="type", id="id")
    assert found.class_names == ("B", "NK", "T, CD4")
    np.testing.assert_array_equal(found.features, X)
    data["id"] = "one"
    found = loaded(table_file, table(data=data), label="type", id="id")
    assert "1 sample names occur more than once, the first 'one'." in found.about["oddities"]


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        (["10", "9", "10"], ("9", "10")),
        (["1.0", "2.0", "1.0"], ("1", "2")),
        (["01", "1", "2"], ("01", "1", "2")),
        (["None", "drug", "None"], ("None", "drug")),
        (["True", "False", "True"], ("False", "True")),
    ],
)
def test_labels_of_a_text_table(tmp_path, labels, names):
    rows = "\n".join(f"{k},{label}" for k, label in enumerate(labels))
    data = loaded(table_file, written(tmp_path / "t.csv", "x,y\n" + rows), label="y")
    assert data.class_names == names


@pytest.mark.parametrize("missing", ["", "NA", "nan"])
@pytest.mark.parametrize("names", [("a", "b"), ("1", "2")])
def test_missing_labels_of_a_text_table(tmp_path, missing, names):
    first, second = names
    path = written(tmp_path / "t.csv", f"x,y\n0,{first}\n1,{missing}\n2,{second}\n")
    refused(f"row 1 has no label \\('{missing}'\\)", table_file, path, label="y")
    data = loaded(table_file, path, label="y", unlabelled="drop")
    assert data.class_names == names
    assert data.features.ravel().tolist() == [0, 2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b,type\n1,2,T\n3,x,B\n", "column 'b', row 1 is 'x', not a number"),
        ("a,b,type\n1,2,T\n3,,B\n", "row 1, column 'b' is empty or nan"),
        ("a,b,type\n1,2,T\n3,inf,B\n", "row 1, column 'b' is inf"),
        ("a,b,type\n1,2,T\n3,2019-01-02,B\n", "column 'b', row 1 is '2019-01-02', not a number"),
        ("a,b,kind\n1,2,T\n3,4,B\n", "no column 'type'; it has: a, b, kind"),
        ("a,a,type\n1,2,T\n3,4,B\n", "two columns are named 'a'"),
        ("a,,type\n1,2,T\n3,4,B\n", "column 1 has no name"),
        ("a,b,type\n1,2,T,\n3,4,B,\n", "more values than the header has names"),
        ("a,b,type\n1,2,T\n3,4,B,5\n", "cannot be read as a table .*line 3"),
        ("a,b,type\n1,2,T\n3,4,T\n", "one class only"),
        ("a,b,type\n", "a header but no rows"),
        ("\n\n", "no header"),
        ("type\nT\nB\n", "no feature column is left"),
        ("a,b,type\n1,2,0.5\n3,4,0.7\n", "a continuous value"),
        ("a,b,type\n1,2,T\n3,4,T \n", "'T' and 'T ' differ only by spaces"),
        ("", "t.csv is empty"),
    ],
)
def test_table_refuses(tmp_path, text, message):
    refused(message, table_file, written(tmp_path / "t.csv", text), label="type")


def test_table_refuses_settings(table, tmp_path):
    path = table()
    refused("no column 'z'; it has: a, b, c, type", table_file, path, label="type", drop=["z"])
    refused("the label 'type' is among", table_file, path, label="type", features=["a", "type"])
    refused("xlsx suffix", table_file, written(tmp_path / "t.xlsx", "x"), label="type")
    refused("cannot be read as a table", table_file, written(tmp_path / "l.csv", "é,t\n1,a",
            "latin-1"), label="t")  # fmt: skip
    refused("about has note: 'x'", table_file, path, label="type", about={"note": "x"})


def test_rows_are_counted_in_words_after_dropping(tmp_path):
    path = written(tmp_path / "t.csv", "x,y\n0,\n2,a\n0.1,b\n")
    message = r"row 0 .*outside the Poincar"
    refused(message, table_file, path, label="y", unlabelled="drop", chart="poincare")
    path = written(tmp_path / "t.csv", "x,y\n0,\n,a\n0.1,b\n")
    message = r"row 0, column 'x' is empty.*\(rows counted without 1 unlabelled ones\)"
    refused(message, table_file, path, label="y", unlabelled="drop")


def test_table_of_points_and_what_the_user_says(table):
    about = {"citation": "Mine, 2026", "licence": "CC0"}
    path = table(data=frame().assign(a=0.1, b=0.2, c=0.3))
    data = loaded(table_file, path, label="type", chart="klein", curvature=0.5, about=about)
    assert (data.kind, data.chart, data.curvature) == ("points", "klein", 0.5)
    assert about.items() <= data.about.items()
    assert data.about["source"] == "t.csv"
    path = table(data=frame().assign(a=2.0))
    refused("row 0 lies outside the Klein ball", table_file, path, label="type", chart="klein")
    refused("curvature = -1", table_file, path, label="type", chart="klein", curvature=-1)


# arrays


def test_npz(tmp_path):
    path = tmp_path / "a.npz"
    np.savez(
        path, X=X.astype(np.float32), y=np.array(TYPES), points=lorentz.from_spatial(X), z=X[0]
    )
    data = loaded(array_file, path)
    np.testing.assert_array_equal(data.features, X.astype(np.float32))
    assert (data.labels.tolist(), data.class_names) == (CODES, NAMES)
    assert loaded(array_file, path, features="points", chart="hyperboloid").kind == "points"
    refused("no array 'data'; it has: X, y, points, z", array_file, path, features="data")
    refused(r"array 'z' has shape \(3,\); give a matrix", array_file, path, features="z")
    refused("holds <U2, not numbers", array_file, path, features="y")
    refused(r"labels have shape \(6, 3\)", array_file, path, label="X")
    refused("6 rows of features but 3 labels", array_file, path, label="z")
    refused("row 0 is off the hyperboloid|outside|time", array_file, path, chart="hyperboloid")
    refused("cannot be read as npz", array_file, cut(path))
    np.savez(path, X=X, y=np.array(TYPES, dtype="S"))
    assert loaded(array_file, path).class_names == NAMES
    np.savez(path, X=X, y=np.array(TYPES, dtype=object))
    refused("array 'y' holds Python objects; save it as numbers or as text", array_file, path)
    refused("give a .npz or a .npy file", array_file, written(tmp_path / "a.mat", "x"))


def test_npy_with_labels_beside(tmp_path, table):
    path = tmp_path / "x.npy"
    np.save(path, X)
    np.save(tmp_path / "y.npy", np.array(TYPES))
    refused("holds one array; add the labels", array_file, path)
    for labels, settings in ((tmp_path / "y.npy", {}), (table(), {"label": "type"})):
        data = loaded(array_file, path, labels, **settings)
        np.testing.assert_array_equal(data.features, X)
        assert data.labels.tolist() == CODES
    np.save(path, X[:0])
    refused("is empty, shape", array_file, path, tmp_path / "y.npy")
    np.save(path, np.where(np.isin(X, X[2, 1]), np.nan, X))
    refused("row 2, column 1 is empty or nan", array_file, path, tmp_path / "y.npy")


# compositions

PARTS = np.array([[0.2, 0.3, 0.5], [0.1, 0.6, 0.3], [0.25, 0.25, 0.5]])


def composition(tmp_path, parts, **settings):
    np.savez(tmp_path / "c.npz", X=parts, y=[0, 1, 1])
    return loaded(array_file, tmp_path / "c.npz", kind="composition", **settings)


def test_composition(tmp_path):
    data = composition(tmp_path, PARTS)
    assert data.kind == "composition"
    np.testing.assert_array_equal(data.features, PARTS)
    assert data.about["oddities"] == []


def test_composition_of_counts_is_normalised_on_request(tmp_path):
    with pytest.raises(InputError, match="row 0 sums to 20, not 1; set normalise: true"):
        composition(tmp_path, 20 * PARTS)
    data = composition(tmp_path, 20 * PARTS, normalise=True)
    np.testing.assert_allclose(data.features, PARTS, rtol=1e-15)
    assert data.about["oddities"] == ["Each row was divided by its sum."]


def test_composition_sum_tolerance(tmp_path):
    composition(tmp_path, PARTS * (1 + 5e-7))
    with pytest.raises(InputError, match=r"row 0 sums to 1\.000002"):
        composition(tmp_path, PARTS * (1 + 2e-6))


def test_composition_zeros_need_a_pseudocount(tmp_path):
    counts = np.array([[3, 1, 0], [0, 0, 5], [1, 1, 1]])
    with pytest.raises(InputError, match=r"row 0, column 2: 0 is on the bound.*\(3 of 9 parts"):
        composition(tmp_path, counts, normalise=True)
    data = composition(tmp_path, counts, normalise=True, pseudocount=0.5)
    np.testing.assert_allclose(data.features[0], [3.5 / 5.5, 1.5 / 5.5, 0.5 / 5.5])
    np.testing.assert_allclose(data.features.sum(axis=1), 1)
    assert "0.5 was added to every part (3 of 9 were zero)" in data.about["oddities"][1]


@pytest.mark.parametrize(
    ("parts", "settings", "message"),
    [
        (-PARTS, {}, r"row 0, column 0: -0.2 is negative; correct it \(9 of 9"),
        (np.ones((3, 1)), {}, "two parts or more"),
        (PARTS, {"polytope": "box"}, "polytope = 'box'; choose one of simplex"),
        (PARTS, {"pseudocount": -1}, "pseudocount = -1"),
    ],
)
def test_composition_refuses(tmp_path, parts, settings, message):
    with pytest.raises(InputError, match=message):
        composition(tmp_path, parts, **settings)


# graphs

KARATE = networkx.karate_club_graph()


def same_as_karate(data):
    expected = karate.load({}, {}, 0)
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
    assert data.about["oddities"] == ["Edges have weight, which was not used: all edges count one."]
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
        "Directed edges became undirected; 1 pairs joined both ways are one edge."
    ]
    labels = written(tmp_path / "l.tsv", "who\tside\nC\tu\nB\tu\nA\tv\n")
    refused("node '0' has no label .*set name: ATTRIBUTE", graph_file, path, labels, label="side")
    found = loaded(graph_file, path, labels, label="side", name="name")
    assert found.labels.tolist() == [1, 0, 0]
    refused("nodes '1' and '2' are both named 'y'", graph_file, path, label="party", name="party")


def simple(tmp_path, edges, labels="abab", **settings):
    path = written(tmp_path / "g.txt", "# a comment\n" + "\n".join(edges) + "\n")
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


def test_self_loops(tmp_path):
    message = "edge '2'-'2' joins a node to itself, and 0 more"
    data = both(tmp_path, message, [*RING, "2 2"], {"self_loops": "drop"})
    assert data.edges.tolist() == RING_EDGES
    assert data.about["oddities"] == ["1 self loops were left out."]


def test_repeated_edges(tmp_path):
    message = "edge '0'-'1' is given more than once, and 0 more"
    data = both(tmp_path, message, [*RING, "1 0"], {"duplicates": "drop"})
    assert data.edges.tolist() == RING_EDGES
    assert data.about["oddities"] == ["1 repeated edges were left out, the shortest of each stays."]


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
    drop = {"unlabelled": "drop"}
    data = both(tmp_path, "1 nodes are not in l.csv: node '4'", [*RING, "0 4"], drop)
    assert data.edges.tolist() == RING_EDGES
    assert data.about["oddities"] == ["1 nodes without label were left out, with their edges."]
    data = both(tmp_path, "node '0' has no label", RING, drop, labels=["", "a", "b", "a"])
    assert data.edges.tolist() == [[0, 1], [1, 2]]


def test_disconnected(tmp_path):
    edges, labels = [*RING, "4 5"], "ababab?"
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
        hydra.embed(kept, {}, 0)


@pytest.mark.parametrize(
    ("edges", "settings", "message"),
    [
        (["0"], {}, "line 2 is '0'; an edge needs two node names"),
        (["0 1 close"], {}, "line 2 has 'close' after the two nodes"),
        (["0 1 1 2"], {}, "line 2 has '1 2' after the two nodes"),
        (["0 1 -1"], {"length": "weight"}, "edge '0'-'1' has weight -1.0; give every edge a pos"),
        (["0 1 1", "1 2"], {"length": "weight"}, "edge '1'-'2' has weight None"),
        ([], {}, "has no nodes"),
        (RING, {"labels": "aaaa"}, "one class only"),
        (RING, {"component": "all"}, "component = 'all'; choose one of error, largest, keep"),
        (RING, {"labels": ["0.5", "1", "1", "1"]}, "g.txt: nodes as rows, label of row 0 is 0.5"),
        (RING, {"label": None}, "set label to a node attribute"),
        (RING, {"node": "name"}, "no column 'name'; it has: node, label"),
        (RING, {"kind": "graph"}, "unknown setting 'kind'"),
    ],
)
def test_graph_refuses(tmp_path, edges, settings, message):
    path, table, given = simple(tmp_path, edges, **settings)
    refused(message, graph_file, path, table, **given)


def test_node_named_twice_and_unknown_suffix(tmp_path):
    path, table, given = simple(tmp_path, RING)
    written(table, "node,label\n0,a\n0,b\n")
    refused("names node '0' twice", graph_file, path, table, **given)
    refused("unknown suffix '.net'", graph_file, written(tmp_path / "g.net", "x"), label="x")
    refused("is empty", graph_file, written(tmp_path / "g.gml", ""), label="x")


# from the file to points


def test_files_reach_the_embeddings(cells, tmp_path):
    data = loaded(anndata_file, cells(), label="type", features="layers/scaled")
    assert lifted_pca.embed(data, {}, 0).points.shape == (6, 2)
    networkx.write_gml(KARATE, tmp_path / "k.gml")
    data = loaded(graph_file, tmp_path / "k.gml", label="club")
    assert hydra.embed(data, {}, 0).points.shape == (34, 3)


def recipes():
    text = (Path(__file__).resolve().parents[2] / "docs/own_data.md").read_text()
    return [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", text, re.S)]


def test_every_recipe_names_a_loader_and_its_settings():
    entries = [entry for block in recipes() for entry in block["datasets"].values()]
    assert len(entries) >= 6
    for entry in entries:
        module = entry["loader"]
        known = load_object(f"{module}.DEFAULTS")
        assert set(entry["settings"]) <= set(known)
        assert callable(load_object(f"{module}.load"))
        assert "data" in entry["files"]


def test_loaders_import_no_heavy_library_before_they_read():
    modules = "anndata_file, table_file, array_file, graph_file"
    code = f"from noneuclid.datasets import {modules}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert not {"anndata", "h5py", "pandas", "networkx"} & set(done.stdout.split())


def test_listing_is_short():
    assert listing(range(3)) == "0, 1, 2"
    assert listing(range(30), 2) == "0, 1 and 28 more"
    assert listing([]) == "none"
