"""Compilation of inner loops."""

import os
from uuid import uuid4

import numba
import numpy as np
from numba import types
from numba.np import linalg

# Kernels call each other and are called from Python, never through a C pointer.
_OPTIONS = {"error_model": "numpy", "no_cfunc_wrapper": True}
# Infinite values and nan keep their meaning.
_ANY_ORDER = {"reassoc", "contract", "nsz"}


def compile_cached(function):
    """Compile by numba, with a cache on disk where one can be written.

    Numba caches beside the source or in the user's cache folder, and raises if it may write to
    neither; the function is then compiled again in each process, as for a user without a home
    folder. Division by zero gives inf or nan,
    as in numpy.
    """
    return _compile(function, _OPTIONS)


def compile_released(function):
    """`compile_cached` for what several threads run at a time: without Python's lock."""
    return _compile(function, _OPTIONS | {"nogil": True})


def compile_inner(function):
    """`compile_cached` for what only other compiled functions call: less to compile."""
    return _compile(function, _OPTIONS | {"no_cpython_wrapper": True})


def compile_inlined(function):
    """`compile_inner` as a part of its caller: less to compile if it is called at one place."""
    return _compile(function, _OPTIONS | {"no_cpython_wrapper": True, "inline": "always"})


def compile_vectorised(function):
    """`compile_inner` for loops over an array: sums may be taken in any order, by vectors."""
    return _compile(function, _OPTIONS | {"no_cpython_wrapper": True, "fastmath": _ANY_ORDER})


def _compile(function, options):
    """Compile with a cache, or without one."""
    if not _has_cache_folder():
        return numba.njit(**options)(function)
    try:
        compiled = numba.njit(cache=True, **options)(function)
    except RuntimeError:
        return numba.njit(**options)(function)
    _guard_cache(get_cache_index(compiled), function)
    return compiled


def _has_cache_folder():
    """Whether the user has a folder for machine code; without a home numba makes one, ``~``."""
    home = os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~"))
    return not (numba.config.CACHE_DIR or home).startswith("~")


def get_cache_index(compiled):
    """Numba's index of the machine code on disk; None if there is none."""
    return getattr(getattr(compiled, "_cache", None), "_cache_file", None)


def _guard_cache(index, function):
    """Keep machine code of another signature, or of an older callee, from being loaded."""
    if index is None:
        return
    # Private names of numba, because its public interface has no setting for either (0.68).
    # Numba writes the index before the code, under a file name that another process may take at
    # the same time for another signature: each process puts a part of its own into the name.
    # Numba stamps the code with the state of the function's own file only; compiled functions that
    # it calls are part of the code, so their stamps join it. tests/experiment/test_compiled.py
    # fails when numba changes these names.
    index._data_name_pattern = index._data_name_pattern.replace("{", uuid4().hex[:8] + ".{")
    called = (function.__globals__.get(name) for name in function.__code__.co_names)
    stamps = (callee._source_stamp for callee in map(get_cache_index, called) if callee is not None)
    index._source_stamp = (index._source_stamp, *stamps)


_GESV, _DOUBLE = linalg._LAPACK().numba_xgesv(types.float64), ord("d")


@compile_cached
def copy_into(source, target):
    """``target[:] = source`` for vectors, which would compile numba's text of an error for 2 s."""
    for i in range(len(target)):
        target[i] = source[i]


@compile_cached
def solve(matrix, vector):
    """np.linalg.solve with one right-hand side, without the 2 s of `copy_into`."""
    n = len(vector)
    columns, found, pivots = np.empty((n, n)), np.empty(n), np.empty(n, linalg.F_INT_nptype)
    finite = True
    for i in range(n):
        found[i] = vector[i]
        finite &= np.isfinite(vector[i])
        for j in range(n):
            columns[j, i] = matrix[i, j]
            finite &= np.isfinite(matrix[i, j])
    if not finite:
        raise np.linalg.LinAlgError("Array must not contain infs or NaNs.")
    n_rows = _GESV(_DOUBLE, n, 1, columns.ctypes, n, pivots.ctypes, found.ctypes, n)
    if n_rows > 0:
        raise np.linalg.LinAlgError("Matrix is singular to machine precision.")
    return found
