"""Wrapped normal distributions on a product space: what `wrapped_normals.fit_mixtures` needs of it.

The image of N(0, S) in the tangent space at the mean under the exponential map, S over all factors
together. With the tangent vector v and its part v_f of length r in factor f of dimension d, r in
units of the radius of curvature, the logarithm of the density is log N(v; 0, S) minus the sum over
f of (d - 1) log(sinh r / r) for H, (d - 1) log(sin r / r) for S, and 0 for E: the determinants of
the exponential maps (do Carmo, Riemannian Geometry, 1992, chapter 5). On S this is the branch
r <= pi alone; vectors that go around the sphere are left out.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from noneuclid.geometry.product_space import ProductSpace


@dataclass(frozen=True)
class ProductGeometry:
    """Moments, distances and normals of points in the charts of a space."""

    space: ProductSpace

    def moments(self, points, weights, start):
        """Fréchet mean, (n_features,), and covariance of all tangent coordinates there, (d, d)."""
        weights = np.ones(len(points)) if weights is None else weights
        pairs = zip(self.space.factors, self.space.split(points), strict=True)
        mean = np.concatenate([factor.frechet_mean(block, weights) for factor, block in pairs])
        vectors = np.hstack(tangent_blocks(self.space, mean, points))
        return mean, (vectors.T * weights) @ vectors / weights.sum()

    def distances(self, points, others):
        """Of all pairs, (n, m)."""
        return self.space.pairwise_distances(points, others)

    def nearest(self, points, others):
        """Number of the nearest of the others, (n,)."""
        return self.distances(points, others).argmin(axis=1)

    def normal(self, mean, covariance):
        """The distribution."""
        return ProductNormal(self.space, mean, covariance)


@dataclass(frozen=True)
class ProductNormal:
    """A wrapped normal distribution.

    Attributes
    ----------
    space : ProductSpace
    mean : ndarray, shape (n_features,)
    covariance : ndarray, shape (d, d)
        In the frames that geodesics from the origin carry to the mean, factor after factor.
    """

    space: ProductSpace
    mean: np.ndarray
    covariance: np.ndarray

    @cached_property
    def _whitener(self):
        """Matrix that whitens vectors, and the logarithm of the constant."""
        lower = np.linalg.cholesky(self.covariance)
        d = len(lower)
        constant = -np.log(lower.diagonal()).sum() - d / 2 * np.log(2 * np.pi)
        return np.linalg.inv(lower).T, constant

    def log_density(self, points):
        """Logarithm of the density with respect to the volume, (n,); O(n d²).

        Examples
        --------
        >>> normal = ProductNormal(ProductSpace("E1"), np.zeros(1), np.eye(1))
        >>> normal.log_density(np.array([[0.0]])).round(6)
        array([-0.918939])
        """
        whitener, found = self._whitener
        blocks = tangent_blocks(self.space, self.mean, points)
        white = np.hstack(blocks) @ whitener
        found = found - np.einsum("ij,ij->i", white, white) / 2
        for factor, block in zip(self.space.factors, blocks, strict=True):
            r = np.sqrt(abs(factor.curvature)) * np.linalg.norm(block, axis=1)
            found -= (factor.dimension - 1) * _LOG_GROWTH[factor.kind](r)
        return found


def tangent_blocks(space, mean, points):
    """Coordinates of the logarithms at the mean, one block a factor, (n, d_f) each.

    All directions lead to the point opposite to the mean of a sphere; it gets the first axis.
    """
    found = []
    bases = space.split(mean)
    for factor, base, block in zip(space.factors, bases, space.split(points), strict=True):
        vectors = factor.frame_coordinates(base, block)
        if factor.kind == "S":
            opposite = np.isnan(vectors[:, 0])
            vectors[opposite] = np.eye(1, factor.dimension) * np.pi / np.sqrt(factor.curvature)
        found.append(vectors)
    return found


def _log_sinhc(r):
    """log(sinh r / r), also where sinh r overflows."""
    safe = np.where(r > 0, r, 1.0)
    return np.where(r > 0, r + np.log(-np.expm1(-2 * safe) / (2 * safe)), 0.0)


def _log_sinc(r):
    """log(sin r / r); finite at pi, which r exceeds by rounding."""
    return np.log(np.abs(np.sinc(r / np.pi)))


_LOG_GROWTH = {"H": _log_sinhc, "S": _log_sinc, "E": np.zeros_like}
