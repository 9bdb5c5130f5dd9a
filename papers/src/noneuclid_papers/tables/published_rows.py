"""Rows of the section "Published results": counts of reproduced numbers, and each number."""

from decimal import Decimal

import numpy as np

from noneuclid_compare.report import style
from noneuclid_compare.report.names import Names
from noneuclid_compare.report.tables import score_tables
from noneuclid_papers.printed import reproduction_status
from noneuclid_papers.tables import score_differences

# These colours differ in lightness as well as in hue.
COLOURS = {
    reproduction_status.EXACT: "#004d7a",
    reproduction_status.CLOSE: "#0072B2",
    reproduction_status.IMITATED: "#56B4E9",
    reproduction_status.HYPOTHESIS: "#F0E442",
    reproduction_status.OUTSIDE: "#D55E00",
    reproduction_status.ALIKE: "#009E73",
    reproduction_status.SAME_SIDE: "#8fd6bd",
    reproduction_status.OTHER_SIDE: "#E69F00",
    reproduction_status.REPEATED: "#c9b8d9",
    reproduction_status.PAIRED: "#e3d9ec",
    reproduction_status.OTHER_DATA: "#b5a58c",
    reproduction_status.NOT_JUDGED: "#9aa4ad",
    reproduction_status.NOT_RUN: "#d5dae0",
    reproduction_status.NO_DATA: "#f0f2f4",
}
TABLE = ["paper", "table"]
# Numbers whose share says something about the words.
FEWEST = 20
_METRICS = {"runtime_s": "seconds"}
_FIRST = (
    reproduction_status.OUTSIDE,
    reproduction_status.HYPOTHESIS,
    reproduction_status.OTHER_SIDE,
)
_ORDER = {
    status: place
    for place, status in enumerate(dict.fromkeys([*_FIRST, *reproduction_status.STATUSES]))
}


def counts(cells):
    """Number of cells of each status, by paper and table, in the order of the cells.

    `cells` is the table of `evaluation.published.cells`.
    """
    order = cells[TABLE].drop_duplicates().apply(tuple, axis=1)
    table = cells.groupby(TABLE)["status"].value_counts().unstack(fill_value=0)
    return table.reindex(
        index=order.tolist(), columns=list(reproduction_status.STATUSES), fill_value=0
    )


def section(cells, protocols=None, repeats=None):
    """Values of the template from `evaluation.published.cells` with `kind`.

    `protocols` says, by paper, what our program repeats of the paper's. `headline`, see
    `score_differences.opening`; `opening`, the same of the paper that this run repeats;
    `differences`, see `score_differences.rows`; `powers`, a sentence; `sentences`, one for each
    paper and kind of method; `tables`: `name`, `counts` in words and `rows` of each paper and
    table.
    """
    found = counts(cells)
    parts = [
        {
            "paper": paper,
            "name": name_table(name),
            "counts": _words(found.loc[(paper, name)]),
            "rows": [_row(row) for row in _by_status(part).to_dict("records")],
        }
        for (paper, name), part in cells.groupby(TABLE, sort=False)
    ]
    protocols = {} if protocols is None else protocols
    sentences = [
        f"{paper}: {_by_kind(rows)} {protocols.get(paper, '')}".rstrip()
        for paper, rows in cells.groupby("paper", sort=False)
    ]
    return {
        "headline": score_differences.opening(cells),
        "opening": score_differences.opening(cells[cells["paper"] == repeats]),
        "head": score_differences.HEAD,
        "differences": score_differences.rows(cells),
        "powers": power_words(reproduction_status.powers(cells)),
        "sentences": sentences,
        "tables": parts,
    }


def name_table(name):
    """Name of a table in words, Roman numerals in capitals.

    Examples
    --------
    >>> name_table("table_ii"), name_table("table_10"), name_table("text")
    ('table II', 'table 10', 'text')
    """
    *words, number = name.split("_")
    return " ".join([*words, number.upper() if set(number) <= set("ivx") else number])


def power_words(powers):
    """`reproduction_status.powers` in sentences; empty if fewer than `FEWEST` numbers are judged.

    Examples
    --------
    >>> power_words({"shift": (0.9, 80), "method": (0.7, 90), "method_all": (0.5, 99),
    ...              "garbage": (0.992, 100)})  # doctest: +ELLIPSIS
    'Power of these words: 2 points more or less turn 90.0 % of the 80 close scores over. ...'
    """
    if powers["garbage"][1] < FEWEST:
        return ""
    texts = {name: (f"{100 * share:.1f} %", n) for name, (share, n) in powers.items()}
    parts = []
    if texts["shift"][1] >= FEWEST:
        moved = (
            f"{100 * reproduction_status.SHIFT:.0f} points more or less turn {texts['shift'][0]}"
        )
        parts.append(f"{moved} of the {texts['shift'][1]} close scores over.")
    if texts["method"][1] >= FEWEST:
        parts.append(
            f"The number of another method is outside in {texts['method'][0]} of "
            f"{texts['method'][1]} pairs with different published numbers "
            f"({texts['method_all'][0]} of all {texts['method_all'][1]} pairs)."
        )
    share, n = texts["garbage"]
    parts.append(f"A random number is not reproduced in {share} of {n} judged numbers.")
    return "Power of these words: " + " ".join(parts)


def _by_status(part):
    """What differs first, what was not run last."""
    return part.sort_values("status", key=lambda names: names.map(_ORDER), kind="stable")


def _by_kind(rows):
    """Counts of one paper in words, of its own methods and of baselines."""
    kinds = score_differences.KINDS
    parts = ((words, rows[rows["kind"] == kind]) for kind, words in kinds.items())
    return " ".join(f"{w}: {_words(counts(part).sum())}." for w, part in parts if len(part))


def _words(row):
    """Counts of one table or paper in words.

    Examples
    --------
    >>> import pandas as pd
    >>> _words(pd.Series({"exact": 4, "close": 5, "hypothesis": 0, "outside": 1, "not run": 2}))
    '9 of 10 judged numbers reproduced (90 %): 4 exact, 5 close, 1 outside; 2 not run'
    """
    judged = sum(row.get(status, 0) for status in reproduction_status.JUDGED)
    good = sum(row.get(status, 0) for status in reproduction_status.REPRODUCED)
    first = "none judged"
    if judged:
        each = ", ".join(f"{row[s]} {s}" for s in reproduction_status.JUDGED if row.get(s, 0))
        share = score_differences.percent(good, judged)
        first = f"{good} of {judged} judged numbers reproduced ({share}): {each}"
    rest = [f"{n} {s}" for s, n in row.items() if s not in reproduction_status.JUDGED and n]
    return "; ".join([first, *rest])


def _row(cell):
    """One number as text, to the digits of the printed one; its error has one more."""
    status, best = cell["status"], ""
    if cell["best"] == cell["best"] and cell["unit"] != "s":
        best = f"{_shown(cell['best'], cell)} {Names().in_text('methods', cell['best_method'])}"
    reason = " ".join(filter(None, [cell["reason"], cell["evidence"]]))
    if cell.get("ratio", np.nan) == cell.get("ratio", np.nan):
        pair = f"{cell['printed_ratio']:.2g}, ours {cell['ratio']:.2g}"
        reason = f"Published time over that of the first method: {pair}."
    if status == reproduction_status.OUTSIDE and not reason:
        reason = "no reason tested in this run"
    names = "dataset", "variant", "method", "our_method", "printed"
    return {name: cell[name] for name in names} | {
        "metric": _METRICS.get(cell["metric"], style.metric_words(cell["metric"])),
        "ours": digits(cell["ours"], cell["se"], cell),
        "difference": _shown(cell["difference"], cell, "+").replace("-", "−"),
        "sort": cell["difference"] if cell["difference"] == cell["difference"] else "",
        "best": best,
        "status": status,
        "link": "imitations" if status == reproduction_status.IMITATED else "",
        "colour": COLOURS[status],
        "reason": reason,
        "our_shown": Names().in_text("methods", cell["our_method"]) if cell["our_method"] else "",
    }


def digits(value, error, cell):
    """One of our values with its error, to the digits of the printed number; the error's one more.

    Examples
    --------
    >>> digits(0.91234, 0.01234, {"unit": "%", "printed": "50.00 ± 6.39"})
    '91.23 ± 1.234'
    >>> digits(1.2345e-20, float("nan"), {"unit": "1", "printed": "6.17e-28"})
    '1.23e-20'
    """
    text = _shown(value, cell)
    if error == error and error > 0:
        text += f" ± {_shown(error, cell, more=1)}"
    return text


def _shown(value, cell, sign="", more=0):
    printed = cell["printed"].partition(" ")[0]
    value = value / reproduction_status.UNITS[cell["unit"]]
    if value != value:
        return "–"
    if "e-" in printed:
        return f"{value:{sign}.2e}"
    places = max(0, -Decimal(printed).as_tuple().exponent) if printed else 2
    rounded = round(value, places + more) + 0.0  # no negative zero
    return f"{rounded:{sign},.{places + more}f}"


def to_latex(shown):
    """All cells of `section` in LaTeX, one longtable a table (packages booktabs, longtable)."""
    heads = ["dataset", "variant", "method", "metric", "printed", "ours", "difference", "status"]
    lines = []
    for part in shown["tables"]:
        caption = ", ".join(score_tables.escape(part[key]) for key in ("paper", "name"))
        lines += [
            rf"\begin{{longtable}}{{{'l' * 4}{'r' * 3}l}}",
            rf"\caption{{{caption}}}\\",
            r"\toprule",
            score_tables.latex_row(heads),
            r"\midrule\endhead",
            *(score_tables.latex_row(_latex(row[head]) for head in heads) for row in part["rows"]),
            r"\bottomrule",
            r"\end{longtable}",
            "",
        ]
    return "\n".join(lines)


def _latex(text):
    return score_tables.escape(text).replace("−", "$-$").replace("–", "--")
