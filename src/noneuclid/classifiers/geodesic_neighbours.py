"""Nearest neighbours by hyperbolic distance, exact."""

from collections.abc import Callable
from numbers import Integral
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_matrix
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers.default_chart import (
    CONSTRAINTS,
    chart_of,
    question_default,
    question_scale,
)
from noneuclid.classifiers.multiclass import encode_labels
from noneuclid.classifiers.parameter_types import Chart
from noneuclid.classifiers.sklearn_private import Interval, StrOptions, check_parameters
from noneuclid.classifiers.validation import read, to_hyperboloid
from noneuclid.errors import InputError
from noneuclid.estimator import Estimator
from noneuclid.geometry.neighbours import TREE_DIMENSIONS, NeighbourSearch

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
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.chart = chart
        self.curvature = curvature

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
        question_default(self, X)
        question_scale(self, X)
        points = self._to_points(X)
        self.n_samples_fit_ = len(points)
        self._require_rows(self.n_neighbors)
        self.algorithm_ = self.algorithm
        if self.algorithm == "auto":
            low = points.shape[1] - 1 <= TREE_DIMENSIONS and self.n_neighbors < len(points) // 2
            self.algorithm_ = "ball_tree" if low else "brute"
        self._search = NeighbourSearch(points, self.algorithm_, self.leaf_size)

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
        return to_hyperboloid(X, chart_of(self), self.curvature)


class GeodesicKNeighborsClassifier(ClassifierMixin, GeodesicNeighbours):
    """Votes of the k nearest training rows by hyperbolic distance.

    scikit-learn's `KNeighborsClassifier` with another distance. Neighbours are exact, also far from
    the origin: a hyperbolic ball is a Euclidean ball of the Poincaré chart, so scikit-learn's trees
    over Poincaré coordinates find all candidates, and the accurate distance ranks them. Isometries
    of the space, such as another origin of an embedding, change no neighbour. Rows at equal
    distances come in the order of the training data. As in scikit-learn, `fit` takes no
    `sample_weight`; `weights` depend on distances.

    Parameters
    ----------
    n_neighbors : int, default=5
    weights : {"uniform", "distance"} or callable, default="uniform"
        One vote each, votes of 1 / distance (of rows at distance 0 alone, if there are any), or a
        function from distances, (n, k), to finite weights; ``lambda r: np.exp(-(r**2))`` gives the
        kernel estimate of Nadaraya and Watson on k neighbours.
    algorithm : {"auto", "ball_tree", "kd_tree", "brute"}, default="auto"
        Tree of candidates, or products with all rows, with bounds of their rounding errors. All
        find the same neighbours. "auto" takes a ball tree in up to 10 dimensions.
    leaf_size : int, default=30
        Of the tree.
    chart : {"tangent", "poincare", "klein", "hyperboloid"} or None, default=None
        How the rows of X are written. None reads tangent vectors, as a table holds, and warns if
        the rows look like points of another chart: embeddings return ``"poincare"`` by default.
    curvature : float > 0, default=1.0
        K; the space has curvature -K.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    n_samples_fit_ : int
    algorithm_ : {"ball_tree", "kd_tree", "brute"}

    See Also
    --------
    GeodesicKNeighborsRegressor : The same for numbers.
    WrappedNormalClassifier : One distribution for each class.

    Notes
    -----
    A tree takes O(n log n) time to build and, in the plane, about O(k log n) for a row; "brute"
    takes O(n d), 2^20 products at a time. `benchmarks/wrapped_normal.tsv` has times. Far from the
    origin in ten dimensions, balls hold many rows and a tree is not faster than "brute".

    Rows of many standardised columns, read as tangent vectors, lie far from the origin: about
    ``sqrt(d)``. Neighbours are poor there: on the breast cancer data, with 30 columns, balanced
    accuracy is 0.79, and that of a flat SVM is 0.97. Scale the columns down, for example divide
    them by ``sqrt(d)``, which gives 0.96 here.

    References
    ----------
    .. [1] T. Cover, P. Hart, Nearest neighbor pattern classification, IEEE Transactions on
       Information Theory 13, 1967.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import GeodesicKNeighborsClassifier
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> model = GeodesicKNeighborsClassifier(n_neighbors=1, chart="poincare").fit(X, [1, 1, 0, 0])
    >>> model.predict([[0.9, 0.0], [-0.9, 0.0]])
    array([1, 0])
    """

    @check_parameters
    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Keep the labelled points.

        Parameters
        ----------
        X : array-like, shape (n, d), or (n, d + 1) for chart "hyperboloid"
        y : array-like, shape (n,)
            Labels of any type.

        Returns
        -------
        self

        Raises
        ------
        InputError
            If a row of X does not satisfy the chart, y holds one class, or there are fewer rows
            than neighbours.
        """
        X, y = read(self, X, y)
        self.classes_, self._codes = encode_labels(y)
        self._search_rows(X)
        return self

    def predict(self, X: ArrayLike | None) -> np.ndarray:
        """Class with the largest weight among the neighbours; of equal ones the first.

        Parameters
        ----------
        X : array-like, in the chart of `fit`, or None
            None predicts each training row from the others.

        Returns
        -------
        ndarray, shape (n,)
        """
        winners = self.predict_proba(X).argmax(axis=1)
        return self.classes_[winners]

    def predict_proba(self, X: ArrayLike | None) -> np.ndarray:
        """Shares of the classes in the weights of the neighbours.

        Parameters
        ----------
        X : array-like, in the chart of `fit`, or None
            None predicts each training row from the others.

        Returns
        -------
        ndarray, shape (n, n_classes)
            In the order of `classes_`.
        """
        rows, weights = self._weighted(X)
        n, n_classes = len(rows), len(self.classes_)
        cells = np.arange(n)[:, None] * n_classes + self._codes[rows]
        shares = np.bincount(cells.ravel(), weights.ravel(), n * n_classes).reshape(n, n_classes)
        return shares / shares.sum(axis=1, keepdims=True)


class GeodesicKNeighborsRegressor(RegressorMixin, GeodesicNeighbours):
    """Mean of the k nearest training rows by hyperbolic distance, of one number or several.

    scikit-learn's `KNeighborsRegressor` with another distance; see `GeodesicKNeighborsClassifier`.
    `fit` takes no `sample_weight`.

    Parameters
    ----------
    n_neighbors, weights, algorithm, leaf_size, chart, curvature
        As for `GeodesicKNeighborsClassifier`.

    Attributes
    ----------
    n_samples_fit_ : int
    algorithm_ : {"ball_tree", "kd_tree", "brute"}

    See Also
    --------
    GeodesicKNeighborsClassifier : The same for classes.
    HyperbolicRandomForestRegressor : Means of cells instead of balls.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid import GeodesicKNeighborsRegressor
    >>> X = np.array([[0.5, 0.1], [0.7, -0.2], [-0.4, 0.3], [-0.6, 0.0]])
    >>> y = [3.0, 5.0, 1.0, 2.0]
    >>> model = GeodesicKNeighborsRegressor(n_neighbors=2, chart="poincare").fit(X, y)
    >>> model.predict([[0.9, 0.0], [-0.9, 0.0]])
    array([4. , 1.5])
    """

    def __sklearn_tags__(self):
        """Tags for scikit-learn: several numbers for each row."""
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    @check_parameters
    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Keep the points and their numbers.

        Parameters
        ----------
        X : array-like, shape (n, d), or (n, d + 1) for chart "hyperboloid"
        y : array-like of float, shape (n,) or (n, n_outputs)

        Returns
        -------
        self

        Raises
        ------
        InputError
            If a row of X does not satisfy the chart, or there are fewer rows than neighbours.
        """
        X, y = read(self, X, y)
        self._search_rows(X)
        self._values = np.asarray(y, dtype=float)
        return self

    def predict(self, X: ArrayLike | None) -> np.ndarray:
        """Weighted mean of the neighbours.

        Parameters
        ----------
        X : array-like, in the chart of `fit`, or None
            None predicts each training row from the others.

        Returns
        -------
        ndarray, shape (n,) or (n, n_outputs)
        """
        rows, weights = self._weighted(X)
        shares = weights / weights.sum(axis=1, keepdims=True)
        return np.einsum("nk,nk...->n...", shares, self._values[rows])


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
