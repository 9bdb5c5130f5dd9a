"""Files that can be read and yet mislead: each is refused in a line that names the remedy."""

import gzip
import io
import json
import zipfile

import networkx
import numpy as np
import pandas
import pytest
from cases import each_of
from own_files import RNG, X, frame, loaded, refused, written

from noneuclid.errors import InputError
from noneuclid_compare.data.checks import encode
from noneuclid_compare.data.own import (
    anndata_file,
    array_file,
    graph_file,
    table_file,
    train_test_npz,
)
from noneuclid_compare.evaluation import splits
from noneuclid_compare.stages import acquire

SORTED = np.repeat(["a", "b"], 10)
BIG = 2**53 + 1


def numbered(column, values, name="t.csv"):
    """Sorted rows with a column that numbers them."""
    data = pandas.DataFrame({column: values, "x": RNG.normal(size=20), "type": SORTED})
    return name, data


@each_of(
    ("column", "values", "message"),
    [
        ("Unnamed: 0", np.arange(20), "column 'Unnamed: 0' is an index that pandas wrote"),
        ("Unnamed: 0.1", np.arange(20) * 3, "column 'Unnamed: 0.1' is an index that pandas wrote"),
        ("index", np.arange(20), "column 'index' numbers the rows .row 0 is 0.; .*set id: 'index'"),
        ("X", np.arange(1, 21), r"column 'X' numbers the rows .* or drop: \['X'\]"),
        ("Column1", np.arange(7.0, 27.0), "column 'Column1' numbers the rows"),
        ("level_0", RNG.permutation(20), "column 'level_0' numbers the rows"),
        ("__index_level_0__", np.arange(20) * 3, "'__index_level_0__' is an index that pandas"),
    ],
)
def test_a_column_that_numbers_the_rows_is_no_feature(tmp_path, column, values, message):
    name, data = numbered(column, values)
    path = tmp_path / name
    data.to_csv(path, index=False)
    refused(message, table_file, path, label="type")
    for settings in ({"id": column}, {"drop": [column]}, {"features": ["x"]}):
        assert loaded(table_file, path, label="type", **settings).about["columns"] == ["x"]
    listed = loaded(table_file, path, label="type", features=[column, "x"])
    assert listed.about["columns"] == [column, "x"]


def test_other_whole_numbers_are_features(tmp_path):
    for values in (np.arange(20) * 2, np.r_[0:19, 0], RNG.integers(0, 5, 20)):
        _, data = numbered("count", values)
        data.to_csv(tmp_path / "t.csv", index=False)
        found = loaded(table_file, tmp_path / "t.csv", label="type")
        assert found.about["columns"] == ["count", "x"]


@each_of("value", [BIG, -BIG, 10**30])
@each_of("suffix", ["csv", "parquet"])
def test_integers_that_float64_rounds_are_refused(tmp_path, value, suffix):
    if abs(value) > 2**63 and suffix == "parquet":
        pytest.skip("no such integers in parquet")
    data = frame(account=[1, 2, 3, value, 4, 5])
    path = tmp_path / f"t.{suffix}"
    data.to_csv(path, index=False) if suffix == "csv" else data.to_parquet(path)
    message = f"column 'account', row 3 is {value}, an integer beyond 2.53"
    refused(message, table_file, path, label="type")
    data["account"] = [1, 2, 3, 2**53, 4, 5]
    data.to_csv(path, index=False) if suffix == "csv" else data.to_parquet(path)
    assert loaded(table_file, path, label="type").features[3, 3] == 2**53


@pytest.mark.parametrize("kind", [np.int64, np.uint64])
def test_integers_of_arrays_that_float64_rounds_are_refused(tmp_path, kind):
    values = np.arange(12).reshape(6, 2).astype(kind)
    values[4, 1] = BIG
    path = tmp_path / "a.npz"
    np.savez(path, X=values, y=list("ababab"))
    refused(f"array 'X': row 4, column 1 is {BIG}, an integer beyond", array_file, path)
    np.savez(path, x_train=values, y_train=[0, 1] * 3, x_test=values, y_test=[0, 1] * 3)
    with pytest.raises(InputError, match=r"x_train\[4, 1\] is .*an integer beyond"):
        train_test_npz.load({"embedding": path}, 0)


def test_whole_labels_of_any_size_are_kept_apart(tmp_path):
    rows = [f"{k / 7},{2**53 + k % 2}" for k in range(6)] + [f"0.5,{'9' * 400}"] * 2
    path = written(tmp_path / "t.csv", "x,y\n" + "\n".join(rows))
    names = loaded(table_file, path, label="y").class_names
    assert names == (str(2**53), str(BIG), "9" * 400)
    with pytest.raises(InputError, match=r"label of row 1 is 1e\+17, a float beyond 2\^53"):
        encode([1.0, 1e17, 2.0])


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_of_one_name_are_refused(tmp_path):
    path = tmp_path / "a.npz"
    keys = {"X": X, "y": np.array(list("ababab")), "x_train": X, "x_test": X}
    keys |= {"y_train": np.arange(6) % 2, "y_test": np.arange(6) % 2}
    for name in ("X.npy", "y", "x_test.npy"):
        np.savez(path, **keys)
        stream = io.BytesIO()
        np.save(stream, keys[name.removesuffix(".npy")][::-1])
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr(name, stream.getvalue())
        given = name.removesuffix(".npy")
        message = f"a.npz holds 2 arrays named '{given}'; rename all but one"
        if given == "x_test":
            with pytest.raises(InputError, match=message):
                train_test_npz.load({"embedding": path}, 0)
        else:
            refused(message, array_file, path)


def test_labels_kept_as_bytes_are_text(tmp_path):
    labels = [b"a", b"\xc3\xa9", b"a", b"a", b"\xc3\xa9", b"a"]
    frame().drop(columns="type").assign(type=labels).to_parquet(tmp_path / "t.parquet")
    data = loaded(table_file, tmp_path / "t.parquet", label="type")
    assert data.class_names == ("a", "\u00e9")
    parts = {"x_train": X, "y_train": np.array(labels), "x_test": X, "y_test": np.array(labels)}
    np.savez(tmp_path / "a.npz", **parts)
    chart = {"chart": "tangent"}
    data = train_test_npz.load({"embedding": tmp_path / "a.npz"}, 0, **chart)
    assert data.class_names == ("a", "\u00e9")
    assert encode([b"b", "a", b"a"])[1] == ("a", "b")
    labels[1] = b""
    frame().drop(columns="type").assign(type=labels).to_parquet(tmp_path / "t.parquet")
    refused("row 1 has no label", table_file, tmp_path / "t.parquet", label="type")
    labels[1] = b"\xe9"
    frame().drop(columns="type").assign(type=labels).to_parquet(tmp_path / "t.parquet")
    message = r"t.parquet: label of row 1 is b'\\xe9', bytes that are not UTF-8"
    refused(message, table_file, tmp_path / "t.parquet", label="type")


@each_of("text", ["?", "None", "NA", "NULL", "#N/A", " ? "])
def test_every_word_for_no_label_is_refused_unless_it_is_called_a_class(tmp_path, text):
    path = written(tmp_path / "t.csv", f"x,y\n0,a\n1,{text}\n2,b\n3,{text}\n")
    message = rf"t.csv: row 1 has no label \('{text}'\), and 1 more; .*drop; if '{text.strip()}' is"
    refused(message.replace("?", r"\?"), table_file, path, label="y")
    assert loaded(table_file, path, label="y", unlabeled="drop").class_names == ("a", "b")
    found = loaded(table_file, path, label="y", missing=["-"]).class_names
    assert set(found) == {"a", "b", text}
    edges = written(tmp_path / "g.txt", "0 1\n1 2\n2 0\n")
    table = written(tmp_path / "l.csv", f"node,y\n0,a\n1,{text}\n2,b\n")
    refused("node '1' has no label", graph_file, edges, table, label="y")
    found = loaded(graph_file, edges, table, label="y", missing=[]).class_names
    assert set(found) == {"a", "b", text}
    refused("missing = 'NA'; give a list of texts", table_file, path, label="y", missing="NA")


@each_of(
    "other",
    [
        "a\u200b",
        "\ufeffa",
        "a\u00a0",
        "a\u00ad",
        "a\u2060",
        "\u200ea",
        "a\u034f",
        "a\ufe0f",
        "\u3164a",
    ],
)
def test_classes_that_look_the_same_are_refused(tmp_path, other):
    rows = "".join(f"{k}.5,{name}\n" for k, name in enumerate(["a", other, "a", other]))
    path = written(tmp_path / "t.csv", "x,y\n" + rows)
    line = refused("two classes look alike, .*'a'", table_file, path, label="y")
    assert ascii(other) in line
    parts = {
        "x_train": X[:4] / 9,
        "y_train": ["a", other] * 2,
        "x_test": X[:1] / 9,
        "y_test": ["a"],
    }
    np.savez(tmp_path / "a.npz", **parts)
    with pytest.raises(InputError, match="two classes look alike"):
        train_test_npz.load({"embedding": tmp_path / "a.npz"}, 0)
    edges = written(tmp_path / "g.tsv", f"a\tb\nb\t{other}\n")
    table = written(tmp_path / "l.tsv", f"node\ty\na\tu\nb\tv\n{other}\tu\n")
    if not other.startswith("\ufeff"):
        refused("g.tsv: two nodes look alike", graph_file, edges, table, label="y")


@pytest.mark.parametrize("two", [("a b", "a  b"), ("a b", "a\u2009b"), ("\u00e9", "e\u0301")])
def test_spaces_and_accents_do_not_make_two_classes(tmp_path, two):
    np.savez(tmp_path / "a.npz", X=X, y=[*two] * 3)
    refused("a.npz: two classes look alike", array_file, tmp_path / "a.npz")


def test_letters_that_differ_make_two_classes(tmp_path):
    names = ("IFN\u03b2", "IFN\u03b3", "x2", "x\u00b2", "A", "a")
    np.savez(tmp_path / "a.npz", X=X, y=[*names])
    assert set(loaded(array_file, tmp_path / "a.npz").class_names) == set(names)


def test_an_invisible_character_in_a_name_is_shown(tmp_path):
    path = written(tmp_path / "t.csv", "x,type\u200b\n1,a\n2,b\n")
    assert r"it has: x, 'type\u200b'" in refused("no column", table_file, path, label="type")


@each_of("name", ["t.csv", "t.csv.gz", "g.gml", "g.graphml", "g.txt", "g.csv.gz"])
def test_latin_1_asks_for_utf_8(tmp_path, name):
    texts = {
        "t": "x,type\n1,caf\u00e9\n2,b\n",
        "g.gml": 'graph [\nnode [ id 1 kind "caf\u00e9" ]\n]\n',
        "g.graphml": '<graphml><graph>\n<node id="\u00e9"/></graph></graphml>',
        "g": "a,b\nb,caf\u00e9\n",
    }
    text = texts.get(name) or texts[name[0]]
    path = tmp_path / name
    content = text.encode("latin-1")
    path.write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    module = table_file if name[0] == "t" else graph_file
    line = refused("line 2 holds the byte 0xe9.*; save it as UTF-8", module, path, label="type")
    assert "make it again" not in line
    assert "cut" not in line


@pytest.mark.parametrize("suffix", ["txt", "csv", "gml"])
def test_compressed_graphs(tmp_path, suffix):
    graph = networkx.karate_club_graph()
    content = "\n".join(networkx.generate_gml(graph))
    if suffix != "gml":
        content = "\n".join(f"{a},{b}" if suffix == "csv" else f"{a} {b}" for a, b in graph.edges)
    path = tmp_path / f"g.{suffix}.gz"
    path.write_bytes(gzip.compress(content.encode()))
    rows = "\n".join(f"{k},{value}" for k, value in graph.nodes(data="club"))
    table = written(tmp_path / "l.csv", "node,club\n" + rows)
    assert len(loaded(graph_file, path, table, label="club").edges) == 78


@pytest.mark.parametrize("module", [table_file, array_file, graph_file, anndata_file])
def test_a_folder_is_called_a_folder(tmp_path, module):
    suffix = {table_file: "csv", array_file: "npz", graph_file: "gml", anndata_file: "h5ad"}[module]
    path = tmp_path / f"x.{suffix}"
    path.mkdir()
    refused("is a folder: give the path of a file in it", module, path, label="y")
    if module is array_file:
        with pytest.raises(InputError, match="is a folder"):
            train_test_npz.load({"embedding": path}, 0)


@pytest.mark.parametrize("value", ["1e308", "-1e300", "1e101"])
def test_features_whose_squares_overflow_are_refused(tmp_path, value):
    path = written(tmp_path / "t.csv", f"x,z,type\n1,2,a\n3,{value},b\n")
    message = r"row 2 counted from 1, column 'z' is -?1e\+\d+, beyond 1e\+100; correct it, or"
    refused(message, table_file, path, label="type")


def test_a_number_to_predict_is_told_from_classes(tmp_path):
    ages = [25, 31, 47, 47, 52, 66, 70, 71, 80, 80]
    rows = "\n".join(f"{k % 7},{age}" for k, age in enumerate(ages))
    path = written(tmp_path / "t.csv", "x,age\n" + rows)
    message = "8 labels are numbers, and 6 of them, the first 25, occur once; .*numeric: true"
    refused(message, table_file, path, label="age")
    assert loaded(table_file, path, label="age", numeric=True).target.tolist() == ages
    np.savez(tmp_path / "a.npz", X=X, y=[25, 25, 31, 31, 47, 52])
    assert len(loaded(array_file, tmp_path / "a.npz").class_names) == 4


@pytest.mark.parametrize(("names", "found"), [(("25", "-3"), True), (("25", "b"), False)])
def test_a_small_class_of_a_number_asks_for_numeric(names, found):
    labels = np.array([0] + [1] * 9)
    with pytest.raises(InputError, match="class '25' has 1 member") as caught:
        splits.make_split(labels, names, 0, 0, folds=2)
    assert ("set numeric: true" in str(caught.value)) is found


def test_a_refusal_leaves_nothing_behind(tmp_path):
    path = written(tmp_path / "t.csv", "x,y\n1,a\n2,?\n3,b\n")
    output = tmp_path / "results/d.npz"
    arguments = ["--name", "d", "--use", "table_file", "--seed", "0"]
    arguments += ["--files", json.dumps({"data": str(path)}), "--output", str(output)]
    with pytest.raises(InputError, match=r"data set d: t\.csv: row 1 has no label"):
        acquire.main([*arguments, "--params", json.dumps({"label": "y"})])
    assert not output.parent.exists()
