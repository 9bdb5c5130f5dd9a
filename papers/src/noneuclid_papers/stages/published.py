"""Stage published: our scores beside every number that a paper prints.

Also the rows of the table "Suspected faults", from `fault_comparison.imitate`.
"""

import argparse
import json
from pathlib import Path

import pandas as pd

from noneuclid.errors import require
from noneuclid_compare import io
from noneuclid_compare.report import style
from noneuclid_compare.report.figures import page_figures
from noneuclid_compare.stages.launch import launch
from noneuclid_papers.printed import fault_comparison, published, reproduction_status, run_metadata
from noneuclid_papers.tables import published_rows as shown
from noneuclid_papers.tables import score_differences

_LOOKS = {
    reproduction_status.RETURNS_DIGITS: shown.COLOURS[reproduction_status.EXACT],
    reproduction_status.RETURNS: shown.COLOURS[reproduction_status.CLOSE],
    reproduction_status.LOSES: shown.COLOURS[reproduction_status.NOT_JUDGED],
    reproduction_status.SUPPOSED: shown.COLOURS[reproduction_status.NOT_JUDGED],
    fault_comparison.EITHER: shown.COLOURS[reproduction_status.NOT_JUDGED],
    fault_comparison.NOT: shown.COLOURS[reproduction_status.OUTSIDE],
}
WORDS = [
    *(*published.KEYS, "paper", "unit", "printed", "our_method", "best_method"),
    *("status", "reason", "evidence", "counted_in", *run_metadata.COLUMNS),
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
        "--methods", type=Path, required=True, help="table: the papers' own methods and baselines"
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
    kinds = score_differences.with_kinds(cells, read_words(args.methods))
    section = shown.section(kinds, protocols, repeats) | {"imitations": fault_rows(faults)}
    io.write_table(args.output / "cells.tsv", cells)
    io.write_table(args.output / "imitations.tsv", faults)
    io.write_text(args.output / "cells.tex", shown.to_latex(section))
    page_figures.write_figures("noneuclid_papers.stages.published", {"cells": cells}, args.output)
    io.write_json(args.output / "section.json", section)


def read_words(path):
    """A table in which everything is text, as printed."""
    return pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False)


def read(path, words=WORDS):
    """Cells, or imitations, as this stage wrote them."""
    options = {"keep_default_na": False, "na_values": [""], "float_precision": "round_trip"}
    cells = io.read_table(path, dtype=dict.fromkeys(words, str), **options)
    return cells.assign(**{name: cells[name].fillna("") for name in words})


def fault_rows(table):
    """Texts `paper`, `fault`, `number` (which one), `printed`, `with_fault`, `without`, `verdict`.

    `colour` is that of the verdict.
    """
    return [_fault_row(row) for row in table.to_dict("records")]


def _fault_row(row):
    names = row["table"].replace("_", " "), row["dataset"], row["variant"], row["method"]
    number = ", ".join(filter(None, [*names, style.metric_words(row["metric"])]))
    return {
        "paper": row["paper"],
        "fault": row["fault"],
        "number": number,
        "printed": row["printed"],
        "with_fault": shown.digits(row["with_ours"], row["with_se"], row),
        "without": shown.digits(row["without_ours"], row["without_se"], row),
        "verdict": row["verdict"],
        "colour": _LOOKS.get(row["verdict"], shown.COLOURS[reproduction_status.NOT_RUN]),
    }


if __name__ == "__main__":
    launch(main)
