"""Poincaré maps: cells placed so that hyperbolic neighbours are neighbours along the data.

Also how well an embedding keeps the ranks of neighbours, near and far.
"""

import numpy as np
from scipy.sparse import triu

from noneuclid.embeddings.accessibility import accessibilities, landmark_columns
from noneuclid.embeddings.base import InductiveEmbedding, Placed, RandomState, require_features
from noneuclid.embeddings.descent import descend, jitter
from noneuclid.embeddings.distortion import distortion, sample_all, sample_rows
from noneuclid.embeddings.divergence import symmetric_divergence
from noneuclid.embeddings.feature_scaling import choose_scale
from noneuclid.embeddings.forest_map import ForestMap, LinearForestMap, reduction
from noneuclid.embeddings.neighbour_kernel import (
    KERNELS,
    forest_of_features,
    geodesics,
    neighbour_graph,
    reducer,
)
from noneuclid.embeddings.out_of_sample import place_rows
from noneuclid.embeddings.reduced_map import standardisation
from noneuclid.embeddings.strain import hydra
from noneuclid.errors import require, require_number
from noneuclid.geometry import lorentz

_NEIGHBOURS = 20
# Four n x n matrices live at once: 0.8 GB. Beyond, landmarks represent all rows.
MAX_FULL = 5000
_LANDMARKS = 3000
# Similarities of all rows to landmarks: 4 GB.
_MAX_COLUMNS = 500_000_000
_LINEAR = 1000  # landmarks of linear placing
STARTS, PLACINGS = ("hydra", "random"), ("descent", "linear")
# cosh of twice this still has digits for Hydra.
_LONGEST_START = 15.0


class PoincareMap(InductiveEmbedding):
    r"""Poincaré maps: hyperbolic neighbours are neighbours along the data.

    Rows are joined to their nearest neighbours; similarities along that graph are the relative
    forest accessibilities; points are placed so that :math:`\exp(-\gamma d)`, d the distance,
    normalised over each row, diverges least from them [1]_.

    `transform` places each new row separately. Edges join it to its nearest old rows, and it is
    placed where its similarities to the old rows diverge least from the same kernel. Old rows do
    not move, and new rows do not affect each other. A row of `fit` that is given again is joined as
    a copy and placed next to its first position, not on it (with linear placing on it).

    Parameters
    ----------
    n_components : int, default=2
    n_pcs : int or None, default=20
        Number of principal components on which neighbours are found if there are more features;
        None for all features.
    n_neighbors : int, default=15
    kernel : {"exponential", "gaussian"}
        The weight of an edge of length l is :math:`\exp(-l / (\sigma p))`, p the number of columns,
        which the authors' program computes, or :math:`\exp(-l^2 / (2 \sigma^2))`, which their paper
        writes.
    sigma : float, default=1.0
    gamma : float, default=2.0
        How fast similarity decays in hyperbolic space.
    init : {"hydra", "random"}
        "random" is near the origin, as in the paper.
    n_landmarks : int, optional
        Number of random rows that are embedded together; the others are placed against them one by
        one. All rows up to 5000 by default, else 3000; at most 1000 for linear placing.
    out_of_sample : {"descent", "linear"}
        How rows are placed against landmarks, and new rows: by a descent for each, along the graph
        of all rows, or by a linear solution for each, along the graph of the landmarks alone.
        "linear" is for 1e6 rows; landmarks are then placed by this rule, too.
    root : int, optional
        Row to put at the origin, instead of the centroid.
    tol : float, default=1e-4
        The relative fall of the loss over 50 iterations at which to stop.
    max_iter : int, default=1000
    standardize : bool, default=False
        Divide each feature by its standard deviation first; advised for a table whose columns have
        different units.
    chart : str, default="poincare"
        Of the output: one of `noneuclid.geometry.charts.COORDINATES`.
    random_state : int, RandomState or None, default=None
        For landmarks, the start, and randomised principal components.

    Attributes
    ----------
    embedding_ : ndarray of float64, shape (n, d), or (n, d + 1) with ``chart="hyperboloid"``
        The points, at curvature -1.
    report_ : dict
        `joined_components`, the number of edges that had to join parts of the graph; `n_landmarks`;
        `last_fall`, the last relative fall of the loss.
    n_iter_ : int
        Iterations of the descent.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Names of the features of a data frame.

    Raises
    ------
    InputError
        If a parameter is out of range, a value is not finite, or sigma cuts the graph.

    See Also
    --------
    Hydra : Keeps distances along the data; no iterations.
    noneuclid.cells.embed : For AnnData objects.

    Notes
    -----
    Differs from the authors' program in the optimiser (L-BFGS on all rows instead of stochastic
    gradients with burn-in: no learning rate) and in the start; on their data and settings
    it ends at a lower loss (``benchmarks/poincare_maps.py``).
    Time O(n^2 d) an iteration for up to 5000 rows, memory O(n^2); with m landmarks O(m^2 d + n m d)
    and O(n m). A new row costs a solution of a sparse system and two descents in O(n d). With
    ``out_of_sample="linear"`` a row costs O(m p), and memory is O(m^2);
    ``benchmarks/atlas_layout.py`` measures what is lost.

    References
    ----------
    .. [1] A. Klimovskaia, D. Lopez-Paz, L. Bottou and M. Nickel, Poincaré maps for analyzing
       complex hierarchies in single-cell data, Nature Communications 11:2966, 2020,
       doi:10.1038/s41467-020-16822-4.

    Examples
    --------
    >>> from noneuclid import PoincareMap
    >>> X = np.random.default_rng(0).normal(size=(40, 3))
    >>> model = PoincareMap(n_neighbors=5, random_state=0).fit(X)
    >>> model.embedding_.shape, model.transform(X[:2] + 0.01).shape
    ((40, 2), (2, 2))
    """

    name = "poincare_maps"

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_pcs: int | None = 20,
        n_neighbors: int = 15,
        kernel: str = "exponential",
        sigma: float = 1.0,
        gamma: float = 2.0,
        init: str = "hydra",
        n_landmarks: int | None = None,
        out_of_sample: str = "descent",
        root: int | None = None,
        tol: float = 1e-4,
        max_iter: int = 1000,
        standardize: bool = False,
        chart: str = "poincare",
        random_state: RandomState = None,
    ):
        self.n_components = n_components
        self.n_pcs = n_pcs
        self.n_neighbors = n_neighbors
        self.kernel = kernel
        self.sigma = sigma
        self.gamma = gamma
        self.init = init
        self.n_landmarks = n_landmarks
        self.out_of_sample = out_of_sample
        self.root = root
        self.tol = tol
        self.max_iter = max_iter
        self.standardize = standardize
        self.chart = chart
        self.random_state = random_state

    def _place(self, source, settings, seed):
        _check_settings(settings, source)
        scale = choose_scale(source.features, self.standardize, self.name)
        features = scale(source.features)
        reduce = reducer(features, self.n_pcs, seed)
        features = reduce(features)
        embedded = features
        if self.out_of_sample == "linear":
            embedded = features[_choose(source.n, self.n_landmarks or min(source.n, _LINEAR), seed)]
        matrix, joined = forest_of_features(embedded, self.n_neighbors, self.sigma, self.kernel)
        entries = standardisation(scale) | reduction(reduce) | {"rows": embedded}
        entries |= {key: settings[key] for key in ("n_neighbors", "sigma", "kernel", "gamma")}
        if self.out_of_sample == "linear":
            inverse = accessibilities(matrix)
            found = _fit(inverse, settings, seed)
            rule = LinearForestMap(**entries, inverse=inverse, points=_centred(found.points, None))
            points = rule.place_reduced(features)
        else:
            points, found = _place_all(matrix, settings, seed)
            points = _centred(points, self.root)
            upper = triu(matrix, 1)
            edges = np.column_stack([upper.row, upper.col])
            rule = ForestMap(**entries, edges=edges, weights=-upper.data, points=points)
        quality = {"loss": found.value, "status": found.status}
        facts = {
            "joined_components": joined,
            "n_landmarks": len(found.points),
            "n_iter": found.iterations,
            "last_fall": found.fall,
        }
        return Placed(
            points, facts, lambda: quality | along_neighbours(features, points, seed), rule
        )


def _check_settings(settings, source):
    """Refuse values out of range."""
    name, n = PoincareMap.name, source.n
    require_features(source, name, "use given or hydra")
    require_number(settings["n_components"], "n_components", name, low=1, high=n - 1, integer=True)
    require_number(settings["n_neighbors"], "n_neighbors", name, low=1, high=n - 1, integer=True)
    require_number(settings["max_iter"], "max_iter", name, low=1, integer=True)
    for key, low in (("sigma", 1e-6), ("gamma", 1e-3), ("tol", 0.0)):
        require_number(settings[key], key, name, low=low)
    low = settings["n_components"] + 1
    for key, least, most in (("n_pcs", 1, np.inf), ("n_landmarks", low, n), ("root", 0, n - 1)):
        if settings[key] is not None:
            require_number(settings[key], key, name, low=least, high=most, integer=True)
    for key, legal in (("kernel", KERNELS), ("init", STARTS), ("out_of_sample", PLACINGS)):
        found = settings[key]
        require(found in legal, f"{name}: {key} = {found!r}; give one of {', '.join(legal)}")
    require(
        settings["n_landmarks"] is None or settings["n_landmarks"] <= MAX_FULL or n <= MAX_FULL,
        f"{name}: n_landmarks = {settings['n_landmarks']}; give at most {MAX_FULL}",
    )
    require(
        settings["out_of_sample"] == "descent" or settings["root"] is None,
        f"{name}: a root is for out_of_sample: descent; leave it out",
    )
    require(np.ptp(source.features, axis=0).any(), f"{name}: all rows are equal; nothing to embed")


def _place_all(matrix, settings, seed):
    """All points, and the descent that placed all of them, or the landmarks, together."""
    n, count = matrix.shape[0], settings["n_landmarks"]
    if count is None:
        count = n if n <= MAX_FULL else _LANDMARKS
    if count == n:
        found = _fit(accessibilities(matrix), settings, seed)
        return found.points, found
    require(
        n * count <= _MAX_COLUMNS,
        f"{PoincareMap.name}: similarities of {n} rows to {count} landmarks take "
        f"{8e-9 * n * count:.3g} GB; use out_of_sample: linear, or hyperbolic_umap",
    )
    chosen = _choose(n, count, seed)
    rest = np.setdiff1d(np.arange(n), chosen)
    columns = landmark_columns(matrix, chosen)
    found = _fit((columns[chosen] + columns[chosen].T) / 2, settings, seed)
    targets = columns[rest] / columns[rest].sum(axis=1, keepdims=True)
    points = np.empty((n, settings["n_components"] + 1))
    points[chosen] = found.points
    points[rest] = place_rows(targets, found.points, settings["gamma"], "placing rows")
    return points, found


def _choose(n, count, seed):
    """Landmarks: so many random rows, ascending."""
    return np.sort(np.random.default_rng(seed).choice(n, size=count, replace=False))


def _fit(kernel, settings, seed):
    """Descend to the least divergence from similarities of all pairs."""
    if settings["init"] == "hydra":
        start = jitter(_hydra_start(kernel, settings, seed), 1e-3, seed)
    else:
        start = jitter(
            np.tile(lorentz.origin(settings["n_components"]), (len(kernel), 1)), 1e-4, seed
        )
    return descend(
        symmetric_divergence(kernel, settings["gamma"]),
        start,
        tol=settings["tol"],
        max_iter=settings["max_iter"],
        progress="poincare_maps",
    )


def _hydra_start(kernel, settings, seed):
    """Hydra of the logarithmic forest distance, where exp(-gamma d) has the required decay."""
    logs = np.log(kernel)
    own = logs.diagonal()
    distances = np.maximum((own[:, None] + own) / 2 - logs, 0.0) / settings["gamma"]
    distances *= min(1.0, _LONGEST_START / distances.max())
    return hydra(distances, settings["n_components"], seed=seed)[0]


def _centred(points, root):
    """Points moved so that the root, or the centroid, lies at the origin."""
    centre = lorentz.midpoint(points) if root is None else points[root]
    moved = points @ np.linalg.inv(lorentz.boost(centre)).T
    return lorentz.from_spatial(moved[:, 1:])


def rank_agreement(source, embedded, rows=None):
    """Share of the K nearest rows that stay among the K nearest, for every K.

    This is Q_NX(K) of the co-ranking matrix [1]_: a pair counts from K = max of its two ranks on.

    Entry K - 1 is Q_NX(K); the last is 1. Ties are ranked by row number. O(m n log n) time.
    Shapes: `source, embedded` (m, n), `rows` (m,); returns shape (n - 1,).

    References
    ----------
    .. [1] J. A. Lee and M. Verleysen, Scale-independent quality criteria for dimensionality
       reduction, Pattern Recognition Letters 31(14), 2010, doi:10.1016/j.patrec.2010.04.013.
    """
    m, n = source.shape
    rows = np.arange(m) if rows is None else rows
    later = np.maximum(_ranks(source, rows), _ranks(embedded, rows))
    counts = np.bincount(later.ravel(), minlength=n)[1:]
    return np.cumsum(counts) / (m * np.arange(1, n))


def _ranks(distances, rows):
    """Rank of each row's others from 1; the row itself has 0."""
    distances = distances.copy()
    distances[np.arange(len(rows)), rows] = -1.0
    order = np.argsort(distances, axis=1, kind="stable")
    ranks = np.empty(order.shape, dtype=np.int64)
    np.put_along_axis(ranks, order, np.arange(order.shape[1])[None], axis=1)
    return ranks


def local_and_global(source, embedded, rows=None):
    """Q_local and Q_global: mean rank agreement up to and from the best neighbourhood size.

    That size K_max is where Q_NX(K) exceeds by most the K / (n - 1) that chance gives [1]_.

    References
    ----------
    .. [1] J. A. Lee and M. Verleysen, Scale-independent quality criteria for dimensionality
       reduction, Pattern Recognition Letters 31(14), 2010, doi:10.1016/j.patrec.2010.04.013.
    """
    agreement = rank_agreement(source, embedded, rows)
    size = len(agreement)
    best = int(np.argmax(agreement - np.arange(1, size + 1) / size))
    return {
        "q_local": float(agreement[: best + 1].mean()),
        "q_global": float(agreement[best:].mean()),
        "k_max": best + 1,
    }


def along_neighbours(features, points, seed):
    """Compare an embedding with distances along the graph of 20 nearest neighbours.

    That graph is the one on which Klimovskaia et al. 2020 measure quality.

    Shapes: `features` (n, p), `points` (n, d + 1).

    Examples
    --------
    >>> features = np.random.default_rng(0).normal(size=(40, 2))
    >>> result = along_neighbours(features, lorentz.from_spatial(0.1 * features), 0)
    >>> result["q_local"] > 0.7
    True
    """
    n, chosen = len(features), sample_all(len(features), seed)
    rows = sample_rows(len(chosen), seed)
    edges, lengths, _ = neighbour_graph(features, min(_NEIGHBOURS, n - 1))
    source = geodesics(edges, lengths, n, chosen[rows])[:, chosen]
    embedded = lorentz.pairwise_distances(points[chosen[rows]], points[chosen])
    return local_and_global(source, embedded, rows) | distortion(source, embedded, rows)
