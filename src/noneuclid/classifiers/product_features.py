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


def list_features(space, n_features, columns=None):
    """Features of a product space; see `ProductDecisionTreeClassifier` for `n_features`.

    Axis k is column k, from 0, of the points of the factor in its default chart; axis 0 of H, time,
    has no feature. With the names of all `columns`, those of factors in that chart are used.

    Examples
    --------
    >>> from noneuclid.geometry import ProductSpace
    >>> [feature.name for feature in list_features(ProductSpace("H2 S1"), "d_choose_2")]
    ['H2: axis 1', 'H2: axis 2', 'H2: axes 1, 2', 'S1: axes 0, 1']
    >>> [feature.name for feature in list_features(ProductSpace("S1 E1"), "auto", ["c", "s", "t"])]
    ['S1: c, s', 'E1: t']
    """
    found = []
    for k, factor in enumerate(space.factors):
        named = columns is not None and factor.chart == factor.default_chart
        names = [str(name) for name in columns[factor.columns]] if named else None
        axes = range(factor.kind == "H", factor.dimension + (factor.kind != "E"))
        groups = [] if factor.kind == "S" else [(j,) for j in axes]
        if n_features == "d_choose_2" or (n_features == "auto" and factor.kind == "S"):
            groups += combinations(axes, 2)
        elif factor.kind == "S":
            groups += [(0, j) for j in axes[1:]]
        for group in groups:
            numbers = ", ".join(names[j] if named else str(j) for j in group)
            kind = "" if named else "axis " if len(group) == 1 else "axes "
            shape = "axis" if len(group) == 1 else "plane"
            found.append(Feature(f"{factor.name}: {kind}{numbers}", k, shape, group))
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
