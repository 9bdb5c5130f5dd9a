"""Base of the horosphere tree and forest."""

from numbers import Integral, Real
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers.constructors import WithOwnParameters
from noneuclid.classifiers.default_chart import CONSTRAINTS, chart_of, question_default
from noneuclid.classifiers.parallel import run_each, shows_progress
from noneuclid.classifiers.parameter_types import Chart, ClassWeight, Seed
from noneuclid.classifiers.sklearn_private import Interval, StrOptions, check_parameters
from noneuclid.classifiers.validation import read, to_hyperboloid
from noneuclid.classifiers.weights import encode_weighted
from noneuclid.estimator import Estimator
from noneuclid.geometry.horospheres import rays
from noneuclid.solvers.horospheres.pruning import prune
from noneuclid.solvers.horospheres.tree import Rules, grow_tree


class HorosphereTrees(WithOwnParameters, ClassifierMixin, Estimator):
    """Base of the horosphere methods: a single tree on all rows unless overridden."""

    _parameter_constraints = {  # noqa: RUF012
        "max_depth": [Interval(Integral, 1, None, closed="left"), None],
        "min_samples_split": [Interval(Integral, 2, None, closed="left")],
        "min_samples_leaf": [Interval(Integral, 1, None, closed="left")],
        "min_weight_fraction_leaf": [Interval(Real, 0, 0.5, closed="both")],
        "splitter": [StrOptions({"screened", "best"})],
        "n_candidates": [Interval(Integral, 0, None, closed="left")],
        "class_weight": [dict, StrOptions({"balanced"}), None],
        "random_state": ["random_state"],
        **CONSTRAINTS,
        "ccp_alpha": [Interval(Real, 0, None, closed="left")],
        "verbose": ["verbose"],
    }

    def __init__(
        self,
        *,
        max_depth: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        min_weight_fraction_leaf: float = 0.0,
        splitter: Literal["screened", "best"] = "screened",
        n_candidates: int = 5,
        class_weight: ClassWeight | None = None,
        random_state: Seed | None = None,
        chart: Chart | None = None,
        curvature: float = 1.0,
        ccp_alpha: float = 0.0,
        verbose: int = 0,
    ) -> None:
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.splitter = splitter
        self.n_candidates = n_candidates
        self.class_weight = class_weight
        self.random_state = random_state
        self.chart = chart
        self.curvature = curvature
        self.ccp_alpha = ccp_alpha
        self.verbose = verbose

    @shows_progress
    @check_parameters
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to labelled points.

        Parameters
        ----------
        X : array-like, shape (n, d), or (n, d + 1) for chart "hyperboloid"
        y : array-like, shape (n,)
            Labels of any type.
        sample_weight : array-like, shape (n,), or None
            Finite numbers >= 0, times the weight of the class in `class_weight`: 2 is equivalent to
            two equal rows, 0 to none, except for the minima `min_samples_split` and
            `min_samples_leaf`, which count rows, for draws with replacement, and for splits of
            equal gain, of which rounding chooses if weights are not whole (as with "balanced"). A
            class of which no row is left has probability 0.

        Returns
        -------
        self

        Raises
        ------
        InputError
            If a row of X does not satisfy the chart, y holds one class, a weight is negative or
            not finite, or fewer than two classes have a weight above 0.

        Notes
        -----
        NaN is an error, unlike in `HyperbolicDecisionTreeClassifier`: each horosphere reads all
        coordinates of a point.
        Sparse matrices are an error too, because the coordinates of an embedding are dense. For
        several labels per row, use `sklearn.multioutput.MultiOutputClassifier`.
        """
        X, y = read(self, X, y)
        question_default(self, X)
        self.classes_, left, polar, codes, weights, _ = encode_weighted(
            self._rays(X), y, sample_weight, self.class_weight
        )
        codes = left[codes]
        weights = np.ones(len(codes)) if weights is None else weights
        depth = np.inf if self.max_depth is None else self.max_depth
        least = self.min_samples_split, self.min_samples_leaf, self.min_weight_fraction_leaf
        rules = Rules(depth, *least, self.n_candidates, self.splitter == "best")
        seeds = check_random_state(self.random_state).randint(2**31 - 1, size=self._n_trees())
        tasks = ((polar, codes, weights, rules, seed) for seed in seeds)
        jobs, desc = getattr(self, "n_jobs", None), f"{type(self).__name__}: tree"
        self.trees_ = run_each(self._grow, tasks, len(seeds), jobs, desc)
        return self

    def _grow(self, polar, codes, weights, rules, seed):
        rng = np.random.default_rng(seed)
        used = weights * self._counts(len(codes), rng)
        rows = np.flatnonzero(used)
        data = polar[rows], codes[rows], used[rows]
        tree = grow_tree(*data, len(self.classes_), rules, rng)
        return prune(tree, self.ccp_alpha) if self.ccp_alpha else tree

    def _n_trees(self):
        return 1

    def _counts(self, n, rng):
        """Number of copies of each row that a tree sees."""
        return np.ones(n)

    def _rays(self, X):
        return rays(to_hyperboloid(X, chart_of(self), self.curvature))

    def _check_again(self, X):
        check_is_fitted(self)
        return self._rays(read(self, X, reset=False))

    def apply(self, X: ArrayLike) -> np.ndarray:
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

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
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

    def predict_log_proba(self, X: ArrayLike) -> np.ndarray:
        """Logarithms of `predict_proba`.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n, n_classes)
            -inf where a probability is 0.
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X: ArrayLike) -> np.ndarray:
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
