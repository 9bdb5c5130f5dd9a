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
    scaled = np.sqrt(curvature) * base
    time = np.einsum("...i,...i", scaled[..., 1:], v)[..., None]
    spatial = v + scaled[..., 1:] * time / (1 + scaled[..., :1])
    return lorentz.exp(base, np.concatenate([time, spatial], axis=-1), curvature)


def flatten(x, base, curvature=1.0):
    """Tangent coordinates of x at the base; their norm is its distance from x. Inverse of `lift`.

    Examples
    --------
    >>> flatten([1.25, 0.75], [1.0, 0.0]).round(12) == np.arcsinh(0.75).round(12)
    array([ True])
    """
    base = np.asarray(base, dtype=float)
    vector = lorentz.log(base, x, curvature)
    scaled = np.sqrt(curvature) * base
    return vector[..., 1:] - scaled[..., 1:] * vector[..., :1] / (1 + scaled[..., :1])
