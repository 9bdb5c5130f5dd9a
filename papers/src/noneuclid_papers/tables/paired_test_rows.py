"""Tables of methods compared in pairs: on the page and in LaTeX."""

from noneuclid_compare.report import style
from noneuclid_compare.report.tables import score_tables

PLACE = ["group", "embedding"]


def section(table, metric, blocks):
    """Values of the template from `paired_tests.summarise`.

    `blocks` has the methods that are compared, each with the mark for having beaten it. A row has
    `group`, `embedding` and `cells`, one for each method in order: `text` and `marks`, or None.
    """
    rows = []
    for (group, embedding), part in table.groupby(PLACE, sort=False):
        found = {(row["block"], row["method"]): row for row in part.to_dict("records")}
        cells = [
            _cell(found.get((block, method)), metric)
            for block in blocks
            for method in blocks[block]
        ]
        rows.append({"group": group, "embedding": embedding, "cells": cells})
    marks = {}
    for symbols in blocks.values():
        for method, mark in symbols.items():
            marks.setdefault(mark, []).append(method)
    return {
        "metric": style.metric_label(metric),
        "blocks": {name: list(symbols) for name, symbols in blocks.items()},
        "rows": rows,
        "marks": marks,
        "legend": legend(marks),
    }


def legend(marks, names=None):
    """What each mark means; `names` of methods are used if given.

    Examples
    --------
    >>> from noneuclid_compare.report.names import Names
    >>> legend({"*": ["tree", "forest"]}), legend({"*": ["tree"]}, Names())
    ('* better than tree or forest', '* better than tree')
    """
    shown = {
        mark: [names.in_text("methods", name) if names else name for name in methods]
        for mark, methods in marks.items()
    }
    return "; ".join(f"{mark} better than {' or '.join(shown[mark])}" for mark in shown)


def _cell(row, metric):
    """Texts of one method in one group."""
    if row is None:
        return None
    text = f"{_number(row['mean'], metric)} ± {_number(row['se'], metric)}"
    kept = row["marks_holm"]
    marks = "".join(mark if mark in kept else f"({mark})" for mark in row["marks"])
    return {"text": text.replace(" ± –", ""), "marks": marks}


def _number(value, metric):
    """Two decimals of a percentage, four of anything else."""
    if value != value:
        return "–"
    return f"{100 * value:.2f}" if style.in_percent(metric) else f"{value:.4f}"


def to_latex(shown):
    """The table of `section` in LaTeX (packages booktabs and amssymb)."""
    methods = [name for names in shown["blocks"].values() for name in names]
    heads = [
        rf"\multicolumn{{{len(names)}}}{{c}}{{{score_tables.escape(block)}}}"
        for block, names in shown["blocks"].items()
    ]
    lines = [
        rf"% {shown['metric']}; {shown['legend']}",
        rf"\begin{{tabular}}{{ll{'r' * len(methods)}}}",
        r"\toprule",
        score_tables.latex_row(["", "", *heads]),
        score_tables.latex_row(map(score_tables.escape, ["group", "embedding", *methods])),
        r"\midrule",
    ]
    for row in shown["rows"]:
        names = [score_tables.escape(row["group"]), score_tables.escape(row["embedding"])]
        lines.append(score_tables.latex_row(names + [_latex(cell) for cell in row["cells"]]))
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


_SYMBOLS = {"±": r"$\pm$", "†": r"\dagger", "‡": r"\ddagger"}


def _symbols(text):
    return "".join(_SYMBOLS.get(letter, letter) for letter in text)


def _latex(cell):
    """A cell with its marks as a superscript."""
    if cell is None:
        return "--"
    marks = f"$^{{{_symbols(cell['marks'])}}}$" if cell["marks"] else ""
    return _symbols(cell["text"]) + marks
