r"""Balls of Hilbert and Funk metrics as half-spaces (Acharya, Gezalyan and Mount 2026).

A ball about p holds the points q of the polytope with d(p, q) <= r, the distance running from p.
With facet values a:

    funk:          a(q) >= e^{-r} a(p)                                  (lemma 2.2, remark 3.4)
    reverse_funk:  a(q) <= e^r a(p), and a(q) >= 0, which does not follow
    hilbert:       e^{2r} a_k(p) a_j(q) >= a_j(p) a_k(q) for j != k     (lemma 2.3)
"""

import numpy as np
from scipy.linalg import null_space

from noneuclid.errors import InputError
from noneuclid.geometry.polytope_metrics import inside_values, require_metric
from noneuclid.geometry.polytope_vertices import vertices_of


def ball(p, radius, polytope, metric="hilbert"):
    """Half-spaces G q + h >= 0 that meet the affine hull of the polytope in a ball about p.

    Parameters
    ----------
    p : array_like, shape (d,)
        Inside the polytope.
    radius : float >= 0
    polytope : Polytope
    metric : {"hilbert", "funk", "reverse_funk"}

    Returns
    -------
    G, h : ndarray, shapes (k, d), (k,)
        k is m (m - 1) for hilbert, m for funk, 2 m for reverse_funk; some may be redundant.

    Raises
    ------
    InputError
        For another metric, a negative radius or a point outside.

    Examples
    --------
    >>> from noneuclid.geometry.polytope import Polytope
    >>> G, h = ball([0.5], np.log(2.0), Polytope.box([0], [1]))
    >>> -h / G[:, 0]
    array([0.2, 0.8])
    """
    require_metric(metric)
    if not (np.isfinite(radius) and radius >= 0):
        raise InputError(f"the radius is {radius}; give a number of at least zero")
    A, b = polytope.A, polytope.b
    values = inside_values(p, polytope)
    if metric == "funk":
        return A, b - np.exp(-radius) * values
    if metric == "reverse_funk":
        return np.vstack([-A, A]), np.concatenate([np.exp(radius) * values - b, b])
    # every facet has value one at p, so that no product of small values underflows
    A, b = A / values[:, None], b / values
    j, k = np.nonzero(~np.eye(len(A), dtype=bool))
    shrink = np.exp(-2 * radius)
    return A[j] - shrink * A[k], b[j] - shrink * b[k]


def ball_polygon(p, radius, polytope, metric="hilbert"):
    """Vertices of a ball in a polytope of dimension two, in order around p; see `ball`.

    Examples
    --------
    >>> from noneuclid.geometry.polytope import Polytope
    >>> ball_polygon([1 / 3, 1 / 3, 1 / 3], 0.5, Polytope.simplex(3)).shape
    (6, 3)
    """
    if polytope.dimension != 2:
        raise InputError(f"a ball is a polygon in dimension 2, not {polytope.dimension}; use ball")
    if not radius > 0:
        raise InputError(f"the radius is {radius}; give a number above zero")
    G, h = ball(p, radius, polytope, metric)
    p = np.asarray(p, dtype=float)
    corners = vertices_of(G, h, polytope.E, polytope.f, p)
    along = null_space(polytope.E) if len(polytope.E) else np.eye(2)
    u, v = ((corners - p) @ along).T
    return corners[np.argsort(np.arctan2(v, u))]
