"""Distance of points to a hyperplane in Hilbert and Funk metrics.

The hyperplane is g(x) = w.x + c = 0. The distance of p is the least d(p, q) over its points q
inside the polytope, measured from p; it is the largest radius at which the ball about p stays on
the side of p. Positive where g is. With facet values a, for g(p) > 0 (otherwise take -g):

- Funk. The ball is the polytope, shrunk towards p by 1 - e^{-r}, so the distance is
  log(1 + g(p) / -min g), the minimum over the polytope: two linear programs for all points.
- Hilbert. q is within r if 1 <= s a_i(q)/a_i(p) <= T = e^{2r} for some s > 0. By the duality of
  linear programs the distance is the largest (1/2) log(a(p).nu+ / a(p).nu-) over multipliers with
  A'nu = w and b'nu <= c, where nu+ and nu- are the positive and negative parts of nu.
- Reverse Funk. q is within r if 0 <= a_i(q)/a_i(p) <= T = e^r; the lower limit, that q is in the
  polytope, matters where the hyperplane cuts off a small corner.

In a simplex (m facets in dimension m - 1) g has one nu with g = nu.a, and the program has a closed
form. On the probability simplex this is nu = w + c (the representative for which nu.x = g(x) where
the parts sum to one: larger ones, nu + tau, belong to other functions, smaller ones are worse).
Hilbert: log(nu+.x / nu-.x) / 2. Reverse Funk: the least T for which a q with 0 <= q <= T x and unit
sum has nu.q = 0; it fills the parts of lowest nu first.

In two dimensions the hyperplane is a chord, along which the ratios a_i(q)/a_i(p) are affine: the
largest is convex, the smallest concave, so that the distance from p falls to its minimum and rises
again. Bisection by its slope, in the logit of the position on the chord, finds the minimum.
Elsewhere each point has its own program in d + 2 variables with 2 m rows: 3 to 6 milliseconds for
d = 10 to 20, m = 2 d.
"""

import numpy as np
from scipy.linalg import null_space
from scipy.sparse import block_diag
from scipy.special import expit

from noneuclid.errors import InputError
from noneuclid.geometry.half_spaces import solve
from noneuclid.geometry.polytope_metrics import inside_values, require_metric

_REACH, _HALVINGS = 300.0, 60
"""Largest logit, and halvings of the range, to 1e-15."""

_TOGETHER = 16
"""Points in one call of the solver, whose overhead is that of several points."""


def hyperplane_distance(X, w, c, polytope, metric="hilbert"):
    """Signed distance of points to the hyperplane w.x + c = 0.

    Parameters
    ----------
    X : array_like, shape (n, d)
    w : array_like, shape (d,)
    c : float
    polytope : Polytope
    metric : {"hilbert", "funk", "reverse_funk"}
        Measured from the point to the hyperplane.

    Returns
    -------
    ndarray, shape (n,)
        Infinite where the hyperplane misses the interior.

    Raises
    ------
    InputError
        For another metric, a row outside, or numbers that are no hyperplane.

    Examples
    --------
    >>> from noneuclid.geometry.polytope import Polytope
    >>> X, w = [[0.8, 0.2], [0.1, 0.9]], [1.0, -1.0]
    >>> hyperplane_distance(X, w, 0.0, Polytope.simplex(2)).round(3)
    array([ 0.693, -1.099])
    >>> hyperplane_distance([[0.75]], [2.0], -1.0, Polytope.box([0], [1]), "funk").round(3)
    array([0.405])
    """
    require_metric(metric)
    X, w = np.asarray(X, dtype=float), np.asarray(w, dtype=float)
    if w.shape != X.shape[1:] or not (np.all(np.isfinite(w)) and np.isfinite(c)):
        raise InputError(f"w has shape {w.shape}, c is {c}; give {X.shape[1:]} numbers and one")
    values = inside_values(X, polytope)
    if polytope.m == polytope.dimension + 1:
        return _in_simplex(values, w, c, polytope, metric)
    g = X @ w + c
    low, high = (_extreme(sign * w, polytope) * sign + c for sign in (1, -1))
    reach = np.where(g > 0, -low, high)
    if metric == "funk":
        return _funk(g, reach)
    if polytope.dimension == 2:
        distances = np.full(len(g), np.inf)
        if min(-low, high) > 0:
            distances = _on_chord(values, w, c, polytope, metric)
        return np.sign(g) * np.where(g == 0, 0.0, distances)
    distances = np.where(g == 0, 0.0, np.inf)
    rows = np.flatnonzero((g != 0) & (reach > 0))
    for start in range(0, len(rows), _TOGETHER):
        some = rows[start : start + _TOGETHER]
        distances[some] = _programs(values[some], g[some], w, polytope, metric)
    return np.sign(g) * distances


def _funk(g, reach):
    """Signed Funk distance; `reach` is how far -g (or g, where negative) rises."""
    distances = np.full(g.shape, np.inf)
    np.log1p(np.abs(g) / np.where(reach > 0, reach, 1.0), out=distances, where=reach > 0)
    return np.sign(g) * distances


def _extreme(w, polytope):
    """Least w.x over the polytope."""
    A, b, E, _ = polytope.facets
    centre = polytope.chebyshev_centre()
    slopes = A / (A @ centre + b)[:, None]
    size = _sizes(slopes)
    scaled = w / size
    scale = np.abs(scaled).max() or 1.0
    result = solve(scaled / scale, upper=(-slopes / size, np.ones(len(A))), equal=_along(E, size))
    return float(w @ (centre + result.x / size))


def _sizes(slopes):
    """Largest slope along each coordinate; 1 where no facet depends on it, only the affine hull."""
    sizes = np.abs(slopes).max(axis=-2)
    return np.where(sizes > 0, sizes, 1.0)


def _along(E, size):
    """Condition that a scaled step stays in the affine hull."""
    return E / size, np.zeros(len(E))


def _in_simplex(values, w, c, polytope, metric):
    """Signed distances by barycentric coordinates and the values of g at the vertices."""
    if polytope.is_simplex:
        nu = w + c
    else:
        A, b, E, f = polytope.facets
        system = np.vstack([np.hstack([A.T, E.T]), np.append(b, f)])
        goals = np.zeros((len(system), 2))
        goals[:, 0], goals[-1, 1] = np.append(w, c), 1.0
        nu, one = np.linalg.lstsq(system, goals)[0][: len(A)].T
        values, nu = values * one, nu / one
    if not nu.any():
        raise InputError("w.x + c is zero on the whole polytope; give a hyperplane")
    g = values @ nu
    if metric == "funk":
        return _funk(g, np.where(g > 0, -nu.min(), nu.max()))
    if metric == "hilbert":
        with np.errstate(divide="ignore"):
            logs = np.log(values @ np.maximum(nu, 0)), np.log(values @ np.maximum(-nu, 0))
        return (logs[0] - logs[1]) / 2
    distances = np.zeros(len(g))
    for sign in (1, -1):
        rows = sign * g > 0
        distances[rows] = sign * _filled(values[rows], sign * nu)
    return distances


def _filled(x, nu):
    """Reverse Funk distance of rows with nu.x > 0: fill the parts of lowest nu up to T x."""
    order = np.argsort(nu)
    x, nu = x[:, order], nu[order]
    if nu[0] >= 0:
        return np.full(len(x), np.inf)
    filled, level = x.cumsum(axis=1), (x * nu).cumsum(axis=1)
    # the part that is filled in part: with it at T x, nu.q would be above zero
    last = np.minimum((level <= 0).sum(axis=1), len(nu) - 1)
    rows = np.arange(len(x))
    return np.log(nu[last] / (nu[last] * filled[rows, last - 1] - level[rows, last - 1]))


def _on_chord(values, w, c, polytope, metric):
    """Distances, without sign, to a line through the inside of a polygon."""
    A, b, E, f = polytope.facets
    line = np.vstack([E, w])
    start = A @ np.linalg.lstsq(line, -np.append(f, c))[0] + b
    slope = A @ null_space(line)[:, 0]
    ends = (
        (-start[slope > 0] / slope[slope > 0]).max(),
        (-start[slope < 0] / slope[slope < 0]).min(),
    )
    one, other = (np.maximum(start + end * slope, 0.0) / values for end in ends)

    rows, change = np.arange(len(values)), other - one
    left, right = np.full(len(values), -_REACH), np.full(len(values), _REACH)
    for _ in range(_HALVINGS):
        middle = (left + right) / 2
        ratios = expit(-middle)[:, None] * one + expit(middle)[:, None] * other
        high, low = ratios.argmax(axis=1), ratios.argmin(axis=1)
        most, least = ratios[rows, high], ratios[rows, low]
        rises = change[rows, high]
        if metric == "hilbert":
            rises = rises * least - change[rows, low] * most
        left, right = np.where(rises > 0, left, middle), np.where(rises > 0, middle, right)
    return np.log(most / least) / 2 if metric == "hilbert" else np.log(most)


def _programs(values, g, w, polytope, metric):
    """Distances, without sign, by one linear program in which each point has its block.

    Variables of a block: a step z and s, for q = p + z/s, and T; minimise T.
    """
    A, _, E, _ = polytope.facets
    hilbert = metric == "hilbert"
    slopes = A / values[:, :, None]
    sizes = _sizes(slopes)
    unit = slopes / sizes[:, None, :]
    # g falls from 1 at p to 0 at q
    falls = w / g[:, None] / sizes
    blocks = zip(*map(_block, unit, falls, E / sizes[:, None, :]), strict=True)
    upper, equal = (block_diag(rows, "csr") for rows in blocks)
    n, m, d = slopes.shape
    floor = 1.0 if hilbert else 0.0
    result = solve(
        np.tile(np.append(np.zeros(d + 1), 1.0), n),
        upper=(upper, np.tile(np.repeat([0.0, -floor], m), n)),
        equal=(equal, np.zeros(n * (len(E) + 1))),
        bounds=([(None, None)] * d + [(0.0, None) if hilbert else (1.0, 1.0), (None, None)]) * n,
    )
    steps = result.x.reshape(n, d + 2)[:, :d]
    # on to the hyperplane exactly: the distance returned is that of a point on it
    steps = steps / -(falls * steps).sum(axis=1, keepdims=True)
    gains = np.einsum("nmd,nd->nm", unit, steps)
    most = np.log1p(gains.max(axis=1))
    return (most - np.log1p(gains.min(axis=1))) / 2 if hilbert else most


def _block(facets, fall, along):
    """Conditions on (z, s, T): s + facets.z between a floor and T; z in the hull, ends on g = 0."""
    ones, zeros = np.ones((len(facets), 1)), np.zeros((len(facets), 1))
    upper = np.block([[facets, ones, -ones], [-facets, -ones, zeros]])
    crossing = np.append(fall, [1.0, 0.0]) / np.abs(fall).max()
    return upper, np.vstack([np.pad(along, ((0, 0), (0, 2))), crossing])
