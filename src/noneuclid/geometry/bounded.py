"""Maps between R^d and a simplex or a box: coordinates for Hilbert and Funk geometry.

On the simplex these are isometric log-ratios (Egozcue et al. 2003): the Euclidean distance of
vectors is that of the centred logarithms of the d + 1 parts. Their basis, the rows k of a Helmert
matrix with k entries 1 / sqrt(k (k + 1)) before one -k / sqrt(k (k + 1)), is applied by cumulative
sums, in O(d) for each row. In the box each coordinate is a logit
by itself. Leading axes broadcast.

Precision
---------
Parts of the simplex may be as small as 2e-308, with all digits; vectors come back to 1e-15 of
their length. A box coordinate near its high side is only known to 1e-16 of the width: a vector
comes back to about 1e-16 e^v, so v = 23 has six digits, and beyond 36.7 there is no number left
below the side. What float64 cannot hold strictly inside is an error.
"""

import numpy as np
from scipy.special import expit, softmax

from noneuclid.errors import InputError
from noneuclid.geometry.polytope_rows import ZEROS, describe_row_outside

BOUNDED = ("simplex", "box")


def to_simplex(V):
    """Points of the probability simplex with these log-ratio coordinates, (..., d) -> (..., d + 1).

    Raises
    ------
    InputError
        If a part is too small for float64.

    Examples
    --------
    >>> to_simplex([[0.0, 0.0]]).round(3)
    array([[0.333, 0.333, 0.333]])
    """
    V = np.asarray(V, dtype=float)
    k, scales = _helmert(V.shape[-1])
    rows = V / scales
    logs = np.zeros((*V.shape[:-1], V.shape[-1] + 1))
    logs[..., :-1] = np.cumsum(rows[..., ::-1], axis=-1)[..., ::-1]
    logs[..., 1:] -= k * rows
    X = softmax(logs, axis=-1)
    # below it numbers lose their digits one by one
    return _kept(X, np.finfo(float).tiny <= X, V, "simplex")


def from_simplex(X):
    """Isometric log-ratios of positive parts, (..., d + 1) -> (..., d); the scale of a row cancels.

    Raises
    ------
    InputError
        Naming the row and part that is not positive.

    Examples
    --------
    >>> from_simplex([[0.2, 0.8]]).round(2)
    array([[-0.98]])
    """
    X = np.asarray(X, dtype=float)
    _require_inside(X, X > 0, f"simplex; {ZEROS}")
    logs = np.log(X)
    logs -= logs.mean(axis=-1, keepdims=True)
    k, scales = _helmert(X.shape[-1] - 1)
    return (np.cumsum(logs[..., :-1], axis=-1) - k * logs[..., 1:]) / scales


def _helmert(d):
    """Numbers k of the rows of a Helmert matrix, and their scales, shapes (d,)."""
    k = np.arange(1, d + 1)
    return k, np.sqrt(k * (k + 1.0))


def to_box(V, low=0.0, high=1.0):
    """Points of the box with these logits; `low` and `high` are numbers or shape (d,).

    Raises
    ------
    InputError
        If a coordinate would be rounded to a side.

    Examples
    --------
    >>> to_box([[0.0, 0.0]], high=[1.0, 2.0])
    array([[0.5, 1. ]])
    """
    V, low, high = (np.asarray(a, dtype=float) for a in (V, low, high))
    X = low + (high - low) * expit(V)
    return _kept(X, (low < X) & (high > X), V, "box")


def from_box(X, low=0.0, high=1.0):
    """Logits of the position of each coordinate between its sides.

    Raises
    ------
    InputError
        Naming the row and coordinate that is not between its sides.

    Examples
    --------
    >>> from_box([[0.75]]).round(3)
    array([[1.099]])
    """
    X, low, high = (np.asarray(a, dtype=float) for a in (X, low, high))
    _require_inside(X, (low < X) & (high > X), "box; widen the box")
    return np.log(X - low) - np.log(high - X)


def check_bounded(X, chart):
    """Raise an error unless the rows lie strictly inside the simplex or the unit box.."""
    if chart == "box":
        _require_inside(X, (X > 0) & (X < 1), "box from 0 to 1; drop the row or rescale the column")
        return
    k = X.shape[1]
    parts = np.eye(k), np.zeros(k), np.ones((1, k)), -np.ones(1)
    fault = describe_row_outside(X, parts, X, simplex=True)
    if fault:
        raise InputError(fault)


def _kept(X, held, V, name):
    """X, unless float64 does not hold it inside."""
    lost = np.argwhere(~held)
    if lost.size:
        place = tuple(lost[0])
        row = place[0] if X.ndim > 1 else 0
        raise InputError(
            f"row {row} is too far out for float64 in the {name}: coordinate {place[-1]} becomes "
            f"{X[place]:.6g} (largest of the vector {np.abs(V[place[:-1]]).max():.6g}); rescale"
        )
    return X


def _require_inside(X, inside, cure):
    """Refuse the first value on the boundary or beyond."""
    wrong = np.argwhere(~inside)
    if wrong.size:
        place = tuple(wrong[0])
        row = place[0] if X.ndim > 1 else 0
        raise InputError(f"row {row} has {X[place]} in column {place[-1]}, not inside the {cure}")
