"""The libraries of the stages, loaded once for all jobs of a run, or by a single job."""

import sys
from contextlib import suppress
from functools import cache
from importlib import import_module

LIBRARIES = (
    *("ctypes", "numba", "pandas", "skops.io"),
    *("scipy.optimize", "scipy.sparse.csgraph", "scipy.spatial"),
    *("sklearn.ensemble", "sklearn.linear_model", "sklearn.model_selection", "sklearn.svm"),
)


def load():
    """Import the libraries unless the fork has them; jobs report what cannot be imported."""
    if all(library in sys.modules for library in LIBRARIES):
        return
    for library in LIBRARIES:
        with suppress(Exception):
            import_module(library)
    _load_all_of_numba()


@cache
def load_for_fit():
    """Load before a fit what its time and memory should not depend on, with the method imported.

    On Linux, where jobs are forks, all that a fork has; elsewhere the rest of numba, if it is used.
    """
    if sys.platform == "linux":
        load()
    elif "numba" in sys.modules:
        _load_all_of_numba()


def _load_all_of_numba():
    """Compile a first function, which makes numba load the rest of itself."""
    with suppress(Exception):
        import_module("numba").njit(lambda x: x + 1.0)(1.0)
