"""Principal components, scaled and lifted from the tangent space at the origin."""

from functools import partial

import numpy as np
from numpy.typing import ArrayLike
from sklearn.decomposition import PCA

from noneuclid.embeddings import maps
from noneuclid.embeddings.base import InductiveEmbedding, Placed, RandomState, require_features
from noneuclid.embeddings.distortion import distortion_of_features
from noneuclid.embeddings.feature_scaling import choose_scale
from noneuclid.errors import require, require_number

_EXACT_UP_TO = 3000


def principal_components(features, dimension, seed):
    """Project centred features on their leading principal axes.

    Exact while the shorter side of the matrix is at most 3000, randomised beyond.

    Shapes: `features` (n, p); returns `scores` (n, dimension).

    Examples
    --------
    >>> scores, explained = principal_components(np.array([[0.0, 0], [3, 4], [6, 8]]), 1, 0)
    >>> np.abs(scores[:, 0]).round(12).tolist(), round(explained, 12)
    ([5.0, 0.0, 5.0], 1.0)
    """
    n, p = features.shape
    # scikit-learn's covariance solver loses the digits of columns far from zero.
    features = features - features.mean(axis=0)
    require(
        1 <= dimension <= min(n, p),
        f"dimension {dimension} needs at least as many rows and features; there are {n} rows "
        f"and {p} feature(s)",
    )
    require(np.ptp(features, axis=0).any(), "all rows of the features are equal; nothing to embed")
    exact = "covariance_eigh" if p <= n else "full"
    solver = exact if min(n, p) <= _EXACT_UP_TO else "randomized"
    pca = PCA(dimension, svd_solver=solver, random_state=seed)
    return pca.fit_transform(features), float(pca.explained_variance_ratio_.sum())


class LiftedPCA(InductiveEmbedding):
    """Principal components, scaled and lifted from the tangent space at the origin.

    The `quantile` of the distances from the origin becomes `radius`; exp at the origin then maps
    the points to hyperbolic space. This preserves directions and distances from the origin and
    increases other distances. New rows are mapped in the same way: centred by the means of the old
    rows, projected on their axes and multiplied by their factor.

    Parameters
    ----------
    n_components : int, default=2
    standardize : bool, default=False
        Divide each feature by its standard deviation first; advised for a table whose columns have
        different units.
    quantile : float, default=0.95
        In [0.01, 1].
    radius : float, default=2.5
        In hyperbolic units, up to 15.
    chart : str, default="poincare"
        Of the output: one of `noneuclid.geometry.charts.COORDINATES`. The chart "tangent" has the
        scaled components themselves.
    random_state : int, RandomState or None, default=None
        For the randomised solver, where both sides of the matrix are over 3000.

    Attributes
    ----------
    embedding_ : ndarray of float64, shape (n, d), or (n, d + 1) with ``chart="hyperboloid"``
        The points, at curvature -1.
    report_ : dict
        `explained_variance`: the part of the variance that the components have.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Names of the features of a data frame.

    Raises
    ------
    InputError
        If a parameter is out of range, a value is not finite, or all rows are equal.

    See Also
    --------
    Hydra : Keeps distances along the data.
    PoincareMap : Keeps neighbours along the data.

    Notes
    -----
    Time O(n p min(n, p)), memory O(n p).

    Examples
    --------
    >>> from noneuclid import LiftedPCA
    >>> X = np.random.default_rng(0).normal(size=(20, 5))
    >>> model = LiftedPCA(quantile=1.0, chart="tangent").fit(X)
    >>> float(np.linalg.norm(model.embedding_, axis=1).max().round(12))
    2.5
    >>> rows = model.inverse_transform(model.embedding_)
    >>> rows.shape, bool(np.allclose(model.transform(rows), model.embedding_))
    ((20, 5), True)
    """

    name = "lifted_pca"
    own_chart = "tangent"

    def __init__(
        self,
        n_components: int = 2,
        *,
        standardize: bool = False,
        quantile: float = 0.95,
        radius: float = 2.5,
        chart: str = "poincare",
        random_state: RandomState = None,
    ):
        self.n_components = n_components
        self.standardize = standardize
        self.quantile = quantile
        self.radius = radius
        self.chart = chart
        self.random_state = random_state

    def inverse_transform(self, X: ArrayLike) -> np.ndarray:
        """Rows of features with these components, and zero in the directions that were left out.

        Parameters
        ----------
        X : array_like of shape (m, d), or (m, d + 1) with ``chart="hyperboloid"``
            Points in the chart of `transform`.

        Returns
        -------
        ndarray of float64, shape (m, p)

        Raises
        ------
        InputError
            If a row is not a point of the chart, or has another dimension.
        """
        return self._rule.mean + self._read_points(X) @ self._back

    def _place(self, source, settings, seed):
        require_number(self.n_components, "n_components", self.name, low=1, integer=True)
        require_number(self.quantile, "quantile", self.name, low=0.01, high=1.0)
        require_number(self.radius, "radius", self.name, low=1e-3, high=15.0)
        require_features(source, self.name, "use given or hydra")
        features = choose_scale(source.features, self.standardize, self.name)(source.features)
        scores, explained = principal_components(features, self.n_components, seed)
        points, _ = scale_to_radius(scores, self.name, quantile=self.quantile, radius=self.radius)
        rule = maps.linear(source.features, points, self.standardize)
        # Orthogonal columns of features in units of their deviations.
        unit = maps.deviations(source.features) if self.standardize else np.ones(len(rule.mean))
        axes = rule.axes * unit[:, None]
        size = np.square(axes).sum(axis=0)
        self._back = (axes / np.where(size > 0, size, 1.0)).T * unit
        return Placed(
            points,
            {"explained_variance": explained},
            partial(distortion_of_features, features, points, seed),
            rule,
        )


def scale_to_radius(points, name, *, quantile, radius):
    """Scale points so that the `quantile` of their norms is `radius`; also the factor.

    Shapes: `points` (n, d); returns shape (n, d).

    Examples
    --------
    >>> scale_to_radius(np.array([[3.0], [4.0]]), "example", quantile=1.0, radius=2.0)
    (array([[1.5],
           [2. ]]), 0.5)
    """
    size = np.quantile(np.linalg.norm(points, axis=1), quantile)
    require(size > 0, f"{name}: quantile {quantile} of the norms is 0; raise quantile")
    factor = float(radius / size)
    return points * factor, factor
