"""Disks with the points of a data set and the decision regions of each method."""

from dataclasses import replace

import numpy as np
import pandas as pd

from noneuclid.errors import InputError
from noneuclid.plots import drawing, palette, rasters
from noneuclid.plots.disk_display import PoincareDiskDisplay
from noneuclid_compare import wording
from noneuclid_compare.report import style
from noneuclid_compare.report.figures import theme
from noneuclid_compare.report.names import Names

MAX_POINTS, MAX_RINGS = 20_000, 300  # in a panel; beyond, a share of them is drawn


def draw_disk(disk, columns=4, names=None):
    """One panel per method: its decision regions, the points, those it got wrong ringed.

    The first panel shows the data alone. Titles give the share of held-out rows classified
    correctly; the best method comes first. At most `columns` panels are side by side. Beyond
    `MAX_POINTS` rows a panel shows a sample, and beyond `MAX_RINGS` rings each k-th of them.
    """
    check_disk(disk)
    shares = [accuracy(row, disk.labels) for row in disk.held_out]
    n, disk = len(disk.labels), drawn(disk)
    step = ring_step(disk)
    columns = min(columns, len(disk.methods) + 1)
    rows = -(-(len(disk.methods) + 1) // columns)
    across = _legend_columns(disk.class_names, columns)
    lines = -(-(len(disk.class_names) + 1) // across)
    figure = theme.new_figure(2.7 * columns, 3.0 * rows + 0.3 + 0.2 * max(lines, 2))
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for ax in axes[len(disk.methods) + 1 :]:
        ax.set_axis_off()
    count = wording.count(n, "point")
    count += f", {len(disk.labels):,} drawn" if len(disk.labels) < n else ""
    _draw_panel(axes[0], disk, None, f"the data\n{count}", step)
    names = names or Names()
    word = "accuracy" if disk.edges is None else "correct quartile"
    for ax, k in zip(axes[1:], np.argsort(-np.array(shares), kind="stable"), strict=False):
        share = style.score(shares[k], "accuracy")
        _draw_panel(ax, disk, k, f"{names.method(disk.methods[k])}\n{word} {share} %", step)
    dimension = "" if disk.dimension == 2 else f", {disk.dimension} dimensions, projected"
    figure.suptitle(
        f"{' · '.join(names.pair(disk.dataset, disk.embedding))}{dimension}{_scaled(disk)}",
        fontsize=13,
        color=palette.INK,
    )
    ring = drawing.ring_handle(
        ("misclassified when left out" if disk.edges is None else "other quartile when left out")
        + (f" (1 of {step})" if step > 1 else "")
    )
    figure.legend(
        handles=[*drawing.class_handles(disk.class_names, disk.edges is not None), ring],
        loc="outside lower center",
        ncols=across,
    )
    return figure


def _scaled(disk):
    """A line on the scale of the distances, if they have one."""
    if disk.scale == 1:
        return ""
    return f"\ndistances × {disk.scale:.2f}, crowded directions wider"


def tabulate_disk(disk):
    """What `draw_disk` shows of each row: place, class, prediction when left out.

    Of the rows that are drawn, and as they are drawn (`Disk.scale`). Columns `row`, `x`, `y`,
    `class`, and for each method `left_out_NAME`; empty where the row never was left out.
    """
    names = np.array([str(name) for name in disk.class_names], dtype=object)
    rows, disk = sample(disk.labels, MAX_POINTS), drawn(disk)
    x, y = disk.points.T
    return pd.DataFrame(
        {"row": rows, "x": x, "y": y, "class": names[disk.labels]}
        | {
            f"left_out_{method}": np.where(guess >= 0, names[guess], "")
            for method, guess in zip(disk.methods, disk.held_out, strict=True)
        }
    )


def sample(labels, most):
    """Rows to draw: all, or about `most` of them, evenly from each class and at least one.

    Examples
    --------
    >>> sample(np.array([0, 0, 0, 0, 1]), 3).tolist()
    [0, 2, 4]
    """
    if len(labels) <= most:
        return np.arange(len(labels))
    kept = []
    for code in np.unique(labels):
        rows = np.flatnonzero(labels == code)
        n = max(1, int(most * len(rows) / len(labels)))
        kept.append(rows[np.arange(n) * len(rows) // n])
    return np.sort(np.concatenate(kept))


def drawn(disk):
    """A disk of the rows that a panel shows."""
    kept = sample(disk.labels, MAX_POINTS)
    if len(kept) == len(disk.labels):
        return disk
    return replace(
        disk, points=disk.points[kept], labels=disk.labels[kept], held_out=disk.held_out[:, kept]
    )


def wrong_rows(disk, k, step=1):
    """Mask of the rows that method number `k` misclassified when left out: each `step`-th."""
    wrong = (disk.held_out[k] >= 0) & (disk.held_out[k] != disk.labels)
    found = np.zeros(len(wrong), dtype=bool)
    found[np.flatnonzero(wrong)[::step]] = True
    return found


def ring_step(disk, methods=None):
    """One in how many wrong rows has a ring: as many in each panel, so that panels compare.

    `methods` are positions; None is all.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> held_out = np.array([np.ones(1500), np.zeros(1500)])
    >>> disk = SimpleNamespace(held_out=held_out, labels=np.zeros(1500))
    >>> ring_step(disk), ring_step(disk, [1])
    (5, 1)
    """
    methods = range(len(disk.held_out)) if methods is None else methods
    most = max((np.count_nonzero(wrong_rows(disk, k)) for k in methods), default=0)
    return max(1, -(-int(most) // MAX_RINGS))


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


def _draw_panel(ax, disk, k, title, step):
    """Panel of method number `k`, or of the data alone if None."""
    regions = wrong = None
    if k is not None:
        regions = None if disk.regions is None else disk.regions[k]
        wrong = wrong_rows(disk, k, step)
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
