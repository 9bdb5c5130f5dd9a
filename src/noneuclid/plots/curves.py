"""Geodesics and curves of equal distance from them, written in the unit Poincaré disk."""

import numpy as np

# As far as the projection of pgd and sdp stays inside the light cone, with room for rounding.
_ON_THE_CONE = 1e-8


def trace(w, distance=0.0, size=400):
    """Points at a signed distance from the geodesic <w,x>_L = 0, from rim to rim, shape (size, 2).

    The distance is for curvature -1, positive where <w,x>_L is. In the Klein disk the geodesic is
    the chord between the unit vectors e with u·e = t, w = (t, u). A point x of it and the unit
    normal n = w/|w| give x cosh(distance) + n sinh(distance). None if w is on the light cone, up to
    a relative 1e-8, or inside it: there is no hyperplane.

    Examples
    --------
    >>> trace([0.0, 0.0, 2.0], size=3).round(3) + 0.0
    array([[ 1.,  0.],
           [ 0.,  0.],
           [-1.,  0.]])
    >>> trace([0.0, 0.0, 2.0], np.log(3.0), size=3).round(3) + 0.0
    array([[ 1. ,  0. ],
           [ 0. ,  0.5],
           [-1. ,  0. ]])
    >>> trace([1.0, 1.0, 0.0])
    """
    t, u = w[0], np.asarray(w[1:], dtype=float)
    length = np.hypot(*u)
    if not abs(t) < (1.0 - _ON_THE_CONE) * length:
        return None
    middle, half = np.arctan2(u[1], u[0]), np.arccos(t / length)
    ends = np.array([[np.cos(a), np.sin(a)] for a in (middle - half, middle + half)])
    share = 0.5 - 0.5 * np.cos(np.linspace(0.0, np.pi, size))[:, None]
    chord = (1.0 - share) * ends[0] + share * ends[1]
    # √(1 - |chord|²), without the loss of digits near the rim.
    depth = 2.0 * np.sqrt(share * (1.0 - share)) * np.sin(half)
    # Time and space of the point of the hyperboloid, both multiplied by the depth.
    shift = np.sinh(distance) / np.sqrt((length - t) * (length + t))
    return (chord * np.cosh(distance) + depth * shift * u) / (
        np.cosh(distance) + depth * (1.0 + shift * t)
    )


def axis_geodesics(step=1.0, reach=5.0):
    """Geodesics at right angles to both axes, every `step` of distance along them, as `trace`.

    Examples
    --------
    >>> [line.shape for line in axis_geodesics(step=1.0, reach=1.0)]
    [(400, 2), (400, 2), (400, 2), (400, 2), (400, 2), (400, 2)]
    """
    count = int(reach / step + 1e-9)
    places = step * np.arange(-count, count + 1)
    normals = [np.array([np.sinh(t), np.cosh(t), 0.0]) for t in places]
    return [trace(w) for w in (*normals, *(w[[0, 2, 1]] for w in normals))]


def polar_grid(step=1.0, reach=5.0, turns=6):
    """Circles at every `step` of distance from the origin, and diameters at equal angles.

    Examples
    --------
    >>> circle, diameter = polar_grid(step=2.0, reach=2.0, turns=1)
    >>> circle[0].round(4), diameter.round(4)[[0, -1]] + 0.0
    (array([0.7616, 0.    ]), array([[ 1.,  0.],
           [-1.,  0.]]))
    """
    turn = np.linspace(0.0, 2 * np.pi, 361)
    round_once = np.column_stack([np.cos(turn), np.sin(turn)])
    radii = np.tanh(step * np.arange(1, int(reach / step + 1e-9) + 1) / 2)
    angles = np.pi * np.arange(turns) / turns
    diameters = [np.outer([1.0, -1.0], [np.cos(a), np.sin(a)]) for a in angles]
    return [*(radius * round_once for radius in radii), *diameters]
