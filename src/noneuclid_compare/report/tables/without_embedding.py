"""The best method on an embedding against the best baseline on the original features.

The table answers "is this better than what I do now?". Both sides are chosen among several
methods, and the highest of several means is biased upwards. This is how a method is chosen:

- with several folds in a repeat, the method for a fold is the one with the highest mean over the
  other folds of that repeat, whose rows all belong to the training rows of this fold. Its score in
  this fold enters the mean of its side;
- with one fold in a repeat (holdout) the methods with the highest means are compared;
- with one fold in all nothing is tested, and both means are biased upwards.

On one data set the two sides are compared in pairs of folds by the corrected resampled t-test of
`noneuclid_compare.evaluation.verdicts`, with Bonferroni's correction for all pairs of a method and
a baseline on all embeddings of the data set: the interval holds for any pair and any embedding that
the data choose. Without the correction 31 % of the comparisons of equal methods are significant in
a simulation (20 methods, 4 repeats of 5 folds, and for each method a common error of all folds as
large as the error of one fold), with it 2 %. Several data sets are compared by the tests of
`verdicts` on the means of each data set.

Baselines are compared in this table alone. They are no part of the league, of its ranks, of the
critical difference or of the verdict on the best method: those compare methods on the same points.
"""

from collections import Counter

import numpy as np
import pandas as pd

from noneuclid_compare import wording
from noneuclid_compare.evaluation import verdicts
from noneuclid_compare.records import ORIGINAL
from noneuclid_compare.report import style
from noneuclid_compare.report.names import BASELINES, Names
from noneuclid_compare.report.tables import leader_comparisons

PAIR, FOLD = verdicts.PAIR, verdicts.FOLD
SIDES = ["embedding", "original"]
COLUMNS = [
    *("dataset", "embedding", "method", "method_share", "mean", "baseline", "baseline_share"),
    *("baseline_mean", "difference", "low", "high", "p", "chosen", "verdict"),
]
OTHER_FOLDS, ALL_PAIRS, SAME_FOLD = "other folds", "all pairs", "same fold"
BETTER, WORSE, ALIKE, UNTESTED = "better", "worse", "no difference", "not tested"
ALL = "all"


def parts(scores):
    """The long table of scores in two: methods on embedded points, and the baselines."""
    original = scores["embedding"] == ORIGINAL
    return scores[~original].reset_index(drop=True), scores[original].reset_index(drop=True)


def rows(scores, original, metric, classes=None):
    """One row for each embedded data set that has baselines, and one for all if they are several.

    Parameters
    ----------
    scores, original : DataFrame
        Long tables of scores: methods on embedded points, and baselines; see `parts`.
    metric : str
    classes : dict, optional
        Dotted class of each method, for its family: floors are left out.

    Returns
    -------
    DataFrame
        `dataset`, `embedding` (both "all" in the last row, which takes the mean over the embeddings
        of a data set first); `method`, `baseline`: chosen most often, and `method_share`,
        `baseline_share`: in what share of the folds ("" and nan in the row "all"); `mean`,
        `baseline_mean`: of the methods chosen fold by fold; `difference`, positive where the
        embedding is better, with its 95 % interval `low`, `high` and `p` (over ten data sets or
        more the estimate of Hodges and Lehmann; nan where nothing can be tested); `chosen`:
        "other folds", "all pairs" or "same fold", as in the head of this module; `verdict`:
        "better" or "worse" if the interval excludes 0, else "no difference", or "not tested".

    Examples
    --------
    >>> folds = {("hydra", "svm"): [0.5, 0.6, 0.5], ("original", "original_svm"): [0.8, 0.9, 0.9]}
    >>> table = pd.DataFrame(
    ...     [("d", *em, "", 0, k, "f", v) for em, vs in folds.items() for k, v in enumerate(vs)],
    ...     columns="dataset embedding method setting repeat fold metric value".split(),
    ... )
    >>> found = rows(*parts(table), "f").iloc[0]
    >>> found["baseline"], round(float(found["difference"]), 3), found["verdict"]
    ('original_svm', -0.333, 'worse')
    """
    larger = style.higher_is_better(metric)
    found, compared, pairs = [], [], 1
    shared = list(_shared(scores, original, metric, classes))
    embeddings = Counter(dataset for (dataset, _), *_ in shared)
    for (dataset, embedding), values, base, ratio in shared:
        values, base = _complete(values, base)
        if values.size and base.size:
            row, sides = _compare(values, base, ratio, embeddings[dataset])
            pairs = max(pairs, values.shape[1] * base.shape[1])
            found.append({"dataset": dataset, "embedding": embedding} | row)
            compared.append(sides)
    table = pd.DataFrame(found, columns=COLUMNS)
    if len(table) > 1:
        table.loc[len(table)] = _overall(table, pd.concat(compared), ratio, pairs)
    signed = table[["mean", "baseline_mean"]]
    return table if larger else table.assign(**-signed)


def _shared(scores, original, metric, classes):
    """Pair, values of both sides by fold, larger is better, and the ratio of sizes of the folds.

    One of each embedded data set that has baselines.
    """
    if metric not in set(scores["metric"]) & set(original["metric"]):
        return
    ours, ratio = leader_comparisons.values_of(scores, metric, classes)
    theirs, _ = verdicts.values_of(original, metric, style.higher_is_better(metric))
    theirs = theirs.droplevel("embedding")
    for pair, values in ours.groupby(level=PAIR):
        if pair[0] in theirs.index:
            base = theirs.reindex(values.index.droplevel("embedding")).set_axis(values.index)
            yield pair, values, base, ratio


def best_baseline(scores, original, metric, method, classes=None):
    """The best baseline less one method on the same folds; None without baselines.

    The baseline is chosen, and its interval is corrected, as in `rows`.

    Returns
    -------
    dict or None
        `baseline` (chosen most often; "" if the data sets differ in it) and `share` (of the folds
        in which it was chosen), `datasets` (number of those that have baselines), `difference`
        (larger is better), `low`, `high`, `p`, `verdict`, and `ahead`, `behind`: numbers of data
        sets, or of folds of one data set.

    Examples
    --------
    >>> folds = {("hydra", "svm"): [0.5, 0.6, 0.5], ("original", "original_svm"): [0.8, 0.9, 0.9]}
    >>> table = pd.DataFrame(
    ...     [("d", *em, "", 0, k, "f", v) for em, vs in folds.items() for k, v in enumerate(vs)],
    ...     columns="dataset embedding method setting repeat fold metric value".split(),
    ... )
    >>> found = best_baseline(*parts(table), "f", "svm")
    >>> found["baseline"], round(found["difference"], 3), found["ahead"]
    ('original_svm', 0.333, 3)
    """
    compared, shares, pairs, ratio = [], {}, 1, None
    for _, values, base, ratio in _shared(scores, original, metric, classes):  # noqa: B007
        pairs = max(pairs, values.notna().all().sum() * base.shape[1])
        values, base = _complete(values[[method]], base)
        if values.size and base.size:
            nested = base.groupby(level="repeat").size().min() > 1
            name, share, best = (_nested if nested else _highest)(base)
            # The sides of `_tested`: it takes the first less the second.
            compared.append(pd.concat([best, values[method]], axis=1, keys=SIDES))
            shares.setdefault(name, []).append(share)
    if not compared:
        return None
    sides = pd.concat(compared)
    means = sides.groupby(level=PAIR).mean().groupby(level="dataset").mean()
    unit = "dataset" if len(means) > 1 else verdicts.RUN
    gaps = (sides[SIDES[0]] - sides[SIDES[1]]).groupby(level=unit).mean().round(9)
    return {
        "baseline": next(iter(shares)) if len(shares) == 1 else "",
        "share": np.mean(next(iter(shares.values()))) if len(shares) == 1 else np.nan,
        "datasets": len(means),
        "ahead": int((gaps > 0).sum()),
        "behind": int((gaps < 0).sum()),
        **_tested(sides, ratio, pairs),
    }


def _complete(values, base):
    """Folds in which both sides have a value, and the methods that have one in all of these."""
    known = values.notna().any(axis=1) & base.notna().any(axis=1)
    return values[known].dropna(axis=1), base[known].dropna(axis=1)


def _compare(values, base, ratio, embeddings=1):
    """Row of one embedded data set, and the scores of both sides by fold; larger is better.

    The interval is corrected for all pairs of methods on all `embeddings` of the data set.
    """
    folds = values.groupby(level="repeat").size()
    nested = folds.min() > 1
    (method, share, ours), (baseline, base_share, theirs) = (
        _nested(table) if nested else _highest(table) for table in (values, base)
    )
    sides = pd.concat([ours, theirs], axis=1, keys=SIDES)
    row = {"method": method, "method_share": share, "mean": ours.mean()}
    row |= {"baseline": baseline, "baseline_share": base_share, "baseline_mean": theirs.mean()}
    if len(sides) < 2 or ratio.reindex(sides.index).isna().any():
        gap = {"difference": (ours - theirs).mean(), "low": np.nan, "high": np.nan, "p": np.nan}
        return row | {"chosen": SAME_FOLD, "verdict": UNTESTED} | gap, sides
    pairs = values.shape[1] * base.shape[1] * embeddings
    gap = _corrected([ours - theirs], [ratio.reindex(sides.index).mean()], pairs)
    return row | {"chosen": OTHER_FOLDS if nested else ALL_PAIRS} | gap, sides


def _corrected(differences, ratios, pairs):
    """Difference by `verdicts.corrected_t`, corrected for `pairs` comparisons, and its verdict."""
    level = 1 - verdicts.ALPHA / pairs
    found = verdicts.corrected_t(differences, ratios, level=level)
    gap = dict(zip(("difference", "low", "high", "p"), map(float, found), strict=True))
    gap["p"] = min(1.0, pairs * gap["p"])
    if gap["low"] == gap["high"]:  # without variance Student's t is not defined
        gap["low"] = gap["high"] = np.nan
    return gap | {"verdict": _verdict(gap)}


def _nested(table):
    """Score of the method for each fold that is best in the other folds of its repeat.

    The name chosen most often, its share of the folds, and the scores. Of equal means the first
    method in the order of the table is taken.
    """
    sums = table.groupby(level="repeat").transform("sum")
    others = (sums - table).round(9)  # sums in another order must not decide a tie
    picked = others.to_numpy().argmax(axis=1)
    counts = np.bincount(picked, minlength=table.shape[1])
    scores = table.to_numpy()[np.arange(len(table)), picked]
    top = counts.argmax()
    return table.columns[top], counts[top] / len(table), pd.Series(scores, index=table.index)


def _highest(table):
    """The method with the highest mean, its share of one, and its scores."""
    name = table.mean().round(9).idxmax()
    return name, 1.0, table[name]


def _tested(sides, ratio, pairs):
    """Difference of two sides over several data sets, its interval, p-value and verdict."""
    ratio = ratio.reindex(sides.index)
    found = verdicts.judge(sides, ratio)
    if found.test == "folds":
        gaps = (sides[SIDES[0]] - sides[SIDES[1]]).groupby(level=verdicts.RUN).mean()
        parts = [part.to_numpy() for _, part in gaps.groupby(level="dataset")]
        ratios = ratio.groupby(level="dataset").mean().to_numpy()
        return _corrected(parts, ratios, pairs)
    sign = 1 if found.leader == SIDES[0] else -1
    ends = sorted((sign * found.low, sign * found.high))
    gap = {"difference": sign * found.effect, "low": ends[0], "high": ends[1]}
    gap["p"] = float(found.table["p"].iloc[0])
    return gap | {"verdict": UNTESTED if found.test is None else _verdict(gap)}


def _verdict(gap):
    """Words for a difference; the p-value decides where there is no interval."""
    if not gap["p"] < verdicts.ALPHA:
        return ALIKE
    return BETTER if gap["difference"] > 0 else WORSE


def _overall(table, sides, ratio, pairs):
    """Row of all data sets that can be tested, or of all if none can."""
    tested = table[table["chosen"] != SAME_FOLD]
    chosen = tested["chosen"].iloc[0] if len(tested) else SAME_FOLD
    if len(tested):
        used = pd.MultiIndex.from_frame(tested[PAIR])
        sides = sides[sides.index.droplevel(["repeat", "fold"]).isin(used)]
    means = sides.groupby(level=PAIR).mean().groupby(level="dataset").mean()
    row = {"dataset": ALL, "embedding": ALL, "method": "", "baseline": "", "chosen": chosen}
    row |= {"mean": means[SIDES[0]].mean(), "baseline_mean": means[SIDES[1]].mean()}
    if len(tested):
        return row | _tested(sides, ratio, pairs)
    return row | {"difference": row["mean"] - row["baseline_mean"], "verdict": UNTESTED}


WORDS = {
    BETTER: "the embedding gains",
    WORSE: "the embedding loses",
    ALIKE: "no significant difference",
    UNTESTED: "not tested",
}


def sentence(row, metric, names=None):
    """One row in words.

    Examples
    --------
    >>> row = dict(method="svm", baseline="original_svm", mean=0.55, baseline_mean=0.62)
    >>> row |= dict(difference=-0.07, low=-0.1, high=-0.04, verdict="worse", embedding="hydra")
    >>> sentence(row | {"baseline_share": 1.0, "method_share": 0.6}, "auc")  # doctest: +ELLIPSIS
    'without embedding 0.620 (best of three: SVM with Gaussian kernel), with Hydra 0.550 ...'
    """
    names = names or Names()
    unit = "\u00a0%" if style.in_percent(metric) else ""
    means = [f"{style.score(row[mean], metric)}{unit}" for mean in ("baseline_mean", "mean")]
    chosen = [
        words(row["baseline"], row["baseline_share"]),
        names.in_text("methods", row["method"]) + _in_folds(row["method_share"]),
    ]
    embedding = names.head("embeddings", row["embedding"])
    return (
        f"without embedding {means[0]} (best of three: {chosen[0]}), with {embedding} {means[1]} "
        f"({chosen[1]}); {effect(row, metric)}"
    )


def words(baseline, share):
    r"""Name of a baseline in words, and in how many folds it was chosen if not in all.

    Examples
    --------
    >>> words("original_svm", 1.0), words("original_logistic", 0.5)
    ('SVM with Gaussian kernel', 'logistic regression in 50\xa0% of the folds')
    """
    return BASELINES.get(baseline, baseline) + _in_folds(share)


def _in_folds(share):
    return "" if share >= 1 else f" in {100 * share:.0f}\u00a0% of the folds"


def effect(row, metric):
    """Difference of the two sides with its interval, and its verdict.

    Examples
    --------
    >>> row = dict(difference=-0.07, low=-0.1, high=-0.04, verdict="worse")
    >>> effect(row, "accuracy")
    'difference −7.0 points (−10.0 to −4.0): the embedding loses'
    """
    unit = " points" if style.in_percent(metric) else ""
    return f"difference {gap(row, metric, unit)}: {WORDS[row['verdict']]}"


def gap(row, metric, unit=""):
    """Difference of the two sides with its interval."""
    text = style.signed(row["difference"], metric) + unit
    ends = style.interval(row["low"], row["high"], metric)
    return f"{text} ({ends})" if ends else text


def sentences(table, metric, names=None):
    """`sentence` of each (dataset, embedding) of the table of `rows`."""
    single = table[table["dataset"] != ALL]
    return {
        (row["dataset"], row["embedding"]): sentence(row, metric, names) for row in _dicts(single)
    }


def cells(table, metric):
    """Texts of a row below a table of scores, by (dataset, embedding)."""
    single = [] if table is None else _dicts(table[table["dataset"] != ALL])
    return {
        (row["dataset"], row["embedding"]): {
            "mean": style.score(row["baseline_mean"], metric),
            "gap": gap(row, metric),
            "title": f"{words(row['baseline'], row['baseline_share'])}; {effect(row, metric)}",
        }
        for row in single
    }


def cell_of_all(table, metric):
    """Texts of a row below the league: the mean over data sets that have baselines, or None."""
    if table is None or table.empty:
        return None
    row = _dicts(table)[-1]
    single = table[table["dataset"] != ALL]
    tested = single[single["chosen"] != SAME_FOLD]
    number = (tested if len(tested) else single)["dataset"].nunique()
    over = f"Mean over {wording.count(number, 'data set')}"
    if len(single) == 1:
        over = "In all"
    elif number == 1:
        over = f"Mean over {wording.count(len(tested if len(tested) else single), 'embedding')}"
    elif len(tested) and number >= verdicts.MANY:
        over = f"Estimate of Hodges and Lehmann over {number} data sets"
    return {
        "mean": style.score(single.groupby("dataset")["baseline_mean"].mean().mean(), metric),
        "pairs": len(single),
        "datasets": single["dataset"].nunique(),
        "over": over,
        "effect": effect(row, metric),
    }


def _dicts(table):
    return table.to_dict("records")
