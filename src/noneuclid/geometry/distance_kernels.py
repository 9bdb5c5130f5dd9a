"""Two functions of the distance that give positive definite kernels on a space.

ψ = log cosh d ("cosh") and ψ = d ("laplace") are of negative type in every dimension, so exp(-λ ψ)
is positive definite for every λ > 0: see docs/mathematics.md. Points lie on the hyperboloid of
curvature -1, time coordinate first, shape (n, d + 1). For the sphere and flat space, which have
the same two in `sphere_psi` and `flat_psi`, see `noneuclid.ProductKernel`.
"""

import math

import numpy as np
from scipy.spatial.distance import cdist

from noneuclid.compiled import compile_inner, compile_released

KINDS = ("cosh", "laplace")

# cosh d - 1 is the difference as long as it is above this fraction of x_0 y_0: six bits are lost.
_KEPT = 1 / 64
# Rows and columns of a tile of a matrix.
_TILE = 64
# Numbers of a block: 2 MB.
_BLOCK = 2**18


def psi(X, Y=None, kind="cosh", out=None):
    """ψ of all rows of X and all rows of Y (of X itself if None), shape (n, m).

    Near points keep their relative accuracy, as in `lorentz.distance`. Exactly symmetric with a
    zero diagonal if Y is None. `out` is an array for the result.

    Examples
    --------
    >>> x = np.array([[1.0, 0.0], [np.cosh(2.0), np.sinh(2.0)]])
    >>> psi(x, kind="laplace").round(12)
    array([[0., 2.],
           [2., 0.]])
    >>> bool(np.isclose(psi(x)[0, 1], np.log(np.cosh(2.0))))
    True
    """
    out = excess(X, Y, out)
    if kind == "cosh":
        return np.log1p(out, out=out)
    out *= 0.5
    np.sqrt(out, out=out)
    np.arcsinh(out, out=out)
    return np.multiply(out, 2.0, out=out)


def sphere_psi(X, Y=None, kind="cosh", out=None):
    """1 - cos d ("cosh") or d ("laplace") of all rows of the unit sphere, (n, d + 1); as `psi`.

    Examples
    --------
    >>> x = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> sphere_psi(x), sphere_psi(x, kind="laplace").round(6)
    (array([[0., 1.],
           [1., 0.]]), array([[0.      , 1.570796],
           [1.570796, 0.      ]]))
    """
    X = np.ascontiguousarray(X, dtype=float)
    other = X if Y is None else np.ascontiguousarray(Y, dtype=float)
    if kind == "cosh":
        return flat_psi(X, other, kind, out)
    out = np.empty((len(X), len(other))) if out is None else out
    _angles(X, other, Y is None, out)
    return out


def flat_psi(X, Y=None, kind="cosh", out=None):
    """d² / 2 ("cosh") or d ("laplace") of all rows of flat space, (n, d); as `psi`.

    Examples
    --------
    >>> flat_psi([[0.0], [2.0]])
    array([[0., 2.],
           [2., 0.]])
    """
    metric = "sqeuclidean" if kind == "cosh" else "euclidean"
    found = cdist(X, X if Y is None else Y, metric, out=out)
    return np.multiply(found, 0.5, out=found) if kind == "cosh" else found


def excess(X, Y=None, out=None):
    """The numbers cosh d - 1 of all rows of X and all rows of Y, as `psi`.

    Examples
    --------
    >>> excess(np.array([[1.0, 0.0]]), np.array([[1.25, 0.75]]))
    array([[0.25]])
    """
    X = np.ascontiguousarray(X, dtype=float)
    other = X if Y is None else np.ascontiguousarray(Y, dtype=float)
    out = np.empty((len(X), len(other))) if out is None else out
    np.matmul(X * np.r_[1.0, -np.ones(X.shape[1] - 1)], other.T, out=out)
    _subtract_one(X, other, Y is None, out)
    return out


def kernel(X, Y=None, kind="cosh", power=1.0, out=None):
    """exp(-power ψ) of all rows of X and all rows of Y (of X itself if None), shape (n, m).

    Examples
    --------
    >>> x = np.array([[1.0, 0.0], [np.cosh(2.0), np.sinh(2.0)]])
    >>> bool(np.isclose(kernel(x, power=3.0)[0, 1], np.cosh(2.0) ** -3))
    True
    """
    found = psi(X, Y, kind, out)
    found *= -power
    return np.exp(found, out=found)


def slices(n, width):
    """Slices of n rows whose blocks of `width` numbers a row stay in the processor's cache.

    Examples
    --------
    >>> list(slices(3000, 200))
    [slice(0, 1310, None), slice(1310, 2620, None), slice(2620, 3000, None)]
    """
    size = max(1, _BLOCK // max(1, width))
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]


@compile_inner
def radius(x):
    """Length of the spatial part."""
    square = 0.0
    for k in range(1, len(x)):
        square += x[k] * x[k]
    return math.sqrt(square)


@compile_inner
def half_sinh_square(x, y, r, s):
    """sinh²(d/2) of points of radii r and s, without cancellation: as in `lorentz._half_sinh`."""
    squares = 0.0
    for k in range(1, len(x)):
        squares += (x[k] - y[k]) * (x[k] + y[k])
    if r + s == 0.0:
        return 0.0
    radial = squares / (r * y[0] + s * x[0])
    along = squares / (r + s)
    near, far = min(r, s), max(r, s)
    angular = 0.0
    if near > 0.0:
        for k in range(1, len(x)):
            inner = x[k] if r < s else y[k]
            across = (x[k] - y[k]) - inner / near * along
            angular += across * across
        angular *= near / far
    radial *= radial
    return radial / (2.0 + 2.0 * math.sqrt(1.0 + radial)) + angular / 4.0


@compile_released
def _subtract_one(X, Y, same, out):
    """Turn -<x,y>_L into cosh d - 1, to full relative accuracy; `same` mirrors the pairs i > j."""
    far = np.empty(len(Y))
    for j in range(len(Y)):
        far[j] = radius(Y[j])
    for i in range(len(X)):
        x, row = X[i], out[i]
        near, least = radius(x), _KEPT * x[0]
        for j in range(i if same else len(Y)):
            row[j] -= 1.0
            if not row[j] > least * Y[j, 0]:
                row[j] = 2.0 * half_sinh_square(x, Y[j], near, far[j])
        if same:
            row[i] = 0.0
            for j in range(i):
                out[j, i] = row[j]


@compile_inner
def _angle(x, y):
    """Angle of two rows, as `sphere.distance`: 2 atan2(|x - y|, |x + y|)."""
    apart, together = 0.0, 0.0
    for k in range(len(x)):
        apart += (x[k] - y[k]) * (x[k] - y[k])
        together += (x[k] + y[k]) * (x[k] + y[k])
    return 2.0 * math.atan2(math.sqrt(apart), math.sqrt(together))


@compile_released
def _angles(X, Y, same, out):
    """Angles of all rows, in tiles that stay in the cache; `same` mirrors the pairs i > j."""
    for top in range(0, len(X), _TILE):
        for left in range(0, top + 1 if same else len(Y), _TILE):
            for i in range(top, min(top + _TILE, len(X))):
                for j in range(left, min(left + _TILE, i + 1 if same else len(Y))):
                    out[i, j] = _angle(X[i], Y[j])
                    if same:
                        out[j, i] = out[i, j]
