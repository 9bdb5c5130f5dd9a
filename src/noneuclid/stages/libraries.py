"""The libraries of the stages, loaded once for all jobs of a run, or by one job for itself."""

import sys
from contextlib import suppress
from importlib import import_module

LIBRARIES = (
    *("ctypes", "numba", "pandas", "skops.io"),
    *("scipy.optimize", "scipy.sparse.csgraph", "scipy.spatial"),
    *("sklearn.ensemble", "sklearn.linear_model", "sklearn.model_selection", "sklearn.svm"),
)


def load():
    """Import the libraries unless a fork has them; a job reports any that cannot be imported."""
    if all(library in sys.modules for library in LIBRARIES):
        return
    for library in LIBRARIES:
        with suppress(Exception):
            import_module(library)
    with suppress(Exception):
        # The first compiled function makes numba load as much again.
        import_module("numba").njit(lambda x: x + 1.0)(1.0)
