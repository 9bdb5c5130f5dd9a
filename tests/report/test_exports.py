"""Tables that are saved beside the page."""

import re

import pytest
from reporting_fixtures import report_input

from noneuclid_compare.report.tables import exports, score_tables


@pytest.fixture(scope="module")
def data():
    return report_input(5, size=40)


def test_saved_tables_hold_every_row(data):
    table = exports.confusion(data["disks"])
    first = data["disks"][0]
    counts = table.groupby(["dataset", "method"])["rows"].sum()
    assert counts["karate", "tree"] == (first.held_out[0] >= 0).sum()
    found = exports.calibration({("d", "e", "m"): [[0, 0.0, 0.0], [3, 0.8, 1.0]]})
    assert found.to_numpy().tolist() == [["d", "e", "m", 3, 0.8, 1.0]]


def test_latex_of_any_table_has_as_many_columns_in_every_row(data):
    found = score_tables.summarise(data["scores"], "accuracy")
    text = exports.both("scores", found, exports.SCORES)["scores.tex"]
    [columns] = re.findall(r"\\begin\{tabular\}\{([lr]+)\}", text)
    lines = [line for line in text.splitlines() if " & " in line]
    assert len(lines) == len(found) + 1 == 5 * 11 + 1
    assert {line.count(" & ") for line in lines} == {len(columns) - 1}
    assert columns.startswith("lllr")
    assert r"a\_rather\_long" in text
    assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")
