"""Points placed one by one against points that stay."""

import numpy as np
from scipy.optimize import minimize
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from noneuclid.embeddings.divergence import row_divergence
from noneuclid.geometry import lorentz


def place_rows(targets, anchors, gamma, progress=None):
    """Place each row on its own where its divergence from fixed points is least.

    Descent from two places, of which the better result is kept: the centroid of the anchors
    weighted by the similarities, and that of the three most similar ones.

    Shapes: `targets` (m, n), `anchors` (n, d + 1); returns shape (m, d + 1).

    Examples
    --------
    >>> anchors = lorentz.from_spatial([[-1.0], [1.0]])
    >>> place_rows(np.array([[0.5, 0.5]]), anchors, 2.0).round(6).tolist()
    [[1.0, 0.0]]
    """
    rows = tqdm(targets, desc=progress, mininterval=5, disable=progress is None)
    with threadpool_limits(1, user_api="blas"):  # one row is too little work for more
        return np.array([_place(target, anchors, gamma) for target in rows])


def _place(target, anchors, gamma):
    """The better of two descents for one row."""
    loss = row_divergence(target, anchors, gamma)
    nearest = np.argsort(target)[-3:]
    starts = (
        lorentz.midpoint(anchors, target),
        lorentz.midpoint(anchors[nearest], target[nearest]),
    )
    return place_where_least(loss, starts)


def place_where_least(loss, starts):
    """The best end of descents of one point from several places; BLAS should have one thread.

    `loss` takes a point (d + 1,) to a value and its ambient gradient.
    """
    return min((_settle(loss, start) for start in starts), key=lambda found: found[0])[1]


def _settle(loss, start):
    """Descent of one point in the frame of its start; value and place."""
    frame = lorentz.boost(start)

    def pulled_back(spatial):
        local = lorentz.from_spatial(spatial)
        value, gradient = loss(lorentz.from_spatial((frame @ local)[1:]))
        gradient = frame.T @ gradient
        return value, gradient[1:] + gradient[0] * local[1:] / local[0]

    found = minimize(pulled_back, np.zeros(len(start) - 1), jac=True, method="L-BFGS-B")
    return found.fun, lorentz.from_spatial((frame @ lorentz.from_spatial(found.x))[1:])
