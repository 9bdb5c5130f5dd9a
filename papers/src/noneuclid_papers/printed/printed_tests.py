"""p-values that a paper prints, from our runs: paired t-tests over data sets or over folds."""

import numpy as np

from noneuclid_papers.printed import published_entries, reproduction_status, run_metadata
from noneuclid_papers.statistics import paired_t_tests, studies


def p_values(scores, test):
    """What a paper prints as p-values, as entries of `published.ours`.

    `test` has `table`, `dataset`, `variant` and `method` of the printed number; `datasets` (pattern
    over ours), `first` and `second` (methods of ours), `score` (a metric), `group` (see
    `studies.pairs`). The test is one-sided over data sets; with `over: folds` it is two-sided over
    the folds of all data sets (`paired_t_tests`), one for each `variant`, a text with groups of the
    pattern, the first of which must tell the variants apart. Empty where both methods were run on
    fewer than two of the data sets.
    """
    fits = published_entries.pattern(test["datasets"]).fullmatch
    matches = {name: fits(name) for name in scores["dataset"].unique()}
    variants = {
        name: test["variant"].format(**match.groupdict()) if "over" in test else test["variant"]
        for name, match in matches.items()
        if match is not None
    }
    rows = scores[scores["dataset"].isin(list(variants))]
    parts = rows.groupby(rows["dataset"].map(variants), sort=False)
    found = {}
    for variant, part in parts:
        p, count = _p_value(part, test)
        if count > 1:
            key = (
                test["table"],
                test["dataset"],
                variant,
                test["method"],
                reproduction_status.P_VALUE,
            )
            best = {"best": np.nan, "best_method": ""}
            both = part["method"].isin([test["first"], test["second"]])
            found[key] = {"ours": p, "se": np.nan, "runs": count, "root": None} | best
            found[key] |= run_metadata.of(part[both])
    return found


def _p_value(rows, test):
    """P and the number of pairs of one test."""
    methods = [test["first"], test["second"]]
    if set(methods) - set(rows["method"]):
        return np.nan, 0
    if "over" in test:
        pattern = test["datasets"]
        table = paired_t_tests.paired_tests(rows, test["score"], [methods], pattern)
        return table["p"].iloc[0], table["n"].iloc[0]
    pairs = studies.pairs(rows, *methods, test["score"], test.get("group"))
    if len(pairs) < 2:
        return np.nan, 0
    return studies.paired(pairs["difference"].to_numpy())["t_p"], len(pairs)
