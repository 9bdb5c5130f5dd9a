"""The plot of the first screen: two tested differences, then the pipelines, on one axis."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from noneuclid.plots import palette
from noneuclid_compare.report import style
from noneuclid_compare.report.figures import theme
from noneuclid_compare.report.figures.page_figures import PageFigure
from noneuclid_compare.report.names import capital
from noneuclid_compare.report.tables import pipelines

MOST = 14  # more pipelines are in the table below
TESTED = "tested difference"
LOOKS = {
    pipelines.WITHOUT: ("s", "white", style.FAMILIES["Euclidean"]["colour"]),
    "": ("d", palette.INK, palette.INK),
}


def draw_effects(opening=None, narrow=False):
    """Differences at the top; below, each pipeline at its difference from the reference.

    `narrow` puts the names above the rows, and the numbers with them.
    """
    if opening is None:
        figure = theme.new_figure(4, 1)
        figure.text(0.5, 0.5, "nothing to compare", ha="center", color=palette.MUTED)
        return figure
    table, scale = shown(opening), 100 if style.in_percent(opening.metric) else 1
    # A gap between the differences and the pipelines.
    rows = np.arange(len(table)) + 0.7 * (table["kind"] == "pipeline").to_numpy()
    height = 0.37 if narrow else 0.29
    figure = Figure(figsize=(3.9 if narrow else 7.6, 1.2 + height * (rows.max() + 1)))
    ax, smallest = figure.subplots(), scale * opening.smallest
    places = scale * table[["place", "place_low", "place_high"]].to_numpy(dtype=float)
    ax.axvspan(-smallest, smallest, color=palette.RULE, alpha=0.75, lw=0, zorder=0)
    ax.axvline(0, color=palette.MUTED, lw=0.9, ls="--", zorder=1)
    ax.set_xlim(*limits(places, smallest))
    ax.hlines(rows, places[:, 1], places[:, 2], color=palette.INK, lw=1.5, zorder=3)
    for place, row, family in zip(places[:, 0], rows, table["family"], strict=True):
        marker, face, edge = _look(family)
        ax.plot(place, row, marker, ms=7, mfc=face, mec=edge, mew=1.6, zorder=4, clip_on=False)
    names = [capital(name) for name in table["name"]]
    _name(ax, rows, names, table["shown"], narrow)
    unit = " (points)" if scale == 100 else ""
    of = opening.reference or "the best"
    ax.set_xlabel(f"difference in {style.metric_words(opening.metric)}{unit};\nbelow, from {of}")
    figure.legend(
        handles=_legend(table["family"]), loc="outside upper left", ncols=2 if narrow else 4
    )
    return figure


def shown(opening):
    """Rows of the table that are drawn: both differences, the best pipelines, and the reference."""
    found = opening.rows("pipeline")
    kept = found.index[:MOST].union(found.index[found["name"] == opening.reference])
    return pd.concat([opening.rows("comparison"), found.loc[kept]])


def _look(family):
    """Marker, face and edge of a family."""
    if family in LOOKS:
        return LOOKS[family]
    look = style.FAMILIES[family]
    return look["marker"], look["colour"], look["colour"]


def label(family):
    """What the marker of a family means."""
    return style.FAMILIES[family]["label"] if family in style.FAMILIES else family or TESTED


def _legend(families):
    looks = {family: _look(family) for family in dict.fromkeys(families)}
    return [
        Line2D([], [], ls="", marker=marker, ms=6.5, mfc=face, mec=edge, mew=1.5,
               label=label(family))
        for family, (marker, face, edge) in looks.items()
    ]  # fmt: skip


def _name(ax, rows, names, texts, narrow):
    """Names of the rows, and their numbers."""
    ax.set_ylim(rows.max() + 0.6, -0.9 if narrow else -0.6)
    ax.tick_params(axis="y", length=0)
    ax.grid(visible=False, axis="y")
    ax.spines["left"].set_visible(False)
    if not narrow:
        ax.set_yticks(rows, names)
        for row, text in zip(rows, texts, strict=True):
            ax.text(1.02, row, text, transform=ax.get_yaxis_transform(), va="center",
                    fontsize=8.5, color=palette.INK)  # fmt: skip
        return
    ax.set_yticks([])
    for row, name, text in zip(rows, names, texts, strict=True):
        ax.text(0.005, row - 0.36, f"{name}: {text}", transform=ax.get_yaxis_transform(),
                va="center", fontsize=7, color=palette.INK, zorder=5)  # fmt: skip


def limits(places, smallest):
    """Ends of the axis, with all places, intervals that are not far longer, and the band."""
    low, high = places[:, 0].min(), places[:, 0].max()
    reach = max(high - low, 4 * smallest) or 1.0
    low = min(-2 * smallest, low - 0.3 * reach, np.nanmax([np.nanmin(places), low - reach]))
    high = max(2 * smallest, high + 0.3 * reach, np.nanmin([np.nanmax(places), high + reach]))
    return low, high


def tabulate_effects(opening=None):
    """The table of the first screen, of which the plot shows a part."""
    if opening is None:
        return pd.DataFrame(columns=pipelines.COLUMNS)
    return opening.table


def write_caption(opening=None):
    """What the rows, the bars and the band are."""
    if opening is None:
        return "Nothing is drawn: no pipeline has a score."
    left = len(opening.rows("pipeline")) - len(shown(opening)) + len(opening.rows("comparison"))
    lacking = "; ".join(opening.left_out)
    return (
        "Top: tested differences between the best pipelines of two kinds, each chosen on other "
        f"folds. Below: pipelines at their distance from {opening.reference or 'the best'}; their "
        "bars are intervals of the score, no tests. Bars: 95 % intervals (corrected resampled "
        f"t-test, {opening.folds} folds). Grey band: too little to matter, "
        f"{pipelines.size(opening.smallest, opening.metric)}."
        + (f" {left} more pipelines are in the table below." if left else "")
        + (f" Not compared, without scores of some folds: {lacking}." if lacking else "")
    )


FIGURE = PageFigure(draw_effects, write_caption, tabulate_effects)
