"""Faults of papers: do printed numbers follow from them? Ours with the fault, and without."""

from decimal import Decimal

import numpy as np
import pandas as pd

from noneuclid.errors import require
from noneuclid.evaluation import published, published_entries

SIDES = ("with", "without")
FACTS = ("ours", "se", "runs", "status")
COLUMNS = [
    *("paper", *published.KEYS, "unit", "fault", "printed", "published"),
    *(f"{side}_{fact}" for side in SIDES for fact in FACTS),
    "verdict",
]
WORDS = ["paper", *published.KEYS, "unit", "fault", "printed", "verdict"]
WORDS += [f"{side}_status" for side in SIDES]
EXACT, EXPLAINS = "explains the number to its last digit", "explains the number"
EITHER, NOT = "within noise either way", "does not explain it"
FEWEST_DIGITS = 4


def imitate(scores, theirs, paper, entries):
    """Put printed numbers beside ours with a fault of the paper's program, and without.

    `scores`, `theirs` and `paper` as for `published.cells`; entries too, with `fault` (in words),
    `with` and `without`: `methods` and, where they differ, `datasets` and `embedding`. Columns
    `COLUMNS`, one row for each printed number that was run either way. The verdict is `EXPLAINS` if
    the number is within the noise of ours with the fault and outside of that without it, `EXACT` if
    moreover ours with the fault has the printed digits, which are at least `FEWEST_DIGITS`;
    `EITHER` if it is within both, `NOT` if it is outside with the fault; and that of
    `published.status_of` if one of the two was not run.
    """
    rows = theirs.to_dict("records")
    printed = {tuple(row[key] for key in published.KEYS): row for row in rows}
    found = []
    for entry in entries:
        runs = {}
        for side, own in sides(entry).items():
            published_entries.check_entry(own, rows)
            runs[side] = published.ours(scores, own)
        keys = dict.fromkeys(key for side in SIDES for key in runs[side])
        stray = [" / ".join(key) for key in keys if key not in printed]
        require(not stray, f"imitations: {paper} prints no {', '.join(stray[:1])}")
        for key in keys:
            row = printed[key] | {"paper": paper}
            cells = {side: published.beside(row, runs[side].get(key)) for side in SIDES}
            found.append(_row(entry["fault"], cells))
    return pd.DataFrame(found, columns=COLUMNS)


def sides(entry):
    """An entry with the fault and without it, each as `published.cells` takes them."""
    shared = {key: value for key, value in entry.items() if key not in (*SIDES, "fault")}
    return {side: shared | entry[side] for side in SIDES}


def _row(fault, cells):
    """One printed number with both of ours."""
    first = cells["with"]
    row = {key: first[key] for key in ("paper", *published.KEYS, "unit", "printed", "published")}
    statuses = {side: published.status_of(cell) for side, cell in cells.items()}
    for side, cell in cells.items():
        facts = {fact: cell.get(fact, np.nan) for fact in FACTS} | {"status": statuses[side]}
        row |= {f"{side}_{fact}": value for fact, value in facts.items()}
    return row | {"fault": fault, "verdict": _verdict(cells, statuses)}


def _verdict(cells, statuses):
    judged = (published.WITHIN, published.OUTSIDE)
    imitated, right = (statuses[side] for side in SIDES)
    for status in (imitated, right):
        if status not in judged:
            return status
    if imitated == published.OUTSIDE:
        return NOT
    if right == published.WITHIN:
        return EITHER
    return EXACT if _same_digits(cells["with"]) else EXPLAINS


def _same_digits(cell):
    """Whether ours has the digits of the printed number, enough of them to exclude chance."""
    printed = Decimal(cell["printed"].partition(" ")[0])
    scale = published.UNITS[cell["unit"]]
    if len(printed.as_tuple().digits) < FEWEST_DIGITS:
        return False
    return round(Decimal(float(cell["ours"]) / scale), -printed.as_tuple().exponent) == printed
