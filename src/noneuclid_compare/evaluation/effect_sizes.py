"""How large a paired difference is, beside whether it is significant, and how costs grow."""

import numpy as np
from scipy.stats import t as student

from noneuclid.errors import require


def dominance(differences):
    """Cliff's delta of paired differences, shape (n,): share positive minus share negative."""
    return float(np.sign(_checked(differences)).mean())


def _checked(differences):
    values = np.asarray(differences, dtype=np.float64)
    require(values.ndim == 1 and values.size, f"effects: differences of shape {values.shape}")
    require(not np.isnan(values).any(), "effects: a difference is missing; leave the pair out")
    return values


def power_law(factors, cost, level=0.95):
    """Exponents b of cost = c Π factor**b by least squares on logarithms, and half widths, (k,).

    factors (m, k), cost (m,), all > 0. The intervals take deviations from the law as normal and
    independent. None if the factors do not determine b, or no measurement remains to judge it.
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
