"""Mixtures of wrapped normal distributions without labels."""

import warnings
from numbers import Integral, Real
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp
from sklearn.base import DensityMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers.chart_estimator import ChartEstimator
from noneuclid.classifiers.parameter_types import Chart, Seed
from noneuclid.classifiers.sklearn_private import Interval, StrOptions, check_parameters
from noneuclid.classifiers.weights import check_row_weights
from noneuclid.errors import InputError, require, require_number
from noneuclid.geometry.sampling import draw_wrapped_normal
from noneuclid.solvers.hyperboloid.statistics.lloyd import run_lloyd
from noneuclid.solvers.hyperboloid.statistics.mixture_em import fit_mixture
from noneuclid.solvers.hyperboloid.statistics.wrapped_normals import (
    WrappedNormal,
    draw_seeds,
    log_mixture,
)

_LLOYD = 100  # iterations before EM


class WrappedNormalMixture(DensityMixin, ChartEstimator):
    r"""Mixture of wrapped normal distributions, by EM.

    scikit-learn's `GaussianMixture` in hyperbolic space: a component is the image of a normal
    distribution in the tangent space at its mean under the exponential map [1]_. With the weights
    :math:`\pi_k`, for K = 1, the density is

    .. math::

        p(x) = \sum_k \pi_k\, \mathcal{N}(v_k; 0, \Sigma_k)
        \left(\frac{r_k}{\sinh r_k}\right)^{d-1},
        \qquad v_k = \log_{\mu_k}(x), \qquad r_k = \lVert v_k\rVert.

    A run starts from k-means. The M step of a mean and covariance is the normal fit in the tangent
    space: the weighted Fréchet mean and the covariance there. It does not maximise the likelihood
    of a mean exactly, so a step that would lower it is shortened, or left out: the log-likelihood
    never falls from one iteration to the next [2]_. Full and spherical covariances are invariant
    under isometries of the space; the axes of "diag" depend on the origin.

    Parameters
    ----------
    n_components : int, default=1
    covariance_type : {"full", "diag", "spherical"}, default="full"
    tol : float >= 0, default=1e-3
        A run ends when the mean log-likelihood of the rows rises by less.
    reg_covar : float >= 0, default=1e-6
        Added to variances, in units of the space of curvature -K.
    max_iter : int, default=100
    n_init : int, default=1
        Runs, of which the largest likelihood is kept.
    random_state : int, RandomState or None, default=None
        Draws the first centers of k-means.
    chart : {"tangent", "poincare", "klein", "hyperboloid"} or None, default=None
        How the rows of X are written. None reads tangent vectors, as a table holds, and warns if
        the rows look like points of another chart: embeddings return ``"poincare"`` by default.
    curvature : float > 0, default=1.0
        K; the space has curvature -K.

    Attributes
    ----------
    weights_ : ndarray, shape (n_components,)
    means_ : ndarray, shape (n_components, d), or (n_components, d + 1) for chart "hyperboloid"
        In the chart.
    covariances_ : ndarray, shape (n_components, d, d)
        Of every type as matrices, in units of the space, in the frame that the boost from the
        origin carries to the mean, as in `geometry.random_wrapped_normal`.
    converged_ : bool
    n_iter_ : int
    lower_bounds_ : list of float
        Mean log-likelihood of the rows after each iteration of the best run.
    lower_bound_ : float
        The last of them.

    See Also
    --------
    WrappedNormalClassifier : Mixtures of classes.
    HyperbolicKMeans : Without densities.

    Notes
    -----
    Densities are with respect to the volume of the space of curvature -K. An iteration takes
    O(n k d²) time.

    References
    ----------
    .. [1] Y. Nagano, S. Yamaguchi, Y. Fujita, M. Koyama, A wrapped normal distribution on
       hyperbolic space for gradient-based learning, ICML 2019, section 3.
    .. [2] A. Dempster, N. Laird, D. Rubin, Maximum likelihood from incomplete data via the EM
       algorithm, Journal of the Royal Statistical Society B 39, 1977, section 2.

    Examples
    --------
    >>> from noneuclid import WrappedNormalMixture, geometry
    >>> X = np.vstack([
    ...     geometry.random_wrapped_normal(50, mean, 0.1, random_state=0)
    ...     for mean in ([0.7, 0.0], [-0.7, 0.0])
    ... ])
    >>> model = WrappedNormalMixture(2, random_state=0, chart="poincare").fit(X)
    >>> model.means_[model.means_[:, 0].argsort()].round(1) + 0.0
    array([[-0.7,  0. ],
           [ 0.7,  0. ]])
    """

    _parameter_constraints = {  # noqa: RUF012
        **ChartEstimator._parameter_constraints,
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "covariance_type": [StrOptions({"full", "diag", "spherical"})],
        "tol": [Interval(Real, 0, None, closed="left")],
        "reg_covar": [Interval(Real, 0, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "n_init": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_components: int = 1,
        *,
        covariance_type: Literal["full", "diag", "spherical"] = "full",
        tol: float = 1e-3,
        reg_covar: float = 1e-6,
        max_iter: int = 100,
        n_init: int = 1,
        random_state: Seed | None = None,
        chart: Chart | None = None,
        curvature: float = 1.0,
    ) -> None:
        self.n_components = n_components
        self.covariance_type = covariance_type
        self.tol = tol
        self.reg_covar = reg_covar
        self.max_iter = max_iter
        self.n_init = n_init
        self.random_state = random_state
        self.chart = chart
        self.curvature = curvature

    @check_parameters
    def fit(self, X: ArrayLike, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Estimate the distributions.

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
            fewer distinct rows than components, or a covariance is singular.
        """
        points = self._read_training(X)
        weights = check_row_weights(sample_weight, points)
        points, weights = points[weights > 0], weights[weights > 0]
        rng = check_random_state(self.random_state)
        runs = [self._run(points, weights, rng) for _ in range(self.n_init)]
        best = max(runs, key=lambda run: run.history[-1])
        scale = self._log_scale(points.shape[1] - 1)
        self.weights_ = best.shares
        self.means_ = self._to_chart(np.array([normal.mean for normal in best.normals]))
        covariances = np.array([normal.covariance for normal in best.normals])
        self.covariances_ = covariances / self.curvature
        self.lower_bounds_ = [value + scale for value in best.history]
        self.lower_bound_ = self.lower_bounds_[-1]
        self.n_iter_, self.converged_ = len(best.history), best.converged
        if not self.converged_:
            warnings.warn(
                f"WrappedNormalMixture: EM stopped after {self.n_iter_} iterations; raise max_iter "
                "or tol",
                ConvergenceWarning,
                stacklevel=3,
            )
        return self

    def fit_predict(self, X: ArrayLike, y: Any = None) -> np.ndarray:
        """Fit, then the component of each row.

        Parameters
        ----------
        X : array-like, as for `fit`
        y : None
            Ignored.

        Returns
        -------
        ndarray of int, shape (n,)
        """
        return self.fit(X, y).predict(X)

    def score_samples(self, X: ArrayLike) -> np.ndarray:
        """Logarithm of the density of each row.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n,)
        """
        return logsumexp(self._log_joint(X), axis=1)

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Mean of `score_samples`.

        Parameters
        ----------
        X : array-like, in the chart of `fit`
        y : None
            Ignored.

        Returns
        -------
        float
        """
        return float(self.score_samples(X).mean())

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Probabilities of the components given each row.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray, shape (n, n_components)
        """
        joint = self._log_joint(X)
        return np.exp(joint - logsumexp(joint, axis=1, keepdims=True))

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Most probable component of each row.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        ndarray of int, shape (n,)
        """
        return self._log_joint(X).argmax(axis=1)

    def sample(self, n_samples: int = 1) -> tuple[np.ndarray, np.ndarray]:
        """Random points of the mixture.

        Parameters
        ----------
        n_samples : int, default=1

        Returns
        -------
        X : ndarray, shape (n_samples, d), or (n_samples, d + 1) for chart "hyperboloid"
            In the chart, component by component.
        y : ndarray of int, shape (n_samples,)
            Components.

        Raises
        ------
        InputError
            If `n_samples` is not an integer above 0, or the chart does not hold a point.
        """
        check_is_fitted(self)
        require_number(n_samples, "n_samples", "WrappedNormalMixture.sample", low=1, integer=True)
        rng = check_random_state(self.random_state)
        counts = rng.multinomial(n_samples, self.weights_)
        parts = [
            draw_wrapped_normal(count, normal.mean, np.linalg.cholesky(normal.covariance), rng)
            for count, normal in zip(counts, self._normals(), strict=True)
        ]
        return self._to_chart(np.vstack(parts)), np.repeat(np.arange(len(counts)), counts)

    def bic(self, X: ArrayLike) -> float:
        """Bayesian information criterion of these rows; lower is better.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        float
        """
        logs = self.score_samples(X)
        return float(-2 * logs.sum() + self._count_parameters() * np.log(len(logs)))

    def aic(self, X: ArrayLike) -> float:
        """Akaike information criterion of these rows; lower is better.

        Parameters
        ----------
        X : array-like, in the chart of `fit`

        Returns
        -------
        float
        """
        return float(-2 * self.score_samples(X).sum() + 2 * self._count_parameters())

    def _run(self, points, weights, rng):
        """EM from one k-means."""
        seeds = draw_seeds(points, weights, self.n_components, rng)
        labels = run_lloyd(points, weights, seeds, _LLOYD, 0.0).labels
        found = len(np.unique(labels))
        require(
            found == self.n_components,
            f"n_components = {self.n_components}, but X has {found} clusters of distinct rows; "
            "lower n_components",
        )
        reg_covar = self.reg_covar * self.curvature
        settings = self.covariance_type, reg_covar, self.max_iter, self.tol
        try:
            return fit_mixture(points, weights, labels, *settings)
        except np.linalg.LinAlgError:
            raise InputError(
                f"a component of {self.n_components} has a singular covariance with reg_covar = "
                f"{self.reg_covar}; raise reg_covar, or lower n_components"
            ) from None

    def _normals(self):
        """Components on the hyperboloid of curvature -1."""
        means = self._to_points(self.means_)
        return list(map(WrappedNormal, means, self.covariances_ * self.curvature))

    def _log_joint(self, X):
        """Logarithm of share times density of each component, (n, k)."""
        points = self._read_new(X)
        joint = log_mixture(points, self._normals(), self.weights_)
        return joint + self._log_scale(points.shape[1] - 1)

    def _log_scale(self, d):
        """Logarithm of the volume of curvature -1 of a unit of volume of curvature -K."""
        return d / 2 * np.log(self.curvature)

    def _count_parameters(self):
        d = self.covariances_.shape[1]
        each = {"full": d * (d + 1) // 2, "diag": d, "spherical": 1}[self.covariance_type] + d
        return self.n_components * each + self.n_components - 1
