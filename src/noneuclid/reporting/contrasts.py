"""The best method against every other: wins, effect sizes and tests over the data sets."""

import pandas as pd

from noneuclid.evaluation import effects
from noneuclid.evaluation import ranks as comparisons
from noneuclid.reporting import style

COLUMNS = [
    *("best", "wins", "ties", "losses"),
    *("ahead", "low", "high", "cliffs_delta", "p", "p_holm"),
]


def complete(mean, metric):
    """Means as data sets by methods, larger is better, on the data sets that every method has.

    Methods that were run on less than half of the data sets are left out.

    Rounded, as in `tables.summarise`: two sums in another order must not decide a tie.
    """
    sign = 1 if style.higher_is_better(metric) else -1
    runs = mean.notna().sum(axis=1)
    return sign * mean[2 * runs >= runs.max()].dropna(axis=1).T.round(9)


def overall(mean, metric):
    """Friedman's test of all methods.

    Parameters
    ----------
    mean : DataFrame
        Methods by pairs, as `tables.matrix(summary, "mean")` gives it.
    metric : str

    Returns
    -------
    dict or None
        `ranks.friedman` with `pairs` and `methods`, the counts; None with fewer than three methods
        or two data sets.
    """
    table = complete(mean, metric)
    pairs, methods = table.shape
    if methods < 3 or pairs < 2:
        return None
    return comparisons.friedman(table) | {"pairs": pairs, "methods": methods}


def contrasts(mean, metric):
    """Compare the method with the best average rank with every other.

    Parameters
    ----------
    mean : DataFrame
        Methods, best first, by pairs, as `tables.matrix(summary, "mean")` gives it.
    metric : str

    Returns
    -------
    DataFrame
        Index `method`: the others. `best`, its name; `wins`, `ties`, `losses` of the best over the
        data sets that all methods have; `ahead`, `low`, `high`: median difference, in which
        positive means that the best is better, and its 95 % bootstrap interval; `cliffs_delta`;
        `p` by Wilcoxon's signed ranks, `p_holm` adjusted for all pairs of methods, because the
        best was not chosen beforehand. No rows with fewer than two data sets or methods.

    Examples
    --------
    >>> mean = pd.DataFrame([[0.9, 0.8, 0.7], [0.8, 0.7, 0.75]], index=["a", "b"])
    >>> contrasts(mean, "accuracy")[["wins", "losses", "ahead"]].round(3).values.tolist()
    [[2.0, 1.0, 0.1]]
    """
    table = complete(mean, metric)
    rows = []
    if min(table.shape) > 1:
        raw = comparisons.wilcoxon_pairs(table)
        adjusted = comparisons.wilcoxon_holm(table)
        for k, method in enumerate(table.columns[1:], 1):
            gap = (table.iloc[:, 0] - table[method]).round(9)
            counts = [int((sign * gap > 0).sum()) for sign in (1, -1)]
            record = counts[0], len(gap) - sum(counts), counts[1]
            sizes = *effects.median_interval(gap), effects.dominance(gap)
            rows.append([table.columns[0], *record, *sizes, raw[0, k], adjusted[0, k]])
    index = pd.Index(table.columns[1:] if rows else [], name="method")
    return pd.DataFrame(rows, index=index, columns=COLUMNS)


def least_p(pairs, methods):
    """Smallest adjusted p-value that so few data sets can give: all differences of one sign.

    Examples
    --------
    >>> least_p(9, 14)
    0.35546875
    """
    return min(1.0, 2.0 ** (1 - pairs) * methods * (methods - 1) / 2)


def p_value(p, sign=True):
    """Write a p-value, three decimals, with its sign of comparison if asked for.

    One that only rounding takes to 5 % has a fourth.

    Examples
    --------
    >>> p_value(0.0312), p_value(0.00004), p_value(0.0312, sign=False), p_value(0.00004, False)
    ('= 0.031', '< 0.001', '0.031', '< 0.001')
    >>> p_value(0.04973), p_value(0.05)
    ('= 0.0497', '= 0.050')
    """
    if p < 0.001:
        return "< 0.001"
    text = f"{p:.3f}"
    if text == "0.050" and p != 0.05:
        text = f"{p:.4f}"
    return f"= {text}" if sign else text


def sentence(mean, metric, noun):
    """Friedman's test and the pairs that differ, in words; None if nothing can be tested.

    Parameters
    ----------
    mean, metric
        As for `contrasts`.
    noun : callable
        The number of data sets in words, from the number.

    Returns
    -------
    str or None
    """
    test = overall(mean, metric)
    if test is None:
        return None
    # With so few data sets Iman and Davenport's form rejects too often.
    few = test["pairs"] < 5
    verdict = max(test["f_p"], test["p"]) if few else test["f_p"]
    alike = "differ" if verdict < 0.05 else "cannot be told apart as a whole"
    corrected = f"Iman and Davenport's form of Friedman's test, p {p_value(test['f_p'])}; "
    text = (
        f"Over {noun(test['pairs'])} with every method the {test['methods']} methods {alike} "
        f"({'' if few else corrected}Friedman's {'test' if few else 'own'}, "
        f"χ² = {test['chi2']:.1f}, p {p_value(test['p'])})."
    )
    found = contrasts(mean, metric)
    worse = found.index[(found["p_holm"] < 0.05) & (found["wins"] > found["losses"])]
    if len(worse):
        return f"{text} {found['best'].iloc[0]} beats {', '.join(worse)} (Wilcoxon, Holm, 5 %)."
    least = least_p(test["pairs"], test["methods"])
    if least > 0.05:
        return (
            f"{text} No single pair can reach 5 % by Wilcoxon's test after Holm's correction: with "
            f"so few data sets the smallest p is {p_value(least, sign=False)}."
        )
    return f"{text} {found['best'].iloc[0]} is not shown to beat any other (Wilcoxon, Holm, 5 %)."


def rows(mean, metric):
    """`contrasts` as texts for the page."""
    return [
        {
            "method": row.Index,
            "record": f"{row.wins} · {row.ties} · {row.losses}",
            "wins": row.wins,
            "ahead": style.signed(row.ahead, metric),
            "ahead_sort": row.ahead,
            "interval": f"{style.signed(row.low, metric)} to {style.signed(row.high, metric)}",
            "delta": f"{row.cliffs_delta:+.2f}".replace("-", "−"),
            "delta_sort": row.cliffs_delta,
            "p": p_value(row.p, sign=False),
            "p_sort": row.p,
            "p_holm": p_value(row.p_holm, sign=False),
            "p_holm_sort": row.p_holm,
            "differs": row.p_holm < 0.05,
        }
        for row in contrasts(mean, metric).itertuples()
    ]
