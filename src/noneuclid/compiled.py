"""Compilation of inner loops."""

from uuid import uuid4

import numba


def compile_cached(function):
    """Compile by numba, with a cache on disk where one can be written.

    Numba caches beside the source or in the user's cache folder, and raises if it may write to
    neither; the function is then compiled anew in each process. Division by zero gives inf or nan,
    as in numpy.

    Parameters
    ----------
    function : callable

    Returns
    -------
    callable

    Examples
    --------
    >>> int(compile_cached(abs_difference := lambda a, b: abs(a - b))(1, 3))
    2
    """
    try:
        compiled = numba.njit(cache=True, error_model="numpy")(function)
    except RuntimeError:
        return numba.njit(error_model="numpy")(function)
    _guard(_cache_file(compiled), function)
    return compiled


def _cache_file(compiled):
    """Numba's index of the machine code on disk; None if there is none."""
    return getattr(getattr(compiled, "_cache", None), "_cache_file", None)


def _guard(index, function):
    """Keep machine code of another signature, or of an older callee, from being loaded.

    Numba writes the index before the code, under a name that another process may take at the same
    time for another signature: the name gets a part of its own in each process. And it stamps the
    code with the time of the function's own file: those of the compiled functions that it calls,
    which are compiled in, join it.
    """
    if index is None:
        return
    index._data_name_pattern = index._data_name_pattern.replace("{", uuid4().hex[:8] + ".{")
    called = (function.__globals__.get(name) for name in function.__code__.co_names)
    stamps = (callee._source_stamp for callee in map(_cache_file, called) if callee is not None)
    index._source_stamp = (index._source_stamp, *stamps)
