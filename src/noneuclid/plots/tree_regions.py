"""What a hyperbolic tree on the plane looks like: its splits and cells, as exact curves.

In Klein coordinates a split is a straight line x_j = tanh t and a cell a rectangle cut by the
disk. All curves are written in the unit Poincaré disk.
"""

from dataclasses import dataclass

import numpy as np

from noneuclid.classifiers import tree_text
from noneuclid.errors import InputError

_WHOLE = np.array([[-np.inf, np.inf], [-np.inf, np.inf]])


@dataclass(frozen=True)
class Arc:
    """A split inside the cell of its node: part of the geodesic x_axis = x_0 tanh(position).

    `position` is for curvature -1; `ends` are parameters of `along`, ±π/2 is the rim.
    """

    node: int
    depth: int
    axis: int
    position: float
    ends: np.ndarray

    @property
    def circle(self):
        """Centre and radius in the Poincaré disk: e_axis coth t and 1 / |sinh t|; inf at t = 0."""
        with np.errstate(divide="ignore"):
            centre = np.zeros(2)
            centre[self.axis] = 1 / np.tanh(self.position)
            return centre, 1 / np.abs(np.sinh(self.position))

    def points(self, size=100):
        """Points on it, shape (size, 2)."""
        return along(self.axis, self.position, np.linspace(*self.ends, size))


@dataclass(frozen=True)
class Cell:
    """Where the points of a node lie, and its class frequencies or mean `value`.

    `box` (2, 2): lowest and highest coordinate along each axis (`tree_base.axis_coordinates`), or
    ±inf.
    """

    node: int
    depth: int
    box: np.ndarray
    value: np.ndarray
    is_leaf: bool

    def outline(self, size=100):
        """Its border, see `outline`."""
        return outline(self.box, size)


def along(axis, position, parameter):
    """Points (sinh t, sin φ) / (cosh t + cos φ), (m, 2), of the geodesic x_axis = x_0 tanh t.

    t is `position`; φ is `parameter`, (m,) in [-π/2, π/2], and grows with the other coordinate.
    """
    # Divided by cosh t, which may be huge.
    shrink = 1 / np.cosh(position)
    points = np.empty((len(parameter), 2))
    points[:, axis] = np.tanh(position)
    points[:, 1 - axis] = shrink * np.sin(parameter)
    return points / (1 + shrink * np.cos(parameter))[:, None]


def clip(position, bounds):
    """Parameters, (2,), at which a geodesic enters and leaves a strip of the other axis.

    `bounds` are coordinates along that axis; the parameters are equal where the strip is missed.
    """
    return np.arcsin(np.clip(np.tanh(bounds) * np.cosh(position), -1, 1))


def outline(box, size=100):
    """Border (m, 2) of a cell of the disk, anticlockwise: geodesic sides joined by arcs of the rim.

    `size` points on each; no rows if the box, as in `Cell`, misses the disk.
    """
    (west, east), (south, north) = box
    sides = []
    for axis, position, bounds, forward in (
        (0, east, box[1], True),
        (1, north, box[0], False),
        (0, west, box[1], False),
        (1, south, box[0], True),
    ):
        ends = clip(position, bounds) if np.isfinite(position) else np.zeros(2)
        if ends[0] < ends[1]:
            ends = ends if forward else ends[::-1]
            sides.append((along(axis, position, np.linspace(*ends, size)), abs(ends[1])))
    if not sides:
        turn = np.linspace(0, 2 * np.pi, 4 * size) if not np.isfinite(box).any() else np.empty(0)
        return np.column_stack([np.cos(turn), np.sin(turn)])
    pieces = []
    for (side, end), (following, _) in zip(sides, sides[1:] + sides[:1], strict=True):
        pieces.append(side)
        if end == np.pi / 2:
            pieces.append(_rim(side[-1], following[0], size))
    return np.concatenate(pieces)


def _rim(start, end, size):
    """Arc of the rim, anticlockwise."""
    first, last = (np.arctan2(p[1], p[0]) for p in (start, end))
    turn = first + np.linspace(0, (last - first) % (2 * np.pi), size)
    return np.column_stack([np.cos(turn), np.sin(turn)])


def depths(nodes):
    """Depth of each node that can be reached from the root.

    Examples
    --------
    >>> from noneuclid.classifiers.tree_text import Split
    >>> depths([Split(0, 0.0, 0.0, 1, 2, None), *[Split(-2, 0.0, 0.0, -1, -1, None)] * 2])
    {0: 0, 2: 1, 1: 1}
    """
    found, ahead = {}, [(0, 0)]
    while ahead:
        number, depth = ahead.pop()
        found[number] = depth
        node = nodes[number]
        ahead += [(child, depth + 1) for child in (node.left, node.right) if child >= 0]
    return found


def cells(model, index=0):
    """Cells of all nodes of a tree, or of tree `index` of a forest, in scikit-learn's order."""
    nodes = tree_text.splits(model, index)
    d = model.model_.n_features_in_
    if d != 2:
        raise InputError(f"the tree splits {d} axes; regions are drawn in the plane, with 2")
    scale = np.sqrt(model.curvature)
    boxes, depth = {0: _WHOLE}, depths(nodes)
    for number, node in enumerate(nodes):
        if node.left < 0:
            continue
        for child, side in ((node.left, 1), (node.right, 0)):
            boxes[child] = boxes[number].copy()
            boxes[child][node.axis, side] = node.position * scale
    return [
        Cell(number, depth[number], boxes[number], node.value, node.left < 0)
        for number, node in enumerate(nodes)
    ]


def arcs(model, index=0):
    """Splits of a tree on the plane, each clipped to the cell that it divides."""
    scale, found = np.sqrt(model.curvature), []
    for cell, node in zip(cells(model, index), tree_text.splits(model, index), strict=True):
        if not cell.is_leaf:
            position = float(node.position * scale)
            ends = clip(position, cell.box[1 - node.axis])
            found.append(Arc(cell.node, cell.depth, node.axis, position, ends))
    return found
