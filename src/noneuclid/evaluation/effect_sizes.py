"""How large a paired difference is, beside whether it is significant, and how costs grow."""

import numpy as np
from scipy.stats import t as student

from noneuclid.errors import require


def dominance(differences):
    """Cliff's delta of pairs: share of positive differences minus share of negative ones.

    Parameters
    ----------
    differences : array-like of float, shape (n,)

    Returns
    -------
    float
        1: every difference is positive; -1: every one negative.

    Examples
    --------
    >>> dominance([0.3, 0.1, 0.0, -0.2])
    0.25
    """
    return float(np.sign(_checked(differences)).mean())


def _checked(differences):
    values = np.asarray(differences, dtype=np.float64)
    require(values.ndim == 1 and values.size, f"effects: differences of shape {values.shape}")
    require(not np.isnan(values).any(), "effects: a difference is missing; leave the pair out")
    return values


def power_law(factors, cost, level=0.95):
    """Exponents b of cost = c * product of factor**b, by least squares on logarithms.

    Parameters
    ----------
    factors : array-like of float > 0, shape (m, k)
        One row per measurement, one column per quantity that varies.
    cost : array-like of float > 0, shape (m,)
    level : float
        Of the intervals, which take deviations from the law as normal and independent.

    Returns
    -------
    (ndarray, ndarray), each of shape (k,), or None
        Exponents and half widths of their intervals; None if the factors do not determine them,
        or no measurement is left over to judge them by.

    Raises
    ------
    InputError
        If a value is not positive.

    Examples
    --------
    >>> exponents, _ = power_law([[10], [20], [40]], [3, 12, 48])
    >>> exponents.round(6).tolist()
    [2.0]
    """
    factors, cost = np.asarray(factors, dtype=np.float64), np.asarray(cost, dtype=np.float64)
    require((factors > 0).all() and (cost > 0).all(), "power law: a size or a cost is not positive")
    design = np.column_stack([np.ones(len(cost)), np.log(factors)])
    spare = len(cost) - design.shape[1]
    if spare < 1 or np.linalg.matrix_rank(design) < design.shape[1]:
        return None
    found, *_ = np.linalg.lstsq(design, np.log(cost))
    rest = np.log(cost) - design @ found
    spread = np.linalg.inv(design.T @ design) * (rest @ rest / spare)
    half = student.ppf((1 + level) / 2, spare) * np.sqrt(np.diag(spread))
    return found[1:], half[1:]
