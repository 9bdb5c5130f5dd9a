"""Principal components, scaled and lifted from the tangent space at the origin."""

import numpy as np
from sklearn.decomposition import PCA

from noneuclid.contracts import collect_parameters
from noneuclid.embeddings import graphs, maps
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
        f"and {p} features",
    )
    require(np.ptp(features, axis=0).any(), "all rows of the features are equal; nothing to embed")
    exact = "covariance_eigh" if p <= n else "full"
    solver = exact if min(n, p) <= _EXACT_UP_TO else "randomized"
    pca = PCA(dimension, svd_solver=solver, random_state=seed)
    return pca.fit_transform(features), float(pca.explained_variance_ratio_.sum())


def embed(dataset, seed, *, dimension=2, standardise="auto", quantile=0.95, radius=2.5):
    """Put principal components into the tangent space at the origin, at a given size.

    The `quantile` of the distances from the origin becomes `radius`; exp at the origin then
    carries the points to hyperbolic space, which keeps directions and distances from the origin
    and stretches the rest. Reads no labels, but sees all rows: transductive.

    Parameters
    ----------
    dataset : Dataset
        With features, of any kind but `points`.
    standardise : {"auto", True, False}
        As in `scaling.choose_scale`.
    radius : float
        In hyperbolic units.

    Returns
    -------
    Embedded
        Chart `tangent`, curvature -1. The distortion compares with Euclidean distances of the
        features.

    Raises
    ------
    InputError
        If there are no features, or a setting is out of range.

    Examples
    --------
    >>> from noneuclid.contracts import Dataset
    >>> features = np.random.default_rng(0).normal(size=(20, 5))
    >>> data = Dataset("d", "images", np.arange(20) % 2, ("a", "b"), features=features)
    >>> points = embed(data, 0, quantile=1.0).points
    >>> float(np.linalg.norm(points, axis=1).max().round(12))
    2.5
    """
    settings = collect_parameters(embed, locals())
    require_number(dimension, "dimension", "lifted_pca", low=1, integer=True)
    require_number(quantile, "quantile", "lifted_pca", low=0.01, high=1.0)
    require_number(radius, "radius", "lifted_pca", low=1e-3, high=15.0)
    require(
        dataset.features is not None and dataset.kind not in ("points", "composition"),
        f"lifted_pca: {dataset.name} has kind {dataset.kind!r}; use given or hydra",
    )
    scale, settings["standardise"] = choose_scale(dataset, standardise, "lifted_pca")
    features = scale(dataset.features)
    scores, explained = principal_components(features, dimension, seed)
    points = scale_to_radius(scores, "lifted_pca", quantile=quantile, radius=radius)
    about = {
        "name": "lifted_pca",
        "settings": settings,
        "explained_variance": explained,
        "distortion": distortion_of_features(features, points, seed),
    }
    return graphs.embedded(dataset, points, "tangent", about)


def scale_to_radius(points, name, *, quantile, radius):
    """Scale points so that the `quantile` of their norms is `radius`.

    Shapes: `points` (n, d); returns shape (n, d).

    Examples
    --------
    >>> scale_to_radius(np.array([[3.0], [4.0]]), "example", quantile=1.0, radius=2.0).tolist()
    [[1.5], [2.0]]
    """
    size = np.quantile(np.linalg.norm(points, axis=1), quantile)
    require(size > 0, f"{name}: quantile {quantile} of the norms is 0; raise quantile")
    return points * (radius / size)


def fit_map(dataset, embedded):
    """Map for new samples; see `noneuclid.embeddings.maps`."""
    return maps.linear(dataset, embedded, embedded.about["embedding"]["settings"]["standardise"])
