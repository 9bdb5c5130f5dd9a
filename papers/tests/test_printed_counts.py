"""Counts of printed numbers: those of section 4.4 of chlenski2024, and rows printed twice."""

import pandas as pd
import pytest
from paper_mirror import ROOT

from noneuclid_papers.printed import repeated_rows
from noneuclid_papers.stages.published import read_words

TABLE = read_words(ROOT / "papers/printed/chlenski2024.tsv")
TREES = {"HyperDT": ("sklearn DT", "HoroDT"), "HyperRF": ("sklearn RF", "HoroRF")}
PAIRS = {
    ("HyperDT", "sklearn DT"): "DT vs HyperDT",
    ("HyperDT", "HoroDT"): "HoroDT vs HyperDT",
    ("HyperRF", "sklearn RF"): "RF vs HyperRF",
    ("HyperRF", "HoroRF"): "HoroRF vs HyperRF",
}


def wide(name):
    part = TABLE[TABLE["table"] == name]
    values = part.assign(value=pd.to_numeric(part["value"]))
    return values.pivot(index=["dataset", "variant"], columns="method", values="value")


def stated(method, variant, metric):
    part = TABLE[(TABLE["table"] == "text") & (TABLE["method"] == method)]
    row = part[(part["variant"] == variant) & (part["metric"] == metric)]
    return int(row["value"].iloc[0])


@pytest.mark.parametrize("method", TREES)
def test_best_methods_of_table_1(method):
    scores = wide("table_1")
    assert len(scores) == stated("all", "section 4.4", "settings")
    others = scores[list(TREES[method])]
    best = scores[method] >= others.max(axis=1)
    assert best.sum() == stated(method, "section 4.4", "best")
    for other in TREES[method]:
        ties = (best & (scores[method] == scores[other])).sum()
        if ties:
            assert ties == stated(method, f"section 4.4, tie with {other}", "best")


@pytest.mark.parametrize(("pair", "column"), PAIRS.items(), ids=PAIRS.values())
def test_significant_differences_of_tables_1_and_6(pair, column):
    first, second = pair
    scores, p = wide("table_1"), wide("table_6")[column]
    if pair == ("HyperDT", "HoroDT"):  # marked in table 1; the authors' notebook has 2.33e-03
        assert p["Gaussian", "D8_n100"] == 0.233
        p["Gaussian", "D8_n100"] = 2.331679e-03
    rival = next(name for name in TREES[first] if name != second)
    for better, worse in (pair, pair[::-1]):
        best = scores[better] >= scores[[worse, rival]].max(axis=1)
        wins = ((p < 0.05) & best & (scores[better] > scores[worse])).sum()
        found = TABLE[(TABLE["table"] == "text") & (TABLE["method"] == better)]
        found = found[found["variant"] == f"section 4.4, over {worse}"]
        if len(found):
            assert wins == int(found["value"].iloc[0])


def test_rows_that_chlenski2024_prints_twice():
    table = TABLE[TABLE["row_of"] != ""]
    # HyperDT on 800 points in four dimensions: tables 2 and 3 have the numbers of table 1.
    assert len(table) == 8
    assert set(table["method"]) == {"HyperDT"}
    found = repeated_rows.counted_in(TABLE.to_dict("records"))
    assert [text for text in found if text] == table["row_of"].tolist()


def test_rows_that_yang2024_prints_twice():
    table = read_words(ROOT / "papers/printed/yang2024.tsv")
    rows = table.to_dict("records")
    first = repeated_rows.counted_in(rows)
    best = table["table"].isin(["table_2", "table_3"])
    # Eight numbers of eight and of ten data sets; seven differ from those of their row.
    assert (table["row_of"] != "").tolist() == best.tolist()
    assert (best.sum(), sum(map(bool, first))) == (8 * (8 + 10), 8 * (8 + 10) - 7)
    differ = [(row["dataset"], row["method"], row["value"]) for row, one in
              zip(rows, first, strict=True) if row["row_of"] and not one]  # fmt: skip
    assert differ == [
        *(("karate", method, "0.66") for method in ("PGD", "SDP", "Moment")),
        ("krumsiek", "SDP", "0.7519"),
        ("moignard", "SDP", "0.0325"),
        ("paul", "PGD", "54.85"),
        ("myeloidprogenitors", "SDP", "0.6503"),
    ]


def test_each_row_that_yang2024_prints_again_is_the_most_alike():
    table = read_words(ROOT / "papers/printed/yang2024.tsv")
    names = ["dataset", "method", "metric"]
    printed = {name: part.set_index(names)["value"] for name, part in table.groupby("table")}
    for (again, dataset, method), part in table[table["row_of"] != ""].groupby(
        ["table", "dataset", "method"]
    ):
        (first,) = part["row_of"].unique()
        others = range(5, 8) if again == "table_2" else range(8, 11)
        alike = {
            f"table_{k}": sum(
                printed[f"table_{k}"].get((dataset, method, row.metric)) == row.value
                for row in part.itertuples()
            )
            for k in others
        }
        assert alike[first.partition(",")[0]] == max(alike.values())
