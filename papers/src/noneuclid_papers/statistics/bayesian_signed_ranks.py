"""Bayesian signed-rank test of paired differences, with a region of practical equivalence.

The package baycomp of the authors has the same test. It was not taken: its last release is of July
2023, it needs matplotlib, and it evaluates its draws one by one in Python.

References
----------
.. [1] A. Benavoli, F. Mangili, G. Corani, M. Zaffalon and F. Ruggeri, A Bayesian Wilcoxon
   signed-rank test based on the Dirichlet process, ICML 2014.
.. [2] A. Benavoli, G. Corani, J. Demšar and M. Zaffalon, Time for a change: a tutorial for
   comparing multiple classifiers through Bayesian analysis, JMLR 18(77):1-36, 2017.
"""

from functools import lru_cache

import numpy as np

from noneuclid.errors import require

# Strength of the prior, all of it on one difference of zero (as in [2]_).
PRIOR = 0.5
DRAWS = 10_000


def probabilities(differences, equivalence, draws=DRAWS, seed=0):
    """Probabilities that the first method is better, practically equal and worse.

    The weights of the differences z_i and of a prior difference z_0 = 0 follow a Dirichlet
    distribution. A draw favours the first method if the weight of the pairs (i, j) whose mean
    exceeds `equivalence` is larger than that of the pairs within the region and of those below
    -`equivalence`. A mean at the end of the region counts half on either side.

    Parameters
    ----------
    differences : array_like of shape (n,)
        First minus second, one for each data set.
    equivalence : float
        Half width of the region of practical equivalence, in units of the differences; > 0.
    draws, seed : int

    Returns
    -------
    (float, float, float)

    Raises
    ------
    InputError
        If a difference is not finite, there is none, or the region has no width.

    Examples
    --------
    >>> [round(p, 2) for p in probabilities([0.05] * 10, 0.01)]
    [1.0, 0.0, 0.0]
    """
    z = np.asarray(differences, dtype=float)
    require(z.ndim == 1 and z.size, f"signed ranks: differences of shape {z.shape}; give some")
    require(np.isfinite(z).all(), "signed ranks: a difference is missing; leave the pair out")
    require(equivalence > 0, f"signed ranks: equivalence = {equivalence}; give a positive number")
    # Rounded: differences that are equal on paper must tie.
    z = np.append(0.0, z)
    sums = z[:, None] + z
    above, below = (
        np.heaviside((sign * sums - 2 * equivalence).round(12), 0.5) for sign in (1, -1)
    )
    w = _weights(len(z), draws, seed)
    better, worse = (((w @ part) * w).sum(axis=1) for part in (above, below))
    found = np.column_stack([better, 1 - better - worse, worse]).argmax(axis=1)
    return tuple((np.bincount(found, minlength=3) / draws).tolist())


@lru_cache(maxsize=4)
def _weights(n, draws, seed):
    """Draws of the weights of the prior difference and n - 1 others; the same for all pairs."""
    strength = np.append(PRIOR, np.ones(n - 1))
    return np.random.default_rng(seed).dirichlet(strength, draws)
