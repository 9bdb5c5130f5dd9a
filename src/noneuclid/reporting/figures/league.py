"""Ranks of the methods with their critical difference."""

import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from noneuclid.evaluation import rank_tests as comparisons
from noneuclid.plots import palette
from noneuclid.reporting import style
from noneuclid.reporting.figures import theme
from noneuclid.reporting.figures.page_figures import PageFigure
from noneuclid.reporting.tables import score_tables

CAPTION = (
    "Critical-difference diagram. Average rank of each method; grey ticks: its rank on "
    "each data set; whiskers: 95 % bootstrap interval over the data sets. Bars at the right join "
    "methods between which Nemenyi's test at 5 % finds no difference; the band joins the first "
    "method and those that do not differ from it. Both are drawn if every method has a rank on "
    "each of at least two data sets. The method with the first rank is not necessarily the best."
)


def draw_ranks(scores, metric="balanced_accuracy", classes=None):
    """Critical-difference diagram: average rank of each method, the best at the top."""
    rank = _ranks(scores, metric)
    average = rank.mean(axis=1)
    low, high = score_tables.rank_intervals(rank).T
    figure = Figure(figsize=(8, 1.6 + 0.3 * len(rank)))
    ax = figure.subplots()
    sns.stripplot(rank.T, orient="h", jitter=False, marker="|", size=8, linewidth=0.9,
                  palette=["#8b95a0"] * len(rank), zorder=2, ax=ax)  # fmt: skip
    ax.hlines(range(len(rank)), low, high, color=palette.INK, lw=1.4, zorder=3)
    theme.draw_families(ax, average, range(len(rank)), classes)
    theme.name_rows(ax, rank.index)
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
    """Average rank of each method, its interval, and its rank on each pair."""
    rank = _ranks(scores, metric)
    low, high = score_tables.rank_intervals(rank).T
    table = rank.set_axis(["/".join(pair) for pair in rank.columns], axis=1)
    front = {"average_rank": rank.mean(axis=1), "low": low, "high": high}
    return pd.concat([pd.DataFrame(front, index=rank.index), table], axis=1)


def _ranks(scores, metric):
    """Rank on each pair of the methods that are compared with another at all."""
    found = score_tables.matrix(score_tables.summarise(scores, metric), "rank")
    return found.dropna(how="all") if found.notna().any(axis=None) else found


FIGURE = PageFigure(draw_ranks, CAPTION, tabulate_ranks)
