"""How well a graph can be read back from its embedding."""

import numpy as np
from scipy.spatial.distance import cdist
from scipy.stats import rankdata

from noneuclid.embeddings import graphs
from noneuclid.embeddings.distortion import distortion, sample_rows


def polar_form(tangent):
    """Distance of each point from the origin, and its direction (zero at the origin).

    Shapes: `tangent` (n, d); returns `radii` (n,), `directions` (n, d).
    """
    radii = np.linalg.norm(tangent, axis=1)
    return radii, tangent / np.where(radii == 0, 1.0, radii)[:, None]


def tangent_distances(rows, points):
    """Hyperbolic distances between points in the chart `tangent`, however far out.

    With radii r, s and the chord c between directions, sinh(d/2)^2 = sinh((r-s)/2)^2 +
    sinh(r) sinh(s) c^2/4, a sum without cancellation: the error is that of the directions.

    Returns shape (m, n).
    """
    (r, u), (s, v) = polar_form(rows), polar_form(points)
    chord = cdist(u, v, "sqeuclidean")
    across = np.sinh(r)[:, None] * np.sinh(s) * chord / 4
    return 2 * np.arcsinh(np.sqrt(np.sinh(np.subtract.outer(r, s) / 2) ** 2 + across))


def neighbour_ranks(distances, adjacent, rows):
    """How well neighbours are found again as the nearest points.

    The measures of Nickel and Kiela (2017): for each row, its neighbours are ranked among itself
    and the rows that are not neighbours, and precision is averaged over its neighbours. Equal
    distances count against the embedding.

    Returns `mean_average_precision` over rows and `mean_rank` over edges (1 is best).
    Shapes: `distances` (m, n), `adjacent` (m, n), `rows` (m,).
    """
    precision, ranks = [], []
    for row, distance, near in zip(rows, distances, adjacent, strict=True):
        others = np.arange(len(distance)) != row
        rank = rankdata(distance[others], method="max")[near[others]]
        among = rankdata(rank, method="max")
        precision.append(np.mean(among / rank))
        ranks.append(rank - among + 1)
    return {
        "mean_average_precision": float(np.mean(precision)),
        "mean_rank": float(np.mean(np.concatenate(ranks))),
    }


def quality(graph, points, seed, distances=tangent_distances):
    """Reconstruction of edges and, in a connected graph, distortion of path lengths.

    Shapes: `points` (n, d).
    """
    rows = sample_rows(graph.n, seed)
    embedded = distances(points[rows], points)
    adjacent = np.zeros((len(rows), graph.n), dtype=bool)
    for i, row in enumerate(rows):
        adjacent[i, graph.neighbours[graph.starts[row] : graph.starts[row + 1]]] = True
    found = neighbour_ranks(embedded, adjacent, rows)
    if graph.components > 1:
        return found
    return distortion(graphs.paths_from(graph, rows), embedded, rows, adjacent) | found
