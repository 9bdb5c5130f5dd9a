"""UMAP: a popular flat embedding of features, as a baseline; needs the package umap-learn."""

from functools import partial

from noneuclid.embeddings import maps
from noneuclid.embeddings.base import InductiveEmbedding, Placed, RandomState
from noneuclid.embeddings.distortion import distortion_of_features
from noneuclid.embeddings.feature_scaling import choose_scale, unchanged
from noneuclid.embeddings.lifted_pca import principal_components, scale_to_radius
from noneuclid.errors import require, require_number, require_package


class UMAPEmbedding(InductiveEmbedding):
    """UMAP [1]_, at the size of `LiftedPCA`.

    The flat coordinates are centred and scaled so that the `quantile` of their norms is `radius`.
    Their unit is arbitrary, and without scaling exp at the origin would leave the float64 range.
    umap-learn places new rows; they are centred and scaled like the old ones.

    Parameters
    ----------
    dimension : int, default=2
    components : int or None, default=20
        Number of principal components on which neighbours are found if there are more features;
        None for all features.
    neighbours : int, default=15
        `n_neighbors` of umap-learn.
    min_dist : float, default=0.1
        As in umap-learn.
    quantile, radius : float
        As in `LiftedPCA`.
    standardise : bool, default=False
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
    The first fit of a process compiles umap-learn for half a minute.

    References
    ----------
    .. [1] McInnes, Healy and Melville, UMAP: uniform manifold approximation and projection for
       dimension reduction, 2018, arXiv:1802.03426.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from noneuclid import UMAPEmbedding
    >>> model = UMAPEmbedding(standardise=True, random_state=0)
    >>> points = model.fit_transform(load_iris().data)  # doctest: +SKIP
    """

    name = "umap"
    own_chart = "tangent"

    def __init__(
        self,
        dimension: int = 2,
        *,
        components: int | None = 20,
        neighbours: int = 15,
        min_dist: float = 0.1,
        quantile: float = 0.95,
        radius: float = 2.5,
        standardise: bool = False,
        chart: str = "poincare",
        random_state: RandomState = None,
    ):
        self.dimension = dimension
        self.components = components
        self.neighbours = neighbours
        self.min_dist = min_dist
        self.quantile = quantile
        self.radius = radius
        self.standardise = standardise
        self.chart = chart
        self.random_state = random_state

    def _place(self, source, settings, seed):
        _check_settings(settings, source)
        umap = require_package("umap", "umap", "UMAPEmbedding")
        self._scale = choose_scale(source.features, self.standardise, self.name)
        features = original = self._scale(source.features)
        self._reduce = unchanged
        if self.components is not None and self.components < features.shape[1]:
            features, _ = principal_components(original, self.components, seed)
            self._reduce = partial(maps.transform, maps.linear(original, features))
        self._fitted = umap.UMAP(
            n_components=self.dimension,
            n_neighbors=self.neighbours,
            min_dist=self.min_dist,
            random_state=seed,
            n_jobs=1,
        )
        flat = self._fitted.fit_transform(features).astype(float)
        self._centre = flat.mean(axis=0)
        points, self._factor = scale_to_radius(
            flat - self._centre, self.name, quantile=self.quantile, radius=self.radius
        )
        return Placed(points, {}, partial(distortion_of_features, original, points, seed))

    def _place_new(self, X):
        flat = self._fitted.transform(self._reduce(self._scale(X))).astype(float)
        return (flat - self._centre) * self._factor


def _check_settings(settings, source):
    """Refuse values out of range."""
    require(
        source.features is not None and source.kind not in ("points", "composition"),
        f"umap: {source.name} has kind {source.kind!r} and no features to embed; use deepwalk "
        "for a graph, given for points",
    )
    n = source.n
    require_number(settings["dimension"], "dimension", "umap", low=1, high=n - 2, integer=True)
    require_number(settings["neighbours"], "neighbours", "umap", low=2, high=n - 1, integer=True)
    require_number(settings["min_dist"], "min_dist", "umap", low=0.0, high=1.0)
    require_number(settings["quantile"], "quantile", "umap", low=0.01, high=1.0)
    require_number(settings["radius"], "radius", "umap", low=1e-3, high=15.0)
    if settings["components"] is not None:
        require_number(settings["components"], "components", "umap", low=1, integer=True)
