"""Embedding of distances in a product of hyperbolic, spherical and flat factors."""

import warnings
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from noneuclid.embeddings.base import GRAPH, InductiveEmbedding, Placed, RandomState
from noneuclid.embeddings.feature_scaling import choose_scale
from noneuclid.embeddings.given_distances import PRECOMPUTED, OfDistances, check_descent
from noneuclid.embeddings.hydra import MAX_ROWS, measure
from noneuclid.embeddings.product_descent import ProductDescent, descend
from noneuclid.embeddings.product_loss import Pairs, layout_of, scales_of
from noneuclid.embeddings.product_maps import ProductEmbeddingMap
from noneuclid.embeddings.product_start import best_descent
from noneuclid.embeddings.reduced_map import standardisation
from noneuclid.errors import require, require_number
from noneuclid.geometry.product_space import ProductSpace, space_of


class InProduct(InductiveEmbedding):
    """Base of embeddings whose parameter `space` is a product; `Placed.chart` is its signature."""

    def transform(self, X: Any) -> np.ndarray:
        """Place new rows, each alone; those of `fit` stay where they are.

        Parameters
        ----------
        X : array_like of shape (m, p)
            The columns of `fit`, in the same order and unit; of `ProductEmbedding` with
            ``metric="precomputed"`` distances to the rows of `fit`, in their order.

        Returns
        -------
        ndarray of float64, shape (m, n_columns)
            In the charts of `space_`. A row of `fit`, given again, lands on its own point, or on
            that of an equal row.

        Raises
        ------
        InputError
            If a value is not finite, or a distance below 0; the message names row and column. If a
            row cannot be placed, or a graph was fitted.
        """
        return super().transform(X)

    def _written(self, placed):
        self.space_ = ProductSpace(placed.chart).in_charts(self._space().charts)
        return self._in_chart(placed.points)

    def _in_chart(self, points):
        return self.space_.in_charts().convert(points, self.space_.charts)

    def _space(self):
        """The parameter `space` as a product."""
        name = type(self).__name__
        require(self.space is not None, f"{name}: space is None; give a signature such as 'H2 S2'")
        return space_of(self.space, 0)


class ProductEmbedding(OfDistances, InProduct):
    r"""Embedding of distances in a product of hyperbolic, spherical and flat factors.

    Minimises over the points x of the product and over the curvature of each factor

    .. math:: \operatorname{mean}_{i<j} \left(\frac{d(x_i, x_j)}{d_{ij}} - 1\right)^2,

    the relative stress, in place of the mean of :math:`|d(x_i, x_j)^2 / d_{ij}^2 - 1|` of [1]_,
    which has no derivative at its minimum. The descent is L-BFGS in frames that follow the points,
    from several starts by principal coordinates; after each 50 iterations the worse half of them is
    dropped.

    Reads distances (``metric="precomputed"``), rows of features, networkx graphs and sparse
    adjacency matrices, whose distances are lengths of shortest paths. The product is determined up
    to isometries, and up to the order of equal factors.

    `transform` places each new row x alone where the terms of the loss that have it are least, the
    old points and the curvatures fixed: :math:`\operatorname{mean}_j (d(x, x_j) / d_j - 1)^2`. The
    descent begins at the nearest old point, at the best of the nearest 64, and at the middles of
    the nearest and of the best three. A row at distance 0 from an old one takes its place. There
    is no rule for a new node of a graph.

    Parameters
    ----------
    space : str or ProductSpace, default="H2 S2"
        Signature of the product, or the product with the charts of the output.
    metric : str, default="euclidean"
        Of rows: "euclidean", "cityblock", "cosine", "correlation" or "chebyshev" as in scipy;
        "precomputed" if X holds the distances.
    standardize : bool, default=False
        Divide each feature by its standard deviation first, as in `Hydra`.
    edge_lengths : str, bool or None, default=None
        Of a graph, as in `Hydra`.
    learn_curvature : bool, default=True
        If False, the curvatures are those of `space`, in units of the distances.
    n_init : int, default=12
        Starts; two at most for a single factor that is no sphere.
    max_iter : int, default=1000
    tol : float, default=1e-3
        The relative fall of the loss over 50 iterations at which to stop.
    max_pairs : int, default=200_000
        Beyond, as many pairs are sampled, the same number for each row.
    random_state : int, RandomState or None, default=None
        For the starts and the sample.

    Attributes
    ----------
    embedding_ : ndarray of float64, shape (n, n_columns)
    space_ : ProductSpace
        With the curvatures found, so that distances in it have the unit of those given.
    report_ : dict
        `loss`, the root of the relative stress; `average`, the mean of abs(d / d_ij - 1) over the
        same pairs; `pairs`, their number; `n_iter`.
    n_iter_ : int
        Iterations of the start that was best.
    nodes_ : list
        Nodes of a networkx graph, in the order of the rows.
    n_features_in_ : int
        Number of features, or of columns of the distances.

    Raises
    ------
    InputError
        If a parameter is out of range, the distances are not symmetric, finite and 0 on the
        diagonal, all are 0, a graph is not connected, or there are over 15,000 rows.

    Warns
    -----
    ConvergenceWarning
        If `max_iter` iterations pass before the loss stops falling.

    See Also
    --------
    SignatureSearch : Which product the distances want.
    ProductUMAP : Keeps neighbours instead, of any number of rows.
    RefinedHydra : A single hyperbolic factor.

    Notes
    -----
    Time O(m d) an iteration for m pairs, memory O(n^2); `transform` takes O(n d) an iteration for
    each row, 6 to 25 s for 1000 rows beside 2000. Pairs at distance 0 are left out. The
    curvature of a hyperbolic factor is at most 24^2, and that of every curved factor at least
    0.001^2, in units of the largest distance: beyond, points lose digits, and within rounding the
    factor is flat. The loss has many minima: a sphere that the points wrap around needs luck. Of
    new rows of three tables in five products, the root of the loss was on average at most 0.002
    above the least of 40 descents, and 0.043 for single ones.

    References
    ----------
    .. [1] Gu, Sala, Gunel and Ré, Learning mixed-curvature representations in product spaces, ICLR
       2019, eq. 2.

    Examples
    --------
    >>> import networkx as nx
    >>> from noneuclid import ProductEmbedding
    >>> model = ProductEmbedding("S1", random_state=0).fit(nx.cycle_graph(12))
    >>> model.space_.curvatures[0] ** -0.5 * 2 * np.pi
    12.0...

    A step before an estimator needs the curvatures beforehand, so they are fixed:

    >>> from sklearn.pipeline import make_pipeline
    >>> from noneuclid import ProductKernelSVC
    >>> space = "H2(-0.5) S1"
    >>> model = make_pipeline(ProductEmbedding(space, learn_curvature=False),
    ...                       ProductKernelSVC(space=space))
    """

    name = "product_embedding"
    from_data = ("edge_lengths", "random_state")

    def __init__(
        self,
        space: str | ProductSpace = "H2 S2",
        *,
        metric: str = "euclidean",
        standardize: bool = False,
        edge_lengths: str | bool | None = None,
        learn_curvature: bool = True,
        n_init: int = 12,
        max_iter: int = 1000,
        tol: float = 1e-3,
        max_pairs: int = 200_000,
        random_state: RandomState = None,
    ):
        self.space = space
        self.metric = metric
        self.standardize = standardize
        self.edge_lengths = edge_lengths
        self.learn_curvature = learn_curvature
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.max_pairs = max_pairs
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Embed distances, rows or the nodes of a graph.

        Parameters
        ----------
        X : array_like of shape (n, n) or (n, p), networkx.Graph, or sparse matrix of shape (n, n)
            Distances, rows or a graph, as `metric` says.
        y : None
            Ignored.

        Returns
        -------
        self
        """
        return super().fit(X)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == PRECOMPUTED
        return tags

    def _place(self, source, settings, seed):
        name = type(self).__name__
        space = self._space()
        check_descent(name, self)
        require_number(self.max_pairs, "max_pairs", name, low=1, integer=True)
        require(
            source.kind not in ("points", "composition"),
            f"{name}: {source.name} has kind {source.kind!r}, its points are embedded; use given",
        )
        require(
            source.n <= MAX_ROWS,
            f"{name}: {source.n} rows need all {source.n}x{source.n} distances; embed {MAX_ROWS} "
            "of them at most",
        )
        if source.kind != GRAPH:
            require(
                self.metric != PRECOMPUTED or not settings["standardize"],
                f"{name}: standardize divides features, not distances; give standardize: false",
            )
            scale = choose_scale(source.features, settings["standardize"], name)
            source = replace(source, features=scale(source.features))
        given = self._distances(source, MAX_ROWS, seed).values
        pairs = pairs_of(given, self.max_pairs, seed, name)
        options = {key: getattr(self, key) for key in ("n_init", "max_iter", "tol")}
        found = embed(given, pairs, space, learn=self.learn_curvature, seed=seed, **options)
        descent = found.descent
        if not descent.converged:
            warnings.warn(
                f"{name}: stopped after {descent.iterations} iterations at the root of the loss "
                f"{np.sqrt(descent.value):.3g}; the last round lowered the loss by a relative "
                f"{descent.fall:.1e}, tol {self.tol:.1e}: raise max_iter, or tol if that will do",
                ConvergenceWarning,
                stacklevel=4,
            )
        facts = {
            "loss": float(np.sqrt(descent.value)),
            "average": float(found.errors(pairs).mean()),
            "pairs": len(pairs.wanted),
            "n_iter": descent.iterations,
        }
        report = partial(measure, source, given, found.points, seed, found.space.pairwise_distances)
        rule = None
        if source.kind != GRAPH:
            rule = ProductEmbeddingMap(
                **standardisation(scale),
                rows=source.features[: 0 if self.metric == PRECOMPUTED else None],
                metric=self.metric,
                points=found.points,
                chart=str(found.space),
            )
        return Placed(found.points, facts, report, rule, str(found.space))


def pairs_of(distances, most, seed, name):
    """All pairs of rows at a distance, or `most` sampled ones.

    Shapes: `distances` (n, n).
    """
    n = len(distances)
    if n * (n - 1) // 2 <= most:
        left, right = np.triu_indices(n, 1)
    else:
        each = max(1, most // n)
        left = np.repeat(np.arange(n), each)
        right = np.random.default_rng(seed).integers(0, n - 1, size=len(left))
        right += right >= left
    wanted = distances[left, right]
    known = wanted > 0
    require(known.any(), f"{name}: all distances are zero; nothing to embed")
    return Pairs(left[known], right[known], wanted[known])


class Embedded(NamedTuple):
    """Points of a product in the default charts, that product, and what the descent found."""

    points: np.ndarray
    space: ProductSpace
    descent: ProductDescent

    def errors(self, pairs):
        """abs(d / d_ij - 1) of pairs, shape (m,)."""
        found = self.space.distance(self.points[pairs.left], self.points[pairs.right])
        return np.abs(found / pairs.wanted - 1.0)


def embed(distances, pairs, space, *, learn=True, start=None, **options):
    """Embed pairs in a product; `distances` (n, n) serve the start alone.

    A `start` is the descent of another embedding of these distances.
    """
    unit, layout = distances.mean(), layout_of(space)
    scaled = Pairs(pairs.left, pairs.right, pairs.wanted / unit)
    fixed = None
    if not learn:
        fixed = np.where(layout.signs == 0, 1.0, scales_of(space) / unit)
    if start is None:
        found = best_descent(distances / unit, layout, scaled, scales=fixed, **options)
    else:
        found = descend(start.points, start.scales, layout, scaled, learn=learn, **options)
    radii = unit * found.scales
    points = found.points * layout.of_columns(radii)
    curvatures = layout.signs / radii**2 if learn else space.curvatures
    return Embedded(points, ProductSpace(space.signature, curvatures=curvatures), found)
