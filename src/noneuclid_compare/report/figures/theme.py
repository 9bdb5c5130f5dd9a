"""The theme of all figures, and what several of them draw.

The import sets the theme: matplotlib reads it when a figure is made.
"""

import itertools
import textwrap

import numpy as np
import seaborn as sns
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter

from noneuclid.plots import palette
from noneuclid_compare.report import style

sns.set_theme(
    context=None,
    style=None,
    palette=palette.PALETTE,
    font="DejaVu Sans",  # part of matplotlib: the same bytes on every machine
    rc={
        "axes.axisbelow": True, "axes.grid": True, "axes.labelsize": 9.5,
        "axes.spines.right": False, "axes.spines.top": False,
        "axes.titlecolor": palette.INK, "axes.titlesize": 9.5,
        "figure.constrained_layout.use": True,
        "grid.color": palette.RULE, "grid.linewidth": 0.6,
        "legend.fontsize": 8.5, "legend.frameon": False,
        "xtick.labelsize": 8.5, "ytick.labelsize": 8.5,
    },
)  # fmt: skip


def move_legend(figure, ax, place="outside upper center", **settings):
    """Move the legend of a panel to the edge of the figure."""
    handles = ax.get_legend_handles_labels()
    if ax.get_legend():
        ax.get_legend().remove()
    figure.legend(*handles, loc=place, **settings)


def name_rows(ax, names):
    """Name the rows of a panel, the first at the top, without ticks or a line at the left."""
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.grid(visible=False, axis="y")
    ax.spines["left"].set_visible(False)


def name_above(ax, names):
    """Name the rows of a narrow panel inside it, each above its row, the first at the top."""
    name_rows(ax, names)
    ax.set_yticks([])
    ax.set_ylim(len(names) - 0.6, -0.9)
    for row, text in enumerate(names):
        ax.text(0.005, row - 0.33, text, transform=ax.get_yaxis_transform(), va="center",
                fontsize=8.5, color=palette.INK, zorder=5)  # fmt: skip


def use_log_scale(ax, side, write="{:g}".format, numticks=9):
    """Logarithmic scale of side "x" or "y" with ticks at 1, 2 and 5, written by `write`."""
    ax.set(**{f"{side}scale": "log"})
    axis = {"x": ax.xaxis, "y": ax.yaxis}[side]
    low, high = axis.get_data_interval()
    if high < 10 * low:
        locator = MaxNLocator(min(numticks, 6), steps=[1, 2, 5, 10])
    else:
        locator = LogLocator(subs=(1, 2, 5) if numticks > 4 else (1,), numticks=numticks)
    axis.set_major_locator(locator)
    axis.set_major_formatter(lambda value, _: write(value))
    axis.set_minor_formatter(NullFormatter())


def raise_far(values):
    """Values, those far below the others raised to an edge just below these.

    Examples
    --------
    >>> raise_far(np.array([5.0, 6.0, 7.0, 8.0, -100.0])).round(2).tolist()
    [5.0, 6.0, 7.0, 8.0, 4.55]
    """
    low, high = np.percentile(values, [25, 75])
    near = values[values >= low - 3 * (high - low)]
    if high == low:
        return values
    return np.maximum(values, near.min() - 0.15 * np.ptp(near))


def draw_families(ax, x, y, classes=None, narrow=False):
    """Mark each method, the index of `x`, in the look of its family, with a legend above."""
    kinds = [style.FAMILIES[style.family(name, classes)]["label"] for name in x.index]
    looks = {look["label"]: look for look in style.FAMILIES.values() if look["label"] in kinds}
    sns.scatterplot(
        x=x.to_numpy(), y=y, hue=kinds, style=kinds, hue_order=looks, style_order=looks, s=48,
        palette={kind: look["colour"] for kind, look in looks.items()},
        markers={kind: look["marker"] for kind, look in looks.items()}, zorder=4, ax=ax,
    )  # fmt: skip
    move_legend(
        ax.figure,
        ax,
        "outside upper left" if narrow else "outside upper right",
        ncols=2 if narrow else 4,
    )


def new_figure(width, height):
    """A figure in the theme, in inches, that no window of pyplot keeps."""
    return Figure(figsize=(width, height))


def method_looks(methods, shown=None):
    """Colours and markers for seaborn, of those methods of a run that are `shown`.

    A method has the same look in all figures; colours too light for a line are left out.
    """
    methods = sorted(set(methods))
    shown = methods if shown is None else sorted(set(shown))
    colours = itertools.cycle(c for c in palette.PALETTE if palette.edge(c) == "#ffffff")
    return {
        "hue": "method", "style": "method", "hue_order": shown, "style_order": shown,
        "palette": dict(zip(methods, colours, strict=False)),
        "markers": dict(zip(methods, palette.class_markers(len(methods)), strict=True)),
    }  # fmt: skip


def wrap_name(name, width):
    r"""A name in lines, broken after underscores.

    Examples
    --------
    >>> wrap_name("a_rather_long_name", 10)
    'a_rather_\nlong_name'
    """
    return textwrap.fill(palette.plain(name).replace("_", "_ "), width).replace("_ ", "_")
