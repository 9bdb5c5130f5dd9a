"""Corrections of p-values for the number of tests."""

import numpy as np


def holm(p):
    """p-values, shape (m,), adjusted by Holm: the chance of any false rejection stays at alpha."""
    p = np.asarray(p, dtype=np.float64)
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    return np.minimum(adjusted, 1.0)
