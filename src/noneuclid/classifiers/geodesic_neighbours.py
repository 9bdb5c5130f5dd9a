"""Nearest neighbours by hyperbolic distance, or that of a product space, exact."""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin, RegressorMixin

from noneuclid.classifiers.geodesic_neighbours_base import GeodesicNeighbours
from noneuclid.classifiers.multiclass import encode_labels
from noneuclid.classifiers.sklearn_private import check_parameters
from noneuclid.classifiers.validation import read


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
    space : str or ProductSpace or None, default=None
        Signature, such as "H2 S2 E1", or space of the rows, instead of `chart` and `curvature`.

    Attributes
    ----------
    classes_ : ndarray, shape (n_classes,)
    n_samples_fit_ : int
    algorithm_ : {"ball_tree", "kd_tree", "brute"}
    space_ : ProductSpace or None
        None if there is no `space`.

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
    n_neighbors, weights, algorithm, leaf_size, chart, curvature, space
        As for `GeodesicKNeighborsClassifier`.

    Attributes
    ----------
    n_samples_fit_ : int
    algorithm_ : {"ball_tree", "kd_tree", "brute"}
    space_ : ProductSpace or None
        None if there is no `space`.

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
