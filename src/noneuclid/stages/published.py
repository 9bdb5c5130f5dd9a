"""Stage published: our scores beside every number that a paper prints."""

import argparse
import json
from pathlib import Path

import pandas as pd

from noneuclid import io
from noneuclid.datasets.checks import require
from noneuclid.evaluation import published
from noneuclid.reporting import figures
from noneuclid.reporting import published as shown
from noneuclid.stages.launch import launch

WORDS = [*published.KEYS, "paper", "unit", "printed", "best_method", "status", "reason", "evidence"]


def main(argv=None):
    """Parse the arguments, read scores and printed numbers, compare, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scores", type=Path, required=True, help="parquet of evaluate")
    parser.add_argument("--settings", type=json.loads, required=True, help="JSON: entry, cells")
    parser.add_argument("--paper", type=Path, nargs="?", help="table of a paper's numbers")
    parser.add_argument("--reasons", type=Path, required=True, help="table of known reasons")
    parser.add_argument(
        "--kept", type=Path, nargs="*", default=[], help="tables of cells of earlier runs"
    )
    parser.add_argument("--output", type=Path, required=True, help="folder")
    args = parser.parse_args(argv)

    parts = [read(path) for path in args.kept]
    if args.paper:
        scores, entries = io.read_table(args.scores), args.settings["tables"]
        theirs, name = read_words(args.paper), args.settings["paper"]
        reasons = read_words(args.reasons)
        parts.insert(0, published.cells(scores, theirs, name, entries, reasons))
    cells = pd.concat(parts, ignore_index=True)
    twice = cells.duplicated(["paper", *published.KEYS])
    require(not twice.any(), "published: a paper that this run repeats is also under `kept:`")
    section = shown.section(cells)
    io.write_table(args.output / "cells.tsv", cells)
    io.write_text(args.output / "cells.tex", shown.to_latex(section))
    figure = shown.draw(cells)
    for format in figures.FORMATS:
        content = figures.to_bytes(figure, format)
        io.write_bytes(args.output / f"reproduced.{format}", content)
    io.write_json(args.output / "section.json", section)


def read_words(path):
    """A table in which everything is text, as printed."""
    return pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False)


def read(path):
    """Cells as this stage wrote them."""
    cells = io.read_table(
        path, dtype=dict.fromkeys(WORDS, str), keep_default_na=False, na_values=[""]
    )
    return cells.assign(**{name: cells[name].fillna("") for name in WORDS})


if __name__ == "__main__":
    launch(main)
