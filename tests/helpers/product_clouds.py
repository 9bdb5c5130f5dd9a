"""Points of product spaces for the tests of their estimators."""

import numpy as np

from noneuclid.geometry import ProductSpace

SPACES = [
    ProductSpace("H2 S2 E1"),
    ProductSpace("S1 H3 S2", curvatures=[0.5, -2.0, 3.0]),
    ProductSpace("E2 H2 S2", charts=["euclidean", "poincare", "tangent"]),
]


def two_clouds(space, n=40, seed=0, apart=0.9):
    """Rows of two overlapping classes, moved apart by a distance in each factor, and 0 or 1."""
    X = space.random_wrapped_normal(n, covariances=0.25, random_state=seed)
    y = np.arange(n) % 2
    moved = space.random_isometry(apart, random_state=seed + 1).transform(X)
    return np.where(y[:, None] > 0, moved, X), y
