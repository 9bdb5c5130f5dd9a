"""The first drawn data set with the decision regions of one method."""

import numpy as np

from noneuclid.plots import drawing, palette
from noneuclid.plots.disk_display import PoincareDiskDisplay
from noneuclid.reporting.figures import disk as disk_figure
from noneuclid.reporting.figures import theme
from noneuclid.reporting.figures.page_figures import PageFigure
from noneuclid.reporting.names import Names
from noneuclid.reporting.tables import leader_comparisons

CAPTION = (
    "The Poincaré disk of the first data set. Regions: classes predicted by the method fitted to "
    "all rows. Rings: rows misclassified when left out."
)
MANY = 12  # more classes have no legend


def draw_opening_disk(disks, scores, metric="balanced_accuracy", classes=None, names=None):
    """Points and decision regions; the method is `choose`'s."""
    if not disks:
        figure = theme.new_figure(3.6, 1)
        figure.text(0.5, 0.5, "no data set is drawn", ha="center", color=palette.MUTED)
        return figure
    disk, k = disks[0], choose(disks[0], scores, metric, classes)
    disk_figure.check_disk(disk)
    figure = theme.new_figure(3.7, 4.3)
    PoincareDiskDisplay(
        points=disk.points, labels=disk.labels, class_names=disk.class_names,
        regions=None if disk.regions is None else disk.regions[k],
        wrong=(disk.held_out[k] >= 0) & (disk.held_out[k] != disk.labels),
        ordered=disk.edges is not None,
    ).plot(figure.subplots(), legend=False, title="")  # fmt: skip
    if len(disk.class_names) <= MANY:
        handles = drawing.class_handles(disk.class_names, disk.edges is not None)
        columns = 2 if max(len(str(name)) for name in disk.class_names) < 22 else 1
        figure.legend(handles=handles, loc="outside lower center", ncols=columns)
    return figure


def choose(disk, scores, metric, classes=None):
    """Position of the method that is shown: that with the best mean over all data, if it is drawn.

    Otherwise the one with the largest share of held-out rows classified correctly.
    """
    verdict = leader_comparisons.judge(scores, metric, classes)
    if verdict is not None and verdict.leader in disk.methods:
        return disk.methods.index(verdict.leader)
    return int(np.argmax([disk_figure.accuracy(row, disk.labels) for row in disk.held_out]))


def tabulate_opening_disk(disks, scores, metric="balanced_accuracy", classes=None):
    """See `disk.tabulate_disk`; of the method that is shown."""
    if not disks:
        return leader_comparisons.contrasts(None)
    table = disk_figure.tabulate_disk(disks[0])
    shown = disks[0].methods[choose(disks[0], scores, metric, classes)]
    return table[["row", "x", "y", "class", f"left_out_{shown}"]]


def write_caption(
    disks=None, scores=None, metric="balanced_accuracy", classes=None, names=None
):  # fmt: skip
    """Caption with the names of the data set, the embedding and the method."""
    if not disks:
        return CAPTION
    disk, names = disks[0], names or Names()
    method = names.in_text("methods", disk.methods[choose(disk, scores, metric, classes)])
    dataset, embedding = names.pair(disk.dataset, disk.embedding)
    text = f"{dataset} on the Poincaré disk (embedding: {embedding}). "
    wrong = "in another quartile" if disk.edges is not None else "misclassified"
    if disk.regions is None:
        text += f"The {disk.dimension} dimensions are projected to two. "
        return f"{text}Rings: rows that {method} predicts {wrong} when they are left out."
    rings = f"Rings: rows {wrong} when they are left out."
    shown = "classes" if disk.edges is None else "quartiles"
    return f"{text}Regions: {shown} predicted by {method}, fitted to all rows. {rings}"


FIGURE = PageFigure(draw_opening_disk, write_caption, tabulate_opening_disk)
