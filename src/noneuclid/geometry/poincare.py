"""Hyperbolic space of curvature -K as the Poincaré ball of radius 1/sqrt(K).

Möbius operations follow Ganea, Bécigneul and Hofmann, "Hyperbolic neural networks", NeurIPS 2018,
section 2, rearranged into sums without cancellation. Tangent vectors are written in the
coordinates of the ball: the length of v at p is `conformal_factor(p) * |v|`. A result within 1e-16
of the boundary is rounded onto it; `charts.check_points` finds such points.

All functions take array_like and return ndarray. Points and vectors have shape (..., d); leading
axes broadcast; distances have shape (...). `curvature` is K > 0.
"""

import numpy as np

from noneuclid.geometry import charts, tangent


def _gap(x, curvature):
    """1 - K|x|^2, without the cancellation of the square."""
    norm = np.sqrt(curvature) * np.linalg.norm(x, axis=-1)
    return (1 - norm) * (1 + norm)


def _square(x):
    return np.einsum("...i,...i", x, x)


def conformal_factor(p, curvature=1.0):
    """Ratio of hyperbolic to Euclidean length at p: `2 / (1 - K |p|^2)`.

    Examples
    --------
    >>> float(conformal_factor([0.0, 0.5]).round(12))
    2.666666666667
    """
    return 2 / _gap(p, curvature)


def distance(x, y, curvature=1.0):
    """Hyperbolic distance `2 asinh(sqrt(K) |x-y| / sqrt((1-K|x|^2)(1-K|y|^2))) / sqrt(K)`.

    Examples
    --------
    >>> float(distance([0.0], [np.tanh(1.0)]).round(12))
    2.0
    """
    root = np.sqrt(curvature)
    apart = root * np.linalg.norm(np.subtract(x, y, dtype=float), axis=-1)
    return 2 * np.arcsinh(apart / np.sqrt(_gap(x, curvature) * _gap(y, curvature))) / root


def mobius_add(x, y, curvature=1.0):
    """Möbius sum: the image of y under the translation that carries 0 to x.

    `((1-K|x|^2)(x+y) + K|x+y|^2 x) / (K|x+y|^2 + (1-K|x|^2)(1-K|y|^2))`.

    Examples
    --------
    >>> mobius_add([0.5], [0.5])
    array([0.8])
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    total = x + y
    square = curvature * _square(total)[..., None]
    x_gap, y_gap = _gap(x, curvature)[..., None], _gap(y, curvature)[..., None]
    return (x_gap * total + square * x) / (square + x_gap * y_gap)


def exp(p, v, curvature=1.0):
    """Point reached from p by the geodesic with velocity v in unit time.

    Examples
    --------
    >>> exp([0.0], [1.0]).round(12) == np.tanh(1.0).round(12)
    array([ True])
    """
    velocity = conformal_factor(p, curvature)[..., None] * np.asarray(v, dtype=float)
    return mobius_add(p, charts.convert(velocity, "tangent", "poincare", curvature), curvature)


def log(p, x, curvature=1.0):
    """Tangent vector at p that `exp` carries to x; zero where the points are equal.

    Examples
    --------
    >>> log([0.0], [np.tanh(1.0)]).round(12)
    array([1.])
    """
    direction = mobius_add(np.negative(p), x, curvature)
    size = np.linalg.norm(direction, axis=-1)
    length = distance(p, x, curvature) / conformal_factor(p, curvature)
    return direction * (length / np.where(size > 0, size, 1.0))[..., None]


def transport(p, q, v, curvature=1.0):
    """Parallel transport of the tangent vector v from p to q along the geodesic.

    Examples
    --------
    >>> transport([0.0, 0.0], [0.5, 0.0], [1.0, 2.0])
    array([0.75, 1.5 ])
    """
    p, q, v = (np.asarray(a, dtype=float) for a in (p, q, v))
    p_gap, q_gap = _gap(p, curvature)[..., None], _gap(q, curvature)[..., None]
    root = np.sqrt(curvature)
    return q_gap / p_gap * tangent.turn(root * p, root * q, p_gap, q_gap, v)


def hyperplane_distance(x, p, w, curvature=1.0):
    """Signed distance from x to the hyperplane through p with Euclidean normal w of any length.

    With z = (-p) + x: `asinh(2 sqrt(K) <z,w> / ((1-K|z|^2) |w|)) / sqrt(K)` (Pan et al. 2023,
    section 3.1). Positive on the side to which w points.

    Examples
    --------
    >>> float(hyperplane_distance([np.tanh(1.0), 0.0], [0.0, 0.0], [3.0, 0.0]).round(12))
    2.0
    """
    x, p, w = (np.asarray(a, dtype=float) for a in (x, p, w))
    apart = x - p
    x_gap, p_gap = _gap(x, curvature), _gap(p, curvature)
    # numerator of the Möbius sum and its gap share a denominator, which cancels
    inward = p_gap[..., None] * apart - curvature * _square(apart)[..., None] * p
    sine = np.einsum("...i,...i", inward, w) / (p_gap * x_gap * np.linalg.norm(w, axis=-1))
    return np.arcsinh(2 * np.sqrt(curvature) * sine) / np.sqrt(curvature)
