"""Trees in the hyperbolic plane, with arbitrarily small distortion: Sarkar's construction."""

import time
from functools import partial

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import breadth_first_order

from noneuclid.embeddings import graphs
from noneuclid.embeddings.base import GRAPH, Embedding, Placed, RandomState
from noneuclid.embeddings.reconstruction import quality
from noneuclid.errors import InputError, require, require_number

# Rounding of an angle moves a point at distance 27 sideways by 6e-5.
MAX_RADIUS = 27.0


class TreeEmbedding(Embedding):
    """Embedding of a tree in the hyperbolic plane, with arbitrarily small distortion.

    Sarkar's construction: the root is at the origin, and the neighbours of each node have equal
    angles around it, at a distance of `scale` times the edge length ([1]_, and algorithm 1 of
    [2]_). All edges are exact.
    Each turn shortens a path by at most a constant, so the distortion decreases as the scale
    increases. With a large enough scale, the nearest points of a node are its neighbours. Higher
    dimensions, which [2]_ reaches by codes on spheres, are not offered.

    Reads networkx graphs and sparse adjacency matrices of trees. There is no rule for new nodes.

    Parameters
    ----------
    n_components : int, default=2
        Only 2.
    radius : float, optional
        The length from the root along the tree to the farthest node, in hyperbolic units; 10.0
        unless `scale` is given.
    scale : float, optional
        Hyperbolic units for each unit of length.
    root : int, optional
        A row; by default the middle of the tree, whose farthest node is nearest.
    edge_lengths : str or bool, optional
        The name of the edge attribute that holds the lengths, or True for the entries of a sparse
        matrix. By default every edge has length 1.
    chart : str, default="poincare"
        Of the output: one of `noneuclid.geometry.charts.COORDINATES`.
    random_state : int, RandomState or None, default=None
        Unused: no step is random.

    Attributes
    ----------
    embedding_ : ndarray of float64, shape (n, d), or (n, d + 1) with ``chart="hyperboloid"``
        The points, at curvature -1.
    report_ : dict
        `scale`, `root`, `seconds`.
    nodes_ : list
        Nodes of a networkx graph, in the order of the rows.

    Raises
    ------
    InputError
        If the graph is disconnected or has a cycle (which is named), a parameter is out of range,
        or the tree is too deep: float64 places nodes up to 27 from the root.

    See Also
    --------
    Hydra, PoincareEmbedding : Graphs with cycles.

    Notes
    -----
    Time and memory O(n).

    References
    ----------
    .. [1] Sarkar, Low distortion Delaunay embedding of trees in hyperbolic plane, Graph Drawing
       2011, doi:10.1007/978-3-642-25878-7_34.
    .. [2] De Sa, Gu, Ré and Sala, Representation tradeoffs for hyperbolic embeddings, ICML 2018,
       arXiv:1804.03329.

    Examples
    --------
    >>> import networkx as nx
    >>> from noneuclid import TreeEmbedding
    >>> model = TreeEmbedding(scale=2.0, chart="tangent").fit(nx.star_graph(3))
    >>> np.linalg.norm(model.embedding_, axis=1).round(12).tolist()
    [0.0, 2.0, 2.0, 2.0]
    """

    name = "tree_embedding"
    reads = (GRAPH,)
    own_chart = "tangent"
    from_data = ("edge_lengths", "chart", "random_state")

    def __init__(
        self,
        n_components: int = 2,
        *,
        radius: float | None = None,
        scale: float | None = None,
        root: int | None = None,
        edge_lengths: str | bool | None = None,
        chart: str = "poincare",
        random_state: RandomState = None,
    ):
        self.n_components = n_components
        self.radius = radius
        self.scale = scale
        self.root = root
        self.edge_lengths = edge_lengths
        self.chart = chart
        self.random_state = random_state

    def _place(self, source, settings, seed):
        require(
            self.radius is None or self.scale is None,
            "tree_embedding: radius and scale both set the size; give one of them",
        )
        radius = settings["radius"] = 10.0 if self.radius is None else self.radius
        _check_settings(settings, source)
        graph = graphs.graph_of(source, self.name, connected=True, lengths_count=True)
        _require_tree(graph)
        start = time.perf_counter()
        root = _middle(graph) if self.root is None else self.root
        farthest = graphs.paths_from(graph, np.array([root])).max()
        scale = self.scale or radius / farthest
        require(
            scale * farthest <= MAX_RADIUS,
            f"tree_embedding: the farthest node is {scale * farthest:.4g} from the root, and "
            f"float64 places nodes up to {MAX_RADIUS:g}: lower scale to "
            f"{MAX_RADIUS / farthest:.4g} or less",
        )
        points = tree_points(graph, root, scale)
        facts = {
            "scale": float(scale),
            "root": int(root),
            "seconds": time.perf_counter() - start,
        }
        return Placed(points, facts, partial(quality, graph, points, seed))


def _check_settings(settings, source):
    """Refuse values out of range."""
    require(
        settings["n_components"] == 2,
        f"tree_embedding: n_components = {settings['n_components']!r}; the construction is for the "
        "plane: give 2",
    )
    require_number(settings["radius"], "radius", "tree_embedding", low=1e-3, high=MAX_RADIUS)
    if settings["scale"] is not None:
        require_number(settings["scale"], "scale", "tree_embedding", low=1e-6)
    if settings["root"] is not None:
        high = source.n - 1
        require_number(settings["root"], "root", "tree_embedding", low=0, high=high, integer=True)


def _require_tree(graph):
    """Raise an error that names a cycle unless the connected graph is a tree."""
    if len(graph.neighbours) == 2 * (graph.n - 1):
        return
    _, parent = breadth_first_order(_matrix(graph), 0)
    a, b = graph.sources, graph.neighbours
    closing = np.argmax((parent[a] != b) & (parent[b] != a))
    up, down = [int(a[closing])], [int(b[closing])]
    while parent[up[-1]] >= 0:
        up.append(int(parent[up[-1]]))
    while down[-1] not in up:
        down.append(int(parent[down[-1]]))
    cycle = up[: up.index(down[-1])] + down[::-1] + up[:1]
    raise InputError(
        f"tree_embedding: the graph is not a tree, rows {'-'.join(map(str, cycle))} form a cycle; "
        "embed a spanning tree, or use hydra or poincare_embedding"
    )


def _matrix(graph):
    """Adjacency of ones."""
    pairs = (graph.sources, graph.neighbours)
    return coo_array((np.ones(len(graph.neighbours)), pairs), shape=(graph.n, graph.n)).tocsr()


def _middle(graph):
    """The node whose farthest node is nearest: half way along the longest path."""
    end = graphs.paths_from(graph, np.array([0]))[0].argmax()
    from_end = graphs.paths_from(graph, np.array([end]))[0]
    from_other = graphs.paths_from(graph, np.array([from_end.argmax()]))[0]
    return int(np.maximum(from_end, from_other).argmin())


def tree_points(graph, root, scale):
    """Place the nodes of a tree from the root outwards.

    Each node carries an isometry of the disk, z -> (a z + b) / (conj(b) z + conj(a)), that takes
    the origin to the node and the negative axis to its parent. A child's is that of its parent
    after a turn and a shift, whose factors grow by exp(length/2) only; from a and b the polar
    coordinates follow without cancellation.

    Returns shape (n, 2).

    Examples
    --------
    >>> path = graphs.Graph(3, 1, np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1]))
    >>> (tree_points(path, 1, 2.0) + 0.0).round(12).tolist()
    [[2.0, 0.0], [0.0, 0.0], [-2.0, 0.0]]
    """
    order, parent = breadth_first_order(_matrix(graph), root)
    lengths = np.ones(len(graph.neighbours)) if graph.lengths is None else graph.lengths
    a, b = np.ones(graph.n, dtype=complex), np.zeros(graph.n, dtype=complex)
    for node in order:
        around = slice(graph.starts[node], graph.starts[node + 1])
        others, half = graph.neighbours[around], scale * lengths[around] / 2
        # The turn from the parent, which lies at angle pi, or from the first child of the root.
        first = np.searchsorted(others, parent[node]) if node != root else 0
        turn = 2 * np.pi * (np.arange(len(others)) - first) / len(others) + np.pi * (node != root)
        ahead, aside = np.exp(0.5j * turn) * np.cosh(half), np.exp(0.5j * turn) * np.sinh(half)
        child = others != parent[node]
        a[others[child]] = (a[node] * ahead + b[node] * aside.conj())[child]
        b[others[child]] = (a[node] * aside + b[node] * ahead.conj())[child]
    angle = np.angle(a * b)
    radii = 2 * np.arcsinh(np.abs(b))
    return radii[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
