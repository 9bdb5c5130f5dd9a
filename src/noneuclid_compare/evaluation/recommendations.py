"""Which candidate to use on one data set: a method on an embedding, or without embedding.

The rule:

1. The baseline is the simplest candidate. It is known before any score is.
2. Every other candidate is compared with the baseline over the folds of the data set, by the
   corrected resampled t-test of `noneuclid_compare.evaluation.verdicts`, with Holm's correction for
   the number of candidates. The baseline does not depend on the scores, so the chance of preferring
   any candidate to an equally good baseline is below 5 % if a candidate's errors in different folds
   are nearly independent. An error common to all folds as large as the error of one fold raises the
   chance to 18 to 26 % (13 candidates, 2 or 4 repeats of 5 folds, simulated).
3. If no candidate is better, the baseline is recommended.
4. Otherwise, of the candidates that are better the one with the highest mean is the leader. It is
   compared with every other candidate in the same way. The simplest candidate that is better than
   the baseline and not worse than the leader is recommended.

A candidate is better if the corrected p-value is below 5 %, the mean difference is in its favour
and it is ahead on at least as many folds as it is behind.

With one fold nothing can be tested. The candidate with the best score is then recommended, the
simplest of equal ones.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from noneuclid_compare.evaluation import verdicts
from noneuclid_compare.evaluation.rank_tests import holm


@dataclass(frozen=True)
class Recommendation:
    """What `recommend` found.

    Attributes
    ----------
    chosen, baseline, leader : hashable
        Candidates; the leader has the highest mean of those that may be recommended: with a test,
        the baseline and those that are better; without, all.
    better : bool
        Whether the chosen candidate is significantly better than the baseline.
    runner_up : hashable or None
        The other candidate with the highest mean; None without others.
    means : Series
        Mean of each candidate, larger is better.
    low, high : float
        95 % interval of the mean of the chosen candidate, corrected for folds that overlap.
    over_baseline, over_runner_up : dict
        `difference`, `low`, `high`, `p_holm`: chosen candidate less the other; nan without a test.
    folds : int
    tested : bool
        Whether anything could be tested: there are two folds.
    """

    chosen: object
    baseline: object
    leader: object
    better: bool
    runner_up: object
    means: pd.Series
    low: float
    high: float
    over_baseline: dict
    over_runner_up: dict
    folds: int
    tested: bool


def recommend(values, ratio, order):
    """Recommend one of the columns of `values`; None without any.

    Parameters
    ----------
    values : DataFrame
        Folds by candidates, larger is better, no value missing.
    ratio : float
        Test rows over training rows, mean over the folds; nan if it is not known.
    order : list
        The candidates, simplest first.

    Examples
    --------
    >>> values = pd.DataFrame({"plain": [0.70, 0.72, 0.71, 0.69], "curved": [0.9, 0.91, 0.92, 0.9]})
    >>> recommend(values, 1 / 3, ["plain", "curved"]).chosen
    'curved'
    >>> recommend(values + [0.2, 0.0], 1 / 3, ["plain", "curved"]).chosen
    'plain'
    """
    if values.empty:
        return None
    order = [candidate for candidate in order if candidate in values.columns]
    means = values.mean().round(9)
    tested = len(values) > 1 and not np.isnan(ratio)
    baseline = order[0]
    against = compare(values, ratio, baseline, tested)
    leader = chosen = baseline
    better = against.index[against["better"]].tolist()
    if not tested:
        leader = chosen = means[order].idxmax()
    elif better:
        # The simplest of equal means.
        leader = means[[c for c in order if c in better]].idxmax()
        behind = compare(values, ratio, leader, tested)["worse"]
        chosen = next(c for c in order if c == leader or (c in better and not behind[c]))
    others = [candidate for candidate in order if candidate != chosen]
    runner_up = means[others].idxmax() if others else None
    reference = leader if runner_up == leader else chosen
    return Recommendation(
        chosen=chosen,
        baseline=baseline,
        leader=leader,
        better=chosen in better,
        runner_up=runner_up,
        means=means,
        **_interval(values[chosen], ratio, tested),
        over_baseline=_difference(values, ratio, tested, chosen, baseline, baseline),
        over_runner_up=_difference(values, ratio, tested, chosen, runner_up, reference),
        folds=len(values),
        tested=tested,
    )


def compare(values, ratio, reference, tested=True):
    """Every other column less the column `reference`, over the folds.

    Index: the other columns; `difference`, `low`, `high`, `p_holm`, `better`, `worse`. Intervals
    have the level of Holm's step; without a test they and the p-values are nan.
    """
    gaps = values.drop(columns=[reference]).sub(values[reference], axis=0).round(9)
    table = pd.DataFrame({"difference": gaps.mean()})
    table[["low", "high", "p_holm"]] = np.nan
    if tested and len(table):
        found = verdicts.over_folds([gaps.to_numpy()], [ratio])
        table["low"], table["high"], table["p_holm"] = found[:, 1], found[:, 2], holm(found[:, 3])
    significant = table["p_holm"] < verdicts.ALPHA
    ahead = (gaps > 0).sum() - (gaps < 0).sum()
    table["better"] = significant & (table["difference"] > 0) & (ahead >= 0)
    table["worse"] = significant & (table["difference"] < 0) & (ahead <= 0)
    return table


def _interval(column, ratio, tested):
    """Ends of the interval of a mean."""
    if not tested:
        return {"low": np.nan, "high": np.nan}
    _, low, high, _ = verdicts.corrected_t([column.to_numpy()], [ratio])
    return {"low": float(low), "high": float(high)}


def _difference(values, ratio, tested, first, second, reference):
    """One candidate less another, from the comparisons of the reference, which is one of them."""
    if second is None or first == second:
        return dict.fromkeys(("difference", "low", "high", "p_holm"), np.nan)
    table = compare(values, ratio, reference, tested)
    row = table.loc[[second if first == reference else first]].iloc[0]
    if first != reference:
        return {key: float(row[key]) for key in ("difference", "low", "high", "p_holm")}
    ends = {"difference": -row["difference"], "low": -row["high"], "high": -row["low"]}
    return {key: float(end) for key, end in ends.items()} | {"p_holm": float(row["p_holm"])}
