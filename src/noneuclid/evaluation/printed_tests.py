"""p-values that a paper prints, from our runs: one-sided paired t-tests over data sets."""

import numpy as np

from noneuclid.evaluation import paper_configurations, studies

P_VALUE = "p_value"


def p_values(scores, test):
    """What a paper prints as one p-value.

    Parameters
    ----------
    scores : DataFrame
        The long table of the stage evaluate.
    test : dict
        `table`, `dataset`, `variant` and `method` of the printed number; `datasets` (pattern over
        ours), `first` and `second` (methods of ours), `score` (a metric), `group` (optional, as
        for `studies.pairs`).

    Returns
    -------
    dict of tuple to dict
        One entry as `published.ours` gives them; none where the methods were run together on
        fewer than two of the data sets.

    Examples
    --------
    >>> import pandas as pd
    >>> keys = dict(embedding="given", fold=0, metric="accuracy", repeat=0)
    >>> values = [0.9, 0.8, 0.7, 0.8, 0.6, 0.4]
    >>> columns = dict(dataset=[*"uvwuvw"], method=[*"aaabbb"], value=values)
    >>> test = dict(table="text", dataset="d", variant="t-test", method="A, B", datasets="[uvw]")
    >>> test |= dict(first="a", second="b", score="accuracy")
    >>> ((key, found),) = p_values(pd.DataFrame({**keys, **columns}), test).items()
    >>> key[-1], found["runs"], round(found["ours"], 4)
    ('p_value', 3, 0.0371)
    """
    fits = paper_configurations.pattern(test["datasets"]).fullmatch
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
