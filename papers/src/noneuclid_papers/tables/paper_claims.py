"""Claims of the papers in their own words, with verdicts, for the report and for the documents."""

import re
from functools import cache

import pandas as pd

from noneuclid_papers import folders
from noneuclid_papers.claims import comparisons as claims
from noneuclid_papers.statistics import claim_effects

PAPERS = folders.PAPERS
# How an effect of a unit is written: format, and what follows the interval.
UNITS = {
    "points": ("{:+.1f}", " points"),
    "times": ("{:.1f}", " times"),
    "ratio": ("{:.2f}", ""),
    "percent": ("{:.0f}", " %"),
    "updates": ("{:,.0f}", " fewer updates"),
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
MOST = 4  # comparisons that are shown one by one
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
            {
                "label": one["comparison"],
                "text": f"{_interval(one, unit)}{UNITS[unit][1]}, {one['n']}",
                "word": one["word"],
            }
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
    ('−0.5 to +2.0', '3.0')
    """
    ends = list(dict.fromkeys(shown(value, unit) for value in (min(values), max(values))))
    return " to ".join(ends)


def _interval(one, unit, label=""):
    """Estimate and interval of a comparison, after its label."""
    low, high = (shown(one[name], unit) for name in ("low", "high"))
    return f"{label} {shown(one['estimate'], unit)} [{low}, {high}]".lstrip()


def _bar(found, unit):
    """The bars that effects are compared with, if they are not those of the rule.

    Examples
    --------
    >>> one = {"side": "above", "bound": 0.5}
    >>> _bar([one] * 2, "points"), _bar([one | {"bound": 0}], "points"), _bar([one], "times")
    (' (bar: above +0.5)', '', ' (bar: above 0.5)')
    """
    none = 1 if unit in ("times", "ratio") else 0
    bars = dict.fromkeys(
        f"{one['side']} {shown(one['bound'], unit)}".replace("within +", "within ±")
        for one in found
        if one["side"] in ("above", "below", "within") and one["bound"] != none
    )
    return f" (bar: {', '.join(bars)})" if bars else ""


def _measured(found, unit, of):
    """All comparisons of a claim in a few words.

    Examples
    --------
    >>> one = {"estimate": 2.0, "low": 1.0, "high": 3.0, "n": 5, "word": "agrees"}
    >>> one |= {"side": "reaches", "bound": 2, "comparison": "a"}
    >>> _measured([one], "points", "sets"), _measured([one] * 2, "times", "sets")
    ('+2.0 [+1.0, +3.0] points, 5 sets', 'a 2.0 [1.0, 3.0]; a 2.0 [1.0, 3.0] times')
    >>> _measured([one] * 5, "points", "sets")
    '5/5: a +2.0 [+1.0, +3.0] to a +2.0 [+1.0, +3.0] points'
    """
    if not found:
        return "–"
    agree = sum(one["word"] == claim_effects.AGREES for one in found)
    counts = f"{agree}/{len(found)}"
    if unit == "share":
        failed = [(one["comparison"], round(one["estimate"] * one["n"]), one["n"]) for one in found]
        if len(found) > MOST:
            failed = [(f"{counts}:", sum(k for _, k, _ in failed), sum(n for *_, n in failed))]
        labels = [f"{label} " if len(found) > 1 else "" for label, *_ in failed]
        texts = (f"{label}{k}/{n}" for label, (_, k, n) in zip(labels, failed, strict=True))
        return f"{', '.join(texts)} {of} fail"
    after = UNITS[unit][1]
    if len(found) == 1:
        text = f"{_interval(found[0], unit)}{after}, {found[0]['n']} {of}"
    elif len(found) <= MOST:
        text = "; ".join(_interval(one, unit, one["comparison"]) for one in found) + after
    else:
        ends = min(found, key=_estimate), max(found, key=_estimate)
        texts = " to ".join(_interval(one, unit, one["comparison"]) for one in ends)
        text = f"{counts}: {texts}{after}"
    return text + _bar(found, unit)


def _estimate(one):
    return one["estimate"]
