"""Predictions with a stated error rate: a class, an ancestor, or "unknown"."""

import warnings
from numbers import Real
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers.sklearn_private import Interval, check_parameters
from noneuclid.classifiers.tree_answers import TreeAnswers


class ConformalClassifier(TreeAnswers):
    r"""Any classifier with probabilities, which answers "unknown" to keep a stated error rate.

    The prediction set of a row x has the classes y with :math:`1 - p(y \mid x) \le q`. The
    threshold q is the smallest value that at least the share 1 - `error_rate` of the validation
    rows do not exceed with their own class, where one more row counts as infinite: split conformal
    prediction [1]_ with the score of [2]_. A new row that is exchangeable with the validation rows
    has its class in the set with at least this probability. The answer is the lowest node of the
    class tree above all classes of the set; it is right at least as often. If the set is empty, no
    class is likely enough, and the answer is the root.

    Rows of one donor resemble each other. With `groups`, donors instead of rows are taken as
    exchangeable, and the guarantee is for a row of a new donor: each of K groups has the weight
    1 / (K + 1), spread over its rows, and the remaining one counts as infinite [3]_. This needs at
    least 1 / `error_rate` - 1 groups.

    Parameters
    ----------
    estimator : classifier with `predict_proba`
    class_tree : dict of str to str, or None, default=None
        Parent of each node except the root; classes are named by ``str(label)``. None puts all
        classes under one root, "unknown".
    error_rate : float in (0, 1), default=0.1
        Largest share of answers that may be wrong.
    class_conditional : bool, default=False
        Whether each class has a threshold of its own, from its validation rows, so that the error
        rate holds within each class (Mondrian, [1]_), rare ones included.
    cv : int >= 2 or "prefit", default=5
        Folds of the stratified cross-validation whose predictions are the validation rows; the
        estimator is then fitted to all rows. Folds hold whole groups. "prefit": `estimator` is
        fitted, and the rows given to `fit` are the validation rows.
    random_state : int, RandomState or None, default=None
        Of the folds.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    estimator_ : object
        The fitted classifier.
    n_features_in_ : int
        If the fitted classifier has it.
    tree_ : ClassTree
    thresholds_ : ndarray, shape (n_classes,)
        q of each class.
    group_coverage_ : dict of group to float
        With `groups`: share of the rows of a group with their class in the set, by the thresholds
        of the other groups. A group far below 1 - `error_rate` is unlike the others.

    Warns
    -----
    UserWarning
        If there are too few validation rows or groups for `error_rate`: every set then has the
        classes that are named.

    See Also
    --------
    HedgedClassifier : The most informative answers of a given accuracy, without this guarantee.

    Notes
    -----
    With K groups the thresholds cover the share (1 - `error_rate`)(K + 1) / K of the validation
    rows: 97.5 % for 12 groups and an error rate of 10 %. The guarantee is exact with
    ``cv="prefit"``, on average over validation rows. With folds the estimator that predicts has
    learnt from more rows than those that were validated, and the error rate holds approximately
    (`benchmarks/conformal.tsv`). O(n log n) time after the fits.

    References
    ----------
    .. [1] V. Vovk, A. Gammerman and G. Shafer, Algorithmic learning in a random world, Springer
       2005, chapter 4.
    .. [2] M. Sadinle, J. Lei and L. Wasserman, Least ambiguous set-valued classifiers with bounded
       error levels, Journal of the American Statistical Association 114:223-234, 2019.
    .. [3] Y. Lee, R. F. Barber and R. Willett, Distribution-free inference with hierarchical data,
       arXiv:2306.06342, 2023.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from noneuclid import ConformalClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> flower = LogisticRegression(max_iter=1000)
    >>> model = ConformalClassifier(flower, error_rate=0.01, random_state=0).fit(X, y)
    >>> sorted(set(model.predict(X).tolist()))
    ['0', '1', '2', 'unknown']
    >>> model.predict_set(X[69:71])
    array([[False,  True, False],
           [False,  True,  True]])
    """

    _ROOT = "unknown"
    _parameter_constraints = TreeAnswers._parameter_constraints | {
        "error_rate": [Interval(Real, 0, 1, closed="neither")],
        "class_conditional": ["boolean"],
    }

    def __init__(
        self,
        estimator: BaseEstimator,
        *,
        class_tree: dict[str, str] | None = None,
        error_rate: float = 0.1,
        class_conditional: bool = False,
        cv: int | str = 5,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.class_tree = class_tree
        self.error_rate = error_rate
        self.class_conditional = class_conditional
        self.cv = cv
        self.random_state = random_state

    @check_parameters
    def fit(self, X: ArrayLike, y: ArrayLike, groups: ArrayLike | None = None) -> Self:
        """Fit the classifier and choose the thresholds.

        Parameters
        ----------
        X : array-like
            Rows as the estimator takes them.
        y : array-like, shape (n,)
        groups : array-like, shape (n,), optional
            Donor of each row.

        Returns
        -------
        ConformalClassifier

        Raises
        ------
        InputError
            If the class tree has a cycle, several roots or lacks a class, a class is named as the
            root, a row has no group, or validation rows have a class that the fitted estimator does
            not know.
        """
        probabilities, codes, groups = self._fit_estimator(X, y, groups)
        scores = 1.0 - probabilities[np.arange(len(codes)), codes]
        names = np.arange(len(codes)) if groups is None else groups
        self.thresholds_ = self._thresholds(scores, codes, names)
        if groups is not None:
            self.group_coverage_ = {}
            for group in np.unique(groups).tolist():
                own = groups == group
                limits = self._thresholds(scores[~own], codes[~own], groups[~own])
                self.group_coverage_[group] = float((scores[own] <= limits[codes[own]]).mean())
        if np.isinf(self.thresholds_).any():
            few = ", ".join(map(str, self.classes_[np.isinf(self.thresholds_)][:5]))
            least = np.ceil((1.0 - _ROUNDING) / self.error_rate - 1.0)
            warnings.warn(
                f"ConformalClassifier: error_rate={self.error_rate:g} needs {least:.0f} validation "
                f"{'rows' if groups is None else 'groups'} and has fewer: every set has class "
                f"{few}; raise error_rate",
                UserWarning,
                stacklevel=2,
            )
        return self

    def predict_set(self, X: ArrayLike) -> np.ndarray:
        """Whether each class is in the prediction set of each row, shape (n, n_classes)."""
        return 1.0 - self.predict_proba(X) <= self.thresholds_

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Lowest node of the class tree above the prediction set of each row, shape (n,), as text.

        Scorers that compare labels, such as ``scoring="accuracy"``, need labels that are text;
        `score` takes any.
        """
        check_is_fitted(self)
        sets = self.predict_set(X)
        above = sets.astype(int) @ ~self.tree_.ancestors == 0
        above[~sets.any(axis=1), 1:] = False
        # Nodes are ordered by depth, the root first.
        lowest = above.shape[1] - 1 - np.argmax(above[:, ::-1], axis=1)
        return np.array(self.tree_.nodes)[lowest]

    def _thresholds(self, scores, codes, groups):
        """Q of each class, shape (n_classes,); `scores` are those of the own class."""
        count = len(self.classes_)
        if not self.class_conditional:
            return np.full(count, threshold(scores, groups, self.error_rate))
        classes = [codes == code for code in range(count)]
        return np.array([threshold(scores[own], groups[own], self.error_rate) for own in classes])


_ROUNDING = 1e-9


def threshold(scores, groups, error_rate):
    """Quantile 1 - error_rate of scores in which each group, and infinity, have the same weight.

    Shapes: `scores`, `groups` (n,). Infinity if there are fewer than 1 / error_rate - 1 groups.

    Examples
    --------
    >>> threshold(np.array([0.1, 0.4, 0.3]), np.arange(3), 0.5)
    0.3
    >>> threshold(np.array([0.1, 0.4, 0.3]), np.array(["a", "a", "b"]), 0.5)
    0.3
    >>> threshold(np.array([0.1]), np.arange(1), 0.4)
    inf
    """
    _, codes, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    order = np.argsort(scores, kind="stable")
    reached = np.cumsum(1.0 / sizes[codes[order]])
    first = np.searchsorted(reached, (1.0 - error_rate) * (len(sizes) + 1) * (1.0 - _ROUNDING))
    return float(scores[order[first]]) if first < len(scores) else np.inf
