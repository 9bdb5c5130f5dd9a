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
    """A split inside the cell of its node: part of the geodesic x_axis = x_0 tanh t.

    Attributes
    ----------
    node, depth, axis : int
    position : float
        t, for curvature -1.
    ends : ndarray, shape (2,)
        Parameters of its ends, see `along`; ±π/2 is the rim.
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
    """Where the points of a node lie.

    Attributes
    ----------
    node, depth : int
    box : ndarray, shape (2, 2)
        Lowest and highest coordinate along each axis (`tree_base.axis_coordinates`), or ±inf.
    value : ndarray
        Class frequencies, or means.
    is_leaf : bool
    """

    node: int
    depth: int
    box: np.ndarray
    value: np.ndarray
    is_leaf: bool

    def outline(self, size=100):
        """Its border as `outline` gives it."""
        return outline(self.box, size)


def along(axis, position, parameter):
    """Points (sinh t, sin φ) / (cosh t + cos φ) of the geodesic x_axis = x_0 tanh t.

    Parameters
    ----------
    axis : {0, 1}
    position : float
        t.
    parameter : ndarray, shape (m,)
        φ in [-π/2, π/2], growing with the other coordinate.

    Returns
    -------
    ndarray, shape (m, 2)
        In the Poincaré disk.

    Examples
    --------
    >>> along(0, 0.0, np.array([-np.pi / 2, 0.0, np.pi / 2])).round(3) + 0.0
    array([[ 0., -1.],
           [ 0.,  0.],
           [ 0.,  1.]])
    """
    # Divided by cosh t, which may be huge.
    shrink = 1 / np.cosh(position)
    points = np.empty((len(parameter), 2))
    points[:, axis] = np.tanh(position)
    points[:, 1 - axis] = shrink * np.sin(parameter)
    return points / (1 + shrink * np.cos(parameter))[:, None]


def clip(position, bounds):
    """Parameters where the geodesic at `position` enters and leaves a strip of the other axis.

    Parameters
    ----------
    position : float
    bounds : pair of float
        Coordinates along the other axis.

    Returns
    -------
    ndarray, shape (2,)
        Equal where the strip is missed.

    Examples
    --------
    >>> clip(0.0, (-np.inf, np.inf)) / np.pi
    array([-0.5,  0.5])
    """
    return np.arcsin(np.clip(np.tanh(bounds) * np.cosh(position), -1, 1))


def outline(box, size=100):
    """Border of a cell of the disk, anticlockwise: geodesic sides joined by arcs of the rim.

    Parameters
    ----------
    box : ndarray, shape (2, 2)
        As in `Cell`.
    size : int
        Points on each side and each arc of the rim.

    Returns
    -------
    ndarray, shape (m, 2)
        In the Poincaré disk; no rows if the box misses the disk.

    Examples
    --------
    >>> outline(np.array([[0.0, np.inf], [-np.inf, np.inf]]), 3).round(3) + 0.0
    array([[ 0.,  1.],
           [ 0.,  0.],
           [ 0., -1.],
           [ 0., -1.],
           [ 1.,  0.],
           [ 0.,  1.]])
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


def cells(model, index=0):
    """Cells of all nodes of a tree on the hyperbolic plane.

    Parameters
    ----------
    model : fitted hyperbolic tree or forest, d = 2
    index : int
        Which tree of a forest.

    Returns
    -------
    list of Cell
        In scikit-learn's order of the nodes.

    Raises
    ------
    InputError
        If the points have another dimension than 2.

    Examples
    --------
    >>> from noneuclid import HyperbolicDecisionTreeClassifier
    >>> X, y = [[-0.5, 0.0], [0.5, 0.1]], [0, 1]
    >>> tree = HyperbolicDecisionTreeClassifier(chart="klein", random_state=1).fit(X, y)
    >>> [cell.is_leaf for cell in cells(tree)]
    [False, True, True]
    """
    nodes = tree_text.splits(model, index)
    d = model.model_.n_features_in_
    if d != 2:
        raise InputError(f"the tree splits {d} axes; regions are drawn in the plane, with 2")
    scale = np.sqrt(model.curvature)
    boxes, depth = {0: _WHOLE}, {0: 0}
    for number, node in enumerate(nodes):
        if node.left < 0:
            continue
        for child, side in ((node.left, 1), (node.right, 0)):
            boxes[child], depth[child] = boxes[number].copy(), depth[number] + 1
            boxes[child][node.axis, side] = node.position * scale
    return [
        Cell(number, depth[number], boxes[number], node.value, node.left < 0)
        for number, node in enumerate(nodes)
    ]


def arcs(model, index=0):
    """Splits of a tree on the hyperbolic plane, each clipped to the cell that it divides.

    Parameters
    ----------
    model, index : as for `cells`

    Returns
    -------
    list of Arc
        One for each node that is not a leaf.

    Examples
    --------
    >>> from noneuclid import HyperbolicDecisionTreeClassifier
    >>> X, y = [[-0.5, 0.0], [0.5, 0.0]], [0, 1]
    >>> tree = HyperbolicDecisionTreeClassifier(chart="klein").fit(X, y)
    >>> arcs(tree)[0].axis, arcs(tree)[0].position
    (0, 0.0)
    """
    scale, found = np.sqrt(model.curvature), []
    for cell, node in zip(cells(model, index), tree_text.splits(model, index), strict=True):
        if not cell.is_leaf:
            position = float(node.position * scale)
            ends = clip(position, cell.box[1 - node.axis])
            found.append(Arc(cell.node, cell.depth, node.axis, position, ends))
    return found
