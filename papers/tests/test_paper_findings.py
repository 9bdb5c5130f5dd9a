"""papers/docs/findings.md and numbers.md have the tables of the kept numbers."""

import importlib

from paper_mirror import ROOT

MOST_WORDS = {"findings.md": 1500, "numbers.md": 2810}


def test_the_pages_have_the_tables_of_the_kept_numbers(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "papers/benchmarks"))
    findings = importlib.import_module("findings")
    assert {page.name for page in findings.TABLES} == set(MOST_WORDS)
    for page in findings.TABLES:
        text = page.read_text()
        assert findings.filled(page) == text, (
            "run `PYTHONPATH=benchmarks python papers/benchmarks/findings.py`"
        )
        words = text.replace("|", " ").replace("---", "").split()
        assert len(words) <= MOST_WORDS[page.name], page
