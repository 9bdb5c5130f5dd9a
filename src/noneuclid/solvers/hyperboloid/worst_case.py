"""Exact worst case of the hyperboloid SVM's margins when points move in a box, for d <= 2."""

import math

import numpy as np

from noneuclid.errors import InputError
from noneuclid.geometry.charts import convert

_SPACING = 1 / 16  # of the places where an edge is looked at; margins vary over lengths of 1
_BISECTIONS = 50  # of an edge


def worst_margins(w, points, signs, radius):
    """Smallest margin y <w, exp(v + δ)>_L of each point over all |δ_j| <= radius.

    v is the tangent vector of the point at the origin: the uncertainty of Yang et al. (2024), eq.
    27, whose first-order margins are those of `problem.uncertainty`. As the gradient of <w,x>_L has
    the square length <w,w>_L + <w,x>_L², it vanishes nowhere for spacelike w, so the worst place is
    on the border of the box: for d = 2 on an edge, at a corner or where the derivative along the
    edge, bracketed between places 1/16 apart, changes its sign.
    """
    d = points.shape[1] - 1
    if d > 2:
        raise InputError(f"the exact worst case is known for d <= 2, not for d = {d}")
    v = convert(points, "hyperboloid", "tangent")
    signs = np.asarray(signs, dtype=float)
    if d == 1:
        ends = v + radius * np.array([-1.0, 1.0])
        return _margin(w, signs[:, None], ends[..., None]).min(axis=1)
    steps = np.linspace(-radius, radius, 2 + math.ceil(2.0 * radius / _SPACING))
    worst = np.full(len(points), np.inf)
    for across in (0, 1):
        for side in (-radius, radius):
            place = np.repeat(v[:, None], len(steps), axis=1)
            place[..., across] += side
            place[..., 1 - across] += steps
            worst = np.minimum(worst, _minimise_on_edge(w, signs, place, 1 - across))
    return worst


def _minimise_on_edge(w, signs, place, axis):
    """Least margin on the lines of places, shape (n, steps, 2), that run along an axis."""
    y = signs[:, None]
    least = _margin(w, y, place).min(axis=1)
    slopes = _slope(w, y, place, axis)
    row, step = np.nonzero((slopes[:, :-1] < 0.0) & (slopes[:, 1:] > 0.0))
    low, high = place[row, step], place[row, step + 1]
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        falls = (_slope(w, signs[row], middle, axis) < 0.0)[:, None]
        low, high = np.where(falls, middle, low), np.where(falls, high, middle)
    np.minimum.at(least, row, _margin(w, signs[row], low))
    return least


def _margin(w, y, v):
    """Y <w, exp(v)>_L = y (u·v sinh(r)/r - w_0 cosh r), r = |v|."""
    r = np.linalg.norm(v, axis=-1)
    return y * (v @ w[1:] * _divide(np.sinh(r), r, 1.0) - w[0] * np.cosh(r))


def _slope(w, y, v, axis):
    """Derivative of `_margin` along an axis."""
    r = np.linalg.norm(v, axis=-1)
    stretch = _divide(np.sinh(r), r, 1.0)
    bend = _divide(np.cosh(r) - stretch, r**2, 1.0 / 3.0)
    return y * (w[1 + axis] * stretch + v[..., axis] * (v @ w[1:] * bend - w[0] * stretch))


def _divide(value, by, at_zero):
    """Value divided by `by`, or its limit where `by` is so small that digits are lost."""
    small = by < 1e-8
    return np.where(small, at_zero, value / np.where(small, 1.0, by))
