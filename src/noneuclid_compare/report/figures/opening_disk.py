"""One data set with the decision regions of one method, the recommended one if it is embedded."""

import numpy as np
import pandas as pd

from noneuclid.plots import drawing, palette
from noneuclid.plots.disk_display import PoincareDiskDisplay
from noneuclid_compare import wording
from noneuclid_compare.report.figures import disk as disk_figure
from noneuclid_compare.report.figures import product, theme
from noneuclid_compare.report.figures.page_figures import PageFigure
from noneuclid_compare.report.names import Names

CAPTION = (
    "The Poincaré disk of the first data set. Regions: classes predicted by the method fitted to "
    "all rows. Rings: rows misclassified when left out."
)
MANY = 12  # more classes have no legend
APART = 0.05  # least distance of two rings in the unit disk


def draw_opening_disk(disks, names=None, drawn=None):
    """Points, decision regions and reference points; disk and method are `choose`'s."""
    if not disks:
        figure = theme.new_figure(3.6, 1)
        figure.text(0.5, 0.5, "no data set is drawn", ha="center", color=palette.MUTED)
        return figure
    disk, k = choose(disks, drawn)
    disk_figure.check_disk(disk)
    if disk.space:
        return product.draw_opening(disk, k)
    disk = disk_figure.drawn(disk)
    figure, marks = theme.new_figure(3.7, 4.3), references(disk, k)
    # Larger than in the panels of many methods: stars must be seen beside disks and squares.
    area = float(np.clip(8000 / len(disk.points), 9, 28))
    PoincareDiskDisplay(
        points=disk.points, labels=disk.labels, class_names=disk.class_names,
        regions=None if disk.regions is None else disk.regions[k],
        wrong=spaced(disk.points, disk_figure.wrong_rows(disk, k)),
        reference_points=marks, ordered=disk.edges is not None,
    ).plot(figure.subplots(), legend=False, title="", point_size=area)  # fmt: skip
    handles = [drawing.mark_handle("reference point")] if len(marks) else []
    if len(disk.class_names) <= MANY:
        handles = [*drawing.class_handles(disk.class_names, disk.edges is not None), *handles]
    if handles:
        columns = 2 if max(len(str(name)) for name in disk.class_names) < 22 else 1
        figure.legend(handles=handles, loc="outside lower center", ncols=columns)
    return figure


def spaced(points, chosen, apart=APART):
    """The chosen rows, (n,) mask, without those closer than `apart` to one before.

    Examples
    --------
    >>> spaced(np.array([[0.0, 0.0], [0.01, 0.0], [0.5, 0.0]]), np.ones(3, dtype=bool)).tolist()
    [True, False, True]
    """
    kept, found = np.zeros(len(points), dtype=bool), np.empty((0, 2))
    for row in np.flatnonzero(chosen):
        if not (np.linalg.norm(found - points[row], axis=1) < apart).any():
            kept[row], found = True, np.vstack([found, points[row]])
    return kept


def references(disk, k):
    """Reference points of method `k` in the unit disk, (p, 2); none where the disk has none."""
    table = np.empty((0, 3)) if disk.references is None else disk.references
    return table[table[:, 0] == k, 1:]


def choose(disks, drawn=None):
    """The disk and the position of the method that are shown, those of `drawn`, see `Run.drawn`.

    Without it, the first disk and the method with the largest share of held-out rows right.
    """
    for disk in disks if drawn else ():
        if (disk.dataset, disk.embedding) == drawn[:2]:
            return disk, disk.methods.index(drawn[2])
    shares = [disk_figure.accuracy(row, disks[0].labels) for row in disks[0].held_out]
    return disks[0], int(np.argmax(shares))


def tabulate_opening_disk(disks, drawn=None):
    """See `disk.tabulate_disk`; of the method that is shown."""
    if not disks:
        return pd.DataFrame(columns=["row", "x", "y", "class"])
    disk, k = choose(disks, drawn)
    table = disk_figure.tabulate_disk(disk)
    return table[["row", "x", "y", "class", f"left_out_{disk.methods[k]}"]]


def write_caption(disks=None, names=None, drawn=None):
    """Caption with the names of the data set, the embedding and the method."""
    if not disks:
        return CAPTION
    (disk, k), names = choose(disks, drawn), names or Names()
    method = names.in_text("methods", disk.methods[k])
    dataset, embedding = names.pair(disk.dataset, disk.embedding)
    text = f"{dataset} on the Poincaré disk (embedding: {embedding}). "
    if disk.space:
        space = wording.signature(disk.space)
        text = f"{dataset} in {space}, a picture for each factor (embedding: {embedding}). "
    ordered = disk.edges is not None
    wrong = "placed in another quartile" if ordered else "misclassified"
    part = disk_figure.drawn(disk)
    if len(part.labels) < len(disk.labels):
        text += f"{len(part.labels):,} of {len(disk.labels):,} rows are drawn. "
    if disk.scale < 1:
        text += f"Distances from the centre are drawn {100 * disk.scale:.0f} % as long, and "
        text += "crowded directions are drawn wider. "
    every = disk_figure.wrong_rows(part, k)
    alone = disk.space or spaced(part.points, every).sum() == every.sum()
    rings = f"Rings mark rows{'' if alone else ', one where several are close,'}"
    if disk.regions is None:
        if disk.dimension != 2 and not disk.space:
            text += f"The {disk.dimension} dimensions are projected to two. "
        return f"{text}{rings} {wrong} by {method} when left out."
    shown = "quartiles" if ordered else "classes"
    text += f"Regions: {shown} predicted by {method}, fitted to all rows. "
    if len(references(disk, k)):
        text += "Stars: reference points, which its hyperplanes pass through. "
    return f"{text}{rings} {wrong} when left out."


FIGURE = PageFigure(draw_opening_disk, write_caption, tabulate_opening_disk)
