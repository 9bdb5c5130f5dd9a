"""The popularity-similarity model of growing networks: exponent of degrees, radii, routing."""

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import zeta

from noneuclid.compiled import compile_cached
from noneuclid.errors import require

_LEAST_TAIL = 10


def power_law_exponent(degrees):
    """Exponent of the power law in the tail of a degree distribution.

    The maximum likelihood exponent of each tail of at least ten nodes and two different degrees;
    of these the one whose tail lies closest to its law, by the Kolmogorov-Smirnov distance [1]_.

    Parameters
    ----------
    degrees : ndarray of int, shape (n,)
        Positive.

    Returns
    -------
    exponent, least : float, int
        The tail begins at degree `least`.

    Raises
    ------
    InputError
        If there is no such tail.

    References
    ----------
    .. [1] Clauset, Shalizi and Newman, Power-law distributions in empirical data, SIAM Review
       51(4):661-703, 2009, doi:10.1137/070710111.

    Examples
    --------
    >>> degrees = np.repeat(2 ** np.arange(8), 4 ** np.arange(8)[::-1])
    >>> exponent, least = power_law_exponent(degrees)
    >>> 2.0 < exponent < 4.0
    True
    """
    found = []
    for least in np.unique(degrees)[:-1]:
        tail = degrees[degrees >= least]
        if len(tail) >= _LEAST_TAIL:
            found.append((*_fit_tail(tail, least), int(least)))
    require(
        bool(found),
        f"the {len(degrees)} degrees have no tail of {_LEAST_TAIL} nodes to estimate gamma from; "
        "give gamma",
    )
    _, exponent, least = min(found)
    return exponent, least


def _fit_tail(tail, least):
    """Distance from the best power law on degrees >= least, and its exponent."""
    logs = np.log(tail).sum()
    found = minimize_scalar(
        lambda a: a * logs + len(tail) * np.log(zeta(a, least)), bounds=(1.01, 20), method="bounded"
    )
    values, counts = np.unique(tail, return_counts=True)
    law = 1 - zeta(found.x, values + 1) / zeta(found.x, least)
    return np.abs(law - np.cumsum(counts) / len(tail)).max(), float(found.x)


def radii_of(degrees, gamma):
    """Radii of the model: 2 b ln(i) + 2 (1 - b) ln(n), b = 1 / (gamma - 1), i the degree's rank.

    Parameters
    ----------
    degrees : ndarray of int, shape (n,)
    gamma : float > 2

    Returns
    -------
    ndarray, shape (n,)
        In units of curvature -1. The largest degree has rank 1; equal degrees keep their order.

    Examples
    --------
    >>> radii_of(np.array([1, 5, 2]), 3.0).round(3).tolist()
    [2.197, 1.099, 1.792]
    """
    n, fading = len(degrees), 1 / (gamma - 1)
    rank = np.empty(n)
    rank[np.argsort(-degrees, kind="stable")] = np.arange(1, n + 1)
    return 2 * fading * np.log(rank) + 2 * (1 - fading) * np.log(n)


def reach(n, gamma, links):
    """Distance up to which the model's last node joins others, at temperature 0.

    R = 2 ln(n) - 2 ln(2 (1 - n^(b - 1)) / (pi links (1 - b))), b = 1 / (gamma - 1).

    Parameters
    ----------
    n : int
    gamma : float > 2
    links : float
        Links that a new node makes: half the mean degree.

    Returns
    -------
    float

    Examples
    --------
    >>> round(reach(500, 2.618855424, 2.0), 4)
    12.9906
    """
    rest = 1 - 1 / (gamma - 1)
    return float(2 * np.log(n) - 2 * np.log(2 * (1 - n**-rest) / (np.pi * links * rest)))


def greedy_routing(graph, radii, directions, seed, packets=10_000):
    """Deliver packets that always move to the neighbour closest to their target.

    A packet is lost when no neighbour is closer to the target than where it is.

    Parameters
    ----------
    graph : Graph
    radii : ndarray of float, shape (n,)
        Distances from the origin, curvature -1.
    directions : ndarray of float, shape (n, d)
        Of length 1.
    seed : int
        For the pairs of different nodes.
    packets : int, default=10000

    Returns
    -------
    dict of float
        `greedy_success`: share that arrived; `greedy_hops`: mean steps of those, or None.

    Examples
    --------
    >>> from noneuclid.embeddings.graphs import Graph
    >>> path = Graph(3, 1, np.array([0, 1, 3, 4]), np.array([1, 0, 2, 1]))
    >>> angle = np.array([0.0, 0.5, 1.0])
    >>> directions = np.column_stack([np.cos(angle), np.sin(angle)])
    >>> greedy_routing(path, np.ones(3), directions, 0)["greedy_success"]
    1.0
    """
    rng = np.random.default_rng(seed)
    source = rng.integers(graph.n, size=packets)
    target = (source + rng.integers(1, graph.n, size=packets)) % graph.n
    hops = _route(graph.starts, graph.neighbours, radii, directions, source, target)
    arrived = hops[hops > 0]
    mean = float(arrived.mean()) if arrived.size else None
    return {"greedy_success": len(arrived) / packets, "greedy_hops": mean}


@compile_cached
def _closeness(radii, directions, i, j):
    """sinh(d/2)^2 of two points, which orders as their distance d."""
    chord = 0.0
    for k in range(directions.shape[1]):
        chord += (directions[i, k] - directions[j, k]) ** 2
    along = np.sinh((radii[i] - radii[j]) / 2)
    return along * along + np.sinh(radii[i]) * np.sinh(radii[j]) * chord / 4


@compile_cached
def _route(starts, neighbours, radii, directions, source, target):
    """Steps that each packet takes, or -1 if it is lost."""
    hops = np.empty(len(source), dtype=np.int64)
    for p in range(len(source)):
        here, goal, count = source[p], target[p], 0
        left = _closeness(radii, directions, here, goal)
        while here != goal:
            best = here
            for other in neighbours[starts[here] : starts[here + 1]]:
                distance = _closeness(radii, directions, other, goal)
                # The target may lie on the very place of another node.
                if other == goal or (distance < left and best != goal):
                    best, left = other, distance
            if best == here:
                count = -1
                break
            here = best
            count += 1
        hops[p] = count
    return hops
