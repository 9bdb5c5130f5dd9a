"""How a disk is drawn whose points lie near the rim, where no picture separates them."""

from dataclasses import dataclass

import numpy as np

# Beyond this distance from the origin, coordinates of the disk lose the distance between points.
_FARTHEST = 16.0
# If most points are farther than the first, nine of ten are drawn within the second.
_RIM, _WITHIN = 2 * np.arctanh([0.99, 0.9])
# Part of the circle that is divided among the points in equal shares, and directions to know them.
_SHARED, _KNOTS = 0.75, 512


@dataclass(frozen=True)
class View:
    """Distances from the centre are drawn `scale` times as long, and crowded angles wider.

    `angles` and `drawn` increase from -pi to pi: angles of points, and where they are drawn. Both
    maps have an inverse, so that regions can be drawn in the same way.

    Examples
    --------
    >>> View().draw(np.array([[0.5, 0.0]])).tolist()
    [[0.5, 0.0]]
    """

    scale: float = 1.0
    angles: np.ndarray | None = None
    drawn: np.ndarray | None = None

    def draw(self, points):
        """Places in the picture of points of the unit disk, shape (n, 2)."""
        return points if self.scale == 1 else _moved(points, self.scale, self.angles, self.drawn)

    def undo(self, places):
        """Points of the unit disk at these places, at most at the distance `_FARTHEST`."""
        back = 1 / self.scale
        return places if back == 1 else _moved(places, back, self.drawn, self.angles)


PLAIN = View()


def of(points):
    """The `View` of points of the unit disk, shape (n, 2): plain unless most are near the rim.

    Examples
    --------
    >>> of(np.array([[0.0, 0.0], [0.0, 0.9], [0.0, 0.9999]])).scale
    1.0
    >>> round(of(np.array([[0.0, 0.9995], [0.0, 0.9999]])).scale, 2)
    0.3
    """
    lengths = np.hypot(*np.transpose(points))
    if not (len(lengths) and lengths.max() < 1):  # who draws them refuses points outside
        return PLAIN
    distances = 2 * np.arctanh(lengths)
    if np.median(distances) <= _RIM:
        return PLAIN
    shares = np.linspace(0, 1, _KNOTS + 1)
    inner = np.quantile(np.arctan2(*points.T[::-1]), shares)
    angles, shares = np.r_[-np.pi, inner, np.pi], np.r_[0.0, shares, 1.0]
    drawn = (1 - _SHARED) * angles + _SHARED * np.pi * (2 * shares - 1)
    return View(float(_WITHIN / np.quantile(distances, 0.9)), angles, drawn)


def _moved(points, scale, angles, drawn):
    """Points (n, 2) of the unit disk at `scale` times their distances, and at other angles."""
    lengths = np.hypot(*points.T)
    farther = np.tanh(np.minimum(scale * np.arctanh(lengths), _FARTHEST / 2))
    turned = np.interp(np.arctan2(*points.T[::-1]), angles, drawn)
    return farther[:, None] * np.column_stack([np.cos(turned), np.sin(turned)])
