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

    Returns the exponent and the degree at which the tail begins.
    Shapes: `degrees` (n,).

    References
    ----------
    .. [1] Clauset, Shalizi and Newman, Power-law distributions in empirical data, SIAM Review
       51(4):661-703, 2009, doi:10.1137/070710111.
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

    The largest degree has rank 1; equal degrees keep their order. Curvature -1.
    Shapes: `degrees` (n,); returns shape (n,).
    """
    n, fading = len(degrees), 1 / (gamma - 1)
    rank = np.empty(n)
    rank[np.argsort(-degrees, kind="stable")] = np.arange(1, n + 1)
    return 2 * fading * np.log(rank) + 2 * (1 - fading) * np.log(n)


def reach(n, gamma, links):
    """Distance up to which the model's last node joins others, at temperature 0.

    R = 2 ln(n) - 2 ln(2 (1 - n^(b - 1)) / (pi links (1 - b))), b = 1 / (gamma - 1).
    """
    rest = 1 - 1 / (gamma - 1)
    return float(2 * np.log(n) - 2 * np.log(2 * (1 - n**-rest) / (np.pi * links * rest)))


def greedy_routing(graph, radii, directions, seed, packets=10_000):
    """Deliver packets that always move to the neighbour closest to their target.

    A packet is lost when no neighbour is closer to the target than where it is.

    Shapes: `radii` (n,), `directions` (n, d).
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
