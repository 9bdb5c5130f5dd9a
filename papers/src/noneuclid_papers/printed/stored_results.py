"""The tables of papers/kept after a run: its numbers, and what it did not compute."""

import pandas as pd

from noneuclid_papers.printed import fault_comparison, published

_ROW = ["paper", *published.KEYS]


def cells(kept, found, imitations, reasons):
    """Cells of a paper: ours of the run where it has fits, else the kept one, judged again.

    Fits without a value replace a kept number. `kept` and `found` are tables of `published.cells`;
    `imitations` is the table of all imitations that are kept now. What is printed is taken from
    `found`: a kept number beside another printed one is dropped.
    """
    old, new = kept.set_index(_ROW), found.set_index(_ROW)
    rest = new.index[new["runs"].isna()].intersection(old.index, sort=False)
    printed = ["unit", "printed"]
    rest = rest[(old.loc[rest, printed] == new.loc[rest, printed]).all(axis=1)]
    parts = [new.drop(rest), old.loc[rest]]
    rows = pd.concat([part for part in parts if len(part)])
    rows = rows.reindex(new.index).reset_index()[found.columns]
    words = ["imitations", "status", "reason", "evidence", "ratio", "printed_ratio"]
    return published.judged(rows.drop(columns=words), reasons, imitations)[found.columns]


def imitations(kept, found):
    """Imitations of all papers: those of a run, and the kept ones that it did not repeat; judged.

    A row with one side only does not replace one with both.
    """
    names, sides = [*_ROW, "fault"], ["with_runs", "without_runs"]
    old, new = kept.set_index(names), found.set_index(names)
    whole = old.index[old[sides].notna().all(axis=1)]
    partial = new.index[new[sides].isna().any(axis=1)]
    new = new.drop(partial.intersection(whole))
    order = old.index.append(new.index.difference(old.index, sort=False))
    parts = [new, old.drop(new.index, errors="ignore")]
    rows = pd.concat([part for part in parts if len(part)] or [new])
    return fault_comparison.judged(rows.reindex(order).reset_index()[kept.columns])
