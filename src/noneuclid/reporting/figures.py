"""Static figures: disks with decision regions, the league, accuracy against time.

Every function returns a `matplotlib.figure.Figure` and touches no global state;
`to_bytes` writes it, the same bytes for the same input.
"""

import io

import matplotlib
import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle
from matplotlib.ticker import LogLocator, NullFormatter

from noneuclid.contracts import InputError
from noneuclid.reporting import labels, rasters, style, tables

FORMATS = ("png", "svg", "pdf")

_FIXED = {
    "png": {"metadata": {"Software": None}, "dpi": 160},
    "svg": {"metadata": {"Date": None, "Creator": None}, "dpi": 160},
    "pdf": {"metadata": {"CreationDate": None, "Creator": None, "Producer": None}, "dpi": 200},
}


def to_bytes(figure, format):
    """Write a figure as "png", "svg" or "pdf"; no date, so equal figures give equal bytes.

    Raises
    ------
    InputError
        If the format is another one.
    """
    if format not in FORMATS:
        raise InputError(f"no figure format is called {format!r}: choose one of {FORMATS}")
    buffer = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "noneuclid", "pdf.fonttype": 42}):
        figure.savefig(buffer, format=format, bbox_inches="tight", **_FIXED[format])
    return buffer.getvalue()


def draw_disk(disk, columns=4):
    """One panel per method: its decision regions, the points, those it got wrong ringed.

    Titles give the share of left-out rows that were right; the best method comes first.

    Parameters
    ----------
    disk : Disk
    columns : int
        Most panels side by side; the first panel shows the data alone.

    Returns
    -------
    Figure

    Raises
    ------
    InputError
        If points leave the unit disk or the parts of `disk` do not fit together.
    """
    check_disk(disk)
    columns = min(columns, len(disk.methods) + 1)
    rows = -(-(len(disk.methods) + 1) // columns)
    figure = Figure(figsize=(2.7 * columns, 3.0 * rows + 0.7), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for ax in axes:
        ax.set_axis_off()
    _draw_panel(axes[0], disk, None, "the data\n" + style.count(len(disk.labels), "point"))
    word = "accuracy" if disk.edges is None else "right interval"
    shares = [accuracy(row, disk.labels) for row in disk.held_out]
    for ax, k in zip(axes[1:], np.argsort(-np.array(shares), kind="stable"), strict=False):
        share = style.score(shares[k], "accuracy")
        _draw_panel(ax, disk, k, f"{disk.methods[k]}\n{word} {share} %")
    dimension = "" if disk.dimension == 2 else f", {disk.dimension} dimensions, projected"
    figure.suptitle(f"{disk.dataset} · {disk.embedding}{dimension}", fontsize=13, color=style.INK)
    figure.legend(
        handles=_class_handles(disk.class_names, disk.edges is not None),
        loc="outside lower center",
        ncols=_legend_columns(disk.class_names, columns),
        frameon=False,
        fontsize=8.5,
    )
    return figure


def accuracy(predicted, truth):
    """Share of right predictions among rows that were left out; NaN if none was.

    Examples
    --------
    >>> float(accuracy(np.array([0, 1, -1, 1]), np.array([0, 1, 1, 0]))) == 2 / 3
    True
    """
    used = predicted >= 0
    return (predicted[used] == truth[used]).mean() if used.any() else np.nan


def check_disk(disk):
    """Refuse a disk whose points leave the unit disk or whose parts do not fit together.

    Raises
    ------
    InputError
    """
    where = f"disk of {disk.dataset}, {disk.embedding}"
    n, n_methods = len(disk.labels), len(disk.methods)
    if disk.points.shape != (n, 2):
        raise InputError(f"{where}: points of shape {disk.points.shape} for {n} labels")
    if disk.held_out.shape != (n_methods, n):
        raise InputError(
            f"{where}: held_out of shape {disk.held_out.shape} for {n_methods} methods, {n} rows"
        )
    bad = np.flatnonzero(~(np.hypot(*disk.points.T) < 1))
    if bad.size:
        value = disk.points[bad[0]].tolist()
        raise InputError(f"{where}: row {bad[0]} is {value}: convert to the unit Poincaré disk")
    for raster in () if disk.regions is None else disk.regions:
        rasters.check(raster, len(disk.class_names))


def _draw_panel(ax, disk, k, title):
    """Panel of method number `k`, or of the data alone if None."""
    n_classes = len(disk.class_names)
    colours = style.class_colours(n_classes, disk.edges is not None)
    if k is not None and disk.regions is not None:
        tints = [to_rgb(style.tint(c)) for c in colours]
        image = rasters.paint(disk.regions[k], tints)
        shown = ax.imshow(image, extent=(-1, 1, -1, 1), origin="lower", interpolation="antialiased")
        shown.set_clip_path(Circle((0, 0), 1, transform=ax.transData))
    ax.add_patch(Circle((0, 0), 1, facecolor="none", edgecolor=style.MUTED, lw=0.8, zorder=4))
    area = float(np.clip(4500 / len(disk.points), 5, 18))
    flat = len(disk.points) > 2000
    for code, marker in enumerate(style.class_markers(n_classes)):
        ax.scatter(
            *disk.points[disk.labels == code].T, s=area * np.abs(marker).max() ** 2, marker=marker,
            color=colours[code], edgecolors=style.edge(colours[code]), linewidths=0.25, zorder=2,
            rasterized=flat,
        )  # fmt: skip
    if k is not None:
        wrong = (disk.held_out[k] >= 0) & (disk.held_out[k] != disk.labels)
        # Hundreds of rings would blacken the points that they mark.
        crowd = float(np.clip(150 / max(wrong.sum(), 1), 0.25, 1.0))
        ax.scatter(
            *disk.points[wrong].T, s=(2.2 * area + 4) * crowd**0.7, marker="o", facecolors="none",
            edgecolors=style.INK, linewidths=0.5 * crowd**0.5, alpha=crowd**0.4, zorder=3,
            rasterized=flat,
        )  # fmt: skip
    ax.set(xlim=(-1.02, 1.02), ylim=(-1.02, 1.02), aspect="equal")
    ax.set_title(title, fontsize=9, color=style.INK)


def _class_handles(names, ordered):
    n = len(names)
    looks = zip(style.class_colours(n, ordered), style.class_markers(n), strict=True)
    handles = [
        Line2D([], [], ls="", marker=marker, color=colour, mec=style.edge(colour), mew=0.4, ms=7,
               label=_short(str(name), 40))
        for name, (colour, marker) in zip(names, looks, strict=True)
    ]  # fmt: skip
    ring = Line2D([], [], ls="", marker="o", mfc="none", mec=style.INK, ms=7, mew=0.8,
                  label="wrong when left out")  # fmt: skip
    return [*handles, ring]


def _short(text, length):
    return text if len(text) <= length else f"{text[: length - 1]}…"


def _legend_columns(names, columns):
    longest = max([19, *(min(len(str(name)), 40) for name in names)])
    return int(np.clip(2.7 * columns / (0.4 + 0.075 * longest), 1, len(names) + 1))


def draw_league(scores, metric="balanced_accuracy", classes=None):
    """Average rank of each method, best at the top.

    Ticks: its rank on each (data set, embedding) pair. Whiskers: 95 % bootstrap over the pairs.
    Band: average ranks that Nemenyi's test at 5 % cannot tell from the best.

    Parameters
    ----------
    scores : DataFrame
        The long table of `evaluate`.
    metric : str
    classes : dict of str to str, optional
        Dotted class of each method, for its family.

    Returns
    -------
    Figure
    """
    rank = tables.matrix(tables.summarise(scores, metric), "rank")
    average = rank.mean(axis=1).to_numpy()
    figure = Figure(figsize=(8, 1.4 + 0.3 * len(rank)), layout="constrained")
    ax = figure.subplots()
    difference = tables.critical_difference(rank)
    if difference is not None:
        ax.axvspan(average[0], average[0] + difference, color="#0072B2", alpha=0.1, lw=0)
    at = np.arange(len(rank))
    low, high = tables.rank_intervals(rank).T
    for place, row in enumerate(rank.to_numpy()):
        ax.plot(row, np.full(len(row), place), "|", ms=8, mew=0.9, color="#8b95a0", zorder=2)
    ax.hlines(at, low, high, color=style.INK, lw=1.4, zorder=3)
    _mark_families(ax, average, at, rank.index, classes)
    ax.set_yticks(at, rank.index)
    ax.invert_yaxis()
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x", color=style.RULE, lw=0.6)
    _plain_axes(ax)
    ax.spines["left"].set_visible(False)
    ax.set_xlim(0.5, len(rank) + 0.5)
    ax.set_xlabel(f"average rank by {style.metric_words(metric)} (1 is best)", fontsize=9.5)
    return figure


def _mark_families(ax, x, y, names, classes):
    kinds = np.array([style.family(name, classes) for name in names])
    for kind, look in style.FAMILIES.items():
        here = kinds == kind
        if here.any():
            ax.scatter(x[here], y[here], color=look["colour"], marker=look["marker"], s=48,
                       label=kind, edgecolors="white", linewidths=0.6, zorder=4)  # fmt: skip
    ax.figure.legend(loc="outside upper right", ncols=4, frameon=False, fontsize=8.5)


def _plain_axes(ax):
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(labelsize=8.5)


def draw_accuracy_time(scores, metric="balanced_accuracy", classes=None):
    """Mean score over the pairs against the median time of one fit, one marker per method.

    Parameters
    ----------
    scores : DataFrame
        The long table of `evaluate`, with `fit_seconds`.
    metric : str
    classes : dict of str to str, optional
        Dotted class of each method, for its family.

    Returns
    -------
    Figure
    """
    table = tables.league(scores, metric).dropna(subset=["fit_seconds", "mean"])
    if table.empty:
        raise InputError("no method has both a score and fit_seconds: there is nothing to draw")
    scale = 100 if style.in_percent(metric) else 1
    x, y = table["fit_seconds"].to_numpy(), scale * table["mean"].to_numpy()
    figure = Figure(figsize=(8, 5), layout="constrained")
    ax = figure.subplots()
    _mark_families(ax, x, y, table.index, classes)
    ax.set_xscale("log")
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=12))
    ax.xaxis.set_major_formatter(lambda value, _: style.seconds(value))
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.margins(0.12)
    ax.grid(color=style.RULE, lw=0.6)
    _plain_axes(ax)
    ax.set_xlabel("time of one fit, median over data sets (logarithmic)", fontsize=9.5)
    ax.set_ylabel(f"{style.metric_label(metric)}, mean over data sets", fontsize=9.5)
    labels.place(figure, ax, x, y, list(table.index))
    return figure
