"""k-medoids by hyperbolic or given distances."""

import warnings
from numbers import Integral
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers.chart_estimator import ChartEstimator
from noneuclid.classifiers.default_chart import question_default
from noneuclid.classifiers.parameter_types import Chart, Seed
from noneuclid.classifiers.sklearn_private import Interval, StrOptions, check_parameters
from noneuclid.classifiers.validation import read
from noneuclid.classifiers.weights import check_row_weights
from noneuclid.errors import InputError, require
from noneuclid.geometry.distance_kernels import psi
from noneuclid.solvers.hyperboloid.statistics.medoids import alternate, draw_medoids, faster_pam

_METHODS = {"fasterpam": faster_pam, "alternate": alternate}


class HyperbolicKMedoids(
    ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin, ChartEstimator
):
    """Clusters around rows, the medoids, with the least sum of distances.

    Parameters
    ----------
    n_clusters : int, default=8
    metric : {"geodesic", "precomputed"}, default="geodesic"
        Hyperbolic distance, or X is a matrix of distances of any kind, such as those of
        `geometry.pairwise_polytope_distances`.
    method : {"fasterpam", "alternate"}, default="fasterpam"
        FasterPAM [1]_ swaps medoids with other rows until no swap lowers the inertia. "alternate"
        assigns rows and takes the best medoid of each cluster in turn; its optima are worse.
    init : {"k-medoids++", "random"} or array-like of int, default="k-medoids++"
        First medoids: drawn as in k-means++, drawn with equal probability, or the numbers of the
        rows.
    max_iter : int, default=300
    random_state : int, RandomState or None, default=None
        Draws the first medoids.
    chart : {"tangent", "poincare", "klein", "hyperboloid"} or None, default=None
        How the rows of X are written. None reads tangent vectors, as a table holds, and warns if
        the rows look like points of another chart: embeddings return ``"poincare"`` by default.
    curvature : float > 0, default=1.0
        K; the space has curvature -K.

    Attributes
    ----------
    medoid_indices_ : ndarray of int, shape (n_clusters,)
        Rows of the medoids.
    cluster_centers_ : ndarray, shape (n_clusters, d), or None
        The medoids, in the chart; None for given distances.
    labels_ : ndarray of int, shape (n,)
    inertia_ : float
        Weighted sum of the distances from the nearest medoid.
    n_iter_ : int

    See Also
    --------
    HyperbolicKMeans : Fréchet means as centers.
    geometry.pairwise_distances : Also for scipy's hierarchical clustering.

    Notes
    -----
    The matrix of distances has n² numbers. A pass takes O(n²) time.

    References
    ----------
    .. [1] E. Schubert, P. Rousseeuw, Fast and eager k-medoids clustering: O(k) runtime improvement
       of the PAM, CLARA, and CLARANS algorithms, Information Systems 101, 2021.

    Examples
    --------
    >>> from noneuclid import HyperbolicKMedoids
    >>> X = [[0.8, 0.0], [0.0, 0.8], [0.8, 0.1], [0.1, 0.8], [0.7, 0.0]]
    >>> HyperbolicKMedoids(2, random_state=0, chart="poincare").fit_predict(X)
    array([0, 1, 0, 1, 0], dtype=int32)
    """

    _parameter_constraints = {  # noqa: RUF012
        **ChartEstimator._parameter_constraints,
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "metric": [StrOptions({"geodesic", "precomputed"})],
        "method": [StrOptions(set(_METHODS))],
        "init": [StrOptions({"k-medoids++", "random"}), "array-like"],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        metric: Literal["geodesic", "precomputed"] = "geodesic",
        method: Literal["fasterpam", "alternate"] = "fasterpam",
        init: Literal["k-medoids++", "random"] | ArrayLike = "k-medoids++",
        max_iter: int = 300,
        random_state: Seed | None = None,
        chart: Chart | None = None,
        curvature: float = 1.0,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.method = method
        self.init = init
        self.max_iter = max_iter
        self.random_state = random_state
        self.chart = chart
        self.curvature = curvature

    @check_parameters
    def fit(self, X: ArrayLike, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Find the medoids.

        Parameters
        ----------
        X : array-like, shape (n, d), or (n, d + 1) for chart "hyperboloid"
            For ``metric="precomputed"`` distances, shape (n, n).
        y : None
            Ignored.
        sample_weight : array-like, shape (n,), or None
            Finite numbers >= 0: 2 counts as two equal rows, 0 as none: such a row is no medoid.

        Returns
        -------
        self

        Raises
        ------
        InputError
            If a row of X does not satisfy the chart, a distance is negative, a weight is negative
            or not finite, there are fewer rows of weight > 0 than clusters, or `init` names no
            rows.
        """
        distances, table = self._measure(X)
        weights = check_row_weights(sample_weight, distances)
        kept = np.flatnonzero(weights)
        inner = distances if len(kept) == len(weights) else distances[np.ix_(kept, kept)]
        first = self._first(inner, weights[kept], kept)
        found, self.n_iter_ = _METHODS[self.method](inner, weights[kept], first, self.max_iter)
        self.medoid_indices_ = kept[found]
        self.cluster_centers_ = None if table is None else table[self.medoid_indices_]
        near = distances[:, self.medoid_indices_]
        self.labels_ = near.argmin(axis=1).astype(np.int32)
        self.inertia_ = float(weights @ near.min(axis=1))
        if self.n_iter_ == self.max_iter and self.n_clusters > 1:
            warnings.warn(
                f"HyperbolicKMedoids: {self.n_iter_} passes did not end the swaps; raise max_iter",
                ConvergenceWarning,
                stacklevel=3,
            )
        return self

    def transform(self, X: ArrayLike) -> np.ndarray:
        """Distances from the medoids.

        Parameters
        ----------
        X : array-like, in the chart of `fit`
            For ``metric="precomputed"`` distances from the rows of `fit`, shape (m, n).

        Returns
        -------
        ndarray, shape (m, n_clusters)
        """
        check_is_fitted(self)
        X = read(self, X, reset=False)
        if self.metric == "precomputed":
            return _check_distances(X)[:, self.medoid_indices_]
        centers = self._to_points(self.cluster_centers_)
        return psi(self._to_points(X), centers, "laplace") / np.sqrt(self.curvature)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Cluster of the nearest medoid of each row.

        Parameters
        ----------
        X : array-like, as for `transform`

        Returns
        -------
        ndarray of int, shape (m,)
        """
        return self.transform(X).argmin(axis=1).astype(np.int32)

    def _measure(self, X):
        """Distances of the rows, and their table, None if the distances are given."""
        X = read(self, X)
        if self.metric == "geodesic":
            question_default(self, X)
            return psi(self._to_points(X), kind="laplace") / np.sqrt(self.curvature), X
        require(
            X.shape[0] == X.shape[1],
            f"metric='precomputed' needs a square matrix of distances, got shape {X.shape}",
        )
        return np.ascontiguousarray(_check_distances(X)), None

    def _first(self, distances, weights, kept):
        """First medoids, as positions among the rows that are kept."""
        rng = check_random_state(self.random_state)
        require(
            len(kept) >= self.n_clusters,
            f"n_clusters = {self.n_clusters}, but n_samples = {len(kept)} rows of weight > 0; "
            "lower n_clusters",
        )
        if not isinstance(self.init, str):
            init = np.asarray(self.init)
            legal = init.shape == (self.n_clusters,) and init.dtype.kind in "iu"
            require(
                legal and len(np.unique(init)) == len(init) and np.isin(init, kept).all(),
                f"init = {init.tolist()}; give the numbers of {self.n_clusters} rows of weight > 0",
            )
            return np.searchsorted(kept, init)
        if self.init == "random":
            return rng.choice(len(kept), self.n_clusters, replace=False)
        return draw_medoids(distances, weights, self.n_clusters, rng)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.input_tags.positive_only = self.metric == "precomputed"
        return tags

    @property
    def _n_features_out(self):
        return self.n_clusters


def _check_distances(X):
    """Distances, none negative."""
    for row, column in np.argwhere(X < 0)[:1]:
        raise InputError(
            f"the distance at row {row}, column {column} is {X[row, column]}; give numbers >= 0"
        )
    return X
