"""Random walks on a graph, and the pairs of nodes that meet in them: what skip-gram reads."""

from itertools import count

import numpy as np

from noneuclid.compiled import compile_cached
from noneuclid.embeddings.epochs import check_epochs
from noneuclid.errors import require, require_number

# Pairs that are kept take 16 bytes each: 1.6 GB.
MAX_PAIRS = 100_000_000


def check_walks(
    name,
    n,
    *,
    num_walks=10,
    walk_length=10,
    window=5,
    negative_sample_rate=5,
    learning_rate=0.025,
    burn_in=0,
    max_iter=200,
    tol=0.003,
):
    """Raise `InputError` if a parameter is out of range, or one walk makes too many pairs.

    Examples
    --------
    >>> check_walks("example", 100, num_walks=5)
    """
    counts = {
        "num_walks": num_walks,
        "walk_length": walk_length,
        "window": window,
        "negative_sample_rate": negative_sample_rate,
    }
    for key, value in counts.items():
        require_number(value, key, name, low=1, integer=True)
    check_epochs(name, learning_rate=learning_rate, burn_in=burn_in, max_iter=max_iter, tol=tol)
    pairs = 2 * n * walk_length * window
    require(
        pairs <= MAX_PAIRS,
        f"{name}: up to {pairs} pairs of nodes in one walk from each exceed {MAX_PAIRS}; lower "
        "walk_length or window",
    )


def pair_draws(graph, seed, *, num_walks, walk_length, window):
    """A function that returns the pairs of an epoch, and how often each node was visited.

    The pairs of all epochs are the same, unless they exceed `MAX_PAIRS`: each epoch then has those
    of one new walk from each node.
    """
    options = {"walk_length": walk_length, "window": window}
    if 2 * graph.n * num_walks * walk_length * window <= MAX_PAIRS:
        pairs, visits = walk_pairs(graph, seed, num_walks=num_walks, **options)
        return lambda: pairs, visits
    epochs = count(1)
    visits = walk_pairs(graph, seed, num_walks=1, **options)[1]
    return lambda: walk_pairs(graph, (seed, next(epochs)), num_walks=1, **options)[0], visits


def walk_pairs(graph, seed, *, num_walks, walk_length, window):
    """Pairs that meet within the window of a walk, and how often each node was visited.

    From each node start `num_walks` uniform random walks of `walk_length` steps; two visits at most
    `window` steps apart make a pair, in both orders. A node met again by itself makes none.

    Returns `pairs` (p, 2), `visits` (n,).
    """
    rng = np.random.default_rng(seed)
    steps = [np.tile(np.arange(graph.n), num_walks)]
    for _ in range(walk_length):
        here = steps[-1]
        drawn = (rng.random(len(here)) * graph.degrees[here]).astype(np.int64)
        steps.append(graph.neighbours[graph.starts[here] + drawn])
    pairs = []
    for apart in range(1, min(window, walk_length) + 1):
        before, after = np.concatenate(steps[:-apart]), np.concatenate(steps[apart:])
        pairs += [np.column_stack([before, after]), np.column_stack([after, before])]
    pairs = np.concatenate(pairs)
    visits = np.bincount(np.concatenate(steps), minlength=graph.n)
    return pairs[pairs[:, 0] != pairs[:, 1]], visits


def noise_probabilities(visits):
    """Cumulative probabilities by which contrasting nodes are drawn: visits to the power 3/4.

    The last is exactly 1.
    Shapes: `visits` (n,); returns shape (n,).
    """
    total = np.cumsum(visits**0.75)
    return total / total[-1]


@compile_cached
def draw_contrast(pair, cumulative, chosen, rng):
    """Fill `chosen` with the second node of a pair, then with noise.

    Noise that equals the second node is not a contrast to it and is marked by -1.

    Shapes: `pair` (2,), `cumulative` (n,), `chosen` (negatives + 1,).

    Examples
    --------
    >>> chosen = np.zeros(2, dtype=np.int64)
    >>> draw_contrast(np.array([0, 1]), np.array([0.0, 1.0]), chosen, np.random.default_rng(0))
    >>> chosen.tolist()
    [1, -1]
    """
    chosen[0] = pair[1]
    for k in range(1, len(chosen)):
        other = np.searchsorted(cumulative, rng.random(), side="right")
        chosen[k] = -1 if other == pair[1] else other


@compile_cached
def logistic_loss(score, target):
    """Logistic loss of a score against a target of 1 or 0, and its derivative.

    Examples
    --------
    >>> logistic_loss(0.0, 1.0)[1]
    -0.5
    """
    small = np.exp(-abs(score))
    probability = 1 / (1 + small) if score >= 0 else small / (1 + small)
    loss = max(score, 0.0) - score * target + np.log1p(small)
    return loss, probability - target
