"""Rows of the section on certificates: sentences, an overview, and a table for each data set."""

import pandas as pd

from noneuclid_compare import wording
from noneuclid_compare.report.names import Names, capital
from noneuclid_papers.figures.bounds import percent
from noneuclid_papers.statistics import optimality_gaps

_NAMED = 3


def section(table, names=None):
    """Values of the template, without the figures, from `optimality_gaps.long_table`.

    `sentences`; `solvers` (names of all except the reference); `overview`, one row per (data set,
    embedding, C); `details`, one table per (data set, embedding).
    """
    names = names or Names()
    solvers = table.loc[table["kind"] != "optimal", "solver"].drop_duplicates().tolist()
    return {
        "sentences": sentences(table, names),
        "solvers": [(solver, capital(names.solver(solver))) for solver in solvers],
        "overview": _overview_rows(optimality_gaps.overview(table), solvers, names),
        "details": [
            {
                "dataset": dataset,
                "embedding": embedding,
                "shown": names.pair(dataset, embedding),
                "rows": [_detail_row(rows, solvers) for _, rows in part.groupby(["C", "problem"])],
            }
            for (dataset, embedding), part in table.groupby(optimality_gaps.PAIR, sort=False)
        ],
    }


def sentences(table, names=None):
    """Sentences at the start of the section, from `optimality_gaps.long_table`."""
    names = names or Names()
    found = [_certified(table[table["kind"] == "optimal"])]
    for solver, rows in table[table["kind"] != "optimal"].groupby("solver", sort=False):
        shown = _with_article(names.solver(solver))
        found += [_reached(shown, rows, names), _bounded(shown, rows), _missing(shown, rows)]
    return [text for text in found if text]


def _with_article(name):
    """Name of a solver as a noun in a sentence.

    Examples
    --------
    >>> _with_article("SDP relaxation"), _with_article("gradient descent")
    ('the SDP relaxation', 'gradient descent')
    """
    return f"the {name}" if name.endswith("relaxation") else name


def _certified(rows):
    """Number of problems with a certified optimum, and its kind."""
    n, certified = len(rows), rows["certified"].fillna(False).astype(bool)
    gap = rows.loc[certified, "gap"].max()
    share = "" if n == 1 else "all "
    if not certified.all():
        share = f"{int(certified.sum())} of "
    text = f"The global optimum is certified for {share}{wording.count(n, 'problem')}"
    text += f" (largest relative gap {gap:.1e})." if certified.any() else "."
    still_open = rows.loc[~certified, "gap"].max()
    if still_open == still_open:
        text += f" The largest gap of the other problems is {still_open:.1e}."
    on_the_cone = int((rows["status"] == "horospherical").sum())
    return text + (
        f" In {wording.count(on_the_cone, 'problem')} it is horospherical: no hyperplane exists, "
        "and all points receive the same label."
        if on_the_cone
        else " It is a hyperplane in all problems."
    )


def _reached(solver, rows, names):
    """Excess of a solver's objectives over the optimum."""
    above = rows["above"].dropna()
    if above.empty:
        return None
    level = int((above <= 1e-4).sum())
    return (
        f"Objectives of {solver} exceed the optimum by a median of {_size(above.median())} % and "
        f"at most {_size(above.max())} % ({_name(rows.loc[above.idxmax()], names)}); they are "
        f"within 0.01 % of it in {level} of {wording.count(len(above), 'problem')}."
    )


def _bounded(solver, rows):
    """Distance of a solver's lower bounds from the optimum."""
    below = rows["below"].dropna()
    if below.empty:
        return None
    tight, empty = int((below <= 1e-3).sum()), int((below >= 1 - 1e-9).sum())
    tail = f" and zero, which carries no information, in {empty}" if empty else ""
    return (
        f"The lower bound of {solver} has a median distance of {_size(below.median())} % from the "
        f"optimum; it is within 0.1 % of it in {tight} of {len(below)} problems{tail}."
    )


def _missing(solver, rows):
    """Problems that a solver was not given, or failed on."""
    parts = []
    for status, words in (("skipped", "was not applied to"), ("failed", "failed on")):
        here = rows[rows["status"] == status]
        if len(here):
            reasons = ", ".join(here["warning"].drop_duplicates().head(_NAMED))
            parts.append(f"{words} {wording.count(len(here), 'problem')} ({reasons})")
    return f"{capital(solver)} {' and '.join(parts)}." if parts else None


def _name(row, names):
    dataset = names.head("datasets", row["dataset"])
    return f"{dataset}, {row['problem']}, C = {row['C']:g}"


def _overview_rows(overview, solvers, names):
    return [
        {
            **dict(zip((*optimality_gaps.PAIR, "C"), key, strict=True)),
            "C": f"{key[2]:g}",
            "shown": names.pair(*key[:2]),
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
    """One problem: bound and objective of each solver."""
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
