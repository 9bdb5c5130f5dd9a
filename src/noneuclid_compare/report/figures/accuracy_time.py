"""Score of each method against the time of one fit, with labels that cover nothing."""

import itertools

import numpy as np
import seaborn as sns
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from noneuclid.errors import InputError
from noneuclid.plots import palette
from noneuclid_compare import wording
from noneuclid_compare.report import style
from noneuclid_compare.report.figures import theme
from noneuclid_compare.report.figures.page_figures import PageFigure
from noneuclid_compare.report.names import Names
from noneuclid_compare.report.tables import score_tables

# Directions to try, the ones easiest to read first; distances from the marker in points.
_DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))
_DISTANCES = (8, 18, 30, 44)
CAPTION = (
    "Mean score over data sets against the time of one fit without the search for settings (mean "
    "over folds, then median over data sets). Circles and dashed line: Pareto front, the methods "
    "for which no other method is both faster and better. Trivial baselines are excluded. Methods "
    "run on part of the data are never on the front. Methods far below the others are drawn at the "
    "edge, with their score."
)


def draw_accuracy_time(
    scores, metric="balanced_accuracy", classes=None, names=None, narrow=False
):  # fmt: skip
    """Mean score over the pairs against the median time of one fit; a line joins the front.

    Methods far below the others (three interquartile ranges below the lower quartile) are at the
    edge, with their score. `narrow` numbers the methods and lists their names below.
    """
    table = tabulate_accuracy_time(scores, metric, classes)
    scale = 100 if style.in_percent(metric) else 1
    sign = 1 if style.higher_is_better(metric) else -1
    shown = sign * theme.raise_far(sign * table["mean"].to_numpy())
    far = shown != table["mean"]
    table = table.assign(y=scale * shown)
    wide = (8, 5 + 0.1 * max(0, len(table) - 12))
    figure = Figure(figsize=(3.9, 4.4 + 0.19 * len(table)) if narrow else wide)
    ax = figure.subplots()
    axes = {"x": "fit_seconds", "y": "y", "ax": ax}
    best = table[table["front"]]
    sns.lineplot(best, **axes, estimator=None, drawstyle="steps-post", color=palette.MUTED, lw=1.2,
                 ls="--", zorder=1)  # fmt: skip
    sns.scatterplot(best, **axes, s=110, facecolor="none", edgecolor=palette.INK, linewidth=1,
                    zorder=3)  # fmt: skip
    theme.draw_families(ax, table["fit_seconds"], table["y"].to_numpy(), classes, narrow)
    theme.use_log_scale(ax, "x", wording.seconds, 4 if narrow else 12)
    ax.margins(0.12)
    median = ", median over data sets" if scores["dataset"].nunique() > 1 else ""
    ax.set_xlabel(f"time of one fit{median} (logarithmic)")
    over = ", mean over data sets" if scores["dataset"].nunique() > 1 else ""
    ax.set_ylabel(style.metric_label(metric) + over)
    arrow = "↓" if sign > 0 else "↑"
    edge = np.where(far, [f" {arrow} {style.score(v, metric)}" for v in table["mean"]], "")
    texts = list(map((names or Names()).method, table.index))
    if narrow:
        numbers = [str(k) for k in range(1, len(table) + 1)]
        keys = [
            Line2D([], [], ls="", label=f"{k}  {text}")
            for k, text in zip(numbers, texts, strict=True)
        ]
        figure.legend(handles=keys, loc="outside lower left", handlelength=0, handletextpad=0)
        texts = numbers
    texts = [text + more for text, more in zip(texts, edge, strict=True)]
    place_labels(figure, ax, table["fit_seconds"], table["y"], texts)
    return figure


def tabulate_accuracy_time(scores, metric="balanced_accuracy", classes=None):
    """Score, time, and whether the method is on the front.

    Floors are left out; a method that was run on some pairs only is never on the front.
    """
    league = score_tables.league(scores, metric)
    table = league.dropna(subset=["fit_seconds", "mean"])
    if table.empty:
        raise InputError("no method has both a score and fit_seconds: there is nothing to draw")
    real = [style.family(name, classes) != "floor" for name in table.index]
    table = table[real if any(real) else slice(None)]
    full = table[table["pairs"] == table["pairs"].max()]
    sign = 1 if style.higher_is_better(metric) else -1
    best = full.index[find_front(full["fit_seconds"], sign * full["mean"])]
    return table[["mean", "fit_seconds"]].assign(front=table.index.isin(best))


def find_front(seconds, scores):
    """Which methods no other beats in both: none is as good and faster, or better and as fast."""
    x, y = np.asarray(seconds, dtype=float), np.asarray(scores, dtype=float)
    no_worse = (x[:, None] <= x) & (y[:, None] >= y)
    better = (x[:, None] < x) | (y[:, None] > y)
    return ~(no_worse & better).any(axis=0)


def place_labels(figure, ax, x, y, texts, size=8.5):
    """Label the markers at (x, y) at the first free place each; a thin line joins distant labels.

    Limits and scales of `ax` must be final; the figure may still be laid out.
    """
    x, y = np.asarray(x), np.asarray(y)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    unit = figure.dpi / 72
    centres = ax.transData.transform(np.column_stack([x, y]))
    taken = [_box(*c, 9 * unit, 9 * unit) for c in centres]
    frame = ax.get_window_extent(renderer).extents
    for i in np.lexsort((centres[:, 0], -centres[:, 1])):
        probe = ax.text(0, 0, texts[i], fontsize=size)
        extent = probe.get_window_extent(renderer)
        probe.remove()
        offset, box = _free(centres[i], extent.width, extent.height, unit, taken, frame)
        half = np.array([extent.width, extent.height]) / (2 * unit)
        taken.append(box)
        ax.annotate(
            texts[i], (x[i], y[i]), offset, textcoords="offset points", ha="center", va="center",
            fontsize=size, color=palette.INK,
            # An outline of the letters would treble the file.
            bbox={"boxstyle": "square,pad=0.05", "fc": "white", "alpha": 0.75, "lw": 0},
            arrowprops={"arrowstyle": "-", "color": palette.MUTED, "lw": 0.5, "shrinkA": 0}
            if (np.abs(offset) - half).max() > _DISTANCES[1] - 1 else None,
        )  # fmt: skip


def _free(centre, width, height, unit, taken, frame):
    """Offset in points and box of the first place that is free, or of the least covered one."""
    choices = []
    for distance, (dx, dy) in itertools.product(_DISTANCES, _DIRECTIONS):
        shift = np.array([dx * (distance * unit + width / 2), dy * (distance * unit + height / 2)])
        if dx and dy:
            shift *= (1.0, 0.75)
        box = _box(*(centre + shift), width + 2 * unit, height + unit)
        cost = sum(_overlap(box, other) for other in taken)
        cost += (box[2] - box[0]) * (box[3] - box[1]) - _overlap(box, frame)
        choices.append((cost, shift / unit, box))
        if cost < 1e-9:
            break
    _, offset, box = min(choices, key=lambda choice: choice[0])
    return tuple(offset), box


def _box(x, y, width, height):
    return np.array([x - width / 2, y - height / 2, x + width / 2, y + height / 2])


def _overlap(a, b):
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    return max(width, 0.0) * max(height, 0.0)


FIGURE = PageFigure(draw_accuracy_time, CAPTION, tabulate_accuracy_time)
