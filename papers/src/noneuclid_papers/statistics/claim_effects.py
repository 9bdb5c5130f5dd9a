"""Effects that papers claim: estimates with 95 % intervals, and the verdict that follows.

A claim consists of comparisons. A comparison has an estimate, an interval, a side and a bound:

- "above": it agrees if the interval lies above the bound, and contradicts if it lies below.
- "below": the other way round.
- "within": it agrees if the interval lies between -bound and bound, contradicts if outside.
- "reaches": the bound is a printed size. It agrees if the interval lies above `none` and the
  estimate is at least half of the printed size; it contradicts if the interval lies below half.
- "never": a theorem. It agrees if no instance is a counterexample, and contradicts otherwise.

All other comparisons are open. A claim holds if all comparisons agree, in part if some agree; it
does not hold if none agrees and one contradicts; otherwise it cannot be tested.
"""

from dataclasses import dataclass

import numpy as np
from scipy import stats

HOLDS, IN_PART, DOES_NOT_HOLD = "holds", "in part", "does not hold"
UNTESTED = "cannot be tested here"
VERDICTS = (HOLDS, IN_PART, DOES_NOT_HOLD, UNTESTED)
AGREES, CONTRADICTS, OPEN = "agrees", "contradicts", "open"
SIDES = ("above", "below", "within", "reaches", "never")
LEVEL = 0.95
_TAIL = (1 - LEVEL) / 2


@dataclass(frozen=True)
class Effect:
    """An estimate and its interval; `n` is the number of units that it is taken over."""

    estimate: float
    low: float
    high: float
    n: int


def mean(values):
    """Mean of independent values (n,), n >= 2, by Student's t.

    Examples
    --------
    >>> mean([1.0, 2.0, 3.0])
    Effect(estimate=2.0, low=-0.4841377118, high=4.4841377118, n=3)
    """
    values = np.asarray(values, dtype=float)
    middle, error = values.mean(), values.std(ddof=1) / np.sqrt(len(values))
    return _effect(middle, _t(len(values) - 1) * error, len(values))


def difference(first, second):
    """Difference of the means of two independent samples, by Welch's t."""
    first, second = (np.asarray(part, dtype=float) for part in (first, second))
    squares = [part.var(ddof=1) / len(part) for part in (first, second)]
    freedom = [len(part) - 1 for part in (first, second)]
    return _welch(first.mean() - second.mean(), squares, freedom)


def difference_of_means(means, errors, counts):
    """The same from two means, their standard errors and numbers of values, each a pair."""
    squares, freedom = np.square(errors), np.subtract(counts, 1)
    return _welch(means[0] - means[1], squares, freedom)


def difference_of_shares(shares, n):
    """Difference of two shares of the same n test rows, taken as independent.

    Two classifiers of the same rows are right together more often than by chance; the interval is
    therefore too wide rather than too narrow.
    """
    first, second = shares
    error = np.sqrt((first * (1 - first) + second * (1 - second)) / n)
    return _effect(first - second, stats.norm.ppf(1 - _TAIL) * error, n)


def geometric_mean(ratios):
    """Geometric mean of ratios (n,), with the interval of the mean logarithm."""
    found = mean(np.log(ratios))
    return Effect(*(_round(np.exp(x)) for x in (found.estimate, found.low, found.high)), found.n)


def ratio(first, second):
    """Ratio of the geometric means of two independent samples of times."""
    found = difference(np.log(first), np.log(second))
    return Effect(*(_round(np.exp(x)) for x in (found.estimate, found.low, found.high)), found.n)


def exponent(sizes, times):
    """Exponent b of times ~ sizes^b, by least squares of the logarithms; n >= 3."""
    fit = stats.linregress(np.log(sizes), np.log(times))
    return _effect(fit.slope, _t(len(sizes) - 2) * fit.stderr, len(sizes))


def share(count, n):
    """Share `count`/n with the exact interval of Clopper and Pearson.

    Examples
    --------
    >>> share(0, 100)
    Effect(estimate=0.0, low=0.0, high=0.0362166926, n=100)
    """
    low = stats.beta.ppf(_TAIL, count, n - count + 1) if count else 0.0
    high = stats.beta.ppf(1 - _TAIL, count + 1, n - count) if count < n else 1.0
    return Effect(_round(count / n), _round(low), _round(high), int(n))


def judge(effect, side, bound, none=0.0):
    """Whether an effect agrees with the claimed side of a bound, contradicts it, or neither.

    Examples
    --------
    >>> judge(Effect(7.2, 6.9, 7.4, 20), "reaches", 540, none=1)
    'contradicts'
    >>> judge(Effect(0.4, -0.1, 0.9, 10), "above", 0)
    'open'
    """
    low, high = effect.low, effect.high
    if side == "never":
        return AGREES if effect.estimate == 0 else CONTRADICTS
    yes, no = {
        "above": (low > bound, high < bound),
        "below": (high < bound, low > bound),
        "within": (-bound < low and high < bound, low > bound or high < -bound),
        "reaches": (low > none and effect.estimate >= bound / 2, high < bound / 2),
    }[side]
    return AGREES if yes else CONTRADICTS if no else OPEN


def verdict(words):
    """Verdict on a claim from the words of its comparisons.

    Examples
    --------
    >>> verdict(["agrees", "open"]), verdict(["contradicts", "open"]), verdict([])
    ('in part', 'does not hold', 'cannot be tested here')
    """
    agree = sum(word == AGREES for word in words)
    if agree:
        return HOLDS if agree == len(words) else IN_PART
    return DOES_NOT_HOLD if CONTRADICTS in words else UNTESTED


def _t(freedom):
    return stats.t.ppf(1 - _TAIL, freedom)


def _welch(middle, squares, freedom):
    total = np.sum(squares)
    if total == 0:
        return _effect(middle, 0.0, int(np.sum(freedom) + 2))
    spread = np.sum(np.square(squares) / freedom)
    return _effect(middle, _t(total**2 / spread) * np.sqrt(total), int(np.sum(freedom) + 2))


def _effect(middle, half, n):
    return Effect(_round(middle), _round(middle - half), _round(middle + half), int(n))


def _round(value):
    """Ten decimals, so that the last bits of a mean decide nothing; no negative zero."""
    return float(np.round(value, 10) + 0.0)
