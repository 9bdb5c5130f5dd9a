"""The verdict in one sentence, and what it means in practice.

Who leads, by how much and over whom is the verdict of `noneuclid.evaluation.verdicts`. The effect
of curvature is the best non-Euclidean method against the best Euclidean one, by the same tests. A
difference of `winners_by_kind.NEAR` (one point; one percent of the highest mean for metrics that
are not in percent) counts as practically relevant.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from noneuclid.evaluation import verdicts
from noneuclid.experiment import wording
from noneuclid.reporting import style
from noneuclid.reporting.names import Names, capital
from noneuclid.reporting.tables import (
    leader_comparisons,
    score_tables,
    winners_by_kind,
    without_embedding,
)

WORSE = without_embedding.WORSE


@dataclass(frozen=True)
class Effects:
    """Differences between every method and a baseline.

    Attributes
    ----------
    baseline : str
        The Euclidean method with the highest mean; without Euclidean methods the leader.
    table : DataFrame
        Index `method`, highest mean first, the baseline included; `difference`, `low`, `high` in
        favour of the method, `p_holm`, and `ahead`, `behind`: numbers of data sets or folds.
    test : {"data sets", "folds", None}
    n : int
        Number of data sets.
    """

    baseline: str
    table: pd.DataFrame
    test: str | None
    n: int


def effects(values, verdict, classes=None):
    """Differences to the baseline from `verdicts.values_of` and the verdict; see `Effects`."""
    means = verdict.means
    flat = [name for name in means.index if style.family(name, classes) == "Euclidean"]
    baseline = flat[0] if flat else verdict.leader
    found = verdicts.judge(*values, first=baseline)
    turned = found.table.assign(
        difference=-found.table["difference"], low=-found.table["high"], high=-found.table["low"],
        ahead=found.table["losses"], behind=found.table["wins"],
    )  # fmt: skip
    own = pd.DataFrame({"difference": 0.0, "ahead": 0, "behind": 0}, index=[baseline])
    columns = ["difference", "low", "high", "p_holm", "ahead", "behind"]
    table = pd.concat([turned, own]).reindex(index=means.index, columns=columns)
    return Effects(baseline, table.rename_axis("method"), found.test, found.n)


def no_effects():
    """The table of `Effects` without methods."""
    columns = ["difference", "low", "high", "p_holm", "ahead", "behind", "baseline"]
    return pd.DataFrame(columns=columns, index=pd.Index([], name="method"))


def margin(verdict, metric):
    """Smallest difference that matters in practice."""
    top = abs(verdict.means.iloc[0])
    return winners_by_kind.NEAR * (1.0 if style.in_percent(metric) else top)


@dataclass(frozen=True)
class Gain:
    """The best non-Euclidean method against the best Euclidean one.

    `side` is "non-Euclidean" or "Euclidean" where one of them is significantly better, else "".
    """

    curved: str
    flat: str
    difference: float
    low: float
    high: float
    side: str


def gain(verdict, found, classes=None):
    """`Gain` from a verdict and `effects`; None without methods of both kinds."""
    kinds = {name: style.family(name, classes) for name in verdict.means.index}
    curved = [name for name, kind in kinds.items() if kind == "non-Euclidean"]
    if not curved or "Euclidean" not in kinds.values():
        return None
    row = found.table.loc[curved[0]]
    side = ""
    if verdict.best:
        side = {curved[0]: "non-Euclidean", found.baseline: "Euclidean"}.get(verdict.best, "")
    elif row["p_holm"] < verdicts.ALPHA:
        if row["difference"] > 0 and row["ahead"] >= row["behind"]:
            side = "non-Euclidean"
        elif row["difference"] < 0 and row["behind"] >= row["ahead"]:
            side = "Euclidean"
    return Gain(curved[0], found.baseline, row["difference"], row["low"], row["high"], side)


def sentence(scores, metric, classes=None, names=None, without=None):
    """The verdict in one sentence: who leads, by how much, over whom, and what curvature gives.

    `without` is the table of `without_embedding.rows`, whose last row is added if there is one.
    """
    names = names or Names()
    values = leader_comparisons.values_of(scores, metric, classes)
    verdict = verdicts.judge(*values)
    if verdict is None:
        return "No verdict: no data set has a value of every method."
    who = _who(leader_comparisons.named(verdict, names), metric)
    if len(verdict.table):
        found = effects(values, verdict, classes)
        who += "; " + _curvature(gain(verdict, found, classes), verdict, metric, names)
    if without is not None and len(without):
        who += "; " + _embedding(without.iloc[-1], metric)
    if verdict.n > 1:
        return capital(who) + "."
    return f"On a single data set, {who}; one data set supports no general recommendation."


def _who(verdict, metric):
    """Who leads, by how much, over whom, and over how many data sets."""
    leader, rival = verdict.leader, verdict.rival
    over = f" over {wording.count(verdict.n, 'data set')}" if verdict.n > 1 else ""
    reached = f"mean {style.metric_words(metric)} {leader_comparisons.reached(verdict, metric)}"
    if rival is None:
        return f"{leader} is the only method compared ({reached}{over})"
    if verdict.test is None:
        return (
            f"no clear winner: {leader} has the best score ({reached}{over}), but each method "
            "has one value, which cannot be tested"
        )
    lead = _lead(verdict, metric)
    if verdict.best:
        rest = len(verdict.table)
        tail = f", and all {rest} other methods are significantly worse" if rest > 1 else ""
        return f"{leader} is best: it leads {rival} {lead}{over}{tail}"
    behind = len(verdict.table) - len(verdict.group)
    tail = f", and is significantly better than {behind} of {len(verdict.table)} other methods"
    tail = tail if behind else ", and no difference between it and another method is significant"
    if len(verdict.leaders) > 1:
        several = wording.listed(verdict.leaders, most=3)
        equal = (
            f"mean {style.metric_words(metric)} of {leader_comparisons.reached(verdict, metric)}"
        )
        return f"no clear winner: {several} have the same {equal}{over}"
    if round(verdict.effect, 9) < 0:
        return (
            f"no clear winner: {leader} has the best mean, but {rival} leads it on most data "
            f"sets ({lead}{over})"
        )
    return f"no clear winner: {leader} leads {rival} {lead}{over}{tail}"


def _lead(verdict, metric):
    """Difference between leader and rival, with its interval."""
    median = "a median of " if verdict.test == "data sets" else ""
    text = f"by {median}{points(verdict.effect, metric)}"
    if np.isnan(verdict.low):
        return f"{text} (too few data for a 95 % interval)"
    return f"{text} (95 % interval {reach(verdict.low, verdict.high, metric)})"


def points(value, metric):
    """A difference with its unit.

    Examples
    --------
    >>> points(0.0034, "accuracy"), points(-0.0123, "r2"), points(0.01, "accuracy")
    ('0.3 points', '−0.012 in R²', '1.0 points')
    """
    unit = "points" if style.in_percent(metric) else f"in {style.metric_words(metric)}"
    return f"{_plain(value, metric)} {unit}"


def reach(low, high, metric):
    """Ends of an interval.

    Examples
    --------
    >>> reach(-0.004, 0.0041, "accuracy")
    '−0.4 to 0.4'
    """
    return f"{_plain(low, metric)} to {_plain(high, metric)}"


def _plain(value, metric):
    return style.signed(value, metric).removeprefix("+")


def _curvature(found, verdict, metric, names):
    """What the best non-Euclidean method gains over the best Euclidean one."""
    if found is None:
        kinds = "Euclidean and non-Euclidean methods"
        return f"curvature: not assessed, because the run does not have both {kinds}"
    if np.isnan(found.low) and not found.side:
        size = points(found.difference, metric)
        return f"curvature: difference of {size} without an interval, which shows no gain"
    flat, curved = (names.in_text("methods", name) for name in (found.flat, found.curved))
    if found.side == "Euclidean":
        size = _sized(-found.difference, -found.high, -found.low, metric)
        return f"curvature: no gain, {flat} leads {curved} by {size}"
    size = _sized(found.difference, found.low, found.high, metric)
    if found.side:
        return f"curvature: a gain of {size}, {curved} over {flat}"
    if {found.curved, found.flat} == {verdict.leader, verdict.rival}:
        return "curvature: no measurable gain on these data"
    return f"curvature: no measurable gain on these data ({curved} minus {flat}: {size})"


def _embedding(row, metric):
    """The best method on an embedding against the best baseline on the original features."""
    gap, low, high = row["difference"], row["low"], row["high"]
    if row["verdict"] == without_embedding.UNTESTED:
        return f"against no embedding: difference of {points(gap, metric)}, not tested"
    if row["verdict"] == WORSE:
        size = _sized(-gap, -high, -low, metric)
        return f"against no embedding: a loss, the original features lead by {size}"
    if row["verdict"] == without_embedding.BETTER:
        return f"against no embedding: a gain of {_sized(gap, low, high, metric)}"
    return f"against no embedding: no measurable difference ({_sized(gap, low, high, metric)})"


def _sized(difference, low, high, metric):
    text = points(difference, metric)
    return text if np.isnan(low) else f"{text}, 95 % interval {reach(low, high, metric)}"


def remarks(scores, metric, classes=None, names=None, without=None):
    """Whether it matters, what to use, and the level reached: pairs of a word and a sentence.

    `without` is the table of `without_embedding.rows`.
    """
    names = names or Names()
    verdict = leader_comparisons.judge(scores, metric, classes)
    if verdict is None:
        return []
    summary = score_tables.summarise(scores, metric)
    seconds = summary.groupby("method")["fit_seconds"].median()
    near = winners_by_kind.near(verdict.means, seconds, margin(verdict, metric))
    found = [
        ("Does it matter?", _matters(leader_comparisons.named(verdict, names), metric)),
        ("In practice", _practice(verdict, near, metric, names, without)),
        ("Level", _level(summary, verdict, metric, classes, names)),
    ]
    return [(head, text) for head, text in found if text]


def _limit(verdict, metric):
    if style.in_percent(metric):
        return "1 point"
    return f"{_plain(margin(verdict, metric), metric)} (1 % of the best score)"


def _matters(verdict, metric):
    """Whether the lead is practically relevant, and how many methods are about as good."""
    if not len(verdict.table):
        return ""
    limit, smallest = _limit(verdict, metric), margin(verdict, metric)
    alike = int((verdict.means.iloc[0] - verdict.means <= smallest + 1e-9).sum())
    lead = f"lead of {verdict.leader} over {verdict.rival}"
    if len(verdict.leaders) > 1:
        text = f"No: {wording.count(len(verdict.leaders), 'method')} have the same best mean."
    elif np.isnan(verdict.low):
        text = f"Unknown: the {lead} has no interval."
    elif verdict.high < smallest:
        text = f"No: the {lead} is less than {limit}."
    elif verdict.low > smallest:
        text = f"Yes: the {lead} is more than {limit}."
    else:
        text = f"Undecided: the {lead} may be smaller or larger than {limit}."
    if alike == 1:
        return f"{text} No other method is within {limit} of the best mean."
    return f"{text} {alike} of {len(verdict.means)} methods are within {limit} of the best mean."


def _practice(verdict, near, metric, names, without):
    """What to use on data such as these."""
    quick, leader = (names.in_text("methods", name) for name in (near.quick, verdict.leader))
    limit = _limit(verdict, metric)
    if not len(verdict.table):
        return ""
    if without is not None and len(without) and without["verdict"].iloc[-1] == WORSE:
        text = "use no embedding: the best method on the original features is significantly better"
        return _scoped(text, verdict)
    times = f"{wording.seconds(near.quick_seconds)} instead of {wording.seconds(near.seconds)}"
    if verdict.best and quick == leader:
        text = f"use {leader}, the best method; none within {limit} of it is clearly faster"
    elif verdict.best:
        text = f"use {leader}, or {quick}, which is within {limit} and fits in {times}"
    elif quick == leader:
        text = f"use {leader}: its mean is the best, and no method within {limit} of it is "
        text += "clearly faster"
    else:
        text = f"use {quick}: its mean is within {limit} of the best ({leader}), and it fits in "
        text += times
    return _scoped(text, verdict)


def _scoped(text, verdict):
    """A recommendation with the data that it holds for."""
    if verdict.n > 1:
        return f"On data like these, {text}."
    return f"On this single data set, {text}; test more data before you generalise."


def _level(summary, verdict, metric, classes, names):
    """The highest mean, and what trivial baselines reach on the same data."""
    unit = "\u00a0%" if style.in_percent(metric) else ""
    text = f"{capital(names.in_text('methods', verdict.leader))} reaches a mean "
    text += f"{style.metric_words(metric)} of {leader_comparisons.reached(verdict, metric)}"
    floors = [m for m in summary["method"].unique() if style.family(m, classes) == "floor"]
    found = summary[summary["method"].isin(floors)]
    means = found.groupby(["method", "dataset"])["mean"].mean().groupby("method").mean().dropna()
    if means.empty:
        return text + "."
    best = means.idxmax() if style.higher_is_better(metric) else means.idxmin()
    trivial = f"{names.in_text('methods', best)}, a trivial baseline"
    return f"{text}; {trivial}, {_plain(means[best], metric)}{unit}."
