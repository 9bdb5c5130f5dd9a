"""A hyperbolic tree as a diagram of its splits, and its cells on the disk."""

import numpy as np
from matplotlib.patches import Circle

from noneuclid.plots import drawing, palette, tree_regions

_STEP = 1.0  # between leaves of the diagram
_GLYPH = 0.42  # radius of the small disks


def draw_cells(ax, tree):
    """Leaves as tinted cells, splits as arcs that get thinner with depth."""
    colours = palette.class_colours(len(tree.class_names))
    for cell in tree.cells:
        if cell.is_leaf:
            ax.fill(*cell.outline().T, color=palette.tint(colours[cell.value.argmax()]), lw=0)
    for arc in tree.arcs:
        ax.plot(*arc.points().T, color=palette.INK, lw=2.0 * 0.75**arc.depth, zorder=3)


def draw_diagram(ax, tree, angles, samples):
    """The tree: a small disk for each split of the plane, else its words; a word for each leaf."""
    share = 0.34 if tree.cells and (angles or samples) else 0.5  # clear of the words
    across = place_nodes(tree.nodes)
    drop = 1.55 + 0.3 * (angles + samples)
    level = tree_regions.depths(tree.nodes)
    at = {number: np.array([across[number], -drop * level[number]]) for number in across}
    arcs = {arc.node: arc for arc in tree.arcs}
    cells = {cell.node: cell for cell in tree.cells}
    for number, place in sorted(at.items()):
        node = tree.nodes[number]
        for child, side in ((node.left, "≤"), (node.right, ">")):
            if child >= 0:
                _draw_branch(ax, place, at[child], side, share)
        count = [f"n = {tree.samples[number]}"] if samples else []
        if node.left < 0:
            _draw_leaf(ax, place, node, tree.class_names, count)
            continue
        words = [f"{tree.axis_names[node.axis]} at {node.position:.2f}".replace("-", "−")]
        words += [f"θ = {np.degrees(node.angle):.1f}°"] if angles else []
        if tree.cells:
            _draw_glyph(ax, place, cells[number], arcs[number])
        _draw_words(ax, place, "\n".join(words + count), above=bool(tree.cells))
    deepest = max(level.values())
    top = 0.8 + 0.25 * (angles + samples)
    ax.set(xlim=(-0.6, max(across.values()) + 0.6), ylim=(-drop * deepest - 0.5, top))
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


def _draw_branch(ax, start, end, side, share):
    """A line between two nodes, with the sign of the comparison at a share of its length."""
    ax.plot(*np.stack([start, end]).T, color=palette.MUTED, lw=1.0, zorder=1)
    box = {"fc": "white", "ec": "none", "pad": 0.6}
    ax.text(
        *((1 - share) * start + share * end), side, ha="center", va="center", fontsize=8, bbox=box
    )


def _draw_glyph(ax, place, cell, arc):
    """A small disk: the node's cell in grey, the rest white, the geodesic that divides it."""
    ax.add_patch(Circle(place, _GLYPH, fc="white", ec=palette.INK, lw=0.8, zorder=2))
    ax.fill(*(place + _GLYPH * cell.outline()).T, color=palette.RULE, lw=0, zorder=3)
    ax.plot(*(place + _GLYPH * arc.points()).T, color=palette.INK, lw=1.6, zorder=4)


def _draw_words(ax, place, words, above):
    """What a split does, above its small disk or in its place."""
    x, y = place
    box = {"fc": "white", "ec": "none" if above else palette.MUTED, "pad": 0.4 if above else 3.0}
    height = y + _GLYPH + 0.05 if above else y
    ax.text(x, height, words, ha="center", va="bottom" if above else "center", fontsize=7.5,
            zorder=5, bbox=box)  # fmt: skip


def _draw_leaf(ax, place, node, classes, count):
    """Class of a leaf on its colour, its share, and the number of its samples."""
    code = node.value.argmax()
    colour = palette.class_colours(len(classes))[code]
    box = {"boxstyle": "round,pad=0.3", "fc": palette.tint(colour), "ec": colour}
    words = [palette.plain(classes[code]), f"{100 * node.value[code]:.0f} %", *count]
    ax.text(*place, "\n".join(words), ha="center", va="center", fontsize=8, bbox=box, zorder=5)


def draw_points(ax, tree, legend):
    """The points, if there are any, and the legend of the classes."""
    if len(tree.points):
        drawing.draw_classes(ax, tree.points, tree.labels, len(tree.class_names), 13)
    if legend:
        handles = drawing.class_handles(tree.class_names)
        ax.legend(handles=handles, loc="upper left", bbox_to_anchor=(0.9, 1.0), handletextpad=0.1,
                  frameon=False)  # fmt: skip
