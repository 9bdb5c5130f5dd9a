"""Points of a product space, one picture for each factor."""

import numpy as np

from noneuclid.plots import palette
from noneuclid.plots.product_display import ProductSpaceDisplay
from noneuclid_compare.report import style
from noneuclid_compare.report.figures import disk as disk_figure
from noneuclid_compare.report.figures import theme
from noneuclid_compare.report.names import Names

_SIDE, _MOST = 3.2, 4  # inches of a panel, panels in a row
_OPENING = 3.7  # inches: width of the opening figure


def draw_product(disk, names=None):
    """A panel for each factor; rows that the best method got wrong when left out are ringed.

    `disk` has a `space`. Beyond `disk.MAX_POINTS` rows a panel shows a sample.
    """
    names, display = names or Names(), display_of(disk)
    shares = [disk_figure.accuracy(row, disk.labels) for row in disk.held_out]
    best = int(np.nanargmax(shares))
    figure = _draw(display(best), _SIDE, _MOST, 0.5)
    word = "accuracy" if disk.edges is None else "correct quartile"
    share = style.score(shares[best], "accuracy")
    figure.suptitle(
        f"{' · '.join(names.pair(disk.dataset, disk.embedding))}\n"
        f"rings: wrong by {names.method(disk.methods[best])} when left out ({word} {share} %)",
        fontsize=11,
        color=palette.INK,
    )
    return figure


def draw_opening(disk, k):
    """The same in the width of the opening figure, of method `k`."""
    display = display_of(disk)(k)
    columns = 1 if len(display.panels) == 1 else 2
    return _draw(display, _OPENING / columns, columns, 0.0)


def display_of(disk):
    """Function of a position of a method: the display of the rows that a panel shows."""
    rows, shown = disk_figure.sample(disk.labels, disk_figure.MAX_POINTS), disk_figure.drawn(disk)
    return lambda k: ProductSpaceDisplay(
        disk.space,
        points=disk.coordinates[rows],
        labels=shown.labels,
        class_names=disk.class_names,
        wrong=disk_figure.wrong_rows(shown, k),
        ordered=disk.edges is not None,
    )


def _draw(display, side, most, head):
    """A figure of at most `most` panels in a row, each of this side in inches, under a `head`."""
    n = len(display.panels)
    columns, lines = min(n, most), -(-n // most)
    wide = side * max(columns, 2 if most > 2 else 1)
    legend = 0.2 * (2 + len(display.class_names) // max(1, int(wide)))
    figure = theme.new_figure(wide, (side + 0.3) * lines + head + legend)
    axes = figure.subplots(lines, columns, squeeze=False).ravel()
    for ax in axes[n:]:
        ax.remove()
    display.plot(axes[:n])
    return figure
