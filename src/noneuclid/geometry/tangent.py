"""Orthonormal coordinates of the tangent space at any base point.

The frame at the base is the one that its boost carries over from the origin; at the origin itself
`lift` and `flatten` are the conversions of the chart `tangent`.
"""

import numpy as np

from noneuclid.geometry import lorentz


def lift(v, base, curvature=1.0):
    """Point of the hyperboloid whose tangent coordinates at the base are v.

    Parameters
    ----------
    v : array_like, shape (..., d)
    base : array_like, shape (..., d + 1)
    curvature : float > 0

    Returns
    -------
    ndarray, shape (..., d + 1)

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
    """Tangent coordinates of x at the base: as far from 0 as x from the base. Undoes `lift`.

    Parameters
    ----------
    x, base : array_like, shape (..., d + 1)
    curvature : float > 0

    Returns
    -------
    ndarray, shape (..., d)

    Examples
    --------
    >>> flatten([1.25, 0.75], [1.0, 0.0]).round(12) == np.arcsinh(0.75).round(12)
    array([ True])
    """
    base = np.asarray(base, dtype=float)
    vector = lorentz.log(base, x, curvature)
    scaled = np.sqrt(curvature) * base
    return vector[..., 1:] - scaled[..., 1:] * vector[..., :1] / (1 + scaled[..., :1])
