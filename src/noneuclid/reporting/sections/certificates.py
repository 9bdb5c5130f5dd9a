"""The page's section on certificates: a sentence, an overview, and a table for each data set."""

import pandas as pd

from noneuclid.evaluation import optimality_gaps
from noneuclid.experiment import wording
from noneuclid.reporting.figures.bounds import percent

_NAMED = 3


def section(table):
    """Everything the template shows, but the figures.

    Parameters
    ----------
    table : DataFrame
        As `noneuclid.evaluation.optimality_gaps.long_table` gives it.

    Returns
    -------
    dict
        `sentences`; `solvers` (the names of all but the reference); `overview`, one row per
        (data set, embedding, C); `details`, one table per (data set, embedding).
    """
    solvers = table.loc[table["kind"] != "optimal", "solver"].drop_duplicates().tolist()
    return {
        "sentences": sentences(table),
        "solvers": solvers,
        "overview": _overview_rows(optimality_gaps.overview(table), solvers),
        "details": [
            {
                "dataset": dataset,
                "embedding": embedding,
                "rows": [_detail_row(rows, solvers) for _, rows in part.groupby(["C", "problem"])],
            }
            for (dataset, embedding), part in table.groupby(optimality_gaps.PAIR, sort=False)
        ],
    }


def sentences(table):
    """What the section begins with.

    Parameters
    ----------
    table : DataFrame
        As `noneuclid.evaluation.optimality_gaps.long_table` gives it.

    Returns
    -------
    list of str
    """
    found = [_certified(table[table["kind"] == "optimal"])]
    for solver, rows in table[table["kind"] != "optimal"].groupby("solver", sort=False):
        found += [_reached(solver, rows), _bounded(solver, rows), _missing(solver, rows)]
    return [text for text in found if text]


def _certified(rows):
    """How many problems have a certified optimum, and of what kind it is."""
    n, certified = len(rows), rows["certified"].fillna(False).astype(bool)
    gap = rows.loc[certified, "gap"].max()
    share = "" if n == 1 else "all "
    if not certified.all():
        share = f"{int(certified.sum())} of "
    text = f"The global optimum is certified for {share}{wording.count(n, 'problem')}"
    text += f" (worst relative gap {gap:.1e})." if certified.any() else "."
    still_open = rows.loc[~certified, "gap"].max()
    if still_open == still_open:
        text += f" The worst gap of the others is {still_open:.1e}."
    on_the_cone = int((rows["status"] == "horospherical").sum())
    return text + (
        f" In {on_the_cone} it is horospherical: there is no hyperplane, and all points get one "
        "label."
        if on_the_cone
        else " It is a hyperplane in each."
    )


def _reached(solver, rows):
    """How far above the optimum a solver's solutions are."""
    above = rows["above"].dropna()
    if above.empty:
        return None
    level = int((above <= 1e-4).sum())
    return (
        f"{solver} ends {_size(above.median())} % above the optimum in the median and "
        f"{_size(above.max())} % at worst ({_name(rows.loc[above.idxmax()])}); it reaches it, "
        f"within 0.01 %, in {level} of {wording.count(len(above), 'problem')}."
    )


def _bounded(solver, rows):
    """How far below the optimum a solver's bounds are."""
    below = rows["below"].dropna()
    if below.empty:
        return None
    tight, empty = int((below <= 1e-3).sum()), int((below >= 1 - 1e-9).sum())
    tail = f", and it is zero, which says nothing, in {empty}" if empty else ""
    return (
        f"The bound of {solver} is {_size(below.median())} % below the optimum in the median; "
        f"it is within 0.1 % of it in {tight} of {len(below)}{tail}."
    )


def _missing(solver, rows):
    """Which problems a solver was not given, or failed on."""
    parts = []
    for status, words in (("skipped", "was not given"), ("failed", "failed on")):
        here = rows[rows["status"] == status]
        if len(here):
            reasons = ", ".join(here["warning"].drop_duplicates().head(_NAMED))
            parts.append(f"{words} {wording.count(len(here), 'problem')} ({reasons})")
    return f"{solver} {' and '.join(parts)}." if parts else None


def _name(row):
    return f"{row['dataset']}, {row['problem']}, C = {row['C']:g}"


def _overview_rows(overview, solvers):
    return [
        {
            **dict(zip((*optimality_gaps.PAIR, "C"), key, strict=True)),
            "C": f"{key[2]:g}",
            "optimal": _overview_cell(rows[rows["kind"] == "optimal"].iloc[0]),
            "others": [_overview_cell(rows[rows["solver"] == name].iloc[0]) for name in solvers],
        }
        for key, rows in overview.groupby([*optimality_gaps.PAIR, "C"], sort=False)
    ]


def _overview_cell(row):
    done = row["solved"] > 0
    return {
        "certified": f"{row['certified']} of {row['problems']}",
        "horospherical": row["horospherical"],
        "gap": f"{row['gap']:.1e}" if done and row["gap"] == row["gap"] else "–",
        "median": percent(row["above_median"]),
        "worst": percent(row["above_worst"]),
        "sort": row["above_median"] if done else -1,
        "bound": percent(-row["below_median"]),
        "seconds": wording.seconds(row["seconds"]) if done else "–",
        "missing": row["problems"] - row["solved"],
    }


def _detail_row(rows, solvers):
    """One problem: what each solver proved and reached."""
    best = rows[rows["kind"] == "optimal"].iloc[0]
    return {
        "C": f"{best['C']:g}",
        "problem": best["problem"],
        "n": int(best["n"]),
        "n_positive": int(best["n_positive"]),
        "optimum": wording.number(float(best["objective"])),
        "bound": wording.number(float(best["lower_bound"])),
        "gap": f"{best['gap']:.1e}" if pd.notna(best["gap"]) else "–",
        "status": best["status"],
        "seconds": wording.seconds(best["seconds"]),
        "others": [_detail_cell(rows[rows["solver"] == name].iloc[0]) for name in solvers],
    }


def _detail_cell(row):
    return {
        "above": percent(row["above"]),
        "sort": row["above"] if pd.notna(row["above"]) else -1,
        "bound": percent(-row["below"]),
        "objective": wording.number(float(row["objective"])),
        "lower_bound": wording.number(float(row["lower_bound"])),
        "seconds": wording.seconds(row["seconds"]),
        "status": row["status"],
        "warning": row["warning"] if pd.notna(row["warning"]) else "",
    }


def _size(share):
    return percent(share).lstrip("+−")
