"""Words for a printed number beside ours, and how often these words notice a wrong one."""

from decimal import Decimal

import numpy as np

# The paper's number and ours.
EXACT, CLOSE, IMITATED = "exact", "close", "reproduced by imitation"
HYPOTHESIS, OUTSIDE = "hypothesis", "outside"
JUDGED = (EXACT, CLOSE, IMITATED, HYPOTHESIS, OUTSIDE)
REPRODUCED = (EXACT, CLOSE, IMITATED)
# p-values and ratios of times, which have no interval.
ALIKE, SAME_SIDE, OTHER_SIDE = "alike", "same side", "other side"
COMPARED = (ALIKE, SAME_SIDE, OTHER_SIDE)
NOT_JUDGED, NOT_RUN, NO_DATA = "not judged", "not run", "no data"
# Ours is of other data than the paper's, which we do not have and cannot draw again.
OTHER_DATA = "other data"
# Counted elsewhere: with the same number of another table; with the accuracy of the same run.
REPEATED, PAIRED = "repeated", "with its accuracy"
REST = (REPEATED, PAIRED, OTHER_DATA, NOT_JUDGED, NOT_RUN, NO_DATA)
STATUSES = (*JUDGED, *COMPARED, *REST)
# Of an imitation: ours with the fault is exact or close, ours without is neither.
RETURNED = RETURNS_DIGITS, RETURNS = "returns the number to its last digit", "returns the number"
# The same, of a fault that loses other numbers, not clearly fewer than it gains.
LOSES = "returns the number, but loses others"
# The same, of a fault that no program or text shows.
SUPPOSED = "returns the number; the fault is supposed"

P_VALUE, GAP, SPEEDUP = "p_value", "optimality_gap", "speedup"
# Printed percentages become fractions, as in the long table.
UNITS = {"%": 0.01, "1": 1.0, "s": 1.0, "count": 1.0}
# On the paper's rows and folds: share of predictions, or of the objective, that rounding, the
# solver and the choice among equal splits change (benchmarks/chlenski2024_ties.tsv: up to 0.35 %).
SHARE = 0.0025
# p-values: level, and factor within which two are alike; the same for ratios of times.
LEVEL, FACTOR_P = 0.05, 10.0
EVEN, FACTOR_TIME = 1.0, 2.0
# A wider interval cannot show agreement: of scores, and of counts and gaps as a share of them.
SHIFT = 0.02
WIDEST, WIDEST_SHARE = SHIFT, 0.25
MOST = 1e6
# A metric that is one observation with another one of the same run.
PAIRS = {"f1_weighted": "accuracy"}
_BETTER = (EXACT, CLOSE, OUTSIDE)
# What tells two runs apart, and what a row of a paper's table has in common.
RUN = ["commit", "machine"]
ROW = ["paper", "table", "dataset", "variant"]


def half_digit(value, unit):
    """Half a unit of the last digit of a number as printed, in the units of ours.

    Examples
    --------
    >>> half_digit("84.50", "%"), half_digit("1.3e4", "count")
    (5e-05, 500.0)
    """
    return float(
        Decimal(str(UNITS[unit])) * Decimal(1).scaleb(Decimal(value).as_tuple().exponent) / 2
    )


def tolerance(metric, half, rows, noise):
    """Half-width of the interval of "close".

    On the paper's own rows and folds, `rows` is the number of held-out predictions behind ours: if
    `SHARE` of them differ, gains and losses equally likely, two standard errors of the difference
    are 2 √(SHARE rows) predictions, rounded down. A gap is relative to the objective, of which
    `SHARE` may differ. Otherwise `rows` is nan, and `noise` is t standard errors of the difference.
    `half` a unit of the last printed digit is added.

    Examples
    --------
    >>> round(tolerance("accuracy", 5e-5, 5000, 0.1), 5), tolerance("accuracy", 0.0, np.nan, 0.1)
    (0.00145, 0.1)
    """
    if rows == rows:
        noise = SHARE if metric == GAP else np.floor(2 * np.sqrt(SHARE * rows)) / rows
    return half + float(noise)


def word(cell):
    """One of `STATUSES` from the numbers of a cell alone, without reasons and imitations.

    "exact": ours is within half a unit of the last printed digit; "close": within `tolerance`;
    "outside": neither. An interval that is too wide to show agreement gives "not judged" for
    "close". p-values and ratios of times are `alike` on the same side of `LEVEL` or `EVEN` and
    within a factor.
    """
    ours, theirs = cell["ours"], cell["published"]
    if ours != ours:
        return NOT_RUN
    if theirs != theirs:
        return NOT_JUDGED
    if cell["metric"] == P_VALUE:
        return side(ours, theirs, LEVEL, FACTOR_P)
    if cell["metric"] == SPEEDUP:
        return side(ours, theirs, EVEN, FACTOR_TIME)
    if cell["unit"] == "s":
        ratio = cell.get("ratio", np.nan)
        unknown = ratio != ratio
        return NOT_JUDGED if unknown else side(ratio, cell["printed_ratio"], EVEN, FACTOR_TIME)
    # A sum of decimals must not decide on the edge.
    far = abs(cell["difference"]) / (1 + 1e-9)
    if far <= half_digit(cell["printed"].partition(" ")[0], cell["unit"]):
        return EXACT
    if far > cell["tolerance"]:
        return OUTSIDE
    unknown = cell["tolerance"] != cell["tolerance"]
    return NOT_JUDGED if unknown or wide(cell) else CLOSE


def words(cells):
    """`word` of each cell; what is one observation has one word.

    A number with `counted_in` is `REPEATED`; a weighted F1 is `PAIRED` with the accuracy of one
    method in the same row (of imitations: with the same fault), unless that is `REPEATED`. Of
    "exact", "close" and "outside" the accuracy has the worse one of the two.
    """
    found = [REPEATED if cell.get("counted_in") else word(cell) for cell in cells]
    places = {_place(cell, cell["metric"]): k for k, cell in enumerate(cells)}
    for k, cell in enumerate(cells):
        first = places.get(_place(cell, PAIRS.get(cell["metric"])))
        if first is not None and REPEATED not in (found[first], found[k]):
            if {found[first], found[k]} <= set(_BETTER):
                found[first] = max(found[first], found[k], key=_BETTER.index)
            found[k] = PAIRED
    return found


def _place(cell, metric):
    """What the metrics of one method in one row share, and a metric."""
    return (*(cell[name] for name in ROW), cell["method"], cell.get("fault"), metric)


def wide(cell):
    """Whether the interval of a cell is too wide to show agreement."""
    relative = cell["unit"] == "count" or cell["metric"] == GAP
    most = WIDEST_SHARE * cell["published"] if relative else WIDEST
    return cell["tolerance"] > most


def side(ours, theirs, edge, factor):
    """Compare two positive numbers by the side of an edge and by their ratio.

    Examples
    --------
    >>> [side(p, 0.01, 0.05, 10) for p in (0.04, 0.0001, 0.06)]
    ['alike', 'same side', 'other side']
    """
    if (ours < edge) != (theirs < edge):
        return OTHER_SIDE
    return ALIKE if theirs / factor <= ours <= theirs * factor else SAME_SIDE


def scores(cells):
    """Which of the cells are scores, or differences of scores, a mask."""
    others = [GAP, P_VALUE, SPEEDUP]
    return cells["unit"].isin(["%", "1"]) & ~cells["metric"].isin(others)


def ratios(cells):
    """Times of ours and of the paper over those of the first method with a time in the same row.

    Columns `ratio` and `printed_ratio`; nan for that method itself and for what is no time. `ratio`
    is nan for times of two runs too, which differ in `commit` or `machine`.
    """
    found = cells.assign(ratio=np.nan, printed_ratio=np.nan)
    times = cells[(cells["unit"] == "s") & cells["ours"].notna() & (cells["published"] > 0)]
    for _, part in times.groupby(ROW, sort=False):
        rest = part.index[1:]
        same = rest[(part.loc[rest, RUN] == part[RUN].iloc[0]).all(axis=1)]
        found.loc[same, "ratio"] = part.loc[same, "ours"] / part["ours"].iloc[0]
        found.loc[rest, "printed_ratio"] = part.loc[rest, "published"] / part["published"].iloc[0]
    return found


def powers(cells):
    """How often the words notice that ours is wrong; shares with the numbers they are of.

    `shift`: ours of "close" scores moved by `SHIFT` up and down, share no longer close or exact.
    `method`: ours of "exact" and "close" scores replaced by ours of another method of the same
    cells, share outside; where the paper prints one number for both methods no rule can tell, so
    `method` is of pairs with different printed numbers, and `method_all` is of all. `garbage`:
    ours of all judged numbers, and of each of their `imitations`, replaced by a uniform number
    between 0 and 1 (counts: log-uniform between 1 and `MOST`), expected share not reproduced.
    """
    judged = cells[cells["status"].isin(JUDGED)]
    points = judged[scores(judged)]
    close = points[points["status"] == CLOSE]
    moved = [(close["difference"] + s).abs() > close["tolerance"] for s in (-SHIFT, SHIFT)]
    pairs, different = [], []
    for _, part in points.groupby([*ROW, "metric"]):
        for i in np.flatnonzero(part["status"].isin([EXACT, CLOSE])):
            own = part.iloc[i]
            for j in range(len(part)):
                other = part.iloc[j]
                if i != j and other["ours"] == other["ours"]:
                    pairs.append(abs(other["ours"] - own["published"]) > own["tolerance"])
                    different.append(other["published"] != own["published"])
    pairs, different = np.array(pairs, dtype=bool), np.array(different, dtype=bool)
    # A random number in place of ours and of each imitation.
    chances = [1 - (1 - _chance(c)) ** (1 + c["imitations"]) for c in judged.to_dict("records")]
    return {
        "shift": (float(np.mean(moved)) if len(close) else np.nan, len(close)),
        "method": (_mean(pairs[different]), int(different.sum())),
        "method_all": (_mean(pairs), len(pairs)),
        "garbage": (1 - _mean(chances), len(chances)),
    }


def _mean(values):
    return float(np.mean(values)) if len(values) else np.nan


def _chance(cell):
    """Probability that one random number is exact or close."""
    half = half_digit(cell["printed"].partition(" ")[0], cell["unit"])
    known = cell["tolerance"] == cell["tolerance"] and not wide(cell)
    reach = cell["tolerance"] if known else half
    low, high = cell["published"] - reach, cell["published"] + reach
    if cell["unit"] == "count":
        low, high = np.log(np.clip([low, high], 1.0, MOST)) / np.log(MOST)
    return min(high, 1.0) - max(low, 0.0)
