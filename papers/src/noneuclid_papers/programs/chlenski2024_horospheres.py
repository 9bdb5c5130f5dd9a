"""HoroDT and HoroRF as chlenski2024 runs them: on points that are converted twice.

LarsDoorenbos/HoroRF, on the points that the loader of pchlenski/hyperdt gives it; for two classes.
"""

import zlib

import numpy as np
from sklearn.utils import resample

from noneuclid.errors import require
from noneuclid_papers.programs.chlenski2024_released import Program, ReleasedForest, impurity

IDEALS = 5


def converted_twice(X):
    """Points of the hyperboloid, converted as if they were in the Poincaré ball.

    horoRF_dataloaders/gaussian.py of pchlenski/hyperdt. All of them then lie outside the unit
    ball; shapes (n, d + 1) and (n, d + 2).

    Raises
    ------
    InputError
        If a row is the origin, where the conversion divides by zero.
    """
    square = (X**2).sum(axis=1)[:, None]
    require((square > 1).all(), "a row is the origin, which cannot be converted twice")
    return np.hstack([1 + square, 2 * X]) / (1 - square)


def random_horosphere(z, y, rng):
    """Ideal point and threshold of the best split of five random ideal points, ties at random.

    Outside the unit ball the Busemann function of the program is cut off, its margin classifier
    finds no split, and these five are left. None if no split lowers the impurity.
    """
    ideals = rng.standard_normal((IDEALS, z.shape[1]))
    ideals /= np.linalg.norm(ideals, axis=1)[:, None]
    values = np.log(((z[:, None] - ideals) ** 2).sum(axis=2))  # up to the constant of the cut-off
    order = np.argsort(values, axis=0)
    ranked, labels = np.take_along_axis(values, order, axis=0), y[order]
    ones, seen = np.cumsum(labels, axis=0)[:-1], np.arange(1, len(y))[:, None]
    zeros, total = seen - ones, np.bincount(y, minlength=2)
    inner = seen * impurity(zeros, ones)
    outer = (len(y) - seen) * impurity(total[0] - zeros, total[1] - ones)
    gains = impurity(*total) - (inner + outer) / len(y)
    change = (labels[1:] != labels[:-1]) & (ranked[1:] > ranked[:-1])
    gains = np.where(change & (gains > 0), gains, -np.inf)
    if gains.max() == -np.inf:
        return None
    row, which = rng.choice(np.argwhere(gains == gains.max()))
    return ideals[which], ranked[row : row + 2, which].mean()


def grow_horospheres(z, y, depth, rng):
    """A tree: class and its share in a leaf, or ideal point, threshold and both subtrees."""
    counts = np.bincount(y, minlength=2)
    split = random_horosphere(z, y, rng) if depth and counts.min() else None
    if split is None:
        label = rng.choice(np.flatnonzero(counts == counts.max()))
        return label, counts[label] / len(y)
    far = is_far(z, *split)
    return *split, *(grow_horospheres(z[k], y[k], depth - 1, rng) for k in (far, ~far))


def is_far(z, ideal, threshold):
    """Whether rows are beyond the horosphere, shape (n,)."""
    return np.log(((z - ideal) ** 2).sum(axis=1)) >= threshold


def support(tree, z):
    """Share of the class of the leaf in the column of this class, shape (n, 2)."""
    if len(tree) == 2:
        return np.eye(2)[[tree[0]] * len(z)] * tree[1]
    ideal, threshold, far, near = tree
    return np.where(is_far(z, ideal, threshold)[:, None], support(far, z), support(near, z))


class HorosphereTree(Program):
    """HoroDT on points that are converted twice, where its splits are random horospheres.

    The program's generator (torch) is not imitated: `random_state` and the rows set the draw.
    O(depth n d log n).

    Parameters
    ----------
    max_depth : int, default=3
    random_state : int, default=0

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
    trees_ : list

    Raises
    ------
    InputError
        If y has not two classes, or rows are not on the hyperboloid of curvature -1, or the
        origin is among them.

    See Also
    --------
    noneuclid.HorosphereDecisionTreeClassifier : The method on the points themselves.

    References
    ----------
    .. [1] L. Doorenbos et al., Hyperbolic random forests, 2023; as run by chlenski2024, table 1.

    Examples
    --------
    >>> X = np.array([[2**0.5, 1.0], [2**0.5, -1.0], [5**0.5, 2.0], [5**0.5, -2.0]])
    >>> HorosphereTree().fit(X, [1, 0, 1, 0]).predict(X)
    array([1, 0, 1, 0])
    """

    def _grow(self, X, y):
        return self._grown(X, y, [np.arange(len(y))])

    def _grown(self, X, y, samples):
        z = converted_twice(X)
        rng = np.random.default_rng([self.random_state, zlib.crc32(X.tobytes())])
        return [grow_horospheres(z[rows], y[rows], self.max_depth, rng) for rows in samples]

    def _codes(self, X):
        z = converted_twice(X)
        return np.argmax(sum(support(tree, z) for tree in self.trees_), axis=1)


class HorosphereForest(HorosphereTree):
    """HoroRF on points that are converted twice: trees of `HorosphereTree`, summed.

    O(n_estimators depth n d log n).

    Parameters
    ----------
    n_estimators : int, default=12
        Trees, on bootstrap samples with the states `random_state`, `random_state` + 1, ...
    max_depth : int, default=3
    random_state : int, default=0
        Number of the mixture in the paper's runs.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
    trees_ : list

    Raises
    ------
    InputError
        If y has not two classes, or rows are not on the hyperboloid of curvature -1, or the
        origin is among them.

    See Also
    --------
    noneuclid.HorosphereForestClassifier : The method on the points themselves.

    References
    ----------
    .. [1] L. Doorenbos et al., Hyperbolic random forests, 2023; as run by chlenski2024, table 1.

    Examples
    --------
    >>> X = np.array([[2**0.5, 1.0], [2**0.5, -1.0], [5**0.5, 2.0], [5**0.5, -2.0]])
    >>> X, y = np.repeat(X, 10, axis=0), np.repeat([1, 0, 1, 0], 10)
    >>> float(HorosphereForest().fit(X, y).score(X, y))
    1.0
    """

    _parameter_constraints = ReleasedForest._parameter_constraints

    def __init__(self, *, n_estimators=12, max_depth=3, random_state=0):
        super().__init__(max_depth=max_depth, random_state=random_state)
        self.n_estimators = n_estimators

    def _grow(self, X, y):
        states = range(self.random_state, self.random_state + self.n_estimators)
        return self._grown(X, y, [resample(np.arange(len(y)), random_state=k) for k in states])
