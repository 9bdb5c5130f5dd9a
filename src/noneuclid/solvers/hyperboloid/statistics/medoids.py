"""k-medoids of a matrix of distances: FasterPAM, and the alternation of Voronoi iteration.

The loss is the weighted sum of distances to the nearest medoid. FasterPAM makes the best swap of a
medoid with each row as soon as it lowers the loss (Schubert and Rousseeuw, Information Systems 101,
2021, algorithm 4); its optima are those of PAM, where no swap helps.
"""

import numpy as np

from noneuclid.compiled import compile_cached

# Relative to the loss: a smaller gain is rounding, and swaps would go round.
_GAIN = 1e-12


def draw_medoids(distances, weights, count, rng):
    """Rows by k-means++ with these distances, shape (count,)."""
    nearest, chance, rows = np.full(len(weights), np.inf), weights, []
    for _ in range(count):
        total = np.cumsum(chance)
        draw = np.searchsorted(total, rng.uniform() * total[-1], side="right")
        rows.append(min(draw, len(weights) - 1))
        nearest = np.minimum(nearest, distances[:, rows[-1]])
        chance = weights * np.square(nearest)
    return np.array(rows)


def alternate(distances, weights, medoids, max_iter):
    """Assign rows, then take the best medoid of each cluster, until nothing changes.

    Returns the medoids and the number of iterations.

    Examples
    --------
    >>> x = np.array([0.0, 1.0, 2.0, 9.0])
    >>> alternate(np.abs(x[:, None] - x), np.ones(4), np.array([0, 3]), 10)
    (array([1, 3]), 2)
    """
    for n_iter in range(1, max_iter + 1):  # noqa: B007
        labels, before = distances[:, medoids].argmin(axis=1), medoids
        medoids = medoids.copy()
        for k in range(len(medoids)):
            rows = np.flatnonzero(labels == k)
            if rows.size:  # else another medoid coincides with it
                costs = weights[rows] @ distances[np.ix_(rows, rows)]
                own = np.flatnonzero(rows == medoids[k])
                best = costs.argmin()
                if not (own.size and costs[own[0]] <= costs[best]):
                    medoids[k] = rows[best]
        if (medoids == before).all():
            break
    return medoids, n_iter


def faster_pam(distances, weights, medoids, max_iter):
    """Swap medoids and other rows as long as the loss falls, at most `max_iter` passes.

    Returns the medoids and the number of passes.

    Examples
    --------
    >>> x = np.array([0.0, 1.0, 2.0, 9.0])
    >>> faster_pam(np.abs(x[:, None] - x), np.ones(4), np.array([0, 1]), 10)
    (array([3, 1]), 2)
    """
    if len(medoids) == 1:  # there is no second medoid
        return np.array([np.argmin(weights @ distances)]), 1
    medoids = medoids.copy()
    return medoids, _swap(distances, weights, medoids, max_iter)


@compile_cached
def _swap(distances, weights, medoids, max_iter):
    """Moves the medoids; returns the passes."""
    n, count = len(weights), len(medoids)
    near, first, second = np.empty(n, np.int64), np.empty(n), np.empty(n)
    gains, removal = np.empty(count), np.empty(count)
    is_medoid = np.zeros(n, np.bool_)
    for k in range(count):
        is_medoid[medoids[k]] = True
    loss, since = _assign(distances, weights, medoids, near, first, second, removal), 0
    for step in range(max_iter * n):
        c = step % n
        since += 1
        if not is_medoid[c]:
            shared = 0.0
            for k in range(count):
                gains[k] = removal[k]
            for i in range(n):
                d = distances[i, c]
                if d < first[i]:
                    shared += weights[i] * (d - first[i])
                    gains[near[i]] += weights[i] * (first[i] - second[i])
                elif d < second[i]:
                    gains[near[i]] += weights[i] * (d - second[i])
            best = 0
            for k in range(1, count):
                if gains[k] < gains[best]:
                    best = k
            if gains[best] + shared < -_GAIN * loss:
                is_medoid[medoids[best]], is_medoid[c] = False, True
                medoids[best], since = c, 0
                loss = _assign(distances, weights, medoids, near, first, second, removal)
        if since >= n:
            return step // n + 1
    return max_iter


@compile_cached
def _assign(distances, weights, medoids, near, first, second, removal):
    """Writes the nearest medoid, the two least distances and the loss of removing each medoid."""
    loss = 0.0
    for k in range(len(medoids)):
        removal[k] = 0.0
    for i in range(len(weights)):
        first[i] = second[i] = np.inf
        near[i] = 0
        for k in range(len(medoids)):
            d = distances[i, medoids[k]]
            if d < first[i]:
                second[i], first[i], near[i] = first[i], d, k
            elif d < second[i]:
                second[i] = d
        loss += weights[i] * first[i]
        removal[near[i]] += weights[i] * (second[i] - first[i])
    return loss
