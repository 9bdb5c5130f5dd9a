"""Hyperbolic and product trees as text: every split in geodesic terms."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers.float64_splits import trees_of
from noneuclid.classifiers.multiclass import all_columns
from noneuclid.classifiers.product_features import list_features
from noneuclid.classifiers.product_tree_base import ProductTrees
from noneuclid.errors import InputError, require


@dataclass(frozen=True)
class Split:
    """A node of a tree as a hyperplane, or a leaf.

    Attributes
    ----------
    axis : int
        Spatial axis, from 0.
    position : float
        Signed hyperbolic distance along the axis from the origin to the hyperplane, in the units
        of the points (curvature -K); points with a larger coordinate go right. inf where known
        coordinates go left and missing ones right.
    angle : float
        Theta of Chlenski et al. (2024) (section 3.3), in (π/4, 3π/4): x_0 cos θ = x_axis sin θ on
        the hyperplane, in radians.
    left, right : int
        Children; -1 for a leaf.
    value : ndarray, shape (n_classes,) or (n_outputs,)
        Class frequencies, or means.
    """

    axis: int
    position: float
    angle: float
    left: int
    right: int
    value: np.ndarray


def splits(model: BaseEstimator, index: int = 0) -> list[Split]:
    """Nodes of a tree, in scikit-learn's order.

    Parameters
    ----------
    model : fitted hyperbolic decision tree, forest or extra trees
    index : int, default=0
        Which tree of a forest.

    Returns
    -------
    list of Split

    Raises
    ------
    InputError
        If the model has no such tree, or gives no access to its trees (boosting).

    Examples
    --------
    >>> from noneuclid import HyperbolicDecisionTreeClassifier
    >>> tree = HyperbolicDecisionTreeClassifier(chart="klein").fit([[-0.6], [0.0]], [0, 1])
    >>> round(splits(tree)[0].position, 4)  # halfway to artanh(-0.6) = -log 2
    -0.3466
    """
    check_is_fitted(model)
    if not hasattr(model, "apply") or not hasattr(model, "model_"):
        raise InputError(f"{type(model).__name__} has no trees to print; use a tree method")
    tree = _tree_at(trees_of(model.model_), index)
    positions = np.where(tree.children_left < 0, np.nan, tree.threshold)
    angles = np.arctan2(1.0, np.tanh(positions))
    if hasattr(model, "classes_"):
        values = all_columns(tree.value[:, 0], model._left, len(model.classes_))
    else:
        values = tree.value[:, :, 0]
    columns = (positions / np.sqrt(model.curvature), angles, tree.children_left)
    columns = (tree.feature, *columns, tree.children_right)
    rows = zip(*(column.tolist() for column in columns), values, strict=True)
    return [Split(*row) for row in rows]


def export_text(
    model: BaseEstimator,
    feature_names: Sequence[str] | None = None,
    *,
    index: int = 0,
    decimals: int = 3,
) -> str:
    """The splits of a tree in geodesic terms.

    Each split has its axis, the signed hyperbolic position of the hyperplane on it (the artanh
    of x_axis / x_0, divided by sqrt(K)), and its angle θ (eqs. 7 and 8 of Chlenski et al. (2024)).
    As in scikit-learn's text, the side of missing values is left out: it is in
    `tree_.missing_go_to_left` of `model_`. A split of known from missing values says so.

    Trees on products name the factor, and a position on an axis of it or an interval of π radians
    around a plane. Axis k is column k of the factor, from 0, in the chart "hyperboloid" (axis 0 is
    time), "sphere" or "euclidean". The angle in the plane of axes i, j is the polar angle
    atan2(x_j, x_i), modulo 2π. If the columns of X have names and a factor is in that chart, the
    names replace the numbers; a position along H is hyperbolic nevertheless.

    Parameters
    ----------
    model : fitted hyperbolic or product decision tree, forest or extra trees
    feature_names : sequence of str, shape (d,), or None
        Names of the spatial axes; by default the columns of the data frame of `fit`, or "axis 1"
        and so on. Of trees on products, names of all columns of X, time and pole included.
    index : int, default=0
        Which tree of a forest.
    decimals : int, default=3

    Returns
    -------
    str
        One line per branch or leaf.

    Raises
    ------
    InputError
        If names do not match the axes, or `splits` raises it.

    Examples
    --------
    >>> from noneuclid import HyperbolicDecisionTreeClassifier
    >>> tree = HyperbolicDecisionTreeClassifier(chart="klein").fit([[-0.6], [0.0]], ["a", "b"])
    >>> print(export_text(tree))
    axis 1 at -0.347 or below (θ = 108.4°)
    |   a (1.000)
    axis 1 above -0.347
    |   b (1.000)
    >>> from noneuclid import ProductDecisionTreeClassifier
    >>> tree = ProductDecisionTreeClassifier("S1").fit([[0, 1], [0, -1]], ["a", "b"])
    >>> print(export_text(tree))
    S1: axes 0, 1 at an angle in [0.000, 3.142)
    |   a (1.000)
    S1: axes 0, 1 at an angle in [-3.142, 0.000)
    |   b (1.000)
    """
    headed = _product_nodes if isinstance(model, ProductTrees) else _hyperbolic_nodes
    nodes = headed(model, feature_names, index, decimals)
    classes = getattr(model, "classes_", None)
    # A stack, since a tree may be deeper than Python's recursion: indentation, heading, node.
    lines, ahead = [], [("", None, nodes[0])]
    while ahead:
        indent, heading, (left, right, value, sides) = ahead.pop()
        if heading is not None:
            lines.append(indent + heading)
            indent += "|   "
        if sides is None:
            lines.append(indent + leaf_text(value, classes, decimals))
            continue
        ahead += [(indent, sides[1], nodes[right]), (indent, sides[0], nodes[left])]
    return "\n".join(lines)


def _hyperbolic_nodes(model, feature_names, index, decimals):
    """Left and right child, value, and headings of both branches, None in leaves, of each node."""
    nodes, names = splits(model, index), axis_names(model, feature_names)

    def sides(node):
        name = names[node.axis]
        if node.position == np.inf:
            return f"{name} known", f"{name} missing"
        degrees = f"{np.degrees(node.angle):.1f}°"
        below, above = _along(name, f"{node.position:.{decimals}f}")
        return f"{below} (θ = {degrees})", above

    return [(n.left, n.right, n.value, None if n.left < 0 else sides(n)) for n in nodes]


def _product_nodes(model, feature_names, index, decimals):
    """The same of a tree on a product space."""
    check_is_fitted(model)
    tree, factors = _tree_at(model.trees_, index), model.space_.factors
    features = model._features
    if feature_names is not None:
        columns = _names(feature_names, [None] * model.n_features_in_, "columns of X")
        features = list_features(model.space_, model.n_features, columns)

    def sides(j, threshold):
        feature = features[j]
        name = feature.name
        if feature.shape == "axis":
            scale = np.sqrt(abs(factors[feature.factor].curvature) or 1.0)
            return _along(name, f"{threshold / scale:.{decimals}f}")
        # Left is atan2(x_i, x_j) in (threshold - π, threshold]; π/2 less that is the polar angle.
        ends = [(k + 0.5) * np.pi - threshold for k in (1, 0, -1)]
        ends = [f"{round(end, decimals) + 0.0:.{decimals}f}" for end in ends]  # no -0
        return tuple(f"{name} at an angle in [{a}, {b})" for b, a in pairwise(ends))

    rows = zip(tree.left, tree.values, tree.features, tree.thresholds, strict=True)
    return [(k, k + 1, value, None if j < 0 else sides(j, t)) for k, value, j, t in rows]


def _along(name, where):
    """Headings of the rows up to a position on an axis, and of those beyond."""
    return f"{name} at {where} or below", f"{name} above {where}"


def _tree_at(trees, index):
    """The tree of this index, checked."""
    last = len(trees) - 1
    require(0 <= index <= last, f"tree {index} does not exist; the model has trees 0 to {last}")
    return trees[index]


def axis_names(model, feature_names=None):
    """Names of the spatial axes: those given, those of the data frame of `fit`, or numbers."""
    d = model.model_.n_features_in_
    numbers = [f"axis {j + 1}" for j in range(d)]
    # The first column of the hyperboloid is time.
    return _names(feature_names, list(getattr(model, "feature_names_in_", numbers)[-d:]))


def _names(given, known, what="axes"):
    """The given names, one for each of the known ones, or these."""
    if given is None:
        return known
    if len(given) != len(known):
        raise InputError(
            f"{len(given)} feature names for {len(known)} {what}; give one for each, in their order"
        )
    return list(given)


def leaf_text(value, classes=None, decimals=3):
    """Text of a leaf: the class with its frequency, or the means.

    Examples
    --------
    >>> leaf_text(np.array([0.25, 0.75]), np.array(["a", "b"])), leaf_text(np.array([2.0]))
    ('b (0.750)', '2.000')
    """
    if classes is None:
        return ", ".join(f"{number:.{decimals}f}" for number in value)
    return f"{classes[value.argmax()]} ({value.max():.{decimals}f})"
