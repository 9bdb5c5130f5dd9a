"""p-values that a paper prints, from our runs: one-sided paired t-tests over data sets."""

import numpy as np

from noneuclid.evaluation import published_entries, studies

P_VALUE = "p_value"


def p_values(scores, test):
    """What a paper prints as one p-value, as an entry of `published.ours`.

    `test` has `table`, `dataset`, `variant` and `method` of the printed number; `datasets` (pattern
    over ours), `first` and `second` (methods of ours), `score` (a metric), `group` (see
    `studies.pairs`). Empty where both methods were run on fewer than two of the data sets.
    """
    fits = published_entries.pattern(test["datasets"]).fullmatch
    rows = scores[[fits(name) is not None for name in scores["dataset"]]]
    methods = [test["first"], test["second"]]
    if set(methods) - set(rows["method"]):
        return {}
    pairs = studies.pairs(rows, *methods, test["score"], test.get("group"))
    if len(pairs) < 2:
        return {}
    p = studies.paired(pairs["difference"].to_numpy())["t_p"]
    key = *(test[name] for name in ("table", "dataset", "variant", "method")), P_VALUE
    best = {"best": np.nan, "best_method": ""}
    return {key: {"ours": p, "se": np.nan, "runs": len(pairs), "root": None} | best}
