"""Kept tables behind the claims, and effects that several papers share."""

from functools import cache, partial

import pandas as pd

from noneuclid_papers.folders import KEPT, ROOT
from noneuclid_papers.statistics import claim_effects as effects

POINTS = 100  # of a score
HALF = 0.5  # points: what "matched" and "marked" are measured by
BENCHMARKS = ROOT / "benchmarks", ROOT.parent / "benchmarks"
OURS, THEIRS = "ours", "published"  # columns of the table of a paper


@cache
def read(name):
    """A kept table by its name: a paper, FIGURE/TABLE, or a benchmark."""
    paths = [KEPT / f"{name}.tsv", KEPT / f"figures/{name}.tsv"]
    paths += [folder / f"{name}.tsv" for folder in BENCHMARKS]
    path = next(path for path in paths if path.is_file())
    return pd.read_csv(path, sep="\t", comment="#", keep_default_na=False, na_values=[""])


def pairs(name, metric):
    """Differences of pairs of scores in points, by series and group."""
    table = read(f"{name}/pairs")
    table = table[table["metric"] == metric]
    return table.assign(difference=POINTS * table["difference"])


def scores(paper, value=OURS, **where):
    """Numbers of a paper that have a value, ours or the printed one."""
    table = read(paper).dropna(subset=value)
    for column, wanted in where.items():
        table = table[table[column].isin([wanted] if isinstance(wanted, str) else wanted)]
    return table


def by_method(paper, value=OURS, **where):
    """The same with a column for each method; rows are data sets and variants."""
    table = scores(paper, value, **where)
    return table.pivot_table(index=["dataset", "variant"], columns="method", values=value)


def statement(paper, *names):
    """Share of counterexamples of theorems, or of each form of one that was tested."""
    table = read("theorems")
    table = table[(table["paper"] == paper) & table["statement"].isin(names)]
    for row in table.itertuples():
        share = effects.share(row.counterexamples, row.instances)
        label = row.form if len(names) == 1 else row.statement.removeprefix("theorem ")
        yield label, share, "never", 0


def theorem(paper, *names):
    """Function that yields `statement`."""
    return partial(statement, paper, *names)


def in_points(effect):
    """An effect on shares in points."""
    values = (POINTS * x for x in (effect.estimate, effect.low, effect.high))
    return effects.Effect(*values, effect.n)
