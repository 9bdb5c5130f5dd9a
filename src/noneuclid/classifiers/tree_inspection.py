"""Tree methods with accessible trees: leaves, paths, importances, float64 splits."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.base import clone
from sklearn.tree import BaseDecisionTree
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers import tree_apply
from noneuclid.classifiers.float64_splits import fit_by_rank, trees_of
from noneuclid.classifiers.sklearn_private import ccp_pruning_path
from noneuclid.classifiers.tree_base import HyperbolicTrees, axis_coordinates


class OpenTrees(HyperbolicTrees):
    """A method with accessible trees: leaves, paths, importances, and float64 splits."""

    def _fit_model(self, points, y, sample_weight):
        if getattr(self, "precision", "float32") == "float64":
            ratios = tree_apply.axis_ratios(points)
            self._bounds = fit_by_rank(self.model_, ratios, y, sample_weight)
            return
        coordinates = axis_coordinates(points).astype(np.float32)
        missing = np.isnan(coordinates).any()
        # Only its checks see missing values, and targets that "poisson" does not take.
        known = isinstance(self.model_, BaseDecisionTree) and self.criterion != "poisson"
        checked = {"check_input": False} if known and not missing else {}
        self.model_.fit(coordinates, y, sample_weight, **checked)
        thresholds = [tree.threshold for tree in trees_of(self.model_)]
        self._bounds = [np.sinh(_last_left(t) if missing else t) for t in thresholds]

    def _output(self, points, method):
        """Mean over the trees of the values in the leaves, for any method."""
        trees = trees_of(self.model_)
        values = [tree.value.reshape(tree.node_count, -1) for tree in trees]
        if len(trees) == 1:
            found = values[0][self._leaves(points)[0]]
        else:
            nodes = [_structure(tree) for tree in trees]
            found = tree_apply.mean_values(points, nodes, self._bounds, values)
        return found[:, 0] if method == "predict" and found.shape[1] == 1 else found

    def _codes(self, points):
        if len(self._bounds) > 1:
            return super()._codes(points)
        return trees_of(self.model_)[0].value[:, 0].argmax(axis=1)[self._leaves(points)[0]]

    def _leaves(self, points):
        """Leaves of the points in each tree."""
        return [
            tree_apply.leaves(points, *_structure(tree), bounds)
            for tree, bounds in zip(trees_of(self.model_), self._bounds, strict=True)
        ]

    def apply(self, X: ArrayLike) -> np.ndarray:
        """Leaf of each row.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray of int, shape (n,), or (n, n_estimators) for a forest
        """
        leaves = self._leaves(self._check_again(X))
        return np.column_stack(leaves) if hasattr(self.model_, "estimators_") else leaves[0]

    def decision_path(
        self, X: ArrayLike
    ) -> sparse.csr_matrix | tuple[sparse.csr_matrix, np.ndarray]:
        """Nodes that each row passes, as scikit-learn gives them.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        sparse matrix, or for a forest (sparse matrix, offsets of the trees)
        """
        leaves = self._leaves(self._check_again(X))
        pairs = zip(trees_of(self.model_), leaves, strict=True)
        paths = [_paths(tree, leaves) for tree, leaves in pairs]
        if not hasattr(self.model_, "estimators_"):
            return paths[0]
        offsets = np.cumsum([0, *(path.shape[1] for path in paths)])
        return sparse.hstack(paths).tocsr(), offsets

    @property
    def feature_importances_(self) -> np.ndarray:
        """Importance of each axis, shape (d,)."""
        check_is_fitted(self)
        return self.model_.feature_importances_


class OpenTree(OpenTrees):
    """A single tree."""

    def get_depth(self) -> int:
        """Number of splits on the longest way from the root to a leaf.

        Returns
        -------
        int
        """
        check_is_fitted(self)
        return self.model_.get_depth()

    def get_n_leaves(self) -> int:
        """Number of leaves.

        Returns
        -------
        int
        """
        check_is_fitted(self)
        return self.model_.get_n_leaves()

    def cost_complexity_pruning_path(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Bunch:
        """Values of `ccp_alpha` at which pruning removes splits, of a tree grown in full.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`.

        Returns
        -------
        Bunch
            `ccp_alphas` and `impurities`, ndarrays of one length: the effective alphas, rising, and
            the total impurity of the leaves of the tree pruned by each.

        Raises
        ------
        InputError
            As `fit` does.
        """
        full = clone(self).set_params(ccp_alpha=0.0).fit(X, y, sample_weight)
        return Bunch(**ccp_pruning_path(full.model_.tree_))


class OpenForest(OpenTrees):
    """A forest, of trees of the class `_tree`."""

    @property
    def estimators_(self) -> list:
        """The trees as hyperbolic trees with the forest's chart and classes; a list."""
        check_is_fitted(self)
        return [
            self._wrap(*pair) for pair in zip(self.model_.estimators_, self._bounds, strict=True)
        ]

    @property
    def estimators_samples_(self) -> list[np.ndarray]:
        """Rows on which each tree was grown, a list of ndarrays of int."""
        check_is_fitted(self)
        drawn = self.model_.estimators_samples_
        return drawn if self._rows is None else [self._rows[rows] for rows in drawn]

    @property
    def oob_score_(self) -> float:
        """Score on the rows that a tree has not seen, with `oob_score=True`."""
        check_is_fitted(self)
        return self.model_.oob_score_

    def _wrap(self, model, bounds):
        settings = self.get_params(deep=False) | model.get_params()
        known = self._tree().get_params()
        tree = self._tree(**{name: settings[name] for name in known if name in settings})
        tree.model_, tree._bounds = model, [bounds]
        for name in ("classes_", "_left", "n_features_in_", "feature_names_in_"):
            if hasattr(self, name):
                setattr(tree, name, getattr(self, name))
        return tree


def _structure(tree):
    return tree.children_left, tree.children_right, tree.feature, tree.missing_go_to_left


def _last_left(thresholds):
    """Float64 numbers up to which a coordinate, rounded to float32, is at most the threshold.

    A random threshold among equal coordinates, which can divide them from missing ones alone, is
    that coordinate in float32: the float64 coordinate may lie above.

    Examples
    --------
    >>> (_last_left(np.array([0.25])) - 0.25).item() == 2.0**-26  # half of a step of float32
    True
    """
    last = thresholds.astype(np.float32)
    last = np.where(last > thresholds, np.nextafter(last, np.float32(-np.inf)), last)
    following = np.nextafter(last, np.float32(np.inf)).astype(float)
    return (last + following) / 2


def _paths(tree, leaves):
    """Sparse table, one row per point: 1 at each node from its leaf up to the root."""
    parent = np.zeros(tree.node_count, dtype=np.int64)
    for children in (tree.children_left, tree.children_right):
        parent[children[children >= 0]] = np.flatnonzero(children >= 0)
    rows, nodes, steps = np.arange(len(leaves)), leaves, []
    while len(nodes):
        steps.append((rows, nodes))
        rows, nodes = rows[nodes > 0], parent[nodes[nodes > 0]]
    rows, nodes = (np.concatenate(side) for side in zip(*steps, strict=True))
    ones = np.ones(len(rows), dtype=np.int64)
    return sparse.csr_matrix((ones, (rows, nodes)), shape=(len(leaves), tree.node_count))
