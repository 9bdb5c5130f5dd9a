import json

import numpy as np
import pandas as pd
import pytest
from reporting_fixtures import report_input, run_of

from noneuclid_compare import io
from noneuclid_compare.report import page
from noneuclid_papers.stages import paired_tests as stage
from noneuclid_papers.tables import paired_test_rows as shown

BLOCKS = {"trees & more": {"a_1": "*", "b": "†"}, "other": {"c": "*"}}


def long_table():
    rng = np.random.default_rng(0)
    rows = [
        (f"d{d}_s{s}", "given", method, "", 0, fold, "f1_micro", gain + rng.normal(0, 0.01))
        for d in (1, 2)
        for s in range(4)
        for fold in range(5)
        for method, gain in (("a_1", 0.9), ("b", 0.8), ("c", 0.85))
        if not (d == 2 and method == "c")
    ]
    columns = ["dataset", "embedding", "method", "setting", "repeat", "fold", "metric", "value"]
    return pd.DataFrame(rows, columns=columns)


@pytest.fixture
def folder(tmp_path):
    long_table().to_parquet(tmp_path / "scores.parquet")
    return tmp_path


def run(folder, group):
    settings = {"metric": "f1_micro", "group": group, "blocks": BLOCKS}
    words = ["--scores", folder / "scores.parquet", "--settings", json.dumps(settings)]
    stage.main([*map(str, words), "--output", str(folder / "out")])
    return io.read_json(folder / "out/section.json")


def test_the_stage_writes_tests_table_and_section(folder):
    section = run(folder, r"(d\d_s)")
    assert section["blocks"] == {"trees & more": ["a_1", "b"], "other": ["c"]}
    first, second = (row["cells"] for row in section["rows"])
    assert [row["group"] for row in section["rows"]] == ["d1_s", "d2_s"]
    assert first[0]["marks"] == "†"
    assert second[2] is None
    table = pd.read_csv(folder / "out/table.tsv", sep="\t")
    assert table["method"].tolist() == ["a_1", "b", "c", "a_1", "b"]
    tests = pd.read_csv(folder / "out/tests.tsv", sep="\t")
    assert tests[["first", "second", "n"]].values.tolist() == [["a_1", "b", 20]] * 2


def test_latex_has_as_many_columns_in_every_row(folder):
    section = run(folder, r"(d\d_s)")
    lines = (folder / "out/table.tex").read_text().splitlines()
    assert r"\multicolumn{2}{c}{trees \& more}" in lines[3]
    body = [line for line in lines[4:] if line.endswith(r"\\")]
    assert {line.replace(r"\&", "").count("&") for line in body} == {4}
    assert body[1].startswith(r"d1\_s & given & " + section["rows"][0]["cells"][0]["text"][:5])
    assert r"$^{\dagger}$" in body[1]


def test_marks_that_holm_removes_stand_in_brackets():
    row = {"group": "g", "embedding": "e", "block": "x", "method": "a", "mean": 0.5, "se": np.nan}
    table = pd.DataFrame([row | {"marks": "†‡", "marks_holm": "‡"}])
    (cells,) = (row["cells"] for row in shown.section(table, "f1_micro", {"x": {"a": "*"}})["rows"])
    assert cells == [{"text": "50.00", "marks": "(†)‡"}]


def test_the_page_has_a_section_of_pairs(folder):
    section = run(folder, r"(d\d_s)")
    data = report_input(2, size=20)
    (folder / "out").rename(folder / "paired_tests")
    html = page.render(run_of(folder, data, {"paired_tests": {}}))
    assert html.count('id="pairs"') == html.count('href="#pairs"') == 1
    part = html[html.index('id="pairs"') :].partition('<details class="fold"')[0]
    assert section["rows"][0]["cells"][0]["text"] + "<sup>†</sup>" in part
    assert part.count('<th scope="row">') == 2
    assert 'id="pairs"' not in page.render(run_of(folder, data))
