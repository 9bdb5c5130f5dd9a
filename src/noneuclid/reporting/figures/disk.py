"""Disks with the points of a data set and the decision regions of each method."""

import numpy as np
import pandas as pd

from noneuclid.errors import InputError
from noneuclid.experiment import wording
from noneuclid.plots import drawing, palette, rasters
from noneuclid.plots.disk_display import PoincareDiskDisplay
from noneuclid.reporting import style
from noneuclid.reporting.figures import theme
from noneuclid.reporting.names import Names


def draw_disk(disk, columns=4, names=None):
    """One panel per method: its decision regions, the points, those it got wrong ringed.

    The first panel shows the data alone. Titles give the share of held-out rows classified
    correctly; the best method comes first. At most `columns` panels are side by side.
    """
    check_disk(disk)
    columns = min(columns, len(disk.methods) + 1)
    rows = -(-(len(disk.methods) + 1) // columns)
    figure = theme.new_figure(2.7 * columns, 3.0 * rows + 0.7)
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for ax in axes[len(disk.methods) + 1 :]:
        ax.set_axis_off()
    _draw_panel(axes[0], disk, None, "the data\n" + wording.count(len(disk.labels), "point"))
    names = names or Names()
    word = "accuracy" if disk.edges is None else "correct quartile"
    shares = [accuracy(row, disk.labels) for row in disk.held_out]
    for ax, k in zip(axes[1:], np.argsort(-np.array(shares), kind="stable"), strict=False):
        share = style.score(shares[k], "accuracy")
        _draw_panel(ax, disk, k, f"{names.method(disk.methods[k])}\n{word} {share} %")
    dimension = "" if disk.dimension == 2 else f", {disk.dimension} dimensions, projected"
    figure.suptitle(
        f"{' · '.join(names.pair(disk.dataset, disk.embedding))}{dimension}",
        fontsize=13,
        color=palette.INK,
    )
    ring = drawing.ring_handle(
        "misclassified when left out" if disk.edges is None else "other quartile when left out"
    )
    figure.legend(
        handles=[*drawing.class_handles(disk.class_names, disk.edges is not None), ring],
        loc="outside lower center",
        ncols=_legend_columns(disk.class_names, columns),
    )
    return figure


def tabulate_disk(disk):
    """What `draw_disk` shows of each row: place, class, prediction when left out.

    Columns `row`, `x`, `y`, `class`, and for each method `left_out_NAME`; empty where the row
    never was left out.
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
    """Refuse a disk whose points leave the unit disk or whose parts do not fit together."""
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
    regions = wrong = None
    if k is not None:
        regions = None if disk.regions is None else disk.regions[k]
        wrong = (disk.held_out[k] >= 0) & (disk.held_out[k] != disk.labels)
    PoincareDiskDisplay(
        points=disk.points,
        labels=disk.labels,
        class_names=disk.class_names,
        regions=regions,
        wrong=wrong,
        ordered=disk.edges is not None,
    ).plot(ax, legend=False, title=title)


def _legend_columns(names, columns):
    longest = max([19, *(min(len(str(name)), 40) for name in names)])
    return int(np.clip(2.7 * columns / (0.4 + 0.075 * longest), 1, len(names) + 1))
