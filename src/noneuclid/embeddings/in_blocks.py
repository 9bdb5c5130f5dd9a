"""Work on blocks of rows by threads; no result depends on the number of threads."""

from contextlib import contextmanager
from multiprocessing.pool import ThreadPool
from numbers import Integral

from joblib import effective_n_jobs
from threadpoolctl import threadpool_limits

from noneuclid.errors import require


@contextmanager
def threads(n_jobs):
    """A pool of threads for `in_blocks`; `n_jobs` as in scikit-learn.

    BLAS has one thread in the block, because its sums depend on the number of its threads.
    """
    require(
        n_jobs is None or (isinstance(n_jobs, Integral) and n_jobs != 0),
        f"n_jobs = {n_jobs!r}; give None, a positive number of threads, or -1 for all processors",
    )
    with threadpool_limits(1), ThreadPool(effective_n_jobs(n_jobs)) as pool:
        yield pool


def in_blocks(pool, work, n, size):
    """Call ``work(first, last)`` for the blocks of `size` of n rows.

    Examples
    --------
    >>> found = set()
    >>> with threads(2) as pool:
    ...     in_blocks(pool, lambda *block: found.add(block), 5, 3)
    >>> sorted(found)
    [(0, 3), (3, 5)]
    """
    blocks = [(first, min(first + size, n)) for first in range(0, n, size)]
    pool.starmap(work, blocks, chunksize=1)
