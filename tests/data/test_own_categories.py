"""Your own tables with categories and missing values, and cells that are neither."""

import numpy as np
import pandas
import pytest
from cases import each_of
from mixed_table import SETTINGS, mixed
from own_files import loaded, refused, written

from noneuclid.errors import InputError
from noneuclid_compare.data.files import categories, tables
from noneuclid_compare.data.own import array_file, table_file


def saved(tmp_path, **columns):
    """Path of a table of eight rows with these columns beside two numbers and a label."""
    table = pandas.DataFrame({"x": np.arange(8) / 7, "z": [3.0, 1, 4, 1, 5, 9, 2, 6]})
    table.assign(type=list("abababab"), **columns).to_csv(tmp_path / "t.csv", index=False)
    return tmp_path / "t.csv"


def test_kinds_and_codes_of_columns(tmp_path):
    table = mixed()
    table.to_csv(tmp_path / "t.csv", index=False)
    data = loaded(table_file, tmp_path / "t.csv", **SETTINGS)
    assert data.column_kinds == [
        None,
        None,
        None,
        {"levels": ["Biscoe", "Dream", "Torgersen"], "ordered": False},
        {"levels": ["female", "male"], "ordered": False},
        {"levels": ["S", "M", "L"], "ordered": True},
    ]
    for k, column in enumerate(["bill", "mass", "year"]):
        np.testing.assert_array_equal(data.features[:, k], table[column].astype(float))
    for k in (3, 4, 5):
        column = table.columns[k]
        names = np.array([*data.column_kinds[k]["levels"], None], dtype=object)
        found = names[np.nan_to_num(data.features[:, k], nan=-1).astype(int)]
        assert found.tolist() == table[column].where(table[column].notna(), None).tolist()
    assert data.about["oddities"] == [
        "Categories: island (3 levels), sex (2 levels), size (3 levels).",
        f"Missing values, imputed and marked: bill ({table['bill'].isna().sum()} rows), "
        f"mass ({table['mass'].isna().sum()} rows), sex ({table['sex'].isna().sum()} rows), "
        f"size ({table['size'].isna().sum()} rows).",
    ]


@each_of(
    ("values", "levels", "codes"),
    [
        (["2", "10", "10.0", "2", "2", "10", "2", "2"], ["2", "10"], [0, 1, 1, 0, 0, 1, 0, 0]),
        (["01", "1", "1", "01"] * 2, ["01", "1"], [0, 1, 1, 0] * 2),
        ([True, False] * 4, ["False", "True"], [1, 0] * 4),
        (["yes", "no", " yes", "no "] * 2, ["no", "yes"], [1, 0] * 4),
        (["a", "?", "", "NA", "b", "a", "b", "a"], ["a", "b"], [0, None, None, None, 1, 0, 1, 0]),
        (["a", "?", "b", "a"] * 2, ["a", "b"], [0, None, 1, 0] * 2),
    ],
)
def test_levels_are_names_however_they_are_written(tmp_path, values, levels, codes):
    path = saved(tmp_path, c=values)
    data = loaded(table_file, path, label="type", categories=["c"], missing_values="impute")
    assert data.column_kinds[2] == {"levels": levels, "ordered": False}
    expected = [np.nan if code is None else code for code in codes]
    np.testing.assert_array_equal(data.features[:, 2], expected)


def test_numbers_as_names_follow_the_mark_of_decimals(tmp_path):
    names = {"dose": ["0,5", "1,0", "1", "0,5", "1,0", "0,5", "1", "1,0"], "code": ["1.2", "a"] * 4}
    rows = [f"{k};{k * k};{'ab'[k % 2]};{names['dose'][k]};{names['code'][k]}" for k in range(8)]
    path = written(tmp_path / "t.csv", "\n".join(["x;z;type;dose;code", *rows]))
    given = {"label": "type", "decimal": ",", "categories": ["code"]}
    for levels in ([0.5, 1], ["0,5", "1"], ["0.5", 1]):
        data = loaded(table_file, path, **given, ordered={"dose": levels})
        assert [kind and kind["levels"] for kind in data.column_kinds[2:]] == [
            ["0.5", "1"],
            ["1.2", "a"],
        ]
        assert data.features[:, 2].tolist() == [0, 1, 1, 0, 1, 0, 1, 1]
    kinds = {"dose": data.column_kinds[2]}
    text = "x,z,dose,code\n1,2,0.5,3\n1,2,1.0,3\n"
    rows = tables.rows_of_table(written(tmp_path / "new.csv", text), kinds=kinds)
    assert (rows.features[:, 2].tolist(), rows.oddities) == ([0, 1], [])
    text = path.read_text().replace("\n0;0;a;0,5", "\n0;0;a;0.5")
    written(path, text)
    refused("'dose', row 3 is '0,5', and another row '0.5'; write them alike", table_file, path,
            label="type", decimal=",", categories=["dose", "code"])  # fmt: skip


def test_a_text_that_is_listed_is_no_missing_value(tmp_path):
    path = saved(tmp_path, garage=["None", "small", "large", "NA"] * 2)
    given = {"label": "type", "missing_values": "impute"}
    order = {"garage": ["None", "small", "large"]}
    data = loaded(table_file, path, ordered=order, **given)
    np.testing.assert_array_equal(data.features[:, 2], [0, 1, 2, np.nan] * 2)
    data = loaded(table_file, path, categories=["garage"], missing=["NA"], **given)
    assert data.column_kinds[2]["levels"] == ["None", "large", "small"]


def test_levels_of_rows_without_a_label_are_no_levels(tmp_path):
    path = written(tmp_path / "t.csv", "x,c,y\n1,b,\n2,a,u\n3,c,v\n4,a,u\n5,c,v\n6,a,v\n7,c,u\n")
    data = loaded(table_file, path, label="y", categories=["c"], unlabeled="drop")
    assert data.column_kinds == [None, {"levels": ["a", "c"], "ordered": False}]
    assert data.features[:, 1].tolist() == [0, 1, 0, 1, 0, 1]


@each_of(
    ("cell", "said"),
    [
        ("12 mg", "a number with a unit (1 such rows); remove the unit"),
        ("5kg", "a number with a unit"),
        ("$ 5.50", "a number with a unit"),
        ("20 °C", "a number with a unit"),
        ("5 %", "a percentage (1 such rows); remove the percent sign"),
        ("1,5", "a number with a comma (1 such rows); give decimal: ','"),
        ("1,234.5", "thousands (1 such rows); write them in one"),
        ("1 234", "thousands"),
        ("1.234.567", "thousands"),
        ("2019-01-02", "a date (1 such rows); write days since a date"),
        ("2.1.2019", "a date"),
        ("2019-01-02 12:30", "a date"),
        ("12:30", "a time (1 such rows); write minutes"),
        ("< 0.1", "a limit (1 such rows); write a number, or empty the cell"),
    ],
)
@each_of("settings", [{}, {"missing_values": "impute"}, {"features": ["x", "dose"]}])
def test_cells_that_hold_more_than_a_number_are_named(tmp_path, cell, said, settings):
    path = saved(tmp_path, dose=["1", "2", cell, *"45678"])
    message = refused("column 'dose', row 2 is", table_file, path, label="type", **settings)
    assert f"row 2 is {cell!r}, not a number but {said}" in message
    assert "list it if it holds categories: categories: ['dose']" in message
    assert tables.form_of("mg") is None


@each_of(
    ("columns", "settings", "message"),
    [
        ({"c": list("abcdefgh")}, {"categories": ["c"]}, "'c' is no category: 8 of its 8 values"),
        ({"c": [None] * 8}, {"categories": ["c"]}, "'c' is no category: it has no value"),
        ({"c": ["a", "a\u200b"] * 4}, {"categories": ["c"]}, "two values of 'c' look alike"),
        ({"c": list("aabbaabb")}, {"categories": ["d"]}, "no column 'd'; it has: x, z, type, c"),
        ({"c": list("aabbaabb")}, {"categories": ["c"], "drop": ["c"]}, "'c' is not among the fea"),
        ({"c": list("aabbaabb")}, {"categories": ["c", "c"]}, "categories = .* each once"),
        ({"c": list("aabbaabb")}, {"categories": "c"}, "categories = 'c'; give a list"),
        (
            {"c": list("aabbaabb")},
            {"categories": ["c"], "ordered": {"c": ["a", "b"]}},
            "'c'. is in categories and in ordered",
        ),
        ({"c": list("aabbaabc")}, {"ordered": {"c": ["a", "b"]}}, "row 7 is 'c', which ordered"),
        ({"c": list("aabbaabb")}, {"ordered": {"c": ["a"]}}, "ordered = .*from low to high"),
        ({"c": list("aabbaabb")}, {"ordered": {"c": [True, False]}}, "yes and no in quotes"),
        ({"c": list("aabbaabb")}, {"ordered": ["c"]}, "ordered = "),
        ({"c": list("aabbaabb")}, {"ordered": {"c": ["1", 1.0]}}, "each once"),
        (
            {"c": ["a", None] * 4},
            {"categories": ["c"]},
            "row 2 counted from 1, column 'c' is empty.*set missing_values: impute",
        ),
        ({"c": [1.0, None] * 4}, {}, "column 'c' is empty or nan.*set missing_values: impute"),
        ({"c": [None] * 8}, {"missing_values": "impute"}, "column 'c' is empty, as in all rows"),
        ({"c": [1, np.inf] * 4}, {"missing_values": "impute"}, "column 'c' is inf"),
        ({"c": ["1", "?"] * 4}, {}, "column 'c', row 1 is '\\?', not a number"),
        ({"c": ["1", "none"] * 4}, {"missing_values": "impute"}, "row 1 is 'none', not a number"),
        ({}, {"missing_values": "drop"}, "missing_values = 'drop'; choose one of error, impute"),
        ({}, {"missing_values": "impute", "chart": "klein"}, "belong to kind features, not points"),
        (
            {"c": list("aabbaabb")},
            {"categories": ["c"], "kind": "composition", "normalize": True},
            "belong to kind features, not composition",
        ),
        ({}, {"missing_values": "impute", "kind": "expression"}, "features, not expression"),
    ],
)
def test_what_is_no_category_is_refused(tmp_path, columns, settings, message):
    refused(message, table_file, saved(tmp_path, **columns), label="type", **settings)


def test_more_than_a_hundred_levels_are_no_category(tmp_path):
    names = [f"n{k // 2}" for k in range(202)]
    table = pandas.DataFrame({"x": np.arange(202) % 7, "c": names, "y": ["u", "v"] * 101})
    table.to_csv(tmp_path / "t.csv", index=False)
    message = "it has 101 values, more than 100"
    refused(message, table_file, tmp_path / "t.csv", label="y", categories=["c"])
    table.iloc[:200].to_csv(tmp_path / "t.csv", index=False)
    data = loaded(table_file, tmp_path / "t.csv", label="y", categories=["c"])
    assert len(data.column_kinds[1]["levels"]) == 100


def test_marks_of_missing_numbers_are_those_of_labels(tmp_path):
    path = saved(tmp_path, c=["1.5", "?", "2", "NA", " ", "3", "4", "5"])
    data = loaded(table_file, path, label="type", missing_values="impute")
    expected = [1.5, np.nan, 2, np.nan, np.nan, 3, 4, 5]
    np.testing.assert_array_equal(data.features[:, 2], expected)
    path = saved(tmp_path, c=["1.5", "-", "2", "3"] * 2)
    data = loaded(table_file, path, label="type", missing_values="impute", missing=["-"])
    np.testing.assert_array_equal(data.features[:, 2], [1.5, np.nan, 2, 3] * 2)


def test_parquet_keeps_types(tmp_path):
    table = pandas.DataFrame({"x": np.arange(6.0), "y": list("uvuvuv")})
    table["size"] = pandas.Categorical(list("SLSLSL"), ["S", "M", "L"], ordered=True)
    table["code"] = pandas.array([1, None, 2, 1, 2, 1], dtype="Int64")
    table["flag"] = pandas.array([True, None, False] * 2, dtype="boolean")
    table.to_parquet(tmp_path / "t.parquet")
    given = {"label": "y", "missing_values": "impute", "categories": ["code", "flag", "size"]}
    data = loaded(table_file, tmp_path / "t.parquet", **given)
    assert [kind and kind["levels"] for kind in data.column_kinds] == [
        None,
        ["L", "S"],
        ["1", "2"],
        ["False", "True"],
    ]
    np.testing.assert_array_equal(data.features[:, 2], [0, np.nan, 1, 0, 1, 0])


def test_arrays_with_missing_values(tmp_path):
    X = np.array([[1.0, np.nan], [2, 3], [4, 5], [6, 7]])
    np.savez(tmp_path / "a.npz", X=X, y=[0, 1, 0, 1])
    refused("row 1 counted from 1, column 2 is empty", array_file, tmp_path / "a.npz")
    data = loaded(array_file, tmp_path / "a.npz", missing_values="impute")
    assert data.column_kinds == [None, None]
    np.testing.assert_array_equal(data.features, X)


def test_a_new_level_is_named_where_no_value_may_be_missing():
    kind = {"levels": ["S", "M"], "ordered": True}
    codes, unseen = categories.recognise(["M", "XL"], kind, {})
    assert (codes[0], np.isnan(codes[1]), unseen) == (1.0, True, ["XL"])
    said = r"^f, row 1 is 'XL', no level of training; its levels are S, M: correct"
    with pytest.raises(InputError, match=said):
        categories.recognise(["M", "XL"], kind, {}, where="f")
    kind["ordered"] = False
    assert categories.recognise(["M", "XL"], kind, {}, where="f")[0].tolist() == [1.0, -1.0]
