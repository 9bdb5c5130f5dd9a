"""Disks with decision regions, and the bytes of any figure.

No function touches global state; `to_bytes` writes the same bytes for the same input.
"""

import io

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.collections import Collection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle

from noneuclid.errors import InputError
from noneuclid.experiment import wording
from noneuclid.reporting import style
from noneuclid.reporting.figures import region_rasters

FORMATS = ("png", "svg", "pdf")
MANY = 300  # markers of one series

_FIXED = {
    "png": {"metadata": {"Software": None}, "dpi": 160},
    "svg": {"metadata": {"Date": None, "Creator": None}, "dpi": 160},
    "pdf": {"metadata": {"CreationDate": None, "Creator": None, "Producer": None}, "dpi": 200},
}


def to_bytes(figure, format):
    """Write a figure as "png", "svg" or "pdf"; no date, so equal figures give equal bytes.

    A series of more than `MANY` markers, and every surface in three dimensions, is an image inside
    the SVG and the PDF; lines and texts stay lines and texts.

    Raises
    ------
    InputError
        If the format is another one.
    """
    if format not in FORMATS:
        raise InputError(f"no figure format is called {format!r}: choose one of {FORMATS}")
    for artist in figure.findobj(_is_heavy):
        artist.set_rasterized(True)
    buffer = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "noneuclid", "pdf.fonttype": 42}):
        figure.savefig(buffer, format=format, bbox_inches="tight", **_FIXED[format])
    return buffer.getvalue()


def _is_heavy(artist):
    """Whether an artist would be thousands of paths in an SVG."""
    if isinstance(artist, Collection):
        return len(artist.get_offsets()) > MANY or getattr(artist.axes, "name", "") == "3d"
    marked = isinstance(artist, Line2D) and artist.get_marker() not in ("", " ", "None", None)
    return marked and len(artist.get_xdata()) > MANY


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
    _draw_panel(axes[0], disk, None, "the data\n" + wording.count(len(disk.labels), "point"))
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


def disk_data(disk):
    """Table of what `draw_disk` shows of each row: place, class, prediction when left out.

    Returns
    -------
    DataFrame
        Columns `row`, `x`, `y`, `class`, and for each method `left_out_NAME`, the class that it
        predicted when the row was left out; empty where it never was.
    """
    names = np.array([str(name) for name in disk.class_names], dtype=object)
    x, y = disk.points.T
    return pd.DataFrame(
        {"row": np.arange(len(x)), "x": x, "y": y, "class": names[disk.labels]}
        | {
            f"left_out_{method}": np.where(guess >= 0, names[guess], "")
            for method, guess in zip(disk.methods, disk.held_out, strict=True)
        }
    )


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
        region_rasters.check(raster, len(disk.class_names))


def _draw_panel(ax, disk, k, title):
    """Panel of method number `k`, or of the data alone if None."""
    n_classes = len(disk.class_names)
    colours = style.class_colours(n_classes, disk.edges is not None)
    if k is not None and disk.regions is not None:
        tints = [to_rgb(style.tint(c)) for c in colours]
        image = region_rasters.paint(disk.regions[k], tints)
        shown = ax.imshow(image, extent=(-1, 1, -1, 1), origin="lower", interpolation="antialiased")
        shown.set_clip_path(Circle((0, 0), 1, transform=ax.transData))
    ax.add_patch(Circle((0, 0), 1, facecolor="none", edgecolor=style.MUTED, lw=0.8, zorder=4))
    area = float(np.clip(4500 / len(disk.points), 5, 18))
    for code, marker in enumerate(style.class_markers(n_classes)):
        ax.scatter(
            *disk.points[disk.labels == code].T, s=area * np.abs(marker).max() ** 2, marker=marker,
            color=colours[code], edgecolors=style.edge(colours[code]), linewidths=0.25, zorder=2,
        )  # fmt: skip
    if k is not None:
        wrong = (disk.held_out[k] >= 0) & (disk.held_out[k] != disk.labels)
        # Hundreds of rings would blacken the points that they mark.
        crowd = float(np.clip(150 / max(wrong.sum(), 1), 0.25, 1.0))
        ax.scatter(
            *disk.points[wrong].T, s=(2.2 * area + 4) * crowd**0.7, marker="o", facecolors="none",
            edgecolors=style.INK, linewidths=0.5 * crowd**0.5, alpha=crowd**0.4, zorder=3,
        )  # fmt: skip
    ax.set(xlim=(-1.02, 1.02), ylim=(-1.02, 1.02), aspect="equal")
    ax.set_title(title, fontsize=9, color=style.INK)


def _class_handles(names, ordered):
    n = len(names)
    looks = zip(style.class_colours(n, ordered), style.class_markers(n), strict=True)
    handles = [
        Line2D([], [], ls="", marker=marker, color=colour, mec=style.edge(colour), mew=0.4, ms=7,
               label=wording.plain(_short(str(name), 40)))
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
