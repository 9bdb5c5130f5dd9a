"""Means of points: the least sum of squared distances (Fréchet), and the Lorentz centroid.

Hyperbolic space has no positive curvature, so the mean exists and is unique, and the sum is convex
along geodesics (Karcher, Communications on Pure and Applied Mathematics 30, 1977). Newton's method
with its exact Hessian (Pennec, Journal of Mathematical Imaging and Vision 25, 2006) starts at the
Lorentz centroid; a step that raises the sum is halved. Within: curvature -1.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.compiled import compile_cached, compile_inner, solve
from noneuclid.errors import require
from noneuclid.geometry import lorentz, public_points
from noneuclid.geometry.normal_coordinates import fill_frame, grow, see
from noneuclid.geometry.public_points import Chart

_MAX_SUMS = 1000  # Newton steps and halvings
_RAISE = 1.0 + 1e-12  # of the sum: rounding
# Relative to the spread. Newton's method squares the error: the step after it is rounding.
_STEP = 1e-7
# Times the time coordinate: what coordinates resolve of a step sideways.
_ROUNDING = 4 * np.finfo(float).eps
# Of the spread: far out, where the above is more, steps go on as long as the sum falls.
_COARSE = 1e-5
# Distance below which (1 - r coth r) / r² is its limit at 0.
_NEAR = 1e-3


def frechet_mean(
    X: ArrayLike,
    sample_weight: ArrayLike | None = None,
    *,
    chart: Chart = "poincare",
    curvature: float = 1.0,
) -> np.ndarray:
    r"""Fréchet mean of the rows: the point of the least weighted sum of squared distances.

    Parameters
    ----------
    X : array_like, shape (n, d), or (n, d + 1) on the hyperboloid
    sample_weight : array_like, shape (n,), default=None
        Finite numbers >= 0, not all 0; None means equal.
    chart : {"poincare", "klein", "hyperboloid", "half_space", "tangent"}, default="poincare"
    curvature : float > 0, default=1.0
        K, the space having curvature -K.

    Returns
    -------
    ndarray, shape (d,), or (d + 1,) on the hyperboloid

    Raises
    ------
    InputError
        If a point does not lie in the chart, or the weights are no weights.

    See Also
    --------
    centroid : In closed form, but far rows weigh more.
    log_map : The mean of the vectors from the Fréchet mean is 0.
    noneuclid.WrappedNormalClassifier : A mean for each class.

    Notes
    -----
    The sum is :math:`\sum_i q_i d(x_i, m)^2`, :math:`q_i` the weights. Newton's method with the
    exact Hessian (Pennec, Journal of Mathematical Imaging and Vision 25, 2006) until a step is 1e-7
    of the spread, after which the error is rounding. In units of 1/sqrt(K) the mean is off by at
    most 4 eps cosh(sqrt(K) R), R the largest distance of a row from the origin, eps = 2.2e-16,
    tested up to R = 10; in the Klein ball by the square. O(n d^2) for each step.

    Examples
    --------
    >>> frechet_mean([[0.0, 0.0], [0.8, 0.0]]).round(12)
    array([0.5, 0. ])
    """
    points, weights = _read_rows(X, sample_weight, chart, curvature)
    root = np.sqrt(curvature)
    mean, _ = mean_and_covariance(root * points, weights)
    return public_points.from_hyperboloid(mean / root, chart, curvature)


def centroid(
    X: ArrayLike,
    sample_weight: ArrayLike | None = None,
    *,
    chart: Chart = "poincare",
    curvature: float = 1.0,
) -> np.ndarray:
    r"""Lorentz centroid of the rows: the point of the least weighted sum of cosh(sqrt(K) distance).

    Parameters
    ----------
    X, sample_weight, chart, curvature : as for `frechet_mean`

    Returns
    -------
    ndarray, shape (d,), or (d + 1,) on the hyperboloid

    Raises
    ------
    InputError
        If a point does not lie in the chart, or the weights are no weights.

    See Also
    --------
    frechet_mean : Weighs far rows less.

    Notes
    -----
    The weighted sum :math:`s = \sum_i q_i x_i` on the hyperboloid, scaled back to it,
    :math:`s / \sqrt{-K \langle s, s\rangle_L}` (Law, Liao, Snell and Zemel, ICML 2019, theorem
    3.3): the Einstein midpoint of the Klein ball, the gyromidpoint of the Poincaré ball. Of two
    rows of equal weight it is the midpoint. Accuracy as for `frechet_mean`. O(n d).

    Examples
    --------
    >>> centroid([[0.0, 0.0], [0.8, 0.0]]).round(12)
    array([0.5, 0. ])
    """
    points, weights = _read_rows(X, sample_weight, chart, curvature)
    found = lorentz.midpoint(points, weights, curvature)
    return public_points.from_hyperboloid(found, chart, curvature)


def _read_rows(X, sample_weight, chart, curvature):
    """A table of points on the hyperboloid, and its weights."""
    X = np.asarray(X, dtype=float)
    require(X.ndim == 2 and len(X), f"a mean needs a table of points, got shape {X.shape}")
    points = public_points.to_hyperboloid(X, chart, curvature)
    return points, None if sample_weight is None else read_weights(sample_weight, len(X))


def read_weights(sample_weight, n):
    """Weights of n rows, checked: Newton's method does not check them."""
    weights = np.asarray(sample_weight, dtype=float)
    require(
        weights.shape == (n,),
        f"sample_weight has shape {weights.shape}; give a weight for each of the {n} rows",
    )
    legal = (weights >= 0).all() and np.isfinite(weights).all() and weights.any()
    require(legal, "sample_weight must hold finite numbers >= 0, not all 0; correct it")
    return weights


def mean_and_covariance(points, weights=None, start=None, step=_STEP):
    """Fréchet mean, and the covariance of the points in the tangent space there.

    Parameters
    ----------
    points : ndarray, shape (n, d + 1)
    weights : ndarray, shape (n,), or None
        Non-negative, not all zero.
    start : ndarray, shape (d + 1,), or None
        Where to start; None is the Lorentz centroid.
    step : float
        Newton step, relative to the spread, after which no other follows.

    Returns
    -------
    mean : ndarray, shape (d + 1,)
    covariance : ndarray, shape (d, d)
        Σ w v vᵀ / Σ w in the frame of `tangent` at the mean.

    Examples
    --------
    >>> mean, covariance = mean_and_covariance(lorentz.from_spatial([[-0.75], [0.75]]))
    >>> mean, covariance.round(12) == (np.arcsinh(0.75) ** 2).round(12)
    (array([1., 0.]), array([[ True]]))
    """
    mean = lorentz.midpoint(points, weights) if start is None else start
    weights = np.ones(len(points)) if weights is None else np.asarray(weights, dtype=float)
    d, mean = len(mean) - 1, mean.copy()
    frame, second = np.empty((d, d)), np.empty((d, d))
    _newton(points, weights, step, mean, frame, second)
    covariance = frame @ second @ frame.T / weights.sum()
    return mean, (covariance + covariance.T) / 2


@compile_cached
def _newton(points, weights, last, mean, frame, second):
    """Moves the mean, and writes its radial frame and the second moments there."""
    d, mass, scale = len(frame), 0.0, 0.0
    for weight in weights:
        mass += weight
    first, hessian, start, v = np.empty(d), np.empty((d, d)), np.empty(d + 1), np.empty(d)
    total, size, share = np.inf, np.nan, 1.0
    for left in range(_MAX_SUMS, 0, -1):
        _sum_up(points, weights, mean, frame, first, second, hessian)
        spread = 0.0
        for i in range(d):
            spread += second[i, i]
        if left == 1 or (spread <= total * _RAISE and size * share <= last * scale):
            break
        if not spread <= total * _RAISE:  # or not finite: far out, steps may overflow
            share /= 2.0
        else:
            step, total, share, size = solve(hessian, first), spread, 1.0, 0.0
            for i in range(d):
                start[i + 1], v[i] = mean[i + 1], 0.0
                size += step[i] * step[i]
                for j in range(d):
                    v[i] += frame[i, j] * step[j]
            start[0], size, scale = mean[0], math.sqrt(size), math.sqrt(total / mass)
            if size <= min(_ROUNDING * mean[0], _COARSE * scale):
                break
        _move(start, v, share, size * share, mean)


@compile_inner
def _move(start, v, share, size, point):
    """`tangent.lift` of a share, of length `size`, of the tangent coordinates v at the start."""
    time, square = 0.0, 1.0
    for i in range(len(v)):
        time += start[i + 1] * v[i]
    grown, sinhc = math.cosh(size), math.sinh(size) / size if size > 0.0 else 1.0
    for i in range(len(v)):
        spatial = v[i] + start[i + 1] * time / (1.0 + start[0])
        point[i + 1] = grown * start[i + 1] + sinhc * share * spatial
        square += point[i + 1] * point[i + 1]
    point[0] = math.sqrt(square)


@compile_inner
def _sum_up(points, weights, base, frame, first, second, hessian):
    """Writes the frame and the moments in normal coordinates v at a base; O(n d²).

    Σ w v, minus the gradient of ½ Σ w r²; Σ w v vᵀ, of trace Σ w r²; and the Hessian of ½ Σ w r²:
    r coth r across v, 1 along it.
    """
    d, across, growth, v = len(frame), 0.0, grow(base), np.empty(len(frame))
    fill_frame(base, frame)
    for j in range(d):
        first[j] = 0.0
        for k in range(d):
            second[j, k] = hessian[j, k] = 0.0
    for i in range(len(points)):
        length, weight = see(points[i], growth, frame, v), weights[i]
        ratio = math.asinh(length) / length if length > 0.0 else 1.0
        square, coth = ratio * length * ratio * length, ratio * math.hypot(1.0, length)
        bent = weight * ((1.0 - coth) / square if square > _NEAR * _NEAR else -1.0 / 3.0)
        across += weight * coth
        for j in range(d):
            v[j] *= ratio
            first[j] += weight * v[j]
        for j in range(d):
            for k in range(d):
                second[j, k] += weight * v[j] * v[k]
                hessian[j, k] += bent * v[j] * v[k]
    for j in range(d):
        hessian[j, j] += across
