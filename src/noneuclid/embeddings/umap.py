"""UMAP: a popular flat embedding of features, as a baseline; needs the package umap-learn."""

from noneuclid.contracts import collect_parameters
from noneuclid.embeddings.distortion import distortion_of_features
from noneuclid.embeddings.feature_scaling import choose_scale
from noneuclid.embeddings.graphs import embedded
from noneuclid.embeddings.lifted_pca import principal_components, scale_to_radius
from noneuclid.errors import require, require_number, require_package


def _umap():
    """Module of umap-learn; imported when needed, because it compiles for half a minute."""
    return require_package("umap", "umap", "embedding umap")


def embed(
    dataset,
    seed,
    *,
    dimension=2,
    components=20,
    neighbours=15,
    min_dist=0.1,
    quantile=0.95,
    radius=2.5,
    standardise="auto",
):
    """Embed features by UMAP [1]_, at the size of `lifted_pca`.

    The flat coordinates, centred, are scaled so that the `quantile` of their norms is `radius`:
    their own unit means nothing, and exp at the origin would carry it out of the float64 range.
    Reads no labels, but sees all rows: transductive.

    Parameters
    ----------
    dataset : Dataset
        With features, of any kind but `points` and `composition`.
    components : int or None
        Number of principal components on which neighbours are found if there are more features;
        None for all features.
    neighbours, min_dist : int, float
        As in umap-learn.
    quantile, radius : float
        As in `lifted_pca`.
    standardise : {"auto", True, False}
        As in `scaling.choose_scale`.

    Returns
    -------
    Embedded
        Chart `tangent`: a method on this chart reads the flat coordinates themselves. The
        distortion compares with Euclidean distances of the features.

    Raises
    ------
    InputError
        If umap-learn is not installed, there are no features, or a setting is out of range.

    References
    ----------
    .. [1] McInnes, Healy and Melville, UMAP: uniform manifold approximation and projection for
       dimension reduction, 2018, arXiv:1802.03426.
    """
    settings = collect_parameters(embed, locals())
    _check_settings(settings, dataset)
    scale, settings["standardise"] = choose_scale(dataset, standardise, "umap")
    features = original = scale(dataset.features)
    if components is not None and components < features.shape[1]:
        features, _ = principal_components(features, components, seed)
    fitted = _umap().UMAP(
        n_components=dimension,
        n_neighbors=neighbours,
        min_dist=min_dist,
        random_state=seed,
        n_jobs=1,
    )
    flat = fitted.fit_transform(features).astype(float)
    points = scale_to_radius(flat - flat.mean(axis=0), "umap", quantile=quantile, radius=radius)
    found = distortion_of_features(original, points, seed)
    about = {"name": "umap", "settings": settings, "distortion": found}
    return embedded(dataset, points, "tangent", about)


def _check_settings(settings, dataset):
    """Refuse values out of range."""
    require(
        dataset.features is not None and dataset.kind not in ("points", "composition"),
        f"umap: {dataset.name} has kind {dataset.kind!r} and no features to embed; use deepwalk "
        "for a graph, given for points",
    )
    n = len(dataset.labels)
    require_number(settings["dimension"], "dimension", "umap", low=1, high=n - 2, integer=True)
    require_number(settings["neighbours"], "neighbours", "umap", low=2, high=n - 1, integer=True)
    require_number(settings["min_dist"], "min_dist", "umap", low=0.0, high=1.0)
    require_number(settings["quantile"], "quantile", "umap", low=0.01, high=1.0)
    require_number(settings["radius"], "radius", "umap", low=1e-3, high=15.0)
    if settings["components"] is not None:
        require_number(settings["components"], "components", "umap", low=1, integer=True)
