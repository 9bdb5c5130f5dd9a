"""Hilbert and Funk metrics of a polytope (Acharya, Gezalyan and Mount 2026, section 2).

With facet values a(x) = A x + b > 0 and delta_i = log a_i(x) - log a_i(y), by Birkhoff's formula
(proposition 2.1)

    funk:          d(x, y) = max_i delta_i,  infinite if y is on the boundary,
    reverse_funk:  d(x, y) = max_i -delta_i, the Funk distance from y to x,
    hilbert:       d(x, y) = (max_i delta_i - min_i delta_i) / 2.

The two Funk distances are not symmetric: all functions measure from the first point to the second.
Points have shape (..., d) and lie strictly inside the `polytope`, a
`noneuclid.geometry.polytope.Polytope`; leading axes broadcast; a point that is not inside and a
`metric` that is none of `METRICS` raise InputError.

Precision
---------
`polytope_distance` forms delta from the difference of the points, so that near points keep their
relative accuracy; `pairwise_polytope_distances` subtracts logarithms, and is off by 1e-16 |log a|,
about 1e-15. Both inherit the rounding of the facet values (see `noneuclid.geometry.polytope`).
Against exact fractions, a point at 10^-k from a facet of a heptagon of size one has distances that
are off by 0.6 10^(k-16), k up to 14; in the simplex and in a box at zero by a relative 2e-15, k up
to 300.
"""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.compiled import compile_cached
from noneuclid.errors import InputError, require
from noneuclid.geometry.polytope import Polytope
from noneuclid.geometry.polytope_rows import HULL_TOLERANCE

Metric = Literal["hilbert", "funk", "reverse_funk"]
METRICS = ("hilbert", "funk", "reverse_funk")

_SHARES = {"hilbert": (0.5, 0.5), "funk": (1.0, 0.0), "reverse_funk": (0.0, 1.0)}


def polytope_distance(
    x: ArrayLike, y: ArrayLike, polytope: Polytope, metric: Metric = "hilbert"
) -> np.ndarray:
    r"""Hilbert or Funk distance from x to y, pair by pair.

    Parameters
    ----------
    x, y : array_like, shape (..., d)
        Strictly inside the polytope. Leading axes broadcast.
    polytope : Polytope
    metric : {"hilbert", "funk", "reverse_funk"}, default="hilbert"
        Only Hilbert's is symmetric; "reverse_funk" is the Funk distance from y to x.

    Returns
    -------
    ndarray, shape (...)

    Raises
    ------
    InputError
        If a point is not inside, or the metric is unknown.

    See Also
    --------
    pairwise_polytope_distances : All pairs of two tables.
    noneuclid.Polytope : Simplex, box, polygons and half-spaces.
    noneuclid.HilbertSVC : A classifier in these metrics.

    Notes
    -----
    Birkhoff's formula (Acharya, Gezalyan and Mount 2026, proposition 2.1) with the logarithm
    :math:`\delta_i` of ratios of facet values, from the difference of the points,

    .. math::

        \max_i \delta_i \ \text{("funk")}, \qquad \max_i(-\delta_i) \ \text{("reverse\_funk")},
        \qquad (\max_i \delta_i - \min_i \delta_i)/2 \ \text{("hilbert")},

    so near points keep their relative accuracy. In the simplex and in a box at zero the relative
    error is below 2e-15, also at 1e-300 from a facet; at 10^-k from an oblique facet of a polytope
    of size one the error is 0.6 10^(k-16). O(n m d) for m facets.

    Examples
    --------
    >>> from noneuclid import Polytope
    >>> interval = Polytope.box([0], [1])
    >>> float(np.exp(2 * polytope_distance([0.5], [0.8], interval)).round(9))
    4.0
    >>> found = [polytope_distance([0.5], [0.8], interval, name) for name in METRICS[1:]]
    >>> np.exp(found).round(9)
    array([2.5, 1.6])
    """
    require_metric(metric)
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    ax, ay = inside_values(x, polytope), inside_values(y, polytope)
    step = (x - y) @ polytope.A.T / ay
    # the quotient keeps the digits of near points, the logarithms those of far ones
    near = np.abs(step) < 0.5
    delta = np.where(near, np.log1p(np.where(near, step, 0.0)), np.log(ax) - np.log(ay))
    return _combined(delta.max(axis=-1), -delta.min(axis=-1), metric)


def chord_distance(x, y, polytope, metric="hilbert"):
    """Distance from x to y by the ends of the chord through them: equations 1 to 3 of the paper.

    Equal to `polytope_distance`, but slower and less accurate near the boundary.

    Examples
    --------
    >>> x, y = [0.2, 0.3, 0.5], [0.1, 0.6, 0.3]
    >>> simplex = Polytope.simplex(3)
    >>> bool(np.isclose(chord_distance(x, y, simplex), polytope_distance(x, y, simplex)))
    True
    """
    require_metric(metric)
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    back, ahead, _ = _chord(x, y, polytope)
    # x and y are at 0 and 1, the ends of the chord at -back and 1 + ahead
    return _combined(np.log1p(1 / ahead), np.log1p(1 / back), metric)


def pairwise_polytope_distances(
    X: ArrayLike, Y: ArrayLike | None, polytope: Polytope, metric: Metric = "hilbert"
) -> np.ndarray:
    """Hilbert or Funk distances from all rows of X to all rows of Y.

    Parameters
    ----------
    X : array_like, shape (n, d)
        Strictly inside the polytope.
    Y : array_like, shape (m, d), or None
        None means X itself.
    polytope, metric : as for `polytope_distance`

    Returns
    -------
    ndarray, shape (n, m)

    Raises
    ------
    InputError
        If a point is not inside, or the metric is unknown.

    See Also
    --------
    polytope_distance : Pair by pair.

    Notes
    -----
    As `polytope_distance`, with differences of logarithms: near points are off by 1e-16 |log a|,
    a the facet values. O(n m) for each facet.

    Examples
    --------
    >>> from noneuclid import Polytope
    >>> pairwise_polytope_distances([[0.5, 0.5], [0.2, 0.8]], None, Polytope.simplex(2)).round(3)
    array([[0.   , 0.693],
           [0.693, 0.   ]])
    """
    require_metric(metric)
    x = np.log(_inside_rows(X, polytope))
    y = x if Y is None else np.log(_inside_rows(Y, polytope))
    return _table(np.ascontiguousarray(x), np.ascontiguousarray(y.T), *_SHARES[metric])


def geodesic(x, y, t, polytope):
    """Point that divides the segment from x to y in the ratio t : 1 - t of Hilbert lengths.

    Straight segments are shortest in all three metrics; t has shape (...).

    Examples
    --------
    >>> geodesic([0.2, 0.8], [0.8, 0.2], 0.5, Polytope.simplex(2))
    array([0.5, 0.5])
    """
    x, y, t = (np.asarray(a, dtype=float) for a in (x, y, t))
    back, ahead, same = _chord(x, y, polytope)
    whole = np.log1p(1 / ahead) + np.log1p(1 / back)
    # both weights by themselves, so that a facet value near zero keeps its digits
    weights = _share(back, ahead, t * whole), _share(ahead, back, (1 - t) * whole)
    towards, stay = (np.where(same, 0.5, w)[..., None] for w in weights)
    return stay * x + towards * y


def require_metric(metric):
    """Refuse a metric that is none of `METRICS`."""
    if metric not in METRICS:
        raise InputError(f"unknown metric {metric!r}; choose one of {', '.join(METRICS)}")


def inside_values(x, polytope):
    """Facet values of points that must all be inside."""
    x = np.atleast_1d(np.asarray(x, dtype=float))
    fits = x.shape[-1] == polytope.A.shape[1]
    values = polytope.facet_values(x) if fits else np.zeros(1)
    on_hull = fits and np.all(np.abs(x @ polytope.E.T + polytope.f) <= HULL_TOLERANCE)
    if not (on_hull and np.all(values > 0)):
        polytope.check_inside(x.reshape(-1, x.shape[-1]))
    return values


def _inside_rows(X, polytope):
    """`inside_values` of a table."""
    require(np.ndim(X) == 2, f"all pairs need tables of points, got shape {np.shape(X)}")
    return inside_values(X, polytope)


def _combined(forth, back, metric):
    """Distance from the largest delta and the largest -delta; rounding never makes it negative."""
    share = _SHARES[metric]
    return np.maximum(share[0] * forth + share[1] * back, 0.0)


def _chord(x, y, polytope):
    """Lengths of the chord before x and beyond y in units of |y - x|, and whether x = y."""
    ax, ay = inside_values(x, polytope), inside_values(y, polytope)
    slope = (y - x) @ polytope.A.T
    with np.errstate(divide="ignore"):
        back = np.where(slope > 0, ax / slope, np.inf).min(axis=-1)
        ahead = np.where(slope < 0, ay / -slope, np.inf).min(axis=-1)
    return back, ahead, ~np.isfinite(back + ahead)


def _share(back, ahead, twice):
    """Part u of the segment that ends at half the length `twice` from its start."""
    with np.errstate(invalid="ignore"):
        # e^{2 d} = (u + back) (1 + ahead) / (back (1 + ahead - u))
        grown = back * np.expm1(twice)
        return grown * (1 + ahead) / (1 + ahead + back + grown)


@compile_cached
def _table(x, y, forth, back):
    """Table of forth max_k (x_ik - y_kj) + back max_k (y_kj - x_ik), never negative."""
    n, m = x.shape
    table = np.empty((n, y.shape[1]))
    for i in range(n):
        most, least = np.full(y.shape[1], -np.inf), np.full(y.shape[1], -np.inf)
        for k in range(m):
            for j in range(y.shape[1]):
                delta = x[i, k] - y[k, j]
                most[j] = max(most[j], delta)
                least[j] = max(least[j], -delta)
        for j in range(y.shape[1]):
            table[i, j] = max(forth * most[j] + back * least[j], 0.0)
    return table
