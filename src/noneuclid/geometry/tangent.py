"""Orthonormal coordinates of the tangent space at any base point of the hyperboloid.

The frame at the base is the image of the frame at the origin under the boost to the base; at the
origin itself `lift` and `flatten` are the conversions of the chart `tangent`. Vectors have shape
(..., d), points (..., d + 1).
"""

import numpy as np

from noneuclid.geometry import lorentz


def lift(v, base, curvature=1.0):
    """Point of the hyperboloid with tangent coordinates v at the base.

    Examples
    --------
    >>> lift([np.arcsinh(0.75)], [1.0, 0.0]).round(12)
    array([1.25, 0.75])
    """
    v, base = np.asarray(v, dtype=float), np.asarray(base, dtype=float)
    return lorentz.exp(base, vector(v, base, curvature), curvature)


def flatten(x, base, curvature=1.0):
    """Tangent coordinates of x at the base; their norm is its distance from x. Inverse of `lift`.

    Examples
    --------
    >>> flatten([1.25, 0.75], [1.0, 0.0]).round(12) == np.arcsinh(0.75).round(12)
    array([ True])
    """
    base = np.asarray(base, dtype=float)
    return coordinates(lorentz.log(base, x, curvature), base, curvature)


def coordinates(v, base, curvature=1.0):
    """Coordinates of the tangent vector v, shape (..., d + 1), at the base.

    Examples
    --------
    >>> coordinates([0.75, 1.25], np.array([1.25, 0.75])).round(12)
    array([1.])
    """
    v, scaled = np.asarray(v, dtype=float), np.sqrt(curvature) * base
    return v[..., 1:] - scaled[..., 1:] * v[..., :1] / (1 + scaled[..., :1])


def vector(v, base, curvature=1.0):
    """Tangent vector with coordinates v at the base: the inverse of `coordinates`.

    Examples
    --------
    >>> vector(np.array([1.0]), np.array([1.25, 0.75]))
    array([0.75, 1.25])
    """
    scaled = np.sqrt(curvature) * base
    time = np.einsum("...i,...i", scaled[..., 1:], v)[..., None]
    return np.concatenate([time, v + scaled[..., 1:] * time / (1 + scaled[..., :1])], axis=-1)


def transport(x, y, v, curvature=1.0):
    """Parallel transport of the tangent vector v from x to y along the geodesic.

    It is v + <y,v>_L (x+y) / (1/K - <x,y>_L), which cancels far out. Here `turn` rotates its
    coordinates: all products are preserved to rounding of the points.

    Examples
    --------
    >>> x = lorentz.from_spatial([0.75])
    >>> transport(lorentz.origin(1), x, [0.0, 1.0])
    array([0.75, 1.25])
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    root = np.sqrt(curvature)
    (p, p_gap), (q, q_gap) = ((root * a[..., 1:], 1 + root * a[..., :1]) for a in (x, y))
    turned = turn(p / p_gap, q / q_gap, 2 / p_gap, 2 / q_gap, coordinates(v, x, curvature))
    return vector(turned, y, curvature)


def turn(p, q, p_gap, q_gap, v):
    """Rotation of the coordinates v, shape (..., d), by parallel transport from p to q.

    p and q lie in the Poincaré ball of radius 1; the gaps 1 - |p|^2 have shape (..., 1). It is the
    gyration of q and -p (Ungar, Analytic Hyperbolic Geometry, 2005): multiplication by
    (1 - q p*) / (1 - q* p) for complex numbers, here by sums that do not cancel.

    Examples
    --------
    >>> p, q = np.array([0.0, -0.5]), np.array([0.5, 0.0])
    >>> turn(p, q, np.array([0.75]), np.array([0.75]), np.array([1.0, 0.0])).round(12)
    array([ 0.88235294, -0.47058824])
    """
    apart = q - p
    square = np.einsum("...i,...i", apart, apart)[..., None]

    def across(u):
        along, out = (np.einsum("...i,...i", a, u)[..., None] for a in (apart, p))
        return p * along - apart * out

    first = across(v)
    second = across(first)
    cosine = (p_gap + q_gap + square) / 2
    return v + 2 * (cosine * first + second) / (square + p_gap * q_gap)
