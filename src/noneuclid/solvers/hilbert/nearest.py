"""One representative for each class in the Hilbert metric, by parametric shortest paths.

The logarithms q of the facet values make the Hilbert metric of a polytope with m facets a norm of
R^m modulo constants, |q - c| = ½ (max_j (q - c)_j - min_j (q - c)_j). That every row i is within
s D_i of a representative c therefore says

    c_k - c_j <= 2 s D_i + q_ik - q_ij    for all i, j, k:

differences with upper bounds W_jk(s), the least over i. Such a c exists iff the graph on the facets
with lengths W(s) has no negative cycle, and shortest paths then give it. The least s is the largest
ratio Σ (q_ij - q_ik) / Σ 2 D_i over cycles, found by Newton's method: cut off the cycle of least
mean length, which is itself the proof of a lower bound. A step costs O(n m² + m³), the nearest rows
of other classes O(n² m) once, at worst.
"""

from dataclasses import dataclass

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.solvers import progress

_EPS = np.finfo(float).eps


@dataclass(frozen=True)
class Representatives:
    """Solution of `representatives`."""

    centres: np.ndarray  # (K, m), in the logarithms of facet values, each with sum zero
    # (K,), largest |q_i - c_k| / D_i within the class, and a proven lower bound of it for any c_k
    radii: np.ndarray
    bounds: np.ndarray
    n_iter: int  # newton steps


def representatives(logs, codes, reach):
    """Minimise max |q_i - c_k| / D_i for each class: optimisation (16) of Acharya et al. (2026).

    There are two classes in (16), and D_i is the distance from row i to the nearest row of the
    other; the largest radius is then 1/β. Each class has its own problem, so there may be any
    number of them.

    `reach` is D (n,), > 0; if all are equal, c_k is the centre of the smallest ball around the
    class. Among the optima of a class the result is the mean of the corners of their set (the
    shortest paths from and to each facet).
    """
    classes = progress.bar(range(codes.max() + 1), "class")
    fits = [_find_centre(logs[codes == k], reach[codes == k]) for k in classes]
    centres, radii, bounds, steps = map(np.array, zip(*fits, strict=True))
    return Representatives(centres, radii, bounds, int(steps.sum()))


def distances(logs, centres):
    """Hilbert distances of rows to centres, both as logarithms of facet values.

    Shapes (n, m) and (K, m) give (n, K).
    """
    return np.column_stack([0.5 * np.ptp(logs - centre, axis=1) for centre in centres])


def opposite_distances(logs, codes):
    """Hilbert distance from each row to the nearest row of another class, and that row."""
    spread, rows = _find_nearest_opposite(np.ascontiguousarray(logs), codes)
    return spread / 2, rows


@compile_cached
def _find_nearest_opposite(logs, codes):
    """Least range of the difference to a row of another class, and that row."""
    n, m = logs.shape
    best, nearest = np.full(n, np.inf), np.zeros(n, np.int64)
    for i in range(n):
        for j in range(i):
            if codes[i] == codes[j]:
                continue
            worth = max(best[i], best[j])
            low = high = logs[i, 0] - logs[j, 0]
            for k in range(1, m):
                difference = logs[i, k] - logs[j, k]
                low, high = min(low, difference), max(high, difference)
                if high - low >= worth:
                    break
            if high - low < best[i]:
                best[i], nearest[i] = high - low, j
            if high - low < best[j]:
                best[j], nearest[j] = high - low, i
    return best, nearest


def _find_centre(logs, reach):
    """Centre, radius, lower bound and steps for one class."""
    s, steps = 0.0, 0
    while True:
        steps += 1
        lengths, rows = _bound_lengths(logs, 2 * s * reach)
        cycle = _find_least_mean_cycle(lengths)
        after = np.roll(cycle, -1)
        row = rows[cycle, after]
        ratio = (logs[row, cycle] - logs[row, after]).sum() / (2 * reach[row].sum())
        if not ratio > s * (1 + 4 * _EPS):
            break
        s = ratio
    # Room for rounding: no cycle may be negative in the arithmetic of the shortest paths.
    paths = _find_shortest_paths(lengths + 16 * _EPS * np.abs(logs).max())
    centre = (paths.mean(axis=0) - paths.mean(axis=1)) / 2
    return centre, (distances(logs, centre[None])[:, 0] / reach).max(), s, steps


@compile_cached
def _bound_lengths(logs, slack):
    """Upper bounds of c_k - c_j, and the row that gives each."""
    n, m = logs.shape
    lengths, rows = np.full((m, m), np.inf), np.zeros((m, m), np.int64)
    for i in range(n):
        for j in range(m):
            base = slack[i] - logs[i, j]
            for k in range(m):
                if base + logs[i, k] < lengths[j, k]:
                    lengths[j, k], rows[j, k] = base + logs[i, k], i
    for j in range(m):
        lengths[j, j] = np.inf
    return lengths, rows


def _find_least_mean_cycle(lengths):
    """Nodes of a cycle with the least mean length (Karp 1978)."""
    m = len(lengths)
    walks, parents = np.zeros((m + 1, m)), np.zeros((m + 1, m), dtype=int)
    for step in range(1, m + 1):
        totals = walks[step - 1][:, None] + lengths
        parents[step] = totals.argmin(axis=0)
        walks[step] = totals.min(axis=0)
    means = (walks[m] - walks[:m]) / np.arange(m, 0, -1)[:, None]
    nodes = [means.max(axis=0).argmin()]
    for step in range(m, 0, -1):
        node = parents[step, nodes[-1]]
        if node in nodes:
            return np.array(nodes[nodes.index(node) :][::-1])
        nodes.append(node)
    raise AssertionError("a walk of m steps meets m + 1 of m nodes")


def _find_shortest_paths(lengths):
    """Lengths of the shortest paths between all nodes (Floyd and Warshall)."""
    paths = lengths.copy()
    np.fill_diagonal(paths, 0.0)
    for k in range(len(paths)):
        paths = np.minimum(paths, paths[:, k, None] + paths[k])
    return paths
