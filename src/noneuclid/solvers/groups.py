"""Lower models of a hinge sum from a partition of its rows, refined where they are loose."""

import numpy as np

from noneuclid.solvers.compiled import compile_cached

_SINGLE = 64  # so few rows are their own groups from the start


class Groups:
    """Partition of rows whose group sums bound the hinge sum h(w) = Σ_i max(0, 1 - r_i·w).

    The hinge is convex, so Σ_k max(0, n_k - (Σ_{i in k} r_i)·w) <= h(w), with equality where no
    group has rows on both sides of r·w = 1. Splitting groups along that hyperplane closes the gap
    at w; unlike a cutting plane it keeps what other hyperplanes taught.

    Parameters
    ----------
    rows : ndarray, shape (n, d + 1)
        C-contiguous.

    Attributes
    ----------
    sums : ndarray, shape (groups, d + 1)
    counts : ndarray, shape (groups,)

    Examples
    --------
    >>> groups = Groups(np.ones((1000, 1)))
    >>> groups.hinge(np.array([0.25]), slack=0.0)
    750.0
    >>> groups.counts
    array([1000.])
    """

    def __init__(self, rows):
        self.rows = rows
        n = len(rows)
        if n <= _SINGLE:
            self._ids = np.arange(n)
            self.sums, self.counts = rows, np.ones(n)
        else:
            self._ids = np.zeros(n, dtype=np.int64)
            self.sums, self.counts = rows.sum(axis=0)[None], np.array([float(n)])
        self._active = np.zeros(n, dtype=bool)

    def hinge(self, w, slack):
        """Hinge sum at w; then split groups until their bound there is within `slack` of it.

        Parameters
        ----------
        w : ndarray, shape (d + 1,)
        slack : float

        Returns
        -------
        float
            Cost: O(n d), twice if groups are split.
        """
        sums, counts = _active_parts(self.rows, self._ids, w, len(self.counts), self._active)
        parts = np.maximum(0.0, counts - sums @ w)
        loss = parts - np.maximum(0.0, self.counts - self.sums @ w)
        order = np.argsort(-loss, kind="stable")
        wanted = np.searchsorted(np.cumsum(loss[order]), loss.sum() - slack) + 1
        split = order[: min(wanted, np.count_nonzero(loss > 0.0))]
        # A part that is empty or the whole can only come from rounding.
        split = split[(counts[split] > 0) & (counts[split] < self.counts[split])]
        if len(split) and loss.sum() > slack:
            new = np.full(len(self.counts), -1)
            new[split] = len(self.counts) + np.arange(len(split))
            _relabel(self._ids, self._active, new)
            self.sums = np.concatenate([self.sums, sums[split]])
            self.counts = np.concatenate([self.counts, counts[split]])
            self.sums[split] -= sums[split]
            self.counts[split] -= counts[split]
        return float(parts.sum())


@compile_cached
def _active_parts(rows, ids, w, groups, active):
    """Sum and number, by group, of the rows with r·w < 1, which are marked in `active`."""
    n, size = rows.shape
    sums, counts = np.zeros((groups, size)), np.zeros(groups)
    for i in range(n):
        margin = 0.0
        for j in range(size):
            margin += rows[i, j] * w[j]
        active[i] = margin < 1.0
        if active[i]:
            k = ids[i]
            counts[k] += 1.0
            for j in range(size):
                sums[k, j] += rows[i, j]
    return sums, counts


@compile_cached
def _relabel(ids, active, new):
    """Move the active rows of group k to group new[k] where that is not negative."""
    for i in range(len(ids)):
        if active[i] and new[ids[i]] >= 0:
            ids[i] = new[ids[i]]
