"""Points of a product space, one picture for each factor."""

import numpy as np

from noneuclid.geometry import spaces
from noneuclid.plots import palette
from noneuclid.plots.product_display import ProductSpaceDisplay
from noneuclid_compare.report import style
from noneuclid_compare.report.figures import disk as disk_figure
from noneuclid_compare.report.figures import theme
from noneuclid_compare.report.names import Names

_SIDE, _MOST = 3.2, 4  # inches of a panel, panels in a row


def draw_product(disk, points, signature, names=None):
    """A panel for each factor; rows that the best method got wrong when left out are ringed.

    `disk` is the record of the pair, `points` (n, n_features) are those of the signature. Beyond
    `disk.MAX_POINTS` rows a panel shows a sample.
    """
    names, space = names or Names(), spaces.product_of(signature)
    shares = [disk_figure.accuracy(row, disk.labels) for row in disk.held_out]
    best = int(np.nanargmax(shares))
    rows = disk_figure.sample(disk.labels, disk_figure.MAX_POINTS)
    shown = disk_figure.drawn(disk)
    guessed = shown.held_out[best]
    n = len(space.factors)
    columns, lines = min(n, _MOST), -(-n // _MOST)
    legend = 0.2 * (2 + len(disk.class_names) // (2 * columns))
    figure = theme.new_figure(_SIDE * max(columns, 2), (_SIDE + 0.3) * lines + 0.5 + legend)
    axes = figure.subplots(lines, columns, squeeze=False).ravel()
    for ax in axes[n:]:
        ax.remove()
    ProductSpaceDisplay(
        space,
        points=points[rows],
        labels=shown.labels,
        class_names=disk.class_names,
        wrong=(guessed >= 0) & (guessed != shown.labels),
        ordered=disk.edges is not None,
    ).plot(axes[:n])
    word = "accuracy" if disk.edges is None else "correct quartile"
    share = style.score(shares[best], "accuracy")
    figure.suptitle(
        f"{' · '.join(names.pair(disk.dataset, disk.embedding))}\n"
        f"rings: wrong by {names.method(disk.methods[best])} when left out ({word} {share} %)",
        fontsize=11,
        color=palette.INK,
    )
    return figure
