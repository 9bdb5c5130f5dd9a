"""Groups of rows, split along hyperplanes, whose sums bound the hinge sum from below."""

import numpy as np

from noneuclid.compiled import compile_cached, compile_inner

_SINGLE = 64  # so few rows are their own groups from the start


class Groups:
    """Partition of rows whose group sums bound the hinge sum Σ_i q_i max(0, 1 - r_i·w).

    The hinge is convex, so Σ_k max(0, n_k - s_k·w) is not larger, with n_k = Σ_{i in k} q_i and
    s_k = Σ_{i in k} q_i r_i, and with equality where no group has rows on both sides of r·w = 1.
    Splitting groups along that hyperplane closes the gap at w; unlike a cutting plane, it keeps the
    refinements made at other hyperplanes. `sums` (groups, d + 1) are s_k, `counts` (groups,) n_k.
    """

    def __init__(self, rows, weights=None):
        self.rows, self._weights = rows, np.empty(0) if weights is None else weights
        n = len(rows)
        self._active = np.zeros(n, dtype=bool)
        self.ids = np.arange(n) if n <= _SINGLE else np.zeros(n, dtype=np.int64)
        self.parents = list(range(n if n <= _SINGLE else 1))  # the group each was split from
        if weights is not None:
            self._sum_up()
        elif n <= _SINGLE:
            self.sums, self.counts = rows, np.ones(n)
        else:
            self.sums, self.counts = rows.sum(axis=0)[None], np.array([float(n)])

    def evaluate_hinge(self, w, slack):
        """Hinge sum at w; then split groups until their bound there is within `slack`; O(n d)."""
        loss, self.sums, self.counts, split = split_groups(*self.state, w, slack)
        self.parents.extend(split.tolist())
        return loss

    @property
    def state(self):
        """All that a compiled refinement needs."""
        return self.rows, self._weights, self.ids, self._active, self.sums, self.counts

    def inherit(self, shorter):
        """Values of the first groups, in rows, with those of the groups split from them."""
        values = np.zeros((len(shorter), len(self.parents)))
        for row, known in zip(values, shorter, strict=True):
            row[: len(known)] = known
        lengths = np.array([len(known) for known in shorter])
        _inherit(values, lengths, np.array(self.parents))
        return values

    def _sum_up(self):
        # At w = 0 every row is active.
        zero = np.zeros(self.rows.shape[1])
        known = self.ids, zero, self.ids.max() + 1, self._active
        self.sums, self.counts, _ = _active_parts(self.rows, self._weights, *known)


@compile_inner
def _add_in_plane(rows, weights, ids, w, active, sums, counts, hinges):
    """The same in the same order, twice as fast: loops over three numbers are written out."""
    a, b, c, weight, weighted = w[0], w[1], w[2], 1.0, len(weights) > 0
    for i in range(len(rows)):
        margin = 0.0 + rows[i, 0] * a + rows[i, 1] * b + rows[i, 2] * c
        active[i] = margin < 1.0
        if active[i]:
            k = np.uint64(ids[i])  # never negative
            if weighted:
                weight = weights[i]
            counts[k] += weight
            hinges[k] += weight * (1.0 - margin)
            sums[k, 0] += weight * rows[i, 0]
            sums[k, 1] += weight * rows[i, 1]
            sums[k, 2] += weight * rows[i, 2]


@compile_cached
def _active_parts(rows, weights, ids, w, groups, active):
    """Sum, number and hinges, by group, of the rows with r·w < 1, which are marked in `active`.

    No weights are ones.
    """
    n, size = rows.shape
    sums, counts, hinges = np.zeros((groups, size)), np.zeros(groups), np.zeros(groups)
    if size == 3:
        _add_in_plane(rows, weights, ids, w, active, sums, counts, hinges)
        return sums, counts, hinges
    for i in range(n):
        margin = 0.0
        for j in range(size):
            margin += rows[i, j] * w[j]
        active[i] = margin < 1.0
        if active[i]:
            k = ids[i]
            weight = weights[i] if len(weights) else 1.0
            counts[k] += weight
            hinges[k] += weight * (1.0 - margin)
            for j in range(size):
                sums[k, j] += weight * rows[i, j]
    return sums, counts, hinges


@compile_cached
def split_groups(rows, weights, ids, active, sums, counts, w, slack):
    """Hinge sum at w, and sums and counts of groups with those split, and which these were."""
    many, size = sums.shape
    parts, numbers, hinges = _active_parts(rows, weights, ids, w, many, active)
    loss, missing, largest, total = np.empty(many), 0.0, 0.0, 0.0
    for k in range(many):
        short = counts[k]
        for j in range(size):
            short -= sums[k, j] * w[j]
        # A part that is empty or the whole can only come from rounding.
        loss[k] = hinges[k] - max(0.0, short) if 0.0 < numbers[k] < counts[k] else 0.0
        total += hinges[k]
        missing += max(0.0, loss[k])
        largest = max(largest, loss[k])
    new, split = np.full(many, -1), np.empty(many, dtype=np.int64)
    if not missing > slack:
        return total, sums, counts, split[:0]
    # The largest, until the others are within the slack.
    least, left = largest, missing
    while left > slack and least > 1e-3 * slack / many:
        least *= 0.5
        left = 0.0
        for k in range(many):
            left += max(0.0, loss[k]) if loss[k] < least else 0.0
    n = 0
    for k in range(many):
        if loss[k] >= least and loss[k] > 0.0:
            new[k], split[n] = many + n, k
            n += 1
    relabel(ids, active, new)
    if len(weights):  # a difference would lose light rows beside heavy ones
        more, most, _ = _active_parts(rows, weights, ids, np.zeros(size), many + n, active)
        return total, more, most, split[:n]
    more, most = np.empty((many + n, size)), np.empty(many + n)
    for k in range(many + n):
        source = k if k < many else split[k - many]
        apart = new[k] >= 0 if k < many else False
        most[k] = numbers[source] if k >= many else counts[k] - (numbers[k] if apart else 0.0)
        for j in range(size):
            known = sums[k, j] - (parts[k, j] if apart else 0.0) if k < many else parts[source, j]
            more[k, j] = known
    return total, more, most, split[:n]


@compile_cached
def relabel(ids, active, new):
    """Move the active rows of group k to group new[k] where that is not negative."""
    for i in range(len(ids)):
        if active[i] and new[ids[i]] >= 0:
            ids[i] = new[ids[i]]


@compile_cached
def sum_rows_of(ids, sizes, shifts, groups):
    """Sums of both by group, and numbers of rows."""
    size, shift, many = np.zeros(groups), np.zeros(groups), np.zeros(groups, dtype=np.int64)
    for i in range(len(ids)):
        k = ids[i]
        size[k] += sizes[i]
        shift[k] += shifts[i]
        many[k] += 1
    return size, shift, many


@compile_cached
def _inherit(values, lengths, parents):
    """Fill each row of values from its length on with those of the parents, which come before."""
    for i in range(len(values)):
        for k in range(lengths[i], len(parents)):
            values[i, k] = values[i, parents[k]]
