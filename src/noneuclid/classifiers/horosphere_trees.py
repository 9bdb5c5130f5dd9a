"""Decision tree and random forest whose splits are horospheres."""

from numbers import Integral
from typing import TYPE_CHECKING, Unpack

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers.horosphere_base import HorosphereTrees
from noneuclid.classifiers.parameter_types import HorosphereForestParameters
from noneuclid.classifiers.sklearn_private import Interval
from noneuclid.solvers.horospheres.pruning import pruning_path


class HorosphereDecisionTreeClassifier(HorosphereTrees):
    """Decision tree whose splits are horospheres, after HoroRF.

    The tree is that of [1]_ with other candidates. At every node each class, and each group of
    classes merged along their hierarchy, has an ideal point: the end of the geodesic from the mean
    of the other classes through its own. The group whose horospheres there are purest, at 32
    thresholds, is fitted against the rest by a horosphere with a large margin (HoroSVM [2]_), and
    the purest of random ideal points is found alike. The horosphere with the lowest Gini impurity
    around these two splits the node.

    Parameters
    ----------
    max_depth : int or None, default=None
    min_samples_split : int, default=2
    min_samples_leaf : int, default=1
        Rows on each side of a split.
    min_weight_fraction_leaf : float in [0, 0.5], default=0.0
        Share of all weights on each side of a split.
    splitter : {"screened", "best"}, default="screened"
        "best" searches the margin of every group, from its Klein mean, and computes all thresholds
        around every ideal point: about as accurate, and several times slower.
    n_candidates : int, default=5
        Random ideal points at each node.
    class_weight : dict, "balanced" or None, default=None
    random_state : int, RandomState or None, default=None
        Weight C of the margins at each node, and the random ideal points.
    chart : {"tangent", "poincare", "klein", "hyperboloid"} or None, default=None
        How the rows of X are written. None reads tangent vectors, as a table holds, and warns if
        the rows look like points of another chart: embeddings return ``"poincare"`` by default.
    curvature : float > 0, default=1.0
        K; the space has curvature -K. Points are scaled to K = 1.
    ccp_alpha : float >= 0, default=0.0
        Minimal cost-complexity pruning: splits whose removal raises the total Gini impurity of the
        leaves by no more than this for each leaf less are removed.
    verbose : int, default=0
        1 shows progress on stderr.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    trees_ : list of one `HorosphereTree`

    See Also
    --------
    HorosphereForestClassifier : A forest of these trees.
    HyperbolicDecisionTreeClassifier : Splits by geodesic hyperplanes.

    Notes
    -----
    A node of n rows and K classes takes O(n (K d + d² + log n)); "best" O(K n (d² + log n)).

    There is no regressor: ideal points lie behind the means of classes, and numbers have none.

    References
    ----------
    .. [1] L. Doorenbos, P. Márquez-Neila, R. Sznitman, P. Mettes, Hyperbolic random forests,
       TMLR 2024. Differs in: the threshold is the purest, not the margin's, and the
       origin may lie in the horoball; random ideal points compete everywhere, not only where
       margins fail; damped least squares from the means and a rounded hinge instead of
       conjugate gradients from a random start; not all margins are searched unless `splitter` is
       "best"; groups by the Gromov product of the class means;
       rare classes weigh more only by `class_weight`; leaves vote with all their frequencies.
       With the paper's rules for the start and the threshold, the same forest is 0.6 points less
       accurate on 800 points in 8 dimensions, and 2 points in 16 (`benchmarks/horosphere.py`).
    .. [2] X. Fan, C.-H. Yang, B. C. Vemuri, Horospherical decision boundaries for large margin
       classification in hyperbolic space, NeurIPS 2023.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import HorosphereDecisionTreeClassifier
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> tree = HorosphereDecisionTreeClassifier(max_depth=1, chart="poincare", random_state=0)
    >>> tree.fit(X, [1, 1, 0, 0]).predict([[0.9, 0.0], [-0.9, 0.0]])
    array([1, 0])
    """

    def get_depth(self) -> int:
        """Number of splits on the longest way from the root to a leaf.

        Returns
        -------
        int
        """
        check_is_fitted(self)
        return int(self.trees_[0].depths.max())

    def get_n_leaves(self) -> int:
        """Number of leaves.

        Returns
        -------
        int
        """
        check_is_fitted(self)
        return int(np.count_nonzero(self.trees_[0].inside < 0))

    def cost_complexity_pruning_path(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Bunch:
        """Values of `ccp_alpha` at which pruning removes splits, of a tree grown in full.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`.

        Returns
        -------
        Bunch
            `ccp_alphas` and `impurities`, ndarrays of one length: the effective alphas, rising, and
            the total impurity of the leaves of the tree pruned by each.

        Raises
        ------
        InputError
            As `fit` does.
        """
        full = clone(self).set_params(ccp_alpha=0.0).fit(X, y, sample_weight)
        alphas, impurities = pruning_path(full.trees_[0])
        return Bunch(ccp_alphas=alphas, impurities=impurities)


class HorosphereForestClassifier(
    HorosphereTrees, own={"n_estimators": 100, "bootstrap": True, "n_jobs": None}
):
    """Random forest of horosphere trees, after HoroRF.

    It is that of [1]_, with the trees of `HorosphereDecisionTreeClassifier`.

    Parameters
    ----------
    n_estimators : int, default=100
    bootstrap : bool, default=True
        Each tree sees as many rows as there are, drawn with replacement.
    n_jobs : int or None, default=None
        Trees to grow at a time, as for `PoincareSVC`.
    max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, splitter, \
n_candidates, class_weight, random_state, chart, curvature, ccp_alpha, verbose
        As for `HorosphereDecisionTreeClassifier`.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    trees_ : list of `HorosphereTree`
    estimators_ : list of HorosphereDecisionTreeClassifier

    See Also
    --------
    HorosphereDecisionTreeClassifier : One tree.
    HyperbolicRandomForestClassifier : Splits by geodesic hyperplanes.

    References
    ----------
    .. [1] L. Doorenbos, P. Márquez-Neila, R. Sznitman, P. Mettes, Hyperbolic random forests,
       TMLR 2024. Differs as `HorosphereDecisionTreeClassifier` does.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import HorosphereForestClassifier
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> forest = HorosphereForestClassifier(n_estimators=9, chart="poincare", random_state=0)
    >>> forest.fit(X, [1, 1, 0, 0]).predict([[0.9, 0.0], [-0.9, 0.0]])
    array([1, 0])
    """

    if TYPE_CHECKING:

        def __init__(self, **parameters: Unpack[HorosphereForestParameters]) -> None: ...

    _parameter_constraints = {  # noqa: RUF012
        **HorosphereTrees._parameter_constraints,
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
        "bootstrap": ["boolean"],
        "n_jobs": [Integral, None],
    }

    @property
    def estimators_(self) -> list[HorosphereDecisionTreeClassifier]:
        """The trees as fitted classifiers; a list."""
        check_is_fitted(self)
        known = HorosphereDecisionTreeClassifier().get_params()
        settings = {name: getattr(self, name) for name in known}
        return [self._wrap(tree, settings) for tree in self.trees_]

    def _wrap(self, tree, settings):
        wrapped = HorosphereDecisionTreeClassifier(**settings)
        wrapped.trees_ = [tree]
        for name in ("classes_", "n_features_in_", "feature_names_in_"):
            if hasattr(self, name):
                setattr(wrapped, name, getattr(self, name))
        return wrapped

    def _n_trees(self):
        return self.n_estimators

    def _counts(self, n, rng):
        if not self.bootstrap:
            return super()._counts(n, rng)
        return np.bincount(rng.integers(n, size=n), minlength=n)
