"""Methods compared in pairs over seeds and folds: t-tests, Holm's correction, marks.

This is how chlenski2024 (appendix A.7) tests its tables; the correction is added.
"""

from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import t as student

from noneuclid.datasets.checks import require
from noneuclid.evaluation.studies import named

RUN = ["dataset", "repeat", "fold"]


def holm(p):
    """Adjust p-values by Holm's procedure, so that the chance of any false one stays at alpha.

    Parameters
    ----------
    p : array-like, shape (m,)

    Returns
    -------
    ndarray, shape (m,)

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return np.minimum(adjusted, 1.0)


def paired_tests(scores, metric, pairs=None, group=None, alpha=0.05):
    """Two-sided t-tests of paired differences between methods, in each group of data sets.

    A pair of values is a fold of a repeat of a data set; the paper has 10 seeds of 5 folds. They
    are taken as independent, which folds of one data set are not: p-values are too small rather
    than too large.

    Parameters
    ----------
    scores : DataFrame
        The long table of the stage evaluate.
    metric : str
    pairs : list of (str, str), or None
        Methods to compare; None: all.
    group : str or None
        Pattern (see `studies.named`) of what data sets that belong together have in common; None:
        each is a group.
    alpha : float

    Returns
    -------
    DataFrame
        One row per (group, embedding, pair of methods): `first`, `second`, `n`, `first_mean`,
        `second_mean`, `difference` (first - second), `sd` of the differences, `t`, `p`, `p_holm`
        (over all rows), `better` and `better_holm`: the method with the higher mean where p, or
        p_holm, is below `alpha`, else "". Without any difference t is 0 and p is 1. A pair of which
        one method was not run on a group has no row.

    Raises
    ------
    InputError
        If the metric or a method is not in the table, a fold is there twice, has no counterpart or
        no value, or there is only one.

    Examples
    --------
    >>> keys = dict(dataset="d", embedding="given", fold=[*range(3)] * 2, metric="f", repeat=0)
    >>> values = [0.9, 0.8, 0.8, 0.6, 0.7, 0.6]
    >>> table = pd.DataFrame({**keys, "method": [*"aaabbb"], "value": values})
    >>> found = paired_tests(table, "f").iloc[0]
    >>> float(found["t"].round(3)), float(found["p"].round(4)), found["better"]
    (3.464, 0.0742, '')
    """
    table = scores[scores["metric"] == metric]
    require(len(table), f"tests: no metric {metric!r}; known: {sorted(scores['metric'].unique())}")
    known = sorted(table["method"].unique())
    pairs = list(combinations(known, 2)) if pairs is None else pairs
    for name in {name for pair in pairs for name in pair}:
        require(name in known, f"tests: no method {name!r} has {metric}; known: {known}")
    names = named(table["dataset"].unique(), group, "group")
    table = table.assign(group=table["dataset"].map(names))
    rows = []
    for (group_name, embedding), part in table.groupby(["group", "embedding"], sort=False):
        key = {"group": group_name, "embedding": embedding, "metric": metric}
        rows += [key | found for found in _compare_all(part, pairs, f"{metric} in {group_name!r}")]
    require(rows, "tests: no two of these methods were run on the same data set")
    tests = pd.DataFrame(rows)
    tests["p_holm"] = holm(tests["p"])
    for column, p in (("better", "p"), ("better_holm", "p_holm")):
        winner = np.where(tests["difference"] > 0, tests["first"], tests["second"])
        tests[column] = np.where(tests[p] < alpha, winner, "")
    return tests


def _compare_all(part, pairs, place):
    """Tests of all pairs of methods that were run on one group."""
    require(not part.duplicated([*RUN, "method"]).any(), f"tests: a fold twice: {place}")
    wide = part.pivot(index=RUN, columns="method", values="value")
    for first, second in pairs:
        if first in wide and second in wide:
            found = _compare(wide[first], wide[second], f"{first} and {second}, {place}")
            yield {"first": first, "second": second, **found}


def _compare(first, second, place):
    """Student's t of the paired differences."""
    missing = int((first.isna() | second.isna()).sum())
    require(not missing, f"tests: {missing} folds lack a value of one method: {place}; run both")
    n = len(first)
    require(n > 1, f"tests: one fold only: {place}; a test needs at least two")
    difference = (first - second).to_numpy()
    mean, sd = difference.mean(), difference.std(ddof=1)
    with np.errstate(divide="ignore"):
        t = np.divide(mean, sd / np.sqrt(n)) if difference.any() else 0.0
    means = {"first_mean": first.mean(), "second_mean": second.mean()}
    p = 2 * student.sf(abs(t), n - 1)
    return {"n": n, **means, "difference": mean, "sd": sd, "t": float(t), "p": float(p)}


def marked(tests, symbols, column="better", factor=100):
    """Table of means with the marks of significance, as the paper's table 1 prints it.

    Parameters
    ----------
    tests : DataFrame
        As `paired_tests` gives it.
    symbols : dict of str to str
        Mark for having beaten each method, such as {"tree": "‡"}; methods without one give none.
    column : {"better", "better_holm"}
    factor : float
        100 for percent.

    Returns
    -------
    DataFrame of str
        A row for each (group, embedding), a column for each method, such as "91.88†‡"; "" where a
        method was not run.

    Examples
    --------
    >>> row = {"group": "g", "embedding": "given", "first": "a", "second": "b"}
    >>> tests = pd.DataFrame([{**row, "first_mean": 0.9, "second_mean": 0.8, "better": "a"}])
    >>> marked(tests, {"b": "†"}).iloc[0].to_dict()
    {'a': '90.00†', 'b': '80.00'}
    """
    cells, beaten = {}, {}
    for row in tests.to_dict("records"):
        place = row["group"], row["embedding"]
        for role, other in (("first", "second"), ("second", "first")):
            key = place, row[role]
            cells[key] = f"{factor * row[f'{role}_mean']:.2f}"
            if row[column] == row[role]:
                beaten.setdefault(key, set()).add(row[other])
    table = {}
    for (place, method), text in cells.items():
        lost = beaten.get((place, method), ())
        marks = "".join(mark for name, mark in symbols.items() if name in lost)
        table.setdefault(method, {})[place] = text + marks
    return pd.DataFrame(table).rename_axis(["group", "embedding"]).fillna("")
