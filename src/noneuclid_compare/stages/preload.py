"""The libraries of the stages, loaded once for all jobs of a run, or by a single job."""

import sys
from contextlib import suppress
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
    with suppress(Exception):
        # Compiling a first function makes numba load the rest of itself.
        import_module("numba").njit(lambda x: x + 1.0)(1.0)
