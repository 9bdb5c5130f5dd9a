"""Random points of hyperbolic space."""

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state

from noneuclid.errors import InputError, require, require_number
from noneuclid.geometry import charts, public_points, tangent
from noneuclid.geometry.public_points import Chart

Seed = int | np.random.RandomState | np.random.Generator | None


def random_uniform(
    n_samples: int,
    n_features: int,
    radius: float,
    *,
    chart: Chart = "poincare",
    curvature: float = 1.0,
    random_state: Seed = None,
) -> np.ndarray:
    r"""Points with uniform density, with respect to hyperbolic volume, in a ball about the origin.

    Parameters
    ----------
    n_samples : int
    n_features : int
        Dimension d of the space.
    radius : float > 0
        Hyperbolic, up to 350/sqrt(K); what the chart holds is less in a ball.
    chart : {"poincare", "klein", "hyperboloid", "half_space", "tangent"}, default="poincare"
    curvature : float > 0, default=1.0
        K, the space having curvature -K.
    random_state : int, RandomState, Generator or None, default=None

    Returns
    -------
    ndarray, shape (n_samples, d), or (n_samples, d + 1) on the hyperboloid

    Raises
    ------
    InputError
        If a number is out of range, or the chart does not hold the points.

    See Also
    --------
    random_wrapped_normal : Points about a mean.
    Isometry : Moves the ball.

    Notes
    -----
    The density of the distance r is proportional to :math:`\sinh(\sqrt{K} r)^{d-1}` (Ratcliffe,
    Foundations of Hyperbolic Manifolds, 2006, section 3.4). Rejection from a power of sinh r, of
    which more than 2 in 5 are kept: exact to rounding. O(n d).

    Examples
    --------
    >>> points = random_uniform(1000, 2, radius=3.0, random_state=0)
    >>> points.shape, bool(charts.distance_from_origin(points, "poincare").max() < 3.0)
    ((1000, 2), True)
    """
    name = "random_uniform"
    require_number(n_samples, "n_samples", name, low=1, integer=True)
    require_number(n_features, "n_features", name, low=1, integer=True)
    require_number(curvature, "curvature", name, low=np.finfo(float).tiny)
    far = charts.REACH["hyperboloid"] / np.sqrt(curvature)
    require_number(radius, "radius", name, low=np.finfo(float).tiny, high=far)
    rng = generator(random_state)
    directions = rng.standard_normal((n_samples, n_features))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    lengths = _radii(n_samples, n_features, np.sqrt(curvature) * radius, rng)
    vectors = directions * (lengths / np.sqrt(curvature))[:, None]
    return charts.convert(vectors, "tangent", chart, curvature)


def _radii(n, d, radius, rng):
    """Numbers in [0, radius) with density proportional to sinh(r)^(d-1), K = 1, shape (n,).

    s = sinh r has the density s^(d-1) / sqrt(1 + s^2): below s^(d-1), and below s^(d-2).
    """
    if d == 1:
        return radius * rng.uniform(size=n)
    largest, found = np.sinh(radius), np.empty(0)
    while len(found) < n:
        u, kept = rng.uniform(size=(2, n))
        if largest < 1:
            s = largest * u ** (1 / d)
            s = s[kept < 1 / np.hypot(1, s)]
        else:
            s = largest * u ** (1 / (d - 1))
            s = s[kept < s / np.hypot(1, s)]
        found = np.concatenate([found, np.arcsinh(s)])
    return found[:n]


def random_wrapped_normal(
    n_samples: int,
    mean: ArrayLike,
    covariance: ArrayLike = 1.0,
    *,
    chart: Chart = "poincare",
    curvature: float = 1.0,
    random_state: Seed = None,
) -> np.ndarray:
    """Points exp_map(mean, v) of normal tangent vectors v.

    Parameters
    ----------
    n_samples : int
    mean : array_like, shape (d,), or (d + 1,) on the hyperboloid
        A point of the chart.
    covariance : float or array_like, shape (d, d), default=1.0
        Of v, in hyperbolic units, in the frame that the boost from the origin carries to the mean,
        as in `WrappedNormalClassifier`. A number is the variance in every direction.
    chart, curvature, random_state : as for `random_uniform`

    Returns
    -------
    ndarray, shape (n_samples, d), or (n_samples, d + 1) on the hyperboloid

    Raises
    ------
    InputError
        If the mean does not lie in the chart, the covariance is not symmetric and positive
        definite, or the chart does not hold the points.

    See Also
    --------
    noneuclid.WrappedNormalClassifier : Fits such distributions.
    random_uniform : A ball of equal density.

    Notes
    -----
    Nagano, Yamaguchi, Fujita and Koyama, ICML 2019, section 3.1. Accuracy as for `exp_map`.
    O(n d^2).

    Examples
    --------
    >>> points = random_wrapped_normal(500, [0.5, 0.0], 0.01, random_state=0)
    >>> points.mean(axis=0).round(1) + 0.0
    array([0.5, 0. ])
    """
    require_number(n_samples, "n_samples", "random_wrapped_normal", low=1, integer=True)
    mean = public_points.to_hyperboloid(mean, chart, curvature)
    require(mean.ndim == 1, f"random_wrapped_normal: mean has shape {mean.shape}; give one point")
    factor = covariance_factor(covariance, len(mean) - 1)
    with np.errstate(over="ignore", invalid="ignore"):  # `from_hyperboloid` refuses the result
        points = draw_wrapped_normal(n_samples, mean, factor, generator(random_state), curvature)
    return public_points.from_hyperboloid(points, chart, curvature)


def draw_wrapped_normal(n, mean, factor, rng, curvature=1.0):
    """Points of a wrapped normal distribution on the hyperboloid, shape (n, d + 1).

    `factor` is any A with covariance A A^T of the normal vector, in the frame at the origin.
    Shapes: `mean` (d + 1,), `factor` (d, d).
    """
    vectors = rng.standard_normal((n, len(factor))) @ factor.T
    return tangent.lift(vectors, mean, curvature)


def covariance_factor(covariance, d):
    """Lower triangular factor of a covariance."""
    covariance = np.asarray(covariance, dtype=float)
    covariance = covariance * np.eye(d) if covariance.ndim == 0 else covariance
    legal = covariance.shape == (d, d) and np.isfinite(covariance).all()
    require(
        legal and np.allclose(covariance, covariance.T),
        f"random_wrapped_normal: a covariance of shape {covariance.shape} is not a "
        f"symmetric ({d}, {d}) matrix; give one, or a number",
    )
    try:
        return np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError:
        raise InputError(
            f"random_wrapped_normal: the covariance has the eigenvalue "
            f"{np.linalg.eigvalsh(covariance)[0]:.3g}; all must be positive"
        ) from None


def generator(random_state):
    """A generator of either kind of numpy."""
    known = isinstance(random_state, np.random.Generator)
    return random_state if known else check_random_state(random_state)
