"""The kept tables: their verdicts, and how many of each the documents state."""

import re

import pytest
from paper_mirror import ROOT

from noneuclid.evaluation import published
from noneuclid.stages import published as stage

PAPERS = ("cho2019", "pan2023", "yang2024", "chlenski2024")


def kept(paper):
    return stage.read(ROOT / f"resources/reproduced/{paper}.tsv")


@pytest.fixture(scope="module")
def reasons():
    return stage.read_words(ROOT / "resources/published/reasons.tsv")


@pytest.mark.parametrize("paper", PAPERS)
def test_kept_cells_are_those_printed(paper):
    printed = stage.read_words(ROOT / f"resources/published/{paper}.tsv")
    cells = kept(paper)
    assert cells[published.KEYS].values.tolist() == printed[published.KEYS].values.tolist()
    for cell, row in zip(cells.to_dict("records"), printed.to_dict("records"), strict=True):
        error = f" ± {row['error']}" if row["error"] else ""
        assert cell["printed"] == row["value"] + error


@pytest.mark.parametrize("paper", PAPERS)
def test_kept_verdicts_follow_from_the_numbers_and_the_reasons(paper, reasons):
    for cell in kept(paper).to_dict("records"):
        found = published.verdict(cell, reasons)
        assert {key: cell[key] for key in found} == found, cell


def test_the_table_of_findings_counts_the_kept_cells():
    text = (ROOT / "docs/findings.md").read_text()
    stated = {
        name: tuple(map(int, cells.split(" | ")))
        for name, cells in re.findall(r"^\| (\w+) \| ((?:\d+ \| ){4}\d+) \|$", text, re.M)
    }
    counted = {}
    for paper in PAPERS:
        status = kept(paper)["status"]
        judged = [(status == s).sum() for s in published.STATUSES[:3]]
        counted[paper] = (sum(judged), *judged, len(status) - sum(judged))
    counted["all"] = tuple(map(sum, zip(*counted.values(), strict=True)))
    assert stated == counted
