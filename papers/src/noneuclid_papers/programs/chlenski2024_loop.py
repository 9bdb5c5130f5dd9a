"""Trees and forests as the loop behind table 3 of chlenski2024 draws them, for two classes.

pchlenski/hyperdt, commit 88c6982: notebooks/35_all_geometries.ipynb. The loop means to give forests
12 trees and a seed, but its condition never holds: they have 100 trees and no seed. Trees and
forests then draw from numpy's global generator, as it is after it has drawn the mixture. In 16
dimensions an output of the notebook counts 42 of 60 fits on mixture 8; here the 50 that table 3
prints are made, and of the tangent PCA only numbers are drawn.
"""

from functools import partial
from numbers import Integral

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from noneuclid.classifiers.sklearn_private import Interval, StrOptions
from noneuclid.errors import require
from noneuclid_papers.programs.chlenski2024_released import (
    Program,
    folds_in_order,
    grow,
    majority,
    of_fold,
)


def to_tangent(X):
    """Vectors of the tangent space at the origin by the formulas of geomstats, (n, d + 1).

    The first column is zero up to rounding; trees split at it where it varies by more than 1e-7.
    """
    signs = np.array([-1.0] + [1.0] * (X.shape[1] - 1))
    squares = -np.sum(X * X * signs, axis=1)
    far = ~(squares > 0)
    require(
        not far.any(),
        f"row {np.argmax(far)} is too far from the origin for the formulas of tangent coordinates",
    )
    distances = np.arccosh(np.maximum(X[:, 0] / np.sqrt(squares), 1.0))
    scales, shifts = (
        np.divide(distances, f(distances), out=np.ones(len(X)), where=distances > 0)
        for f in (np.sinh, np.tanh)
    )
    found = scales[:, None] * X
    found[:, 0] -= shifts
    return found


def to_poincare(X):
    """Poincaré coordinates of points on the hyperboloid, (n, d)."""
    return X[:, 1:] / (1 + X[:, :1])


def to_klein(X):
    """Klein coordinates by way of the Poincaré ball, as in the program, (n, d)."""
    ball = to_poincare(X)
    return 2 * ball / (1 + np.linalg.norm(ball, axis=1, keepdims=True) ** 2)


# In the loop's order. Table 3 does not print the tangent PCA, of which only numbers are drawn.
COORDINATES = {
    "tangent": to_tangent,
    "tangent PCA": None,
    "poincare": to_poincare,
    "hyperboloid": lambda X: X,
    "klein": to_klein,
}
METHODS = ("HyperRF", "DT", "RF")
PLACES = [
    (coordinates, method)
    for coordinates in COORDINATES
    for method in METHODS
    if method != "HyperRF" or coordinates == "hyperboloid"
]


class LoopTrees(Program):
    """A tree or forest of table 3 of chlenski2024, with the random numbers of the authors' loop.

    The rows say which fold of ``KFold(5, shuffle=True, random_state)`` they are, and which numbers
    the loop has drawn before. Other rows, such as those of a search, are refused.
    O(n_estimators depth n d log n).

    Parameters
    ----------
    method : {"HyperRF", "DT", "RF"}, default="RF"
        The program's forest (only with hyperboloid coordinates), or scikit-learn's tree or forest.
    coordinates : {"tangent", "poincare", "hyperboloid", "klein"}, default="hyperboloid"
        To which `fit` and `predict` convert points of the hyperboloid.
    n_estimators : int, default=100
        Trees of a forest.
    max_depth : int, default=3
    random_state : int, default=0
        Number of the mixture.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
    trees_ : list or estimator
        Trees as `grow` returns them, or those of scikit-learn.

    Raises
    ------
    InputError
        If rows and labels are neither a training fold of the mixture nor all of it.

    See Also
    --------
    noneuclid_papers.programs.chlenski2024_released.ReleasedForest : HyperRF with its own state.

    References
    ----------
    .. [1] P. Chlenski, E. Turok, A. Moretti, I. Pe'er, Fast hyperboloid decision tree algorithms,
       ICLR 2024, table 3.

    Examples
    --------
    >>> from noneuclid_papers.data import hyperdt_mixtures
    >>> data = hyperdt_mixtures.load({}, 0, n_samples=100, n_features=2, number=3)
    >>> model = LoopTrees(coordinates="klein", random_state=3).fit(data.features, data.labels)
    >>> bool(model.score(data.features, data.labels) > 0.9)
    True
    """

    _parameter_constraints = {  # noqa: RUF012
        **Program._parameter_constraints,
        "method": [StrOptions(set(METHODS))],
        "coordinates": [StrOptions(set(COORDINATES) - {"tangent PCA"})],
        "n_estimators": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        *,
        method="RF",
        coordinates="hyperboloid",
        n_estimators=100,
        max_depth=3,
        random_state=0,
    ):
        super().__init__(max_depth=max_depth, random_state=random_state)
        self.method = method
        self.coordinates = coordinates
        self.n_estimators = n_estimators

    def _grow(self, X, y):
        depth, trees, place = self.max_depth, self.n_estimators, (self.coordinates, self.method)
        require(
            place in PLACES,
            f"LoopTrees: HyperRF reads hyperboloid coordinates, not {self.coordinates!r}",
        )
        draw = of_fold(self, X, y, partial(_states_in_order, wanted=place, trees=trees))
        if self.method == "HyperRF":
            samples = [draw.choice(len(y), len(y)) for _ in range(trees)]
            return [grow(X[rows], y[rows], depth) for rows in samples]
        if self.method == "DT":
            model = DecisionTreeClassifier(max_depth=depth, random_state=draw)
        else:
            model = RandomForestClassifier(trees, max_depth=depth, random_state=draw)
        return model.fit(COORDINATES[self.coordinates](X), y)

    def _codes(self, X):
        if self.method == "HyperRF":
            return majority(self.trees_, X)
        return self.trees_.predict(COORDINATES[self.coordinates](X))


def _states_in_order(points, dimension, number, wanted, trees):
    """Training rows, labels and generator of each fold of a place, then of all rows."""
    parts, draw = folds_in_order(points, dimension, number)
    for place in PLACES[: PLACES.index(wanted)]:
        for rows, _ in parts[:-1]:
            _skip(draw, place[1], trees, len(rows))
    for part in parts:
        yield (*part, draw)
        _skip(draw, wanted[1], trees, len(part[0]))


def _skip(draw, method, trees, rows):
    """Draw the numbers of a fit on so many rows."""
    if method == "HyperRF":
        draw.choice(rows, (trees, rows))
    else:
        draw.randint(np.iinfo("i").max, size=trees if method == "RF" else 1)
