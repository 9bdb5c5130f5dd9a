"""Poincaré maps: cells placed so that hyperbolic neighbours are neighbours along the data."""

import numpy as np
from sklearn.neighbors import NearestNeighbors

from noneuclid.contracts import collect_parameters
from noneuclid.embeddings import graphs
from noneuclid.embeddings.accessibility import accessibilities, attach_nodes, landmark_columns
from noneuclid.embeddings.descent import descend, jitter
from noneuclid.embeddings.divergence import symmetric_divergence
from noneuclid.embeddings.feature_scaling import choose_scale
from noneuclid.embeddings.neighbour_kernel import KERNELS, edge_weights, forest_of_features, reducer
from noneuclid.embeddings.out_of_sample import place_rows
from noneuclid.embeddings.quality import along_neighbours
from noneuclid.embeddings.strain import hydra
from noneuclid.errors import require, require_number
from noneuclid.geometry import lorentz

# Four n x n matrices live at once: 0.8 GB. Beyond, landmarks represent all rows.
MAX_FULL = 5000
_LANDMARKS = 3000
# cosh of twice this still has digits for Hydra.
_LONGEST_START = 15.0
_BATCH = 64


def embed(
    dataset,
    seed,
    *,
    dimension=2,
    components=20,
    neighbours=15,
    kernel="exponential",
    sigma=1.0,
    gamma=2.0,
    start="hydra",
    landmarks=None,
    root=None,
    tolerance=1e-4,
    max_iterations=1000,
    standardise="auto",
):
    """Embed features by Poincaré maps.

    Rows are joined to their nearest neighbours; similarities along that graph are the relative
    forest accessibilities; points are placed so that exp(-gamma distance), normalised over each
    row, diverges least from them [1]_. Reads no labels, but sees all rows: transductive.

    Parameters
    ----------
    dataset : Dataset
        With features, of any kind but `points` and `composition`.
    components : int or None
        Number of principal components on which neighbours are found if there are more features;
        None for all features.
    kernel, sigma : str, float
        As in `neighbour_kernel.edge_weights`.
    gamma : float
        How fast similarity decays in hyperbolic space.
    start : {"hydra", "random"}
        "random" is near the origin, as in the paper.
    landmarks : int, optional
        Number of random rows that are embedded together; the others are placed against them one by
        one. All rows up to 5000 by default, else 3000.
    root : int, optional
        Row to put at the origin, instead of the centroid.
    tolerance : float
        The relative fall of the loss over 50 iterations at which to stop.
    standardise : {"auto", True, False}
        As in `scaling.choose_scale`.

    Returns
    -------
    Embedded
        On the hyperboloid of curvature -1. `about["embedding"]` keeps `joined_components`,
        `landmarks`, and in `distortion` the loss (of the landmarks), iterations, status, `q_local`
        and `q_global` of `quality.local_and_global` against distances along the graph of 20
        neighbours, and the measures of `distortion.distortion` against the same.

    Raises
    ------
    InputError
        If there are no features, a setting is out of range, or sigma cuts the graph.

    Notes
    -----
    Differs from the authors' program in the optimiser (L-BFGS on all rows instead of stochastic
    gradients with burn-in: no learning rate) and in the start; on their data and settings
    it ends at a lower loss (``benchmarks/poincare_maps.py``).
    Time O(n^2 d) an iteration for up to 5000 rows, memory O(n^2); with m landmarks O(m^2 d + n m d)
    and O(n m).
    The authors publish points of Paul's 2,730 cells but not the expression table that they come
    from, so these cannot be fitted again; ``benchmarks/poincare_maps.py`` times made cells instead.

    References
    ----------
    .. [1] A. Klimovskaia, D. Lopez-Paz, L. Bottou and M. Nickel, Poincaré maps for analyzing
       complex hierarchies in single-cell data, Nature Communications 11:2966, 2020,
       doi:10.1038/s41467-020-16822-4.

    Examples
    --------
    >>> from noneuclid.contracts import Dataset
    >>> features = np.random.default_rng(0).normal(size=(40, 3))
    >>> data = Dataset("d", "expression", np.arange(40) % 2, ("a", "b"), features=features)
    >>> embed(data, 0, neighbours=5).points.shape
    (40, 3)
    """
    settings = collect_parameters(embed, locals())
    _check_settings(settings, dataset)
    scale, settings["standardise"] = choose_scale(dataset, standardise, "poincare_maps")
    features = scale(dataset.features)
    features = reducer(features, components, seed)(features)
    matrix, joined = forest_of_features(features, **_graph(settings))
    points, found = _place_all(matrix, settings, seed)
    points = _centred(points, root)
    quality = {"loss": found.value, "iterations": found.iterations, "status": found.status}
    about = {
        "name": "poincare_maps",
        "settings": settings,
        "joined_components": joined,
        "landmarks": len(found.points),
        "last_fall": found.fall,
        "distortion": quality | along_neighbours(features, points, seed),
    }
    return graphs.embedded(dataset, points, "hyperboloid", about)


def place(dataset, embedded, features, seed=0):
    """Place new rows among points that `embed` placed, which stay where they are.

    Each new row joins the graph alone, by edges to its nearest old rows, and goes where its
    similarities to the old rows diverge least. New rows do not see one another.

    Parameters
    ----------
    dataset : Dataset
        The one that was embedded.
    embedded : Embedded
        What `embed` made of it.
    features : ndarray of float, shape (m, p)
        Of the new rows, in the unit of the old ones.
    seed : int, default=0
        The one given to `embed`.

    Returns
    -------
    ndarray of float, shape (m, d + 1)
        On the hyperboloid of curvature -1.

    Raises
    ------
    InputError
        If the number of features differs or a value is not finite.

    Examples
    --------
    >>> from noneuclid.contracts import Dataset
    >>> old = np.random.default_rng(0).normal(size=(40, 3))
    >>> data = Dataset("d", "expression", np.arange(40) % 2, ("a", "b"), features=old)
    >>> embedded = embed(data, 0, neighbours=5)
    >>> place(data, embedded, old[:2] + 0.01).shape
    (2, 3)
    """
    features, width = np.asarray(features, dtype=float), dataset.features.shape[1]
    require(
        features.ndim == 2 and features.shape[1] == width,
        f"new rows have shape {features.shape}; give a matrix of {width} columns",
    )
    bad = np.argwhere(~np.isfinite(features))
    if bad.size:
        row, column = bad[0]
        require(False, f"new row {row}, column {column} is not finite; fill in the value")
    settings = embedded.about["embedding"]["settings"]
    scale, _ = choose_scale(dataset, settings["standardise"], "poincare_maps")
    old, features = scale(dataset.features), scale(features)
    reduce = reducer(old, settings["components"], seed)
    old = reduce(old)
    matrix, _ = forest_of_features(old, **_graph(settings))
    index = NearestNeighbors(n_neighbors=settings["neighbours"]).fit(old)
    placed = []
    for first in range(0, len(features), _BATCH):
        lengths, nearest = index.kneighbors(reduce(features[first : first + _BATCH]))
        weights = edge_weights(lengths, settings["sigma"], old.shape[1], settings["kernel"])
        targets = attach_nodes(matrix, nearest, weights)
        placed.append(place_rows(targets, embedded.points, settings["gamma"]))
    return np.concatenate(placed)


def _check_settings(settings, dataset):
    """Refuse values out of range."""
    name = "poincare_maps"
    require(
        dataset.features is not None and dataset.kind not in ("points", "composition"),
        f"{name}: {dataset.name} has kind {dataset.kind!r}; use given or hydra",
    )
    n = len(dataset.features)
    require_number(settings["dimension"], "dimension", name, low=1, high=n - 1, integer=True)
    require_number(settings["neighbours"], "neighbours", name, low=1, high=n - 1, integer=True)
    require_number(settings["max_iterations"], "max_iterations", name, low=1, integer=True)
    for key, low in (("sigma", 1e-6), ("gamma", 1e-3), ("tolerance", 0.0)):
        require_number(settings[key], key, name, low=low)
    low = settings["dimension"] + 1
    for key, least, most in (("components", 1, np.inf), ("landmarks", low, n), ("root", 0, n - 1)):
        if settings[key] is not None:
            require_number(settings[key], key, name, low=least, high=most, integer=True)
    for key, legal in (("kernel", KERNELS), ("start", ("hydra", "random"))):
        found = settings[key]
        require(found in legal, f"{name}: {key} = {found!r}; give one of {', '.join(legal)}")
    require(
        settings["landmarks"] is None or settings["landmarks"] <= MAX_FULL or n <= MAX_FULL,
        f"{name}: landmarks = {settings['landmarks']}; give at most {MAX_FULL}",
    )
    require(np.ptp(dataset.features, axis=0).any(), f"{name}: all rows are equal; nothing to embed")


def _graph(settings):
    """The settings that make the graph."""
    return {key: settings[key] for key in ("neighbours", "sigma", "kernel")}


def _place_all(matrix, settings, seed):
    """All points, and the descent that placed all of them, or the landmarks, together."""
    n, count = matrix.shape[0], settings["landmarks"]
    if count is None:
        count = n if n <= MAX_FULL else _LANDMARKS
    if count == n:
        found = _fit(accessibilities(matrix), settings, seed)
        return found.points, found
    chosen = np.sort(np.random.default_rng(seed).choice(n, size=count, replace=False))
    rest = np.setdiff1d(np.arange(n), chosen)
    columns = landmark_columns(matrix, chosen)
    found = _fit((columns[chosen] + columns[chosen].T) / 2, settings, seed)
    targets = columns[rest] / columns[rest].sum(axis=1, keepdims=True)
    points = np.empty((n, settings["dimension"] + 1))
    points[chosen] = found.points
    points[rest] = place_rows(targets, found.points, settings["gamma"], "placing rows")
    return points, found


def _fit(kernel, settings, seed):
    """Descend to the least divergence from similarities of all pairs."""
    if settings["start"] == "hydra":
        start = jitter(_hydra_start(kernel, settings, seed), 1e-3, seed)
    else:
        start = jitter(np.tile(lorentz.origin(settings["dimension"]), (len(kernel), 1)), 1e-4, seed)
    return descend(
        symmetric_divergence(kernel, settings["gamma"]),
        start,
        tolerance=settings["tolerance"],
        max_iterations=settings["max_iterations"],
        progress="poincare_maps",
    )


def _hydra_start(kernel, settings, seed):
    """Hydra of the logarithmic forest distance, where exp(-gamma d) has the wanted decay."""
    logs = np.log(kernel)
    own = logs.diagonal()
    distances = np.maximum((own[:, None] + own) / 2 - logs, 0.0) / settings["gamma"]
    distances *= min(1.0, _LONGEST_START / distances.max())
    return hydra(distances, settings["dimension"], seed=seed)[0]


def _centred(points, root):
    """Points moved so that the root, or the centroid, lies at the origin."""
    centre = lorentz.midpoint(points) if root is None else points[root]
    moved = points @ np.linalg.inv(lorentz.boost(centre)).T
    return lorentz.from_spatial(moved[:, 1:])
