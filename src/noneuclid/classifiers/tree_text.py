"""Hyperbolic trees as text: every split as a geodesic hyperplane."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers.float64_splits import trees_of
from noneuclid.classifiers.multiclass import all_columns
from noneuclid.errors import InputError


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
    trees = trees_of(model.model_)
    if not 0 <= index < len(trees):
        raise InputError(f"tree {index} does not exist; the model has trees 0 to {len(trees) - 1}")
    tree = trees[index]
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

    Parameters
    ----------
    model : fitted hyperbolic decision tree, forest or extra trees
    feature_names : sequence of str, shape (d,), or None
        Names of the spatial axes; by default the columns of the data frame of `fit`, or "axis 1"
        and so on.
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
    """
    nodes, names = splits(model, index), axis_names(model, feature_names)
    classes = getattr(model, "classes_", None)
    # A stack, since a tree may be deeper than Python's recursion: indentation, heading, node.
    lines, ahead = [], [("", None, nodes[0])]
    while ahead:
        indent, heading, node = ahead.pop()
        if heading is not None:
            lines.append(indent + heading)
            indent += "|   "
        if node.left < 0:
            lines.append(indent + leaf_text(node.value, classes, decimals))
            continue
        below, above = _sides(names[node.axis], node, decimals)
        ahead += [(indent, above, nodes[node.right]), (indent, below, nodes[node.left])]
    return "\n".join(lines)


def _sides(name, node, decimals):
    """Headings of the left and the right branch of a split."""
    if node.position == np.inf:
        return f"{name} known", f"{name} missing"
    where, degrees = f"{node.position:.{decimals}f}", f"{np.degrees(node.angle):.1f}°"
    return f"{name} at {where} or below (θ = {degrees})", f"{name} above {where}"


def axis_names(model, feature_names=None):
    """Names of the spatial axes: those given, those of the data frame of `fit`, or numbers."""
    d = model.model_.n_features_in_
    if feature_names is None:
        numbers = [f"axis {j + 1}" for j in range(d)]
        # The first column of the hyperboloid is time.
        return list(getattr(model, "feature_names_in_", numbers)[-d:])
    if len(feature_names) != d:
        raise InputError(f"{len(feature_names)} feature names for {d} axes; give one for each axis")
    return list(feature_names)


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
