"""Sentences at the start of the page, computed from the scores and the runs."""

from collections import Counter

import numpy as np

from noneuclid.errors import InputError
from noneuclid_compare import wording
from noneuclid_compare.report import style
from noneuclid_compare.report.names import Names, capital
from noneuclid_compare.report.tables import (
    leader_comparisons,
    provenance_rows,
    score_tables,
    winners_by_kind,
)

# Longer lists are cut short.
_NAMED = 5


def findings(scores, runs, metric="balanced_accuracy", advised=None, names=None):
    """The key findings: pairs of a word or two and a sentence or two.

    `advised` is the table of `winners_by_kind.advise`; None leaves its sentence out.
    """
    classes = {run["method"]: run["class"] for run in runs}
    names = names or Names(classes=classes)
    summary = score_tables.summarise(scores, metric)
    overall = score_tables.order(summary)
    if summary["mean"].isna().all():
        raise InputError(f"no fold has a value of {metric!r}: choose another metric")
    # A rank on a few data sets says nothing of the others.
    whole = overall[overall["pairs"] == overall["pairs"].max()]
    mean, rank = score_tables.matrix(summary, "mean"), score_tables.rank_matrix(summary)
    verdict = leader_comparisons.judge(scores, metric, classes)
    several = advised is not None and mean.columns.get_level_values("dataset").nunique() > 1
    found = [
        ("Best method", leader_comparisons.sentence(verdict, metric, names)),
        ("Average ranks", _ranks(whole, rank, names)),
        ("Overall test", _tests(mean, metric, classes)),
        ("Kinds of data", several and winners_by_kind.sentence(advised, metric, names)),
        ("Curvature", _geometry(mean, metric, classes)),
        ("Speed", _speed(overall, verdict, metric, names)),
        ("Lowest score", _last(whole, classes, verdict, metric, names)),
        ("Trivial baselines", _floor(mean, metric, classes, names)),
        ("Incomplete methods", _gaps(mean, names)),
        ("Convergence", _solvers(runs, names)),
    ]
    return [(head, text) for head, text in found if text]


def data_noun(mean):
    """Count the data sets, and their embeddings where a data set has several.

    Examples
    --------
    >>> import pandas as pd
    >>> pairs = [("wine", "pca"), ("wine", "hydra")]
    >>> columns = pd.MultiIndex.from_tuples(pairs, names=["dataset", "embedding"])
    >>> data_noun(pd.DataFrame([[0.9, 0.8]], columns=columns))
    '1 data set (2 embeddings)'
    """
    datasets = mean.columns.get_level_values("dataset")
    text = wording.count(datasets.nunique(), "data set")
    return text if datasets.is_unique else f"{text} ({wording.count(len(datasets), 'embedding')})"


NO_RANKS = (
    "Ranks are not shown. They compare methods over several data sets, and this run has one; "
    "several embeddings of the same data are not independent."
)


def _unit(metric):
    return "\u00a0%" if style.in_percent(metric) else ""


def _ranks(overall, rank, names):
    """Best average rank, and which average ranks differ: no verdict on the best method."""
    if rank.shape[1] < 2:
        return NO_RANKS
    top = overall.index[overall["average_rank"] == overall["average_rank"].iloc[0]]
    row = overall.iloc[0]
    text = (
        f"{capital(_listed(top, names))} {'has' if len(top) == 1 else 'share'} the best average "
        f"rank, {row['average_rank']:.2f} over {wording.count(int(row['datasets']), 'data set')}. "
    )
    difference = score_tables.critical_difference(rank)
    if difference is None:
        return text + (
            "Average ranks were not tested: the Nemenyi test needs at least two methods and two "
            "data sets, and every method on every data set."
        )
    near = overall.index[1:][overall["average_rank"].iloc[1:] - row["average_rank"] < difference]
    text += (
        f"The critical difference of average ranks is {difference:.2f} (Nemenyi test, "
        f"{wording.count(len(rank), 'method')}, 5 % level): "
    )
    first = names.in_text("methods", row.name)
    if not len(near):
        return f"{text}all other methods differ significantly from {first}."
    if len(near) <= 6:
        return f"{text}no significant difference among {_listed([row.name, *near], names)}."
    far = overall.index[len(near) + 1 :]
    tail = f"; {_listed(far, names)} differ{'s' if len(far) == 1 else ''}" if len(far) else ""
    return f"{text}no significant difference between {first} and {len(near)} others{tail}."


def _tests(mean, metric, classes):
    real = score_tables.without_floors(mean, classes)
    found = leader_comparisons.friedman_sentence(real, metric)
    return found and found + (" Trivial baselines are excluded." if len(real) < len(mean) else "")


def _geometry(mean, metric, classes):
    kinds = np.array([style.family(m, classes) for m in mean.index])
    ours, flat = mean[kinds == "non-Euclidean"], mean[kinds == "Euclidean"]
    if ours.empty or flat.empty:
        return None
    sign = 1 if style.higher_is_better(metric) else -1
    lead = winners_by_kind.leads(sign * ours, sign * flat)
    if len(lead) < 2:  # the verdict has the difference
        return None
    middle = lead.median()
    shown = style.score(abs(middle), metric)
    points = " points" if _unit(metric) else ""
    leading = "non-Euclidean" if middle > 0 else "Euclidean"
    gap = f"{leading} methods lead by a median of {shown}{points}"
    if shown == style.score(0.0, metric):
        gap = f"the median difference is {shown}{points}"
    return (
        "Chosen on each data set and embedding, "
        f"the best of {wording.count(len(ours), 'non-Euclidean method')} is better than the best "
        f"of {wording.count(len(flat), 'Euclidean method')} on {int((lead > 0).sum())} of "
        f"{wording.count(len(lead), 'data set')}, equal on {int((lead == 0).sum())} and worse on "
        f"{int((lead < 0).sum())}; {gap}."
        + (" The comparison favours the larger group." if len(ours) != len(flat) else "")
    )


def _speed(overall, verdict, metric, names):
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
    named = {name: names.in_text("methods", name) for name in (best, quick)}
    if near["fit_seconds"].loc[best] <= winners_by_kind.NO_FASTER * near["fit_seconds"].loc[quick]:
        return f"No method within 1 point of {named[best]}, the best, is clearly faster."
    times = near["fit_seconds"]
    return (
        f"{capital(named[quick])} is within 1 point of the highest mean "
        f"{style.metric_words(metric)} ({named[best]}) and fits in "
        f"{wording.seconds(times.loc[quick])} instead of {wording.seconds(times.loc[best])}."
    )


def _last(overall, classes, verdict, metric, names):
    """The lowest mean among the methods that the leader beats."""
    real = overall[[style.family(m, classes) != "floor" for m in overall.index]]
    # Of two methods the one that is not best is last.
    if len(real) < 3 or verdict is None or len(verdict.table) == len(verdict.group):
        return None
    beaten = verdict.table.index[verdict.table["beaten"].astype(bool)]
    sign, extreme = (1, "lowest") if style.higher_is_better(metric) else (-1, "highest")
    name = verdict.means[beaten].idxmin()
    mean = style.score(sign * verdict.means[name], metric)
    return (
        f"Among the methods significantly worse than {names.in_text('methods', verdict.leader)}, "
        f"{names.in_text('methods', name)} has the {extreme} mean {style.metric_words(metric)}, "
        f"{mean}{_unit(metric)}."
    )


def _floor(mean, metric, classes, names):
    floor = np.array([style.family(m, classes) == "floor" for m in mean.index])
    if not floor.any() or floor.all():
        return None
    sign, count = 1 if style.higher_is_better(metric) else -1, mean.shape[1]
    one_each = mean.columns.get_level_values("dataset").is_unique
    mean = mean.loc[:, mean[floor].notna().any()]
    limit = (sign * mean[floor]).max()
    below = (sign * mean[~floor]).le(limit, axis=1).sum(axis=1)
    below = below[below > 0]
    ends = sorted((sign * limit.min(), sign * limit.max()))
    reach = " to ".join(dict.fromkeys(style.score(end, metric) for end in ends))
    start = (
        f"Without information, {_listed(mean.index[floor], names)} reaches {reach}{_unit(metric)}"
    )
    start = start.replace("reaches", "reach") if floor.sum() > 1 else start
    places = wording.count(count, "data set" if one_each else "embedding")
    part = mean.shape[1] < count
    start += f" on {mean.shape[1]} of {places}" if part else ""
    if below.empty:
        where = "these" if part else "all data sets"
        return f"{start}; every other method is better on {where}."

    listed = [f"{names.in_text('methods', method)} (on {int(n)})" for method, n in below.items()]
    places = "these" if part else places
    return f"{start}; not better on some of {places}: {wording.listed(listed)}."


def _gaps(mean, names):
    """Methods without a score somewhere; one that is alone on its data has scores but no rank."""
    scored = mean.notna().sum(axis=1)
    short = scored[scored < mean.shape[1]]
    if short.empty:
        return None
    listed = [
        f"{names.in_text('methods', method)} ({int(n)} of {mean.shape[1]})"
        for method, n in short.items()
    ]
    if len(listed) > _NAMED:
        listed = [*listed[:_NAMED], wording.count(len(listed) - _NAMED, "other")]
    return (
        f"These methods were not run on all embeddings of all data sets: {wording.listed(listed)}."
    )


def _listed(methods, names):
    return wording.listed([names.in_text("methods", name) for name in methods])


def _of_methods(counts, names):
    """Methods with their counts."""
    found = [f"{names.in_text('methods', name)} {n}" for name, n in counts.most_common(4)]
    return f" ({', '.join(found)})" if found else ""


def _solvers(runs, names):
    fits = [fold for run in runs for fold in provenance_rows.fits(run)]
    if not fits:
        return None
    classes = {run["method"]: run["class"] for run in runs}
    failed = sum(not provenance_rows.solved(fold) for fold in fits)
    late = Counter(
        run["method"]
        for run in runs
        for fold in provenance_rows.fits(run)
        if not provenance_rows.solved(fold)
    )
    warned = sum(bool(fold["warnings"]) for fold in fits)
    stale = Counter(run["method"] for run in runs if provenance_rows.is_stale(run))
    text = f"All {wording.count(len(fits), 'fit')} converged without warnings."
    if failed or warned:
        text = (
            f"Of {wording.count(len(fits), 'fit')}, {failed} did not converge"
            f"{_of_methods(late, names)} and {warned or 'none'} gave warnings, including the "
            "search for settings; all are listed under Provenance."
        )
        lost = sum(n for name, n in late.items() if "perceptron" in classes.get(name, name).lower())
        if lost:
            text += (
                f" Of the {failed}, {lost} are perceptrons: if classes overlap they never "
                "converge, and on separable classes not always."
            )
    if stale:
        text += (
            f" {stale.total()} of {wording.count(len(runs), 'run')} were made with code that has "
            f"changed since{_of_methods(stale, names)}, marked under Provenance; noneuclid run "
            "--forcerun train makes them again."
        )
    return text
