"""Lower models of a hinge sum from a partition of its rows, refined where they are loose."""

import numpy as np

from noneuclid.compiled import compile_cached

_SINGLE = 64  # so few rows are their own groups from the start


class Groups:
    """Partition of rows whose group sums bound the hinge sum h(w) = Σ_i q_i max(0, 1 - r_i·w).

    The hinge is convex, so Σ_k max(0, n_k - s_k·w) <= h(w) with n_k = Σ_{i in k} q_i and s_k =
    Σ_{i in k} q_i r_i, and with equality where no group has rows on both sides of r·w = 1.
    Splitting groups along that hyperplane closes the gap
    at w; unlike a cutting plane it keeps what other hyperplanes taught.

    Attributes: sums (groups, d + 1): s_k; counts (groups,): n_k.
    """

    def __init__(self, rows, weights=None):
        self.rows, self._weights = rows, np.empty(0) if weights is None else weights
        n = len(rows)
        self._active = np.zeros(n, dtype=bool)
        self._ids = np.arange(n) if n <= _SINGLE else np.zeros(n, dtype=np.int64)
        if weights is not None:
            self._sum_up()
        elif n <= _SINGLE:
            self.sums, self.counts = rows, np.ones(n)
        else:
            self.sums, self.counts = rows.sum(axis=0)[None], np.array([float(n)])

    def hinge(self, w, slack):
        """Hinge sum at w; then split groups until their bound there is within `slack`; O(n d)."""
        sums, counts = self._parts(w, len(self.counts))
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
            if len(self._weights):
                self._sum_up()  # a difference would lose light rows beside heavy ones
            else:
                self.sums = np.concatenate([self.sums, sums[split]])
                self.counts = np.concatenate([self.counts, counts[split]])
                self.sums[split] -= sums[split]
                self.counts[split] -= counts[split]
        return float(parts.sum())

    def _parts(self, w, groups):
        return _active_parts(self.rows, self._weights, self._ids, w, groups, self._active)

    def _sum_up(self):
        # At w = 0 every row is active.
        self.sums, self.counts = self._parts(np.zeros(self.rows.shape[1]), self._ids.max() + 1)


@compile_cached
def _active_parts(rows, weights, ids, w, groups, active):
    """Sum and number, by group, of the rows with r·w < 1, which are marked in `active`.

    No weights are ones.
    """
    n, size = rows.shape
    sums, counts = np.zeros((groups, size)), np.zeros(groups)
    for i in range(n):
        margin = 0.0
        for j in range(size):
            margin += rows[i, j] * w[j]
        active[i] = margin < 1.0
        if active[i]:
            k = ids[i]
            weight = weights[i] if len(weights) else 1.0
            counts[k] += weight
            for j in range(size):
                sums[k, j] += weight * rows[i, j]
    return sums, counts


@compile_cached
def _relabel(ids, active, new):
    """Move the active rows of group k to group new[k] where that is not negative."""
    for i in range(len(ids)):
        if active[i] and new[ids[i]] >= 0:
            ids[i] = new[ids[i]]
