"""LaBNE: angles from the graph's Laplacian, radii from the ranks of degrees."""

import time

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import coo_array, diags_array
from scipy.sparse.linalg import ArpackNoConvergence, eigsh

from noneuclid.contracts import collect_parameters
from noneuclid.embeddings import graphs
from noneuclid.embeddings.popularity_similarity import (
    greedy_routing,
    power_law_exponent,
    radii_of,
    reach,
)
from noneuclid.embeddings.reconstruction import quality
from noneuclid.errors import InputError, require, require_number

LAPLACIANS = ("combinatorial", "normalised")
_DENSE_UP_TO = 300
# Below this part of the largest, an eigenvector's entries are rounding, not a direction.
_NO_DIRECTION = 1e-10


def embed(
    dataset, seed, *, dimension=2, gamma=None, links=None, laplacian="combinatorial", radius=3.0
):
    """Embed a graph by the eigenvectors of its Laplacian and its degrees.

    The model of a growing network puts popular nodes near the origin and similar nodes at similar
    angles. A node's direction is that of its entries in the eigenvectors of the smallest
    non-zero eigenvalues, two in the paper's plane [1]_, d in d dimensions; its radius is
    `popularity.radii_of` its degree. No step is random. Cost: a sparse factorisation.

    The paper writes L y = lambda D y (`normalised`); the authors' program and the embeddings that
    cho2019 published use L y = lambda y (`combinatorial`). cho2019 draw the model's radii, which
    reach 2 ln(n), nearer: multiplied by 3 / R, R the model's reach (`popularity.reach`); that is
    the setting `radius`.

    Parameters
    ----------
    dataset : Dataset
        Kind `graph`, connected.
    gamma : float, optional
        Exponent of the degrees, > 2; estimated by default.
    links : float, optional
        Links of a new node, >= 0.5; by default half the mean degree.
    laplacian : {"combinatorial", "normalised"}
    radius : float or None
        Hyperbolic length of the model's reach; None keeps the model's radii.

    Returns
    -------
    Embedded
        Chart `tangent`, curvature -1. The distortion has the paper's `greedy_success` at the
        model's own radii. `about["embedding"]` keeps `gamma`, `scale` (by which the radii were
        multiplied) and `eigenvalues`, one more than used: if the last two agree, the directions
        are one choice among many.

    Raises
    ------
    InputError
        If the graph is disconnected, a setting is out of range, the estimated gamma is 2 or
        less, or a node's entries are all zero.

    References
    ----------
    .. [1] Alanis-Lobato, Mier and Andrade-Navarro, Efficient embedding of complex networks to
       hyperbolic space via their Laplacian, Scientific Reports 6:30108, 2016,
       doi:10.1038/srep30108.

    Examples
    --------
    >>> from noneuclid.datasets.shipped import karate
    >>> embedded = embed(karate.load({}, 0), 0, gamma=2.5)
    >>> int(np.linalg.norm(embedded.points, axis=1).argmin())  # the friend of most
    33
    """
    settings = collect_parameters(embed, locals())
    _check_settings(settings, dataset)
    graph = graphs.graph_of(dataset, "labne", connected=True)
    start = time.perf_counter()
    gamma = _gamma(gamma, graph.degrees)
    radii = radii_of(graph.degrees, gamma)
    directions, values = spectral_directions(graph, dimension, laplacian, seed)
    links = links or float(graph.degrees.mean()) / 2
    scale = radius / reach(graph.n, gamma, links) if radius else 1.0
    points = scale * radii[:, None] * directions
    about = {
        "name": "labne",
        "settings": settings,
        "gamma": gamma,
        "scale": scale,
        "eigenvalues": values.tolist(),
        "seconds": time.perf_counter() - start,
        "distortion": quality(graph, points, seed) | greedy_routing(graph, radii, directions, seed),
    }
    return graphs.embedded(dataset, points, "tangent", about)


def _check_settings(settings, dataset):
    """Refuse values out of range."""
    high = max(len(dataset.labels) - 2, 2)
    require_number(settings["dimension"], "dimension", "labne", low=2, high=high, integer=True)
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
    mass = degree if laplacian == "normalised" else None
    values, vectors = _smallest(degree - adjacency.tocsc(), mass, dimension + 2, seed)
    used = vectors[:, 1 : dimension + 1]
    largest = np.take_along_axis(used, np.abs(used).argmax(axis=0)[None], axis=0)
    used = used * np.where(largest < 0, -1.0, 1.0)
    size = np.linalg.norm(used, axis=1)
    lost = np.flatnonzero(size < _NO_DIRECTION * size.max())
    if lost.size:
        raise InputError(
            f"labne: row {lost[0]} has no direction, its entries in the eigenvectors are zero (the "
            "graph is symmetric around it); raise dimension or use nickel_kiela"
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
        raise InputError(f"labne: {error}; use nickel_kiela") from error
    order = np.argsort(values)
    return values[order], vectors[:, order]
