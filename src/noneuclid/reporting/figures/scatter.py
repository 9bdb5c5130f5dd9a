"""The scatter of two methods over many data sets, as in figures 2a and 3c of cho2019."""

import numpy as np
from matplotlib.figure import Figure

from noneuclid.experiment import wording
from noneuclid.reporting import style

SHAPES = ("o", "s", "^", "D", "v", "P", "X", "*")


def draw(pairs, first, second):
    """One marker per group: its mean by the first method over that by the second, with spreads.

    Above the diagonal the first method is better. Bars are standard deviations over the trials.

    Parameters
    ----------
    pairs : DataFrame
        As `noneuclid.evaluation.studies.pairs` gives it.
    first, second : str
        Names of the methods, for the vertical and the horizontal axis.

    Returns
    -------
    Figure
    """
    metric = pairs["metric"].iloc[0]
    scale = 100 if style.in_percent(metric) else 1
    figure = Figure(figsize=(5.6, 5.6), layout="constrained")
    ax = figure.subplots()
    names = sorted(pairs["series"].unique())
    for k, name in enumerate(names):
        _mark(ax, pairs[pairs["series"] == name], scale, name, k)
    ends = scale * _limits(pairs)
    ax.plot(ends, ends, color=style.MUTED, lw=0.9, ls="--", zorder=1)
    ax.set(xlim=ends, ylim=ends, aspect="equal")
    ax.set_xlabel(f"{second}: {style.metric_label(metric)}", fontsize=9.5)
    ax.set_ylabel(f"{first}: {style.metric_label(metric)}", fontsize=9.5)
    ax.grid(color=style.RULE, lw=0.6)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(labelsize=8.5)
    if len(names) > 1:
        ax.legend(frameon=False, fontsize=9, loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
    return figure


def _mark(ax, part, scale, name, k):
    """Markers and bars of one series."""
    colour = style.PALETTE[k % len(style.PALETTE)]
    ax.errorbar(
        scale * part["second_mean"],
        scale * part["first_mean"],
        xerr=scale * part["second_sd"].fillna(0),
        yerr=scale * part["first_sd"].fillna(0),
        fmt=SHAPES[k % len(SHAPES)],
        ms=5,
        mfc=colour,
        mec=style.edge(colour),
        mew=0.6,
        ecolor=style.tint(colour, 0.5),
        elinewidth=0.7,
        label=wording.plain(name),
    )


def _limits(pairs):
    """Common ends of both axes, with all bars inside."""
    means = pairs[["first_mean", "second_mean"]].to_numpy()
    bars = pairs[["first_sd", "second_sd"]].fillna(0).to_numpy()
    low, high = (means - bars).min(), (means + bars).max()
    margin = 0.04 * (high - low) or 0.04
    return np.array([low - margin, high + margin])
