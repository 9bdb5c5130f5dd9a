"""Histogram gradient boosting whose splits are hyperbolic hyperplanes."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Self, Unpack

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import is_classifier
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from noneuclid.classifiers.group_folds import GroupFolds, codes_of_groups
from noneuclid.classifiers.parameter_types import (
    BoostingClassifierParameters,
    BoostingRegressorParameters,
)
from noneuclid.classifiers.tree_base import (
    HyperbolicTreeClassifier,
    HyperbolicTreeRegressor,
    HyperbolicTrees,
    axis_coordinates,
)
from noneuclid.errors import require

# As in `hyperbolic_trees`; coordinates are numbers, so no axis is categorical. Bins are cut in
# float64 anyway, so there is no precision to choose.
_MANY = 10_000  # rows, above which early_stopping="auto" stops
_LEFT_OUT = ("monotonic_cst", "interaction_cst", "categorical_features", "warm_start", "precision")


class Boosting(HyperbolicTrees):
    """Base of the two boosting methods; classes name it before the base whose `fit` it calls."""

    _stacklevel = 6  # of warnings, because `fit` calls another
    # Of scikit-learn's metadata routing: meta-estimators pass groups on.
    __metadata_request__fit = {"groups": True}  # noqa: RUF012

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self:
        """Fit to points with a label or a number each.

        Parameters
        ----------
        X : array-like, shape (n, d), or (n, d + 1) for chart "hyperboloid"
        y : array-like, shape (n,)
        sample_weight : array-like, shape (n,), or None
            Finite numbers >= 0; a row of weight 0 is left out.
        groups : array-like, shape (n,), or None
            Such as the donors of cells: the validation rows of early stopping are then whole
            groups, about the share `validation_fraction` of the rows. Needs scikit-learn 1.7.

        Returns
        -------
        self

        Raises
        ------
        InputError
            As of `HyperbolicDecisionTreeClassifier.fit`; if a row has no group, or fewer than two
            groups can be held out for early stopping.
        """
        self._groups = None if groups is None else codes_of_groups(groups, X)
        super().fit(X, y, sample_weight)
        self._groups = None
        return self

    def _fit_model(self, points, y, sample_weight):
        auto = self.early_stopping == "auto"
        stops = len(y) > _MANY if auto else self.early_stopping
        if self._groups is None or not stops or self.validation_fraction is None:
            coordinates = _with_values(axis_coordinates(points), slice(None))
            self.model_.fit(coordinates, y, sample_weight=sample_weight)
            return
        require(
            has_fit_parameter(self.model_, "X_val"),
            "groups: early stopping with whole groups needs scikit-learn 1.7; install it, or set "
            "early_stopping=False",
        )
        groups = self._groups if self._rows is None else self._groups[self._rows]
        share = self.validation_fraction
        share = share if share < 1 else share / len(y)
        folds = GroupFolds(max(2, round(1 / share)), self.random_state)
        labels = y if is_classifier(self) else np.zeros(len(y))
        train, left_out = next(folds.split(points, labels, groups))
        X, weights = _with_values(axis_coordinates(points), train), sample_weight
        self.model_.set_params(early_stopping=True).fit(
            X[train],
            y[train],
            sample_weight=None if weights is None else weights[train],
            X_val=X[left_out],
            y_val=y[left_out],
            sample_weight_val=None if weights is None else weights[left_out],
        )

    @property
    def n_iter_(self) -> int:
        """Number of rounds."""
        check_is_fitted(self)
        return self.model_.n_iter_

    def staged_predict(self, X: ArrayLike) -> Iterator[np.ndarray]:
        """Predictions after each round.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        generator of ndarray, shape (n,)
            `n_iter_` of them.
        """
        return self._staged("staged_predict", X)

    def _staged(self, method, X):
        return getattr(self.model_, method)(axis_coordinates(self._check_again(X)))


def _with_values(coordinates, rows):
    """Coordinates (n, d), 0 on an axis of which training `rows` know none.

    It is never split, and an error in scikit-learn's binning (1.9).
    """
    coordinates[:, np.isnan(coordinates[rows]).all(axis=0)] = 0.0
    return coordinates


class HyperbolicHistGradientBoostingClassifier(
    Boosting, HyperbolicTreeClassifier, model=HistGradientBoostingClassifier, without=_LEFT_OUT
):
    """Gradient boosting of hyperbolic trees on at most 255 bins along each axis.

    A bin's edge is the geodesic midpoint of two neighbouring values, or a quantile where an axis
    has more than `max_bins` of them. There are no importances. Use permutation importance on axes,
    not on columns of X, which could leave the ball: with `points` from `validation.to_hyperboloid`,
    `sklearn.inspection.permutation_importance(fitted.model_, axis_coordinates(points), y)`.

    Parameters
    ----------
    loss, learning_rate, max_iter, max_leaf_nodes, max_depth, min_samples_leaf, \
l2_regularization, max_features, max_bins, early_stopping, scoring, validation_fraction, \
n_iter_no_change, tol, verbose, random_state, class_weight
        As for scikit-learn's `HistGradientBoostingClassifier`, with its defaults.
    chart, curvature
        As for `HyperbolicDecisionTreeClassifier`.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    n_iter_ : int
    model_ : HistGradientBoostingClassifier
        Trained on `tree_base.axis_coordinates`.

    See Also
    --------
    HyperbolicRandomForestClassifier : Trees grown independently.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import HyperbolicHistGradientBoostingClassifier
    >>> X = np.linspace(-0.9, 0.9, 60)[:, None]
    >>> model = HyperbolicHistGradientBoostingClassifier(max_iter=5, chart="poincare")
    >>> model.fit(X, X[:, 0] > 0).predict([[-0.5], [0.5]])
    array([False,  True])
    """

    if TYPE_CHECKING:

        def __init__(self, **parameters: Unpack[BoostingClassifierParameters]) -> None: ...

    def staged_predict_proba(self, X: ArrayLike) -> Iterator[np.ndarray]:
        """Class probabilities after each round.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        generator of ndarray, shape (n, n_classes)
            `n_iter_` of them.
        """
        return map(self._all_columns, self._staged("staged_predict_proba", X))


class HyperbolicHistGradientBoostingRegressor(
    Boosting, HyperbolicTreeRegressor, model=HistGradientBoostingRegressor, without=_LEFT_OUT
):
    """Gradient boosting of hyperbolic regression trees on at most 255 bins along each axis.

    Parameters
    ----------
    loss, quantile, learning_rate, max_iter, max_leaf_nodes, max_depth, min_samples_leaf, \
l2_regularization, max_features, max_bins, early_stopping, scoring, validation_fraction, \
n_iter_no_change, tol, verbose, random_state
        As for scikit-learn's `HistGradientBoostingRegressor`, with its defaults.
    chart, curvature
        As for `HyperbolicDecisionTreeClassifier`.

    Attributes
    ----------
    n_iter_ : int
    model_ : HistGradientBoostingRegressor

    See Also
    --------
    HyperbolicRandomForestRegressor : Trees grown independently.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import HyperbolicHistGradientBoostingRegressor
    >>> X = np.linspace(-0.9, 0.9, 60)[:, None]
    >>> model = HyperbolicHistGradientBoostingRegressor(chart="poincare").fit(X, np.sign(X[:, 0]))
    >>> model.predict([[-0.5], [0.5]]).round(2)
    array([-1.,  1.])
    """

    if TYPE_CHECKING:

        def __init__(self, **parameters: Unpack[BoostingRegressorParameters]) -> None: ...
