"""UMAP: a popular flat embedding of features, as a baseline; needs the package umap-learn."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from noneuclid.embeddings.base import InductiveEmbedding, Placed, RandomState
from noneuclid.embeddings.distortion import distortion_of_features
from noneuclid.embeddings.feature_scaling import choose_scale
from noneuclid.embeddings.lifted_pca import principal_components, scale_to_radius
from noneuclid.embeddings.reduced_map import ReducedMap, projection, standardisation
from noneuclid.errors import require, require_number, require_package


class UMAPEmbedding(InductiveEmbedding):
    """UMAP, at the size of `LiftedPCA`.

    The flat coordinates of [1]_ are centred and scaled so that the `quantile` of their norms is
    `radius`. Their unit is arbitrary, and without scaling exp at the origin would leave the float64
    range. umap-learn places new rows one by one; they are centred and scaled like the old ones. A
    row of `fit`, given again, is placed near its first position.

    Parameters
    ----------
    n_components : int, default=2
    n_pcs : int or None, default=20
        Number of principal components on which neighbours are found if there are more features;
        None for all features.
    n_neighbors : int, default=15
        `n_neighbors` of umap-learn.
    min_dist : float, default=0.1
        As in umap-learn.
    quantile, radius : float
        As in `LiftedPCA`.
    standardize : bool, default=False
        Divide each feature by its standard deviation first; advised for a table whose columns have
        different units.
    chart : str, default="poincare"
        Of the output: one of `noneuclid.geometry.charts.COORDINATES`. The chart "tangent" has the
        flat coordinates themselves; any other has them lifted by exp at the origin.
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    embedding_ : ndarray of float64, shape (n, d), or (n, d + 1) with ``chart="hyperboloid"``
        The points, at curvature -1.
    report_ : dict
        Empty.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Names of the features of a data frame.

    Raises
    ------
    InputError
        If a parameter is out of range or a value is not finite.
    MissingPackage
        If umap-learn is not installed.

    See Also
    --------
    LiftedPCA : The linear baseline.

    Notes
    -----
    The first fit of a process compiles umap-learn for half a minute. If the graph of neighbours has
    several components (few neighbours, clusters far apart), umap-learn 0.5 starts from random
    eigenvectors, and two fits differ in spite of `random_state`.

    References
    ----------
    .. [1] McInnes, Healy and Melville, UMAP: uniform manifold approximation and projection for
       dimension reduction, 2018, arXiv:1802.03426.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from noneuclid import UMAPEmbedding
    >>> model = UMAPEmbedding(standardize=True, random_state=0)
    >>> points = model.fit_transform(load_iris().data)  # doctest: +SKIP
    """

    name = "umap"
    own_chart = "tangent"

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_pcs: int | None = 20,
        n_neighbors: int = 15,
        min_dist: float = 0.1,
        quantile: float = 0.95,
        radius: float = 2.5,
        standardize: bool = False,
        chart: str = "poincare",
        random_state: RandomState = None,
    ):
        self.n_components = n_components
        self.n_pcs = n_pcs
        self.n_neighbors = n_neighbors
        self.min_dist = min_dist
        self.quantile = quantile
        self.radius = radius
        self.standardize = standardize
        self.chart = chart
        self.random_state = random_state

    def _place(self, source, settings, seed):
        _check_settings(settings, source)
        umap = require_package("umap", "umap", "UMAPEmbedding")
        scale = choose_scale(source.features, self.standardize, self.name)
        features = original = scale(source.features)
        if self.n_pcs is not None and self.n_pcs < features.shape[1]:
            features, _ = principal_components(original, self.n_pcs, seed)
        options = {
            "n_components": self.n_components,
            "n_neighbors": self.n_neighbors,
            "min_dist": float(self.min_dist),
            "random_state": seed,
        }
        found = umap.UMAP(**options, n_jobs=1).fit_transform(features)
        flat = found.astype(float)
        middle = flat.mean(axis=0)
        points, factor = scale_to_radius(
            flat - middle, self.name, quantile=self.quantile, radius=self.radius
        )
        rule = UMAPMap(
            **standardisation(scale),
            **projection(original, features),
            rows=features,
            options=options,
            flat=found,
            middle=middle,
            factor=factor,
        )
        return Placed(points, {}, partial(distortion_of_features, original, points, seed), rule)


@dataclass(frozen=True, kw_only=True)
class UMAPMap(ReducedMap):
    """The rule of umap-learn for new rows, then centre and scale.

    umap-learn finds the graph of the rows again and takes their flat coordinates as they are kept.

    Attributes
    ----------
    options : dict
        Parameters of `umap.UMAP`.
    flat : ndarray of float32, shape (n, d)
        What umap-learn made of `rows`.
    middle, factor : ndarray of float, shape (d,), and float
        Points are ``(flat - middle) * factor``.
    """

    kind: str = "umap"
    chart: str | None = "tangent"
    options: dict
    flat: np.ndarray
    middle: np.ndarray
    factor: float

    def place(self, features):
        """Points one by one: noise of umap-learn's descent depends on the place in a table."""
        rows = self.reduce(features)
        umap = require_package("umap", "umap", "UMAPEmbedding")
        model = umap.UMAP(**self.options, n_jobs=1, transform_mode="graph").fit(self.rows)
        model.transform_mode, model.embedding_ = "embedding", self.flat
        found = np.concatenate([model.transform(row[None]) for row in rows])
        return (found.astype(float) - self.middle) * self.factor


def _check_settings(settings, source):
    """Refuse values out of range."""
    require(
        source.features is not None and source.kind not in ("points", "composition"),
        f"umap: {source.name} has kind {source.kind!r} and no features to embed; use deepwalk "
        "for a graph, given for points",
    )
    n = source.n
    require_number(
        settings["n_components"], "n_components", "umap", low=1, high=n - 2, integer=True
    )
    require_number(settings["n_neighbors"], "n_neighbors", "umap", low=2, high=n - 1, integer=True)
    require_number(settings["min_dist"], "min_dist", "umap", low=0.0, high=1.0)
    require_number(settings["quantile"], "quantile", "umap", low=0.01, high=1.0)
    require_number(settings["radius"], "radius", "umap", low=1e-3, high=15.0)
    if settings["n_pcs"] is not None:
        require_number(settings["n_pcs"], "n_pcs", "umap", low=1, integer=True)
