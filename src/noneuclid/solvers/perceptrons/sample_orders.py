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


def new_orders(n, random_state):
    """Yield one random order of n rows after the other, each as parts that are read in turn.

    Up to 4096 rows are one part. Beyond, blocks of 4096 come in random order, so that memory is
    read block by block, and so do the rows of a block, which have the same order in all blocks. It
    mixes rows of one neighbourhood: shuffle data that come sorted once before.
    """
    if n <= _BLOCK:
        rows = np.arange(n, dtype=np.int32)
        state = random_state.randint(1, 2**31, size=1).astype(np.uint64)
        while True:
            _shuffle(rows, state)
            yield (rows,)
    while True:
        yield _blocks_of_order(n, random_state)


def _blocks_of_order(n, random_state):
    """Yield the rows of one block after the other."""
    blocks, inside = random_state.permutation(-(-n // _BLOCK)), random_state.permutation(_BLOCK)
    inside = inside.astype(np.int32)
    for block in blocks.tolist():
        rows = inside + np.int32(block * _BLOCK)
        yield rows if (block + 1) * _BLOCK <= n else rows[rows < n]


@compile_cached
def _shuffle(rows, state):
    """Shuffle in place by Fisher and Yates, with the xorshift64* generator of Vigna (2016)."""
    x = state[0]
    for k in range(len(rows) - 1, 0, -1):
        x ^= x >> np.uint64(12)
        x ^= x << np.uint64(25)
        x ^= x >> np.uint64(27)
        high = (x * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(32)
        j = (high * np.uint64(k + 1)) >> np.uint64(32)
        rows[k], rows[j] = rows[j], rows[k]
    state[0] = x


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
