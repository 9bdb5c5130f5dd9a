"""Hydra: hyperbolic embedding of graphs and features by one eigendecomposition."""

from functools import partial
from typing import NamedTuple

import numpy as np

from noneuclid.embeddings.base import FEATURES, GRAPH, InductiveEmbedding, Placed, RandomState
from noneuclid.embeddings.distortion import distortion, sample_rows
from noneuclid.embeddings.feature_scaling import choose_scale
from noneuclid.embeddings.geodesic_maps import HydraMap
from noneuclid.embeddings.lifted_pca import principal_components
from noneuclid.embeddings.reduced_map import projection, standardisation
from noneuclid.embeddings.strain import DIAMETERS, best_diameter, least_strain, warn_of_tie
from noneuclid.embeddings.target_distances import graph_distances, row_graph
from noneuclid.errors import require, require_number
from noneuclid.geometry import lorentz

# Four n x n matrices live at once: 7 GB.
MAX_ROWS = 15_000


class Hydra(InductiveEmbedding):
    r"""Hydra: hyperbolic embedding of distances by one eigendecomposition.

    The points minimise the strain, the squared difference between the hyperbolic cosine of the
    distances and minus the Lorentz products of the points [1]_,

    .. math:: \sum_{i,j} \left(\cosh d_{ij} + \langle x_i, x_j\rangle_L\right)^2.

    The distances are shortest paths along a graph, or along the graph of nearest neighbours of
    rows. They are multiplied by :math:`\sqrt{K}` and embedded at curvature -1, which is the
    embedding at curvature -K in the original unit.

    Reads arrays, data frames, networkx graphs and sparse adjacency matrices (`fit`). A dense array
    is a table of features. For a matrix D of distances use
    ``Hydra(edge_lengths=True).fit_transform(scipy.sparse.csr_array(D))``.

    `transform` places each new row alone, in closed form. The row joins the graph of neighbours,
    which gives its distances :math:`d_j` to all old rows. Its time and spatial coordinates are

    .. math:: \frac{\sqrt{\lvert\lambda\rvert}}{\lambda} \sum_j \cosh(d_j)\, v_j,

    v and λ the eigenvectors and eigenvalues of the fit: the point of least strain against the old
    points, the second stage of L-hydra [2]_. It is brought to the hyperboloid as the old points
    were. Old rows stay where they are. There is no rule for a new node of a graph.

    Graphs with symmetries, such as balanced trees, have equal eigenvalues. If `n_components` takes
    only some of them, the points depend on the order of the nodes; `fit` then warns and names a
    dimension that takes all or none.

    Parameters
    ----------
    n_components : int, default=2
    diameter : float, optional
        The farthest distance in hyperbolic units, 0.5 to 20; 6.0, which leaves room to see classes
        in the disk, unless `curvature` is given.
    curvature : float or "auto", optional
        K in the unit of the distances; "auto" is the K with the least stress.
    isotropic : bool, default=False
        Use the eigenvectors without their eigenvalues: less faithful, but evenly spread if one
        eigenvalue dominates.
    equiangular : float, default=0.0
        Move the angles of the plane this part of the way, 0 to 1, to equal spacing. Rows at one
        angle are spread in their order.
    n_neighbors : int, default=10
        Number of nearest neighbours, for rows of features.
    n_pcs : int or None, default=20
        Number of principal components on which neighbours are found if there are more features;
        None for all features.
    standardize : bool, default=False
        Divide each feature by its standard deviation first; advised for a table whose columns have
        different units.
    n_landmarks : int, optional
        Number of random rows that are embedded together, for rows of features. All others are then
        placed against them in closed form, as `transform` does: L-hydra [2]_. The graph of
        neighbours is that of the landmarks. 1000 is a good choice for up to 1e6 rows.
    edge_lengths : str or bool, optional
        For a graph: the name of the edge attribute that holds the lengths, or True for the entries
        of a sparse matrix. By default every edge has length 1.
    chart : str, default="poincare"
        Of the output: one of `noneuclid.geometry.charts.COORDINATES`.
    random_state : int, RandomState or None, default=None
        For the start of the Lanczos iterations with over 200 rows.

    Attributes
    ----------
    embedding_ : ndarray of float64, shape (n, d), or (n, d + 1) with ``chart="hyperboloid"``
        The points, at curvature -1.
    report_ : dict
        `kappa` (K above), `diameter`, `eigenvalues`, and `joined_components`, the number of edges
        that had to join parts of the graph of neighbours.
    nodes_ : list
        Nodes of a networkx graph, in the order of the rows.
    n_features_in_ : int
        Number of features, for rows of features.
    feature_names_in_ : ndarray of str
        Names of the features of a data frame.

    Raises
    ------
    InputError
        If the graph is disconnected, a parameter is out of range, or there are over 15,000 rows and
        no landmarks.

    See Also
    --------
    RefinedHydra : Lowers the stress from here.
    PoincareEmbedding : Graphs with several components.
    HyperbolicUMAP, LiftedPCA : Any number of rows.

    Notes
    -----
    Time O(n^2 log n) for the paths and O(n^2) for each Lanczos iteration; memory O(n^2). A new row
    costs O(n log n). With m landmarks time and memory are O(m^2 log m) and O(m^2), and a row costs
    O(m p); ``benchmarks/atlas_layout.py`` measures what is lost.

    References
    ----------
    .. [1] M. Keller-Ressel and S. Nargang, Hydra: a method for strain-minimizing hyperbolic
       embedding of network- and distance-based data, Journal of Complex Networks 8(1), 2020,
       cnaa002, doi:10.1093/comnet/cnaa002, arXiv:1903.08977.
    .. [2] M. Keller-Ressel and S. Nargang, Strain-minimizing hyperbolic network embeddings with
       landmarks, Journal of Complex Networks 11(1), 2023, arXiv:2207.06775.

    Examples
    --------
    >>> import networkx as nx
    >>> from noneuclid import Hydra
    >>> points = Hydra().fit_transform(nx.karate_club_graph())
    >>> points.shape, bool(np.linalg.norm(points, axis=1).max() < 1)
    ((34, 2), True)
    """

    name = "hydra"
    reads = (FEATURES, GRAPH)
    from_data = ("edge_lengths", "chart", "random_state")

    def __init__(
        self,
        n_components: int = 2,
        *,
        diameter: float | None = None,
        curvature: float | str | None = None,
        isotropic: bool = False,
        equiangular: float = 0.0,
        n_neighbors: int = 10,
        n_pcs: int | None = 20,
        standardize: bool = False,
        n_landmarks: int | None = None,
        edge_lengths: str | bool | None = None,
        chart: str = "poincare",
        random_state: RandomState = None,
    ):
        self.n_components = n_components
        self.diameter = diameter
        self.curvature = curvature
        self.isotropic = isotropic
        self.equiangular = equiangular
        self.n_neighbors = n_neighbors
        self.n_pcs = n_pcs
        self.standardize = standardize
        self.n_landmarks = n_landmarks
        self.edge_lengths = edge_lengths
        self.chart = chart
        self.random_state = random_state

    def _place(self, source, settings, seed):
        return self._hydra(source, settings, seed)[0]

    def _hydra(self, source, settings, seed):
        """The points, and the targets that they keep."""
        require(
            self.diameter is None or self.curvature is None,
            "hydra: diameter and curvature both set the size; give one of them",
        )
        if self.diameter is None:
            settings["diameter"] = 6.0
        _check_settings(settings, source, self.n_landmarks)
        targets = targets_of(source, settings, seed, self.n_landmarks)
        distances = targets.distances
        longest = distances.max()
        require(longest > 0, "hydra: all distances are zero; nothing to embed")
        options = {"isotropic": self.isotropic, "equiangular": self.equiangular}
        diameter = _diameter(settings, distances, seed, options)
        wanted = distances * (diameter / longest)
        found = least_strain(wanted, self.n_components, seed=seed, **options)
        warn_of_tie(wanted, found.eigenvalues, seed, self.name)
        facts = {
            "kappa": float((diameter / longest) ** 2),
            "diameter": float(diameter),
            "eigenvalues": found.eigenvalues.tolist(),
            "joined_components": targets.joined,
        }
        rule = None
        if targets.rows:
            # Equal rows are one node.
            weights = np.zeros((len(targets.rows["rows"]), self.n_components + 1))
            np.add.at(weights, targets.node, found.weights)
            rule = HydraMap(
                **targets.rows,
                factor=float(diameter / longest),
                weights=weights,
                least_time=found.least_time,
                least_length=found.least_length,
                equiangular=float(self.equiangular),
                angles=found.angles,
            )
        points = found.points
        report = partial(measure, source, distances, points, seed)
        if targets.scores is not None:
            points = rule.place_reduced(targets.scores)
            facts["n_landmarks"] = len(found.points)
        return Placed(points, facts, report, rule), targets


def measure(source, distances, points, seed, between=lorentz.pairwise_distances):
    """Distortion of points against the distances that they should keep; `between` is theirs."""
    rows = sample_rows(len(points), seed)
    joined = adjacency(source)[rows] if source.kind == GRAPH else None
    return distortion(distances[rows], between(points[rows], points), rows, joined)


def _check_settings(settings, source, landmarks):
    """Refuse values out of range."""
    n = source.n
    cure = "embed a part of the graph, or use poincare_embedding"
    if source.kind != GRAPH:
        cure = "use hydra with n_landmarks: 1000, or hyperbolic_umap"
    require(
        n <= MAX_ROWS or landmarks is not None,
        f"hydra: {n} rows need all {n}x{n} distances; {cure}",
    )
    if landmarks is not None:
        require(
            source.kind != GRAPH,
            "hydra: n_landmarks is for rows of features, not for a graph; leave it out",
        )
        most, low = min(n, MAX_ROWS), settings["n_components"] + 1
        require_number(landmarks, "n_landmarks", "hydra", low=low, high=most, integer=True)
    require_number(
        settings["n_components"], "n_components", "hydra", low=1, high=n - 1, integer=True
    )
    require_number(settings["n_neighbors"], "n_neighbors", "hydra", low=1, integer=True)
    require_number(settings["equiangular"], "equiangular", "hydra", low=0.0, high=1.0)
    require(
        settings["equiangular"] == 0 or settings["n_components"] == 2,
        f"hydra: equiangular needs dimension 2, not {settings['n_components']}; leave it out",
    )
    if settings["n_pcs"] is not None:
        require_number(settings["n_pcs"], "n_pcs", "hydra", low=1, integer=True)
    require_number(settings["diameter"], "diameter", "hydra", low=1e-3, high=DIAMETERS[1])
    if settings["curvature"] not in (None, "auto"):
        require_number(settings["curvature"], "curvature", "hydra", low=1e-12)


class Targets(NamedTuple):
    """Distances to keep, and what new rows need to know of the rows of features.

    `joined` is the number of edges that had to join components, `rows` the entries of a
    `GeodesicMap` except its factor, `node` the place of each row among ``rows["rows"]``. With
    landmarks all of these are of them alone, and `scores` has all rows.
    """

    distances: np.ndarray
    joined: int = 0
    rows: dict | None = None
    node: np.ndarray | None = None
    scores: np.ndarray | None = None


def targets_of(source, settings, seed, landmarks=None):
    """Distances along a graph, or along the graph of neighbours of rows."""
    if source.kind == GRAPH:
        return Targets(graph_distances(source.edges, source.n, source.weights))
    require(
        source.kind not in ("points", "composition"),
        f"hydra: {source.name} has kind {source.kind!r}, its points are embedded; use given",
    )
    scale = choose_scale(source.features, settings["standardize"], "hydra")
    features = scores = scale(source.features)
    if settings["n_pcs"] is not None and settings["n_pcs"] < features.shape[1]:
        scores, _ = principal_components(features, settings["n_pcs"], seed)
    chosen, all_scores, remedy = scores, None, "lower n_neighbors"
    if landmarks is not None:
        remedy = "raise n_landmarks, or lower n_neighbors"
        order = np.random.default_rng(seed).choice(source.n, landmarks, replace=False)
        chosen, all_scores = scores[np.sort(order)], scores
    graph = row_graph(chosen, settings["n_neighbors"], remedy)
    rows = standardisation(scale) | projection(features, scores)
    rows |= {"rows": graph.rows, "edges": graph.edges, "lengths": graph.lengths}
    rows |= {"n_neighbors": settings["n_neighbors"], "reach": graph.reach}
    distances = graph.distances()
    if landmarks is not None:
        first = np.unique(graph.node, return_index=True)[1]
        rows["paths"] = distances[np.ix_(first, first)]
    return Targets(distances, graph.joined, rows, graph.node, all_scores)


def _diameter(settings, distances, seed, options):
    """The farthest distance in hyperbolic units."""
    curvature = settings["curvature"]
    if curvature is None:
        return settings["diameter"]
    if curvature == "auto":
        return best_diameter(distances, settings["n_components"], seed, **options)
    diameter = np.sqrt(curvature) * distances.max()
    require(
        diameter <= DIAMETERS[1],
        f"hydra: curvature {curvature} makes the diameter {diameter:.4g}; beyond "
        f"{DIAMETERS[1]:g} precision is lost: lower it",
    )
    return diameter


def adjacency(source):
    """Which rows are joined by an edge."""
    joined = np.zeros((source.n,) * 2, dtype=bool)
    joined[source.edges[:, 0], source.edges[:, 1]] = True
    return joined | joined.T
