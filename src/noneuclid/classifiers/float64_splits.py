"""scikit-learn's trees, which read float32, on coordinates that need float64."""

import numpy as np

from noneuclid.classifiers.tree_apply import nearest_ranks
from noneuclid.errors import InputError

LARGEST = 2**24
"""Integers up to this are exact in float32."""

NOISE = 1e-14
"""Ratios that differ by less, relatively, count as equal: rounding in `tree_apply`."""


def trees_of(model):
    """The `tree_` of a fitted tree, or of every tree of a forest."""
    return [tree.tree_ for tree in getattr(model, "estimators_", [model])]


def fit_by_rank(model, ratios, y, sample_weight=None):
    """Fit a tree or forest to ranks along each axis, then move each split to its coordinate.

    Impurities depend on the order of the values alone, and ranks are exact in float32: splits are
    those of float64 coordinates. A threshold between two ranks then becomes the midpoint (eq. 10
    of Chlenski et al. (2024)) of the two values next to it among the rows that trained the node.

    `model`, with splitter "best" (random splits are uniform in the values, not in the ranks), is
    fitted in place to `tree_apply.axis_ratios`, (n, d), of rows of weight > 0; its
    `tree_.threshold` is then a hyperbolic coordinate as in `tree_base`, inf between known and
    missing ones. Returns for each tree the
    bounds that `tree_apply.leaves` takes. O(d n log n) and one pass of the rows down each tree, on
    top of the fit.

    Raises
    ------
    InputError
        If an axis has more than 2**24 different values, or splits are drawn at random.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> ratios = np.array([[1.0], [1.0 + 1e-12], [1.0 + 3e-12]])
    >>> bounds = fit_by_rank(DecisionTreeClassifier(), ratios, [0, 0, 1])
    >>> f"{bounds[0][0] - 1:.1e}"
    '2.0e-12'
    """
    if getattr(model, "splitter", "best") != "best":
        raise InputError("precision='float64' needs splitter='best'; splitter is 'random'")
    ranks, ends = np.empty(ratios.shape, dtype=np.float32), []
    for axis, column in enumerate(ratios.T):
        ranks[:, axis], *lowest_highest = _ranks(column)
        ends.append(lowest_highest)
        if len(lowest_highest[0]) > LARGEST + 1:
            raise InputError(
                f"axis {axis} has more than {LARGEST} different values; use precision='float32' "
                "or fewer rows"
            )
    model.fit(ranks, y, sample_weight=sample_weight)
    samples = getattr(model, "estimators_samples_", [np.arange(len(ranks))])
    return [
        _place(tree, ranks[rows], ends) for tree, rows in zip(trees_of(model), samples, strict=True)
    ]


def _ranks(column):
    """Rank of each value, NaN where it is missing; the lowest and highest value of each rank."""
    known = ~np.isnan(column)
    distinct, inverse = np.unique(column[known], return_inverse=True)
    apart = np.full(len(distinct) + 1, True)  # from the value before, to which rank 0 has none
    apart[1:-1] = np.diff(distinct) > NOISE * np.abs(distinct[1:])
    ranks = np.full(len(column), np.nan)
    ranks[known] = np.cumsum(apart)[inverse] - 1
    return ranks, distinct[apart[:-1]], distinct[apart[1:]]


def _place(tree, ranks, ends):
    """Write hyperbolic coordinates into the thresholds and return their sinh."""
    left, children = tree.children_left, (tree.children_left, tree.children_right)
    missing_left, thresholds = tree.missing_go_to_left, tree.threshold
    below, above = nearest_ranks(ranks, *children, tree.feature, missing_left, thresholds)
    bounds = np.full(tree.node_count, np.inf)
    for axis, (lowest, highest) in enumerate(ends):
        nodes = np.flatnonzero((tree.feature == axis) & np.isfinite(thresholds))
        bounds[nodes] = middle(highest[below[nodes]], lowest[above[nodes]])
    tree.threshold[left >= 0] = np.arcsinh(bounds[left >= 0])
    return bounds


def middle(a, b):
    """sinh((asinh a + asinh b) / 2), accurate also where a and b are large and close.

    It is (a + b) / (2 cosh((asinh a - asinh b) / 2)).
    """
    product, coshes = a * b, np.sqrt(1 + a * a) * np.sqrt(1 + b * b)
    # cosh of the difference; for values of one sign without subtracting.
    apart = np.where(product > 0, (1 + a * a + b * b) / (coshes + product), coshes - product)
    return (a + b) / np.sqrt(2 * (1 + apart))
