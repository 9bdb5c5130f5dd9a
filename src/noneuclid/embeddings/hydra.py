"""Hydra: hyperbolic embedding of graphs and features by one eigendecomposition."""

import numpy as np

from noneuclid.contracts import collect_parameters
from noneuclid.embeddings import graphs
from noneuclid.embeddings.distortion import distortion, sample_rows
from noneuclid.embeddings.feature_scaling import choose_scale
from noneuclid.embeddings.lifted_pca import principal_components
from noneuclid.embeddings.strain import DIAMETERS, best_diameter, hydra
from noneuclid.embeddings.target_distances import feature_distances, graph_distances
from noneuclid.errors import require, require_number
from noneuclid.geometry import lorentz

# Four n x n matrices live at once: 7 GB.
MAX_ROWS = 15_000


def embed(
    dataset,
    seed,
    *,
    dimension=2,
    diameter=None,
    curvature=None,
    isotropic=False,
    equiangular=0.0,
    neighbours=10,
    components=20,
    standardise="auto",
):
    """Embed a graph or a cloud of features by Hydra.

    Distances are shortest paths of the graph, or of the nearest-neighbour graph of the features.
    They are multiplied by sqrt(K) and embedded at curvature -1, which is the embedding at
    curvature -K in the original unit. Reads no labels, but sees all rows: transductive.

    Parameters
    ----------
    dataset : Dataset
        Kind `graph`, or any kind with features but `points`.
    diameter : float, optional
        The farthest distance in hyperbolic units; 6.0, which leaves room to see classes in the
        disk, unless `curvature` is given.
    curvature : float or "auto", optional
        K in the unit of the distances; "auto" is the K with the least stress.
    isotropic, equiangular : bool, float
        As in `strain.hydra`.
    neighbours : int
        For features.
    components : int or None
        Number of principal components on which neighbours are found if there are more features;
        None for all features.
    standardise : {"auto", True, False}
        As in `scaling.choose_scale`.

    Returns
    -------
    Embedded
        On the hyperboloid of curvature -1. `about["embedding"]` keeps `kappa` (K above),
        `diameter`, `eigenvalues`, `joined_components` and the distortion against the distances.

    Raises
    ------
    InputError
        If the graph is disconnected, a setting is out of range, or there are over 15,000 rows.

    Examples
    --------
    >>> from noneuclid.datasets.shipped import karate
    >>> embedded = embed(karate.load({}, 0), 0)
    >>> embedded.points.shape, embedded.chart
    ((34, 3), 'hyperboloid')
    """
    require(
        diameter is None or curvature is None,
        "hydra: diameter and curvature both set the size; give one of them",
    )
    diameter = 6.0 if diameter is None else diameter
    settings = collect_parameters(embed, locals())
    _check_settings(settings, dataset)
    _, settings["standardise"] = choose_scale(dataset, standardise, "hydra")
    distances, joined = source_distances(dataset, settings, seed)
    longest = distances.max()
    require(longest > 0, "hydra: all distances are zero; nothing to embed")
    options = {"isotropic": isotropic, "equiangular": equiangular}
    diameter = _diameter(settings, distances, seed, options)
    points, eigenvalues = hydra(distances * (diameter / longest), dimension, seed=seed, **options)
    rows = sample_rows(len(points), seed)
    about = {
        "name": "hydra",
        "settings": settings,
        "kappa": float((diameter / longest) ** 2),
        "diameter": float(diameter),
        "eigenvalues": eigenvalues.tolist(),
        "joined_components": joined,
        "distortion": distortion(
            distances[rows],
            lorentz.pairwise_distances(points[rows], points),
            rows,
            adjacency(dataset)[rows] if dataset.kind == "graph" else None,
        ),
    }
    return graphs.embedded(dataset, points, "hyperboloid", about)


def _check_settings(settings, dataset):
    """Refuse values out of range."""
    n = len(dataset.labels)
    require(
        n <= MAX_ROWS,
        f"hydra: {n} rows need all {n}x{n} distances; use lifted_pca beyond {MAX_ROWS} rows",
    )
    require_number(settings["dimension"], "dimension", "hydra", low=1, high=n - 1, integer=True)
    require_number(settings["neighbours"], "neighbours", "hydra", low=1, integer=True)
    require_number(settings["equiangular"], "equiangular", "hydra", low=0.0, high=1.0)
    require(
        settings["equiangular"] == 0 or settings["dimension"] == 2,
        f"hydra: equiangular needs dimension 2, not {settings['dimension']}; leave it out",
    )
    if settings["components"] is not None:
        require_number(settings["components"], "components", "hydra", low=1, integer=True)
    require_number(settings["diameter"], "diameter", "hydra", low=1e-3, high=DIAMETERS[1])
    if settings["curvature"] not in (None, "auto"):
        require_number(settings["curvature"], "curvature", "hydra", low=1e-12)


def source_distances(dataset, settings, seed):
    """Distances to keep, and the number of edges that had to join components."""
    if dataset.kind == "graph":
        return graph_distances(dataset.edges, len(dataset.labels), dataset.weights), 0
    require(
        dataset.kind not in ("points", "composition"),
        f"hydra: {dataset.name} has kind {dataset.kind!r}, its points are embedded; use given",
    )
    scale, _ = choose_scale(dataset, settings["standardise"], "hydra")
    features = scale(dataset.features)
    if settings["components"] is not None and settings["components"] < features.shape[1]:
        features, _ = principal_components(features, settings["components"], seed)
    return feature_distances(features, settings["neighbours"])


def _diameter(settings, distances, seed, options):
    """The farthest distance in hyperbolic units."""
    curvature = settings["curvature"]
    if curvature is None:
        return settings["diameter"]
    if curvature == "auto":
        return best_diameter(distances, settings["dimension"], seed, **options)
    diameter = np.sqrt(curvature) * distances.max()
    require(
        diameter <= DIAMETERS[1],
        f"hydra: curvature {curvature} makes the diameter {diameter:.4g}; beyond "
        f"{DIAMETERS[1]:g} digits are lost: lower it",
    )
    return diameter


def adjacency(dataset):
    """Which rows are joined by an edge."""
    joined = np.zeros((len(dataset.labels),) * 2, dtype=bool)
    joined[dataset.edges[:, 0], dataset.edges[:, 1]] = True
    return joined | joined.T
