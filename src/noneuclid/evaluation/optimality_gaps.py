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
    """One table of all solutions, each with its distance from the certified optimum.

    Parameters
    ----------
    records : list of dict
        As the stage certify writes them.

    Returns
    -------
    DataFrame
        Columns `COLUMNS`: those of `certificates.solution_row`; `optimum`, the objective of the
        problem's solution of kind "optimal"; `certified`, whether its gap is closed; `above` =
        objective / optimum - 1 and `below` = 1 - lower_bound / optimum. NaN where there is none.

    Examples
    --------
    >>> rows = [{"problem": "a", "C": 1.0, "kind": k, "objective": f, "lower_bound": b,
    ...          "status": "optimal"} for k, f, b in (("optimal", 4.0, 4.0), ("pgd", 5.0, 1.0))]
    >>> record = {"dataset": "d", "embedding": "e", "dimension": 2, "solutions": rows}
    >>> long_table([record])[["above", "below"]].to_numpy().tolist()
    [[0.0, 0.0], [0.25, 0.75]]
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
    """Sum up each solver on each (data set, embedding, C).

    Parameters
    ----------
    table : DataFrame
        As from `long_table`.

    Returns
    -------
    DataFrame
        One row per (dataset, embedding, C, solver), in the order of `table`: `kind`, `problems`,
        `solved`, `certified` and `horospherical` (counts), `gap` (the worst), `above_median`,
        `above_worst`, `below_median`, `below_worst` and `seconds` (of all problems).
    """
    groups = table.groupby([*PAIR, "C", "solver"], sort=False)
    return groups.apply(summary, include_groups=False).reset_index()


def summary(part):
    """The columns of `overview` for the rows of one solver, as a Series.

    Examples
    --------
    >>> part = pd.DataFrame({"kind": "pgd", "objective": [1.0, 2.0], "status": "converged",
    ...     "certified": True, "gap": None, "above": [0.1, 0.3], "below": None, "seconds": 1.0})
    >>> summary(part)[["problems", "seconds"]].astype(int).tolist()
    [2, 2]
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
    """The planar problem on which solutions differ most: its rows, or none.

    Problems whose optimum is a hyperplane come first; on the light cone there is none to draw.

    Parameters
    ----------
    table : DataFrame
        As from `long_table`.

    Returns
    -------
    DataFrame
        Empty if no problem has two dimensions and an optimum.

    Examples
    --------
    >>> columns = {"dataset": "d", "embedding": "e", "C": 1.0, "problem": [*"aabb"],
    ...            "kind": ["optimal", "pgd"] * 2, "status": "optimal", "dimension": 2}
    >>> table = pd.DataFrame(columns | {"objective": 1.0, "above": [0.0, 0.1, 0.0, 0.7]})
    >>> most_spread(table)["problem"].tolist()
    ['b', 'b']
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
