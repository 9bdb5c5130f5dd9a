"""The data without an embedding: original features, log-ratios, or spectral coordinates of a graph.

What the baselines of `noneuclid_compare.evaluation.baselines` read. Nothing here is fitted to rows
of a table: scaling and principal components belong to the baselines, which fit them on training
rows.

Of a graph without features of the nodes, the rows are the leading eigenvectors of
D^(-1/2) A D^(-1/2), A the adjacency matrix and D the degrees [1]_: deterministic, without a setting
to tune, 5 seconds for 100,000 edges; DeepWalk takes 40 seconds for 1,222 nodes and depends on walk
length, window and epochs. Like every embedding of a graph this one places all nodes at once,
without their labels.

References
----------
.. [1] A. Ng, M. Jordan and Y. Weiss, On spectral clustering: analysis and an algorithm, NIPS 2001.
"""

from contextlib import suppress

import numpy as np
from scipy.sparse import coo_array, diags_array
from scipy.sparse.linalg import ArpackNoConvergence, eigsh

from noneuclid.embeddings import maps
from noneuclid.embeddings.log_ratio import SIMPLEX, LogRatio, LogRatioMap
from noneuclid.errors import InputError, require
from noneuclid_compare.records import Embedded

# Why there is no rule for attributes beside coordinates.
NO_BOTH = "a new node has features of its own but no spectral coordinates; set add_spectral: false"
# Eigenvectors of a graph.
COMPONENTS = 16
# Up to this many nodes all eigenvectors are computed, which is faster.
DENSE = 500


def embed(dataset, seed, *, n_components=COMPONENTS):
    """Hand the features of a data set through, in the chart of plain vectors.

    Parameters
    ----------
    dataset : Dataset
        Any kind except `points`, which has coordinates and no features.
    seed : int
        Starts the search for eigenvectors of a graph.
    n_components : int
        Eigenvectors of a graph; at most as many as nodes less two.

    Returns
    -------
    Embedded
        In the chart "tangent"; compositions as isometric log-ratios, rows of a box as logits.

    Examples
    --------
    >>> from noneuclid_compare.data.shipped import digits, karate
    >>> embed(digits.load({}, 0), 0).points.shape, embed(karate.load({}, 0), 0).points.shape
    ((1797, 64), (34, 16))
    """
    require(
        dataset.kind != "points",
        f"{dataset.name} has kind 'points' and no original features; set baselines: false for "
        "this data set",
    )
    graph = dataset.kind == "graph"
    points, settings, rule = dataset.features, {}, maps.Given(chart="tangent")
    if graph:
        points, settings, rule = _of_graph(dataset, n_components, seed)
    elif dataset.kind == "composition":
        domain = _box(dataset)
        ends = {key: value for key, value in domain.items() if key in ("low", "high")}
        points = LogRatio(chart="tangent", **ends).fit_transform(points)
        parts = dataset.features.shape[1]
        rule = LogRatioMap(domain=domain or SIMPLEX, parts=parts, scale=1.0)
    return Embedded(
        points=np.asarray(points, dtype=float),
        chart="tangent",
        labels=dataset.labels,
        class_names=dataset.class_names,
        fixed_fold=dataset.fixed_fold,
        about={
            "embedding": {
                "name": "original_features",
                "settings": settings,
                "distortion": {},
                "transductive": graph and bool(settings),
                "original_features": True,
            }
        },
        rule=rule,
    )


def _of_graph(dataset, n_components, seed):
    """Features of the nodes, spectral coordinates, or both; the settings of these, and a rule."""
    attributes = dataset.features
    if attributes is not None and not dataset.about.get("add_spectral"):
        return attributes, {}, maps.Given(chart="tangent")
    points = spectral(dataset, n_components, seed)
    settings = {"n_components": points.shape[1]}
    if attributes is None:
        return points, settings, None
    return np.hstack([attributes, points]), settings, maps.Map(why=NO_BOTH)


def _box(dataset):
    """Ends of the box that holds the rows; nothing for compositions."""
    domain = dataset.about.get("domain") or {}
    return domain if domain.get("polytope") == "box" else {}


def spectral(dataset, components, seed):
    """Leading eigenvectors of the normalised adjacency matrix, shape (n, components).

    A longer edge joins less: its weight is 1 / length. Signs make the largest entry of each
    eigenvector positive. A node without edges has its own eigenvector, or zeros.
    """
    n = len(dataset.labels)
    wanted = min(components, n - 2)
    require(wanted >= 1, f"{dataset.name}: {n} nodes have no spectral coordinates; give three")
    weights = np.ones(len(dataset.edges)) if dataset.weights is None else 1 / dataset.weights
    half = coo_array((weights, dataset.edges.T), shape=(n, n))
    adjacency = (half + half.T).tocsr()
    degrees = adjacency.sum(axis=1)
    scale = diags_array(1 / np.sqrt(np.where(degrees > 0, degrees, 1.0)))
    normalised = scale @ adjacency @ scale
    if n <= DENSE:
        vectors = np.linalg.eigh(normalised.toarray())[1][:, ::-1][:, :wanted]
    else:
        vectors = _largest(normalised, wanted, seed, dataset.name)
    signs = np.sign(vectors[np.abs(vectors).argmax(axis=0), np.arange(wanted)])
    return vectors * signs


def _largest(matrix, count, seed, name):
    """Eigenvectors of the largest eigenvalues, largest first."""
    start = np.random.default_rng(seed).normal(size=matrix.shape[0])
    with suppress(ArpackNoConvergence):
        values, vectors = eigsh(matrix, count, which="LA", v0=start, maxiter=10_000, tol=1e-8)
        return vectors[:, np.argsort(-values, kind="stable")]
    raise InputError(
        f"{name}: the eigenvectors of the graph did not converge; set baselines: false for this "
        "data set"
    )
