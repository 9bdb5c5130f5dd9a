"""Faults of papers: do printed numbers follow from them? Ours with the fault, and without."""

from decimal import Decimal

import numpy as np
import pandas as pd
from scipy.stats import binom

from noneuclid.errors import require
from noneuclid_papers.printed import (
    published,
    published_entries,
    reproduction_status,
    run_metadata,
)

SIDES = ("with", "without")
FACTS = ("ours", "se", "runs", "rows", "tolerance", "status")
COLUMNS = [
    *("paper", *published.KEYS, "unit", "fault", "printed", "published"),
    *(f"{side}_{fact}" for side in SIDES for fact in FACTS),
    *("verdict", *run_metadata.COLUMNS),
]
WORDS = ["paper", *published.KEYS, "unit", "fault", "printed", "verdict"]
WORDS += run_metadata.COLUMNS
WORDS += [f"{side}_status" for side in SIDES]
AGREES = reproduction_status.EXACT, reproduction_status.CLOSE
EITHER, NOT = "close either way", "does not return it"
FEWEST_DIGITS = 4
# How the words of a fault begin that no program or text shows.
SUPPOSED = "a hypothesis, "
LEVEL = 0.05


def imitate(scores, theirs, paper, entries):
    """Put printed numbers beside ours with a fault of the paper's program, and without.

    `scores`, `theirs` and `paper` as for `published.cells`; entries too, with `fault` (in words),
    `with` and `without`: `methods` and, where they differ, `datasets` and `embedding`. Columns
    `COLUMNS`, one row for each printed number that was run either way. The verdict is

    - `agreement.RETURNS` if ours with the fault is exact or close and ours without it is neither,
      `RETURNS_DIGITS` if moreover ours with the fault is exact and at least `FEWEST_DIGITS` are
      printed;
    - `agreement.LOSES` instead of these two if the fault also loses numbers, and those that it
      gains do not outnumber them at the level `LEVEL` (one-sided sign test over all rows);
    - `agreement.SUPPOSED` if the words of the fault begin with `SUPPOSED`;
    - `EITHER` if both are exact or close, `NOT` if ours with the fault is outside;
    - that of `agreement.words` if one of the two was not run or is not judged, as a weighted F1,
      which counts with its accuracy.
    """
    rows = theirs.to_dict("records")
    printed = {tuple(row[key] for key in published.KEYS): row for row in rows}
    found, seen = [], set()
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
            name = " / ".join(key)
            require(
                (entry["fault"], key) not in seen,
                f"imitations: two entries of {entry['fault']} give {name}; leave out one of them",
            )
            seen.add((entry["fault"], key))
            cells = {side: published.beside(row, runs[side].get(key)) for side in SIDES}
            found.append(_row(entry["fault"], cells))
    return judged(pd.DataFrame(found, columns=COLUMNS))


def judged(rows):
    """Rows of `imitate` with `status` of both sides and `verdict` from their numbers."""
    records = rows.to_dict("records")
    cells = {side: [_cell(row, side) for row in records] for side in SIDES}
    statuses = {side: reproduction_status.words(cells[side]) for side in SIDES}
    words = [
        _verdict(cells["with"][k], statuses["with"][k], statuses["without"][k])
        for k in range(len(rows))
    ]
    columns = {f"{side}_status": statuses[side] for side in SIDES} | {"verdict": words}
    return _balanced(rows.assign(**columns)[rows.columns])


def _balanced(rows):
    """Rows with `agreement.LOSES` where a fault loses numbers, and gains not clearly more.

    A number is gained if it agrees with the fault only, and lost if it agrees without it only; a
    run of the fault without a value does not agree, and numbers not run with it are left out.
    """
    agrees = {side: rows[f"{side}_status"].isin(AGREES) for side in SIDES}
    run, faults = rows["with_runs"].notna(), [rows["paper"], rows["fault"]]
    gained = (agrees["with"] & ~agrees["without"] & run).groupby(faults).transform("sum")
    lost = (agrees["without"] & ~agrees["with"] & run).groupby(faults).transform("sum")
    # One-sided sign test: this many or more of the changed numbers are gained.
    chance = binom.sf(gained - 1, gained + lost, 0.5)
    returned = rows["verdict"].isin(reproduction_status.RETURNED)
    bad = returned & (lost > 0) & (chance >= LEVEL)
    verdict = rows["verdict"].mask(bad, reproduction_status.LOSES)
    supposed = returned & rows["fault"].str.startswith(SUPPOSED)
    return rows.assign(verdict=verdict.mask(supposed, reproduction_status.SUPPOSED))


def _cell(row, side):
    """One side of a row as a cell of `published.beside`."""
    facts = {fact: row[f"{side}_{fact}"] for fact in FACTS if fact != "status"}
    return row | facts | {"difference": facts["ours"] - row["published"]}


def sides(entry):
    """An entry with the fault and without it, each as `published.cells` takes them."""
    shared = {key: value for key, value in entry.items() if key not in (*SIDES, "fault")}
    return {side: shared | entry[side] for side in SIDES}


def _row(fault, cells):
    """One printed number with both of ours."""
    first = cells["with"]
    row = {key: first[key] for key in ("paper", *published.KEYS, "unit", "printed", "published")}
    for side, cell in cells.items():
        row |= {f"{side}_{fact}": cell.get(fact, np.nan) for fact in FACTS}
    row |= {
        name: run_metadata.joined(c[name] for c in cells.values()) for name in run_metadata.COLUMNS
    }
    return row | {"fault": fault}


def _verdict(cell, imitated, right):
    """Words of a printed number from those of ours with the fault and without."""
    for status in (imitated, right):
        if status not in (*AGREES, reproduction_status.OUTSIDE):
            return status
    if imitated == reproduction_status.OUTSIDE:
        return NOT
    if right in AGREES:
        return EITHER
    digits = Decimal(cell["printed"].partition(" ")[0]).as_tuple().digits
    whole = imitated == reproduction_status.EXACT and len(digits) >= FEWEST_DIGITS
    return reproduction_status.RETURNS_DIGITS if whole else reproduction_status.RETURNS
