"""Claims of the papers in their own words, with verdicts, for the report and for the documents."""

import re
from functools import cache

import pandas as pd

from noneuclid_papers import claims, folders
from noneuclid_papers.statistics import claim_effects

PAPERS = folders.PAPERS
# How an effect of a unit is written: format, and what follows the interval.
UNITS = {
    "points": ("{:+.1f}", " points"),
    "times": ("{:.1f}", " times"),
    "percent": ("{:.0f}", " %"),
    "updates": ("{:,.0f}", " updates"),
    "exponent": ("{:.1f}", ""),
    "share": ("{:.0%}", ""),
    "": ("{:.1f}", ""),
}
COLOURS = {
    claim_effects.HOLDS: "#004d7a",
    claim_effects.IN_PART: "#56B4E9",
    claim_effects.DOES_NOT_HOLD: "#D55E00",
    claim_effects.UNTESTED: "#9aa4ad",
}
MOST = 3  # counts of counterexamples that are shown one by one
_MARK = re.compile(r"<(-?)([^<>:]+)(?:: ([^<>]+))?>")


@cache
def compared():
    """One row for each comparison of each claim: `claim`, `comparison`, effect and word."""
    rows = []
    for claim, comparisons in claims.COMPARISONS.items():
        for label, effect, side, bound, *none in comparisons():
            word = claim_effects.judge(effect, side, bound, *none)
            rows.append((claim, label, *vars(effect).values(), side, bound, word))
    names = ["claim", "comparison", "estimate", "low", "high", "n", "side", "bound", "word"]
    return pd.DataFrame(rows, columns=names)


def listed(name="paper_claims"):
    """A table of words of `papers/printed`."""
    return pd.read_csv(folders.PRINTED / f"{name}.tsv", sep="\t", dtype=str, keep_default_na=False)


def rows(papers=PAPERS):
    """Texts of each claim of some papers, in their order.

    The columns of `paper_claims.tsv`; `printed` and `measured`, texts of effects; `verdict` and its
    `colour`; `comparisons`, a list of `label`, `text` and `word`.
    """
    table, found = listed(), compared()
    table = table[table["paper"].isin(papers)]
    table = table.sort_values("paper", key=lambda names: names.map(PAPERS.index), kind="stable")
    return [
        _row(claim, found[found["claim"] == claim["claim"]]) for claim in table.to_dict("records")
    ]


def verdict_line(paper):
    """The sentence on a paper with its numbers, and what would change it."""
    (row,) = (one for one in listed("paper_verdicts").to_dict("records") if one["paper"] == paper)
    return _MARK.sub(_number, row["sentence"]), row["change"]


def _number(mark):
    """The estimate of the comparison that a mark names, or of the first one; -: its negative."""
    sign, claim, label = mark.groups()
    found = compared()
    found = found[found["claim"] == claim]
    found = found[found["comparison"] == label] if label else found
    (unit,) = (one["unit"] for one in listed().to_dict("records") if one["claim"] == claim)
    value = found["estimate"].iloc[0]
    return shown(-value if sign else value, unit).removeprefix("+")


def shown(value, unit):
    """A number of a unit as text.

    Examples
    --------
    >>> shown(-0.04, "points"), shown(7.18, "times"), shown(0.5, "share")
    ('0.0', '7.2', '50%')
    """
    text = UNITS[unit][0].format(value)
    return "0.0" if text in ("+0.0", "-0.0") else text.replace("-", "−")


def _row(claim, found):
    unit, words = claim["unit"], found["word"].tolist()
    result = claim_effects.verdict(words)
    return claim | {
        "printed": claim["printed"] or _printed(claim["claim"], unit),
        "measured": _measured(found.to_dict("records"), unit, claim["of"]),
        "verdict": result,
        "colour": COLOURS[result],
        "comparisons": [
            {"label": one["comparison"], "text": _interval(one, unit), "word": one["word"]}
            for one in found.to_dict("records")
        ],
    }


def _printed(claim, unit):
    if claim not in claims.PRINTED:
        return "–"
    values = [float(value) for value in claims.PRINTED[claim]()]
    return _range(values, unit)


def _range(values, unit):
    """Least and largest of some numbers.

    Examples
    --------
    >>> _range([1.0, -0.5, 2.0], "points"), _range([3.0], "times")
    ('−0.5 to +2.0 points', '3.0 times')
    """
    ends = list(dict.fromkeys(shown(value, unit) for value in (min(values), max(values))))
    return " to ".join(ends) + UNITS[unit][1]


def _bare(one, unit):
    low, high = (shown(one[name], unit) for name in ("low", "high"))
    return f"{shown(one['estimate'], unit)} [{low}, {high}]"


def _interval(one, unit):
    return f"{_bare(one, unit)}{UNITS[unit][1]}, {one['n']}"


def _measured(found, unit, of):
    """All comparisons of a claim in a few words.

    Examples
    --------
    >>> one = {"estimate": 2.0, "low": 1.0, "high": 3.0, "n": 5, "word": "agrees"}
    >>> _measured([one], "points", "sets"), _measured([one] * 2, "times", "sets")
    ('+2.0 [+1.0, +3.0] points, 5 sets', '2.0 [1.0, 3.0] times')
    >>> _measured([one] * 3, "points", "sets")
    '3 of 3; [+1.0, +3.0] points'
    """
    if not found:
        return "–"
    if len(found) == 1 and unit != "share":
        return f"{_interval(found[0], unit)} {of}"
    agree = sum(one["word"] == claim_effects.AGREES for one in found)
    counts = f"{agree} of {len(found)}"
    if unit == "share":
        failed = [(round(one["estimate"] * one["n"]), one["n"]) for one in found]
        if len(found) <= MOST:
            return ", ".join(f"{k} of {n}" for k, n in failed) + f" {of} fail"
        return f"{counts}; {sum(k for k, _ in failed)} of {sum(n for _, n in failed)} {of} fail"
    if len(found) == 2 and unit:
        texts = dict.fromkeys(_bare(one, unit) for one in found)
        return ", ".join(texts) + UNITS[unit][1]
    low, high = min(one["low"] for one in found), max(one["high"] for one in found)
    ends = f"; [{shown(low, unit)}, {shown(high, unit)}]{UNITS[unit][1]}" if unit else ""
    return counts + ends
