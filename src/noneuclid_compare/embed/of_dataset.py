"""Embeddings of data sets: transformers as the workflow calls them, ``embed(dataset, seed, ...)``.

The workflow also takes functions of this form. A transformer reads no labels; they are passed on.
"""

import inspect
from dataclasses import replace

import numpy as np
from scipy.sparse import coo_array

from noneuclid.embeddings.base import Embedding, Source
from noneuclid.embeddings.distortion import distortion_of_features
from noneuclid.embeddings.feature_scaling import standardises
from noneuclid.errors import InputError, require
from noneuclid_compare.records import Embedded

# Chart of the points of a transformer that does not name one.
FLAT = "tangent"


def embed(transformer, dataset, seed, **params):
    """Embed a data set by a transformer class, and measure the distortion.

    Parameters
    ----------
    transformer : type
        An `Embedding`, or any other transformer; that of a user gets the features, or the sparse
        adjacency matrix of a graph (with lengths, if the edges have them).
    dataset : Dataset
    seed : int
        `random_state`, if the class takes it.
    **params
        Of its constructor. `standardize` is also "auto", the default: true for tables.

    Returns
    -------
    Embedded
        In the own chart of an `Embedding`, or in the product that it found; else in the attribute
        `chart` of the transformer; without one, points are vectors of the tangent space. `rule`
        places new rows of features.

    Examples
    --------
    >>> from noneuclid_compare.data.shipped import karate
    >>> from noneuclid.embeddings.hydra import Hydra
    >>> embedded = embed(Hydra, karate.load({}, 0), 0)
    >>> embedded.points.shape, embedded.chart
    ((34, 3), 'hyperboloid')
    """
    if dataset.kind == "graph":
        dataset = replace(dataset, features=None)  # features of nodes are no part of the graph
    if issubclass(transformer, Embedding):
        points, chart, about, rule = _embed_own(transformer, dataset, seed, params)
    else:
        points, chart, about = _embed_any(transformer, dataset, seed, params)
        rule = None
    return Embedded(
        points=points,
        chart=chart,
        labels=dataset.labels,
        class_names=dataset.class_names,
        fixed_fold=dataset.fixed_fold,
        about={"embedding": about},
        rule=rule,
    )


def _embed_own(transformer, dataset, seed, params):
    """Points, chart, facts and rule of an embedding of this package."""
    if "standardize" in transformer._parameters():
        asked = params.get("standardize", "auto")
        params = params | {"standardize": standardises(asked, dataset, transformer.name)}
    model = transformer(**params, random_state=seed)
    settings = model._settings()
    placed = model._place(source_of(dataset), settings, seed)
    about = {
        "name": transformer.name,
        "settings": settings,
        **placed.facts,
        "distortion": placed.measure(),
        "transductive": transformer.transductive,
    }
    return placed.points, placed.chart or transformer.own_chart, about, placed.rule


def _embed_any(transformer, dataset, seed, params):
    """Points, chart and facts of another transformer."""
    known = inspect.signature(transformer).parameters
    given = {"random_state": seed} if "random_state" in known else {}
    graph = dataset.kind == "graph"
    X = adjacency(dataset) if graph else dataset.features
    require(
        dataset.kind != "points",
        f"{transformer.__name__}: {dataset.name} has kind 'points', its points are embedded; use "
        "given",
    )
    model = transformer(**(given | params))
    try:
        points = np.asarray(model.fit_transform(X), dtype=float)
    except InputError:
        raise
    except Exception as error:
        why = " ".join(f"{type(error).__name__}: {error}".split())
        raise InputError(f"{transformer.__name__} cannot embed {dataset.name} ({why})") from error
    n = len(dataset.labels)
    require(
        points.ndim == 2 and len(points) == n,
        f"{transformer.__name__}.fit_transform returns shape {points.shape} for {n} rows; give "
        "one point for each row",
    )
    chart = getattr(model, "chart", FLAT)
    measured = {} if graph or chart != FLAT else distortion_of_features(X, points, seed)
    about = {"name": transformer.__name__, "settings": params, "distortion": measured}
    return points, chart, about | {"transductive": True}


def source_of(dataset):
    """What an embedding reads of a data set."""
    return Source(
        dataset.name,
        dataset.kind,
        len(dataset.labels),
        dataset.features,
        dataset.edges,
        dataset.weights,
        dataset.about.get("domain"),
    )


def adjacency(dataset):
    """Sparse adjacency matrix of a graph; entries are lengths, or 1.

    Examples
    --------
    >>> from noneuclid_compare.data.shipped import karate
    >>> int(adjacency(karate.load({}, 0)).sum())
    156
    """
    lengths = np.ones(len(dataset.edges)) if dataset.weights is None else dataset.weights
    n = len(dataset.labels)
    half = coo_array((lengths, dataset.edges.T), shape=(n, n))
    return (half + half.T).tocsr()


def as_function(transformer):
    """The function ``embed(dataset, seed, *, ...)`` of a transformer class.

    Its signature has the parameters of the constructor, so those of a configuration are checked as
    those of any function.

    Examples
    --------
    >>> from noneuclid.embeddings.log_ratio import LogRatio
    >>> inspect.signature(as_function(LogRatio))
    <Signature (dataset, seed, *, scale: float = 1.0)>
    """

    def function(dataset, seed, **params):
        return embed(transformer, dataset, seed, **params)

    own = issubclass(transformer, Embedding)
    known = transformer._parameters() if own else inspect.signature(transformer).parameters
    first = [
        inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        for name in ("dataset", "seed")
    ]
    others = [
        p if p.kind is p.VAR_KEYWORD else p.replace(kind=p.KEYWORD_ONLY)
        for name, p in known.items()
        if p.kind is not p.VAR_POSITIONAL and (own or name != "random_state")
    ]
    if own:
        others = [p.replace(default="auto") if p.name == "standardize" else p for p in others]
    function.__signature__ = inspect.Signature([*first, *others])
    function.__module__ = transformer.__module__
    return function
