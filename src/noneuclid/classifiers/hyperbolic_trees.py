"""Decision trees, random forests and extra trees whose splits are hyperbolic hyperplanes."""

from typing import TYPE_CHECKING, Unpack

from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from noneuclid.classifiers.parameter_types import (
    ExtraTreesClassifierParameters,
    ExtraTreesRegressorParameters,
    ForestClassifierParameters,
    ForestRegressorParameters,
    TreeClassifierParameters,
    TreeRegressorParameters,
)
from noneuclid.classifiers.tree_base import HyperbolicTreeClassifier, HyperbolicTreeRegressor
from noneuclid.classifiers.tree_inspection import OpenForest, OpenTree

# Constraints of single columns would concern axes, not the columns of X; a warm start would
# assume that X is the same as before.
_LEFT_OUT = ("monotonic_cst", "warm_start")
# Random splits are uniform in the coordinate: they have no exact counterpart by rank.
_LEFT_OUT_EXTRA = (*_LEFT_OUT, "precision")


class HyperbolicDecisionTreeClassifier(
    HyperbolicTreeClassifier, OpenTree, model=DecisionTreeClassifier, without=_LEFT_OUT
):
    r"""HyperDT: a decision tree with hyperbolic hyperplanes, as fast as scikit-learn's.

    Along axis d, :math:`\operatorname{artanh}(x_d / x_0)` gives the same order as the angles of
    [1]_, and the mean of two values is the geodesic midpoint of its eq. 10. CART on these
    coordinates is therefore HyperDT.

    Parameters
    ----------
    criterion, splitter, max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf
        As for scikit-learn's `DecisionTreeClassifier`, with its defaults ([1]_: max_depth=3).
    max_features, random_state, max_leaf_nodes, min_impurity_decrease, class_weight, ccp_alpha
        As for scikit-learn's `DecisionTreeClassifier`, with its defaults.
    chart : {"tangent", "poincare", "klein", "hyperboloid"} or None, default=None
        How the rows of X are written. None reads tangent vectors, as a table holds, and warns if
        the rows look like points of another chart: embeddings return ``"poincare"`` by default.
    curvature : float > 0, default=1.0
        K; the space has curvature -K. Points are scaled to K = 1.
    precision : {"float32", "float64"}, default="float32"
        scikit-learn grows trees on float32 and treats coordinates closer than 1e-7 as equal: at
        distance r from the origin, points up to about 1e-7 sinh(r) apart can merge. That is
        harmless up to r = 10; at norm 1 - 1e-6 of the Poincaré ball (r = 14.5) two classes each 0.5
        wide become one (accuracy 0.51 against 1.00 in the tests). With "float64" only rounding
        counts as equal (`float64_splits.fit_by_rank`), at the cost of a sort along each axis and
        one more descent of each tree; the splitter must then be "best".

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    model_ : DecisionTreeClassifier
        Trained on `tree_base.axis_coordinates` (or ranks along each axis); a threshold t on
        feature d is the hyperplane x_{d+1} = x_0 tanh t.
    feature_importances_ : ndarray, shape (d,)

    See Also
    --------
    export_text : The splits as text.
    HyperbolicRandomForestClassifier : A forest of these trees.
    HorosphereDecisionTreeClassifier : Splits by horospheres.
    TreeDisplay : Diagram and cells.

    References
    ----------
    .. [1] P. Chlenski, E. Turok, A. Moretti, I. Pe'er, Fast hyperboloid decision tree
       algorithms, ICLR 2024. Differs in: no angles; its eq. 10 with V = cos(θ2 - θ1) /
       sin(θ1 + θ2) is the same midpoint.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import HyperbolicDecisionTreeClassifier
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> tree = HyperbolicDecisionTreeClassifier(max_depth=1, chart="poincare", random_state=0)
    >>> tree.fit(X, [1, 1, 0, 0]).predict([[0.9, 0.0], [-0.9, 0.0]])
    array([1, 0])
    """

    if TYPE_CHECKING:

        def __init__(self, **parameters: Unpack[TreeClassifierParameters]) -> None: ...


class HyperbolicDecisionTreeRegressor(
    HyperbolicTreeRegressor, OpenTree, model=DecisionTreeRegressor, without=_LEFT_OUT
):
    """Regression tree with hyperbolic hyperplanes: constant on convex hyperbolic cells.

    Parameters
    ----------
    criterion, splitter, max_depth, min_samples_split, min_samples_leaf, \
min_weight_fraction_leaf, max_features, random_state, max_leaf_nodes, min_impurity_decrease, \
ccp_alpha
        As for scikit-learn's `DecisionTreeRegressor`, with its defaults.
    chart, curvature, precision
        As for `HyperbolicDecisionTreeClassifier`.

    Attributes
    ----------
    model_ : DecisionTreeRegressor
    feature_importances_ : ndarray, shape (d,)

    See Also
    --------
    HyperbolicRandomForestRegressor : A forest of these trees.

    Examples
    --------
    >>> from noneuclid import HyperbolicDecisionTreeRegressor
    >>> tree = HyperbolicDecisionTreeRegressor(max_depth=1, chart="klein", random_state=0)
    >>> tree.fit([[-0.5], [-0.4], [0.6]], [1.0, 3.0, 7.0]).predict([[-0.9], [0.9]])
    array([2., 7.])
    """

    if TYPE_CHECKING:

        def __init__(self, **parameters: Unpack[TreeRegressorParameters]) -> None: ...


class HyperbolicRandomForestClassifier(
    HyperbolicTreeClassifier, OpenForest, model=RandomForestClassifier, without=_LEFT_OUT
):
    """HyperRF: a random forest of hyperbolic decision trees, as fast as scikit-learn's.

    It is that of [1]_, on the coordinates of `HyperbolicDecisionTreeClassifier`.

    Parameters
    ----------
    n_estimators, criterion, max_depth, min_samples_split, min_samples_leaf, \
min_weight_fraction_leaf, max_features, max_leaf_nodes, min_impurity_decrease, bootstrap, \
oob_score, n_jobs, random_state, verbose, class_weight, ccp_alpha, max_samples
        As for scikit-learn's `RandomForestClassifier`, with its defaults ([1]_: 12 trees of
        depth 3); `n_jobs` is for `fit`, and rows descend all trees in one thread.
    chart, curvature, precision
        As for `HyperbolicDecisionTreeClassifier`. With precision "float64" the out-of-bag score
        classifies rows between the two values of a split by rank.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    model_ : RandomForestClassifier
        Trained on `tree_base.axis_coordinates`.
    feature_importances_ : ndarray, shape (d,)
    estimators_ : list of HyperbolicDecisionTreeClassifier
    estimators_samples_ : list of ndarray
        Rows that each tree was trained on.

    See Also
    --------
    HyperbolicDecisionTreeClassifier : One tree.
    HyperbolicExtraTreesClassifier : Random thresholds.
    HyperbolicHistGradientBoostingClassifier : Boosting.

    References
    ----------
    .. [1] P. Chlenski, E. Turok, A. Moretti, I. Pe'er, Fast hyperboloid decision tree
       algorithms, ICLR 2024.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import HyperbolicRandomForestClassifier
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> forest = HyperbolicRandomForestClassifier(n_estimators=9, chart="poincare", random_state=0)
    >>> forest.fit(X, [1, 1, 0, 0]).predict([[0.9, 0.0], [-0.9, 0.0]])
    array([1, 0])
    """

    if TYPE_CHECKING:

        def __init__(self, **parameters: Unpack[ForestClassifierParameters]) -> None: ...

    _tree = HyperbolicDecisionTreeClassifier


class HyperbolicRandomForestRegressor(
    HyperbolicTreeRegressor, OpenForest, model=RandomForestRegressor, without=_LEFT_OUT
):
    """Random forest of hyperbolic regression trees.

    Parameters
    ----------
    n_estimators, criterion, max_depth, min_samples_split, min_samples_leaf, \
min_weight_fraction_leaf, max_features, max_leaf_nodes, min_impurity_decrease, bootstrap, \
oob_score, n_jobs, random_state, verbose, ccp_alpha, max_samples
        As for scikit-learn's `RandomForestRegressor`, with its defaults.
    chart, curvature, precision
        As for `HyperbolicRandomForestClassifier`.

    Attributes
    ----------
    model_ : RandomForestRegressor
    feature_importances_ : ndarray, shape (d,)
    estimators_ : list of HyperbolicDecisionTreeRegressor
    estimators_samples_ : list of ndarray
        Rows that each tree was trained on.

    See Also
    --------
    HyperbolicDecisionTreeRegressor : One tree.
    HyperbolicExtraTreesRegressor : Random thresholds.

    Examples
    --------
    >>> from noneuclid import HyperbolicRandomForestRegressor
    >>> forest = HyperbolicRandomForestRegressor(n_estimators=9, chart="klein", random_state=0)
    >>> X, y = [[-0.5], [-0.4], [0.6], [0.7]] * 5, [1.0, 1.0, 7.0, 7.0] * 5
    >>> forest.fit(X, y).predict([[-0.9], [0.9]]).tolist()
    [1.0, 7.0]
    """

    if TYPE_CHECKING:

        def __init__(self, **parameters: Unpack[ForestRegressorParameters]) -> None: ...

    _tree = HyperbolicDecisionTreeRegressor


class HyperbolicExtraTreesClassifier(
    HyperbolicTreeClassifier, OpenForest, model=ExtraTreesClassifier, without=_LEFT_OUT_EXTRA
):
    """Extremely randomised hyperbolic trees: hyperplanes drawn uniformly along hyperbolic length.

    Parameters
    ----------
    n_estimators, criterion, max_depth, min_samples_split, min_samples_leaf, \
min_weight_fraction_leaf, max_features, max_leaf_nodes, min_impurity_decrease, bootstrap, \
oob_score, n_jobs, random_state, verbose, class_weight, ccp_alpha, max_samples
        As for scikit-learn's `ExtraTreesClassifier`, with its defaults.
    chart, curvature
        As for `HyperbolicDecisionTreeClassifier`.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    model_ : ExtraTreesClassifier
    feature_importances_ : ndarray, shape (d,)
    estimators_ : list of HyperbolicDecisionTreeClassifier
    estimators_samples_ : list of ndarray
        Rows that each tree was trained on.

    See Also
    --------
    HyperbolicRandomForestClassifier : Best thresholds.

    Examples
    --------
    >>> from noneuclid import HyperbolicExtraTreesClassifier
    >>> forest = HyperbolicExtraTreesClassifier(n_estimators=9, chart="klein", random_state=0)
    >>> forest.fit([[-0.5], [-0.4], [0.6]], ["a", "a", "b"]).predict([[-0.9], [0.9]]).tolist()
    ['a', 'b']
    """

    if TYPE_CHECKING:

        def __init__(self, **parameters: Unpack[ExtraTreesClassifierParameters]) -> None: ...

    _tree = HyperbolicDecisionTreeClassifier


class HyperbolicExtraTreesRegressor(
    HyperbolicTreeRegressor, OpenForest, model=ExtraTreesRegressor, without=_LEFT_OUT_EXTRA
):
    """Extremely randomised hyperbolic regression trees.

    Parameters
    ----------
    n_estimators, criterion, max_depth, min_samples_split, min_samples_leaf, \
min_weight_fraction_leaf, max_features, max_leaf_nodes, min_impurity_decrease, bootstrap, \
oob_score, n_jobs, random_state, verbose, ccp_alpha, max_samples
        As for scikit-learn's `ExtraTreesRegressor`, with its defaults.
    chart, curvature
        As for `HyperbolicDecisionTreeClassifier`.

    Attributes
    ----------
    model_ : ExtraTreesRegressor
    feature_importances_ : ndarray, shape (d,)
    estimators_ : list of HyperbolicDecisionTreeRegressor
    estimators_samples_ : list of ndarray
        Rows that each tree was trained on.

    See Also
    --------
    HyperbolicRandomForestRegressor : Best thresholds.

    Examples
    --------
    >>> from noneuclid import HyperbolicExtraTreesRegressor
    >>> forest = HyperbolicExtraTreesRegressor(n_estimators=9, chart="klein", random_state=0)
    >>> forest.fit([[-0.5], [-0.4], [0.6]], [1.0, 1.0, 7.0]).predict([[-0.9], [0.9]]).tolist()
    [1.0, 7.0]
    """

    if TYPE_CHECKING:

        def __init__(self, **parameters: Unpack[ExtraTreesRegressorParameters]) -> None: ...

    _tree = HyperbolicDecisionTreeRegressor
