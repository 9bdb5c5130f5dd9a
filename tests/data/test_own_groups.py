"""Groups of the rows of your own files: read, checked, kept from the features."""

import anndata
import networkx
import numpy as np
import pandas as pd
import pytest

from noneuclid.errors import InputError
from noneuclid_compare import io
from noneuclid_compare.data.own import anndata_file, array_file, graph_file, table_file
from noneuclid_compare.records import Dataset, Split
from noneuclid_compare.stages import split as split_stage

DONORS = ["d2", "d1", "d2", "d1", "d3", "d3", "d1", "d2"]
CODES = [1, 0, 1, 0, 2, 2, 0, 1]


def frame(**columns):
    rng = np.random.default_rng(0)
    features = {f"x{k}": rng.normal(size=8).round(3) for k in range(3)}
    return pd.DataFrame(features | {"kind": list("abababab"), "donor": DONORS} | columns)


@pytest.fixture
def table(tmp_path):
    def load(frame, name="a.csv", **params):
        path = tmp_path / name
        frame.to_parquet(path) if name.endswith("parquet") else frame.to_csv(path, index=False)
        return table_file.load({"data": path}, 0, **{"label": "kind", "groups": "donor"} | params)

    return load


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_groups_of_a_table_are_no_feature(table, name):
    data = table(frame(), name)
    assert data.features.shape == (8, 3)
    assert data.about["columns"] == ["x0", "x1", "x2"]
    assert (data.groups.tolist(), data.group_names) == (CODES, ("d1", "d2", "d3"))
    assert data.about["grouped_by"] == "donor"


@pytest.mark.parametrize(
    ("donors", "names"),
    [
        ([1, 2, 1, 2, 3, 3, 2, 1], ("1", "2", "3")),
        ([1.0, 2, 1, 2, 3, 3, 2, 1], ("1", "2", "3")),
        (["01", "1"] * 4, ("01", "1")),
    ],
)
@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
def test_numbers_of_groups_are_names(table, donors, names, name):
    assert table(frame(donor=donors), name).group_names == names


def test_rows_without_label_need_no_group(table):
    kinds = [*"abababa", ""]
    data = table(frame(kind=kinds, donor=[*DONORS[:7], ""]), unlabeled="drop")
    assert data.groups.tolist() == CODES[:7]


@pytest.mark.parametrize("absent", ["", "NA", None])
def test_a_missing_group_is_named_with_file_and_row(table, absent):
    with pytest.raises(InputError, match=r"a.csv: row 2 has no donor.*and 1 more; fill it in"):
        table(frame(donor=["d1", "d2", absent, "d1", "d3", absent, "d2", "d1"]))


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"groups": "kind"}, "'kind' is the label and the groups"),
        ({"groups": "nothing"}, "has no column 'nothing'"),
        ({"groups": "x0", "features": ["x0", "x1"]}, "the groups 'x0' are among the features"),
        ({"groups": 3}, "groups = 3; give the name of a column"),
        ({"groups": ""}, "groups = ''; give the name"),
    ],
)
def test_groups_that_are_something_else_are_refused(table, params, said):
    with pytest.raises(InputError, match=said):
        table(frame(), **params)


def test_groups_that_look_the_same_are_refused(table):
    with pytest.raises(InputError, match="two groups look alike"):
        table(frame(donor=["d1", "d1\u200b"] * 4))


@pytest.mark.parametrize(
    "pair", [("1", "1.0"), ("1", "1,0"), ("1e1", "10"), ("0", "-0.0"), ("True", "TRUE")]
)
def test_one_value_written_in_two_ways_is_refused(table, pair):
    with pytest.raises(InputError, match=r"a.csv: groups '.*' and '.*' are one value"):
        table(frame(donor=[*pair, "d1", "d2"] * 2))
    long = ["12345678901234567", "12345678901234568", "01", "d"]
    assert len(table(frame(donor=long * 2)).group_names) == 4


def test_numbers_of_groups_have_the_decimal_mark_of_the_file(tmp_path):
    donors = ["1", "1,0", "2,0", "2"] * 2
    frame(donor=donors).to_csv(tmp_path / "a.csv", index=False, sep=";", decimal=",")
    params = {"label": "kind", "groups": "donor", "decimal": ","}
    data = table_file.load({"data": tmp_path / "a.csv"}, 0, **params)
    assert data.group_names == ("1", "2")


@pytest.mark.parametrize("counts", [False, True])
def test_groups_of_cells(tmp_path, counts):
    rng = np.random.default_rng(0)
    X = rng.poisson(3, size=(8, 60)).astype(np.float32)
    table = frame()[["kind", "donor"]].set_index(np.array([f"c{k}" for k in range(8)]))
    anndata.AnnData(X, obs=table).write_h5ad(tmp_path / "a.h5ad")
    params = {"label": "kind", "groups": "donor", "counts": counts}
    settings = {"highly_variable_genes": False, "n_comps": 3} if counts else {}
    data = anndata_file.load({"data": tmp_path / "a.h5ad"}, 0, **params, **settings)
    assert (data.groups.tolist(), data.group_names) == (CODES, ("d1", "d2", "d3"))
    with pytest.raises(InputError, match="has no obs column 'x'"):
        anndata_file.load({"data": tmp_path / "a.h5ad"}, 0, **params | {"groups": "x"})


def ring():
    graph = networkx.cycle_graph(8)
    for k, node in enumerate(graph):
        graph.nodes[node].update(kind="ab"[k % 2], family=DONORS[k])
    return graph


def test_groups_of_a_network(tmp_path):
    networkx.write_graphml(ring(), tmp_path / "a.graphml")
    files = {"data": tmp_path / "a.graphml"}
    data = graph_file.load(files, 0, label="kind", groups="family")
    assert (data.groups.tolist(), data.group_names) == (CODES, ("d1", "d2", "d3"))
    networkx.write_edgelist(ring(), tmp_path / "a.edges", data=False)
    nodes = pd.DataFrame({"node": range(8), "kind": list("abababab"), "family": DONORS})
    nodes.to_csv(tmp_path / "nodes.csv", index=False)
    files = {"data": tmp_path / "a.edges", "labels": tmp_path / "nodes.csv"}
    data = graph_file.load(files, 0, label="kind", groups="family")
    names = [data.group_names[code] for code in data.groups]
    graph = networkx.read_edgelist(tmp_path / "a.edges")
    assert names == [DONORS[int(node)] for node in graph]
    nodes.assign(family=["", *DONORS[1:]]).to_csv(tmp_path / "nodes.csv", index=False)
    with pytest.raises(InputError, match=r"a.edges: node '0' has no family"):
        graph_file.load(files, 0, label="kind", groups="family")


def test_names_of_nodes_are_in_the_first_column_with_no_other_meaning(tmp_path):
    networkx.write_edgelist(ring(), tmp_path / "a.edges", data=False)
    files = {"data": tmp_path / "a.edges", "labels": tmp_path / "nodes.csv"}
    columns = {"family": DONORS, "kind": list("abababab"), "node": range(8)}
    pd.DataFrame(columns).to_csv(files["labels"], index=False)
    data = graph_file.load(files, 0, label="kind", groups="family")
    assert [data.group_names[code] for code in data.groups] == [
        DONORS[int(node)] for node in data.about["columns"]
    ]


@pytest.fixture
def arrays(tmp_path):
    X, kinds = np.random.default_rng(0).normal(size=(8, 3)), np.array(list("abababab"))
    np.savez(tmp_path / "a.npz", X=X, y=kinds, donor=np.array(DONORS), names=list("stuvwxyz"))
    np.save(tmp_path / "a.npy", X)
    np.save(tmp_path / "y.npy", kinds)
    table = pd.DataFrame({"donor": DONORS, "kind": kinds, "who": list("stuvwxyz")})
    table.to_csv(tmp_path / "rows.csv", index=False)
    table[::-1].to_csv(tmp_path / "named.csv", index=False)

    def load(data, labels=None, **params):
        files = {"data": tmp_path / data} | ({"labels": tmp_path / labels} if labels else {})
        return array_file.load(files, 0, groups="donor", **params)

    return load


@pytest.mark.parametrize(
    ("files", "params"),
    [
        (("a.npz",), {}),
        (("a.npy", "a.npz"), {}),
        (("a.npy", "rows.csv"), {"label": "kind"}),
        (("a.npz", "named.csv"), {"label": "kind", "name": "names"}),
        (("a.npz", "named.csv"), {"label": "kind", "name": "names", "id": "who"}),
    ],
)
def test_groups_of_arrays(arrays, files, params):
    data = arrays(*files, **params)
    assert data.labels.tolist() == [0, 1] * 4
    assert (data.groups.tolist(), data.group_names) == (CODES, ("d1", "d2", "d3"))
    assert data.about["grouped_by"] == "donor"


def test_groups_that_arrays_do_not_have(arrays):
    with pytest.raises(InputError, match=r"y.npy holds one array, the labels; for groups give"):
        arrays("a.npy", "y.npy")
    with pytest.raises(InputError, match="'donor' is the label and the groups"):
        arrays("a.npz", label="donor")


def test_the_stage_split_keeps_groups_whole_and_hands_them_on(table, tmp_path):
    data = table(frame())
    io.write_record(tmp_path / "d.npz", data)
    assert io.read_record(tmp_path / "d.npz", Dataset).group_names == data.group_names
    known = ["--dataset", tmp_path / "d.npz", "--repeat", 0, "--seed", 1]
    for scheme, kept in (("leave_one_group_out", True), ("kfold", False)):
        settings = f'{{"scheme": "{scheme}", "folds": 2}}'
        output = tmp_path / f"{scheme}.npz"
        split_stage.main([*map(str, [*known, "--settings", settings, "--output", output])])
        split = io.read_record(output, Split)
        assert split.about["grouped_by"] == "donor"
        assert split.about["n_groups"] == 3
        assert (split.groups is not None) == kept
        assert (split.fold.tolist() == CODES) == kept
