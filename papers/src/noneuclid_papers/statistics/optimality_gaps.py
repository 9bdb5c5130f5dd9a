"""How far bounds and solutions of the hyperboloid SVM lie from the certified optimum."""

import pandas as pd

PAIR = ["dataset", "embedding"]
PROBLEM = [*PAIR, "C", "problem"]
CERTIFIED = ("optimal", "horospherical")
COLUMNS = [
    *PROBLEM,
    *("n", "n_positive", "dimension", "solver", "kind", "status", "objective", "lower_bound"),
    *("gap", "eta", "optimum", "certified", "above", "below", "n_iter", "seconds", "warning", "w"),
]


def long_table(records):
    """One table of all solutions in the records of the stage certify, columns `COLUMNS`.

    `optimum` is the objective of the problem's solution of kind "optimal"; `certified`: its gap is
    closed; `above` = objective / optimum - 1; `below` = 1 - lower_bound / optimum. NaN where there
    is none.
    """
    named = ("dataset", "embedding", "dimension")
    rows = [
        {name: record[name] for name in named} | row
        for record in records
        for row in record["solutions"]
    ]
    table = pd.DataFrame(rows).reindex(columns=COLUMNS)
    numbers = ["objective", "lower_bound", "gap", "eta", "n_iter", "seconds"]
    table[numbers] = table[numbers].astype(float)
    best = table[table["kind"] == "optimal"].set_index(PROBLEM)
    keys = pd.MultiIndex.from_frame(table[PROBLEM])
    table["optimum"] = best["objective"].reindex(keys).to_numpy()
    table["certified"] = best["status"].isin(CERTIFIED).reindex(keys).to_numpy()
    table["above"] = table["objective"] / table["optimum"] - 1.0
    table["below"] = 1.0 - table["lower_bound"] / table["optimum"]
    return table


def overview(table):
    """One row for each (dataset, embedding, C, solver) of `long_table`, in its order: `summary`."""
    groups = table.groupby([*PAIR, "C", "solver"], sort=False)
    return groups.apply(summary, include_groups=False).reset_index()


def summary(part):
    """The columns of `overview` for the rows of one solver, as a Series.

    Counts `problems`, `solved`, `certified`, `horospherical`; `gap`, the worst; medians and worst
    of `above` and `below`; `seconds` of all problems.
    """
    return pd.Series(
        {
            "kind": part["kind"].iloc[0],
            "problems": len(part),
            "solved": int(part["objective"].notna().sum()),
            "certified": int(part["certified"].sum()),
            "horospherical": int((part["status"] == "horospherical").sum()),
            "gap": part["gap"].max(),
            "above_median": part["above"].quantile(0.5),
            "above_worst": part["above"].max(),
            "below_median": part["below"].quantile(0.5),
            "below_worst": part["below"].max(),
            "seconds": part["seconds"].sum(),
        },
        dtype=object,
    )


def most_spread(table):
    """Rows of the planar problem on which solutions differ most; none without an optimum.

    Problems whose optimum is a hyperplane come first; on the light cone there is none to draw.
    """
    planar = table[(table["dimension"] == 2) & table["above"].notna()]
    if planar.empty:
        return planar
    best = planar[planar["kind"] == "optimal"].set_index(PROBLEM)
    ranked = pd.DataFrame(
        {
            "drawn": best["status"] != "horospherical",
            "spread": planar.groupby(PROBLEM)["above"].max().reindex(best.index),
        }
    )
    chosen = ranked.sort_values(["drawn", "spread"], ascending=False, kind="stable").index[0]
    return table[(table[PROBLEM] == pd.Series(chosen, index=PROBLEM)).all(axis=1)]
