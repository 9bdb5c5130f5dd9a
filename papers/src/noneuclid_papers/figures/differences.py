"""Differences between two methods over many data sets, each pair a dot."""

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from noneuclid.plots import palette
from noneuclid_compare.report import style
from noneuclid_compare.report.figures import theme
from noneuclid_compare.report.figures.page_figures import PageFigure
from noneuclid_compare.report.names import Names
from noneuclid_papers.statistics import studies

CAPTION = (
    "Sorted differences, one dot per pair. Diamond and bar: mean and 95 % interval. Right of the "
    "dashed line, the first method is better."
)


def draw_differences(pairs, tests, first, second, names=None):
    """Sorted differences of every series, with the mean and its 95 % interval.

    `pairs` and `tests` are tables of `evaluation.studies`.
    """
    metric = pairs["metric"].iloc[0]
    first, second = map((names or Names()).method, (first, second))
    scale = 100 if style.in_percent(metric) else 1
    names = studies.in_order(pairs["series"].unique())
    dots = pd.concat([_spread(pairs[pairs["series"] == name], k) for k, name in enumerate(names)])
    # A single series has the row of all.
    means = tests.set_index("series").loc[names if len(names) > 1 else ["all"]]
    means = scale * means[["mean", "low", "high"]].to_numpy(dtype=float)
    height = 1.15 if len(names) < 8 else 0.6
    figure = Figure(figsize=(5.6, max(2.2, 1.0 + height * len(names))))
    ax = figure.subplots()
    ax.axvline(0, color=palette.MUTED, lw=0.9, ls="--", zorder=1)
    sns.scatterplot(
        x=scale * dots["difference"], y=dots["height"], hue=dots["series"], hue_order=names,
        palette=palette.class_colours(len(names)), s=22, legend=False, ax=ax,
    )  # fmt: skip
    ax.errorbar(means[:, 0], range(len(names)), xerr=np.abs(means[:, 1:] - means[:, :1]).T,
                fmt="D", ms=6, mec="white", color=palette.INK, elinewidth=2.2)  # fmt: skip
    theme.name_rows(ax, names)
    unit = " (points)" if scale == 100 else ""
    ax.set(xlabel=f"{first} − {second}\n{style.metric_words(metric)}{unit}", ylabel="")
    return figure


def _spread(part, k):
    """Sorted differences of one series at heights around `k`."""
    part = part.sort_values("difference")
    return part.assign(height=k + np.linspace(0.3, -0.3, len(part)))


FIGURE = PageFigure(draw_differences, CAPTION, "pairs.tsv")
