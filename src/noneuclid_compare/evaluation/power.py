"""Which difference between two methods a number of data sets can show."""

import numpy as np
from scipy.stats import norm

from noneuclid.errors import require

POWER = 0.8
DRAWS = 1_000
# Of Wilcoxon's test on normal differences, relative to Student's.
EFFICIENCY = 3 / np.pi
_HALVINGS = 16


def minimal_difference(differences, alpha=0.05, power=POWER, draws=DRAWS, seed=0):
    """Smallest shift that Wilcoxon's two-sided signed-rank test finds with this power.

    Simulated: samples of the same size are drawn from the differences about their median, each
    with a random sign, and shifted. The critical value is exact for samples without ties.

    Parameters
    ----------
    differences : array_like of shape (n,)
        Observed, one for each data set.
    alpha, power : float
    draws, seed : int

    Returns
    -------
    float
        nan if n is so small that no sample is significant, or if all differences are equal: their
        spread is unknown then.

    Raises
    ------
    InputError
        If a difference is not finite, or there are fewer than two.

    Examples
    --------
    >>> gaps = norm.ppf((np.arange(40) + 0.5) / 40)
    >>> round(minimal_difference(gaps), 1), round(normal_difference(gaps.std(), 40), 1)
    (0.5, 0.4)
    """
    gaps = np.asarray(differences, dtype=float)
    require(
        gaps.ndim == 1 and len(gaps) > 1 and np.isfinite(gaps).all(),
        f"power: {gaps.size} differences, all of which must be finite; give two or more",
    )
    n = len(gaps)
    critical = critical_sum(n, alpha)
    if critical < 0 or np.ptp(gaps) == 0:
        return np.nan
    rng = np.random.default_rng(seed)
    noise = rng.choice(gaps - np.median(gaps), size=(draws, n)) * rng.choice([-1, 1], (draws, n))

    def found(shift):
        moved = noise + shift
        order = np.argsort(np.abs(moved), axis=1)
        up = np.take_along_axis(moved > 0, order, axis=1) @ np.arange(1, n + 1)
        return (np.minimum(up, n * (n + 1) / 2 - up) <= critical).mean()

    # Beyond the largest deviation all differences are positive.
    low, high = 0.0, np.abs(noise).max() + 1e-12
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if found(middle) >= power else (middle, high)
    return float(high)


def critical_sum(n, alpha):
    """Largest sum of the ranks of one sign with a two-sided p-value below alpha; -1 if none has.

    Examples
    --------
    >>> critical_sum(10, 0.05), critical_sum(5, 0.05)
    (8, -1)
    """
    ways = np.ones(1)
    for rank in range(1, n + 1):
        ways = np.pad(ways, (0, rank)) + np.pad(ways, (rank, 0))
    return int(np.searchsorted(2 * np.cumsum(ways / ways.sum()), alpha, side="left")) - 1


def normal_difference(spread, n, alpha=0.05, power=POWER):
    """The same for normal differences with this standard deviation, by a formula.

    (z(1 - alpha / 2) + z(power)) spread / sqrt(n 3 / pi).

    Examples
    --------
    >>> round(normal_difference(0.03, 40), 4)
    0.0136
    """
    z = norm.ppf(1 - alpha / 2) + norm.ppf(power)
    return float(z * spread / np.sqrt(n * EFFICIENCY))
