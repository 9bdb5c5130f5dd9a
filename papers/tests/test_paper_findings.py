"""papers/docs/findings.md and numbers.md have the tables of the kept numbers."""

import importlib
import re

from paper_mirror import ROOT

from noneuclid_compare import io
from noneuclid_papers.stages import published as stage

MOST_WORDS = {"findings.md": 1500, "numbers.md": 2400}


def test_the_pages_have_the_tables_of_the_kept_numbers(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "papers/benchmarks"))
    findings = importlib.import_module("findings")
    assert {page.name for page in findings.TABLES} == set(MOST_WORDS)
    for page in findings.TABLES:
        text = page.read_text()
        assert findings.filled(page) == text, (
            "run `PYTHONPATH=benchmarks python papers/benchmarks/findings.py`"
        )
        words = [word for word in text.split() if any(c.isalpha() for c in word)]
        assert len(words) <= MOST_WORDS[page.name], page


def test_the_page_and_the_report_open_with_the_same_sentences(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(ROOT / "papers/benchmarks"))
    findings = importlib.import_module("findings")
    words = ["--scores", "none", "--settings", "{}", "--output", tmp_path, "--kept"]
    words += [ROOT / f"papers/kept/{paper}.tsv" for paper in findings.PAPERS]
    for name in ("reasons", "protocols", "methods"):
        words += [f"--{name}", ROOT / f"papers/printed/{name}.tsv"]
    stage.main([str(word) for word in words])
    section = io.read_json(tmp_path / "section.json")
    (block,) = re.findall(r"<!-- opening -->(.*?)<!-- end -->", findings.PAGE.read_text(), re.S)
    assert " ".join(block.split()) == section["headline"]
    assert section["headline"].startswith("Scores of proposed methods (173): ")
