"""The theme of all figures, and what several of them draw.

The import sets the theme: matplotlib reads it when a figure is made.
"""

import itertools
import textwrap

import numpy as np
import seaborn as sns
from matplotlib.lines import Line2D
from matplotlib.patches import Circle
from matplotlib.ticker import LogLocator, NullFormatter

from noneuclid.experiment import wording
from noneuclid.reporting import style

sns.set_theme(
    context=None,
    style=None,
    palette=style.PALETTE,
    font="DejaVu Sans",  # part of matplotlib: the same bytes on every machine
    rc={
        "axes.axisbelow": True, "axes.grid": True, "axes.labelsize": 9.5,
        "axes.spines.right": False, "axes.spines.top": False,
        "axes.titlecolor": style.INK, "axes.titlesize": 9.5, "figure.constrained_layout.use": True,
        "grid.color": style.RULE, "grid.linewidth": 0.6,
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


def use_log_scale(ax, side, write="{:g}".format, numticks=9):
    """Logarithmic scale of side "x" or "y" with ticks at 1, 2 and 5, written by `write`."""
    ax.set(**{f"{side}scale": "log"})
    axis = {"x": ax.xaxis, "y": ax.yaxis}[side]
    axis.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=numticks))
    axis.set_major_formatter(lambda value, _: write(value))
    axis.set_minor_formatter(NullFormatter())


def draw_families(ax, x, y, classes=None):
    """Mark each method, the index of `x`, in the look of its family, with a legend above."""
    kinds = [style.family(name, classes) for name in x.index]
    looks = {kind: look for kind, look in style.FAMILIES.items() if kind in kinds}
    sns.scatterplot(
        x=x.to_numpy(), y=y, hue=kinds, style=kinds, hue_order=looks, style_order=looks, s=48,
        palette={kind: look["colour"] for kind, look in looks.items()},
        markers={kind: look["marker"] for kind, look in looks.items()}, zorder=4, ax=ax,
    )  # fmt: skip
    move_legend(ax.figure, ax, "outside upper right", ncols=4)


def prepare_disk(ax, title=""):
    """The rim of the unit disk, without axes."""
    ax.set_axis_off()
    ax.add_patch(Circle((0, 0), 1, facecolor="none", edgecolor=style.MUTED, lw=0.9, zorder=4))
    ax.set(xlim=(-1.02, 1.02), ylim=(-1.02, 1.02), aspect="equal", title=title)


def draw_classes(ax, points, codes, n_classes, area, ordered=False):
    """Mark the points of each class in its colour and shape, all of about the same area."""
    colours = style.class_colours(n_classes, ordered)
    looks = zip(colours, style.class_markers(n_classes), strict=True)
    for code, (colour, marker) in enumerate(looks):
        ax.scatter(
            *points[codes == code].T, s=area * np.abs(marker).max() ** 2, marker=marker,
            color=colour, edgecolors=style.edge(colour), linewidths=0.3, zorder=2,
        )  # fmt: skip


def class_handles(names, ordered=False):
    """Entries of a legend of classes."""
    looks = zip(
        names, style.class_colours(len(names), ordered), style.class_markers(len(names)),
        strict=True,
    )  # fmt: skip
    return [
        Line2D([], [], ls="", marker=marker, color=colour, mec=style.edge(colour), mew=0.4, ms=7,
               label=wording.plain(_short(str(name), 40)))
        for name, colour, marker in looks
    ]  # fmt: skip


def _short(text, length):
    return text if len(text) <= length else f"{text[: length - 1]}…"


def method_looks(methods, shown=None):
    """Colours and markers for seaborn, of those methods of a run that are `shown`.

    A method has the same look in all figures; colours too light for a line are left out.
    """
    methods = sorted(set(methods))
    shown = methods if shown is None else sorted(set(shown))
    colours = itertools.cycle(c for c in style.PALETTE if style.edge(c) == "#ffffff")
    return {
        "hue": "method", "style": "method", "hue_order": shown, "style_order": shown,
        "palette": dict(zip(methods, colours, strict=False)),
        "markers": dict(zip(methods, style.class_markers(len(methods)), strict=True)),
    }  # fmt: skip


def wrap_name(name, width):
    r"""A name in lines, broken after underscores.

    Examples
    --------
    >>> wrap_name("a_rather_long_name", 10)
    'a_rather_\nlong_name'
    """
    return textwrap.fill(wording.plain(name).replace("_", "_ "), width).replace("_ ", "_")
