"""Predictions at the level of a class tree that a classifier is sure of."""

import warnings
from numbers import Real
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers.sklearn_private import Interval, check_parameters
from noneuclid.classifiers.tree_answers import TreeAnswers

_SAME = 1e-9  # changes this close, relative to 1 + λ, are one


class HedgedClassifier(TreeAnswers):
    r"""Any classifier with probabilities, which predicts an ancestor where it is not sure.

    The classes are nodes of a tree, such as cell types under broader types. A prediction is a node;
    it is right if it is the true class or one of its ancestors. A class says more than an ancestor:
    the information of node v is :math:`r_v = \log_2(N / N_v)` bits, where :math:`N_v` of the N
    classes are at or below v, and the root says nothing. The mean information of the predictions,
    with zero for wrong ones, is to be as large as possible while the share of right predictions is
    at least `accuracy`.

    The trade-off between accuracy and specificity is the subject of Deng et al. [1]_. Here the
    prediction for x is :math:`\arg\max_v (r_v + \lambda)\, p(v \mid x)`, where p(v | x) is the
    sum of the probabilities of the classes at or below v, and λ >= 0 is the multiplier of the
    constraint. All values of λ are compared at which a prediction changes, so the choice is
    exact: of those that reach the accuracy, one with the largest information. Changes closer
    than 1e-9 (1 + λ) count as one.

    Parameters
    ----------
    estimator : classifier with `predict_proba`
    class_tree : dict of str to str, or None, default=None
        Parent of each node except the root; classes are named by ``str(label)``. None puts all
        classes under one root, "any class": the classifier then predicts a class or none.
    accuracy : float in (0, 1], default=0.9
        Least share of right predictions on validation rows.
    cv : int >= 2 or "prefit", default=5
        Folds of the stratified cross-validation whose predictions are the validation rows; the
        estimator is then fitted to all rows. "prefit": `estimator` is fitted, and the rows given to
        `fit` are the validation rows.
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
    trade_off_ : float
        λ.
    accuracy_, information_ : float
        Share of right predictions and mean information in bits on the validation rows.

    See Also
    --------
    ConformalClassifier : Answers with an error rate that holds on new rows.
    sklearn.calibration.CalibratedClassifierCV : Corrects probabilities, on which p(v | x) relies.

    Notes
    -----
    The accuracy holds on the validation rows. On new rows of the same distribution it varies, as
    any share does: with n rows its standard error is about ``sqrt(accuracy (1 - accuracy) / n)``.
    Selection among all values of λ makes it slightly lower.

    References
    ----------
    .. [1] J. Deng, J. Krause, A. C. Berg and L. Fei-Fei, Hedging your bets: optimizing
       accuracy-specificity trade-offs in large scale visual recognition, CVPR 2012.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from noneuclid import HedgedClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = {"0": "iris", "blue": "iris", "1": "blue", "2": "blue"}
    >>> flower = LogisticRegression(max_iter=1000)
    >>> model = HedgedClassifier(flower, class_tree=tree, accuracy=0.99, random_state=0).fit(X, y)
    >>> sorted(set(model.predict(X).tolist()))
    ['0', '1', '2', 'blue']
    >>> model.accuracy_ >= 0.99
    True
    """

    _ROOT = "any class"
    _parameter_constraints = TreeAnswers._parameter_constraints | {
        "accuracy": [Interval(Real, 0, 1, closed="right")],
    }

    def __init__(
        self,
        estimator: BaseEstimator,
        *,
        class_tree: dict[str, str] | None = None,
        accuracy: float = 0.9,
        cv: int | str = 5,
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.estimator = estimator
        self.class_tree = class_tree
        self.accuracy = accuracy
        self.cv = cv
        self.random_state = random_state

    @check_parameters
    def fit(self, X: ArrayLike, y: ArrayLike, groups: ArrayLike | None = None) -> Self:
        """Fit the classifier and choose the trade-off.

        Parameters
        ----------
        X : array-like
            Rows as the estimator takes them.
        y : array-like, shape (n,)
        groups : array-like, shape (n,), or None
            Such as the donors of cells: folds keep them whole. A group that alone has a class is
            in every training part, so its rows are not validation rows.

        Returns
        -------
        HedgedClassifier

        Raises
        ------
        InputError
            If the class tree has a cycle, several roots or lacks a class, a class is named as the
            root, a row has no group, validation rows have a class that the fitted estimator does
            not know, or fewer than two groups can be held out.
        """
        probabilities, codes, _ = self._fit_estimator(X, y, groups)
        right = self.tree_.ancestors[codes]
        found = trade_off(self._node_probabilities(probabilities), self._bits, right, self.accuracy)
        self.trade_off_, self.accuracy_, self.information_ = found
        if self.accuracy_ < self.accuracy:
            warnings.warn(
                f"HedgedClassifier: the accuracy is {self.accuracy_:.4g} on validation rows, below "
                f"{self.accuracy:g}, at any level: the estimator gives wrong classes probability 1",
                UserWarning,
                stacklevel=2,
            )
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Node of the class tree for each row, shape (n,): a class or an ancestor, as text.

        Scorers that compare labels, such as ``scoring="accuracy"``, need labels that are text;
        `score` takes any.
        """
        check_is_fitted(self)
        probabilities = self._node_probabilities(self.estimator_.predict_proba(X))
        return np.array(self.tree_.nodes)[chosen(probabilities, self._bits, self.trade_off_)]

    @property
    def _bits(self):
        """Information of each node."""
        return np.log2(len(self.classes_) / self.tree_.counts)

    def _node_probabilities(self, probabilities):
        """Probability of each node, shape (n, n_nodes); exactly 1 where all classes are below."""
        found = probabilities @ self.tree_.ancestors
        found[:, self.tree_.counts == len(self.classes_)] = 1.0
        return np.minimum(found, 1.0)


def chosen(probabilities, bits, trade_off):
    """Node of each row that maximises (bits + λ) p; of equal ones the deepest."""
    values = (bits + trade_off) * probabilities
    return values.shape[1] - 1 - np.argmax(values[:, ::-1], axis=1)


def trade_off(probabilities, bits, right, accuracy):
    """λ whose predictions are right often enough and have the most information.

    As λ grows, the node of a row moves along the upper envelope of the lines (bits + λ) p, to
    larger p. All changes of all rows are sorted; between two of them the predictions are constant.

    Parameters
    ----------
    probabilities : ndarray, shape (n, n_nodes)
    bits : ndarray, shape (n_nodes,)
    right : ndarray of bool, shape (n, n_nodes)
        Nodes that are right for each row.
    accuracy : float

    Returns
    -------
    (float, float, float)
        λ, share of right predictions, mean information. If no λ reaches the accuracy, one with the
        highest share.
    """
    n = len(probabilities)
    rows, gains = np.arange(n), right * bits
    current = chosen(probabilities, bits, 0.0)
    start = right[rows, current].sum(), gains[rows, current].sum()
    events, when = [], np.zeros(n)
    while rows.size:
        slope = probabilities[rows, current]
        height = bits[current] * slope
        steeper = probabilities[rows] - slope[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            crossing = (height[:, None] - bits * probabilities[rows]) / steeper
        crossing = np.maximum(crossing, when[:, None])  # rounding may put it before the last one
        crossing[steeper <= 0] = np.inf
        when = crossing.min(axis=1)
        going = np.isfinite(when)
        # Of lines that cross at one place the steepest one is on the envelope behind it, and of
        # equal ones the last, as `chosen` has it.
        there = np.where(crossing == when[:, None], steeper, -np.inf)
        after = there.shape[1] - 1 - np.argmax(there[:, ::-1], axis=1)
        rows, when, after = rows[going], when[going], after[going]
        before = current[going]
        change = right[rows, after].astype(int) - right[rows, before]
        events.append(np.column_stack([when, change, gains[rows, after] - gains[rows, before]]))
        current = after
    table = np.concatenate(events)
    table = table[np.argsort(table[:, 0], kind="stable")]
    places = table[:, 0]
    # Crossings that are equal in exact arithmetic differ by rounding: they are one change.
    first = np.flatnonzero(np.diff(places, prepend=-np.inf) > _SAME * (1 + places))
    sums = [np.add.reduceat(column, first) if len(first) else column for column in table.T[1:]]
    shares = np.concatenate([[start[0]], start[0] + np.cumsum(sums[0])]) / n
    information = np.concatenate([[start[1]], start[1] + np.cumsum(sums[1])]) / n
    # Inside the intervals, where no two nodes are equal; zero itself comes first.
    lasts = places[np.append(first[1:], len(places)) - 1] if len(first) else places
    ends = np.append(places[first][1:], 2 * lasts[-1:] + 1)
    inside = np.concatenate([[0.0], (lasts + ends) / 2])
    least = min(accuracy, shares.max()) - 1e-12
    enough = np.flatnonzero(shares >= least)
    order = enough[np.argsort(-information[enough].round(12), kind="stable")]
    tried = []
    for value in inside[order]:
        nodes = np.arange(n), chosen(probabilities, bits, value)
        tried.append((float(value), float(right[nodes].mean()), float(gains[nodes].mean())))
        if tried[-1][1] >= least:
            break
    return max(tried, key=lambda found: found[1])
