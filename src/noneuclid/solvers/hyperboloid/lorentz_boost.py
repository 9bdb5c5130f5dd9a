"""The Lorentz boost that moves the points before the search: the problem is the same after it."""

import math

import numpy as np

from noneuclid.solvers.hyperboloid import exact_sums

_SLANTED = 1e-20  # <w,w>_L / |w|² below which w has no hyperplane worth a centre


def find_middle(points, signs, weights):
    """Spatial part of the middle between the classes' mean Klein coordinates."""
    klein = points[:, 1:] / points[:, :1]
    means = []
    for side in (signs > 0, signs < 0):
        share = None if weights is None else weights[side]
        means.append(np.average(klein[side], axis=0, weights=share))
    mean = 0.5 * (means[0] + means[1])
    return mean / math.sqrt(max(1.0 - mean @ mean, 1e-12))


def find_foot(w, centre):
    """The hyperplane's nearest point to the centre, or the centre if w is near the light cone.

    w is normal to it in the coordinates that `boost` to the centre gives.
    """
    centre = centre.astype(np.longdouble)
    length = math.sqrt(w[1:] @ w[1:])
    square = float(exact_sums.lorentz_square(w))
    if not square > _SLANTED * length * length:
        return centre
    space = w[1:] * (w[0] / (length * math.sqrt(square)))
    foot = np.append(math.sqrt(1.0 + space @ space), space)
    return boost(foot, centre)[1:].astype(np.longdouble)


def boost(vectors, centre):
    """Vectors times the Lorentz boost, symmetric, that carries the origin to the centre.

    The problem is the same after it, and rounder: slices in time see the data from their middle.
    It is carried out in the numbers of the centre, and rounded once.
    """
    long = np.asarray(vectors, dtype=centre.dtype)
    time = np.sqrt(1.0 + centre @ centre)
    along = long[..., 1:] @ centre
    moved = np.empty(vectors.shape)
    moved[..., 0] = long[..., 0] * time + along
    moved[..., 1:] = long[..., 1:] + (long[..., 0] + along / (1.0 + time))[..., None] * centre
    return moved


def invert(lorentz):
    """Inverse J Mᵀ J of a Lorentz matrix."""
    inverse = lorentz.T.copy()
    inverse[0] *= -1.0
    inverse[:, 0] *= -1.0
    return inverse


def in_numbers_of(centre, points):
    """Points with √(1 + |x'|²) as time coordinate, in extended precision if the centre has it."""
    if centre.dtype == float:
        return points
    long = points.astype(centre.dtype)
    long[:, 0] = np.sqrt(1.0 + (long[:, 1:] ** 2).sum(axis=1))
    return long
