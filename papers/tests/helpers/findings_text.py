"""Sentences of docs/findings.md and docs/trees.md, and the tables that they are from."""

import re

import pandas as pd
from paper_mirror import ROOT

from noneuclid_papers.printed import fault_comparison
from noneuclid_papers.stages import published as stage

PAPERS = ("cho2019", "pan2023", "yang2024", "chlenski2024")
FINDINGS = (ROOT / "docs/findings.md").read_text()
TREES = (ROOT / "docs/trees.md").read_text()


def plain(text):
    """Text with single spaces."""
    return re.sub(r"\s+", " ", text)


def stated(pattern, text=FINDINGS):
    """Numbers of a sentence, as text."""
    found = re.search(pattern.replace(" ", r"\s+"), text)
    assert found, pattern
    return found.groups()


def bench(name):
    """A table of the folder benchmarks."""
    return pd.read_csv(ROOT / f"benchmarks/{name}.tsv", sep="\t", comment="#")


def agrees(text, value):
    """Whether a number as printed is this value, rounded to its last digit."""
    digits = re.fullmatch(r"-?\d+\.?(\d*)", text)
    assert digits, text
    return float(text) == round(value, len(digits[1]))


def kept_cells():
    """Printed numbers beside ours, of all papers."""
    kept = [stage.read(ROOT / f"papers/kept/{paper}.tsv") for paper in PAPERS]
    return pd.concat(kept, ignore_index=True)


def kept_imitations():
    """Imitations of faults, of all papers."""
    return stage.read(ROOT / "papers/kept/imitations.tsv", fault_comparison.WORDS)


def rows_of_table(head):
    """Cells of the table under a heading line."""
    lines = FINDINGS[FINDINGS.index(head) :].split("\n\n")[0].splitlines()[2:]
    rows = (re.split(r" *\| *", line)[1:-1] for line in lines)
    return {row[0]: [int(x) for x in row[1:]] for row in rows}
