"""Popularity-similarity networks with labels that spread (Cho et al. 2019, section 5.3)."""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import breadth_first_order

from noneuclid.errors import InputError, require, require_number
from noneuclid.geometry import lorentz
from noneuclid_compare.data.checks import checked
from noneuclid_compare.records import Dataset

NAME = "popularity_similarity"
ABOUT = {
    "citation": "Papadopoulos, Kitsak, Serrano, Boguna and Krioukov, Popularity versus similarity "
    "in growing networks, Nature 489:537-540, 2012, doi:10.1038/nature11459; labels: Cho, DeMeo, "
    "Peng and Berger, Large-margin classification in hyperbolic space, AISTATS 2019, section 5.3",
    "licence": "generated",
    "source": "noneuclid: popularity_similarity",
    "oddities": "The first nodes have fewer older ones to link to, so the average degree is lower "
    "than asked for by (m^2 + m) / n with m links a node. A label holds 4 to 10 % of the nodes: "
    "accuracy is not informative.",
}
ATTEMPTS = 20_000


def grow(n, links, exponent, temperature, rng):
    """Grow a network in the hyperbolic plane (Papadopoulos et al. 2012, curvature -1).

    Node t = 1, ..., n is born at radius 2 ln t and a uniform angle. By then each older node s has
    drifted out to r_s(t) = b r_s + (1 - b) r_t with b = 1 / (exponent - 1): its popularity fades.
    The new node links to the `links` older nodes that are nearest. With a temperature T > 0 it
    meets older nodes at random and links with the Fermi probability
    p = 1 / (1 + exp((distance - R_t) / 2T)) until it has its links. That is a draw without
    replacement with weights p, the same as taking the smallest E / p with exponential E.

    Nodes are in the order of birth; an edge is (older node, newer node). Returns edges, radii and
    angles, the polar coordinates at the end of the growth. O(n^2) time, O(n) memory.
    Returns `edges` (m, 2), `radii, angles` (n,).
    """
    fading = 1 / (exponent - 1)
    births = 2 * np.log(np.arange(1, n + 1))
    angles = rng.uniform(0, 2 * np.pi, n)
    # the first nodes have no choice
    edges = [np.column_stack(np.triu_indices(min(links + 1, n), 1))]
    for new in range(links + 1, n):
        drifted = fading * births[:new] + (1 - fading) * births[new]
        rank = _half_sinh_square(drifted, births[new], angles[:new] - angles[new])
        if temperature > 0:
            horizon = reach(births[new], links, fading, temperature)
            excess = 2 * np.arcsinh(np.sqrt(rank)) - horizon
            # log(E / p)
            rank = np.log(rng.standard_exponential(new))
            rank += np.logaddexp(0, excess / (2 * temperature))
        chosen = np.sort(np.argpartition(rank, links)[:links])
        edges.append(np.column_stack([chosen, np.full(links, new)]))
    return np.concatenate(edges), fading * births + (1 - fading) * births[-1], angles


def _half_sinh_square(r, s, angle):
    """sinh^2 of half the distance from polar coordinates; keeps the digits of near points."""
    return np.sinh((r - s) / 2) ** 2 + np.sinh(r) * np.sinh(s) * np.sin(angle / 2) ** 2


def reach(radius, links, fading, temperature):
    """Distance R_t within which a node born at `radius` expects its links.

    Papadopoulos et al. 2012, supplement, eqs. 10 and 26, at curvature -1.
    """
    slowness = 1 - fading
    older = -np.expm1(-slowness * radius / 2) / slowness if slowness > 0 else radius / 2
    spread = 2 / np.pi if temperature == 0 else 2 * temperature / np.sin(np.pi * temperature)
    return radius - 2 * np.log(spread * older / links)


def spread_labels(edges, n, count, low, high, probability, rng):
    """Draw labels that spread along the growth of a network (Cho et al. 2019, section 5.3).

    A random node is the pioneer of its label. Whenever a newer node links to one that has the
    label, it takes it over with the given probability, independently for each such link, as in the
    authors' code. A label whose size lies outside [low, high] is drawn again, pioneer and all.

    The first columns do not depend on `count`.
    Shapes: `edges` (m, 2); returns shape (n, count).
    """
    edges = np.sort(edges, axis=1)
    labels = np.zeros((n, count), dtype=bool)
    for k in range(count):
        labels[_spread(edges, n, low, high, probability, rng), k] = True
    return labels


def _spread(edges, n, low, high, probability, rng):
    """Nodes of one label: all that are reached from the pioneer over the links that pass it on."""
    for _ in range(ATTEMPTS):
        pioneer = rng.integers(n)
        passed = edges[rng.random(len(edges)) < probability]
        graph = coo_array((np.ones(len(passed)), passed.T), shape=(n, n)).tocsr()
        reached = breadth_first_order(graph, pioneer, return_predecessors=False)
        if low <= len(reached) <= high:
            return reached
    raise InputError(
        f"{NAME}: none of {ATTEMPTS} labels got {low} to {high} of {n} nodes; widen low and high"
    )


def load(
    files,
    seed,
    *,
    n_nodes=500,
    average_degree=4,
    exponent=2.25,
    temperature=0.0,
    kind="graph",
    label=0,
    low=20,
    high=50,
    probability=0.8,
    network=None,
):
    """Grow a network and mark the nodes that have one of its labels.

    Parameters
    ----------
    n_nodes, average_degree, exponent, temperature : int, int, float, float
        Of the network; the defaults are the values of Cho et al. (2019).
    kind : {"graph", "points"}
        The network alone, or its true coordinates.
    label : int
        Which one of those that can be drawn on the same network.
    low, high : int
        Bounds of its size (Cho et al. 2019 has 20-50, 50-100 and 100-200).
    probability : float
        That an edge passes it on.
    network : int, optional
        Data sets that share this number share the network, and only their labels follow from their
        seeds.

    Returns
    -------
    Dataset
        Kind `graph`, or `points` on the hyperboloid of curvature -1 with the edges beside them.
        Rows are in the order of birth. Without the setting `network` the network follows from
        the seed, whatever the label.

    Raises
    ------
    InputError
        If a setting is unknown or out of range, or no label has a size within the bounds.

    Examples
    --------
    >>> data = load({}, 0)
    >>> data.edges.shape, data.class_names
    ((997, 2), ('without', 'with'))
    """
    settings = {"n_nodes": n_nodes, "average_degree": average_degree, "exponent": exponent}
    settings |= {"temperature": temperature, "kind": kind, "label": label, "low": low, "high": high}
    settings |= {"probability": probability, "network": network}
    _check_settings(settings)
    rng = np.random.default_rng(seed)
    grower = rng if network is None else np.random.default_rng(network)
    edges, radii, angles = grow(n_nodes, average_degree // 2, exponent, temperature, grower)
    labels = spread_labels(edges, n_nodes, label + 1, low, high, probability, rng)[:, label]
    content = {}
    if kind == "points":
        directions = np.column_stack([np.cos(angles), np.sin(angles)])
        points = lorentz.from_spatial(np.sinh(radii)[:, None] * directions)
        content = {"features": points, "chart": "hyperboloid"}
    return checked(
        Dataset(
            NAME,
            kind,
            labels.astype(np.int64),
            ("without", "with"),
            edges=edges,
            about={**ABOUT, "settings": settings, "seed": seed},
            **content,
        )
    )


def _check_settings(settings):
    """Refuse values out of range."""
    for key, low in (("n_nodes", 3), ("average_degree", 2), ("label", 0), ("low", 1)):
        require_number(settings[key], key, NAME, low=low, integer=True)
    top, degree, kind = settings["n_nodes"] - 1, settings["average_degree"], settings["kind"]
    require_number(settings["high"], "high", NAME, low=settings["low"], high=top, integer=True)
    require(
        degree % 2 == 0,
        f"{NAME}: average_degree = {degree}; give an even number, twice the links of a new node",
    )
    require_number(settings["exponent"], "exponent", NAME, low=2.0)
    if settings["network"] is not None:
        require_number(settings["network"], "network", NAME, low=0, integer=True)
    # R_t diverges at temperature 1
    require_number(settings["temperature"], "temperature", NAME, low=0.0, high=1 - 1e-6)
    require_number(settings["probability"], "probability", NAME, low=0.0, high=1.0)
    require(kind in ("graph", "points"), f"{NAME}: kind = {kind!r}; give 'graph' or 'points'")
