"""Compilation of inner loops."""

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
        return numba.njit(cache=True, error_model="numpy")(function)
    except RuntimeError:
        return numba.njit(error_model="numpy")(function)
