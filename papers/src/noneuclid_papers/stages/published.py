"""Stage published: our scores beside every number that a paper prints."""

import argparse
import json
from pathlib import Path

import pandas as pd

from noneuclid.errors import require
from noneuclid_compare import io
from noneuclid_compare.report.figures import page_figures
from noneuclid_compare.stages.launch import launch
from noneuclid_papers.printed import fault_comparison, published, run_metadata
from noneuclid_papers.tables import fault_rows as imitated
from noneuclid_papers.tables import published_rows as shown

WORDS = [
    *(*published.KEYS, "paper", "unit", "printed", "our_method", "best_method"),
    *("status", "reason", "evidence", *run_metadata.COLUMNS),
]


def main(argv=None):
    """Parse the arguments, read scores and printed numbers, compare, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scores", type=Path, required=True, help="parquet of evaluate")
    parser.add_argument("--runs", type=Path, help="JSON of evaluate: the records of all runs")
    parser.add_argument("--settings", type=json.loads, required=True, help="JSON: entry, cells")
    parser.add_argument("--paper", type=Path, nargs="?", help="table of a paper's numbers")
    parser.add_argument("--reasons", type=Path, required=True, help="table of known reasons")
    parser.add_argument(
        "--protocols", type=Path, required=True, help="table: what our run reproduces of each paper"
    )
    parser.add_argument(
        "--kept", type=Path, nargs="*", default=[], help="tables of cells of earlier runs"
    )
    parser.add_argument("--kept-imitations", type=Path, nargs="?", help="table of all papers'")
    parser.add_argument("--output", type=Path, required=True, help="folder")
    args = parser.parse_args(argv)

    parts, faults = [read(path) for path in args.kept], []
    if args.kept_imitations:
        table = read(args.kept_imitations, fault_comparison.WORDS)
        table = table[table["paper"].isin([path.stem for path in args.kept])]
        faults += table.to_dict("records")
    if args.paper:
        scores, settings = io.read_table(args.scores), args.settings
        if args.runs:
            scores = run_metadata.with_origins(scores, io.read_json(args.runs))
        run = scores, read_words(args.paper), settings["paper"]
        entries = settings.get("tables", []), read_words(args.reasons), settings.get("tests", [])
        own = fault_comparison.imitate(*run, settings.get("imitations", []))
        comparisons = settings.get("comparisons", [])
        parts.insert(0, published.cells(*run, *entries, own, comparisons))
        faults = own.to_dict("records") + faults
    cells = pd.concat(parts, ignore_index=True)
    faults = pd.DataFrame(faults, columns=fault_comparison.COLUMNS)
    twice = cells.duplicated(["paper", *published.KEYS])
    require(not twice.any(), "published: a paper that this run repeats is also under `kept:`")
    protocols = read_words(args.protocols).set_index("paper")["protocol"]
    repeats = args.settings["paper"] if args.paper else None
    section = shown.section(cells, protocols, repeats) | {"imitations": imitated.rows(faults)}
    io.write_table(args.output / "cells.tsv", cells)
    io.write_table(args.output / "imitations.tsv", faults)
    io.write_text(args.output / "cells.tex", shown.to_latex(section))
    page_figures.write_figures("published", {"cells": cells}, args.output)
    io.write_json(args.output / "section.json", section)


def read_words(path):
    """A table in which everything is text, as printed."""
    return pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False)


def read(path, words=WORDS):
    """Cells, or imitations, as this stage wrote them."""
    options = {"keep_default_na": False, "na_values": [""], "float_precision": "round_trip"}
    cells = io.read_table(path, dtype=dict.fromkeys(words, str), **options)
    return cells.assign(**{name: cells[name].fillna("") for name in words})


if __name__ == "__main__":
    launch(main)
