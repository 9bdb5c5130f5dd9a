"""Time and memory of one fit against the size of the data."""

import seaborn as sns
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator

from noneuclid.plots import palette
from noneuclid_compare import wording
from noneuclid_compare.report.figures import theme
from noneuclid_compare.report.figures.page_figures import PageFigure
from noneuclid_compare.report.names import Names
from noneuclid_compare.report.tables import cost_scaling

CAPTION = (
    "Time of one fit (mean over folds) and peak memory of the job against the size of the data. "
    "Memory includes the data of the libraries but not their code. Each marker is a data set; "
    "lines join means. With many methods, each has its own panel, and grey lines show the others."
)
_TOGETHER = 8  # methods that one panel can show
_ACROSS = 6
_WRITE = {"fit_seconds": wording.seconds}


def draw_scale(scores, facts, names=None):
    """Time and memory against n and, if it varies, d.

    Lines join the means over the data sets of one size. Few methods share the panels, costs being
    rows and sizes columns; of many each has a panel of its own, with the others in grey.
    """
    table = cost_scaling.costs(scores, facts)
    table["method"] = table["method"].map((names or Names()).method)
    sizes = ["n", *(["d"] if table["d"].nunique() > 1 else [])]
    shape = _draw_together if table["method"].nunique() <= _TOGETHER else _draw_apart
    return shape(table, sizes)


def _draw_together(table, sizes):
    figure = Figure(figsize=(8 if len(sizes) == 1 else 9.5, 6.4))
    axes = figure.subplots(
        len(cost_scaling.COSTS), len(sizes), squeeze=False, sharex="col", sharey="row"
    )
    looks = theme.method_looks(table["method"])
    for row, (cost, words) in zip(axes, cost_scaling.COSTS.items(), strict=True):
        for ax, size in zip(row, sizes, strict=True):
            shown = {"x": size, "y": cost, "ax": ax, **looks}
            sns.scatterplot(table, **shown, s=20, alpha=0.8, legend=False)
            sns.lineplot(_average(table, size, cost), **shown, estimator=None, dashes=False,
                         lw=1, ms=4.5, mew=0.4)  # fmt: skip
            ax.set(xlabel=f"{cost_scaling.SIZES[size]} (logarithmic)", ylabel=words)
            _use_log_scales(ax, cost)
    theme.move_legend(figure, axes[0, 0], ncols=4)
    for ax in axes.ravel()[1:]:
        ax.get_legend().remove()
    return figure


def _draw_apart(table, sizes):
    methods = sorted(table["method"].unique())
    lines = -(-len(methods) // _ACROSS)
    blocks = [(cost, size) for size in sizes for cost in cost_scaling.COSTS]
    figure = Figure(figsize=(9.5, len(blocks) * (0.7 + 1.15 * lines)))
    parts = figure.subfigures(len(blocks), squeeze=False)[:, 0]
    for part, (cost, size) in zip(parts, blocks, strict=True):
        axes = part.subplots(lines, _ACROSS, sharex=True, sharey=True, squeeze=False).ravel()
        means = _average(table, size, cost).dropna()
        for k, (ax, method) in enumerate(zip(axes, methods, strict=False)):
            shown = {"x": size, "y": cost, "ax": ax, "zorder": 2}
            if len(means):
                sns.lineplot(means, **shown | {"zorder": 1}, units="method", estimator=None,
                             color=palette.RULE, lw=0.7)  # fmt: skip
            shown["color"] = palette.PALETTE[0]
            own = means["method"] == method
            sns.lineplot(means[own], **shown, estimator=None, lw=1.2)
            sns.scatterplot(table[table["method"] == method], **shown, s=9, linewidth=0)
            ax.set(xlabel="", ylabel="")
            ax.set_title(theme.wrap_name(method, 22), fontsize=8, pad=3)
            _use_log_scales(ax, cost, few=True)
            ax.tick_params(labelsize=7.5, labelbottom=k + _ACROSS >= len(methods))
        for ax in axes[len(methods) :]:
            ax.set_axis_off()
        part.supylabel(cost_scaling.COSTS[cost], fontsize=9.5)
        part.supxlabel(f"{cost_scaling.SIZES[size]} (logarithmic)", fontsize=9.5)
    return figure


def _average(table, size, cost):
    """Mean cost of each method at each size; seaborn's own means on log axes are geometric."""
    return table.groupby(["method", size], as_index=False)[cost].mean()


def _use_log_scales(ax, cost, few=False):
    """Logarithmic axes with plain numbers, on request few of them."""
    for side, axis, write in (("x", ax.xaxis, "{:g}".format), ("y", ax.yaxis, _WRITE.get(cost))):
        low, high = axis.get_data_interval()
        if not 0 < high < float("inf"):
            continue  # this cost is not known
        theme.use_log_scale(ax, side, write or "{:g}".format)
        if low == high:  # one size of data: matplotlib finds no limits
            ax.set(**{f"{side}lim": (low / 2, 2 * high)})
        if few:
            axis.set_major_locator(MaxNLocator(3) if high <= 20 * low else LogLocator(numticks=4))


FIGURE = PageFigure(draw_scale, CAPTION, cost_scaling.costs)
