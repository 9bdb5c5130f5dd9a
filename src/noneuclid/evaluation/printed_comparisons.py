"""Printed numbers that no single run gives: speedups, largest gains, bounds of theorems."""

from pkgutil import resolve_name

import numpy as np

from noneuclid.errors import require
from noneuclid.evaluation import agreement, origins, published_entries, studies

GAIN = "accuracy_gain_max"
RUN = ["dataset", "embedding", "repeat"]


def ours(parts, entry):
    """What our runs give for the cells of a comparison, as entries of `published.ours`.

    `parts` has the rows of `scores` by the paper's (data set, variant). `entry` has `method` and
    `metric` of the printed number and either `first`, `second` (methods of ours), `score` (a
    metric) and `group` (see `studies.named`), or `formula`: the path of a function that takes the
    numbers in the named groups of `datasets`. A speedup is the mean of `score` of the second method
    over that of the first in each group, and their geometric mean over the groups; a largest gain
    is the largest mean difference of a group, first - second. Cells without runs of both methods
    are left out.
    """
    found = {}
    for place, rows in parts.items():
        value = _of_formula(rows, entry) if "formula" in entry else _of_pair(rows, entry)
        if value:
            key = entry["table"], *place, entry["method"], entry["metric"]
            found[key] = value | {"root": None, "best": np.nan, "best_method": ""}
    return found


def _of_formula(rows, entry):
    """The value of a formula; its commit and machine are those of the runs."""
    fits = published_entries.pattern(entry["datasets"]).fullmatch
    settings = {
        tuple((key, float(text)) for key, text in fits(name).groupdict().items())
        for name in rows["dataset"].unique()
    }
    require(len(settings) == 1, f"published: {entry['formula']}: one cell has several settings")
    value = resolve_name(entry["formula"])(**dict(settings.pop()))
    return {"ours": value, "se": 0.0, "runs": 1} | origins.of(rows)


def _of_pair(rows, entry):
    """Speedup or largest gain of two methods; None without runs of both."""
    methods = [entry["first"], entry["second"]]
    rows = rows[rows["method"].isin(methods)]
    chosen = rows[rows["metric"] == entry["score"]]
    if set(methods) - set(chosen["method"]):
        return None
    values = chosen.groupby([*RUN, "method"])["value"].mean().unstack()[methods]
    missing = int(values.isna().to_numpy().sum())
    require(not missing, f"published: {missing} runs of {' and '.join(methods)} lack the other")
    names = values.index.get_level_values("dataset")
    groups = names.map(studies.named(names.unique(), entry.get("group"), "group"))
    found = {agreement.SPEEDUP: _speedup, GAIN: _largest_gain}[entry["metric"]](values, groups)
    if entry.get("folds") == "theirs":
        sizes = rows[(rows["metric"] == "test_rows") & (rows["method"] == entry["first"])]
        found["rows"] = sizes[sizes["dataset"].isin(found["datasets"])]["value"].sum()
    return found | origins.of(rows)


def _speedup(values, groups):
    """values: columns of the first and the second method, one row for each run."""
    first, second = values.groupby(groups).mean().to_numpy().T
    ratio = float(np.exp(np.log(second / first).mean()))
    return {"ours": ratio, "se": np.nan, "runs": len(values), "datasets": list(groups)}


def _largest_gain(values, groups):
    """As `_speedup`; the standard error is that of the leading group."""
    gain = values.iloc[:, 0] - values.iloc[:, 1]
    leader = gain[groups == gain.groupby(groups).mean().idxmax()]
    n = len(leader)
    se = float(leader.std(ddof=1) / np.sqrt(n)) if n > 1 else 0.0
    datasets = list(leader.index.get_level_values("dataset"))
    return {"ours": float(leader.mean()), "se": se, "runs": n, "datasets": datasets}
