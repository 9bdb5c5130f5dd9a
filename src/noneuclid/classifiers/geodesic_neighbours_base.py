"""Base of the nearest neighbours: the search, the weights, and the graph."""

from collections.abc import Callable
from numbers import Integral
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_matrix
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers.default_chart import (
    CONSTRAINTS,
    chart_of,
    question_default,
    question_scale,
)
from noneuclid.classifiers.parameter_types import Chart
from noneuclid.classifiers.product_estimator import SPACE, space_instead_of_chart, unit_blocks
from noneuclid.classifiers.sklearn_private import Interval, StrOptions
from noneuclid.classifiers.validation import read, to_hyperboloid
from noneuclid.errors import InputError
from noneuclid.estimator import Estimator
from noneuclid.geometry.neighbours import TREE_DIMENSIONS, NeighbourSearch
from noneuclid.geometry.product_neighbours import ProductSearch
from noneuclid.geometry.product_space import ProductSpace

Weights = Literal["uniform", "distance"] | Callable[[np.ndarray], np.ndarray]
Algorithm = Literal["auto", "ball_tree", "kd_tree", "brute"]


class GeodesicNeighbours(Estimator):
    """Base of the classifier and the regressor: the search and the weights of the neighbours."""

    _parameter_constraints = {  # noqa: RUF012
        "n_neighbors": [Interval(Integral, 1, None, closed="left")],
        "weights": [StrOptions({"uniform", "distance"}), callable],
        "algorithm": [StrOptions({"auto", "ball_tree", "kd_tree", "brute"})],
        "leaf_size": [Interval(Integral, 1, None, closed="left")],
        **CONSTRAINTS,
        **SPACE,
    }

    def __init__(
        self,
        *,
        n_neighbors: int = 5,
        weights: Weights = "uniform",
        algorithm: Algorithm = "auto",
        leaf_size: int = 30,
        chart: Chart | None = None,
        curvature: float = 1.0,
        space: str | ProductSpace | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.chart = chart
        self.curvature = curvature
        self.space = space

    def kneighbors(
        self,
        X: ArrayLike | None = None,
        n_neighbors: int | None = None,
        return_distance: bool = True,
    ) -> Any:
        """Nearest rows of the training data, the nearest first and of equal ones the first row.

        Parameters
        ----------
        X : array-like, in the chart of `fit`, or None
            None takes the training rows; a row is not a neighbour of itself.
        n_neighbors : int or None, default=None
            None is that of the constructor.
        return_distance : bool, default=True

        Returns
        -------
        distances : ndarray, shape (n, n_neighbors)
            In units of the space of curvature -K; only if `return_distance`.
        rows : ndarray of int, shape (n, n_neighbors)

        Raises
        ------
        InputError
            If `n_neighbors` is not an integer, or there are fewer training rows than neighbours.
        """
        check_is_fitted(self)
        k = self.n_neighbors if n_neighbors is None else n_neighbors
        own = X is None
        self._require_rows(k, own)
        if own:
            distances, rows = _without_own(*self._search.query(self._search.points, k + 1))
        else:
            points = self._to_points(read(self, X, reset=False))
            distances, rows = self._search.query(points, k)
        distances /= np.sqrt(self.curvature)
        return (distances, rows) if return_distance else rows

    def kneighbors_graph(
        self,
        X: ArrayLike | None = None,
        n_neighbors: int | None = None,
        mode: Literal["connectivity", "distance"] = "connectivity",
    ) -> csr_matrix:
        """Graph of the nearest training rows, as scikit-learn's.

        Parameters
        ----------
        X, n_neighbors
            As for `kneighbors`.
        mode : {"connectivity", "distance"}, default="connectivity"
            Entries are ones, or distances.

        Returns
        -------
        csr_matrix, shape (n, n_samples_fit)
        """
        distances, rows = self.kneighbors(X, n_neighbors)
        values = distances if mode == "distance" else np.ones_like(distances)
        ends = np.arange(len(rows) + 1) * rows.shape[1]
        shape = len(rows), self.n_samples_fit_
        return csr_matrix((values.ravel(), rows.ravel(), ends), shape=shape)

    def _weighted(self, X):
        """Rows of the neighbours and their weights, (n, k) each; all weights 1 if uniform."""
        distances, rows = self.kneighbors(X)
        if self.weights == "uniform":
            return rows, np.ones_like(distances)
        if callable(self.weights):
            weights = np.asarray(self.weights(distances), dtype=float)
            _check_weights(weights, distances)
        else:
            here = distances == 0
            found = here.any(axis=1, keepdims=True)
            weights = np.where(found, here, 1 / np.where(found, 1.0, distances))
        empty = np.flatnonzero(~(weights.sum(axis=1) > 0))
        if empty.size:
            raise InputError(
                f"all neighbours of row {empty[0]} have weight 0; let the function `weights` "
                "return a positive number, or raise n_neighbors"
            )
        return rows, weights

    def _search_rows(self, X):
        """Keep the rows, in a tree unless all products are faster."""
        self.space_ = space_instead_of_chart(self)
        question_default(self, X)
        question_scale(self, X)
        points = self._to_points(X)
        self.n_samples_fit_ = len(points)
        self._require_rows(self.n_neighbors)
        self.algorithm_ = self.algorithm
        if self.algorithm == "auto":
            d = points.shape[1] - 1 if self.space_ is None else self.space_.dimension
            low = d <= TREE_DIMENSIONS and self.n_neighbors < len(points) // 2
            self.algorithm_ = "ball_tree" if low else "brute"
        if self.space_ is None:
            self._search = NeighbourSearch(points, self.algorithm_, self.leaf_size)
        else:
            self._search = ProductSearch(points, self.space_, self.algorithm_, self.leaf_size)

    def _require_rows(self, k, own=False):
        """Refuse a number of neighbours that is not an integer, or more than there are rows."""
        if not isinstance(k, Integral):
            raise InputError(f"n_neighbors = {k!r}; give an integer")
        if not 1 <= k <= self.n_samples_fit_ - own:
            raise InputError(
                f"n_neighbors = {k}, but n_samples = {self.n_samples_fit_}"
                f"{' with each row itself' if own else ''}; give n_neighbors from 1 to "
                f"{self.n_samples_fit_ - own}"
            )

    def _to_points(self, X):
        if self.space_ is not None:
            return np.hstack(unit_blocks(self.space_, X))
        return to_hyperboloid(X, chart_of(self), self.curvature)


def _check_weights(weights, distances):
    """Refuse weights of another shape and not finite ones; the error names the first distance."""
    if weights.shape != distances.shape:
        raise InputError(
            f"the function `weights` returns shape {weights.shape} for distances of shape "
            f"{distances.shape}; let it return one weight for each distance"
        )
    bad = np.argwhere(~np.isfinite(weights))
    if len(bad):
        place = tuple(bad[0])
        raise InputError(
            f"the function `weights` gives {weights[place]} at distance {distances[place]:g} "
            f"(row {place[0]}); let it return finite numbers, or use weights='distance'"
        )


def _without_own(distances, rows):
    """Drop each row from its own neighbours; if repeated rows displaced it, the first of them."""
    own = rows == np.arange(len(rows))[:, None]
    own[~own.any(axis=1), 0] = True
    shape = len(rows), rows.shape[1] - 1
    return distances[~own].reshape(shape), rows[~own].reshape(shape)
