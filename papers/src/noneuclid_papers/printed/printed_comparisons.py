"""Printed numbers that come from several runs or a formula: speedups, largest gains, bounds."""

import numpy as np

from noneuclid.errors import InputError, require
from noneuclid_papers.printed import published_entries, reproduction_status, run_metadata
from noneuclid_papers.programs import pan2023
from noneuclid_papers.statistics import studies

GAIN = "accuracy_gain_max"
SCORES = {reproduction_status.SPEEDUP: "fit_seconds", GAIN: "accuracy"}
UNIT = ["dataset", "embedding"]
FORMULAS = {"pan2023_updates_bound": pan2023.updates_bound}


def ours(parts, entry):
    """What our runs give for the cells of a comparison, as entries of `published.ours`.

    `parts` has the rows of `scores` by the paper's (data set, variant). `entry` has `table`,
    `dataset`, `variant`, `method` and `metric` of the printed number, and the patterns `datasets`
    and `embedding` over ours. It has `formula` too, one of `FORMULAS`, which takes the numbers in
    the named groups of `datasets`; or the methods `first` and `second`, and `group`, a pattern
    whose match is equal for the data sets of one setting (`studies.named`; None: each is one).

    Values are means over the folds and repeats of a data set on an embedding; folds without a value
    of both methods are left out. The metric `SPEEDUP` is the geometric mean over settings of the
    mean `fit_seconds` of the second method over that of the first; times of two commits or machines
    are left out. `GAIN` is the largest mean difference of `accuracy` of a setting, first - second,
    among the settings with the most data sets; its standard error is that over the data sets of
    this setting. With `folds: theirs` the rows are half of those held out: the difference of two
    scores has twice the variance of one. A cell is left out if a method has no run in it.
    """
    found = {}
    for place, rows in parts.items():
        value = _of_formula(rows, entry) if "formula" in entry else _of_pair(rows, entry)
        if value:
            key = entry["table"], *place, entry["method"], entry["metric"]
            found[key] = value | {"root": None, "best": np.nan, "best_method": ""}
    return found


def check(entry, runs):
    """Refuse a cell that `ours` could not compute from runs: `UNIT` and `method`, a row each."""
    if "formula" in entry:
        _formula_value(entry, runs)
        return
    pair = {entry["first"], entry["second"]}
    place = f"published: {entry['table']}: {entry['metric']}"
    require(len(pair) == 2, f"{place}: {entry['first']} is compared with itself")
    counts = runs[runs["method"].isin(pair)].groupby(UNIT)["method"].nunique()
    there = counts.index[counts == 2].get_level_values("dataset")
    require(len(there), f"{place}: no data set has both {' and '.join(sorted(pair))}")
    studies.named(there, entry.get("group"), f"{place}: group")


def _of_formula(rows, entry):
    """The value of a formula; its commit and machine are those of the runs."""
    return {"ours": _formula_value(entry, rows), "se": 0.0, "runs": 1} | run_metadata.of(rows)


def _formula_value(entry, rows):
    """The one value of a formula for the data sets of a cell."""
    fits = published_entries.pattern(entry["datasets"]).fullmatch
    texts = {tuple(fits(name).groupdict().items()) for name in rows["dataset"].unique()}
    require(len(texts) == 1, f"published: {entry['formula']}: one cell has several settings")
    known = ", ".join(FORMULAS)
    name = entry["formula"]
    require(name in FORMULAS, f"published: no formula {name!r}; known: {known}")
    try:
        return FORMULAS[name](**{k: float(text) for k, text in texts.pop()})

    except (TypeError, ValueError) as error:
        why = f"{type(error).__name__}: {error}"
        raise InputError(f"published: the formula {name} fails: {why}") from error


def _of_pair(rows, entry):
    """Speedup or largest gain of two methods; None without runs of both."""
    methods, metric = [entry["first"], entry["second"]], entry["metric"]
    rows = rows[rows["method"].isin(methods)]
    for method, part in rows.groupby("method"):
        require(part["setting"].nunique() == 1, f"published: {method} has several settings")
    if metric == reproduction_status.SPEEDUP and set(reproduction_status.RUN) <= set(rows):
        one = rows.groupby(UNIT)[reproduction_status.RUN].transform("nunique").eq(1).all(axis=1)
        rows = rows[one]
    folds = rows[rows["metric"] == SCORES[metric]]
    folds = folds.pivot(index=[*UNIT, "repeat", "fold"], columns="method", values="value")
    values = folds.reindex(columns=methods).dropna().groupby(UNIT).mean()
    if values.empty:
        return None
    names = values.index.get_level_values("dataset")
    named = studies.named(names.unique(), entry.get("group"), "published: group")
    settings = values.groupby([names.map(named), values.index.get_level_values("embedding")])
    if metric == reproduction_status.SPEEDUP:
        first, second = settings.mean().to_numpy().T
        ratio = float(np.exp(np.log(second / first).mean()))
        return {"ours": ratio, "se": np.nan, "runs": len(values)} | run_metadata.of(rows)
    gain = _largest_gain(settings)
    found = {"ours": gain.mean(), "se": _standard_error(gain), "runs": len(gain)}
    if entry.get("folds") == "theirs":
        sizes = rows[(rows["metric"] == "test_rows") & (rows["method"] == entry["first"])]
        sizes = sizes.groupby(UNIT)["value"].sum().reindex(gain.index)
        require(sizes.notna().all(), f"published: {entry['first']} has no metric test_rows")
        found["rows"] = sizes.sum() / 2
    return found | run_metadata.of(rows)


def _largest_gain(settings):
    """Differences of the data sets of the leading setting among those with the most."""
    parts = [part.iloc[:, 0] - part.iloc[:, 1] for _, part in settings]
    most = max(map(len, parts))
    return max((part for part in parts if len(part) == most), key=lambda part: part.mean())


def _standard_error(values):
    """Of a mean; 0 for a single value."""
    return values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0.0
