"""Tables of the folder benchmarks, and numbers that pages have of them."""

import re

import pandas as pd
from paper_mirror import ROOT


def bench(name):
    """A table of a benchmark, of the papers or of the others."""
    own = ROOT / f"papers/benchmarks/{name}.tsv"
    path = own if own.is_file() else ROOT / f"benchmarks/{name}.tsv"
    return pd.read_csv(path, sep="\t", comment="#")


def agrees(text, value):
    """Whether a number as printed is this value, rounded to its last digit."""
    digits = re.fullmatch(r"-?\d+\.?(\d*)", text)
    assert digits, text
    return float(text) == round(value, len(digits[1]))
