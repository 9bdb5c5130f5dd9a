"""A hyperbolic tree as two pictures: its cells on the disk, and its splits as a diagram."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from noneuclid.classifiers import tree_text
from noneuclid.evaluation import tree_regions
from noneuclid.experiment import wording
from noneuclid.geometry import charts
from noneuclid.reporting import style
from noneuclid.reporting.figures import theme

_STEP = 1.0  # between leaves of the diagram
_DROP = 1.55  # between its levels
_GLYPH = 0.42  # radius of the small disks


def draw_tree(model, X=None, y=None, index=0):
    """Cells of a hyperbolic classification tree, d = 2, on the disk, and the tree beside it.

    Both are exact: a cell is bounded by arcs of geodesics, not by pixels. In the diagram each
    split is a small disk with the node's cell in grey and the geodesic that divides it. Points X
    with labels y, in the model's chart, are drawn if given; `index` is the tree of a forest.
    """
    leaves = sum(node.left < 0 for node in tree_text.splits(model, index))
    width = 5.2 + max(3.0, 0.95 * leaves)
    figure = Figure(figsize=(width, 5.4))
    left, right = figure.subplots(1, 2, width_ratios=[5.2, width - 5.2])
    draw_disk(left, model, X, y, index)
    draw_diagram(right, model, index)
    return figure


def draw_trees(models, data, titles):
    """Decision regions of several trees side by side, as in figure 2 of chlenski2024.

    `data` has a pair (X, y) for each model.
    """
    figure = Figure(figsize=(3.4 * len(models), 3.7))
    panels = figure.subplots(1, len(models), squeeze=False)[0]
    for ax, model, (X, y), title in zip(panels, models, data, titles, strict=True):
        draw_disk(ax, model, X, y)
        ax.set_title(title, fontsize=10)
    return figure


def draw_disk(ax, model, X=None, y=None, index=0):
    """Leaves as tinted cells, splits as arcs that get thinner with depth, points on top."""
    colours = style.class_colours(len(model.classes_))
    for cell in tree_regions.cells(model, index):
        if cell.is_leaf:
            ax.fill(*cell.outline().T, color=style.tint(colours[cell.value.argmax()]), lw=0)
    for arc in tree_regions.arcs(model, index):
        ax.plot(*arc.points().T, color=style.INK, lw=2.0 * 0.75**arc.depth, zorder=3)
    if X is not None:
        points = charts.convert(
            np.asarray(X, dtype=float), model.chart, "poincare", model.curvature
        )
        points *= np.sqrt(model.curvature)
        codes = np.searchsorted(model.classes_, y)
        theme.draw_classes(ax, points, codes, len(model.classes_), 13)
        ax.legend(handles=theme.class_handles(model.classes_), loc="upper left",
                  bbox_to_anchor=(0.9, 1.0), handletextpad=0.1)  # fmt: skip
    theme.prepare_disk(ax)


def draw_diagram(ax, model, index=0):
    """The tree: a small disk for each split, a coloured word for each leaf."""
    nodes, cells = tree_text.splits(model, index), tree_regions.cells(model, index)
    arcs = {arc.node: arc for arc in tree_regions.arcs(model, index)}
    across = place_nodes(nodes)
    at = [np.array([across[cell.node], -_DROP * cell.depth]) for cell in cells]
    for number, node in enumerate(nodes):
        for child, side in ((node.left, "≤"), (node.right, ">")):
            if child >= 0:
                _draw_branch(ax, at[number], at[child], side)
        if node.left >= 0:
            _draw_split(ax, at[number], cells[number], arcs[number], node)
        else:
            _draw_leaf(ax, at[number], node, model.classes_)
    depth = max(cell.depth for cell in cells)
    ax.set(xlim=(-0.6, max(across.values()) + 0.6), ylim=(-_DROP * depth - 0.5, 0.8))
    ax.set_aspect("equal")
    ax.axis("off")


def place_nodes(nodes):
    """Horizontal place of each node: leaves in order, a split over the middle of its children.

    Examples
    --------
    >>> from noneuclid.classifiers.tree_text import Split
    >>> nodes = [Split(0, 0.0, 0.0, 1, 2, None), *[Split(-2, 0.0, 0.0, -1, -1, None)] * 2]
    >>> place_nodes(nodes)[0]
    0.5
    """
    found = {}

    def visit(number, free):
        node = nodes[number]
        if node.left < 0:
            found[number] = free
            return free + _STEP
        free = visit(node.right, visit(node.left, free))
        found[number] = (found[node.left] + found[node.right]) / 2
        return free

    visit(0, 0.0)
    return found


def _draw_branch(ax, start, end, side):
    """A line between two nodes, with the sign of the comparison at its middle."""
    ax.plot(*np.stack([start, end]).T, color=style.MUTED, lw=1.0, zorder=1)
    box = {"fc": "white", "ec": "none", "pad": 0.6}
    ax.text(*(0.5 * start + 0.5 * end), side, ha="center", va="center", fontsize=8, bbox=box)


def _draw_split(ax, place, cell, arc, node):
    """A small disk: the node's cell in grey, the rest white, the geodesic that divides it."""
    ax.add_patch(Circle(place, _GLYPH, fc="white", ec=style.INK, lw=0.8, zorder=2))
    ax.fill(*(place + _GLYPH * cell.outline()).T, color=style.RULE, lw=0, zorder=3)
    ax.plot(*(place + _GLYPH * arc.points()).T, color=style.INK, lw=1.6, zorder=4)
    x, y = place
    words = f"axis {node.axis + 1} at {node.position:.2f}".replace("-", "−")
    box = {"fc": "white", "ec": "none", "pad": 0.4}
    ax.text(x, y + _GLYPH + 0.05, words, ha="center", va="bottom", fontsize=7.5, zorder=5, bbox=box)


def _draw_leaf(ax, place, node, classes):
    """Class of a leaf on its colour, and its share."""
    code = node.value.argmax()
    colour = style.class_colours(len(classes))[code]
    box = {"boxstyle": "round,pad=0.3", "fc": style.tint(colour), "ec": colour}
    words = f"{wording.plain(classes[code])}\n{100 * node.value[code]:.0f} %"
    ax.text(*place, words, ha="center", va="center", fontsize=8, bbox=box, zorder=5)
