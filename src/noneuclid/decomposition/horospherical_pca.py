"""Principal components by horospherical projections (HoroPCA)."""

from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted

from noneuclid.classifiers.chart_estimator import ChartEstimator
from noneuclid.classifiers.parameter_types import Chart
from noneuclid.classifiers.sklearn_private import Interval, check_parameters
from noneuclid.classifiers.weights import check_row_weights
from noneuclid.errors import require
from noneuclid.estimator import without_gradient
from noneuclid.geometry import lorentz, tangent
from noneuclid.geometry.charts import REACH
from noneuclid.geometry.horospheres import rays
from noneuclid.geometry.means import mean_and_covariance
from noneuclid.geometry.normal_coordinates import radial_frame, seen_from
from noneuclid.solvers.hyperboloid.statistics.horospherical import find_ideals, project


class HorosphericalPCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ChartEstimator):
    """Principal components by projections along horospheres: HoroPCA.

    The method is that of [1]_. Rows are projected on a geodesic subspace through their Fréchet
    mean, spanned by ideal points p_1, ..., p_k. The projection keeps the Busemann function of each
    p_j, which measures distances towards it, so distances shrink less than by the nearest point of
    the subspace. The ideal points maximise the variance of the projection one after the other, with
    those before them fixed.

    Parameters
    ----------
    n_components : int, default=2
        Dimension k of the subspace.
    chart : {"tangent", "poincare", "klein", "hyperboloid"} or None, default=None
        How the rows of X are written. None reads tangent vectors, as a table holds, and warns if
        the rows look like points of another chart: embeddings return ``"poincare"`` by default.
    curvature : float > 0, default=1.0
        K; the space has curvature -K.

    Attributes
    ----------
    mean_ : ndarray, shape (d,), or (d + 1,) for chart "hyperboloid"
        Fréchet mean of the rows, in the chart.
    components_ : ndarray, shape (n_components, d)
        Directions of the ideal points, orthonormal, in the frame that the boost from the origin
        carries to the mean.
    explained_variance_ : ndarray, shape (n_components,)
        What each component adds to the mean squared distance of the projection from its Fréchet
        mean, in units of the space of curvature -K. The second can be the largest: a line cannot
        hold the distances of points in all directions.
    explained_variance_ratio_ : ndarray, shape (n_components,)
        The same, divided by the mean squared distance of the rows from theirs.

    See Also
    --------
    PrincipalGeodesicAnalysis : In closed form, in the tangent space; its distances are too short.

    Notes
    -----
    As in the authors' program, ideal points are seen at right angles from the mean; it moves them
    together, not one after the other. The variance is the mean squared distance from the Fréchet
    mean, O(n d k) for each step of BFGS, where the paper takes the mean over pairs of rows. The
    optimum is a local one, the best from both directions along the three largest principal axes.
    For k > 1 a row beyond the hyperplane of the ideal points is folded to the side of the mean
    [1]_, also if k = d. The variance of a line is that of the Busemann function.

    References
    ----------
    .. [1] I. Chami, A. Gu, D. Nguyen, C. Ré, HoroPCA: hyperbolic dimensionality reduction via
       horospherical projections, ICML 2021, section 4.

    Examples
    --------
    >>> from noneuclid import HorosphericalPCA, geometry
    >>> X = geometry.random_uniform(100, 5, radius=3.0, random_state=0)
    >>> model = HorosphericalPCA(2, chart="poincare").fit(X)
    >>> model.transform(X).shape, model.inverse_transform(model.transform(X)).shape
    ((100, 2), (100, 5))
    """

    _parameter_constraints = {  # noqa: RUF012
        **ChartEstimator._parameter_constraints,
        "n_components": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self, n_components: int = 2, *, chart: Chart | None = None, curvature: float = 1.0
    ) -> None:
        self.n_components = n_components
        self.chart = chart
        self.curvature = curvature

    @check_parameters
    def fit(self, X: ArrayLike, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Find the mean and the ideal points.

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
            If a row of X does not satisfy the chart, a weight is negative or not finite, or there
            are fewer dimensions than components.
        """
        points = self._read_training(X)
        weights = check_row_weights(sample_weight, points)
        d = points.shape[1] - 1
        require(
            self.n_components <= d,
            f"n_components = {self.n_components}, but the points have {d} dimensions; lower it",
        )
        mean, covariance = mean_and_covariance(points, weights)
        self.mean_ = self._to_chart(mean)
        polar = self._seen_from_mean(points)
        self.components_, found = find_ideals(polar, weights, self.n_components)
        added = np.diff(found, prepend=0.0)
        self.explained_variance_ = added / self.curvature
        self.explained_variance_ratio_ = added / (np.trace(covariance) or 1.0)
        return self

    def transform(self, X: ArrayLike) -> np.ndarray:
        """Project rows on the subspace.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n, n_components), or (n, n_components + 1) for chart "hyperboloid"
            Points of the hyperbolic space of this dimension, in the chart, the mean at the origin.
        """
        polar = self._seen_from_mean(self._read_new(X))
        return self._to_chart(project(polar, self.components_))

    def inverse_transform(self, X: ArrayLike) -> np.ndarray:
        """Points of the subspace, in the space of the rows.

        Parameters
        ----------
        X : array-like, shape (n, n_components), or (n, n_components + 1) for chart "hyperboloid"

        Returns
        -------
        ndarray, shape (n, d), or (n, d + 1) for chart "hyperboloid"
            In the chart.

        Raises
        ------
        InputError
            If X has another number of columns, or the chart does not hold a point.
        """
        check_is_fitted(self)
        X = check_array(without_gradient(X), dtype=np.float64)
        require(
            X.shape[1] == self._n_features_out,
            f"X has {X.shape[1]} columns, but its points have {self._n_features_out}",
        )
        spatial = self._to_points(X)[:, 1:] @ self.components_
        origin = lorentz.origin(spatial.shape[1])
        vectors = tangent.flatten(lorentz.from_spatial(spatial), origin)
        with np.errstate(over="ignore", invalid="ignore"):  # `_to_chart` refuses the result
            lifted = tangent.lift(vectors, self._mean())
        return self._to_chart(lifted)

    def _mean(self):
        return self._to_points(self.mean_[None])[0]

    def _seen_from_mean(self, points):
        """The points in polar form, with the mean at the origin."""
        mean = self._mean()
        frame = radial_frame(mean)
        spatial = seen_from(points, mean, frame)[0] @ frame.T
        far = np.flatnonzero(np.abs(spatial).max(axis=1) > np.sinh(REACH["hyperboloid"]))
        require(
            not far.size,
            f"row {far[0] if far.size else ''} is more than "
            f"{REACH['hyperboloid'] / np.sqrt(self.curvature):.6g} from the Fréchet mean, beyond "
            "what float64 holds; divide all coordinates, or drop it",
        )
        return rays(lorentz.from_spatial(spatial))

    @property
    def _n_features_out(self):
        return self.n_components + (self.chart == "hyperboloid")
