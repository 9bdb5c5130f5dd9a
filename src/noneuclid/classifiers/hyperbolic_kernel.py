"""The kernels exp(-λ ψ(d)) of hyperbolic space as one object in the style of scikit-learn."""

from numbers import Real
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.gaussian_process.kernels import Hyperparameter, Kernel, NormalizedKernelMixin

from noneuclid.classifiers.parameter_types import Chart
from noneuclid.classifiers.sklearn_private import Interval, StrOptions
from noneuclid.classifiers.validation import to_hyperboloid
from noneuclid.classifiers.weights import check_row_weights
from noneuclid.errors import InputError
from noneuclid.geometry import distance_kernels

Kind = Literal["cosh", "laplace"]
# Parameters that the estimators with this kernel share.
CONSTRAINTS = {
    "kernel": [StrOptions(set(distance_kernels.KINDS))],
    "scale": [Interval(Real, 0, None, closed="neither")],
}
# Least mean of ψ, about d² / 2 or d for near rows: below, squares of distances lose digits.
_LEAST = {"cosh": 1e-290, "laplace": 1e-145}
# Rows whose pairs give the mean of ψ: its standard error is about 1 to 2 %.
_ROWS = 1000


class HyperbolicKernel(NormalizedKernelMixin, Kernel):
    r"""k(x, y) = exp(-(scale / mean_psi) ψ(d)), ψ = log cosh d or ψ = d, positive definite.

    For K = 1 and λ = scale / mean_psi, "cosh" is

    .. math:: (\cosh d)^{-\lambda} = (-\langle x,y\rangle_L)^{-\lambda},

    Gaussian for :math:`d \ll 1` and :math:`\exp(-\lambda d)` far out, and "laplace" is
    :math:`\exp(-\lambda d)`. Both are positive definite for every λ > 0 in every dimension, and
    isometries do not change them. scikit-learn's Gaussian processes and its `SVC`, `KernelRidge`
    and others with a callable or precomputed kernel take the object.

    :math:`\exp(-d^2)`, :math:`\exp(-d^{1.5})`, :math:`((1 + \cosh d)/2)^{-\lambda}` and the heat
    kernel of a lower dimension are not positive definite in every dimension and not offered: see
    docs/mathematics.md.

    Parameters
    ----------
    kind : {"cosh", "laplace"}, default="cosh"
        ψ = log cosh(sqrt(K) d), or sqrt(K) d.
    scale : float > 0, default=1.0
    scale_bounds : pair of floats > 0 or "fixed", default=(1e-3, 1e3)
        Where a Gaussian process searches `scale`.
    mean_psi : float > 0, default=1.0
        Unit of `scale`; `with_mean_of` sets it to the mean of ψ over pairs of rows.
    chart : {"tangent", "poincare", "klein", "hyperboloid"}, default="tangent"
        How rows are written.
    curvature : float > 0, default=1.0
        K; the space has curvature -K.

    Raises
    ------
    InputError
        When called, if `kind` is another name, a number is not positive, or a row does not satisfy
        the chart.

    See Also
    --------
    HyperbolicKernelSVC : Support vector machine with this kernel.
    HyperbolicKernelRidge : Regression with this kernel.
    HyperbolicGaussianProcessClassifier, HyperbolicGaussianProcessRegressor : Gaussian processes.
    HyperbolicNystroem : Features that approximate this kernel on many rows.

    References
    ----------
    .. [1] J. Faraut, K. Harzallah, Distances hilbertiennes invariantes sur un espace homogène,
       Annales de l'Institut Fourier 24(3), 1974: d is of negative type on real hyperbolic space.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import HyperbolicKernel
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0]])
    >>> HyperbolicKernel("laplace", scale=2.0)(X).round(3)
    array([[1.   , 0.135],
           [0.135, 1.   ]])
    """

    def __init__(
        self,
        kind: Kind = "cosh",
        scale: float = 1.0,
        scale_bounds: tuple[float, float] | Literal["fixed"] = (1e-3, 1e3),
        *,
        mean_psi: float = 1.0,
        chart: Chart = "tangent",
        curvature: float = 1.0,
    ) -> None:
        self.kind = kind
        self.scale = scale
        self.scale_bounds = scale_bounds
        self.mean_psi = mean_psi
        self.chart = chart
        self.curvature = curvature

    @property
    def hyperparameter_scale(self) -> Hyperparameter:
        """The one parameter that is searched, on a logarithmic scale."""
        return Hyperparameter("scale", "numeric", self.scale_bounds)

    def is_stationary(self) -> bool:
        """Whether k depends on x - y alone: False."""
        return False

    def __call__(self, X, Y=None, eval_gradient=False):
        """Matrix of k, and its derivative by log(scale).

        Parameters
        ----------
        X, Y : array-like, shape (n, d) and (m, d), or d + 1 columns for chart "hyperboloid"
            None takes X for Y.
        eval_gradient : bool, default=False
            Only with Y=None.

        Returns
        -------
        ndarray, shape (n, m), and with `eval_gradient` another, shape (n, n, 1) or (n, n, 0)
        """
        if eval_gradient and Y is not None:
            raise InputError("the gradient is that of k(X, X); give no Y with eval_gradient=True")
        points = [self._points(rows) for rows in (X, Y) if rows is not None]
        widths = [rows.shape[1] - 1 for rows in points]
        if len(set(widths)) > 1:
            raise InputError(f"X has dimension {widths[0]}, Y {widths[1]}; give equal dimensions")
        found = self.of_points(*points)
        if not eval_gradient:
            return found
        if self.hyperparameter_scale.fixed:
            return found, np.empty((*found.shape, 0))
        return found, self._gradient(found, *points)

    def with_mean_of(self, X: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """A copy whose `mean_psi` is the mean of ψ over all pairs of the rows of X.

        A pair counts with the product of its weights, and a row with itself, so a weight of 2 is
        equivalent to two equal rows, and one of 0 to none. Of more than 1000 rows, 1000 are drawn
        in proportion to their weights with a fixed seed: the mean then depends on the order of the
        rows, by 1 to 2 %. Isometries do not change it. It is 1 if all rows coincide.

        Parameters
        ----------
        X : array-like, in the chart of the kernel
        sample_weight : array-like, shape (n,), or None

        Returns
        -------
        HyperbolicKernel

        Raises
        ------
        InputError
            If rows differ by so little that float64 does not hold the squares of their distances.
        """
        points = self._points(X)
        weights = check_row_weights(sample_weight, points)
        points, weights = points[weights > 0], weights[weights > 0]
        rows, weights = draw_rows(weights)
        points, weights = points[rows], weights / weights.sum()
        return clone(self).set_params(mean_psi=self._unit(points, weights))

    def of_points(
        self, X: np.ndarray, Y: np.ndarray | None = None, out: np.ndarray | None = None
    ) -> np.ndarray:
        """Matrix of k for points of the hyperboloid of curvature -1, unchecked."""
        for name in ("scale", "mean_psi"):
            value = getattr(self, name)
            if not (isinstance(value, Real) and 0 < value < np.inf):
                raise InputError(f"{name} is {value!r}; give a finite number above 0")
        return distance_kernels.kernel(X, Y, self._kind(), self.scale / self.mean_psi, out)

    def _gradient(self, found, points):
        """Derivative of k by log(scale), shape (n, n, 1)."""
        return _times_log(found)[:, :, None]

    def _unit(self, points, weights):
        """Mean of ψ over pairs of rows with weights of sum 1, or 1 if all coincide."""
        psi = distance_kernels.psi(points, kind=self._kind())
        return mean_over_pairs(psi, points, weights, self.kind) or 1.0

    def _kind(self):
        if self.kind in distance_kernels.KINDS:
            return self.kind
        raise InputError(
            f"kind={self.kind!r}: give 'cosh' or 'laplace'; exp(-d²), exp(-d^1.5), "
            "((1 + cosh d)/2)^-λ and heat kernels are not positive definite in every dimension"
        )

    def _points(self, X):
        return to_hyperboloid(np.atleast_2d(np.asarray(X, float)), self.chart, self.curvature)

    def __repr__(self):
        return f"{type(self).__name__}(kind={self.kind!r}, scale={self.scale:.3g})"


def draw_rows(weights):
    """Up to 1000 rows drawn in proportion to their weights with a fixed seed, and new weights."""
    if len(weights) <= _ROWS:
        return np.arange(len(weights)), weights
    order = np.random.default_rng(0).permutation(len(weights))
    ends = np.cumsum(weights[order])
    places = np.searchsorted(ends, ends[-1] * (np.arange(_ROWS) + 0.5) / _ROWS)
    return np.unique(order[places], return_counts=True)


def mean_over_pairs(psi, points, weights, kind):
    """Mean of ψ over all pairs of points with weights of sum 1, checked; 0 if all coincide."""
    mean = float(weights @ psi @ weights)
    if mean < _LEAST[kind] and (points != points[0]).any():
        raise InputError(
            f"the rows are so near to each other that the mean of ψ is {mean:.2g}, which "
            "float64 does not resolve; multiply all coordinates by a large number, say 1e150"
        )
    return mean


def learn_kernel(model, points, weights=None):
    """The kernel of an estimator for points of the hyperboloid of curvature -1, its mean learnt."""
    kernel = HyperbolicKernel(model.kernel, model.scale, chart="hyperboloid")
    return kernel.with_mean_of(points, weights)


def expand(kernel, points, centres, coef):
    """Σ_j k(x, c_j) coef_j of each point, in blocks: shape (n, p) for coef (m, p)."""
    found = np.empty((len(points), coef.shape[1]))
    for rows in distance_kernels.slices(len(points), len(centres)):
        np.matmul(kernel.of_points(points[rows], centres), coef, out=found[rows])
    return found


def _times_log(k):
    """K log k, and 0 where k underflows."""
    return k * np.log(k, where=k > 0, out=np.zeros_like(k))
