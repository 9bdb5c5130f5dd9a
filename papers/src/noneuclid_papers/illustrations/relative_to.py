"""Methods minus a reference, paired, over many drawn data sets: box plots."""

import re
import textwrap

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from noneuclid.errors import require
from noneuclid.plots import palette
from noneuclid_compare import wording
from noneuclid_compare.report import style
from noneuclid_compare.report.tables import score_tables

TITLE = "Methods relative to a reference"
INTRO = (
    "Each data set contributes its mean over folds. Differences are computed on the same data set "
    "with the same folds for both methods."
)
TEXT = (
    "{name}, {count}. Differences from {references} (line). Boxes: quartiles and median. Whiskers: "
    "farthest data set within 1.5 box lengths. Dots: all data sets; triangles at the edge mark "
    "values far beyond the whiskers, with the farthest value."
)
COLUMNS = ["figure", "dataset", "embedding", "column", "method", "metric", "difference", "value"]
FAR = 0.5  # dots farther from every whisker than this part of the whiskers' range are marked
LABEL = 24  # characters in a line
COLOURS = ("#56B4E9", "#E69F00", "#009E73", "#CC79A7")


def draw(
    points,
    models,
    scores,
    *,
    pairs,
    pattern="",
    differences=("accuracy", "f1_weighted"),
    values=(),
):
    """Draw a figure for each group of data sets: a row for each metric, a column for each pair.

    Parameters
    ----------
    points, models : dict
        None.
    scores : DataFrame
        The long table of `evaluate`.
    pairs : dict
        By the title of a column, `reference` (a method) and `methods` (lists of methods, at most
        four, or their labels and names).
    pattern : str
        Over names of data sets; its first group names the figure, others are left out.
    differences : list of str, default=("accuracy", "f1_weighted")
        Metrics shown as differences from the reference.
    values : list of str, optional
        Metrics shown unchanged.

    Returns
    -------
    dict of str to (Figure, str, DataFrame)

    Raises
    ------
    InputError
        If something else is given, or there are no such scores.
    """
    require(scores is not None, f"{TITLE}: set `scores: true`")
    require(bool(pairs), f"{TITLE}: give `pairs`, each a reference and methods")
    table = compare(scores, pairs, pattern, differences, values)
    return {
        name: _shown(name, part, pairs, differences, values)
        for name, part in table.groupby("figure")
    }


def compare(scores, pairs, pattern, differences, values):
    """One row for each data set, column, method and metric, in the columns `COLUMNS`.

    The parameters are those of `draw`; `difference` is NaN for metrics shown unchanged.
    """
    named = scores.assign(figure=_figures(scores["dataset"], pattern))
    named = named.dropna(subset="figure")
    means = named.groupby(["figure", *score_tables.PAIR, "method", "metric"])["value"].mean()
    rows = []
    for title, pair in pairs.items():
        for metric in [*differences, *values]:
            for label, method in _labels(pair["methods"]).items():
                value = _values(means, method, metric)
                part = value.rename("value").reset_index()
                if metric in differences:
                    reference = _values(means, pair["reference"], metric)
                    part["difference"] = (value - reference.reindex(value.index)).to_numpy()
                rows.append(part.assign(column=title, method=label, metric=metric))
    return pd.concat(rows, ignore_index=True).reindex(columns=COLUMNS)


def _figures(names, pattern):
    """Figure that each data set belongs to: the first group of the pattern, or None."""
    try:
        found = re.compile(pattern)
    except re.error as error:
        require(False, f"{TITLE}: {pattern!r} is not a pattern: {error}")
    require(found.groups > 0, f"{TITLE}: {pattern!r} has no group that names a figure")
    matches = {name: found.match(name) for name in names.unique()}
    require(any(matches.values()), f"{TITLE}: {pattern!r} matches no data set")
    return names.map({name: match[1] if match else None for name, match in matches.items()})


def _labels(methods):
    return methods if isinstance(methods, dict) else {name: name for name in methods}


def _values(means, method, metric):
    """Means of a method by figure, data set and embedding."""
    known = means.index.unique("method")
    require(method in known, f"{TITLE}: no scores of {method!r}; it has {', '.join(known)}")
    part = means.xs(method, level="method")
    require(
        metric in part.index.unique("metric"), f"{TITLE}: {method!r} has no scores by {metric!r}"
    )
    return part.xs(metric, level="metric")


def _shown(name, table, pairs, differences, values):
    """Figure of one group, its caption and its data."""
    columns, shown = list(pairs), [*differences, *values]
    size = 1.2 + 2.9 * len(columns), 0.7 + 1.9 * len(shown)
    figure = Figure(figsize=size)
    axes = figure.subplots(len(shown), len(columns), squeeze=False)
    for line, metric in zip(axes, shown, strict=True):
        for ax, column in zip(line, columns, strict=True):
            part = table[(table["column"] == column) & (table["metric"] == metric)]
            _draw_boxes(ax, part, "difference" if metric in differences else "value")
        line[0].set_ylabel(_label(metric, differences), fontsize=9)
    for ax, column in zip(axes[0], columns, strict=True):
        ax.set_title(column, fontsize=10, color=palette.INK)
    references = [pair["reference"] for pair in pairs.values()]
    text = TEXT.format(
        name=name,
        count=wording.count(table["dataset"].nunique(), "data set"),
        references=" and ".join(dict.fromkeys(references)),
    )
    return figure, text, table.drop(columns="figure")


def _label(metric, differences):
    words = style.metric_label(metric)
    words = f"{words}, difference" if metric in differences else words
    return "\n".join(textwrap.wrap(words, LABEL))


def _draw_boxes(ax, part, kind):
    """One box for each method, and its data sets as dots."""
    metric = part["metric"].iloc[0]
    names = list(part["method"].unique())
    scale = 100 if style.in_percent(metric) else 1
    values = [scale * part.loc[part["method"] == name, kind].dropna().to_numpy() for name in names]
    # Not seaborn's: it passes `vert`, which matplotlib 3.11 deprecates.
    boxes = ax.boxplot(values, tick_labels=names, widths=0.5, showfliers=False, patch_artist=True,
                       medianprops={"color": palette.INK})  # fmt: skip
    for k, (box, dots) in enumerate(zip(boxes["boxes"], values, strict=True)):
        box.set_facecolor(COLOURS[k % len(COLOURS)])
        sns.scatterplot(x=[k + 1] * len(dots), y=dots, color=palette.INK, s=4, linewidth=0,
                        alpha=0.6, zorder=3, ax=ax)  # fmt: skip
    if kind == "difference":
        ax.axhline(0, color=palette.MUTED, lw=1, ls="--", zorder=0)
    _mark_far(ax, values, boxes["caps"])
    ax.grid(visible=False, axis="x")
    ax.ticklabel_format(axis="y", scilimits=(-3, 4))


def _mark_far(ax, values, caps):
    """Where dots lie so far out that boxes would be flat, end the axis near the whiskers."""
    ends = np.concatenate([[0.0], *(cap.get_ydata() for cap in caps)])
    low, high = np.nanmin(ends), np.nanmax(ends)
    room = FAR * (high - low)
    everything = np.concatenate(values)
    if not room or ((everything >= low - room) & (everything <= high + room)).all():
        return
    ax.set_ylim(low - room, high + room)
    for k, dots in enumerate(values):
        for far, edge, mark, side in (
            (dots[dots > high + room], high + room, "^", "top"),
            (dots[dots < low - room], low - room, "v", "bottom"),
        ):
            if len(far):
                farthest = far[np.abs(far).argmax()]
                words = f"{len(far)}, to {farthest:.3g}" if len(far) > 1 else f"{farthest:.3g}"
                ax.plot(k + 1, edge, mark, color=palette.INK, ms=6, clip_on=False)
                ax.annotate(words, (k + 1, edge), (6, 0), textcoords="offset points", va=side,
                            fontsize=7.5, color=palette.INK)  # fmt: skip
