"""Your own tables: as pandas and R write them, and every way in which they can be wrong."""

import numpy as np
import pandas
import pyarrow
import pytest
from cases import each_of
from own_files import CODES, NAMES, TYPES, X, cut, frame, loaded, refused, written
from pyarrow import parquet

from noneuclid_compare.data.files import tables
from noneuclid_compare.data.own import table_file


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


@each_of(
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
    assert data.kind == "features"
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
    data = loaded(table_file, path, label="type", drop=["n", "type2"])
    check_table(data)
    assert set(data.about["oddities"]) == {"Columns left out: type2, n."}
    data = loaded(table_file, path, label="type2", features=["c", "a"], groups="type")
    np.testing.assert_array_equal(data.features, X[:, [2, 0]])
    assert data.class_names == NAMES
    assert data.about["oddities"] == ["Columns left out: b, n."]
    refused(
        "row 3 counted from 1, column 'n' is empty", table_file, path, label="type", drop=["type2"]
    )
    frame().set_index("type").to_parquet(path)
    refused("no column 'type'; it has: a, b, c", table_file, path, label="type")
    twice = pyarrow.Table.from_pandas(frame()).rename_columns(["a", "b", "a", "type"])
    parquet.write_table(twice, path)
    refused("2 columns are named 'a'; rename all but one", table_file, path, label="type")
    frame().to_parquet(path)
    refused("cannot be read as a parquet table", table_file, cut(path), label="type")


def test_quoted_commas_and_ids(table):
    data = frame(id=[f"s{k}, left" for k in range(6)]).replace({"type": {"T": "T, CD4"}})
    found = loaded(table_file, table(data=data), label="type", id="id")
    assert found.class_names == ("B", "NK", "T, CD4")
    np.testing.assert_array_equal(found.features, X)
    data["id"] = "one"
    found = loaded(table_file, table(data=data), label="type", id="id")
    assert "1 sample name occurs more than once: 'one'." in found.about["oddities"]


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        (["10", "9", "10"], ("9", "10")),
        (["1.0", "2.0", "1.0"], ("1", "2")),
        (["01", "1", "2"], ("01", "1", "2")),
        (["True", "False", "True"], ("False", "True")),
    ],
)
def test_labels_of_a_text_table(tmp_path, labels, names):
    rows = "\n".join(f"{k},{label}" for k, label in enumerate(labels))
    data = loaded(table_file, written(tmp_path / "t.csv", "x,y\n" + rows), label="y")
    assert data.class_names == names


@each_of("missing", ["", "NA", "nan", "null", "N/A"])
@each_of("names", [("a", "b"), ("1", "2")])
def test_missing_labels_of_a_text_table(tmp_path, missing, names):
    first, second = names
    path = written(tmp_path / "t.csv", f"x,y\n0,{first}\n1,{missing}\n2,{second}\n")
    refused(f"row 1 has no label \\('{missing}'\\)", table_file, path, label="y")
    data = loaded(table_file, path, label="y", unlabeled="drop")
    assert data.class_names == names
    assert data.features.ravel().tolist() == [0, 2]


@each_of("name", ["NA", "nan", "None", "null", ""])
@each_of("column", ["cell", ""])
def test_samples_are_named_as_the_file_says(tmp_path, name, column):
    path = written(tmp_path / "t.csv", f"{column},x,y\n{name},1,a\n01,2,b\n")
    rows = tables.rows_of_table(path, "y", id=column or None)
    assert rows.names == [name, "01"]
    assert rows.features.tolist() == [[1], [2]]


@each_of("first", [(0, 1), (1, 3), ("a", "b")])
@each_of("blank", ["", "\n"])
def test_values_without_a_column_are_no_index(tmp_path, first, blank):
    one, two = first
    path = written(tmp_path / "t.csv", f"x,y\n{blank}{one},1,a\n{two},2,b\n")
    refused("more values than the header has names", table_file, path, label="y")


@each_of(
    ("text", "message"),
    [
        ("a,b,type\n1,2,T\n3,x,B\n", "column 'b', row 1 is 'x', not a number"),
        ("a,b,type\n1,2,T\n3,,B\n", "row 2 counted from 1, column 'b' is empty or nan"),
        ("a,b,type\n1,2,T\n3,inf,B\n", "row 2 counted from 1, column 'b' is inf"),
        ("a,b,type\n1,2,T\n3,2019-01-02,B\n", "column 'b', row 1 is '2019-01-02', not a number"),
        ("a,b,kind\n1,2,T\n3,4,B\n", "no column 'type'; it has: a, b, kind"),
        ("a,a,type\n1,2,T\n3,4,B\n", "2 columns are named 'a'; rename all but one"),
        ("a,b,type \n1,2,T\n3,4,B\n", "no column 'type'; it has: a, b, 'type '"),
        ("a,,type\n1,2,T\n3,4,B\n", "column 1 has no name"),
        ("a,b,type\n1,2,T,\n3,4,B,\n", "more values than the header has names"),
        ("a,b,type\n1,2,T\n3,4,B,5\n", "cannot be read as a table .*line 3"),
        ("a,b,type\n1,2,T\n3,4,T\n", "one class only"),
        ("a,b,type\n", "a header but no rows"),
        ("\n\n", "no header"),
        ("type\nT\nB\n", "no feature column is left"),
        ("a,b,type\n1,2,0.5\n3,4,0.7\n", "a continuous value"),
        ("a,b,type\n1,2,T\n3,4,T \n", "two classes look alike, 'T' and 'T '"),
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
    latin = written(tmp_path / "l.csv", "é,t\n1,a", "latin-1")
    refused("line 1 holds the byte 0xe9 .*save it as UTF-8", table_file, latin, label="t")
    refused("about has note: 'x'", table_file, path, label="type", about={"note": "x"})


def test_rows_are_counted_in_words_after_dropping(tmp_path):
    path = written(tmp_path / "t.csv", "x,y\n0,\n2,a\n0.1,b\n")
    message = r"row 0 .*outside the Poincar"
    refused(message, table_file, path, label="y", unlabeled="drop", chart="poincare")
    path = written(tmp_path / "t.csv", "x,y\n0,\n,a\n0.1,b\n")
    message = (
        r"row 1 counted from 1, column 'x' is empty.*\(rows counted without 1 unlabelled ones\)"
    )
    refused(message, table_file, path, label="y", unlabeled="drop")


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


def test_labels_that_look_alike_are_refused(tmp_path):
    data = frame().assign(type=["caf\u00e9", "cafe\u0301", "x", "x", "x", "x"])
    data.to_csv(tmp_path / "t.csv", index=False)
    refused("two classes look alike", table_file, tmp_path / "t.csv", label="type")


@pytest.mark.parametrize("column", ["note", "id"])
def test_a_stray_quote_does_not_swallow_rows(tmp_path, column):
    lines = [f"n{k},{k},{'ab'[k % 2]}" for k in range(12)]
    lines[3] = '"' + lines[3]
    lines[7] = lines[7].replace(",", '",', 1)
    path = written(tmp_path / "t.csv", f"{column},x,type\n" + "\n".join(lines) + "\n")
    settings = {"drop": ["note"]} if column == "note" else {"id": "id"}
    message = f"column '{column}', row 3 holds several lines"
    refused(message, table_file, path, label="type", **settings)


def test_a_zero_byte_does_not_end_a_value(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"x,type\n1,a\n2\x003,b\n4,a\n")
    refused("line 3 contains a zero byte", table_file, path, label="type")
    path.write_bytes("x,type\n1,a\n2,b\n".encode("utf-16"))
    refused("line 1 contains a zero byte", table_file, path, label="type")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"features": "xy"}, "features = 'xy'; give a list"),
        ({"features": ["x", "x"]}, "features = .*each once"),
        ({"drop": "y"}, "drop = 'y'; give a list"),
        ({"kind": "composition", "normalize": "false"}, "normalize = 'false'"),
    ],
)
def test_settings_of_another_type_are_refused(tmp_path, settings, message):
    path = written(tmp_path / "t.csv", "x,y,type\n1,2,a\n3,4,b\n")
    refused(message, table_file, path, label="type", **settings)


def test_a_point_is_refused_where_commas_mark_decimals(tmp_path):
    path = written(tmp_path / "t.csv", "x;type\n1.234;a\n2,5;b\n")
    refused("row 0 is '1.234', not a number", table_file, path, label="type", decimal=",")
    path = written(tmp_path / "v.csv", "x;type\n2,5;a\n1.234;b\n")
    refused("row 1 is '1.234', not a number", table_file, path, label="type", decimal=",")
    path = written(tmp_path / "u.csv", "x;y\n1;2,5\n2;1.234\n")
    refused("label of row 1 is '1.234'", table_file, path, label="y", decimal=",", numeric=True)


NUMBERED = "x,y\n1,{}\n2,10\n3,2\n4,{}\n5,10\n6,2\n"


@pytest.mark.parametrize("none", ["?", "NA", " "])
def test_a_missing_label_does_not_turn_numbers_into_text(tmp_path, none):
    path = written(tmp_path / "t.csv", NUMBERED.format(none, "2.0"))
    data = loaded(table_file, path, label="y", unlabeled="drop")
    # As text, 10 would precede 2, and 2.0 would be a class of its own.
    assert data.class_names == ("2", "10")
    assert data.labels.tolist() == [1, 0, 0, 1, 0]


def test_a_missing_label_of_the_users_own_does_not_either(tmp_path):
    path = written(tmp_path / "t.csv", NUMBERED.format("-", "2.0"))
    data = loaded(table_file, path, label="y", unlabeled="drop", missing=["-"])
    assert data.class_names == ("2", "10")


@each_of(
    ("values", "settings", "message"),
    [
        (["1.5e-01", "-2.5e+00", "3.1e-01", "4.2e-01"], {}, "a continuous value"),
        (["0.15", "?", "0.31", "0.42"], {"unlabeled": "drop"}, "a continuous value"),
        (["0,15", "0,25", "0,31", "0,42"], {"decimal": ","}, "a continuous value"),
        (["0.15", "bad", "0.31", "0.42"], {}, "3 of 4 labels are numbers.*correct 'bad'"),
        (["1_0", "1", "2", "3"], {"numeric": True}, "row 0 is '1_0', not a number"),
        (["1e300", "1", "2", "3"], {"numeric": True}, "row 0 is 1e300, beyond 1e\\+100"),
        (["1.000", "2.000"] * 2, {"numeric": True, "decimal": ","}, "'1.000', not a number"),
    ],
)
def test_a_number_to_predict_is_not_read_as_classes_or_changed(tmp_path, values, settings, message):
    lines = "\n".join(f"{k};{value}" for k, value in enumerate(values))
    path = written(tmp_path / "t.csv", f"x;y\n{lines}\n")
    refused(message, table_file, path, label="y", **settings)


def test_a_target_with_decimal_commas(tmp_path):
    path = written(tmp_path / "t.csv", "x;y\n1;2,5\n2;3,25\n3;4\n4;1,5\n")
    data = loaded(table_file, path, label="y", numeric=True, decimal=",")
    assert data.target.tolist() == [2.5, 3.25, 4.0, 1.5]


@pytest.mark.parametrize("place", [slice(None), slice(None, None, -1)])
def test_numbers_of_samples_with_gaps_are_reported(tmp_path, place):
    """As they are left where rows of a table were filtered."""
    numbers = np.delete(np.arange(20), [3, 4, 11])[place]
    lines = [f"{number},{k % 3},{'ab'[k % 2]}" for k, number in enumerate(numbers)]
    path = written(tmp_path / "t.csv", "\n".join(["sample,x,y", *lines]))
    said = loaded(table_file, path, label="y").about["oddities"]
    expected = [
        "Integers increase from row to row in sample. If they number the samples, set id or drop."
    ]
    assert said == (expected if place.step is None else [])
