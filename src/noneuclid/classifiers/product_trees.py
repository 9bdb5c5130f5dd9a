"""Decision trees, random forests and extra trees on products of H, S and E factors."""

from typing import TYPE_CHECKING, Unpack

from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from noneuclid.classifiers.parameter_types import (
    ProductForestClassifierParameters,
    ProductForestParameters,
    ProductTreeClassifierParameters,
    ProductTreeParameters,
    Space,
)
from noneuclid.classifiers.product_tree_base import ProductTreeClassifier, ProductTreeRegressor
from noneuclid.classifiers.product_tree_kinds import Forest, OneTree

_OF_CLASSES = ("gini", "entropy", "log_loss")
_OF_NUMBERS = ("squared_error",)


class ProductDecisionTreeClassifier(
    OneTree, ProductTreeClassifier, model=DecisionTreeClassifier, criteria=_OF_CLASSES
):
    r"""Decision tree on a product of hyperbolic, spherical and flat factors.

    A split is a totally geodesic hypersurface of one factor [1]_. Along an axis of an H factor it
    is the geodesic hyperplane of `HyperbolicDecisionTreeClassifier`, along an axis of an E factor
    that of CART; in the plane of two axes of an S factor, the half circle [theta, theta + pi) is
    separated from the rest. Thresholds are midpoints, by geodesic distance or by angle.

    Parameters
    ----------
    space : str, ProductSpace or None, default=None
        Space of the rows: a signature such as "H2 S2 E1" for the default charts, or a
        `noneuclid.geometry.ProductSpace`. None is flat space, one axis a column.
    n_features : {"auto", "d", "d_choose_2"}, default="auto"
        Along which axes and around which planes to split. "auto": all axes of H and E, and the
        planes of all pairs of axes of S. "d": of S those planes alone that contain the pole, axis
        0, which makes as many features as the space has dimensions. "d_choose_2", as in the
        experiments of [1]_: the planes of H and E, too, whose half circles end at the origin.
    criterion : {"gini", "entropy", "log_loss"}, default="gini"
    max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_features
        As for scikit-learn's `DecisionTreeClassifier`, with its defaults.
    random_state, min_impurity_decrease, class_weight
        As for scikit-learn's `DecisionTreeClassifier`, with its defaults; minima are numbers of
        rows. Among splits of equal impurity the first feature's is taken, at its lowest threshold,
        not one at random.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    space_ : ProductSpace
    feature_names_ : list of str
        Axes and planes, such as "H2: axis 1" and "S2: axes 0, 1", numbered and named as in
        `export_text`.
    feature_importances_ : ndarray, shape (n_split_features,)
    trees_ : list of one `ProductTree`

    See Also
    --------
    ProductRandomForestClassifier : A forest of these trees.
    ProductCoordinates : Columns on which any tree method of scikit-learn, such as boosting, runs.
    export_text : The splits as text.
    HyperbolicDecisionTreeClassifier : A single H factor, with pruning and missing values.

    Notes
    -----
    O(F n log n) for F features, then O(F n) for each level of the tree. Pruning, `max_leaf_nodes`,
    `splitter` and several numbers a row are left out: forests do not need the former.

    References
    ----------
    .. [1] P. Chlenski, Q. Chu, R. R. Khan, K. Du, A. K. Moretti, I. Pe'er, Mixed-curvature
       decision trees and random forests, ICML 2025. Differs in: the midpoint around a plane is
       that of the two angles on both sides of the gap, not of the angle and the nearest one of
       the other side; splits without gain are tried, as in scikit-learn; features are drawn at
       each node.

    Examples
    --------
    >>> from noneuclid import ProductDecisionTreeClassifier
    >>> from noneuclid.geometry import ProductSpace
    >>> space = ProductSpace("S2 E1")
    >>> X = space.random_wrapped_normal(100, random_state=0)
    >>> y = X[:, 1] > 0  # a half of the sphere
    >>> tree = ProductDecisionTreeClassifier(space=space).fit(X, y)
    >>> tree.get_depth(), tree.feature_names_[tree.feature_importances_.argmax()]
    (1, 'S2: axes 0, 1')
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            space: Space | None = None,
            /,
            **parameters: Unpack[ProductTreeClassifierParameters],
        ) -> None: ...


class ProductDecisionTreeRegressor(
    OneTree, ProductTreeRegressor, model=DecisionTreeRegressor, criteria=_OF_NUMBERS
):
    """Regression tree on a product of hyperbolic, spherical and flat factors.

    Parameters
    ----------
    space, n_features
        As for `ProductDecisionTreeClassifier`.
    criterion : {"squared_error"}, default="squared_error"
    max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_features, \
random_state, min_impurity_decrease
        As for scikit-learn's `DecisionTreeRegressor`, with its defaults; minima are numbers of
        rows.

    Attributes
    ----------
    space_ : ProductSpace
    feature_names_ : list of str
    feature_importances_ : ndarray, shape (n_split_features,)
    trees_ : list of one `ProductTree`

    See Also
    --------
    ProductDecisionTreeClassifier : The splits, with their source.
    ProductRandomForestRegressor : A forest of these trees.

    Examples
    --------
    >>> from noneuclid import ProductDecisionTreeRegressor
    >>> tree = ProductDecisionTreeRegressor(space="S1", max_depth=1)
    >>> tree.fit([[0, 1], [0.6, 0.8], [0, -1]], [1.0, 3.0, 7.0]).predict([[0.8, 0.6], [0.6, -0.8]])
    array([2., 7.])
    """

    if TYPE_CHECKING:

        def __init__(
            self, space: Space | None = None, /, **parameters: Unpack[ProductTreeParameters]
        ) -> None: ...


class ProductRandomForestClassifier(
    Forest, ProductTreeClassifier, model=RandomForestClassifier, criteria=_OF_CLASSES
):
    """Random forest on a product of hyperbolic, spherical and flat factors.

    It is that of Chlenski et al. (2025), with the trees of `ProductDecisionTreeClassifier`.

    Parameters
    ----------
    n_estimators, max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, \
max_features, min_impurity_decrease, bootstrap, oob_score, n_jobs, random_state, class_weight
        As for scikit-learn's `RandomForestClassifier`, with its defaults (the paper's experiments:
        12 trees of depth 5, features drawn once a tree); minima are numbers of rows, and `n_jobs`
        threads grow trees.
    criterion : {"gini", "entropy", "log_loss"}, default="gini"
    space, n_features
        As for `ProductDecisionTreeClassifier`.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    space_ : ProductSpace
    feature_names_ : list of str
    feature_importances_ : ndarray, shape (n_split_features,)
    trees_ : list of `ProductTree`
    estimators_ : list of ProductDecisionTreeClassifier
    oob_score_ : float
        Accuracy on the rows that a tree has not seen, if `oob_score`.

    See Also
    --------
    ProductDecisionTreeClassifier : The splits, with their source.
    ProductExtraTreesClassifier : Random thresholds.

    Examples
    --------
    >>> from noneuclid import ProductRandomForestClassifier
    >>> from noneuclid.geometry import ProductSpace
    >>> X = ProductSpace("H2 S2").random_wrapped_normal(100, random_state=0)
    >>> y = X[:, 1] * X[:, 4] > 0
    >>> forest = ProductRandomForestClassifier(space="H2 S2", oob_score=True, random_state=0)
    >>> forest.fit(X, y).oob_score_ > 0.7
    True
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            space: Space | None = None,
            /,
            **parameters: Unpack[ProductForestClassifierParameters],
        ) -> None: ...

    _tree = ProductDecisionTreeClassifier


class ProductRandomForestRegressor(
    Forest, ProductTreeRegressor, model=RandomForestRegressor, criteria=_OF_NUMBERS
):
    """Random forest of regression trees on a product of hyperbolic, spherical and flat factors.

    Parameters
    ----------
    n_estimators, max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, \
max_features, min_impurity_decrease, bootstrap, oob_score, n_jobs, random_state
        As for scikit-learn's `RandomForestRegressor`, with its defaults; minima are numbers of
        rows, and `n_jobs` threads grow trees.
    criterion : {"squared_error"}, default="squared_error"
    space, n_features
        As for `ProductDecisionTreeClassifier`.

    Attributes
    ----------
    space_ : ProductSpace
    feature_names_ : list of str
    feature_importances_ : ndarray, shape (n_split_features,)
    trees_ : list of `ProductTree`
    estimators_ : list of ProductDecisionTreeRegressor
    oob_score_ : float
        R² on the rows that a tree has not seen, if `oob_score`.

    See Also
    --------
    ProductDecisionTreeClassifier : The splits, with their source.
    ProductExtraTreesRegressor : Random thresholds.

    Examples
    --------
    >>> from noneuclid import ProductRandomForestRegressor
    >>> forest = ProductRandomForestRegressor(space="S1", n_estimators=9, random_state=0)
    >>> X, y = [[0, 1], [0.6, 0.8], [0, -1], [0.6, -0.8]] * 5, [1.0, 1.0, 7.0, 7.0] * 5
    >>> forest.fit(X, y).predict([[0.28, 0.96], [0.28, -0.96]]).round(12).tolist()
    [1.0, 7.0]
    """

    if TYPE_CHECKING:

        def __init__(
            self, space: Space | None = None, /, **parameters: Unpack[ProductForestParameters]
        ) -> None: ...

    _tree = ProductDecisionTreeRegressor


class ProductExtraTreesClassifier(
    Forest, ProductTreeClassifier, model=ExtraTreesClassifier, criteria=_OF_CLASSES
):
    """Extremely randomised trees on a product of hyperbolic, spherical and flat factors.

    The threshold of a feature is uniform among those that leave rows on both sides.

    Parameters
    ----------
    n_estimators, max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, \
max_features, min_impurity_decrease, bootstrap, oob_score, n_jobs, random_state, class_weight
        As for scikit-learn's `ExtraTreesClassifier`, with its defaults; minima are numbers of
        rows, and `n_jobs` threads grow trees.
    criterion : {"gini", "entropy", "log_loss"}, default="gini"
    space, n_features
        As for `ProductDecisionTreeClassifier`.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    space_ : ProductSpace
    feature_names_ : list of str
    feature_importances_ : ndarray, shape (n_split_features,)
    trees_ : list of `ProductTree`
    estimators_ : list of ProductDecisionTreeClassifier
    oob_score_ : float
        Accuracy on the rows that a tree has not seen, if `oob_score` and `bootstrap`.

    See Also
    --------
    ProductDecisionTreeClassifier : The splits, with their source.
    ProductRandomForestClassifier : Best thresholds.

    Examples
    --------
    >>> from noneuclid import ProductExtraTreesClassifier
    >>> forest = ProductExtraTreesClassifier(space="S1", n_estimators=9, random_state=0)
    >>> forest.fit([[0, 1], [0.6, 0.8], [0, -1]], ["a", "a", "b"]).predict([[0.28, 0.96]]).tolist()
    ['a']
    """

    if TYPE_CHECKING:

        def __init__(
            self,
            space: Space | None = None,
            /,
            **parameters: Unpack[ProductForestClassifierParameters],
        ) -> None: ...

    _tree = ProductDecisionTreeClassifier
    _random = True


class ProductExtraTreesRegressor(
    Forest, ProductTreeRegressor, model=ExtraTreesRegressor, criteria=_OF_NUMBERS
):
    """Extremely randomised regression trees on a product of hyperbolic, spherical, flat factors.

    Parameters
    ----------
    n_estimators, max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, \
max_features, min_impurity_decrease, bootstrap, oob_score, n_jobs, random_state
        As for scikit-learn's `ExtraTreesRegressor`, with its defaults; minima are numbers of rows,
        and `n_jobs` threads grow trees.
    criterion : {"squared_error"}, default="squared_error"
    space, n_features
        As for `ProductDecisionTreeClassifier`.

    Attributes
    ----------
    space_ : ProductSpace
    feature_names_ : list of str
    feature_importances_ : ndarray, shape (n_split_features,)
    trees_ : list of `ProductTree`
    estimators_ : list of ProductDecisionTreeRegressor
    oob_score_ : float
        R² on the rows that a tree has not seen, if `oob_score` and `bootstrap`.

    See Also
    --------
    ProductDecisionTreeClassifier : The splits, with their source.
    ProductExtraTreesClassifier : How thresholds are drawn.

    Examples
    --------
    >>> from noneuclid import ProductExtraTreesRegressor
    >>> forest = ProductExtraTreesRegressor(space="S1", n_estimators=9, random_state=0)
    >>> forest.fit([[0, 1], [0.6, 0.8], [0, -1]], [1.0, 1.0, 7.0]).predict([[0.28, 0.96]]).tolist()
    [1.0]
    """

    if TYPE_CHECKING:

        def __init__(
            self, space: Space | None = None, /, **parameters: Unpack[ProductForestParameters]
        ) -> None: ...

    _tree = ProductDecisionTreeRegressor
    _random = True
