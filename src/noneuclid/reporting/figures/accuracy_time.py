"""Score of each method against the time of one fit."""

import numpy as np
import seaborn as sns
from matplotlib.figure import Figure

from noneuclid.errors import InputError
from noneuclid.experiment import wording
from noneuclid.plots import palette
from noneuclid.reporting import style
from noneuclid.reporting.figures import point_labels, theme
from noneuclid.reporting.figures.page_figures import PageFigure
from noneuclid.reporting.tables import score_tables

CAPTION = (
    "Mean of the metric over the data sets against the time of one fit, "
    "without the search for its settings (mean over folds, then median over data sets). Circled "
    "and joined: the Pareto front, methods that no other method beats in both. Floors are left "
    "out, methods that were run on part of the data are never on the front, and methods far below "
    "the others are drawn at the edge, with their value."
)


def draw_accuracy_time(scores, metric="balanced_accuracy", classes=None):
    """Mean score over the pairs against the median time of one fit; a line joins the front.

    Methods far below the others (three interquartile ranges below the lower quartile) are at the
    edge, with their score.
    """
    table = tabulate_accuracy_time(scores, metric, classes)
    scale = 100 if style.in_percent(metric) else 1
    sign = 1 if style.higher_is_better(metric) else -1
    shown = sign * _raise_far(sign * table["mean"].to_numpy())
    far = shown != table["mean"]
    table = table.assign(y=scale * shown)
    figure = Figure(figsize=(8, 5 + 0.1 * max(0, len(table) - 12)))
    ax = figure.subplots()
    axes = {"x": "fit_seconds", "y": "y", "ax": ax}
    best = table[table["front"]]
    sns.lineplot(best, **axes, estimator=None, drawstyle="steps-post", color=palette.MUTED, lw=1.2,
                 ls="--", zorder=1)  # fmt: skip
    sns.scatterplot(best, **axes, s=110, facecolor="none", edgecolor=palette.INK, linewidth=1,
                    zorder=3)  # fmt: skip
    theme.draw_families(ax, table["fit_seconds"], table["y"].to_numpy(), classes)
    theme.use_log_scale(ax, "x", wording.seconds, 12)
    ax.margins(0.12)
    ax.set_xlabel("time of one fit, median over data sets (logarithmic)")
    ax.set_ylabel(f"{style.metric_label(metric)}, mean over data sets")
    arrow = "↓" if sign > 0 else "↑"
    texts = table.index.where(
        ~far, [f"{name} {arrow} {style.score(v, metric)}" for name, v in table["mean"].items()]
    )
    point_labels.place_labels(figure, ax, table["fit_seconds"], table["y"], texts.tolist())
    return figure


def _raise_far(values):
    """Values, those far below the others raised to an edge just below these.

    Examples
    --------
    >>> _raise_far(np.array([5.0, 6.0, 7.0, 8.0, -100.0])).round(2).tolist()
    [5.0, 6.0, 7.0, 8.0, 4.55]
    """
    low, high = np.percentile(values, [25, 75])
    near = values[values >= low - 3 * (high - low)]
    if high == low:
        return values
    return np.maximum(values, near.min() - 0.15 * np.ptp(near))


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


FIGURE = PageFigure(draw_accuracy_time, CAPTION, tabulate_accuracy_time)
