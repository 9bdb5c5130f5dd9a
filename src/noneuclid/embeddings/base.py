"""What all embeddings share: arrays and graphs come in, points in the chart asked for go out."""

import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from numbers import Integral
from typing import Any, NamedTuple, Self

import numpy as np
from scipy.sparse import coo_array, issparse, triu
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_array, check_random_state
from sklearn.utils.validation import check_is_fitted

from noneuclid.classifiers.validation import read, require_no_data_object
from noneuclid.embeddings.maps import Map
from noneuclid.errors import require, require_number
from noneuclid.estimator import Estimator, without_gradient
from noneuclid.geometry import charts

FEATURES, GRAPH = "features", "graph"
# Why a graph has no rule.
NO_NODES = "a new node has no place without its edges; embed the graph again with all nodes"
_LARGEST = 1e150  # feature
RandomState = int | np.random.RandomState | None


@dataclass(frozen=True)
class Source:
    """What an embedding reads: rows of features, or the edges of a graph, but no labels.

    `n` is the number of rows, `chart` that of points, and `domain` the polytope of compositions.
    """

    name: str
    kind: str
    n: int
    features: np.ndarray | None = None
    edges: np.ndarray | None = None
    weights: np.ndarray | None = None
    domain: dict | None = None


class Placed(NamedTuple):
    """Points in the own chart of an embedding, what it found, and how to measure its distortion.

    `rule` places new rows in the same chart. `chart` is theirs where each fit has its own.
    """

    points: np.ndarray
    facts: dict
    measure: Callable[[], dict]
    rule: Map | None = None
    chart: str | None = None


class Embedding(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
    """Base of the embeddings: `fit` and `fit_transform`.

    A subclass sets the attributes below and has ``_place(source, settings, seed) -> Placed``.
    `settings` holds the parameters; `_place` writes into it the values that it has chosen itself.

    An array does not say in which chart it is written. Most classes return ``chart="poincare"`` by
    default, and a classifier of this package reads tangent vectors by default: give both the same
    chart, as in ``make_pipeline(PoincareMap(), HyperboloidSVC(chart="poincare"))``. A classifier
    without a chart warns if its rows look like points of an embedding.

    Attributes
    ----------
    name : str
        As in a configuration and in messages.
    reads : tuple of str
        Of `FEATURES` and `GRAPH`.
    own_chart : str
        The chart of the points that `_place` returns.
    transductive : bool
        Whether the place of a row depends on the other rows.
    from_data : tuple of str
        Parameters that a configuration does not give, because they come with the data.
    """

    name: str
    reads: tuple = (FEATURES,)
    own_chart: str = "hyperboloid"
    transductive: bool = True
    from_data: tuple = ("chart", "random_state")

    chart: str
    random_state: RandomState
    embedding_: np.ndarray
    report_: dict

    def fit(self, X: Any, y: Any = None) -> Self:
        """Embed the rows of a table, or the nodes of a graph.

        Parameters
        ----------
        X : array_like of shape (n, p), networkx.Graph, or sparse adjacency matrix of shape (n, n)
            What the class reads, as its description says. The nodes of a graph keep the order of
            ``list(X)``, and `nodes_` lists them. A sparse matrix is symmetric, with an entry for
            each edge and none on the diagonal.
        y : None
            Ignored.

        Returns
        -------
        self

        Raises
        ------
        InputError
            If a parameter is out of range, or X cannot be embedded; the message names row, value
            and remedy.
        """
        source, seed = self._read(X), self._seed()
        placed = self._place(source, self._settings(), seed)
        self.report_, self._rule = placed.facts, placed.rule
        if "n_iter" in placed.facts:
            self.n_iter_ = placed.facts["n_iter"]
        self.embedding_ = self._written(placed)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> np.ndarray:
        """Embed the rows of a table, or the nodes of a graph, and return the points.

        Parameters
        ----------
        X : array_like of shape (n, p), networkx.Graph, or sparse adjacency matrix of shape (n, n)
            As in `fit`.
        y : None
            Ignored.

        Returns
        -------
        ndarray of float64, shape (n, d), or (n, d + 1) with ``chart="hyperboloid"``
            `embedding_`.
        """
        return self.fit(X).embedding_

    def _place(self, source, settings, seed):
        """Embed the rows or nodes of `source`; each embedding has its own."""
        raise NotImplementedError

    def _written(self, placed):
        """The points in the chart asked for."""
        return self._in_chart(placed.points)

    def _in_chart(self, points):
        """Points of `_place`, or of its rule, in the chart asked for."""
        return charts.convert(points, self.own_chart, self.chart)

    @classmethod
    def _parameters(cls):
        """Parameters that a configuration may give, by name."""
        known = signature(cls).parameters
        return {name: known[name] for name in known if name not in cls.from_data}

    def _settings(self):
        """Values of the parameters that a configuration may give."""
        return {name: getattr(self, name) for name in self._parameters()}

    def _seed(self):
        """An integer is used unchanged, so fits in the workflow and in Python are equal."""
        if isinstance(self.random_state, Integral):
            name = type(self).__name__
            require_number(
                self.random_state, "random_state", name, low=0, high=2**32 - 1, integer=True
            )
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _read(self, X):
        """What was given, as a `Source`."""
        lengths, name = getattr(self, "edge_lengths", None), type(self).__name__
        vars(self).pop("nodes_", None)  # of an earlier fit
        require_no_data_object(X, name)
        networkx = sys.modules.get("networkx")
        if networkx is not None and isinstance(X, networkx.Graph):
            require(GRAPH in self.reads, f"{name} reads rows of features, not a graph; use Hydra")
            self.nodes_ = list(X)
            return _of_networkx(X, self.nodes_, lengths, name)
        if issparse(X) and GRAPH in self.reads:
            return _of_adjacency(X, lengths, name)
        require(
            GRAPH not in self.reads or not _is_edge_index(X),
            f"{name}: X of integers and shape {tuple(getattr(X, 'shape', ()))} looks like an "
            "edge_index, the ends of m edges; give a graph: graph = networkx.empty_graph(n_nodes), "
            "graph.add_edges_from(X.T.tolist()); for a table of two rows give floats",
        )
        require(
            FEATURES in self.reads,
            f"{name} embeds graphs: give a networkx graph or a scipy sparse adjacency matrix, not "
            f"{type(X).__name__}",
        )
        require(
            lengths is None,
            f"{name}: edge_lengths is for graphs, and a dense array is a table of features; for a "
            "matrix D of distances give scipy.sparse.csr_array(D)",
        )
        features = read(self, X)
        _require_squares(features, name)
        n = len(features)
        if GRAPH in self.reads and is_distances(features):
            warnings.warn(
                f"{name}: X looks like a matrix of distances, but a dense array is read as a table "
                "of features; for distances give scipy.sparse.csr_array(X) and edge_lengths=True",
                stacklevel=3,
            )
        require(n > 1, f"{name}: n_samples = {n}; give two rows or more")
        return Source("X", FEATURES, n, features)

    @property
    def _n_features_out(self):
        return self.embedding_.shape[1]


def _require_squares(features, name):
    """Refuse values whose squares overflow, and tables where they all vanish."""
    far = features.argmax() if features.max() > -features.min() else features.argmin()
    row, column = np.unravel_index(far, features.shape)
    require(
        abs(features[row, column]) <= _LARGEST,
        f"{name}: row {row}, column {column} has {features[row, column]:.3g}; distances overflow "
        f"beyond {_LARGEST:.0e}: correct the value, or divide the features by a number",
    )
    require(
        features[row, column] == 0 or abs(features[row, column]) >= 1 / _LARGEST,
        f"{name}: the largest feature is {features[row, column]:.3g}; distances vanish below "
        f"{1 / _LARGEST:.0e}: multiply the features by a number",
    )


def _is_edge_index(X):
    """Whether X has the form of PyTorch Geometric's edge_index: integers >= 0, shape (2, m > 2)."""
    shape, kind = tuple(getattr(X, "shape", ())), str(getattr(X, "dtype", ""))
    fits = len(shape) == 2 and shape[0] == 2 and shape[1] > 2 and "int" in kind
    return fits and bool((np.asarray(X) >= 0).all())


def is_distances(X):
    """Whether X (n, p) is square and symmetric, with a zero diagonal and no negative value."""
    square = X.shape[0] == X.shape[1] > 2
    return bool(
        square and not X.diagonal().any() and (X >= 0).all() and (X == X.T).all() and X.any()
    )


class InductiveEmbedding(Embedding):
    """Base of the embeddings whose ``_place`` gives a rule for new rows."""

    def transform(self, X: Any) -> np.ndarray:
        """Place new rows, each alone; those of `fit` stay where they are.

        Parameters
        ----------
        X : array_like of shape (m, p)
            The columns of `fit`, in the same order and unit.

        Returns
        -------
        ndarray of float64, shape (m, d), or (m, d + 1) with ``chart="hyperboloid"``

        Raises
        ------
        InputError
            If a value is not finite; the message names row and column. If a row cannot be placed,
            or a graph was fitted.
        """
        check_is_fitted(self)
        require(self._rule is not None, f"{type(self).__name__}: {NO_NODES}")
        X = read(self, X, reset=False)
        _require_squares(X, type(self).__name__)
        return self._in_chart(self._rule.place(X))

    def _read_points(self, X):
        """Points that `inverse_transform` gets, in chart "tangent"."""
        check_is_fitted(self)
        X, width = check_array(without_gradient(X), dtype=np.float64), self._n_features_out
        require(
            X.shape[1] == width,
            f"{type(self).__name__}: X has {X.shape[1]} columns, but its points have {width}",
        )
        charts.check_points(X, self.chart, 1.0)
        return charts.convert(X, self.chart, "tangent")


def require_features(source, name, cure):
    """Refuse graphs, and rows that are points already."""
    require(
        source.features is not None and source.kind not in ("points", "composition", "graph"),
        f"{name}: {source.name} has kind {source.kind!r}; {cure}",
    )


def _of_networkx(graph, nodes, lengths, name):
    """A networkx graph, its nodes numbered in their order."""
    require(
        not graph.is_directed(),
        f"{name} embeds undirected graphs; give graph.to_undirected()",
    )
    require(not graph.is_multigraph(), f"{name}: edges are parallel; give networkx.Graph(graph)")
    number = {node: row for row, node in enumerate(nodes)}
    found = [(number[u], number[v], length) for u, v, length in graph.edges(data=lengths)]
    edges = np.array([edge[:2] for edge in found], dtype=np.int64).reshape(-1, 2)
    loops = np.flatnonzero(edges[:, 0] == edges[:, 1])
    if loops.size:
        node = nodes[edges[loops[0], 0]]
        require(False, f"{name}: an edge joins node {node!r} to itself; remove it")
    weights = None
    if lengths is not None:
        for u, v, length in found:
            require(
                isinstance(length, int | float | np.number) and np.isfinite(length) and length > 0,
                f"{name}: the edge {nodes[u]!r} - {nodes[v]!r} has {lengths} = {length!r}; give "
                "positive finite lengths, or edge_lengths=None",
            )
        weights = np.array([float(edge[2]) for edge in found])
    return _graph(len(nodes), edges, weights, name)


def _of_adjacency(matrix, lengths, name):
    """A sparse symmetric matrix, read as a graph."""
    require(
        matrix.ndim == 2 and matrix.shape[0] == matrix.shape[1],
        f"{name}: a sparse matrix of shape {matrix.shape} is not a graph; give a square adjacency "
        "matrix, or features as a dense array",
    )
    matrix = coo_array(matrix)
    matrix.sum_duplicates()
    bad = np.flatnonzero(~(np.isfinite(matrix.data) & (matrix.data > 0)))
    if bad.size:
        row, column, value = (part[bad[0]] for part in (matrix.row, matrix.col, matrix.data))
        require(
            False,
            f"{name}: the sparse matrix has {value} at row {row}, column {column}; give positive "
            "finite entries (eliminate_zeros() removes zeros)",
        )
    loops = np.flatnonzero(matrix.row == matrix.col)
    if loops.size:
        require(
            False,
            f"{name}: row {matrix.row[loops[0]]} of the sparse matrix is joined to itself; clear "
            "the diagonal",
        )
    upper = triu(matrix, format="coo")
    order = np.lexsort([upper.col, upper.row])
    lower = triu(matrix.T, format="coo")
    mirrored = np.lexsort([lower.col, lower.row])
    require(
        upper.nnz == lower.nnz
        and all(
            np.array_equal(getattr(upper, key)[order], getattr(lower, key)[mirrored])
            for key in ("row", "col", "data")
        ),
        f"{name}: the sparse matrix is not symmetric; give A.maximum(A.T) for an undirected graph",
    )
    edges = np.column_stack([upper.row, upper.col])[order].astype(np.int64)
    weights = upper.data[order].astype(float) if lengths else None
    return _graph(matrix.shape[0], edges, weights, name)


def _graph(n, edges, weights, name):
    """A graph with edges."""
    require(n > 1 and len(edges) > 0, f"{name}: a graph of {n} nodes and {len(edges)} edges")
    return Source("the graph", GRAPH, n, edges=edges, weights=weights)
