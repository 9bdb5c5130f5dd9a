"""EM for one mixture of wrapped normal distributions on the hyperboloid of curvature -1.

The M step of a component takes the weighted Fréchet mean and the covariance there, a normal fit in
the tangent space. They do not maximise the expected log-likelihood, because the volume factor
(sinh r / r)^(d-1) depends on the mean. So the step is tried: where it lowers the expectation, the
mean goes a half, a quarter, ... of the way, or the component stays. This is a generalised EM, and
the likelihood never falls (Dempster, Laird and Rubin, JRSS B 39, 1977, section 2).
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

from noneuclid.geometry import lorentz
from noneuclid.geometry.means import mean_and_covariance
from noneuclid.geometry.normal_coordinates import radial_frame, seen_from, to_vectors
from noneuclid.solvers.hyperboloid.statistics.wrapped_normals import WrappedNormal

# Parts of the way to the Fréchet mean. At 0 the covariance alone is new.
_SHARES = (1.0, 0.5, 0.25, 0.125, 0.0)
_TINY = 1e-200  # weight of a component that no row has any more


@dataclass(frozen=True)
class Mixture:
    """A mixture and how its fit ended.

    Attributes
    ----------
    normals : list of WrappedNormal
    shares : ndarray, shape (k,)
    history : list of float
        Mean log-likelihood after each iteration.
    converged : bool
    """

    normals: list
    shares: np.ndarray
    history: list
    converged: bool


def fit_mixture(points, weights, labels, covariance_type, reg_covar, max_iter, tol):
    """Iterate from the clusters `labels`, (n,), each with a row.

    Parameters
    ----------
    points : ndarray, shape (n, d + 1)
    weights : ndarray, shape (n,)
        All > 0.
    labels : ndarray of int, shape (n,)
    covariance_type : {"full", "diag", "spherical"}
    reg_covar : float
        Added to variances.
    max_iter : int
    tol : float
        Rise of the mean log-likelihood at which the iteration ends.

    Returns
    -------
    Mixture

    Raises
    ------
    numpy.linalg.LinAlgError
        If a covariance is singular.
    """

    def normal_of(mean, covariance):
        return WrappedNormal(mean, restrict(covariance, covariance_type, reg_covar))

    parts = np.eye(labels.max() + 1)[labels] * weights[:, None]
    normals = [normal_of(*mean_and_covariance(points, part)) for part in parts.T]
    logs = np.column_stack([normal.log_density(points) for normal in normals])
    history, converged = [], False
    for _ in range(max_iter):
        if history:
            normals = [
                _raise(points, part, normal, log, normal_of)
                for part, normal, log in zip(parts.T, normals, logs.T, strict=True)
            ]
        shares = parts.sum(axis=0) / weights.sum()
        joint = logs + _log(shares)
        sums = logsumexp(joint, axis=1)
        parts = np.exp(joint - sums[:, None]) * weights[:, None]
        history.append(float(weights @ sums / weights.sum()))
        converged = len(history) > 1 and history[-1] - history[-2] <= tol
        if converged:
            break
    return Mixture(normals, shares, history, converged)


def restrict(covariance, covariance_type, reg_covar):
    """The covariance of this type that maximises the likelihood of normal vectors.

    Examples
    --------
    >>> restrict(np.array([[1.0, 0.5], [0.5, 3.0]]), "spherical", 0.0)
    array([[2., 0.],
           [0., 2.]])
    """
    d = len(covariance)
    if covariance_type == "diag":
        covariance = np.diag(covariance.diagonal())
    elif covariance_type == "spherical":
        covariance = np.trace(covariance) / d * np.eye(d)
    return covariance + reg_covar * np.eye(d)


def second_moments(points, weights, base):
    """Σ w v vᵀ / Σ w of the tangent coordinates v at a base, (d, d), in the frame of `tangent`.

    Examples
    --------
    >>> points = lorentz.from_spatial(np.sinh([[-1.0], [3.0]]))
    >>> second_moments(points, np.ones(2), lorentz.origin(1)).round(12)
    array([[5.]])
    """
    frame = radial_frame(base)
    vectors, _ = to_vectors(*seen_from(points, base, frame))
    return frame @ ((vectors.T * weights) @ vectors) @ frame.T / weights.sum()


def _raise(points, part, old, logs, normal_of):
    """A component whose expected log-likelihood is not below the old one; writes its `logs`."""
    if part.sum() < _TINY:
        return old
    mean, covariance = mean_and_covariance(points, part, old.mean)
    before = part @ logs
    for share in _SHARES:
        if share < 1:
            base = lorentz.geodesic(old.mean, mean, share)
            new = normal_of(base, second_moments(points, part, base))
        else:
            new = normal_of(mean, covariance)
        found = new.log_density(points)
        if part @ found >= before:
            logs[:] = found
            return new
    return old


def _log(shares):
    with np.errstate(divide="ignore"):
        return np.log(shares)
