"""Levels of a layout: a sample of the rows first, then more of them from its places.

In the layout of a large graph whose edges are short, a row needs many steps to reach its place.
The edges of a sample are longer, so that few steps bring its rows far. Each level has four times
the rows of the one before, and the last has all. Samples do not depend on the order of the rows,
and have different rows first.
"""

import numpy as np

from noneuclid.embeddings.ball_layout import Landmarks, lay_out, settle
from noneuclid.embeddings.fuzzy_graph import fuzzy_graph, strengths
from noneuclid.embeddings.in_blocks import in_blocks
from noneuclid.embeddings.landmark_lists import list_neighbours, make_lists
from noneuclid.embeddings.strain import least_strain
from noneuclid.embeddings.target_distances import row_graph
from noneuclid.geometry import lorentz
from noneuclid.solvers import progress

AT_ONCE = 200_000  # rows that have one level
_PUSH = 3.0, 5.0  # more keeps more neighbours; among few rows, classes then mix
_GROWTH = 4  # of the rows from level to level
_NEAR_LANDMARKS, _LANDMARK_NEIGHBOURS = 4, 10
_SAMPLED_NEIGHBOURS, _SEARCHED = 5, 1024  # where a row starts: among so many sampled ones
_BLOCK = 4096
_JITTER = 0.05  # equal rows would never part without


def sizes(n):
    """Rows of each level.

    Examples
    --------
    >>> sizes(150_000), sizes(1_000_000)
    ([150000], [62500, 250000, 1000000])
    """
    found = [n]
    while found[0] > AT_ONCE:
        found.insert(0, found[0] // _GROWTH)
    return found


def with_push(forces, n):
    """`Forces` of a level of n rows: a push of None is the default of its size.

    Examples
    --------
    >>> from noneuclid.embeddings.ball_layout import Forces
    >>> [with_push(Forces(push=None), n).push for n in (62_500, 1_000_000)]
    [3.0, 5.0]
    """
    few, many = _PUSH
    return forces if forces.push else forces._replace(push=few if n <= AT_ONCE else many)


class Levels:
    """Rows in the order of their lists, to be laid out level by level.

    Parameters
    ----------
    rows : ndarray, shape (n, p)
    rank : ndarray of int, shape (n,)
        A level of m rows has those of a rank below m.
    lists : Lists
    seed : int
    pool : ThreadPool
    """

    def __init__(self, rows, rank, lists, seed, pool):
        self.rows, self.rank, self.lists, self.seed, self.pool = rows, rank, lists, seed, pool

    def start(self, dimension, diameter):
        """Rows at the Lorentz centroid of their nearest landmarks, shape (n, d), and `Landmarks`.

        The landmarks are placed by Hydra.
        """
        lists, centres = self.lists, self.lists.centres
        count = min(_LANDMARK_NEIGHBOURS, len(centres) - 1)
        apart = row_graph(centres, count).distances()
        placed = least_strain(apart * (diameter / apart.max()), dimension, seed=self.seed).points
        near = lists.near[:, :_NEAR_LANDMARKS]
        points = np.empty((len(self.rows), dimension))

        def attach(which, _):
            part = slice(*lists.starts[which : which + 2])
            gaps = np.square(self.rows[part, None] - centres[near[which]]).sum(axis=2)
            gaps = gaps / (gaps.mean(axis=1, keepdims=True) + np.finfo(float).tiny)
            sums = np.einsum("ij,jk->ik", 1 / (gaps + 1e-3), placed[near[which]])
            time = np.sqrt(sums[:, 0] ** 2 - np.square(sums[:, 1:]).sum(axis=1))
            points[part] = sums[:, 1:] / (time + sums[:, 0])[:, None]

        in_blocks(self.pool, attach, len(centres), 1)
        wanted, held = lorentz.pairwise_distances(placed), np.diff(lists.starts)
        mean = held @ wanted @ held / held.sum() ** 2
        which = np.repeat(np.arange(len(held)), held)
        return self._apart(points), Landmarks(which, wanted, float(mean))

    def lay_out(self, start, landmarks, neighbours, forces, epochs, rate):
        """Graph and places of all rows, after so many epochs of each level."""
        graph = points = before = None
        for size in sizes(len(self.rows)):
            part = slice(None) if size == len(self.rows) else np.flatnonzero(self.rank < size)
            rows, some = self.rows[part], landmarks._replace(which=landmarks.which[part])
            lists = make_lists(self.lists.centres, some.which)
            with progress.bar(desc="neighbours", total=size, outermost=True) as bar:
                found = list_neighbours(rows, lists, neighbours - 1, self.pool, bar)
            graph = fuzzy_graph(*found)
            del found
            here = with_push(forces, size)
            if before is None:
                begin = start[part]
            else:
                begin = self._near_sample(rows, lists, *before, here)
                begin[self.rank[part] < len(points)] = points
            points = lay_out(graph, begin, some, here, epochs, rate, self.seed, self.pool)
            before = rows, lists, points
        return graph, points

    def _near_sample(self, rows, lists, sample, sample_lists, points, forces):
        """Each row at the place of its nearest sampled rows where its edges have the least loss."""
        among = sample, sample_lists, _SEARCHED
        found = list_neighbours(rows, lists, _SAMPLED_NEIGHBOURS, self.pool, among=among)
        weights, out = np.empty(found[1].shape), np.empty((len(rows), points.shape[1]))
        strengths(found[1], found[1].mean(), weights)

        def place(first, last):
            settle(found[0], weights, points, forces, 0.0, 0, first, last, out)

        in_blocks(self.pool, place, len(rows), _BLOCK)
        return self._apart(out)

    def _apart(self, points):
        """Points with noise."""
        noise = np.random.default_rng(self.seed).normal(scale=_JITTER, size=points.shape)
        return points + noise * (1 - np.square(points).sum(axis=1, keepdims=True)) / 2
