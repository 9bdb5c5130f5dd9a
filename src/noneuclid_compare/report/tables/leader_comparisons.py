"""The verdict on the best method in words, and the leader against every other method.

The rule is that of `noneuclid_compare.evaluation.verdicts`; nothing else on the page names a
winner.
"""

from dataclasses import replace

import numpy as np
import pandas as pd

from noneuclid_compare import wording
from noneuclid_compare.evaluation import rank_tests as comparisons
from noneuclid_compare.evaluation import verdicts
from noneuclid_compare.report import style
from noneuclid_compare.report.names import Names, capital
from noneuclid_compare.report.tables import score_tables

COLUMNS = ["leader", "best", "test", *verdicts.COLUMNS]
# More methods are counted, not named.
_NAMED = 3
TESTS = {
    "data sets": "Wilcoxon signed-rank test over data sets, Holm-corrected, 5 % level",
    "folds": "corrected resampled t-test over folds, Holm-corrected, 5 % level",
}


def values_of(scores, metric, classes=None):
    """`verdicts.values_of` of all methods except floors."""
    named = scores.assign(method=score_tables.name_methods(scores))
    real = [m for m in named["method"].unique() if style.family(m, classes) != "floor"]
    return verdicts.values_of(named, metric, style.higher_is_better(metric), real)


def judge(scores, metric, classes=None):
    """Verdict on the best method except floors; None if no data set has all methods."""
    return verdicts.judge(*values_of(scores, metric, classes))


def named(verdict, names):
    """The verdict with the names of methods as they read within a sentence."""

    def rename(name):
        return names.in_text("methods", name)

    return replace(
        verdict, leader=rename(verdict.leader), means=verdict.means.rename(rename),
        table=verdict.table.rename(rename),
    )  # fmt: skip


def contrasts(verdict):
    """The leader against every other method, from a verdict or None: the table to be saved.

    Index `method`; columns `leader`, `best` (whether the leader is best), `test` and those of
    `Verdict.table`.
    """
    if verdict is None:
        return pd.DataFrame(columns=COLUMNS, index=pd.Index([], name="method"))
    about = {"leader": verdict.leader, "best": verdict.best is not None, "test": verdict.test}
    return verdict.table.assign(**about)[COLUMNS]


def sentence(verdict, metric, names=None):
    """The verdict in words: the best method, or those that do not differ from the leader."""
    if verdict is None:
        return "No verdict: no data set has a value of every method."
    verdict = named(verdict, names or Names())
    leader, n = verdict.leader, wording.count(verdict.n, "data set")
    words, mean = style.metric_words(metric), reached(verdict, metric)
    if not len(verdict.table):
        return f"{capital(leader)} is the only method compared: mean {words} {mean} on {n}."
    if verdict.best:
        others = len(verdict.table)
        beaten = "the other method" if others == 1 else f"each of the other {others} methods"
        return (
            f"{capital(leader)} is best: its mean {words} over {n}{_averaged(verdict)} is {mean}, "
            f"and it is significantly better than {beaten} ({TESTS[verdict.test]}). The runner-up "
            f"is {gap(verdict, verdict.rival, metric)}.{_brackets(verdict)}{_reach(verdict)}"
        )
    extreme = "highest" if style.higher_is_better(metric) else "lowest"
    top = verdict.leaders
    has = f"{capital(wording.listed(top))} {'share' if len(top) > 1 else 'has'}"
    start = (
        f"No clear winner. {has} the {extreme} mean {words}, {mean}, over {n}{_averaged(verdict)}"
    )
    if verdict.test is None:
        return f"{start}. Differences cannot be tested, because each method has one value."
    return start + _tested(verdict, metric) + _rivals(verdict) + _reach(verdict)


def _tested(verdict, metric):
    """From whom the leader does not differ, besides methods of its own mean, and whom it beats."""
    leader, test = capital(verdict.leader), f" ({TESTS[verdict.test]})"
    group = [name for name in verdict.group if name not in verdict.leaders]
    beaten, text = [name for name in verdict.table.index if name not in verdict.group], "."
    if group:
        shown = "; ".join(gap(verdict, m, metric) for m in group[:_NAMED])
        rest = wording.count(len(group) - _NAMED, "other") if len(group) > _NAMED else ""
        text = (
            f"{f'. {leader}' if len(verdict.leaders) > 1 else ', but it'} does not differ "
            f"significantly from {wording.count(len(group), 'method')}{test}: "
            f"{f'{shown}; and {rest}' if rest else shown}.{_brackets(verdict)}"
        )
    if beaten:
        text += f" {'It' if group else leader} is significantly better than "
        text += f"{f'the other {len(beaten)}' if len(beaten) > 1 else beaten[0]}"
        text += f"{'' if group else test}."
    return text


def reached(verdict, metric):
    """Mean of the leader, with its unit."""
    sign = 1 if style.higher_is_better(metric) else -1
    unit = "\u00a0%" if style.in_percent(metric) else ""
    return style.score(sign * verdict.means[verdict.leader], metric) + unit


def _averaged(verdict):
    """Note on a mean over several data sets."""
    return " (embeddings averaged first)" if verdict.n > 1 else ""


def _brackets(verdict):
    """Explanation of the intervals; empty without any."""
    if verdict.table["low"].isna().all():
        return ""
    return " Brackets give 95 % intervals, adjusted as in Holm's procedure."


def gap(verdict, method, metric):
    """A method and its difference from the leader; equal to it if all values are equal."""
    row = verdict.table.loc[method]
    level = row["difference"] == 0 and not np.nan_to_num([row["low"], row["high"]]).any()
    if level and row["wins"] == row["losses"] == 0:
        return f"{method}, equal to {verdict.leader}"
    # A size without a sign is 0.0.
    signed = style.signed(row["difference"], metric)[0] in "+−"
    words = "behind by" if signed else "with a difference of"
    return f"{method}, {words} {effect(verdict, method, metric)}"


def effect(verdict, method, metric):
    """Difference between the leader and a method, in points, with its interval."""
    row = verdict.table.loc[method]
    unit = " points" if style.in_percent(metric) else ""
    text = style.signed(row["difference"], metric).removeprefix("+") + unit
    ends = style.interval(row["low"], row["high"], metric)
    return f"{text} ({ends})" if ends else text


def _rivals(verdict):
    """Methods that beat the leader on more data sets than they lose."""
    table = verdict.table
    ahead = table.index[table["losses"] > table["wins"]].tolist()
    if not ahead:
        return ""
    row = table.loc[ahead[0]]
    record = wording.count(int(row[["wins", "ties", "losses"]].sum()), verdict.unit)
    more = f" {len(ahead) - 1} more {'method is' if len(ahead) == 2 else 'methods are'} better "
    more += "more often than worse in this way." if len(ahead) > 1 else ""
    return (
        f" {capital(ahead[0])} is better than it on {int(row['losses'])} of {record} and worse on "
        f"{int(row['wins'])}.{more if len(ahead) > 1 else ''}" + _kept(verdict)
    )


def _kept(verdict):
    """Methods that only the counts keep in the group."""
    if not verdict.kept:
        return ""
    return (
        f" {capital(wording.listed(verdict.kept))} {'is' if len(verdict.kept) == 1 else 'are'} not "
        "counted as worse for this reason only; the difference of the means is significant."
    )


def _reach(verdict):
    """Limits of the test."""
    if verdict.test == "folds":
        these = "this data set" if verdict.n == 1 else "these data sets"
        return f" The test covers {these} only and does not generalise to others."
    if least_p(verdict.n, len(verdict.table)) >= verdicts.ALPHA:
        return " With so few data sets, no difference can reach the 5 % level."
    return ""


def least_p(datasets, comparisons):
    """Smallest corrected p-value of Wilcoxon's test: all differences have one sign."""
    return min(1.0, 2.0 ** (1 - datasets) * comparisons)


def complete(mean, metric):
    """Means as data sets by methods, larger is better, over the embeddings that every method has.

    The embeddings of a data set are averaged: they show the same rows, and the blocks of Friedman's
    test must be independent. Methods that were run on at most half of the embedded data sets are
    left out. Means are rounded as in `score_tables.summarise`: sums in another order must not
    decide a tie.
    """
    sign = 1 if style.higher_is_better(metric) else -1
    runs = mean.notna().sum(axis=1)
    table = sign * mean[2 * runs > runs.max()].dropna(axis=1).T
    return table.groupby(level="dataset").mean().round(9)


def overall(mean, metric):
    """Friedman's test of all methods; `mean` is `score_tables.matrix(summary, "mean")`.

    `rank_tests.friedman` with the counts `datasets` and `methods`; None with fewer than three
    methods or two data sets.
    """
    table = complete(mean, metric)
    datasets, methods = table.shape
    if methods < 3 or datasets < 2:
        return None
    return comparisons.friedman(table) | {"datasets": datasets, "methods": methods}


def p_value(p, sign=True):
    """Write a p-value with three decimals, with its sign of comparison if asked for.

    A value that only rounding takes to 5 % has a fourth decimal.

    Examples
    --------
    >>> p_value(0.0312), p_value(0.00004), p_value(0.0312, sign=False), p_value(0.00004, False)
    ('= 0.031', '< 0.001', '0.031', '< 0.001')
    >>> p_value(0.04973), p_value(0.05), p_value(float("nan"), sign=False)
    ('= 0.0497', '= 0.050', '–')
    """
    if p != p:
        return "–"
    if p < 0.001:
        return "< 0.001"
    text = f"{p:.3f}"
    if text == "0.050" and p != 0.05:
        text = f"{p:.4f}"
    return f"= {text}" if sign else text


def friedman_sentence(mean, metric):
    """Friedman's test in words; None if nothing can be tested."""
    test = overall(mean, metric)
    if test is None:
        return None
    # With so few data sets Iman and Davenport's form rejects too often.
    few = test["datasets"] < 5
    verdict = max(test["f_p"], test["p"]) if few else test["f_p"]
    alike = "differ significantly" if verdict < 0.05 else "do not differ significantly"
    corrected = "" if few else f"; Iman–Davenport correction, p {p_value(test['f_p'])}"
    return (
        f"As a group, the {test['methods']} methods {alike} over "
        f"{wording.count(test['datasets'], 'data set')} (Friedman test, χ² = {test['chi2']:.1f}, "
        f"p {p_value(test['p'])}{corrected})."
    )


def rows(verdict, metric, names=None):
    """`contrasts` as texts for the page."""
    if verdict is None:
        return []
    names = names or Names()
    return [
        {
            "method": names.method(row.Index),
            "identifier": row.Index,
            "record": f"{row.wins} · {row.ties} · {row.losses}",
            "wins": row.wins,
            "difference": style.signed(row.difference, metric),
            "difference_sort": row.difference,
            "interval": style.interval(row.low, row.high, metric) or "–",
            "delta": f"{row.cliffs_delta:+.2f}".replace("-", "−"),
            "delta_sort": row.cliffs_delta,
            "p": p_value(row.p, sign=False),
            "p_sort": row.p,
            "p_holm": p_value(row.p_holm, sign=False),
            "p_holm_sort": row.p_holm,
            "beaten": row.beaten,
        }
        for row in verdict.table.itertuples()
    ]
