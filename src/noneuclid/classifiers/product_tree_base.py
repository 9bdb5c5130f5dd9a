"""Base of trees and forests on product spaces."""

from dataclasses import dataclass
from numbers import Integral, Real
from typing import Self

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers.constructors import set_constructor
from noneuclid.classifiers.product_estimator import ProductEstimator
from noneuclid.classifiers.product_features import evaluate, evaluate_in_blocks, list_features
from noneuclid.classifiers.product_growth import add_values, descend, grow
from noneuclid.classifiers.sklearn_private import Interval, StrOptions, check_parameters
from noneuclid.classifiers.weights import check_row_weights, encode_weighted

_COUNT = [Interval(Integral, 1, None, closed="left")]
# Parameters of scikit-learn's classes that these trees have.
_CONSTRAINTS = {
    "n_features": [StrOptions({"auto", "d", "d_choose_2"})],
    "n_estimators": _COUNT,
    "max_depth": [*_COUNT, None],
    "min_samples_split": [Interval(Integral, 2, None, closed="left")],
    "min_samples_leaf": _COUNT,
    "max_features": [
        *_COUNT,
        Interval(Real, 0.0, 1.0, closed="right"),
        StrOptions({"sqrt", "log2"}),
        None,
    ],
    "min_weight_fraction_leaf": [Interval(Real, 0.0, 0.5, closed="both")],
    "min_impurity_decrease": [Interval(Real, 0.0, None, closed="left")],
    "bootstrap": ["boolean"],
    "oob_score": ["boolean"],
    "n_jobs": [Integral, None],
    "random_state": ["random_state"],
    "class_weight": [dict, StrOptions({"balanced"}), None],
    **ProductEstimator._parameter_constraints,
}


@dataclass
class ProductTree:
    """A grown tree; node 0 is the root, and the right child follows the left one."""

    features: np.ndarray  # (n_nodes,), -1 in leaves
    thresholds: np.ndarray  # (n_nodes,), see `product_features`
    left: np.ndarray  # (n_nodes,), left child; a leaf's own number
    values: np.ndarray  # (n_nodes, n_values), class frequencies, or the mean
    weights: np.ndarray  # (n_nodes,), of the training rows
    importances: np.ndarray  # (n_features,), decrease of the total impurity

    def apply(self, values, turned):
        """Leaf of each row of `product_features.evaluate`."""
        nodes = np.zeros(values.shape[1], np.int64)
        descend(values, turned, self.features, self.thresholds, self.left, nodes)
        return nodes

    @property
    def depths(self):
        """Splits above each node, (n_nodes,)."""
        depths = np.zeros(len(self.left), dtype=int)
        for node in np.flatnonzero(self.features >= 0):  # children have larger numbers
            depths[self.left[node] : self.left[node] + 2] = depths[node] + 1
        return depths


class ProductTrees(ProductEstimator):
    """Base of the methods: a single tree on all rows unless overridden.

    `class Mine(ProductTrees, model=Theirs)` has those parameters of scikit-learn's `Theirs` that
    `_CONSTRAINTS` lists, with their defaults, and `space` and `n_features`.
    """

    _random = False  # thresholds

    def __init_subclass__(cls, model=None, criteria=(), **kwargs):
        if model is not None:
            known = model().get_params()
            without = [name for name in known if name not in {*_CONSTRAINTS, "criterion"}]
            own = {"space": None, "n_features": "auto"}
            set_constructor(cls, model, own, without, positional=("space",))
            constraints = _CONSTRAINTS | {"criterion": [StrOptions(set(criteria))]}
            cls._parameter_constraints = {
                name: legal for name, legal in constraints.items() if name in {*known, *own}
            }
        super().__init_subclass__(**kwargs)

    def _grow(self, blocks, codes, targets, weights, n_codes):
        """Grow all trees on rows, with codes, targets and weights as in `product_growth`."""
        columns = getattr(self, "feature_names_in_", None)
        features = list_features(self.space_, self.n_features, columns)
        self.feature_names_ = [feature.name for feature in features]
        self._features = features
        values, turned = evaluate(self.space_, features, blocks)
        order = np.empty(values.shape, np.int32)
        for row, found in zip(values, order, strict=True):
            found[:] = np.argsort(row)
        circular = np.array([feature.shape == "plane" for feature in features])
        rules = self._rules(len(features))
        seeds = check_random_state(self.random_state).randint(2**31 - 1, size=self._n_trees())

        def grow_one(seed):
            used = weights * self._counts(len(weights), seed)
            grown = grow(
                values, turned, circular, order, codes, targets, used, n_codes, rules, seed
            )
            *nodes, sums, totals, importances = grown
            return ProductTree(*nodes, sums / totals[:, None], totals, importances)

        n_jobs = getattr(self, "n_jobs", None)
        if len(seeds) == 1:
            self.trees_ = [grow_one(seeds[0])]
        else:  # the compiled code releases Python's lock
            run = Parallel(n_jobs=n_jobs, prefer="threads")
            self.trees_ = run(delayed(grow_one)(seed) for seed in seeds)
        return values, turned, seeds

    def _rules(self, n_features):
        """Rules of `grow`."""
        depth = 2**30 if self.max_depth is None else self.max_depth
        drawn = self.max_features
        if drawn is None:
            drawn = n_features
        elif isinstance(drawn, str):
            drawn = int({"sqrt": np.sqrt, "log2": np.log2}[drawn](n_features))
        elif not isinstance(drawn, Integral):
            drawn = int(drawn * n_features)
        entropy = self.criterion in ("entropy", "log_loss")
        least = self.min_samples_split, self.min_samples_leaf, float(self.min_weight_fraction_leaf)
        drawn = min(max(1, drawn), n_features)
        return depth, *least, drawn, float(self.min_impurity_decrease), entropy, self._random

    def _n_trees(self):
        return 1

    def _counts(self, n, seed):
        """Number of copies of each row that the tree of a seed sees."""
        return 1.0

    def _mean_values(self, X):
        """Mean over the trees of the values in the leaves, (n, n_values)."""
        blocks = self._read_new(X)
        found = np.zeros((len(blocks[0]), self.trees_[0].values.shape[1]))
        for rows, data in evaluate_in_blocks(self.space_, self._features, blocks):
            for tree in self.trees_:
                add_values(tree.apply(*data), tree.values, found[rows])
        found /= len(self.trees_)
        return found

    def _leaves(self, X):
        """Leaf of each row, (n, n_trees)."""
        blocks = self._read_new(X)
        found = np.empty((len(blocks[0]), len(self.trees_)), np.int64)
        for rows, data in evaluate_in_blocks(self.space_, self._features, blocks):
            for tree, leaves in zip(self.trees_, found.T, strict=True):
                leaves[rows] = tree.apply(*data)
        return found

    @property
    def feature_importances_(self) -> np.ndarray:
        """Share of each of `feature_names_` in the decrease of impurity, mean over the trees."""
        check_is_fitted(self)
        totals = [tree.importances.sum() for tree in self.trees_]
        pairs = zip(self.trees_, totals, strict=True)
        shares = [tree.importances / total for tree, total in pairs if total > 0]
        found = np.mean(shares, axis=0) if shares else np.zeros(len(self.feature_names_))
        return found / found.sum() if shares else found


class ProductTreeClassifier(ClassifierMixin, ProductTrees):
    """Base of the classifiers."""

    @check_parameters
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to labelled points.

        Parameters
        ----------
        X : array-like, shape (n, n_columns)
            Points of `space`.
        y : array-like, shape (n,)
            Labels of any type.
        sample_weight : array-like, shape (n,), or None
            Finite numbers >= 0, times the weight of the class in `class_weight`: 2 is equivalent to
            two equal rows, 0 to none, except for the minima `min_samples_split` and
            `min_samples_leaf`, which count rows, for draws with replacement, and for splits of
            equal gain, of which rounding chooses if weights are not whole. A class of which no
            row is left has probability 0.

        Returns
        -------
        self

        Raises
        ------
        InputError
            If a row of X is not a point of `space`, y holds one class, a weight is negative or
            not finite, or fewer than two classes have a weight above 0.
        """
        blocks, y = self._read_training(X, y)
        self.classes_, left, _, codes, weights, rows = encode_weighted(
            blocks[0], y, sample_weight, self.class_weight
        )
        codes = left[codes].astype(np.int32)
        ones, n_classes = np.ones(len(codes)), len(self.classes_)
        blocks = _rows_of(blocks, rows)
        weights = ones if weights is None else weights
        values, turned, seeds = self._grow(blocks, codes, ones, weights, n_classes)
        if getattr(self, "oob_score", False):
            known, found = self._out_of_bag(values, turned, seeds)
            self.oob_score_ = float(np.mean(found.argmax(axis=1) == codes[known]))
        return self

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Class frequencies in the leaves, averaged over the trees.

        Parameters
        ----------
        X : array-like, shape (n, n_columns)

        Returns
        -------
        ndarray, shape (n, n_classes)
            In the order of `classes_`.
        """
        return self._mean_values(X)

    def predict_log_proba(self, X: ArrayLike) -> np.ndarray:
        """Logarithms of `predict_proba`.

        Parameters
        ----------
        X : array-like, shape (n, n_columns)

        Returns
        -------
        ndarray, shape (n, n_classes)
            -inf where a probability is 0.
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Class of each row: the most probable one.

        Parameters
        ----------
        X : array-like, shape (n, n_columns)

        Returns
        -------
        ndarray, shape (n,)
        """
        codes = self._mean_values(X).argmax(axis=1)
        return self.classes_[codes]


class ProductTreeRegressor(RegressorMixin, ProductTrees):
    """Base of the regressors."""

    @check_parameters
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to points with a number each.

        Parameters
        ----------
        X : array-like, shape (n, n_columns)
            Points of `space`.
        y : array-like, shape (n,)
            For several numbers each, use `sklearn.multioutput.MultiOutputRegressor`.
        sample_weight : array-like, shape (n,), or None
            Finite numbers >= 0, as for `ProductDecisionTreeClassifier`.

        Returns
        -------
        self

        Raises
        ------
        InputError
            If a row of X is not a point of `space`, or a weight is negative or not finite.
        """
        blocks, y = self._read_training(X, y)
        weights = check_row_weights(sample_weight, blocks[0])
        rows = range(len(y)) if weights.all() else np.flatnonzero(weights)
        blocks, (y, weights) = _rows_of(blocks, rows), _rows_of([y, weights], rows)
        mean = np.average(y, weights=weights)  # squares of the rest lose fewer digits
        codes, targets = np.zeros(len(y), np.int32), y - mean
        values, turned, seeds = self._grow(blocks, codes, targets, weights, 1)
        for tree in self.trees_:
            tree.values += mean
        if getattr(self, "oob_score", False):
            known, found = self._out_of_bag(values, turned, seeds)
            self.oob_score_ = float(r2_score(y[known], found[:, 0]))
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Predicted value of each row: the mean of its leaves.

        Parameters
        ----------
        X : array-like, shape (n, n_columns)

        Returns
        -------
        ndarray, shape (n,)
        """
        return self._mean_values(X)[:, 0]


def _rows_of(arrays, rows):
    """The rows of each array; the same arrays if these are all."""
    return arrays if isinstance(rows, range) else [array[rows] for array in arrays]
