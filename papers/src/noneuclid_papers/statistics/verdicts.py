"""Which method is best, if any: the method with the highest mean against every other, in pairs.

A winner is named by this rule:

1. Candidates are the methods that were run on more than half of the embedded data sets (not
   counting those with a single method), on the folds that all of them have. Floors are not
   candidates; the caller excludes them.
2. The leader is the method with the highest mean score (lowest for errors) over the data sets. The
   score of a data set is the mean over its embeddings, also in all differences and counts below.
   Average ranks are not used, because they depend on the other methods of the run [1]_.
3. The leader is compared with each other method. With `MANY` data sets or more, the test is
   Wilcoxon's signed-rank test over the data sets. With fewer, it is the corrected resampled t-test
   over the folds of these data sets [2]_ [3]_, whose result holds for these data sets only.
   p-values are corrected by Holm's method for the number of comparisons.
4. The leader is better than a method if the corrected p-value is below 5 %, the difference is in
   its favour and it scores higher at least as often as lower: on data sets or, with one, on folds.
   The counts prevent one data set from deciding against most others; if they are equal, the test
   decides. Intervals have the level of Holm's step, 1 - 5 % / (number of comparisons not yet
   rejected), and invert the test: they contain 0 if and only if the corrected p-value is 5 % or
   more. They are not a simultaneous region. If no difference can reach that level, there is no
   interval.
5. The leader is best if it is better than every other method. Otherwise there is no clear winner,
   and the other methods are the group without a significant difference from it.

Rule 5 keeps the probability of a false winner below 5 % although the data select the leader,
because every comparison must succeed [4]_. A single comparison is not corrected for this selection.

References
----------
.. [1] A. Benavoli, G. Corani and F. Mangili, Should we really use post-hoc tests based on
   mean-ranks?, JMLR 17:1-10, 2016.
.. [2] C. Nadeau and Y. Bengio, Inference for the generalization error, Machine Learning
   52:239-281, 2003.
.. [3] R. Bouckaert and E. Frank, Evaluating the replicability of significance tests for comparing
   learning algorithms, PAKDD 2004.
.. [4] R. Berger, Multiparameter hypothesis testing and acceptance sampling, Technometrics
   24:295-300, 1982.
"""

from bisect import bisect_left
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import t as student

from noneuclid_papers.statistics.rank_tests import holm, signed_ranks

MANY = 10
ALPHA = 0.05
PAIR = ["dataset", "embedding"]
FOLD = [*PAIR, "repeat", "fold"]
RUN = ["dataset", "repeat", "fold"]
SIZES = ("train_rows", "test_rows")
COLUMNS = [
    *("wins", "ties", "losses", "difference", "low", "high"),
    *("cliffs_delta", "p", "p_holm", "beaten"),
]


@dataclass(frozen=True)
class Verdict:
    """What `judge` found.

    Attributes
    ----------
    leader : str
        The method with the highest mean; the first by name of equal ones.
    leaders : list of str
        The leader and all methods of the same mean.
    means : Series
        Mean of each compared method over the data sets, highest first; errors negative.
    test : {"data sets", "folds", None}
        What the tests are over; None: there is one method, or only one value of each.
    n : int
        Number of data sets.
    unit : {"data set", "fold"}
        What wins are counted over.
    table : DataFrame
        Index `method`: the others, highest mean first. `wins`, `ties`, `losses` of the leader;
        `difference`, `low`, `high`: difference in the leader's favour and its interval at the level
        of Holm's step (over data sets the estimate of Hodges and Lehmann and Wilcoxon's test
        inverted, over folds the mean and Student's; nan where no level of 5 % can be reached);
        `cliffs_delta`; `p`, `p_holm`; `beaten`.
    best : str or None
        The leader if it is better than every other method; None: no clear winner.
    group : list of str
        Methods without a significant difference from the leader, highest mean first.
    rival : str or None
        The other method with the highest mean.
    effect, low, high : float
        Leader less rival and its interval, as in `table`; nan without a rival.
    """

    leader: str
    means: pd.Series
    test: str | None
    n: int
    unit: str
    table: pd.DataFrame

    @property
    def group(self):
        """Methods without a significant difference from the leader, highest mean first."""
        return self.table.index[~self.table["beaten"].astype(bool)].tolist()

    @property
    def leaders(self):
        """The leader and all methods of the same mean."""
        return self.means.index[self.means == self.means.iloc[0]].tolist()

    @property
    def kept(self):
        """Methods of the group whose difference is significant: only the counts keep them."""
        return [m for m in self.group if self.table.loc[m, "p_holm"] < ALPHA]

    @property
    def best(self):
        """The leader if it is better than every other method."""
        return self.leader if len(self.table) and not self.group else None

    @property
    def rival(self):
        """The other method with the highest mean."""
        return self.table.index[0] if len(self.table) else None

    @property
    def effect(self):
        """Leader less rival."""
        return self._first("difference")

    @property
    def low(self):
        """Lower end of the interval of `effect`."""
        return self._first("low")

    @property
    def high(self):
        """Upper end of the interval of `effect`."""
        return self._first("high")

    def _first(self, column):
        return float(self.table[column].iloc[0]) if len(self.table) else np.nan


def judge_scores(scores, metric, larger=True, methods=None):
    """Judge which method of a long table of scores is best; the rule is that of this module.

    `methods` are the candidates, None: all. Sizes of folds are the metrics `train_rows` and
    `test_rows`; where they are missing the folds of a repeat are taken as equal parts of the data.
    None if no candidates share a value.

    Examples
    --------
    >>> folds = {"a": [0.9, 0.8, 0.9, 0.8, 0.9], "b": [0.7, 0.6, 0.7, 0.6, 0.72]}
    >>> rows = [("d", "e", m, 0, k, "f", v) for m in folds for k, v in enumerate(folds[m])]
    >>> columns = ["dataset", "embedding", "method", "repeat", "fold", "metric", "value"]
    >>> found = judge_scores(pd.DataFrame(rows, columns=columns), "f")
    >>> found.best, round(found.effect, 3), found.test
    ('a', 0.196, 'folds')
    """
    return judge(*values_of(scores, metric, larger, methods))


def values_of(scores, metric, larger=True, methods=None):
    """Values of folds by methods, larger is better, and test rows over training rows of each fold.

    Both with index `FOLD`; the ratio is nan where a repeat has one fold of unknown size.
    """
    table = scores[scores["metric"] == metric]
    if methods is not None:
        table = table[table["method"].isin(list(methods))]
    values = table.groupby([*FOLD, "method"])["value"].mean().unstack("method").sort_index()
    values = values if larger else -values
    sizes = scores[scores["metric"].isin(SIZES)]
    sizes = sizes.groupby([*FOLD, "metric"])["value"].first().unstack("metric")
    sizes = sizes.reindex(index=values.index, columns=list(SIZES))
    found = sizes["test_rows"] / sizes["train_rows"]
    others = found.groupby(level=FOLD[:3]).transform("size") - 1
    return values, found.fillna((1 / others).where(others > 0))


def judge(values, ratio, first=None):
    """`judge_scores` for values and ratios as `values_of` gives them.

    With `first`, this method is compared with the others in place of the leader; the attributes
    `leader` and `best` then refer to it. None if it is not among the methods compared.
    """
    places = [values.groupby(level=level).ngroup().to_numpy() for level in ("dataset", PAIR, RUN)]
    column = None if first is None else values.columns.get_loc(first)
    table, ratio = values.to_numpy(dtype=float), ratio.reindex(values.index).to_numpy()
    found = _compare(table, ratio, *places, first=column)
    if found is None:
        return None
    names = values.columns[found.order]
    table = pd.DataFrame(found.columns, index=pd.Index(names[1:], name="method"))[COLUMNS]
    unit = "data set" if found.datasets > 1 else "fold"
    means = pd.Series(found.means, index=names)
    return Verdict(names[0], means, found.test, found.datasets, unit, table)


def _means(table, codes):
    """Mean of the rows of each code, codes ascending."""
    _, codes, counts = np.unique(codes, return_inverse=True, return_counts=True)
    sums = np.zeros((len(counts), *table.shape[1:]))
    np.add.at(sums, codes, table)
    return (sums.T / counts).T


@dataclass(frozen=True)
class _Comparison:
    """Positions of the methods, best first, their means, and the comparisons of the first."""

    order: np.ndarray
    means: np.ndarray
    test: str | None
    datasets: int
    columns: dict


def _compare(table, ratio, dataset, pair, run, first=None):
    """Comparison of the columns of a table.

    None if nothing can be compared. The codes say what each row of the table belongs to; the column
    `first` comes first if given.
    """
    known = ~np.isnan(table)
    # Where a method is alone nothing is compared.
    shared = np.isin(pair, pair[known.sum(axis=1) > 1])
    if shared.any():
        known = known & shared[:, None]
    runs = np.array([len(np.unique(pair[column])) for column in known.T])
    used = 2 * runs > runs.max(initial=0)
    rows = known[:, used].all(axis=1)
    if not used.any() or not rows.any() or (first is not None and not used[first]):
        return None
    table = table[np.ix_(rows, used)]
    ratio, dataset, pair, run = ratio[rows], dataset[rows], pair[rows], run[rows]
    # Rounded: two sums in another order must not decide a tie.
    of_pair, of_run = _means(dataset, pair), _means(dataset, run)
    means = _means(table, pair)
    overall = _means(means, of_pair).mean(axis=0).round(9)
    order = np.argsort(-overall, kind="stable")
    if first is not None:
        place = used[:first].sum()
        order = np.concatenate([[place], order[order != place]])
    gaps = (means[:, order[:1]] - means[:, order[1:]], table[:, order[:1]] - table[:, order[1:]])
    datasets = _means(gaps[0], of_pair).round(9)
    folds = _means(gaps[1], run).round(9)
    parts = [folds[of_run == code] for code in np.unique(of_run)]
    n = len(datasets)
    testable = min(map(len, parts)) > 1 and not np.isnan(ratio).any()
    test = "data sets" if n >= MANY or (n > 1 and not testable) else "folds" if testable else None
    test = test if len(order) > 1 else None
    if test == "data sets":
        p = np.array([signed_ranks(gap) for gap in datasets.T])
        alphas = _steps(p)
        ends = [_inverted(gap, alpha) for gap, alpha in zip(datasets.T, alphas, strict=True)]
        found = np.column_stack([[np.median(_walsh(gap)) for gap in datasets.T], ends, p])
    elif test == "folds":
        found = over_folds(parts, _means(ratio, dataset))
    else:
        found = np.full((len(order) - 1, 4), np.nan)
        found[:, 0] = overall[order[0]] - overall[order[1:]]
    signs = np.sign(datasets if n > 1 else folds)
    columns = dict(zip(("difference", "low", "high", "p"), found.T, strict=True))
    for name, sign in (("wins", 1), ("ties", 0), ("losses", -1)):
        columns[name] = (signs == sign).sum(axis=0)
    columns["cliffs_delta"] = signs.mean(axis=0)
    columns["p_holm"] = holm(columns["p"]) if test else columns["p"]
    columns["beaten"] = (
        (columns["p_holm"] < ALPHA)
        & (columns["difference"] > 0)
        & (columns["wins"] >= columns["losses"])
    )
    return _Comparison(np.flatnonzero(used)[order], overall[order], test, n, columns)


def over_folds(parts, ratios):
    """Difference, ends of the interval and p-value of each comparison: rows of `corrected_t`.

    Intervals have the level of Holm's step.
    """
    alphas = _steps(corrected_t(parts, ratios)[3])
    found = np.column_stack(corrected_t(parts, ratios, level=1 - alphas))
    # A difference without variance that the number of folds cannot show has no interval.
    mean, low, _, p = found.T
    found[(p >= alphas) & (low == mean) & (mean != 0), 1:3] = np.nan
    return found


def _steps(p):
    """Level of Holm's step of each p-value; those not rejected share that of the first of them."""
    rejected = holm(p) < ALPHA
    place = np.argsort(np.argsort(p, kind="stable"), kind="stable")
    return ALPHA / (len(p) - np.minimum(place, rejected.sum()))


def _walsh(gaps):
    """Means of all pairs of values, each value with itself too.

    Their median is the estimate of Hodges and Lehmann. It lies inside the interval from Wilcoxon's
    test, which the median of the values need not.
    """
    i, j = np.triu_indices(len(gaps))
    return ((gaps[i] + gaps[j]) / 2).round(12)


def _inverted(gaps, alpha):
    """Smallest and largest shift that Wilcoxon's test does not reject; nan where it never does."""
    if not gaps.any():
        return 0.0, 0.0
    if 2.0 ** (1 - len(gaps)) >= alpha:
        return np.nan, np.nan
    walsh = _walsh(gaps)
    shifts = np.unique(np.append(walsh, 0.0))
    middle = min(np.searchsorted(shifts, np.median(walsh)), len(shifts) - 1)

    def end(shifts, middle):
        # The p-value is constant between neighbouring shifts.
        between = (shifts[1:] + shifts[:-1]) / 2
        accepted = bisect_left(
            range(middle), True, key=lambda k: signed_ranks(gaps - between[k]) >= alpha
        )
        return shifts[accepted]

    low, high = end(shifts, middle), end(shifts[::-1], len(shifts) - 1 - middle)
    if signed_ranks(gaps) >= alpha:
        return min(low, 0.0), max(high, 0.0)
    # An open end at zero, or ties: zero itself is rejected.
    if low <= 0 <= high and np.median(walsh) > 0:
        low = shifts[shifts > 0][0]
    elif low <= 0 <= high:
        high = shifts[shifts < 0][-1]
    return low, high


def corrected_t(differences, ratio, weights=None, level=0.95):
    """Corrected resampled t-test of Nadeau and Bengio, averaged over fixed data sets.

    Training sets of different folds overlap, so that the variance of a mean of n differences is
    not s²/n. It is taken as (1/n + n_test/n_train) s² [2]_; with repeats n counts all folds [3]_,
    with unequal folds n_test/n_train is the mean over the folds. The variances of several data
    sets add, with squared weights; the degrees of freedom are Welch and Satterthwaite's.

    `differences`: for each data set (n >= 2,), or (n, m) for m comparisons at once; `ratio`: test
    rows over training rows of each data set; `weights` sum to one, None: equal; `level` of the
    interval. Returns mean, lower end, upper end, two-sided p-value. Without any variance Student's
    t is not defined: the interval is the mean alone and p = 2^(1 - n), that all n signs agree by
    chance.
    """
    parts = [np.asarray(part, dtype=np.float64) for part in differences]
    weights = np.full(len(parts), 1 / len(parts)) if weights is None else np.asarray(weights)
    n = np.array([len(part) for part in parts])
    mean = weights @ np.array([part.mean(axis=0) for part in parts])
    factor = weights**2 * (1 / n + np.asarray(ratio))
    variances = (factor * np.array([part.var(axis=0, ddof=1) for part in parts]).T).T
    total = variances.sum(axis=0)
    fixed = total <= 1e-18
    with np.errstate(invalid="ignore", divide="ignore"):
        freedom = total**2 / (variances.T**2 / (n - 1)).T.sum(axis=0)
        error = np.sqrt(total)
        half = np.where(fixed, 0.0, student.ppf((1 + np.asarray(level)) / 2, freedom) * error)
        p = 2 * student.sf(np.abs(mean) / error, freedom)
    alike = np.where(np.abs(mean) > 1e-9, 2.0 ** (1 - n.sum()), 1.0)
    return mean, mean - half, mean + half, np.where(fixed, alike, p)[()]
