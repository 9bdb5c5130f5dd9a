"""Polytopes of dimension two on paper."""

import numpy as np
from scipy.special import expit

from noneuclid.geometry.polytope_metrics import polytope_distance

# Corners of the simplex with three parts: the first at the left, the last at the top.
TRIANGLE = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 0.75**0.5]])
GOLDEN = (5**0.5 - 1) / 2


class Plane:
    """A polytope of dimension two and its picture: the simplex as a triangle, others unchanged.

    `corners`, shape (v, 2), are in order.

    Examples
    --------
    >>> from noneuclid.geometry.polytope import Polytope
    >>> plane = Plane(Polytope.simplex(3))
    >>> plane.lift(plane.flat([[0.2, 0.3, 0.5]])).round(9)
    array([[0.2, 0.3, 0.5]])
    """

    def __init__(self, polytope):
        self.polytope = polytope
        corners = self.flat(polytope.vertices)
        around = corners - corners.mean(axis=0)
        self.corners = corners[np.argsort(np.arctan2(around[:, 1], around[:, 0]))]

    def flat(self, X):
        """Places of points, shape (..., 2)."""
        return np.asarray(X) @ TRIANGLE if self.polytope.is_simplex else np.asarray(X)

    def lift(self, places):
        """Points at places."""
        if not self.polytope.is_simplex:
            return places
        upper = places[..., 1] / TRIANGLE[2, 1]
        right = places[..., 0] - upper / 2
        return np.stack([1 - right - upper, right, upper], axis=-1)

    def segment(self, g):
        """Part of the line c + w.x = 0, with g = (c, w), inside: its ends, or no row if it misses.

        Examples
        --------
        >>> from noneuclid.geometry.polytope import Polytope
        >>> Plane(Polytope.box([0, 0], [1, 2])).segment(np.array([-0.5, 1.0, 0.0]))
        array([[0.5, 0. ],
               [0.5, 2. ]])
        """
        start, end = self.corners, np.roll(self.corners, -1, axis=0)
        a, b = (g[0] + self.lift(corners) @ g[1:] for corners in (start, end))
        cut = (a > 0) != (b > 0)
        share = (a[cut] / (a[cut] - b[cut]))[:, None]
        return start[cut] + share * (end[cut] - start[cut])

    @property
    def extent(self):
        """Left, right, lower and upper end of the picture."""
        (left, low), (right, high) = self.corners.min(axis=0), self.corners.max(axis=0)
        return left, right, low, high

    def pixels(self, size=500):
        """Points on a grid, nan outside, and the `extent` of the grid."""
        low, high = self.corners.min(axis=0), self.corners.max(axis=0)
        step = (high - low) / size
        x, y = (np.linspace(low[k] + step[k] / 2, high[k] - step[k] / 2, size) for k in (0, 1))
        points = self.lift(np.stack(np.meshgrid(x, y), axis=-1))
        outside = ~(self.polytope.facet_values(points) > 1e-9).all(axis=-1)
        points[outside] = np.nan
        return points, self.extent

    def distances_to(self, segment, metric, X):
        """Distances from points, shape (n, d), to a line of `segment`, by golden section along it.

        Examples
        --------
        >>> from noneuclid.geometry.polytope import Polytope
        >>> plane = Plane(Polytope.box([0, 0], [1, 1]))
        >>> upright = np.array([[0.5, 0.0], [0.5, 1.0]])
        >>> np.exp(2 * plane.distances_to(upright, "hilbert", np.array([[0.8, 0.3]]))).round(6)
        array([4.])
        """

        def apart(at):
            share = expit(at)[:, None]
            there = self.lift((1 - share) * segment[0] + share * segment[1])
            return polytope_distance(X, there, self.polytope, metric)

        # Balls are convex, so the distance falls and then rises along the line.
        low, high = np.full(len(X), -20.0), np.full(len(X), 20.0)
        for _ in range(45):
            left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
            nearer = apart(left) < apart(right)
            low, high = np.where(nearer, low, left), np.where(nearer, right, high)
        return apart((low + high) / 2)

    def mesh(self):
        """Places that fill the polytope, shape (rings, along the rim, 2)."""
        start, end = self.corners, np.roll(self.corners, -1, axis=0)
        along = np.linspace(0, 1, max(240 // len(start), 2), endpoint=False)[:, None]
        rim = np.concatenate([a + along * (b - a) for a, b in zip(start, end, strict=True)])
        rim, centre = np.vstack([rim, rim[:1]]), start.mean(axis=0)
        outwards = np.append(0.0, expit(np.linspace(-4, 10, 60)))
        return centre + outwards[:, None, None] * (rim - centre)
