"""Weighted Fréchet mean of points of the hyperboloid: the least sum of squared distances.

Hyperbolic space has no positive curvature, so the mean exists and is unique, and the sum is convex
along geodesics (Karcher, Communications on Pure and Applied Mathematics 30, 1977). Newton's method
with its exact Hessian (Pennec, Journal of Mathematical Imaging and Vision 25, 2006) starts at the
Lorentz centroid; a step that raises the sum is halved. Curvature -1.
"""

from dataclasses import dataclass

import numpy as np

from noneuclid.geometry import lorentz, tangent
from noneuclid.geometry.normal_coordinates import asinhc, radial_frame, seen_from

_BLOCK = 2**14  # rows
_MAX_ITER = 100  # Newton steps
# Relative to the spread. Newton's method squares the error: the step after it is rounding.
_STEP = 1e-7
# Times the time coordinate: what coordinates resolve of a step sideways.
_ROUNDING = 4 * np.finfo(float).eps
# Distance below which (1 - r coth r) / r² is its limit at 0.
_NEAR = 1e-3


@dataclass(frozen=True)
class Moments:
    """Sums over weighted points in normal coordinates v at a base, in the radial frame.

    Attributes
    ----------
    mass : float
        Σ w.
    first : ndarray, shape (d,)
        Σ w v, minus the gradient of ½ Σ w r².
    second : ndarray, shape (d, d)
        Σ w v vᵀ; its trace is Σ w r².
    hessian : ndarray, shape (d, d)
        Of ½ Σ w r²: r coth r across v, 1 along it.
    """

    mass: float
    first: np.ndarray
    second: np.ndarray
    hessian: np.ndarray


def moments(points, weights, base, frame):
    """The `Moments` of points, (n, d + 1), with weights, (n,) or None for ones; O(n d²)."""
    d = points.shape[1] - 1
    mass, across = 0.0, 0.0
    first, second, curved = np.zeros(d), np.zeros((d, d)), np.zeros((d, d))
    for start in range(0, len(points), _BLOCK):
        rows = slice(start, start + _BLOCK)
        seen, length = seen_from(points[rows], base, frame)
        ratio = asinhc(length)
        vectors = seen * ratio[:, None]
        coth = ratio * np.hypot(1.0, length)
        square = np.square(ratio * length)
        bent = np.where(square > _NEAR**2, (1.0 - coth) / np.maximum(square, _NEAR**2), -1.0 / 3.0)
        part = np.ones(len(length)) if weights is None else weights[rows]
        weighted = vectors * part[:, None]
        mass += part.sum()
        across += part @ coth
        first += weighted.sum(axis=0)
        second += weighted.T @ vectors
        curved += (weighted * bent[:, None]).T @ vectors
    return Moments(mass, first, second, curved + across * np.eye(d))


def frechet_mean(points, weights=None, start=None):
    """Fréchet mean, and the covariance of the points in the tangent space there.

    Parameters
    ----------
    points : ndarray, shape (n, d + 1)
    weights : ndarray, shape (n,), or None
        Non-negative, not all zero.
    start : ndarray, shape (d + 1,), or None
        Where to start; None is the Lorentz centroid.

    Returns
    -------
    mean : ndarray, shape (d + 1,)
    covariance : ndarray, shape (d, d)
        Σ w v vᵀ / Σ w in the frame of `tangent` at the mean.

    Examples
    --------
    >>> mean, covariance = frechet_mean(lorentz.from_spatial([[-0.75], [0.75]]))
    >>> mean, covariance.round(12) == (np.arcsinh(0.75) ** 2).round(12)
    (array([1., 0.]), array([[ True]]))
    """
    mean = lorentz.midpoint(points, weights) if start is None else start
    frame = radial_frame(mean)
    found = moments(points, weights, mean, frame)
    for _ in range(_MAX_ITER):
        spread = np.sqrt(np.trace(found.second) / found.mass)
        step = np.linalg.solve(found.hessian, found.first)
        size = np.linalg.norm(step)
        if size <= _ROUNDING * mean[0]:
            break
        mean, frame, found = _descend(points, weights, mean, frame, found, step)
        if size <= _STEP * spread:
            break
    covariance = frame @ found.second @ frame.T / found.mass
    return mean, (covariance + covariance.T) / 2


def _descend(points, weights, mean, frame, found, step):
    """Take the step, halved until it does not raise the sum by more than rounding."""
    limit = np.trace(found.second) * (1 + 1e-12)
    for _ in range(50):
        base = tangent.lift(frame @ step, mean)
        turned = radial_frame(base)
        there = moments(points, weights, base, turned)
        if np.trace(there.second) <= limit:
            break
        step = step / 2
    return base, turned, there
