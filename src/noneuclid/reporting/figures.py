"""Static figures: disks with decision regions, the league, accuracy against time.

Every function returns a `matplotlib.figure.Figure` and touches no global state;
`to_bytes` writes it, the same bytes for the same input.
"""

import io

import matplotlib
import numpy as np
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle
from matplotlib.ticker import LogLocator, NullFormatter

from noneuclid.contracts import InputError
from noneuclid.reporting import labels, rasters, style, tables

FORMATS = ("png", "svg", "pdf")
RANKS = LinearSegmentedColormap.from_list("ranks", ["#2f7fb5", "#cfe3f0", "#ffffff"])

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


def draw_disk(disk, titles=None, columns=4):
    """One panel per method: its decision regions, the points, those it got wrong ringed.

    Parameters
    ----------
    disk : dict
        `dataset`, `embedding`, `class_names`, `points` (n, 2) in the unit Poincaré disk,
        `labels` (n,), `regions` {method: (G, G) codes} as in `rasters.fill`, `held_out`
        {method: (n,) predicted codes, -1 where a row was never left out}.
    titles : dict of method to str, optional
        Panel titles, drawn in this order; `tables.panel_titles` makes them. Methods without
        a title follow under their names.
    columns : int

    Returns
    -------
    Figure
    """
    check_disk(disk)
    titles = {m: t for m, t in (titles or {}).items() if m in disk["regions"]}
    titles |= {m: m for m in disk["regions"] if m not in titles}
    columns = min(columns, len(titles) + 1)
    rows = -(-(len(titles) + 1) // columns)
    figure = Figure(figsize=(2.7 * columns, 3.0 * rows + 0.7), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for ax in axes:
        ax.set_axis_off()
    _draw_panel(axes[0], disk, None, "the data\n" + style.count(len(disk["labels"]), "point"))
    for ax, (method, title) in zip(axes[1:], titles.items(), strict=False):
        _draw_panel(ax, disk, method, title)
    figure.suptitle(f"{disk['dataset']} · {disk['embedding']}", fontsize=13, color=style.INK)
    figure.legend(
        handles=_class_handles(disk["class_names"]),
        loc="outside lower center",
        ncols=_legend_columns(disk["class_names"], columns),
        frameon=False,
        fontsize=8.5,
    )
    return figure


def check_disk(disk):
    """Refuse a disk whose points leave the unit disk or whose parts do not fit together.

    Raises
    ------
    InputError
    """
    where = f"disk of {disk['dataset']}, {disk['embedding']}"
    points, n_classes = disk["points"], len(disk["class_names"])
    if points.ndim != 2 or points.shape[1] != 2 or len(points) != len(disk["labels"]):
        raise InputError(
            f"{where}: {len(disk['labels'])} labels and points of shape {points.shape}: "
            "expected (n, 2)"
        )
    bad = np.flatnonzero(~(np.hypot(*points.T) < 1))
    if bad.size:
        value = points[bad[0]].tolist()
        raise InputError(f"{where}: row {bad[0]} is {value}: convert to the unit Poincaré disk")
    for raster in disk["regions"].values():
        rasters.check(raster, n_classes)


def _draw_panel(ax, disk, method, title):
    names, points, truth = disk["class_names"], disk["points"], disk["labels"]
    colours = style.class_colours(len(names))
    rim = Circle((0, 0), 1, facecolor="none", edgecolor=style.MUTED, lw=0.8, zorder=4)
    ax.add_patch(rim)
    if method is not None:
        tints = [to_rgb(style.tint(c)) for c in colours]
        image = rasters.paint(disk["regions"][method], tints)
        shown = ax.imshow(image, extent=(-1, 1, -1, 1), origin="lower", interpolation="antialiased")
        shown.set_clip_path(Circle((0, 0), 1, transform=ax.transData))
    area = float(np.clip(4500 / len(points), 5, 18))
    flat = len(points) > 2000
    for code, marker in enumerate(style.class_markers(len(names))):
        ax.scatter(
            *points[truth == code].T, s=area, marker=marker, color=colours[code],
            edgecolors="white", linewidths=0.2, zorder=2, rasterized=flat,
        )  # fmt: skip
    predicted = disk["held_out"].get(method)
    if predicted is not None:
        wrong = (predicted >= 0) & (predicted != truth)
        ax.scatter(
            *points[wrong].T, s=2.2 * area + 4, marker="o", facecolors="none",
            edgecolors=style.INK, linewidths=0.5, zorder=3, rasterized=flat,
        )  # fmt: skip
    ax.set(xlim=(-1.02, 1.02), ylim=(-1.02, 1.02), aspect="equal")
    ax.set_title(title, fontsize=9, color=style.INK)


def _class_handles(names):
    looks = zip(style.class_colours(len(names)), style.class_markers(len(names)), strict=True)
    handles = [
        Line2D([], [], ls="", marker=marker, color=colour, mec="white", mew=0.3, ms=7,
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


def draw_league(scores, metric="balanced_accuracy"):
    """Left: mean score of each method on each pair, coloured by rank. Right: average ranks.

    The whiskers are a 95 % bootstrap over the pairs; the band holds the average ranks that
    Nemenyi's test at 5 % cannot tell from the best.

    Parameters
    ----------
    scores : DataFrame
        The long table of `evaluate`.
    metric : str

    Returns
    -------
    Figure
    """
    mean, rank = (tables.matrix(scores, metric, c) for c in ("mean", "rank"))
    n_methods, n_pairs = mean.shape
    widths = [0.62 * n_pairs + 0.4, 3.2]
    figure = Figure(figsize=(2.0 + sum(widths), 1.5 + 0.3 * n_methods), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True, width_ratios=widths)
    _rank_map(left, mean, rank, metric)
    _rank_dots(right, rank)
    return figure


def _rank_map(ax, mean, rank, metric):
    shade = np.ma.masked_invalid(rank.to_numpy())
    ax.imshow(shade, cmap=RANKS, vmin=1, vmax=max(2, len(rank)), aspect="auto")
    for (i, j), value in np.ndenumerate(mean.to_numpy()):
        best = rank.iloc[i, j] == rank.iloc[:, j].min()
        ax.text(j, i, style.score(value, metric), ha="center", va="center", fontsize=8,
                weight="bold" if best else "normal", color=style.INK)  # fmt: skip
    names = ["\n".join(_short(part, 26) for part in pair) for pair in mean.columns]
    ax.set_xticks(range(len(names)), names, rotation=40, ha="left", rotation_mode="anchor")
    ax.set_yticks(range(len(mean)), mean.index)
    ax.tick_params(length=0, labelsize=8.5, labeltop=True, labelbottom=False)
    ax.spines[:].set_visible(False)
    ax.set_xlabel(f"{style.metric_label(metric)}; darker: better rank", fontsize=9)


def _rank_dots(ax, rank):
    average = rank.mean(axis=1).to_numpy()
    ends = tables.rank_intervals(rank)
    difference = tables.critical_difference(rank)
    if difference is not None:
        ax.axvspan(average.min(), average.min() + difference, color="#0072B2", alpha=0.09, lw=0)
    at = np.arange(len(rank))
    ax.hlines(at, ends[:, 0], ends[:, 1], color=style.MUTED, lw=1.2, zorder=2)
    kinds = np.array([style.family(m) for m in rank.index])
    for kind, look in style.FAMILIES.items():
        here = kinds == kind
        ax.scatter(average[here], at[here], color=look["colour"], marker=look["marker"],
                   s=42, zorder=3, label=kind, edgecolors="white", linewidths=0.6)  # fmt: skip
    ax.grid(axis="x", color=style.RULE, lw=0.6)
    ax.set_axisbelow(True)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(axis="y", length=0, labelleft=False)
    ax.tick_params(axis="x", labelsize=8.5)
    ax.set_xlim(0.5, len(rank) + 0.5)
    ax.set_xlabel("average rank (1 is best), 95 % interval", fontsize=9)
    ax.legend(frameon=False, fontsize=8.5, loc="lower left", bbox_to_anchor=(0, 1))


def draw_accuracy_time(scores, metric="balanced_accuracy"):
    """Mean score over the pairs against the median time of one fit, one marker per method.

    Parameters
    ----------
    scores : DataFrame
        The long table of `evaluate`, with `fit_seconds`.
    metric : str

    Returns
    -------
    Figure
    """
    table = tables.league(scores, metric).dropna(subset=["fit_seconds", "mean"])
    if table.empty:
        raise InputError("no method has both a score and fit_seconds: there is nothing to draw")
    scale = 100 if style.metric_label(metric).endswith("(%)") else 1
    x, y = table["fit_seconds"].to_numpy(), scale * table["mean"].to_numpy()
    figure = Figure(figsize=(8, 5), layout="constrained")
    ax = figure.subplots()
    kinds = np.array([style.family(m) for m in table.index])
    for kind, look in style.FAMILIES.items():
        here = kinds == kind
        ax.scatter(x[here], y[here], color=look["colour"], marker=look["marker"], s=46,
                   label=kind, edgecolors="white", linewidths=0.6, zorder=3)  # fmt: skip
    ax.set_xscale("log")
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=12))
    ax.xaxis.set_major_formatter(lambda value, _: style.seconds(value))
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.margins(0.12)
    ax.grid(color=style.RULE, lw=0.6)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.set_xlabel("time of one fit, median over data sets (logarithmic)", fontsize=9.5)
    ax.set_ylabel(f"{style.metric_label(metric)}, mean over data sets", fontsize=9.5)
    ax.tick_params(labelsize=8.5)
    ax.legend(frameon=False, fontsize=8.5, loc="lower right")
    labels.place(figure, ax, x, y, list(table.index))
    return figure
