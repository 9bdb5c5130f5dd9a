"""Points and isometries for the tests of the kernel machines."""

import numpy as np

from noneuclid.geometry import lorentz


def three_clouds(n=60, seed=0):
    """Overlapping clouds of three classes on the hyperboloid, shape (n, 3)."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    centres = np.array([[1.2, 0.0], [-0.6, 1.0], [-0.6, -1.0]])
    return lorentz.from_spatial(centres[y] + 0.8 * rng.normal(size=(n, 2))), y


def isometry(distance, angle=1.0, d=2):
    """Lorentz matrix of a rotation, then a boost by this distance along the first axis."""
    turn = np.eye(d + 1)
    turn[1:3, 1:3] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return lorentz.boost(np.r_[np.cosh(distance), np.sinh(distance), np.zeros(d - 1)]) @ turn
