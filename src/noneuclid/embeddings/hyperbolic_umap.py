"""UMAP with hyperbolic distances in its loss: the cost grows in proportion to the rows."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from noneuclid.classifiers.parallel import shows_progress
from noneuclid.embeddings.ball_layout import KERNELS, Forces, settle
from noneuclid.embeddings.base import InductiveEmbedding, Placed, RandomState, require_features
from noneuclid.embeddings.distortion import distortion_of_features
from noneuclid.embeddings.feature_scaling import choose_scale
from noneuclid.embeddings.in_blocks import threads
from noneuclid.embeddings.landmark_lists import (
    CANDIDATES,
    hashed_order,
    landmark_count,
    sample_rank,
    sort_into_lists,
)
from noneuclid.embeddings.layout_levels import Levels, with_push
from noneuclid.embeddings.lifted_pca import principal_components
from noneuclid.embeddings.neighbour_map import NeighbourMap
from noneuclid.embeddings.reduced_map import projection, standardisation
from noneuclid.errors import require, require_number
from noneuclid.geometry import charts

_NAME = "hyperbolic_umap"
_DIAMETERS = 0.5, 28.0  # beyond, sums of far landmarks lose precision
_NEW_STEPS = 5
_NEW_RATE = 0.01  # of that of the fit: a new row starts near its place
_BLOCK = 1024


class HyperbolicUMAP(InductiveEmbedding):
    r"""UMAP with hyperbolic distances in its loss; 1e6 rows are feasible.

    Reads rows of features, which are joined to their nearest neighbours by UMAP's fuzzy graph [1]_.
    Points of hyperbolic space are placed so that the similarity

    .. math:: q = \frac{1}{1 + a u^b}, \qquad u = 4 \sinh^2(d / 2),

    agrees with the weights of the graph: edges pull, sampled rows push. The start is that of
    `Hydra` on landmarks, and a stress keeps the distances between the landmarks, where UMAP's loss,
    whose forces vanish at large distances, would lose them.

    The hyperboloid output of umap-learn takes flat steps in two coordinates whose lift is the
    hyperboloid, with :math:`q = 1 / (1 + a d^{2b})`; here each step follows a geodesic, the loss is
    the same wherever the origin is, and any dimension is possible. With ``kernel="distance"``,
    :math:`u = d^2`; with b = 1 this is the Cauchy kernel of hyperbolic t-SNE [2]_, but UMAP's loss.

    Results depend neither on the number of threads nor on the order of the rows. `transform` places
    each new row alone, at the neighbour where the edges of the row have the least loss and then by
    steps of the same loss without stress, the old rows fixed; most rows of `fit`, given again, are
    placed near their first position. The share of the others is below 1 % for rows in clusters,
    5 to 17 % for rows of noise, and up to a quarter with a large stress or ``kernel="distance"``.

    Parameters
    ----------
    n_components : int, default=2
    n_pcs : int or None, default=50
        Number of principal components on which neighbours are found if there are more features;
        None for all features.
    n_neighbors : int, default=15
        As `n_neighbors` of umap-learn: the row itself counts.
    kernel : {"chord", "distance"}
        Whether u is 4 sinh^2(d / 2), the squared chord in Minkowski space, or d^2.
    a : float, default=1.0
        Factor in the similarity q; larger ones keep more of the tree and fewer neighbours.
    b : float, default=0.375
        Of the similarity q; smaller ones keep more neighbours. The values 1, 1/2, 3/8 and 1/4 are
        fast.
    negative_sample_rate : int, optional
        Weight of the push: as many sampled rows for each edge, as in UMAP, which has 5. More keep
        more neighbours; among few rows, classes then mix more. 3 by default, and 5 in levels (see
        `n_epochs`) of more than 200,000 rows.
    stress_weight : float, default=0.05
        Weight of the squared changes of the distances between landmarks, which keeps the
        arrangement of the start, and so the tree. More keep more of a tree, and fewer neighbours
        where the classes have none; 0 gives UMAP's loss.
    n_epochs : int, default=400
        Steps of every row. Beyond 200,000 rows a sample is laid out first; each of the next levels
        has four times the rows, and as many steps.
    learning_rate : float, default=0.09
        Length of a step for a gradient of length one, in hyperbolic units, in the first epoch; it
        falls to zero.
    n_landmarks : int, optional
        Number of k-means centres for the start and the search of neighbours. 2 sqrt(n) by default,
        at least 500.
    diameter : float, default=28.0
        Of the start, as in `Hydra`, but larger: smaller ones keep less of the tree. Most points are
        then near the rim of the disk; for a picture that shows all of them set 6, and stress to 1.
    standardize : bool, default=False
        Divide each feature by its standard deviation first; advised for a table whose columns have
        different units.
    n_jobs : int, optional
        Threads; None is 1, or the number of `joblib.parallel_config`. Results do not depend on it.
    verbose : int, default=0
        Whether to show progress.
    chart : str, default="poincare"
        Of the output: one of `noneuclid.geometry.charts.COORDINATES`.
    random_state : int, RandomState or None, default=None
        For the landmarks, the start and the samples.

    Attributes
    ----------
    embedding_ : ndarray of float64, shape (n, d), or (n, d + 1) with ``chart="hyperboloid"``
        The points, at curvature -1, their Lorentz centroid at the origin.
    report_ : dict
        `n_landmarks`; `edges`, the number of edges of the graph.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Names of the features of a data frame.

    Raises
    ------
    InputError
        If a parameter is out of range, a value is not finite, or all rows are equal.

    See Also
    --------
    UMAPEmbedding : The flat original.
    ProductUMAP : Products of hyperbolic, spherical and flat factors.
    PoincareMap : Similarities of all pairs; up to thousands of rows.

    Notes
    -----
    Time O(n^1.5 p) for the neighbours and O(n) for an epoch, memory O(n). Up to 8192 rows the
    neighbours are exact, unless more rows are closer to each other than 1e-6 of the extent of the
    data; beyond, those in the nearest lists of landmarks, which hold at least 8192
    rows and 24 sqrt(n), or three times as many for new rows. At 900,000 simulated cells these are
    71 % of the exact ones, and 94 % for new rows.

    A new row has as many neighbours as a row of the fit, and at least the cube root of n, because
    among many rows more edges choose its place better.

    References
    ----------
    .. [1] McInnes, Healy and Melville, UMAP: uniform manifold approximation and projection for
       dimension reduction, 2018, arXiv:1802.03426.
    .. [2] Skrodzki, van Geffen, Chaves-de-Plaza, Höllt, Eisemann and Hildebrandt, Accelerating
       hyperbolic t-SNE, IEEE TVCG 30(7), 2024, arXiv:2401.13708.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from noneuclid import HyperbolicUMAP
    >>> X = load_iris().data
    >>> model = HyperbolicUMAP(n_epochs=50, random_state=0).fit(X)
    >>> model.embedding_.shape, model.transform(X[:3] + 0.01).shape
    ((150, 2), (3, 2))
    """

    name = "hyperbolic_umap"
    own_chart = "poincare"
    from_data = ("verbose", "chart", "random_state")

    def __init__(
        self,
        n_components: int = 2,
        *,
        n_pcs: int | None = 50,
        n_neighbors: int = 15,
        kernel: str = "chord",
        a: float = 1.0,
        b: float = 0.375,
        negative_sample_rate: int | None = None,
        stress_weight: float = 0.05,
        n_epochs: int = 400,
        learning_rate: float = 0.09,
        n_landmarks: int | None = None,
        diameter: float = 28.0,
        standardize: bool = False,
        n_jobs: int | None = None,
        verbose: int = 0,
        chart: str = "poincare",
        random_state: RandomState = None,
    ):
        self.n_components = n_components
        self.n_pcs = n_pcs
        self.n_neighbors = n_neighbors
        self.kernel = kernel
        self.a = a
        self.b = b
        self.negative_sample_rate = negative_sample_rate
        self.stress_weight = stress_weight
        self.n_epochs = n_epochs
        self.learning_rate = learning_rate
        self.n_landmarks = n_landmarks
        self.diameter = diameter
        self.standardize = standardize
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.chart = chart
        self.random_state = random_state

    fit = shows_progress(InductiveEmbedding.fit)

    def _place(self, source, settings, seed):
        _check_settings(settings, source)
        shuffled = hashed_order(source.features, seed)
        forces = Forces(
            float(self.a),
            float(self.b),
            self.kernel == "distance",
            None if self.negative_sample_rate is None else float(self.negative_sample_rate),
            stress=float(self.stress_weight),
        )
        with threads(self.n_jobs) as pool:
            given = source.features[shuffled]
            scale = choose_scale(given, self.standardize, self.name)
            features = rows = scale(given)
            if self.n_pcs is not None and self.n_pcs < min(features.shape):
                rows, _ = principal_components(features, self.n_pcs, seed)
            rest = standardisation(scale) | projection(features, rows)
            del given, features
            lists, order = sort_into_lists(rows, self.n_landmarks or landmark_count(source.n), pool)
            require(
                len(lists.centres) > self.n_components,
                f"{_NAME}: {len(lists.centres)} different rows are too few for dimension "
                f"{self.n_components}; lower it",
            )
            levels = Levels(rows[order], sample_rank(rows)[order], lists, seed, pool)
            start, landmarks = levels.start(self.n_components, self.diameter)
            graph, points = levels.lay_out(
                start, landmarks, self.n_neighbors, forces, self.n_epochs, self.learning_rate
            )
        rows, order = levels.rows, shuffled[order]
        rule = HyperbolicUMAPMap(
            **rest,
            **lists._asdict(),
            rows=rows,
            points=points,
            n_neighbors=self.n_neighbors,
            forces=with_push(forces, source.n)._asdict(),
            learning_rate=float(self.learning_rate),
        )
        embedded = np.empty_like(points)
        embedded[order] = points
        facts = {"n_landmarks": len(lists.centres), "edges": int(graph.nnz // 2)}
        return Placed(embedded, facts, partial(_measure, source.features, embedded, seed), rule)


def _measure(features, points, seed):
    """Distortion against Euclidean distances."""
    return distortion_of_features(features, charts.convert(points, "poincare", "tangent"), seed)


@dataclass(frozen=True, kw_only=True)
class HyperbolicUMAPMap(NeighbourMap):
    """New rows go to the neighbour of least loss, then some steps, each alone."""

    kind: str = _NAME
    chart: str | None = "poincare"

    def place(self, features):
        """Points in the Poincaré ball; most rows of the fit land near their own."""
        nearest, _, weights = self.edges(features)
        points, forces = self.layout()
        out = np.empty((len(nearest), points.shape[1]))
        rate = _NEW_RATE * self.learning_rate
        settle(nearest, weights, points, forces, rate, _NEW_STEPS, 0, len(nearest), out)
        return out


def _check_settings(settings, source):
    """Refuse values out of range."""
    check = partial(require_number, name=_NAME)
    check_layout(settings, source, _NAME)
    n = source.n
    check(settings["n_components"], "n_components", low=1, high=n - 1, integer=True)
    check(settings["stress_weight"], "stress_weight", low=0, high=100)
    check(settings["diameter"], "diameter", low=_DIAMETERS[0], high=_DIAMETERS[1])
    if settings["n_landmarks"] is not None:
        low = settings["n_components"] + 1
        check(settings["n_landmarks"], "n_landmarks", low=low, high=n, integer=True)
    found = settings["kernel"]
    require(found in KERNELS, f"{_NAME}: kernel = {found!r}; give one of {', '.join(KERNELS)}")


def check_layout(settings, source, name):
    """Refuse rows and values that no layout of a fuzzy graph takes."""
    require_features(source, name, "use given or hydra")
    n, check = source.n, partial(require_number, name=name)
    # Beyond this many rows, as many are searched.
    check(settings["n_neighbors"], "n_neighbors", low=2, high=min(n, CANDIDATES), integer=True)
    check(settings["n_epochs"], "n_epochs", low=1, integer=True)
    if settings["negative_sample_rate"] is not None:
        check(
            settings["negative_sample_rate"], "negative_sample_rate", low=1, high=1000, integer=True
        )
    for key in ("a", "b", "learning_rate"):
        check(settings[key], key, low=1e-3, high=1e3)
    if settings["n_pcs"] is not None:
        check(settings["n_pcs"], "n_pcs", low=1, integer=True)
    require(np.ptp(source.features, axis=0).any(), f"{name}: all rows are equal; nothing to embed")
