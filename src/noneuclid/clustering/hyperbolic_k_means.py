"""k-means with Fréchet means and hyperbolic distances."""

import warnings
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state

from noneuclid.classifiers.chart_estimator import ChartEstimator
from noneuclid.classifiers.parameter_types import Chart, Seed
from noneuclid.classifiers.sklearn_private import Interval, StrOptions, check_parameters
from noneuclid.classifiers.weights import check_row_weights
from noneuclid.errors import require
from noneuclid.geometry.distance_kernels import psi
from noneuclid.geometry.means import mean_and_covariance
from noneuclid.solvers.hyperboloid.statistics.lloyd import nearest_centre, run_lloyd
from noneuclid.solvers.hyperboloid.statistics.wrapped_normals import draw_seeds


class HyperbolicKMeans(
    ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin, ChartEstimator
):
    r"""k-means clustering with Fréchet means and hyperbolic distances.

    scikit-learn's `KMeans` in hyperbolic space: Lloyd's iteration [1]_ assigns each row to the
    nearest center and moves each center to the Fréchet mean of its rows. Neither step raises the
    inertia, the sum of squared distances :math:`\sum_i q_i \min_k d(x_i, c_k)^2` of rows of weight
    :math:`q_i` from their centers :math:`c_k`; the end is a local optimum. Isometries of the space
    move the centers and change no label.

    Parameters
    ----------
    n_clusters : int, default=8
    init : {"k-means++", "random"} or array-like, shape (n_clusters, d), default="k-means++"
        Greedy k-means++ [2]_ with hyperbolic distances, rows drawn in proportion to their weights,
        or the first centers, in the chart.
    n_init : int or "auto", default="auto"
        Runs, of which the least inertia is kept. "auto" is 10 for "random", else 1.
    max_iter : int, default=300
    tol : float >= 0, default=1e-4
        A run ends when the sum of the squared moves of the centers is below `tol` times the
        variance of the rows in one direction, or when no label changes.
    random_state : int, RandomState or None, default=None
        Draws the first centers.
    chart : {"tangent", "poincare", "klein", "hyperboloid"} or None, default=None
        How the rows of X are written. None reads tangent vectors, as a table holds, and warns if
        the rows look like points of another chart: embeddings return ``"poincare"`` by default.
    curvature : float > 0, default=1.0
        K; the space has curvature -K.

    Attributes
    ----------
    cluster_centers_ : ndarray, shape (n_clusters, d), or (n_clusters, d + 1) for "hyperboloid"
        In the chart.
    labels_ : ndarray of int, shape (n,)
    inertia_ : float
        Weighted sum of the squared distances from the nearest center, in units of the space of
        curvature -K.
    n_iter_ : int
        Of the run that is kept.

    See Also
    --------
    HyperbolicKMedoids : Rows as centers; any distance.
    WrappedNormalMixture : Clusters of unequal spread and shape.

    Notes
    -----
    An iteration takes O(n k d + n d²) time. An empty cluster takes the row farthest from its
    center, as in scikit-learn.

    References
    ----------
    .. [1] S. Lloyd, Least squares quantization in PCM, IEEE Transactions on Information Theory 28,
       1982.
    .. [2] D. Arthur, S. Vassilvitskii, k-means++: the advantages of careful seeding, SODA 2007.

    Examples
    --------
    >>> from noneuclid import HyperbolicKMeans
    >>> X = [[0.8, 0.0], [0.0, 0.8], [0.8, 0.1], [0.1, 0.8]]
    >>> model = HyperbolicKMeans(2, init=[[0.5, 0.0], [0.0, 0.5]], chart="poincare").fit(X)
    >>> model.labels_
    array([0, 1, 0, 1], dtype=int32)
    >>> model.cluster_centers_.round(3)
    array([[0.795, 0.05 ],
           [0.05 , 0.795]])
    """

    _parameter_constraints = {  # noqa: RUF012
        **ChartEstimator._parameter_constraints,
        "n_clusters": [Interval(Integral, 1, None, closed="left")],
        "init": [StrOptions({"k-means++", "random"}), "array-like"],
        "n_init": [StrOptions({"auto"}), Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Literal["k-means++", "random"] | ArrayLike = "k-means++",
        n_init: int | Literal["auto"] = "auto",
        max_iter: int = 300,
        tol: float = 1e-4,
        random_state: Seed | None = None,
        chart: Chart | None = None,
        curvature: float = 1.0,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.chart = chart
        self.curvature = curvature

    @check_parameters
    def fit(self, X: ArrayLike, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Find the clusters.

        Parameters
        ----------
        X : array-like, shape (n, d), or (n, d + 1) for chart "hyperboloid"
        y : None
            Ignored.
        sample_weight : array-like, shape (n,), or None
            Finite numbers >= 0: 2 counts as two equal rows, 0 as none.

        Returns
        -------
        self

        Raises
        ------
        InputError
            If a row of X does not satisfy the chart, a weight is negative or not finite, there are
            fewer rows of weight > 0 than clusters, or `init` has another shape.
        """
        points = self._read_training(X)
        weights = check_row_weights(sample_weight, points)
        kept = weights > 0
        self._require_rows(np.count_nonzero(kept))
        centers, self.n_iter_ = self._cluster(points[kept], weights[kept])
        self.cluster_centers_ = self._to_chart(centers)
        # From the centers as they are written, so that `predict` gives the same labels.
        self.labels_, squares = nearest_centre(points, self._to_points(self.cluster_centers_))
        self.inertia_ = float(weights @ squares) / self.curvature
        found = len(np.unique(self.labels_[kept]))
        if found < self.n_clusters:
            warnings.warn(
                f"HyperbolicKMeans: {found} clusters have rows, but n_clusters = "
                f"{self.n_clusters}; X may have fewer distinct rows: lower n_clusters",
                ConvergenceWarning,
                stacklevel=3,
            )
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Cluster of the nearest center of each row.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray of int, shape (n,)
        """
        points = self._read_new(X)
        return nearest_centre(points, self._to_points(self.cluster_centers_))[0]

    def transform(self, X: ArrayLike) -> np.ndarray:
        """Distances from the centers.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n, n_clusters)
            In units of the space of curvature -K.
        """
        points = self._read_new(X)
        centers = self._to_points(self.cluster_centers_)
        return psi(points, centers, "laplace") / np.sqrt(self.curvature)

    def score(self, X: ArrayLike, y: Any = None, sample_weight: ArrayLike | None = None) -> float:
        """Minus the inertia of these rows.

        Parameters
        ----------
        X : array-like, in the chart of `fit`
        y : None
            Ignored.
        sample_weight : array-like, shape (n,), or None

        Returns
        -------
        float
        """
        points = self._read_new(X)
        weights = check_row_weights(sample_weight, points)
        squares = nearest_centre(points, self._to_points(self.cluster_centers_))[1]
        return -float(weights @ squares) / self.curvature

    def _require_rows(self, count):
        require(
            count >= self.n_clusters,
            f"n_clusters = {self.n_clusters}, but n_samples = {count} rows of weight > 0; lower "
            "n_clusters",
        )

    def _cluster(self, points, weights):
        """Centers of the best run and its iterations."""
        rng = check_random_state(self.random_state)
        _, covariance = mean_and_covariance(points, weights)
        tol = self.tol * np.trace(covariance) / len(covariance)
        runs = (
            run_lloyd(points, weights, self._first(points, weights, rng), self.max_iter, tol)
            for _ in range(self._count_runs())
        )
        best = min(runs, key=lambda run: run.inertia)
        return best.centres, best.n_iter

    def _count_runs(self):
        if not isinstance(self.init, str):
            return 1
        if self.n_init == "auto":
            return 10 if self.init == "random" else 1
        return self.n_init

    def _first(self, points, weights, rng):
        """First centers, shape (n_clusters, d + 1)."""
        if not isinstance(self.init, str):
            init = np.asarray(self.init, dtype=float)
            require(
                init.shape == (self.n_clusters, self.n_features_in_),
                f"init has shape {init.shape}; give a row of {self.n_features_in_} numbers for "
                f"each of the {self.n_clusters} clusters",
            )
            return self._to_points(init)
        if self.init == "random":
            share = weights / weights.sum()
            return points[rng.choice(len(points), self.n_clusters, replace=False, p=share)]
        return draw_seeds(points, weights, self.n_clusters, rng)

    @property
    def _n_features_out(self):
        return self.n_clusters
