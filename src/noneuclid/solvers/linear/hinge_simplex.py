"""Sums of hinges in few variables, by a simplex method that starts from a known vertex."""

import math

import numpy as np

from noneuclid.compiled import compile_cached

_PIVOT = 1e-9  # of a row's length: no vertex leans on a smaller one
_SHARP = 1e-11  # of a multiplier's terms: less is rounding
INACTIVE, ACTIVE, BASIC = 0, 1, 2


@compile_cached
def find_vertex(rows, counts, wanted, z, inverse, basis, along, state):
    """Move z to the vertex where the rows `wanted` are zero, as far as they are independent.

    Columns a of `rows` are those of hinges max(0, counts - a·z). Fills
    the columns of `inverse` with directions p_j, a_i·p_j = 1 for the row i = basis[j] and 0 for
    the others of the basis; basis[j] is -1 where no row was found. `along` becomes a·z, and
    `state` tells on which side of its kink each row is.
    """
    size, m = len(z), len(counts)
    v = np.empty(size)
    for j in range(size):
        basis[j] = -1
        for i in range(size):
            inverse[i, j] = 1.0 if i == j else 0.0
    for k in range(size):
        r = wanted[k]
        if r < 0:
            continue
        length, value, best = 0.0, 0.0, -1
        for i in range(size):
            length += rows[i, r] ** 2
            value += rows[i, r] * z[i]
        for j in range(size):
            v[j] = 0.0
            for i in range(size):
                v[j] += rows[i, r] * inverse[i, j]
            if basis[j] < 0 and (best < 0 or abs(v[j]) > abs(v[best])):
                best = j
        if not abs(v[best]) > _PIVOT * math.sqrt(length):
            continue
        exchange(inverse, v, best)
        basis[best] = r
        for i in range(size):
            z[i] += (counts[r] - value) * inverse[i, best]
    for r in range(m):
        along[r] = 0.0
    for i in range(size):
        for r in range(m):
            along[r] += rows[i, r] * z[i]
    for r in range(m):
        state[r] = ACTIVE if along[r] < counts[r] else INACTIVE
    for j in range(size):
        if basis[j] >= 0:
            state[basis[j]] = BASIC


@compile_cached
def exchange(inverse, v, k):
    """Put a row into place k of the basis, v its products with the columns of `inverse`."""
    size = len(v)
    for i in range(size):
        inverse[i, k] /= v[k]
    for j in range(size):
        if j != k:
            for i in range(size):
                inverse[i, j] -= v[j] * inverse[i, k]


@compile_cached
def descend(rows, counts, weights, z, inverse, basis, along, state, max_steps):
    """Minimise Σ_i weights_i max(0, counts_i - a_i·z) from a vertex, in place.

    From vertex to vertex along edges, on each to the kink where the slope changes its sign. Each
    step is O(m size). Returns the multipliers of the basis, in [0, weight].
    """
    size, m = len(z), len(counts)
    g, alpha, moved = np.zeros(size), np.zeros(size), np.empty(m)
    v, kinks, times = np.empty(size), np.empty(m, dtype=np.int64), np.empty(m)
    lengths = np.zeros(m)
    for i in range(size):
        for r in range(m):
            lengths[r] += rows[i, r] ** 2
    for r in range(m):
        lengths[r] = math.sqrt(lengths[r])
        if state[r] == ACTIVE:
            for i in range(size):
                g[i] -= weights[r] * rows[i, r]
    steps = 0
    while True:
        # The edge of steepest descent.
        best, worst, turn = -1, 0.0, 1.0
        for j in range(size):
            value, terms, length = 0.0, 0.0, 0.0
            for i in range(size):
                term = g[i] * inverse[i, j]
                value += term
                terms += abs(term)
                length += inverse[i, j] ** 2
            most = weights[basis[j]] if basis[j] >= 0 else 0.0
            alpha[j] = min(max(value, 0.0), most)
            excess = abs(value - alpha[j])
            if excess > _SHARP * terms and excess > worst * math.sqrt(length):
                best, worst = j, excess / math.sqrt(length)
                turn = 1.0 if value < 0.0 else -1.0
        if best < 0 or steps == max_steps:
            break
        steps += 1
        slope, length = 0.0, 0.0
        for i in range(size):
            slope += turn * g[i] * inverse[i, best]
            length += inverse[i, best] ** 2
        left = basis[best]
        if left >= 0 and turn < 0.0:
            slope += weights[left]
        for r in range(m):
            moved[r] = 0.0
        for i in range(size):
            p = turn * inverse[i, best]
            for r in range(m):
                moved[r] += p * rows[i, r]
        # Along the edge to the kink where the slope is no longer negative.
        small, found, step = _PIVOT * math.sqrt(length), -1, 0.0
        if left >= 0:
            state[left] = ACTIVE if turn < 0.0 else INACTIVE
            if turn < 0.0:
                for i in range(size):
                    g[i] -= weights[left] * rows[i, left]
        # Kinks ahead; none is reached beyond one that alone turns the slope.
        ahead, most = 0, np.inf
        for r in range(m):
            towards = moved[r] if state[r] == ACTIVE else -moved[r]
            if state[r] != BASIC and towards > small * lengths[r]:
                at = max(0.0, (counts[r] - along[r]) / moved[r])
                if at < most:
                    kinks[ahead], times[ahead] = r, at
                    ahead += 1
                    if weights[r] * abs(moved[r]) >= -slope:
                        most = at
        while ahead:
            next_ = 0
            for k in range(1, ahead):
                if times[k] < times[next_]:
                    next_ = k
            found, step = kinks[next_], times[next_]
            slope += weights[found] * abs(moved[found])
            factor = weights[found] if state[found] == ACTIVE else -weights[found]
            if slope >= 0.0 or ahead == 1:  # by rounding: no sum of hinges falls for ever
                if state[found] == ACTIVE:  # it is no longer a part of g
                    for i in range(size):
                        g[i] += factor * rows[i, found]
                break
            for i in range(size):
                g[i] += factor * rows[i, found]
            state[found] = INACTIVE if state[found] == ACTIVE else ACTIVE
            ahead -= 1
            kinks[next_], times[next_], found = kinks[ahead], times[ahead], -1
        if found < 0:
            if left >= 0:
                state[left] = BASIC  # rounding
            break
        for i in range(size):
            z[i] += step * turn * inverse[i, best]
        for j in range(size):
            v[j] = 0.0
            for i in range(size):
                v[j] += rows[i, found] * inverse[i, j]
        exchange(inverse, v, best)
        basis[best], state[found] = found, BASIC
        for r in range(m):
            along[r] += step * moved[r]
        along[found] = counts[found]
    return alpha
