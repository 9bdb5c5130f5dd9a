"""Hyperbolic trees: cells on the disk with the tree beside them, and disks side by side."""

from noneuclid.plots.tree_display import TreeDisplay
from noneuclid_compare.report.figures import theme


def draw_tree(model, X=None, y=None, index=0):
    """Cells of a hyperbolic classification tree, d = 2, on the disk, and the tree beside it.

    Points X with labels y, in the model's chart, are drawn if given; `index` is the tree of a
    forest.
    """
    display = TreeDisplay.of(model, X, y, index=index)
    width = 5.2 + max(3.0, 0.95 * display.n_leaves)
    figure = theme.new_figure(width, 5.4)
    panels = figure.subplots(1, 2, width_ratios=[5.2, width - 5.2])
    display.plot(panels, angles=False, samples=False, legend=X is not None)
    return figure


def draw_trees(models, data, titles):
    """Decision regions of several trees side by side, as in figure 2 of chlenski2024.

    `data` has a pair (X, y) for each model.
    """
    figure = theme.new_figure(3.4 * len(models), 3.7)
    panels = figure.subplots(1, len(models), squeeze=False)[0]
    for ax, model, (X, y), title in zip(panels, models, data, titles, strict=True):
        TreeDisplay.of(model, X, y).plot_cells(ax)
        ax.set_title(title, fontsize=10)
    return figure
