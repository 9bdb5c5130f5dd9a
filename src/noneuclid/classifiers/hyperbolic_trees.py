"""Decision tree and random forest whose splits are hyperbolic hyperplanes."""

from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from noneuclid.classifiers.tree_base import HyperbolicTreeClassifier


class HyperbolicDecisionTreeClassifier(HyperbolicTreeClassifier):
    """HyperDT [1]_: a decision tree with hyperbolic hyperplanes, at scikit-learn's own speed.

    Along axis d, artanh(x_d / x_0) orders the points as the angles of [1]_ do, and the middle of
    two values is the geodesic midpoint of its eq. 10: CART on these coordinates is HyperDT.

    Parameters
    ----------
    criterion, splitter, max_depth, min_samples_split, min_samples_leaf, \
min_weight_fraction_leaf, max_features, random_state, max_leaf_nodes, min_impurity_decrease, \
class_weight, ccp_alpha
        As for scikit-learn's `DecisionTreeClassifier`, with its defaults ([1]_: max_depth=3).
    chart : {"tangent", "poincare", "klein", "hyperboloid"}, default="tangent"
        How the rows of X are written.
    curvature : float > 0, default=1.0
        K; the space has curvature -K. Points are scaled to K = 1.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    model_ : DecisionTreeClassifier
        Trained on `tree_base.axis_coordinates`; a threshold t on feature d is the hyperplane
        x_{d+1} = x_0 tanh t.
    feature_importances_ : ndarray, shape (d,)

    Raises
    ------
    InputError
        If a row of X does not satisfy the chart, or y holds one class.

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

    _model = DecisionTreeClassifier
    _parameter_constraints = {  # noqa: RUF012
        **DecisionTreeClassifier._parameter_constraints,
        **HyperbolicTreeClassifier.chart_constraints,
    }
    _parameter_constraints.pop("monotonic_cst")

    def __init__(
        self,
        *,
        criterion="gini",
        splitter="best",
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        min_weight_fraction_leaf=0.0,
        max_features=None,
        random_state=None,
        max_leaf_nodes=None,
        min_impurity_decrease=0.0,
        class_weight=None,
        ccp_alpha=0.0,
        chart="tangent",
        curvature=1.0,
    ):
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.chart = chart
        self.curvature = curvature


class HyperbolicRandomForestClassifier(HyperbolicTreeClassifier):
    """HyperRF [1]_: a random forest of hyperbolic decision trees, at scikit-learn's own speed.

    Parameters
    ----------
    n_estimators, criterion, max_depth, min_samples_split, min_samples_leaf, \
min_weight_fraction_leaf, max_features, max_leaf_nodes, min_impurity_decrease, bootstrap, \
oob_score, n_jobs, random_state, verbose, class_weight, ccp_alpha, max_samples
        As for scikit-learn's `RandomForestClassifier`, with its defaults ([1]_: 12 trees of
        depth 3).
    chart, curvature
        As for `HyperbolicDecisionTreeClassifier`.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    model_ : RandomForestClassifier
        Trained on `tree_base.axis_coordinates`.
    feature_importances_ : ndarray, shape (d,)

    Raises
    ------
    InputError
        If a row of X does not satisfy the chart, or y holds one class.

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

    _model = RandomForestClassifier
    _parameter_constraints = {  # noqa: RUF012
        **RandomForestClassifier._parameter_constraints,
        **HyperbolicTreeClassifier.chart_constraints,
    }
    _parameter_constraints.pop("monotonic_cst")
    _parameter_constraints.pop("warm_start")

    def __init__(
        self,
        *,
        n_estimators=100,
        criterion="gini",
        max_depth=None,
        min_samples_split=2,
        min_samples_leaf=1,
        min_weight_fraction_leaf=0.0,
        max_features="sqrt",
        max_leaf_nodes=None,
        min_impurity_decrease=0.0,
        bootstrap=True,
        oob_score=False,
        n_jobs=None,
        random_state=None,
        verbose=0,
        class_weight=None,
        ccp_alpha=0.0,
        max_samples=None,
        chart="tangent",
        curvature=1.0,
    ):
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.bootstrap = bootstrap
        self.oob_score = oob_score
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.max_samples = max_samples
        self.chart = chart
        self.curvature = curvature
