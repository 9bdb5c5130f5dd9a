"""Figures of the league: ranks with their critical difference, and score against time.

Every function returns a `matplotlib.figure.Figure` and touches no global state.
"""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from noneuclid.errors import InputError
from noneuclid.evaluation import ranks as comparisons
from noneuclid.experiment import wording
from noneuclid.reporting import style
from noneuclid.reporting.figures import point_labels
from noneuclid.reporting.tables import score_tables


def draw_league(scores, metric="balanced_accuracy", classes=None):
    """Critical-difference diagram: average rank of each method, best at the top.

    Ticks: its rank on each (data set, embedding) pair. Whiskers: 95 % bootstrap over the pairs.
    Bars at the right join methods that Nemenyi's test at 5 % cannot tell apart; the band holds
    those that it cannot tell from the first.

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
    rank = _ranks(scores, metric)
    average = rank.mean(axis=1).to_numpy()
    figure = Figure(figsize=(8, 1.6 + 0.3 * len(rank)), layout="constrained")
    ax = figure.subplots()
    at = np.arange(len(rank))
    low, high = score_tables.rank_intervals(rank).T
    for place, row in enumerate(rank.to_numpy()):
        ax.plot(row, np.full(len(row), place), "|", ms=8, mew=0.9, color="#8b95a0", zorder=2)
    ax.hlines(at, low, high, color=style.INK, lw=1.4, zorder=3)
    _mark_families(ax, average, at, rank.index, classes)
    ax.set_yticks(at, rank.index)
    ax.set_ylim(len(rank) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    plain_axes(ax, grid="x")
    ax.spines["left"].set_visible(False)
    ax.set_xlim(0.5, len(rank) + 0.5)
    ax.set_xlabel(f"average rank by {style.metric_words(metric)} (1 is best)", fontsize=9.5)
    difference = score_tables.critical_difference(rank)
    if difference is not None:
        _draw_cliques(ax, average, difference)
    return figure


def _ranks(scores, metric):
    """Rank on each pair of the methods that are compared with another at all."""
    found = score_tables.matrix(score_tables.summarise(scores, metric), "rank")
    return found.dropna(how="all") if found.notna().any(axis=None) else found


def _draw_cliques(ax, average, difference):
    """A bar for each group of methods whose ranks lie within the critical difference."""
    ax.axvspan(average[0], average[0] + difference, color="#0072B2", alpha=0.1, lw=0)
    right = ax.get_xlim()[1]
    for k, group in enumerate(comparisons.cliques(average, difference)):
        # Not clipped: they stand beside the axes, as in Demšar's diagrams.
        ax.plot([right + (0.15 + 0.3 * k) * right / 14] * 2, [min(group) - 0.2, max(group) + 0.2],
                color=style.INK, lw=3, solid_capstyle="butt", clip_on=False)  # fmt: skip
    ax.set_title(f"critical difference {difference:.2f}", loc="left", fontsize=8.5)


def league_data(scores, metric="balanced_accuracy"):
    """What `draw_league` shows: average rank, its interval, and the rank on each pair."""
    rank = _ranks(scores, metric)
    low, high = score_tables.rank_intervals(rank).T
    table = rank.set_axis(["/".join(pair) for pair in rank.columns], axis=1)
    front = {"average_rank": rank.mean(axis=1), "low": low, "high": high}
    return pd.concat([pd.DataFrame(front, index=rank.index), table], axis=1)


def front(seconds, scores):
    """Which methods no other beats in both: none is as good and faster, or better and as fast.

    Parameters
    ----------
    seconds, scores : array-like of float, shape (n,)
        Smaller times and larger scores are better.

    Returns
    -------
    ndarray of bool, shape (n,)

    Examples
    --------
    >>> front([1.0, 2.0, 3.0], [0.5, 0.9, 0.8]).tolist()
    [True, True, False]
    """
    x, y = np.asarray(seconds, dtype=float), np.asarray(scores, dtype=float)
    no_worse = (x[:, None] <= x) & (y[:, None] >= y)
    better = (x[:, None] < x) | (y[:, None] > y)
    return ~(no_worse & better).any(axis=0)


def accuracy_time_data(scores, metric="balanced_accuracy", classes=None):
    """What `draw_accuracy_time` shows: score, time, and whether the method is on the front.

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
    best = full.index[front(full["fit_seconds"], sign * full["mean"])]
    return table[["mean", "fit_seconds"]].assign(front=table.index.isin(best))


def draw_accuracy_time(scores, metric="balanced_accuracy", classes=None):
    """Mean score over the pairs against the median time of one fit; a line joins the front.

    Methods far below the others (three interquartile ranges below the lower quartile) stand at the
    edge, with their score.

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
    table = accuracy_time_data(scores, metric, classes)
    scale = 100 if style.in_percent(metric) else 1
    sign = 1 if style.higher_is_better(metric) else -1
    shown = sign * _raised(sign * table["mean"].to_numpy())
    far = shown != table["mean"]
    table = table.assign(y=scale * shown)
    x, y = table["fit_seconds"].to_numpy(), table["y"].to_numpy()
    figure = Figure(figsize=(8, 5 + 0.1 * max(0, len(table) - 12)), layout="constrained")
    ax = figure.subplots()
    best = table[table["front"]].sort_values("fit_seconds")
    ax.step(best["fit_seconds"], best["y"], where="post", color=style.MUTED, lw=1.2, ls="--",
            zorder=1)  # fmt: skip
    ax.scatter(best["fit_seconds"], best["y"], s=110, facecolors="none", edgecolors=style.INK,
               linewidths=1, zorder=3)  # fmt: skip
    _mark_families(ax, x, y, table.index, classes)
    ax.set_xscale("log")
    ax.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=12))
    ax.xaxis.set_major_formatter(lambda value, _: wording.seconds(value))
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.margins(0.12)
    plain_axes(ax)
    ax.set_xlabel("time of one fit, median over data sets (logarithmic)", fontsize=9.5)
    ax.set_ylabel(f"{style.metric_label(metric)}, mean over data sets", fontsize=9.5)
    arrow = "↓" if sign > 0 else "↑"
    texts = table.index.where(
        ~far, [f"{name} {arrow} {style.score(v, metric)}" for name, v in table["mean"].items()]
    )
    point_labels.place(figure, ax, x, y, texts.tolist())
    return figure


def _raised(values):
    """Values, those far below the others raised to an edge just below these.

    Examples
    --------
    >>> _raised(np.array([5.0, 6.0, 7.0, 8.0, -100.0])).round(2).tolist()
    [5.0, 6.0, 7.0, 8.0, 4.55]
    """
    low, high = np.percentile(values, [25, 75])
    near = values[values >= low - 3 * (high - low)]
    if high == low:
        return values
    return np.maximum(values, near.min() - 0.15 * np.ptp(near))


def _mark_families(ax, x, y, names, classes):
    kinds = np.array([style.family(name, classes) for name in names])
    for kind, look in style.FAMILIES.items():
        here = kinds == kind
        if here.any():
            ax.scatter(x[here], y[here], color=look["colour"], marker=look["marker"], s=48,
                       label=kind, edgecolors="white", linewidths=0.6, zorder=4)  # fmt: skip
    ax.figure.legend(loc="outside upper right", ncols=4, frameon=False, fontsize=8.5)


def plain_axes(ax, grid="both"):
    """Axes without a frame at the top and the right, on a faint grid behind the data."""
    ax.grid(axis=grid, color=style.RULE, lw=0.6)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(labelsize=8.5)
