"""Perceptron passes over vectors, compiled."""

from dataclasses import dataclass

import numpy as np

from noneuclid.solvers.compiled import compile_cached


@dataclass(frozen=True)
class PerceptronRun:
    """Result of a perceptron run.

    Attributes
    ----------
    w : ndarray, shape (d,)
    n_epochs, n_updates : int
        Passes begun, and updates made (mistakes on the way).
    mistakes : int
        Rows that `w` leaves on the wrong side or on the hyperplane.
    clean : bool
        Whether the last pass met no mistake.
    """

    w: np.ndarray
    n_epochs: int
    n_updates: int
    mistakes: int
    clean: bool


def run(vectors, signs, max_epochs=100, max_updates=None, average=True, order=None):
    """Add y_i z_i to w whenever y_i w·z_i <= 0, from w = 0, until a pass meets no mistake.

    Cost: O(n d) a pass.

    Parameters
    ----------
    vectors : ndarray, shape (n, d)
    signs : ndarray, shape (n,)
        +1 or -1.
    max_epochs : int
    max_updates : int or None
        Stop after so many updates; None for no limit.
    average : bool
        Without a clean pass, return the mean of w over all steps rather than the last w.
    order : RandomState or None
        Draws a new order for every pass; None keeps the given order.

    Returns
    -------
    PerceptronRun

    Examples
    --------
    >>> import numpy as np
    >>> done = run(np.array([[1.0, 0.0], [-1.0, 0.5]]), np.array([1.0, -1.0]))
    >>> done.n_updates, done.clean
    (1, True)
    """
    vectors = np.ascontiguousarray(vectors)
    n = len(vectors)
    w, total = np.zeros(vectors.shape[1]), np.zeros(vectors.shape[1])
    limit = np.iinfo(np.int64).max if max_updates is None else max_updates
    updates = epochs = steps = 0
    clean = False
    while epochs < max_epochs and updates < limit and not clean:
        rows = np.arange(n) if order is None else order.permutation(n)
        made, taken = _pass(vectors, signs, rows, w, total, limit - updates)
        clean = made == 0
        updates, epochs, steps = updates + made, epochs + 1, steps + taken
    if average and not clean:
        w = total / steps
    mistakes = int(np.count_nonzero(signs * (vectors @ w) <= 0))
    return PerceptronRun(w, epochs, updates, mistakes, clean)


@compile_cached
def _pass(vectors, signs, rows, w, total, limit):  # pragma: no cover (compiled)
    """One pass in the order `rows`; `w` and the running sum `total` change in place."""
    made = 0
    taken = 0
    for i in rows:
        score = 0.0
        for j in range(len(w)):
            score += vectors[i, j] * w[j]
        if signs[i] * score <= 0.0:
            made += 1
            for j in range(len(w)):
                w[j] += signs[i] * vectors[i, j]
        taken += 1
        for j in range(len(w)):
            total[j] += w[j]
        if made == limit:
            break
    return made, taken
