"""Sentences at the start of the page, computed from the scores and the runs."""

from collections import Counter

import numpy as np

from noneuclid.errors import InputError
from noneuclid.experiment import wording
from noneuclid.reporting import style
from noneuclid.reporting.tables import (
    leader_comparisons,
    provenance_rows,
    score_tables,
    winners_by_kind,
)

# Longer lists are cut short.
_NAMED = 5


def findings(scores, runs, metric="balanced_accuracy", advised=None):
    """The key findings: pairs of a word or two and a sentence or two.

    `advised` is the table of `advice.advise`; None leaves its sentence out.
    """
    classes = {run["method"]: run["class"] for run in runs}
    summary = score_tables.summarise(scores, metric)
    overall = score_tables.order(summary)
    if summary["mean"].isna().all():
        raise InputError(f"no fold has a value of {metric!r}: choose another metric")
    # A rank on a few data sets says nothing of the others.
    whole = overall[overall["pairs"] == overall["pairs"].max()]
    mean, rank = (score_tables.matrix(summary, column) for column in ("mean", "rank"))
    verdict = leader_comparisons.judge(scores, metric, classes)
    found = [
        ("Best", leader_comparisons.sentence(verdict, metric)),
        ("Ranks", _ranks(whole, mean, rank)),
        ("Tests", _tests(mean, metric, classes)),
        ("Kinds of data", None if advised is None else winners_by_kind.sentence(advised, metric)),
        ("Geometry", _geometry(mean, metric, classes)),
        ("Speed", _speed(overall, verdict, metric)),
        ("Last", _last(whole, classes, verdict, metric)),
        ("Floor", _floor(mean, metric, classes)),
        ("Gaps", _gaps(overall, mean)),
        ("Solvers", _solvers(runs)),
    ]
    return [(head, text) for head, text in found if text]


def pair_noun(mean, n=None):
    """Count the pairs, as data sets where each has one embedding."""
    n = mean.shape[1] if n is None else n
    if mean.columns.get_level_values("dataset").is_unique:
        return wording.count(n, "data set")
    return wording.count(n, "embedded data set")


def _unit(metric):
    return "\u00a0%" if style.in_percent(metric) else ""


def _ranks(overall, mean, rank):
    """First average rank, and which average ranks differ: no verdict on the best method."""
    top = overall.index[overall["average_rank"] == overall["average_rank"].iloc[0]]
    row = overall.iloc[0]
    text = (
        f"{wording.listed(top)} {'has' if len(top) == 1 else 'share'} the first average rank, "
        f"{row['average_rank']:.2f} over {pair_noun(mean, int(row['pairs']))}. "
    )
    difference = score_tables.critical_difference(rank)
    if difference is None:
        return text + (
            "Average ranks are not tested: the test needs at least two methods and two data sets, "
            "and every method on every data set."
        )
    near = overall.index[1:][overall["average_rank"].iloc[1:] - row["average_rank"] < difference]
    text += (
        f"With {wording.count(len(rank), 'method')} two average ranks differ at the 5 % level only "
        f"if they are {difference:.2f} apart (Nemenyi): "
    )
    if not len(near):
        return f"{text}no other average rank is that close to {row.name}'s."
    if len(near) <= 6:
        return f"{text}no significant difference among {wording.listed([row.name, *near])}."
    far = overall.index[len(near) + 1 :]
    tail = f"; {wording.listed(far)} differ{'s' if len(far) == 1 else ''}" if len(far) else ""
    return f"{text}no significant difference between {row.name} and {len(near)} others{tail}."


def _tests(mean, metric, classes):
    real = score_tables.without_floors(mean, classes)
    found = leader_comparisons.friedman_sentence(real, metric, lambda n: pair_noun(real, n))
    return found and found + (" Floors are left out." if len(real) < len(mean) else "")


def _geometry(mean, metric, classes):
    kinds = np.array([style.family(m, classes) for m in mean.index])
    ours, flat = mean[kinds == "non-Euclidean"], mean[kinds == "Euclidean"]
    if ours.empty or flat.empty:
        return None
    sign = 1 if style.higher_is_better(metric) else -1
    lead = ((sign * ours).max() - (sign * flat).max()).dropna().round(9)
    middle = lead.median()
    shown = style.score(abs(middle), metric)
    points = " points" if _unit(metric) else ""
    leading = "Non-Euclidean" if middle > 0 else "Euclidean"
    gap = f"{leading} methods lead by a median of {shown}{points}"
    if shown == style.score(0.0, metric):
        gap = f"the median difference is {shown}{points}"
    return (
        f"The best of {wording.count(len(ours), 'non-Euclidean method')} is ahead of the best of "
        f"{wording.count(len(flat), 'Euclidean method')} on {int((lead > 0).sum())} of "
        f"{pair_noun(mean, len(lead))}, level on {int((lead == 0).sum())}, behind on "
        f"{int((lead < 0).sum())}; {gap}."
        + (" This is no test: the larger group has more chances." if len(ours) != len(flat) else "")
    )


def _speed(overall, verdict, metric):
    if not _unit(metric) or verdict is None:
        return None
    # The means of the verdict: no other method may be called the highest.
    full = overall.drop(columns="mean").join(verdict.means.rename("mean"), how="inner")
    full = full[full["pairs"] == full["pairs"].max()].dropna(subset=["fit_seconds"])
    if full.empty:
        return None
    near = full[full["mean"] >= full["mean"].max() - 0.01]
    best, quick = near["mean"].idxmax(), near["fit_seconds"].idxmin()
    if best == quick and len(near) == 1:
        return None
    if near["fit_seconds"].loc[best] <= winners_by_kind.NO_FASTER * near["fit_seconds"].loc[quick]:
        return f"No method within one point of the highest mean, {best}'s, is clearly faster."
    return (
        f"{quick} is within one point of the highest mean {style.metric_words(metric)} ({best}) "
        f"and fits in {wording.seconds(near.loc[quick, 'fit_seconds'])} instead of "
        f"{wording.seconds(near.loc[best, 'fit_seconds'])}."
    )


def _last(overall, classes, verdict, metric):
    """The lowest mean among the methods that the leader beats."""
    real = overall[[style.family(m, classes) != "floor" for m in overall.index]]
    # Of two methods the one that is not best is last.
    if len(real) < 3 or verdict is None or len(verdict.table) == len(verdict.group):
        return None
    beaten = verdict.table.index[verdict.table["beaten"].astype(bool)]
    sign, extreme = (1, "lowest") if style.higher_is_better(metric) else (-1, "highest")
    name = verdict.means[beaten].idxmin()
    return (
        f"{name} has the {extreme} mean {style.metric_words(metric)} of the methods that "
        f"{verdict.leader} beats, {style.score(sign * verdict.means[name], metric)}{_unit(metric)}."
    )


def _floor(mean, metric, classes):
    floor = np.array([style.family(m, classes) == "floor" for m in mean.index])
    if not floor.any() or floor.all():
        return None
    sign = 1 if style.higher_is_better(metric) else -1
    limit = (sign * mean[floor]).max()
    below = (sign * mean[~floor]).le(limit, axis=1).sum(axis=1)
    below = below[below > 0]
    ends = sorted((sign * limit.min(), sign * limit.max()))
    reach = " to ".join(dict.fromkeys(style.score(end, metric) for end in ends))
    start = f"The floor ({wording.listed(mean.index[floor])}) reaches {reach}{_unit(metric)}"
    if below.empty:
        return f"{start}; every other method is above it everywhere."
    listed = [f"{method} ({int(n)})" for method, n in below.items()]
    return f"{start}; not above it on some of {pair_noun(mean)}: {wording.listed(listed)}."


def _gaps(overall, mean):
    short = overall.loc[overall["pairs"] < mean.shape[1], "pairs"]
    if short.empty:
        return None
    listed = [f"{method} ({int(n)} of {mean.shape[1]})" for method, n in short.items()]
    if len(listed) > _NAMED:
        listed = [*listed[:_NAMED], wording.count(len(listed) - _NAMED, "other")]
    return f"Average ranks of these methods cover only part of the data: {wording.listed(listed)}."


def _of_methods(counts):
    """Methods with their counts."""
    return f" ({', '.join(f'{name} {n}' for name, n in counts.most_common(4))})" if counts else ""


def _solvers(runs):
    fits = [fold for run in runs for fold in run["folds"]]
    if not fits:
        return None
    classes = {run["method"]: run["class"] for run in runs}
    failed = sum(not provenance_rows.solved(fold) for fold in fits)
    late = Counter(
        run["method"] for run in runs for fold in run["folds"] if not provenance_rows.solved(fold)
    )
    warned = sum(bool(fold["warnings"]) for fold in fits)
    stale = sum(provenance_rows.is_stale(run) for run in runs)
    text = f"All {wording.count(len(fits), 'fit')} succeeded without warnings."
    if failed or warned:
        text = (
            f"Of {wording.count(len(fits), 'fit')}, {failed} did not converge{_of_methods(late)}, "
            f"and {warned or 'none'} gave warnings, in the search for settings too; all are listed "
            "under Provenance."
        )
        lost = sum(n for name, n in late.items() if "perceptron" in classes.get(name, name).lower())
        if lost:
            text += (
                f" {lost} of the {failed} are perceptrons, which do not converge on classes that "
                "overlap."
            )
    if stale:
        text += f" {wording.count(stale, 'run')} came from older code than the present one."
    return text
