"""Ranks of the methods with their critical difference."""

import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from noneuclid.plots import palette
from noneuclid_compare.evaluation import rank_tests as comparisons
from noneuclid_compare.report import style
from noneuclid_compare.report.figures import theme
from noneuclid_compare.report.figures.page_figures import PageFigure
from noneuclid_compare.report.names import Names
from noneuclid_compare.report.tables import score_tables

CAPTION = (
    "Critical-difference diagram. Markers: average rank of each method over the data sets (scores "
    "of several embeddings of a data set are averaged first). Grey ticks: ranks on single data "
    "sets. Whiskers: 95 % bootstrap interval over data sets. Bars at the right connect "
    "methods that do not differ significantly (Nemenyi test, 5 % level); the shaded band covers "
    "methods that do not differ from the first. Bars and band need at least two data sets on which "
    "all methods were run. The best average rank does not decide which method is best."
)


def draw_ranks(scores, metric="balanced_accuracy", classes=None, names=None, narrow=False):
    """Critical-difference diagram: average rank of each method, the best at the top.

    `narrow` puts the names above the rows. Data sets are the units: one data set, in however many
    embeddings, has no diagram.
    """
    rank = _ranks(scores, metric)
    if rank.shape[1] < 2:
        figure = theme.new_figure(4, 1)
        figure.text(0.5, 0.5, "ranks need several data sets", ha="center", color=palette.MUTED)
        return figure
    average = rank.mean(axis=1)
    low, high = score_tables.rank_intervals(rank).T
    shape = (3.9, 1.6 + 0.38 * len(rank)) if narrow else (8, 1.6 + 0.3 * len(rank))
    figure = Figure(figsize=shape)
    ax = figure.subplots()
    sns.stripplot(rank.T, orient="h", jitter=False, marker="|", size=8, linewidth=0.9,
                  palette=["#8b95a0"] * len(rank), zorder=2, ax=ax)  # fmt: skip
    ax.hlines(range(len(rank)), low, high, color=palette.INK, lw=1.4, zorder=3)
    theme.draw_families(ax, average, range(len(rank)), classes, narrow)
    texts = list(map((names or Names()).method, rank.index))
    (theme.name_above if narrow else theme.name_rows)(ax, texts)
    ax.set(
        xlim=(0.5, len(rank) + 0.5),
        xlabel=f"average rank by {style.metric_words(metric)} (1 is best)",
        ylabel="",
    )
    difference = score_tables.critical_difference(rank)
    if difference is not None:
        _draw_cliques(ax, average.to_numpy(), difference)
    return figure


def _draw_cliques(ax, average, difference):
    """A bar for each group of methods whose ranks lie within the critical difference."""
    ax.axvspan(average[0], average[0] + difference, color="#0072B2", alpha=0.1, lw=0)
    right = ax.get_xlim()[1]
    for k, group in enumerate(comparisons.cliques(average, difference)):
        # Not clipped: the bars are beside the axes, as in Demšar's diagrams.
        ax.plot([right + (0.15 + 0.3 * k) * right / 14] * 2, [min(group) - 0.2, max(group) + 0.2],
                color=palette.INK, lw=3, solid_capstyle="butt", clip_on=False)  # fmt: skip
    ax.set_title(f"critical difference {difference:.2f}", loc="left", fontsize=8.5)


def tabulate_ranks(scores, metric="balanced_accuracy"):
    """Average rank of each method, its interval, and its rank on each data set."""
    rank = _ranks(scores, metric)
    low, high = score_tables.rank_intervals(rank).T
    front = {"average_rank": rank.mean(axis=1), "low": low, "high": high}
    return pd.concat([pd.DataFrame(front, index=rank.index), rank], axis=1)


def _ranks(scores, metric):
    """Rank on each data set of the methods that are compared with another at all."""
    found = score_tables.rank_matrix(score_tables.summarise(scores, metric))
    return found.dropna(how="all") if found.notna().any(axis=None) else found


FIGURE = PageFigure(draw_ranks, CAPTION, tabulate_ranks)
