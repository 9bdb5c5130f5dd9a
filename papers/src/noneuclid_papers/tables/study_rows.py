"""Rows of the page's table of a study: two methods compared over many data sets."""

import math

from noneuclid_compare.report import style

# Of fewer pairs the standard deviation, and so the effect size, is too uncertain to show.
FEWEST = 5


def comparison_rows(tests):
    """Text of every cell of the tests, a dictionary for each metric and series."""
    return [_texts(row) for row in tests.to_dict("records")]


def _more(largest):
    """Decimals beyond three that the largest of some numbers needs to show two digits.

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
        "interval": style.interval(row["low"], row["high"], metric, more),
        "t_p": f"{row['t_p']:.2g}",
        "wilcoxon_p": f"{row['wilcoxon_p']:.2g}",
        "effect": f"{row['cohen_d']:.2f}".replace("-", "−") if row["n"] >= FEWEST else "–",
    }
