"""Trees and forests as the program of chlenski2024 grows them, for two classes.

pchlenski/hyperdt, commit 8ace390.
"""

from functools import lru_cache, partial
from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers import validation
from noneuclid.classifiers.sklearn_private import Interval
from noneuclid.errors import InputError, require
from noneuclid_papers.data import hyperdt_mixtures


def impurity(first, second):
    """Gini impurity of two counts, any shapes."""
    p, q = first / (first + second), second / (first + second)
    return 1 - (p * p + q * q)


def last_best_split(angles, y):
    """Axis and the two angles beside the last of the best splits; None if all rows are equal.

    Shapes: `angles` (n, d), `y` (n,) of 0 and 1. Axes come in order, angles in ascending order
    (`score >= best_score` in src/hyperdt/tree.py, line 92).

    Examples
    --------
    >>> angles = np.array([[1.0, 1.0], [1.1, 1.1], [1.2, 1.2], [1.3, 1.3]])
    >>> axis, *beside = last_best_split(angles, np.array([0, 0, 1, 1]))
    >>> int(axis), [float(angle) for angle in beside]
    (1, [1.1, 1.2])
    """
    order = np.argsort(angles, axis=0)
    ranked = np.take_along_axis(angles, order, axis=0)
    ones = np.cumsum(y[order], axis=0)[:-1]
    seen = np.arange(1, len(y))[:, None]
    zeros, total = seen - ones, np.bincount(y, minlength=2)
    rest = total[0] - zeros, total[1] - ones
    share, other = (len(y) - seen) / len(y), seen / len(y)
    # The order of these operations decides among splits that are equal up to rounding.
    gains = impurity(*total) - (share * impurity(*rest) + other * impurity(zeros, ones))
    gains = np.where(ranked[:-1] == ranked[1:], -np.inf, gains).T
    axis, row = np.divmod(np.flatnonzero(gains == gains.max())[-1], len(y) - 1)
    return None if gains.max() == -np.inf else (axis, ranked[row, axis], ranked[row + 1, axis])


def grow(X, y, depth):
    """A tree on the hyperboloid: the class of a leaf, or axis, angle of the split, two subtrees."""
    counts = np.bincount(y, minlength=2)
    angles = np.arctan2(X[:, :1], X[:, 1:])
    split = last_best_split(angles, y) if depth and len(y) > 2 and counts.min() else None
    if split is None:
        return int(np.argmax(counts))
    axis, *beside = split
    middle = np.arctan2(1.0, np.tanh(np.mean(np.arctanh(1 / np.tan(beside)))))
    left = _is_left(X, axis, middle)
    return axis, middle, *(grow(X[k], y[k], depth - 1) for k in (left, ~left))


def _is_left(X, axis, angle):
    return np.sin(angle) * X[:, axis + 1] - np.cos(angle) * X[:, 0] <= 0


def classes(tree, X):
    """Class of each row by a tree of `grow`, shape (n,)."""
    if not isinstance(tree, tuple):
        return np.full(len(X), tree)
    axis, angle, left, right = tree
    return np.where(_is_left(X, axis, angle), classes(left, X), classes(right, X))


def majority(trees, X):
    """1 where more than half of the trees have 1, else 0, shape (n,)."""
    return (sum(classes(tree, X) for tree in trees) > len(trees) / 2).astype(int)


class TwoClasses(ClassifierMixin, BaseEstimator):
    """Checks and classes; subclasses have ``_learn(X, y)`` and ``_codes(X)``, 0 or 1 for a row."""

    _parameter_constraints = {  # noqa: RUF012
        "random_state": [Interval(Integral, 0, 2**31, closed="left")],
    }

    def __init__(self, *, random_state=0):
        self.random_state = random_state

    def fit(self, X, y):
        """Learn from rows of the hyperboloid of curvature -1, time first, shape (n, d + 1)."""
        self._validate_params()
        X, y = self._read(X, y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        name, found = type(self).__name__, len(self.classes_)
        require(found == 2, f"{name} is for two classes; the number of classes in y is {found}")
        self._learn(X, codes)
        return self

    def predict(self, X):
        """Classes of rows."""
        check_is_fitted(self)
        return self.classes_[self._codes(self._read(X, reset=False))]

    def _read(self, X, *y, **options):
        """Rows and labels, checked."""
        found = validation.read(self, X, *y, **options)
        try:
            validation.check_rows(found[0] if y else found, "hyperboloid", 1.0)
        except InputError as error:
            what = "points of the hyperboloid of curvature -1, time first, shape (n, d + 1)"
            said = str(error).partition(";")[0]
            raise InputError(f"{said}; {type(self).__name__} needs {what}") from None
        return found


class Program(TwoClasses):
    """A tree or forest; subclasses have ``_grow(X, y)`` and ``_codes(X)``."""

    _parameter_constraints = {  # noqa: RUF012
        "max_depth": [Interval(Integral, 1, None, closed="left")],
        **TwoClasses._parameter_constraints,
    }

    def __init__(self, *, max_depth=3, random_state=0):
        self.max_depth = max_depth
        self.random_state = random_state

    def _learn(self, X, y):
        self.trees_ = self._grow(X, y)


class ReleasedTree(Program):
    """HyperDT: of equally good splits the last one, axes in order and angles ascending.

    `HyperbolicDecisionTreeClassifier` takes the first one. O(depth n d log n).

    Parameters
    ----------
    max_depth : int, default=3
    random_state : int, default=0
        Not used.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
    trees_ : list
        The tree, as `grow` returns it.

    Raises
    ------
    InputError
        If y has not two classes, or rows are not on the hyperboloid of curvature -1.

    See Also
    --------
    noneuclid.HyperbolicDecisionTreeClassifier : The method as the paper describes it.

    References
    ----------
    .. [1] P. Chlenski, E. Turok, A. Moretti, I. Pe'er, Fast hyperboloid decision tree algorithms,
       ICLR 2024, algorithm 1.

    Examples
    --------
    >>> X = np.array([[2**0.5, 1.0], [2**0.5, -1.0], [5**0.5, 2.0], [5**0.5, -2.0]])
    >>> ReleasedTree().fit(X, [1, 0, 1, 0]).predict(X)
    array([1, 0, 1, 0])
    """

    def _grow(self, X, y):
        return [grow(X, y, self.max_depth)]

    def _codes(self, X):
        return majority(self.trees_, X)


class ReleasedForest(ReleasedTree):
    """HyperRF: trees of `ReleasedTree` on bootstrap samples, all axes at every split, votes.

    Samples are drawn from numpy's old generator, which starts again in each fit.
    O(n_estimators depth n d log n).

    Parameters
    ----------
    n_estimators : int, default=12
        Trees.
    max_depth : int, default=3
    random_state : int, default=0
        Number of the mixture in the paper's runs.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
    trees_ : list

    Raises
    ------
    InputError
        If y has not two classes, or rows are not on the hyperboloid of curvature -1.

    See Also
    --------
    noneuclid.HyperbolicRandomForestClassifier : The method as the paper describes it.

    References
    ----------
    .. [1] P. Chlenski, E. Turok, A. Moretti, I. Pe'er, Fast hyperboloid decision tree algorithms,
       ICLR 2024.

    Examples
    --------
    >>> X = np.array([[2**0.5, 1.0], [2**0.5, -1.0], [5**0.5, 2.0], [5**0.5, -2.0]])
    >>> ReleasedForest().fit(X, [1, 0, 1, 0]).predict(X)
    array([1, 0, 1, 0])
    """

    _parameter_constraints = {  # noqa: RUF012
        **Program._parameter_constraints,
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, *, n_estimators=12, max_depth=3, random_state=0):
        super().__init__(max_depth=max_depth, random_state=random_state)
        self.n_estimators = n_estimators

    def _grow(self, X, y):
        draw = np.random.RandomState(self.random_state)
        samples = [draw.choice(len(y), len(y)) for _ in range(self.n_estimators)]
        return [grow(X[rows], y[rows], self.max_depth) for rows in samples]


class GeneratorTree(Program):
    """scikit-learn's tree on a mixture of the paper, drawn from the generator that drew it.

    The rows say which fold of ``KFold(5, shuffle=True, random_state)`` they are: the trees of the
    folds before it are grown first. Other rows, such as those of a search, are refused.
    O(points dimension²) for the mixture.

    Parameters
    ----------
    max_depth : int, default=3
    random_state : int, default=0
        Number of the mixture.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
    trees_ : DecisionTreeClassifier

    Raises
    ------
    InputError
        If rows and labels are neither a training fold of the mixture nor all of it.

    See Also
    --------
    sklearn.tree.DecisionTreeClassifier : The same with a state of its own.

    References
    ----------
    .. [1] P. Chlenski, E. Turok, A. Moretti, I. Pe'er, Fast hyperboloid decision tree algorithms,
       ICLR 2024, table 1.

    Examples
    --------
    >>> data = hyperdt_mixtures.load({}, 0, n_samples=100, n_features=2, number=3)
    >>> model = GeneratorTree(random_state=3).fit(data.features, data.labels)
    >>> bool(model.score(data.features, data.labels) > 0.9)
    True
    """

    def _grow(self, X, y):
        return of_fold(self, X, y, partial(_trees_in_order, depth=self.max_depth))

    def _codes(self, X):
        return self.trees_.predict(X)


_OTHER_LABELS = (
    "these are rows of the mixture with other labels; its labels 0 and 1 may have other names, in "
    "the same order"
)


def of_fold(model, X, y, in_order):
    """What `in_order(points, dimension, number)` has for the fold whose training rows are X, y."""
    for points in (len(X) * 5 // 4, len(X)):
        if points % 20 == 0:
            for rows, labels, found in in_order(points, X.shape[1] - 1, model.random_state):
                if np.array_equal(rows, X):
                    same = np.array_equal(labels, y)
                    require(same, f"{type(model).__name__}: {_OTHER_LABELS}")
                    return found
    name, number = type(model).__name__, model.random_state
    raise InputError(
        f"{name} fits only mixtures of chlenski2024 (hyperdt_mixtures, with random_state as their "
        "number), whole or the training rows of KFold(5, shuffle=True, random_state), unchanged; "
        f"these rows and labels are none of number {number}"
    )


def folds_in_order(points, dimension, number):
    """Training rows and labels of each fold of a mixture, then of all rows; and its generator."""
    data = hyperdt_mixtures.load({}, 0, n_samples=points, n_features=dimension, number=number)
    draw = hyperdt_mixtures.generator_after(points, dimension, number)
    folds = KFold(5, shuffle=True, random_state=number).split(data.features)
    parts = [*(train for train, _ in folds), np.arange(points)]
    return [(data.features[rows], data.labels[rows]) for rows in parts], draw


@lru_cache(maxsize=1)
def _trees_in_order(points, dimension, number, depth):
    """Training rows, their labels and tree of each fold of a mixture, then of all rows."""
    parts, draw = folds_in_order(points, dimension, number)
    trees = [DecisionTreeClassifier(max_depth=depth, random_state=draw).fit(*p) for p in parts]
    return [(*part, tree) for part, tree in zip(parts, trees, strict=True)]
