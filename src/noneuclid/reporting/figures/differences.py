"""Differences between two methods over many data sets, each pair a dot."""

import numpy as np
from matplotlib.figure import Figure

from noneuclid.reporting import style


def draw(pairs, tests, first, second):
    """Sorted differences of every series, with the mean and its 95 % interval.

    Right of the dashed line the first method is better.

    Parameters
    ----------
    pairs : DataFrame
        As `noneuclid.evaluation.studies.pairs` gives it.
    tests : DataFrame
        As `noneuclid.evaluation.studies.summary` gives it for these pairs.
    first, second : str
        Names of the methods.

    Returns
    -------
    Figure
    """
    metric = pairs["metric"].iloc[0]
    scale = 100 if style.in_percent(metric) else 1
    names = sorted(pairs["series"].unique())
    # Many series are drawn closer together.
    height = 1.15 if len(names) < 8 else 0.6
    figure = Figure(figsize=(5.6, max(2.2, 1.0 + height * len(names))), layout="constrained")
    ax = figure.subplots()
    ax.axvline(0, color=style.MUTED, lw=0.9, ls="--", zorder=1)
    found = tests.set_index("series")
    for k, name in enumerate(names):
        values = scale * np.sort(pairs.loc[pairs["series"] == name, "difference"])
        row = scale * found.loc[name, ["mean", "low", "high"]].astype(float)
        _draw_row(ax, k, values, row, style.PALETTE[k % len(style.PALETTE)])
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.4, -0.6)
    unit = " (points)" if scale == 100 else ""
    words = f"{style.metric_words(metric)}{unit}"
    ax.set_xlabel(f"{first} − {second}\n{words}", fontsize=9.5)
    ax.grid(axis="x", color=style.RULE, lw=0.6)
    ax.set_axisbelow(True)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(labelsize=8.5)
    ax.tick_params(axis="y", length=0)
    return figure


def _draw_row(ax, k, values, row, colour):
    """Dots of one series around height `k`, its mean and interval across them."""
    heights = k + np.linspace(0.3, -0.3, len(values))
    ax.scatter(values, heights, s=22, color=colour, edgecolors=style.edge(colour), lw=0.4)
    ax.plot([row["low"], row["high"]], [k, k], color=style.INK, lw=2.2, solid_capstyle="butt")
    ax.plot(row["mean"], k, marker="D", ms=6, color=style.INK, mec="white")
