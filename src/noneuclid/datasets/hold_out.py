"""A stratified part of the rows, set aside for testing."""

import numpy as np


def stratified_part(labels, fraction, seed):
    """Draw about this fraction of every class, one row at least and never all of them.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
    fraction : float
    seed : int

    Returns
    -------
    ndarray of bool, shape (n,)
        A class of one row has none in the part.

    Examples
    --------
    >>> stratified_part(np.array([0] * 10 + [1] * 4 + [2]), 0.3, 0).sum()
    np.int64(4)
    """
    generator = np.random.default_rng(seed)
    part = np.zeros(len(labels), dtype=bool)
    for code in np.unique(labels):
        members = generator.permutation(np.flatnonzero(labels == code))
        size = max(1, round(fraction * len(members)))
        part[members[: min(size, len(members) - 1)]] = True
    return part
