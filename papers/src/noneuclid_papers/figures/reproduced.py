"""How many of the numbers that each table of a paper prints our runs reproduce."""

import seaborn as sns
from matplotlib.figure import Figure

from noneuclid.plots import palette
from noneuclid_compare.report.figures import theme
from noneuclid_compare.report.figures.page_figures import PageFigure
from noneuclid_papers.tables import published_rows

CAPTION = "Share of published numbers that our runs reproduce, by table."


def draw_reproduced(cells):
    """One bar per paper and table: share of its cells of each status, with their number."""
    table = published_rows.counts(cells)
    names = [f"{paper}, {published_rows.name_table(name)}" for paper, name in table.index]
    found = table.set_axis(range(len(table))).rename_axis("row").melt(ignore_index=False)
    statuses = table.columns[table.sum() > 0]
    figure = Figure(figsize=(8.6, 1.3 + 0.27 * len(table)))
    ax = figure.subplots()
    # The first status of `hue_order` is the last of the bar.
    sns.histplot(
        found.reset_index(), y="row", weights="value", hue="status", hue_order=statuses[::-1],
        palette=published_rows.COLOURS, multiple="fill", discrete=True, shrink=0.72, alpha=1,
        edgecolor="white", linewidth=0.6, ax=ax,
    )  # fmt: skip
    for row, total in enumerate(table.sum(axis=1)):
        ax.text(1.01, row, f"{total}", va="center", fontsize=8, color=palette.MUTED)
    theme.name_rows(ax, names)
    ax.xaxis.set_major_formatter(lambda share, _: f"{100 * share:.0f}")
    ax.set(xlim=(0, 1.06), xlabel="% of the published numbers (right: total)", ylabel="")
    handles = ax.get_legend().legend_handles[::-1]
    ax.get_legend().remove()
    figure.legend(handles, statuses, loc="outside upper left", ncols=3)
    return figure


FIGURE = PageFigure(draw_reproduced, CAPTION, "cells.tsv")
