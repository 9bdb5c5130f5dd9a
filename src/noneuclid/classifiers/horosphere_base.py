"""Base of the horosphere tree and forest."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers.constructors import WithOwnParameters
from noneuclid.classifiers.multiclass import encode_labels
from noneuclid.classifiers.sklearn_private import Interval, StrOptions, check_parameters
from noneuclid.classifiers.validation import read, to_hyperboloid
from noneuclid.errors import InputError
from noneuclid.geometry.charts import CHARTS
from noneuclid.solvers.horospheres.splits import rays
from noneuclid.solvers.horospheres.tree import Rules, grow_tree


class HorosphereTrees(WithOwnParameters, ClassifierMixin, BaseEstimator):
    """Base of the horosphere methods: a single tree on all rows unless overridden."""

    _parameter_constraints = {  # noqa: RUF012
        "max_depth": [Interval(Integral, 1, None, closed="left"), None],
        "min_samples_split": [Interval(Integral, 2, None, closed="left")],
        "min_samples_leaf": [Interval(Integral, 1, None, closed="left")],
        "min_weight_fraction_leaf": [Interval(Real, 0, 0.5, closed="both")],
        "n_candidates": [Interval(Integral, 0, None, closed="left")],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "random_state": ["random_state"],
        "chart": [StrOptions(set(CHARTS))],
        "curvature": [Interval(Real, 0, None, closed="neither")],
    }

    def __init__(
        self,
        *,
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        min_weight_fraction_leaf=0.0,
        n_candidates=5,
        class_weight=None,
        random_state=None,
        chart="tangent",
        curvature=1.0,
    ):
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.n_candidates = n_candidates
        self.class_weight = class_weight
        self.random_state = random_state
        self.chart = chart
        self.curvature = curvature

    @check_parameters
    def fit(self, X, y):
        """Fit to labelled points.

        Parameters
        ----------
        X : array-like, shape (n, d), or (n, d + 1) for chart "hyperboloid"
        y : array-like, shape (n,)
            Labels of any type.

        Returns
        -------
        self

        Raises
        ------
        InputError
            If a row of X does not satisfy the chart, y holds one class, or a class has no
            positive weight.
        """
        X, y = read(self, X, y)
        self.classes_, codes = encode_labels(y)
        polar = self._rays(X)
        weights = compute_sample_weight(self.class_weight, y)
        if not (weights > 0).all():
            lightest = self.classes_.tolist()[codes[weights.argmin()]]
            raise InputError(
                f"class {lightest!r} has weight {weights.min():g}; give a positive class_weight, "
                "or drop its rows"
            )
        depth = np.inf if self.max_depth is None else self.max_depth
        least = self.min_samples_split, self.min_samples_leaf, self.min_weight_fraction_leaf
        rules = Rules(depth, *least, self.n_candidates)
        seeds = check_random_state(self.random_state).randint(2**31 - 1, size=self._n_trees())
        self.trees_ = []
        for seed in seeds:
            rng = np.random.default_rng(seed)
            used = weights * self._counts(len(y), rng)
            rows = np.flatnonzero(used)
            data = polar[rows], codes[rows], used[rows]
            self.trees_.append(grow_tree(*data, len(self.classes_), rules, rng))
        return self

    def _n_trees(self):
        return 1

    def _counts(self, n, rng):
        """Number of copies of each row that a tree sees."""
        return np.ones(n)

    def _rays(self, X):
        return rays(to_hyperboloid(X, self.chart, self.curvature))

    def _check_again(self, X):
        check_is_fitted(self)
        return self._rays(read(self, X, reset=False))

    def apply(self, X):
        """Leaf of each row, one column per tree.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray of int, shape (n, n_trees)
        """
        polar = self._check_again(X)
        return np.column_stack([tree.apply(polar) for tree in self.trees_])

    def predict_proba(self, X):
        """Class frequencies in the leaves, averaged over the trees.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n, n_classes)
            In the order of `classes_`.
        """
        polar = self._check_again(X)
        return sum(tree.values[tree.apply(polar)] for tree in self.trees_) / len(self.trees_)

    def predict(self, X):
        """Class of each row.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n,)
        """
        codes = self.predict_proba(X).argmax(axis=1)
        return self.classes_[codes]
