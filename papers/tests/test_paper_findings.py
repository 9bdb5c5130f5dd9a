"""papers/docs/findings.md has the tables of the kept numbers."""

import importlib

from paper_mirror import ROOT


def test_the_page_has_the_tables_of_the_kept_numbers(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "papers/benchmarks"))
    findings = importlib.import_module("findings")
    text = findings.PAGE.read_text()
    assert findings.filled(text) == text, (
        "run `PYTHONPATH=benchmarks python papers/benchmarks/findings.py`"
    )
    assert len(text.replace("|", " ").replace("---", "").split()) <= 4000
