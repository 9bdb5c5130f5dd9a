"""What makes scores too good or adds noise: copies of rows, copies of the target, identifiers."""

from itertools import pairwise
from math import lgamma, log

import numpy as np
from scipy.stats import poisson, rankdata

from noneuclid_compare import wording
from noneuclid_compare.data.files.arrays import listing

# Rows, and the share of different values, from which values identify the rows.
FEWEST, DIFFERENT = 20, 0.95
# 1 - r^2 of a column that is the target in another unit, up to rounding; r of a near copy.
EXACT, NEAR = 1e-4, 0.999
CHANCE = 100  # how much rarer than 1 a column that is the label in other words is by chance
REPEATED = 10  # rows that a value of a category has on average
RARELY = 3  # rows that a value has on average, from which it says something of its class
APART = 0.25  # widest gap between two classes that a threshold may have cut, beside their ranges
SPARSE = 0.01  # chance of so few values near a threshold
ORDERED = 0.9  # rank correlation of a column that is almost the target
KEEP = "to keep, delete from `drop`"
KEEP_ALL = "to keep it as a feature, list all features under `features`"
CODES = (-9, -99, -999, -9999, -99999, 99, 999, 9999, 99999)  # written for a missing value
MIXED = "Folds mix the groups, so that scores for new groups can be lower"


def identifies(values):
    """Whether almost all values of a column differ.

    Examples
    --------
    >>> identifies(np.arange(40)), identifies(np.arange(40) % 30), identifies(np.arange(5))
    (True, False, False)
    """
    return len(values) >= FEWEST and differ(values)


def differ(values):
    """Whether almost all values of a column differ, however few there are."""
    return len(np.unique(values)) >= DIFFERENT * len(values)


def counts_rows(values):
    """Which columns of values (n, p) have almost consecutive integers in order: numbers of rows.

    The integers differ, more than half of those in their range occur, and they rise, or fall, from
    row to row, except at the few places where sorted blocks meet. By chance no measurement does.

    Examples
    --------
    >>> rows = np.delete(np.arange(40), [3, 17, 30])
    >>> counts_rows(np.column_stack([rows, np.roll(rows, 9), rows * 2, rows // 2])).tolist()
    [True, True, False, False]
    """
    n, ordered = len(values), np.sort(values, axis=0)
    if n < FEWEST:
        return np.zeros(values.shape[1], dtype=bool)
    with np.errstate(invalid="ignore"):
        found = (np.diff(ordered, axis=0) >= 1).all(axis=0) & (values % 1 == 0).all(axis=0)
        found &= ordered[-1] - ordered[0] < 2 * (n - 1)
        falls = (np.diff(values, axis=0) < 0).sum(axis=0)
    return found & (np.minimum(falls, n - 1 - falls) <= n // FEWEST)


def is_in_order(values):
    """Whether values (n,) rise, or fall, from each row to the next."""
    steps = np.diff(values)
    return bool((steps > 0).all() or (steps < 0).all())


def copies_of(target, values):
    """Columns that are the target in another unit, up to rounding, and those that almost are.

    Shapes: target (n,), values (n, p). Returns two lists of indices.

    Examples
    --------
    >>> y = np.array([1.0, 2.0, 4.0, 3.0])
    >>> copies_of(y, np.column_stack([32 - 1.8 * y, y**2, np.ones(4)]))
    ([0], [])
    """
    y = target - target.mean()
    size = np.abs(values).max(axis=0, initial=0)
    x = values / np.where(size > 0, size, 1)
    x = x - x.mean(axis=0)
    norms = np.linalg.norm(x, axis=0)
    # Of a constant column only rounding is left.
    varying = norms > 1e-9 * np.sqrt(len(y))
    unit = x / np.where(varying, norms, 1)
    y = y / (np.linalg.norm(y) or 1)
    # The residual is exact where 1 - r^2 would be rounding.
    r = y @ unit
    residual = y[:, None] - unit * r
    # One outlier that is far out in both columns must not decide.
    middle = np.median(np.abs(y - np.median(y)))
    typical = np.sqrt(EXACT) * middle
    exact = varying & ((residual**2).sum(axis=0) <= EXACT)
    exact &= (np.median(np.abs(residual), axis=0) <= typical) | (middle == 0)
    near = varying & ~exact & (np.abs(r) >= NEAR)
    near[near] = np.abs(_rank_correlation(y, x[:, near])) >= ORDERED
    return np.flatnonzero(exact).tolist(), np.flatnonzero(near).tolist()


def varies_between(labels, values):
    """Whether values (n,) vary between the classes of `labels` (n,) and hardly within them.

    Examples
    --------
    >>> labels = np.repeat(["a", "b"], 20)
    >>> code = np.repeat([1.0, 2.0], 20)
    >>> noise = np.tile([-1.0, 1.0], 20)
    >>> [varies_between(labels, code + size * noise) for size in (1e-2, 1e-1)]
    [True, False]
    """
    classes, inverse, counts = np.unique(labels, return_inverse=True, return_counts=True)
    if counts.min() < 2 or len(classes) < 2 or not np.isfinite(values).all():
        return False
    within = values - (np.bincount(inverse, values) / counts)[inverse]
    around = values - values.mean()
    return bool(0.0 < within @ within <= (1.0 - NEAR**2) * (around @ around))


def gives_away(labels, values, tried=1):
    """How a column may be the label in other words; empty if it says less.

    `labels` (n,) are codes from 0, `values` (n,) the column, one of so many `tried`.

    Examples
    --------
    >>> labels = np.repeat([0, 1, 2], 20)
    >>> [gives_away(labels, values) for values in (labels, 10 * labels + np.arange(60) % 2)]
    ['one value for each class', 'each value occurs in one class only']
    >>> gives_away(labels, labels == 1), gives_away(labels, np.arange(60.0))
    ('the same value in all rows of a class', 'thresholds of it give the class')
    >>> gives_away(labels, np.arange(60) % 7)
    ''
    """
    found, codes = np.unique(values, return_inverse=True)
    k, levels = int(labels.max()) + 1, len(found)
    if levels < 2 or k < 2:
        return ""
    pairs = len(np.unique(codes * k + labels))
    if pairs == levels == k:
        return "one value for each class"
    if pairs == k and _is_no_chance(codes, k, tried):
        return "the same value in all rows of a class"
    starts = _intervals(labels, values)[1]
    apart = starts is not None and _lie_apart(values, starts)
    category = REPEATED * levels <= len(values)
    # A value that occurs once is in one class always.
    again = np.bincount(codes)[codes] > 1
    repeats = len(np.unique(codes[again]))
    evident = RARELY * levels <= len(values) and _is_no_chance(labels[again], repeats, tried)
    if pairs == levels and (category or not apart) and evident:
        return "each value occurs in one class only"
    if starts is not None and not apart and _is_no_chance(labels, k, tried):
        return "thresholds of it give the class"
    return "almost one value for each class" if varies_between(labels, values) else ""


def cuts(labels, values, tried=1):
    """Whether thresholds of the values give the labels, and not by chance.

    Groups that lie apart are not cut: a measurement may tell classes well.

    Examples
    --------
    >>> weight = np.arange(2000.0, 3000.0, 10)
    >>> light = weight < 2500
    >>> cuts(light, weight), cuts(light, weight % 70), cuts(light, weight + 900 * ~light)
    (True, False, False)
    """
    codes, starts = _intervals(labels, values)
    if starts is None or _lie_apart(values, starts):
        return False
    return _is_no_chance(codes, len(starts) + 1, tried)


def _intervals(labels, values):
    """Codes of the labels, and where in the sorted values the next begins; None if they mix."""
    names, codes = np.unique(labels, return_inverse=True)
    if not 2 <= len(names) <= len(codes) // 2:
        return codes, None
    order = np.lexsort((codes, values))
    starts, values = np.flatnonzero(np.diff(codes[order])) + 1, values[order]
    apart = len(starts) == len(names) - 1 and (values[starts - 1] < values[starts]).all()
    return codes, starts if apart else None


def _lie_apart(values, starts):
    """Whether intervals of values lie apart: a wide gap, or few values between two of them.

    A gap is wide beside the intervals and other gaps. Few are less than chance leaves in a window
    around the middle of a gap, at the density of the sparser interval.
    """
    values = np.sort(values)
    usual = np.median(np.diff(np.unique(values)))
    ends = [0, *starts, len(values)]
    spans = np.array([values[b - 1] - values[a] for a, b in pairwise(ends)])
    gaps = values[starts] - values[starts - 1]
    widths = np.maximum(APART * np.minimum(spans[1:], spans[:-1]), usual)
    densities = np.diff(ends) / (spans + usual)
    expected = widths * np.minimum(densities[1:], densities[:-1])
    low, high = (values[starts] - (gaps + sign * widths) / 2 for sign in (1, -1))
    inside = np.searchsorted(values, high, "right") - np.searchsorted(values, low)
    return bool(((gaps > widths) | (poisson.cdf(inside, expected) < SPARSE)).any())


def _is_no_chance(codes, blocks, tried):
    """Whether `blocks` that each hold one code are unlikely in rows of random order.

    Of n! / (n_1! ... n_k!) orders of the codes (n,), at most k^blocks are such.
    """
    counts = np.unique(codes, return_counts=True)[1]
    orders = lgamma(len(codes) + 1) - sum(lgamma(count + 1) for count in counts)
    return orders - blocks * log(len(counts)) - log(tried) > log(CHANCE)


def _rank_correlation(y, columns):
    """Spearman's correlation of y (n,) with each of the columns (n, p), shape (p,)."""
    ranks, other = rankdata(y), rankdata(columns, axis=0)
    ranks, other = ranks - ranks.mean(), other - other.mean(axis=0)
    return ranks @ other / (np.linalg.norm(ranks) * np.linalg.norm(other, axis=0))


def repeated_rows(features, labels):
    """Numbers of rows whose features, and of those whose label too, an earlier row has.

    Examples
    --------
    >>> repeated_rows(np.array([[0.0], [1.0], [-0.0], [1.0]]), [5, 6, 5, 7])
    (2, 1)
    """
    seen, again, alike = {}, 0, 0
    for row, label in zip(np.ascontiguousarray(features) + 0.0, labels, strict=True):
        found = seen.setdefault(row.tobytes(), set())
        again += bool(found)
        alike += label in found
        found.add(label)
    return again, alike


def about_rows(features, labels):
    """Problem with rows that occur more than once, in a list."""
    again, alike = repeated_rows(features, labels)
    if not again:
        return []
    others = f" ({again - alike} of them with another label)" if again > alike else ""
    return [
        f"{wording.count(again, 'row')} of {len(features)} {'repeats' if again == 1 else 'repeat'} "
        f"the features of an earlier row{others}: in cross-validation copies are in the training "
        "and in the test rows, so scores are too good; remove copies from the file, unless each is "
        "a measurement of its own"
    ]


def about_copies(names, label, exact, done):
    """Problem with columns that are the target in another unit, or almost, in a list."""
    how = "" if exact else "almost "
    return [f"{listing(names, 5)}: {how}{label} in another unit (a + b x): {done}"] if names else []


def about_given_away(names, how):
    """Problem with columns that may be the label in other words."""
    return (
        f"{listing(names, 5)}: {how}, as if the label was written twice or computed from it: if "
        "so, add to `drop`, or all scores are too good"
    )


def about_identifiers(names, why=""):
    """Problem with columns of integers that differ in almost every row, in a list.

    They are left out where a reason `why` is given.
    """
    if not names:
        return []
    said = f"{listing(names, 5)}: whole numbers, different in almost every row"
    if why:
        return [f"{said}, {why}: left out (drop); {KEEP}"]
    return [f"{said}: kept; if they identify the samples, add to `drop`"]


def about_groups(names):
    """Problem with columns that number batches or other groups of rows, in a list."""
    if not names:
        return []
    return [
        f"{listing(names, len(names))}: whole numbers, with the name of a batch or group: kept; "
        f"such a number is no measurement and can reveal the class: if so, add to `drop`. {MIXED}"
    ]


def about_groups_of_cells(names):
    """Problem with columns of obs that are batches or other groups of cells, in a list."""
    if not names:
        return []
    return [
        f"{listing(names, len(names))}: in obs, with the name of a batch or group: no feature. "
        f"{MIXED}"
    ]


def about_names(names, what):
    """Problem with names that differ by case or spaces only, in a list."""
    seen = {}
    for name in map(str, names):
        seen.setdefault("".join(name.split()).casefold(), []).append(name)
    alike = [" and ".join(map(repr, same)) for same in seen.values() if len(same) > 1]
    if not alike:
        return []
    more = f" ({len(alike) - 1} more such)" if len(alike) > 1 else ""
    return [
        f"{alike[0]} are {what} of their own{more}, though they differ by spaces or capitals only: "
        "if they mean the same, write them alike in the file"
    ]


def about_codes(values, names):
    """Problem with columns of values (n, p) that may hold a code for no value, in a list.

    Such a code, of nines with or without a minus, is far from all other values of its column.
    """
    found = []
    ends = np.stack([np.nanmin(values, axis=0), np.nanmax(values, axis=0)])
    for k in np.flatnonzero(np.isin(ends, CODES).any(axis=0)):
        for code in {*ends[:, k].tolist()} & {*CODES}:
            known = values[~np.isnan(values[:, k]), k]
            others = known[known != code]
            if others.size and max(others.min() - code, code - others.max()) > np.ptp(others):
                rows = wording.count(len(known) - len(others), "row")
                found.append(f"{names[k]} ({code:g} in {rows})")
    if not found:
        return []
    return [
        f"{listing(found, 5)}: far from all other values of the column, as a code for a missing "
        "value: if so, empty these cells in the file"
    ]
