"""Equal eigenvalues of which an embedding takes only some."""

import warnings

import numpy as np

# Eigenvalues closer than this part of the largest differ by rounding.
ROUNDING = 1e-12


def is_cut(values, dimension, largest):
    """Whether the first eigenvalue left out equals the last one taken; `values` ascend."""
    return bool(values[dimension] - values[dimension - 1] <= ROUNDING * largest)


def warn_of_cut(values, dimension, largest, name, low=1):
    """Warn if `dimension` takes some of several equal eigenvalues, and name dimensions that do not.

    No rule can choose in general: every part of the space of equal eigenvalues of a complete graph
    is taken to another one by some automorphism.

    Shapes: `values` (m,), ascending, m > dimension; `low` is the least dimension of the embedding.
    """
    if not is_cut(values, dimension, largest):
        return
    equal = np.flatnonzero(np.abs(values - values[dimension - 1]) <= ROUNDING * largest)
    first, last = int(equal[0]), int(equal[-1]) + 1
    whole = last < len(values)
    good = [str(first)] * (first >= low) + [str(last)] * whole
    cure = f"use dimension {' or '.join(good)}" if good else "use another embedding"
    count = f"{'' if whole else 'at least '}{len(equal)}"
    warnings.warn(
        f"{name}: dimension = {dimension} takes {dimension - first} of {count} equal eigenvalues "
        f"({values[first]:.4g}), whose eigenvectors are not unique: the points depend on the order "
        f"of the rows; {cure}",
        stacklevel=2,
    )
