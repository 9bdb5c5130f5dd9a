"""Section "Study": two methods compared over many data sets."""

import math

from noneuclid_compare.report.figures import figure_list
from noneuclid_compare.report.section import Section

# Of fewer pairs the standard deviation, and so the effect size, is too uncertain to show.
FEWEST = 5


class Study(Section):
    """Tests and figures of the stage study."""

    name = "study"
    title = "Study"
    key = "study"
    package = "noneuclid_papers"
    files = ("study/tests.tsv", *figure_list.files("noneuclid_papers.stages.study"))

    def entry(self, config):
        """Whether data sets belong to groups; None without a study."""
        return {"grouped": "group" in config["study"]} if self.key in config else None

    def values(self, run):
        """`first`, `second`, `rows` and `figures`."""
        tests = run.read_table("study/tests.tsv")
        first, second = (run.names.method(tests[role].iloc[0]) for role in ("first", "second"))
        return {
            "menu": self.title,
            "title": f"{first} compared with {second}",
            "first": first,
            "second": second,
            "rows": comparison_rows(tests),
            "figures": run.pictures(self.title),
        }

    def warning(self, run):
        """A warning if the study compares groups of data sets."""
        if not run.entries[self.name]["grouped"]:
            return None
        groups = run.read_table("study/tests.tsv")["n"].max()
        count = run.scores["dataset"].nunique()
        if groups >= count:
            return None
        return (
            "Are the data sets independent?",
            f"The {count} data sets form {groups} groups of related ones, but this verdict treats "
            "them as independent. The section Study tests the groups.",
        )


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
    from noneuclid_compare.report import style

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


SECTION = Study()
