"""How far distances are from those of a tree: Gromov's delta, and curvature of graphs."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from noneuclid.compiled import compile_cached
from noneuclid.errors import InputError, require, require_number

_SYMMETRIC = 1e-8  # of the largest distance: rounding


def delta_hyperbolicity(distances: ArrayLike, base_point: int | None = None) -> float:
    r"""Gromov's delta: half the excess of the largest of three sums of opposite distances.

    For four points the sums :math:`d(x,y) + d(z,w)`, :math:`d(x,z) + d(y,w)` and
    :math:`d(x,w) + d(y,z)` are compared; delta is the largest half difference of the two largest.
    Trees have 0, the hyperbolic plane of curvature -K has :math:`\log(2)/\sqrt{K}`, and a cycle of
    n = 4k nodes has k.

    Parameters
    ----------
    distances : array_like, shape (n, n)
        Symmetric, with a zero diagonal: those of `pairwise_distances`, or of the shortest paths of
        a graph.
    base_point : int, default=None
        Only the four-point conditions with this row: at most delta, and at least half of it. None
        compares all.

    Returns
    -------
    float
        In units of the distances.

    Raises
    ------
    InputError
        If the matrix is not one of distances.

    See Also
    --------
    sectional_curvature : A number for each node of a graph.
    noneuclid.TreeEmbedding : Embeds trees.

    Notes
    -----
    With a base point O(n^3) time and O(n^2) memory by a product of matrices over (max, min)
    (Fournier, Ismail and Vigneron, Information Processing Letters 115, 2015). Without, pairs of
    pairs from the longest on until no shorter pair can exceed what was found (Cohen, Coudert and
    Lancin, ACM Journal of Experimental Algorithmics 20, 2015), O(n^4) at worst: 1.5 s for 200
    points of the plane. The result has the error of the distances: four of them are added.

    Examples
    --------
    >>> steps = np.abs(np.subtract.outer(np.arange(8), np.arange(8)))
    >>> delta_hyperbolicity(np.minimum(steps, 8 - steps))
    2.0
    """
    distances = read_distances(distances)
    if base_point is not None:
        require_number(
            base_point, "base_point", "delta_hyperbolicity",
            low=0, high=len(distances) - 1, integer=True,
        )  # fmt: skip
        to_base = distances[base_point]
        product = (to_base[:, None] + to_base - distances) / 2
        bound = [np.minimum(row[:, None], product).max(axis=0) for row in product]
        return float(np.max(np.array(bound) - product))
    first, second = np.triu_indices(len(distances), 1)
    order = np.argsort(-distances[first, second], kind="stable")
    return float(_four_points(distances, first[order], second[order])) / 2


def sectional_curvature(distances: ArrayLike, adjacency: ArrayLike) -> np.ndarray:
    r"""Discrete curvature at each node of a graph: how its triangles violate the parallelogram law.

    The mean over pairs b, c of neighbours of m and all other nodes a of

    .. math:: \frac{d(a,m)^2 + d(b,c)^2 / 4 - (d(a,b)^2 + d(a,c)^2) / 2}{2\, d(a,m)}.

    A term is 0 on a line, -1 if a lies in a third branch of a tree at m, and 1 if a is opposite to
    m in an even cycle.

    Parameters
    ----------
    distances : array_like, shape (n, n)
        Of shortest paths; symmetric, with a zero diagonal, all finite.
    adjacency : array_like or sparse matrix, shape (n, n)
        Not zero where an edge is; the values are not used.

    Returns
    -------
    ndarray, shape (n,)
        In units of the distances; nan at nodes with fewer than two neighbours.

    Raises
    ------
    InputError
        If a matrix is not square, distances are not those of a connected graph, or the shapes
        differ.

    See Also
    --------
    delta_hyperbolicity : One number for all.
    noneuclid.Hydra : Embeds graphs.

    Notes
    -----
    Gu, Sala, Gunel and Ré, Learning mixed-curvature representations in product spaces, ICLR 2019,
    section 3.2, with the mean over all a. Sums over pairs of neighbours are sums over neighbours,
    so O(n m) for m edges, plus the squares of the degrees. Exact to rounding.

    Examples
    --------
    >>> steps = np.abs(np.subtract.outer(np.arange(6), np.arange(6)))
    >>> around = np.minimum(steps, 6 - steps)
    >>> sectional_curvature(around, around == 1)
    array([0.2, 0.2, 0.2, 0.2, 0.2, 0.2])
    """
    distances, edges = read_distances(distances), csr_array(adjacency, copy=True)
    edges.eliminate_zeros()
    n = len(distances)
    require((distances + np.eye(n)).all(), "two nodes have distance 0; join them into one")
    require(
        edges.shape == (n, n),
        f"adjacency has shape {edges.shape}, but the distances {distances.shape}; give both of one "
        "graph",
    )
    one_way = np.transpose(((edges != 0) != (edges.T != 0)).nonzero())
    require(
        not one_way.size,
        f"adjacency has the edge {one_way[:1].tolist()} in one direction only; symmetrize it",
    )
    squares, found = distances**2, np.full(n, np.nan)
    for node in range(n):
        near = edges.indices[edges.indptr[node] : edges.indptr[node + 1]]
        near = near[near != node]
        degree = len(near)
        if degree < 2:
            continue
        others = np.arange(n) != node
        apart = squares[np.ix_(near, near)].sum() / (degree * (degree - 1))
        to_near = squares[near].mean(axis=0)
        terms = squares[node] + apart / 4 - to_near
        found[node] = np.mean(terms[others] / (2 * distances[node, others]))
    return found


def read_distances(distances):
    """A matrix of distances of distinct points, checked."""
    distances = np.asarray(distances, dtype=float)
    square = distances.ndim == 2 and distances.shape[0] == distances.shape[1] > 1
    require(square, f"distances have shape {distances.shape}; give a square matrix of two or more")
    wrong = np.argwhere(~(np.isfinite(distances) & (distances >= 0)))
    for row, column in wrong[:1]:
        raise InputError(
            f"the distance at row {row}, column {column} is {distances[row, column]:.6g}; give "
            "finite numbers >= 0, those of one connected graph, or of points"
        )
    rounding = _SYMMETRIC * distances.max()
    row = distances.diagonal().argmax()
    require(
        distances[row, row] <= rounding,
        f"the diagonal is {distances[row, row]:.6g} at row {row}, not 0; give distances, not "
        "similarities",
    )
    gaps = np.abs(distances - distances.T)
    row, column = np.unravel_index(gaps.argmax(), gaps.shape)
    require(
        gaps[row, column] <= rounding,
        f"the distances are not symmetric: {distances[row, column]:.6g} at row {row}, column "
        f"{column}, {distances[column, row]:.6g} at the other place; symmetrize them",
    )
    return distances


@compile_cached
def _four_points(distances, first, second):
    """Twice delta; the pairs are sorted, the longest first.

    The sums of two pairs less the larger of the other sums is at most the shorter distance.
    """
    best = 0.0
    for i in range(len(first)):
        a, b = first[i], second[i]
        length = distances[a, b]
        if length <= best:
            break
        for j in range(i):
            c, e = first[j], second[j]
            crossed = max(distances[a, c] + distances[b, e], distances[a, e] + distances[b, c])
            best = max(best, length + distances[c, e] - crossed)
    return best
