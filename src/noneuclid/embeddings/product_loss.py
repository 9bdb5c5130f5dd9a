"""Relative stress of pairs of points of a product space: value and gradient, and local coordinates.

Points have blocks of columns, one a factor: the hyperboloid of curvature -1, the sphere of
curvature 1, or flat coordinates. `scales` multiplies the distances of each factor, so a factor has
curvature -1/scale^2, 1/scale^2 or 0; that of a flat factor is 1.
"""

from typing import NamedTuple

import numpy as np
from numpy.polynomial import Chebyshev, Polynomial

from noneuclid.compiled import compile_cached, compile_inner, compile_vectorised

_BLOCK = 1024  # pairs at a time
_NEAR = 1e-30  # half squared chord below which two points are one
_SIGNS = {"H": -1, "E": 0, "S": 1}
# arctan(sqrt(z)) / sqrt(z) up to z = tan(pi / 8)^2, to 1e-16
_ARCTAN = Chebyshev.interpolate(
    lambda z: np.arctan(np.sqrt(z)) / np.sqrt(z), 11, domain=[0, np.tan(np.pi / 8) ** 2]
).convert(kind=Polynomial)
_SERIES = tuple(_ARCTAN.coef[::-1].tolist())


class Layout(NamedTuple):
    """Where the factors are: signs of curvature, first columns, and dimensions; each (k,)."""

    signs: np.ndarray
    first: np.ndarray
    dimensions: np.ndarray

    @property
    def width(self):
        """Number of columns of a point."""
        return int(self.first[-1] + self.dimensions[-1] + (self.signs[-1] != 0))

    def of_columns(self, values):
        """The value of its factor for each column; `values` (k,)."""
        return np.repeat(values, self.dimensions + (self.signs != 0))


class Pairs(NamedTuple):
    """Pairs of rows and the distances that they should have, all above 0; each (m,)."""

    left: np.ndarray
    right: np.ndarray
    wanted: np.ndarray


def layout_of(space):
    """Layout of the factors of a `ProductSpace` in its default charts.

    Examples
    --------
    >>> from noneuclid.geometry import ProductSpace
    >>> layout_of(ProductSpace("H2 E1 S1")).first.tolist()
    [0, 3, 4]
    """
    signs = np.array([_SIGNS[f.kind] for f in space.factors])
    dimensions = np.array([f.dimension for f in space.factors])
    return Layout(signs, np.cumsum(np.r_[0, (dimensions + (signs != 0))[:-1]]), dimensions)


def scales_of(space):
    """Scales of the factors of a `ProductSpace`: 1 of a flat one, else the radius; (k,).

    Examples
    --------
    >>> from noneuclid.geometry import ProductSpace
    >>> scales_of(ProductSpace("H2(-4.0) E1")).tolist()
    [0.5, 1.0]
    """
    return np.array([abs(c) ** -0.5 if c else 1.0 for c in space.curvatures])


@compile_inner
def _squares(columns, left, right, first, d, sign, square, rate):
    """Squared distances of pairs in one factor, and their derivatives by c.

    c is -1 - <x, y>_L on the hyperboloid, 1 - <x, y> on the sphere, and half the square in flat
    space, each by the difference of the points, which keeps the digits of near ones.
    """
    for p in range(len(left)):
        square[p] = 0.0
    for k in range(first, first + d + (sign != 0)):
        x, part = columns[k], -0.5 if sign < 0 and k == first else 0.5
        for p in range(len(left)):
            square[p] += part * (x[left[p]] - x[right[p]]) ** 2
    if sign > 0:
        _angles(square, rate, len(left))
        return
    for p in range(len(left)):
        c = max(square[p], 0.0)
        if sign == 0 or c < _NEAR:
            square[p], rate[p] = 2.0 * c, 2.0
        else:
            sinh = np.sqrt(c * (c + 2.0))
            length = np.log1p(c + sinh)
            square[p], rate[p] = length * length, 2.0 * length / sinh


@compile_vectorised
def _angles(square, rate, m):
    """Squares of the angles whose cosine is 1 - c, and their derivatives, in place of c.

    The angle is 4 arctan(u), u = tan(angle / 4) from half angles, or beyond a right angle pi less
    that of the opposite point. A polynomial in u^2 is arctan(u) / u, and the loop runs by vectors.
    """
    for p in range(m):
        c = min(max(square[p], 0.0), 2.0)
        less = min(c, 2.0 - c)
        near = np.sqrt(less / (2.0 - less))  # tan of half the angle, at most 1
        u = near / (1.0 + np.sqrt(1.0 + near * near))
        z = u * u
        bend = _SERIES[0]
        for k in range(1, len(_SERIES)):
            bend = bend * z + _SERIES[k]
        angle = 4.0 * u * bend
        angle = angle if c <= 1.0 else np.pi - angle
        sine = np.sqrt(c * (2.0 - c))
        square[p] = angle * angle if c >= _NEAR else 2.0 * c
        # Opposite points have no direction; the descent leaves them to other pairs.
        rate[p] = 2.0 * angle / sine if sine > 0.0 else 0.0
        rate[p] = rate[p] if c >= _NEAR else 2.0


@compile_inner
def _add_slopes(columns, left, right, first, d, sign, pull, gradient):
    """Add pull times the ambient gradients of c; `pull` has an entry for each pair.

    Pairs of one row that follow each other are added up before.
    """
    for k in range(first, first + d + (sign != 0)):
        x, g = columns[k], gradient[k]
        turn = 1.0 if sign < 0 and k == first else -1.0
        own = 1.0 if sign == 0 else 0.0
        row, total = left[0], 0.0
        for p in range(len(left)):
            i, j = left[p], right[p]
            if i != row:
                g[row] += total
                row, total = i, 0.0
            total += pull[p] * (own * x[i] + turn * x[j])
            g[j] += pull[p] * (own * x[j] + turn * x[i])
        g[row] += total


@compile_cached
def relative_stress(points, scales, left, right, wanted, signs, first, dimensions, gradient, slope):
    """Mean over pairs of (d / wanted - 1)^2.

    Fills the ambient gradient by the points, `gradient` (n, width), and that by the logarithms of
    the scales, `slope` (k,). O(m d) time, O(n d) memory.
    """
    factors = len(signs)
    columns = points.T.copy()
    pulls = np.zeros(columns.shape)
    square, rate = np.empty((factors, _BLOCK)), np.empty((factors, _BLOCK))
    factor = np.empty(_BLOCK)
    slope[:] = 0.0
    value = 0.0
    for begin in range(0, len(left), _BLOCK):
        i, j = left[begin : begin + _BLOCK], right[begin : begin + _BLOCK]
        goal = wanted[begin : begin + _BLOCK]
        for f in range(factors):
            _squares(columns, i, j, first[f], dimensions[f], signs[f], square[f], rate[f])
        for p in range(len(i)):
            total = 0.0
            for f in range(factors):
                square[f, p] *= scales[f] * scales[f]
                total += square[f, p]
            ratio = np.sqrt(total) / goal[p]
            value += (ratio - 1.0) ** 2
            # Two points in one place have no direction to part in.
            factor[p] = (1.0 - 1.0 / ratio) / goal[p] ** 2 if ratio > 0.0 else 0.0
        for f in range(factors):
            scale = scales[f] * scales[f]
            for p in range(len(i)):
                slope[f] += 2.0 * factor[p] * square[f, p]
                rate[f, p] *= scale * factor[p]
            _add_slopes(columns, i, j, first[f], dimensions[f], signs[f], rate[f], pulls)
    for i in range(len(points)):
        for k in range(len(columns)):
            gradient[i, k] = pulls[k, i] / len(left)
    slope /= len(left)
    return value / len(left)


@compile_cached
def place(base, local, signs, first, dimensions, out):
    """Points with these coordinates in the frames at the base points; both have d + 1 columns.

    A frame is the boost that carries the origin of the hyperboloid to the base point, or on the
    sphere the reflection. Coordinates w are the point (1, w), divided by its length on the sphere,
    or with time sqrt(1 + |w|^2) on the hyperboloid.
    Shapes: `base`, `out` (n, width), `local` (n, sum of dimensions).
    """
    c = 0
    for f in range(len(signs)):
        a, d, sign = first[f], dimensions[f], signs[f]
        for i in range(len(base)):
            if sign == 0:
                for k in range(d):
                    out[i, a + k] = base[i, a + k] + local[i, c + k]
                continue
            ww = bw = 0.0
            for k in range(d):
                ww += local[i, c + k] ** 2
                bw += base[i, a + 1 + k] * local[i, c + k]
            time, t = base[i, a], np.sqrt(1.0 + ww)
            if sign < 0:
                square, bend = 1.0, t + bw / (1.0 + time)
                for k in range(d):
                    out[i, a + 1 + k] = bend * base[i, a + 1 + k] + local[i, c + k]
                    square += out[i, a + 1 + k] ** 2
                out[i, a] = np.sqrt(square)
                continue
            turn = 1.0 if time >= 0.0 else -1.0
            bend, square = 1.0 - bw / (1.0 + abs(time)), 0.0
            out[i, a] = time - turn * bw
            square = out[i, a] ** 2
            for k in range(d):
                out[i, a + 1 + k] = bend * base[i, a + 1 + k] + local[i, c + k]
                square += out[i, a + 1 + k] ** 2
            for k in range(d + 1):
                out[i, a + k] /= np.sqrt(square)
        c += d


@compile_cached
def pull_back(base, local, points, gradient, signs, first, dimensions, out):
    """Gradient by the local coordinates of `place`, from the ambient gradient at its points.

    Shapes: `out` (n, sum of dimensions); others as in `place`.
    """
    c = 0
    for f in range(len(signs)):
        a, d, sign = first[f], dimensions[f], signs[f]
        for i in range(len(base)):
            if sign == 0:
                for k in range(d):
                    out[i, c + k] = gradient[i, a + k]
                continue
            ww = bg = xg = 0.0
            for k in range(d):
                ww += local[i, c + k] ** 2
                bg += base[i, a + 1 + k] * gradient[i, a + 1 + k]
                xg += points[i, a + 1 + k] * gradient[i, a + 1 + k]
            time, g, t = base[i, a], gradient[i, a], np.sqrt(1.0 + ww)
            if sign < 0:
                along = (bg + time * g) / t
                bend = g + bg / (1.0 + time)
                for k in range(d):
                    moved = gradient[i, a + 1 + k] + bend * base[i, a + 1 + k]
                    out[i, c + k] = moved + along * local[i, c + k]
                continue
            turn = 1.0 if time >= 0.0 else -1.0
            bend = turn * g + bg / (1.0 + abs(time))
            xg += points[i, a] * g
            for k in range(d):
                moved = gradient[i, a + 1 + k] - bend * base[i, a + 1 + k]
                out[i, c + k] = moved / t - xg * local[i, c + k] / (t * t)
        c += d
