"""Horospherical projections, and the ideal points along which they vary most.

The projection on the geodesic subspace of orthonormal directions p_1, ..., p_k at the origin keeps
the Busemann function of every ideal point p_j (Chami, Gu, Nguyen and Ré, ICML 2021, section 4.1).
With e_j its exponential, x_0 - <p_j, x>, the image z has z_j = z_0 - e_j, and z_0 is a root of
(k - 1) z_0² - 2 z_0 Σ e_j + Σ e_j² + 1 = 0. The smaller root is the image on the side of the
origin. Curvature -1.
"""

import numpy as np
from scipy.linalg import null_space
from scipy.optimize import minimize

from noneuclid.geometry import lorentz
from noneuclid.geometry.distance_kernels import psi
from noneuclid.geometry.means import mean_and_covariance

# First directions, each with both signs: eigenvectors of the largest eigenvalues.
_STARTS = 3
# Gradient at which a search ends: the ideal point is that of a row some 200 out.
_STEEP = 1e100


def project(polar, ideals):
    """Points of the subspace, (n, k + 1), from `horospheres.rays` and orthonormal rows (k, d).

    Examples
    --------
    >>> from noneuclid.geometry.horospheres import rays
    >>> x = lorentz.from_spatial(np.array([[np.sinh(2.0), 0.0], [0.0, 0.75]]))
    >>> np.arcsinh(project(rays(x), np.eye(1, 2))[:, 1]).round(6)  # minus the Busemann function
    array([ 2.      , -0.223144])
    """
    heights = _heights(polar, ideals)
    return lorentz.from_spatial(_root(heights)[:, None] - heights)


def find_ideals(polar, weights, count):
    """Orthonormal directions, (count, d), one after the other, and the variances, (count,).

    Each maximises the Fréchet variance of the projection, with those before it fixed.
    """
    vectors = np.arcsinh(polar[:, 1:2]) * polar[:, 2:]
    ideals, variances = np.empty((0, vectors.shape[1])), []
    for _ in range(count):
        ideal, variance = _next_ideal(polar, weights, ideals, vectors)
        ideals = np.vstack([ideals, ideal])
        variances.append(variance)
    return ideals, np.array(variances)


def variance_and_gradient(polar, weights, ideals):
    """Fréchet variance of the projection, and its gradient by the last direction, (d,).

    The Fréchet mean minimises the sum of squares, so its own derivative drops out.
    """
    heights = _heights(polar, ideals)
    time, mass = _root(heights), weights.sum()
    points = np.column_stack([time, time[:, None] - heights])
    mean, _ = mean_and_covariance(points, weights)
    distances = psi(points, mean[None], "laplace")[:, 0]
    # d(r²)/du of u = cosh r = z_0 m_0 - <z, m>
    rates = weights / mass * 2 / lorentz.sinhc(distances)
    by_space = -rates[:, None] * mean[1:]
    by_time = rates * mean[0] + by_space.sum(axis=1)
    bend = (len(ideals) - 1) * time - heights.sum(axis=1)
    # Infinite on the fold, where the image counts as fixed.
    slope = np.where(bend < 0, points[:, -1] / np.where(bend < 0, bend, 1.0), 0.0)
    by_height = by_time * slope - by_space[:, -1]
    gradient = -(by_height * polar[:, 1]) @ polar[:, 2:]
    return weights @ np.square(distances) / mass, gradient


def _next_ideal(polar, weights, ideals, vectors):
    """Direction across the ideals that raises the variance most, and this variance."""
    basis = null_space(ideals) if len(ideals) else np.eye(vectors.shape[1])
    inner = vectors @ basis
    total = weights @ np.square(vectors).sum(axis=1) / weights.sum() or 1.0
    axes = np.linalg.eigh((inner.T * weights) @ inner)[1].T[::-1][:_STARTS]

    def loss(q):
        size = np.linalg.norm(q)
        unit = q / size
        found, slope = variance_and_gradient(polar, weights, np.vstack([ideals, basis @ unit]))
        slope = basis.T @ slope
        if not np.abs(slope).max() < _STEEP:
            slope = np.zeros_like(q)
        return -found / total, -(slope - (slope @ unit) * unit) / (size * total)

    ends = [minimize(loss, sign * axis, jac=True) for axis in axes for sign in (1.0, -1.0)]
    best = min(ends, key=lambda end: end.fun)
    return basis @ (best.x / np.linalg.norm(best.x)), -best.fun * total


def _heights(polar, ideals):
    """Exponentials of the Busemann functions, (n, k), without cancellation far out."""
    squares = [np.square(polar[:, 2:] - ideal).sum(axis=1) for ideal in ideals]
    return polar[:, :1] + polar[:, 1:2] * np.transpose(squares) / 2


def _root(heights):
    """Time coordinates of the images, (n,)."""
    rest, total = len(heights.T) - 1, heights.sum(axis=1)
    constant = np.square(heights).sum(axis=1) + 1
    return constant / (total + np.sqrt(np.maximum(total**2 - rest * constant, 0.0)))
