"""Labelled points for classifiers."""

import numpy as np

from noneuclid.geometry.charts import convert


def ring_clouds(seed=0, n=60, classes=3, radius=1.0, spread=0.4):
    """Rows of the tangent chart around centres on a circle, and their class codes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(classes, size=n)
    angle = 2 * np.pi * y / classes
    centres = radius * np.column_stack([np.cos(angle), np.sin(angle)])
    return centres + spread * rng.normal(size=(n, 2)), y


def random_clouds(seed, n=150, d=3, classes=3, spread=0.7):
    """Points of the hyperboloid around random centres, and their class codes."""
    rng = np.random.default_rng(seed)
    y = rng.integers(classes, size=n)
    X = spread * rng.normal(size=(n, d)) + rng.normal(size=(classes, d))[y]
    return convert(X, "tangent", "hyperboloid"), y
