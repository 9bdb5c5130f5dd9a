"""The scatter of two methods over many data sets, as in figures 2a and 3c of cho2019."""

import numpy as np
import seaborn as sns
from matplotlib.figure import Figure

from noneuclid.plots import palette
from noneuclid_compare.report import style
from noneuclid_compare.report.figures import theme
from noneuclid_compare.report.figures.page_figures import PageFigure
from noneuclid_compare.report.names import Names
from noneuclid_papers.statistics import studies

CAPTION = (
    "One marker per pair: mean over repeats; bars: standard deviation, if there are several. Above "
    "the dashed line, the first method is better."
)
SHAPES = ("o", "s", "^", "D", "v", "P", "X", "*")
_NUMBERS = ["first_mean", "first_sd", "second_mean", "second_sd"]


def draw_scatter(pairs, first, second, names=None):
    """One marker per group: its mean by the first method over that by the second, with spreads.

    Above the diagonal the first method is better. Bars are standard deviations over the trials.
    """
    metric = pairs["metric"].iloc[0]
    first, second = map((names or Names()).method, (first, second))
    scale = 100 if style.in_percent(metric) else 1
    table = (scale * pairs[_NUMBERS].fillna(0)).assign(series=pairs["series"].map(palette.plain))
    names = studies.in_order(table["series"].unique())
    colours = dict(zip(names, palette.class_colours(len(names)), strict=True))
    figure = Figure(figsize=(5.6, 5.6))
    ax = figure.subplots()
    for name, part in table.groupby("series"):
        ax.errorbar(part["second_mean"], part["first_mean"], part["first_sd"], part["second_sd"],
                    fmt="none", elinewidth=0.7,
                    ecolor=palette.tint(colours[name], 0.5))  # fmt: skip
    sns.scatterplot(
        table, x="second_mean", y="first_mean", hue="series", hue_order=names, palette=colours,
        style="series", style_order=names, s=30, zorder=3, ax=ax,
        markers={name: SHAPES[k % len(SHAPES)] for k, name in enumerate(names)},
    )  # fmt: skip
    ends = _limits(table)
    ax.plot(ends, ends, color=palette.MUTED, lw=0.9, ls="--", zorder=1)
    ax.set(xlim=ends, ylim=ends, aspect="equal")
    ax.set_xlabel(f"{second}: {style.metric_label(metric)}")
    ax.set_ylabel(f"{first}: {style.metric_label(metric)}")
    if len(names) > 1:
        theme.move_legend(figure, ax, ncols=4)
    else:
        ax.get_legend().remove()
    return figure


def _limits(table):
    """Common ends of both axes, with all bars inside."""
    means = table[["first_mean", "second_mean"]].to_numpy()
    bars = table[["first_sd", "second_sd"]].to_numpy()
    low, high = (means - bars).min(), (means + bars).max()
    margin = 0.04 * (high - low) or 0.04
    return np.array([low - margin, high + margin])


FIGURE = PageFigure(draw_scatter, CAPTION, "pairs.tsv")
