"""LaBNE: angles from the graph's Laplacian, radii from the ranks of degrees."""

import time

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import coo_array, diags_array
from scipy.sparse.linalg import ArpackNoConvergence, eigsh

from noneuclid.embeddings import graphs
from noneuclid.embeddings.base import GRAPH, Embedding, Placed, RandomState
from noneuclid.embeddings.popularity_similarity import (
    greedy_routing,
    power_law_exponent,
    radii_of,
    reach,
)
from noneuclid.embeddings.reconstruction import quality
from noneuclid.embeddings.tied_eigenvalues import warn_of_cut
from noneuclid.errors import InputError, require, require_number

LAPLACIANS = ("combinatorial", "normalized")
_DENSE_UP_TO = 300
# Below this part of the largest, an eigenvector's entries are rounding, not a direction.
_NO_DIRECTION = 1e-10


class LaBNE(Embedding):
    r"""LaBNE: angles from the graph's Laplacian, radii from the ranks of degrees.

    The model of a growing network puts popular nodes near the origin and similar nodes at similar
    angles. A node's direction is that of its entries in the eigenvectors of the smallest non-zero
    eigenvalues, two in the paper's plane [1]_, d in d dimensions; its radius follows from the rank
    of its degree. The paper writes :math:`L y = \lambda D y` (`normalized`); the authors' program
    and the embeddings that Cho et al. (2019) published use :math:`L y = \lambda y`
    (`combinatorial`). Cho et al. (2019) multiply the model's radii, which reach about
    :math:`R = 2 \ln n`, by :math:`3 / R`; the parameter `radius` does this.

    Reads networkx graphs and sparse adjacency matrices. There is no rule for new nodes.

    Parameters
    ----------
    n_components : int, default=2
    gamma : float, optional
        Exponent of the degrees, > 2; estimated by default.
    links : float, optional
        Links of a new node, >= 0.5; by default half the mean degree.
    laplacian : {"combinatorial", "normalized"}
    radius : float or None, default=3.0
        Hyperbolic length of the model's reach; None keeps the model's radii.
    chart : str, default="poincare"
        Of the output: one of `noneuclid.geometry.charts.COORDINATES`.
    random_state : int, RandomState or None, default=None
        For the start of the Lanczos iterations with over 300 nodes.

    Attributes
    ----------
    embedding_ : ndarray of float64, shape (n, d), or (n, d + 1) with ``chart="hyperboloid"``
        The points, at curvature -1.
    report_ : dict
        `gamma`, `scale` (by which the radii were multiplied), `seconds`, and `eigenvalues`, one
        more than used: if the last two are equal, the directions are not unique, and `fit` warns.
    nodes_ : list
        Nodes of a networkx graph, in the order of the rows.

    Raises
    ------
    InputError
        If X is not a graph or disconnected, a parameter is out of range, the estimated gamma is 2
        or less, or a node's entries are all zero.

    See Also
    --------
    PoincareEmbedding : By descent; graphs with several components.

    Notes
    -----
    Costs a sparse factorisation.

    References
    ----------
    .. [1] Alanis-Lobato, Mier and Andrade-Navarro, Efficient embedding of complex networks to
       hyperbolic space via their Laplacian, Scientific Reports 6:30108, 2016,
       doi:10.1038/srep30108.

    Examples
    --------
    >>> import networkx as nx
    >>> from noneuclid import LaBNE
    >>> points = LaBNE(gamma=2.5).fit_transform(nx.karate_club_graph())
    >>> int(np.linalg.norm(points, axis=1).argmin())  # the friend of most
    33
    """

    name = "labne"
    reads = (GRAPH,)
    own_chart = "tangent"

    def __init__(
        self,
        n_components: int = 2,
        *,
        gamma: float | None = None,
        links: float | None = None,
        laplacian: str = "combinatorial",
        radius: float | None = 3.0,
        chart: str = "poincare",
        random_state: RandomState = None,
    ):
        self.n_components = n_components
        self.gamma = gamma
        self.links = links
        self.laplacian = laplacian
        self.radius = radius
        self.chart = chart
        self.random_state = random_state

    def _place(self, source, settings, seed):
        _check_settings(settings, source)
        graph = graphs.graph_of(source, self.name, connected=True)
        start = time.perf_counter()
        gamma = _gamma(self.gamma, graph.degrees)
        require(graph.n >= 4, f"labne: {graph.n} nodes are too few; give a graph of at least 4")
        radii = radii_of(graph.degrees, gamma)
        directions, values = spectral_directions(graph, self.n_components, self.laplacian, seed)
        largest = 2.0 * (1 if self.laplacian == "normalized" else graph.degrees.max())
        warn_of_cut(values, self.n_components, largest, self.name, low=2)
        links = self.links or float(graph.degrees.mean()) / 2
        scale = self.radius / reach(graph.n, gamma, links) if self.radius else 1.0
        points = scale * radii[:, None] * directions
        facts = {
            "gamma": gamma,
            "scale": scale,
            "eigenvalues": values.tolist(),
            "seconds": time.perf_counter() - start,
        }

        def measure():
            return quality(graph, points, seed) | greedy_routing(graph, radii, directions, seed)

        return Placed(points, facts, measure)


def _check_settings(settings, source):
    """Refuse values out of range."""
    high = max(source.n - 2, 2)
    require_number(
        settings["n_components"], "n_components", "labne", low=2, high=high, integer=True
    )
    for key, low in (("gamma", 2.01), ("links", 0.5), ("radius", 1e-3)):
        if settings[key] is not None:
            require_number(settings[key], key, "labne", low=low)
    require(
        settings["laplacian"] in LAPLACIANS,
        f"labne: laplacian = {settings['laplacian']!r}; choose one of {', '.join(LAPLACIANS)}",
    )


def _gamma(given, degrees):
    """The given exponent, or the estimated one if the model can use it."""
    if given is not None:
        return float(given)
    gamma, least = power_law_exponent(degrees)
    require(
        gamma > 2,
        f"labne: degrees from {least} on fall with exponent {gamma:.3f}, but the model needs more "
        "than 2; give gamma (the authors use 2 to 3)",
    )
    return gamma


def spectral_directions(graph, dimension, laplacian, seed=0):
    """Directions of the nodes in the eigenvectors of the smallest non-zero eigenvalues.

    The largest entry of each eigenvector is positive. Returns unit directions, and the eigenvalues
    used with the next one.
    Returns `directions` (n, dimension), `values` (dimension + 1,).

    Examples
    --------
    >>> ring = graphs.Graph(4, 1, 2 * np.arange(5), np.array([1, 3, 0, 2, 1, 3, 0, 2]))
    >>> spectral_directions(ring, 2, "combinatorial")[1].round(12).tolist()
    [2.0, 2.0, 4.0]
    """
    ones = np.ones(len(graph.neighbours))
    adjacency = coo_array((ones, (graph.sources, graph.neighbours)), shape=(graph.n, graph.n))
    degree = diags_array(graph.degrees.astype(float)).tocsc()
    mass = degree if laplacian == "normalized" else None
    values, vectors = _smallest(degree - adjacency.tocsc(), mass, dimension + 2, seed)
    used = vectors[:, 1 : dimension + 1]
    largest = np.take_along_axis(used, np.abs(used).argmax(axis=0)[None], axis=0)
    used = used * np.where(largest < 0, -1.0, 1.0)
    size = np.linalg.norm(used, axis=1)
    lost = np.flatnonzero(size < _NO_DIRECTION * size.max())
    if lost.size:
        raise InputError(
            f"labne: row {lost[0]} has no direction, its entries in the eigenvectors are zero (the "
            "graph is symmetric around it); raise n_components or use poincare_embedding"
        )
    return used / size[:, None], values[1:]


def _smallest(matrix, mass, count, seed):
    """Smallest eigenvalues, ascending, with eigenvectors."""
    n = matrix.shape[0]
    if n <= _DENSE_UP_TO:
        values, vectors = eigh(matrix.toarray(), None if mass is None else mass.toarray())
        return values[:count], vectors[:, :count]
    first = np.random.default_rng(seed).standard_normal(n)
    # The matrix itself is singular; shifted below zero, it is not.
    shift = -1e-3 * matrix.diagonal().mean() if mass is None else -1e-3
    try:
        values, vectors = eigsh(matrix, count, M=mass, sigma=shift, v0=first)
    except ArpackNoConvergence as error:
        raise InputError(f"labne: {error}; use poincare_embedding") from error
    order = np.argsort(values)
    return values[order], vectors[:, order]
