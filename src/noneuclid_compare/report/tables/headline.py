"""The verdict in at most two sentences, and what it means in practice.

Who leads, by how much and over whom is the verdict of `noneuclid_compare.evaluation.verdicts`. The
effect of curvature is the best non-Euclidean method against the best Euclidean one, by the same
tests. A difference of `winners_by_kind.NEAR` (one point; one percent of the highest mean for
metrics that are not in percent) counts as practically relevant.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from noneuclid_compare import wording
from noneuclid_compare.evaluation import verdicts
from noneuclid_compare.report import style
from noneuclid_compare.report.names import Names, capital
from noneuclid_compare.report.tables import (
    leader_comparisons,
    provenance_rows,
    score_tables,
    winners_by_kind,
    without_embedding,
)

WORSE = without_embedding.WORSE
USE = "What to use"
LEVEL = "Level"
NOT_COMPARED = "Embedding: not compared with the original features (baselines are off)."


@dataclass(frozen=True)
class Effects:
    """Differences between every method and a baseline.

    Attributes
    ----------
    baseline : str
        The Euclidean method with the highest mean; without Euclidean methods the leader.
    table : DataFrame
        Index `method`, highest mean first, the baseline included; `difference`, `low`, `high` in
        favour of the method, `p_holm`, and `ahead`, `behind`: numbers of data sets or folds. The
        interval and `p_holm` of the leader are those of the verdict: one pair has one interval.
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
    if baseline in verdict.table.index:
        row = verdict.table.loc[baseline]
        table.loc[verdict.leader, ["low", "high", "p_holm"]] = row[["low", "high", "p_holm"]]
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
    """The verdict in two sentences: who leads whom by how much, and what curvature gives.

    With the table of `without_embedding.rows`, `without`, the first one says that it compares
    methods on embedded points.
    """
    names = names or Names()
    values = leader_comparisons.values_of(scores, metric, classes)
    verdict = verdicts.judge(*values)
    if verdict is None:
        return "No verdict: no data set has a value of every method."
    place = "on this one data set" if verdict.n == 1 else f"on {verdict.n} data sets"
    if verdict.best and verdict.n > 1:
        place = f"on average over {verdict.n} data sets"
    place += ", with embedding" if _known(without) else ""
    start, rest = _who(leader_comparisons.named(verdict, names), metric)
    text = f"{start} {place}: {rest}."
    if not len(verdict.table):
        return text
    found = gain(verdict, effects(values, verdict, classes), classes)
    return f"{text} {_curvature(found, metric, text, names)}"


def _known(without):
    """Whether there are baselines without embedding."""
    return without is not None and len(without) > 0


def _who(verdict, metric):
    """What is clear, and who leads whom by how much."""
    leader, rival = verdict.leader, verdict.rival
    mean = f"mean {style.metric_words(metric)}"
    reached, start = leader_comparisons.reached(verdict, metric), "No clear winner"
    if rival is None:
        return "Nothing to compare", f"{leader} is the only method ({mean} {reached})"
    if verdict.test is None:
        return start, f"{leader} has the best score, but single values cannot be tested"
    if verdict.best:
        return f"{capital(leader)} is best", f"it leads {rival} {_lead(verdict, metric)}"
    if len(verdict.leaders) > 1:
        several = wording.listed(verdict.leaders, most=3)
        return start, f"{several} have the same {mean} of {reached}"
    if round(verdict.effect, 9) == 0:
        size = _sized(verdict.effect, verdict.low, verdict.high, metric)
        return start, f"{leader} has the best mean; its difference from {rival} is {size}"
    if round(verdict.effect, 9) < 0:
        return start, f"{leader} has the best mean, but {rival} leads it {_lead(verdict, metric)}"
    return start, f"{leader} leads {rival} {_lead(verdict, metric)}"


def _lead(verdict, metric):
    """Difference between leader and rival, with its interval."""
    sign = -1 if round(verdict.effect, 9) < 0 else 1
    ends = sorted((sign * verdict.low, sign * verdict.high))
    return f"by {_sized(sign * verdict.effect, *ends, metric)}"


def points(value, metric):
    """A difference with its unit, with more decimals if it is small.

    Examples
    --------
    >>> points(0.0034, "accuracy"), points(-0.0123, "r2"), points(0.01, "accuracy")
    ('0.3 points', '−0.012 in R²', '1.0 points')
    >>> points(0.0004, "accuracy")
    '0.04 points'
    """
    unit = "points" if style.in_percent(metric) else f"in {style.metric_words(metric)}"
    return f"{_plain(value, metric, style.digits(value))} {unit}"


def reach(low, high, metric, more=0):
    """Ends of an interval.

    Examples
    --------
    >>> reach(-0.004, 0.0041, "accuracy")
    '−0.4 to 0.4'
    """
    return style.interval(low, high, metric, more, plus=False)


def _plain(value, metric, more=0):
    return style.signed(value, metric, more).removeprefix("+")


def _curvature(found, metric, before, names):
    """What the best non-Euclidean method gains over the best Euclidean one, unless said before."""
    if found is None:
        return (
            "Curvature was not assessed: this needs Euclidean and non-Euclidean methods on the "
            "same data sets."
        )
    if found.side == "non-Euclidean":
        size = _sized(found.difference, found.low, found.high, metric)
        flat = names.in_text("methods", found.flat)
        return f"Curvature brings a gain of {size} over the best Euclidean method, {flat}."
    if found.side == "Euclidean":
        size = _sized(-found.difference, -found.high, -found.low, metric)
        return f"Curvature brings no gain: the best Euclidean method leads by {size}."
    if np.isnan(found.low):
        size = points(found.difference, metric)
        return f"Best non-Euclidean minus best Euclidean method: {size}, not tested."
    text = "Curvature brings no significant gain on these data"
    size = _sized(found.difference, found.low, found.high, metric)
    if size in before:
        return f"{text}."
    return f"{text}: best non-Euclidean minus best Euclidean method, {size}."


def _sized(difference, low, high, metric):
    text, more = points(difference, metric), style.digits(difference)
    return text if np.isnan(low) else f"{text} ({reach(low, high, metric, more)})"


def _embedding(without, metric, names):
    """Whether methods on the embedding are better than those on the original features."""
    row, single = without.iloc[-1], without[without["dataset"] != without_embedding.ALL]
    gap, low, high = row["difference"], row["low"], row["high"]
    loss = _sized(-gap, -high, -low, metric)
    one = single["dataset"].nunique() == 1
    first = single.iloc[0]
    chosen = without_embedding.words(first["baseline"], first["baseline_share"])
    chosen = chosen if one else "one of three"
    original = f"the best method on the original features ({chosen})"
    several = single["embedding"].nunique()
    mean = f", on average over {several} embeddings" if several > 1 else ""
    text = {
        without_embedding.BETTER: f"Embedding: yes{mean}. It leads {original} by "
        f"{_sized(gap, low, high, metric)}.",
        WORSE: f"Embedding: no{mean}. {capital(original)} leads by {loss}.",
        without_embedding.ALIKE: f"Embedding: no significant difference from {original}{mean}: "
        f"{_sized(gap, low, high, metric)}.",
        without_embedding.UNTESTED: f"Embedding: not tested. Its difference from {original} is "
        f"{points(gap, metric)}.",
    }[row["verdict"]]
    return text + _best_embedding(single, metric, names)


def _best_embedding(single, metric, names):
    """The embedding with the best difference to the baselines, if there are several.

    A mean over embeddings hides that one of them is level with the baselines.
    """
    whole = single.groupby("embedding").filter(
        lambda rows: rows["dataset"].nunique() == single["dataset"].nunique()
    )
    if whole["embedding"].nunique() < 2:
        return ""
    best = whole.groupby("embedding")["difference"].mean().idxmax()
    rows = whole[whole["embedding"] == best]
    name = names.in_text("embeddings", best)
    if len(rows) > 1:
        size = points(rows["difference"].mean(), metric)
        return f" The best embedding is {name}, with a mean difference of {size}."
    row = rows.iloc[0]
    size = _sized(row["difference"], row["low"], row["high"], metric)
    word = {
        without_embedding.BETTER: "it gains",
        WORSE: "it loses, a difference of",
        without_embedding.ALIKE: "no significant difference,",
        without_embedding.UNTESTED: "not tested,",
    }[row["verdict"]]
    return f" The best embedding is {name}: {word} {size}."


def remarks(scores, metric, classes=None, names=None, without=None, embedded=False, runs=()):
    """Whether it matters, what to use, and the level reached: pairs of a word and a sentence.

    `without` is the table of `without_embedding.rows`; `embedded` says that data sets have original
    features; `runs` are the train jobs, for methods that did not converge.
    """
    names = names or Names()
    verdict = leader_comparisons.judge(scores, metric, classes)
    if verdict is None:
        return []
    summary = score_tables.summarise(scores, metric)
    seconds = summary.groupby("method")["fit_seconds"].median()
    near = winners_by_kind.near(verdict.means, seconds, margin(verdict, metric), classes)
    matters = [NOT_COMPARED] if embedded else []
    if _known(without):
        matters = [_embedding(without, metric, names)]
    matters.append(_matters(leader_comparisons.named(verdict, names), metric))
    found = [
        ("Does it matter?", " ".join(filter(None, matters))),
        (USE, _practice(verdict, near, metric, names, without, classes, runs)),
        (LEVEL, _level(summary, verdict, metric, classes, names)),
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
    lead = f"its lead over {verdict.rival} is"
    if len(verdict.leaders) > 1:
        text = f"none, {wording.count(len(verdict.leaders), 'method')} have the best mean"
    elif np.isnan(verdict.low):
        text = f"{verdict.leader}, but {lead} not known precisely"
    elif verdict.high < smallest:
        text = f"{verdict.leader}, but {lead} too small to matter, less than {limit}"
    elif verdict.low > smallest:
        text = f"{verdict.leader}, and {lead} more than {limit}"
    else:
        text = f"{verdict.leader}, but {lead} uncertain: it may be less or more than {limit}"
    if alike == 1:
        return f"First method: {text}. No other is within {limit} of the best mean."
    return f"First method: {text}. {alike} of {len(verdict.means)} are within {limit} of the best."


def _practice(verdict, near, metric, names, without, classes, runs):
    """What to use on data such as these, and whether its fits converged."""
    quick, leader = (names.in_text("methods", name) for name in (near.quick, verdict.leader))
    limit = _limit(verdict, metric)
    if not len(verdict.table):
        return ""
    gains = _known(without) and (without["verdict"] == without_embedding.BETTER).any()
    if _known(without) and without["verdict"].iloc[-1] == WORSE and not gains:
        text = "use no embedding: the original features give significantly better scores"
        return _scoped(text, verdict)
    times = f"{wording.seconds(near.quick_seconds)} instead of {wording.seconds(near.seconds)}"
    if verdict.best and quick == leader:
        text = f"use {leader}, the best method; none within {limit} of it is clearly faster"
    elif verdict.best and style.is_usable(verdict.leader, classes):
        text = f"use {leader}, or {quick}, which is within {limit} and fits in {times}"
    elif quick == leader:
        text = f"use {leader}: its mean is the best, and no method within {limit} of it is "
        text += "clearly faster"
    else:
        text = f"use {quick}: its mean is within {limit} of the best ({leader}), and it fits in "
        text += times
    text = _scoped(text, verdict)
    for name in dict.fromkeys((verdict.leader, near.quick)):
        late = provenance_rows.late([run for run in runs if run["method"] == name])
        text += late and f" {capital(names.in_text('methods', name))}: {late}."
    return text


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
    found = summary.groupby(["method", "dataset"])["mean"].mean().unstack("dataset")
    found = found[found.columns[found.loc[verdict.leader].notna()]]
    means = found.reindex(floors).dropna().mean(axis=1)
    if means.empty:
        return text + "."
    best = means.idxmax() if style.higher_is_better(metric) else means.idxmin()
    trivial = f"{names.in_text('methods', best)}, a trivial baseline"
    return f"{text}; {trivial}, {_plain(means[best], metric)}{unit}."
