"""Positions of points of a product space along its axes and around its coordinate planes.

A tree splits at a threshold of a feature. Along axis j of an H or E factor the feature is the
coordinate, and rows up to the threshold go left. Around the plane of two axes it is an angle: the
sides are the half circle [theta, theta + pi) and the rest. With the angle modulo pi as the value,
and `turned` where the angle is pi or more, a row is left if (value <= threshold) != turned; along
an axis no row is turned. Blocks are those of `product_estimator.unit_blocks`.
"""

import math
from itertools import combinations
from typing import NamedTuple

import numpy as np

from noneuclid.classifiers.tree_base import axis_coordinates
from noneuclid.compiled import compile_cached

BLOCK = 2**15
"""Numbers in a block of rows: 256 kB, which stay in the cache."""


class Feature(NamedTuple):
    """A position in a factor: "axis" or "plane", with the columns of its one or two axes."""

    name: str
    factor: int
    shape: str
    columns: tuple[int, ...]


def list_features(space, n_features):
    """Features of a product space; see `ProductDecisionTreeClassifier` for `n_features`.

    Axes count from 1; axis 0 is the time of H, the pole of S, and the 1 in front of E.

    Examples
    --------
    >>> from noneuclid.geometry import ProductSpace
    >>> [feature.name for feature in list_features(ProductSpace("H2 S1"), "d_choose_2")]
    ['H2: axis 1', 'H2: axis 2', 'H2: axes 1, 2', 'S1: axes 0, 1']
    """
    found = []
    for k, factor in enumerate(space.factors):
        axes, shift = range(1, factor.dimension + 1), 1 if factor.kind == "E" else 0
        if factor.kind == "S":
            pairs = [(0, j) for j in axes]
        else:
            found += [Feature(f"{factor.name}: axis {j}", k, "axis", (j - shift,)) for j in axes]
            pairs = []
        if n_features == "d_choose_2" or (n_features == "auto" and factor.kind == "S"):
            pairs += combinations(axes, 2)
        for i, j in pairs:
            name = f"{factor.name}: axes {i}, {j}"
            found.append(Feature(name, k, "plane", (i - shift, j - shift)))
    return found


def evaluate(space, features, blocks):
    """Values and `turned` of all rows, both (n_features, n).

    Examples
    --------
    >>> from noneuclid.geometry import ProductSpace
    >>> space, points = ProductSpace("S1"), np.array([[1.0, 1.0], [-1.0, -1.0]]) / np.sqrt(2)
    >>> values, turned = evaluate(space, list_features(space, "d"), [points])
    >>> (values / np.pi).round(6).tolist(), turned.tolist()
    ([[0.25, 0.25]], [[False, True]])
    """
    shape = len(features), len(blocks[0])
    values, turned = np.empty(shape), np.zeros(shape, dtype=bool)
    blocks = [np.ascontiguousarray(block) for block in blocks]
    along = dict(enumerate(blocks))
    for k, factor in enumerate(space.factors):
        if factor.kind == "H":
            along[k] = np.column_stack([blocks[k][:, 0], axis_coordinates(blocks[k])])
    for row, (_, k, kind, columns) in enumerate(features):
        if kind == "plane":
            _write_angles(blocks[k], *columns, values[row], turned[row])
        else:
            values[row] = along[k][:, columns[0]]
    return values, turned


def evaluate_in_blocks(space, features, blocks):
    """Pairs (slice of rows, what `evaluate` gives) of consecutive rows."""
    size = max(256, BLOCK // len(features))
    for start in range(0, len(blocks[0]), size):
        rows = slice(start, start + size)
        yield rows, evaluate(space, features, [block[rows] for block in blocks])


@compile_cached
def _write_angles(block, i, j, values, turned):
    """Angle of (x_j, x_i) modulo pi, and whether it is pi or more; 0 where both are 0."""
    for row in range(len(block)):
        y, x = block[row, i] + 0.0, block[row, j] + 0.0  # no -0.0, whose angle may be pi
        turned[row] = y < 0 or (y == 0 and x < 0)
        values[row] = math.atan2(0.0 - y, 0.0 - x) if turned[row] else math.atan2(y, x)
