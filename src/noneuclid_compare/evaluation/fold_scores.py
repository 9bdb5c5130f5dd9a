"""A long table of scores of pipelines in folds, checked, and taken apart by data set."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from noneuclid.errors import require

FOLD = ["repeat", "fold"]
SIZES = ["n_train", "n_test", "n_min"]
COLUMNS = ["dataset", "pipeline", *FOLD, "score", *SIZES]


@dataclass(frozen=True)
class DataSet:
    """Scores of J folds.

    `values` (J folds, complete pipelines), larger is better; `inner`, of the same folds; `repeat`
    (J,) codes; `ratio`, mean of n_test/n_train; `floor`, variance of one row on either side;
    `units`, independent groups of rows, infinite if rows are independent.
    """

    values: pd.DataFrame
    inner: pd.DataFrame | None
    repeat: np.ndarray
    ratio: float
    floor: float
    units: float = np.inf


def _wide(table, name, pipelines):
    """Values by fold and pipeline; a pivot by a single tuple would make levels of it."""
    known = list(dict.fromkeys([*pipelines, *table["pipeline"]]))
    numbers = table["pipeline"].map({pipeline: k for k, pipeline in enumerate(known)})
    values = table.assign(number=numbers).pivot(index=FOLD, columns="number", values=name)
    values = values.sort_index().reindex(columns=range(len(pipelines)))
    return values.set_axis(pd.Index(pipelines), axis=1)


def data_sets(table, pipelines, larger=True, scale=1.0):
    """Scores of some pipelines on each data set, and what is left out.

    A pipeline without a score (nan, or no row) in a fold that any other has is left out on that
    data set.

    Parameters
    ----------
    table : DataFrame
        A row for each fold and pipeline: `dataset`, `pipeline`, `repeat`, `fold`, `score`; rows of
        the fold in `n_train` and `n_test`; `n_min`, rows of the smallest class of the data set (for
        regression all rows). Where given, `inner`: score of the inner search, larger is better;
        `n_groups`: held-out groups of rows, nan if rows are independent.
    pipelines : list
    larger : bool
        Whether larger scores are better.
    scale : float
        Difference of scores between all rows right and all wrong: 1 for accuracy, 100 in percent;
        for R² 1; the standard deviation of the target for errors in its units.

    Returns
    -------
    dict of DataSet
        By name of the data set.
    tuple of (data set, pipeline, int)
        Pipelines left out, with the number of folds without their score.
    """
    _check(table, pipelines)
    sets, left_out = {}, []
    for name, part in table.groupby("dataset"):
        values = _wide(part, "score", pipelines)
        lacking = values.isna().sum()
        left_out += [(name, pipeline, int(k)) for pipeline, k in lacking.items() if k]
        sizes = part.groupby(FOLD)[SIZES]
        require((sizes.nunique() == 1).all(None), f"scores: sizes of a fold of {name} differ")
        sizes = sizes.first()
        sets[name] = DataSet(
            values.loc[:, lacking == 0] * (1 if larger else -1),
            _wide(part, "inner", pipelines) if "inner" in part else None,
            pd.factorize(values.index.get_level_values("repeat"))[0],
            float((sizes["n_test"] / sizes["n_train"]).mean()),
            float(scale**2 / (2 * sizes["n_min"].min() ** 2)),
            float(part["n_groups"].fillna(np.inf).min()) if "n_groups" in part else np.inf,
        )
    return sets, tuple(left_out)


def _check(table, pipelines):
    """The table has all columns, scores of all pipelines, one in a fold, and positive sizes."""
    absent = sorted(set(COLUMNS) - set(table.columns))
    require(not absent, f"scores: the table has no column {', '.join(absent)}")
    unknown = set(pipelines) - set(table["pipeline"])
    require(not unknown, f"scores: none of {', '.join(sorted(map(str, unknown)))}")
    twice = table.duplicated(["dataset", "pipeline", *FOLD])
    require(not twice.any(), "scores: a pipeline has two in one fold")
    require(not np.isinf(table["score"]).any(), "scores: one is infinite; take another metric")
    sizes = table[SIZES].to_numpy(dtype=float)
    require((np.isfinite(sizes) & (sizes > 0)).all(), f"scores: {', '.join(SIZES)} are positive")
