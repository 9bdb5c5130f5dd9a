"""Orders in which a pass visits rows, without memory of the size of the data."""

import numpy as np

from noneuclid.compiled import compile_cached

# Rows at random places in memory cost more than the arithmetic, so a pass visits blocks.
_BLOCK = 4096


def given_order(n):
    """Yield rows 0 to n - 1 in order, part after part."""
    size = 16 * _BLOCK
    for start in range(0, n, size):
        yield np.arange(start, min(start + size, n), dtype=np.int32)


def new_order(n, random_state):
    """Random order of n rows that reads memory block by block.

    Blocks of 4096 come in random order, and so do the rows of a block, which have the same order in
    all blocks. It mixes rows of one neighbourhood: shuffle data that come sorted once before.

    Yields the rows of a block.
    """
    size = min(n, _BLOCK)
    blocks, inside = random_state.permutation(-(-n // size)), random_state.permutation(size)
    inside = inside.astype(np.int32)
    for block in blocks.tolist():
        rows = inside + np.int32(block * size)
        yield rows if (block + 1) * size <= n else rows[rows < n]


def shuffle_in_place(vectors, signs, random_state):
    """Put rows and their signs into a random order, in place.

    Fisher and Yates, O(n d) time and no memory of the size of the input.
    """
    for end in range(len(vectors), 0, -_BLOCK):
        open_rows = np.arange(end, max(end - _BLOCK, 0), -1)
        _swap(vectors, signs, end - 1, random_state.randint(open_rows))


@compile_cached
def _swap(vectors, signs, last, partners):
    """Swap the rows `last`, `last` - 1, ... with their partners."""
    for k in range(len(partners)):
        i, j = last - k, partners[k]
        for c in range(vectors.shape[1]):
            vectors[i, c], vectors[j, c] = vectors[j, c], vectors[i, c]
        signs[i], signs[j] = signs[j], signs[i]
