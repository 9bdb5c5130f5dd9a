"""A stratified part of the rows, set aside for testing."""

import numpy as np


def stratified_part(labels, fraction, seed):
    """Draw about this fraction of every class, one row at least and never all of them.

    Shapes: `labels` (n,); returns shape (n,).
    """
    generator = np.random.default_rng(seed)
    part = np.zeros(len(labels), dtype=bool)
    for code in np.unique(labels):
        members = generator.permutation(np.flatnonzero(labels == code))
        size = max(1, round(fraction * len(members)))
        part[members[: min(size, len(members) - 1)]] = True
    return part
