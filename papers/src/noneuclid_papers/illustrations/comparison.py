"""Groups of methods side by side on every data set, with the spread over the folds."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from noneuclid.errors import require
from noneuclid.plots import palette
from noneuclid_compare.report import style
from noneuclid_compare.report.figures import theme
from noneuclid_compare.report.tables import score_tables

TITLE = "Groups of methods compared"
INTRO = "Scores of the methods by data set and by group of methods."
TEXT = (
    "Mean {label} on test rows; bars show the standard deviation over folds. Rings mark the best "
    "mean of each data set, which need not differ significantly from the others. Dotted lines mark "
    "the best method of each group."
)
# Okabe and Ito's; each group also has its own marker.
LOOKS = (("#0072B2", "o"), ("#D55E00", "s"), ("#009E73", "^"), ("#CC79A7", "D"), ("#5b6570", "v"))
COLUMNS = 5


def draw(points, models, scores, *, groups, metric="balanced_accuracy"):
    """Scores of every method on every data set.

    Parameters
    ----------
    points, models : dict
        None.
    scores : DataFrame
        The long table of `evaluate`.
    groups : dict of str to list of str
        Methods by the words of their group.
    metric : str, default="balanced_accuracy"

    Returns
    -------
    dict of str to (Figure, str, DataFrame)

    Raises
    ------
    InputError
        If something else is given, or a method of a group has no scores.
    """
    require(scores is not None, f"{TITLE}: set `scores: true`")
    require(
        0 < len(groups) <= len(LOOKS), f"{TITLE}: give one to {len(LOOKS)} groups, lists of methods"
    )
    known = set(scores["method"])
    for name in (name for methods in groups.values() for name in methods):
        require(name in known, f"{TITLE}: no scores of {name!r}; it has {', '.join(sorted(known))}")
    require(metric in score_tables.metrics(scores), f"{TITLE}: no scores by {metric!r}")
    group = {name: label for label, names in groups.items() for name in names}
    table = score_tables.summarise(scores[scores["method"].isin(group)], metric)
    table = table[["dataset", "embedding", "method", "mean", "sd", "folds"]]
    table.insert(2, "group", table["method"].map(group))
    text = TEXT.format(label=style.metric_words(metric))
    return {"groups": (draw_groups(table, groups, metric), text, table)}


def draw_groups(table, groups, metric):
    """A panel for each data set and a row for each method."""
    names = [name for methods in groups.values() for name in methods]
    pairs = list(table.groupby(["dataset", "embedding"], sort=False))
    columns = min(len(pairs), COLUMNS)
    rows = -(-len(pairs) // columns)
    size = 2.4 + 2.1 * columns, (1.0 + 0.27 * len(names)) * rows + 0.5
    figure = Figure(figsize=size)
    axes = figure.subplots(rows, columns, squeeze=False, sharey=True).ravel()
    for ax in axes[len(pairs) :]:
        ax.set_axis_off()
    for ax, ((dataset, _), part) in zip(axes, pairs, strict=False):
        _draw_panel(ax, part.set_index("method"), groups, names, metric)
        ax.set_title(dataset)
    figure.supxlabel(style.metric_label(metric), fontsize=9.5)
    handles = [
        Line2D([], [], color=colour, marker=marker, ms=6, label=name)
        for name, (colour, marker) in zip(groups, LOOKS, strict=False)
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=5)
    return figure


def _draw_panel(ax, part, groups, names, metric):
    """One data set: a marker and a bar for each method."""
    scale = 100 if style.in_percent(metric) else 1
    sign = 1 if style.higher_is_better(metric) else -1
    # Rounded: two sums in another order must not decide a tie.
    level = (sign * part["mean"]).round(9)
    best = level.index[level == level.max()]
    for methods, (colour, marker) in zip(groups.values(), LOOKS, strict=False):
        shown = part.loc[[name for name in methods if name in part.index]]
        at = [names.index(name) for name in shown.index]
        mean, sd = scale * shown["mean"].to_numpy(), scale * shown["sd"].fillna(0).to_numpy()
        if at:
            champion = mean[np.argmax(sign * mean)]
            ax.axvline(champion, color=colour, lw=0.8, ls=":", alpha=0.7, zorder=1)
        ax.errorbar(mean, at, xerr=sd, color=colour, marker=marker, ls="", ms=6, lw=1.3, zorder=2)
    ax.plot(scale * part["mean"][best], [names.index(name) for name in best], ls="", marker="o",
            ms=12, mfc="none", mec=palette.INK, mew=1.2, zorder=3)  # fmt: skip
    theme.name_rows(ax, names)
    ax.locator_params(axis="x", nbins=4)
