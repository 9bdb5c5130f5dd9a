"""The table of relaxations in the documentation is that of the benchmark."""

import importlib
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def bench():
    sys.path.insert(0, str(FOLDER))
    yield importlib.import_module("hyperboloid_relaxations")
    sys.path.remove(str(FOLDER))


def test_the_page_has_the_measured_table(bench):
    _, _, rest = bench.PAGE.read_text().partition(bench.BEGIN)
    table, _, _ = rest.partition(bench.END)
    assert table.strip() == bench.markdown(bench.read_rows())


def test_every_part_is_measured(bench):
    lines = bench.TABLE.read_text().splitlines()
    assert tuple(lines[0].split("\t")) == bench.COLUMNS
    rows = [dict(zip(bench.COLUMNS, row, strict=True)) for row in bench.read_rows()]
    assert {row["part"] for row in rows} == {"roundings", "moments", "robust"}
    assert max(int(row["n"]) for row in rows if row["part"] == "moments") >= 20_000
    assert all(float(row["median_gap"]) <= float(row["largest_gap"]) for row in rows)
    assert all(float(row["optimum_gap"]) <= 1e-6 for row in rows)


def test_only_the_block_of_the_page_changes(bench, tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text(f"before\n{bench.BEGIN}\nold\n{bench.END}\nafter\n")
    monkeypatch.setattr(bench, "PAGE", page)
    row = ("moments", *map(str, range(len(bench.COLUMNS) - 1)))
    bench.update_page([row])
    text = page.read_text()
    assert text.startswith(f"before\n{bench.BEGIN}\n\n| ")
    assert text.endswith(f" |\n\n{bench.END}\nafter\n")
    assert "| moments | 0 | 1 |" in text
    assert "old" not in text


def test_a_row_has_median_and_largest_gap(bench):
    runs = bench.Runs()
    best = type("Solution", (), {"gap": 1e-7})
    for gap, proved, seconds in ((-1e-9, 0.1, 1.0), (0.3, 0.5, 2.0), (0.2, 0.4, 6.0)):
        runs.add(gap, proved, seconds, best, 0.5)
    points, _ = bench.clouds(40, 3)
    cells = runs.row("clouds", [(points, None)] * 3, "some")
    assert cells == ("clouds", 40, 3, 3, "some", 0.2, 0.3, 0.5, 3.0, 1e-7, 0.5)


def test_clouds_have_their_share_of_positive_rows(bench):
    points, signs = bench.clouds(1000, 2, 0.01)
    assert (signs > 0).sum() == 10
    assert points[:10, 1].mean() > points[10:, 1].mean() + 1.0
