"""Rows of the page's table of a study: two methods compared over many data sets."""

import math

from noneuclid.reporting import style


def comparison_rows(tests):
    """Text of every cell, a dictionary for each metric and series.

    Parameters
    ----------
    tests : DataFrame
        As the stage study writes it.

    Returns
    -------
    list of dict of str to str

    Examples
    --------
    >>> import pandas as pd
    >>> from noneuclid.evaluation import studies
    >>> columns = {"metric": "accuracy", "series": "all", "difference": [0.01, 0.02, 0.03]}
    >>> (row,) = comparison_rows(studies.summary(pd.DataFrame(columns)))
    >>> row["pairs"], row["outcomes"], row["mean"], row["interval"], row["t_p"]
    ('3', '3 / 0 / 0', '+2.0', '−0.5 to +4.5', '0.037')
    """
    return [_texts(row) for row in tests.to_dict("records")]


def _more(largest):
    """Decimals that the largest of some numbers needs beyond a score's three to show two digits.

    Examples
    --------
    >>> _more(0.045), _more(0.00045), _more(0.0)
    (0, 2, 0)
    """
    return math.ceil(math.log10(0.01 / largest)) if 0 < largest < 0.01 else 0


def _texts(row):
    metric = row["metric"]
    more = _more(max(abs(row["low"]), abs(row["high"])))
    return {
        "metric": style.metric_label(metric),
        "series": str(row["series"]),
        "pairs": str(row["n"]),
        "outcomes": " / ".join(str(row[name]) for name in ("wins", "ties", "losses")),
        "mean": style.signed(row["mean"], metric, more),
        "sd": style.score(row["sd"], metric, more),
        "interval": " to ".join(style.signed(row[end], metric, more) for end in ("low", "high")),
        "t_p": f"{row['t_p']:.2g}",
        "wilcoxon_p": f"{row['wilcoxon_p']:.2g}",
        "effect": f"{row['cohen_d']:.2f}".replace("-", "−"),
    }
