"""Labelled points for classifiers."""

from decimal import Decimal

import numpy as np

from noneuclid.geometry import lorentz, tangent
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


def moved(points, seed, distance):
    """Points of the hyperboloid after a random rotation and a translation by a distance."""
    d = points.shape[1] - 1
    rng = np.random.default_rng(seed)
    turn = np.linalg.qr(rng.normal(size=(d, d)))[0]
    way = rng.normal(size=d)
    target = tangent.lift(distance * way / np.linalg.norm(way), lorentz.origin(d))
    turned = lorentz.from_spatial(points[:, 1:] @ turn)
    return lorentz.from_spatial((turned @ lorentz.boost(target).T)[:, 1:])


def exact_cosh(x, y):
    """Hyperbolic cosine of the distance, in the digits of the decimal context."""
    x, y = ([Decimal(float(c)) for c in v[1:]] for v in (x, y))
    times = [(1 + sum(c * c for c in v)).sqrt() for v in (x, y)]
    return times[0] * times[1] - sum(a * b for a, b in zip(x, y, strict=True))
