"""Rows sorted into lists by their nearest landmark, and nearest neighbours found by these lists."""

from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

from noneuclid.compiled import compile_released
from noneuclid.embeddings.in_blocks import in_blocks

_FEWEST = 500  # landmarks by default
_TRAINED_ON = 50  # rows for each landmark
_STEPS = 8  # of k-means
CANDIDATES = 8192  # rows that are searched at least: up to here neighbours are exact
_PER_ROOT = 24  # times sqrt(n): where this is more, so many
_MORE = 3  # times as many for new rows, which are fewer
_NEAREST = 4  # lists that are known at least
_BLOCK = 256  # rows whose products with the searched ones stay in the cache


class Lists(NamedTuple):
    """Rows in the order of their lists, and which lists are searched for the neighbours of a row.

    Attributes
    ----------
    centres : ndarray, shape (m, p)
    starts : ndarray of int, shape (m + 1,)
        List l has the rows ``starts[l]:starts[l + 1]``.
    near : ndarray of int, shape (m, s)
        The nearest lists of each, itself first.
    """

    centres: np.ndarray
    starts: np.ndarray
    near: np.ndarray

    def candidates(self, which, least):
        """Rows of the nearest lists, as many lists as hold `least` rows."""
        if self.starts[-1] <= least:
            return np.arange(self.starts[-1])
        sizes = np.diff(self.starts)[self.near[which]]
        lists = self.near[which, : np.searchsorted(np.cumsum(sizes), least) + 1]
        return np.concatenate([np.arange(*self.starts[k : k + 2]) for k in lists])


def hashed_order(rows, seed):
    """Order rows by a hash of their values: at random, but alike in whichever order they come.

    Equal rows are neighbours in this order.
    Shapes: `rows` (n, p).

    Examples
    --------
    >>> rows = np.arange(12.0).reshape(6, 2)
    >>> one, other = (x[hashed_order(x, 0)] for x in (rows, rows[::-1]))
    >>> bool((one == other).all())
    True
    """
    bits = np.ascontiguousarray(rows + 0.0).view(np.uint64)  # -0.0 is 0.0
    golden = np.uint64(0x9E3779B97F4A7C15)
    state = np.full(len(rows), seed, dtype=np.uint64) + golden  # rows of zeros change it, too
    for column in bits.T:
        state ^= column
        state *= golden
        state ^= state >> np.uint64(29)
    state *= golden  # the last column reaches all bits, too
    return np.argsort(state ^ (state >> np.uint64(32)), kind="stable")


def sample_rank(rows):
    """Rank of each row in a sample: the first of equal rows before the second of any.

    Shapes: `rows` (n, p), in the order of `hashed_order`.

    Examples
    --------
    >>> sample_rank(np.array([[5.0], [5.0], [5.0], [1.0], [2.0], [2.0]])).tolist()
    [0, 3, 5, 1, 2, 4]
    """
    first = np.r_[True, (rows[1:] != rows[:-1]).any(axis=1)]
    place = np.arange(len(rows))
    repeat = place - np.maximum.accumulate(np.where(first, place, 0))
    rank = np.empty(len(rows), dtype=np.int64)
    rank[np.argsort(repeat, kind="stable")] = place
    return rank


def k_means(rows, count, pool):
    """Centres of rows, by Lloyd's steps from the first different rows of a sample.

    Different rows in the order of `hashed_order` are a random sample. At most `count` centres;
    lists that are empty are left out.
    Shapes: `rows` (n, p).
    """
    different = np.flatnonzero(np.r_[True, (rows[1:] != rows[:-1]).any(axis=1)])
    sample = rows[different[: _TRAINED_ON * count]]
    centres = sample[:count]
    for _ in range(_STEPS):
        which = nearest_centre(sample, centres, pool)
        order, sizes = np.argsort(which, kind="stable"), np.bincount(which, minlength=len(centres))
        full = sizes > 0
        first = np.concatenate([[0], np.cumsum(sizes[full])[:-1]])
        centres = np.add.reduceat(sample[order], first) / sizes[full, None]
    return centres


def nearest_centre(rows, centres, pool):
    """The nearest centre of each row."""
    middle = np.median(centres, axis=0)  # one far centre must not cost the digits of all
    centres = centres - middle
    squares = 0.5 * np.einsum("ij,ij->i", centres, centres)
    found = np.empty(len(rows), dtype=np.int64)

    def search(first, last):
        found[first:last] = (squares - (rows[first:last] - middle) @ centres.T).argmin(axis=1)

    in_blocks(pool, search, len(rows), _BLOCK)
    return found


def sort_into_lists(rows, count, pool):
    """Landmarks by k-means, and the rows sorted by their nearest one.

    Returns the `Lists` and the order that sorts the rows.
    Shapes: `rows` (n, p), in the order of `hashed_order`.
    """
    centres = k_means(rows, count, pool)
    which = nearest_centre(rows, centres, pool)
    used = np.bincount(which, minlength=len(centres)) > 0
    centres, which = centres[used], (np.cumsum(used) - 1)[which]
    return make_lists(centres, which), np.argsort(which, kind="stable")


def make_lists(centres, which):
    """The `Lists` of rows with these landmarks; a list may be empty.

    Shapes: `centres` (m, p), `which` (n,), in [0, m).
    """
    starts = np.concatenate([[0], np.cumsum(np.bincount(which, minlength=len(centres)))])
    near = np.argsort(cdist(centres, centres), axis=1, kind="stable")
    reached = np.cumsum(np.diff(starts)[near], axis=1).min(axis=0)
    near = near[:, : max(_NEAREST, np.searchsorted(reached, _MORE * searched(len(which))) + 1)]
    return Lists(centres, starts, near)


def searched(n):
    """Rows that are searched for the neighbours of a row among n.

    Examples
    --------
    >>> searched(100_000), searched(1_000_000)
    (8192, 24000)
    """
    return max(CANDIDATES, int(_PER_ROOT * np.sqrt(n)))


def landmark_count(n):
    """Landmarks for n rows: searching their lists costs about as much as finding them."""
    return int(min(n, max(_FEWEST, 2 * np.sqrt(n))))


def list_neighbours(rows, lists, count, pool, bar=None, among=None):
    """The nearest other rows of each row, among those of its nearest lists.

    `among` has other rows to search, the lists of these by the same landmarks, and how many rows
    are searched at least. Squares of differences give the distances; products of matrices only
    choose the rows.

    Shapes: `rows` (n, p), in the order of the lists; returns `nearest` (n, count) and `lengths`
    (n, count), the nearest first.
    """
    n = len(rows)
    others, other_lists, least = among or (rows, lists, searched(n))
    nearest, lengths = np.empty((n, count), dtype=np.int32), np.empty((n, count))
    sizes = np.diff(lists.starts)

    def search(which, _):
        candidates = other_lists.candidates(which, least)
        there = others[candidates] - lists.centres[which]
        squares = 0.5 * np.einsum("ij,ij->i", there, there)
        for first in range(lists.starts[which], lists.starts[which + 1], _BLOCK):
            last = min(first + _BLOCK, lists.starts[which + 1])
            here = rows[first:last] - lists.centres[which]
            own = first if among is None else -n
            out = nearest[first:last], lengths[first:last]
            _choose(here @ there.T, squares, rows[first:last], others, candidates, own, *out)
        if bar is not None:
            bar.update(int(sizes[which]))

    in_blocks(pool, search, len(sizes), 1)
    return nearest, lengths


@compile_released
def _choose(products, squares, rows, others, candidates, own, nearest, lengths):
    """Write the nearest candidates into `nearest`, sorted by the length of their edge.

    They have the least half square minus product. Row i of `rows` is the row `own + i` of `others`,
    which is left out.
    Shapes: `rows` (m, p), `products` (m, c), `squares`, `candidates` (c,), `nearest`, `lengths`
    (m, count).
    """
    count = nearest.shape[1]
    chosen, least = np.empty(count, dtype=np.int64), np.empty(count)
    for i in range(products.shape[0]):
        filled, worst = 0, np.inf
        for j in range(products.shape[1]):
            gap = squares[j] - products[i, j]
            if (filled == count and gap >= worst) or candidates[j] == own + i:
                continue
            place = filled if filled < count else count - 1
            while place > 0 and least[place - 1] > gap:
                least[place], chosen[place] = least[place - 1], chosen[place - 1]
                place -= 1
            least[place], chosen[place] = gap, candidates[j]
            filled = min(filled + 1, count)
            worst = least[filled - 1]
        for j in range(count):
            length = 0.0
            for t in range(rows.shape[1]):
                length += (rows[i, t] - others[chosen[j], t]) ** 2
            place = j
            while place > 0 and lengths[i, place - 1] > length:
                lengths[i, place] = lengths[i, place - 1]
                nearest[i, place] = nearest[i, place - 1]
                place -= 1
            lengths[i, place], nearest[i, place] = length, chosen[j]
        for j in range(count):
            lengths[i, j] = np.sqrt(lengths[i, j])


def neighbours_of_new(new, rows, lists, count):
    """The nearest rows of new ones, each found alone, among more rows than for rows of the fit.

    Shapes: `new` (m, p), `rows` (n, p); returns `nearest` and `lengths` (m, count).
    """
    nearest, lengths = np.empty((len(new), count), dtype=np.int64), np.empty((len(new), count))
    # Differences, which round alike for one row and for many.
    which = np.concatenate(
        [
            cdist(new[first : first + _BLOCK], lists.centres).argmin(axis=1)
            for first in range(0, len(new), _BLOCK)
        ]
    )
    for k in np.unique(which):
        candidates = lists.candidates(k, _MORE * searched(len(rows)))
        there, members = rows[candidates], np.flatnonzero(which == k)
        for first in range(0, len(members), _BLOCK):
            block = members[first : first + _BLOCK]
            gaps = cdist(new[block], there)
            order = np.argpartition(gaps, count - 1, axis=1)[:, :count]
            gaps = np.take_along_axis(gaps, order, axis=1)
            ranked = np.lexsort([order, gaps])
            nearest[block] = candidates[np.take_along_axis(order, ranked, axis=1)]
            lengths[block] = np.take_along_axis(gaps, ranked, axis=1)
    return nearest, lengths
